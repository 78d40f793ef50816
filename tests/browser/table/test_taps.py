"""The number of taps for a turn, and what one tap does.

| promise | test |
| --- | --- |
| a turn in which each casts one spell takes 3 taps at a table of two, and 5 at a table of four | test_turn |
| "Spell cast" casts for the active player, also after an unsent pass; others say "does not count" | test_active |
| after the cast of a daybound card one tap records its arrival; any other press removes that button | test_entered |
| two phones that pass the turn together pass it once, without a dialog | test_together |
| if two phones call a judge, one dispute is opened | test_judge |
"""

import pytest

PLAYERS = ("Ana", "Bo", "Cy", "Di")


@pytest.mark.parametrize("many, most", [(2, 3), (4, 5)])
def test_turn(table, many, most):
    table.game += f"-{many}"
    players = list(PLAYERS[:many])
    table.asked("/v1/games", {"command": "begin", "game": table.game, "players": players})
    table.asked(f"/v1/games/{table.game}/commands", {"command": "first", "expected": 1, "do": "pass-turn"})
    ana = table.phone()
    taps = ["Spell cast", *(f"{player} casts: does not count" for player in players[1:]), "Pass turn"]
    assert len(taps) == most
    for tap in taps:
        ana.press(tap)
    ana.page.get_by_text("turn 2 · Bo").wait_for()
    ana.recorded()
    stored = table.record()[4:]
    assert [one.get("player") for one in stored if one["type"] == "spell-cast"] == players
    assert [one["type"] for one in stored[-3:]] == ["turn-began", "step-began", "step-began"]


def test_active(table):
    bo = table.phone(name="Bo")
    assert bo.page.locator(".big.cast small").inner_text() == "Ana"
    assert "does not count" in bo.page.get_by_role("button", name="Bo casts").inner_text()
    bo.cut()
    bo.press("Pass turn")
    bo.page.get_by_text("1 command is not sent yet").wait_for()
    bo.page.locator(".big.cast small", has_text="Bo").wait_for()
    bo.press("Spell cast")
    bo.cut(off=False)
    bo.recorded()
    assert (table.record()[-1]["type"], table.record()[-1]["player"]) == ("spell-cast", "Bo")
    assert bo.axe() == []


@pytest.mark.parametrize("taken", [True, False])
def test_entered(table, taken):
    ana = table.phone()
    for card in ("Opt", "Tavern Ruffian"):
        ana.page.get_by_role("button", name="Spell cast").first.click(delay=800)
        ana.page.get_by_label("Card").fill(card)
        ana.page.get_by_role("dialog").get_by_role("button", name="Spell cast").click()
        ana.recorded()
        offered = ana.page.get_by_role("button", name=f"{card} entered")
        assert offered.count() == (card != "Opt")
    ana.press("Tavern Ruffian entered" if taken else "Spell cast")
    ana.page.get_by_role("button", name="Tavern Ruffian entered").wait_for(state="detached")
    ana.page.get_by_text("All is recorded.").wait_for()
    last = table.record()[-1]
    assert last["type"] == ("permanents-entered" if taken else "spell-cast")
    if taken:
        (there,) = last["permanents"]
        assert (there["card"], there["controller"], last["meta"]["by"]) == ("Tavern Ruffian", "Ana", "Ana")


def test_together(table):
    ana, bo = table.phone(), table.phone(name="Bo")
    for phone in (ana, bo):
        phone.cut()
        phone.press("Pass turn")
        phone.page.get_by_text("1 command is not sent yet").wait_for()
    for phone in (ana, bo):
        phone.cut(off=False)
    for phone in (ana, bo):
        phone.recorded()
        phone.page.get_by_text("turn 2 · Bo").wait_for()
    assert (ana.page.get_by_role("dialog").count(), bo.page.get_by_role("dialog").count()) == (0, 0)
    assert sum(phone.page.get_by_text("already passed").count() for phone in (ana, bo)) == 1
    assert sum(one["type"] == "turn-began" for one in table.record()) == 2


def test_judge(table):
    for phone in (table.phone(), table.phone(name="Bo")):
        phone.press("More …")
        phone.press("Call a judge")
        phone.page.get_by_role("dialog").wait_for(state="detached")
        phone.page.get_by_text("a judge is called").wait_for(state="attached")
    assert [one["type"] for one in table.record()[4:]] == ["dispute-opened"]
