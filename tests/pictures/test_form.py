"""The form of a picture: safe, self-contained, reproducible and accessible.

| promise | test |
| --- | --- |
| the XML is well-formed for all names; control characters are escaped | test_hostile_names, test_plain |
| nothing is drawn outside the picture | test_long_names |
| a picture loads nothing, runs nothing, and has no style attribute | test_alone |
| the style is STYLE, and applies only to pictures | test_the_style, test_every_class_is_styled |
| every id begins with the prefix, and every reference has a target | test_ids, test_a_wrong_prefix |
| a picture has title, description, role and language | test_said |
| the same record gives the same bytes | test_the_same_bytes |
| contrast: text 4.5:1 and lines 3:1, light and dark | test_contrast, test_the_style_has_the_colours |
| labels do not touch, nor cross a line; rows of columns fit | test_lanes, test_rows |
| text is cut or wrapped to fit; wide characters count double | test_fitted, test_wrapped, test_widths |
| a game draws itself in a notebook | test_in_a_notebook |
"""

import gettext
import os
import random
import re
import subprocess
import sys
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daynight.framework.language import wording
from daynight.framework.language.errors import AskedError
from daynight.game import Game
from daynight.pictures import STYLE, board_svg, timeline_svg
from daynight.pictures.drawing.drawing import fitted, plain, wide, wrapped
from daynight.pictures.drawing.layout import broken, lanes
from daynight.pictures.drawing.palette import DARK, LIGHT
from tests.documents import ROOT
from tests.rules.judges import claim, opens
from tests.rules.placing import enter, permanent, together
from tests.rules.words import cast, started, turn

from .seen import SVG, classes, parsed, texts, walked

HOSTILE = ["<script>alert(1)</script>", "]]><b>", "&amp;\"'", "\ufffe\uffff", "\u200b\ufeffzero", "اسم", "{0}%s{game}"]
LONG = ["W" * 200, "狼" * 200, "🐺" * 200, "word " * 39]


def hostile(name: str) -> Game:
    """Return a game in which the game, a player, a card, a permanent and a judge have this name."""
    one = permanent("x", {"card": name}, controller=name)
    events = [
        {"type": "game-started", "format": 1, "game": name, "players": [name, "Bo"]},
        turn(1, name), together(one | {"id": name}), cast(name), claim("night") | {"by": name},
        {"type": "judge-ruled", "by": name, "designation": "day"}, opens(name) | {"by": name},
    ]  # fmt: skip
    return Game(events)


def both(game: Game, **more: object) -> list[str]:
    """Return the SVG of the timeline and of the board."""
    return [timeline_svg(game, at=2, **more), board_svg(game, **more)]


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names(name):
    """A hostile name makes no element: it is in the text, with control characters escaped."""
    for picture in both(hostile(name)):
        root = parsed(picture)
        assert not re.search("[\x00-\x08\x0b-\x1f\u200b\u202e\ufeff\ufffe\uffff]", picture)
        assert {f"{SVG}{tag}" for tag in ("script", "b")}.isdisjoint({one.tag for one in root.iter()})
        assert plain(name) in "".join(root.itertext())
    assert "\\ufffe" in timeline_svg(hostile("\ufffe"))


@pytest.mark.parametrize("name", LONG)
def test_long_names(name):
    """Long names are cut, and nothing is drawn outside the picture."""
    for picture in both(hostile(name)):
        root = parsed(picture)
        assert len(picture) < 60_000
        for one in root.iter(f"{SVG}text"):
            # 0.45 em is narrower than nearly any font, so text found here is too long in all of them.
            used = wide(one.text or "", 12, 0.45) * (0.5 if "centre" in classes(one) else 1)
            x = float(one.get("x", 0))
            assert (x - used if "end" in classes(one) else x + used) in Within(0, float(root.get("width", 0)))


