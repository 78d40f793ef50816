"""Almost: the least change of the record that would have given the other answer.

Candidates are few: leaving out one event (an arrival, a cast, an effect, a ruling ...), the latest ones and those that
brought about what is; and, for the latest checks, the casts too many or too few of the turn they looked at. What
becomes impossible without an event is left out with it, and counts. The least one whose edited record really gives
another answer at the same place is told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from daynight.events import actions
from daynight.events.actions import SpellCast, StepBegan
from daynight.events.errors import ImpossibleError
from daynight.events.rulings import JudgeRuled
from daynight.events.terms import Designation
from daynight.events.vocabulary import Event
from daynight.events.wording import _, counted
from daynight.projections.sentences import designation_word, listed
from daynight.projections.tallies import Tally
from daynight.referee import restores, step
from daynight.state import State

if TYPE_CHECKING:
    from daynight.game import Game

__all__ = ["CHECKS", "SINGLES", "Edit", "almost"]

CHECKS = 8
"""How many of the latest checks are looked at for the least change."""

SINGLES = 60
"""How many of the latest events are tried without, one at a time."""

_ALONE = (
    actions.SpellCast,
    actions.SpellsUncertain,
    actions.PermanentsEntered,
    actions.PermanentsLeft,
    actions.ControlChanged,
    actions.AbilitiesLost,
    actions.AbilitiesRegained,
    actions.BecameCopy,
    actions.CopyEnded,
    actions.TransformInstructed,
    actions.TransformForbidden,
    actions.TransformAllowed,
    actions.EffectResolved,
    JudgeRuled,
)
"""The events one could think away: turns, steps and the frame of the game are none."""


@dataclass(frozen=True, slots=True)
class Edit:
    """A small change of a record: events left out, and casts put in after an event."""

    drop: tuple[int, ...] = ()
    casts: int = 0
    player: str = ""
    after: int = 0
    turn: int = 0

    @property
    def size(self) -> int:
        """How many events it leaves out or puts in."""
        return len(self.drop) + self.casts

    @property
    def first(self) -> int:
        """The first event of the record that comes after the change, or is left out by it."""
        return min(self.drop) if self.drop else self.after + 1

    def sentence(self, answer: Designation) -> str:
        """The change as a person would say it."""
        word = designation_word(answer)
        if self.casts:
            return counted(
                "With one more spell by {player} in turn {turn} it would be {answer}.",
                "With {n} more spells by {player} in turn {turn} it would be {answer}.",
                self.casts,
            ).format(n=self.casts, player=self.player, turn=self.turn, answer=word)
        events = listed([str(number) for number in self.drop])
        if answer is Designation.NEITHER:
            return counted(
                "Without event {events} it would be neither day nor night.",
                "Without events {events} it would be neither day nor night.",
                self.size,
            ).format(events=events)
        return counted(
            "Without event {events} it would be {answer}.", "Without events {events} it would be {answer}.", self.size
        ).format(events=events, answer=word)


def almost(game: Game, number: int) -> str | None:
    """The least change of the record that would have given another answer after event `number`, as a sentence.

    None where no small change would.
    """
    now = game.at(number).designation
    candidates = [*dict.fromkeys(_candidates(game, number))]
    first = min((candidate.first for candidate in candidates), default=number)
    events = game.events
    wanted = frozenset(to for place in range(first, number + 1) if (to := restores(events[place - 1])) is not None)
    found: list[tuple[int, int, Edit, Designation]] = []
    for candidate in candidates:
        edit, other = _tried(game, candidate, number, wanted)
        if other is not None and other is not now:
            found.append((edit.size, -max((*candidate.drop, candidate.after)), edit, other))
    if found:
        _size, _latest, edit, other = min(found, key=lambda candidate: candidate[:2])
        return edit.sentence(other)
    if now is Designation.NEITHER:
        return _("With a permanent that has daybound on the battlefield it would be day.")
    return None


def _candidates(game: Game, number: int) -> Iterator[Edit]:
    state = game.at(number)
    causes = [change for possibility in state.possibilities for change in possibility.causes if change is not None]
    since = max((change.event for change in causes), default=state.began)
    events = game.events
    alone: list[int] = []
    checks: list[int] = []

    def is_check(place: int) -> bool:
        event = events[place - 1]
        return isinstance(event, StepBegan) and event.step == "untap" and game.stands(place)

    # From the end back, and no further than it has to be.
    for place in range(number, state.began - 1, -1):
        if len(alone) == SINGLES and (place < since or len(checks) == CHECKS):
            break
        if len(alone) < SINGLES and isinstance(events[place - 1], _ALONE) and game.stands(place):
            alone.insert(0, place)
        elif len(checks) < CHECKS and place >= since and is_check(place):
            checks.insert(0, place)
    for place in (*alone, *(change.event for change in causes)):
        if isinstance(events[place - 1], _ALONE):
            yield Edit(drop=(place,))
    first_check = next((place for place in range(max(since, state.began), number + 1) if is_check(place)), None)
    for place in checks if first_check is None else [*checks, first_check]:
        before = game.at(place - 1)
        previous = before.tallies.previous
        if previous is None or previous.unknown:
            continue
        for possibility in before.possibilities:
            yield from _other_finding(possibility.designation, previous, game.events)


def _other_finding(designation: Designation, previous: Tally, events: tuple[Event, ...]) -> Iterator[Edit]:
    """The edits of the previous turn that would turn what a check of it finds around."""
    cast = {
        player: tuple(
            number
            for number in previous.looked_at()
            if isinstance(event := events[number - 1], SpellCast) and event.player == player
        )
        for player in previous.active
    }
    most = max(map(len, cast.values()))
    if designation is Designation.DAY and most:
        yield Edit(drop=tuple(sorted(number for numbers in cast.values() for number in numbers)))
    elif designation is Designation.DAY:
        yield Edit(casts=1, player=previous.active[0], after=previous.began, turn=previous.turn)
    elif designation is Designation.NIGHT and most > 1:
        yield Edit(drop=tuple(sorted(number for numbers in cast.values() for number in numbers[1:])))
    elif designation is Designation.NIGHT:
        player = max(previous.active, key=lambda player: len(cast[player]))
        yield Edit(casts=2 - most, player=player, after=previous.began, turn=previous.turn)


def _tried(game: Game, edit: Edit, number: int, wanted: frozenset[int]) -> tuple[Edit, Designation | None]:
    """The edit with all that becomes impossible by it, and the designation after event `number` then.

    `wanted` are the events that some later one backs up to. The events keep their numbers, so what refers to one of
    them still does.
    """
    try:
        # Mostly nothing becomes impossible, and no state is copied before each event.
        return _followed(game, edit, number, wanted, _boldly)
    except ImpossibleError:
        return _followed(game, edit, number, wanted, _leniently)


def _followed(
    game: Game,
    edit: Edit,
    number: int,
    wanted: frozenset[int],
    take: Callable[[State, Event, int], tuple[State, bool]],
) -> tuple[Edit, Designation | None]:
    state = game.at(edit.first - 1)
    kept: dict[int, State] = {}
    lost: list[int] = []
    for _cast in range(edit.casts):
        state, _possible = take(state, SpellCast(player=edit.player), edit.after)
    for place, event in enumerate(game.events[edit.first - 1 : number], edit.first):
        to = restores(event)
        if to is not None:
            state = kept[to].copy() if to in kept else game.at(to)
        if place not in edit.drop:
            state, possible = take(state, event, place)
            if not possible:
                lost.append(place)
        if place in wanted:
            kept[place] = state.copy()
    return replace(edit, drop=(*edit.drop, *lost)), state.designation


def _boldly(state: State, event: Event, number: int) -> tuple[State, bool]:
    step(state, event, number)
    return state, True


def _leniently(state: State, event: Event, number: int) -> tuple[State, bool]:
    before = state.copy()
    try:
        step(state, event, number)
    except ImpossibleError:
        return before, False
    return state, True
