"""Possibilities side by side: the rules are asked in each, and those that came to agree are one again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import TypeAlias

from msgspec.structs import replace

from daynight.events import Changed, Consequence, Designation, Transformed, Triggered
from daynight.framework.language.errors import ImpossibleError
from daynight.framework.language.wording import _
from daynight.projections.possibilities import ANY, Possibility
from daynight.referee.state import State
from daynight.rules.resting import gains_designation, turns_over
from daynight.rules.triggering import triggered

MOST = 4096
"""How many possibilities a record may leave open at a time."""

APART = 8
"""Up to how many possibilities are told apart by all that ever transformed in them."""

CAUSES = 5
"""How many of the changes that may have brought about what is are kept where possibilities came to agree."""


_NEITHER = Designation.NEITHER


class Course:
    """One possibility on its way through an event, with what has followed so far.

    `waits`: what triggers waits until a player would receive priority, as in the untap step. `implied`: an untap step
    that is not written down brings what follows now.
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
        """Add a consequence; None is none."""
        if consequence is not None:
            if self.implied:
                consequence = replace(consequence, implied=True)
            self.possibility = self.possibility.fold(consequence)
            self.consequences.append(consequence)

    def becomes(self, change: Changed | None) -> None:
        """Add a change of the designation, the transformations that come with it, and what it triggers.

        That leaves everything at rest, unless what turned over held others.
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
        other = Course(self.possibility, self._state, self._event)
        other.waits, other.implied = self.waits, self.implied
        other.consequences = list(self.consequences)
        return other


Act: TypeAlias = Callable[[Course], Sequence[Course]]
"""What an event sets off in one possibility; several courses where it may go several ways."""


def settle(state: State, act: Act, event: int) -> tuple[Consequence, ...]:
    """Ask the rules in every possibility, of the game as ruled and of the rules' own line; answer what followed.

    What followed in only some of the possibilities is not certain.

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


def _run(state: State, possibilities: tuple[Possibility, ...], act: Act, event: int) -> Sequence[Course]:
    if len(possibilities) == 1:
        return act(Course(possibilities[0], state, event))
    courses: list[Course] = []
    for possibility in possibilities:
        courses += act(Course(possibility, state, event))
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
        sentence = _("the record leaves more than {most} possibilities open; record more of what is known")
        raise ImpossibleError(sentence.format(most=MOST))
    return kept


def _merged(possibilities: Sequence[Possibility], since: int) -> tuple[Possibility, ...]:
    apart = {(possibility.designation, possibility.backs, possibility.casts) for possibility in possibilities}
    if len(apart) == len(possibilities):
        return tuple(possibilities)
    kept: dict[object, Possibility] = {}
    for possibility in possibilities:
        turned = [(id, how.event) for id, how in possibility.turned.items() if isinstance(how, Transformed)]
        transformed = frozenset([(id, event) for id, event in turned if event >= since])
        key = (possibility.designation, possibility.backs, possibility.casts, transformed)
        if (same := kept.get(key)) is None:
            kept[key] = possibility
            continue
        kept[key] = same.met(possibility, CAUSES)
    return tuple(kept.values())


def unassumed(possibilities: tuple[Possibility, ...], since: int) -> tuple[Possibility, ...]:
    """The possibilities when a turn begins at event `since`: what was assumed of the turn before no longer matters."""
    if len(possibilities) <= APART and all([possibility.casts == ANY for possibility in possibilities]):
        return possibilities
    return merged([possibility.assuming(ANY) for possibility in possibilities], since)


def _together(courses: Sequence[Course]) -> tuple[Consequence, ...]:
    """What followed in any of the courses, once each; not certain where it did not follow in all of them.

    The k-th trigger of a permanent is one, whichever way the designation changed. What an untap step that is not
    written down brought comes first.
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
    """What two possibilities call the same: a trigger that came of different changes names none of them."""
    if not (isinstance(consequence, Triggered) and isinstance(other, Triggered)):
        return consequence
    if (consequence.was, consequence.became) == (other.was, other.became):
        return consequence
    return replace(consequence, was=None, became=None, implied=consequence.implied and other.implied)
