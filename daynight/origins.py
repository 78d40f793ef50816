"""Reads from the first line of a record what it was branched from, or which log it was imported from."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

from msgspec.structs import replace

from daynight.events import Event, GameStarted
from daynight.framework.language.happening import Happening
from daynight.framework.language.names import is_name
from daynight.framework.language.reader import blocks
from daynight.projections.sentences import against
from daynight.records import Record

_DIGEST = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Origin:
    """A record called `name` was branched from `game` after its event `event`.

    `digest` is SHA-256 over the lines of that game up to there, each with its line feed, in hexadecimal digits.
    """

    name: str
    game: str
    event: int
    digest: str

    @property
    def full_name(self) -> str:
        """The name under which the branch is kept beside its parent: `friday/b2`."""
        return f"{self.game}/{self.name}"


def origin_of(first: Happening) -> Origin | None:
    """Return the origin that the first event names in `meta`; None if there is none, or one of another shape."""
    meta = first.meta or {}
    found = meta.get("branched_from")
    if not isinstance(found, Mapping):
        return None
    name, game, event, digest = meta.get("branch"), found.get("game"), found.get("event"), found.get("digest")
    if not (is_name(name) and is_name(game) and isinstance(digest, str) and _DIGEST.fullmatch(digest)):
        return None
    if isinstance(event, bool) or not isinstance(event, int) or event < 0:
        return None
    return Origin(name, game, event, digest)


def fits(origin: Origin, branch: Sequence[Happening], parent: Sequence[Happening]) -> bool:
    """Return whether a branch begins with the same events as a game, up to the event where it says it parts.

    The origins on the first lines do not count, nor does the spelling of the lines.
    """
    until = origin.event
    if until > len(parent) or until > len(branch):
        return False
    if not until:
        return True
    return [_plain(branch[0]), *branch[1:until]] == [_plain(parent[0]), *parent[1:until]]


def _plain(event: Happening) -> Happening:
    if not event.meta:
        return event
    rest = {name: value for name, value in event.meta.items() if name not in ("branch", "branched_from")}
    return replace(event, meta=rest or None)


def own_name(first: Event) -> str:
    """Return the name that a record has of its own: that of its game, or of the branch with its parent's."""
    assert isinstance(first, GameStarted)
    origin = origin_of(first)
    return first.game if origin is None else origin.full_name


def recorder_of(first: Event) -> str | None:
    """Return the player whose client wrote the log that was imported; None if the first line does not say."""
    about = (first.meta or {}).get("arena")
    seat = about.get("seat") if isinstance(about, Mapping) else None
    name = f"Seat {seat}"
    return name if isinstance(first, GameStarted) and name in first.players else None


def title_of(first: Event) -> str:
    """Return the title of a game: its name or, where a program made that up, its players and date."""
    assert isinstance(first, GameStarted)
    if not isinstance((first.meta or {}).get("source"), Mapping):
        return first.game
    return against(first) if first.at is None else f"{against(first)}, {first.at[:10]}"


def digest_of(record: Record, events: int) -> str:
    """Return the SHA-256 of a record's own lines up to an event, in hex, as `head -n N FILE | sha256sum` prints it.

    Raises:
        RecordError, NotFoundError: where the record cannot be read.
    """
    found = sha256()
    with record.open() as stream:
        for block in blocks(stream):
            lines = block.removesuffix(b"\n").split(b"\n")
            found.update(b"".join(line + b"\n" for line in lines[:events]))
            events -= min(events, len(lines))
    return found.hexdigest()
