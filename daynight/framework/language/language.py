"""The events of one mechanic: reading them strictly, lifting old shapes, writing them, describing them by a schema."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from inspect import cleandoc
from pathlib import Path
from typing import Any, BinaryIO, Generic, TypeVar, get_args

import msgspec

from daynight.framework.checking.fields import check_events
from daynight.framework.language import reader, strict
from daynight.framework.language.codec import encode
from daynight.framework.language.errors import UnreadableError
from daynight.framework.language.happening import Happening, Unmarked, field_names, tag_of, types_of
from daynight.framework.language.shapes.lifting import Lift, Upcaster, check_upcasters
from daynight.framework.language.wording import _

E = TypeVar("E")


class Language(Generic[E]):
    """The events of a mechanic's records: one tagged struct for each kind, all derived from `Happening`.

    `events` is one such class, or a union of them. The refusal of an empty record names the tag `opening`, that of a
    line without a tag the tag `example`; the first class gives the default of both. `upcasters` lift the JSON objects
    of old tags to newer ones. A `Lift` names the newer tag, so it is checked here that there is such a tag; a plain
    function is checked only when it lifts a line. `title` and `description` are put into the JSON Schema.

    >>> from daynight.framework.language.happening import Happening
    >>> class LampPressed(Happening, frozen=True, tag="lamp-pressed"):
    ...     by: str
    >>> language = Language(LampPressed)
    >>> language.decode('{"type":"lamp-pressed","by":"Ana"}')
    LampPressed(by='Ana')
    >>> language.encode(LampPressed(by="Ana"))
    b'{"type":"lamp-pressed","by":"Ana"}'
    >>> language.decode('{"type":"lamp-pressed","by":7}')
    Traceback (most recent call last):
        ...
    daynight.framework.language.errors.UnreadableError: $.by: expected str, found int

    Raises:
        TypeError: where a class is no event class, has a mutable or null field, or defines a field of the framework.
        ValueError: where two events have the same tag, or an upcaster is for a current tag or leads to no known one.
    """

    def __init__(
        self,
        events: Any,
        *,
        upcasters: Mapping[str, Lift | Upcaster] = {},  # never written to
        opening: str | None = None,
        example: str | None = None,
        title: str = "one line of a record",
        description: str = "One event; event n is line n.",
    ) -> None:
        self.events = events
        given: tuple[Any, ...] = get_args(events) or (events,)
        for kind in given:
            if not isinstance(kind, type) or not issubclass(kind, Unmarked):
                raise TypeError(f"{kind!r} is no class of events; derive it from Happening, and join several with |")
            if "rules" in field_names(kind) and types_of(kind)["rules"] != types_of(Happening)["rules"]:
                raise TypeError(f"{kind.__name__}: rules is the framework's own field; give yours another name")
        self.kinds: tuple[type, ...] = given
        self.tags: dict[str, type] = {tag_of(kind): kind for kind in self.kinds}
        self.upcasters = upcasters
        for kind in self.kinds:
            if (other := self.tags[tag_of(kind)]) is not kind:
                raise ValueError(
                    f"{kind.__name__} and {other.__name__} have the same tag, {tag_of(kind)!r}; rename one"
                )
        check_upcasters(upcasters, self.tags)
        check_events(self.kinds)
        first = next(iter(self.tags))
        self.opening = first if opening is None else opening
        self.example = first if example is None else example
        self.marked = any(issubclass(kind, Happening) for kind in self.kinds)
        """Whether events may name the version of the rules that accepted them (their field `rules`)."""
        self.decoder: msgspec.json.Decoder[E] = msgspec.json.Decoder(events)
        self._title, self._description = title, description

    read_line, vouched, read_blocks = strict.read_line, reader.vouched, reader.read_blocks

    def knows(self, tag: object) -> bool:
        """Return whether a line may have this tag: a current one, or an old one with an upcaster."""
        return tag in self.tags or tag in self.upcasters

    def tag_on(self, line: bytes, event: Any) -> str:
        """Return the tag that `line` has, from which `event` was read: an old tag, or the tag of the event's type."""
        return _TAG.decode(line).type if self.upcasters else tag_of(event)

    def decode(self, line: bytes | str) -> E:
        """Read the event of a line of bytes or text.

        Raises:
            UnreadableError: as `read_line`.
        """
        return self.read_line(line.encode("utf-8", "surrogatepass") if isinstance(line, str) else line)

    def encode(self, event: E) -> bytes:
        """Return the line of an event, without its line feed; `decode` reads it back."""
        return encode(event)

    def strictly(self, event: Any) -> E:
        """Read an event, its JSON object or its line as strictly as a line of a file.

        Raises:
            UnreadableError: where it is not a valid event.
        """
        if isinstance(event, (str, bytes)):
            return self.decode(event)
        try:
            line = json.dumps(msgspec.to_builtins(event), allow_nan=False)
        except (TypeError, ValueError, RecursionError, msgspec.MsgspecError) as error:
            raise UnreadableError(_("not an event: {reason}").format(reason=error)) from None
        return self.decode(line)

    def read(self, source: Path | str | BinaryIO) -> Iterator[E]:
        """Yield the events of a record; event n is line n.

        Raises:
            RecordError: at the first line that is refused, after every event before it was yielded.
            OSError: where the file cannot be opened or read.
        """
        for events in self.read_blocks(source):
            yield from events

    def schema(self) -> dict[str, Any]:
        """Return the JSON Schema of one line. It does not say whether an event can happen after the lines before it."""
        schema: dict[str, Any] = _without_null(cleaned(msgspec.json.schema(self.events)))
        if self.upcasters:
            today = {name: schema.pop(name) for name in ("anyOf", "discriminator", "$ref") if name in schema}
            schema = {"anyOf": [*today.get("anyOf", (today,)), *map(_old, self.upcasters)]} | schema
        return {"$schema": DIALECT, "title": self._title, "description": self._description} | schema


class _Tagged(msgspec.Struct):
    type: str


_TAG = msgspec.json.Decoder(_Tagged)


def _old(tag: str) -> dict[str, Any]:
    """Return the schema of lines with the old tag `tag`; it says nothing about their other fields."""
    return {"type": "object", "properties": {"type": {"const": tag}}, "required": ["type"]}


DIALECT = "https://json-schema.org/draft/2020-12/schema"


def published(schema: dict[str, Any]) -> str:
    """Return a schema as the text of its published file: ASCII, indented by one space."""
    return json.dumps(schema, indent=1, ensure_ascii=True) + "\n"


def cleaned(schema: Any) -> Any:
    """Return a schema whose descriptions, made from docstrings, are not indented.

    Python before 3.13 keeps the indentation of every line of a docstring but the first.
    """
    if isinstance(schema, list):
        return [cleaned(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    found = {key: cleaned(value) for key, value in schema.items()}
    if isinstance(found.get("description"), str):
        found["description"] = cleandoc(found["description"])
    return found


def _without_null(schema: Any) -> Any:
    """Return a schema in which no field may be null: the reader refuses null, and optional fields are left out."""
    if isinstance(schema, list):
        return [_without_null(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    if "anyOf" in schema:
        kinds = [_without_null(kind) for kind in schema["anyOf"] if kind != {"type": "null"}]
        rest = {key: _without_null(value) for key, value in schema.items() if key not in ("anyOf", "default")}
        return rest | (kinds[0] if len(kinds) == 1 else {"anyOf": kinds})
    return {key: _without_null(value) for key, value in schema.items()}
