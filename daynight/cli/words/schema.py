"""`daynight schema`: the JSON Schema of a line of a record."""

from __future__ import annotations

import click

from daynight.cli.terminal import options
from daynight.cli.terminal.output import print_json
from daynight.framework.language.schema import line_schema, published

__all__ = ["schema"]


@click.command()
@options.as_json
def schema(as_json: bool) -> int:
    """Print the JSON Schema of one line of a record."""
    if as_json:
        print_json(line_schema())
    else:
        click.echo(published(), nl=False)
    return 0
