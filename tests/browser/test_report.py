"""A report in a real browser, opened from a file, without a network.

| promise | test |
| --- | --- |
| the file makes no requests; no browser errors, so the policy's hashes are right | test_quiet |
| the styles are applied | test_styled |
| axe-core finds no violations, light, dark, narrow, in every language | test_axe |
| cases that axe-core can't decide are only the known ones | test_axe |
| nothing is wider than a narrow window, or than one at 200 % | test_narrow |
| of each picture the version for the window's width is shown, without sideways scrolling | test_pictures |
| in a narrow window a dispute is a list with labels, elsewhere a table | test_stacked |
| Tab reaches a skip link first; Enter follows it and opens folded parts; the focus is visible | test_keyboard |
| a link to an event leads to it | test_links |
| the report prints on A4 with its folded tables open and without its navigation | test_print |
| with forced colours the verdict is visible with its sign | test_forced_colours |
| hostile names are shown as text, and run no script | test_hostile |
"""

import re
from pathlib import Path

import pytest

from daynight.game import Game
from daynight.languages.speaking import LANGUAGES, speaking
from daynight.reports import rendered, report
from tests.browser.conftest import CANNOT_TELL, SCROLLED_AWAY
from tests.reports.looking import HOSTILE
from tests.rules.judges import claim
from tests.rules.placing import enter
from tests.rules.wolves import RUFFIAN
from tests.rules.words import cast, started, turn

pytestmark = pytest.mark.browser

GAMES = Path(__file__).resolve().parents[2] / "examples/games"
DRAWN = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
UNFOLD = "document.querySelectorAll('details').forEach(one => one.open = true)"


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """Return a function that writes the report of `game` in `language` once, and returns the file's path."""
    folder = tmp_path_factory.mktemp("reports")
    found = {}

    def write(game="demo", language="en"):
        if (game, language) not in found:
            path = folder / f"{game}.{language}.html"
            with speaking(language):
                source = game if game == "demo" else GAMES / f"{game}.jsonl"
                path.write_text(rendered(report(Game.load(source)), "html"), encoding="utf-8")
            found[game, language] = path
        return found[game, language]

    return write


def told(visit):
    """The whole text of the page, also of folded parts."""
    return visit.page.evaluate("document.body.textContent").replace("\n", " ")


def wider(visit):
    """Return whether the page is wider than its window, so that it scrolls sideways."""
    return visit.page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")


PICTURES = """[...document.querySelectorAll('figure')].map(figure => [...figure.querySelectorAll('svg')]
    .map(svg => svg.getBoundingClientRect()).map(box => [box.width > 0, box.left >= 0 && box.right <= innerWidth,
    Math.round(box.width)]))"""


@pytest.mark.parametrize("width, narrow, widths", [(360, True, {360}), (1200, False, {720, 960})])
def test_pictures(opened, written, width, narrow, widths):
    """Each of the three pictures is shown in the version for the window's width, and fits it."""
    visit = opened(written(), width=width)
    figures = visit.page.evaluate(PICTURES)
    assert 3 == len(figures)
    for broad, slim in figures:
        assert (not narrow, narrow) == (broad[0], slim[0])
        assert (slim if narrow else broad)[1]
    assert widths >= {(slim if narrow else broad)[2] for broad, slim in figures[1:]}
    assert not wider(visit)


def test_quiet(opened, written):
    """There are no requests and no browser errors."""
    visit = opened(written())
    visit.page.evaluate(DRAWN)
    assert ([], []) == (visit.asked, visit.complaints)
    assert "wagic shows the front face of Brutal Cathar (brutal-cathar-2)" in told(visit)


def test_what_a_policy_forbids_is_heard(opened, written, tmp_path):
    """Test of `test_quiet`: an added style, image and script each cause an error message, and the script does not
    run."""
    text = written().read_text(encoding="utf-8")
    more = "<style>p{color:red}</style><img src='http://evil.example/'><script>document.title = 'run'</script></body>"
    path = tmp_path / "changed.html"
    path.write_text(text.replace("</body>", more), encoding="utf-8")
    visit = opened(path)
    visit.page.evaluate(DRAWN)
    assert 3 <= len(visit.complaints)
    assert "run" != visit.page.title()


def test_styled(opened, written):
    """The page's background is dark in the dark scheme only, and the pictures have more than two colours."""
    for scheme, dark in (("light", False), ("dark", True)):
        visit = opened(written(), scheme=scheme)
        colour = visit.page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
        assert (max(map(int, re.findall(r"\d+", colour)[:3])) < 60) is dark
        fill = "[...new Set([...document.querySelectorAll('svg rect')].map(one => getComputedStyle(one).fill))]"
        fills = visit.page.evaluate(fill)
        assert len(fills) > 2


EACH = [
    ("ruling-and-back-up", "en", "light", 1100), ("dispute", "fr", "dark", 1100), ("uncertain", "ja", "light", 320),
]  # fmt: skip

MORE = [
    (game, language, scheme, width)
    for game in ("demo", "dispute", "head-judge", "uncertain", "ruling-and-back-up", "two-headed-giant")
    for language in LANGUAGES
    for scheme, width in (("light", 1100), ("dark", 1100), ("light", 320), ("dark", 320))
]


def test_every_language_is_looked_at():
    """The fast tests use every language."""
    assert set(LANGUAGES) == {language for _game, language, _scheme, _width in EACH}


