"""Quick tests of the pages: each is opened, and does its main task.

| promise | test |
| --- | --- |
| a served game opens at the event in its address, and keys lead to a contradicted claim | test_served |
| the two buttons of the table store a cast and a turn | test_table |
| a game as one file opens from the disk | test_exported |
"""

import pytest

from daynight import Game
from daynight.cli.commands import run
from tests.browser.served.conftest import Opens, Site, ended, opens, started, stored  # noqa: F401
from tests.browser.table.conftest import Table, table  # noqa: F401


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A server of a store with the demo, in which tests begin games."""
    folder = tmp_path_factory.mktemp("short")
    found, process = started("--db", str(stored(folder, "demo")), cwd=folder)
    yield found
    ended(process)


@pytest.fixture(scope="module")
def server(site):
    """The same server, under the name that the fixture `table` asks for."""
    return site


def test_served(opens):  # noqa: F811
    window = opens().go("/g/wagic-G1#e=108")
    assert window.text(".now") == "night"
    assert window.press("x").place == "#e=122"
    assert "the rules say otherwise (claimed: front face; derived: back face)" in window.press("i").text(".why")
    assert (window.elsewhere, window.complaints) == ([], [])


def test_table(table):  # noqa: F811
    ana = table.phone()
    ana.press("Spell cast")
    ana.press("Pass turn")
    ana.page.get_by_text("turn 2 · Bo").wait_for()
    ana.recorded()
    assert [event["type"] for event in table.record()[4:]] == ["spell-cast", "turn-began", "step-began", "step-began"]


def test_exported(opened, tmp_path):
    file = tmp_path / "game.html"
    assert run(["export", "demo", "-o", str(file)]) == 0
    visit = opened(file)
    visit.page.evaluate("location.hash = 'e=110'")
    why = Game.load("demo").why(110)
    visit.page.locator(".lead p").get_by_text(why.short, exact=True).wait_for()
    visit.page.locator(".lead + p").get_by_text(why.sentence, exact=True).wait_for()
    assert (visit.asked, visit.complaints) == ([], [])
