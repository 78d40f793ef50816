"""The fields that every event may have besides its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import Any, Generic, TypeVar

from msgspec import Struct
from msgspec.structs import fields

from daynight.framework.language.errors import RecordError, locating
from daynight.framework.language.kinds import Time, Version

E = TypeVar("E")
R = TypeVar("R")


class Unmarked(
    Struct,
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    omit_defaults=True,
    repr_omit_defaults=True,
    gc=False,
    tag_field="type",
):
    """The fields of all events: `at` (an RFC 3339 time), `note` (a sentence) and `meta` (any object).

    All three are stored and shown; no rule ever reads them. Derive your events from `Happening`, which adds `rules`.
    The events of day and night lack it: the first event of a game names the edition of the rules.
    """

    at: Time | None = None
    note: str | None = None
    meta: dict[str, Any] | None = None

    @property
    def type(self) -> str:
        """The tag of the event's type: `spell-cast`."""
        return tag_of(self)


class Happening(Unmarked, frozen=True, kw_only=True):
    """The base class of a mechanic's events, with their common fields: `at`, `note`, `meta`, and `rules`.

    `rules` is the version of the mechanic's rules that accepted this event and those after it, up to the next event
    that names one. Only the framework writes it, and only for a mechanic with a `check`.
    """

    rules: Version | None = None


def tag_of(event: Any) -> str:
    """The stable tag (`spell-cast`) of an event, or of its type."""
    tag: str = event.__struct_config__.tag
    return tag


class ByType(Generic[R]):
    """A function of an event: it calls the function that `functions` has for the event's type, or else `otherwise`.

    A loop over many events can read `kinds`, the types, and skip the call for other events.

    >>> class LampPressed(Happening, frozen=True, tag="lamp-pressed"):
    ...     by: str
    >>> pressed_by = ByType({LampPressed: lambda event: event.by}, lambda event: None)
    >>> pressed_by(LampPressed(by="Ana")), pressed_by.kinds == {LampPressed}
    ('Ana', True)
    """

    __slots__ = ("_functions", "_otherwise", "kinds")

    def __init__(self, functions: Mapping[type, Callable[[Any], R]], otherwise: Callable[[Any], R]) -> None:
        self._functions = functions
        self._otherwise = otherwise
        self.kinds = frozenset(functions)

    def __call__(self, event: Any) -> R:
        """Return the result of the function for the event's type."""
        return self._functions.get(type(event), self._otherwise)(event)

    def anew(self) -> Callable[[Any], R]:
        """Return the function to use for one record: itself; a new one in a subclass that remembers earlier events."""
        return self


def kinds_of(function: Callable[[Any], object], every: Iterable[type]) -> frozenset[type]:
    """Return the event types that a function handles: its own `kinds`, or `every` type if it names none."""
    return function.kinds if isinstance(function, ByType) else frozenset(every)


def anew(function: Callable[[E], R], opening: E | None = None) -> Callable[[E], R]:
    """Return the function to use for one record; a new one is called once with `opening`, the first event."""
    begun: Callable[[E], R] = function.anew() if isinstance(function, ByType) else function
    if opening is not None and begun is not function:
        begun(opening)
    return begun


def types_of(kind: type[Unmarked]) -> dict[str, Any]:
    """Return the type of each field of an event type."""
    return {field.name: field.type for field in fields(kind)}


@cache
def field_names(kind: type[Unmarked]) -> tuple[str, ...]:
    """Return the names of the fields of an event type, its own first, in their order."""
    own = tuple(field.name for field in fields(kind))
    common = tuple(field.name for field in fields(Happening) if field.name in own)
    return tuple(name for name in own if name not in common) + common


def located(fill: Callable[[E], E], events: Iterable[E], first: int) -> Iterator[E]:
    """Yield each event as `fill` returns it; the `line` of a `RecordError` is its number, counted from `first`."""
    for number, event in enumerate(events, first):
        try:
            filled = fill(event)
        except RecordError:
            with locating(line=number):
                filled = fill(event)
        yield filled
