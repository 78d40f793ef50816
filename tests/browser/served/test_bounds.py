"""How much the page holds and asks for, however long the game is and however many windows show it.

| promise | test |
| --- | --- |
| at most 5,000 moments are held and 1,500 elements are in the document, wherever one scrubs to | test_scrubbing |
| where one is loaded nothing is asked for but reasons; a jump elsewhere asks for one page | test_scrubbing |
| twelve tabs of one game: those that are not seen leave their stream, and have all when they are seen | test_tabs |
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

SEEN = """Object.defineProperty(document, 'hidden', { get: () => window.seen !== true });
window.see = yes => { window.seen = yes; document.dispatchEvent(new Event('visibilitychange')); };"""
"""Says which tab is seen: a browser without a screen shows them all."""


def scrubbed(window, first, last, step):
    """The slider is drawn from one event to another; what was held and in the document at the most."""
    most = window.page.evaluate(SCRUB, [first, last, step])
    window.rest()
    return most


@pytest.mark.parametrize("events", [12_000, pytest.param(100_000, marks=pytest.mark.slow)])
def test_scrubbing(opens, tmp_path, events):
    """Through all of it in large steps and back, and through a part of it in steps that load one page after another."""
    site, process = started(str(long(tmp_path / "long.jsonl", events)), cwd=tmp_path)
    try:
        window = opens(of=site).go("/g/long#e=1")
        found = [scrubbed(window, 1, events, events // 100), scrubbed(window, events, 1, -events // 40)]
        # With a rest here and there one page after the other joins what is held, until the first ones have to go.
        third = events // 3
        found += [scrubbed(window, third, third + 200, 40)]
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
    """A browser has six connections to a host: each tab in the background leaves its own to the others."""
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
