"""The look of the page: accessibility, themes, languages, print.

| promise | test |
| --- | --- |
| axe-core finds no violations in any state, theme and language | test_axe |
| cases that axe-core can't decide are only the known ones | test_axe |
| a screen reader gets landmarks, headings, names and states | test_heard, test_names |
| the live region announces the reason when the page stays at a moment, nothing while moving | test_said |
| nothing is wider than a narrow window, or one zoomed to 200 %; buttons are large enough | test_narrow |
| text and lines have enough contrast, also in the timeline | test_contrast |
| the colours are those of the system, or of the theme that was chosen | test_themes |
| forced colours keep words and signs; day and night differ without colours | test_forced_colours |
| with forced colours the timeline keeps its own colours, on its own background | test_forced_colours_of_the_picture |
| the printed page shows the present view, dark on light | test_print, test_print_is_light |
| the timeline is printed whole, however wide the window is | test_print_of_the_timeline |
| the language is that of the browser, and can be chosen; the page declares it | test_languages |
"""

import os
import re
from pathlib import Path

import pytest

from tests.browser.conftest import CANNOT_TELL, SCROLLED_AWAY

pytestmark = pytest.mark.browser

OVERLAPPING = "Element's background color could not be determined because it partially overlaps other elements"
"""axe's message about parts it can't see: beneath the bottom bar of a narrow window, or covered by a dialog."""

STATES = {
    "list": ("/", ()), "start": ("/g/wagic-G1#e=1", ()), "past": ("/g/wagic-G1#e=106", ()),
    "disputed": ("/g/wagic-G1#e=122", ()), "what-if": ("/g/wagic-G1#e=122", ("w",)),
    "uncertain": ("/g/uncertain#e=14", ()), "undone": ("/g/ruling%20and%20back-up#e=13", ("c",)),
    "branch": ("/g/clone#e=12&branch=b2", ()), "dispute": ("/g/dispute#e=20", ("d",)),
    "disputes": ("/g/head%20judge", ("d",)), "help": ("/g/wagic-G1", ("?",)),
}  # fmt: skip
EACH = [
    ("list", "en", "light", 1280), ("start", "ja", "light", 1280), ("disputed", "en", "light", 1280),
    ("uncertain", "en", "dark", 1280), ("past", "fr", "dark", 320), ("disputes", "en", "light", 320),
    ("undone", "fr", "light", 1280), ("help", "ja", "dark", 1280), ("what-if", "en", "dark", 1280),
]  # fmt: skip
MORE = [
    (state, language, scheme, width)
    for state in STATES
    for language in ("en", "fr", "ja")
    for scheme in ("light", "dark")
    for width in (1280, 320)
]


def at(opens, state, **how):
    """Return a window in the state that `STATES` has under `state`."""
    path, keys = STATES[state]
    return opens(**how).go(path).press(*keys)


@pytest.mark.parametrize(
    "state, language, scheme, width",
    [*EACH, *(pytest.param(*one, marks=pytest.mark.slow) for one in MORE if one not in EACH)],
)
def test_axe(opens, state, language, scheme, width):
    """axe finds no violations; it leaves undecided only contrasts that are known, like those in the timeline."""
    # A narrow window is high enough that nothing lies beneath the bottom bar.
    window = at(opens, state, language=language, scheme=scheme, width=width, height=4_000 if width == 320 else 800)
    found = window.axe()
    assert [] == [(rule["id"], rule["nodes"][0]["html"][:200]) for rule in found["violations"]]
    unsure = {
        (rule["id"], check["message"])
        for rule in found["incomplete"]
        for node in rule["nodes"]
        if not (rule["id"] == "color-contrast" and node["html"].startswith("<text "))
        for check in (*node["any"], *node["all"], *node["none"])
    }
    # Parts of a scrolling panel are hidden; test_contrast checks their colours.
    known = {*CANNOT_TELL, SCROLLED_AWAY, *([OVERLAPPING] if width == 320 or state == "help" else [])}
    assert unsure <= {("color-contrast", sentence) for sentence in known}
    assert language == window.page.evaluate("document.documentElement.lang")


