"""`daynight completion`: prints the completion script of a shell."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from daynight.cli.terminal import options
from daynight.cli.terminal.output import print_json
from daynight.cli.words.completing import SHELLS


@click.command(
    epilog="\b\nsource <(daynight completion bash)\ndaynight completion powershell | Out-String | Invoke-Expression"
)
@click.argument("shell", type=click.Choice(SHELLS))
@options.as_json
def completion(shell: str, as_json: bool) -> int:
    """Print the completion script for bash, zsh, fish or PowerShell."""
    from daynight.cli.commands import COMPLETING, daynight

    kind = get_completion_class(shell)
    assert kind is not None
    made = kind(daynight, {}, "daynight", COMPLETING)
    script = made.source_template % made.source_vars()
    if as_json:
        print_json({"shell": shell, "script": script})
    else:
        click.echo(script)
    return 0
