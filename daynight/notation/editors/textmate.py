"""A grammar for TextMate, which VS Code and GitHub read: `python -m daynight.notation.editors.textmate` prints it.

TextMate has no context: a keyword is coloured anywhere except in quotation marks, in a comment, in the name of a cast
or copied card, or in the name of a game or an edition. An editor passes each line with its line end.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from daynight.notation.editors.terms import Kind, boundary, terms

SCOPES: dict[Kind, str] = {
    "header": "keyword.other.header.daynight",
    "turn": "keyword.control.turn.daynight",
    "step": "entity.name.section.step.daynight",
    "keyword": "keyword.other.daynight",
    "number": "constant.numeric.daynight",
    "string": "string.quoted.double.daynight",
    "json": "meta.embedded.json.daynight",
    "time": "constant.other.time.daynight",
    "sign": "punctuation.separator.daynight",
    "comment": "comment.line.number-sign.daynight",
}
"""The scope of each kind of word; names have none."""

_COMMENT = r"(?:(?<=[ \t])|^)#.*$"
_NAMED = {"_GAME": "^[ \t]*", "_EDITION": "^[ \t]*", "_CASTS": "", "_COPIES": ""}
"""The terms after which a name goes on to the line's end or a bracket, each with the pattern that comes before it."""

_JSON = r"\{(?:[^{}\"]|\"(?:[^\"\\]|\\.)*\"|\{[^{}]*\})*\}"


def grammar() -> dict[str, Any]:
    """Return the grammar as a JSON document."""
    rules: list[dict[str, Any]] = [{"name": SCOPES["comment"], "match": _COMMENT}, *map(_named, _NAMED)]
    for term in terms():
        if term.kind == "name":
            continue
        before = boundary() if term.kind not in ("sign", "string", "json") and term.name != "SKIPS" else ""
        pattern = _JSON if term.kind == "json" else term.pattern
        rules.append({"name": SCOPES[term.kind], "match": _in_lines(before + pattern)})
    return {
        "$schema": "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json",
        "name": "daynight",
        "scopeName": "source.daynight",
        "fileTypes": ["dn"],
        "patterns": rules,
    }


def _in_lines(pattern: str) -> str:
    """Return a pattern of the notation's grammar, changed for lines that still have their comment and line end."""
    return pattern.replace("|$)", "|#|$)").replace("[^ \t", "[^ \t\n")


def _named(name: str) -> dict[str, Any]:
    """Return a rule that colours a term, and leaves the name behind it without colour."""
    found = {term.name: term for term in terms()}
    others = "|".join(found[other].pattern for other in ("_A_SPELL", "TIMES", "RANGE"))
    text = found["TEXT"].pattern.replace("(?!@)", "(?![@#])")
    pattern = f"{_NAMED[name]}{boundary()}({found[name].pattern})[ \t]+(?!{others}){text}"
    return {"match": _in_lines(pattern), "captures": {"1": {"name": SCOPES[found[name].kind]}}}


def told() -> str:
    """Return the TextMate grammar as the text of a JSON file."""
    return json.dumps(grammar(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    sys.stdout.write(told())
