"""The page of the table, on one phone and on two.

| promise | test |
| --- | --- |
| a cast or a turn is recorded for the link's player; a turn has its untap step and upkeep | test_pressed |
| two presses in quick succession are one turn | test_bounced |
| the other phone shows an event without a reload, with the forecast | test_heard |
| two phones that pass the turn together pass it once, without a dialog | test_together |
| calling a judge twice, or on two phones at once, opens one dispute; after its end there can be another | test_called |
| "Undo" appends a back-up | test_undone |
| a long press offers a turn without an untap step; so does a menu, by keyboard | test_held, test_keyboard |
| a card's name typed in the player's language is recorded in English | test_cards |
| a spectator has no buttons | test_watching |
| a screen reader gets all elements with names and states | test_listened |
| with forced colours and at 200 % the state is in words, and both buttons are visible | test_shown |
| axe-core finds no barriers, in each language, light and dark; 320 px suffice; buttons have 44 px | test_barriers |
| there are no requests to other hosts, and no key stays in the address | test_quiet |
"""

import os
import re
from pathlib import Path

import pytest


def test_pressed(table):
    ana = table.phone()
    ana.press("Spell cast")
    ana.press("Pass turn")
    ana.page.get_by_text("turn 2 · Bo").wait_for()
    ana.recorded()
    record = table.record()[4:]
    assert [one["type"] for one in record] == ["spell-cast", "turn-began", "step-began", "step-began"]
    assert record[0]["player"] == "Ana"
    assert {one["meta"]["by"] for one in record} == {"Ana"}


def test_bounced(table):
    ana = table.phone()
    ana.page.locator(".big.pass").dblclick()
    ana.page.get_by_text("turn 2 · Bo").wait_for()
    ana.recorded()
    assert sum(one["type"] == "turn-began" for one in table.record()) == 2


def test_heard(table):
    ana, bo = table.phone(), table.phone(name="Bo")
    table.asked(f"/v1/games/{table.game}/commands", {"command": "x", "seen": 4, "words": ["it becomes day"]})
    for phone in (ana, bo):
        phone.page.locator(".table.day").wait_for()
        phone.page.get_by_text("Day. Ana, active in this turn, has cast no spell").wait_for()
    ana.press("Spell cast")
    bo.page.get_by_text("Ana has cast 1 spell").wait_for()
    assert bo.page.locator(".recent").inner_text().startswith("e6")


def test_together(table):
    ana, bo, held = table.phone(), table.phone(name="Bo"), []

    def hold(route):
        """Add a request to `held` without an answer; the test continues both when each phone has sent one."""
        held.append(route)

    for phone in (ana, bo):
        phone.page.route("**/commands*", hold)
        phone.press("Pass turn")
    while len(held) < 2:
        ana.page.wait_for_timeout(20)
    held[0].continue_()
    ana.page.get_by_text("turn 2 · Bo").wait_for()
    held[1].continue_()
    bo.page.get_by_text("already passed").wait_for()
    for phone in (ana, bo):
        phone.page.get_by_text("turn 2 · Bo").wait_for()
        phone.recorded()
        assert phone.page.get_by_role("dialog").count() == 0
    assert sum(one["type"] == "turn-began" for one in table.record()) == 2


def test_called(table):
    ana, bo = table.phone(), table.phone(name="Bo")
    for _time in range(2):
        for phone in (ana, bo):
            phone.press("More …")
            phone.press("Call a judge")
            phone.page.get_by_text("judge is called").first.wait_for(state="attached")
    bo.page.get_by_text("a judge is called already").wait_for(state="attached")
    opened = [one for one in table.record() if one["type"] == "dispute-opened"]
    assert [(one["dispute"], one["about"]) for one in opened] == [("d1", 4)]
    table.asked(f"/v1/games/{table.game}/disputes/d1/rulings", {"command": "r", "outcome": "leave"})
    table.asked(f"/v1/games/{table.game}/disputes/d1/close", {"command": "c"})
    bo.page.locator(".recent").get_by_text("e7").wait_for()
    bo.press("More …")
    bo.press("Call a judge")
    bo.page.locator(".recent").get_by_text("e8").wait_for()
    assert [one["type"] for one in table.record()[4:]] == [
        "dispute-opened", "dispute-ruled", "dispute-closed", "dispute-opened",
    ]  # fmt: skip


def test_undone(table):
    ana = table.phone()
    ana.press("Spell cast")
    ana.recorded()
    ana.press("Undo")
    ana.page.locator(".recent").get_by_text("e6").wait_for()
    assert [one["type"] for one in table.record()[4:]] == ["spell-cast", "game-backed-up"]


