"""Checks the event types of a language when it is created."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from inspect import get_annotations
from typing import Annotated, Any, get_args, get_origin

from msgspec import Struct

from daynight.framework.language.happening import Happening, Unmarked

_CHANGING = {list: "tuple", dict: "tuple of pairs", set: "frozenset", bytearray: "bytes"}
"""Mutable types, and for each an immutable one that holds the same."""

_COMMON = frozenset(get_annotations(Happening)) | frozenset(get_annotations(Unmarked))


def check_events(kinds: tuple[type, ...]) -> None:
    """Check that events are immutable, and that common fields have their usual types.

    Raises:
        TypeError: with the type, the field, what is wrong, and what to write.
    """
    seen: set[type] = set()
    for kind in kinds:
        _check(kind, seen)


def _check(kind: type, seen: set[type]) -> None:
    for one in kind.__mro__:
        if one in seen or one in (Happening, Unmarked, Struct):
            continue
        seen.add(one)
        for name, given in _own_fields(one).items():
            place = f"{one.__name__}.{name}"
            if name in _COMMON and issubclass(one, Unmarked):
                raise TypeError(f"{place}: every event has {name}, which no rule reads; give this field another name")
            for held in _inside(given):
                if held in _CHANGING:
                    told = f"{place}: a {held.__name__} can change, and an event can't"
                    raise TypeError(f"{told}; write a {_CHANGING[held]}")
                if isinstance(held, type) and issubclass(held, Struct):
                    _check(held, seen)


# Languages share types, and reading annotations is slow.
@cache
def _own_fields(kind: type) -> dict[str, Any]:
    return get_annotations(kind, eval_str=True)


def _inside(given: Any) -> Iterator[Any]:
    """Yield a type, and those that it is made of."""
    if get_origin(given) is Annotated:
        given = get_args(given)[0]
    yield get_origin(given) or given
    for one in get_args(given):
        yield from _inside(one)
