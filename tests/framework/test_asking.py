"""Commands about one moment of a stored record start from the last snapshot, for any mechanic.

| promise | test |
| --- | --- |
| why, replay and blame answer as for the file, also around a back-up | test_moments |
| the answers are right even if the snapshot lacks the requested history | test_earlier_turns |
| these commands read few events; `show` up to a position reads none after it | test_few_are_read |
| a changed line before the snapshot changes no answer; show and audit refuse it | test_changed_line |
| a record without snapshots is read from its beginning | test_no_snapshots |
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from daynight.disputes.mechanic import GAME
from daynight.framework import Recorded
from daynight.store import Store, records
from daynight.store.database.settings import Settings
from examples.monarch import MECHANIC as MONARCH

from .cases import CASES, EXAMPLES, Case
from .commanding import documents, kept, ran

NAME = "db:friday"
EVENTS = 1200
"""The number of events of the long record; snapshots are taken after each 250."""


def stored(case: Case, folder: Path, snapshots: int) -> tuple[Path, Path]:
    """Write a case's record into a file and a store, with a snapshot every `snapshots` events; return both paths."""
    folder /= case.mechanic.name
    folder.mkdir()
    file, place = kept(case, folder), folder / "kept.db"
    with Store(Settings(kind="sqlite", path=str(place), snapshots=snapshots), mechanic=case.mechanic) as store:
        store.import_record(file, "friday")
    return file, place


def agrees(case: Case, file: Path, place: Path, number: int) -> None:
    """Assert that commands answer the same from the store `place` as from `file` about event `number`."""
    where = ["--db", place]
    for verb in ("replay", "blame"):
        (document,) = documents(case, verb, NAME, "--at", number, *where)
        assert [document] == documents(case, verb, file, "--at", number), (verb, number)
    for one in (document["parts"][0], document["parts"][-1]):
        asked = [name for name in (one["part"], one["subject"]) if name is not None]
        of_file = ran(case, "why", file, *asked, "--at", number)
        assert of_file == ran(case, "why", NAME, *asked, "--at", number, *where), (asked, number)
    assert ran(case, "show", file, "--at", number) == ran(case, "show", NAME, "--at", number, *where)


@pytest.mark.parametrize("name", CASES)
@pytest.mark.wide(but=1)
def test_moments(name: str, tmp_path: Path) -> None:
    """With a snapshot every two events, the answers from the store are those of the file, also around a back-up."""
    case = CASES[name]
    file, place = stored(case, tmp_path, 2)
    for number in (1, case.to, case.backs - 1, case.backs, len(case.events)):
        agrees(case, file, place, number)


def test_earlier_turns(tmp_path: Path) -> None:
    """`why` prints the same for a store as for a file: an earlier turn's spells, or exit code 4 for an unknown turn."""
    events = Recorded.load(GAME, EXAMPLES.parent / "daynight/demo/wagic-G1.jsonl").events
    case = Case(GAME, events, (), 1, {}, (1, ""), ({}, ""))
    file, place = stored(case, tmp_path, 7)
    for number in (60, 122):
        agrees(case, file, place, number)
    for code, subject in ((0, "Seat A/1"), (4, "Seat A/999"), (4, "Zoe/1")):
        expected = ran(case, "why", file, "tally", subject)
        assert code == expected[0]
        assert expected == ran(case, "why", NAME, "tally", subject, "--db", place)


# ------------------------------------------------------------------------------------------------------------- how many


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> tuple[Case, Path, Path]:
    """A case with a long record of the monarch mechanic, whose monarch rarely changes; its file and its store."""
    case = Case(MONARCH, tuple(_long()), (), 1, {}, (1, ""), ({}, ""))
    return case, *stored(case, tmp_path_factory.mktemp("long"), 250)


def _long() -> Iterator[Any]:
    read = MONARCH.language.strictly
    yield read({"type": "game-started", "game": "friday", "players": ["Ana", "Bo"]})
    for number in range(2, EVENTS + 1):
        player = ("Ana", "Bo")[number % 2]
        if number % 500:
            yield read({"type": "turn-began", "player": player})
        else:
            yield read({"type": "made-monarch", "player": ("Ana", "Bo")[number // 500 % 2]})


@pytest.fixture
def count(monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """A function that returns how many events were read from a store since its last call."""
    found: list[int] = []
    chunks = records._chunks

    def counted(*arguments: Any, **more: Any) -> Iterator[Any]:
        for chunk in chunks(*arguments, **more):
            found.append(chunk.count)
            yield chunk

    def since() -> int:
        number = sum(found)
        found.clear()
        return number

    monkeypatch.setattr(records, "_chunks", counted)
    return since


@pytest.mark.parametrize("verb", ["replay", "blame", "why"])
def test_few_are_read(long: tuple[Case, Path, Path], count: Callable[[], int], verb: str) -> None:
    """A command reads at most two pages of 256 events: one after the snapshot, and one with the cause of the answer.

    `show` up to event 20 reads 20 events, and `audit` reads all.
    """
    case, file, place = long
    more = ["monarch"] if verb == "why" else []
    expected = ran(case, verb, file, *more)
    count()
    assert expected == ran(case, verb, NAME, *more, "--db", place)
    assert 0 < count() <= 512
    assert 0 == ran(case, "show", NAME, "--at", 20, "--db", place)[0]
    assert 20 == count()
    assert 0 == ran(case, "audit", NAME, "--db", place)[0]
    assert EVENTS == count()


def test_changed_line(long: tuple[Case, Path, Path]) -> None:
    case, file, place = long
    expected = ran(case, "why", file, "monarch")
    with closing(sqlite3.connect(place)) as raw, raw:
        was = raw.execute("SELECT state FROM stored_events WHERE originator_version = 4").fetchone()
        change = "UPDATE stored_events SET state = ? WHERE originator_version = 4"
        raw.execute(change, (was[0].replace(b"Ana", b"Bo"),))
    try:
        assert expected == ran(case, "why", NAME, "monarch", "--db", place)
        for verb in ("show", "audit"):
            code, _out, err = ran(case, verb, NAME, "--db", place)
            assert (5, True) == (code, "event 4 is not what was stored" in err), verb
    finally:
        with closing(sqlite3.connect(place)) as raw, raw:
            raw.execute(change, was)


def test_no_snapshots(long: tuple[Case, Path, Path], tmp_path: Path, count: Callable[[], int]) -> None:
    case, file, _place = long
    _file, place = stored(case, tmp_path, 10 * EVENTS)
    expected = ran(case, "why", file, "monarch", "--at", 900)
    count()
    assert expected == ran(case, "why", NAME, "monarch", "--at", 900, "--db", place)
    assert 900 == count()
