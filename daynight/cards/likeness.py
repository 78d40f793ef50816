"""Compares names by their words and letters, to find the cards that a misspelt name may mean."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

_SHOWN = 2
_SHORTEST = 4
"""Two names that are both shorter are not compared letter by letter: too many differ in only one letter."""

_LETTERS = 5
"""One letter in this many may differ; in a shorter name, one letter."""

_FEWEST = 3
"""The fewest letters that the words found in both names must have together, for `_contains` to be true."""


def straight(name: str) -> str:
    """Return a name with plain apostrophes and in Unicode form NFC, as names in other languages are kept."""
    return unicodedata.normalize("NFC", name).replace("\u2019", "'")


def unaccented(name: str) -> str:
    """Return a name without the accents of its Latin letters, in Unicode form NFC.

    >>> unaccented("Forêt d'œuvre"), unaccented("ごろつき")
    ("Foret d'oeuvre", 'ごろつき')
    """
    if name.isascii():
        return name
    letters = _ACCENTS.sub("", unicodedata.normalize("NFD", name))
    return unicodedata.normalize("NFC", letters).replace("œ", "oe").replace("æ", "ae")


def nearest(
    name: str, names: Iterable[str], *, letters_alone: bool = False, meaning: Mapping[str, str] | None = None
) -> tuple[str, ...]:
    """Return the names of which `name` may be a misspelling: two at most, the nearest first.

    Of names that mean the same, by `meaning`, only the nearest is returned.

    Case, accents, an article before it and the two kinds of kana do not count. One letter in five may be missing,
    added, replaced or swapped with the next one. If no name is so near: those of which `name` contains all words, or
    all but one; `letters_alone` switches that off.

    >>> nearest("Cathare brutale", ["Cathare brutal", "Brutal Cathar"])
    ('Cathare brutal',)
    >>> nearest("The Village Watchers", ["Village Watch", "Tavern Ruffian"])
    ('Village Watch',)
    >>> nearest("Op", ["Opt"]), nearest("Storm Crow", ["Wolf Strike"])
    ((), ())
    """
    asked = _name(name)
    found: list[tuple[int, str]] = []
    held: list[str] = []
    for other in names:
        there = _name(other)
        longer = max(len(asked.letters), len(there.letters))
        most = max(1, longer // _LETTERS)
        apart = 0 if asked.letters == there.letters else most + 1
        if apart and longer >= _SHORTEST and (asked.held ^ there.held).bit_count() <= 2 * most:
            apart = _apart(asked.letters, there.letters, most)
        if apart <= most:
            found.append((apart, other))
        elif not letters_alone and _contains(asked, there):
            held.append(other)
    ranked = [other for _apart, other in sorted(found, key=lambda each: each[0])] or held
    one_each = {(meaning or {}).get(other, other): other for other in reversed(ranked)}
    return tuple(other for other in ranked if other in one_each.values())[:_SHOWN]


def same(one: str, other: str) -> bool:
    """Return whether two names differ in nothing but case, accents, an article before them, or the kind of kana."""
    return _name(one).letters == _name(other).letters


class _Name(NamedTuple):
    """A name prepared for comparison: its letters, its words, and a bit set of the letters in it."""

    letters: str
    words: Sequence[str]
    held: int


_ARTICLES = frozenset(("the", "a", "an", "le", "les", "la", "un", "une"))
_ARTICLE = re.compile(rf"(?:{'|'.join(sorted(_ARTICLES))}) +|l' *")
_WORD = re.compile(r"[^\W_](?:[\w'-]*\w)?")
# Words of a Japanese name are not set apart; these stand between them.
_BETWEEN = re.compile(r"の|、|・|=|/|な(?=[\u4e00-\u9fff])|\s")
_ACCENTS = re.compile(r"[\u0300-\u036f]")
_TO_HIRAGANA = {katakana: katakana - 0x60 for katakana in range(0x30A1, 0x30F7)}


@lru_cache(maxsize=4096)
def _name(name: str) -> _Name:
    decomposed = unicodedata.normalize("NFKD", straight(name).casefold()).translate(_TO_HIRAGANA)
    letters = "".join(letter for letter in decomposed if not unicodedata.combining(letter))
    letters = " ".join(letters.split())
    letters = _ARTICLE.sub("", letters, count=1) if _ARTICLE.match(letters) else letters
    apart = _BETWEEN.split(letters) if _is_japanese(letters) else _WORD.findall(letters)
    held = 0
    for letter in letters:
        held |= 1 << ord(letter) % 64
    return _Name(letters, tuple(word for word in apart if word and word not in _ARTICLES), held)


def _is_japanese(text: str) -> bool:
    return any("\u3040" <= letter <= "\u9fff" for letter in text)


def _contains(asked: _Name, there: _Name) -> bool:
    """Return whether `asked` has all words of `there`, or all but one of several, with `_FEWEST` letters or more."""
    words = there.words
    if not words or " // " in there.letters:
        return False
    if _is_japanese(there.letters):
        here = sum(len(word) for word in words if word in asked.letters)
        missing = sum(word not in asked.letters for word in words)
    else:
        left = Counter(asked.words)
        found = []
        for word in words:
            if left[word]:
                left[word] -= 1
                found.append(word)
        here, missing = sum(map(len, found)), len(words) - len(found)
    return missing <= (len(words) > 1) and here >= _FEWEST


def _apart(one: str, other: str, most: int) -> int:
    """Return how many letters are added, missing, replaced or swapped with the next one between two names.

    If they are more than `most`, return any number above `most`. A path of at most `most` steps stays within `most`
    columns of the diagonal, so only these columns are computed.
    """
    far = most + 1
    if abs(len(one) - len(other)) > most:
        return far
    last: list[int] = []
    before: list[int] = [*range(len(other) + 1)]
    for row, letter in enumerate(one, 1):
        now: list[int] = [row, *[far] * len(other)]
        for column in range(max(1, row - most), min(len(other), row + most) + 1):
            another = other[column - 1]
            least = min(before[column] + 1, now[column - 1] + 1, before[column - 1] + int(letter != another))
            if row > 1 and column > 1 and letter == other[column - 2] and another == one[row - 2]:
                least = min(least, last[column - 2] + 1)
            now[column] = least
        if min(now) > most:
            return far
        last, before = before, now
    return before[-1]
