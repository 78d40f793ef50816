"""Random mechanics: a random chart, events that fire its triggers, claims, and back-ups."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Any

import msgspec
from hypothesis import strategies as st

from daynight.framework import (
    Arc,
    Change,
    Chart,
    Derived,
    Facts,
    Happening,
    ImpossibleError,
    Language,
    Mechanic,
    Name,
    Number,
    Part,
    Recorded,
    RecordError,
    Said,
    Way,
)

from .cases import Case

PEOPLE = ("Ana", "Bo", "Cy")


def low(size: int) -> bool:
    """Its size is 0."""
    return size < 1


def high(size: int) -> bool:
    """Its size is 1 or more."""
    return size > 0


def any_size(size: int) -> bool:
    """Whatever its size."""
    return True


class Began(Happening, frozen=True, tag="began"):
    """A record begins."""

    name: Name


class Pulled(Happening, frozen=True):
    """Somebody fires a trigger of the chart."""

    by: Name
    size: Number = 0


class Claimed(Happening, frozen=True, tag="claimed"):
    """`by` claims that the chart's state is `place`, or that `by` has fired triggers `pulls` times."""

    by: Name
    place: Name | None = None
    pulls: Number | None = None


class Ruled(Happening, frozen=True, tag="ruled"):
    """A judge rules that the chart's state is `place`; the chart has that state from then on."""

    place: Name


class BackedUp(Happening, frozen=True, tag="backed-up"):
    """A back-up to the state after event `to`."""

    to: Number


class Standing(Facts):
    """The state of a record: `place` is the chart's state; `way` is the event, rule and causes that led to it.

    `pulls` has for each person the numbers of the events in which this person fired a trigger.
    """

    place: str = "p0"
    way: Way = Way(1, None, (1,))
    pulls: dict[str, tuple[int, ...]] = msgspec.field(default_factory=dict)


@st.composite
def charts(draw: st.DrawFn) -> Chart[Any, int]:
    """A chart of two to five states: each can be reached, and each allows at least one trigger."""
    count = draw(st.integers(2, 5))
    names = [(f"P{number}", f"p{number}") for number in range(count)]
    places: Any = Enum("Place", names)  # type: ignore[misc]  # by lot
    states = list(places)
    state = st.sampled_from(states)
    row = st.tuples(st.sampled_from("abc"), state, st.sampled_from([low, high]), state)
    # Of two arcs with the same trigger, source and guard, the second could never be taken.
    rows = {found[:3]: found[3] for found in draw(st.lists(row, max_size=8))}
    for number, dest in enumerate(states):
        rows[f"stay-{dest.value}", dest, any_size] = dest
        if number:
            rows[f"reach-{dest.value}", states[draw(st.integers(0, number - 1))], any_size] = dest
    arcs = [Arc(trigger, source, dest, guard) for (trigger, source, guard), dest in rows.items()]
    return Chart(places, states[0], arcs)


