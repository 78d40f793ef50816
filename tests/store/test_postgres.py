"""What only a store on a PostgreSQL server promises.

| promise | tests |
| --- | --- |
| `migrate` creates the tables once, even if it is called eight times together | test_migrate_... |
| a store opens only in a schema that has its tables, unchanged | test_opening_... |
| acknowledged events are on the disk, whatever the server's settings | test_commits_wait_... |
| a retry after a lost reply stores no second event | test_lost_reply, test_lost_request |
| a restarted server causes no error, a missing one a single sentence | test_restarted, test_gone |
| followers get every event, in the order of commits | test_subscription, test_order_of_commits |
| readers, VACUUM and ANALYZE block nobody | test_nobody_waits |
"""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import replace

import pytest
from eventsourcing.persistence import OperationalError, StoredEvent, Tracking

from daynight.games import Store
from daynight.store import DamagedError, StoreError, UnavailableError
from tests.sampling import sampled
from tests.store.playing import CAST, TURN, begun
from tests.store.proxy import Proxy
from tests.store.server import run, unavailable

if reason := unavailable():
    pytest.skip(reason, allow_module_level=True)

import psycopg

from daynight.store.database.server import migrate

# ------------------------------------------------------------------------------------------------- making the tables


def test_migrate_twice(bare):
    assert migrate(bare)
    with Store(bare) as store:
        begun(store)
    assert not migrate(bare)
    with Store(bare) as store:
        assert store.games() == [("g", 2)]


def test_migrate_many_at_once(bare):
    """Of eight calls at once, one creates the tables and returns True; the others return False."""
    with ThreadPoolExecutor(8) as pool:
        assert sorted(pool.map(migrate, [bare] * 8)) == [False] * 7 + [True]


def test_migrate_beside_other_tables(bare):
    """A schema may contain other tables; one with a name of daynight's raises DamagedError."""
    run(bare, f"CREATE SCHEMA {bare.schema}", "CREATE TABLE users (id int)")
    assert migrate(bare)
    other = replace(bare, schema=f"{bare.schema}_other")
    run(other, f"CREATE SCHEMA {other.schema}", "CREATE TABLE commands (id int)")
    with pytest.raises(DamagedError, match="not those of daynight"):
        migrate(other)
    assert run(other, "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()") == [("commands",)]


def test_opening_before_migrating(bare):
    with pytest.raises(StoreError, match=f"no store there, in schema {bare.schema}; make one with daynight migrate"):
        Store(bare)
    assert run(bare, f"SELECT FROM pg_namespace WHERE nspname = '{bare.schema}'") == []


@pytest.mark.wide(but=1)
@pytest.mark.parametrize(
    "change",
    sampled([
        ("ALTER TABLE stored_events ADD COLUMN more text", "stored_events, column more text"),
        ("ALTER TABLE stored_events DROP COLUMN digest", "stored_events, column digest bytea NOT NULL"),
        ("ALTER TABLE stored_events ALTER COLUMN digest DROP NOT NULL", "stored_events, column digest bytea"),
        ("ALTER TABLE heads ALTER COLUMN event TYPE int", "heads, column event"),
        ("ALTER TABLE heads ALTER COLUMN event SET DEFAULT 1", "heads, column event bigint NOT NULL DEFAULT 1"),
        ("ALTER TABLE tracking DROP CONSTRAINT tracking_pkey", "tracking, constraint PRIMARY KEY"),
        ("ALTER TABLE commands ADD CHECK (first_event > 1)", "commands, constraint CHECK"),
        ("CREATE INDEX more ON stored_events (topic)", "stored_events, index more"),
        ("DROP TABLE snapshots", "snapshots, "),
        ("DROP TABLE library; CREATE VIEW library AS SELECT 1 AS game", "library, "),
        ("ALTER TABLE stored_events SET UNLOGGED", "stored_events, kind of table"),
        ("ALTER TABLE stored_events ENABLE ROW LEVEL SECURITY", "stored_events, kind of table"),
        ("CREATE TABLE more () INHERITS (stored_events)", "stored_events, heir more"),
        ("CREATE RULE quiet AS ON INSERT TO stored_events DO INSTEAD NOTHING", "stored_events, rule quiet"),
        (
            (
                "CREATE TRIGGER quiet BEFORE UPDATE ON stored_events"
                " FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()"
            ),
            "stored_events, trigger quiet",
        ),
        ("DROP TABLE daynight", "daynight, "),
        ("UPDATE daynight SET version = 2", "a store of version 2, and this daynight knows 1"),
        ("INSERT INTO daynight VALUES (0)", "a store of version"),
        ("DELETE FROM daynight", "a store of version ?"),
    ], 4),
)  # fmt: skip
def test_opening_changed_tables(schema, change):
    changing, told = change
    with Store(schema) as store:
        store.recorder.check()
        run(schema, *changing.split("; ", 1) if changing.startswith("DROP") else [changing])
        with pytest.raises(DamagedError) as caught:
            store.recorder.check()
    assert told in str(caught.value)
    for opening in (Store, migrate):
        with pytest.raises(StoreError) as caught:
            opening(schema)
        assert told in str(caught.value)


