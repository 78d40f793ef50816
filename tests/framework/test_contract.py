"""One contract for every mechanic: day and night, a game with disputes, the monarch, an approval, and random ones.

The promises are functions, with their tables, in `promises` (in memory), `commanding` (the command line) and `storing`
(the store); the mechanics are in `cases` and `charts`. The fast tests try the command line and the store with two
mechanics, on SQLite, and with one on PostgreSQL; the slow ones try everything with all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import count, product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from daynight.game import played
from daynight.store.database.settings import Settings
from tests.store.conftest import KINDS
from tests.store.server import Server

from . import commanding, promises, storing
from .cases import CASES, EXAMPLES, Case
from .charts import cases

Promise = Callable[[Case, Any], None]

FEW = ("a game and its disputes", "the monarch")
"""The two cases with which the fast tests try the command line and the store."""

every_case = pytest.mark.parametrize("case", CASES.values(), ids=CASES)
few_cases = pytest.mark.parametrize(
    "case", [pytest.param(CASES[name], marks=() if name in FEW else pytest.mark.slow, id=name) for name in CASES]
)


def named(promise: Promise) -> str:
    return promise.__name__


def stores() -> Iterable[Any]:
    """Yield a parameter for every combination of store, mechanic and promise; most are marked as slow."""
    for kind, name, promise in product(KINDS, CASES, storing.PROMISES):
        fast = kind == "sqlite" and name in FEW
        fast |= kind == "postgresql" and name == "the monarch" and promise is storing.kept
        yield pytest.param(
            kind, CASES[name], promise, marks=() if fast else pytest.mark.slow, id=f"{kind}-{name}-{promise.__name__}"
        )


class TestContract:
    """The contract, tested with the mechanics of `CASES`."""

    @pytest.mark.wide(but=30)
    @every_case
    @pytest.mark.parametrize("promise", promises.PROMISES, ids=named)
    def test_in_memory(self, case: Case, promise: Promise, tmp_path: Path) -> None:
        promise(case, tmp_path)

    @pytest.mark.wide(but=10)
    @few_cases
    @pytest.mark.parametrize("promise", commanding.PROMISES, ids=named)
    def test_command_line(self, case: Case, promise: Promise, tmp_path: Path) -> None:
        promise(case, tmp_path)

    @pytest.mark.wide(but=1)
    @few_cases
    def test_examples_of_the_help(self, case: Case, tmp_path: Path) -> None:
        commanding.examples(case, tmp_path)

    def test_what_is_open(self) -> None:
        """In the JSON of `diff`, an uncertain value is a list of the possible ones, and a missing value is null."""
        game = replace(CASES["a game and its disputes"], mechanic=played())
        file = EXAMPLES / "games/uncertain.jsonl"
        (document,) = commanding.documents(game, "diff", file, file, "--at", 8, "--and", 14, code=1)
        found = {(one["part"], one["subject"]): (one["left"], one["right"]) for one in document["differences"]}
        assert ("day", ["day", "night"]) == found["designation", None]
        assert (0, [0, 1]) == found["tally", "Bo/2"]
        assert (None, 0) == found["tally", "Ana/3"]
        (document,) = commanding.documents(game, "diff", file, file, "--at", 14, "--and", 8, code=1)
        back = {(one["part"], one["subject"]): (one["right"], one["left"]) for one in document["differences"]}
        assert found == back

    @pytest.mark.wide(but=12)
    @pytest.mark.parametrize("place, case, promise", [*stores()], indirect=["place"])
    def test_store(self, place: Settings, case: Case, promise: Promise) -> None:
        promise(case, place)

    @pytest.mark.wide(but=1)
    @few_cases
    def test_store_on_the_command_line(self, case: Case, tmp_path: Path) -> None:
        storing.commanded(case, tmp_path)

    @pytest.mark.slow
    @every_case
    @pytest.mark.parametrize("place", KINDS[1:], indirect=True)
    def test_many_kills(self, case: Case, place: Settings) -> None:
        storing.killed(case, place, kills=30)


def keeps(case: Case, *given: Promise) -> None:
    """Check the promises `given` for a random mechanic, each in a new folder."""
    for promise in given:
        with TemporaryDirectory() as folder:
            promise(case, Path(folder))


def on_sqlite(promise: Promise) -> Promise:
    """Turn a promise about a store into a function of a case and a folder, which uses a SQLite file there."""
    return lambda case, folder: promise(case, Settings(kind="sqlite", path=str(folder / "records.db")))


_numbers = count(1)


@settings(max_examples=3)
@given(cases())
def test_any_chart(case: Case) -> None:
    keeps(case, *promises.PROMISES, commanding.audits, on_sqlite(storing.snapshots))


@pytest.mark.slow
@settings(max_examples=200)
@given(cases())
def test_any_charts(case: Case) -> None:
    keeps(case, *promises.PROMISES, *commanding.PROMISES)


@pytest.mark.slow
@settings(max_examples=15)
@given(cases())
def test_any_chart_on_sqlite(case: Case) -> None:
    keeps(case, *map(on_sqlite, storing.PROMISES), storing.commanded)


@pytest.mark.slow
@settings(max_examples=5, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(case=cases())
def test_any_chart_on_postgresql(server: Server, case: Case) -> None:
    from daynight.store.database.server import migrate

    for promise in storing.PROMISES:
        place = replace(server.settings, schema=f"lot_{next(_numbers)}")
        migrate(place)
        promise(case, place)
