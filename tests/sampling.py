"""Some cases of many for the fast tests, all of them for the slow ones; what a case is called; cases of one test."""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from inspect import Parameter, signature
from typing import Any

import pytest
from _pytest.mark import ParameterSet
from msgspec import Struct

Table = list[tuple[str, dict[str, Any]]]
"""The rows of a folded test: the name of each, and its values."""


def sampled(values: Iterable[Any], every: int) -> list[ParameterSet]:
    """Each value as a parameter: of every `every` values the first is fast, the others are marked slow."""
    slow = pytest.mark.slow
    return [pytest.param(value, marks=slow if place % every else ()) for place, value in enumerate(values)]


def few_or_all(few: Any, whole: Any) -> list[Any]:
    """Two parameters: `few` for the fast tests, `whole` for the slow ones."""
    return [few, pytest.param(whole, marks=pytest.mark.slow)]


def quick_or_wide(quick: Any, wide: Any) -> list[Any]:
    """Two parameters: `quick` for the fast tests, `wide` for the wide ones."""
    return [quick, pytest.param(wide, marks=pytest.mark.wide)]


def called(value: object) -> str | None:
    """What a value is called: a text by itself, an event by its type, several by what each is called."""
    match value:
        case str() | int() | None:
            return str(value)
        case bytes():
            # What is packed may tell the time, and workers have to call a case the same.
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
    """Run one case of a test that has several: an error in it names the case."""
    try:
        yield
    except BaseException as error:
        error.add_note(f"in the case {name!r}")
        raise


def folded(
    names: str,
    rows: Iterable[Any],
    ids: Sequence[object] | Callable[[Any], object] | None = None,
    every: int = 1,
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Do as `pytest.mark.parametrize`, in one test: thousands of tests take longer than what small ones do.

    All rows are tried, and each that fails is named. The fixtures are shared: for tests that leave nothing behind.
    Where `every` is given, the fast tests try the first of every `every` rows, and a test marked wide tries all.
    """
    keys = [key.strip() for key in names.split(",")]
    whole = [_row(keys, number, row, ids) for number, row in enumerate(rows)]
    assert whole, f"no rows of {names}"

    def fold(test: Callable[..., None]) -> Callable[..., None]:
        @wraps(test)
        def each(chosen: Table = whole, **fixtures: Any) -> None:
            failed: list[tuple[str, BaseException]] = []
            for name, row in chosen:
                try:
                    test(**fixtures, **row)
                except (Exception, pytest.fail.Exception) as error:
                    failed.append((name, error))
            if failed:
                (name, first), *others = failed
                first.add_note(f"in the case {name}")
                for other, failure in others:
                    first.add_note(f"and in the case {other}: {failure!r}")
                raise first

        left = [one for name, one in signature(test).parameters.items() if name not in keys]
        if every == 1:
            each.__dict__["__signature__"] = signature(test).replace(parameters=left)
            return each
        left.append(Parameter("chosen", Parameter.KEYWORD_ONLY))
        each.__dict__["__signature__"] = signature(test).replace(parameters=left)
        wide = pytest.param(whole, marks=pytest.mark.wide)
        chosen = pytest.mark.parametrize("chosen", [whole[::every], wide], ids=["some", "all"])
        found: Callable[..., None] = chosen(each)
        return found

    return fold


def _row(keys: list[str], number: int, row: Any, ids: Any) -> tuple[str, dict[str, Any]]:
    """The name of a row, and its values by theirs."""
    if isinstance(row, ParameterSet):
        assert not row.marks, "a row of a folded test has no marks"
        name, values = row.id, row.values
    else:
        values = tuple(row) if len(keys) > 1 else (row,)
        name = ids[number] if isinstance(ids, Sequence) else ids(row) if callable(ids) else None
    return str(name or reprlib.repr(values)), dict(zip(keys, values, strict=True))
