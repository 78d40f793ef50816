"""Stored games: the store of day and night, and the list of its games."""

from __future__ import annotations

from daynight.games.application import Games as Games
from daynight.games.store import Store as Store
from daynight.projections.library import Library as Library
