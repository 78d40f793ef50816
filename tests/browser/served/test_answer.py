"""A game's page begins with the result of the audit, and explains each claim by what it is about.

| promise | test |
| --- | --- |
| the headline says what was found in every example game, and links to its moment | test_headline, test_leads |
| without a finding the headline says when it was day and night, and what is uncertain | test_headline, test_uncertain |
| however long the headline is, the current row of the log is in sight below it | test_headline |
| for a claim, why explains the face or the tally, with the audit's rule and events | test_face, test_tally |
| two keys or two taps lead to the finding, its rule and a repair | test_keys, test_taps |
| if no single edit makes a claim right, the page says so, or shows the server's hint | test_no_mend |
| a server of one game opens that game, not a list | test_one |
| a key for the next error works before the errors have come | test_early |
| if the server is too busy, the page retries: headline, timeline and reasons come | test_busy |
"""

import json
import re

import pytest

from .conftest import Window, ended, started

RIGHT = "✓ All that was claimed agrees with the rules. "
HEADLINES = {
    "wagic-G1": "✗ 1 claim contradicts the rules: the face of Brutal Cathar, event 122, turn 21",
    "wagic-G2": RIGHT + "It is never day or night in this record.",
    "wagic-G3": RIGHT + "day from turn 13 (e92) night from turn 15 (e101)",
    "first night": RIGHT + "day from turn 3 (e13) night from turn 6 (e26) day from turn 7 (e35)",
    "uncertain": "✗ 1 claim contradicts the rules: the spells of Bo, event 22, turn 4"
    " Not certain: the claim “night”, event 14, turn 3 what would settle it",
    "clone": RIGHT + "day from turn 1 (e5) night from turn 3 (e11)",
    "dispute": "✗ 4 claims and rulings contradict the rules: the claim “day”, event 14, turn 3"
    " the face of Hound Tamer, event 15, turn 3 the spells of Bo, event 16, turn 3"
    " 1 more",
    "head judge": "✓ All that was claimed and not undone agrees with the rules."
    " day from turn 1 (e4) night from turn 3 (e9)",
    "immerwolf": RIGHT + "day from turn 1 (e5) night from turn 3 (e10) day from turn 4 (e16)",
    "ruling and back-up": "✓ All that was claimed and not undone agrees with the rules."
    " day from turn 1 (e5) night from turn 3 (e10)",
    "simultaneous arrival": RIGHT + "day from turn 1 (e5) night from turn 2 (e11)",
    "two-headed giant": RIGHT + "day from turn 1 (e6) night from turn 4 (e15) day from turn 6 (e27)",
}


def answered(window):
    """Wait until the headline with the result has appeared in `window`, and return `window`."""
    window.page.wait_for_selector(".answer .says:not(.soft)")
    return window.rest()


@pytest.fixture(scope="module")
def window(browser, site):
    """One window for tests that change nothing."""
    context = browser.new_context(viewport={"width": 1280, "height": 800}, locale="en")
    context.set_default_timeout(10_000)
    yield Window(context.new_page(), site)
    context.close()


IN_SIGHT = """() => {
    const box = one => document.querySelector(one).getBoundingClientRect();
    const [row, list] = [box('.log [aria-current]'), box('.log .scroller')];
    return row.top >= list.top - 1 && row.bottom <= list.bottom + 1;
}"""


@pytest.mark.parametrize("game", HEADLINES)
def test_headline(window, game):
    """The headline of each example game is as expected, and the current row of the log is in sight."""
    answered(window.go(f"/g/{game.replace(' ', '%20')}"))
    window.page.wait_for_function(
        "says => document.querySelector('.answer').innerText.replace(/\\s+/g, ' ').trim() === says", arg=HEADLINES[game]
    )
    window.page.wait_for_function(IN_SIGHT)


def test_leads(opens):
    """The button of a finding goes to its event and moves the focus to the reasons; that of a change does the first."""
    window = answered(opens().go("/g/dispute"))
    for what, event in (("the claim “day”", 14), ("the spells of Bo", 16)):
        name, place = f"{what}, event {event}, turn 3", f"#e={event}"
        window.page.get_by_role("button", name=name).click()
        assert place == window.rest().place
        assert "Why" == window.page.evaluate("document.activeElement.textContent")
    window = answered(opens().go("/g/immerwolf"))
    window.page.get_by_role("button", name="night from turn 3 (e10)").click()
    assert "#e=10" == window.rest().place


OPEN = [
    {"type": "game-started", "format": 1, "game": "open", "players": ["Ana", "Bo"]},
    {"type": "game-joined", "possible": ["day", "night"]},
    {"type": "turn-began", "turn": 5, "active": ["Bo"]},
]


def test_uncertain(opens, tmp_path):
    """For a record that begins midway, without claims, the headline says that nobody claimed, and what is unknown."""
    path = tmp_path / "open.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in OPEN), encoding="utf-8")
    site, process = started(str(path), cwd=tmp_path)
    try:
        window = answered(opens(of=site).go("/g/open"))
        unknown = site.json("/v1/games/open/unknowns")["unknown"]
        window.page.wait_for_selector(".doubt span")
        says = window.text(".answer")
        assert says.startswith("– Nobody claimed anything that could be held against the rules.")
        assert all(one["sentence"] in says for one in unknown if one["matters"])
        window.page.get_by_role("button", name="what would settle it").first.click()
        window.page.get_by_role("heading", name="What would settle it").wait_for()
    finally:
        ended(process)


