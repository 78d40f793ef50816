"""The packages that the commands of a corpus need beside daynight, and how many workers they use."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from daynight.cli.terminal.kinds import Whole
from daynight.cli.terminal.opening import Command

_EXTRAS = {"pyarrow": "corpus", "numpy": "corpus", "fsspec": "corpus", "dask": "cluster", "distributed": "cluster"}

workers = click.option(
    "--workers",
    metavar="NUMBER",
    type=Whole(min=1),
    help="How many processes work; by default one for each core.",
)


def into(name: str, metavar: str, text: str, *, required: bool = True) -> Callable[[Command], Command]:
    """Return the option -o, which names a folder to write into."""
    folder = click.Path(file_okay=False, path_type=Path)
    return click.option("-o", "--output", name, metavar=metavar, required=required, type=folder, help=text)


@contextmanager
def extra() -> Iterator[None]:
    """Say which package is not installed, and how to install it.

    Raises:
        AskedError: where an import inside fails because of such a package.
    """
    # Loaded here, because help does not need it.
    from daynight.machine.installing import needing

    with needing(_EXTRAS):
        yield


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
