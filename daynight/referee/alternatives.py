"""Applies the rules in every possibility, and merges possibilities that no rule can tell apart any more."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import TypeAlias

from msgspec.structs import replace

from daynight.events import Changed, Consequence, Designation, Transformed, Triggered
from daynight.framework.language.errors import ImpossibleError
from daynight.framework.language.wording import _
from daynight.referee.state import State
from daynight.referee.worlds.possibilities import ANY, Possibility
from daynight.rules.resting import gains_designation, turns_over
from daynight.rules.triggering import triggered

MOST = 4096
"""The most possibilities that a record may leave open at a time."""

APART = 8
"""Above this number, possibilities that differ only by when a permanent transformed in an earlier turn are merged."""

CAUSES = 5
"""The most causes that a merged possibility keeps."""


_NEITHER = Designation.NEITHER


class Alternative:
    """One possibility while an event is applied to it, with the consequences so far.

    `waits`: triggers wait until a player would receive priority, as in the untap step. `implied`: the consequences come
    from an untap step that the record leaves out.
    """

    __slots__ = ("_event", "_state", "consequences", "implied", "possibility", "waits")

    def __init__(self, possibility: Possibility, state: State, event: int) -> None:
        self.possibility = possibility
        self.consequences: list[Consequence] = []
        self.waits = False
        self.implied = False
        self._state = state
        self._event = event

    def follows(self, consequence: Consequence | None) -> None:
        """Add a consequence and apply it to the possibility. None is ignored."""
        if consequence is not None:
            if self.implied:
                consequence = replace(consequence, implied=True)
            self.possibility = self.possibility.fold(consequence)
            self.consequences.append(consequence)

    def becomes(self, change: Changed | None) -> None:
        """Add a change of the designation, the transformations that come with it, and its triggers. None is ignored.

        If a permanent that keeps others from transforming, or it from becoming night, is on the battlefield, the change
        may have turned that permanent over; so the continuous rules are then applied again.
        """
        if change is None:
            return
        battlefield = self._state.battlefield
        self.follows(change)
        self.follows(turns_over(self.possibility, battlefield, event=self._event, as_it_becomes=True))
        if battlefield.watching:
            for trigger in triggered(change, battlefield, self.possibility.backs, waits=self.waits):
                self.follows(trigger)
        if battlefield.holding:
            self.rests()

    def rests(self) -> None:
        """Apply the continuous rules until they change nothing more."""
        state, event = self._state, self._event
        if self.possibility.designation is _NEITHER:
            # If it became day or night, `becomes` turned everything over; if it is still neither, nothing turns over.
            self.becomes(gains_designation(self.possibility, state.battlefield, event=event, turn=state.turn))
            return
        while transformed := turns_over(self.possibility, state.battlefield, event=event, as_it_becomes=False):
            self.follows(transformed)

    def fork(self) -> Alternative:
        """Return an independent copy."""
        other = Alternative(self.possibility, self._state, self._event)
        other.waits, other.implied = self.waits, self.implied
        other.consequences = list(self.consequences)
        return other


Act: TypeAlias = Callable[[Alternative], Sequence[Alternative]]
"""Applies an event to one possibility; returns several possibilities if there are several outcomes."""


def settle(state: State, act: Act, event: int) -> tuple[Consequence, ...]:
    """Apply `act` to each possibility of the state, with and without rulings; return the consequences with rulings.

    The state gets the resulting possibilities. A consequence of only some possibilities is marked as not certain.

    Raises:
        ImpossibleError: where more than MOST possibilities would be open.
    """
    courses = _run(state, state.possibilities, act, event)
    if len(courses) == 1:
        (course,) = courses
        state.possibilities = (course.possibility,)
        found = tuple(course.consequences)
    else:
        state.possibilities = merged([course.possibility for course in courses], _turn_began(state))
        found = _together(courses)
    if state.unruled is not None:
        courses = _run(state, state.unruled, act, event)
        state.unruled = merged([course.possibility for course in courses], _turn_began(state))
    for consequence in found:
        if isinstance(consequence, Changed):
            state.timeline.fold(consequence)
        elif isinstance(consequence, Triggered):
            state.triggers.fold(consequence)
    return found


def _run(state: State, possibilities: tuple[Possibility, ...], act: Act, event: int) -> Sequence[Alternative]:
    if len(possibilities) == 1:
        return act(Alternative(possibilities[0], state, event))
    courses: list[Alternative] = []
    for possibility in possibilities:
        courses += act(Alternative(possibility, state, event))
    return courses


def _turn_began(state: State) -> int:
    current = state.tallies.current
    return state.began if current is None else current.began


def merged(possibilities: Sequence[Possibility], since: int) -> tuple[Possibility, ...]:
    """Merge the possibilities that no rule can tell apart from now on.

    Rules read designations, faces, assumptions about the previous turn, and, for abilities on the stack, when a
    permanent transformed. If more than APART are left, only transformations of this turn, which began at event `since`,
    count: an ability put on the stack earlier has resolved long ago.

    Raises:
        ImpossibleError: where more than MOST are left.
    """
    if len(possibilities) == 1:
        return tuple(possibilities)
    kept = _merged(possibilities, 0)
    if len(kept) > APART:
        kept = _merged(kept, since)
    if len(kept) > MOST:
        sentence = _("the record leaves more than {most} possibilities open; record more of what is known")
        raise ImpossibleError(sentence.format(most=MOST))
    return kept


def _merged(possibilities: Sequence[Possibility], since: int) -> tuple[Possibility, ...]:
    apart = {(possibility.designation, possibility.backs, possibility.casts) for possibility in possibilities}
    if len(apart) == len(possibilities):
        return tuple(possibilities)
    kept: dict[object, Possibility] = {}
    for possibility in possibilities:
        turned = possibility.turned.items()
        transformed = frozenset(
            [(id, how.event) for id, how in turned if how.event >= since and isinstance(how, Transformed)]
        )
        key = (possibility.designation, possibility.backs, possibility.casts, transformed)
        same = kept.get(key)
        kept[key] = possibility if same is None else same.met(possibility, CAUSES)
    return tuple(kept.values())


def unassumed(possibilities: tuple[Possibility, ...], since: int) -> tuple[Possibility, ...]:
    """Return the possibilities without assumptions about the previous turn, merged; a turn begins at event `since`."""
    if len(possibilities) <= APART and all([possibility.casts == ANY for possibility in possibilities]):
        return possibilities
    return merged([possibility.assuming(ANY) for possibility in possibilities], since)


def _together(courses: Sequence[Alternative]) -> tuple[Consequence, ...]:
    """Return each consequence of the possibilities in `courses` once; one that some of them lack is not certain.

    The k-th triggers of a permanent are one consequence, even if one is of a change to day and the other to night.
    Consequences of an untap step that the record leaves out come first.
    """
    if not any([course.consequences for course in courses]):
        return ()
    found: dict[object, dict[int, Consequence]] = {}
    for index, course in enumerate(courses):
        nth: dict[str, int] = {}
        for consequence in course.consequences:
            key: object = consequence
            if isinstance(consequence, Triggered):
                id = consequence.permanent
                nth[id] = nth.get(id, 0) + 1
                key = id, nth[id]
            found.setdefault(key, {})[index] = consequence
    together: list[Consequence] = []
    for ways in found.values():
        one = reduce(_one, ways.values())
        together.append(one if len(ways) == len(courses) else replace(one, certain=False))
    return tuple(sorted(together, key=lambda consequence: not consequence.implied))


def _one(consequence: Consequence, other: Consequence) -> Consequence:
    """Merge a consequence of two possibilities. For triggers of different changes, `was` and `became` become None."""
    if not (isinstance(consequence, Triggered) and isinstance(other, Triggered)):
        return consequence
    if (consequence.was, consequence.became) == (other.was, other.became):
        return consequence
    return replace(consequence, was=None, became=None, implied=consequence.implied and other.implied)
