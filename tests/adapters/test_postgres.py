"""An application that keeps its events in PostgreSQL: it is read as one in SQLite is, in read-only transactions."""

from decimal import Decimal

import pytest

from daynight.adapters.errors import AdoptedError, NoAggregateError
from daynight.adapters.eventsourcing import adopt
from tests.store.server import run, running, unavailable

pytestmark = [pytest.mark.slow, pytest.mark.server]


@pytest.fixture
def there(apps):
    """The settings of an application in a schema of its own, three accounts in it, and the server's address."""
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


def test_no_table(there):
    url, env, _ids = there
    with pytest.raises(AdoptedError, match="has no table bankaccounts_events"):
        adopt("bank:BankAccounts", url, env={**env, "POSTGRES_SCHEMA": "public"})
    with pytest.raises(AdoptedError, match="can't be read") as error:
        adopt("bank:BankAccounts", url.replace("/postgres?", "/nowhere?"), env=env)
    assert "none" not in str(error.value)
