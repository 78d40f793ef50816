"""The stack in Forge's log: the objects put there, and which of them may be copies."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from daynight.importers.forge.copies import CopiesMade, copying, speaks_of_copies

MOST = 1_000
"""The most objects that are kept: more than in any game."""

_CREATURE = re.compile(r"(.+) - Creature [-+*\d]+ ?/ ?[-+*\d]+(?: \(X=-?\d+\))?")
_PREFIXED = re.compile(r"(.+?) \((\d{1,9})\) [-–—] ")
_ATTACHED = re.compile(r" *Attach to ")


@dataclass(slots=True)
class Put:
    """An object on the stack: `verb` is Forge's word for how it got there, `place` its event's index in the items.

    `copied`: whether it is a copy, certainly or possibly. `repeats`: a spell of that card was cast before in this turn.
    `paid`: mana was made just before it. `slow`: it was put there in a main phase of its player.
    """

    verb: str
    player: str
    name: str
    front: str
    number: str | None
    line: int
    place: int
    slow: bool = False
    copied: Copied | None = None
    repeats: bool = False
    paid: bool = False

    @property
    def is_spell(self) -> bool:
        """Return whether this is a spell, cast or copied."""
        return self.verb == "cast"


class Copied(Enum):
    """Whether an object that Forge calls cast was a copy."""

    SURELY = "surely"
    PERHAPS = "perhaps"


@dataclass(frozen=True, slots=True)
class Resolving:
    """The object named in the line of a resolution. `arrives`: the line has the form for permanents."""

    name: str | None
    arrives: bool
    number: str | None = None
    creature: bool = False


def resolving(text: str) -> Resolving:
    """Return the object that the line of a resolution names, and whether the line has the form for permanents.

    Forge writes a creature spell with its size, an Aura with its target, another permanent spell with its bare name;
    every other spell and ability with its effect, after its card and number if there are any.
    """
    if (found := _CREATURE.fullmatch(text)) is not None:
        return Resolving(found[1], True, creature=True)
    if (found := _PREFIXED.match(text)) is not None:
        return Resolving(found[1], _ATTACHED.match(text, found.end()) is not None, found[2])
    return Resolving(text or None, True)


class Stack:
    """The objects on the stack, the newest last.

    Forge writes `cast` for copies too. It puts them on the stack after the resolution that makes them, whose line it
    has written: so they come directly after that line, before any mana is made. If the line gives the number of copies,
    that many casts of that card after it are certainly copies, and further ones may be.

    If no cast follows a line about copying, the casts before it may be copies: those since the last resolution that
    repeat a spell of this turn or, if there are none, those after an ability was put on the stack. A cast that repeats
    one since the last resolution, without mana made for it, may be a copy too.
    """

    def __init__(self, front: Callable[[str], str]) -> None:
        self._front = front
        self._all: list[Put] = []
        self._run: list[Put] = []
        self._suspects: list[Put] = []
        self._casts = 0
        self._before: dict[str, int] = {}
        self._making: CopiesMade | None = None
        self._made = 0
        self._paid = False

    def paid(self) -> None:
        """Note that mana was made."""
        self._paid, self._making = True, None

    def put(self, put: Put) -> None:
        """Put an object on the stack, and set whether it may be a copy (`copied`), and its `repeats` and `paid`."""
        put.paid, self._paid = self._paid, False
        if not put.is_spell:
            self._making = None
        else:
            put.copied = self._copied(put.front)
            put.repeats = put.front in self._before
            if put.copied is None:
                self._before[put.front] = self._casts
                self._casts += 1
        self._all.append(put)
        self._run.append(put)
        if len(self._all) > MOST:
            del self._all[0]

    def _copied(self, front: str) -> Copied | None:
        """Return whether a cast now is surely or perhaps a copy that the last resolution made; None: it is no copy."""
        making = self._making
        if (
            making is None
            or (making.card is not None and self._front(making.card) != front)
            or front not in self._before
        ):
            self._making = None
            return None
        self._suspects.clear()
        self._made += 1
        sure = self._before[front] if making.sure is None else making.sure
        return Copied.SURELY if self._made <= sure else Copied.PERHAPS

    def settle(self, text: str | None = None) -> list[Put]:
        """Return the casts that were perhaps copies; called when something resolves (`text`) or a step begins.

        If `text` is about copying, its suspects are returned by the next call, unless a copy follows that line.
        """
        repeated, made, again = [], [], []
        ability = False
        fresh: set[str] = set()
        for put in self._run:
            if not put.is_spell:
                ability = True
            elif put.copied is None:
                if put.repeats:
                    repeated.append(put)
                if ability:
                    made.append(put)
                if put.front in fresh and not put.paid:
                    again.append(put)
                fresh.add(put.front)
        settled, self._suspects = self._suspects, []
        if text is not None and speaks_of_copies(text):
            self._suspects = repeated or made
        else:
            settled = settled + again
        self._run.clear()
        self._paid, self._making, self._made = False, None, 0
        return settled

    def resolve(self, text: str, front: str | None, number: str | None) -> Put | None:
        """Take the topmost object of that card off the stack and return it. None: an ability is taken off instead."""
        self._making = copying(text)
        for at in range(len(self._all) - 1, -1, -1):
            put = self._all[at]
            if put.front == front and (number is None or put.number in (None, number)):
                del self._all[at]
                return put
        for at in range(len(self._all) - 1, -1, -1):
            if not self._all[at].is_spell:
                del self._all[at]
                break
        return None

    def empty(self, *, turn: bool = False) -> None:
        """Empty the stack, because a step began. `turn`: a turn ended, so also forget which spells were cast in it."""
        self._all.clear()
        self._paid, self._making = False, None
        if turn:
            self._before.clear()
            self._casts = 0
