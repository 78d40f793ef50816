"""The controls of a game's page that only some roles have.

A control of a role that is not in the tables below fails, and so does one that a role must not have.

| promise | test |
| --- | --- |
| beside the controls of a reader, each role has exactly those of the table, in each tab and in a what-if | test_there |
| a player calls a judge, says something in the dispute and adds a note, under the name of the link | test_player |
| a judge rules, carries the ruling out, closes the dispute, and puts the record right | test_judge |
| what somebody is writing about a dispute stays while the game goes on | test_player |
| a refusal is a sentence without the place in what the page sent; the focus stays at the button | test_judge |
| where a call or a closing takes its form away, the focus goes to the dispute | test_judge |
"""

import json
import re
from urllib.request import Request, urlopen

import pytest

from tests.browser.served.conftest import ended, started, stored
from tests.browser.served.test_controls import COMMON, MENU, WHAT_IF, WHY, WIDE, Hand

TRIED = {
    "Back to the record", "Brutal Cathar", "go to e114", "go to e118", "go to e126", "go to e130", "take away",
    "the claim “night”, event 121, turn 21", "in place of e122 of the record", "leave out e122 of the record",
    "put in after e122 of the record",
}  # fmt: skip
SAYING = {"Call a judge about e122", "In words", "Note what was said", "it is"}
DISPUTE = {"go to e122", "go to e161", "What backing up to e121 would take back"}

MORE = {
    "spectator": {"Disputes": DISPUTE, "tried": TRIED},
    "player": {
        "Disputes": DISPUTE | SAYING, "Notes": {"A note on e122", "Add the note"},
        "tried": TRIED | {"Put the record right so"},
    },
    "judge": {
        "Disputes": DISPUTE | SAYING | {"What is done"}, "Notes": {"A note on e122", "Add the note"},
        "tried": TRIED | {"Put the record right so"},
    },
    "owner": {
        "every": {"Links"}, "Disputes": DISPUTE | SAYING | {"What is done", "Who", "Who (2)"},
        "Notes": {"A note on e122", "Add the note"},
        "tried": TRIED | {"Put the record right so", "Keep", "Keep it as a branch called"},
    },
}  # fmt: skip
"""By role, the controls beside those of `test_controls`: by tab, in `every` tab, and in a what-if (`tried`)."""


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """A server of the demo with an open dispute about event 122."""
    folder = tmp_path_factory.mktemp("roles")
    site, process = started("--db", str(stored(folder, "demo")), cwd=folder)
    sent(site, site.owner, "disputes", {"command": "d1", "about": 122, "by": "Seat A"})
    yield site
    ended(process)


def sent(site, key, path, body):
    """Return the JSON answer to a POST with `key`; `path` is below the address of the game."""
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    asked = Request(f"{site.address}/v1/games/wagic-G1/{path}", json.dumps(body).encode(), headers)
    with urlopen(asked) as answer:
        return json.load(answer)


def key_of(site, role):
    """Return the key of a new link for `role`, or the owner's own key."""
    names = {"player": {"name": "Seat A"}, "judge": {"name": "Jo"}}
    if role == "owner":
        return site.owner
    return site.sent("/v1/links", {"game": "wagic-G1", "role": role} | names.get(role, {}))["key"]


@pytest.mark.parametrize("role", MORE)
def test_there(opens, table, role):
    hand, more = Hand(opens, of=table), MORE[role]
    key = f"&k={key_of(table, role)}"
    beside = set(COMMON | MENU | WIDE) | more.get("every", set())
    for tab, own in (("Why", set(WHY)), ("What if", set(WHAT_IF)), ("Disputes", set()), ("Notes", set())):
        hand.open((), key).page.get_by_role("button", name=tab, exact=True).last.click()
        hand.window.rest()
        assert set(hand.controls()) - beside == own | more.get(tab, set()), tab
    hand.open((), key).page.get_by_role("button", name="Try that").first.click()
    hand.page.get_by_text("This is a what-if").wait_for()
    hand.page.get_by_role("button", name="take away").wait_for()
    hand.page.get_by_text("audit:").first.wait_for()
    hand.window.rest()
    found = set(hand.controls()) - beside - set(WHAT_IF)
    assert found == more["tried"]
    assert hand.window.complaints == []


