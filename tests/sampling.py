"""Some cases of many for the fast tests, all of them for the slow ones; and cases that share one test."""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from inspect import signature
from typing import Any

import pytest
from _pytest.mark import ParameterSet


def sampled(values: Iterable[Any], every: int) -> list[ParameterSet]:
    """Each value as a parameter: of every `every` values the first is fast, the others are marked slow."""
    slow = pytest.mark.slow
    return [pytest.param(value, marks=slow if place % every else ()) for place, value in enumerate(values)]


def few_or_all(few: Any, whole: Any) -> list[Any]:
    """Two parameters: `few` for the fast tests, `whole` for the slow ones."""
    return [few, pytest.param(whole, marks=pytest.mark.slow)]


@contextmanager
def case(name: object) -> Iterator[None]:
    """Run one case of a test that has several: an error in it names the case."""
    try:
        yield
    except BaseException as error:
        error.add_note(f"in the case {name!r}")
        raise


def folded(
    names: str, rows: Iterable[Any], ids: Sequence[object] | Callable[[Any], object] | None = None
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Do as `pytest.mark.parametrize`, in one test: thousands of tests take longer than what small ones do.

    All rows are tried, and each that fails is named. The fixtures are shared: for tests that leave nothing behind.
    """
    keys = [key.strip() for key in names.split(",")]
    table = [_row(keys, number, row, ids) for number, row in enumerate(rows)]
    assert table, f"no rows of {names}"

    def fold(test: Callable[..., None]) -> Callable[..., None]:
        @wraps(test)
        def each(**fixtures: Any) -> None:
            failed: list[tuple[str, BaseException]] = []
            for name, row in table:
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
        each.__dict__["__signature__"] = signature(test).replace(parameters=left)
        return each

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
