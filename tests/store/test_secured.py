"""A server over a network: the connection is encrypted as the address says, and is never weaker without an error.

The tests' server comes from a wheel and has no OpenSSL (`SHOW ssl_library` is empty). So the tests reach a server in
three ways: through a proxy that ends TLS; through a proxy that passes on the server's refusal of TLS; and, if a
PostgreSQL with TLS is installed, directly.

| promise | test |
| --- | --- |
| each mode works, with the right certificate, another one, and one for another host | test_modes, test_refused |
| if the server has no TLS, only `disable` and `prefer` connect | test_without_tls |
| a server with TLS of its own works | test_installed |
| the default is `prefer` on this machine, and `verify-full` for other hosts or with a certificate | test_default |
| an unknown mode, a missing file or a contradiction: one sentence, and no connection is made | test_settings |
| on the command line: exit code 2 for those, 5 for a rejected certificate; no password is printed | test_prompt |
| libpq's environment variables are ignored | test_environment |
"""

from dataclasses import replace
from pathlib import Path

import pytest

from daynight.cli import commands
from daynight.games import Store
from daynight.store import SettingsError, UnavailableError
from daynight.store.database.settings import Settings
from tests.store.secured import Line, certified, installed
from tests.store.server import run, unavailable

if reason := unavailable():
    pytest.skip(reason, allow_module_level=True)

from daynight.store.database.server import migrate

Pair = tuple[Path, Path]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("certificates")


@pytest.fixture(scope="module")
def ours(folder):
    """The server's certificate, for localhost alone."""
    return certified(folder, "ours")


@pytest.fixture(scope="module")
def theirs(folder):
    """Another certificate, also for localhost."""
    return certified(folder, "theirs")


@pytest.fixture
def line(server, ours):
    """A proxy with TLS in front of the server; it notes which connections are encrypted."""
    with Line(Path(server.settings.host, f".s.PGSQL.{server.settings.port}"), ours) as line:
        yield line


def reached(schema, port, host="localhost", **more):
    return replace(schema, host=host, port=port, timeout=5, **more)  # type: ignore[arg-type]


def used(settings):
    """Write to the store and read from it."""
    with Store(settings) as store:
        store.new("g", ["Ana"])
        assert store.games() == [("g", 1)]


@pytest.mark.wide(but=2)
@pytest.mark.parametrize("host, mode, believed, encrypted", [
    ("localhost", "disable", False, False), ("localhost", "prefer", False, True), ("localhost", "require", False, True),
    ("localhost", "verify-ca", True, True), ("localhost", "verify-full", True, True),
    ("127.0.0.1", "verify-ca", True, True), ("localhost", "", False, True), ("localhost", "", True, True),
])  # fmt: skip
def test_modes(schema, line, ours, host, mode, believed, encrypted):
    """Every connection of the store, those for writing too, is encrypted or not as the mode says."""
    used(reached(schema, line.port, host, sslmode=mode, sslrootcert=str(ours[0]) if believed else ""))
    assert len(line.encrypted) > 1
    assert set(line.encrypted) == {encrypted}


@pytest.mark.parametrize("host, mode, file, says", [
    ("localhost", "verify-ca", "theirs", "certificate verify failed"),
    ("localhost", "verify-full", "theirs", "certificate verify failed"),
    ("localhost", "", "theirs", "certificate verify failed"),
    ("127.0.0.1", "verify-full", "ours", 'does not match host name "127.0.0.1"'),
    ("127.0.0.1", "", "ours", 'does not match host name "127.0.0.1"'),
])  # fmt: skip
def test_refused(bare, line, ours, theirs, host, mode, file, says):
    """With a wrong certificate, opening raises UnavailableError, and nothing is sent to the server."""
    believed = {"ours": ours, "theirs": theirs}[file][0]
    settings = reached(bare, line.port, host, sslmode=mode, sslrootcert=str(believed))
    for asked in (lambda: Store(settings), lambda: migrate(settings)):
        with pytest.raises(UnavailableError, match=says) as caught:
            asked()
        assert "\n" not in str(caught.value)
    assert line.encrypted == []


def test_without_tls(schema, ours):
    """With a server without TLS, `prefer` and `disable` connect unencrypted; the other modes are refused."""
    if run(schema, "SHOW ssl_library") != [("",)]:
        pytest.skip("this PostgreSQL server was built with TLS")
    with Line(Path(schema.host, f".s.PGSQL.{schema.port}"), None) as line:
        for mode in ("require", "verify-ca", "verify-full"):
            file = "" if mode == "require" else str(ours[0])
            with pytest.raises(UnavailableError, match="server does not support SSL, but SSL was required"):
                Store(reached(schema, line.port, sslmode=mode, sslrootcert=file))
        assert line.encrypted == []
        used(reached(schema, line.port, sslmode="prefer"))
        with Store(reached(schema, line.port, sslmode="disable")) as store:
            assert store.games() == [("g", 1)]
        assert set(line.encrypted) == {False}


