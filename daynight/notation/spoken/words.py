"""Words that stand in many ways of saying something: `{casts}` for `casts`, `is casting`, `tries to cast`.

They are data too, in `words.txt`: a row is `name => regular expression`, and rows of one name are ways of saying it.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files


@cache
def words() -> dict[str, str]:
    """The regular expressions by name, each in brackets that capture nothing.

    >>> re.fullmatch(words()["casts"], "is casting") is not None
    True
    """
    found: dict[str, list[str]] = {}
    for row in files("daynight.notation.spoken").joinpath("words.txt").read_text("utf-8").splitlines():
        name, arrow, pattern = row.partition(" => ")
        if arrow and not row.startswith("#"):
            found.setdefault(name, []).append(pattern)
    return {name: f"(?:{'|'.join(patterns)})" for name, patterns in found.items()}


@cache
def pattern(name: str) -> re.Pattern[str]:
    """The compiled expression of a name, whatever the case of letters."""
    return re.compile(words()[name], re.IGNORECASE)


WIDE = str.maketrans("\uff1a\uff08\uff09\uff0c\uff0e\u3000\uff1b\uff01\uff1f", ":(),. ;!?")
"""Wide characters, by those that rows have."""
