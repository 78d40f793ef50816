"""What judges did: rulings beside the rules, the stretches that backing up took back, and what all was open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from daynight.audit import Audit
from daynight.documents import policy
from daynight.events.actions import GameJoined, SpellsUncertain
from daynight.events.rulings import GameBackedUp, JudgeRuled
from daynight.game import Game
from daynight.projections.transcript import Line
from daynight.reports.course import Stretch
from daynight.unknowns import MOST, Unknowns, unknowns

__all__ = ["OPEN", "WORK", "Act", "Agreement", "Open", "Undone", "acts", "opened", "undone"]

Agreement: TypeAlias = Literal["agrees", "differs", "open", "backs-up"]
"""What the rules say of an act: of a ruling whether they agree, of a back-up nothing."""

OPEN = 10
"""How many uncertain stretches are looked into."""

WORK = 400_000
"""How many events may be replayed to find out what would settle them."""

_FACTS = 3
"""How many answers an unknown has at the most."""


@dataclass(frozen=True, slots=True)
class Act:
    """A ruling or a back-up, told, with what the rules say of it."""

    event: int
    by: str
    agreement: Agreement
    sentence: str
    undone: bool

    def document(self) -> dict[str, Any]:
        """The act as JSON."""
        return {
            "event": self.event,
            "by": self.by,
            "agreement": self.agreement,
            "sentence": self.sentence,
            "undone": self.undone,
        }


@dataclass(frozen=True, slots=True)
class Undone:
    """Events from `first` to `last` that the back-up at event `by` took back."""

    first: int
    last: int
    by: int

    def document(self) -> dict[str, int]:
        """The stretch as JSON."""
        return {"first": self.first, "last": self.last, "by": self.by}


@dataclass(frozen=True, slots=True)
class Open:
    """A stretch in which more than one designation was possible; `unknowns` is None where it was too long to try."""

    stretch: Stretch
    unknowns: Unknowns | None

    def document(self) -> dict[str, Any]:
        """The stretch as JSON, with the tournament's answer as policy."""
        return {
            "first": self.stretch.first,
            "last": self.stretch.last,
            "possible": [designation.value for designation in self.stretch.possible],
            "unknowns": None if self.unknowns is None else self.unknowns.document(),
            "policy": policy(),
        }


def acts(game: Game, audit: Audit, lines: Sequence[Line]) -> tuple[Act, ...]:
    """Every ruling and every back-up of a record, in order."""
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
        line = lines[number - 1]
        found.append(Act(number, event.by, agreement, line.sentence, line.undone))
    return tuple(found)


def undone(game: Game) -> tuple[Undone, ...]:
    """The stretches that were taken back, each named once: by the first back-up that reached it.

    >>> undone(Game.load("demo"))
    ()
    """
    found: list[Undone] = []
    for number, event in enumerate(game.events, 1):
        if isinstance(event, GameBackedUp) and event.to + 1 < number:
            found.append(Undone(event.to + 1, number - 1, number))
    return tuple(found)


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