@pytest.mark.slow
def test_installed(ours, theirs):
    """An installed server that has TLS of its own works in the same way."""
    try:
        with installed(ours) as port:
            base = Settings(kind="postgresql", host="localhost", port=port, user="postgres", database="postgres",
                            timeout=5)  # fmt: skip
            full = replace(base, sslmode="verify-full", sslrootcert=str(ours[0]))
            migrate(full)
            used(full)
            with Store(full) as store:
                ((inside,),) = store.recorder.select("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()")
            assert inside
            for host, file, says in (
                ("localhost", theirs, "certificate verify failed"),
                ("127.0.0.1", ours, "does not match host name"),
            ):
                with pytest.raises(UnavailableError, match=says):
                    Store(replace(full, host=host, sslrootcert=str(file[0])))
            with Store(replace(base, sslmode="disable")) as store:
                assert store.games() == [("g", 1)]
                assert store.recorder.select("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()") == [(False,)]
    except OSError as error:
        pytest.skip(str(error))


def test_default(ours):
    """The default is `verify-full` with a certificate; without one, `prefer` on this machine, elsewhere an error."""
    here = ("localhost", "127.0.0.1", "%5B::1%5D", "", "?host=/run/postgresql", "?host=@abstract", "x?host=localhost")
    for host in here:
        assert Settings.parse(f"postgresql://{host.replace('%5B', '[').replace('%5D', ']')}").secured == "prefer", host
    for host in (
        "db.example.org",
        "192.0.2.7",
        "localhost.example.org",
        "localhost,db.example.org",
        "x?host=/run,evil",
    ):
        where = f"postgresql://{host}" if "?" in host else f"postgresql://{host}/games?pool=8"
        with pytest.raises(SettingsError, match="certificate: say in the address whose is believed, sslrootcert=FILE"):
            Settings.parse(where)
        assert Settings.parse(f"{where}&sslrootcert={ours[0]}").secured == "verify-full"
        assert Settings.parse(f"{where}&sslrootcert=system").secured == "verify-full"
        assert Settings.parse(f"{where}&sslmode=require").secured == "require"
    assert Settings.parse(f"postgresql://localhost?sslrootcert={ours[0]}").secured == "verify-full"


@pytest.mark.parametrize(
    "query, says",
    [
        ("sslmode=requier", "sslmode=requier: expected one of disable, prefer, require, verify-ca, verify-full"),
        ("sslmode=allow", "sslmode=allow: expected one of disable"),
        ("sslmode=", "sslmode= is empty"),
        ("sslrootcert=", "sslrootcert= is empty"),
        ("sslmode=verify-full", "localhost has to show a certificate: say in the address whose"),
        ("sslmode=verify-ca", "localhost has to show a certificate: say in the address whose"),
        ("sslmode=verify-ca&sslrootcert=system", "sslrootcert=system is for sslmode=verify-full alone"),
        ("sslrootcert=/nowhere/ca.pem", "sslrootcert=/nowhere/ca.pem: no such file"),
        ("sslmode=verify-full&sslrootcert=/", "sslrootcert=/: no such file"),
        ("sslmode=require&sslrootcert=ca.pem", "sslmode=require checks no certificate"),
        ("sslmode=prefer&sslrootcert=ca.pem", "sslmode=prefer checks no certificate"),
        ("sslcert=x", "unknown setting 'sslcert'; there are host, schema, timeout, snapshots, pool, sslmode, "),
    ],
)  # fmt: skip
def test_settings(query, says):
    with pytest.raises(SettingsError) as caught:
        Settings.parse(f"postgresql://ana:secret@localhost/games?{query}")
    assert str(caught.value).startswith(says)
    assert "secret" not in str(caught.value)


def test_prompt(schema, line, ours, theirs, capfd):
    url = f"postgresql://postgres:s3cr3t@localhost:{line.port}/postgres?schema={schema.schema}&timeout=5"
    for more, code, says in (
        (f"&sslmode=verify-full&sslrootcert={ours[0]}", 0, ""),
        (f"&sslmode=verify-full&sslrootcert={theirs[0]}", 5, "certificate verify failed"),
        ("&sslmode=full", 2, "sslmode=full: expected one of disable"),
        ("&sslrootcert=/nowhere", 2, "sslrootcert=/nowhere: no such file"),
    ):
        found = commands.run(["list", "--json", "--db", url + more])
        out, err = capfd.readouterr()
        assert (found, says in err, err.count("\n")) == (code, True, int(code > 0)), err
        assert "s3cr3t" not in out + err


@pytest.mark.wide
def test_environment(schema, line, ours, theirs, monkeypatch):
    """libpq's environment variables, such as PGSSLMODE, do not change the settings of the address."""
    for name, value in (
        ("SSLMODE", "disable"),
        ("HOSTADDR", "192.0.2.1"),
        ("GSSENCMODE", "require"),
        ("OPTIONS", "-c nowhere=1"),
    ):
        monkeypatch.setenv(f"PG{name}", value)
    monkeypatch.setenv("PGSSLROOTCERT", str(ours[0]))
    used(reached(schema, line.port, sslrootcert=str(ours[0])))
    assert set(line.encrypted) == {True}
    with pytest.raises(UnavailableError, match="certificate verify failed"):
        Store(reached(schema, line.port, sslrootcert=str(theirs[0])))
    monkeypatch.setenv("PGSSLMODE", "verify-full")
    monkeypatch.setenv("PGSSLROOTCERT", str(theirs[0]))
    for mode in ("require", ""):
        with Store(reached(schema, line.port, sslmode=mode)) as store:
            assert store.games() == [("g", 1)]
