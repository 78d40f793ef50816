"""Joins two mechanics in one record: the second keeps its own state beside the first's."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from operator import attrgetter
from typing import Any, Generic, TypeVar, cast

import msgspec

from daynight.framework.folding.moment import Copyable
from daynight.framework.folding.standing import Standing
from daynight.framework.language.errors import RecordError
from daynight.framework.language.happening import ByType, kinds_of
from daynight.framework.language.language import Language
from daynight.framework.mechanic import Check, Mechanic, Part, Said

A = TypeVar("A", bound=Copyable)
B = TypeVar("B", bound=Copyable)


class Pair(Generic[A, B]):
    """The states of two mechanics; `standing` knows which events no back-up of the first mechanic has undone."""

    __slots__ = ("first", "second", "standing")

    def __init__(self, first: A, second: B, standing: Standing) -> None:
        self.first = first
        self.second = second
        self.standing = standing

    def copy(self) -> Pair[A, B]:
        """Return an independent copy."""
        return Pair(self.first.copy(), self.second.copy(), self.standing.copy())


class _Frozen(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A pair as JSON; `standing` has the bounds of the events that stand."""

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
    """Return both mechanics joined into one, whose `language` has the events of both.

    Each mechanic applies only its own events, and a back-up of the first restores only the first state.
    `first.restores` must return None for the events of the second. `passed(state, number)` notes in the first state
    that event `number` belongs to the second. `tell(state, pair)` lets the second read the first state, and which
    events stand, before each of its steps; the first never sees the second. If one of them has a `check`, the joined
    version has both versions, such as `(2, 1)`. `changes` sets further fields of the joined mechanic.
    """
    seconds = frozenset(second.language.kinds)
    backing = kinds_of(first.restores, first.language.kinds)
    ours: Mechanic[Pair[A, B], Any, Any] = through(
        first, attrgetter("first"), lambda pair, state: Pair(state, pair.second, pair.standing)
    )
    theirs: Mechanic[Pair[A, B], Any, Any] = through(
        second, attrgetter("second"), lambda pair, state: Pair(pair.first, state, pair.standing)
    )

    def step(pair: Pair[A, B], event: Any, number: int) -> Sequence[Any]:
        if type(event) in seconds:
            tell(pair.second, pair)
            found = theirs.step(pair, event, number)
            passed(pair.first, number)
            return found
        if type(event) in backing and (to := first.restores(event)) is not None:
            pair.standing.back_up(number, to)
        return first.step(pair.first, event, number)

    freeze, thaw = _keeping(first, second)
    joined = replace(
        ours,
        language=language,
        **_ruled_by(first, second, seconds),
        start=lambda: Pair(first.start(), second.start(), Standing()),
        step=step,
        parts={**ours.parts, **{name: replace(part, lasts=True) for name, part in theirs.parts.items()}},
        says=_by_either(first, second, "says"),
        concludes=_together(first.concludes, second.concludes),
        rules={**first.rules, **second.rules},
        names={**first.names, **second.names},
        before={**first.before, **second.before},
        seals={**first.seals, **second.seals},
        fill=_by_either(first, second, "fill"),
        run=_bulk(first, seconds, step),
        freeze=freeze,
        thaw=thaw,
        forgets=lambda event, pair: type(event) not in seconds and ours.forgets(event, pair),
    )
    return replace(joined, **changes)


def _ruled_by(first: Mechanic[A, Any, Any], second: Mechanic[B, Any, Any], seconds: frozenset[type]) -> dict[str, Any]:
    """Return the joined `version`, `check` and `checks`; if neither mechanic has a `check`, just `first.version`."""
    if first.check is None and second.check is None:
        return {"version": first.version}

    def joined(ours: Check | None, theirs: Check | None) -> Check:
        def check(pair: Pair[A, B], event: Any, number: int) -> object:
            asked, state = (theirs, pair.second) if type(event) in seconds else (ours, pair.first)
            return None if asked is None else asked(state, event, number)

        return check

    of_first: dict[Any, Any] = {first.version: first.check, **first.checks}
    of_second: dict[Any, Any] = {second.version: second.check, **second.checks}
    found = {(*_parts(a), *_parts(b)): joined(of_first[a], of_second[b]) for a in of_first for b in of_second}
    today = (*_parts(first.version), *_parts(second.version))
    return {"version": today, "check": found.pop(today), "checks": found}


def _parts(version: int | tuple[int, ...]) -> tuple[int, ...]:
    return version if isinstance(version, tuple) else (version,)


def through(
    mechanic: Mechanic[A, Any, Any], get: Callable[[Any], A], put: Callable[[Any, A], Any]
) -> Mechanic[Any, Any, Any]:
    """Return a mechanic with the same rules for a larger state, which contains the state of the given `mechanic`.

    `get(larger)` returns the state inside, `put(larger, state)` a larger state with another state inside. A back-up
    restores only the state inside. The caller must replace `start`; without a new `freeze` and `thaw`, there are no
    snapshots.
    """
    shared: dict[Any, Any] = {}

    def lifted(function: Callable[..., Any] | None) -> Any:
        # Parts that share a function, such as the one for their subjects, still share it.
        if function is not None and function not in shared:
            shared[function] = lambda whole, *more: function(get(whole), *more)
        return None if function is None else shared[function]

    parts = {
        name: Part(lifted(one.derive), lifted(one.subjects), lifted(one.values), lifted(one.rests), one.lasts)
        for name, one in mechanic.parts.items()
    }
    return replace(
        cast(Any, mechanic),
        step=lifted(mechanic.step),
        check=lifted(mechanic.check),
        checks={version: lifted(check) for version, check in mechanic.checks.items()},
        run=None if mechanic.run is None else lifted(mechanic.over),
        handlers=None,
        parts=parts,
        freeze=None,
        thaw=None,
        remember=lifted(mechanic.remember),
        recall=lifted(mechanic.recall),
        forgets=lambda event, whole: mechanic.forgets(event, get(whole)),
        shown=lifted(mechanic.shown),
        restored=lambda now, then: put(now, mechanic.restored(get(now), get(then))),
        seen=lambda whole, number: put(whole, mechanic.seen(get(whole), number)),
    )


def _by_either(first: Mechanic[A, Any, Any], second: Mechanic[B, Any, Any], name: str) -> ByType[Any]:
    """Return the joined field `name`: a function that calls that of `first` or `second`, by the type of the event."""
    ours, theirs = getattr(first, name), getattr(second, name)
    kinds: dict[type, Any] = dict.fromkeys(kinds_of(ours, first.language.kinds), ours)
    # The first may know the events of the second too, without a rule about them.
    seconds: dict[type, Any] = dict.fromkeys(second.language.kinds, theirs)
    return ByType({**kinds, **seconds}, ours)


def _bulk(
    first: Mechanic[A, Any, Any], seconds: frozenset[type], step: Callable[[Pair[A, B], Any, int], Sequence[Any]]
) -> Callable[[Pair[A, B], Sequence[Any], int, list[Any] | None], None]:
    """Return the joined `run`, which applies all of the first mechanic's events before one of the second's at once."""

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
    """Return the joined `concludes`, which returns the rulings of both mechanics; None if neither has a `concludes`."""
    given = [one for one in concluding if one is not None]
    return (lambda events: [said for one in given for said in one(events)]) if given else None


def _keeping(
    first: Mechanic[A, Any, Any], second: Mechanic[B, Any, Any]
) -> tuple[Callable[[Pair[A, B]], bytes], Callable[[bytes], Pair[A, B]]] | tuple[None, None]:
    """Return the functions that freeze and thaw a pair; two times None if one of the mechanics cannot do that."""
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