def mechanic(chart: Chart[Any, int]) -> Mechanic[Standing, Any, Change]:
    """The mechanic of a chart: an event type for each trigger."""
    tags = dict.fromkeys(arc.trigger for arc in chart.arcs)
    kinds = {
        tag: msgspec.defstruct(f"Pulled_{tag}", [], bases=(Pulled,), tag=f"pulled-{tag}", frozen=True) for tag in tags
    }
    triggers = {kind: tag for tag, kind in kinds.items()}
    events: Any = Began
    for kind in (*kinds.values(), Claimed, Ruled, BackedUp):
        events = events | kind

    def step(standing: Standing, event: Any, number: int) -> Sequence[Change]:
        if isinstance(event, Began) is not (number == 1):
            # A step may leave the state half-updated when it refuses an event.
            standing.pulls["half"] = (number,)
            raise ImpossibleError("began is line 1 of a record, and no other line", path="$.type")
        if isinstance(event, Ruled):
            standing.place, standing.way = event.place, Way(number, "ruled", (number,))
        if not isinstance(event, Pulled):
            return ()
        was = chart.states[int(standing.place[1:])]
        place = chart.advance(was, triggers[type(event)], event.size, path="$.size")
        standing.pulls[event.by] = (*standing.pulls.get(event.by, ()), number)
        if place is was:
            return ()
        change = Change(number, "place", None, was.value, place.value, "pulled", (standing.way.event, number))
        standing.place, standing.way = place.value, change.way
        return (change,)

    def says(event: Any) -> list[Said]:
        if isinstance(event, Ruled):
            return [Said("place", None, event.place)]
        if not isinstance(event, Claimed):
            return []
        said = [] if event.place is None else [Said("place", None, event.place, event.by)]
        return said if event.pulls is None else [*said, Said("pulls", event.by, event.pulls, event.by)]

    def pulls(standing: Standing, subject: str) -> Derived | None:
        events = standing.pulls.get(subject)
        return None if events is None else Derived((len(events),), (Way(events[-1], None, events),))

    return Mechanic(
        name="lot", language=Language(events), start=Standing, step=step,
        parts={
            "place": Part(lambda standing, subject: Derived((standing.place,), (standing.way,))),
            "pulls": Part(pulls, lambda standing: standing.pulls),
        },
        says=says, rules={"pulled": "a trigger was pulled", "ruled": "somebody ruled so"},
        restores=lambda event: event.to if isinstance(event, BackedUp) else None, names={BackedUp: ("to",)},
        seals={Claimed: "after"}, freeze=msgspec.json.encode, thaw=msgspec.json.Decoder(Standing).decode,
        title=lambda event: event.name if isinstance(event, Began) else "", chart=chart,
    )  # fmt: skip


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """A random mechanic, and a record of it in which exactly the claims listed as wrong are wrong."""
    chart = draw(charts())
    made = mechanic(chart)
    pulling = [kind for kind in made.language.kinds if issubclass(kind, Pulled)]
    record: Recorded[Any, Any, Any] = Recorded(made, [Began(name="g")])
    wrong: list[int] = []
    backs = 0
    acts = draw(st.lists(st.sampled_from(["pull", "pull", "pull", "claim", "rule"]), min_size=3, max_size=20))
    at = draw(st.integers(2, len(acts)))
    for number, act in enumerate([*acts[:at], "back up", *acts[at:], "claim rightly"]):
        by = draw(st.sampled_from(PEOPLE))
        place, pulls = record.state.place, len(record.state.pulls.get(by, ()))
        if act == "back up":
            # Something among the undone events changed the state.
            pull(record, pulling, by, 0)
            backs = len(record) + 1
            record.record(BackedUp(to=draw(st.integers(3, backs - 2))))
        elif act == "pull" or number == 0:
            pull(record, draw(st.permutations(pulling)), by, draw(st.integers(0, 1)))
        elif act == "claim rightly":
            record.record(Claimed(by=by, place=place))
        elif act == "rule" or draw(st.booleans()):
            claimed = draw(st.sampled_from([state.value for state in chart.states]))
            wrong += [len(record) + 1] * (claimed != place)
            record.record(Ruled(place=claimed) if act == "rule" else Claimed(by=by, place=claimed))
        else:
            counted = draw(st.integers(0, 2))
            # A player who has fired no trigger has no count.
            wrong += [len(record) + 1] * (counted != pulls or not pulls)
            record.record(Claimed(by=by, pulls=counted))
    return Case(
        mechanic=made, events=record.events, wrong=tuple(wrong), backs=backs,
        claim={"type": "claimed", "by": "Dan", "place": "p0"}, named=(2, "by"),
        impossible=({"type": "began", "name": "again"}, "$.type"),
    )  # fmt: skip


def pull(record: Recorded[Any, Any, Any], kinds: Sequence[type], by: str, size: int) -> None:
    """Record the first legal event of `kinds`, with `size` or else `1 - size`; if no event is legal, do nothing."""
    for kind in kinds:
        for one in (size, 1 - size):
            try:
                record.record(kind(by=by, size=one))
            except RecordError:
                continue
            return
