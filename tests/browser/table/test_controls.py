"""Every control of every screen of the table, pressed in every role that has it.

The controls are read from the browser's accessibility tree, so a control that is not in the tables below fails.

| promise | test |
| --- | --- |
| pressing a control does what the table says, for a player, a judge and the owner | test_pressed |
| a spectator has no control that records anything | test_watching |
| the controls for unsent and for refused commands do what their names say | test_unsent, test_refused |
| the controls of corrections do what their names say; a player cannot rule there | test_mending |
| before the first turn the only control is "first turn"; after the end there is none | test_ends |
"""

import pytest

from tests.browser.table.controls import controls

PASSED = ["turn-began", "step-began", "step-began"]
NAMED = {"Card": "Opt", "Who": "Bo"}
ENTERING, DOUBTING = "A permanent enters, or a spell with its name", "Nobody is sure how many spells"

SETTINGS = {"Log": "/g/", "Language": "English", "Colours": "Dark"}
"""Controls of every role: one with a path leads to that page, one with a word is set to that value."""

LISTED = {"daynight": "/"}
"""The link to the list of games, for the owner and without a key: a key for one game may not read the list."""

TABLE = {
    "Spell cast": ["spell-cast"],
    "Undo": ["game-backed-up"],
    "Pass turn": PASSED,
    "casts: does not count": ["spell-cast"],
    "Turn …": "The turn",
    "More …": "What else happened",
    **SETTINGS,
}
TURN = {
    "Pass the turn": PASSED,
    "Pass the turn: no untap step": ["turn-began", "step-began"],
    "Extra turn: Ana": PASSED,
    "Extra turn: Bo": PASSED,
    "Close": "",
}
SPELL = {"Card": "Opt", "Who casts": "Bo", "Spell cast": ["spell-cast"], "Close": ""}
MORE = {
    "Call a judge": ["dispute-opened"],
    "Put it right …": "Put it right",
    "Where are we? …": "Where are we?",
    ENTERING: "folds",
    f"{ENTERING} / Card": "Opt",
    f"{ENTERING} / Who": "Bo",
    f"{ENTERING} / It enters the battlefield": ["permanents-entered"],
    f"{ENTERING} / It is cast": ["spell-cast"],
    "A permanent leaves": "folds",
    "A permanent leaves / Tavern Ruffian · Ana": ["permanents-left"],
    "An effect makes it day or night": "folds",
    "An effect makes it day or night / day": ["effect-resolved"],
    "An effect makes it day or night / night": ["effect-resolved"],
    "I say that it is …": "folds",
    "I say that it is … / day": ["designation-claimed"],
    "I say that it is … / night": ["designation-claimed"],
    "I say that it is … / neither day nor night": ["designation-claimed"],
    DOUBTING: "folds",
    f"{DOUBTING} / Who": "Bo",
    f"{DOUBTING} / Besides those recorded, at least": "1",
    f"{DOUBTING} / at most (empty: any number)": "2",
    f"{DOUBTING} / Record the doubt": ["spells-uncertain"],
    "The turn": "folds",
    "The turn / Pass the turn: no untap step": ["turn-began", "step-began"],
    "The turn / Extra turn: Ana": PASSED,
    "The turn / Extra turn: Bo": PASSED,
    "A player leaves the game": "folds",
    "A player leaves the game / Ana": ["player-left"],
    "A player leaves the game / Bo": ["player-left"],
    "Close": "",
}
SCREENS = [
    pytest.param(None, TABLE, id="table"),
    pytest.param(("Turn …", 0), TURN, id="turn"),
    pytest.param(("Pass turn", 800), TURN, id="held-pass"),
    pytest.param(("Spell cast", 800), SPELL, id="held-cast"),
    pytest.param(("More …", 0), MORE, id="more"),
]
"""For each screen: the button that opens it, the milliseconds of the press, and what the controls do."""


