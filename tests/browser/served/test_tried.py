"""A what-if can be browsed like a game.

| promise | test |
| --- | --- |
| a proposed repair opens its what-if, with its own log, state and timeline | test_place |
| its address survives a reload; back leaves it, and b goes to the same event of the record | test_place |
| the keys work in it; inserted events are marked, and the timeline also shows the record | test_walked |
| impossible events are listed, and where the what-if ends | test_impossible |
| edits can be added and removed; without any left it is the record | test_changes |
| axe-core finds no violations | test_place |
"""

import pytest

from .conftest import ended, started, stored


@pytest.fixture(scope="module")
def own(tmp_path_factory):
    """A server of the demo and of a game with a clone."""
    folder = tmp_path_factory.mktemp("tried")
    site, process = started("--db", str(stored(folder, "demo")), cwd=folder)
    yield site
    ended(process)


def tried(opens, own):
    """A window in the what-if that makes the demo's claim right."""
    window = opens(of=own).go(f"/g/wagic-G1#e=122&k={own.owner}")
    window.page.wait_for_selector(".answer.wrong")
    window.press("w").page.get_by_role("button", name="Try that").first.click()
    window.page.get_by_text("This is a what-if").wait_for()
    window.page.get_by_text("exact (0)").wait_for(timeout=20_000)
    return window.rest()


def settled(window):
    """The page's text about the claims of the what-if."""
    window.page.get_by_role("heading", name="All that was claimed agrees with the rules.").wait_for(timeout=20_000)


def test_place(opens, own):
    window = tried(opens, own)
    assert window.place.startswith("#e=123&try=")
    settled(window)
    assert "audit: disputed (1) → exact (0)" in window.text(".why")
    assert "put in after e121: an effect makes it day" in window.text(".edits")
    assert "✓" in window.text("[aria-current]")
    assert "day" == window.text(".now")
    assert [] == window.axe()["violations"]
    place = window.place
    window.page.reload()
    window.page.get_by_text("This is a what-if").wait_for()
    settled(window)
    assert place == window.rest().place
    assert "e123" == window.text("[aria-current] .n")
    window.press("b")
    window.page.wait_for_selector(".answer.wrong")
    assert "#e=122" == window.rest().place
    window.page.go_back()
    window.page.get_by_text("This is a what-if").wait_for()
    assert place == window.rest().place
    assert [] == own.json("/v1/games/wagic-G1")["branches"]
    assert [] == window.complaints


def test_walked(opens, own):
    window = tried(opens, own)
    window.press("ArrowLeft")
    assert window.place.startswith("#e=122&try=")
    assert "an effect makes it day" == window.text("[aria-current] .says")
    assert "put in" in window.text("[aria-current]")
    edits = [{"at": 121, "insert": [{"type": "effect-resolved", "becomes": "day"}]}]
    answer = own.sent("/v1/games/wagic-G1/what-if/why", {"edits": edits, "at": 122})
    window.press("i").page.locator(".lead p").get_by_text(answer["short"], exact=True).wait_for()
    window.page.locator(".lead + p").get_by_text(answer["sentence"], exact=True).wait_for()
    beneath = window.page.locator(".run.beneath").evaluate_all("all => all.map(one => one.classList[2] ?? '')")
    assert len(beneath) > 2
    window.press("n")
    assert window.place.startswith("#e=133&try=")


def test_impossible(opens, own):
    window = opens(of=own).go("/g/wagic-G1#e=121").press("w")
    window.page.get_by_label("leave out e121").check()
    window.page.get_by_role("button", name="Try", exact=True).click()
    window.page.get_by_text("This is a what-if").wait_for()
    edits = {"edits": [{"at": 121, "drop": True}]}
    found = own.sent("/v1/games/wagic-G1/what-if/marks", edits)
    assert found["impossible"]
    said = window.rest().text(".why .warned")
    assert f"{len(found['impossible'])} event" in said
    assert all(one["reason"] in said for one in found["impossible"][:50])
    assert f"the what-if ends before e{found['stopped']['event']} of the record." in said


def test_changes(opens, own):
    window = tried(opens, own)
    window.page.fill(".why textarea", "Seat A casts Opt")
    window.page.get_by_role("button", name="Try", exact=True).click()
    window.page.wait_for_selector(".edits li >> nth=1")
    assert "put in after e122: Seat A casts Opt" in window.rest().text(".edits")
    for _change in range(2):
        window.page.get_by_role("button", name="take away").first.click()
        window.rest()
    window.page.wait_for_selector(".answer.wrong")
    assert 0 == window.page.get_by_text("This is a what-if").count()
