"""Reads reports without the code that made them: HTML with Python's own parser, Markdown with markdown-it."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token

from daynight.game import Game
from daynight.reports import rendered, report
from tests.behaviour.games import told as game_of
from tests.rules.placing import enter
from tests.rules.wolves import RUFFIAN
from tests.rules.words import Event, turn, untap

__all__ = [
    "HOSTILE", "NIGHT", "Seen", "document", "game_of", "headings", "markdown_text", "markdown_tokens", "page",
    "sections", "seen",
]  # fmt: skip

VOID = {"meta", "br", "path", "rect", "circle", "line", "use", "stop"}

INLINE = {"a", "span", "strong"}

HOSTILE = [
    "<script>alert(1)</script>", "</style><img src=x onerror=alert(1)>", "a|b|c", "`code` *bold* _it_ ~~no~~",
    "[link](http://evil.example/) ![image](http://evil.example/i.png)", "# heading", "- item", "1. item",
    "&lt;b&gt; &amp;", '" onclick="alert(1)', "{{ 7 * 7 }} {% raw %}", "{0} {name} %s", "]]> --> <!--",
    "www.evil.example http://evil.example mailto:a@evil.example", "$x$ \\ \\\\ \\[", "あやか ☾ é", "x" * 200,
]  # fmt: skip
"""Names that would be markup, addresses or templates if a report did not escape them."""


@dataclass
class Seen(HTMLParser):
    """The content of an HTML file: tags with attributes, texts, styles, headings, and in `wrong` nesting errors."""

    tags: list[tuple[str, dict[str, str | None]]] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    styles: list[str] = field(default_factory=list)
    headings: list[tuple[int, str]] = field(default_factory=list)
    open: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._apart(tag)
        if len(dict(attrs)) != len(attrs):
            self.wrong.append(f"<{tag}> has an attribute twice")
        if tag not in VOID:
            self.open.append(tag)
        if tag in ("h1", "h2", "h3", "h4", "h5", "h6"):
            self.headings.append((int(tag[1]), ""))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        if tag in VOID:
            return
        self._apart(tag)
        if not self.open or self.open.pop() != tag:
            self.wrong.append(f"</{tag}> closes what is not open")

    def handle_data(self, data: str) -> None:
        if "style" in self.open[-1:]:
            self.styles.append(data)
            return
        self.texts.append(data)
        if self.open and self.open[-1][0] == "h" and self.open[-1][1:].isdigit():
            level, words = self.headings[-1]
            self.headings[-1] = level, words + data

    def _apart(self, tag: str) -> None:
        if tag not in INLINE:
            self.texts.append(" ")

    @property
    def text(self) -> str:
        """The whole text, with each run of white space as one space."""
        return " ".join("".join(self.texts).split())

    @property
    def ids(self) -> list[str]:
        """Every `id`, in order."""
        return [attrs["id"] or "" for _tag, attrs in self.tags if "id" in attrs]

    def values(self, attribute: str) -> list[str]:
        """Return every value of an attribute, in order."""
        return [attrs[attribute] or "" for _tag, attrs in self.tags if attribute in attrs]


def seen(html: str) -> Seen:
    """Parse an HTML text; tags that are not closed are in `wrong`."""
    found = Seen()
    found.feed(html)
    found.close()
    if found.open:
        found.wrong.append(f"not closed: {found.open}")
    return found


def page(game: Game, form: Any = "html", **how: Any) -> str:
    """Return the report of a game in a format: html, markdown or json."""
    return rendered(report(game, **how), form)


def document(game: Game, **how: Any) -> dict[str, Any]:
    """Return the JSON report of a game, parsed."""
    found: dict[str, Any] = json.loads(page(game, "json", **how))
    return found


def markdown_tokens(text: str) -> list[Token]:
    """Return the tokens of a text by CommonMark with tables and strikethrough."""
    return MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(text)


def markdown_text(text: str) -> str:
    """Return the text that the rendered Markdown shows, one block a line."""
    return "\n".join(
        "".join(child.content for child in token.children or ()) for token in markdown_tokens(text) if token.children
    )


def headings(text: str) -> list[str]:
    """Return the headings of a Markdown text, each with its `#`."""
    tokens = markdown_tokens(text)
    return [
        f"{token.markup} {tokens[place + 1].content}"
        for place, token in enumerate(tokens)
        if token.type == "heading_open"
    ]


def sections(game: Game, **how: Any) -> list[str]:
    """Return the second-level headings of a game's HTML report."""
    return [words for level, words in seen(page(game, **how)).headings if level == 2]


NIGHT: tuple[Event, ...] = (enter("w1", RUFFIAN), turn(1), turn(2, "Bo"), untap())
"""Events after game-started (event 1): w1 enters and it becomes day at event 2; it becomes night at event 5."""
