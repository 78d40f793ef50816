"""Other questions that the page answers: permanents, triggers, editions, keys.

| promise | test |
| --- | --- |
| a permanent's name opens the reason of its face: since when, by which rule, because of which events | test_permanent |
| if it has left, the panel says so; Escape closes it | test_permanent |
| triggered abilities are in the state: first waiting, then with the event of the stack | test_triggers |
| comparing two editions of the rules shows the numbers that differ | test_editions |
| each key has a line in the help, which is a button with the same effect | test_help |
| buttons lead to the next and previous disagreement, if there are any, and wrap around | test_disagreements |
"""


def test_permanent(opens, site):
    """The panel of Brutal Cathar has the reason of its face at event 122; at event 1 it says that it is not there."""
    window = opens().go("/g/wagic-G1#e=122")
    window.page.get_by_role("button", name="Moonrage Brute").click()
    window.page.wait_for_selector(".of dl")
    row = site.json("/v1/games/wagic-G1/why?at=122&permanent=brutal-cathar-2")
    assert row["sentence"] in window.text(".of")
    assert all(source["says"] in window.text(".of") for source in row["sources"])
    facts = [f"CR {row['cr']}", f"e{row['since']}", *(f"e{event}" for event in row["because"])]
    assert facts == window.page.locator(".of dd").all_inner_texts()
    assert "Why" == window.page.evaluate("document.activeElement.textContent")
    window.press("Home")
    assert "It is not on the battlefield at this moment." in window.text(".of")
    window.press("Escape")
    assert 0 == window.page.locator(".of").count()


def test_triggers(opens):
    """Brimstone Vandal triggers in the untap step, event 26, and waits; in the upkeep, event 27, it is on the stack."""
    window = opens().go("/g/first%20night#e=25")
    assert 0 == window.page.locator(".triggers").count()
    window.press("ArrowRight")
    assert "waits to be put on the stack" in window.text(".triggers")
    window.press("ArrowRight")
    assert "e26 day → night · on the stack e27" in window.text(".triggers")
    window.press("Shift+ArrowRight")
    assert 0 == window.page.locator(".triggers").count()
    assert "perhaps" in opens().go("/g/uncertain#e=12").text(".triggers")


def test_editions(opens):
    """Two numbers differ from those of the newest edition, as 728 became 731; from the record's own edition, none."""
    window = opens().go("/g/wagic-G1#e=122").press("a", "c")
    window.page.get_by_role("button", name="Compare", exact=True).last.click()
    window.page.wait_for_selector("text=2 places differ")
    assert "e106 CR 728.2a → CR 731.2a" in window.text(".why")
    window.page.get_by_label("with another").select_option("2024-06-07")
    window.page.get_by_role("button", name="Compare", exact=True).last.click()
    window.page.wait_for_selector("text=the same numbers")


CAPS = [
    "→", "←", "Shift→", "Shift←", "PgDn", "PgUp", "Home", "End", "n", "p", "x", "Shiftx", "↓", "↑", "b", "g", "/",
    "w", "d", "a", "c", "m", "y", "Space", "i", "Esc", "?",
]  # fmt: skip


def test_help(opens):
    """The help lists all keys; its line for x leads to the disagreement, and that for c opens and focuses a panel."""
    window = opens().go("/g/wagic-G1#e=108").press("?")
    assert CAPS == [cap.replace(" ", "") for cap in window.page.locator("dialog kbd").all_text_contents()]
    window.page.get_by_role("button", name="x next disagreement", exact=True).click()
    assert "#e=122" == window.rest().place
    window.press("?")
    window.page.get_by_role("button", name="c compare A with here").click()
    window.rest()
    assert "Compare two moments" == window.page.evaluate("document.activeElement.textContent")


def test_disagreements(opens):
    """After the demo's only disagreement the button wraps to it, and is off there; a game without any has no button."""
    window = opens().go("/g/wagic-G1#e=130")
    window.page.get_by_role("button", name="next disagreement").click()
    assert "#e=122" == window.rest().place
    assert window.page.get_by_role("button", name="previous disagreement").is_disabled()
    assert window.page.get_by_role("button", name="next disagreement").is_disabled()
    window = opens().go("/g/first%20night#e=5")
    assert 0 == window.page.get_by_role("button", name="next disagreement").count()
