"""Values of an application in the forms in which they are compared, shown, hidden, and written as JSON."""

from __future__ import annotations

import hmac
import itertools
import re
import secrets
from collections.abc import Iterable, Mapping, Set
from dataclasses import fields, is_dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from functools import lru_cache
from itertools import chain
from typing import Any, NamedTuple
from uuid import UUID

import msgspec

SIMPLE = (str, int, float, bool, type(None), Decimal, UUID, datetime, date, time, timedelta, Enum)
"""Immutable types that JSON can write; their values are kept unchanged."""

_SIMPLE = frozenset(SIMPLE) - {Enum}
_OF_JSON = frozenset({str, int, float, bool, type(None)})
_COLLECTIONS = frozenset({list, tuple, dict, set, frozenset})

HIDDEN = "(hidden)"
"""The text shown in place of a hidden value."""

CUT = "..."
"""The text shown where a value contains itself, or has more than `MOST` collections and objects."""

MOST = 100_000
"""The most collections and objects in a value that are shown; `CUT` is shown for each further one."""

_PLACE = re.compile(r" at 0x[0-9a-fA-F]+")
_KNOWN_BY_SIGHT = 3
"""A hidden value with fewer characters is hidden under its own name only, and not looked for elsewhere."""


def shown(value: Any) -> Any:
    """Return a copy of a value that later changes of the application's object do not affect, and that JSON can hold.

    Simple values stay unchanged. A collection becomes a dict or a list, an object a dict of its attributes; other
    values become their `repr` without the address. A value that contains itself is cut off there.
    """
    return _shown(value, {})


def _shown(value: Any, known: dict[int, Any]) -> Any:
    if type(value) in _SIMPLE or isinstance(value, SIMPLE):
        return value
    if (found := known.get(id(value))) is not None:
        return found
    # Objects may hold each other: each is looked at once.
    known[id(value)] = CUT
    if len(known) > MOST:
        return CUT
    known[id(value)] = made = _made(value, known)
    return made


def _made(value: Any, known: dict[int, Any]) -> Any:
    if type(value) is dict and _is_flat(value) and {*map(type, value)} <= {str}:
        return {key: [*one] if type(one) is tuple else one for key, one in value.items()}
    if isinstance(value, Mapping):
        return {_key(key): _shown(one, known) for key, one in value.items()}
    if isinstance(value, (set, frozenset)):
        return sorted((_shown(one, known) for one in value), key=repr)
    if type(value) is list and _is_flat(value):
        # Long lists are common, and each event may add to one.
        return [[*one] if type(one) is tuple else one for one in value]
    if isinstance(value, (list, tuple)) or (isinstance(value, Iterable) and hasattr(value, "append")):
        return [_shown(one, known) for one in value]
    if isinstance(value, (bytes, bytearray)):
        return value.hex()
    own = attributes(value)
    return {key: _shown(one, known) for key, one in own.items()} if own else in_python(value)


def as_json(value: Any) -> Any:
    """Return a value as JSON: `plain` of what is `shown` of it."""
    kind = type(value)
    if kind in _OF_JSON:
        return value
    return str(value) if kind is Decimal else plain(shown(value))


def argument(value: Any) -> Any:
    """Return an argument of a trigger as JSON; a value that JSON cannot hold becomes its `repr`."""
    if isinstance(value, SIMPLE):
        return plain(value)
    if isinstance(value, dict):
        return {_key(key): argument(one) for key, one in value.items()}
    return [argument(one) for one in value] if isinstance(value, (list, tuple)) else in_python(value)


def in_python(value: Any) -> str:
    """Return the `repr` of a value, without its address."""
    return _PLACE.sub("", repr(value))


def attributes(thing: Any) -> dict[str, Any]:
    """Return the attributes of an object, in their order: of a plain object, a dataclass, or one with slots."""
    kind: Any = type(thing)
    declared = _declared(kind)
    if declared is not None and getattr(thing, "__dict__", {}).keys() == declared.keys():
        return {**declared, **vars(thing)}
    if is_dataclass(thing) and not isinstance(thing, type):
        return {one.name: getattr(thing, one.name) for one in fields(thing) if hasattr(thing, one.name)} | dict(
            getattr(thing, "__dict__", {})
        )
    if isinstance(thing, msgspec.Struct):
        return {name: getattr(thing, name) for name in thing.__struct_fields__}
    if hasattr(thing, "__dict__"):
        return dict(vars(thing))
    names = [name for kind in type(thing).__mro__ for name in _slots(kind)]
    return {name: getattr(thing, name) for name in names if hasattr(thing, name)}