class Within:
    """A range: `x in Within(least, most)` is True for a float from `least` to `most`."""

    def __init__(self, least: float, most: float) -> None:
        self.least, self.most = least, most

    def __contains__(self, value: object) -> bool:
        return isinstance(value, float) and self.least <= value <= self.most


def test_plain():
    """`plain` writes control characters, bidi controls and noncharacters as `\\uXXXX`, and leaves other text."""
    assert "a\\u202eb\\u0000c\\ufffe" == plain("a\u202eb\x00c\ufffe")
    assert "狼 é < &" == plain("狼 é < &")


@pytest.mark.parametrize("game", [Game.load("demo"), hostile(HOSTILE[0])], ids=["demo", "hostile"])
def test_alone(game):
    """A picture has only drawing elements, no `style` attribute or handler, and no link outside itself."""
    allowed = {"svg", "title", "desc", "style", "defs", "pattern", "rect", "path", "g", "circle", "line", "text", "use"}
    for picture in both(game):
        for one in parsed(picture).iter():
            assert one.tag.removeprefix(SVG) in allowed
            for name, value in one.attrib.items():
                assert name != "style"
                assert not name.startswith("on")
                assert "//" not in value
                if name.endswith("href"):
                    assert value.startswith("#")
                assert all(found == "url(#" for found in re.findall(r"url\(.", value))
        assert "url(" not in STYLE
        assert "@import" not in STYLE


def test_the_style():
    """A picture has STYLE once; STYLE needs no escaping, and each selector begins with the picture's class `dn`."""
    for picture in both(Game.load("demo")):
        assert 1 == picture.count("<style>")
        assert f"<style>{STYLE}</style>" in picture
    assert not set("<>&\n") & set(STYLE)
    rules = re.sub(r"@media[^{]*\{", "", STYLE)
    selectors = re.findall(r"([^{}]+)\{", rules)
    assert selectors
    assert not [one for one in selectors if not re.match(r"\.dn( |$)", one)]


def test_every_class_is_styled():
    """Every drawn class has a rule in STYLE, and every class in STYLE is drawn."""
    used: set[str] = set()
    for seed in range(4):
        for picture in both(walked(seed)):
            used |= set().union(*(classes(one) for one in parsed(picture).iter()))
    odd = Game(
        [started(), turn(1), enter("w1"), {"type": "phased-out", "permanents": ["w1"]}, enter("f", face_down=True)]
    )
    for picture in both(odd):
        used |= set().union(*(classes(one) for one in parsed(picture).iter()))
    styled = set(re.findall(r"\.dn-([a-z-]+)", STYLE))
    assert used - {"dn"} <= styled, "drawn, and not styled"
    assert styled <= used, "styled, and never drawn"


def test_ids():
    """Each id in a picture is unique and begins with the prefix, by default `dn` or `db`; references have targets."""
    game = Game.load("demo")
    pictures = [*both(game, prefix="one"), *both(game, prefix="two"), *both(game)]
    for picture, prefix in zip(pictures, ["one", "one", "two", "two", "dn", "db"], strict=True):
        root = parsed(picture)
        ids = [one.get("id") for one in root.iter() if one.get("id")]
        assert len(set(ids)) == len(ids)
        assert all(id.startswith(prefix) for id in ids)
        wanted = {one.get("href", "")[1:] for one in root.iter(f"{SVG}use")}
        wanted |= {found for one in root.iter() for found in re.findall(r"url\(#(.*)\)", one.get("fill", ""))}
        wanted |= {root.get("aria-labelledby"), root.get("aria-describedby")}
        assert wanted <= set(ids)
    assert timeline_svg(game).split('id="')[1] != timeline_svg(game, at=3).split('id="')[1]


@pytest.mark.parametrize("prefix", ["", "1a", "a b", 'a"b', "a" * 65, "é"])
def test_a_wrong_prefix(prefix):
    """A prefix that cannot begin an id, or is too long, raises AskedError."""
    with pytest.raises(AskedError, match="begins no id"):
        timeline_svg(Game([started()]), prefix=prefix)


