"""Database errors become daynight's own errors, and an error object is freed as soon as nothing refers to it.

| promise | test |
| --- | --- |
| each error of the library becomes one of daynight's, which names the game | test_one_family |
| daynight's own errors are raised unchanged, and name the game | test_ours |
| the message names the id of the command to retry | test_command |
| the error has no reference cycle: that would keep a cursor, and so a lock on the file | test_gone |
| any other error is raised unchanged | test_others |
"""

import gc
import weakref

import pytest
from eventsourcing import persistence
from eventsourcing.application import AggregateNotFoundError

from daynight.framework.language.errors import DaynightError, NotFoundError
from daynight.store import ConflictError, DamagedError, UnavailableError
from daynight.store.database.guard import guarded

FAMILY = [
    (AggregateNotFoundError("g"), NotFoundError), (persistence.ConnectionPoolClosedError(), UnavailableError),
    (persistence.IntegrityError("UNIQUE"), ConflictError),
    (persistence.OperationalError("disk I/O error"), UnavailableError),
    (persistence.InterfaceError("closed"), UnavailableError), (persistence.InternalError("?"), UnavailableError),
    (persistence.OperationalError("database disk image is malformed"), DamagedError),
    (persistence.OperationalError("file is not a database"), DamagedError), (persistence.DataError("?"), DamagedError),
    (persistence.NotSupportedError("?"), DamagedError), (persistence.ProgrammingError("?"), DamagedError),
]  # fmt: skip


@pytest.fixture
def uncollected():
    """Disable the garbage collector, so that only objects without references are freed."""
    gc.disable()
    yield
    gc.enable()


@pytest.mark.parametrize("error, kind", FAMILY)
def test_one_family(error, kind):
    with pytest.raises(DaynightError) as caught, guarded(game="friday"):
        raise error
    assert type(caught.value) is kind
    assert "friday" in str(caught.value)


def test_ours():
    error = DamagedError("what is stored is none")
    with pytest.raises(DamagedError) as caught, guarded(game="friday"):
        raise error
    assert caught.value is error
    assert str(error) == "friday: what is stored is none"


def test_command():
    for command, there in (("c1", True), (None, False)):
        with pytest.raises(UnavailableError) as caught, guarded(command=command):
            raise persistence.OperationalError("disk I/O error")
        assert ("send it again as command c1" in str(caught.value)) is there


@pytest.mark.usefixtures("uncollected")
@pytest.mark.parametrize("kind", [persistence.OperationalError, persistence.DataError, persistence.IntegrityError])
def test_gone(kind):
    seen = []
    try:
        with guarded(game="friday"):
            raise kind("disk I/O error")
    except DaynightError as error:
        seen.append(weakref.ref(error))
    assert seen[0]() is None


def test_others():
    for kind in (ValueError, KeyboardInterrupt, KeyError):
        with pytest.raises(kind), guarded(game="friday"):
            raise kind("?")