class Hand:
    """Presses controls by name, and checks the effect."""

    def __init__(self, table, phone, by):
        self.table, self.phone, self.page, self.by = table, phone, phone.page, by
        self.session = phone.context.new_cdp_session(phone.page)

    def open(self, way):
        """Close an open dialog, and press the button of `way`, which opens the screen; None is the table itself."""
        if self.page.get_by_role("dialog").count():
            self.page.keyboard.press("Escape")
            self.page.get_by_role("dialog").wait_for(state="detached")
        if way is not None:
            button, held = way
            self.page.get_by_role("button", name=button).first.click(delay=held)
            self.page.get_by_role("dialog").wait_for()

    def controls(self):
        """Return the visible controls by name."""
        return controls(self.page, self.session)

    def press(self, way, name, does):
        """Open the screen of `way`, press the control `name`, and assert its effect `does`."""
        self.open(way)
        found = self.controls()
        place = found[name].place
        if isinstance(does, list):
            self.fill(found, name)
            self.record(place, does)
        elif place.evaluate("one => one.matches('select, input:not([type=radio]), textarea')"):
            self.write(place, does)
            assert place.input_value() == (does.lower() if name == "Colours" else "en" if name == "Language" else does)
        elif does == "on":
            place.locator("..").click()
            assert place.is_checked()
        elif does == "folds":
            place.click()
            assert not place.locator("..").evaluate("one => one.open")
        elif does.startswith("/"):
            place.click()
            self.page.wait_for_url(lambda address: f"{address}/".partition(self.table.site.address)[2].startswith(does))
            self.page.get_by_role("heading", level=1).wait_for()
            self.phone.open()
        elif does:
            place.click()
            self.page.get_by_role("dialog").get_by_role("heading", name=does).wait_for()
        else:
            place.click()
            self.page.get_by_role("dialog").wait_for(state="detached")
        assert (self.page.get_by_role("alert").all_inner_texts(), self.phone.complaints) == ([], [])

    def fill(self, found, name):
        """Fill in the fields `NAMED`, if the form of the button `name` has them; `found` are the controls."""
        form = name.rpartition(" / ")[0]
        for field, value in NAMED.items():
            if (one := found.get(f"{form} / {field}" if form else field)) is not None:
                self.write(one.place, value)

    def write(self, place, value):
        """Write a value into a field, or select it."""
        if place.evaluate("one => one.matches('select')"):
            place.select_option(value)
        else:
            place.fill(value)

    def record(self, place, types, *, all_by=True):
        """Press a control, and assert that it records events of these types, all by this link.

        Without `all_by`, events that a correction records again may be by others.
        """
        before = len(self.table.record())
        place.click()
        for _look in range(100):
            if len(self.table.record()) >= before + len(types):
                break
            self.page.wait_for_timeout(30)
        new = self.table.record()[before:]
        assert [one["type"] for one in new] == types
        assert {one["meta"]["by"] for one in new if all_by or "again" not in one["meta"]} == {self.by}
        assert {one["by"] for one in new if "by" in one} <= {self.by}
        self.phone.recorded()


SEATS = [("player", "Ana", "Ana"), ("judge", "Jo", "Jo"), ("owner", None, "owner")]


@pytest.fixture
def hand(table):
    """A function that returns a `Hand` for a role, at a table with one permanent."""

    def made(role, name, by):
        ruffian = {"id": "w1", "card": "Tavern Ruffian", "controller": "Ana"}
        events = [{"type": "permanents-entered", "permanents": [ruffian]}]
        table.asked(f"/v1/games/{table.game}/commands", {"command": "w1", "expected": 4, "events": events})
        return Hand(table, table.phone(role, name), by)

    return made


@pytest.mark.parametrize("way, expected", SCREENS)
@pytest.mark.parametrize("role, name, by", SEATS, ids=[role for role, _name, _by in SEATS])
def test_pressed(hand, role, name, by, way, expected):
    found = hand(role, name, by)
    found.open(way)
    if role == "owner" and way is None:
        expected = expected | LISTED
    assert set(found.controls()) == expected.keys()
    for control, does in expected.items():
        found.press(way, control, does)


@pytest.mark.parametrize("role", ["spectator", "nobody"])
def test_watching(hand, role):
    found = hand(role, None, role)
    expected = SETTINGS if role == "spectator" else SETTINGS | LISTED
    assert set(found.controls()) == expected.keys()
    for control, does in expected.items():
        found.press(None, control, does)


def test_unsent(hand):
    found = hand("player", "Ana", "Ana")
    found.phone.cut()
    found.phone.press("Spell cast")
    found.page.get_by_text("1 command is not sent yet").wait_for()
    assert set(found.controls()) == {*TABLE, "Show them"}
    found.phone.press("Show them")
    assert set(found.controls()) == {"Save them as a file", "or copy them", "Close"}
    assert "spell-cast" in found.controls()["or copy them"].place.input_value()
    with found.page.expect_download():
        found.controls()["Save them as a file"].place.click()
    found.press(("Show them", 0), "Close", "")


@pytest.mark.parametrize("role, name, by", SEATS, ids=[role for role, _name, _by in SEATS])
def test_refused(hand, table, role, name, by):
    found, listed = hand(role, name, by), LISTED if role == "owner" else {}
    found.phone.cut()
    found.phone.press("Spell cast")
    found.page.wait_for_timeout(1_000)
    found.phone.press("Spell cast")
    found.page.get_by_text("2 commands are not sent yet").wait_for()
    table.asked(f"/v1/games/{table.game}/commands", {"command": "p", "seen": 5, "do": "pass-turn"})
    found.phone.cut(off=False)
    for _press in range(2):
        found.page.get_by_role("dialog", name="Not recorded").wait_for()
        assert set(found.controls()) == {"Drop it", "Call a judge", "Close"}
        found.controls()["Close"].place.click()
    found.page.get_by_role("dialog").wait_for(state="detached")
    found.page.get_by_text("2 presses are not recorded").wait_for()
    assert set(found.controls()) == {*TABLE, *listed, "What to do"}
    found.phone.press("What to do")
    found.controls()["Drop it"].place.click()
    found.page.get_by_text("1 press is not recorded").wait_for()
    found.record(found.controls()["Call a judge"].place, ["dispute-opened", "dispute-claimed"])
    found.page.get_by_role("dialog").wait_for(state="detached")
    assert set(found.controls()) == {*TABLE, *listed}