def test_said():
    """A picture has role `img`, language, title and description, and its ARIA attributes refer to the last two."""
    for picture in both(Game.load("demo")):
        root = parsed(picture)
        assert ("img", "en") == (root.get("role"), root.get("lang"))
        title, desc = (root.find(f"{SVG}{name}") for name in ("title", "desc"))
        assert (title.get("id"), desc.get("id")) == (root.get("aria-labelledby"), root.get("aria-describedby"))
        assert title.text.startswith("wagic-G1: ")
        assert "It has been day since event 149" in desc.text or "event 149: it becomes day" in desc.text


def test_the_language():
    """`lang` and the words of a picture are in the language that `wording.speak` has set."""

    class Loud(gettext.NullTranslations):
        def gettext(self, message: str) -> str:
            return {"turn": "tour"}.get(message, message)

        def info(self) -> dict[str, str]:
            return {"language": "fr"}

    game, before = Game([started(), turn(1)]), wording.spoken()
    wording.speak(Loud(BytesIO()))
    try:
        root = parsed(timeline_svg(game))
    finally:
        wording.speak(before)
    assert "fr" == root.get("lang")
    assert "tour" in texts(root)


def test_the_same_bytes():
    """Another process, with other hashes and another order of sets, makes the same bytes."""
    script = (
        "import sys; from daynight import Game; from daynight.pictures import *; g = Game.load('demo');"
        "sys.stdout.buffer.write((timeline_svg(g, at=122) + board_svg(g, 122)).encode())"
    )
    game = Game.load("demo")
    expected = (timeline_svg(game, at=122) + board_svg(game, 122)).encode()
    ran = subprocess.run(
        [sys.executable, "-c", script],
        env=os.environ | {"PYTHONPATH": str(ROOT), "PYTHONHASHSEED": "77"},
        capture_output=True,
        check=True,
    )
    assert expected == ran.stdout


def luminance(colour: str) -> float:
    """Return the relative luminance of `#rrggbb` by WCAG 2.2, from 0 to 1."""
    channels = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def ratio(one: str, other: str) -> float:
    """Return the contrast ratio of two colours by WCAG 2.2, from 1 to 21."""
    brighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (brighter + 0.05) / (darker + 0.05)


TEXT, LINE = 4.5, 3.0

CONTRASTS = (
    *((name, "paper", TEXT) for name in ("ink", "soft", "wrong", "right", "open", "here")),
    *((f"{name}-ink", name, TEXT) for name in ("day", "night", "neither", "undone", "here")),
    *((f"{name}-mark", name, LINE) for name in ("day", "night", "neither", "undone")),
    ("line", "paper", LINE),
    ("here", "paper", LINE),
)
"""Each row: a colour, the colour behind it, and the least contrast ratio (WCAG 2.2, 1.4.3 and 1.4.11)."""


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("seen, on, least", CONTRASTS)
def test_contrast(colours, seen, on, least):
    """Each two colours in a row of CONTRASTS have at least the row's ratio, in LIGHT and in DARK."""
    assert least in (LINE, TEXT)
    assert ratio(colours[seen], colours[on]) >= least


def test_every_text_is_held_to_its_contrast():
    """CONTRASTS demands 4.5 for every colour of a text; it lacks only backgrounds and the colour of hairlines."""
    held = {seen: least for seen, _on, least in CONTRASTS}
    for picture in both(walked(1)):
        for one in parsed(picture).iter(f"{SVG}text"):
            (colour,) = classes(one) & set(LIGHT)
            assert 4.5 == held[colour], colour
    assert set(LIGHT) == set(DARK)
    # The paper is the background; hairlines only guide the eye.
    assert set(LIGHT) - set(held) == {"paper", "day", "night", "neither", "undone", "hair"}
    assert 21 == round(ratio("#000000", "#ffffff"))


