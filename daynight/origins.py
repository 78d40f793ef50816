"""Origins: what the first line of a record says it was branched from, read as strictly as what strangers write."""

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
        """The name under which it is kept beside its parent: `friday/b2`."""
        return f"{self.game}/{self.name}"


def origin_of(first: Happening) -> Origin | None:
    """What the first event of a record says in `meta`; None where it says nothing, or nothing of that shape."""
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
    """Whether a branch begins with the very events of a game up to where it says that it parts from it.

    What the first line of either says about its own origin does not count, nor how the lines are spelled.
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
    """The name that a record brings along: its game's; a branch is called after its parent and itself."""
    assert isinstance(first, GameStarted)
    origin = origin_of(first)
    return first.game if origin is None else origin.full_name


def recorder_of(first: Event) -> str | None:
    """The player whose client wrote the log that a record was imported from; None where the first line does not say."""
    about = (first.meta or {}).get("arena")
    seat = about.get("seat") if isinstance(about, Mapping) else None
    name = f"Seat {seat}"
    return name if isinstance(first, GameStarted) and name in first.players else None


def people_and_date(first: GameStarted) -> str | None:
    """What a game is called that a program named: its players and its time; None where people gave it its name."""
    if not isinstance((first.meta or {}).get("source"), Mapping):
        return None
    return against(first) if first.at is None else f"{against(first)}, {first.at[:10]}"


def digest_of(record: Record, events: int) -> str:
    """SHA-256 over the record's own lines up to an event, as `head -n` and `sha256sum` have it, in hexadecimal digits.

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
