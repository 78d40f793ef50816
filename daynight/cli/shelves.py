"""The commands record, import and list for stores of any mechanic; other commands about stores are `daynight`'s."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import Any

import click

from daynight.cli.keep.import_ import told
from daynight.cli.terminal import options, stored
from daynight.cli.terminal.kinds import Whole
from daynight.cli.terminal.output import answer, error_line, print_json, waiting
from daynight.framework.language.errors import tame
from daynight.framework.language.happening import tag_of
from daynight.framework.language.wording import _, counted
from daynight.framework.mechanic import Mechanic
from daynight.keeping.whole import is_archive, store_archive
from daynight.records import Record


@click.command("list", epilog="\b\ndaynight list")
@options.db
@options.as_json
def list_(as_json: bool) -> int:
    """List the records of a store, each with the number of its last event."""
    games = stored.reading().games()
    if as_json:
        print_json({"games": [{"game": name, "events": number} for name, number in games]})
    for name, number in () if as_json else games:
        events = counted("{n} event", "{n} events", number)
        print(tame(f"{name}  {events}"))
    return 0


@click.command("record", epilog="\b\ndaynight record friday - < events.jsonl")
@options.game
@click.argument("events", metavar="EVENT...", nargs=-1, required=True)
@options.command
@click.option("--new", "begins", is_flag=True, help="Begin the record; random bits tell it from others of its name.")
@click.option(
    "--expect", "expected", metavar="N", type=Whole(min=0), help="Store only if event N is the last one of the record."
)
@options.db
@options.key
@options.as_json
@click.pass_obj
def record(
    mechanic: Mechanic[Any, Any, Any],
    game: str,
    events: tuple[str, ...],
    command: str | None,
    begins: bool,
    expected: int | None,
    key: Path | None,
    as_json: bool,
) -> int:
    """Append events to a record of a store, all of them or none: EVENT is JSON; - reads lines of standard input."""
    lines = [line for line in sys.stdin.read().splitlines() if line.strip()] if events == ("-",) else list(events)
    store = stored.writing(key, begin=True)
    appended = store.append(game, lines, command=command, expected=expected, begins=begins)
    if as_json:
        print_json({"game": game, "first": appended.first, "last": appended.last, "repeated": appended.repeated})
        return 0
    for moment in appended.moments:
        print(tame(f"{moment.number:>5} {mechanic.words.event(moment.event)}"))
        for consequence in moment.consequences:
            print(tame(f"      → {mechanic.words.consequence(consequence)}"))
    if appended.repeated:
        print(_("stored before, as events {first} to {last}").format(first=appended.first, last=appended.last))
    return 0


def _told(file: str, sentence: str) -> None:
    error_line(f"{file}: {sentence}")


@click.command("import", epilog="\b\ndaynight import saturday.jsonl")
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--trust-rules",
    is_flag=True,
    help="Store events recorded under rules that this code does not know, without checking them.",
)
@options.db
@options.key
@options.as_json
@click.pass_obj
def import_(
    mechanic: Mechanic[Any, Any, Any], files: tuple[Path, ...], trust_rules: bool, key: Path | None, as_json: bool
) -> int:
    """Store whole records, each under the name in its first event, or else the name of its file.

    An archive of export --all needs an empty store.
    """
    from daynight.store.database.mapper import game_name

    for file in files:
        archive = Record(file)
        if is_archive(archive):
            with archive.locating(), waiting() as progress:
                store, tell = stored.writing(key, begin=True), partial(_told, str(file))
                document = store_archive(store, archive, progress, trust_rules=trust_rules, tell=tell)
            answer(document, told(document), as_json=as_json)
            continue
        first = next(mechanic.language.read(file))
        titled = "" if mechanic.title is tag_of else mechanic.title(first)
        with archive.locating():
            name = game_name(titled or file.name.partition(".")[0])
        store = stored.writing(key, begin=True)
        last = store.import_record(file, name, trust_rules=trust_rules, tell=partial(_told, str(file))).number
        if as_json:
            print_json({"game": name, "events": last})
        else:
            events = counted("{n} event", "{n} events", last)
            print(tame(f"{name}: {events}"))
    return 0
