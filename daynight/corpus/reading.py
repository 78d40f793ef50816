"""Reads one record for a corpus, with all checks of a replay, and makes its row and columns, or refuses it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import cache
from hashlib import sha256
from io import BytesIO
from itertools import chain
from typing import Any, NamedTuple, get_args

import msgspec

from daynight.cards import bundled
from daynight.corpus.columns import CODES, Columns, columns, tags
from daynight.corpus.judging.refereed import Referee, Told
from daynight.corpus.schema import EVENTS, SIZE
from daynight.corpus.tables import GameRow
from daynight.events import Event, GameBackedUp, GameStarted, OfTheRecord
from daynight.events.language import LANGUAGE, read_blocks
from daynight.framework.language.errors import UnreadableError
from daynight.framework.language.wording import _
from daynight.referee.referee import run
from daynight.referee.state import State

_SLOW = tuple([CODES[kind] for kind in (GameBackedUp, *get_args(OfTheRecord))])
"""The `CODES` of the events that the bulk step `run` does not check; a record with one of them is replayed."""


class Read(NamedTuple):
    """A record that was read: its row, its columns, and its lines, each with its newline.

    `told` is the ordinary referee's result; None if the verdict and the turns follow from the columns.
    """

    row: GameRow
    columns: Columns
    lines: bytes
    told: Told | None


def taken(data: bytes, game: int, source: str, first_line: int) -> Read:
    """Read a record; `game` is its number in the corpus, and it begins in line `first_line` of `source`.

    Raises:
        RecordError: with its line in the record, where it is refused.
    """
    _check_size(data)
    events, found, told = _judged(data)
    final = data.endswith(b"\n")
    started = events[0]
    assert isinstance(started, GameStarted)
    row = GameRow(
        game=game,
        name=started.game,
        source=source,
        first_line=first_line,
        players=started.players,
        teams=started.teams,
        edition=started.edition,
        format=started.format,
        at=started.at,
        meta=None if started.meta is None else msgspec.json.encode(started.meta).decode(),
        events=len(events),
        sha256=sha256(data).hexdigest(),
        final_newline=final,
        started=None if started.at is None else microseconds(started.at),
    )
    return Read(row, found, data if final else data + b"\n", told)


def _check_size(data: bytes) -> None:
    if len(data) > SIZE:
        raise too_large(data.count(b"\n", 0, SIZE) + 1)
    # A record of fewer bytes cannot have as many lines.
    if len(data) > EVENTS and data.count(b"\n", 0, -1) >= EVENTS:
        sentence = _("a record of a corpus may have {most} events").format(most=EVENTS)
        raise UnreadableError(sentence, line=EVENTS + 1)


def too_large(line: int) -> UnreadableError:
    """Return the error for a record that has more bytes than a corpus takes."""
    return UnreadableError(_("a record of a corpus may have {most} bytes, unpacked").format(most=SIZE), line=line)


def microseconds(at: str) -> int | None:
    """Return a time of RFC 3339 as microseconds since 1970; None if Python's `datetime` cannot hold it.

    A leap second becomes the next second, and digits beyond microseconds are cut off.
    """
    whole = at[:19].replace(" ", "T").upper()
    leap = whole.endswith(":60")
    try:
        there = datetime.fromisoformat(whole[:-2] + "59" if leap else whole)
        fraction, offset = _PARTS.fullmatch(at, 19).groups()  # type: ignore[union-attr]
        if offset not in ("Z", "z"):
            away = timedelta(hours=int(offset[1:3]), minutes=int(offset[4:]))
            there = there - away if offset[0] == "+" else there + away
    except (ValueError, OverflowError):
        return None
    return (there - _EPOCH) // _MICROSECOND + leap * 1_000_000 + int((fraction or "")[:6].ljust(6, "0"))


_PARTS = re.compile("(?:[.]([0-9]+))?([Zz]|[+-][0-9]{2}:[0-9]{2})")
_EPOCH = datetime(1970, 1, 1)  # noqa: DTZ001  # in UTC, as what is compared with it
_MICROSECOND = timedelta(microseconds=1)


def _judged(data: bytes) -> tuple[Sequence[Event], Columns, Told | None]:
    """Return the events of a record, its columns, and the ordinary referee's result; None if the columns suffice.

    `RecordError` is raised if the referee refuses an event.
    """
    events, told = LANGUAGE.vouched(data), None
    if not events or type(events[0]) is not GameStarted:
        told = _referee().told(data)
        events = [*chain.from_iterable(read_blocks(BytesIO(data)))]
    tag = tags(events)
    _fill(events, tag)
    try:
        found = columns(events, tag)
    except (LookupError, UnreadableError):
        # A record that the referee refuses may have no columns; the refusal comes first.
        if told is None:
            _referee().told(data, events)
        raise
    if told is not None:
        return events, found, told
    if found.plain and not any(code in tag for code in _SLOW) and not _may_doubt(data):
        run(State(remember=False), events, 0)
        return events, found, None
    return events, found, _referee().told(data, events)


def _fill(events: list[Event], tag: bytes) -> None:
    """Complete the permanents of events from the bundled catalogue, in place; `tag` is `tags(events)`."""
    fill: Any = bundled().fill.anew()
    # Line 1 has the edition, by which permanents are filled in.
    events[0] = fill(events[0])
    for code in sorted({CODES[kind] for kind in fill.kinds} - {tag[0]}):
        at = tag.find(code)
        while at >= 0:
            events[at] = fill(events[at])
            at = tag.find(code, at + 1)


def _may_doubt(data: bytes) -> bool:
    """Return whether a record may have unknown cards or unwritten turns: it contains `unknown` or `unwritten`."""
    return b"unknown" in data or b"unwritten" in data


_referee = cache(Referee)
