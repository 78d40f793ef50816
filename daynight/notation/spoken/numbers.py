"""Reads numbers that people write in words."""

from daynight.notation.doubts import NUMBERS

COUNTS = {
    **NUMBERS, "a": 1, "a couple of": 2, "zero": 0, "un": 1, "une": 1, "deux": 2, "trois": 3, "quatre": 4, "cinq": 5,
    "sept": 7, "huit": 8, "neuf": 9, "dix": 10, "一": 1, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8,
    "九": 9, "十": 10, "a pair of": 2, "a couple": 2, "une paire de": 2, "2体の": 2, "2枚の": 2,
    "二体の": 2, **{f"both {of}{whose}": 2 for of in ("of ", "") for whose in ("her", "his", "their", "the")},
    "ひとつ": 1, "ふたつ": 2, "みっつ": 3, "よっつ": 4, "ses deux": 2, "les deux": 2, "二枚の": 2,
}  # fmt: skip
"""The words for numbers in three languages."""


def number_of(text: str) -> int:
    """Return the number that a text stands for, in digits or as one of `COUNTS`; KeyError for another text.

    >>> number_of("deux"), number_of("12")
    (2, 12)
    """
    return int(text) if text.isdigit() else COUNTS[text.casefold()]
