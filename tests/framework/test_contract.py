"""One contract, kept by every mechanic: the tables are in `promises`, the mechanics in `cases` and `charts`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings

from . import commanding
from .cases import CASES, Case
from .charts import cases
from .promises import PROMISES


@pytest.mark.parametrize("name", CASES)
class TestContract:
    """Day and night, a game with its disputes, the monarch, an approval."""

    @pytest.mark.parametrize("promise", PROMISES, ids=lambda promise: promise.__name__)
    def test_in_memory(self, name: str, promise: Callable[[Case, Path], None], tmp_path: Path) -> None:
        promise(CASES[name], tmp_path)

    @pytest.mark.parametrize("promise", commanding.PROMISES, ids=lambda promise: promise.__name__)
    def test_command_line(self, name: str, promise: Callable[[Case, Path], None], tmp_path: Path) -> None:
        promise(CASES[name], tmp_path)


def kept(case: Case, *promises: Callable[[Case, Path], None]) -> None:
    """Promises to a mechanic by lot."""
    with TemporaryDirectory() as folder:
        for promise in promises:
            promise(case, Path(folder))


@settings(max_examples=3)
@given(cases())
def test_any_chart(case: Case) -> None:
    kept(case, *PROMISES, commanding.audits)


@pytest.mark.slow
@settings(max_examples=200)
@given(cases())
def test_many_charts(case: Case) -> None:
    kept(case, *PROMISES, *commanding.PROMISES)
