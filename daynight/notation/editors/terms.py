"""The kinds of words in the grammar: assigns a kind to each of the grammar's terms, without copying any word."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Literal

from lark.exceptions import LarkError

from daynight.framework.language.errors import RecordError
from daynight.notation.lines.lines import parted
from daynight.notation.lines.parsing import parser

Kind = Literal["header", "turn", "step", "keyword", "number", "string", "json", "time", "sign", "name", "comment"]
"""The kind of a word, which decides its colour."""

_KINDS: dict[str, Kind] = {
    "_GAME": "header",
    "_PLAYERS": "header",
    "_TEAMS": "header",
    "_EDITION": "header",
    "_JOINED": "header",
    "_TURN": "turn",
    "STEP": "step",
    "SKIPS": "step",
    "NUMBER": "number",
    "EVENT": "number",
    "TIMES": "number",
    "RANGE": "number",
    "QUOTED": "string",
    "JSON": "json",
    "AT": "time",
    "OPEN": "sign",
    "CLOSE": "sign",
    "_COMMA": "sign",
    "_COLON": "sign",
    "_SEMICOLON": "sign",
    "_DOT": "sign",
    "_SLASH": "sign",
    "WORD": "name",
    "TEXT": "name",
}
"""The kinds of the terms that are not keywords; every other term of the grammar is a keyword."""

_HIDDEN = ("_W", "_S")


@dataclass(frozen=True, slots=True)
class Term:
    """A term of the grammar: its name, its pattern, and its kind."""

    name: str
    pattern: str
    kind: Kind


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a line: where it begins and ends, from 0, its kind, and its `term` ("" for a comment)."""

    begins: int
    ends: int
    kind: Kind
    term: str


def kind_of(name: str) -> Kind:
    """Return the kind of a term; a term that is not in `_KINDS` is a keyword."""
    return _KINDS.get(name, "keyword")


@cache
def terms() -> tuple[Term, ...]:
    """Return the terms of the grammar in the order in which a lexer without context must try them."""
    found = [each for each in parser().terminals if each.name not in _HIDDEN and not each.name.startswith("__")]
    ranked = sorted(found, key=lambda each: (-each.priority, -each.pattern.max_width, each.name))
    return tuple(Term(each.name, each.pattern.to_regexp(), kind_of(each.name)) for each in ranked)


def pieces(line: str) -> Iterator[Piece]:
    """Yield the parts of a line, without spaces, as the grammar reads it; of an invalid line, those before the error.

    A comment is a part too, also after an error; a line with an open quotation mark or brace has no parts.
    """
    try:
        whole = parted(line)
    except RecordError:
        return
    comment = len(line) if whole.comment is None else len(line) - len(whole.comment) - 1
    try:
        interactive = parser().parse_interactive(whole.text)
        for token in interactive.iter_parse():
            if token.start_pos is not None and token.end_pos is not None and token.type != "$END":
                yield Piece(token.start_pos, token.end_pos, kind_of(token.type), token.type)
    except LarkError:
        pass
    if comment < len(line):
        yield Piece(comment, len(line), "comment", "")


def boundary() -> str:
    """Return the pattern that must come before a keyword: the line's beginning, a space or a sign that ends a word."""
    word = next(each.pattern for each in terms() if each.name == "WORD")
    inside = re.search(r"\[\^([^\]]*(?:\\\][^\]]*)*)\]\*", word)
    assert inside is not None
    return f"(?<![^{inside[1]}])"
