"""A what-if can be browsed like a game.

| promise | test |
| --- | --- |
| a proposed repair opens its what-if, with its own log, state and timeline | test_place |
| its address survives a reload; b goes to the same event of the record, and back returns from it | test_place |
| the keys work in it; inserted events are marked; the record has a row of the timeline | test_walked |
| the page lists impossible events, and says where the what-if ends | test_impossible |
| edits can be added and taken away; without any edit the page shows the record again | test_changes |
| after its preview, a proposed repair can be stored as one correction; the page then goes to the end | test_applied |
| a correction beyond the role is refused with a sentence; readers have no button for corrections | test_applied_by |
| if another event was stored after the preview, nothing is stored: the preview is made again | test_applied_late |
| axe-core finds no violations | test_place |
"""

import itertools

import pytest

from .conftest import ended, started, stored


@pytest.fixture(scope="module")
def own(tmp_path_factory):
    """A server of a store with the demo, which these tests do not change."""
    folder = tmp_path_factory.mktemp("tried")
    site, process = started("--db", str(stored(folder, "demo")), cwd=folder)
    yield site
    ended(process)


def tried(opens, own):
    """Return a window with the owner's key, in the what-if that makes the demo's wrong claim right."""
    window = opens(of=own).go(f"/g/wagic-G1#e=122&k={own.owner}")
    window.page.wait_for_selector(".answer.wrong")
    window.press("w").page.get_by_role("button", name="Try that").first.click()
    window.page.get_by_text("This is a what-if").wait_for()
    window.page.get_by_text("exact (0)").wait_for(timeout=20_000)
    return window.rest()


def settled(window):
    """Wait until the headline of the what-if says that all claims agree with the rules."""
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
    rows = [one.bounding_box() for one in window.page.locator(".rows > span").all()]
    rows.sort(key=lambda box: box["y"])
    assert all(one["y"] + one["height"] <= other["y"] for one, other in itertools.pairwise(rows))
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


APPLY = "Put the record right so"


@pytest.fixture
def fresh(tmp_path):
    """A server of the demo that a test may change."""
    site, process = started("--db", str(stored(tmp_path, "demo")), cwd=tmp_path)
    yield site
    ended(process)


def linked(site, role, **more):
    """Make a link to the demo for `role`, and return its key; `more` are its further fields, like `name`."""
    return site.sent("/v1/links", {"game": "wagic-G1", "role": role, **more})["key"]


def offered(opens, site, key):
    """Return a window with `key`, in the what-if that makes the demo's claim right, after its verdict has appeared."""
    window = opens(of=site).go(f"/g/wagic-G1#e=122&k={key}")
    window.page.wait_for_selector(".answer.wrong")
    window.press("w").page.get_by_role("button", name="Try that").first.click()
    window.page.get_by_text("exact (0)").wait_for(timeout=20_000)
    return window.rest()


def test_applied(opens, fresh):
    window = offered(opens, fresh, linked(fresh, "judge", name="Jo"))
    assert fresh.json("/v1/games/wagic-G1")["events"] == 160
    window.page.get_by_role("button", name=APPLY).click()
    window.page.get_by_text("It is stored as one correction.").wait_for(timeout=20_000)
    stored_now = fresh.json("/v1/games/wagic-G1")
    begun = fresh.json("/v1/games/wagic-G1/moments?from=161&limit=2")["moments"]
    assert [one["record"]["type"] for one in begun] == ["game-backed-up", "effect-resolved"]
    assert (begun[0]["record"]["to"], begun[0]["record"]["by"]) == (121, "Jo")
    assert stored_now["undoable"]["first"] == 161
    assert fresh.json("/v1/games/wagic-G1/audit")["verdict"] == "exact"
    assert 0 == window.page.get_by_text("This is a what-if").count()
    assert f"e{stored_now['events']}" == window.rest().text("[aria-current] .n")
    assert [] == window.axe()["violations"]
    assert [] == window.complaints


def test_applied_by(opens, fresh):
    window = offered(opens, fresh, linked(fresh, "player", name="Seat A"))
    window.page.get_by_role("button", name=APPLY).click()
    window.page.get_by_text("this link corrects the turn under way and the one before").wait_for(timeout=20_000)
    assert "a judge may more" in window.text(".refused")
    watching = offered(opens, fresh, linked(fresh, "spectator"))
    assert 0 == watching.page.get_by_role("button", name=APPLY).count()
    assert fresh.json("/v1/games/wagic-G1")["events"] == 160


def test_applied_late(opens, fresh):
    window = offered(opens, fresh, linked(fresh, "judge", name="Jo"))
    claim = {"type": "designation-claimed", "designation": "day", "by": "owner"}
    fresh.sent("/v1/games/wagic-G1/commands", {"command": "late", "expected": 160, "events": [claim]})
    window.page.get_by_role("button", name=APPLY).click()
    window.page.get_by_text("Something was recorded meanwhile").wait_for(timeout=20_000)
    assert fresh.json("/v1/games/wagic-G1")["events"] == 161
    window.page.get_by_role("button", name=APPLY).click()
    window.page.get_by_text("It is stored as one correction.").wait_for(timeout=20_000)
