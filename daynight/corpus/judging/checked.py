"""Reads a row group of events as numpy arrays, and checks its words, bounds, order and counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from daynight.corpus.schema import WORDS
from daynight.corpus.trust import Damage, column
from daynight.framework.language.wording import _

COLUMNS = [
    "game", "event", "tag", "turn", "player", "by_active", "untap", "designation", "gives", "face", "shows", "count",
    "at_most", "about_turn",
]  # fmt: skip
"""The columns that are read."""

_TWO = 2
_KNOWN = {name: {word: code for code, word in enumerate(words, 1)} for name, words in WORDS.items()}
_TAGS = _KNOWN["tag"]
_FEW = len(_TAGS) + 1


@dataclass(slots=True)
class Checked:
    """The events of a row group.

    Arrays with an entry for each row: `place` is its game, counted from 0; `begins` is true for a `turn-began`;
    `ordinal` counts the `turn-began` so far, in all games together; `turn` is the number of its turn.

    Arrays with an entry for each game: `first` and `last` are its first and last row, `turns` counts its `turn-began`,
    `first_ordinal` is the `ordinal` of its first turn. `casts` has for each `ordinal` the number of spells that the
    active player cast in that turn.

    `untap` (rows at which an untap step shows), `effects`, `arrivals`, `cast`, `doubts` (those of `spells-uncertain`)
    and the fields that end in `claims` hold row numbers. The fields below each of these, up to the next one, have an
    entry for each of its rows, except `casts`; `by_active` has one for each row of `cast`, then of `doubts`. `effect`
    and `gives` are designations, 0 for none.
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
    effects: Any
    effect: Any
    arrivals: Any
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
    may have more turns than that, because it may have undone ones. A column that `table` lacks is null in all rows.

    Raises:
        Damage: in the file `name`, where one of these numbers differs, or a column has an impossible value.
    """
    found = _Columns(table, name)
    rows = table.num_rows
    if int(lengths.sum()) != rows:
        raise Damage(name, _("a row group does not end with a game"))
    last = lengths.cumsum() - 1
    first = last - lengths + 1
    found.rises("game", first, games, 0)
    found.rises("event", first, np.ones(len(first), np.int32), 1)
    tag = found.codes("tag")
    if (tag[first] != _TAGS["game-started"]).any():
        raise Damage(name, _("a game that does not begin with {tag}").format(tag="game-started"))
    begins = tag == _TAGS["turn-began"]
    ordinal = begins.cumsum(dtype=np.int32)
    before = ordinal[first] - begins[first]
    there = ordinal[last] - before
    if ((there != turns) & plain).any() or (there < turns).any():
        raise Damage(name, _("a game with other turns than it says"))
    cast, doubts = found.at(tag, "spell-cast"), found.at(tag, "spells-uncertain")
    spells = np.concatenate((cast, doubts)) if len(doubts) else cast
    by_active = found.flags("by_active", spells)
    counting = cast[by_active[: len(cast)]]
    claims, faces, tallies = (found.at(tag, f"{about}-claimed") for about in ("designation", "face", "tally"))
    effects, arrivals = found.at(tag, "effect-resolved"), found.at(tag, "permanents-entered")
    return Checked(
        place=np.arange(len(lengths), dtype=np.int32).repeat(lengths),
        first=first.astype(np.int32),
        last=last.astype(np.int32),
        turns=there,
        begins=begins,
        ordinal=ordinal,
        first_ordinal=before + 1,
        turn=found.numbers("turn"),
        untap=found.present("untap"),
        effects=effects,
        effect=found.some("designation", effects),
        arrivals=arrivals,
        gives=found.some("gives", arrivals),
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
    """The columns of a row group; each method checks the column that it reads, and refuses it by raising `Damage`."""

    def __init__(self, table: Any, name: str) -> None:
        self._columns, self._name = {each: column(table, each) for each in table.column_names}, name

    def rises(self, name: str, first: Any, starts: Any, step: int) -> None:
        """Refuse column `name` unless each game's rows, from `first` on, begin at `starts` and rise by `step`."""
        found = _raw(self._whole(name))
        # From one game to the next it never rises by `step`, if the games begin as they should and rise in order.
        within = np.count_nonzero(found[1:] - found[:-1] == step)
        if (found[first] != starts).any() or within != len(found) - len(first):
            raise self._damage(name)

    def at(self, tag: Any, word: str) -> Any:
        """Return the numbers of the rows whose `tag` is the type of event `word`."""
        return (tag == _TAGS[word]).nonzero()[0]

    def codes(self, name: str) -> Any:
        """Return a column of words as indices into `WORDS`, counted from 1; refuse nulls."""
        there = self._whole(name)
        return self._places(there, name)[_raw(there.indices)]

    def some(self, name: str, rows: Any) -> Any:
        """Return the words at `rows` as indices from 1, null as 0; designations: 1 day, 2 night, 0 neither or null."""
        if not len(rows) or (there := self._columns.get(name)) is None:
            return np.zeros(len(rows), np.int8)
        places = self._places(there, name)
        if len(places) == 1:
            return np.zeros(len(rows), np.int8)
        found = places[np.where(_there(there, rows), _raw(there.indices)[rows], len(places) - 1)]
        return np.maximum(found - 1, 0) if name == "designation" else found

    def present(self, name: str) -> Any:
        """Return the numbers of the rows at which a column of words is not null."""
        if (there := self._columns.get(name)) is None:
            return np.zeros(0, np.int64)
        self._places(there, name)
        return _there(there).nonzero()[0]

    def _places(self, there: Any, name: str) -> Any:
        """Return for each word of the dictionary of `there` its index in `WORDS`, from 1; then a last 0, for null."""
        words = there.dictionary.to_pylist()
        known = _KNOWN[name]
        if len(words) > _FEW or not known.keys() >= set(words):
            raise self._damage(name)
        return np.array([*(known[word] for word in words), 0], np.int8)

    def numbers(self, name: str, rows: Any = None, *, null: int = 0) -> Any:
        """Return a column of numbers without nulls, or some `rows` of it with `null` for nulls. Refuse negatives."""
        if rows is None:
            there = self._whole(name)
            found = _raw(there)
        elif not len(rows) or (there := self._columns.get(name)) is None:
            return np.full(len(rows), null, np.int64)
        else:
            found = np.where(_there(there, rows), _raw(there)[rows], null).astype(np.int64)
        if len(found) and found.min() < 0:
            raise self._damage(name)
        return found

    def _whole(self, name: str) -> Any:
        """Return a column; refuse one that is missing or has nulls."""
        if (there := self._columns.get(name)) is None or there.null_count:
            raise self._damage(name)
        return there

    def flags(self, name: str, rows: Any) -> Any:
        """Return a column of booleans at some rows; null is False."""
        if not len(rows) or (there := self._columns.get(name)) is None:
            return np.zeros(len(rows), bool)
        return _there(there, rows) & _bits(there.buffers()[1], rows + there.offset)

    def _damage(self, name: str) -> Damage:
        return Damage(self._name, _("the column {column} has what cannot be there").format(column=name))


def _raw(there: Any) -> Any:
    """Return the numbers of an array; the entries for nulls are meaningless."""
    kind = _NUMBERS[there.type]
    return np.frombuffer(there.buffers()[1], kind, len(there), there.offset * kind.itemsize)


_NUMBERS = {kind: np.dtype(str(kind)) for kind in (pa.int16(), pa.int32(), pa.int64())}
"""The numpy type for each type of integers in Arrow, for columns and for indices into a dictionary."""


def _there(there: Any, rows: Any = None) -> Any:
    """Return a mask of the non-null entries among all rows, or among some `rows`."""
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
