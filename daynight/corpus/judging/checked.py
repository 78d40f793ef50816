"""Reads a row group of events as numpy arrays, and checks its words, bounds, order and counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from daynight.corpus.schema import WORDS
from daynight.corpus.tables import numbered
from daynight.corpus.trust import Damage, column
from daynight.framework.language.wording import _

COLUMNS = [
    "game", "event", "tag", "turn", "player", "by_active", "untap", "designation", "gives", "face", "shows", "count",
    "at_most", "about_turn",
]  # fmt: skip
"""The columns that are read."""

_TWO = 2
_TAGS = {tag: code for code, tag in enumerate(WORDS["tag"], 1)}
_FEW = len(_TAGS) + 1


@dataclass(slots=True)
class Checked:
    """The events of a row group.

    Arrays with an entry for each row: `place` is its game, counted from 0; `begins` whether it is a `turn-began`;
    `ordinal` how many of these there were so far, in all games together; `untap` whether an untap step shows here;
    `effect` and `gives` are designations, 0 for none.

    Arrays with an entry for each game: `first` and `last` are its rows, `turns` counts its `turn-began`,
    `first_ordinal` is the `ordinal` of its first turn. `casts` has for each `ordinal` how many spells the active player
    cast in that turn.

    `cast`, `doubts` and the fields that end in `claims` hold row numbers. The fields after each of them have an entry
    for each of these rows; `by_active` has one for each row of `cast`, then of `doubts`.
    """

    place: Any
    first: Any
    last: Any
    turns: Any
    begins: Any
    ordinal: Any
    first_ordinal: Any
    turn: Any
    untap: Any
    effect: Any
    gives: Any
    cast: Any
    player: Any
    by_active: Any
    casts: Any
    designation_claims: Any
    claimed: Any
    face_claims: Any
    face: Any
    shows: Any
    tally_claims: Any
    tally_player: Any
    tally_count: Any
    about_turn: Any
    doubts: Any
    doubt_least: Any
    doubt_most: Any


def checked(table: Any, games: Any, lengths: Any, turns: Any, plain: Any, name: str) -> Checked:
    """Return the events of a row group, checked.

    `games` are the numbers of the games in it, `lengths` their events, `turns` their turns. A game that is not `plain`
    may have more turns than that, because it may have undone ones.

    Raises:
        Damage: naming the file, where one of these differs, or a column has an impossible value.
    """
    found = _Columns(table, name)
    rows = table.num_rows
    if int(lengths.sum()) != rows:
        raise Damage(name, _("a row group does not end with a game"))
    place = np.repeat(np.arange(len(lengths), dtype=np.int32), lengths)
    found.same("game", games[place])
    found.same("event", numbered(lengths))
    last = np.cumsum(lengths) - 1
    first = last - lengths + 1
    tag = found.codes("tag")
    if (tag[first] != _TAGS["game-started"]).any():
        raise Damage(name, _("a game that does not begin with {tag}").format(tag="game-started"))
    begins = tag == _TAGS["turn-began"]
    ordinal = np.cumsum(begins, dtype=np.int32)
    before = ordinal[first] - begins[first]
    there = ordinal[last] - before
    if ((there != turns) & plain).any() or (there < turns).any():
        raise Damage(name, _("a game with other turns than it says"))
    cast = np.flatnonzero(tag == _TAGS["spell-cast"])
    doubts = found.at(tag, "spells-uncertain")
    spells = np.concatenate((cast, doubts)) if len(doubts) else cast
    by_active = found.flags("by_active", spells)
    counting = cast[by_active[: len(cast)]]
    claims, faces, tallies = (found.at(tag, f"{about}-claimed") for about in ("designation", "face", "tally"))
    effects, arrivals = found.at(tag, "effect-resolved"), found.at(tag, "permanents-entered")
    effect, gives = np.zeros(rows, np.int8), np.zeros(rows, np.int8)
    effect[effects] = found.some("designation", effects)
    gives[arrivals] = found.some("gives", arrivals)
    return Checked(
        place=place,
        first=first.astype(np.int32),
        last=last.astype(np.int32),
        turns=there,
        begins=begins,
        ordinal=ordinal,
        first_ordinal=before + 1,
        turn=found.numbers("turn"),
        untap=found.present("untap"),
        effect=effect,
        gives=gives,
        cast=cast,
        player=found.numbers("player", cast),
        by_active=by_active,
        casts=np.bincount(ordinal[counting], minlength=int(ordinal[-1]) + 1 if rows else 1),
        designation_claims=claims,
        claimed=found.some("designation", claims),
        face_claims=faces,
        face=found.some("face", faces),
        shows=found.some("shows", faces),
        tally_claims=tallies,
        tally_player=found.numbers("player", tallies),
        tally_count=found.numbers("count", tallies),
        about_turn=found.numbers("about_turn", tallies),
        doubts=doubts,
        doubt_least=found.numbers("count", doubts),
        doubt_most=found.numbers("at_most", doubts, null=_TWO),
    )


class _Columns:
    """The columns of a row group; each method checks the column that it reads."""

    def __init__(self, table: Any, name: str) -> None:
        self._table, self._name = table, name

    def same(self, column_name: str, expected: Any) -> None:
        """Refuse a column that is not what is `expected`."""
        there = column(self._table, column_name)
        if there.null_count or not np.array_equal(there.to_numpy(), expected):
            raise self._damage(column_name)

    def at(self, tag: Any, word: str) -> Any:
        """Return the rows of a type of event."""
        return np.flatnonzero(tag == _TAGS[word])

    def codes(self, name: str) -> Any:
        """Return a column of words as places in `WORDS`, counted from 1; refuse nulls."""
        there = column(self._table, name)
        if there.null_count:
            raise self._damage(name)
        return self._places(there, name)[_raw(there.indices)]

    def some(self, name: str, rows: Any) -> Any:
        """Return the words at some rows as places counted from 1, with 0 for null; designations are counted from 0."""
        if not len(rows):
            return np.zeros(0, np.int8)
        there = column(self._table, name)
        places = self._places(there, name)
        if len(places) == 1:
            return np.zeros(len(rows), np.int8)
        found = places[np.where(_there(there, rows), _raw(there.indices)[rows], len(places) - 1)]
        return np.maximum(found - 1, 0) if name == "designation" else found

    def present(self, name: str) -> Any:
        """Return which rows have a word."""
        there = column(self._table, name)
        self._places(there, name)
        return _there(there)

    def _places(self, there: Any, name: str) -> Any:
        """Return the place of each word of the column's dictionary, and after these a 0 for null."""
        words = there.dictionary.to_pylist()
        known = {word: code for code, word in enumerate(WORDS[name], 1)}
        if len(words) > _FEW or not known.keys() >= set(words):
            raise self._damage(name)
        return np.array([*(known[word] for word in words), 0], np.int8)

    def numbers(self, name: str, rows: Any = None, *, null: int = 0) -> Any:
        """Return a column of numbers without nulls, or some `rows` of it with `null` for nulls. Refuse negatives."""
        there = column(self._table, name)
        if rows is None:
            if there.null_count:
                raise self._damage(name)
            found = _raw(there)
        else:
            if not len(rows):
                return np.zeros(0, np.int64)
            found = np.where(_there(there, rows), _raw(there)[rows], null).astype(np.int64)
        if len(found) and found.min() < 0:
            raise self._damage(name)
        return found

    def flags(self, name: str, rows: Any) -> Any:
        """Return a column of booleans at some rows; null is False."""
        there = column(self._table, name)
        return _there(there, rows) & _bits(there.buffers()[1], rows + there.offset)

    def _damage(self, name: str) -> Damage:
        return Damage(self._name, _("the column {column} has what cannot be there").format(column=name))


def _raw(there: Any) -> Any:
    """Return the numbers of an array; those at nulls are meaningless."""
    kind = np.dtype(str(there.type))  # integers have the same names in Arrow
    return np.frombuffer(there.buffers()[1], kind, len(there), there.offset * kind.itemsize)


def _there(there: Any, rows: Any = None) -> Any:
    """Return which of all rows, or of some `rows`, are not null."""
    there = there.indices if pa.types.is_dictionary(there.type) else there
    bits = there.buffers()[0]
    if bits is None:
        return np.ones(len(there) if rows is None else len(rows), bool)
    if rows is not None:
        return _bits(bits, rows + there.offset)
    whole = np.unpackbits(np.frombuffer(bits, np.uint8), count=there.offset + len(there), bitorder="little")
    return whole[there.offset :].view(bool)


def _bits(bits: Any, rows: Any) -> Any:
    return (np.frombuffer(bits, np.uint8)[rows >> 3] >> (rows & 7) & 1).astype(bool)
