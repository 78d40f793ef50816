"""The second release of the approval example opens the store of the first, which is an example file.

| promise | test |
| --- | --- |
| every record keeps its meaning: old rejections are final, a stored second approval is still valid | test_read |
| events that are no longer allowed are refused, and stored ones are not damage | test_tightened |
| a rejection without `final` is a remark | test_default |
| the guide's commands end with the right exit codes | test_commands |
| code without the upcaster can't read and damages nothing; raw bytes are still delivered | test_forgotten |
"""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from daynight.cli.commands import run
from daynight.cli.mechanics import commands
from daynight.framework import ImpossibleError, Language
from daynight.store import Store, verify_store
from examples import approval
from examples.approval import Stage
from examples.approval_2 import MECHANIC, Event
from tests.documents import ROOT


@pytest.fixture
def place(tmp_path: Path) -> Path:
    shutil.copy(ROOT / "examples" / "approval-1.db", tmp_path / "approval.db")
    return tmp_path / "approval.db"


def test_read(place: Path) -> None:
    with Store.open(place, mechanic=approval.MECHANIC) as store:
        before = {game: store.load(game) for game, _last in store.games()}
    with Store.open(place, mechanic=MECHANIC) as store:
        for game, last in store.games():
            now = store.load(game)
            assert (last, before[game].audited().verdict) == (len(now), now.audited().verdict)
            assert [now.at(number) for number in range(1, last + 1)] == [
                before[game].at(number) for number in range(1, last + 1)
            ]
        assert store.load("plan").events[4].final


def test_tightened(place: Path) -> None:
    again = {"type": "approved", "by": "Ana"}
    with Store.open(place, mechanic=MECHANIC) as store:
        found = {one.game: (one.fault, one.stop, one.refused) for one in verify_store(store)}
        assert found == {"budget": (None, None, ()), "plan": (None, None, (4,))}
        store.append("plan", [{"type": "revised", "by": "Bo"}, {"type": "submitted", "by": "Bo"}, again])
        with pytest.raises(ImpossibleError, match="Ana has approved already"):
            store.append("plan", [again])
        assert store.load("plan").events[6].rules == 2


def test_default(place: Path) -> None:
    remark = {"type": "rejected.2", "by": "Dee", "reason": "a comma is missing"}
    with Store.open(place, mechanic=MECHANIC) as store:
        store.append("plan", [{"type": "revised", "by": "Bo"}, {"type": "submitted", "by": "Bo"}, remark])
        assert store.at("plan").stage is Stage.REVIEW
        store.append("plan", [remark | {"final": True}])
        assert store.at("plan").stage is Stage.REJECTED


@pytest.mark.parametrize(
    "line, code",
    [
        ("audit db:plan", 0),
        ("list", 0),
        ("verify", 0),
        ("verify --strict", 1),
        ("show db:budget", 0),
        ("what-if db:plan --drop 5 --name x --keep --key KEY", 1),
    ],
)
def test_commands(place: Path, line: str, code: int) -> None:
    words = line.replace("KEY", str(place.with_name("key.pem"))).split()
    assert run([*words, "--db", str(place)], commands(MECHANIC), "approval") == code


@pytest.mark.parametrize(
    "line, code",
    [
        *((f"{verb} db:plan", 3) for verb in ("show", "replay", "blame", "audit")),
        ("why db:plan stage", 3),
        ("list", 0),
        ("verify", 1),
        ("export plan", 0),
        ("export --all", 0),
    ],
)
def test_forgotten(place: Path, capfd: pytest.CaptureFixture[str], line: str, code: int) -> None:
    forgotten = replace(MECHANIC, language=Language(Event))
    with Store.open(place, mechanic=approval.MECHANIC) as store:
        # The store contains a description of its events.
        store.append("plan", [{"type": "revised", "by": "Bo"}])
    assert run([*line.split(), "--db", str(place)], commands(forgotten), "approval") == code
    out, err = capfd.readouterr()
    assert "DAMAGED" not in out + err
    assert "bug" not in err
