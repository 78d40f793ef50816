"""An earlier daynight's store of another mechanic, without a description of events and a version of the rules."""

import shutil
from pathlib import Path

import pytest

from daynight.store import Store, verify_store
from examples import approval, approval_2

BEFORE = Path(__file__).parent / "before" / "approval.db"
RELEASES = [approval.MECHANIC, approval_2.MECHANIC]


@pytest.fixture
def place(tmp_path):
    shutil.copy(BEFORE, tmp_path / "approval.db")
    return tmp_path / "approval.db"


@pytest.mark.parametrize("mechanic", RELEASES, ids=["first", "second"])
def test_opens(place, mechanic):
    before = place.read_bytes()
    with Store.open(place, mechanic=mechanic) as store:
        assert [("budget", 13), ("plan", 6)] == store.games()
        assert ["disputed", "exact"] == [store.load(game).audited().verdict for game, _last in store.games()]
    assert before == place.read_bytes()


@pytest.mark.parametrize("mechanic", RELEASES, ids=["first", "second"])
def test_goes_on(place, mechanic):
    """The store verifies; the first append stores the description of the events, with one notice."""
    heard = []
    with Store.open(place, mechanic=mechanic) as store:
        assert [(None, None)] * 2 == [(found.fault, found.stop) for found in verify_store(store)]
        store.recorder.tell = heard.append
        store.append("plan", [{"type": "revised", "by": "Bo"}])
        assert "draft" == store.at("plan").stage.value
        assert [(None, None)] * 2 == [(found.fault, found.stop) for found in verify_store(store)]
    with Store.open(place, mechanic=mechanic) as store:
        store.recorder.tell = heard.append
        store.append("plan", [{"type": "submitted", "by": "Bo"}])
    assert [f"{place}: guarded from now on: code that would read its events otherwise is refused"] == heard
