"""Rule keys and their numbers, edition by edition: the one place where numbers stand.

A number is given only where it was verified against the text of that edition; elsewhere there is none.
"""

from __future__ import annotations

from daynight.events.wording import _

__all__ = ["DEFAULT_EDITION", "EDITIONS", "KEYS", "LATEST_EDITION", "POLICY", "cited", "with_number"]

DEFAULT_EDITION = "2024-06-07"
"""The edition a record is cited in that names none."""

_SECTIONS = {
    "2024-06-07": "728",
    "2025-11-14": "730",
    "2026-01-16": "730",
    "2026-02-27": "730",
    "2026-04-17": "731",
    "2026-06-19": "731",
    "2026-08-07": "731",
}

EDITIONS = tuple(_SECTIONS)
"""The editions of the Comprehensive Rules one can choose, by the day they took effect."""

LATEST_EDITION = EDITIONS[-1]

POLICY = "MTR 4.9"
"""The tournament rule: if nobody can tell, the judge assumes night."""

# Day and Night is one section that moved; its letters stayed.
_MOVED = {
    "no-designation": ".1",
    "becomes": ".1",
    "day-if-neither": ".1",
    "change-triggers": ".1a",
    "check-day": ".2a",
    "check-night": ".2b",
    "check-neither": ".2c",
}

# Daybound and nightbound, and the untap step, kept their numbers in every edition named.
_STAYED = {
    "daybound-enters": "702.145b",
    "daybound-as-night": "702.145b",
    "daybound-at-night": "702.145c",
    "daybound-starts-day": "702.145d",
    "nightbound-as-day": "702.145e",
    "nightbound-at-day": "702.145f",
    "nightbound-starts-night": "702.145g",
    "daybound-refuses": "702.145b",
    "nightbound-refuses": "702.145e",
    "phasing": "502.1",
    "untap-check": "502.2",
}

# Read in these editions only.
_READ = {
    "transforms": {"2024-06-07": "701.28", "2026-08-07": "701.27"},
    "transformed-since": {"2024-06-07": "701.28f", "2026-08-07": "701.27f"},
}

# Keys without a number of their own.
_UNNUMBERED = ("judge", "assumed", "told-to-enter", "cannot-transform", "put-on-stack", "backed-up")

KEYS = (*_MOVED, *_STAYED, *_READ, *_UNNUMBERED)
"""Every rule key a consequence may carry."""


def cited(key: str | None, edition: str) -> str | None:
    """The number of a rule in an edition, or None where it has none or it was not verified.

    >>> cited("check-day", "2024-06-07"), cited("check-day", "2026-08-07")
    ('728.2a', '731.2a')
    >>> cited("judge", "2024-06-07") is None
    True
    """
    if key is None:
        return None
    if key in _MOVED:
        return _SECTIONS[edition] + _MOVED[key]
    if key in _STAYED:
        return _STAYED[key]
    return _READ.get(key, {}).get(edition)


def with_number(sentence: str, key: str | None, edition: str) -> str:
    """The sentence with its rule's number behind it, where it has one in this edition."""
    number = cited(key, edition)
    return sentence if number is None else _("{sentence} (CR {number})").format(sentence=sentence, number=number)
