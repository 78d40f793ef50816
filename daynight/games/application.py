"""The application of the eventsourcing library for games: `Games(env={...})`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from daynight.framework.mechanic import Mechanic
from daynight.game import played
from daynight.store.database import application


class Games(application.Games):
    """All games of a store: `daynight.store.Games`; without a `mechanic` its records are games of day and night.

    >>> from daynight.events import GameStarted
    >>> from daynight.store import Numbered
    >>> games = Games(env={"PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": ":memory:"})
    >>> begun = games.save(Numbered("friday", 1, GameStarted(format=1, game="friday", players=("Ana", "Bo"))))
    >>> games.repository.get("friday").version
    1

    Raises:
        SettingsError, StoreError: as `daynight.store.Games`.
    """

    name = "daynight"  # the library would call it by its class

    def __init__(
        self, env: Mapping[str, str] | None = None, *, mechanic: Mechanic[Any, Any, Any] | None = None
    ) -> None:
        super().__init__(env, mechanic=mechanic or played())
