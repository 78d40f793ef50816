"""An application with its events in PostgreSQL is read as one in SQLite, in read-only transactions."""

from dataclasses import replace
from decimal import Decimal
from uuid import UUID

import pytest

from daynight.adapters.errors import AdoptedError, NoAggregateError
from daynight.adapters.eventsourcing import adopt
from daynight.cli.commands import run as run_command
from tests.store.server import run, running, unavailable

pytestmark = [pytest.mark.slow, pytest.mark.server]


@pytest.fixture
def there(apps):
    """The server's address, the settings of an application in a schema of its own, the ids of its accounts."""
    if reason := unavailable():
        pytest.skip(reason)
    server = running()
    run(server.settings, "CREATE SCHEMA IF NOT EXISTS banks")
    env = {
        "PERSISTENCE_MODULE": "eventsourcing.postgres", "POSTGRES_DBNAME": "postgres", "POSTGRES_USER": "postgres",
        "POSTGRES_HOST": server.settings.host, "POSTGRES_PORT": "5432", "POSTGRES_PASSWORD": "none",
        "POSTGRES_SCHEMA": "banks", "IS_SNAPSHOTTING_ENABLED": "y",
    }  # fmt: skip
    from bank import BankAccounts

    with BankAccounts(env=env) as app:
        ids = [app.open(name) for name in ("Ana", "Bo", "Cy")]
        for id in ids:
            app.do(id, "deposit", amount=Decimal("200.00"))
            app.do(id, "withdraw", amount=Decimal("50.00"))
            app.take_snapshot(id)
    yield server.url, env, sorted(map(str, ids))
    run(server.settings, "DROP SCHEMA banks CASCADE")


def test_postgres(there):
    url, env, ids = there
    adopted = adopt("bank:BankAccounts", url, env=env)
    assert [one.id for one in adopted.listed()] == ids
    assert [one.id for one in adopted.listed(after=ids[0], limit=1)] == [ids[1]]
    assert [one.id for one in adopted.listed(search=ids[2][:13])] == [ids[2]]
    for strange in ("zz", f"{ids[0]}00", "%"):
        with pytest.raises(NoAggregateError):
            adopted.record(strange)
    record = adopted.record(ids[0][:13])
    assert record.part("balance").value == Decimal("150.00")
    assert record.audited().verdict == "exact"
    assert adopted.rows.last() == 9
    with pytest.raises(AdoptedError, match="read-only"):
        adopted.rows._asked("DELETE FROM banks.bankaccounts_events", ())
    assert len(adopted.record(ids[0])) == 3


def test_list(there):
    """Aggregates are listed by class and by id; `following` reports an event that is stored meanwhile."""
    url, env, ids = there
    adopted = adopt("bank:BankAccounts", url, env=env)
    for search, found in (
        ("bankacc", ids), ("BANK", ids), (ids[1][:9], [ids[1]]), ("parcel", []), ("ac", None), ("%", []),
    ):  # fmt: skip
        listed = [one.id for one in adopted.listed(search=search)]
        assert set(ids if found is None else found) == set(listed), search
    assert [one.id for one in adopted.listed(after=ids[0], limit=1, search="bank")] == [ids[1]]
    head = adopted.head(ids[0])
    assert (head.events, head.first.originator_version, head.last.originator_version) == (3, 1, 3)
    assert next(adopted.listed()).last is not None
    with pytest.raises(NoAggregateError):
        adopted.head(ids[0][:8])
    following = adopted.following()
    assert following.take(timeout=0.2) == []
    from bank import BankAccounts

    with BankAccounts(env=env) as app:
        app.do(UUID(ids[1]), "deposit", amount=Decimal("1.00"))
    (one,) = following.take(timeout=5)
    assert (one.place, adopted.noticed(one)) == (10, (ids[1], 4))


def test_text_ids(there):
    """Aggregates with texts as ids are listed, found and followed."""
    url, env, ids = there
    adopted = adopt("bank:BankAccounts", url, env=env)
    rows = adopted.rows.events(ids[0].replace("-", ""))
    env = {**env, "ORIGINATOR_ID_TYPE": "text", "POSTGRES_SCHEMA": "texts"}
    run(running().settings, "CREATE SCHEMA IF NOT EXISTS texts")
    try:
        from bank import BankAccounts

        with BankAccounts(env=env) as app:
            for name in ("shelf-a", "shelf_b"):
                app.recorder.insert_events([replace(row, originator_id=name) for row in rows])
        adopted = adopt("bank:BankAccounts", url, env=env)
        for search, found in (
            ("", ["shelf-a", "shelf_b"]), ("shelf-a", ["shelf-a"]), ("shelf_", ["shelf_b"]), ("%", []),
            ("account", ["shelf-a", "shelf_b"]),
        ):  # fmt: skip
            assert [one.id for one in adopted.listed(search=search)] == found, search
        assert adopted.noticed(adopted.following(0).take()[5]) == ("shelf_b", 3)
    finally:
        run(running().settings, "DROP SCHEMA texts CASCADE")


def test_no_table(there):
    url, env, _ids = there
    with pytest.raises(AdoptedError, match="has no table bankaccounts_events"):
        adopt("bank:BankAccounts", url, env={**env, "POSTGRES_SCHEMA": "public"})
    with pytest.raises(AdoptedError, match="can't be read") as error:
        adopt("bank:BankAccounts", url.replace("/postgres?", "/nowhere?"), env=env)
    assert "none" not in str(error.value)


def test_check(there, apps, monkeypatch, capfd):
    """`check` prints its result alone: modules imported with the second process's shifted clock print no warning."""
    url, env, _ids = there
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    assert run_command(["adopt", "bank:BankAccounts", "--db", url, "check"]) == 0
    assert capfd.readouterr() == ("3 aggregates rebuilt twice\n", "")
