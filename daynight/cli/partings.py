"""Commands that compare records of any mechanic: diff, what-if and bisect."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import click

from daynight.cli import asking
from daynight.cli.asking import Game, Mechanic, loaded, stored_game, tell
from daynight.cli.compare.bisect import by_test, onwards, reserve, run, tested, tested_document
from daynight.cli.compare.what_if import keep, keepable
from daynight.cli.terminal import options
from daynight.cli.terminal.output import print_json, to_its_end
from daynight.framework.audit import spoken
from daynight.framework.bisect import parted
from daynight.framework.branches import Branch
from daynight.framework.edits import Edit, drop, insert, replace
from daynight.framework.language.codec import encode, write
from daynight.framework.language.errors import AskedError
from daynight.framework.language.grammar import first_of
from daynight.framework.language.wording import _
from daynight.keeping.files import written
from daynight.speaker import Speaker


@click.command(
    "diff",
    epilog="\b\ndaynight diff friday.jsonl saturday.jsonl\ndaynight diff friday.jsonl friday.jsonl --at 2",
)
@click.argument("left", metavar="FILE")
@click.argument("right", metavar="OTHER")
@options.a_position("--at", help="The position in FILE; by default its last event.")
@options.a_position("--and", "other", help="The position in OTHER; by default its last event.")
@asking.answering
@to_its_end
def diff(mechanic: Mechanic, left: str, right: str, at: Any, other: Any, as_json: bool) -> int:
    """Print the parts in which two records, or two moments, differ; exit code 1 if any does."""
    found = loaded(mechanic, left).differences(loaded(mechanic, right), at, other)
    if as_json:
        print_json({"differences": Speaker(mechanic).differences_document(found)})
    else:
        _tell_differences(Speaker(mechanic), found)
    return 1 if found else 0


def _tell_differences(say: Speaker, found: Sequence[Any]) -> None:
    for one in found:
        tell(say.difference(one))
    if not found:
        tell(_("nothing differs"))


def _tell_impossible(branch: Branch[Any]) -> None:
    for one in branch.left_out:
        told = _("left out: event {event}, impossible on the branch: {reason}")
        tell(told.format(event=one.number, reason=one.reason))
    if (end := branch.stopped) is not None:
        told = _("the replay ends before event {event}, impossible on the branch: {reason}")
        tell(told.format(event=end.number, reason=end.reason))
        tell(_("--leave-out goes on without it"))


def _edits(inserts: Sequence[str], drops: Sequence[str], replaces: Sequence[str]) -> list[Edit]:
    edits = []
    for make, texts in ((insert, inserts), (replace, replaces)):
        for text in texts:
            place, colon, event = text.partition(": ")
            if not colon:
                sentence = _("{text}: expected a position, a colon and an event, as in {example}")
                raise AskedError(sentence.format(text=repr(text), example='e10: {"type": ...}'))
            edits.append(make(place, event))
    for text in drops:
        first, dots, last = text.partition("..")
        edits.append(drop(first, last if dots else None))
    return edits


@click.command(
    "what-if",
    epilog="\b\ndaynight what-if friday.jsonl --drop 3\ndaynight what-if friday.jsonl --drop 3 -o branch.jsonl\n"
    "daynight what-if db:friday --drop 3 --name b2 --keep",
)
@asking.record
@click.option(
    "--insert",
    "inserts",
    metavar="POSITION: EVENT",
    multiple=True,
    help="Insert EVENT, which is JSON, after the event at POSITION.",
)
@click.option("--drop", "drops", metavar="POSITION", multiple=True, help="Leave an event out: e12, or e12..e14.")
@click.option(
    "--replace",
    "replaces",
    metavar="POSITION: EVENT",
    multiple=True,
    help="Put EVENT, which is JSON, in place of the event at POSITION.",
)
@click.option(
    "--leave-out", is_flag=True, help="Leave out the events that became impossible, instead of stopping there."
)
@click.option("--name", "called", default="branch", metavar="NAME", help="The name of the branch; by default branch.")
@click.option(
    "--keep", "kept", is_flag=True, help="Keep the branch in the store; --at branch:NAME/e18 is then a position on it."
)
@options.key
@options.output
@asking.answering
@to_its_end
def what_if(
    mechanic: Mechanic,
    name: str,
    inserts: tuple[str, ...],
    drops: tuple[str, ...],
    replaces: tuple[str, ...],
    leave_out: bool,
    called: str,
    kept: bool,
    key: Path | None,
    output: Path | None,
    as_json: bool,
) -> int:
    """Change some events of a record, replay the rest, and print what differs; exit code 1 if anything does."""
    there = keepable(stored_game(name), called, key) if kept else None
    game = loaded(mechanic, name)
    branch = game.branch(*_edits(inserts, drops, replaces), name=called, leave_out=leave_out)
    if output is not None:
        with written(output) as stream:
            write(branch.events, stream)
    line = None if there is None else keep(there, branch)
    say = Speaker(mechanic)
    document = say.branch_document(branch)
    if as_json:
        print_json(document)
    else:
        _tell_impossible(branch)
        _tell_differences(say, game.differences(branch.game))
        if branch.by_today:
            events = first_of([f"e{event}" for event in branch.by_today], _LISTED)
            told = _("checked by the rules of today, for those of their place are not known: {events}")
            tell(told.format(events=events))
        if line is not None:
            tell(line)
    return 1 if document["impossible"] or document["differences"] else 0


@click.command("bisect", epilog="\b\ndaynight bisect friday.jsonl\ndaynight bisect friday.jsonl --run ./engine-agrees")
@asking.record
@click.argument("part", required=False)
@click.argument("subject", required=False)
@click.argument("value", required=False)
@click.option("--subject", "of", metavar="NAME", help="The SUBJECT, if the arguments are only PART VALUE.")
@run
@asking.answering
@to_its_end
def bisect(
    mechanic: Mechanic,
    name: str,
    part: str | None,
    subject: str | None,
    value: str | None,
    of: str | None,
    test: str | None,
    as_json: bool,
) -> int:
    """Find the first event with a wrong claim, or after which a PART has a VALUE; exit code 1 if found.

    Without a PART, bisect finds the first claim or ruling that disagrees with the rules, and says which later ones
    disagree. Otherwise give PART VALUE or, if each SUBJECT has a value of its own, PART SUBJECT VALUE.

    With --run, bisect finds the first event that your test finds bad. It tests only some beginnings of the record, and
    assumes that everything after a bad event is bad too.
    """
    if part is not None and test is not None:
        raise click.UsageError(_("--run: give a test or a part, not both"))
    game = loaded(mechanic, name)
    if test is not None:
        found = _by_test(game, test)
    elif part is None:
        found = _by_audit(game)
    else:
        found = _by_value(game, part, *_meant(part, subject, value, of))
    if as_json:
        print_json(found.document)
    for line in () if as_json else found.lines:
        tell(line)
    return 0 if found.document["bad"] is None else 1


def _meant(part: str, subject: str | None, value: str | None, of: str | None) -> tuple[str | None, str]:
    """Return subject (or None) and value of `PART SUBJECT VALUE`, `PART VALUE` or `PART VALUE --subject NAME`.

    In the last two, click gives the VALUE to `subject`.

    Raises:
        UsageError: where the subject is given twice.
        AskedError: where no value is given.
    """
    if of is not None and value is not None:
        raise click.UsageError(_("--subject: {subject} is given before the value, too").format(subject=repr(subject)))
    if subject is None:
        raise AskedError(_("{part}: which value? Give it after the part").format(part=part))
    return (of, subject) if value is None else (subject, value)


class _Found(NamedTuple):
    """The result of a bisection, as JSON (`bad`: the number of the event that was found, or None) and in words."""

    document: dict[str, Any]
    lines: list[str]


def _by_test(game: Game, command: str) -> _Found:
    found = by_test([encode(event) for event in game.events], command)
    more = [] if found.bad is None else [_event(game, found.bad), reserve()]
    return _Found(tested_document(found), [tested(found), *more])


def _by_audit(game: Game) -> _Found:
    say, found = Speaker(game.mechanic), parted(game.audited(), spoken(game))
    undone = ["~ " + say.finding(finding) + " " + _("[undone]") for finding in found.undone]
    if found.first is None:
        lines = [_("no event"), *undone]
    else:
        lines = [_event(game, found.first.event), *undone, say.finding(found.first), onwards(found)]
    return _Found(found.document(say.finding_document), lines)


def _by_value(game: Game, part: str, subject: str | None, value: str) -> _Found:
    say = Speaker(game.mechanic)
    first, values = _first(game, say, part, subject, value)
    if first is not None:
        return _Found({"bad": first}, [_event(game, first)])
    none = _("{part} is never {value} in this record; it is: {known}")
    none = none.format(part=say.named(part, subject), value=value, known=first_of(values, _LISTED))
    return _Found({"bad": None}, [none])


def _event(game: Game, number: int) -> str:
    return f"{number:>5}  {game.mechanic.words.event(game.events[number - 1])}"


def _first(game: Game, say: Speaker, part: str, subject: str | None, value: str) -> tuple[int | None, list[str]]:
    """Return a pair: the first event after which a part may have `value`, and the values that it may have before that.

    The event is None if the part never has the value.
    """
    there = dict[str, None]()
    one = game.mechanic.named(part)
    for number in range(1, len(game) + 1):
        state = game.whole(number)
        found = one.of(state, one.meant(state, subject))
        values = [] if found is None else say.values(part, subject, found)
        if value in values:
            return number, [*there]
        there |= dict.fromkeys(values)
    if not there:
        game.part(part, subject)
    return None, [*there]


_LISTED = 12
"""The most values, or events, that a sentence lists."""
