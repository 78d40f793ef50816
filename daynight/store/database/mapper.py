"""Maps an event to a row of the library and back: the tag is the topic, the line is the state.

The library's own mapper imports the object that a row names. This mapper only looks the topic up in the list of known
tags, and imports nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from io import BytesIO
from typing import Any, TypeVar

from eventsourcing.persistence import Cipher, Compressor, JSONTranscoder, Mapper, StoredEvent, Transcoder
from msgspec import Struct

from daynight.framework.language.codec import encode
from daynight.framework.language.errors import RecordError, TagError, UnreadableError
from daynight.framework.language.happening import tag_of
from daynight.framework.language.kinds import NAME_LENGTH
from daynight.framework.language.language import Language
from daynight.framework.language.names import is_name
from daynight.framework.language.wording import _
from daynight.store.database.guard import guarded
from daynight.store.errors import DamagedError, NotReadableError, SettingsError, not_as_stored, unknown_tag

E = TypeVar("E")

AT_ONCE = 512
"""The number of rows that `check_events` decodes together."""


class Numbered(Struct, frozen=True):
    """An event with its number in the library's terms: version n of the stream is event n of the game."""

    originator_id: str
    originator_version: int
    event: Any
    line: bytes = b""
    """The event in its stored form, if it is already written."""
    tag: str = ""
    """Its tag, if that is already known."""


def game_name(name: object) -> str:
    """Return the name, if a game may have it: 1 to `NAME_LENGTH` characters without control characters.

    Raises:
        UnreadableError: where it is anything else.
    """
    if not is_name(name):
        sentence = _("a game's name has 1 to {most} characters, none of them a control character")
        raise UnreadableError(sentence.format(most=NAME_LENGTH))
    return name


def command_id(id: str) -> str:
    """Return the id, if a command may have it: 1 to `NAME_LENGTH` characters without control characters.

    Raises:
        UnreadableError: where it is anything else.
    """
    if not is_name(id):
        sentence = _("a command's id has 1 to {most} characters, none of them a control character")
        raise UnreadableError(sentence.format(most=NAME_LENGTH))
    return id


def is_line(data: object) -> bool:
    """Return whether `data` are bytes that begin with `{` and have no line feed: one line, not compressed."""
    return isinstance(data, bytes) and data.startswith(b"{") and b"\n" not in data


def event_of(language: Language[E], topic: object, state: object) -> E:
    """Return the event of a row, strictly read.

    Raises:
        DamagedError: where the topic is not a known tag, or the state is not a line with that tag.
        NotReadableError: where another version of the mechanic may know the tag, or where an upcaster fails.
    """
    if isinstance(topic, str) and language.marked and not language.knows(topic):
        raise unknown_tag(topic)
    if not isinstance(topic, str) or not language.knows(topic):
        raise DamagedError(_("unknown tag {topic}").format(topic=repr(topic)[:NAME_LENGTH]))
    if not isinstance(state, bytes) or not is_line(state):
        raise DamagedError(_("what is stored is not one line"))
    try:
        event = language.read_line(state)
    except TagError as error:
        raise DamagedError(f"{error.path}: {error.sentence}") from error
    except UnreadableError as error:
        raise not_as_stored(error) from error
    if (tag := language.tag_on(state, event)) != topic:
        raise DamagedError(stored_as(topic, tag))
    return event


def stored_as(topic: str, tag: str) -> str:
    """Return the sentence about a row whose topic is not the `tag` of its line."""
    return _("stored as {topic}, but the line says {tag}").format(topic=topic, tag=tag)


def check_events(language: Language[Any], rows: Sequence[tuple[Any, Any]]) -> int:
    """Return how many rows (topic, state) come before the first one that this code cannot read as an event."""
    for first in range(0, len(rows), AT_ONCE):
        tags, lines = zip(*rows[first : first + AT_ONCE], strict=True)
        try:
            events_of(language, first, tags, lines)
        except (DamagedError, NotReadableError) as error:
            return error.event or first
    return len(rows)


def events_of(language: Language[E], first: int, tags: Sequence[Any], lines: Sequence[Any]) -> list[E]:
    """Return the events of rows; the first row has number `first`.

    They are decoded together, and one by one if that fails.

    Raises:
        DamagedError, NotReadableError: at the first row that `event_of` refuses, with its number.
    """
    events: list[Any] = []
    together = b"\n".join(lines) if {bytes} >= set(map(type, lines)) else b""
    # As many lines as rows, each in the usual form: no row has two lines or compressed data.
    if together.startswith(b"{") and together.count(b"\n{") == together.count(b"\n") == len(lines) - 1:
        with suppress(RecordError):
            events = [event for events in language.read_blocks(BytesIO(together + b"\n")) for event in events]
    if events and _have_tags(language, events, tags, lines):
        return events
    found: list[E] = []
    for number, (tag, line) in enumerate(zip(tags, lines, strict=True), first):
        with guarded(event=number):
            found.append(event_of(language, tag, line))
    return found


def _have_tags(language: Language[Any], events: list[Any], tags: Sequence[Any], lines: Sequence[Any]) -> bool:
    """Return whether each of these events was read from a line with its tag."""
    if not language.upcasters:
        return [*map(type, events)] == [*map(language.tags.get, tags)]
    return all(
        language.knows(tag) and line.startswith(b'{"type":"%b"' % tag.encode())
        for tag, line in zip(tags, lines, strict=True)
    )


class EventMapper(Mapper[str]):
    """The library's mapper for daynight's events: it imports no class for a topic, and compresses and encrypts nothing.

    Raises:
        SettingsError: where the environment asks for compression or encryption. The library's compressor unpacks data
            without a size limit, and its cipher does not notice that two rows were swapped.
    """

    language: Language[Any]
    """The language of the lines: a class attribute, because the library needs a class; see `mapper_of`."""

    knows: Callable[[object], bool] | None = None
    """Returns whether a stored line may have this tag (`Guarding.knows`); None for a mapper without a store."""

    def __init__(
        self, transcoder: Transcoder | None = None, compressor: Compressor | None = None, cipher: Cipher | None = None
    ) -> None:
        if compressor is not None or cipher is not None:
            raise SettingsError(_("a store keeps lines as they are: it takes no compressor and no cipher"))
        super().__init__(transcoder or JSONTranscoder())

    def to_stored_event(self, domain_event: Any) -> StoredEvent:
        """Return the row of an event, given as `Numbered`."""
        event = domain_event.event
        tag, line = domain_event.tag or tag_of(event), domain_event.line or encode(event)
        return StoredEvent(domain_event.originator_id, domain_event.originator_version, tag, line)

    def to_domain_event(self, stored_event: StoredEvent) -> Any:
        """Return the event of a row, as `Numbered`.

        Raises:
            DamagedError: where the mapper cannot have written the row.
            NotReadableError: as `event_of`.
        """
        game, number = str(stored_event.originator_id), stored_event.originator_version
        with guarded(game=game, event=number):
            if self.knows is not None and not self.knows(stored_event.topic):
                raise DamagedError(_("unknown tag {topic}").format(topic=repr(stored_event.topic)[:NAME_LENGTH]))
            return Numbered(game, number, event_of(self.language, stored_event.topic, stored_event.state))


def mapper_of(language: Language[Any]) -> type[EventMapper]:
    """Return the mapper of a language, as a class, because the library's factories and followers need a class."""
    return type("EventMapper", (EventMapper,), {"language": language})
