"""Pictures and reports in the reader's language.

| promise | test |
| --- | --- |
| no picture or report contains the English word daybound or nightbound | test_keywords, test_keywords_are_found |
| Japanese sentences have no space between them, and Japanese full stops | test_japanese_sentences |
| singular and plural of spells are right, in tooltips and on the terminal | test_numbers_of_spells |
| day, night and neither are worded naturally | test_neither |
"""

import html
import re
from functools import cache

import pytest

from daynight import Game
from daynight.cli.commands import run
from daynight.events.actions import SpellsUncertain
from daynight.languages.speaking import speaking
from daynight.pictures import board_svg, timeline_svg

from .messages import TRANSLATED
from .story import ROOT

EVERY_LANGUAGE = pytest.mark.parametrize("language", TRANSLATED)
GAMES = ("first-night", "immerwolf", "uncertain")
KEYWORD = re.compile(r"\b(?:day|night)bound\b(?!-)", re.IGNORECASE)
"""Finds the words daybound and nightbound, but not inside rule keys such as `daybound-starts-day`."""


@cache
def pictures(language):
    """A list of texts (SVG without tags and styles): each game's timeline, and its board after every event."""
    with speaking(language):
        drawn = []
        for name in GAMES:
            game = Game.load(ROOT / f"examples/games/{name}.jsonl")
            drawn.append(timeline_svg(game))
            drawn += [board_svg(game, number) for number in range(1, len(game) + 1)]
    return [html.unescape(re.sub(r"<style>.*?</style>|<[^>]*>", "\n", picture, flags=re.DOTALL)) for picture in drawn]


def reports(language, folder):
    """Yield the text of each game's report as HTML without tags, and as Markdown; the files are in `folder`."""
    for name in GAMES:
        for ending in ("html", "md"):
            path = folder / f"{name}-{language}.{ending}"
            assert run(["report", str(ROOT / f"examples/games/{name}.jsonl"), "-o", str(path), "--lang", language]) < 2
            text = re.sub(r"<(style|script)\b.*?</\1>", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
            yield html.unescape(re.sub(r"<[^>]*>", "\n", text) if ending == "html" else text)


def raw(text):
    """The lines that contain the English word daybound or nightbound."""
    return [line.strip() for line in text.splitlines() if KEYWORD.search(line)]


@pytest.mark.wide(but=1)
@EVERY_LANGUAGE
def test_keywords(language, tmp_path, capsys):
    """`raw` finds no English keyword in a picture or report, and the pictures have the translated one."""
    assert [] == [line for text in pictures(language) for line in raw(text)]
    assert [] == [line for text in reports(language, tmp_path) for line in raw(text)]
    word = {"fr": "nocturne", "ja": "夜明"}[language]
    assert any(word in text for text in pictures(language))


def test_keywords_are_found(tmp_path, capsys):
    """The control: `raw` finds keywords in the English pictures and reports, and none in a rule key."""
    assert any(raw(text) for text in pictures("en"))
    assert any(raw(text) for text in reports("en", tmp_path))
    assert [] == raw("daybound-starts-day")


def test_japanese_sentences():
    """In Japanese pictures no space follows `。`, and no Latin punctuation with a space follows Japanese text."""
    for text in pictures("ja"):
        assert not re.search(r"[぀-ヿ一-鿿）][.,;:] |。 ", text), text


def test_numbers_of_spells():
    """In timelines zero is singular in French (`0 sort`); a range, such as 0-1, has the form of its upper number."""
    game = Game.start("g", ["Ana", "Bo"])
    game.record({"type": "turn-began", "turn": 1, "active": ["Ana"]})
    said = {language: [] for language in ("en", "fr", "ja")}
    for least, most in ((0, 0), (0, 1), (1, 2), (2, None)):
        other = game.what_if(2, [SpellsUncertain(player="Ana", at_least=least, at_most=most)]) if most != 0 else game
        for language, lines in said.items():
            with speaking(language):
                text = html.unescape(timeline_svg(other))
            lines.append(re.search(r"^Ana ?[:：] ?([^<\n]*)", text.replace("\u00a0", " "), re.MULTILINE)[1])
    assert {
        "en": ["0 spells", "0-1 spells", "1-2 spells", "2 or more spells"],
        "fr": ["0 sort", "0 à 1 sort", "1 à 2 sorts", "au moins 2 sorts"],
        "ja": ["呪文0個", "呪文0～1個", "呪文1～2個", "呪文2個以上"],
    } == said


@pytest.mark.parametrize("language, neither, day", [
    ("fr", "À la fin, il ne fait ni jour ni nuit.", "À la fin, il fait jour."),
    ("ja", "最後は昼でも夜でもない。", "最後は昼である。"),
])  # fmt: skip
def test_neither(language, neither, day):
    """In French and Japanese a timeline's description says that it is neither, until an effect makes it day."""
    game = Game.start("g", ["Ana", "Bo"])
    with speaking(language):
        assert neither in timeline_svg(game)
        game.record({"type": "effect-resolved", "becomes": "day"})
        assert day in timeline_svg(game)
        assert neither not in timeline_svg(game)
