"""The application of the eventsourcing library, with our mapper and recorder, and explicit settings."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

from eventsourcing.application import Application
from eventsourcing.persistence import EventStore, InfrastructureFactory, Mapper
from eventsourcing.popo import Factory
from eventsourcing.utils import Environment

from daynight.events.consequences import Consequence
from daynight.events.vocabulary import Event
from daynight.framework.history import History
from daynight.framework.language.wording import _
from daynight.referee.referee import restores, step
from daynight.referee.state import State
from daynight.store.database.mapper import EventMapper, Recorded
from daynight.store.database.recorder import GamesRecorder
from daynight.store.database.settings import Settings
from daynight.store.database.sqlite import SQLiteGames
from daynight.store.errors import SettingsError


def opened(settings: Settings) -> GamesRecorder:
    """The recorder of a place.

    Raises:
        SettingsError: for PostgreSQL, where its driver is not installed.
    """
    if settings.kind != "postgresql":
        return SQLiteGames(settings)
    try:
        from daynight.store.database.postgres import PostgresGames
    except ImportError as error:
        raise SettingsError(
            _("PostgreSQL needs its driver ({reason}): pip install 'daynight[postgres]'").format(reason=error)
        ) from None
    return PostgresGames(settings)


class StoredGame:
    """A game as the library's repository gives it: its name, the number of its last event, and the state after it."""

    def __init__(self, id: str) -> None:
        self.id = id
        self._history: History[State, Event, Consequence] = History(State(), step, restores)

    @property
    def version(self) -> int:
        """The number of the last event."""
        return len(self._history)

    @property
    def state(self) -> State:
        """The state after the last event."""
        return self._history.state

    @classmethod
    def project(cls, game: StoredGame | None, events: Iterable[Recorded]) -> StoredGame | None:
        """The projector that `repository.get` is given."""
        for recorded in events:
            game = cls(recorded.originator_id) if game is None else game
            game._history.extend(recorded.event)
        return game


class Games(Application[str]):
    """All games of a store. Stream: the game's name. Version n: event n. Topic: the tag. State: the line.

    The library would read its settings from the environment, and keep everything in memory where one is misspelt;
    this application has its recorder given to it.
    """

    name = "daynight"

    def __init__(self, settings: Settings) -> None:
        self.games: GamesRecorder = opened(settings)
        super().__init__()

    def construct_env(self, name: str, env: Any = None) -> Environment:
        return Environment(name, {})

    def construct_factory(self, env: Environment) -> InfrastructureFactory:
        # It makes nothing here: mapper and recorder are ours.
        return cast(InfrastructureFactory, Factory(env))

    def construct_mapper(self) -> Mapper[str]:
        return EventMapper()

    def construct_recorder(self) -> GamesRecorder:
        return self.games

    def construct_event_store(self) -> EventStore[str]:
        return EventStore(self.mapper, self.recorder)

    def game(self, name: str, version: int | None = None) -> StoredGame:
        """A game by the library's own repository: a row at a time, slower than the bulk path, and the same."""
        return self.repository.get(name, version=version, projector_func=StoredGame.project)

    def close(self) -> None:
        super().close()
        self.games.close()
