"""Kinds of fields that any language may use: names, statements, numbers, times. Their limits are part of the type."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import Meta

NAME_LENGTH = 200
"""The most characters a name may have."""

SAYING_LENGTH = 2000
"""The most characters of a statement."""

Name = Annotated[str, Meta(min_length=1, max_length=NAME_LENGTH)]
"""A name of a person or an object: 1 to 200 characters."""

Saying = Annotated[str, Meta(min_length=1, max_length=SAYING_LENGTH)]
"""A statement by a person in their own words: 1 to 2,000 characters; the reader also refuses line breaks in it."""

Number = Annotated[int, Meta(ge=0, le=2**53 - 1)]
"""A whole number that is not negative, such as an event number; every JSON reader can hold it exactly."""

Version: TypeAlias = Annotated[int, Meta(ge=1, le=2**53 - 1)] | tuple[Annotated[int, Meta(ge=1, le=2**53 - 1)], ...]
"""The version of a mechanic's rules; a joined mechanic has the versions of both."""

Count = Number
"""A number of things, such as spells: 0 or more."""


_LEAP = "[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00"
_DATE = (
    "(?:[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)"
    f"|02-(?:0[1-9]|1[0-9]|2[0-8]))|(?:{_LEAP})-02-29)"
)
_CLOCK = "(?:[01][0-9]|2[0-3]):[0-5][0-9]:(?:[0-5][0-9]|60)(?:[.][0-9]+)?"
_OFFSET = "(?:[Zz]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])"

Time = Annotated[str, Meta(pattern=f"^{_DATE}[Tt ]{_CLOCK}{_OFFSET}$(?!\n)")]
"""An RFC 3339 time with its offset, stored as it was written."""
