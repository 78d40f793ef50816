"""What lies in a store beside the events of its games: rows of nobody's, positions of followers, the library's rows."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from daynight.framework.language.wording import _
from daynight.store.database.recorder import GamesRecorder
from daynight.store.database.rows import tables
from daynight.store.errors import DamagedError
from daynight.store.folds import cold


def strays(recorder: GamesRecorder) -> list[tuple[str, str]]:
    """Games that have no events but rows in other tables: game and table."""
    found: list[tuple[str, str]] = []
    for table in tables(blob="", integer=""):
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


def library_fault(recorder: GamesRecorder, game: str) -> str | None:
    """What is wrong with a game's row in the library, where there is one; the game itself is whole.

    It may be behind the events, which is not wrong.
    """
    columns = "game, events, turns, spells, changes, possible, verdict, disputes, over"
    found = recorder.select(f"SELECT {columns} FROM library WHERE game = ?", game)
    if not found:
        return None
    row = tuple(found[0])
    events = row[1]
    if type(events) is int and 1 <= events <= recorder.head(game).number:
        with suppress(DamagedError):
            if row == cold(recorder, game, events).row(game):
                return None
    return _("its row in the library does not follow from its events; rebuild the library")
