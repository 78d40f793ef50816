"""A grammar for TextMate, which VS Code and GitHub read: `python -m daynight.notation.editors.textmate` prints it.

TextMate has no context: a keyword is coloured anywhere except in quotation marks, in a comment, or in the name of a
cast card.
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
_JSON = r"\{(?:[^{}\"]|\"(?:[^\"\\]|\\.)*\"|\{[^{}]*\})*\}"


def grammar() -> dict[str, Any]:
    """The grammar as JSON."""
    rules = [{"name": SCOPES["comment"], "match": _COMMENT}]
    for term in terms():
        if term.kind == "name":
            continue
        before = boundary() if term.kind not in ("sign", "string", "json") and term.name != "SKIPS" else ""
        # The grammar reads lines without their comments, so its end of line is the comment's start.
        pattern = _JSON if term.kind == "json" else term.pattern.replace("|$)", "|#|$)")
        rules.append({"name": SCOPES[term.kind], "match": before + pattern})
    return {
        "$schema": "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json",
        "name": "daynight",
        "scopeName": "source.daynight",
        "fileTypes": ["dn"],
        "patterns": rules,
    }


def told() -> str:
    """The text of the grammar's file."""
    return json.dumps(grammar(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    sys.stdout.write(told())
