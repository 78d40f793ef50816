"""What all tests share: the guides are run as tests, in English, and Hypothesis says the same thing every time.

`pytest tests README.md` runs one guide: this file has to be among what is named for the guides to be found.
"""

import gc
import os
import sys
import tempfile
from collections.abc import Generator
from pathlib import Path

import pytest
from _pytest.doctest import DoctestModule
from _pytest.mark.expression import Expression
from hypothesis import settings

from daynight.languages.speaking import VARIABLES

from . import documents

# Whoever runs the tests may speak French: the tests are written in English.
for variable in VARIABLES:
    os.environ.pop(variable, None)
os.environ["LANG"] = "C.UTF-8"

# The tests start some hundred processes: Python compiles our modules once for all of them, not anew in each.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

MEMORY, ENOUGH = "/dev/shm", 2**30
"""The file system in memory that Linux has, and the room that it must have."""

MARKERS = {"slow", "browser", "wide"}
"""What leaves tests out of the fast ones."""

# Collecting makes a great many things that stay: until it is done, no look for what is left is worth its time.
gc.disable()

settings.register_profile("steady", derandomize=True, deadline=None, print_blob=True, max_examples=5)
settings.register_profile("whole", derandomize=True, deadline=None, print_blob=True, max_examples=100)
settings.register_profile("searching", deadline=None, print_blob=True, max_examples=2000)


class Guides:
    """Collects the guides wherever they are: a conftest is heard only below it, and README.md is above."""

    pytest_collect_file = staticmethod(documents.collect)


class Examples:
    """Leaves out, of the modules whose docstrings are searched for examples, those that have none."""

    @pytest.hookimpl(wrapper=True)
    def pytest_collect_file(self, file_path: Path) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
        """What is collected of a file: its docstrings only if there is a prompt in it."""
        found = yield
        return [each for each in found if not isinstance(each, DoctestModule) or b">>> " in file_path.read_bytes()]


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


def asks_for_slow_ones(expression: str) -> bool:
    """Whether what is given as `-m` lets slow tests in, those in a browser or the others."""
    if not expression:
        return True
    asked = Expression.compile(expression)
    return asked.evaluate(lambda name, /, **_: name == "slow") or asked.evaluate(lambda name, /, **_: name in MARKERS)


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
