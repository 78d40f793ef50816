"""The store as an application of the eventsourcing library, in that library's usual way: `Games(env={...})`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, cast

from eventsourcing.application import AggregateNotFoundError, Application, Repository
from eventsourcing.persistence import AggregateRecorder, InfrastructureFactory, Mapper
from eventsourcing.utils import Environment, EnvType, strtobool

from daynight.framework.language.wording import _
from daynight.framework.mechanic import Mechanic
from daynight.store.database.declared import check_mechanic
from daynight.store.database.described import Guarding
from daynight.store.database.mapper import Numbered, game_name, mapper_of
from daynight.store.database.recorder import GamesRecorder
from daynight.store.database.settings import Settings, no_driver
from daynight.store.database.sqlite import SQLiteGames
from daynight.store.errors import SettingsError
from daynight.store.moments.live import Live
from daynight.store.moments.past import Past
from daynight.store.writing import Writer


def opened(settings: Settings) -> GamesRecorder:
    """Open the database in `settings`, and return its recorder, which does not know the mechanic of its records yet.

    Raises:
        SettingsError: for PostgreSQL, where its driver is not installed.
    """
    if settings.kind != "postgresql":
        return SQLiteGames(settings)
    try:
        from daynight.store.database.postgres import PostgresGames
    except ImportError as error:
        raise no_driver(error) from None
    return PostgresGames(settings)


class GamesFactory(InfrastructureFactory[GamesRecorder]):
    """The library's `InfrastructureFactory` for a store: all its recorder methods return the same recorder.

    Raises:
        SettingsError: where the environment names no valid place of a store.
    """

    def __init__(self, env: Environment | EnvType | None) -> None:
        super().__init__(env)
        self.settings = Settings.of(self.env)
        self._recorder: GamesRecorder | None = None

    def application_recorder(self) -> GamesRecorder:
        """The recorder of the store."""
        self._recorder = self._recorder or opened(self.settings)
        return self._recorder

    process_recorder = application_recorder

    def aggregate_recorder(self, purpose: str = "events") -> AggregateRecorder:
        """The recorder of the store, the same as `application_recorder`.

        Raises:
            SettingsError: for another purpose than events, which would need a table that is not daynight's.
        """
        if purpose != "events":
            sentence = _("a store has no table for {purpose}; it keeps snapshots by itself")
            raise SettingsError(sentence.format(purpose=repr(purpose)))
        return self.application_recorder()

    def tracking_recorder(self, tracking_recorder_class: type[Any] | None = None) -> GamesRecorder:
        """The recorder of the store, the same as `application_recorder`; it also tracks the positions of followers.

        Raises:
            SettingsError: for a user's own class, whose tables would mix with daynight's.
        """
        recorder = self.application_recorder()
        asked = tracking_recorder_class or self.env.get(self.TRACKING_RECORDER_TOPIC)
        if asked not in (None, type(recorder)):
            raise SettingsError(
                _("{view} would have its tables among those of the store; give the projection a database of its own")
                .format(view=getattr(asked, "__name__", asked))
            )  # fmt: skip
        return recorder

    def close(self) -> None:
        """Close the database."""
        if self._recorder is not None:
            self._recorder.close()


class GamesRepository(Repository[str]):
    """The library's repository, except that it builds a game from its lines in bulk.

    With the caller's own `projector_func` it reads row by row like the library, some fourteen times slower.
    """

    check: Callable[[], None]
    """Raises LanguageError if the current code would read stored lines with another meaning than they had."""

    def get(self, aggregate_id: str, *, version: int | None = None, projector_func: Any = None, **kwargs: Any) -> Any:
        """Return the game as a `Live`, after event `version`, or after its last event if that is None.

        Raises:
            AggregateNotFoundError: where there is no such game or event.
            DamagedError: at the first line that is not what was stored.
            LanguageError: where `check` refuses to read.
        """
        project: Any = projector_func or forward
        return super().get(aggregate_id, version=version, projector_func=project, **kwargs)

    def _reconstruct_aggregate(self, aggregate_id: str, version: int | None, projector_func: Any) -> Any:
        if projector_func is not forward:
            return super()._reconstruct_aggregate(aggregate_id, version, projector_func)
        recorder = cast(GamesRecorder, self.event_store.recorder)
        self.check()
        last = recorder.head(game_name(aggregate_id)).number
        number = last if version is None else version
        if not 1 <= number <= last:
            raise AggregateNotFoundError(f"{aggregate_id!r}: no event {number}; the last one is {last}")
        return Past(recorder, aggregate_id, checked=True).live(number)


def forward(live: Live, events: Iterable[Numbered]) -> Live:
    """Apply `events`, which were stored after the cached game `live` was read, to `live`, and return it."""
    live.pass_over([recorded.event for recorded in events], stored=True)
    return live


class Games(Application[str]):
    """All games of a store, in the library's terms: a game is a stream (the game's name is the stream's id).

    An event's number is its version, its tag is its topic, and its line is its state.

    `env` has the library's keys: `PERSISTENCE_MODULE`, `SQLITE_DBNAME`, `POSTGRES_DBNAME` and so on. The environment of
    the process is not read. Nothing is stored that `Store.append` would refuse. `mechanic` is the mechanic of the
    records, and is required.

    Raises:
        TypeError: without a mechanic.
        SettingsError: where `env` names no valid place of a store, or has a value that a store does not allow.
        StoreError: where the store keeps records of another mechanic.
    """

    name = "daynight"
    factory: GamesFactory  # type: ignore[assignment]  # its parameter is fixed there
    recorder: GamesRecorder

    def __init__(self, env: EnvType | None = None, *, mechanic: Mechanic[Any, Any, Any] | None = None) -> None:
        if mechanic is None:
            raise TypeError("mechanic: say what the records are of; for games of day and night use daynight.Store")
        self.mechanic = mechanic
        super().__init__(env)
        try:
            check_mechanic(self.recorder, self.mechanic.name, self.factory.settings.shown)
            self.guarding = self.recorder.guarding = Guarding(self.recorder)
            self.mapper.knows = self.guarding.knows  # type: ignore[attr-defined]  # it is our own mapper
        except BaseException:
            self.close()
            raise

    def construct_env(self, name: str, env: EnvType | None = None) -> Environment:
        return Environment(name, {**type(self).env, **(env or {})})

    def construct_factory(self, env: Environment) -> InfrastructureFactory[Any]:
        return GamesFactory(env)

    def construct_mapper(self) -> Mapper[str]:
        return self.factory.mapper(mapper_class=mapper_of(self.mechanic.language))

    def construct_recorder(self) -> GamesRecorder:
        recorder = self.factory.application_recorder()
        recorder.mechanic = self.mechanic
        self.writer = Writer(recorder, self.factory.settings)
        recorder.insert = self.writer.insert
        return recorder

    def construct_snapshot_store(self) -> Any:
        return None

    def construct_repository(self) -> Repository[str]:
        get, size = self.env.get, self.env.get(self.AGGREGATE_CACHE_MAXSIZE)
        repository = GamesRepository(
            self.events,
            cache_maxsize=int(size) if size else None,
            fastforward=strtobool(get(self.AGGREGATE_CACHE_FASTFORWARD, "y")),
            fastforward_skipping=strtobool(get(self.AGGREGATE_CACHE_FASTFORWARD_SKIPPING, "n")),
            deepcopy_from_cache=strtobool(get(self.DEEPCOPY_FROM_AGGREGATE_CACHE, "y")),
        )
        # It is made when the application is, before the store is compared with the language.
        repository.check = lambda: self.guarding.check()  # noqa: PLW0108
        return repository

    def take_snapshot(self, aggregate_id: str, version: int | None = None, projector_func: Any = None) -> None:
        """Store a snapshot of a game after event `version` (None: its last event), unless there is one at that event.

        `projector_func` is not used.

        Raises:
            AggregateNotFoundError: where there is no such game or event.
        """
        live: Live = self.repository.get(aggregate_id, version=version)
        Past(self.recorder, aggregate_id, checked=True).take_snapshot(live)
