"""Finds the column of a value on a line of the notation, from the JSON path in an error."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from msgspec import Raw

from daynight.framework.language.errors import RecordError
from daynight.framework.language.wording import _
from daynight.notation.spelling import quoted

_STEP = re.compile(r"\.([\w-]+)|\[([0-9]+|\.\.\.)\]")


def placed(error: RecordError, text: str, fields: Mapping[str, Any] | None = None) -> None:
    """Set the column of an error from its JSON path, and replace a path in its sentence by a column of the line."""
    if error.first is not None:
        column = _("column {column}").format(column=column_of(text, error.first, fields))
        error.sentence = error.sentence.replace(error.first, column)
    error.column = column_of(text, error.path, fields)


def _name_of(value: Any) -> Any:
    """Return the id of a list item that is a permanent; any other item is its own name."""
    return value.get("id") if isinstance(value, Mapping) else value


def column_of(text: str, path: str, fields: Mapping[str, Any] | None = None) -> int:
    """Return the column, from 1, of the value at a path (`$.permanents[0].id`) of `fields` in the line `text`.

    If the value is not on the line, the column is that of the JSON in braces or of the first word.

    >>> column_of("  Anna casts Opt", "$.player", {"player": "Anna"})
    3
    """
    value: Any = fields
    passed: list[Any] = []
    in_list = False
    for found in _STEP.finditer(path):
        key, index = found.groups()
        if isinstance(value, Mapping) and key in value:
            value = value[key]
        elif isinstance(value, list | tuple) and index is not None and index.isdigit() and int(index) < len(value):
            # Among several with the same name, it is the one at that index.
            for each in value[: int(index)]:
                passed += [_name_of(one) for one in (each if isinstance(each, list | tuple) else [each])]
            in_list = True
            value = value[int(index)]
        else:
            break
    start = len(text) - len(text.lstrip(" \t"))
    if fields is not None and (path == "$" or isinstance(value, Raw)) and (place := text.find("{")) >= 0:
        # A value that is not on the line itself is inside its JSON.
        return place + 1
    if isinstance(value, list) and value:
        value = value[0]
    if in_list and isinstance(name := _name_of(value), str):
        spelled = f"{re.escape(quoted(name))}|{re.escape(name)}"
        places = [found.start() for found in re.finditer(rf"(?<!\w)(?:{spelled})(?!\w)", text)]
        before = passed.count(name)
        if before < len(places):
            return places[before] + 1
    if isinstance(value, (str, int)) and not isinstance(value, bool):
        for spelled in (quoted(value), value) if isinstance(value, str) else (f"e{value}", str(value)):
            if spelled and (place := text.find(spelled, start)) >= 0:
                return place + 1
    return start + 1
