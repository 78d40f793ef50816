"""`daynight schema`: the JSON Schema of a line of a record."""

from __future__ import annotations

from typing import Any

import click

from daynight.cli.terminal import options
from daynight.cli.terminal.output import print_lines
from daynight.events.language import LANGUAGE
from daynight.framework.language.language import published
from daynight.framework.mechanic import Mechanic


@click.command(epilog="\b\ndaynight schema")
@options.as_json
@click.pass_obj
def schema(mechanic: Mechanic[Any, Any, Any] | None, as_json: bool) -> int:
    """Print the JSON Schema of one line of a record."""
    found = (LANGUAGE if mechanic is None else mechanic.language).schema()
    if as_json:
        print_lines(found)
    else:
        click.echo(published(found), nl=False)
    return 0