def test_the_style_has_the_colours():
    """STYLE has exactly the colours of LIGHT, and in dark mode those of DARK."""
    light, dark = STYLE.partition("@media screen and (prefers-color-scheme:dark)")[::2]
    dark = dark.partition("@media print")[0]
    for part, colours in ((light, LIGHT), (dark, DARK)):
        assert set(colours.values()) == set(re.findall("#[0-9a-f]{6}", part))
        for name in ("ink", "wrong", "day", "night-ink"):
            assert f".dn-{name}{{fill:{colours[name]}}}" in part
    assert "@media (forced-colors:active)" in STYLE


@given(st.lists(st.tuples(st.integers(0, 300), st.integers(1, 90)), max_size=25))
def test_lanes(found):
    """Any two labels in one lane have a gap between them; the line down from a higher label crosses no lower label."""
    spans = sorted((float(start), float(start + length)) for start, length in found)
    levels = lanes(spans, gap=2)
    for place, (start, end) in enumerate(spans):
        for other, (begin, finish) in enumerate(spans):
            if other == place:
                continue
            if levels[other] == levels[place]:
                assert end + 2 <= begin or finish + 2 <= start
            if levels[other] > levels[place]:
                assert not start < begin < end, "its line would cross"


def test_rows():
    """Rows contain all columns once, in order, within the width; a column that is too wide has a row of its own."""
    chance = random.Random(5)
    for _case in range(50):
        widths = [chance.uniform(30, 90) for _column in range(chance.randrange(1, 80))]
        rows = broken(widths, 400)
        assert list(range(len(widths))) == [place for row in rows for place in row]
        sums = [sum(widths[place] for place in row) for row in rows]
        assert max(sums) <= 400
        assert len(rows) >= sum(widths) / 400
    assert [1, 1] == [len(row) for row in broken([500.0, 500.0], 400)]


def test_fitted():
    """`fitted` cuts a text that is too wide and ends it with …; a text that fits stays as it is."""
    assert "Tavern Ruffian" == fitted("Tavern Ruffian", 200)
    cut = fitted("Tavern Ruffian", 60)
    assert cut.endswith("…")
    assert wide(cut) <= 60
    assert wide("狼") == 2 * wide("w")
    assert wide(fitted("狼" * 50, 100)) <= 100


def test_wrapped():
    """`wrapped` returns lines that fit, with all words in order; if `most` lines are too few, the last ends with …."""
    sentence = "It has been night since event 106, turn 19: Seat B, active in turn 18, cast no spell in it."
    for width in (90, 200, 400, 2000):
        lines = wrapped(sentence, width, most=99)
        assert sentence == " ".join(lines)
        assert all(wide(line) <= width for line in lines)
    assert [sentence] == wrapped(sentence, 2000)
    assert 3 == len(wrapped(sentence, 90, most=3))
    assert wrapped(sentence, 90, most=3)[-1].endswith("…")
    assert "狼" * 40 == "".join(wrapped("狼" * 40, 100, most=99))


@pytest.mark.parametrize("width", [360, 1, 10_000])
def test_widths(width):
    """A picture has the requested width, but at least 360, and no text passes its right edge."""
    game = Game.load("demo")
    for picture in (timeline_svg(game, at=122, width=width), board_svg(game, 122, width=width)):
        root = parsed(picture)
        assert float(root.get("width", 0)) == max(width, 360)
        for one in root.iter(f"{SVG}text"):
            if not classes(one) & {"end", "centre"}:
                assert float(one.get("x", 0)) + wide(one.text or "", 10, 0.5) <= max(width, 360), one.text


def test_in_a_notebook():
    """`Game._repr_svg_`, which notebooks call, returns the timeline, also for a game without events."""
    game = Game.load("demo")
    assert timeline_svg(game) == game._repr_svg_()
    assert "img" == parsed(Game()._repr_svg_()).get("role"), "one that has not begun, too"