def test_held(table):
    ana = table.phone()
    ana.page.locator(".big.pass").click(delay=800)
    ana.press("Pass the turn: no untap step")
    ana.page.get_by_text("turn 2 · Bo").wait_for()
    assert [one for one in table.record() if one["type"] == "turn-began"][-1]["skips"] == ["untap"]
    assert sum(one["type"] == "turn-began" for one in table.record()) == 2


def test_keyboard(table):
    ana = table.phone()
    ana.page.get_by_role("button", name="Turn …").focus()
    ana.page.keyboard.press("Enter")
    ana.page.get_by_role("button", name="Pass the turn: no untap step").focus()
    ana.page.keyboard.press("Enter")
    ana.page.get_by_text("turn 2 · Bo").wait_for()
    ana.page.get_by_role("button", name="More …").focus()
    ana.page.keyboard.press("Space")
    ana.page.get_by_role("button", name="Call a judge").focus()
    ana.page.keyboard.press("Enter")
    ana.page.locator(".recent").get_by_text("judge").first.wait_for()
    assert table.record()[-1]["type"] == "dispute-opened"


def test_cards(table):
    ana = table.phone(language="fr")
    ana.page.locator(".big.cast").click(delay=800)
    ana.page.get_by_label("Carte").fill("Arlinn, espoir de la meute")
    ana.page.get_by_role("dialog").get_by_role("button", name="Sort lancé").click()
    ana.page.locator(".recent").get_by_text("e5").wait_for()
    assert table.record()[-1]["card"] == "Arlinn, the Pack's Hope"


def test_watching(table):
    eve = table.phone("spectator", None)
    eve.page.get_by_text("You are watching.").wait_for()
    assert eve.page.locator(".big").count() == 0


HEARD = Path(__file__).with_name("heard.yaml")


def test_listened(table):
    """The page's accessibility tree equals the golden file heard.yaml; DAYNIGHT_GOLDEN=write rewrites the file."""
    ana = table.phone()
    ana.press("Spell cast")
    ana.recorded()
    ana.page.get_by_text("Ana has cast 1 spell").first.wait_for()
    heard = ana.page.locator("body").aria_snapshot() + "\n"
    # The game's name is unique for the test, and its code depends on the name.
    heard = re.sub(r"e5 [0-9A-Z]{4}(-[0-9A-Z]{4})+", "CODE", heard.replace(table.game, "GAME"))
    if os.environ.get("DAYNIGHT_GOLDEN") == "write":
        HEARD.write_text(heard, encoding="utf-8")
    assert HEARD.read_text(encoding="utf-8") == heard


@pytest.mark.parametrize("how", [{"forced_colors": "active"}, {"viewport": {"width": 320, "height": 480}}])
def test_shown(table, how):
    """With forced colours, or in 640 by 960 pixels at 200 %, the state is in words, and both buttons are visible."""
    ana = table.phone(**how)
    ana.press("Spell cast")
    ana.recorded()
    assert ana.page.locator(".now").inner_text().lower() == "neither day nor night"
    height = ana.page.viewport_size["height"]  # type: ignore[index]
    for button in (".big.cast", ".big.pass"):
        box = ana.page.locator(button).bounding_box()
        assert box is not None
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= height
    assert ana.page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    assert ana.axe() == []


EACH = [("en", "light", 390), ("fr", "dark", 320), ("ja", "light", 320)]
MORE = [(lang, scheme, width) for lang in ("en", "fr", "ja") for scheme in ("light", "dark") for width in (390, 320)]


@pytest.mark.parametrize(
    "language, scheme, width", [*EACH, *(pytest.param(*one, marks=pytest.mark.slow) for one in MORE if one not in EACH)]
)
def test_barriers(table, language, scheme, width):
    ana = table.phone(language=language, color_scheme=scheme, viewport={"width": width, "height": 640})
    assert ana.axe() == []
    assert ana.page.evaluate("document.documentElement.scrollWidth") <= width
    small = ana.page.evaluate(
        "[...document.querySelectorAll('.table :is(button, select, a)')].map(one => one.getBoundingClientRect())"
        ".filter(box => box.height < 43.9 || box.width < 43.9).length"
    )
    assert small == 0
    ana.page.locator(".small-ones button").nth(2).click()
    ana.page.evaluate("document.querySelectorAll('dialog details').forEach(one => { one.open = true })")
    assert ana.axe() == []
    ana.page.keyboard.press("Escape")
    ana.cut()
    ana.page.locator(".big.cast").click()
    ana.page.locator(".link.off").wait_for()
    assert ana.axe() == []
    ana.page.locator(".link button").click()
    ana.page.get_by_role("dialog").wait_for()
    assert ana.axe() == []


def test_quiet(table):
    ana = table.phone()
    ana.press("Spell cast")
    ana.recorded()
    assert (ana.elsewhere, ana.complaints) == ([], [])
    assert ana.page.evaluate("location.hash") == ""
