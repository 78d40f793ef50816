"""The rule keys, and their numbers in each edition. No other module has rule numbers.

A key has a number only in editions whose text was checked.
"""

from __future__ import annotations

from typing import Literal

from daynight.events.terms import TOKENS_TRANSFORM
from daynight.framework.language.wording import _

DEFAULT_EDITION = "2024-06-07"
"""The edition for records that name none."""

# The number of the section "Day and Night" changes when an earlier section is added or removed.
_SECTIONS = {
    edition: section
    for section, editions in (
        ("724", "2021-09-24 2021-11-19 2022-02-18 2022-04-29"),
        ("725", "2022-06-10 2022-07-08 2022-09-08"),
        ("726", "2022-10-07"),
        ("727", "2022-11-18 2023-02-03"),
        ("726", "2023-04-14 2023-06-16 2023-09-01 2023-10-13 2023-11-17"),
        ("727", "2024-02-02"),
        ("728", "2024-03-08 2024-04-12 2024-06-07 2024-07-30 2024-09-20 2024-11-08 2025-02-07"),
        ("729", "2025-04-04 2025-06-06"),
        ("730", "2025-07-25 2025-09-19 2025-11-14 2026-01-16 2026-02-27"),
        ("731", "2026-04-17 2026-06-19 2026-08-07 2026-09-25"),
    )
    for edition in editions.split()
}

EDITIONS = tuple(_SECTIONS)
"""All known editions of the Comprehensive Rules, by the day they took effect, oldest first."""

LATEST_EDITION = EDITIONS[-1]

POLICY = "MTR 4.9"
"""The tournament rule for cases where nobody can tell: the judge assumes night."""

# Day and Night is one section; its subrules have had the same letters since its second edition.
_MOVED = {
    "no-designation": ".1",
    "becomes": ".1",
    "day-if-neither": ".1",
    "change-triggers": ".1a",
    "check-day": ".2a",
    "check-night": ".2b",
    "check-neither": ".2c",
}

# In the first edition the check is the third rule. What "day becomes night" means has no checked number there.
_FIRST = {"change-triggers": None, "check-day": ".3a", "check-night": ".3b", "check-neither": ".3c"}

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

# Transforming moved once, with this edition.
_TRANSFORM_MOVED = "2025-06-06"
_TRANSFORMING = {"transforms": ("701.28", "701.27"), "transformed-since": ("701.28f", "701.27f")}

# Keys without a number of their own.
_UNNUMBERED = ("judge", "assumed", "told-to-enter", "cannot-transform", "put-on-stack", "backed-up")

KEYS = (*_MOVED, *_STAYED, *_TRANSFORMING, *_UNNUMBERED)
"""Every rule key that a consequence may have."""


def cited(key: str | None, edition: str) -> str | None:
    """Return the number of the rule `key` in an edition; None if the key has none, or none that was checked.

    >>> cited("check-day", "2024-06-07"), cited("check-day", "2026-09-25")
    ('728.2a', '731.2a')
    >>> cited("check-day", "2021-09-24"), cited("check-day", "2021-11-19")
    ('724.3a', '724.2a')
    >>> cited("judge", "2024-06-07") is None
    True
    """
    if key is None:
        return None
    if key in _MOVED:
        rule = _FIRST.get(key, _MOVED[key]) if edition == EDITIONS[0] else _MOVED[key]
        return None if rule is None else _SECTIONS[edition] + rule
    if key in _TRANSFORMING:
        before, since = _TRANSFORMING[key]
        return before if edition < _TRANSFORM_MOVED else since
    return _STAYED.get(key)


def enters_if(edition: str) -> Literal["anything", "double-faced card", "transforming double-faced card"]:
    """Return which permanents with daybound enter back face up, in the words of an edition."""
    if edition < "2022-06-10":
        return "anything"
    return "transforming double-faced card" if "2022-07-08" <= edition < _MODAL_TRANSFORM else "double-faced card"


def transforms_if(edition: str) -> Literal["transforming card", "transforming card or token", "card or token"]:
    """Return which permanents can transform, in the words of an edition."""
    if edition < TOKENS_TRANSFORM:
        return "transforming card"
    return "transforming card or token" if edition < _MODAL_TRANSFORM else "card or token"


_MODAL_TRANSFORM = "2025-09-19"
"""The edition since which modal double-faced cards transform."""


def with_number(sentence: str, key: str | None, edition: str) -> str:
    """Add the rule's number to a sentence, if it has one in this edition."""
    number = cited(key, edition)
    return sentence if number is None else _("{sentence} (CR {number})").format(sentence=sentence, number=number)
