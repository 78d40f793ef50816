"""`daynight dispute`: appends the events of a dispute, from the call for a judge to its end, and shows it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TypedDict, Unpack, get_args

import click
from rich.console import Console
from rich.text import Text

from daynight.cards import bundled
from daynight.cli.look.telling import stage_word, tell_line
from daynight.cli.terminal import options, stored
from daynight.cli.terminal.opening import Command
from daynight.cli.terminal.output import console, print_json
from daynight.disputes.docket import Docket
from daynight.events import Designation, Event, disputes
from daynight.framework.language.errors import NotFoundError, locating, tame
from daynight.framework.language.wording import _
from daynight.framework.positions import Position
from daynight.game import Game
from daynight.keeping.appending import append_to_file, append_to_store
from daynight.keeping.hearing import act_document, carried_out, closed_with, opened_as
from daynight.projections.transcript import Line, told
from daynight.questions.proceedings import Dispute
from daynight.records import Record
from daynight.rules.citations import with_number
from daynight.speech.sentences import outcome_word


@click.group(epilog="\b\ndaynight dispute open db:friday --by Ana --at 3\ndaynight dispute show db:friday")
def dispute() -> None:
    """Open, rule on and close a dispute about a recorded game.

    Each command but show appends to the record. The game itself changes only by a ruling with --carry-out. GAME is a
    .jsonl or .dn file, or db:GAME for a game of a store. Every command takes --json.
    """


_game = click.argument("record", metavar="GAME", type=options.RECORD)
_dispute = click.argument("id", metavar="DISPUTE")
_by = click.option("--by", metavar="NAME", required=True, help="The name of the person.")
_says = click.option("--says", metavar="TEXT", help="What was said, in words.")
_when = click.option("--when", metavar="TIME", help="The time, as 2024-06-07T19:30:00Z; by default now.")
_designation = partial(
    click.option, "--designation", type=click.Choice([one.value for one in Designation]), callback=options.designation
)
_outcome = partial(click.option, "--outcome", type=click.Choice(get_args(disputes.Outcome)))

Acts = Callable[[Game, Sequence[Event], str | None], list[Event]]
"""Makes the events to append, from the game, the events that the same command stored before, and the time."""


class _How(TypedDict):
    """The options of every command that appends an event: its time, its command id, the signing key, and --json."""

    when: str | None
    command: str | None
    key: Path | None
    as_json: bool


def _appending(command: Command) -> Command:
    """Add the options of `_How`, and `--db`."""
    return _when(options.command(options.from_store(options.key(options.as_json(command)))))


@dispute.command("open", epilog="\b\ndaynight dispute open db:friday --by Ana --at 3")
@_game
@_by
@options.at
@click.option("--id", metavar="DISPUTE", help="The id of the dispute; by default d1, d2 and so on.")
@_appending
def open_(record: Record, by: str, at: Position | None, id: str | None, **how: Unpack[_How]) -> int:
    """Call a judge about an event.

    --at names the event. If it is on a branch, the dispute belongs to the branch.
    """

    def acts(game: Game, same: Sequence[Event], time: str | None) -> list[Event]:
        about = None if at is None else options.numbered(game, record, at)
        return [
            disputes.DisputeOpened(dispute=id or opened_as(Docket.of(game.events), same), by=by, about=about, at=time)
        ]

    record, at = options.on_branch(record, at)
    return _append(record, acts, how)


@dispute.command(
    epilog="\b\ndaynight dispute claim db:friday d1 --by Bo --designation night\n"
    'daynight dispute claim db:friday d1 --by Ana --says "Bo cast Opt"'
)
@_game
@_dispute
@_by
@_designation(help="The designation that they claim.")
@_says
@_appending
def claim(
    record: Record, id: str, by: str, designation: Designation | None, says: str | None, **how: Unpack[_How]
) -> int:
    """Record what one side claims.

    Give --designation, --says, or both.
    """
    if designation is None and not says:
        raise click.UsageError(_("nothing is claimed; give --designation, --says, or both"))

    def acts(game: Game, same: Sequence[Event], time: str | None) -> list[Event]:
        return [disputes.DisputeClaimed(dispute=id, by=by, designation=designation, says=says, at=time)]

    return _append(record, acts, how)


@dispute.command(
    epilog="\b\ndaynight dispute rule db:friday d1 --by Jo --outcome leave\n"
    "daynight dispute rule db:friday d1 --by Jo --outcome fix --designation night"
)
@_game
@_dispute
@_by
@_outcome(required=True, help="What the judge decides.")
@_designation(help="With fix: the designation from now on.")
@options.a_position("--to", help="With back-up: the position to back up to, as 18 or turn:4/untap.")
@_says
@click.option("--carry-out", is_flag=True, help="Also append the event that changes the game as ruled.")
@_appending
def rule(
    record: Record,
    id: str,
    by: str,
    outcome: disputes.Outcome,
    designation: Designation | None,
    to: Position | None,
    says: str | None,
    carry_out: bool,
    **how: Unpack[_How],
) -> int:
    """Record the ruling of a judge.

    --outcome is what the judge decides: leave the game as it is, fix it from now on, or back it up to an earlier event.
    The ruling is only recorded; with --carry-out, rule also appends the event that changes the game.
    """
    if (to is not None) is not (outcome == "back-up"):
        raise click.UsageError(_("--to goes with --outcome back-up, and back-up with --to"))
    if designation is not None and outcome != "fix":
        raise click.UsageError(_("--designation goes with --outcome fix"))
    if carry_out and to is None and designation is None:
        raise click.UsageError(_("nothing to carry out; give --outcome back-up, or fix with --designation"))

    def acts(game: Game, same: Sequence[Event], time: str | None) -> list[Event]:
        target = None if to is None else options.numbered(game, record, to)
        ruled = disputes.DisputeRuled(
            dispute=id, by=by, outcome=outcome, designation=designation, to=target, says=says, at=time
        )
        return [ruled, *(carried_out(ruled) if carry_out else ())]

    record, to = options.on_branch(record, to)
    return _append(record, acts, how)


@dispute.command(epilog="\b\ndaynight dispute appeal db:friday d1 --by Bo")
@_game
@_dispute
@_by
@_appending
def appeal(record: Record, id: str, by: str, **how: Unpack[_How]) -> int:
    """Appeal the last ruling.

    The dispute then waits for another ruling.
    """
    return _append(record, lambda game, same, time: [disputes.DisputeAppealed(dispute=id, by=by, at=time)], how)


@dispute.command(epilog="\b\ndaynight dispute close db:friday d1 --by Jo")
@_game
@_dispute
@_by
@_outcome(help="The outcome of the last ruling, which is the default; any other is refused.")
@_appending
def close(record: Record, id: str, by: str, outcome: disputes.Outcome | None, **how: Unpack[_How]) -> int:
    """Close a dispute with the outcome of its last ruling.

    close refuses a dispute that has no ruling, or whose last ruling is under appeal.
    """

    def acts(game: Game, same: Sequence[Event], time: str | None) -> list[Event]:
        last = outcome or closed_with(Docket.of(game.events), id)
        return [disputes.DisputeClosed(dispute=id, by=by, outcome=last, at=time)]

    return _append(record, acts, how)


@dispute.command(epilog="\b\ndaynight dispute show db:friday")
@_game
@click.argument("id", metavar="[DISPUTE]", required=False)
@options.from_store
@options.edition
@options.as_json
def show(record: Record, id: str | None, edition: str | None, as_json: bool) -> int:
    """Show what was said and ruled in each dispute, and how it ended.

    Beside each claim and each ruling, show prints the result of the rules.
    """
    game = options.loaded(record, bundled())
    found = [one for one in game.disputes(edition=edition) if id in (None, one.dispute)]
    if id is not None and not found:
        sentence = _("{record}: no dispute {dispute}").format(record=record.name, dispute=repr(id))
        raise NotFoundError(sentence, file=record.name)
    if as_json:
        print_json({"game": game.state.game, "disputes": [one.document() for one in found]})
        return 0
    out = console()
    lines = {line.number: line for line in _lines(game, edition)}
    for one in found:
        _show(out, one, game, lines)
    if not found:
        out.print(_("no dispute in this record"))
    out.print(Text(_("Derived from the log as recorded; the Head Judge decides."), style="dim"))
    return 0


def _append(record: Record, acts: Acts, how: _How) -> int:
    """Append the events of `acts` to the record, print them, and return the exit code 0.

    Their time is that of --when; else that of the first run of the same --command; else now.

    Raises:
        UsageError: where --command is given and the record is a file.
    """

    def make(game: Game, same: Sequence[Event]) -> list[Event]:
        now = same[0].at if same else datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        return acts(game, same, now if how["when"] is None else how["when"])

    if isinstance(record, stored.StoredRecord):
        with locating(file=record.name):
            store = stored.writing(how["key"], record.where)
            kept = append_to_store(store, record.game, make, command=how["command"])
    elif how["command"] is not None:
        raise click.UsageError(_("a file keeps no ids of commands; --command is for db:GAME"))
    else:
        kept = append_to_file(record, make)
    if how["as_json"]:
        print_json(act_document(kept))
        return 0
    mark = _("[stored before]") if kept.repeated else ""
    for line in _lines(kept.game, None)[kept.first - 1 : kept.last]:
        tell_line(console(), line, mark=mark)
    return 0


def _lines(game: Game, edition: str | None) -> list[Line]:
    chosen = edition or game.edition
    return [*told(game.moments(), number=partial(with_number, edition=chosen), stands=game.stands)]


def _claimed(right: bool | None, *, as_ruled: bool) -> str:
    """Say whether a claim agrees with the rules or, if `as_ruled`, with the ruling; `right` None: that is left open."""
    if as_ruled:
        return {
            True: _("as ruled it is so"),
            False: _("as ruled it is otherwise"),
            None: _("as ruled it is left open"),
        }[right]
    if right is None:
        return _("the rules leave it open")
    return _("the rules say so too") if right else _("the rules say otherwise")


def _show(out: Console, one: Dispute, game: Game, lines: dict[int, Line]) -> None:
    stage = stage_word(one.stage.value)
    told = _("{dispute}, about event {about}: {stage}; {outcome}")
    heading = told.format(dispute=one.dispute, about=one.about, stage=stage, outcome=outcome_word(one.outcome))
    out.print(Text(tame(heading), style="bold"))
    for standing in one.stands:
        out.print(Text(f"  {standing.sentence}", style="cyan"))
    events = game.events
    width = len(str(one.trail[-1])) + 3
    remarks = {one.event: one.why.sentence}
    remarks |= {
        side.event: _claimed(side.right, as_ruled=one.as_ruled) for side in one.claims if side.designation is not None
    }
    remarks |= {ruling.event: ruling.remark for ruling in one.rulings}
    for number in one.trail:
        at = events[number - 1].at
        marks = [_("[undone]")] if lines[number].undone else []
        marks += [] if at is None else [f"[{at}]"]
        tell_line(out, lines[number], width, " ".join(marks))
        if number in remarks:
            out.print(Text(" " * width + f"    = {tame(remarks[number])}", style="cyan"))
