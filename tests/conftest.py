"""What all tests share: the guides are run as tests, in English, and Hypothesis says the same thing every time.

`pytest tests README.md` runs one guide: this file has to be among what is named for the guides to be found.
"""

import ast
import gc
import os
import sys
import tempfile
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis.strategies import none

from daynight.languages.speaking import VARIABLES

from . import documents, sampling

# Whoever runs the tests may speak French: the tests are written in English.
for variable in VARIABLES:
    os.environ.pop(variable, None)
os.environ["LANG"] = "C.UTF-8"

# The tests start some hundred processes: Python compiles our modules once for all of them, not anew in each.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

LANGUAGE, VIEWS = (documents.ROOT / folder for folder in ("events", "projections"))
"""The folders of daynight.events and daynight.projections."""

MEMORY, ENOUGH = "/dev/shm", 2**30
"""The file system in memory that Linux has, and the room that it must have."""

MARKERS = {"slow", "browser", "wide"}
"""What leaves tests out of the fast ones."""

LETTERS = 50
"""How long the name of a value may be in that of a case: some texts are longer than an environment may hold."""

# Collecting makes a great many things that stay: until it is done, no look for what is left is worth its time.
gc.disable()

settings.register_profile("steady", derandomize=True, deadline=None, print_blob=True, max_examples=5)
settings.register_profile("whole", derandomize=True, deadline=None, print_blob=True, max_examples=100)
settings.register_profile("searching", deadline=None, print_blob=True, max_examples=2000)


class Guides:
    """Collects the guides wherever they are: a conftest is heard only below it, and README.md is above."""

    pytest_collect_file = staticmethod(documents.collect)

    @pytest.hookimpl(tryfirst=True)
    def pytest_collect_directory(self, path: Path, parent: pytest.Collector) -> pytest.Collector | None:
        """The folders of events and projections as folders: as packages they would be imported by their bare names."""
        return pytest.Dir.from_parent(parent, path=path) if path in (LANGUAGE, VIEWS) else None


class Examples:
    """Leaves out, of the modules whose docstrings are searched for examples, those that have none.

    It leaves out events and projections as well: pytest would import them by their bare names. Their docstrings are run
    by tests/examples/test_docstrings.py.
    """

    @pytest.hookimpl(wrapper=True)
    def pytest_collect_file(self, file_path: Path) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
        """What is collected of a file: its docstrings only if there is a prompt in it."""
        found = yield
        asks = b">>> " in file_path.read_bytes() and not {LANGUAGE, VIEWS} & {*file_path.parents}
        # Of a module, a pytest.Module holds the tests, and a kind of pytest.Module the docstrings.
        return [each for each in found if asks or type(each) is pytest.Module or not isinstance(each, pytest.Module)]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A report without the keywords of its test: with -n, each word of three reports a test is sent and read again."""
    report = yield
    report.keywords = {}
    return report


def pytest_configure(config: pytest.Config) -> None:
    """Has the guides collected, and more drawn where the slow tests are asked for too."""
    config.pluginmanager.register(Guides(), "daynight-guides")
    config.pluginmanager.register(Examples(), "daynight-examples")
    fast = not asks_for_slow_ones(config.getoption("markexpr"))
    settings.load_profile(os.environ.get("DAYNIGHT_HYPOTHESIS", "steady" if fast else "whole"))
    if fast:
        write_into_memory()


@pytest.hookimpl(trylast=True)
def pytest_sessionstart() -> None:
    """Has Hypothesis make its source of random numbers, which it else does for the first property that is tried.

    It looks then for what refers to that source. On Python 3.14 it does not find what was frozen by then, and warns.
    """

    @given(none())
    def nothing(_value: None) -> None:
        pass

    nothing()


def asks_for_slow_ones(expression: str) -> bool:
    """Whether what is given as `-m` lets slow tests in, those in a browser or the others.

    It is asked before anything is collected. Such an expression is one of Python's too; pytest refuses what is none.
    """
    try:
        asked = ast.parse(expression.strip() or "slow", mode="eval").body
    except SyntaxError:
        return True
    return is_so(asked, {"slow"}) or is_so(asked, MARKERS)


def is_so(asked: ast.expr, markers: set[str]) -> bool:
    """Whether an expression of markers holds for a test that has these, whatever was given with them."""
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
    """Has the fast tests write into memory, where there is a file system in it: thousands of them wait for the disk.

    The slow tests write onto the disk.
    """
    if "TMPDIR" in os.environ or not os.access(MEMORY, os.W_OK):
        return
    there = os.statvfs(MEMORY)
    if there.f_bavail * there.f_frsize >= ENOUGH and not there.f_flag & os.ST_NOEXEC:
        os.environ["TMPDIR"] = MEMORY
        tempfile.tempdir = None


def pytest_make_parametrize_id(val: object) -> str | None:
    """The name of a value in the name of its case, for what has no `ids`; pytest names the others."""
    name = sampling.called(val)
    return None if name is None else name[:LETTERS].encode("unicode_escape").decode("ascii")[:LETTERS]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Takes the marker `wide(but=n)` off n cases of a test, of those that are not slow: evenly, the last among them."""
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
    """What was collected stays to the end: Python need not look through all of it again and again for what is left."""
    gc.freeze()
    gc.enable()
