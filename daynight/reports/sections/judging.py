"""What judges did: rulings beside the rules, the stretches that backing up took back, and what all was open."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from daynight.audit.findings import Audit
from daynight.events import GameBackedUp, GameJoined, JudgeRuled, OfTheRecord, SpellsUncertain
from daynight.framework.language.codec import document_of
from daynight.game import Game
from daynight.projections.transcript import Line
from daynight.questions.proceedings import Dispute
from daynight.questions.unknowns import MOST, Unknowns, unknowns
from daynight.referee.documents import offered, policy
from daynight.reports.sections.course import Stretch

Agreement: TypeAlias = Literal["agrees", "differs", "open", "silent", "backs-up"]
"""What the rules say of an act: of a ruling whether they agree; nothing of a back-up, nor where a ruling is silent."""

OPEN = 10
"""How many uncertain stretches are looked into."""

WORK = 400_000
"""How many events may be replayed to find out what would settle them."""

_FACTS = 3
"""How many answers an unknown has at the most."""


@dataclass(frozen=True, slots=True)
class Act:
    """A ruling or a back-up, with what the rules say of it; `dispute` is the one that it was ruled in."""

    line: Line
    by: str
    agreement: Agreement
    dispute: str | None = None

    @property
    def event(self) -> int:
        """Its number."""
        return self.line.number

    def document(self) -> dict[str, Any]:
        """The act as JSON."""
        names = "event by agreement sentence undone dispute"
        return document_of(self, names, sentence=self.line.sentence, undone=self.line.undone)


@dataclass(frozen=True, slots=True)
class Undone:
    """Events from `first` to `last`, all of which the back-up at event `by` took back."""

    first: int
    last: int
    by: int


@dataclass(frozen=True, slots=True)
class Open:
    """A stretch in which more than one designation was possible; `unknowns` is None where it was too long to try."""

    stretch: Stretch
    unknowns: Unknowns | None

    def document(self) -> dict[str, Any]:
        """The stretch as JSON, with the tournament's answer as policy where night is possible."""
        document = document_of(self.stretch, "first last possible unknowns", unknowns=self.unknowns)
        return document | ({"policy": policy()} if offered(self.stretch.possible) else {})


def acts(game: Game, audit: Audit, called: Sequence[Dispute], lines: Sequence[Line]) -> tuple[Act, ...]:
    """Every ruling and every back-up of a record, those ruled in the disputes that were `called` too, in order."""
    differ = {finding.event for finding in audit.findings}
    left_open = {finding.event for finding in audit.unsettled}
    found: list[Act] = []
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
        found.append(Act(lines[number - 1], event.by, agreement))
    found += [act for dispute in called for act in _ruled(dispute, lines)]
    return tuple(sorted(found, key=lambda act: act.event))


def _ruled(dispute: Dispute, lines: Sequence[Line]) -> Iterator[Act]:
    for ruling in dispute.rulings:
        agreement: Agreement = "silent"
        if not ruling.silent:
            agreement = "open" if ruling.right is None else "agrees" if ruling.right else "differs"
        yield Act(lines[ruling.event - 1], ruling.by, agreement, dispute.dispute)


def undone(game: Game) -> tuple[Undone, ...]:
    """The stretches that were taken back, each event in one of them: that of the first back-up that reached it.

    What belongs to a dispute is of the record, and never taken back: a stretch ends before it.

    >>> undone(Game.load("demo"))
    ()
    """
    found: list[Undone] = []
    standing: list[int] = []
    for number, event in enumerate(game.events, 1):
        if isinstance(event, GameBackedUp):
            taken: list[int] = []
            while standing and standing[-1] > event.to:
                taken.append(standing.pop())
            found += [Undone(first, last, number) for first, last in _stretches(taken[::-1])]
        if not isinstance(event, OfTheRecord):
            standing.append(number)
    return tuple(found)


def _stretches(numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The first and the last of all numbers that follow each other."""
    first = 0
    for number, after in zip(numbers, (*numbers[1:], 0), strict=False):
        first = first or number
        if after != number + 1:
            yield first, number
            first = 0


def opened(game: Game, stretches: Sequence[Stretch]) -> tuple[Open, ...]:
    """The first uncertain stretches, with what would settle each where it began."""
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
