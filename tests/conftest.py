"""What all tests share: guides are run as tests, messages are in English, and Hypothesis is deterministic.

`pytest tests README.md` runs one guide; name `tests` too, because this file makes the guides collectable.
"""

import ast
import gc
import os
import sys
import tempfile
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis.strategies import none

from daynight.languages.speaking import VARIABLES

from . import documents, sampling

# The environment may ask for French; the tests expect English.
for variable in VARIABLES:
    os.environ.pop(variable, None)
os.environ["LANG"] = "C.UTF-8"

# The tests start hundreds of processes: let Python keep compiled modules in one place, not compile them for each.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

LANGUAGE, VIEWS = (documents.ROOT / folder for folder in ("events", "projections"))
"""The folders of daynight.events and daynight.projections."""

MEMORY, ENOUGH = "/dev/shm", 2**30
"""The in-memory file system of Linux, and the free bytes that it must have."""

MARKERS = {"slow", "browser", "wide"}
"""The markers that exclude a test from the fast tests."""

LETTERS = 50
"""The greatest length of a value in a test's name: an environment variable gets the name, and its length is limited."""

# Collecting creates many long-lived objects; garbage collection during it only costs time.
gc.disable()

# A busy machine is slow to make examples, and that is no error of daynight's.
SLOWLY = [HealthCheck.too_slow]
settings.register_profile(
    "steady", derandomize=True, deadline=None, print_blob=True, max_examples=5, suppress_health_check=SLOWLY
)
settings.register_profile(
    "whole", derandomize=True, deadline=None, print_blob=True, max_examples=100, suppress_health_check=SLOWLY
)
settings.register_profile("searching", deadline=None, print_blob=True, max_examples=2000, suppress_health_check=SLOWLY)


class Guides:
    """A plugin that collects the guides in any folder: the hooks of a conftest.py only cover its own folder, and
    README.md lies above it."""

    pytest_collect_file = staticmethod(documents.collect)

    @pytest.hookimpl(tryfirst=True)
    def pytest_collect_directory(self, path: Path, parent: pytest.Collector) -> pytest.Collector | None:
        """Collect events and projections as plain folders: as packages they would be imported by their bare names."""
        return pytest.Dir.from_parent(parent, path=path) if path in (LANGUAGE, VIEWS) else None


class Examples:
    """A plugin that collects the docstrings only of modules with examples.

    It skips events and projections as well: pytest would import them by their bare names. Their docstrings are run
    by tests/examples/test_docstrings.py.
    """

    @pytest.hookimpl(wrapper=True)
    def pytest_collect_file(self, file_path: Path) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
        """Leave a file's docstrings out of what is collected, unless the file contains `>>> `."""
        found = yield
        asks = b">>> " in file_path.read_bytes() and not {LANGUAGE, VIEWS} & {*file_path.parents}
        # pytest.Module itself holds the tests of a file, and a subclass of it holds the docstrings.
        return [each for each in found if asks or type(each) is pytest.Module or not isinstance(each, pytest.Module)]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Leave the test's keywords out of its reports: with -n every word of three reports for each test is sent to the
    main process."""
    report = yield
    report.keywords = {}
    return report


def pytest_configure(config: pytest.Config) -> None:
    """Register the plugins; if slow tests are selected, Hypothesis makes more examples, otherwise temporary files
    are in memory."""
    config.pluginmanager.register(Guides(), "daynight-guides")
    config.pluginmanager.register(Examples(), "daynight-examples")
    fast = not asks_for_slow_ones(config.getoption("markexpr"))
    settings.load_profile(os.environ.get("DAYNIGHT_HYPOTHESIS", "steady" if fast else "whole"))
    if fast:
        write_into_memory()
        # With Python's own thresholds, parsing all sources takes three times as long; elsewhere it is the same.
        gc.set_threshold(50_000, 20, 20)


@pytest.hookimpl(trylast=True)
def pytest_sessionstart() -> None:
    """Make Hypothesis create its random source now; otherwise it does so in the first property test.

    Hypothesis then searches for references to the source; on Python 3.14 it misses those in `gc.freeze`, and warns.
    """

    @given(none())
    def nothing(_value: None) -> None:
        pass

    nothing()


def asks_for_slow_ones(expression: str) -> bool:
    """Return whether the expression given with `-m` selects slow tests; an empty one does.

    It is called before collection. A marker expression is also a Python expression; pytest refuses an invalid one.
    """
    try:
        asked = ast.parse(expression.strip() or "slow", mode="eval").body
    except SyntaxError:
        return True
    return is_so(asked, {"slow"}) or is_so(asked, MARKERS)


def is_so(asked: ast.expr, markers: set[str]) -> bool:
    """Return whether a marker expression is true for a test with these markers, whatever their arguments."""
    match asked:
        case ast.BoolOp(op=ast.And(), values=parts):
            return all(is_so(part, markers) for part in parts)
        case ast.BoolOp(values=parts):
            return any(is_so(part, markers) for part in parts)
        case ast.UnaryOp(operand=denied):
            return not is_so(denied, markers)
        case ast.Name(id=name) | ast.Call(func=ast.Name(id=name)):
            return name in markers
    return False


def write_into_memory() -> None:
    """Make `MEMORY` the folder for temporary files: thousands of fast tests would wait for the disk.

    The folder does not change if TMPDIR is set, or if `MEMORY` is missing, nearly full, or does not let programs run.
    """
    if "TMPDIR" in os.environ or not os.access(MEMORY, os.W_OK):
        return
    there = os.statvfs(MEMORY)
    if there.f_bavail * there.f_frsize >= ENOUGH and not there.f_flag & os.ST_NOEXEC:
        os.environ["TMPDIR"] = MEMORY
        tempfile.tempdir = None


def pytest_make_parametrize_id(val: object) -> str | None:
    """Return the name of a parameter's value that has no `ids`; with None, pytest chooses the name."""
    name = sampling.called(val)
    return None if name is None else name[:LETTERS].encode("unicode_escape").decode("ascii")[:LETTERS]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Remove the marker `wide(but=n)` from n cases of a test that is not slow, so that the fast tests run them: evenly
    spaced, including the last case."""
    cases: dict[str, list[pytest.Item]] = {}
    for item in items:
        wide = item.get_closest_marker("wide")
        if wide is not None and "but" in wide.kwargs and not item.get_closest_marker("slow"):
            cases.setdefault(item.nodeid.partition("[")[0], []).append(item)
    for each in cases.values():
        for place, item in enumerate(each):
            wide = item.get_closest_marker("wide")
            assert wide is not None
            kept = wide.kwargs["but"]
            if place * kept // len(each) != (place + 1) * kept // len(each):
                item.own_markers.remove(wide)


def pytest_collection_finish() -> None:
    """Let the garbage collector ignore all present objects, which live to the end, and switch it on again."""
    gc.freeze()
    gc.enable()
