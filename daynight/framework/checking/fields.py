"""Checks the event types of a language when it is created."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from inspect import get_annotations
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

from msgspec import Struct
from msgspec.structs import fields

from daynight.framework.language.happening import Happening, Unmarked

_CHANGING = {list: "tuple", dict: "tuple of pairs", set: "frozenset", bytearray: "bytes"}
"""Mutable types, each with the immutable type that the error advises instead."""

_NULL = type(None)

_COMMON = frozenset(get_annotations(Happening)) | frozenset(get_annotations(Unmarked))


def check_events(kinds: tuple[type, ...]) -> None:
    """Check that no field has a mutable type or can be null, and that no event defines a common field like `note`.

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
        _check_optional(one)


def _check_optional(kind: type) -> None:
    """Raise TypeError if a field of the class `kind` can be written as null, which the reader refuses."""
    own = _own_fields(kind)
    if not issubclass(kind, Struct):
        return
    for field in fields(kind):
        if field.name not in own:
            continue
        place, types = f"{kind.__name__}.{field.name}", [*_alternatives(own[field.name])]
        if any(_NULL in _inside(each) for each in types if each is not _NULL):
            raise TypeError(f"{place}: a record has no null; leave None out of what this field holds")
        if _NULL not in types:
            continue
        if field.default is not None:
            raise TypeError(f"{place}: an optional field has the default None, for a record has no null")
        if not kind.__struct_config__.omit_defaults:
            raise TypeError(f"{place}: a record has no null; make {kind.__name__} with omit_defaults=True")


def _alternatives(given: Any) -> Iterator[Any]:
    """Yield the members of a union type, or else the type itself."""
    if get_origin(given) is Annotated:
        yield from _alternatives(get_args(given)[0])
    elif get_origin(given) in (Union, UnionType):
        for one in get_args(given):
            yield from _alternatives(one)
    else:
        yield given


# Languages share types, and reading annotations is slow.
@cache
def _own_fields(kind: type) -> dict[str, Any]:
    return get_annotations(kind, eval_str=True)


def _inside(given: Any) -> Iterator[Any]:
    """Yield a type, and the types inside it: for `tuple[str, ...]` also `str`."""
    if get_origin(given) is Annotated:
        given = get_args(given)[0]
    yield get_origin(given) or given
    for one in get_args(given):
        yield from _inside(one)
