"""Request bodies: JSON, read strictly, so a field that is unknown or has another type is refused."""

from __future__ import annotations

import re
from typing import Any, TypeVar

import msgspec

from daynight.framework.language.errors import UnreadableError
from daynight.framework.language.strict import in_our_words, read_json
from daynight.web.errors import Problem

T = TypeVar("T")

_PLACE = re.compile(r"(?P<sentence>.*?)(?: - at `(?P<path>.*)`)?", re.DOTALL)


def shaped(data: bytes, shape: type[T]) -> T:
    """Read JSON as a `shape`.

    Raises:
        Problem: where `data` is not JSON, or has another shape.
    """
    try:
        value: Any = read_json(data)
    except UnreadableError as error:
        raise Problem(400, "bad-json", error.sentence, path=error.path) from None
    try:
        return msgspec.convert(value, shape, strict=True)
    except msgspec.ValidationError as error:
        found = _PLACE.fullmatch(str(error))
        assert found is not None
        raise Problem(400, "bad-request", in_our_words(found["sentence"]), path=found["path"] or "$") from None
