"""How a name is spelled: bare where it can be told from the words around it, otherwise as a JSON string.

A name in quotation marks is taken literally; a bare one is looked up, and may be completed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import NamedTuple

from daynight.notation.doubts import seems_counted


class WrittenName(NamedTuple):
    """A name as it is written: its text, whether it is in quotation marks, and its columns, from 1."""

    text: str
    literal: bool
    column: int
    end: int


_RESERVED = """
about again and appeals are as back backs be become becomes by calls can can't can’t cannot cant cast casts claimed
closes control controls copies enter enters face fix get gets if in is leave leaves lose loses maybe more of or perhaps
phase phases regain regains rules says shows since spell spells stay stays to token transform transforms turn turns
under up win wins without
"""
RESERVED = frozenset(_RESERVED.split())
"""The words that end a bare name, if something may follow it."""

_WORD = r"[^\s\x00-\x1f\x7f\"(){}\[\],:;·@#][^\s\x00-\x1f\x7f\"(){}\[\],:;·@]*"
_WORDS = re.compile(f"{_WORD}(?: {_WORD})*")
_PIECE = r"(?![@#])[^\s\x00-\x1f\x7f\"(){}\[\]]+"
_TAIL = re.compile(f"{_PIECE}(?: {_PIECE})*")
_BEGINNINGS = re.compile(
    r"(?:game|players|teams|edition|joined|turn|judge|dispute|it(?:['’]s)?|the|transforming|enters?|leaves?|step|untap"
    r"|upkeep|draw|pre-?combat|main|beginning|declare|combat|end|post-?combat|second|cleanup"
    r"|no (?:untap|upkeep|draw|pre-?combat|main|beginning|declare|combat|end|post-?combat|second|cleanup))(?![^ -])",
    re.IGNORECASE,
)


def is_words(name: str) -> bool:
    """Whether a name can stand bare where other words may follow, as the first thing on a line too."""
    return (
        _WORDS.fullmatch(name) is not None
        and _BEGINNINGS.match(name) is None
        and RESERVED.isdisjoint(name.casefold().split(" "))
        and "/" not in name.split(" ")
    )


OURS = {
    "token": "token", "back": "back face up", "transformed": "back face up", "flipped": "back face up",
    "down": "face down", "phased": "phased out", "front": "", "face": "", "up": "", "tapped": "", "countered": "",
}  # fmt: skip
"""Keywords that can't be part of a bare id, and what is meant by each; empty if nothing needs to be written."""


def ours_in(name: str) -> list[str]:
    """The keywords in an id, the most telling one first."""
    words = name.casefold().split()
    return [word for word in OURS if word in words]


def is_id(name: str) -> bool:
    """Whether an id can stand bare."""
    return is_words(name) and " " not in name and not ours_in(name)


def is_tail(name: str) -> bool:
    """Whether a name can stand bare as the last thing on a line: commas and our own words are a part of it there."""
    return _TAIL.fullmatch(name) is not None


def is_cast(name: str) -> bool:
    """Whether a card can stand bare behind `casts`, and is no number of spells."""
    return is_tail(name) and not seems_counted(name)


def is_speaker(name: str) -> bool:
    """Whether a name can stand bare before `says` and `rules`."""
    return is_words(name) or name.casefold() == "judge"


def quoted(text: str) -> str:
    """A text in quotation marks, on one line, as JSON has it."""
    return _ESCAPED.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(text, ensure_ascii=False))


def literals(names: Sequence[str]) -> str:
    """Names one after the other, taken as they are."""
    return ", ".join(name if is_words(name) else quoted(name) for name in names)


def step_words(step: str) -> str:
    """The words of a step."""
    return step.replace("-", " ")


# What would end a line, or could not be told from nothing.
_ESCAPED = re.compile("[\x7f-\x9f\u2028\u2029\ufeff]")


def unquoted(text: str) -> str:
    """The text of a quoted one.

    Raises:
        ValueError: where it is no JSON string.
    """
    found = json.loads(text)
    if not isinstance(found, str):
        raise ValueError(text)
    return found
