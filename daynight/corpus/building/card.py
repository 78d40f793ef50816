"""The data card of a corpus: a README.md in its folder, for readers who find the folder without this program.

It is in English, and has only facts from `corpus.json` and the schema: so the same corpus has the same card.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa

from daynight.corpus.manifest import Manifest
from daynight.corpus.schema import TABLES
from daynight.keeping.files import written

CARD = "README.md"
"""The name of the data card in the folder of the corpus."""

ABOUT = {
    "games": "one row a game",
    "events": "one row an event",
    "turns": "one row a turn, and one for each stretch of a turn that was undone",
    "lines": "the lines of the records, byte for byte; every other table follows from them",
}
"""A description of each table."""

COLUMNS: dict[str, dict[str, str]] = {
    "games": {
        "game": "its number: the key. Records are numbered from 0; those that were refused are left out",
        "name": "its name; several games may have the same",
        "source": "where its record came from",
        "first_line": "the line of that source at which the record begins",
        "players": "the names of the players",
        "teams": "the teams, where the players share their turns",
        "edition": "the edition of the rules that the record names",
        "format": "the format of the record",
        "at": "when it began, as the record says it, in the time of its place: the month of `stats --by month`",
        "meta": "what other programs noted on line 1, as JSON",
        "events": "how many events",
        "turns": "how many turns began and were not undone",
        "plain": "whether columns alone tell what it was after each event",
        "because": "why not, or why it is plain all the same",
        "cares": "whether something in it can make it day or night",
        "sha256": "of the record's own bytes, hexadecimal",
        "final_newline": "whether these end with a newline",
        "started": "`at` in UTC, to the microsecond; near its end a month may be another one than in `at`",
        "verdict": "of the audit: `exact`, `disputed`, or `unverified` where nothing is claimed, or nothing is certain",
        "findings": "how many claims and rulings contradict the rules; undone ones do not count",
        "unsettled": "how many the record leaves open; undone ones do not count",
    },
    "events": {
        "game": "the game",
        "event": "its number in the game, from 1",
        "tag": "its type",
        "turn": "the number of the turn that it stands in; 0 before the first",
        "step": "the step that begins",
        "player": "the player that it names, as a place in `players`, from 0",
        "active": "the active players of the turn that begins, as such places",
        "by_active": "of casts: whether that player is active",
        "card": "the card that is cast or copied",
        "untap": "`written`: this is an untap step; `implied`: one that nobody wrote down was just before",
        "designation": "what is claimed, ruled, or set by an effect",
        "gives": "what an arrival makes it where it is neither",
        "face": "the face that is claimed",
        "shows": "the face that the permanent shows: `front`, `back`, or it `turns` with the designation",
        "count": "the spells of a tally that is claimed, or the fewest of a doubt",
        "at_most": "the most spells of a doubt",
        "about_turn": "the turn that a tally is about",
        "by": "who claims or rules",
        "undone": "whether a later back-up undid it",
    },
    "turns": {
        "game": "the game",
        "turn": "its number; 0 is what was before the first turn",
        "event": "its first event",
        "last": "its last event",
        "active": "its active players, as places in `players`, from 0",
        "began": "what it was as the turn began: `neither`, `day`, `night`, or `uncertain`",
        "ended": "what it was as the turn ended",
        "flips": "how often day became night or night day",
        "casts": "how many spells were cast, for certain",
        "active_casts": "how many of the active player who cast most: 0, 1, or 2 for more; null if that is uncertain",
        "undone": "whether it was undone by a back-up",
    },
    "lines": {
        "game": "the game",
        "event": "the number of the line, and of its event, from 1",
        "line": "the line, without its newline",
    },
}  # fmt: skip
"""A description of each column."""

QUERY = (
    "SELECT turn, avg((ended = 'night')::int) FROM 'turns/*.parquet'"
    " WHERE turn > 0 AND NOT undone GROUP BY turn ORDER BY turn"
)
"""The query that the card shows: how often it is night, turn by turn, without turn 0 and what was undone."""

_SOURCES = 50
"""The most sources that the card names."""


def write(manifest: Manifest, folder: Path) -> None:
    """Write the card of a corpus into its folder."""
    with written(folder / CARD) as stream:
        stream.write("".join(f"{line}\n" for line in _lines(manifest)).encode())


def _lines(manifest: Manifest) -> Iterator[str]:
    games, events, turns, refused = (
        sum(getattr(part, name) for part in manifest.parts) for name in ("games", "events", "turns", "refused")
    )
    yield from ("---", "configs:")
    for table in TABLES:
        yield from (f"- config_name: {table}", f"  data_files: {table}/*.parquet")
    yield from ("---", "", "# Recorded games of Magic: day and night", "")
    were = "was" if refused == 1 else "were"
    there = f"{_several(games, 'game')} with {_several(events, 'event')}"
    yield f"{there}; {_several(refused, 'record')} {were} refused (`bad.jsonl`)."
    yield f"The table of turns has {_several(turns, 'row')}: beside each turn one for what was before a game's first"
    yield "turn (turn 0), and one for each stretch that was undone. `sum(turns)` over `games` counts the turns alone."
    yield "Whether it was day or night is derived from what happened in each game, by the Comprehensive Rules."
    yield from ("", "| | |", "| --- | --- |")
    licence = "not said; ask whoever made this folder" if manifest.licence is None else _cell(manifest.licence)
    yield f"| licence of the data | {licence} |"
    yield "| licence of the program that made it | MIT |"
    versions = f"daynight {manifest.daynight}, rules {manifest.rules}, format {manifest.format}"
    yield f"| made by | {versions}; pyarrow {manifest.pyarrow} |"
    shown = ", ".join(f"`{_cell(source)}`" for source in manifest.sources[:_SOURCES])
    more = f" and {len(manifest.sources) - _SOURCES:,} more" if len(manifest.sources) > _SOURCES else ""
    yield f"| sources | {shown}{more} |"
    yield from ("", "## How to load it", "", "```python", "import daynight.corpus", "import duckdb", "")
    yield 'corpus = daynight.corpus.load(".")  # or with duckdb, polars or pandas alone, from the files:'
    yield f'duckdb.sql("{QUERY}")'
    yield "```"
    yield from (
        "",
        "`daynight corpus audit .` judges every game, and `daynight corpus verify .` derives every column anew.",
    )
    for table, schema in TABLES.items():
        yield from ("", f"## {table}", "", f"`{table}/*.parquet`: {ABOUT[table]}.", "")
        yield from ("| column | type | |", "| --- | --- | --- |")
        for field in schema:
            null = ", or null" if field.nullable else ""
            yield f"| `{field.name}` | {_kind(field.type)}{null} | {COLUMNS[table][field.name]} |"


def _several(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _kind(kind: Any) -> str:
    if pa.types.is_dictionary(kind):
        return "word"
    if pa.types.is_list(kind):
        return f"list of {_kind(kind.value_type)}"
    return "timestamp, UTC" if pa.types.is_timestamp(kind) else str(kind)


def _cell(text: str) -> str:
    """Return text for a cell of a table: whitespace, and characters that end or format a cell, become single spaces."""
    return re.sub(r"[\s`|<>\\]+", " ", text).strip()
