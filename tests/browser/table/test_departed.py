"""A player who has left the game.

| promise | test |
| --- | --- |
| the table offers no cast, turn or departure of a player who left | test_not_offered, test_seen_live |
| a phone without a network passes over this player: the next player casts the later spell | test_offline |
| a back-up to before the departure offers the player again | test_back |
"""

import pytest


@pytest.fixture
def three(table):
    """A game of Ana, Bo and Cy in Ana's first turn, which Bo has left."""
    table.game += "-three"
    table.asked("/v1/games", {"command": "b", "game": table.game, "players": ["Ana", "Bo", "Cy"]})
    asked(table, command="f", expected=1, do="pass-turn")
    last = len(table.record())
    asked(table, command="l", expected=last, events=[{"type": "player-left", "player": "Bo"}])
    return table


def asked(table, **body):
    table.asked(f"/v1/games/{table.game}/commands", body)


def offered(phone):
    return phone.page.locator(".hand").inner_text()


def test_not_offered(three):
    ana = three.phone()
    assert "Bo" not in offered(ana)
    assert "→ Cy" in offered(ana)
    ana.press("More …")
    sheet = ana.page.get_by_role("dialog")
    for summary in sheet.locator("summary").all():
        summary.click()
    assert sheet.get_by_text("Bo", exact=True).count() == 0
    assert sheet.get_by_role("button", name="Extra turn: Bo").count() == 0
    assert sheet.get_by_role("button", name="Extra turn: Cy").count() == 1
    assert set(sheet.locator("option").all_inner_texts()).isdisjoint({"Bo"})
    sheet.get_by_role("button", name="Where are we? …").click()
    assert "Bo" not in ana.page.get_by_role("dialog").inner_text()


def test_seen_live(table):
    """A phone that was open when Bo left offers Bo no more, and passes the turn to Cy."""
    table.game += "-four"
    table.asked("/v1/games", {"command": "b", "game": table.game, "players": ["Ana", "Bo", "Cy"]})
    asked(table, command="f", expected=1, do="pass-turn")
    ana, bo = table.phone(), table.phone(name="Bo")
    assert "Bo" in offered(ana)
    bo.press("More …")
    bo.page.get_by_text("A player leaves the game").click()
    bo.page.get_by_role("dialog").get_by_role("button", name="Bo", exact=True).click()
    ana.page.locator(".hand").get_by_text("→ Cy").wait_for()
    assert "Bo" not in offered(ana)


def test_offline(three):
    ana = three.phone()
    ana.cut()
    ana.press("Pass turn")
    ana.page.get_by_text("1 command is not sent yet").wait_for()
    ana.page.locator(".big.cast").get_by_text("Cy").wait_for()
    ana.press("Spell cast")
    ana.page.get_by_text("2 commands are not sent yet").wait_for()
    ana.cut(off=False)
    ana.recorded()
    assert [(one["type"], one.get("player")) for one in three.record()[-1:]] == [("spell-cast", "Cy")]


def test_back(three):
    ana = three.phone()
    last = len(three.record())
    asked(three, command="u", expected=last, events=[{"type": "game-backed-up", "to": last - 1, "by": "owner"}])
    ana.page.locator(".hand").get_by_text("→ Bo").wait_for()
