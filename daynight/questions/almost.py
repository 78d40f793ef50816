"""Almost: the smallest change of the record that would have given another answer.

The candidates are: leaving out one event (an arrival, a cast, an effect, a ruling ...), among the latest events and
those that caused the answer; and, for the checks of the latest turns, adding or removing casts in the turn that was
checked. Events that become impossible are left out too, and count. The result is the smallest change whose edited
record really gives another answer at the same place. Events further back than `FAR` are not changed: all later events
would have to be replayed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, TypeAlias

from daynight.compare.pasting import options
from daynight.events import Characteristics, Designation, Event, JudgeRuled, Permanent, actions
from daynight.events.actions import PermanentsEntered, SpellCast, TurnBegan
from daynight.events.terms import Face
from daynight.framework.edits import Edit, drop, insert
from daynight.framework.folding.history import states
from daynight.framework.language.errors import ImpossibleError
from daynight.framework.language.wording import _, card_word, counted
from daynight.projections.tallies import Tally
from daynight.referee.parts import face_ways
from daynight.referee.referee import restores, step
from daynight.referee.state import PlayedRecord, State
from daynight.speech.sentences import designation_word, face_word, listed

CHECKS = 8
"""The number of latest turns whose checks are examined."""

SINGLES = 60
"""The number of latest events that are tried, each left out alone."""

FAR = 4096
"""Events further back than this many are not left out, and nothing is inserted before them."""

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
"""The types of events that may be left out: not turns or steps, nor what begins, restarts or ends a game."""


@dataclass(frozen=True, slots=True)
class Almost:
    """A change that would have given another `answer`; `change` is None for the arrival of a permanent with daybound.

    Where the answer is a face, `card` is the card that would show it.
    """

    change: _Change | None
    answer: Designation | Face
    edits: tuple[Edit, ...]
    card: str = ""

    @property
    def sentence(self) -> str:
        """The change and its answer as a sentence, in the reader's language."""
        if self.change is None:
            return _("With a permanent that has daybound on the battlefield it would be day.")
        if isinstance(self.answer, Face):
            return self.change.face_sentence(card_word(self.card), face_word(self.answer))
        return self.change.sentence(self.answer)

    def document(self) -> dict[str, Any]:
        """A dict: the edits as JSON, and as options of `daynight what-if`."""
        return {"edits": [edit.document() for edit in self.edits], "options": options(self.edits)}


@dataclass(frozen=True, slots=True)
class _Change:
    """A small change of a record: events left out, and casts inserted after an event."""

    drop: tuple[int, ...] = ()
    casts: int = 0
    player: str = ""
    after: int = 0
    turn: int = 0

    @property
    def size(self) -> int:
        """The number of events that the change leaves out or inserts."""
        return len(self.drop) + self.casts

    @property
    def first(self) -> int:
        """The first event of the record after the inserted casts, or the first event left out."""
        return min(self.drop) if self.drop else self.after + 1

    @property
    def last(self) -> int:
        """The last event left out, or the event after which the casts are inserted."""
        return max((*self.drop, self.after))

    @property
    def edits(self) -> tuple[Edit, ...]:
        """The change as edits of the record."""
        casts = (insert(self.after, *[SpellCast(player=self.player)] * self.casts),) if self.casts else ()
        return (*casts, *map(drop, self.drop))

    def sentence(self, answer: Designation) -> str:
        """The change and the designation it would give, as a sentence."""
        word = designation_word(answer)
        if self.casts:
            return counted(
                "With one more spell by {player} in turn {turn} it would be {answer}.",
                "With {n} more spells by {player} in turn {turn} it would be {answer}.",
                self.casts,
            ).format(player=self.player, turn=self.turn, answer=word)
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

    def face_sentence(self, card: str, face: str) -> str:
        """The change as a sentence, and that `card` would then show its other `face`."""
        if self.casts:
            return counted(
                "With one more spell by {player} in turn {turn} {card} would show its {face}.",
                "With {n} more spells by {player} in turn {turn} {card} would show its {face}.",
                self.casts,
            ).format(player=self.player, turn=self.turn, card=card, face=face)
        events = listed([str(number) for number in self.drop])
        return counted(
            "Without event {events} {card} would show its {face}.",
            "Without events {events} {card} would show its {face}.",
            self.size,
        ).format(events=events, card=card, face=face)


