"""Two mechanics in one record: the second keeps its own state beside the first's."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from operator import attrgetter
from typing import Any, Generic, TypeVar, cast

import msgspec

from daynight.framework.history import State
from daynight.framework.language.errors import RecordError
from daynight.framework.language.language import Language
from daynight.framework.mechanic import Mechanic, Part, Said
from daynight.framework.standing import Standing

A = TypeVar("A", bound=State)
B = TypeVar("B", bound=State)


class Pair(Generic[A, B]):
    """The states of two mechanics side by side, and which events stand."""

    __slots__ = ("first", "second", "standing")

    def __init__(self, first: A, second: B, standing: Standing) -> None:
        self.first = first
        self.second = second
        self.standing = standing

    def copy(self) -> Pair[A, B]:
        """Return an independent copy."""
        return Pair(self.first.copy(), self.second.copy(), self.standing.copy())


class _Frozen(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A pair as JSON; `standing` has the bounds of what stands."""

    first: msgspec.Raw
    second: msgspec.Raw
    standing: tuple[int, ...]


_ENCODER = msgspec.json.Encoder()
_DECODER = msgspec.json.Decoder(_Frozen)


def beside(
    first: Mechanic[A, Any, Any],
    second: Mechanic[B, Any, Any],
    *,
    language: Language[Any],
    passed: Callable[[A, int], None] = lambda state, number: None,
    tell: Callable[[B, Pair[A, B]], None] = lambda state, pair: None,
    **changes: Any,
) -> Mechanic[Pair[A, B], Any, Any]:
    """Both mechanics as one, whose `language` has the events of both.

    Each steps over its own events and restores only its own state: backing up the first leaves the second alone.
    `first.restores` answers None for the events of the second. `passed(state, number)` tells the first that event
    `number` was the second's. `tell(state, pair)` lets the second look at the first, and at what stands, before it
    steps; the first never sees the second. `changes` are other fields of the joined mechanic.
    """
    seconds = frozenset(second.language.kinds)
    firsts_step, firsts_restores = first.step, first.restores

    def step(pair: Pair[A, B], event: Any, number: int) -> Sequence[Any]:
        if type(event) in seconds:
            tell(pair.second, pair)
            found = second.step(pair.second, event, number)
            passed(pair.first, number)
            return found
        if (to := firsts_restores(event)) is not None:
            pair.standing.back_up(number, to)
        return firsts_step(pair.first, event, number)

    freeze, thaw = _keeping(first, second)
    remember, recall = _remembering(first)

    def restored(now: Pair[A, B], then: Pair[A, B]) -> Pair[A, B]:
        return Pair(first.restored(now.first, then.first), now.second, now.standing)

    joined: Mechanic[Pair[A, B], Any, Any] = replace(
        cast(Any, first),
        language=language,
        start=lambda: Pair(first.start(), second.start(), Standing()),
        step=step,
        parts={**_of("first", first), **_of("second", second)},
        says=lambda event: (second if type(event) in seconds else first).says(event),
        concludes=_together(first.concludes, second.concludes),
        rules={**first.rules, **second.rules},
        names={**first.names, **second.names},
        before={**first.before, **second.before},
        seals={**first.seals, **second.seals},
        fill=lambda event: (second if type(event) in seconds else first).fill(event),
        run=_bulk(first, seconds, step),
        freeze=freeze,
        thaw=thaw,
        remember=remember,
        recall=recall,
        forgets=lambda event, pair: type(event) not in seconds and first.forgets(event, pair.first),
        shown=lambda pair: first.shown(pair.first),
        restored=restored,
        seen=lambda pair, number: Pair(first.seen(pair.first, number), pair.second, pair.standing),
    )
    return replace(joined, **changes)


def _bulk(
    first: Mechanic[A, Any, Any], seconds: frozenset[type], step: Callable[[Pair[A, B], Any, int], Sequence[Any]]
) -> Callable[[Pair[A, B], Sequence[Any], int, list[Any] | None], None]:
    """The bulk step of both: it applies all events up to the next one of the second mechanic at once."""

    def run(pair: Pair[A, B], events: Sequence[Any], number: int, found: list[Any] | None) -> None:
        begun = 0
        for index in () if seconds.isdisjoint(map(type, events)) else range(len(events)):
            if type(events[index]) not in seconds:
                continue
            first.over(pair.first, events[begun:index], number + begun, found)
            begun = index + 1
            try:
                consequences = step(pair, events[index], number + begun)
            except RecordError as error:
                raise error.located(line=number + begun) from None
            if found is not None:
                found += consequences
        if begun < len(events):
            first.over(pair.first, events[begun:] if begun else events, number + begun, found)

    return run


def _together(*concluding: Callable[[Sequence[Any]], Iterable[tuple[int, Said]]] | None) -> Any:
    """Join what both conclude; None if neither concludes anything."""
    given = [one for one in concluding if one is not None]
    return (lambda events: [said for one in given for said in one(events)]) if given else None


def _keeping(
    first: Mechanic[A, Any, Any], second: Mechanic[B, Any, Any]
) -> tuple[Callable[[Pair[A, B]], bytes], Callable[[bytes], Pair[A, B]]] | tuple[None, None]:
    """Return the functions that freeze and thaw a pair; none if one of the two mechanics has none."""
    of_first, of_second, to_first, to_second = first.freeze, second.freeze, first.thaw, second.thaw
    if of_first is None or of_second is None or to_first is None or to_second is None:
        return None, None

    def freeze(pair: Pair[A, B]) -> bytes:
        states = msgspec.Raw(of_first(pair.first)), msgspec.Raw(of_second(pair.second))
        return _ENCODER.encode(_Frozen(*states, pair.standing.bounds))

    def thaw(data: bytes) -> Pair[A, B]:
        frozen = _DECODER.decode(data)
        states = to_first(bytes(frozen.first)), to_second(bytes(frozen.second))
        return Pair(*states, Standing.restored(frozen.standing))

    return freeze, thaw


def _remembering(
    first: Mechanic[A, Any, Any],
) -> tuple[Callable[[Pair[A, B]], bytes], Callable[[Pair[A, B], bytes], object]] | tuple[None, None]:
    """What a frozen pair leaves out, and back: of the first alone."""
    of_first, to_first = first.remember, first.recall
    if of_first is None or to_first is None:
        return None, None
    return lambda pair: of_first(pair.first), lambda pair, data: to_first(pair.first, data)


def _of(which: str, mechanic: Mechanic[Any, Any, Any]) -> dict[str, Part[Any]]:
    """Return the parts of one of the two mechanics as parts of the pair.

    Parts that share a function, such as the one for their subjects, still share it.
    """
    shared: dict[Any, Any] = {}
    state_of = attrgetter(which)

    def through(function: Callable[..., Any] | None) -> Any:
        if function is not None and function not in shared:
            shared[function] = lambda pair, *more: function(state_of(pair), *more)
        return None if function is None else shared[function]

    return {
        name: Part(
            through(part.derive),
            through(part.subjects),
            through(part.values),
            through(part.rests),
            part.lasts or which == "second",
        )
        for name, part in mechanic.parts.items()
    }
