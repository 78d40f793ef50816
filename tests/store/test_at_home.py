"""The features of the eventsourcing library work with games: projections, followers, systems, logs, repositories.

| promise | tests |
| --- | --- |
| `Games` reads its settings from `env`, not from the process's environment | test_environment, test_process |
| an unknown setting is refused, never ignored | test_refused_settings |
| the place of a store is written as the library's settings, and read from them | test_spelled |
| the notification log has every event, in sections | test_notification_log |
| a custom projection runs, if its view is not in the store's database | test_projection, test_view_among_our_tables |
| games lead and follow in a system of applications; a follower may store games itself | test_system, test_processing |
| a subscription yields stored events and new ones | test_subscription |
| the repository returns a game, with or without a projector | test_repository, test_not_found, test_remembered |
| the repository starts from the latest snapshot | test_snapshot |
"""

import copy
from collections import Counter
from dataclasses import replace

import pytest
from eventsourcing.application import AggregateNotFoundError
from eventsourcing.persistence import IntegrityError
from eventsourcing.popo import POPOTrackingRecorder
from eventsourcing.projection import Projection, ProjectionRunner
from eventsourcing.system import Follower, ProcessApplication, SingleThreadedRunner, System

from daynight.events import GameStarted, SpellCast, TurnBegan
from daynight.events.language import LANGUAGE
from daynight.games import Games, Store
from daynight.store import Numbered, SettingsError
from daynight.store.database.mapper import mapper_of
from daynight.store.database.settings import Settings
from tests.store.conftest import KEPT
from tests.store.playing import CAST, WEREWOLF, begun

kept = pytest.mark.parametrize("place", KEPT, indirect=True)
ASIDE = "eventsourcing.popo"
"""The library's module of in-memory classes, which keep the views in these tests."""


def played(games, game="friday", spells=3):
    """Store a game with this many spells; return the recording of its last event."""
    events = [GameStarted(format=1, game=game, players=("Ana", "Bo")), TurnBegan(turn=1, active=("Ana",))]
    found = games.save(*(Numbered(game, number, event) for number, event in enumerate(events, 1)))
    for number in range(3, 3 + spells):
        found = games.save(Numbered(game, number, SpellCast(player="Ana")))
    return found[-1]


# ----------------------------------------------------------------------------------------------------- constructing


def test_environment(place):
    with Games(env=place.env) as games:
        played(games)
    if place.kind == "memory":
        return
    named = {"sqlite": "eventsourcing.sqlite", "postgresql": "eventsourcing.postgres"}[place.kind]
    with Games(place.env | {"PERSISTENCE_MODULE": named}) as games:
        assert games.repository.get("friday").version == 5
    prefixed = {f"DAYNIGHT_{key}": value for key, value in place.env.items()}
    with Games(prefixed | dict.fromkeys(place.env, "nowhere")) as games:
        assert games.repository.get("friday").version == 5
    with Store(place) as store:
        assert store.games() == [("friday", 5)]


def test_process(monkeypatch, tmp_path):
    """The environment of the process changes nothing: without `env`, `Games` raises SettingsError."""
    here, there = Settings.parse(tmp_path / "here.db"), Settings.parse(tmp_path / "there.db")
    for key, value in (there.env | {"COMPRESSOR_TOPIC": "zlib", "IS_SNAPSHOTTING_ENABLED": "y"}).items():
        monkeypatch.setenv(key, value)
    with pytest.raises(SettingsError, match="PERSISTENCE_MODULE"):
        Games()
    with Games(env=here.env) as games:
        played(games)
    assert [path.name for path in tmp_path.glob("*.db")] == ["here.db"]


