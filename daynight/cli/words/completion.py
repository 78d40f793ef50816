"""`daynight completion`: what a shell needs to complete our commands."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from daynight.cli.terminal import options
from daynight.cli.terminal.output import print_json


@click.command(epilog="\b\nsource <(daynight completion bash)")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@options.as_json
def completion(shell: str, as_json: bool) -> int:
    """Print the completion script for bash, zsh or fish."""
    from daynight.cli.commands import daynight

    kind = get_completion_class(shell)
    assert kind is not None
    made = kind(daynight, {}, "daynight", "_DAYNIGHT_COMPLETE")
    script = made.source_template % made.source_vars()
    if shell == "bash":
        # Bash ends a word at a colon, and would not complete db:GAME.
        script = f"COMP_WORDBREAKS=${{COMP_WORDBREAKS//:}}\n{script}"
    if as_json:
        print_json({"shell": shell, "script": script})
    else:
        click.echo(script)
    return 0
