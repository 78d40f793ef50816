"""The shape of a corpus: its columns, their types and their words.

A column of words has Arrow's type dictionary(string); the indices in a file have no meaning. In `WORDS` and the tuples
below every word has an index, from 0. `Columns` of a game hold that index plus one, and 0 for null; only `tag`, which
is never null, holds the index itself.
"""

from __future__ import annotations

from typing import Any, get_args

import pyarrow as pa

from daynight.events.language import TAGS
from daynight.events.terms import Step

FORMAT = 2
"""The version of the format."""

EARLIER = 1
"""The version before. From such a corpus only the lines are read: it has no `turns`, and no verdicts."""

LINES = 2_000_000
"""The most lines that the records of a part may have together."""

EVENTS = 1_000_000
"""The most events that a record may have."""

SIZE = 256 * 2**20
"""The most bytes that a record may have, unpacked."""

GROUP = 250_000
"""The most events that the games in a row group of `games` or of `turns` have together, unless one game has more."""

SLICE = 32_000
"""The most events in a row group of `events`, unless one game has more: while judged, it fits a processor's cache."""

LINES_GROUP = 25_000
"""The most lines in a row group of `lines`, unless one game has more."""

WORDS: dict[str, tuple[str, ...]] = {
    "tag": tuple(TAGS),
    "step": get_args(Step),
    "untap": ("written", "implied"),
    "designation": ("neither", "day", "night"),
    "gives": ("day", "night"),
    "face": ("front", "back"),
    "shows": ("front", "back", "turns"),
}
"""The words of each column of events that has only a few possible values."""

ENDED = ("neither", "day", "night", "uncertain")
"""The designations with which a turn may begin or end."""

VERDICTS = ("exact", "disputed", "unverified")
"""The verdicts on a game, as an audit gives them."""

_WORD: Any = pa.dictionary(pa.int32(), pa.string())

GAMES: Any = pa.schema([
    pa.field("game", pa.int64(), nullable=False),
    pa.field("name", pa.string(), nullable=False),
    pa.field("source", pa.string(), nullable=False),
    pa.field("first_line", pa.int64(), nullable=False),
    pa.field("players", pa.list_(pa.string()), nullable=False),
    pa.field("teams", pa.list_(pa.list_(pa.string()))),
    pa.field("edition", pa.string()),
    pa.field("format", pa.int8(), nullable=False),
    pa.field("at", pa.string()),
    pa.field("meta", pa.string()),
    pa.field("events", pa.int32(), nullable=False),
    pa.field("turns", pa.int32(), nullable=False),
    pa.field("plain", pa.bool_(), nullable=False),
    pa.field("because", pa.string()),
    pa.field("cares", pa.bool_(), nullable=False),
    pa.field("sha256", pa.string(), nullable=False),
    pa.field("final_newline", pa.bool_(), nullable=False),
    pa.field("started", pa.timestamp("us", "UTC")),
    pa.field("verdict", _WORD, nullable=False),
    pa.field("findings", pa.int32(), nullable=False),
    pa.field("unsettled", pa.int32(), nullable=False),
])  # fmt: skip
"""The columns of `games`: one row for each game."""

EVENT: Any = pa.schema([
    pa.field("game", pa.int64(), nullable=False),
    pa.field("event", pa.int32(), nullable=False),
    pa.field("tag", _WORD, nullable=False),
    pa.field("turn", pa.int32(), nullable=False),
    pa.field("step", _WORD),
    pa.field("player", pa.int16()),
    pa.field("active", pa.list_(pa.int16())),
    pa.field("by_active", pa.bool_()),
    pa.field("card", _WORD),
    pa.field("untap", _WORD),
    pa.field("designation", _WORD),
    pa.field("gives", _WORD),
    pa.field("face", _WORD),
    pa.field("shows", _WORD),
    pa.field("count", pa.int32()),
    pa.field("at_most", pa.int32()),
    pa.field("about_turn", pa.int32()),
    pa.field("by", _WORD),
    pa.field("undone", pa.bool_(), nullable=False),
])  # fmt: skip
"""The columns of `events`: one row for each event."""

TURN: Any = pa.schema([
    pa.field("game", pa.int64(), nullable=False),
    pa.field("turn", pa.int32(), nullable=False),
    pa.field("event", pa.int32(), nullable=False),
    pa.field("last", pa.int32(), nullable=False),
    pa.field("active", pa.list_(pa.int16()), nullable=False),
    pa.field("began", _WORD, nullable=False),
    pa.field("ended", _WORD, nullable=False),
    pa.field("flips", pa.int32(), nullable=False),
    pa.field("casts", pa.int32(), nullable=False),
    pa.field("active_casts", pa.int32()),
    pa.field("undone", pa.bool_(), nullable=False),
])  # fmt: skip
"""The columns of `turns`: one row for each turn, and for each stretch of a turn that was undone."""

LINE: Any = pa.schema([
    pa.field("game", pa.int64(), nullable=False),
    pa.field("event", pa.int32(), nullable=False),
    pa.field("line", pa.string(), nullable=False),
])  # fmt: skip
"""The columns of `lines`: the line of each event, without its newline."""

TABLES = {"games": GAMES, "events": EVENT, "turns": TURN, "lines": LINE}
"""The columns of the tables of a part, by the names of their folders."""

_LATER = ("started", "verdict", "findings", "unsettled")

EARLIER_TABLES = {
    "games": pa.schema([field for field in GAMES if field.name not in _LATER]), "events": EVENT, "lines": LINE,
}  # fmt: skip
"""The columns of the tables of the earlier format."""


def part_name(part: int) -> str:
    """Return the name of a part's file; it is the same in each table's folder."""
    return f"part-{part:05d}.parquet"
