"""Reads from the first line of a game its title and, for one imported from a log, its player, opponents and date."""

from __future__ import annotations

from collections.abc import Mapping

from daynight.events import Event, GameStarted
from daynight.framework.branches import origin_of
from daynight.speech.sentences import against, occasion


def own_name(first: Event) -> str:
    """Return the name that a record gives itself: the name of its game or, for a branch, that of the branch."""
    assert isinstance(first, GameStarted)
    origin = origin_of(first)
    return first.game if origin is None else origin.full_name


def recorder_of(first: Event) -> str | None:
    """Return the player whose client wrote the log that was imported; None if the first line does not say."""
    about = (first.meta or {}).get("arena")
    seat = about.get("seat") if isinstance(about, Mapping) else None
    name = f"Seat {seat}"
    return name if isinstance(first, GameStarted) and name in first.players else None


def is_from_a_log(first: Event) -> bool:
    """Return whether a game was imported from a log, by its first line."""
    return isinstance((first.meta or {}).get("source"), Mapping)


def occasion_of(first: Event) -> str | None:
    """Return when and against whom a game from a log was played; None if it is from no log, or has no time."""
    if not isinstance(first, GameStarted) or first.at is None or not is_from_a_log(first):
        return None
    return occasion(first, first.at, recorder_of(first))


def title_of(first: Event) -> str:
    """Return the title of a game: its name or, for a game from a log, its players and date."""
    assert isinstance(first, GameStarted)
    if not is_from_a_log(first):
        return first.game
    return against(first) if first.at is None else f"{against(first)}, {first.at[:10]}"