TOKENS = Path(__file__).resolve().parents[3] / "daynight/web/page/src/styles/tokens.css"
PAIRS = [
    *((word, ground, 4.5) for word in ("ink", "soft", "link", "bad", "good", "open") for ground in ("paper", "panel")),
    ("ink", "shade", 4.5), ("soft", "shade", 4.5), ("ink", "here", 4.5), ("soft", "here", 4.5),
    ("ink", "bad-shade", 4.5), ("ink", "day-shade", 4.5), ("day-ink", "day", 4.5), ("night-ink", "night", 4.5),
    ("line", "paper", 3), ("line", "panel", 3),
]  # fmt: skip


def luminance(colour):
    """The luminance of a colour by WCAG."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def themes():
    """Return the colours of the light theme by name, and those of the dark one."""
    colours = re.findall(r"--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);", TOKENS.read_text())
    assert TOKENS.read_text().count("#") == 2 * len({name for name, *_both in colours})
    return [{colour[0]: colour[place] for colour in colours} for place in (1, 2)]


def rgb(colour):
    """A colour as the browser reports it."""
    return f"rgb({', '.join(str(int(colour[place : place + 2], 16)) for place in (1, 3, 5))})"


def test_contrast():
    """The contrast is at least 4.5 for text and 3 for lines, light and dark."""
    for theme in themes():
        for word, ground, least in PAIRS:
            lights = sorted((luminance(theme[word]), luminance(theme[ground])))
            assert (lights[1] + 0.05) / (lights[0] + 0.05) >= least, (word, ground)


MIDDLE = """() => {
    const [list, row] = [document.querySelector('.log .scroller'), document.querySelector('.log [aria-current]')];
    list.scrollTop += row.getBoundingClientRect().top - list.getBoundingClientRect().top - list.clientHeight / 2;
}"""
HEARD = Path(__file__).with_name("heard")


@pytest.mark.parametrize("state", ["list", "disputed", "uncertain", "disputes", "undone"])
def test_heard(opens, state):
    """The accessibility tree of the page equals its golden file; DAYNIGHT_GOLDEN=write rewrites that."""
    window = at(opens, state, height=900)
    if state != "list":
        window.page.wait_for_selector("text=live")
        # How many rows beside the visible ones are there depends on where the list stands: the moment is in its middle.
        window.page.evaluate(MIDDLE)
        window.rest()
    lines = window.page.locator("body").aria_snapshot().splitlines(keepends=True)
    heard = "".join(line for line in lines if 'option "CR ' not in line) + "\n"
    # Everything except the growing list of editions depends on the events alone.
    path = HEARD / f"{state}.yaml"
    if os.environ.get("DAYNIGHT_GOLDEN") == "write":
        HEARD.mkdir(exist_ok=True)
        path.write_text(heard, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == heard


def test_names(opens):
    """The accessible name of a row of the log contains the meaning of its sign, ✗."""
    name = "e122 wagic says: Brutal Cathar (brutal-cathar-2) shows its front face ✗ the rules say otherwise"
    assert 1 == at(opens, "disputed").page.get_by_role("button", name=name, exact=True).count()


def test_said(opens):
    """The live region announces the reason when the page stays at a moment, and nothing during ten quick steps."""
    window = at(opens, "past")
    said = window.page.get_by_role("status").first
    assert "Event 106. It is night. Since event 106 (CR 728.2a)." in said.text_content()
    for _step in range(10):
        window.page.keyboard.press("ArrowRight")
    assert "Event 106." in said.text_content()
    window.rest()
    assert "Event 116." in said.text_content()


@pytest.mark.parametrize("state", ["list", "disputed", "disputes", "uncertain", "what-if"])
def test_narrow(opens, state):
    """Nothing is wider than 320 or 640 pixels, 1280 zoomed to 400 or 200 %; buttons to move have 44 pixels or more."""
    for width in (320, 640):
        window = at(opens, state, width=width, height=640)
        assert window.page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
        if state != "list":
            boxes = window.page.evaluate(
                "[...document.querySelectorAll('.transport button')].map(one => one.getBoundingClientRect())"
                ".filter(box => box.width > 0).map(box => [box.width, box.height])"
            )
            assert boxes
            assert all(broad >= 44 and high >= 44 for broad, high in boxes)


def test_forced_colours(opens):
    """With forced colours the word for night and the sign ✗ are still there, and axe finds no violations."""
    window = at(opens, "disputed", forced_colors="active")
    assert "night" == window.text(".now").lower()
    assert "✗" in window.text("[aria-current]")
    assert [] == [(rule["id"], rule["nodes"][0]["html"]) for rule in window.axe()["violations"]]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_forced_colours_of_the_picture(opens, scheme):
    """The timeline keeps its background; the marker of the current moment is transparent, and covers nothing."""
    window, (light, dark) = at(opens, "disputed", scheme=scheme, forced_colors="active"), themes()
    theme = light if scheme == "light" else dark
    style = "getComputedStyle(document.querySelector('svg.drawn, .drawn svg'))"
    assert rgb(theme["panel"]) == window.page.evaluate(f"{style}.backgroundColor")
    here = "getComputedStyle(document.querySelector('.drawn .here'))"
    assert "rgba(0, 0, 0, 0)" == window.page.evaluate(f"{here}.backgroundColor")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_themes(opens, scheme):
    """By default the page follows the system, otherwise the chosen theme."""
    window, (light, dark) = at(opens, "start", scheme=scheme), themes()
    paper = "getComputedStyle(document.documentElement).backgroundColor"
    for told, theme in ((None, light if scheme == "light" else dark), ("light", light), ("dark", dark)):
        if told:
            window.page.evaluate("told => document.documentElement.setAttribute('data-theme', told)", told)
        assert rgb(theme["paper"]) == window.page.evaluate(paper)


def test_print_is_light():
    """print.css sets every colour of the themes; a missing one would keep the colour of the screen."""
    printed = dict(re.findall(r"--([\w-]+): (#[0-9a-f]+);", TOKENS.with_name("print.css").read_text()))
    assert themes()[0].keys() == printed.keys()


def test_print(opens):
    """Findings, reasons, state and the whole log are printed, dark on light, without buttons."""
    window = at(opens, "disputed", scheme="dark")
    window.page.emulate_media(media="print")
    assert window.page.locator("#state").is_visible()
    assert window.page.locator(".why").is_visible()
    window.page.get_by_role("heading", name="1 claim contradicts the rules:").wait_for()
    events = window.page.locator("#log li .n")
    assert [f"e{event}" for event in range(1, 161)] == events.all_inner_texts()
    assert all(box["height"] > 0 for box in (events.first.bounding_box(), events.last.bounding_box()))
    paper = "one => one.scrollHeight <= one.clientHeight"
    assert window.page.locator("#log .scroller").evaluate(paper)
    assert not window.page.locator(".transport").is_visible()
    assert 0 == sum(button.is_visible() for button in window.page.locator(".why button:not(.plain)").all())
    colours = "getComputedStyle(document.querySelector('.claim.differs'))"
    assert "rgb(251, 238, 234)" == window.page.evaluate(f"{colours}.backgroundColor")
    assert "rgb(0, 0, 0)" == window.page.evaluate(f"{colours}.color")
    assert 1_000 < len(window.page.pdf())


@pytest.mark.parametrize("width", [1440, 390])
def test_print_of_the_timeline(opens, width):
    """On A4, 178 mm between the margins, the timeline of the demo has its last stretch and its last turn."""
    window = at(opens, "disputed", width=width)
    window.rest()
    ends = "[...document.querySelectorAll('.timeline svg .run')].map(one => one.getBoundingClientRect().right)"
    shown = max(window.page.evaluate(ends))
    window.page.emulate_media(media="print")
    window.page.set_viewport_size({"width": round(178 / 25.4 * 96), "height": 900})
    paper = window.page.locator(".timeline").bounding_box()
    assert 400 < max(window.page.evaluate(ends)) <= paper["x"] + paper["width"]
    window.page.set_viewport_size({"width": width, "height": 800})
    window.page.emulate_media(media="screen")
    window.rest()
    assert shown == max(window.page.evaluate(ends))


@pytest.mark.parametrize("language, word, says", [("fr", "Nuit", "lance"), ("ja", "夜", "唱える")])
def test_languages(opens, language, word, says):
    """The page's own words and the server's sentences are translated; the choice is remembered."""
    window = at(opens, "disputed", language=language)
    assert word.lower() == window.text(".now").lower()
    assert says in window.text("#log")
    window = at(opens, "disputed")
    window.page.get_by_label("Language").select_option(language)
    window.page.wait_for_selector(f"html[lang={language}]")
    window.rest()
    assert says in window.text("#log")
    window.page.reload()
    window.page.wait_for_selector(".now")
    assert word.lower() == window.text(".now").lower()