@pytest.mark.parametrize("env, sentence", [
    ({"PERSISTENCE_MODULE": "eventsourcing.sqlit"}, "expected one of"),
    ({"PERSISTENCE_MODULE": "eventsourcing.popo"}, "expected one of"),
    ({"SQLITE_DBNAME": ""}, "POSTGRES_DBNAME is missing"),
    ({"SQLITE_DBNAME": "", "PERSISTENCE_MODULE": "eventsourcing.sqlite"}, "SQLITE_DBNAME is missing"),
    ({"POSTGRES_DBNAME": "games"}, "give one of them"),
    ({"SQLITE_LOCK_TIMEOUT": "soon"}, "expected a whole number from 0 on"),
    ({"SNAPSHOTS": "0"}, "expected a whole number from 1 on"),
    ({"COMPRESSOR_TOPIC": "zlib"}, "no compressor"),
    ({"CIPHER_TOPIC": "tests.store.test_at_home:Cipher"}, "no cipher"),
    ({"ORIGINATOR_ID_TYPE": "uuid"}, "has only text"),
    ({"POSTGRES_ENABLE_DB_FUNCTIONS": "y"}, "has only n"),
])  # fmt: skip
def test_refused_settings(env, sentence):
    with pytest.raises(SettingsError, match=sentence):
        Games(env=Settings(kind="memory").env | env)


class Cipher:
    """A cipher, which a store refuses as a setting."""

    def __init__(self, env):
        """Make a cipher without a key."""


@pytest.mark.parametrize(
    "where",
    ["memory:", "games.db", "postgresql://ana@db.example.org:5433/games?sslmode=require&timeout=7&pool=3&snapshots=9"],
)
def test_spelled(where):
    settings = Settings.parse(where)
    assert Settings.of(settings.env) == settings


# ------------------------------------------------------------------------------------------- logs and subscriptions


@kept
def test_notification_log(place):
    with Games(env=place.env) as games:
        played(games, spells=10)
        section = games.notification_log["1,10"]
        named = [(one.originator_id, one.originator_version) for one in section.items]
        assert named == [("friday", number) for number in range(1, 11)]
        assert section.next_id is not None
        rest = games.notification_log[section.next_id]
        assert [one.topic for one in rest.items] == ["spell-cast", "spell-cast"]
        assert games.mapper.to_domain_event(rest.items[0]).event == SpellCast(player="Ana")


def test_subscription(place):
    """Subscriptions work on SQLite too, although the library's own SQLite recorder has none."""
    with Games(env=place.env) as games:
        played(games)
        with games.recorder.subscribe(gt=0) as subscription:
            assert [next(subscription).originator_version for _event in range(5)] == [1, 2, 3, 4, 5]
            games.save(Numbered("friday", 6, SpellCast(player="Bo")))
            assert next(subscription).state == b'{"type":"spell-cast","player":"Bo"}'
        with games.recorder.subscribe(gt=None, topics=["turn-began"]) as subscription:
            assert next(subscription).originator_version == 2


# ------------------------------------------------------------------------------------------------------ projections


class Spells(POPOTrackingRecorder):
    """Counts how many spells each player has cast."""

    def __init__(self):
        super().__init__()
        self.cast = Counter()

    def add(self, player, tracking):
        """Count one more spell, and store its position; raise IntegrityError if that position was counted before."""
        with self._database_lock:
            self._assert_tracking_uniqueness(tracking)
            self._insert_tracking(tracking)
            self.cast[player] += 1


class SpellCounting(Projection[Spells]):
    """A subclass of the library's `Projection`: it adds each spell cast to its view, `Spells`."""

    name = "spells"
    topics = ("spell-cast",)

    def process_event(self, domain_event, tracking):
        self.view.add(domain_event.event.player, tracking)


@pytest.mark.wide(but=1)
def test_projection(place):
    env = place.env | {"SPELLS_PERSISTENCE_MODULE": ASIDE}
    with ProjectionRunner(application_class=Games, projection_class=SpellCounting, view_class=Spells, env=env) as ran:
        last = played(ran.app)
        ran.wait(last.notification.id, timeout=10)
        assert ran.projection.view.cast == {"Ana": 3}
        last = ran.app.save(Numbered("friday", 6, SpellCast(player="Bo")))[-1]
        ran.wait(last.notification.id, timeout=10)
        assert ran.projection.view.cast == {"Ana": 3, "Bo": 1}


def test_view_among_our_tables(place):
    with pytest.raises(SettingsError, match="give the projection a database of its own"):
        ProjectionRunner(application_class=Games, projection_class=SpellCounting, view_class=Spells, env=place.env)


