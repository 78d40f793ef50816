"""Arena's messages: the needed fields of lines with a GreToClientEvent."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Raw, Struct

MARK = b'greToClientEvent"'
"""Every line with messages of a game contains this."""

LENGTH = 2**22
"""The most bytes of a line with messages: a real one has a tenth of a megabyte."""

OBJECTS = 100_000
"""The most JSON objects in a line: a real line has a few thousand."""

ANNOTATIONS = 10_000
"""The most annotations of a state: a real one has a few hundred."""

_ATTEMPTS = 16

Id = Annotated[int, Meta(ge=-(2**53), le=2**53)]


class Annotation(Struct, gc=False):
    """An event in Arena's log. Its `details` stay JSON until `numbers_of` or `words_of` decodes them."""

    type: list[str] = []
    affectorId: Id = 0  # noqa: N815
    affectedIds: list[Id] = []  # noqa: N815
    details: Raw = Raw(b"[]")


class PersistentAnnotation(Struct, gc=False):
    """A state of affairs that lasts for a while, under an id of its own."""

    id: Id = 0
    type: list[str] = []
    details: Raw = Raw(b"[]")


class Detail(Struct, gc=False):
    """A detail of an annotation."""

    key: str = ""
    valueInt32: list[Id] | None = None  # noqa: N815
    valueString: list[str] | None = None  # noqa: N815


class GameObject(Struct, gc=False):
    """A card, token or ability in any zone; `grpId`: the number of its card, `othersideGrpId`: of its other side."""

    instanceId: Id = 0  # noqa: N815
    grpId: Id = 0  # noqa: N815
    othersideGrpId: Id = 0  # noqa: N815
    objectSourceGrpId: Id = 0  # noqa: N815
    type: str = ""
    zoneId: Id = 0  # noqa: N815
    controllerSeatId: Id = 0  # noqa: N815
    isFacedown: bool = False  # noqa: N815


class Zone(Struct, gc=False):
    """A zone, and the objects in it."""

    zoneId: Id = 0  # noqa: N815
    type: str = ""
    objectInstanceIds: list[Id] = []  # noqa: N815


class TurnInfo(Struct, gc=False):
    """The current turn and its player. A missing field has not changed."""

    turnNumber: Annotated[int, Meta(ge=0, le=2**31)] = 0  # noqa: N815
    activePlayer: Id = 0  # noqa: N815


class Player(Struct, gc=False):
    """A player at the table."""

    systemSeatNumber: Id = 0  # noqa: N815
    teamId: Id = 0  # noqa: N815


class Result(Struct, gc=False):
    """The result of a game or a match."""

    scope: str = ""
    winningTeamId: Id = 0  # noqa: N815


class GameInfo(Struct, gc=False):
    """The id of a game, and its progress."""

    matchID: str = ""  # noqa: N815
    gameNumber: Id = 0  # noqa: N815
    stage: str = ""
    variant: str = ""
    results: list[Result] = []


class GameState(Struct, gc=False):
    """The state of a game: all of it (`GameStateType_Full`), or the changes since another state."""

    type: str = ""
    gameStateId: Id = 0  # noqa: N815
    prevGameStateId: Id = 0  # noqa: N815
    update: str = ""
    turnInfo: TurnInfo | None = None  # noqa: N815
    gameInfo: GameInfo | None = None  # noqa: N815
    players: list[Player] = []
    gameObjects: list[GameObject] = []  # noqa: N815
    annotations: Annotated[list[Annotation], Meta(max_length=ANNOTATIONS)] = []
    diffDeletedInstanceIds: list[Id] = []  # noqa: N815
    zones: Raw = Raw(b"[]")
    persistentAnnotations: Raw = Raw(b"[]")  # noqa: N815

    def zones_told(self) -> list[Zone]:
        """Return the zones that the state mentions; none if they cannot be read."""
        return _or_none(_ZONES, self.zones)

    def lasting(self) -> list[PersistentAnnotation]:
        """Return the `PersistentAnnotation`s of the state; none if they cannot be read."""
        return _or_none(_PERSISTENT, self.persistentAnnotations)