@pytest.fixture
def own(tmp_path):
    """A server of the demo for one test."""
    site, process = started("--db", str(stored(tmp_path, "demo")), cwd=tmp_path)
    yield site
    ended(process)


def test_player(opens, own):
    window = opens(of=own).go(f"/g/wagic-G1#e=122&k={key_of(own, 'player')}").press("d")
    page = window.page
    page.get_by_role("button", name="Call a judge about e122").click()
    page.get_by_text("d1 ·").first.wait_for()
    page.get_by_label(re.compile("^it is")).select_option("day")
    page.get_by_label("In words").fill("I am sure")
    sent(own, own.owner, "disputes/d1/claims", {"command": "c1", "says": "I am not", "by": "Seat B"})
    page.locator("article").get_by_text("I am not").wait_for()
    assert "I am sure" == page.get_by_label("In words").input_value()
    page.get_by_role("button", name="Note what was said").click()
    page.locator("article").get_by_text("the rules say otherwise").wait_for()
    page.get_by_text("What backing up to e121 would take back").click()
    page.get_by_text("events would be undone").first.wait_for()
    window.press("m")
    page.get_by_label("A note on e122").fill("we should have looked")
    page.get_by_role("button", name="Add the note").click()
    page.locator(".notes li").get_by_text("we should have looked").wait_for()
    (found,) = own.json("/v1/games/wagic-G1/disputes")["disputes"]
    assert ("Seat A", 122, "Seat A") == (found["by"], found["about"], found["claims"][-1]["by"])
    assert window.complaints == []


def test_judge(opens, own):
    key = key_of(own, "judge")
    window = opens(of=own).go(f"/g/wagic-G1#e=122&k={key}").press("d")
    page = window.page
    page.get_by_role("button", name="Call a judge about e122").click()
    page.get_by_text("It is recorded.").wait_for(state="attached")
    assert "dispute-d1" == page.evaluate("document.activeElement.id")
    page.get_by_label("What is done").select_option("rulings")
    page.get_by_label("Outcome").select_option("back-up")
    page.get_by_label("to event").fill("999")
    page.get_by_role("button", name="Note the ruling").click()
    assert "Event 999 is not an earlier one." == page.locator(".why .refused").inner_text()
    assert "Note the ruling" == page.evaluate("document.activeElement.innerText")
    window.complaints.clear()
    page.get_by_label("Outcome").select_option("fix")
    page.get_by_label(re.compile("^it is")).select_option("night")
    page.get_by_label("carry it out now").check()
    page.get_by_role("button", name="Note the ruling").click()
    page.locator("article").get_by_text("carried out").wait_for()
    page.get_by_role("button", name="Close the dispute").click()
    page.locator("article").get_by_text("closed by").wait_for()
    assert "dispute-d1" == page.evaluate("document.activeElement.id")
    (found,) = own.json("/v1/games/wagic-G1/disputes")["disputes"]
    assert ("closed", "Jo") == (found["status"], found["rulings"][0]["by"])
    assert found["rulings"][0]["carried_out"]
    assert own.json("/v1/games/wagic-G1/state")["designation"] == "night"
    before = own.json("/v1/games/wagic-G1")["events"]
    window.go(f"/g/wagic-G1#e=122&k={key}")
    page.get_by_role("button", name="Try that").first.click()
    page.get_by_role("button", name="Put the record right so").click()
    page.get_by_text("This is a what-if").wait_for(state="detached")
    page.get_by_text("It is stored as one correction.").wait_for()
    assert "tool-title" == page.evaluate("document.activeElement.id")
    assert own.json("/v1/games/wagic-G1")["events"] > before
    assert window.complaints == []
