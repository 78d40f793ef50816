"""Finds keys by a name, or by the beginning of one."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable
from itertools import islice

from daynight.cards.likeness import straight, unaccented

_SHOWN = 20


class Register:
    """Finds keys by a name, or by the beginning of one, ignoring case."""

    def __init__(self, named: Iterable[tuple[str, str]], *, words: bool = False) -> None:
        self._whole: dict[str, dict[str, None]] = {}
        beginnings: set[tuple[str, str]] = set()
        inner: set[tuple[str, str]] = set()
        for key, name in named:
            plain = folded(name)
            self._whole.setdefault(plain, {})[key] = None
            beginnings.add((plain, key))
            if words:
                inner.update((word, key) for word in plain.split())
        self._beginnings = (sorted(beginnings), sorted(inner))

    def has(self, text: str) -> bool:
        """Return whether this is a complete name."""
        return folded(text) in self._whole

    def found(self, text: str) -> list[str]:
        """Return the keys of that name; else those whose name begins with the text; else those with a word that does.

        At most twenty are returned.
        """
        asked = folded(text)
        if asked in self._whole:
            return list(islice(self._whole[asked], _SHOWN))
        for beginnings in self._beginnings:
            keys: dict[str, None] = {}
            for place in range(bisect_left(beginnings, (asked, "")), len(beginnings)):
                name, key = beginnings[place]
                if not name.startswith(asked) or len(keys) == _SHOWN:
                    break
                keys[key] = None
            if keys:
                return list(keys)
        return []


def folded(name: str) -> str:
    """Return a name without case, accents, and differences between apostrophes."""
    return unaccented(straight(name).casefold())


_FEWEST = 4
_BETWEEN = re.compile(r"[\s,]+|の|、|・|=|/|な(?=[\u4e00-\u9fff])")


def by_words(named: Iterable[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    """Return the keys by their names and by the longer words in these names, to find them by one word.

    >>> by_words([("w1", "Tavern Ruffian"), ("w2", "Village Watch")])["ruffian"]
    ('w1',)
    """
    whole: dict[str, dict[str, None]] = {}
    inner: dict[str, dict[str, None]] = {}
    for key, name in named:
        plain = folded(name)
        whole.setdefault(plain, {})[key] = None
        for word in _BETWEEN.split(plain):
            if len(word) >= (_FEWEST if word.isascii() else 2) and word != plain:
                inner.setdefault(word, {})[key] = None
    return {name: tuple(keys) for name, keys in (inner | whole).items()}
