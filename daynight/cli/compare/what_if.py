"""`daynight what-if`: a record with some events inserted, dropped or replaced, compared with the record."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

import click
from rich.console import Console
from rich.text import Text

from daynight.cards import Catalogue
from daynight.cli.compare.diff import tell_differences
from daynight.cli.terminal import options, stored
from daynight.cli.terminal.output import console, print_json, to_its_end
from daynight.compare.tried import compared, tried_document
from daynight.events.language import decode
from daynight.framework.branches import Branch, digest_of
from daynight.framework.edits import Edit, drop
from daynight.framework.language.codec import write
from daynight.framework.language.errors import RecordError, tame
from daynight.framework.language.wording import _, counted
from daynight.framework.positions import Position
from daynight.game import Game
from daynight.keeping.files import written
from daynight.projections.audit.findings import verdict_word
from daynight.projections.transcript import told
from daynight.records import Record
from daynight.referee.places import MARKS

_PLACED = re.compile(r"(?P<at>e?[0-9]+|turn:[0-9]+(?:/[a-z-]+)?):\s+(?P<event>.*)", re.DOTALL)


@click.command(
    "what-if",
    epilog='\b\ndaynight what-if demo --at turn:20 --insert "B casts 2"\n'
    "daynight what-if demo --drop 121 --leave-out -o branch.jsonl",
)
@options.file
@options.at
@click.option(
    "--insert",
    "inserts",
    metavar="EVENT",
    multiple=True,
    help="Insert an event right after --at, or after a position of its own: 'e41: B casts Opt'.",
)
@click.option("--drop", "drops", metavar="N[..M]", multiple=True, help="Leave out event N, or all from N to M.")
@click.option(
    "--replace",
    "replaces",
    metavar="EVENT",
    multiple=True,
    help="Replace the event at --at, or at a position of its own; given twice for one event, both take its place.",
)
@click.option(
    "--leave-out", is_flag=True, help="Leave out the events that became impossible, instead of stopping there."
)
@click.option(
    "--events",
    "by_event",
    is_flag=True,
    help="Compare after every event, even if turns end differently; by default only if all turns end alike.",
)
@click.option("--name", default="branch", metavar="NAME", help="The name of the branch; by default branch.")
@click.option(
    "--keep", "kept", is_flag=True, help="Keep the branch in the store; --at branch:NAME/e18 is then a position on it."
)
@click.option(
    "--apply",
    "applied",
    is_flag=True,
    help="Correct the game itself, db:GAME: the edits are stored as one correction; nothing is deleted.",
)
@click.option(
    "--by", metavar="NAME", default="owner", help="With --apply: the name of the person who corrects; by default owner."
)
@options.command
@options.key
@options.output
@options.cited
@to_its_end
def what_if(
    record: Record,
    at: Position | None,
    inserts: tuple[str, ...],
    drops: tuple[str, ...],
    replaces: tuple[str, ...],
    leave_out: bool,
    by_event: bool,
    name: str,
    kept: bool,
    applied: bool,
    by: str,
    command: str | None,
    key: Path | None,
    output: Path | None,
    edition: str | None,
    catalogue: Catalogue,
    as_json: bool,
) -> int:
    """Change a game, and compare the result with the record.

    what-if makes a branch: a copy of the record, changed by --insert, --drop and --replace. It replays the branch, and
    prints where it differs from the record. Exit code 1 if anything differs. The record stays as it is. Only --apply
    stores the edits, as a correction of the game; the exit code is then 0.

    EVENT is a JSON object, or short words: 'B casts Opt', 'A casts 2', 'turn 5 A', 'untap', 'step upkeep', 'enters
    Tavern Ruffian under A as w1', 'leaves w1', 'it becomes night', 'night claimed by X', 'w1 shows back'. Names may be
    shortened as long as they stay unambiguous. Every event number is that of the unchanged record.
    """
    if not (inserts or drops or replaces):
        raise click.UsageError(_("nothing to try; give --insert, --drop or --replace"))
    options.spared(output, (record,))
    record, at = options.on_branch(record, at)
    there = keepable(record, name, key) if kept else None
    mended = correctable(record, key, other=kept or leave_out or output is not None) if applied else None
    if command is not None and not applied:
        raise click.UsageError(_("--command is the id of a correction; give --apply too"))
    game = options.loaded(record, catalogue)
    edits = [*_drops(drops), *_puts("replace", replaces, at), *_puts("insert", inserts, at)]
    with record.locating():
        branch = game.branch(*edits, name=name, leave_out=leave_out)
    if output is not None:
        with written(output) as stream:
            # A record in words has no JSON lines, so its digest is that of the lines that daynight read gives.
            own = None if record.in_words else digest_of(record, branch.parted)
            write(branch.record(own), stream)
    line = None if there is None else keep(there, branch)
    other = branch.game
    where, partings = compared(branch, by_event=by_event)
    found = bool(partings or branch.stopped or branch.left_out)
    done = None if mended is None else _applied(mended, edits, by, command)
    if as_json:
        held = (game.audit(edition=edition).held, other.audit(edition=edition).held)
        print_json(tried_document(branch, where, partings, held) | ({} if done is None else {"applied": done}))
        return int(found and done is None)
    out = console()
    _tell_branch(out, game, other, branch)
    tell_differences(out, partings, _("record"), _("branch"), where)
    if branch.stopped is None:
        audits = (game.audit(edition=edition), other.audit(edition=edition))
        words = [f"{verdict_word(audit.verdict)} ({len(audit.disputes)})" for audit in audits]
        out.print(Text(_("audit, record / branch: {record} / {branch}").format(record=words[0], branch=words[1])))
    if output is not None:
        out.print(Text(_("written: {file}").format(file=output)))
    if line is not None:
        out.print(Text(line))
    if done is not None:
        sentence = (
            _("stored already: events {first} to {last}")
            if done["repeated"]
            else _("put right: events {first} to {last}")
        )
        out.print(Text(sentence.format(first=done["first"], last=done["last"])))
    return int(found and done is None)


def keepable(record: Record | None, name: str, key: Path | None) -> stored.StoredRecord:
    """Return the stored game whose branch the command will keep under `name`; open its store for writing.

    Raises:
        click.UsageError: where the record is not in a store.
        BranchNameError: where `name` can't be written in a position, or is too long.
    """
    from daynight.store.branches import check_name

    if not isinstance(record, stored.StoredRecord):
        raise click.UsageError(_("--keep is for a game of a store, db:GAME; -o writes a branch of a file"))
    check_name(name, record.game)
    stored.writing(key, record.where)
    return record


def correctable(record: Record | None, key: Path | None, *, other: bool) -> stored.StoredRecord:
    """Return the stored game that the command will correct; open its store for writing.

    Raises:
        click.UsageError: where the record is not in a store, or `other`: options that need the branch are given.
    """
    if not isinstance(record, stored.StoredRecord):
        raise click.UsageError(_("--apply is for a game of a store, db:GAME; -o writes the corrected record of a file"))
    if other:
        raise click.UsageError(_("--apply goes without --keep, --leave-out and -o"))
    stored.writing(key, record.where)
    return record


def _applied(record: stored.StoredRecord, edits: Sequence[Edit], by: str, command: str | None) -> dict[str, Any]:
    from daynight.keeping.mending.putting_right import put_right

    store = stored.reading(record.where)
    with record.locating():
        appended = put_right(store, record.game, edits, by, command=command)
    found = {name: getattr(appended, name) for name in ("command", "first", "last", "repeated")}
    return found | {"code": store.code(record.game)}


def keep(record: stored.StoredRecord, branch: Branch[Any]) -> str:
    """Store a branch beside its game, and return the line that says so."""
    from daynight.store import branches

    branches.keep(stored.reading(record.where), branch, record.game)
    return _("kept: {record}/{branch}").format(record=record.name, branch=branch.name)


def _drops(spelled: Iterable[str]) -> Iterator[Edit]:
    for text in spelled:
        first, _dots, last = text.partition("..")
        yield drop(_here(first), _here(last) if last else None)


def _here(text: str) -> Position:
    """Return a position in the record itself; UsageError for a position on a branch."""
    position = Position.parse(text, MARKS)
    if position.branch is not None:
        sentence = _("{position} is on a branch; give the branch itself as the record, db:GAME/{branch}")
        raise click.UsageError(sentence.format(position=position, branch=position.branch))
    return position


def _puts(kind: Literal["insert", "replace"], spelled: Iterable[str], at: Position | None) -> Iterator[Edit]:
    for text in spelled:
        found = _PLACED.fullmatch(text)
        place, event = (at, text) if found is None else (Position.parse(found["at"], MARKS), found["event"])
        if place is None and kind == "replace":
            raise click.UsageError(_("--replace needs --at, or a position of its own: 'e41: B casts Opt'"))
        yield Edit(kind, place, events=(_read(f"--{kind}", event),))


def _read(option: str, text: str) -> str:
    """Return the text of an event unchanged; UsageError, which names the `option`, for JSON that is no event."""
    if text.lstrip().startswith("{"):
        try:
            decode(text.strip())
        except RecordError as error:
            raise click.UsageError(_("{option}: {reason}").format(option=option, reason=error)) from None
    return text


def _tell_branch(out: Console, game: Game, other: Game, branch: Branch[Game]) -> None:
    turn = game.at(branch.parted).turn
    place = (_("event {event}, turn {turn}") if turn else _("event {event}")).format(event=branch.parted, turn=turn)
    parts = _("{branch}: parts from {game} after {place}")
    text = parts.format(branch=branch.name, game=branch.game.state.game, place=place)
    out.print(Text(tame(text), style="bold"))
    lost = {one.number: one.reason for one in branch.left_out}
    dropped = frozenset(branch.dropped) - lost.keys()
    for line in told(game.moments()) if dropped else ():
        if line.number in dropped:
            out.print(Text(tame(f"  - e{line.number}  {line.sentence}"), style="red"))
    for line in told(other.moments()):
        if branch.origins[line.number - 1] is None:
            out.print(Text(tame(f"  + e{line.number}  {line.sentence}"), style="green"))
    for number, reason in lost.items():
        text = _("  left out: e{event}, impossible on the branch: {reason}").format(event=number, reason=reason)
        out.print(Text(tame(text), style="yellow"))
    if branch.stopped is not None:
        sentence = _("  stops before e{event}, impossible on the branch: {reason}; --leave-out goes on without it")
        text = sentence.format(event=branch.stopped.number, reason=branch.stopped.reason)
        out.print(Text(tame(text), style="yellow"))
    if branch.left_out:
        out.print(counted("  {n} event is left out", "  {n} events are left out", len(lost)))
