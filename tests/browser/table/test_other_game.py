"""Another game of the same name at the same address: next week's table, with an old tab still open.

| promise | test |
| --- | --- |
| a press for one game is never stored in the other: the page reports it, and offers it as JSON | test_next_week |
| when the old game is served again, the phone sends it the presses that belong to it | test_next_week |
| an old tab whose stream finds another game shows that game, and does not mix the two | test_stream |
| the dialog saves the other game's commands as a file, closes, and drops them without storing any | test_controls |
| if two servers alternate at one address, each cast is stored once, in its own game | test_turns, test_turns_long |
"""

import json
import random
from urllib.request import urlopen

import pytest

from tests.browser.served.conftest import ended, started, stored
from tests.browser.table.conftest import Table
from tests.browser.table.controls import controls


class Weeks:
    """Two tables with the same name, players and first turn, in two stores, served in turn at one address."""

    def __init__(self, browser, folder):
        self.browser, self.process, self.site = browser, None, None
        self.folders = [folder / "first", folder / "second"]
        for place in self.folders:
            place.mkdir()
            stored(place, "demo")

    def serve(self, week):
        """Serve the game of `week` (0 or 1) at the common address, begin it if it is new, and return its `Table`."""
        self.stop()
        port = int(self.site.address.rpartition(":")[2]) if self.site else 0
        self.site, self.process = started("--db", "games.db", cwd=self.folders[week], port=port)
        self.table = Table(self.site, self.browser, "friday", [])
        self.table.begin()
        return self.table

    def identity(self):
        """Return the `identity` of the served game, which differs between two games of the same name."""
        with urlopen(f"{self.site.address}/v1/games/friday") as answer:
            return json.loads(answer.read())["identity"]

    def stop(self):
        """Stop serving."""
        if self.process is not None:
            ended(self.process)
            self.process = None

    def enter(self, phone):
        """Open Ana's link to the served game in another tab, which stores the link's key for the old tab too."""
        tab = phone.context.new_page()
        tab.goto(self.table.link("player", "Ana"))
        tab.locator(".big.cast").wait_for()
        tab.close()


@pytest.fixture
def weeks(browser, tmp_path):
    """A `Weeks` that serves the first week's game."""
    found = Weeks(browser, tmp_path)
    found.serve(0)
    yield found
    found.stop()


@pytest.fixture
def phone(weeks):
    """Ana's phone, with the table of the first week open."""
    found = weeks.table.phone()
    yield found
    found.close()


def casts(table):
    """Return the card of each cast in the record, None for a cast without a card."""
    return [one.get("card") for one in table.record() if one["type"] == "spell-cast"]


def queued(phone, many=2):
    """Cut the network, and press "Spell cast" `many` times, so that the phone queues the commands."""
    phone.cut()
    for number in range(many):
        phone.press("Spell cast")
        phone.page.get_by_text(f"{number + 1} command").wait_for()
        phone.page.wait_for_timeout(400)


def next_week(weeks, phone):
    """Queue two casts in the old tab, serve the second week, and wait until the tab reports the other game; return the
    `Table` of the second week."""
    queued(phone)
    table = weeks.serve(1)
    phone.cut(off=False)
    weeks.enter(phone)
    phone.page.get_by_text("2 presses are of another game").wait_for()
    phone.page.get_by_text("Another game of this name is at this address now").wait_for()
    return table


def test_next_week(weeks, phone):
    table = next_week(weeks, phone)
    phone.page.wait_for_timeout(1_500)
    assert casts(table) == []
    phone.press("Spell cast")
    phone.recorded()
    assert casts(table) == [None]
    phone.press("Show them")
    field = phone.page.get_by_label("or copy them")
    lines = [json.loads(line) for line in field.input_value().splitlines()]
    assert [(one["says"], one["events"][0]["type"]) for one in lines] == [("Ana casts a spell", "spell-cast")] * 2
    assert phone.axe() == []
    phone.press("Close")
    old = weeks.serve(0)
    phone.address = old.link("player", "Ana")
    phone.open()
    phone.recorded()
    assert casts(old) == [None, None]
    assert phone.complaints == []


def test_stream(weeks, phone):
    weeks.table.asked("/v1/games/friday/commands", {"command": "a", "seen": 4, "words": ["Ana casts Opt"] * 3})
    phone.page.locator(".recent .n").get_by_text("e7", exact=True).wait_for()
    table = weeks.serve(1)
    table.asked("/v1/games/friday/commands", {"command": "b", "seen": 4, "words": ["Bo casts Shock"] * 9})
    weeks.enter(phone)
    phone.page.get_by_text("Another game of this name is at this address now").wait_for()
    phone.page.locator(".recent .n").get_by_text("e13", exact=True).wait_for()
    assert "Opt" not in phone.page.locator("main").inner_text()


def test_controls(weeks, phone):
    table = next_week(weeks, phone)
    phone.press("Show them")
    session = phone.context.new_cdp_session(phone.page)
    assert set(controls(phone.page, session)) == {"Save them as a file", "or copy them", "Drop them", "Close"}
    with phone.page.expect_download():
        phone.press("Save them as a file")
    phone.press("Close")
    phone.page.get_by_role("dialog").wait_for(state="detached")
    phone.press("Show them")
    phone.press("Drop them")
    phone.page.get_by_text("of another game", exact=False).wait_for(state="detached")
    assert (casts(table), phone.kept("unsent")) == ([], [])


def identities(phone):
    """Return a dict from the id of each command in the phone's database, queued or sent, to its game's identity."""
    return {one["id"]: one["identity"] for store in ("unsent", "sent") for one in phone.kept(store)}


def turns(weeks, phone, seed):
    """Alternate the weeks while the phone casts; then serve each week until the phone has sent its commands, and assert
    that its record has as many casts as were pressed in its game."""
    chance, pressed, week = random.Random(seed), {}, 0
    for _act in range(9):
        act = chance.choice(["cast", "cast", "cut", "join", "turn", "wait"])
        if act == "cast":
            phone.page.evaluate("document.querySelector('.big.cast:not(:disabled)')?.click()")
            phone.page.wait_for_timeout(chance.choice([100, 450]))
            pressed |= identities(phone)
        elif act in ("cut", "join"):
            phone.cut(off=act == "cut")
        elif act == "turn":
            week = 1 - week
            weeks.serve(week)
            if chance.random() < 0.6:
                phone.cut(off=False)
                weeks.enter(phone)
        phone.page.wait_for_timeout(chance.choice([0, 300]))
    phone.cut(off=False)
    for each in (0, 1):
        table = weeks.serve(each)
        identity = weeks.identity()
        phone.address = table.link("player", "Ana")
        phone.open()
        for _look in range(200):
            if not [one for one in phone.kept("unsent") if one["identity"] == identity]:
                break
            phone.page.wait_for_timeout(100)
        # On a busy machine the last press is kept later than it was looked for.
        pressed |= identities(phone)
        assert len(casts(table)) == list(pressed.values()).count(identity)
    assert (phone.kept("unsent"), phone.complaints) == ([], [])


@pytest.mark.parametrize("seed", range(2))
def test_turns(weeks, phone, seed):
    turns(weeks, phone, seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 52))
def test_turns_long(weeks, phone, seed):
    turns(weeks, phone, seed)