def names_of(thing: Any) -> Set[str]:
    """Return the names of the attributes of an object; empty for None."""
    if thing is None:
        return frozenset()
    own = getattr(thing, "__dict__", None)
    kind: Any = type(thing)
    return attributes(thing).keys() if own is None or _declared(kind) is not None else own.keys()


@lru_cache(maxsize=1024)
def _declared(kind: Any) -> dict[str, None] | None:
    """Return a dict whose keys are the fields of a dataclass, in their order; None for any other class."""
    return dict.fromkeys(one.name for one in fields(kind)) if is_dataclass(kind) else None


def _slots(kind: type) -> tuple[str, ...]:
    found = vars(kind).get("__slots__", ())
    return (found,) if isinstance(found, str) else tuple(found)


def _key(key: Any) -> str:
    return key if isinstance(key, str) else str(key.value if isinstance(key, Enum) else key)


class Flat(NamedTuple):
    """A copy of a collection of simple values and tuples of them; two copies are compared by a single `==`."""

    kind: type
    copy: Any
    seen: Any


class Deep:
    """The fingerprint of a value that is neither simple nor flat; two are equal if the values are `shown` alike.

    `lines` has the JSON of the value, or of each element of a list: equal `lines` mean an unchanged value. It is None
    where the value contains itself, or objects without attributes. It lacks the attributes that a dataclass does not
    declare: no change of these alone is found.
    """

    __slots__ = ("kind", "lines", "seen")

    def __init__(self, kind: type, seen: Any, lines: list[bytes] | None) -> None:
        self.kind, self.seen, self.lines = kind, seen, lines

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Deep) and bool(self.seen == other.seen)

    __hash__ = None  # type: ignore[assignment]


def looked_at(value: Any, kept: Any) -> tuple[Any, Any] | None:
    """Return a value as it is shown, and its fingerprint, which is equal for equal values.

    `kept` is the earlier fingerprint, or None. Return None if, by `kept`, the value has not changed; a simple value is
    always returned. The fingerprint is a simple value itself, a copy of a flat collection (`Flat`), or what is shown of
    another value (`Deep`). Of a list only the elements that changed are shown anew.
    """
    if isinstance(value, SIMPLE):
        return value, value
    kind = type(value)
    if type(kept) is Flat and kept.kind is kind:
        if kept.copy == value:
            return None
        if (more := _grown(kept.copy, value)) is not None:
            seen = kept.seen + more
            return seen, Flat(kind, value.copy(), seen)
    # What is `kept` of a value with objects in it has none that is flat.
    was = kept if type(kept) is Deep and kept.kind is kind and kept.lines is not None else None
    if was is None and kind in _COLLECTIONS and _is_flat(value):
        seen = shown(value)
        return seen, Flat(kind, value.copy() if hasattr(value, "copy") else value, seen)
    lines = _lines(value)
    if was is None or lines is None or kind is not list:
        if was is not None and was.lines == lines:
            return None
        seen = shown(value)
        return seen, Deep(kind, seen, lines)
    if was.lines == lines:
        return None
    known = zip(was.lines or (), was.seen, strict=True)
    seen = [
        had[1] if had is not None and had[0] == line else shown(one)
        for one, line, had in zip(value, lines, chain(known, itertools.repeat(None)), strict=False)
    ]
    return seen, Deep(kind, seen, lines)


def _grown(kept: Any, value: Any) -> list[Any] | None:
    """Return the elements that `value`, a flat list, has after those of `kept`, as shown; None if more differs."""
    if type(value) is not list or value[: len(kept)] != kept or not _is_flat(value[len(kept) :]):
        return None
    return [[*one] if type(one) is tuple else one for one in value[len(kept) :]]


def _lines(value: Any) -> list[bytes] | None:
    try:
        return [*map(_AS_LINE, value)] if type(value) is list else [_AS_LINE(value)]
    except Exception:
        # What it holds may be anything, and so may the error.
        return None