@pytest.mark.parametrize(
    "game, language, scheme, width", [*EACH, *(pytest.param(*one, marks=pytest.mark.slow) for one in MORE)]
)
def test_axe(opened, written, game, language, scheme, width):
    """axe finds no violations; undecided are only contrasts of signs, single letters, and text on or behind boxes."""
    visit = opened(written(game, language), scheme=scheme, width=width)
    visit.page.evaluate(UNFOLD)
    found = visit.axe()
    assert [] == [(rule["id"], rule["nodes"][0]["html"]) for rule in found["violations"]]
    unsure = {
        (rule["id"], check["message"])
        for rule in found["incomplete"]
        for node in rule["nodes"]
        for check in (*node["any"], *node["all"], *node["none"])
    }
    known = {*CANNOT_TELL, *([SCROLLED_AWAY] if width == 320 else [])}
    assert unsure <= {("color-contrast", sentence) for sentence in known}
    assert language == visit.page.evaluate("document.documentElement.lang")


@pytest.mark.parametrize(
    "game", ["demo", *(pytest.param(game, marks=pytest.mark.slow) for game in ("dispute", "uncertain", "head-judge"))]
)
def test_narrow(opened, written, game):
    """Nothing is wider than 320 pixels (1280 at 400 %), or than a normal window at 200 %."""
    for width in (320, 550):
        visit = opened(written(game), width=width)
        visit.page.evaluate(UNFOLD)
        assert not wider(visit)


def test_stacked(opened, written):
    """At 360 pixels the cells are stacked inside the window; in a wide window a row's cells are side by side."""
    where = "[...document.querySelectorAll('#disputes tbody tr')].map(row => [...row.children].filter(one => "
    where += (
        "one.textContent).map(one => { const box = one.getBoundingClientRect(); return [box.left, box.right, box.top]"
    )
    where += "; }))"
    for width, across in ((360, False), (900, True)):
        page = opened(written("head-judge"), width=width).page
        rows = page.evaluate(where)
        assert 5 == len(rows)
        for row in rows:
            assert len(row) >= 3
            assert all(0 <= left < right <= width for left, right, _top in row)
            assert across is (1 == len({top for _left, _right, top in row}))
            assert across is (len(row) == len({left for left, _right, _top in row}))
        named = page.evaluate(
            "getComputedStyle(document.querySelector('#disputes tbody td'), '::before').getPropertyValue('content')"
        )
        assert across is ("who" not in named)
        assert 6 == page.locator("#disputes").get_by_role("row").count()
        assert 4 == page.locator("#disputes").get_by_role("columnheader").count()


def test_keyboard(opened, written):
    """Tab first reaches the skip link; Enter follows it, and opens folded parts."""
    page = opened(written()).page
    page.keyboard.press("Tab")
    assert "Skip to the findings" == page.evaluate("document.activeElement.textContent")
    assert page.evaluate("document.activeElement.getBoundingClientRect().top >= 0")
    assert "none" != page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    page.keyboard.press("Enter")
    page.wait_for_url("**/*#findings")
    page.locator("summary").first.focus()
    assert "none" != page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert not page.locator("table").first.is_visible()
    page.keyboard.press("Enter")
    assert page.locator("table").first.is_visible()


def test_links(opened, written):
    """A finding's link to event 106 leads to that event in the log, which is then visible."""
    page = opened(written()).page
    page.locator("#findings a.e", has_text="e106").first.click()
    page.wait_for_url("**/*#e106")
    assert 0 <= page.evaluate("document.getElementById('e106').getBoundingClientRect().top") < 900
    assert "untap step" in page.locator("#e106").inner_text()


@pytest.mark.slow
def test_print(opened, written, tmp_path):
    """The report prints on 4 to 19 A4 pages, with folded parts open and without the navigation."""
    page = opened(written()).page
    data = page.pdf(prefer_css_page_size=True)
    assert data.startswith(b"%PDF")
    boxes = {tuple(map(float, box)) for box in re.findall(rb"/MediaBox \[([\d.]+) ([\d.]+) ([\d.]+) ([\d.]+)\]", data)}
    ((_left, _low, across, high),) = boxes
    assert (595, 842) == (round(across), round(high))
    assert 3 < len(re.findall(rb"/Type /Page\b(?!s)", data)) < 20
    assert not page.locator("details table").first.is_visible()
    page.emulate_media(media="print")
    assert page.locator("details table").first.is_visible()
    assert not page.locator("nav").is_visible()


def test_forced_colours(opened, written):
    """With forced colours the verdict is visible, and still has the sign ✗."""
    visit = opened(written(), forced_colors="active")
    assert "✗" in visit.page.locator(".verdict").inner_text()
    assert visit.page.locator(".verdict").is_visible()


def test_hostile(opened, tmp_path):
    """With all hostile names at once, no script runs, no request is made, nothing is too wide, each name is text."""
    events = [started(*HOSTILE) | {"game": HOSTILE[0], "note": HOSTILE[1]}, turn(1, HOSTILE[0])]
    for number, name in enumerate(HOSTILE):
        events += [cast(name) | {"card": name, "note": name}, enter(name, RUFFIAN, controller=name)]
        events += [claim("night") | {"by": name, "note": name, "meta": {"number": number}}]
    path = tmp_path / "hostile.html"
    path.write_text(rendered(report(Game(events)), "html"), encoding="utf-8")
    visit = opened(path, width=320)
    visit.page.evaluate(UNFOLD)
    assert ([], []) == (visit.asked, visit.complaints)
    assert not wider(visit)
    assert all(name in visit.page.evaluate("document.body.textContent") for name in HOSTILE)