def almost(game: PlayedRecord, number: int) -> Almost | None:
    """The smallest change of the record that would have given another answer after event `number`.

    None if no small change does that.
    """
    found = _least(game, number, [], _designation)
    if found is not None:
        change, other = found
        return Almost(change, other, change.edits)
    state = game.at(number)
    return _daybound(state, number) if state.designation is Designation.NEITHER else None


def almost_face(game: PlayedRecord, number: int, id: str) -> Almost | None:
    """The smallest change with which permanent `id` would have shown its other face after event `number`.

    None if no small change does that, or if the permanent is face down or not on the battlefield.
    """

    def shown(state: State) -> Face | None:
        status = state.battlefield.get(id)
        return None if status is None or status.face_down else state.face(id)

    state = game.at(number)
    status = state.battlefield.get(id)
    if status is None or status.face_down:
        return None
    ways = [way.event for way in face_ways(state.possibilities, id) if way is not None]
    found = _least(game, number, ways, shown)
    if found is None:
        return None
    change, other = found
    return Almost(change, other, change.edits, status.permanent.card)


def _designation(state: State) -> Designation | None:
    return state.designation


def _least(
    game: PlayedRecord, number: int, ways: Sequence[int], look: _Look
) -> tuple[_Change, Designation | Face] | None:
    """Return the smallest change after which `look` finds another value at event `number`, and that value.

    `ways` are the numbers of further events to try to leave out. None if no change does it.
    """
    now = look(game.at(number))
    candidates = [*dict.fromkeys(_candidates(game, number, ways))]
    first = min((candidate.first for candidate in candidates), default=number)
    events = game.events
    wanted = frozenset(to for place in range(first, number + 1) if (to := restores(events[place - 1])) is not None)
    best: tuple[tuple[int, int, int], _Change, Designation | Face] | None = None
    before = states(game, {candidate.first - 1 for candidate in candidates})
    ranked = sorted((candidate.size, -candidate.last, place) for place, candidate in enumerate(candidates))
    for size, late, place in ranked:
        # Leaving out impossible events makes a change larger, never smaller, so nothing later is smaller.
        if best is not None and (size, late) > best[0][:2]:
            break
        change, other = _tried(game, candidates[place], before[candidates[place].first - 1], number, wanted, look)
        rank = (change.size, late, place)
        if other is not None and other is not now and (best is None or rank < best[0]):
            best = rank, change, other
    return None if best is None else best[1:]


def _daybound(state: State, number: int) -> Almost | None:
    """Return the arrival of a permanent with daybound as the change, if it becomes day by that; else None."""
    event = unrecorded(state)
    if event is None:
        return None
    then, possible = _leniently(state.copy(), event, number + 1)
    if not possible or then.designation is not Designation.DAY:
        return None
    return Almost(None, Designation.DAY, (insert(number, event),))


def unrecorded(state: State) -> PermanentsEntered | None:
    """Return the arrival of a permanent with daybound that an active, else any player controls; None if nobody is left.

    The permanent is no card; its id and name are the same in every language, as the edit may be stored.
    """
    controller = next((player for player in (*state.active, *state.players) if player in state.present), None)
    if controller is None:
        return None
    id = "unrecorded"
    while id in state.battlefield:
        id += "-1"
    front = Characteristics(keywords=("daybound",))
    return PermanentsEntered(
        permanents=(Permanent(id=id, card=id, controller=controller, double_faced=False, front=front),)
    )


