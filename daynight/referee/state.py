"""The state of a game after an event: the data that rules read, and the changes and triggers so far."""

from __future__ import annotations

from collections.abc import Container
from typing import Any, TypeAlias

from daynight.events import Consequence, Event
from daynight.events.terms import Designation, Face, Step
from daynight.framework.language.errors import ImpossibleError
from daynight.framework.language.grammar import commas
from daynight.framework.language.wording import _
from daynight.framework.recorded import Recorded
from daynight.projections.battlefield import Battlefield, Status
from daynight.projections.tallies import EVERY_TURN, Tallies
from daynight.projections.timeline import Timeline
from daynight.referee.worlds.possibilities import Possibility
from daynight.referee.worlds.triggers import Triggers

Line: TypeAlias = tuple[Possibility, ...]
"""The possibilities of a game: with the rulings, or by the rules alone."""

_IN_ORDER = tuple(Designation)

_OWN = frozenset({"battlefield", "tallies", "timeline", "triggers"})
"""The attributes of a state that change in place, so a copy needs copies of them."""

SHOWN = 50
"""The most permanents that a refusal lists."""


class State:
    """A game after event number `event`.

    `possibilities` is the game with all rulings applied. `unruled` is the game by the rules alone, as if no ruling had
    been made since the last back-up; None if there was no ruling. `began` is the event at which the game, or the
    restarted one, began; `joined` tells whether the record starts in the middle of the game. `due`: this turn's untap
    step is not recorded and not skipped, and no event shows yet that it is over. `casters` are the players who may cast
    now: nobody before the first turn and after the end. Players who left stay in `players` (and `known`), but not in
    `present`.
    """

    __slots__ = (
        "active",
        "battlefield",
        "began",
        "casters",
        "due",
        "edition",
        "event",
        "game",
        "joined",
        "known",
        "over",
        "players",
        "possibilities",
        "present",
        "step",
        "tallies",
        "teams",
        "timeline",
        "triggers",
        "turn",
        "unruled",
    )

    def __init__(self, keep: Container[int] = EVERY_TURN, *, remember: bool = True) -> None:
        self.event = 0
        self.game = ""
        self.edition: str | None = None
        self.players: tuple[str, ...] = ()
        self.known: frozenset[str] = frozenset()
        self.teams: tuple[tuple[str, ...], ...] | None = None
        self.present: frozenset[str] = frozenset()
        self.joined = False
        self.timeline = Timeline(remember)
        self.triggers = Triggers(remember)
        self.renew(keep, began=1)

    def renew(self, keep: Container[int], began: int) -> None:
        """Reset for a game that begins at event `began`: neither, no permanents, turn 0.

        The tallies of the turns whose numbers are in `keep` are kept, besides the present and the previous one.
        """
        self.began = began
        self.turn = 0
        self.active: tuple[str, ...] = ()
        self.step: Step | None = None
        self.due = False
        self.over = False
        self.casters: frozenset[str] = frozenset()
        self.tallies = Tallies(keep)
        self.battlefield = Battlefield()
        self.possibilities: tuple[Possibility, ...] = (Possibility(),)
        self.unruled: tuple[Possibility, ...] | None = None

    @property
    def possible(self) -> tuple[Designation, ...]:
        """The designations that are possible, in the order neither, day, night."""
        return possible_in(self.possibilities)

    @property
    def designation(self) -> Designation | None:
        """The designation, or None where more than one is possible."""
        possible = self.possible
        return possible[0] if len(possible) == 1 else None

    def face(self, id: str) -> Face | None:
        """Return the face of a permanent that is up; None if that is not certain."""
        faces = {possibility.face(id) for possibility in self.possibilities}
        return faces.pop() if len(faces) == 1 else None

    def permanent(self, id: str, path: str) -> Status:
        """Return the permanent with this id.

        Raises:
            ImpossibleError: where no permanent has that id; `path` is the id's path in the event.
        """
        status = self.battlefield.get(id)
        if status is None:
            known = commas([status.id for status in self.battlefield][:SHOWN]) or _("none")
            sentence = _("no permanent {id} on the battlefield; there: {known}")
            raise ImpossibleError(sentence.format(id=repr(id), known=known), path=path)
        return status

    def _facts(self) -> tuple[Any, ...]:
        """Return everything by which two states are compared: what later events read, and the changes and triggers."""
        tallies = [
            tally and (tally.turn, tally.active, tally.spells, tally.doubts, tally.unknown)
            for tally in (self.tallies.previous, self.tallies.current)
        ]
        plain = [getattr(self, name) for name in self.__slots__ if name not in _OWN]
        board = self.battlefield.permanents, self.battlefield.forbidden
        return *plain, tallies, board, self.timeline.changes, self.triggers.triggered, self.triggers.waiting

    def __eq__(self, other: object) -> bool:
        return self._facts() == other._facts() if isinstance(other, State) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # it changes

    def __repr__(self) -> str:
        turn = f"turn {self.turn} of {', '.join(self.active)}" if self.turn else "before turn 1"
        step = f", {self.step}" if self.step else ""
        possible = " or ".join(self.possible)
        return f"<State after event {self.event}: {possible}; {turn}{step}; {len(self.battlefield)} permanents>"

    def copy(self) -> State:
        """Return an independent copy: later events change only one of the two."""
        other = State.__new__(State)
        # One assignment for each attribute: an audit copies a state for each finding, and a loop takes twice as long.
        other.game, other.event, other.edition, other.joined = self.game, self.event, self.edition, self.joined
        other.players, other.known, other.teams, other.present = self.players, self.known, self.teams, self.present
        other.began, other.turn, other.active, other.step = self.began, self.turn, self.active, self.step
        other.due, other.over, other.casters = self.due, self.over, self.casters
        other.possibilities, other.unruled = self.possibilities, self.unruled
        other.tallies = self.tallies.copy()
        other.battlefield = self.battlefield.copy()
        other.timeline = self.timeline.copy()
        other.triggers = self.triggers.copy()
        return other


PlayedRecord: TypeAlias = Recorded[State, Event, Consequence]
"""A record of day and night in memory, such as a `Game`. Functions that only read a game take this type."""


def own_line(state: State) -> Line:
    """Return the possibilities by the rules alone, as if no ruling had been made since the last back-up."""
    return state.possibilities if state.unruled is None else state.unruled


def possible_in(line: Line) -> tuple[Designation, ...]:
    """The designations that are possible in a line, in the order neither, day, night."""
    if len(line) == 1:
        return (line[0].designation,)
    there = {possibility.designation for possibility in line}
    return tuple([designation for designation in _IN_ORDER if designation in there])
