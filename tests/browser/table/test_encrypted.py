"""The table over an encrypted connection with a self-signed certificate, as phones in a network use it.

| promise | test |
| --- | --- |
| an event from one phone appears on the other at once, even after reconnections | test_heard |
| presses without a connection are recorded once when it is back | test_cut |
"""

import json
import subprocess
import sys

import pytest

from tests.browser.served.conftest import Site, alone, ended
from tests.browser.table.conftest import Table
from tests.web.serving import AS_ABROAD


@pytest.fixture
def table(browser, tmp_path):
    """A table of a game whose first turn is Ana's."""
    command = ["table", "first", "Ana", "Bo", "--json", "--port", "0", "--db", str(tmp_path / "games.db")]
    process = subprocess.Popen(
        [sys.executable, "-c", AS_ABROAD, *command], env=alone(tmp_path), stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    told = json.loads(process.stdout.readline())
    assert told["address"].startswith("https://")
    made = Table(Site(told["address"], told["owner"]), browser, "friday", [])
    made.begin()
    yield made
    for phone in made.phones:
        phone.close()
    ended(process)


def opened(table, name):
    """Return a connected phone that accepts the certificate, as after its owner has compared the fingerprint."""
    phone = table.phone(name=name, ignore_https_errors=True)
    phone.recorded()
    return phone


def test_heard(table):
    ana, bo = opened(table, "Ana"), opened(table, "Bo")
    ana.press("Spell cast")
    bo.page.get_by_text("Ana has cast 1 spell").wait_for()
    for _time in range(3):
        bo.open()
        bo.recorded()
    ana.press("Pass turn")
    bo.page.get_by_text("turn 2 · Bo").wait_for()
    assert [one["type"] for one in table.record()[4:]] == ["spell-cast", "turn-began", "step-began", "step-began"]
    assert not ana.elsewhere + bo.elsewhere


def test_cut(table):
    ana, bo = opened(table, "Ana"), opened(table, "Bo")
    ana.cut()
    ana.press("Spell cast")
    ana.page.get_by_text("1 command is not sent yet").wait_for()
    ana.cut(off=False)
    ana.recorded()
    bo.page.get_by_text("Ana has cast 1 spell").wait_for()
    assert sum(one["type"] == "spell-cast" for one in table.record()) == 1