def test_opening_another_encoding(server):
    run(server.settings, "CREATE DATABASE old ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")
    with pytest.raises(StoreError, match="server_encoding is LATIN1; a store needs UTF8"):
        migrate(replace(server.settings, database="old"))


@pytest.mark.wide
def test_opening_where_nothing_reaches_the_disk(schema):
    reload = "SELECT pg_reload_conf(), pg_sleep(0.1)"
    run(schema, "ALTER SYSTEM SET fsync = off", reload)
    try:
        with pytest.raises(StoreError, match="fsync is off; a store needs on"):
            Store(schema)
    finally:
        run(schema, "ALTER SYSTEM RESET fsync", reload)
    Store(schema).close()


# --------------------------------------------------------------------------------------------------- acknowledgements


@pytest.mark.wide(but=1)
@pytest.mark.parametrize("weak", ["off", "local", "remote_write"])
def test_commits_wait_for_the_disk(schema, weak):
    """Whatever the database's settings, an acknowledged commit is on the disk."""
    run(schema, f"ALTER DATABASE postgres SET synchronous_commit = {weak}")
    try:
        with Store(schema) as store, store.recorder.transaction(write=True) as cursor:
            cursor.execute("SHOW synchronous_commit")
            assert cursor.fetchone() == ("on",)
    finally:
        run(schema, "ALTER DATABASE postgres RESET synchronous_commit")


def test_lost_reply(schema):
    """The connection is cut after the commit, before the reply: the retry returns what was stored."""
    with Proxy(schema) as proxy, Store(proxy.settings) as store:
        begun(store)
        proxy.cut = "after"
        with pytest.raises(UnavailableError, match="whether it was stored is not known: send it again as command c-1"):
            store.append("g", [CAST], command="c-1")
        with Store(schema) as other:
            assert other.head("g").number == 3
        again = store.append("g", [CAST], command="c-1")
        assert (again.first, again.last, again.repeated) == (3, 3, True)
        assert store.append("g", [CAST], command="c-2").last == 4
    assert proxy.cuts == 1


def test_lost_request(schema):
    """The connection is cut before the commit: nothing is stored, and the retry stores it."""
    with Proxy(schema) as proxy, Store(proxy.settings) as store:
        begun(store)
        proxy.cut = "before"
        with pytest.raises(UnavailableError):
            store.append("g", [CAST], command="c-1")
        assert store.head("g").number == 2
        again = store.append("g", [CAST], command="c-1")
        assert (again.first, again.last, again.repeated) == (3, 3, False)
    assert proxy.cuts == 1


def test_a_write_is_not_sent_twice(schema):
    """The library would retry a write up to ten times; daynight does not let it."""
    began = b'{"type":"game-started","format":1,"game":"g","players":["Ana"]}'
    with Proxy(schema) as proxy, Store(proxy.settings) as store:
        for recorded in (
            lambda: store.recorder.insert_events([StoredEvent("g", 1, "game-started", began)]),
            lambda: store.recorder.insert_tracking(Tracking("one", 1)),
        ):
            proxy.cut, cuts = "before", proxy.cuts
            with pytest.raises(Exception, match="connection"):
                recorded()
            assert proxy.cuts == cuts + 1
        assert store.recorder.max_notification_id() is None
        assert store.recorder.max_tracking_id("one") is None


def test_what_the_server_took_back_is_not_acknowledged(schema):
    """After an ignored error, PostgreSQL reports COMMIT as success but rolls back: the append must fail."""

    def write(cursor):
        with suppress(psycopg.Error):
            cursor.execute("SELECT 1 / 0")

    with Store(schema) as store, pytest.raises(OperationalError, match="taken back"):  # noqa: SIM117
        with store.recorder.transaction(write=True) as cursor:
            write(cursor)


