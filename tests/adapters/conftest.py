"""Fixtures: the example application `bank`, whose database `eventsourcing` writes, without daynight."""

import os
from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

APPS = Path(__file__).with_name("apps")


@pytest.fixture
def apps(monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the applications, which can be imported; no setting of `eventsourcing` is in the environment."""
    monkeypatch.syspath_prepend(str(APPS))
    for name in [*os.environ]:
        if name.startswith(("PERSISTENCE", "SQLITE", "CIPHER", "COMPRESSOR", "IS_SNAPSHOTTING", "POSTGRES_")):
            monkeypatch.delenv(name)
    return APPS


class Bank:
    """The example application `BankAccounts` in `app`, and the path of the SQLite database that it writes."""

    def __init__(self, path: Path, env: Iterable[tuple[str, str]] = ()) -> None:
        from bank import BankAccounts  # type: ignore[import-not-found]

        self.path = path
        self.app: Any = BankAccounts(env={
            "PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": str(path), "IS_SNAPSHOTTING_ENABLED": "y",
            **dict(env),
        })  # fmt: skip

    def account(self, owner: str = "Ana") -> UUID:
        """Store an account with five events, and return its id; the second makes the balance 200.00, the last 50.00."""
        id: UUID = self.app.open(owner)
        self.app.do(id, "deposit", amount=Decimal("200.00"))
        self.app.do(id, "withdraw", amount=Decimal("50.00"), balance_after=Decimal("150.00"))
        self.app.do(id, "tag", type="vip", note="good")
        self.app.do(id, "withdraw", amount=Decimal("100.00"), balance_after=Decimal("50.00"))
        return id


@pytest.fixture
def bank(apps: Path, tmp_path: Path) -> Iterator[Bank]:
    """A bank without accounts."""
    made = Bank(tmp_path / "bank.db")
    yield made
    made.app.close()


@pytest.fixture
def banks(apps: Path, tmp_path: Path) -> Iterator[Callable[..., Bank]]:
    """A function that makes a bank with a database of its own; its arguments are settings of `eventsourcing`."""
    made: list[Bank] = []

    def make(**env: str) -> Bank:
        made.append(Bank(tmp_path / f"bank-{len(made)}.db", env.items()))
        return made[-1]

    yield make
    for one in made:
        one.app.close()
