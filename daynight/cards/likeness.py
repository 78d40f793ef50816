"""Compare names letter by letter: which cards may a misspelt name mean?"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from functools import lru_cache

_SHOWN = 2
_SHORTEST = 4
"""Names of fewer letters are not compared: too many others are one letter away."""

_LETTERS = 7
"""One letter in so many may be otherwise."""


def straight(name: str) -> str:
    """A name with plain apostrophes, each letter one character: as names in other languages are kept."""
    return unicodedata.normalize("NFC", name).replace("\u2019", "'")


def nearest(name: str, names: Iterable[str]) -> tuple[str, ...]:
    """The names of which `name` may be a misspelling: two at most, the nearest first.

    Case and accents do not count. One letter in seven may be missing, added, replaced or swapped with the next one.

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
    """The letters alone: no case, no accents."""
    letters = unicodedata.normalize("NFKD", straight(name).casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def _apart(one: str, other: str, most: int) -> int:
    """How many letters are put in, taken out, replaced or swapped with the next one between two names.

    Where there are more than `most` of them, the answer is only some number above `most`. A path of at most so many
    steps stays within `most` columns of the diagonal: nothing else is computed.
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
