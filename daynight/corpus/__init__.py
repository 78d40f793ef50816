"""The corpus: many recorded games as Parquet, audited and counted together.

`load` gives its tables to duckdb, polars, pandas or Arrow.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from daynight.machine.installing import needing

if TYPE_CHECKING:
    from pathlib import Path

    from daynight.corpus.asking.loading import Corpus

__all__ = ["load"]


def load(folder: str | Path) -> Corpus:
    """Return the tables of the corpus in a folder, or at an address that fsspec knows.

    Raises:
        NotFoundError, UnreadableError: where there is no such corpus, or another version of the rules made it.
        AskedError: where it is not finished, or a library that a corpus needs is not installed.
    """
    with needing(dict.fromkeys(("pyarrow", "numpy", "fsspec"), "corpus")):
        from daynight.corpus.asking.loading import Corpus

    return Corpus(folder)