@pytest.mark.wide
def test_restarted(schema):
    """If the server ended all pooled connections, as a restart does, the next call works without an error."""
    with Store(schema) as store:
        begun(store)
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(lambda _number: store.recorder.select("SELECT pg_sleep(0.05)"), range(4)))
        found = run(schema, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name='daynight'")
        assert len(found) >= 2
        assert store.append("g", [CAST], command="c-1").last == 3
        assert store.at("g").event == 3


@pytest.mark.slow
def test_gone(schema):
    gone = replace(schema, host="/nowhere", timeout=1)
    for asked in (lambda: Store(gone), lambda: migrate(gone)):
        with pytest.raises(UnavailableError, match=r"the store does not answer: .*No such file") as caught:
            asked()
        assert "\\u000a" not in str(caught.value)
    with Proxy(schema) as proxy:
        store = Store(replace(proxy.settings, timeout=1))
        begun(store)
    with store, pytest.raises(UnavailableError, match="as command c-1"):
        store.append("g", [CAST], command="c-1")


@pytest.mark.slow
def test_locked(schema):
    """If another store holds the lock too long, the append raises UnavailableError in time and stores nothing."""
    with Store(schema) as one, Store(replace(schema, timeout=1)) as other:
        begun(one)
        with one.recorder.transaction(write=True):
            started = time.monotonic()
            with pytest.raises(UnavailableError, match="lock timeout"):
                other.append("g", [CAST])
            assert time.monotonic() - started < 5
        assert other.append("g", [CAST]).last == 3


# ---------------------------------------------------------------------------------------------------------- followers


@contextmanager
def impatient(subscription):
    """Stop `subscription` after ten seconds in the block, so that no test waits for ever."""
    silence = threading.Timer(10, subscription.stop)
    silence.start()
    try:
        yield
    finally:
        silence.cancel()
        silence.join()


@pytest.mark.wide
def test_subscription(schema):
    """The library's own subscription gives stored events, then those of another store within two seconds."""
    with Store(schema) as store, Store(schema) as other:
        begun(other)
        with store.recorder.subscribe(gt=1) as subscription, impatient(subscription):
            assert next(subscription).originator_version == 2
            for number in range(3, 23):
                other.append("g", [CAST])
                stored = time.monotonic()
                assert next(subscription).originator_version == number
                assert time.monotonic() - stored < 2
        # LISTEN has ended on every connection.
        listening = "SELECT pg_listening_channels() FROM pg_sleep(0.05)"
        with ThreadPoolExecutor(4) as pool:
            assert [[]] * 4 == list(pool.map(lambda _number: store.recorder.select(listening), range(4)))


@pytest.mark.wide
def test_subscription_misses_nothing_at_its_beginning(schema, monkeypatch):
    """An event stored between the subscription's first read and its LISTEN is delivered at once."""
    with Store(schema) as store:
        begun(store)
        datastore = store.recorder.datastore
        connect = datastore.get_connection

        def late():
            if "_listen" in threading.current_thread().name:
                time.sleep(0.3)
            return connect()

        monkeypatch.setattr(datastore, "get_connection", late)
        with store.recorder.subscribe(gt=2) as subscription:
            time.sleep(0.1)
            store.append("g", [CAST])
            with impatient(subscription):
                assert next(subscription).originator_version == 3


@pytest.mark.slow
def test_order_of_commits(schema):
    """A follower never passes a position at which an event is committed later."""
    with Store(schema) as one, Store(schema) as other:
        stopped = threading.Event()

        def write(store, game):
            store.new(game, ["Ana"])
            store.append(game, [TURN])
            while not stopped.is_set():
                store.append(game, [CAST])

        with ThreadPoolExecutor(4) as pool:
            writers = [pool.submit(write, (one, other)[i % 2], f"g{i}") for i in range(4)]
            seen = []
            while len(seen) < 150:
                after = seen[-1] if seen else 0
                seen += [found.id for found in one.recorder.select_notifications(after, 50, inclusive_of_start=False)]
            stopped.set()
            for writer in writers:
                writer.result()
        assert [found.id for found in one.recorder.select_notifications(None, 10_000)][: len(seen)] == seen


def test_nobody_waits(schema):
    """The lock of VACUUM and ANALYZE, and a long reading transaction, block no writer; a writer, no reader."""
    with Store(replace(schema, timeout=2)) as store, psycopg.connect(host=schema.host, user="postgres") as connection:
        begun(store)
        connection.execute(f"LOCK TABLE {schema.schema}.stored_events IN SHARE UPDATE EXCLUSIVE MODE")
        with store.recorder.transaction(write=False):
            assert store.recorder.head("g").number == 2
            with ThreadPoolExecutor(1) as pool:
                assert pool.submit(store.append, "g", [CAST]).result(timeout=5).last == 3
            assert store.recorder.head("g").number == 2
        assert store.recorder.head("g").number == 3
        connection.rollback()
        with store.recorder.transaction(write=True), ThreadPoolExecutor(1) as pool:
            # A writer blocks only other writers.
            assert pool.submit(read, schema).result(timeout=5) == [("g", 3)]


def read(settings):
    with Store(replace(settings, timeout=1)) as store:
        return store.games()
