"""The stack, as far as Forge's log tells it: what was put there, and which of it may have been no cast."""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["Put", "Stack", "resolving"]

MOST = 1_000
"""How many objects are kept: far beyond any game."""

_COPYING = re.compile(r"\bcop(?:y|ies|ied)\b", re.IGNORECASE)
_CREATURE = re.compile(r"(.+) - Creature -?\d+ ?/ ?-?\d+")
_PREFIXED = re.compile(r"(.+?) \((\d{1,9})\) [-–—] ")


@dataclass(slots=True)
class Put:
    """Something that was put on the stack: `verb` is Forge's word for how, `place` where its event stands.

    `paid`: mana was made just before it.
    """

    verb: str
    player: str
    name: str
    front: str
    number: str | None
    line: int
    place: int
    paid: bool = False


@dataclass(frozen=True, slots=True)
class _Resolving:
    name: str | None
    arrives: bool
    number: str | None = None
    creature: bool = False


def resolving(text: str) -> _Resolving:
    """What the line of a resolution names, and whether what is so named is a permanent.

    A creature spell is told with its size, another permanent spell by its bare name; every other spell and ability
    by what it does, after its card and number if there are any.
    """
    if (found := _CREATURE.fullmatch(text)) is not None:
        return _Resolving(found[1], True, creature=True)
    if (found := _PREFIXED.match(text)) is not None:
        return _Resolving(found[1], False, found[2])
    return _Resolving(text or None, True)


class Stack:
    """What is on the stack, the newest last.

    Forge writes `cast` for copies too. The line of a resolution is written when it is over: what the resolving object
    itself put on the stack stands directly before it. Where that line speaks of copying, those casts since the last
    resolution may be copies that repeat a spell of this turn; where none does, those after an ability was put there.
    And so may be a cast that repeats one since the last resolution without any mana made for it.
    """

    def __init__(self) -> None:
        self._all: list[Put] = []
        self._run: list[Put] = []
        self._cast: set[str] = set()
        self._paid = False

    def paid(self) -> None:
        """Mana was made."""
        self._paid = True

    def put(self, put: Put) -> None:
        """Something is put on top."""
        put.paid, self._paid = self._paid, False
        self._all.append(put)
        self._run.append(put)
        if len(self._all) > MOST:
            del self._all[0]

    def settle(self, text: str | None = None) -> list[Put]:
        """The casts that may have been none, now that something resolved (with this text), or a step began."""
        copying = text is not None and _COPYING.search(text) is not None
        repeated, made, again = [], [], []
        ability = False
        fresh: set[str] = set()
        for put in self._run:
            if put.verb != "cast":
                ability = True
                continue
            if put.front in self._cast:
                repeated.append(put)
            if ability:
                made.append(put)
            if put.front in fresh and not put.paid:
                again.append(put)
            fresh.add(put.front)
            self._cast.add(put.front)
        self._run.clear()
        self._paid = False
        return (repeated or made) if copying else again

    def resolve(self, front: str | None, number: str | None) -> Put | None:
        """The topmost object of that card leaves the stack; None if the text named none of those there."""
        for at in range(len(self._all) - 1, -1, -1):
            put = self._all[at]
            if put.front == front and (number is None or put.number in (None, number)):
                del self._all[at]
                return put
        for at in range(len(self._all) - 1, -1, -1):
            if self._all[at].verb != "cast":
                del self._all[at]
                break
        return None

    def empty(self, *, turn: bool = False) -> None:
        """A step began: nothing is on the stack any more. With `turn`, no spell of this turn was cast before."""
        self._all.clear()
        self._paid = False
        if turn:
            self._cast.clear()
