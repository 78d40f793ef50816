"""`daynight schema`: the JSON Schema of a line of a record."""

from __future__ import annotations

import click

from daynight.cli.terminal import options
from daynight.cli.terminal.output import print_json
from daynight.events.language import LANGUAGE
from daynight.framework.language.schema import published


@click.command(epilog="\b\ndaynight schema")
@options.as_json
def schema(as_json: bool) -> int:
    """Print the JSON Schema of one line of a record."""
    if as_json:
        print_json(LANGUAGE.schema())
    else:
        click.echo(published(LANGUAGE.schema()), nl=False)
    return 0
