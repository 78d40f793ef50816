"""The cost of an old format: release 2 of a lending desk reads lines of release 1, as a ratio to lines of its own.

`make bench` prints this with the others, `python tests/bench/evolution_bench.py` alone.
"""

import sys
from functools import partial
from io import BytesIO
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from daynight.framework.language.codec import encode_lines
from tests.bench.timing import best
from tests.store.desk import FIRST, SECOND, Lent, LentAt, Opened

EVENTS = 40_000
BLOCKS = 7


def main() -> None:
    """Print the ratios for all old lines (limit 12), a few old lines (1.5), and a language with unused upcasters."""
    books = [f"b{number}" for number in range(EVENTS)]
    begun = encode_lines([Opened(desk="main")])
    new = [begun, *encode_lines([LentAt(book=book, to="Ana") for book in books]).splitlines(keepends=True)]
    old = [begun, *encode_lines([Lent(book=book, to="Ana") for book in books]).splitlines(keepends=True)]
    block = EVENTS // BLOCKS
    few = [old[place] if place < block and place % 50 == 1 else line for place, line in enumerate(new)]
    today, all_old, some = best(*(partial(_read, b"".join(lines)) for lines in (new, old, few)))
    figures = f"all of {EVENTS:,} events {all_old / today:.1f}; some in one block of {BLOCKS} {some / today:.2f}"
    print(f"old lines: {figures}")
    without, with_ = best(partial(_read, b"".join(old), FIRST), partial(_read, b"".join(new)))
    print(f"lines of today, in a language with upcasters and in one without: {with_ / without:.2f}")


def _read(data: bytes, mechanic: object = SECOND) -> None:
    for _events in (SECOND if mechanic is SECOND else FIRST).language.read_blocks(BytesIO(data)):
        pass


if __name__ == "__main__":
    main()
