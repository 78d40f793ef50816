"""What a reader saw on the pages and could not read: each is compared with the window, the language or the moment.

| promise | test |
| --- | --- |
| every list of choices is inside the window, however long its longest choice | test_choices |
| in the list of games no name takes two lines, no word is broken and nothing is cut off, however narrow | test_list |
| counts are written as the language writes numbers | test_counts |
| the turns above the timeline do not overlap, and signs at its end are whole | test_timeline |
| a what-if opens at the asked moment: its end is not shown on the way | test_first_moment |
| inside a what-if, the form says that its events are those of the record | test_of_the_record |
| "last change" is never another state than the one shown | test_last_change |
| French puts a space before a colon and a semicolon, also in disputes | test_colons |
| a note of the record is called one | test_note |
| nobody is in turn 0 | test_before_the_first_turn |
| the answer of the audit has no empty list, whose gap would shift the line below | test_answer |
"""

import re
from itertools import pairwise

import pytest

from .conftest import ended, long, started, stored
from .test_tried import own, settled, tried  # noqa: F401

OUTSIDE = """() => [...document.querySelectorAll(':is(.why, .log) :is(select, input, textarea, button)')]
    .filter(one => one.checkVisibility() && !one.closest('.hidden'))
    .filter(one => {
        const [box, room] = [one, one.closest('.why, .log')].map(each => each.getBoundingClientRect());
        return box.right > room.right + 1 || box.left < room.left - 1;
    }).map(one => one.outerHTML)"""


@pytest.fixture(scope="module")
def far(tmp_path_factory):
    """A server of the demo, and of a game with more than 2,000 turns."""
    folder = tmp_path_factory.mktemp("far")
    site, process = started("--db", str(stored(folder, "demo", long(folder / "long.jsonl", 6_000))), cwd=folder)
    yield site
    ended(process)


@pytest.mark.parametrize("width, language", [(1440, "fr"), (390, "en"), (320, "fr")])
def test_choices(opens, width, language):
    window = opens(width=width, language=language).go("/g/wagic-G1#e=122")
    window.page.locator(".tools button").nth(1).click()
    for fold in ("compare", "first"):
        window.page.locator(f"#fold-{fold}").click()
    window.page.locator("#fold-first ~ .inside select").wait_for()
    assert [] == window.rest().page.evaluate(OUTSIDE)


CUT_OFF = """() => [...document.querySelectorAll('.games a, .games a *')]
    .filter(one => getComputedStyle(one).display !== 'inline')
    .filter(one => one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight + 1)
    .map(one => one.outerHTML)"""
"""What does not fit in its own box. A height that is not whole is rounded in two ways, hence the one pixel."""

BROKEN = r"""() => {
    const texts = document.createTreeWalker(document.querySelector('.games'), NodeFilter.SHOW_TEXT);
    const broken = [];
    for (let text; (text = texts.nextNode()); )
        for (const word of text.data.matchAll(/\S+/g)) {
            const range = document.createRange();
            range.setStart(text, word.index);
            range.setEnd(text, word.index + word[0].length);
            if (range.getClientRects().length > 1) broken.push(word[0]);
        }
    return broken;
}"""
"""The words that start on one line and end on the next."""


@pytest.mark.parametrize("width, language", [(320, "en"), (320, "fr"), (390, "en"), (390, "fr")])
def test_list(opens, width, language):
    window = opens(width=width, height=640, language=language).go("/", ready=".games li")
    assert ([], []) == (window.page.evaluate(CUT_OFF), window.page.evaluate(BROKEN))
    assert width == window.page.evaluate("document.documentElement.scrollWidth")
    tall = "all => all.map(one => one.getBoundingClientRect().height)"
    assert max(window.page.locator(".games .name").evaluate_all(tall)) < 30
    # On the narrowest screens the counts may take two lines.
    assert max(window.page.locator(".games .small:not(.last)").evaluate_all(tall)) < (30 if width > 320 else 50)


@pytest.mark.parametrize("language, said", [("en", "2,307 turns · 6,000 events"), ("fr", "2\u202f307 tours ·")])
def test_counts(opens, far, language, said):
    rows = opens(of=far, language=language).go("/", ready=".games li").page.locator(".games li")
    assert said in rows.filter(has_text="long").locator(".small").first.inner_text()


def test_timeline(opens, far):
    for of, path in ((far, "/g/long"), (None, "/g/wagic-G1")):
        for width in (1440, 390):
            window = opens(**({} if of is None else {"of": of}), width=width).go(path)
            window.page.locator(".timeline text.turn").nth(3).wait_for()
            boxes, right = window.rest().page.evaluate("""() => [
                [...document.querySelectorAll('.timeline text.turn')].map(one => one.getBoundingClientRect()),
                document.querySelector('.timeline .drawn').getBoundingClientRect().right]""")
            assert all(one["right"] < other["left"] for one, other in pairwise(boxes))
            signs = window.page.locator(".timeline text").evaluate_all(
                "all => all.map(one => one.getBoundingClientRect().right)"
            )
            assert max(signs) <= right + 1


SEEN = """() => {
    window.seen = [];
    const look = () => {
        const at = document.querySelector('.log [aria-current] .n')?.textContent;
        if (document.querySelector('.past.trying') && at && window.seen.at(-1) !== at) window.seen.push(at);
    };
    const every = {subtree: true, childList: true, attributes: true, characterData: true};
    new MutationObserver(look).observe(document.body, every);
}"""


def test_first_moment(opens, own):  # noqa: F811
    window = opens(of=own).go("/g/wagic-G1#e=122")
    window.page.wait_for_selector(".answer.wrong")
    window.press("w").page.evaluate(SEEN)
    window.page.get_by_role("button", name="Try that").first.click()
    settled(window)
    seen = window.rest().page.evaluate("window.seen")
    assert seen[-1] == "e123"
    assert "e161" not in seen


def test_of_the_record(opens, own):  # noqa: F811
    window = tried(opens, own)
    window.page.get_by_label("put in after e122 of the record").wait_for()


def test_last_change(opens):
    window = opens().go("/g/ruling%20and%20back-up#e=13")
    assert window.text(".now") == "day"
    assert "last change" not in window.text(".facts")
    assert re.search(r"last change\s*e10\s*day → night", window.press("End").text(".facts"))


def test_colons(opens):
    window = opens(language="fr").go("/g/head%20judge").press("d")
    window.page.locator(".trail li").nth(5).wait_for()
    said = window.page.locator(".trail").inner_text()
    assert "Ana\u00a0: nuit\u00a0; nobody cast" in said
    assert "clos par head judge\u00a0:" in said
    assert [] == re.findall(r"[^\u00a0][:;] ", said)


def test_note(opens):
    window = opens().go("/g/wagic-G1#e=122")
    window.page.get_by_text("Note in the record: its front face's enters ability exiled Goblin Goon").wait_for()


def test_before_the_first_turn(opens):
    assert opens().go("/g/wagic-G1#e=1").text(".sky .place") == "before the first turn"


def test_answer(opens):
    window = opens(width=390).go("/g/first%20night").opened()
    window.page.locator(".answer li").first.wait_for()
    assert 0 == window.page.locator(".answer ul:not(:has(li))").count()
