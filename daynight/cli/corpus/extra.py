"""Checks for the packages that corpus commands need, and counts the cores for workers."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from daynight.cli.terminal.kinds import Whole
from daynight.cli.terminal.opening import Command
from daynight.corpus.sources.addresses import is_remote
from daynight.framework.language.wording import _

_EXTRAS = {"pyarrow": "corpus", "numpy": "corpus", "fsspec": "corpus", "dask": "cluster", "distributed": "cluster"}

workers = click.option(
    "--workers",
    metavar="NUMBER",
    type=Whole(min=1),
    help="How many processes work; by default one for each core.",
)


def into(
    name: str, metavar: str, text: str, *, required: bool = True, corpus: bool = False
) -> Callable[[Command], Command]:
    """Return a decorator that adds -o: a local folder outside of any corpus; with `corpus`, also a corpus itself."""
    kind = _FolderHere(corpus)
    return click.option("-o", "--output", name, metavar=metavar, required=required, type=kind, help=text)


class _FolderHere(click.Path):
    """The type of -o: a local folder outside of any corpus; with `corpus`, the folder may be a corpus itself.

    An address, such as `s3://...`, is refused: the commands rename the files in the folder when they are complete.
    """

    def __init__(self, corpus: bool) -> None:
        super().__init__(file_okay=False, path_type=Path)
        self._corpus = corpus

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the folder as a path; fail with BadParameter for an address, and for a folder in a corpus."""
        if isinstance(value, str) and is_remote(value):
            sentence = _("{address} is an address; name a folder of this machine, and copy it there when it is whole")
            self.fail(sentence.format(address=value), param, ctx)
        found = Path(os.fsdecode(super().convert(value, param, ctx)))
        place = found.resolve()
        for folder in (*(() if self._corpus else (place,)), *place.parents):
            if all((folder / name).exists() for name in _CORPUS):
                self.fail(_("{folder} is a corpus; name a folder outside of it").format(folder=folder), param, ctx)
        return found


_CORPUS = ("corpus.json", "games", "events", "lines")


@contextmanager
def extra() -> Iterator[None]:
    """Turn a failed import in this context into a sentence: which package is not installed, and how to install it.

    Raises:
        AskedError: where an import in this context fails because a package for corpora is not installed.
    """
    # Loaded here, because help does not need it.
    from daynight.machine.installing import needing

    with needing(_EXTRAS):
        yield


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
