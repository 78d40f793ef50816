"""A report as Markdown: readable as plain text, and nothing from a record is markup.

| promise | test |
| --- | --- |
| text from a record is shown literally | test_escaped, test_any_text |
| text from a record is literal inside tables, headings, lists and emphasis too | test_hostile |
| no link, no image, no HTML | test_hostile, test_no_addresses |
| tables have as many cells in every row | test_tables |
| the headings are those of the HTML | test_headings |
| the colon after the name of a fact is written as in the language | test_facts |
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from daynight.framework.language.errors import whole
from daynight.game import Game
from daynight.languages.speaking import speaking
from daynight.reports.markdown import escaped
from tests.reports.looking import HOSTILE, game_of, headings, markdown_text, markdown_tokens, page, seen
from tests.rules.judges import claim, claim_tally, ruled
from tests.rules.placing import enter
from tests.rules.wolves import RUFFIAN
from tests.rules.words import started, turn, untap
from tests.sampling import sampled

PLACES = ["{}", "- {}", "# {}", "**{}**", "*({})*", "| a |\n| --- |\n| {} |", "3. {}"]


def shown(source: str) -> str:
    """Return the text that the rendered Markdown shows, without the table heading `a`."""
    tokens = [token for token in markdown_tokens(source) if token.children and token.content != "a"]
    return "".join(child.content for token in tokens for child in token.children)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("text", HOSTILE)
def test_escaped(place, text):
    """After `escaped`, a hostile text is shown literally, and makes no link, image, HTML, code or break."""
    source = place.format(escaped(f"x {text}"))
    assert place.replace("| a |\n| --- |\n| {} |", "{}").format(f"x {text}").strip("-# *3.") in [
        found.strip("-# *3.") for found in (shown(source), f"({shown(source)})")
    ] or f"x {text}" in shown(source)
    kinds = {child.type for token in markdown_tokens(source) for child in token.children or ()}
    assert not kinds & {"link_open", "image", "html_inline", "code_inline", "s_open", "softbreak", "hardbreak"}


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=60))
def test_any_text(text):
    """After `escaped`, any text is one paragraph with the same words, at the beginning of a line too."""
    html = MarkdownIt("commonmark").enable(["table", "strikethrough"]).render(escaped(text))
    inner = seen(html)
    assert {tag for tag, _attrs in inner.tags} <= {"p"}
    assert whole(text).split() == inner.text.split()


@pytest.mark.wide(but=2)
@pytest.mark.parametrize("name", sampled(HOSTILE, 3))
def test_hostile(name):
    """With a hostile name the Markdown has the same tokens as with the name N, and shows the name literally."""
    shapes = []
    for word in (name, "N"):
        game = Game([
            started(word, "Bo") | {"game": word, "note": word}, enter("w1", RUFFIAN, controller=word),
            enter(word, {"card": word}, controller=word), turn(1, word), claim("night") | {"by": word, "note": word},
            claim_tally(word, 4) | {"by": word}, turn(2, "Bo"), untap(), ruled("day") | {"by": word},
        ])  # fmt: skip
        source = page(game, "markdown")
        tokens = markdown_tokens(source)
        shapes.append([token.type for token in tokens])
        kinds = {child.type for token in tokens for child in token.children or ()}
        assert {"text", "strong_open", "strong_close", "em_open", "em_close", "text_special"} >= kinds
        assert markdown_text(source).count(word) >= 10
    assert shapes[1] == shapes[0]


def test_no_addresses():
    """Addresses of a note are shown, but the source has no "www.", "http:", "https:" or "mailto:" to become a link."""
    game = Game([started() | {"note": "see www.evil.example, http://evil.example, HTTPS://x, mailto:a@b"}])
    source = page(game, "markdown").lower()
    for address in ("www.", "http:", "https:", "mailto:"):
        assert address not in source
    assert "see www.evil.example, http://evil.example, HTTPS://x, mailto:a@b" in markdown_text(page(game, "markdown"))


@pytest.mark.wide(but=1)
@pytest.mark.parametrize("game", [Game.load("demo"), game_of(), game_of(claim("day"))])
def test_tables(game):
    """Every row has as many cells as its heading; there are at least as many tables as "Show as table" in the HTML."""
    widths: list[list[int]] = []
    for token in markdown_tokens(page(game, "markdown")):
        if token.type == "table_open":
            widths.append([])
        elif token.type == "tr_open":
            widths[-1].append(0)
        elif token.type in ("th_open", "td_open"):
            widths[-1][-1] += 1
    assert all(len(set(table)) == 1 for table in widths)
    assert len(widths) >= seen(page(game)).text.count("Show as table")


def test_headings():
    """HTML and Markdown have the same headings, with the same levels, in the same order."""
    game = Game.load("demo")
    html = [f"{'#' * level} {words.strip('✗ ')}" for level, words in seen(page(game)).headings]
    assert html == headings(page(game, "markdown"))


@pytest.mark.parametrize(
    "language, line",
    [("en", "- **Record:** 1 event"), ("fr", "- **Enregistrement\N{NO-BREAK SPACE}:** 1"), ("ja", "- **記録：** ")],
)
def test_facts(language, line):
    """The name of a fact and its colon are bold; the colon follows the language, in French after a no-break space."""
    with speaking(language):
        text = page(game_of(), "markdown")
    assert line in text
    assert "**" not in markdown_text(text)
