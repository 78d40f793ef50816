"""The names of all known cards, to distinguish a misspelt name from that of a card without day and night.

`names.txt.gz` has the English names, one per line, in the form of `folded`. It is read when a name is not in the
catalogue. It is generated from a list of names, one per line: `python -m daynight.cards.names LIST`.
"""

from __future__ import annotations

import sys
import unicodedata
import zlib
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from pathlib import Path

_PACKED = "names.txt.gz"

_GZIP = 31
"""The value of zlib's `wbits` for gzip files."""

BASICS = {
    "fr": {"Plains": "Plaine", "Island": "Île", "Swamp": "Marais", "Mountain": "Montagne", "Forest": "Forêt"},
    "ja": {"Plains": "平地", "Island": "島", "Swamp": "沼", "Mountain": "山", "Forest": "森"},
}
"""The basic lands in French and Japanese by their English names: the cards that players name most often."""


_ENGLISH = {name: english for names in BASICS.values() for english, name in names.items()}


def basic(name: str) -> str | None:
    """Return the English name of a basic land by its French or Japanese one, without accents and case; else None.

    >>> basic("foret"), basic("島"), basic("Forest")
    ('Forest', 'Island', None)
    """
    asked = folded(name)
    return next((english for name, english in _ENGLISH.items() if folded(name) == asked), None)


def folded(name: str) -> str:
    """Return a name without case and accents, with plain apostrophes.

    >>> folded("Forêt de l’Aube")
    "foret de l'aube"
    """
    letters = unicodedata.normalize("NFKD", name.replace("\u2019", "'").casefold())
    return letters if letters.isascii() else "".join(letter for letter in letters if not unicodedata.combining(letter))


def is_known(name: str) -> bool:
    """Return whether cards have this name, or both names around ` // `; basic lands also in French and Japanese.

    >>> is_known("storm crow"), is_known("Forêt"), is_known("The Storm Crow")
    (True, True, False)
    """
    known = _known()
    return all(folded(part) in known for part in name.split(" // "))


@cache
def _known() -> frozenset[str]:
    data = files("daynight.cards").joinpath(_PACKED).read_bytes()
    return frozenset((*zlib.decompress(data, _GZIP).decode().split("\n"), *map(folded, _ENGLISH)))


def packed(names: Iterable[str]) -> bytes:
    """Return the bytes of `names.txt.gz` for these names; names of two faces together (` // `) are left out."""
    kept = sorted({folded(name.strip()) for name in names if " // " not in name} - {""})
    packing = zlib.compressobj(9, wbits=_GZIP)
    return packing.compress("\n".join(kept).encode()) + packing.flush()


def main() -> None:
    """Generate `names.txt.gz` from the file of names that is the only argument of the command line."""
    names = Path(sys.argv[1]).read_text("utf-8").splitlines()
    Path(__file__).with_name(_PACKED).write_bytes(packed(names))


if __name__ == "__main__":
    main()
