"""The test kit runs each step several times, and reports a step whose results differ, with the difference.

| promise | for it | against it |
| --- | --- | --- |
| a step that only reads the state and the event passes | test_pure | test_impure |
| random numbers, clocks, counters and shared defaults are found, in results and states | test_pure | test_impure |
| states without equality are compared by their fields, their frozen form or their parts | test_pure | test_states |
| a step that changes an object shared with another copy of the state is found | test_pure | test_shared |
| a `check` that changes the state is found, because a replay does not call `check` | test_checked | test_checked |
"""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable, Sequence
from itertools import count
from typing import Any

import msgspec
import pytest

from daynight.framework import Derived, Facts, Happening, ImpossibleError, Language, Mechanic, Part, given


class Pressed(Happening, frozen=True, tag="pressed"):
    by: str


class Undone(Happening, frozen=True, tag="undone"):
    to: int


class Lamp(Facts):
    presses: int = 0
    by: set[str] = msgspec.field(default_factory=set)
    last: Any = None


COUNTER = count(1)
SEEN: list[int] = []


def pure(lamp: Any, event: Any, number: int) -> Sequence[Any]:
    lamp.presses += 1
    lamp.by.add(getattr(event, "by", "nobody"))
    return [lamp.presses, frozenset(lamp.by)]


def drawing(lamp: Any, event: Any, number: int) -> Sequence[Any]:
    return [random.choice("a")]


def by_the_clock(lamp: Any, event: Any, number: int) -> Sequence[Any]:
    lamp.last = time.perf_counter_ns()
    return ()


def counting(lamp: Any, event: Any, number: int) -> Sequence[Any]:
    return [next(COUNTER)]


def by_a_default(lamp: Any, event: Any, number: int, seen: list[int] = []) -> Sequence[Any]:  # noqa: B006  # a mistake
    seen.append(number)
    lamp.presses = len(seen)
    return ()


def once(lamp: Any, event: Any, number: int) -> Sequence[Any]:
    if number == 2 and number in SEEN:
        raise ImpossibleError("seen before")
    SEEN.append(number)
    return ()


class Plain:
    """A state with fields, and without `__eq__`."""

    presses = 0

    def __init__(self) -> None:
        self.by = set[str]()

    def copy(self) -> Any:
        """Return a copy, with a set `by` of its own."""
        other = type(self)()
        other.presses, other.by = self.presses, {*self.by}
        return other


class Bare:
    """A state without `__dict__` and without `__eq__`: its fields can't be listed."""

    __slots__ = ("by", "presses")

    def __init__(self) -> None:
        self.presses, self.by = 0, set[str]()

    copy = Plain.copy


def mechanic(step: Callable[..., Any], start: Callable[[], Any] = Lamp, **more: Any) -> Mechanic[Any, Any, Any]:
    return Mechanic(
        name="lamp",
        language=Language(Pressed | Undone),
        start=start,
        step=step,
        restores=lambda event: event.to if isinstance(event, Undone) else None,
        **more,
    )


def presses(lamp: Any, subject: None) -> Derived:
    return Derived((lamp.presses,))


@pytest.mark.parametrize("start", [Lamp, Bare, Plain])
def test_pure(start: Any) -> None:
    scenario = given(mechanic(pure, start, parts={"presses": Part(presses)}), Pressed(by="Ana"))
    scenario.when(Pressed(by="Bo"), Pressed(by="Cy")).then(3, frozenset({"Ana", "Bo", "Cy"})).when(Undone(to=1))


@pytest.mark.parametrize(
    "step, sentence",
    [
        (drawing, "step, event 2 (Pressed): it draws random numbers"),
        (by_the_clock, "step, event 2 (Pressed): run twice from one state, it differs in the field last: "),
        (counting, "step, event 2 (Pressed): run twice from one state, it differs in its answer: ("),
        (by_a_default, "step, event 2 (Pressed): run twice from one state, it differs in the field presses: "),
        (once, "step, event 2 (Pressed): it was possible; run again, it is refused: "),
    ],
)
def test_impure(step: Any, sentence: str) -> None:
    scenario = given(mechanic(step), Pressed(by="Ana"))
    with pytest.raises(AssertionError, match=f"^{re.escape(sentence)}") as found:
        scenario.when(Pressed(by="Bo"))
    assert str(found.value).endswith("a step reads no clock, no file, no random number, and nothing that another step"
                                     " has changed")  # fmt: skip


@pytest.mark.parametrize(
    "start, more, differs",
    [
        (Plain, {}, "the field presses"),
        (Bare, {"freeze": lambda lamp: b"%d" % lamp.presses, "thaw": Bare}, "the frozen state"),
        (Bare, {"parts": {"presses": Part(presses)}}, "the part presses of None"),
    ],
)
def test_states(start: Any, more: Any, differs: str) -> None:
    def step(lamp: Any, event: Any, number: int) -> Sequence[Any]:
        lamp.presses = next(COUNTER)
        return ()

    with pytest.raises(AssertionError, match=f"it differs in {differs}: "):
        given(mechanic(step, start, **more)).when(Pressed(by="Ana"))


def test_shared() -> None:
    class Shelf:
        books: list[int] = []  # noqa: RUF012  # a mistake

        def copy(self) -> Shelf:
            return Shelf()

    def step(shelf: Any, event: Any, number: int) -> Sequence[Any]:
        shelf.books.append(number)
        return ()

    parts = {"books": Part(lambda shelf, subject: Derived((len(shelf.books),)))}
    with pytest.raises(AssertionError, match=r"^step changes what a state shares with its copies"):
        given(mechanic(step, Shelf, parts=parts)).when(Pressed(by="Ana"))


def test_checked() -> None:
    def changing(lamp: Any, event: Any, number: int) -> None:
        lamp.presses += 10

    def looking(lamp: Any, event: Any, number: int) -> None:
        assert lamp.presses < 10

    given(mechanic(pure, check=looking)).when(Pressed(by="Ana")).then(1, frozenset({"Ana"}))
    with pytest.raises(AssertionError, match="it differs in "):
        given(mechanic(pure, check=changing)).when(Pressed(by="Ana"))
