"""Makes a row group each of `games`, `events` and `turns`; games that were not replayed are judged by their columns."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any

import numpy as np
import pyarrow as pa

from daynight.corpus.judging import vectorised
from daynight.corpus.judging.checked import COLUMNS, checked
from daynight.corpus.judging.refereed import NUMBERS, Told
from daynight.corpus.schema import ENDED, TURN, VERDICTS
from daynight.corpus.tables import Gathered, indexed

_EXACT, _DISPUTED, _UNVERIFIED = map(VERDICTS.index, ("exact", "disputed", "unverified"))


def tables(gathered: Gathered, told: Sequence[Told | None]) -> dict[str, Any]:
    """Return a row group of each table, by its name; `told` has for each game the ordinary referee's result, or None.

    A game with None was not replayed: it is plain, and has no unknown cards or unwritten turns, so each of its
    wrong claims is a finding.
    """
    events = gathered.events_table()
    number = np.array([row.game for row in gathered.rows], np.int64)
    lengths = np.array([row.events for row in gathered.rows], np.int32)
    rows = checked(events.select(COLUMNS), number, lengths, gathered.turns, gathered.plain, "events")
    settings = vectorised.settings(rows)
    judged = vectorised.judged(rows, found=settings)
    findings, unsettled = judged.disputed, np.zeros(len(number), np.int64)
    verdict = np.where(findings > 0, _DISPUTED, np.where(judged.claims > 0, _EXACT, _UNVERIFIED))
    for place, one in enumerate(told):
        if one is not None:
            verdict[place], findings[place], unsettled[place] = one[:3]
    return {
        "games": gathered.games_table(verdict, findings, unsettled),
        "events": events,
        "turns": _turns(number, rows, vectorised.turns(rows, settings), gathered.active, told),
    }


def _turns(
    number: Any, rows: Any, found: vectorised.Turns, active: Sequence[list[int]], told: Sequence[Told | None]
) -> Any:
    """Return the row group of `turns`, sorted by game and event: from `told` for replayed games, else from `found`."""
    by_referee = np.array([one is not None for one in told], bool)
    kept = np.flatnonzero(~by_referee[found.place])
    others = [one for one in told if one is not None]
    first = rows.first[found.place]
    columns: dict[str, Any] = {
        "turn": rows.turn[found.row],
        "event": found.row - first + 1,
        "last": found.last - first + 1,
        "began": found.began,
        "ended": found.ended,
        "flips": found.flips,
        "casts": found.casts,
        "active_casts": found.active_casts,
        "undone": np.zeros(len(found.row), np.int8),
    }
    place = found.place[kept]
    columns = {name: whole[kept] for name, whole in columns.items()}
    # Turn 0 has no active players; those of the other turns stand in the order of these.
    turns = iter(active)
    players = [next(turns) if begins else [] for begins in rows.begins[found.row]]
    players = [players[at] for at in kept]
    if others:
        counts = [len(one.turns) for one in others]
        place = np.concatenate([place, np.repeat(np.flatnonzero(by_referee), counts)])
        numbers = chain.from_iterable([number for one in others for number in one.turns])
        more = np.fromiter(numbers, np.int64, sum(counts) * len(NUMBERS)).reshape(-1, len(NUMBERS)).T
        columns = {name: np.concatenate([columns[name], more[at]]) for at, name in enumerate(NUMBERS)}
        for one in others:
            players += one.active
        order = np.lexsort((columns["event"], place))
        place, players = place[order], [players[at] for at in order]
        columns = {name: whole[order] for name, whole in columns.items()}
    casts = columns.pop("active_casts")
    made = {
        "game": pa.array(number[place]),
        "active": _listed(players),
        "active_casts": pa.array(casts, pa.int32(), mask=casts < 0),
        **{name: indexed(columns.pop(name).astype(np.int32) + 1, ENDED) for name in ("began", "ended")},
        "undone": pa.array(columns.pop("undone").astype(bool)),
        **{name: pa.array(whole, TURN.field(name).type) for name, whole in columns.items()},
    }
    return pa.table([made[field.name] for field in TURN], schema=TURN)


def _listed(several: Sequence[Sequence[int]]) -> Any:
    ends = np.cumsum([0, *map(len, several)], dtype=np.int32)
    return pa.ListArray.from_arrays(pa.array(ends), pa.array([*chain.from_iterable(several)], pa.int16()))
