"""The place of a store on a server: separate schemas, and passwords that are never printed.

| promise | tests |
| --- | --- |
| no message contains a password | test_password_... |
| stores in different schemas are independent | test_schemas_are_apart |
"""

import traceback
from dataclasses import replace

import pytest

from daynight.games import Store
from daynight.store import ConflictError, SettingsError, StoreError, UnavailableError
from daynight.store.database.settings import Settings
from tests.store.playing import TURN, begun
from tests.store.server import run, unavailable

if reason := unavailable():
    pytest.skip(reason, allow_module_level=True)


from daynight.store.database.server import migrate


@pytest.mark.parametrize("where", [
    "postgresql://ana:sec/ret@host/games", "postgresql://ana:sec?ret@host/games", "postgresql://ana:sec#ret@host/games",
    "postgresql://ana:sec[ret@host/games", "postgresql://ana:secret@host:sec/games",
    "postgresql://ana:secret@host/games?pool=0", "postgresql://ana:secret@host/games?shema=x",
    "postgresql://ana:secret@host/games?schema=X y", "postgresql:/ana:secret@host/games",
    "postgres:ana:secret@host/games", "mysql://ana:secret@host/games", "postgresql//ana:secret@host/games",
    "host=localhost user=ana password=secret", "postgresql://ana:123?secret=4@localhost/games",
    "postgresql://ana:123/secret@localhost/games", "postgresql://ana:12#secret@localhost/games",
    "postgresql://ana:secret@localhost:0/games",
    "postgresql://ana:secret@localhost/games?sslmode=require&sslmode=disable",
])  # fmt: skip
def test_password_not_in_a_refusal(where):
    with pytest.raises(SettingsError) as caught:
        Settings.parse(where)
    told = "".join(traceback.format_exception(caught.value))
    assert "sec" not in str(caught.value)
    assert "ret@" not in told.replace(where, "")


def test_password_not_shown(schema):
    settings = replace(schema, user="nobody", password="s3cr3t", timeout=2)
    assert "s3cr3t" not in settings.shown + repr(settings) + str(settings)
    for asked in (lambda: Store(settings), lambda: migrate(settings)):
        with pytest.raises(UnavailableError, match="nobody") as caught:
            asked()
        assert "s3cr3t" not in "".join(traceback.format_exception(caught.value))


def test_password_asked_for(schema, server):
    """The right password opens the store; a wrong or missing one is reported without printing it."""
    server.ask_passwords("guest")
    grant = (
        f"GRANT USAGE ON SCHEMA {schema.schema} TO guest; GRANT SELECT ON ALL TABLES IN SCHEMA {schema.schema} TO guest"
    )
    run(schema, "CREATE ROLE guest LOGIN PASSWORD 's3cr3t'", *grant.split("; "))
    guest = replace(schema, user="guest", timeout=2)
    with Store(replace(guest, password="s3cr3t")) as store:
        assert store.games() == []
        with pytest.raises(StoreError, match="permission denied"):
            store.new("g", ["Ana"])
    for wrong in ("wr0ng", ""):
        with pytest.raises(UnavailableError, match="password") as caught:
            Store(replace(guest, password=wrong))
        assert "wr0ng" not in "".join(traceback.format_exception(caught.value))


def test_password_in_a_file(schema, server, tmp_path):
    """A libpq password file named in the address opens the store; a missing one, or one open to others, does not."""
    server.ask_passwords("keeper")
    grant = (
        f"GRANT USAGE ON SCHEMA {schema.schema} TO keeper;"
        f" GRANT SELECT ON ALL TABLES IN SCHEMA {schema.schema} TO keeper"
    )
    run(schema, "CREATE ROLE keeper LOGIN PASSWORD 's3:cr3t'", *grant.split("; "))
    file = tmp_path / "passwords"
    where = f"postgresql://keeper@/postgres?host={schema.host}&schema={schema.schema}&timeout=2&passfile={file}"
    with pytest.raises(SettingsError, match="no such file; expected one with a line host:port"):
        Settings.parse(where)
    file.write_text("*:*:*:keeper:s3\\:cr3t\n")
    file.chmod(0o640)
    with pytest.raises(SettingsError, match="others may read it: chmod 600 it"):
        Settings.parse(where)
    file.chmod(0o600)
    with Store(Settings.parse(where)) as store:
        assert store.games() == []
    with pytest.raises(SettingsError, match="a password and a passfile"):
        Settings.parse(where.replace("keeper@", "keeper:s3cr3t@"))
    file.write_text("*:*:*:somebody:s3\\:cr3t\n")
    with pytest.raises(UnavailableError, match="password"):
        Store(Settings.parse(where))


def test_schemas_are_apart(schema):
    other = replace(schema, schema=f"{schema.schema}_apart")
    migrate(other)
    with Store(schema) as one, Store(other) as two:
        begun(one)
        assert two.games() == []
        two.new("g", ["Cy"])
        with pytest.raises(ConflictError):
            two.append("g", [TURN | {"active": ["Cy"]}], expected=2)
        assert one.games() == [("g", 2)]
