"""Possibilities side by side: the rules are asked in each, and those that came to agree are one again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from msgspec.structs import replace

from daynight.events.consequences import Changed, Consequence, Transformed, Triggered
from daynight.events.errors import ImpossibleError
from daynight.events.terms import Designation
from daynight.events.wording import _
from daynight.projections.possibilities import ANY, Possibility
from daynight.rules.resting import gains_designation, turns_over
from daynight.rules.triggering import triggered
from daynight.state import State

__all__ = ["MOST", "Act", "Course", "settle", "unassumed"]

MOST = 4096
"""How many possibilities a record may leave open at a time."""

APART = 8
"""Up to how many possibilities are told apart by all that ever transformed in them."""

CAUSES = 4
"""How many of the changes that may have brought about a designation are told where possibilities came to agree."""


_NEITHER = Designation.NEITHER


class Course:
    """One possibility on its way through an event, with what has followed so far."""

    __slots__ = ("_event", "_in_untap_step", "_state", "consequences", "possibility")

    def __init__(self, possibility: Possibility, state: State, event: int, in_untap_step: bool) -> None:
        self.possibility = possibility
        self.consequences: list[Consequence] = []
        self._state = state
        self._event = event
        self._in_untap_step = in_untap_step

    def follows(self, consequence: Consequence | None) -> None:
        """Take in a consequence; None is none."""
        if consequence is not None:
            self.possibility = self.possibility.fold(consequence)
            self.consequences.append(consequence)

    def becomes(self, change: Changed | None) -> None:
        """Take in a change of the designation, the transformations that come with it, and what it triggers.

        That leaves everything at rest, unless what turned over held others.
        """
        if change is None:
            return
        battlefield, consequences = self._state.battlefield, self.consequences
        possibility = self.possibility.fold(change)
        consequences.append(change)
        transformed = turns_over(possibility, battlefield, event=self._event, as_it_becomes=True)
        if transformed is not None:
            possibility = possibility.fold(transformed)
            consequences.append(transformed)
        self.possibility = possibility
        if battlefield.watching:
            consequences += triggered(change, battlefield, possibility.backs, in_untap_step=self._in_untap_step)
        if battlefield.holding:
            self.rests()

    def rests(self) -> None:
        """Everything that happens at once, until nothing more does."""
        state, event = self._state, self._event
        if self.possibility.designation is _NEITHER:
            # Where that makes it day or night, everything is at rest; where not, neither turns nothing over.
            self.becomes(gains_designation(self.possibility, state.battlefield, event=event, turn=state.turn))
            return
        while transformed := turns_over(self.possibility, state.battlefield, event=event, as_it_becomes=False):
            self.follows(transformed)

    def assumes(self, casts: int) -> None:
        """Take in what a check found of the previous turn."""
        self.possibility = self.possibility.assuming(casts)

    def fork(self) -> Course:
        """The same course, apart."""
        other = Course(self.possibility, self._state, self._event, self._in_untap_step)
        other.consequences = list(self.consequences)
        return other


Act: TypeAlias = Callable[[Course], Sequence[Course]]
"""What an event sets off in one possibility; several courses where it may go several ways."""


def settle(state: State, act: Act, event: int, *, in_untap_step: bool = False) -> tuple[Consequence, ...]:
    """Ask the rules in every possibility, of the game as ruled and of the rules' own line; answer what followed.

    What followed in only some of the possibilities is not certain.

    Raises:
        ImpossibleError: where more than MOST possibilities would be open.
    """
    courses = _run(state, state.possibilities, act, event, in_untap_step)
    if len(courses) == 1:
        (course,) = courses
        state.possibilities = (course.possibility,)
        found = tuple(course.consequences)
    else:
        state.possibilities = merged([course.possibility for course in courses], _turn_began(state))
        found = _together(courses)
    if state.unruled is not None:
        courses = _run(state, state.unruled, act, event, in_untap_step)
        state.unruled = merged([course.possibility for course in courses], _turn_began(state))
    for consequence in found:
        if isinstance(consequence, Changed):
            state.timeline.fold(consequence)
        elif isinstance(consequence, Triggered):
            state.triggers.fold(consequence)
    return found


def _run(
    state: State, possibilities: tuple[Possibility, ...], act: Act, event: int, in_untap_step: bool
) -> Sequence[Course]:
    if len(possibilities) == 1:
        return act(Course(possibilities[0], state, event, in_untap_step))
    courses: list[Course] = []
    for possibility in possibilities:
        courses += act(Course(possibility, state, event, in_untap_step))
    return courses


def _turn_began(state: State) -> int:
    current = state.tallies.current
    return state.began if current is None else current.began


def merged(possibilities: Sequence[Possibility], since: int) -> tuple[Possibility, ...]:
    """The possibilities without those that the rules could not tell apart from now on.

    They can tell apart designations, faces, what was assumed of the previous turn, and, for abilities on the stack,
    when a permanent transformed. Where more than APART are left by that, only what transformed in this turn, which
    began at event `since`, is told apart: an ability put on the stack earlier has long resolved.

    Raises:
        ImpossibleError: where more than MOST are left.
    """
    if len(possibilities) == 1:
        return tuple(possibilities)
    kept = _merged(possibilities, 0)
    if len(kept) > APART:
        kept = _merged(kept, since)
    if len(kept) > MOST:
        raise ImpossibleError(
            _("the record leaves more than {most} possibilities open; record more of what is known").format(most=MOST)
        )
    return kept


def _merged(possibilities: Sequence[Possibility], since: int) -> tuple[Possibility, ...]:
    apart = {(possibility.designation, possibility.backs, possibility.casts) for possibility in possibilities}
    if len(apart) == len(possibilities):
        return tuple(possibilities)
    kept: dict[object, Possibility] = {}
    for possibility in possibilities:
        transformed = frozenset(
            [
                (id, how.event)
                for id, how in possibility.turned.items()
                if isinstance(how, Transformed) and how.event >= since
            ]
        )
        key = (possibility.designation, possibility.backs, possibility.casts, transformed)
        if (same := kept.get(key)) is None:
            kept[key] = possibility
            continue
        causes = dict.fromkeys((*same.causes, *possibility.causes))
        in_order = sorted(causes, key=lambda change: change.event if change is not None else 0)
        kept[key] = replace(same, causes=tuple(in_order[:CAUSES]))
    return tuple(kept.values())


def unassumed(possibilities: tuple[Possibility, ...], since: int) -> tuple[Possibility, ...]:
    """The possibilities when a turn begins at event `since`: what was assumed of the turn before no longer matters."""
    if len(possibilities) <= APART and all([possibility.casts == ANY for possibility in possibilities]):
        return possibilities
    return merged([possibility.assuming(ANY) for possibility in possibilities], since)


def _together(courses: Sequence[Course]) -> tuple[Consequence, ...]:
    times: dict[Consequence, int] = {}
    for course in courses:
        for consequence in dict.fromkeys(course.consequences):
            times[consequence] = times.get(consequence, 0) + 1
    return tuple(
        consequence if number == len(courses) else replace(consequence, certain=False)
        for consequence, number in times.items()
    )
