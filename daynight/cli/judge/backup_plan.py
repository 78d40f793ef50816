"""`daynight backup-plan`: the events that backing up would undo, newest first, without gaps."""

from __future__ import annotations

import click
from rich.console import Console
from rich.text import Text

from daynight.cards import Catalogue
from daynight.cli.terminal import options
from daynight.cli.terminal.output import console, print_json
from daynight.framework.language.errors import NotFoundError, RecordError, tame
from daynight.framework.language.wording import _, counted
from daynight.framework.positions import Position
from daynight.questions.backup_plan import BackupPlan, Reversal
from daynight.questions.backup_plan import backup_plan as planned
from daynight.records import Record
from daynight.speech.sentences import count_word

_SIGNS = {"yes": "⚠", "unknown": "?", "no": " "}


@click.command(
    "backup-plan", epilog="\b\ndaynight backup-plan demo --to 116\ndaynight backup-plan demo --from 121 --to turn:21"
)
@options.file
@options.a_position(
    "--to", required=True, help="Back up to the state after this event: 18, e18, turn:4 or turn:4/untap."
)
@options.a_position("--from", "start", help="Back up from the state after this event; by default the last one.")
@options.told
def backup_plan(record: Record, to: Position, start: Position | None, catalogue: Catalogue, as_json: bool) -> int:
    """List the events that backing up a game would undo.

    The list has every event after --to, the newest first. A sign before an event says that it touched hidden or random
    information, or may have. backup-plan also counts the decisions of players between: a spell cast, attackers or
    blockers declared, an arrival that no cast explains. It does not say whether to back up. With --to branch:b2/e18,
    the list is about that branch.
    """
    record, target, begin = _on_one(record, to, start)
    game = options.loaded(record, catalogue)
    try:
        plan = planned(game, len(game) if target is None else target, begin)
    except RecordError as error:
        raise error.located(file=record.name) from None
    except NotFoundError as error:
        raise options.named(error, record) from None
    if as_json:
        print_json(plan.document())
        return 0
    _tell(console(), plan)
    return 0


def _on_one(record: Record, to: Position, start: Position | None) -> tuple[Record, Position | None, Position | None]:
    """Return the record that the plan is for, and the positions `to` and `start` in it.

    If one of the two names a branch, the record is that branch, and the other position is also looked up there.

    Raises:
        click.UsageError: where they are on two branches.
        NotFoundError: where one is on a branch, but the record is a file, which has no stored branches.
    """
    if len({place.branch for place in (to, start) if place is not None and place.branch is not None}) > 1:
        sentence = _("--to is on branch {to} and --from on branch {start}; a plan goes back along one of them")
        raise click.UsageError(sentence.format(to=to.branch, start=None if start is None else start.branch))
    here, target = options.on_branch(record, to)
    there, begin = options.on_branch(record, start)
    return (here if to.branch is not None else there), target, begin


def _tell(out: Console, plan: BackupPlan) -> None:
    heading = _("{game}: from after event {start} back to after event {to}")
    out.print(Text(tame(heading.format(game=plan.game, start=plan.start, to=plan.to)), style="bold"))
    width = len(str(plan.start)) + 1
    for reversal in plan.reversals:
        _tell_one(out, reversal, width)
    number = len(plan.reversals)
    out.print(counted("{n} event would be undone", "{n} events would be undone", number))
    touching = len(plan.touching("yes"))
    sentence = counted(
        "{sign} {n} touches hidden or random information", "{sign} {n} touch hidden or random information", touching
    )
    out.print(sentence.format(sign=_SIGNS["yes"]))
    unknown = len(plan.touching("unknown"))
    if unknown:
        told = counted(
            "{sign} {n} may do so; the record does not say", "{sign} {n} may do so; the record does not say", unknown
        )
        out.print(told.format(sign=_SIGNS["unknown"]))
    out.print(_("decisions recorded between: {decisions}").format(decisions=count_word(*plan.decisions)))
    out.print(Text(plan.unknown, style="dim"))
    out.print(Text(plan.policy, style="dim"))
    out.print(Text(_("Derived from the log as recorded; the Head Judge decides."), style="dim"))


def _tell_one(out: Console, reversal: Reversal, width: int) -> None:
    label = f"{_SIGNS[reversal.hidden]} {f'e{reversal.event}'.rjust(width)}  "
    text = Text(label, style="bold red" if reversal.hidden == "yes" else "dim")
    out.print(text.append(tame(reversal.sentence), style="not bold default"))
    indent = " " * (len(label) + 2)
    for sentence in reversal.taken_back:
        out.print(Text(f"{indent}-> {tame(sentence)}", style="green"))
    if reversal.reason is not None:
        out.print(Text(f"{indent}{reversal.reason}", style="dim"))
