"""Finds the kinds of words: verbs in all their forms (`words.txt`), and words of doubt or chat (`unsure.txt`).

Texts are compared in lower case and without accents.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files

from daynight.notation.spoken.classes import folded
from daynight.notation.spoken.inflection import forms

_LONGEST = 40
"""The most characters of a verb's form."""

_LETTER = "[a-z0-9']"
_LANGUAGES = ("en", "fr", "ja")


def _rows(name: str) -> Iterator[tuple[str, str, str]]:
    """Yield the rows of a file: the kind, the language with its verbs, or an empty text with a regular expression."""
    for row in files("daynight.notation.loose").joinpath(name).read_text("utf-8").splitlines():
        heading, arrow, said = row.partition(" => ")
        if arrow and not row.startswith("#"):
            kind, _space, language = heading.rpartition(" ")
            yield (kind, language, said) if language in _LANGUAGES else (heading, "", said)


@cache
def _forms() -> dict[str, tuple[str, ...]]:
    """Return the kinds of verbs by each of their forms."""
    found: dict[str, tuple[str, ...]] = {}
    for kind, language, verbs in _rows("words.txt"):
        for verb in verbs.split(", ") if language else ():
            for form in map(folded, forms(language, verb)):
                if kind not in found.get(form, ()):
                    found[form] = (*found.get(form, ()), kind)
    return found


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    found: dict[str, list[str]] = {}
    for kind, language, pattern in _rows("words.txt"):
        if not language:
            found.setdefault(kind, []).append(pattern)
    return tuple((kind, re.compile(f"(?:{'|'.join(parts)}){_ENDED}")) for kind, parts in found.items())


_ENDED = "(?:(?<=[a-z0-9])(?![a-z0-9])|(?<![a-z0-9]))"
"""Matches the end of a word: behind a Latin letter or digit no other one follows."""


def ends(text: str, at: int) -> bool:
    """Return whether a word may begin or end at this position of a text."""
    return at in (0, len(text)) or not (_is_letter(text[at - 1]) and _is_letter(text[at]))


def _is_letter(letter: str) -> bool:
    return letter.isalnum() and letter < "\u2e80"


def kinds_at(plain: str, at: int) -> tuple[int, tuple[str, ...]]:
    """Return the end of the longest known word at a position, and its kinds; `at` and no kinds if there is none."""
    best: dict[int, tuple[str, ...]] = {}
    verbs = _forms()
    for end in range(min(len(plain), at + _LONGEST), at, -1):
        if (kinds := verbs.get(plain[at:end])) is not None and ends(plain, end):
            best[end] = kinds
            break
    for kind, pattern in _patterns():
        found = pattern.match(plain, at)
        if found is not None and found.end() > at and ends(plain, found.end()):
            best[found.end()] = (*best.get(found.end(), ()), kind)
    end = max(best, default=at)
    return end, best.get(end, ())


@cache
def listed(kind: str) -> re.Pattern[str]:
    """Return a regular expression that finds any word of one kind in `unsure.txt`, such as `never`."""
    parts = [pattern for name, _language, pattern in _rows("unsure.txt") if name == kind]
    whole = [
        part if _JAPANESE.search(part) or part.startswith("[") else rf"(?<![a-z0-9])(?:{part})(?!{_LETTER})"
        for part in parts
    ]
    return re.compile("|".join(whole))


_JAPANESE = re.compile("[\u3040-\u9fff]")
