"""Some cases of many for the fast tests, all of them for the slow ones; and cases that share one test."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
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
