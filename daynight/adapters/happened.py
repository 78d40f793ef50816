"""An application's stored events as events of a record: one event type per class, its fields as JSON."""

from __future__ import annotations

import inspect
import json
import typing
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from functools import lru_cache
from typing import Any

import msgspec
from eventsourcing.domain import decorated_funcs

from daynight.adapters.values import Hiding, as_json, attributes, plain, shown
from daynight.framework.language.errors import ImpossibleError, NotFoundError
from daynight.framework.language.happening import Happening
from daynight.framework.language.language import Language
from daynight.framework.language.wording import _
from daynight.framework.positions import Position, no_position

KEPT = ("originator_id", "originator_version", "timestamp")
"""The fields of every event of the library: id, version, and time. `Happened.fields` leaves them out."""


_EXAMPLE_TIME = "2026-11-03T14:34"


class Happened(Happening, frozen=True, dict=True, gc=True):
    """A stored event: `fields` are those of the application's event, as JSON.

    `own` is the application's event itself; None for an event that a person typed, or whose class is missing.
    """

    fields: Any = msgspec.field(default_factory=dict)

    @property
    def own(self) -> Any:
        """The application's event; None for a typed event, and if its class is missing."""
        return self.__dict__.get("own_event")


@lru_cache(maxsize=4096)
def kind_of(tag: str) -> type[Happened]:
    """Return the subtype of `Happened` for the events with this tag."""
    name = "".join(one if one.isalnum() else "_" for one in tag)
    made: Any = msgspec.defstruct(
        name, [], bases=(Happened,), tag=tag, frozen=True, kw_only=True, forbid_unknown_fields=True,
        omit_defaults=True, dict=True, gc=True,
    )  # fmt: skip
    kind: type[Happened] = made
    return kind


def tag_for(kind: type | str) -> str:
    """Return the tag for a class's events: its name within its module; for a topic without a class, the topic."""
    return kind if isinstance(kind, str) else kind.__qualname__.rpartition("<locals>.")[2]


class _Lasting(Language[Any]):
    """A language that leaves an event from a database unchanged, and checks a typed event strictly."""

    def strictly(self, event: Any) -> Any:
        own = isinstance(event, Happened) and event.own is not None
        return event if own else super().strictly(event)


@lru_cache(maxsize=256)
def language_of(tags: tuple[str, ...]) -> Language[Any]:
    """Return the language of the events with these tags."""
    kinds: Any = kind_of(tags[0])
    for tag in tags[1:]:
        kinds = kinds | kind_of(tag)
    return _Lasting(kinds, title="one event of an aggregate", description="One stored event of an aggregate.")


def read(own: Any, tag: str, hiding: Hiding) -> Happened:
    """Return the `Happened` of `own`, an event of the application, with hidden values replaced."""
    fields = {name: as_json(value) for name, value in attributes(own).items() if name not in KEPT}
    if hiding:
        fields = {name: hiding.shown(name, value) for name, value in fields.items()}
    event = kind_of(tag)(fields=fields, at=time_of(getattr(own, "timestamp", None)))
    vars(event)["own_event"] = own
    return event


def unread(topic: str, fields: Any, hiding: Hiding) -> Happened:
    """Return the `Happened` of a row whose topic names no allowed class; `fields` is the decoded data of the row."""
    known = fields if isinstance(fields, Mapping) else {}
    told = {
        str(name): hiding.shown(str(name), plain(shown(value))) for name, value in known.items() if name not in KEPT
    }
    return kind_of(topic)(fields=told, at=time_of(known.get("timestamp")))


def time_of(when: Any) -> str | None:
    """Return a datetime in ISO 8601, with Z if it has no time zone; None if `when` is no datetime."""
    if not isinstance(when, datetime):
        return None
    # A time without a zone is ambiguous; the library's own times have a zone.
    return when.isoformat() if when.tzinfo is not None else f"{when.isoformat()}Z"


def made(event: Happened, kind: type, common: Mapping[str, Any], transcoder: Any) -> Any:
    """Make the application's event from a typed one. `common` holds its id, version and time.

    Raises:
        ImpossibleError: where a field is missing, unknown, or can't be read.
    """
    given = dict(event.fields) if isinstance(event.fields, Mapping) else {}
    types = _types(kind)
    for name, value in given.items():
        if types and name not in types:
            known = ", ".join(one for one in types if one not in KEPT)
            sentence = _("{kind} has no field {name}; it has: {known}")
            raise ImpossibleError(
                sentence.format(kind=tag_for(kind), name=repr(name), known=known or _("none")), path="$.fields"
            )
        given[name] = _converted(value, _meant(types.get(name), kind), name, transcoder)
    defaults = {name: vars(kind).get(name) for name in types if _has_default(kind, name)} | _of_command(kind)
    if missing := [one for one in types if one not in given and one not in common and one not in defaults]:
        sentence = _("{kind} needs {names} in its fields")
        raise ImpossibleError(sentence.format(kind=tag_for(kind), names=", ".join(missing)), path="$.fields")
    found: Any = object.__new__(kind)
    state = defaults | given | dict(common)
    if not hasattr(found, "__dict__"):
        # Of a class with slots.
        return kind(**state)
    object.__setattr__(found, "__dict__", state)
    return found


