"""`daynight adopt ... list`: the aggregates of an application."""

from __future__ import annotations

from typing import Any

import click

from daynight.cli.terminal.kinds import Whole
from daynight.cli.terminal.output import error_line, print_json
from daynight.framework.language.errors import tame
from daynight.framework.language.wording import _, counted


@click.command(
    "list",
    epilog="\b\ndaynight adopt bank:BankAccounts --db bank.db list\n"
    "daynight adopt bank:BankAccounts --db bank.db list --search account --limit 10",
)
@click.option("--search", metavar="TEXT", default="", help="The beginning of an id, or a part of the name of a class.")
@click.option("--after", metavar="ID", default="", help="Go on after this id, where the page before ended.")
@click.option("--limit", metavar="N", type=Whole(min=1), default=50, show_default=True, help="At most N aggregates.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON and nothing else.")
@click.pass_obj
def list_(there: Any, search: str, after: str, limit: int, as_json: bool) -> int:
    """List the aggregates: id, class, number of events, and when the last one happened."""
    found = [*there.adopted.listed(after, limit + 1, search)]
    page, more = found[:limit], len(found) > limit
    if as_json:
        print_json({"aggregates": [one.document() for one in page], "after": page[-1].id if more else None})
        return 0
    for one in page:
        events = counted("{n} event", "{n} events", one.events)
        print(tame(f"{one.id}  {one.kind}  {events}  {one.last or ''}".rstrip()))
    if more:
        error_line(_("there are more: --after {id}").format(id=page[-1].id))
    return 0
