"""Proves that a process sees the same folders as another one, and not different or empty ones under the same paths."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from secrets import token_hex
from typing import NamedTuple, Protocol

from daynight.corpus.manifest import MANIFEST
from daynight.corpus.sources import addresses
from daynight.framework.language.errors import DaynightError

MARK = "seen-by-all"
"""The name of the file in the work folder that holds a secret token."""


class Seen(NamedTuple):
    """A file in a `folder`, by its address and its SHA-256: a process that reads these bytes there sees the folder."""

    folder: str
    address: str
    sha256: str


class Placed(Protocol):
    """A task that reads a corpus at `place`, and writes into the folder `work`."""

    @property
    def place(self) -> str:
        """The address of the corpus."""
        ...

    @property
    def work(self) -> str:
        """The path of the folder into which the task writes."""
        ...


class Proofs:
    """Returns for each task the files that prove that a worker sees its corpus and its work folder."""

    def __init__(self) -> None:
        self._known: dict[str, Seen] = {}

    def __call__(self, task: Placed) -> tuple[Seen, ...]:
        """Return the proofs of a task: `corpus.json`, and a token that the first call writes into the work folder.

        Raises:
            NotFoundError, UnreadableError, OSError: where one of them cannot be read or written here.
        """
        if task.work not in self._known:
            path = Path(task.work) / MARK
            path.write_text(token_hex(16), "ascii")
            self._known[task.work] = _seen(task.work, str(path))
        if task.place not in self._known:
            self._known[task.place] = _seen(task.place, addresses.joined(task.place, MANIFEST))
        return self._known[task.place], self._known[task.work]


def _seen(folder: str, address: str) -> Seen:
    return Seen(folder, address, sha256(addresses.read(address)).hexdigest())


def unseen(proofs: tuple[Seen, ...]) -> str | None:
    """Return the first folder that this process does not see; None if it sees them all."""
    for one in proofs:
        try:
            found = _seen(one.folder, one.address)
        except (OSError, DaynightError):
            return one.folder
        if found != one:
            return one.folder
    return None
