"""The framework's history: events, the state after each, back-ups, and views; tested with a counter."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

import pytest

from daynight.framework.folding.fold import Fold, PassedError, Watched
from daynight.framework.folding.history import CHECKPOINT, History, states
from daynight.framework.folding.moment import Moment
from daynight.framework.folding.standing import Standing, UndoneError
from daynight.framework.language.errors import ImpossibleError, MechanicError
from daynight.framework.language.happening import ByType, Happening
from daynight.framework.language.language import Language
from daynight.framework.mechanic import Mechanic
from daynight.framework.projection import project
from daynight.game import Game
from tests.oracle.walks import random_walk
from tests.sampling import quick_or_wide

Event = int | tuple[str, int]


@dataclass
class Counter:
    """A state: the sum, and the number of steps."""

    total: int = 0
    steps: int = 0

    def copy(self) -> Counter:
        """An independent copy."""
        return Counter(self.total, self.steps)


def step(state: Counter, event: Event, number: int) -> tuple[str, ...]:
    """Count the step, add a number to the total, and return the consequences; -1 raises ValueError after the change."""
    state.steps += 1
    if isinstance(event, tuple):
        return (f"back to {event[1]} at {number}",)
    state.total += event
    if event == -1:
        raise ValueError(number)
    return ("even",) if state.total % 2 == 0 else ()


restores: ByType[int | None] = ByType({tuple: lambda event: event[1]}, lambda event: None)
"""The event that a back-up goes to, as 3 for ("back", 3); None for a number."""


class Nothing(Happening, frozen=True, tag="nothing"):
    """A placeholder for the language: events are numbers and pairs, which no language reads."""


def counter(**fields: Any) -> Mechanic[Counter, Any, str]:
    """The mechanic of the counter."""
    of = {"start": Counter, "step": step, "restores": restores}
    return Mechanic(name="counter", language=Language(Nothing), **{**of, **fields})


def counting(*events: Event) -> History[Counter, Event, str]:
    """A history of the counter with these events."""
    return History(counter(), events)


def naive(events: list[Event]) -> list[Counter]:
    """The state after each event, from 0 on, computed one by one."""
    states = [Counter()]
    for number, event in enumerate(events, 1):
        to = restores(event)
        state = states[-1 if to is None else to].copy()
        step(state, event, number)
        states.append(state)
    return states


def backing_up(length: int, seed: int, percent: int) -> list[Event]:
    """Random numbers, `percent` of them replaced by back-ups to events that are not undone, near and far."""
    source, events, stand = random.Random(seed), [], []
    for number in range(1, length + 1):
        if number > 2 and source.randrange(100) < percent:
            place = source.randrange(max(0, len(stand) - source.choice((3, 40, length))), len(stand))
            events.append(("back", stand[place]))
            del stand[place + 1 :]
        else:
            events.append(source.randrange(10))
        stand.append(number)
    return events


def test_a_history():
    """A history has its events in order, the last state, and the consequences of each event."""
    history = counting(1, 2, 3)
    assert (3, (1, 2, 3), Counter(6, 3)) == (len(history), history.events, history.state)
    assert [Moment(1, 1), Moment(2, 2), Moment(3, 3, ("even",))] == [*history.moments()]


def test_no_events():
    """The state before the first event is the start state."""
    start = Counter(5)
    history = History(counter(start=start.copy))
    start.total = 7
    assert (Counter(5), Counter(5), ()) == (history.state, history.at(0), history.events)


def test_record_answers_the_moment():
    """The returned moment has number, event, consequences, and for a back-up the number of the restored state."""
    history = counting(1)
    assert Moment(2, 1, ("even",)) == history.record(1)
    assert Moment(3, ("back", 1), ("back to 1 at 3",), 1) == history.record(("back", 1))
    assert Counter(1, 2) == history.state


def test_record_is_atomic():
    """A refused event leaves the history unchanged, even if the step had begun to change it."""
    history = counting(1, 2)
    for refused, error in ((-1, MechanicError), (("back", 3), ImpossibleError), (("back", 7), ImpossibleError)):
        with pytest.raises(error):
            history.record(refused)
        assert (Counter(3, 2), (1, 2), 2) == (history.state, history.events, len(history))
    assert Moment(3, 4) == history.record(4)
    assert Counter(7, 3) == history.state


def test_record_is_atomic_even_when_interrupted():
    """An interruption in the middle of a step leaves no partial change."""

    def interrupted(state, event, number):
        state.total += event
        if event == 2:
            raise KeyboardInterrupt
        return ()

    history = History(counter(step=interrupted), [1])
    with pytest.raises(KeyboardInterrupt):
        history.record(2)
    assert (Counter(1), 1) == (history.state, len(history))


def test_events_are_not_copied_for_each_question():
    """`events` is the same tuple until an event is recorded: a copy for each question would take quadratic time."""
    history = counting(1, 2)
    before = history.events
    assert history.events is before
    history.extend(3)
    assert (before, history.events) == ((1, 2), (1, 2, 3))


def test_without_restores_nothing_backs_up():
    """If `restores` returns None for each event, ("back", 1) is recorded like any other event."""
    history = History(counter(restores=ByType({}, lambda event: None)), [1, 2, ("back", 1)])
    # A back-up to event 1 would end with the count of event 1.
    assert Counter(3, 3) == history.state


@pytest.mark.parametrize("number", [-1, 4])
def test_at_nowhere(number):
    """`at` raises IndexError for an event that does not exist."""
    with pytest.raises(IndexError, match=f"^{number}$"):
        counting(1, 2, 3).at(number)


def test_passing():
    """A one-pass fold has the same states as the history; it raises PassedError for those it was not asked to keep."""

    def least(now: Counter, then: Counter) -> Counter:
        return Counter(then.total, min(now.steps, then.steps))

    events = [1, 2, 3, ("back", 2), 5, 6]
    whole = History(counter(restored=least), events)
    for sizes in ((6,), (1, 1, 1, 1, 1, 1), (2, 3, 1), (4, 2)):
        passing, rest, found = Fold(Watched(counter(restored=least)), keep={2, 5}), events, list[str]()
        for size in sizes:
            passing.over(rest[:size], found)
            rest = rest[size:]
        assert (whole.state, whole.at(2), whole.at(5)) == (passing.whole, passing.after(2), passing.after(5))
        assert [one for moment in whole.moments() for one in moment.consequences] == found
        assert 6 == passing.number
        with pytest.raises(PassedError, match=r"^4$"):
            passing.after(4)
        with pytest.raises(PassedError, match=r"^1$"):
            passing.take(("back", 1))
        passing.after(2).total = 100
        assert whole.at(2) == passing.after(2)


def test_what_stands():
    """A back-up undoes the events in between; the last event is never undone."""
    history = counting(1, 2, 3, ("back", 2))
    assert [True, True, False, True] == [history.standing(number) for number in range(1, 5)]


def test_an_answer_that_is_none():
    """If `step` returns something that is no sequence, TypeError names the event and the answer."""
    history = History(counter(step=lambda state, event, number: 7))
    with pytest.raises(TypeError, match=r"^step, event 1 \(int\): it answered 7; answer a list, or \(\) for nothing$"):
        history.record(3)


def test_states_are_copies():
    """Changing a returned state changes nothing else."""
    history = counting(*range(5))
    for state in (history.state, history.at(3), history.at(0)):
        state.total = 100
    assert [Counter(10, 5), Counter(3, 3), Counter()] == [history.state, history.at(3), history.at(0)]


@pytest.mark.parametrize("percent", [0, 1, 20, 60])
def test_at_any_moment(percent):
    """Any state is right, across more than three checkpoints and with nested back-ups."""
    events = backing_up(1600, seed=percent, percent=percent)
    history = counting(*events)
    assert len(events) > 3 * CHECKPOINT
    for number, expected in enumerate(naive(events)):
        assert expected == history.at(number), number


def test_at_takes_few_steps():
    """`at` replays from the last checkpoint, not from the beginning."""
    taken = []

    def slowly(state, event, number):
        taken.append(number)
        return step(state, event, number)

    history = History(counter(step=slowly), range(3 * CHECKPOINT))
    taken.clear()
    history.at(2 * CHECKPOINT + 10)
    assert [*range(2 * CHECKPOINT + 1, 2 * CHECKPOINT + 11)] == taken
    taken.clear()
    history.at(2 * CHECKPOINT)
    assert [] == taken


@pytest.mark.parametrize("percent", [0, 20])
def test_moments_after(percent):
    """Moments from any number on equal those returned when they were recorded."""
    events = backing_up(700, seed=7, percent=percent)
    history = counting()
    recorded = [history.record(event) for event in events]
    for after in (0, 1, 250, CHECKPOINT, 699, 700):
        assert recorded[after:] == [*history.moments(after)]


def test_what_if():
    """`what_if` gives a separate history from an event on, with other events; the original does not change."""
    history = counting(1, 2, ("back", 1), 4)
    other = history.what_if(2)
    other.extend(10)
    other.extend(("back", 2))
    assert (Counter(5, 3), Counter(3, 3)) == (history.state, other.state)
    other.record(1)
    assert (1, 2, ("back", 1), 4) == history.events


def test_what_if_takes_few_steps():
    """`what_if` replays from the last checkpoint at most, and the branch is independent, also right after back-ups."""
    events = backing_up(CHECKPOINT * 4, seed=7, percent=5)
    taken = []

    def counted(state: Counter, event: Event, number: int) -> tuple[str, ...]:
        taken.append(number)
        return step(state, event, number)

    history = History(counter(step=counted), events)
    for after in (0, 1, CHECKPOINT, len(events) - 1, len(events)):
        taken.clear()
        branch = history.what_if(after)
        branch.extend(5)
        assert len(taken) <= CHECKPOINT
        plain = counting(*events[:after], 5)
        assert (plain.events, plain.state) == (branch.events, branch.state)
        assert [plain.standing(n) for n in range(1, after + 3)] == [branch.standing(n) for n in range(1, after + 3)]
        assert [*plain.moments()] == [*branch.moments()]
    assert naive(events) == [history.at(number) for number in range(len(events) + 1)]


def test_states():
    """`states` gives the states after the requested events, with back-ups; if none is requested, no state."""
    events = backing_up(CHECKPOINT * 2, seed=3, percent=10)
    history, expected = counting(*events), naive(events)
    numbers = [1, 17, 18, CHECKPOINT, 100]
    assert {number: expected[number] for number in numbers} == states(history, reversed(numbers))
    assert {} == states(history, ())


def test_standing():
    """An event that was undone stays undone, whatever is undone later."""
    for seed in range(20):
        events = backing_up(60, seed=seed, percent=30)
        history, standing, stand = counting(), Standing(), []
        for number, event in enumerate(events, 1):
            history.record(event)
            to = restores(event)
            if to is not None:
                standing.back_up(number, to)
                stand = [other for other in stand if other <= to]
            stand.append(number)
            everything = range(1, number + 1)
            assert stand == [other for other in everything if history.standing(other)]
            assert stand == [other for other in everything if standing.stands(other, number + 1)]


@pytest.mark.parametrize("to", [-1, 0, 3, 4, 5, 6, 9])
def test_nobody_goes_back_to_what_does_not_stand(to):
    """At 6, a back-up raises UndoneError to 3 and 4, which the one at 5 undid, and to numbers of no earlier event."""
    standing = Standing()
    standing.back_up(5, 2)
    if to == 5:
        standing.back_up(6, to)
        return
    with pytest.raises(UndoneError) as error:
        standing.back_up(6, to)
    assert (to,) == error.value.args
    assert [1, 2, 5] == [number for number in range(1, 6) if standing.stands(number, 6)]


def seen(events: tuple[int, ...], moment: Moment[Event, str], state: Counter) -> tuple[int, ...]:
    """A projection: return `events` with the number of the moment added."""
    return (*events, moment.number)


def test_project():
    """After a back-up the value of a projection is that of the events that are not undone."""
    assert (1, 2, 5) == project(counting(1, 2, 3, 4, ("back", 2)), tuple, seen)
    assert () == project(counting(), tuple, seen)
    assert [1, 3, 3] == project(counting(1, 2, 3, ("back", 2)), list, lambda sums, _moment, one: [*sums, one.total])
    for seed in range(10):
        history = counting(*backing_up(200, seed=seed, percent=25))
        stand = tuple(number for number in range(1, 201) if history.standing(number))
        assert stand == project(history, tuple, seen)


@pytest.mark.parametrize("seeds", quick_or_wide([2], [2, 6]))
def test_a_real_game(seeds):
    """In random games of day and night, the state after event n equals that of a replay of the first n events."""
    for seed in seeds:
        record = random_walk(seed, 150)
        game = Game(record)
        for number in range(1, 151, 11):
            assert Game(record[:number]).document() == game.document(number), f"walk {seed}, event {number}"
