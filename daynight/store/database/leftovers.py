"""What lies in a store beside the events of its games: rows of nobody's, positions of followers."""

from __future__ import annotations

from collections.abc import Iterator

from daynight.framework.language.wording import _
from daynight.store.database.recorder import GamesRecorder
from daynight.store.database.registry import view_tables
from daynight.store.database.rows import tables


def strays(recorder: GamesRecorder) -> list[tuple[str, str]]:
    """Games that have no events but rows in other tables: game and table."""
    found: list[tuple[str, str]] = []
    for table in (*tables(blob="", integer=""), *view_tables(recorder)):
        rows = recorder.select(
            f"SELECT DISTINCT game FROM {table} WHERE game NOT IN (SELECT originator_id FROM stored_events)"
        )
        found += [(str(game), table) for (game,) in rows]
    return sorted(found)


def stray_positions(recorder: GamesRecorder) -> Iterator[str]:
    """What is wrong with how far the events were followed: who is ahead of them would wait for ever."""
    # Asked for first: followers go on meanwhile.
    followers = recorder.select("SELECT application_name, notification_id FROM tracking")
    last = recorder.select(f"SELECT max({recorder.place}) FROM stored_events")[0][0] or 0
    for name, place in followers:
        if type(name) is not str or type(place) is not int or not 0 <= place <= last:
            sentence = _("tracking: {name} is said to have come to {place}, but the last event stored is at {last}")
            yield sentence.format(name=repr(name), place=repr(place), last=last)
