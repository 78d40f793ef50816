"""Finds characters that a name must not have."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, TypeGuard

import msgspec
from msgspec import Struct

from daynight.framework.language.happening import Unmarked
from daynight.framework.language.kinds import NAME_LENGTH

# Control characters (Cc), the bidirectional controls, line and paragraph separators, surrogates.
_FORBIDDEN = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
_FREE = frozenset(field.name for field in msgspec.structs.fields(Unmarked))


def forbidden_character(name: str) -> str | None:
    """Return the first control, bidi or surrogate character of a name, written as `U+202E`; None if there is none."""
    found = _FORBIDDEN.search(name)
    return None if found is None else f"U+{ord(found[0]):04X}"


def is_name(text: object) -> TypeGuard[str]:
    """Return whether `text` is a string of 1 to `NAME_LENGTH` characters without a `forbidden_character`."""
    return isinstance(text, str) and 0 < len(text) <= NAME_LENGTH and _FORBIDDEN.search(text) is None


def names_in(value: Any, path: str = "$") -> Iterator[tuple[str, str]]:
    """Yield path and text for every string in an event or in its tuples and structs, except in `at`, `note`, `meta`."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, tuple):
        for index, item in enumerate(value):
            yield from names_in(item, f"{path}[{index}]")
    elif isinstance(value, Struct):
        free = _FREE if isinstance(value, Unmarked) else ()
        for field in value.__struct_fields__:
            if field not in free:
                yield from names_in(getattr(value, field), f"{path}.{field}")