WHOSE = "turn 1: more Whose turn, or a card that entered or left"
RIGHT = {
    "Close", "Store it", WHOSE, *(f"turn 1, {who}: one spell {how}" for who in ("Ana", "Bo")
    for how in ("fewer", "more")), *(f"{WHOSE} / turn 1: {what}" for what in
    ("whose", "card", "who", "it entered", "Tavern Ruffian left")),
}  # fmt: skip
WHERE = {"Close", "Catch up", "It is turn", "It is the turn of", "turn 1, Ana: spells", "turn 1, Bo: spells"}
RULING = "I rule that it is …"
RULINGS = {RULING, *(f"{RULING} / {one}" for one in ("day", "night", "neither day nor night"))}


def mended(found, what):
    """Open the dialog `what`, one of the two for corrections, and return its controls by name."""
    found.open(("More …", 0))
    found.phone.press(what)
    found.page.get_by_role("dialog", name=what.removesuffix(" …")).wait_for()
    page = found.page
    (page.get_by_text("turn 1: more") if "right" in what else page.get_by_label("It is turn", exact=True)).wait_for()
    return found.controls()


@pytest.mark.parametrize("role, name, by", SEATS, ids=[role for role, _name, _by in SEATS])
def test_mending(hand, role, name, by):
    found = hand(role, name, by)
    there = mended(found, "Put it right …")
    assert there.keys() == RIGHT
    assert {each for each, one in there.items() if one.disabled} == {
        "Store it", *(f"turn 1, {who}: one spell fewer" for who in ("Ana", "Bo")),
    }  # fmt: skip
    for who in ("Ana", "Bo"):
        there[f"turn 1, {who}: one spell more"].place.click()
    there["turn 1, Ana: one spell fewer"].place.click()
    found.write(there[f"{WHOSE} / turn 1: whose"].place, "Bo")
    found.write(there[f"{WHOSE} / turn 1: card"].place, "Village Messenger")
    found.write(there[f"{WHOSE} / turn 1: who"].place, "Bo")
    there[f"{WHOSE} / turn 1: it entered"].place.click()
    there[f"{WHOSE} / turn 1: Tavern Ruffian left"].place.click()
    found.page.get_by_role("button", name="Store it").and_(found.page.locator(":enabled")).wait_for()
    found.record(there["Store it"].place, [
        "game-backed-up", "turn-began", "step-began", "step-began", "permanents-entered", "spell-cast",
        "permanents-entered", "permanents-left",
    ], all_by=False)  # fmt: skip
    there = mended(found, "Where are we? …")
    assert there.keys() == (WHERE if role == "player" else WHERE | RULINGS)
    if role != "player":
        for each in RULINGS - {RULING, f"{RULING} / neither day nor night"}:
            found.record(mended(found, "Where are we? …")[each].place, ["judge-ruled"])
    there = mended(found, "Where are we? …")
    found.write(there["It is turn"].place, "2")
    found.write(there["It is the turn of"].place, "Ana")
    found.write(there["turn 1, Bo: spells"].place, "3")
    doubted = ["spells-uncertain", "spell-cast", "spell-cast", *PASSED]
    found.record(there["Catch up"].place, doubted)
    for what in ("Put it right …", "Where are we? …"):
        mended(found, what)["Close"].place.click()
        found.page.get_by_role("dialog").wait_for(state="detached")


def test_ends(table):
    table.game += "-2"
    table.asked("/v1/games", {"command": "begin", "game": table.game, "players": ["Ana", "Bo"]})
    found = Hand(table, table.phone(), "Ana")
    before = found.controls()
    # Before the first turn no spell is cast, so none is said not to count.
    named = {"Pass turn": "First turn", "casts: does not count": "Bo casts"}
    assert before.keys() == {named.get(name, name) for name in TABLE}
    assert {name for name, one in before.items() if one.disabled} == {"Spell cast", "Bo casts", "Undo"}
    found.record(before["First turn"].place, PASSED)
    table.asked(f"/v1/games/{table.game}/commands", {"command": "end", "seen": 4, "events": [{"type": "game-ended"}]})
    found.page.get_by_text("The game is over.", exact=True).wait_for()
    assert set(found.controls()) == SETTINGS.keys()
