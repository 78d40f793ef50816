"""Describes a language, so that other versions of the code can find out whether they read old lines correctly.

Lines leave defaults out. So a changed default changes what every stored line means, and nothing in the line shows it.
`description` describes the events of a language; `changes` compares that with an earlier description.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec
from msgspec import NODEFAULT, inspect

from daynight.framework.language.happening import Happening, tag_of
from daynight.framework.language.language import Language

_OWN = frozenset(field.name for field in msgspec.structs.fields(Happening))
"""The fields that the framework gives to all events."""

_BOUNDS = ("gt", "ge", "lt", "le", "multiple_of", "min_length", "max_length", "pattern")
_LOW, _HIGH = frozenset({"gt", "ge", "min_length"}), frozenset({"lt", "le", "max_length"})

_NEWER = ", or use the newer code that wrote the store"
"""The advice where newer code may have written the store: that code made a change that was allowed."""

Described = dict[str, Any]
"""JSON objects that describe a language (its tags), a struct (its fields), or a type."""


def description(language: Language[Any]) -> Described:
    """Return an object of JSON that has for each tag of a language its own fields, with types, bounds and defaults."""
    return {tag_of(kind): _fields(inspect.type_info(kind), (kind,)) for kind in language.kinds}


def changes(before: Mapping[str, Any], language: Language[Any]) -> list[str]:
    """Return a sentence with advice for each way in which `language` reads lines otherwise than `before` describes.

    New tags, further optional fields or values, and wider bounds give no sentence: old lines keep their meaning.
    """
    after, found = description(language), []
    for tag, fields in before.items():
        if tag in after:
            mend = f"; make {_next(tag)} and an upcaster"
            found += [
                f"{tag}.{change}{mend}{_NEWER if by_newer else ''}" for change, by_newer in _changed(fields, after[tag])
            ]
        elif not language.knows(tag):
            found.append(f"{tag}: stored lines may have this tag; keep an upcaster for it{_NEWER}")
    return found


def _next(tag: str) -> str:
    """Return the tag of the next shape: `opened.2` after `opened`."""
    stem, dot, number = tag.rpartition(".")
    return f"{stem}.{int(number) + 1}" if dot and number.isdecimal() else f"{tag}.2"


def _fields(struct: Any, inside: tuple[type, ...]) -> Described:
    return {field.encode_name: _field(field, inside) for field in struct.fields if field.name not in _OWN}


def _field(field: inspect.Field, inside: tuple[type, ...]) -> Described:
    described: Described = {"type": _type(field.type, inside)}
    if field.default is not NODEFAULT:
        described["default"] = _as_json(field.default)
    elif field.default_factory is not NODEFAULT:
        made, again = (_as_json(field.default_factory()) for _time in range(2))
        described |= {"default": made} if made == again else {"made": True}
    return described


def _as_json(default: Any) -> Any:
    """Return a default value as it is after writing it to JSON and reading it: a tuple becomes a list."""
    return msgspec.json.decode(msgspec.json.encode(default))


def _type(kind: inspect.Type, inside: tuple[type, ...]) -> Described:
    if isinstance(kind, inspect.Metadata):
        return _type(kind.type, inside)
    bounds = {name: value for name in _BOUNDS if (value := getattr(kind, name, None)) is not None}
    return next(tell(kind, inside) for known, tell in _TOLD if isinstance(kind, known)) | bounds


# The first matching entry describes a type.
_TOLD: tuple[tuple[Any, Callable[[Any, tuple[type, ...]], Described]], ...] = (
    (inspect.EnumType, lambda kind, inside: {"values": sorted([member.value for member in kind.cls], key=repr)}),
    (inspect.LiteralType, lambda kind, inside: {"values": sorted(kind.values, key=repr)}),
    (inspect.UnionType, lambda kind, inside: {"any": [_type(one, inside) for one in kind.types]}),
    (inspect.StructType, lambda kind, inside: _struct(kind, inside)),  # noqa: PLW0108  # it is defined below
    (inspect.TupleType, lambda kind, inside: {"items": [_type(one, inside) for one in kind.item_types]}),
    (inspect.CollectionType, lambda kind, inside: {"each": _type(kind.item_type, inside)}),
    (
        inspect.DictType,
        lambda kind, inside: {"key": _type(kind.key_type, inside), "value": _type(kind.value_type, inside)},
    ),
    (inspect.CustomType, lambda kind, inside: {"is": kind.cls.__name__}),
    (inspect.Type, lambda kind, inside: {"is": type(kind).__name__.removesuffix("Type").lower()}),
)


def _struct(kind: inspect.StructType, inside: tuple[type, ...]) -> Described:
    if kind.cls in inside:
        # It holds itself: its fields are described already.
        return {"struct": kind.cls.__name__}
    told = {"fields": {field.encode_name: _field(field, (*inside, kind.cls)) for field in kind.fields}}
    return told if kind.tag is None else told | {"tag": kind.tag}


def _changed(before: Described, after: Described) -> Iterable[tuple[str, bool]]:
    """Yield pairs: a sentence about a field that is read differently now, and whether newer code may be the reason."""
    for name, field in before.items():
        now = after.get(name)
        if now is None:
            yield f"{name}: stored lines may have it, and it is gone", True
        elif not _is_wider(field["type"], now["type"]):
            yield f"{name}: what stored lines may have there is refused now", True
        elif _left_out(field) and not _left_out(now):
            yield f"{name}: stored lines may leave it out, and now it is needed", True
        elif _left_out(field) and field.get("default") != now.get("default"):
            was, now_ = (_shown(one.get("default")) for one in (field, now))
            yield f"{name}: stored lines left out {was}, now it is {now_}", False
    for name, field in after.items():
        if name not in before and not _left_out(field):
            yield f"{name}: it is needed now, and stored lines do not have it", False


def _left_out(field: Described) -> bool:
    return "default" in field or "made" in field


def _shown(default: Any) -> str:
    return "nothing" if default is None else msgspec.json.encode(default).decode()


def _is_wider(before: Described, after: Described) -> bool:
    """Return whether every value of the type `before` is also a value of the type `after`, with the same meaning."""
    if before == after:
        return True
    if "any" in before or "any" in after:
        here, there = before.get("any", [before]), after.get("any", [after])
        return all(any(_is_wider(one, other) for other in there) for one in here)
    if "values" in before:
        return set(map(repr, before["values"])) <= set(map(repr, after.get("values", ())))
    if "fields" in before:
        # A description by an earlier daynight has no tags.
        alike = "fields" in after and before.get("tag", after.get("tag")) == after.get("tag")
        return alike and not [*_changed(before["fields"], after["fields"])]
    if "items" in before:
        pairs = before["items"], after.get("items", ())
        return len(pairs[0]) == len(pairs[1]) and all(map(_is_wider, *pairs))
    inner = [name for name in ("each", "key", "value") if name in before]
    if [name for name in ("each", "key", "value") if name in after] != inner or before.get("is") != after.get("is"):
        return False
    return all(_is_wider(before[name], after[name]) for name in inner) and _have_room(before, after)


def _have_room(before: Described, after: Described) -> bool:
    for bound in _BOUNDS:
        was, now = before.get(bound), after.get(bound)
        if now is None or was == now:
            continue
        if was is None or bound not in _LOW | _HIGH or (now > was if bound in _LOW else now < was):
            return False
    return True
