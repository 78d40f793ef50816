"""Syntax colouring: the grammar, TextMate and Pygments agree.

| promise | test |
| --- | --- |
| each term in `_KINDS` is in the grammar; `kind_of` returns keyword for a term that is not in it | test_terms |
| TextMate gives each piece but names the grammar's kind, and colours (wrongly) under 5 % of names | test_textmate |
| TextMate's file is generated from the grammar; its patterns are valid | test_file |
| the tokens of Pygments together are the text; `casts` and `says` are keywords | test_pygments |
| a name behind game, casts or copies has no colours in TextMate | test_names |
| in Pygments a keyword inside a card's name (`Turn to Frog`) is a part of the name | test_context |
| the tokens of an invalid line together are the line; one of them at least is plain text or a name | test_no_line |
"""

import json
import re
from functools import cache

import pytest
from pygments.token import Comment, Keyword, Name, Text

from daynight.notation import lines_of
from daynight.notation.editors.lexer import DaynightLexer
from daynight.notation.editors.terms import _KINDS, kind_of, pieces, terms
from daynight.notation.editors.textmate import SCOPES, grammar, told
from daynight.notation.lines.forms import FORMS
from tests.documents import ROOT
from tests.golden import golden

GAMES = sorted((ROOT / "examples/games").glob("*.jsonl"))
HARD = [
    "game Day and Night, the third  # by Bo", "edition 2021-09-24  # under doubt", "Bo casts Turn to Frog  # by Bo",
    "Bo casts Who // What // When", "Bo copies Who Says (token)", "Bo casts 2 to 3 more spells", "Bo casts a spell",
    "Bo casts three spells",
    'Bo casts "Day // Night" (token)', 'Bo notes "no # comment" about e12', "It casts Opt @2026",
    "Judge Di: back up to e12", "w1 transforms since e5", "turn 12 Ana, no untap", "Bo says Ana cast 2 in turn 7",
    "Path to Exile enters", "Game of Chaos enters",
]  # fmt: skip
"""Lines with keywords in names, and with numbers at the end."""


@cache
def lines():
    """A list of lines, each once: all forms, `HARD`, the .dn examples, and six example games written as notation."""
    found = [form.line for form in FORMS] + HARD
    for path in (ROOT / "examples/games").glob("*.dn"):
        found += path.read_text("utf-8").splitlines()
    for path in GAMES[:6]:
        found += "".join(written(path)).splitlines()
    return list(dict.fromkeys(found))


def written(path):
    from daynight.game import Game

    return [f"{line}\n" for several in lines_of(Game.load(path).events) for line in several]


@cache
def rules():
    kinds = {scope: kind for kind, scope in SCOPES.items()}
    found = []
    for rule in grammar()["patterns"]:
        group, scope = (1, rule["captures"]["1"]["name"]) if "captures" in rule else (0, rule["name"])
        found.append((kinds[scope], group, re.compile(rule["match"])))
    return found


def coloured(line):
    """A list with the kind of each character, or None. As in TextMate the earliest match wins, then the first rule.

    As in VS Code, the patterns also see the line's end.
    """
    kinds = [None] * len(line)
    line += "\n"
    at = 0
    while True:
        found = [
            (match.start(), number, match, group, kind)
            for number, (kind, group, rule) in enumerate(rules())
            if (match := rule.search(line, at))
        ]
        found = [each for each in found if each[2].end() > each[0]]
        if not found:
            return kinds
        _start, _number, match, group, kind = min(found, key=lambda each: each[:2])
        begins, ends = match.span(group)
        kinds[begins:ends] = [kind] * (ends - begins)
        at = match.end()


def test_terms():
    names = {term.name for term in terms()}
    assert set(_KINDS) <= names
    assert kind_of("_WHATEVER_IS_NEW") == "keyword"
    assert {"_CASTS", "_ENTERS", "_SAYS"} <= {term.name for term in terms() if term.kind == "keyword"}


def test_textmate():
    wrong, names, over = [], 0, 0
    for line in lines():
        kinds = coloured(line)
        for piece in pieces(line):
            inside = set(kinds[piece.begins : piece.ends])
            if piece.kind == "name":
                names += 1
                over += inside != {None}
            elif inside != {piece.kind}:
                wrong.append((line, line[piece.begins : piece.ends]))
    assert wrong == []
    assert over * 20 < names


@pytest.mark.parametrize(
    "line, name",
    [
        ("game Day and Night, the third  # by Bo", "Day and Night, the third"),
        ("Bo casts Turn to Frog  # by Bo", "Turn to Frog"),
        ("Bo copies Who // What // When (token)", "Who // What // When"),
    ],
)
def test_names(line, name):
    """TextMate gives no colour to the name of a game, or of a card that is cast or copied."""
    begins = line.index(name)
    assert set(coloured(line)[begins : begins + len(name)]) == {None}


def test_file():
    golden(ROOT / "examples/editors/daynight.tmLanguage.json", told())
    read = json.loads(told())
    assert read["scopeName"] == "source.daynight"
    assert all(re.compile(rule["match"]) for rule in read["patterns"])


def test_pygments():
    text = "\n".join(lines()) + "\n"
    found = list(DaynightLexer().get_tokens_unprocessed(text))
    assert "".join(value for _place, _token, value in found) == text
    assert all(text[place : place + len(value)] == value for place, _token, value in found)
    assert {"casts", "says"} <= {value for _place, token, value in found if token is Keyword}


def test_context():
    tokens = list(DaynightLexer().get_tokens("Ana casts Turn to Frog  # by Bo"))
    assert (Name, "Turn to Frog") in tokens
    assert (Keyword, "casts") in tokens
    assert (Comment.Single, "# by Bo") in tokens


@pytest.mark.parametrize("line", ['Ana says "never closed', "}", "Ana dances", "\x00", '{"a": ', "Ana casts {x"])
def test_no_line(line):
    tokens = list(DaynightLexer().get_tokens_unprocessed(line))
    assert "".join(value for _place, _token, value in tokens) == line
    assert any(token in (Text, Name) for _place, token, _value in tokens)
