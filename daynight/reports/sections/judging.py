"""Collects what judges did: rulings, compared with the rules, and back-ups; and what the record leaves open."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Literal, TypeAlias

from daynight.events import GameBackedUp, GameJoined, JudgeRuled, OfTheRecord, SpellsUncertain
from daynight.framework.language.codec import document_of
from daynight.game import Game
from daynight.projections.audit.findings import Audit
from daynight.projections.transcript import Line
from daynight.questions.proceedings import Dispute
from daynight.questions.unknowns import MOST, Unknowns, unknowns
from daynight.referee.documents import offered, policy
from daynight.reports.sections.course import Stretch

Agreement: TypeAlias = Literal["agrees", "differs", "open", "silent", "backs-up"]
"""Whether the rules agree with a ruling; `open`: uncertain; `silent`: no designation; `backs-up`: it is a back-up."""

OPEN = 10
"""The most uncertain stretches that are examined."""

WORK = 400_000
"""The most events that are replayed to find what would settle these stretches."""

_FACTS = 3
"""The most answers that an uncertain event has."""


@dataclass(frozen=True, slots=True)
class JudgedAct:
    """A ruling or a back-up, and whether the rules agree; `dispute` is the id of its dispute, None outside disputes."""

    line: Line
    by: str
    agreement: Agreement
    dispute: str | None = None

    @property
    def event(self) -> int:
        """The number of its event."""
        return self.line.number

    def document(self) -> dict[str, Any]:
        """Return the act as JSON."""
        names = "event by agreement sentence undone dispute"
        return document_of(self, names, sentence=self.line.sentence, undone=self.line.undone)


@dataclass(frozen=True, slots=True)
class UndoneEvents:
    """Events `first` to `last`, which the back-up at event `by` undid."""

    first: int
    last: int
    by: int


@dataclass(frozen=True, slots=True)
class Open:
    """A stretch in which several designations were possible; `unknowns` is None if trying would take too long."""

    stretch: Stretch
    unknowns: Unknowns | None

    def document(self) -> dict[str, Any]:
        """Return the stretch as JSON, with the tournament's policy if that applies."""
        document = document_of(self.stretch, "first last possible unknowns", unknowns=self.unknowns)
        return document | ({"policy": policy()} if offered(self.stretch.possible) else {})


def acts(game: Game, audit: Audit, called: Sequence[Dispute], lines: Sequence[Line]) -> tuple[JudgedAct, ...]:
    """Return every ruling and every back-up of a record, and every ruling of the disputes `called`, in order."""
    differ = {finding.event for finding in audit.findings}
    left_open = {finding.event for finding in audit.unsettled}
    found: list[JudgedAct] = []
    for number, event in enumerate(game.events, 1):
        agreement: Agreement = "agrees"
        if isinstance(event, GameBackedUp):
            agreement = "backs-up"
        elif not isinstance(event, JudgeRuled):
            continue
        elif number in differ:
            agreement = "differs"
        elif number in left_open:
            agreement = "open"
        found.append(JudgedAct(lines[number - 1], event.by, agreement))
    found += [act for dispute in called for act in _ruled(dispute, lines)]
    return tuple(sorted(found, key=lambda act: act.event))


def _ruled(dispute: Dispute, lines: Sequence[Line]) -> Iterator[JudgedAct]:
    for ruling in dispute.rulings:
        agreement: Agreement = "silent"
        if not ruling.silent:
            agreement = "open" if ruling.right is None else "agrees" if ruling.right else "differs"
        yield JudgedAct(lines[ruling.event - 1], ruling.by, agreement, dispute.dispute)


def undone(game: Game) -> tuple[UndoneEvents, ...]:
    """Return the undone stretches. An event is in one of them: that of the first back-up that undid it.

    Events of disputes belong to the record and are never undone; a stretch ends before one.

    >>> undone(Game.load("demo"))
    ()
    """
    found: list[UndoneEvents] = []
    standing: list[int] = []
    for number, event in enumerate(game.events, 1):
        if isinstance(event, GameBackedUp):
            taken: list[int] = []
            while standing and standing[-1] > event.to:
                taken.append(standing.pop())
            found += [UndoneEvents(first, last, number) for first, last in _stretches(taken[::-1])]
        if not isinstance(event, OfTheRecord):
            standing.append(number)
    return tuple(found)


def _stretches(numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield the first and the last number of each run of consecutive numbers."""
    for _gap, run in groupby(enumerate(numbers), lambda one: one[1] - one[0]):
        several = [number for _place, number in run]
        yield several[0], several[-1]


def opened(game: Game, stretches: Sequence[Stretch]) -> tuple[Open, ...]:
    """Return at most OPEN uncertain stretches, each with what would settle it at its first event."""
    doubtful = [
        number for number, event in enumerate(game.events, 1) if isinstance(event, (SpellsUncertain, GameJoined))
    ]
    found: list[Open] = []
    left = WORK
    for stretch in stretches[:OPEN]:
        before = [number for number in doubtful if number <= stretch.first][-MOST:]
        left -= sum(stretch.first - number + 1 for number in before) * _FACTS
        found.append(Open(stretch, unknowns(game, stretch.first) if left >= 0 else None))
    return tuple(found)
