"""Names for the games of a log, and digests that identify a game whatever its log is called."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from hashlib import sha256
from itertools import count

from msgspec.structs import replace as replace_event

from daynight.events.actions import GameStarted
from daynight.importers.frame import Item, Observed
from daynight.importers.sources import Source

FIRST = 8
"""The number of lines of the shortest digest."""

_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")


def safe(name: str) -> str:
    """Return a safe name for a game and its file, made from this name; empty if no character is usable.

    >>> safe("Ana vs. Bo: 1")
    'Ana-vs.-Bo-1'
    """
    return _UNSAFE.sub("-", name)[:100].strip("-.")


def named_anew(name: str, taken: set[str]) -> str:
    """Return the name, with a number behind it if it is in `taken`, and add the result to `taken`."""
    found = next(each for n in count(1) if (each := f"{name}-{n}" if n > 1 else name) not in taken)
    taken.add(found)
    return found


def named_after(source: Source, program: str, taken: set[str], ending: str = "") -> str:
    """Return a new name and add it to `taken`: the file's name up to its first dot, or else `program`, and `ending`."""
    stem = source.name.replace("\\", "/").rpartition("/")[2].partition(".")[0]
    return named_anew(f"{safe(stem) or program}{ending}", taken)


def told_apart(item: Item, program: str, lines: Iterable[str]) -> Item:
    """Return the item; add digests of the log's beginning to the first event of a game.

    `lines` are the lines of the game without the last one, which may be truncated.
    """
    if not isinstance(item, Observed) or not isinstance(item.event, GameStarted):
        return item
    about = {**(item.event.meta or {}), program: {"beginning": beginning(lines)}}
    return replace(item, event=replace_event(item.event, meta=about))


def beginning(lines: Iterable[str]) -> dict[str, str]:
    """Return digests of the first 8, 16, 32... lines. As a log grows, the earlier digests stay the same.

    >>> sorted(beginning(["Turn 1"] * 20))
    ['16', '8']
    """
    digests: dict[str, str] = {}
    digest = sha256()
    for number, line in enumerate(lines, 1):
        digest.update(f"{line}\n".encode("utf-8", "surrogatepass"))
        if number >= FIRST and not number & (number - 1):
            digests[str(number)] = digest.hexdigest()[:12]
    return digests