def _candidates(game: PlayedRecord, number: int, ways: Sequence[int]) -> Iterator[_Change]:
    state = game.at(number)
    causes = [one.event for possibility in state.possibilities for one in possibility.causes if one is not None]
    since = max(causes, default=state.began)
    # From the end back, and only as far as necessary.
    far = max(state.began, number - FAR)
    first, earliest = far, list[int]()
    if since >= far:
        # An unwritten untap step may show only at the next turn's beginning, so look at one turn more.
        earlier = [*islice(_standing(game, TurnBegan, range(since, far - 1, -1)), 2)]
        first = min(earlier) if earlier else next(_standing(game, TurnBegan, range(since, number + 1)), number + 1)
        earliest = [first] if first <= number else []
    turns = [*islice(_standing(game, TurnBegan, range(number, first - 1, -1)), CHECKS)]
    alone = [*islice(_standing(game, _ALONE, range(number, far - 1, -1)), SINGLES)]
    for place in (*reversed(alone), *causes, *ways):
        if place >= far and isinstance(game.events[place - 1], _ALONE):
            yield _Change(drop=(place,))
    checks = (*reversed(turns), *earliest)
    there = states(game, checks)
    for place in checks:
        previous = there[place].tallies.previous
        if previous is not None and not previous.unknown:
            last = next(before for before in range(place - 1, 0, -1) if game.stands(before))
            for designation in (Designation.DAY, Designation.NIGHT):
                for change in _other_finding(designation, previous, last, game.events):
                    if change.first >= far:
                        yield change


def _standing(game: PlayedRecord, kinds: type | tuple[type, ...], places: range) -> Iterator[int]:
    """Yield the numbers in `places` of events of these `kinds` that no back-up undid."""
    return (place for place in places if isinstance(game.events[place - 1], kinds) and game.stands(place))


def _other_finding(
    designation: Designation, previous: Tally, last: int, events: tuple[Event, ...]
) -> Iterator[_Change]:
    """Yield changes to the casts of the turn of `previous` with which the next check would give the other result.

    That holds if it was `designation` at that check. `last` is the last event of the turn.
    """
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
        yield _Change(drop=tuple(sorted(number for numbers in cast.values() for number in numbers)))
    elif designation is Designation.DAY:
        for after in (last, previous.began):
            yield _Change(casts=1, player=previous.active[0], after=after, turn=previous.turn)
    elif designation is Designation.NIGHT and most > 1:
        yield _Change(drop=tuple(sorted(number for numbers in cast.values() for number in numbers[1:])))
    elif designation is Designation.NIGHT:
        player = max(previous.active, key=lambda player: len(cast[player]))
        for after in (last, previous.began):
            yield _Change(casts=2 - most, player=player, after=after, turn=previous.turn)


_Take: TypeAlias = Callable[[State, Event, int], tuple[State, bool]]
"""Applies an event to a state; returns the new state, and whether the event was possible."""

_Look: TypeAlias = Callable[[State], Designation | Face | None]
"""Reads from a state the designation, or a face; None if several are possible, or the permanent is not there."""

_Tried: TypeAlias = tuple[_Change, Designation | Face | None]
"""A change that also leaves out all events that it makes impossible, and the value read afterwards."""


def _tried(
    game: PlayedRecord, change: _Change, before: State, number: int, wanted: frozenset[int], look: _Look
) -> _Tried:
    """Return the change and what `look` reads after event `number`; events it makes impossible are left out too.

    `before` is the state before the change; `wanted` are the events that some later one backs up to. Events keep their
    numbers, so references to them stay valid.
    """
    try:
        # Mostly nothing becomes impossible, and no state is copied before each event.
        return _followed(game, change, before.copy(), number, wanted, _boldly, look)
    except ImpossibleError:
        return _followed(game, change, before.copy(), number, wanted, _leniently, look)


def _followed(
    game: PlayedRecord, change: _Change, state: State, number: int, wanted: frozenset[int], take: _Take, look: _Look
) -> _Tried:
    kept: dict[int, State] = {}
    lost: list[int] = []
    for _cast in range(change.casts):
        state, _possible = take(state, SpellCast(player=change.player), change.after)
    for place, event in enumerate(game.events[change.first - 1 : number], change.first):
        to = restores(event)
        if to is not None:
            state = kept[to].copy() if to in kept else game.at(to)
        if place not in change.drop:
            state, possible = take(state, event, place)
            if not possible:
                lost.append(place)
        if place in wanted:
            kept[place] = state.copy()
    return replace(change, drop=(*change.drop, *lost)), look(state)


def _leniently(state: State, event: Event, number: int) -> tuple[State, bool]:
    before = state.copy()
    try:
        step(state, event, number)
    except ImpossibleError:
        return before, False
    return state, True


def _boldly(state: State, event: Event, number: int) -> tuple[State, bool]:
    step(state, event, number)
    return state, True
