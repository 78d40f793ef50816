"""Parameters of pytest: few cases run in the fast tests, all in the slow ones; and the names of cases."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from msgspec import Struct


def sampled(values: Iterable[Any], every: int) -> list[Any]:
    """Each value as a parameter: the first of every `every` values is fast, the others are marked slow."""
    slow = pytest.mark.slow
    return [pytest.param(value, marks=slow if place % every else ()) for place, value in enumerate(values)]


def few_or_all(few: Any, whole: Any) -> list[Any]:
    """Two parameters: `few` for the fast tests, `whole` for the slow ones."""
    return [few, pytest.param(whole, marks=pytest.mark.slow)]


def quick_or_wide(quick: Any, wide: Any) -> list[Any]:
    """Two parameters: `quick` for the fast tests, and `wide` with the mark wide."""
    return [quick, pytest.param(wide, marks=pytest.mark.wide)]


def called(value: object) -> str | None:
    """The name of a value in a test's id, such as the type of an event; None if pytest should choose a name."""
    match value:
        case str() | int() | None:
            return str(value)
        case bytes():
            # A compressed value may contain the time, but all workers must give a case the same name.
            return value.decode("ascii") if value.isascii() else "bytes"
        case {"type": str(tag)}:
            return tag
        case dict():
            return " ".join(f"{key}={called(each) or '...'}" for key, each in value.items()) or "nothing"
        case Struct():
            return type(value).__name__
        case list() | tuple():
            names = [called(each) for each in value[:9]]
            return " ".join(name or "..." for name in names) if any(names) else None if names else "nothing"
    return None


@contextmanager
def case(name: object) -> Iterator[None]:
    """Run one case of a test that has several; an error that leaves the block gets a note with the case's name."""
    try:
        yield
    except BaseException as error:
        error.add_note(f"in the case {name!r}")
        raise
