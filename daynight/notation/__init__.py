"""The notation for people, `.dn`: a game as a judge types it, one short line for each event."""

from daynight.notation.formatter import formatted
from daynight.notation.lookups import Names
from daynight.notation.reader import Placed, Reading, looks_like, read, read_lines, read_text
from daynight.notation.writer import lines_of, write

__all__ = [
    "Names",
    "Placed",
    "Reading",
    "formatted",
    "lines_of",
    "looks_like",
    "read",
    "read_lines",
    "read_text",
    "write",
]
