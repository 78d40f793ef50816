"""Correcting forgotten or wrong presses on a phone.

| promise | test |
| --- | --- |
| changed spells, arrivals, departures and the turn's player are previewed, and stored as one correction | test_right |
| if later events become impossible, an alert names them, and the correction can't be stored | test_not_following |
| after the correction is stored, the focus is at the button of the menu again | test_right |
| Undo reverts a correction | test_taken_back |
| missed turns can be added: their unknown casts make the designation uncertain, and the page shows it | test_where |
| players whose links have `rules` can rule, and undo each other's rulings; other links can't | test_friends |
| a cast that arrives after a correction is not stored; the page asks, and one tap records it | test_in_flight |
"""

import pytest

ENTERS = {"type": "permanents-entered", "permanents": [{"id": "w1", "card": "Tavern Ruffian", "controller": "Ana"}]}


@pytest.fixture
def night(table):
    """Record events 1 to 11: it is night in turn 3, because no spell of Bo is recorded in turn 2."""
    path = f"/v1/games/{table.game}/commands"
    table.asked(path, {"command": "t2", "seen": 4, "do": "pass-turn"})
    table.asked(path, {"command": "w", "seen": 7, "events": [ENTERS]})
    table.asked(path, {"command": "t3", "seen": 8, "do": "pass-turn"})
    return table


def opened(phone, what):
    """Press `what` in the menu "More …", and return the dialog that opens."""
    phone.press("More …")
    phone.press(what)
    return phone.page.get_by_role("dialog")


def fold(phone, turn):
    """Open the folded controls of `turn` in the dialog."""
    phone.page.locator("summary", has_text=f"turn {turn}: more").click()


def test_right(night):
    ana = night.phone("judge", "Jo")
    ana.page.locator(".now").get_by_text("night", exact=True).wait_for()
    asked = opened(ana, "Put it right …")
    asked.get_by_label("turn 2, Bo: one spell more").click()
    asked.get_by_role("status").get_by_text("day", exact=False).first.wait_for()
    assert len(night.record()) == 11
    assert ana.axe() == []
    asked.get_by_role("button", name="Store it").click()
    asked.wait_for(state="detached")
    assert "More …" == ana.page.evaluate("document.activeElement.innerText")
    ana.page.locator(".now").get_by_text("day", exact=True).wait_for()
    assert [one["type"] for one in night.record()[11:]] == [
        "game-backed-up", "spell-cast", "turn-began", "step-began", "step-began",
    ]  # fmt: skip
    asked = opened(ana, "Put it right …")
    asked.get_by_label("turn 2, Bo: one spell fewer").click()
    fold(ana, 3)
    asked.get_by_label("turn 3: whose").select_option("Bo")
    fold(ana, 1)
    asked.get_by_label("turn 1: card").fill("Village Messenger")
    asked.get_by_label("turn 1: who", exact=True).select_option("Bo")
    asked.get_by_label("turn 1: it entered").click()
    asked.get_by_label("turn 3: Tavern Ruffian left").click()
    asked.get_by_role("button", name="Store it").click()
    asked.wait_for(state="detached")
    ana.page.get_by_text("turn 3 · Bo").wait_for()
    stored = night.record()[16:]
    assert [one["type"] for one in stored if one["type"] != "step-began"] == [
        "game-backed-up", "permanents-entered", "turn-began", "permanents-entered", "turn-began", "permanents-left",
    ]  # fmt: skip
    assert (stored[1]["permanents"][0]["card"], stored[1]["permanents"][0]["controller"]) == ("Village Messenger", "Bo")


def test_not_following(night):
    left = {"type": "permanents-left", "permanents": ["w1"]}
    night.asked(f"/v1/games/{night.game}/commands", {"command": "l", "seen": 11, "events": [left]})
    entered = {"type": "permanents-entered", "permanents": [
        {"id": "w1", "card": "Tavern Ruffian", "controller": "Ana"}]}  # fmt: skip
    night.asked(f"/v1/games/{night.game}/commands", {"command": "e", "seen": 12, "events": [entered]})
    judge = night.phone("judge", "Jo")
    asked = opened(judge, "Put it right …")
    fold(judge, 3)
    asked.get_by_label("turn 3: Tavern Smasher left").click()
    fold(judge, 2)
    asked.get_by_label("turn 2: Tavern Smasher left").click()
    asked.get_by_role("alert").first.wait_for()
    assert asked.get_by_role("button", name="Store it").is_disabled()
    assert len(night.record()) == 13


def test_taken_back(night):
    ana = night.phone()
    asked = opened(ana, "Put it right …")
    asked.get_by_label("turn 2, Bo: one spell more").click()
    asked.get_by_role("button", name="Store it").click()
    ana.page.locator(".now").get_by_text("day", exact=True).wait_for()
    ana.page.get_by_role("button", name="Undo").click()
    ana.page.locator(".now").get_by_text("night", exact=True).wait_for()
    assert (night.record()[16]["corrects"], night.record()[16]["by"]) == (True, "Ana")


def test_where(table):
    table.asked(f"/v1/games/{table.game}/commands", {"command": "w", "seen": 4, "events": [ENTERS]})
    ana = table.phone()
    asked = opened(ana, "Where are we? …")
    asked.get_by_label("It is turn", exact=True).fill("4")
    asked.get_by_label("It is the turn of").select_option("Bo")
    asked.get_by_label("turn 2, Bo: spells").fill("1")
    assert ana.axe() == []
    asked.get_by_role("button", name="Catch up").click()
    asked.wait_for(state="detached")
    ana.page.get_by_text("turn 4 · Bo").wait_for()
    ana.page.get_by_text("day or night", exact=True).wait_for()
    ana.page.get_by_text("if nobody can tell: night (MTR 4.9)").wait_for()
    turns = [(one["turn"], one["meta"].get("unwritten")) for one in table.record() if one["type"] == "turn-began"]
    assert turns == [(1, None), (2, True), (3, True), (4, None)]


def test_friends(table):
    """The ruling is stored `by` the player who pressed it; the other player undoes it; other links do not offer it."""
    ana, bo = table.phone(rules=True), table.phone("player", "Bo", rules=True)
    asked = opened(ana, "Where are we? …")
    asked.locator("summary", has_text="We agree that it is").click()
    assert ana.axe() == []
    asked.get_by_role("button", name="night", exact=True).click()
    for phone in (ana, bo):
        phone.page.locator(".now").get_by_text("night", exact=True).wait_for()
    assert ("judge-ruled", "Ana") == (table.record()[4]["type"], table.record()[4]["by"])
    bo.page.get_by_role("button", name="Undo").click()
    ana.page.locator(".now").get_by_text("neither day nor night", exact=True).wait_for()
    other = opened(table.phone("player", "Bo"), "Where are we? …")
    assert 0 == other.locator("summary").count()


def test_in_flight(night):
    ana, judge = night.phone(), night.phone("judge", "Jo")
    ana.cut()
    ana.press("Spell cast")
    ana.page.get_by_text("1 command is not sent yet").wait_for()
    asked = opened(judge, "Put it right …")
    asked.get_by_label("turn 2, Bo: one spell more").click()
    asked.get_by_role("button", name="Store it").click()
    asked.wait_for(state="detached")
    ana.cut(off=False)
    ana.page.get_by_role("dialog").get_by_role("button", name="Record it now").click()
    # What was refused is taken out of the queue before it is put in anew: for a moment all is recorded.
    for _try in range(100):
        ana.recorded()
        if night.record()[-1]["type"] == "spell-cast":
            return
        ana.page.wait_for_timeout(100)
    raise AssertionError(night.record()[-1])
