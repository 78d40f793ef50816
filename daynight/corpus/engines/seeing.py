"""Proves that a process sees the same folders as another one, and not different or empty ones under the same paths."""

from __future__ import annotations

from hashlib import sha256
from typing import NamedTuple, Protocol

from daynight.corpus.manifest import MANIFEST
from daynight.corpus.sources import addresses
from daynight.framework.language.errors import DaynightError


class Seen(NamedTuple):
    """A file in a `folder`, by its address and its SHA-256: a process that reads these bytes there sees the folder."""

    folder: str
    address: str
    sha256: str


class Placed(Protocol):
    """A task that reads a corpus at `place`."""

    @property
    def place(self) -> str:
        """The address of the corpus."""
        ...


class Proofs:
    """Returns for each task the file that proves that a worker sees its corpus."""

    def __init__(self) -> None:
        self._known: dict[str, Seen] = {}

    def __call__(self, task: Placed) -> Seen:
        """Return the proof of a task: its `corpus.json`.

        Raises:
            NotFoundError, UnreadableError, OSError: where it cannot be read here.
        """
        if task.place not in self._known:
            self._known[task.place] = _seen(task.place, addresses.joined(task.place, MANIFEST))
        return self._known[task.place]


def _seen(folder: str, address: str) -> Seen:
    return Seen(folder, address, sha256(addresses.read(address)).hexdigest())


def is_seen(proof: Seen) -> bool:
    """Return whether this process reads the same bytes at the address of a proof."""
    try:
        return _seen(proof.folder, proof.address) == proof
    except (OSError, DaynightError):
        return False
