"""Finds the places where two records, or a record and a branch of it, differ, in order.

Two records are aligned by turn, and by step as far as both have the same steps; a branch and its record also event by
event. Every place that both have is compared. A parting is a run of places with the same differences; a place without
any difference ends it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Any, NamedTuple, TypeAlias

from daynight.compare.differences import Comparison, GameDifference, turn_word
from daynight.events.actions import StepBegan
from daynight.framework.language.codec import document_of
from daynight.framework.language.wording import _
from daynight.projections.turns import stretches, turns
from daynight.referee.due import shown
from daynight.referee.state import PlayedRecord, State
from daynight.speech.sentences import step_word


class SharedPlace(NamedTuple):
    """A place in two games: the turn, the step, and each game's last event there (None: the game has no such place).

    Turn 0 is the time before the first turn. The step is that of the first game.
    """

    turn: int
    step: str | None
    left: int | None
    right: int | None


@dataclass(frozen=True, slots=True)
class Parting:
    """The same things differ from place `first` to place `last`, and at every compared place between them."""

    first: SharedPlace
    last: SharedPlace
    differences: tuple[GameDifference, ...]

    def document(self) -> dict[str, Any]:
        """Return the parting as JSON: its first place, the turn `until` which it lasts, and its last place."""
        return self.first._asdict() | document_of(
            self, "until last differences", until=self.last.turn, last=self.last._asdict()
        )


class _Compared(NamedTuple):
    """A place with its differences, if any. `game` counts how often the game was restarted before it."""

    game: int
    place: SharedPlace
    differences: tuple[GameDifference, ...]


def _partings(compared: Iterable[_Compared]) -> Iterator[Parting]:
    """Yield a parting for each run of places with the same differences; a place without differences ends a run."""
    for (_game, differing), found in groupby(compared, lambda one: (one.game, one.differences)):
        places = [one.place for one in found]
        if differing:
            yield Parting(places[0], places[-1], differing)


# --------------------------------------------------------------------------------------------- turn by turn


_Key: TypeAlias = tuple[int, int]
"""How often the game was restarted before a turn, and the turn."""


_StepKey: TypeAlias = tuple[str | None, int]
"""A step (None: before the first of a turn), and its ordinal among the turn's steps of that name."""


class _Turn(NamedTuple):
    """A turn that was not undone: the last event of each step and of the turn, and whether another turn follows."""

    key: _Key
    steps: dict[_StepKey, int]
    last: int
    over: bool


def _turns(game: PlayedRecord) -> Iterator[_Turn]:
    every = turns(stretches(game))
    for turn, after in zip(every, [*every[1:], None], strict=True):
        at: _StepKey = (None, 0)
        seen: Counter[str] = Counter()
        steps: dict[_StepKey, int] = {}
        for number in range(turn.first, turn.last + 1):
            event = game.events[number - 1]
            if not game.stands(number):
                continue
            if isinstance(event, StepBegan):
                seen[event.step] += 1
                at = (event.step, seen[event.step])
            steps[at] = number
        yield _Turn((turn.game, turn.number), steps, turn.last, after is not None and after.number > 0)


def games_apart(left: PlayedRecord, right: PlayedRecord, *, by_step: bool = True) -> Iterator[Parting]:
    """Yield the partings of two games, compared at the ends of turns; with `by_step` also of steps that both have.

    A turn that only one of the games has is a difference too.

    The end of a turn includes its untap step, even if the record leaves that step out, once another turn follows. Steps
    are not compared while the untap step is due in one game and over in the other.

    >>> from daynight import Game
    >>> game = Game.load("demo")
    >>> list(games_apart(game, game))
    []
    >>> from daynight.framework.edits import insert
    >>> branch = game.branch(insert("turn:20", "B casts 2")).game
    >>> [(parting.first.turn, parting.last.turn) for parting in games_apart(game, branch, by_step=False)]
    [(20, 20), (21, 22)]
    """
    return _partings(_by_turn(left, right, by_step))