class Message(Struct, gc=False):
    """One message of the game server."""

    type: str = ""
    systemSeatIds: list[Id] = []  # noqa: N815
    gameStateMessage: GameState | None = None  # noqa: N815


class Messages(Struct, gc=False):
    """Several messages that were sent together."""

    greToClientMessages: list[Message] = []  # noqa: N815


class Wrapper(Struct, gc=False):
    """One JSON object of a line: its messages, and their time stamp in a form that `milliseconds` reads."""

    greToClientEvent: Messages | None = None  # noqa: N815
    timestamp: str | int | None = None


_WRAPPER = msgspec.json.Decoder(Wrapper)
_DETAILS = msgspec.json.Decoder(list[Detail])
_ZONES = msgspec.json.Decoder(list[Zone])
_PERSISTENT = msgspec.json.Decoder(list[PersistentAnnotation])
_LOOSE = json.JSONDecoder()


def decode_line(line: bytes) -> list[Wrapper]:
    """Return the JSON objects of a line that hold messages: usually one, after a prefix of the client.

    Raises:
        ValueError: where they cannot be read, or the line is too large; msgspec's errors are such errors.
        RecursionError: where they are nested too deeply.
    """
    if len(line) > LENGTH or (len(line) > 2**20 and line.count(b"{") > OBJECTS):
        raise ValueError("more than a line may have")
    try:
        return [_WRAPPER.decode(line if line.startswith(b"{") else line[line.find(b"{") :])]
    except msgspec.MsgspecError as error:
        if found := _several(line):
            return found
        raise error


def _several(line: bytes) -> list[Wrapper]:
    """Return the JSON objects of a line that have messages, and skip all other text.

    Decoding is tried at the first `{`, and then at the next one each time, at most `_ATTEMPTS` times.
    """
    text = line.decode("utf-8", "replace")
    found: list[Wrapper] = []
    at = text.find("{")
    for _attempt in range(_ATTEMPTS):
        if at < 0:
            break
        try:
            value, end = _LOOSE.raw_decode(text, at)
        except json.JSONDecodeError:
            end = at + 1
        else:
            if isinstance(value, dict) and "greToClientEvent" in value:
                found.append(_WRAPPER.decode(text[at:end]))
        at = text.find("{", end)
    return found


def clean(text: str) -> str:
    """Return the first 100 characters of a name from a log, without those that cannot be printed."""
    return "".join(each for each in text[:100] if each.isprintable())


def numbers_of(annotation: Annotation | PersistentAnnotation) -> dict[str, int]:
    """Return the numeric details of an annotation: the first value of each; empty if they cannot be read."""
    details: list[Detail] = _or_none(_DETAILS, annotation.details)
    return {detail.key: detail.valueInt32[0] for detail in details if detail.valueInt32}


def words_of(annotation: Annotation) -> dict[str, str]:
    """Return the text details of an annotation: the first value of each; empty if they cannot be read."""
    details: list[Detail] = _or_none(_DETAILS, annotation.details)
    return {detail.key: detail.valueString[0] for detail in details if detail.valueString}


def milliseconds(stamp: str | int | None) -> int | None:
    """Return milliseconds since 1970; `stamp`: such a number, or ticks of 100 ns since the year 1; None: neither."""
    if isinstance(stamp, str):
        stamp = int(stamp) if stamp.isascii() and stamp.isdigit() and len(stamp) < 20 else None
    if stamp is None:
        return None
    found = stamp if stamp < 10**15 else (stamp - 621_355_968_000_000_000) // 10_000
    return found if 10**12 <= found < 10**13 else None


def time_of(stamp: str | int | None) -> str | None:
    """Return a time stamp as a record writes times, in UTC, by the second; None if it is not a time stamp."""
    found = milliseconds(stamp)
    if found is None:
        return None
    return datetime.fromtimestamp(found // 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _or_none(decoder: Any, raw: Raw) -> list[Any]:
    # A detail of an unknown shape is ignored; the rest can still be read.
    try:
        decoded: list[Any] = decoder.decode(raw)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return []
    return decoded
