"""Limits of the page: its memory and its requests, for long games and many windows.

| promise | test |
| --- | --- |
| at most 5,000 moments are cached and 1,500 elements in the document, however the slider moves | test_scrubbing |
| a cached moment needs no request except for its reasons; a jump elsewhere loads one page | test_scrubbing |
| twelve tabs of one game: hidden tabs close their stream, and catch up when shown | test_tabs |
"""

import pytest

from .conftest import ended, long, started, stored

MOMENTS, ELEMENTS = 5_000, 1_500

SCRUB = """([from, to, step]) => new Promise(done => {
    const slider = document.querySelector('input[type=range]');
    const most = { held: 0, elements: 0 };
    const look = () => {
        // The rows of the log are alike, and room is left for each moment that is held.
        const [row, list] = ['.log li', '.log ol'].map(one => document.querySelector(one));
        if (row) most.held = Math.max(most.held, Math.round(list.offsetHeight / row.offsetHeight));
        most.elements = Math.max(most.elements, document.querySelectorAll('*').length);
    };
    let event = from;
    const go = () => {
        look();
        if (step > 0 ? event > to : event < to) return done(most);
        slider.value = event;
        slider.dispatchEvent(new Event('input', { bubbles: true }));
        event += step;
        setTimeout(go, 16);
    };
    go();
})"""

RESTED = "() => ['', `#e=${document.querySelector('input[type=range]').value}`].includes(location.hash)"

SEEN = """Object.defineProperty(document, 'hidden', { get: () => window.seen !== true });
window.see = yes => { window.seen = yes; document.dispatchEvent(new Event('visibilitychange')); };"""
"""A script with which `see(true)` shows a tab and `see(false)` hides it; without a screen all would be visible."""


def scrubbed(window, first, last, step):
    """Drag the slider from one event to another; return the highest numbers of cached moments and elements."""
    most = window.page.evaluate(SCRUB, [first, last, step])
    # Once one rests, the address is written and then the moments beside are asked for, however slow the machine is.
    window.page.wait_for_function(RESTED)
    window.rest()
    return most


@pytest.mark.parametrize("events", [12_000, pytest.param(100_000, marks=pytest.mark.slow)])
def test_scrubbing(opens, tmp_path, events):
    """However the slider moves, at most `MOMENTS` moments are cached, and the document has at most `ELEMENTS` elements.

    Then a step by a key requests only reasons, and a jump to the end requests one page of moments.
    """
    site, process = started(str(long(tmp_path / "long.jsonl", events)), cwd=tmp_path)
    try:
        window = opens(of=site).go("/g/long#e=1")
        found = [scrubbed(window, 1, events, events // 100), scrubbed(window, events, 1, -events // 40)]
        # With pauses near the end of what is cached, page after page is added, until the first ones are removed. No
        # step leaves it, so what is cached does not depend on how fast the server answers.
        third = events // 3
        found += [scrubbed(window, third, third, 1), scrubbed(window, third, third + 200, 40)]
        found += [scrubbed(window, first, first + 500, 50) for first in range(third + 200, third + 6_200, 500)]
        assert all(1 <= one["held"] <= MOMENTS and one["elements"] <= ELEMENTS for one in found), found
        assert MOMENTS == max(one["held"] for one in found)
        before = len(window.asked)
        window.press(*["ArrowRight"] * 40, *["ArrowLeft"] * 20)
        assert {"/v1/games/long/why"} == {one.partition("?")[0] for one in window.asked[before:]}
        before = len(window.asked)
        window.press("End")
        assert 1 == len([one for one in window.asked[before:] if "/moments" in one])
        assert [] == window.complaints
    finally:
        ended(process)


def test_tabs(opens, tmp_path):
    """Hidden tabs close their stream, as a browser has six connections to a host; shown again, they catch up."""
    site, process = started("--db", str(stored(tmp_path, "demo")), cwd=tmp_path)
    try:
        context = opens(of=site).page.context
        context.add_init_script(SEEN)
        tabs = [context.new_page() for _tab in range(12)]
        for tab in tabs:
            tab.goto(f"{site.address}/g/wagic-G1")
            tab.wait_for_selector(".now")
            tab.evaluate("see(true)")
            tab.wait_for_selector("text=live")
            tab.evaluate("see(false)")
            assert 0 == tab.locator("text=live").count()
        tabs[0].evaluate("see(true)")
        tabs[0].wait_for_selector("text=live")
        site.sent("/v1/games/wagic-G1/commands", {"command": "one/1", "expected": 160, "words": ["Seat A casts Opt"]})
        tabs[0].wait_for_selector("[aria-current] :text-is('e161')")
        for tab in tabs[1:]:
            assert "e160" in tab.locator("[aria-current]").text_content()
            tab.evaluate("see(true)")
            tab.wait_for_selector("[aria-current] :text-is('e161')")
            tab.evaluate("see(false)")
    finally:
        ended(process)
