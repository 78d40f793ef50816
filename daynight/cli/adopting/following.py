"""`daynight adopt ... follow`: prints the events of a running application as it stores them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import click

from daynight.adapters.rows.stored import Noticed
from daynight.cli.adopting import EXAMPLE
from daynight.cli.terminal.kinds import Whole
from daynight.cli.terminal.output import error_line, print_json
from daynight.framework.language.errors import tame
from daynight.framework.language.wording import _


@click.command("follow", epilog=f"\b\n{EXAMPLE} follow\n{EXAMPLE} follow 3fa8 --after 0 --limit 3")
@click.argument("ids", metavar="[ID]...", nargs=-1)
@click.option(
    "--after",
    type=Whole(min=0),
    metavar="N",
    help="Begin after notification N; by default with the next event stored.",
)
@click.option("--limit", type=Whole(min=1), metavar="N", help="End after N events.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON and nothing else, a line for each event.")
@click.pass_obj
def follow(there: Any, ids: tuple[str, ...], after: int | None, limit: int | None, as_json: bool) -> int:
    """Print each event that the application stores, and what it changed, until Ctrl-C ends it.

    With IDs, follow prints only the events of these aggregates. Each event begins with the number of its notification
    in the application's own log; --after takes such a number N. The database is only read.
    """
    adopted = there.adopted
    wanted = {adopted.record(id).id for id in ids}
    following, told = adopted.following(after), 0
    while found := following.take():
        for document, lines in _told(adopted, found, wanted):
            if as_json:
                print_json(document)
            for line in () if as_json else lines:
                print(tame(line))
            sys.stdout.flush()
            told += 1
            if told == limit:
                return 0
    return 0


def _told(adopted: Any, found: list[Noticed], wanted: set[str]) -> Iterator[tuple[dict[str, Any], list[str]]]:
    """Yield each event of the `wanted` aggregates (empty: all), as JSON and as lines. Read each aggregate once.

    For an event after the early end of its record, print the reason of that end instead.
    """
    records: dict[str, Any] = {}
    for one in found:
        id, number = adopted.noticed(one)
        if wanted and id not in wanted:
            continue
        if id not in records:
            records[id] = adopted.record(id)
        record = records[id]
        if number > len(record):
            stops = record.stops
            reason = "" if stops is None else stops.sentence
            sentence = _("{id}: the record ends before event {event}: {reason}")
            error_line(sentence.format(id=id, event=number if stops is None else stops.event, reason=reason))
            continue
        moment, words = record[number], record.mechanic.words
        title = record.mechanic.title(record.events[0])
        yield (
            {
                "notification": one.place, "id": id, "event": number, "type": moment.event.type,
                "at": moment.event.at, "fields": moment.event.fields,
                "changes": [
                    {"part": change.part, "was": change.was, "became": change.became} for change in moment.consequences
                ],
            },
            [
                f"{one.place}  {title}  {number}  {words.event(moment.event)}",
                *(f"    → {words.consequence(change)}" for change in moment.consequences),
            ],
        )  # fmt: skip
