"""The sign of the table: the whole page has the colour of the designation, and is grey without a network.

| promise | test |
| --- | --- |
| day, night and neither have different page backgrounds; turn, player and forecast are shown | test_fills |
| with four long names on small phones, sign, forecast and both buttons are inside the window | test_small |
| without a network the sign is grey, shows the turn of its state, and counts the unsent presses | test_old |
| without a network a page that only watches does not say that presses are kept | test_watching |
"""

import pytest

NAMES = [
    "Maximiliana Konstantinopolitana", "Bartholomew Featherstonehaugh", "Aleksandr Solzhenitsynovich",
    "Wilhelmina von Hohenzollern",
]  # fmt: skip
SEEN = """names => names.every(name => {
  const box = document.querySelector(name).getBoundingClientRect();
  const inside = box.width > 0 && box.top >= 0 && box.left >= 0 && box.right <= innerWidth && box.bottom <= innerHeight;
  const at = y => document.elementFromPoint((box.left + box.right) / 2, y)?.matches(name);
  return inside && at(box.top + 2) && at(box.bottom - 2);
})"""
"""JavaScript: whether the element of each selector is inside the window, with its top and its bottom uncovered."""


def said(table, *words):
    """Record the lines `words` in the notation, with the owner's key."""
    command = {"command": " ".join(words), "seen": len(table.record()), "words": list(words)}
    table.asked(f"/v1/games/{table.game}/commands", command)


def colour(phone):
    """Return the page's background colour; fail unless its four corners and its left edge have the same."""
    at = "[[2, 2], [innerWidth - 3, 2], [2, innerHeight - 3], [innerWidth - 3, innerHeight - 3], [2, innerHeight / 2]]"
    found = phone.page.evaluate(
        f"{at}.map(([x, y]) => {{ let one = document.elementFromPoint(x, y);"
        "while (getComputedStyle(one).backgroundColor === 'rgba(0, 0, 0, 0)') one = one.parentElement;"
        "return getComputedStyle(one).backgroundColor; })"
    )
    assert len(set(found)) == 1, found
    return found[0]


def test_fills(table):
    ana = table.phone()
    ana.recorded()
    ana.page.get_by_text("it stays neither day nor night, whatever is cast").wait_for()
    colours = [colour(ana)]
    said(table, "it becomes day")
    ana.page.get_by_text("1 more spell by Ana keeps it day").wait_for()
    colours.append(colour(ana))
    said(table, "Ana casts Opt")
    ana.page.get_by_text("2 more spells by Ana", exact=False).wait_for(state="detached")
    ana.page.get_by_text("it stays day, whatever is cast").wait_for()
    said(table, "it becomes night")
    ana.page.get_by_text("1 more spell by Ana makes it day").wait_for()
    colours.append(colour(ana))
    assert len(set(colours)) == 3
    assert ana.page.locator(".place").inner_text() == "turn 1 · Ana"
    assert ana.page.locator(".now").evaluate("one => parseFloat(getComputedStyle(one).fontSize)") > 80
    assert ana.axe() == []


@pytest.mark.parametrize("width, height", [(320, 480), (390, 780), (667, 320)])
def test_small(table, width, height):
    table.game += "-4"
    table.asked("/v1/games", {"command": "begin", "game": table.game, "players": NAMES})
    table.asked(f"/v1/games/{table.game}/commands", {"command": "first", "expected": 1, "do": "pass-turn"})
    said(table, "it becomes day")
    ana = table.phone(name=NAMES[0], viewport={"width": width, "height": height})
    ana.page.get_by_text("keeps it day").wait_for()
    parts = [".now", ".place", ".short", ".big.cast", ".big.pass"]
    assert ana.page.evaluate(SEEN, parts)
    assert ana.axe() == []
    ana.cut()
    ana.press("Spell cast")
    ana.page.get_by_text("not confirmed").wait_for()
    assert ana.page.evaluate(SEEN, parts)
    assert ana.page.evaluate("document.documentElement.scrollWidth") <= width


def test_old(table):
    said(table, "it becomes day")
    ana = table.phone()
    ana.recorded()
    shown = colour(ana)
    ana.cut()
    for button in ("Spell cast", "Pass turn", "Spell cast"):
        ana.press(button)
        ana.page.wait_for_timeout(400)
    sign = ana.page.get_by_role("region", name="State")
    sign.get_by_text("as of turn 1 · Ana").wait_for()
    sign.get_by_text("not confirmed: 2 spells and 1 turn passed").wait_for()
    sign.get_by_text("then: 1 more spell by Ana keeps it day").wait_for()
    assert colour(ana) != shown
    assert ana.axe() == []
    ana.cut(off=False)
    ana.recorded()
    sign.get_by_text("turn 2 · Bo").wait_for()
    assert "confirmed" not in sign.inner_text()
    assert colour(ana) == shown


def test_watching(table):
    """Who only watches presses nothing, so nothing of theirs is kept: the game may have gone on."""
    watcher = table.phone("spectator", None)
    watcher.recorded()
    watcher.cut()
    watcher.page.get_by_text("No connection: the game may have gone on.").wait_for()
    assert "is kept here" not in watcher.page.inner_text("body")
    watcher.cut(off=False)
    watcher.recorded()
