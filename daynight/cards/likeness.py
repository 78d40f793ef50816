"""Compares names letter by letter, to find the cards that a misspelt name may mean."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from functools import lru_cache

_SHOWN = 2
_SHORTEST = 4
"""Names of fewer letters are not compared, because too many others differ from them in one letter."""

_LETTERS = 7
"""One letter in so many may differ; in a shorter name, one."""


def straight(name: str) -> str:
    """Return a name with plain apostrophes and in Unicode form NFC, as names in other languages are kept."""
    return unicodedata.normalize("NFC", name).replace("\u2019", "'")


def nearest(name: str, names: Iterable[str]) -> tuple[str, ...]:
    """Return the names of which `name` may be a misspelling: two at most, the nearest first.

    Case and accents do not count. One letter in seven may be missing, added, replaced or swapped with the next one; the
    first two letters or the last two must be the same.

    >>> nearest("Cathare brutale", ["Cathare brutal", "Brutal Cathar"])
    ('Cathare brutal',)
    >>> nearest("Opt", ["Opts"]), nearest("Storm Crow", ["Wolf Strike"])
    ((), ())
    """
    asked = _plain(name)
    most = max(1, len(asked) // _LETTERS)
    if len(asked) < _SHORTEST:
        return ()
    found: list[tuple[int, str]] = []
    for other in names:
        plain = _plain(other)
        if abs(len(plain) - len(asked)) <= most and (plain[:2] == asked[:2] or plain[-2:] == asked[-2:]):
            apart = _apart(asked, plain, most)
            if apart <= most:
                found.append((apart, other))
    return tuple(other for _apart, other in sorted(found, key=lambda each: each[0])[:_SHOWN])


@lru_cache(maxsize=4096)
def _plain(name: str) -> str:
    """Return the letters of a name without case and accents."""
    letters = unicodedata.normalize("NFKD", straight(name).casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def _apart(one: str, other: str, most: int) -> int:
    """Return how many letters are added, missing, replaced or swapped with the next one between two names.

    If they are more than `most`, return any number above `most`. A path of at most `most` steps stays within `most`
    columns of the diagonal, so only these columns are computed.
    """
    far = most + 1
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
