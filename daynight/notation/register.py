"""Looks up keys, such as players or English card names, by a whole name, its beginning, or one of its words."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable
from itertools import islice

from daynight.cards.likeness import straight, unaccented

_SHOWN = 20


class Register:
    """Finds the keys of a name or of the beginning of one, without regard to case, accents and forms of apostrophes.

    With `words`, the beginning of any word in a name is enough.
    """

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
        """Return whether `text` is a whole name, and not only the beginning of one."""
        return folded(text) in self._whole

    def found(self, text: str) -> list[str]:
        """Return the keys of the name `text`; if there are none, those of the names that begin with it.

        If there are none either, those of the names with a word that begins with it. At most twenty are returned.
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
    """Return the keys by folded name, and by each word of a name with at least four letters, or two that are not Latin.

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