def _types(kind: type) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for one in reversed(kind.__mro__):
        found |= {
            name: given for name, given in vars(one).get("__annotations__", {}).items() if not _of_the_class(given)
        }
    if not found:
        with_fields = getattr(kind, "__dataclass_fields__", {})
        found = {name: one.type for name, one in with_fields.items()}
    return found


def _of_the_class(given: Any) -> bool:
    return str(given).startswith(("typing.ClassVar", "ClassVar"))


def _has_default(kind: type, name: str) -> bool:
    return any(name in vars(one) for one in kind.__mro__)


def _of_command(kind: type) -> dict[str, Any]:
    """Return the default arguments of the method that triggers events of `kind`, by name: the library adds them."""
    function: Any = decorated_funcs.get(kind)
    function = getattr(function, "decorated_func", function)
    try:
        given = inspect.signature(function).parameters if callable(function) else {}
    except (TypeError, ValueError):
        return {}
    types = _types(kind)
    return {name: one.default for name, one in given.items() if name in types and one.default is not one.empty}


def _meant(given: Any, kind: type) -> Any:
    """Return the type that the annotation `given` means; text is resolved in the module of `kind`; None on failure."""
    if not isinstance(given, str):
        return given
    holder = type("Holder", (), {"__annotations__": {"field": given}, "__module__": kind.__module__})
    try:
        return typing.get_type_hints(holder)["field"]
    except Exception:
        # The name is not there while the application runs, or is no type.
        return None


def _converted(value: Any, given: Any, name: str, transcoder: Any) -> Any:
    """Convert a value that a person typed into the application's type.

    A `value` in the transcoder's form is decoded; one in the shown form is converted to `given`, the type of the field
    `name`. It stays unchanged if that type is None, or unknown to msgspec and the transcoder.

    Raises:
        ImpossibleError: where the value does not fit the type.
    """
    if _is_spelled(value):
        value = transcoder.decode(json.dumps(value).encode())
    if given is None or given is Any or (isinstance(given, type) and isinstance(value, given)):
        return value
    transcoding = getattr(transcoder, "types", {}).get(given)
    try:
        return msgspec.convert(value, given, strict=False)
    except (msgspec.ValidationError, TypeError) as error:
        # A type of the application that has a spelling of its own.
        if transcoding is not None:
            with suppress(Exception):
                return transcoding.decode(value)
        if isinstance(error, TypeError):
            # A type that msgspec does not know: the value is given as it is.
            return value
        raise ImpossibleError(f"{name}: {error}", path=f"$.fields.{name}") from None


def _is_spelled(value: Any) -> bool:
    """Return whether a typed value, or one within it, has the transcoder's form: keys `_type_` and `_data_`."""
    if isinstance(value, dict):
        return value.keys() == {"_type_", "_data_"} or any(map(_is_spelled, value.values()))
    return isinstance(value, list) and any(map(_is_spelled, value))


def moment_of(text: str) -> datetime:
    """Return the time that a person typed; without a time zone it is in this machine's zone.

    Raises:
        ValueError: where the text is not a time.
    """
    found = datetime.fromisoformat(text.strip().replace(" ", "T"))
    return found if found.tzinfo else found.astimezone()


def moment_told(text: str) -> str:
    """Return a time that a person typed as ISO text with its offset; if it had no zone, with that of this machine."""
    found = moment_of(text)
    own = datetime.fromisoformat(text.strip().replace(" ", "T")).tzinfo is None
    return f"{found.isoformat()} ({found.tzname()})" if own and found.tzname() else found.isoformat()


def at_time(events: Sequence[Any], position: Position) -> int:
    """Return the number of the last event at or before the time that a position names.

    Raises:
        PositionError: where the position is no time.
        NotFoundError: where no event is that early, or none has a time.
    """
    try:
        until = moment_of(position.mark or "")
    except ValueError:
        raise no_position(str(position), (_EXAMPLE_TIME,)) from None
    number = latest(events, until)
    first = next((event.at for event in events if event.at is not None), None)
    if not number:
        if first is None:
            raise NotFoundError(_("no event of this record has a time"))
        sentence = _("this record has no {position}: its first event is of {first}")
        raise NotFoundError(sentence.format(position=moment_told(position.mark or ""), first=first))
    return number


def latest(events: Sequence[Any], until: datetime) -> int:
    """Return the number of the last event at or before a time; 0 if there is none."""
    found = 0
    for number, event in enumerate(events, 1):
        if event.at is not None and datetime.fromisoformat(event.at) <= until:
            found = number
    return found
