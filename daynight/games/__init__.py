"""Games that are kept: the store of day and night, and the list of its games."""

from __future__ import annotations

from daynight.games.application import Games as Games
from daynight.games.library import Library as Library
from daynight.games.store import Store as Store
