"""Helpers that judge games by the vectorised and by the ordinary referee, and make the columns of games."""

from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import Any

import numpy as np

from daynight.corpus.building.groups import tables
from daynight.corpus.columns import Columns
from daynight.corpus.judging import vectorised
from daynight.corpus.judging.checked import COLUMNS, Checked, checked
from daynight.corpus.judging.ordinary import CASTS, Ordinary
from daynight.corpus.reading import taken
from daynight.corpus.schema import ENDED
from daynight.corpus.tables import Gathered
from daynight.events.terms import Designation
from daynight.records import Held
from tests.behaviour.games import lines
from tests.rules.words import Event

NAMES = ("neither", "day", "night")


def gathered(games: Sequence[Sequence[Event]]) -> tuple[list[Columns], dict[str, Any]]:
    """Return the columns of each game; and the tables `games`, `events` and `turns`, with all games in a row group."""
    whole = Gathered()
    columns, told = [], []
    for number, events in enumerate(games):
        read = taken(lines(events), number, "here", 1)
        whole.add(read.row, read.columns)
        told.append(read.told)
        columns.append(read.columns)
    return columns, tables(whole, told)


def rows_of(games: Any, events: Any) -> Checked:
    """Return the tables `games` and `events` as one `Checked`, the form that the vectorised referee takes."""
    number, lengths, turns = (games.column(name).to_numpy() for name in ("game", "events", "turns"))
    plain = games.column("plain").to_numpy()
    return checked(events.select(COLUMNS), number, lengths, turns, plain, "events")


def by_columns(games: Any, events: Any, assumed: str | None = None) -> list[dict[str, Any]]:
    """Return the vectorised referee's results for each game, even if not plain; each begins with `assumed`."""
    found = vectorised.judged(rows_of(games, events), 0 if assumed is None else NAMES.index(assumed))
    return [
        {
            "verdict": "disputed" if found.disputed[at] else "exact" if found.claims[at] else "unverified",
            "turns": int(found.turns[at]), "flips": int(found.flips[at]), "spells": int(found.spells[at]),
            "ended": {**dict(zip(ENDED, map(int, found.ended[at]), strict=False)), "uncertain": 0},
            "active_casts": dict(zip(CASTS, map(int, found.casts[at]), strict=True)),
        }
        for at in range(games.num_rows)
    ]  # fmt: skip


def by_rules(events: Sequence[Event], assumed: str | None = None) -> dict[str, Any]:
    """Return the ordinary referee's results for a game, with the keys of `by_columns`."""
    audit, counts = Ordinary(None, None if assumed is None else Designation(assumed)).judged(Held("", lines(events)))
    return {
        "verdict": audit.verdict,
        **{name: counts[name] for name in ("turns", "flips", "spells")},
        "ended": {word: counts[f"ended_{word}"] for word in ENDED},
        "active_casts": {word: counts[f"active_casts_{word}"] for word in CASTS},
    }


def designations(games: Any, events: Any) -> list[list[str]]:
    """Return the designation after each event, in a list for each game, by the vectorised referee."""
    rows = rows_of(games, events)
    after = vectorised.settings(rows).after_each(np.arange(len(rows.place)), rows.place)
    ends = [0, *accumulate(games.column("events").to_pylist())]
    return [[NAMES[code] for code in after[first:last]] for first, last in pairwise(ends)]