class Casting(Follower[str]):
    """An application that follows games and counts spells."""

    topics = ("spell-cast",)

    def __init__(self, env=None):
        super().__init__(env)
        self.cast = Counter()

    def construct_mapper(self):
        return self.factory.mapper(mapper_class=mapper_of(LANGUAGE))

    def policy(self, domain_event, processing_event):
        self.cast[domain_event.event.player] += 1


def test_system(place):
    env = place.env | {"CASTING_PERSISTENCE_MODULE": ASIDE}
    runner = SingleThreadedRunner(System(pipes=[[Games, Casting]]), env=env)
    with runner:
        games, casting = runner.get(Games), runner.get(Casting)
        played(games)
        assert casting.cast == {"Ana": 3}
        with pytest.raises(Exception, match="Zoe"):
            games.save(Numbered("friday", 6, SpellCast(player="Zoe")))
        games.save(Numbered("friday", 6, SpellCast(player="Bo")))
        assert casting.cast == {"Ana": 3, "Bo": 1}
        assert casting.recorder.max_tracking_id("daynight") == games.recorder.max_notification_id()


class Mirror(Games, ProcessApplication[str]):
    """Stores copies of the games that it follows."""

    name = "mirror"

    def policy(self, domain_event, processing_event):
        processing_event.collect_events(domain_event)


def test_processing():
    """If the follower has its own event 6, saving event 6 raises IntegrityError, and the follower's position stays."""
    env = Settings(kind="memory").env
    runner = SingleThreadedRunner(System(pipes=[[Games, Mirror]]), env=env)
    with runner:
        games, mirror = runner.get(Games), runner.get(Mirror)
        last = played(games)
        assert mirror.repository.get("friday").version == 5
        assert mirror.recorder.max_tracking_id("daynight") == last.notification.id
        mirror.save(Numbered("friday", 6, SpellCast(player="Bo")))
        with pytest.raises(IntegrityError):
            games.save(Numbered("friday", 6, SpellCast(player="Ana")))
        assert mirror.recorder.max_tracking_id("daynight") == last.notification.id


# ----------------------------------------------------------------------------------------------------- repositories


def counted(spells, events):
    """Return the sum of `spells`, the count so far, and the spells in `events`; None if it is 0."""
    found = sum(isinstance(numbered.event, SpellCast) for numbered in events)
    return (spells or 0) + found or None


def test_repository(store):
    begun(store, WEREWOLF, CAST, CAST)
    repository = store.application.repository
    game = repository.get("g")
    assert (game.id, game.version, game.state.designation) == ("g", 5, "day")
    assert repository.get("g", version=2).state.designation == "neither"
    assert repository.get("g", projector_func=counted) == 2
    assert "g" in repository


def test_not_found():
    with Store.open("memory:") as store:
        begun(store)
        repository = store.application.repository
        assert "h" not in repository
        for game, version in (("h", None), ("g", 3), ("g", 0)):
            with pytest.raises(AggregateNotFoundError):
                repository.get(game, version=version)
        with pytest.raises(AggregateNotFoundError):
            repository.get("h", projector_func=counted)


def test_remembered():
    """With the library's cache, the repository returns the newest state; a game returned before does not change."""
    with Games(env=Settings(kind="memory").env | {"AGGREGATE_CACHE_MAXSIZE": "3"}) as games:
        played(games)
        first = games.repository.get("friday")
        games.save(Numbered("friday", 6, SpellCast(player="Bo")))
        assert (first.version, games.repository.get("friday").version) == (5, 6)
        apart = copy.deepcopy(first)
        apart.pass_over([SpellCast(player="Ana")])
        assert (first.version, apart.version) == (5, 6)


@kept
def test_snapshot(place):
    with Store(replace(place, snapshots=1000)) as store:
        begun(store, *[CAST] * 40)
        store.application.take_snapshot("g", version=30)
        assert store.recorder.snapshot_numbers("g") == [30]
        with store.recorder.transaction(write=True) as cursor:
            cursor.execute("DELETE FROM stored_events WHERE originator_version < 29")
        assert store.application.repository.get("g").state.tallies.current.spells == {"Ana": 40}
