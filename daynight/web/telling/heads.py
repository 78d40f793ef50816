"""Heads: digests that distinguish two games of the same name, and a game from an older copy of itself."""

from __future__ import annotations

from hashlib import sha256

from daynight.store.proving.chain import ORIGIN
from daynight.web.shelf import Shelved


def identity_of(shelved: Shelved) -> str:
    """Return the identity of a game among those of its name: the digest at event 1; for a file, that of its first line.

    It is 64 hexadecimal digits.
    """
    if shelved.kind == "file":
        (line,) = shelved.lines(0, 1)
        return sha256(line).hexdigest()
    return head_of(shelved, 1)


def head_of(shelved: Shelved, number: int) -> str:
    """Return the digest at event `number` (0: before the first), 64 hexadecimal digits; empty if there is none."""
    digest = ORIGIN if number == 0 else shelved.digest(number)
    return "" if digest is None else digest.hex()


def heads_of(shelved: Shelved, after: int, until: int) -> list[str]:
    """Return the digests at the events after event `after`, up to `until`, each as 64 hexadecimal digits."""
    return [digest.hex() for digest in shelved.digests(after, until)]