def _for_line(value: Any) -> Any:
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Iterable) and hasattr(value, "append"):
        return [*value]
    if not (own := attributes(value)):
        raise TypeError(value)
    return own


_AS_LINE = msgspec.json.Encoder(decimal_format="number", enc_hook=_for_line).encode


def _is_flat(value: Any) -> bool:
    """Return whether a collection holds simple values alone, and tuples of them."""
    inside = value.values() if type(value) is dict else value
    kinds = {*map(type, inside)}
    if tuple in kinds:
        tuples = inside if len(kinds) == 1 else [one for one in inside if type(one) is tuple]
        kinds = {*kinds - {tuple}, *map(type, chain.from_iterable(tuples))}
    return all(one in _SIMPLE or issubclass(one, Enum) for one in kinds)


def plain(value: Any) -> Any:
    """Return the result of `shown` in types that every JSON writer knows, the same in every process."""
    if isinstance(value, Enum):
        return plain(value.value)
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    if isinstance(value, (datetime, date, time)):
        return value.isoformat()
    return str(value) if isinstance(value, (Decimal, UUID, timedelta)) else value


def in_words(value: Any) -> str:
    """Return a value on one line: a text unchanged, the rest as JSON."""
    found = plain(shown(value))
    return str(found) if isinstance(found, str) else msgspec.json.encode(found).decode()


class Hiding:
    """The names of fields and attributes whose values are never shown: not in events, attributes, sentences, or JSON.

    A text seen under such a name is hidden under every other name too, if it has at least three characters.

    `key` is the key for the marks by which hidden values are compared: two processes need the same key. `everything`:
    the values of all names are hidden.
    """

    def __init__(self, names: Iterable[str] = (), key: bytes | None = None, *, everything: bool = False) -> None:
        self.everything = everything
        self.names = frozenset(names)
        self.key = secrets.token_bytes(32) if key is None else key
        self._seen: set[str] = set()
        self._texts: set[str] = set()

    def __bool__(self) -> bool:
        return self.everything or bool(self.names)

    @property
    def texts(self) -> int:
        """The number of hidden texts seen so far; these texts are hidden under every name."""
        return len(self._texts)

    def shown(self, name: str, value: Any) -> Any:
        """Return the value of the field or attribute `name` with `HIDDEN` in the place of what is hidden."""
        if self.everything or name in self.names:
            self._note(value)
            return HIDDEN
        return self._within(value) if self.names else value

    def mark(self, name: str, value: Any) -> str | None:
        """Return a mark that is equal for equal values and reveals nothing, if part of the value is hidden; or None."""
        hides = self.everything or name in self.names
        if not self or (not hides and self._within(value) == value):
            return None
        return hmac.digest(self.key, msgspec.json.encode(plain(value)), "sha256").hex()

    def _within(self, value: Any) -> Any:
        if isinstance(value, dict):
            return dict(zip(self._keys([*value]), itertools.starmap(self.shown, value.items()), strict=True))
        if isinstance(value, list):
            return [self._within(one) for one in value]
        # The same text under another name: the event's field that an attribute was set by, or the reverse.
        return HIDDEN if isinstance(value, str) and value in self._texts else value

    def _keys(self, keys: list[str]) -> list[str]:
        """Return `keys` with hidden texts replaced: the first by `(hidden)`, the second by `(hidden) 2`, and so on."""
        hidden = itertools.chain([HIDDEN], (f"{HIDDEN} {number}" for number in itertools.count(2)))
        return [next(hidden) if key in self._texts else key for key in keys]

    def _note(self, value: Any) -> None:
        for one in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
            self._note(one)
        if not isinstance(value, (dict, list, bool)) and len(text := str(value)) >= _KNOWN_BY_SIGHT:
            self._seen |= {text, repr(value)}
            if isinstance(value, str) and not isinstance(value, Enum):
                self._texts.add(text)

    def sentence(self, text: str) -> str:
        """Return `text` with `HIDDEN` for each hidden value seen; with `everything`, for all after the first colon.

        With `everything`, a text without a colon stays as it is.
        """
        if self.everything:
            # What an error is called is no value; its words may be, or have a part of one.
            return f"{text.partition(':')[0]}: {HIDDEN}" if ":" in text else text
        for one in sorted(self._seen, key=len, reverse=True):
            text = text.replace(one, HIDDEN)
        return text
