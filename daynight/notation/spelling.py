"""Writes names: bare if they cannot be confused with the words around them, otherwise as a JSON string.

A name in quotation marks is taken literally; a bare one is looked up, and may be completed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import NamedTuple

from daynight.notation.doubts import seems_counted


class WrittenName(NamedTuple):
    """A name as written: its text, whether it was in quotation marks, its first column, and the column after it."""

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
"""The words at which the reader ends a bare name, where other words may follow a name."""

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
    """Return whether a name can be bare at every place: at the beginning of a line, and before other words."""
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
"""Keywords that can't be part of a bare id, each with the words that a message proposes instead; empty if none."""


def ours_in(name: str) -> list[str]:
    """Return the keywords of `OURS` in an id, in the order of `OURS`: first those with words to propose."""
    words = name.casefold().split()
    return [word for word in OURS if word in words]


def is_id(name: str) -> bool:
    """Return whether an id can be bare."""
    return is_words(name) and " " not in name and not ours_in(name)


def is_tail(name: str) -> bool:
    """Return whether a name can be bare at the end of a line: there it may contain commas and keywords."""
    return _TAIL.fullmatch(name) is not None


def is_cast(name: str) -> bool:
    """Return whether a card can be bare behind `casts`: it does not look like a number of spells there."""
    return is_tail(name) and not seems_counted(name)


def is_speaker(name: str) -> bool:
    """Return whether a name can be bare before `says` and `rules`."""
    # Of these words before `rules` the reader drops the article, as it does not belong to a name.
    plain = name.casefold() not in ("l'arbitre", "le juge") and A_SAYING.search(name) is None
    plain = plain and A_RULING.search(name) is None
    return (is_words(name) and plain and NO_JUDGE.fullmatch(name) is None) or name.casefold() == "judge"


def by(source: str | None) -> str:
    """Return ` by` and the source of an effect, for the end of a line; an empty text if it has none."""
    if source is None:
        return ""
    plain = is_tail(source) and OF_EFFECT.fullmatch(source) is None and A_REASON.search(source) is None
    return f" by {source if plain else quoted(source)}"


OF_EFFECT = re.compile(
    r"(?:(?P<card>.+?)(?:の|'s ))?(?:an? |the |une? |l')?"
    r"(?:effects?|abilit(?:y|ies)|triggers?|effet|capacité|効果|能力)"
)
"""Matches a source in everyday words, as in `Moonmist's effect`; only the card in it is read as the source."""

A_REASON = re.compile(
    r"\b(?:so|because|since|donc|puisque|parce que)\b|^(?:thanks to|grâce à) .*,|(?:ので?|から|ため)$", re.IGNORECASE
)
"""Matches a text in the place of a source that may give a reason: such a line is asked back."""

A_RULING = re.compile(r"\b(?:ruling|verdict|decision|décision)\b|裁定|判定", re.IGNORECASE)
"""Matches a text in the place of a speaker that may be a ruling: such a line is asked back."""

A_SAYING = re.compile("の(?:主張|申告|言い分|話)(?:では?)?$")
"""Matches what stands behind the name of a speaker in Japanese, as in `Boの主張`, and is no part of it."""

A_JUDGE = re.compile(r"\b(?:judge|HJ|FJ|arbitre|juge)\b|ジャッジ|審判", re.IGNORECASE)
"""Matches a word for a judge."""

NO_JUDGE = re.compile(
    r"(?:the )?ruling|(?:la )?d[ée]cision|confirme(?: la)?|a|has|が来て|来て|(?:et |and )?(?:a )?(?:dit|says?)",
    re.IGNORECASE,
)
"""Matches words before `rules` that the reader does not take for a judge's name."""


def quoted(text: str) -> str:
    """Return a text in quotation marks, on one line, as a JSON string."""
    return _ESCAPED.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(text, ensure_ascii=False))


def literals(names: Sequence[str]) -> str:
    """Return names with commas between them, quoted if need be, for a line where the reader looks none of them up."""
    return ", ".join(name if is_words(name) else quoted(name) for name in names)


def step_words(step: str) -> str:
    """Return the name of a step in words: `declare attackers` for `declare-attackers`."""
    return step.replace("-", " ")


# Characters that would end a line, or that are invisible.
_ESCAPED = re.compile("[\x7f-\x9f\u2028\u2029\ufeff]")


def unquoted(text: str) -> str:
    """Return the text inside quotation marks.

    Raises:
        ValueError: where it is not a JSON string.
    """
    found = json.loads(text)
    if not isinstance(found, str):
        raise ValueError(text)
    return found