def _by_turn(left: PlayedRecord, right: PlayedRecord, by_step: bool) -> Iterator[_Compared]:
    mine, other = [{turn.key: turn for turn in _turns(game)} for game in (left, right)]
    walks, comparison = (_Walk(left), _Walk(right)), Comparison()
    for key in sorted({*mine, *other}):
        here, there = mine.get(key), other.get(key)
        if here is not None and there is not None:
            yield from _in_turn(here, there, walks, comparison, by_step)
        else:
            restarts, number = key
            ends = [None if turn is None else turn.last for turn in (here, there)]
            found = GameDifference("turn", str(number), here is not None, there is not None)
            yield _Compared(restarts, SharedPlace(number, None, *ends), (found,))


def _in_turn(
    here: _Turn, there: _Turn, walks: tuple[_Walk, _Walk], comparison: Comparison, by_step: bool
) -> Iterator[_Compared]:
    restarts, number = here.key
    ends = (here.last, there.last)
    places = _alike([*here.steps], [*there.steps]) if by_step else []
    pairs = [(here.steps[place], there.steps[place]) for place in places]
    for pair in pairs if pairs[-1:] == [ends] else [*pairs, ends]:
        left, right = walks[0].at(pair[0]), walks[1].at(pair[1])
        step = left.step
        if pair == ends:
            # If another turn follows, an unwritten untap step is over too.
            left, right = (shown(left) if here.over else left), (shown(right) if there.over else right)
        elif left.due is not right.due:
            continue
        yield _Compared(restarts, SharedPlace(number, step, *pair), comparison.differences(left, right))


def _alike(mine: Sequence[_StepKey], other: Sequence[_StepKey]) -> Sequence[_StepKey]:
    """Return the first steps of a turn, as long as both games have the same ones.

    One record may note in a step what the other notes before or after it. So a step is compared only if the next step
    is the same as well; the end of the turn is always compared.
    """
    for place, (one, another) in enumerate(zip(mine, other, strict=False)):
        if one != another:
            return mine[: max(place - 1, 0)]
    return mine if len(mine) == len(other) else mine[: min(len(mine), len(other)) - 1]


# --------------------------------------------------------------------------------------------- event by event


def events_apart(left: PlayedRecord, right: PlayedRecord, origins: tuple[int | None, ...]) -> Iterator[Parting]:
    """Yield the partings of a game and a branch of it, event by event.

    The states are compared after each event that both have, and once more after each run of events that only one has.
    `origins` has for each event of the branch the number of the same event in the game; None: the game lacks it.
    """
    return _partings(_by_event(left, right, origins))


def _by_event(left: PlayedRecord, right: PlayedRecord, origins: tuple[int | None, ...]) -> Iterator[_Compared]:
    mine, other, comparison = _Walk(left), _Walk(right), Comparison()
    for here, there in _places(len(left), origins):
        state, beside = mine.at(here), other.at(there)
        place = SharedPlace(state.turn, state.step, here, there)
        yield _Compared(state.began, place, comparison.differences(state, beside))


def _places(events: int, origins: tuple[int | None, ...]) -> Iterator[tuple[int, int]]:
    both = [(origin, number) for number, origin in enumerate(origins, 1) if origin is not None]
    for (mine, other), (next_mine, next_other) in pairwise([(0, 0), *both, (events + 1, len(origins) + 1)]):
        if mine:
            yield mine, other
        before = (next_mine - 1, next_other - 1)
        if before != (mine, other) and all(before):
            yield before


class _Walk:
    """The states of a game, in order. A state is reused: the next call of `at` may change it."""

    def __init__(self, game: PlayedRecord) -> None:
        self._moments = game.walk()
        self._number = 0
        self._state = State()

    def at(self, number: int) -> State:
        """Return the state after an event; events must be asked for in rising order."""
        while self._number < number:
            moment, self._state = next(self._moments)
            self._number = moment.number
        return self._state


def place_words(place: SharedPlace) -> str:
    """Put a place into words: `turn 21, precombat main phase`."""
    if place.turn == 0 or place.step is None:
        return turn_word(place.turn)
    return _("turn {turn}, {step}").format(turn=place.turn, step=step_word(place.step))


def events_word(place: SharedPlace) -> str:
    """Name the events of a place in the first and the second game: `e126 / e128`."""
    return " / ".join(["-" if number is None else f"e{number}" for number in (place.left, place.right)])


def parting_words(parting: Parting) -> str:
    """Say where a parting begins, and where it ends if that is another place."""
    first, last = place_words(parting.first), place_words(parting.last)
    return first if first == last else _("{first} to {last}").format(first=first, last=last)