def test_face(opens, site):
    """The reason is 702.145b, by which the card shows its back face, and not 728.2a; what would change it is shown."""
    window = opens().go("/g/wagic-G1#e=122")
    (finding,) = site.json("/v1/games/wagic-G1/audit")["findings"]
    window.page.locator(".why .says").get_by_text(finding["sentence"]).wait_for()
    facts = window.page.locator(".claim dd").all_inner_texts()
    assert ["CR 702.145b", "e121"] == facts
    window.page.get_by_text(site.json("/v1/games/wagic-G1/why?at=122&permanent=brutal-cathar-2")["almost"]).wait_for()
    assert not window.page.locator(".lead").is_visible()
    window.page.get_by_text("Why: night").click()
    assert window.page.locator(".lead").is_visible()


def test_tally(opens):
    """The reason compares the claimed 2 spells of Bo with the 0 to 1 of the record, and names events 6 and 9."""
    window = answered(opens().go("/g/uncertain#e=22"))
    assert "Ana says that Bo cast 2 spells in turn 2; the record has 0 to 1." in window.text(".why .says")
    assert ["e6, e9"] == window.page.locator(".claim dd").all_inner_texts()


def mended(window):
    """Assert that finding, rule and repair are visible; return the repair's element."""
    mend = window.page.get_by_text("Had an effect made it day in turn 21, after event 121, every claim would be right.")
    mend.wait_for()
    for one in (window.page.locator(".claim.differs"), window.page.get_by_text("CR 702.145b").first, mend):
        assert one.is_visible()
    return mend


def test_keys(opens):
    """The keys x and w show the finding, its rule and a repair, and move the focus to the heading of the repairs."""
    window = answered(opens().go("/g/wagic-G1"))
    window.press("x", "w")
    mended(window)
    assert "What would make it right" == window.page.evaluate("document.activeElement.textContent")


def test_taps(opens):
    """At 390 pixels a tap on the finding shows event and verdict, and one on the question below shows a repair."""
    window = answered(opens(width=390, height=780, has_touch=True).go("/g/wagic-G1"))
    window.page.get_by_role("button", name="the face of Brutal Cathar").tap()
    window.rest()
    dock = window.page.locator(".dock").bounding_box()["y"]
    for part in (".event", ".claim.differs > p"):
        box = window.page.locator(part).first.bounding_box()
        assert 0 <= box["y"] <= dock - box["height"]
    window.page.get_by_role("button", name="What would make it right?").tap()
    mended(window)


def test_no_mend(opens, site):
    """For a claim without a repair, the page shows the server's hint, or says that no single edit makes it right."""
    answer = site.json("/v1/games/uncertain/repair?at=22")
    window = answered(opens().go("/g/uncertain#e=22")).press("w")
    if answer["hints"]:
        window.page.get_by_text(answer["hints"][0]["sentence"]).wait_for()
    else:
        window.page.get_by_text("No single edit of the record makes this claim right.").wait_for()


def test_busy(opens):
    """The server refuses each first request as too busy; the page retries, and shows headline, timeline and what-if."""
    window = opens()
    refused = set()

    def once(route):
        path = route.request.url.partition("?")[0]
        if path in refused:
            route.fallback()
            return
        refused.add(path)
        problem = {"type": "urn:daynight:busy", "detail": "others are computing; ask again", "exit": None}
        route.fulfill(status=503, json=problem, headers={"Retry-After": "1"})

    window.page.route(re.compile(r"/(marks|audit|why|what-if/\w+)\?"), once)
    window.go("/g/wagic-G1#e=122")
    window.page.get_by_role("heading", name="1 claim contradicts the rules:").wait_for()
    window.page.locator(".timeline .turn").first.wait_for(state="attached")
    window.press("w").page.get_by_role("button", name="Try that").first.click()
    window.page.get_by_role("heading", name="All that was claimed agrees with the rules.").wait_for()
    assert {"marks", "audit", "why", "moments", "state"} <= {path.rpartition("/")[2] for path in refused}


def test_early(opens):
    """The key x, pressed before the marks have come, waits for them and goes to event 122, without any message."""
    window = opens()

    def late(route):
        window.page.wait_for_timeout(1_500)
        route.fallback()

    window.page.route(re.compile(r"/marks\?|/marks$"), late)
    window.page.goto(window.site.address + "/g/wagic-G1")
    window.page.locator(".now").wait_for()
    window.page.keyboard.press("x")
    window.page.wait_for_function("() => location.hash === '#e=122'")
    assert "" == window.text(".toast")


def test_one(opens, tmp_path):
    """The server of one game redirects to that game's address; a server of several opens the list."""
    site, process = started("demo", cwd=tmp_path)
    try:
        window = answered(opens(of=site).go(f"/#k={site.owner}", ready=".now"))
        assert "/g/wagic-G1" == window.page.evaluate("location.pathname")
        assert window.text(".answer").startswith(HEADLINES["wagic-G1"])
    finally:
        ended(process)
    assert "/" == opens().go("/", ready=".games li").rest().page.evaluate("location.pathname")
