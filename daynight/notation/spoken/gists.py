"""Reads lines by the classes of their words in any order: `gists.txt` lists the words that a kind of line needs.

If no order in `readings.txt` fits a line, its words may still allow only one reading: one player, one card and a word
for casting are a cast, if there is no other word of importance. Each word must be needed, or allowed, or a filler.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import NamedTuple

from daynight.notation.spoken.classes import Word

_NAMES = frozenset("PMCOLR@")
"""Classes of names: a word that is a name is never ignored."""


class Gist(NamedTuple):
    """A kind of line: the words that it needs and may have, the forbidden orders, and the resulting line."""

    needed: tuple[tuple[str, bool], ...]
    may: frozenset[str]
    never: tuple[str, ...]
    line: str


@cache
def gists() -> tuple[Gist, ...]:
    """Return every gist, in the order in which they are tried."""
    text = files("daynight.notation.spoken").joinpath("gists.txt").read_text("utf-8")
    return tuple(_gist(row) for row in text.splitlines() if not row.startswith("#"))


def _gist(row: str) -> Gist:
    order, _arrow, line = row.partition(" => ")
    needed, may, never = (part.strip() for part in order.split("|"))
    wanted = tuple((one.removesuffix("+").strip("[]"), one.endswith("+")) for one in needed.split())
    return Gist(wanted, frozenset(may), tuple(never.split()), line)


class Found(NamedTuple):
    """A match: the gist's line, the word for each placeholder of it, and the permanents."""

    line: str
    names: dict[str, Word]
    permanents: tuple[Word, ...]


def gist(words: Sequence[Word]) -> Found | None:
    """Return the matching gist for the words of a line; None if no gist matches."""
    for left in _without_aims(words):
        for one in gists():
            found = _met(one, left)
            if found is not None:
                return found
    return None


def _without_aims(words: Sequence[Word]) -> Iterator[Sequence[Word]]:
    """Yield the words unchanged, and then without those that name a target, such as `on w1`."""
    yield words
    said = [word for word in words if not _empty(word)]
    kept: list[Word] = []
    at = 0
    while at < len(said):
        end = _aim(said, at)
        if end == at:
            kept.append(said[at])
            end += 1
        at = end
    if len(kept) < len(said):
        yield kept


def _empty(word: Word) -> bool:
    return word.classes == {"f"}


def _aim(said: Sequence[Word], at: int) -> int:
    """Return the index after the words that name a target from index `at` on (`on w1`); `at` if there are none."""

    def has(place: int, letters: str) -> bool:
        return place < len(said) and not said[place].classes.isdisjoint(letters)

    end = at
    before = (has(at, "Ti") and "f" not in said[at].classes) or has(at, "8")
    if before:
        end += 1
    if has(end, "P") and has(end + 1, "'"):
        end += 2
    if not has(end, "MP" if has(at, "i") else "MCPpR" if before else "MCP"):
        return at
    end += 1
    if before:
        return end
    if has(end, "k"):
        end += 1
    return end + 1 if has(end, "W") and "J" not in said[end].classes else at


def _met(one: Gist, words: Sequence[Word]) -> Found | None:
    """Match one gist with these words; None if a word is missing, superfluous, or not allowed."""
    used: set[int] = set()
    names: dict[str, Word] = {}
    permanents: tuple[Word, ...] = ()
    for letters, several in one.needed:
        places = [place for place, word in enumerate(words)
                  if place not in used and not word.classes.isdisjoint(letters)]  # fmt: skip
        if letters == "M":
            together = _together(words, places)
            if together is None:
                return None
            permanents = together
            used.update(places)
            continue
        if not several:
            sure = [place for place in places if words[place].classes.isdisjoint(one.may | {"f"})]
            places = sure or places
            if len(places) != 1:
                return None
            names[f"{letters}1"] = words[places[0]]
        elif not places:
            return None
        used.update(places)
    for place, word in enumerate(words):
        if place not in used and word.classes.isdisjoint(one.may | {"f"}):
            return None
        if place not in used and not word.classes.isdisjoint(_NAMES - one.may) and word.text[0].isupper():
            return None
    return None if any(_stands(order, words) for order in one.never) else Found(one.line, names, permanents)


def _together(words: Sequence[Word], places: Sequence[int]) -> tuple[Word, ...] | None:
    """Return the permanents at these places, if they are neighbours or the same permanent; else None."""
    if not places:
        return None
    found = tuple({words[place].value: words[place] for place in places if words[place].value}.values())
    if not found or len(found) == 1:
        return found or None
    for first, then in pairwise(places):
        between = words[first + 1 : then]
        known = all(not word.classes.isdisjoint("MjfP'") for word in between)
        if not known or not any("j" in word.classes for word in between):
            return None
    return found


def _stands(order: str, words: Sequence[Word]) -> bool:
    """Return whether words of the classes in `order` follow one another, with only fillers between them."""
    said = [word for word in words if not _empty(word)]
    return any(
        all(_is(said[start + place], letter) for place, letter in enumerate(order))
        for start in range(len(said) - len(order) + 1)
    )


def _is(word: Word, letter: str) -> bool:
    """Return whether a word certainly has a class: a possible filler has no certain class."""
    return letter in word.classes and "f" not in word.classes
