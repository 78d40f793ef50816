"""A table whose browsers and server are killed at any moment.

| promise | test |
| --- | --- |
| commands in a killed browser's queue are stored once after the link is reopened | test_browser |
| presses while the server is dead are stored once after its restart | test_server |
| kills, cuts, reloads, double presses: each command is stored once, in its turn | test_interleavings |
| a link that was opened while the server was down works after its restart | test_late |
"""

import pytest

from tests.browser.served.conftest import stored
from tests.browser.table.interleaving import ACTS, Interleaving
from tests.browser.table.mortal import Lone, Mortal

KILLS = (*ACTS, "kill", "kill", "fall", "fall", "rise", "rise", "rise")


@pytest.fixture
def mortal(browser, tmp_path):
    """A table with a server of its own, which tests may kill."""
    found = Mortal(browser, tmp_path, stored(tmp_path, "demo"))
    found.begin()
    yield found
    for phone in found.phones:
        phone.close()
    found.fall()


def test_browser(mortal, tmp_path):
    ana = Lone.of(mortal, tmp_path / "Ana", "Ana")
    ana.cut()
    ana.press("Spell cast")
    ana.page.get_by_text("1 command is not sent yet").wait_for()
    ana.kill()
    ana.recorded()
    assert [one["type"] for one in mortal.record()[4:]] == ["spell-cast"]


def test_server(mortal, tmp_path):
    ana = Lone.of(mortal, tmp_path / "Ana", "Ana")
    mortal.fall()
    ana.press("Pass turn")
    ana.page.get_by_text("1 command is not sent yet").wait_for()
    mortal.rise()
    ana.recorded()
    assert sum(one["type"] == "turn-began" for one in mortal.record()) == 2


def test_late(mortal, tmp_path):
    ana = Lone.of(mortal, tmp_path / "Ana", "Ana")
    ana.page.evaluate("navigator.serviceWorker.ready")
    mortal.fall()
    ana.kill()
    mortal.rise()
    ana.page.locator(".big.cast").wait_for()
    ana.press("Spell cast")
    ana.recorded()
    assert mortal.record()[-1]["meta"]["by"] == "Ana"


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(200))
def test_interleavings(mortal, tmp_path, seed):
    Interleaving(mortal, seed, KILLS).run([Lone.of(mortal, tmp_path / name, name) for name in ("Ana", "Bo")])
