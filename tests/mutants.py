"""Tries the mutants that mutmut wrote: `make mutants`, or `make mutants ONLY='daynight.rules.citations*'`.

mutmut collects the tests anew for every mutant, which takes hours. Here pytest collects them once. A fork of that
process runs each mutant against the tests that call its function: first tests that killed other mutants of the
function, then fast tests that call few functions. A mutant is killed by the first test that fails or takes far longer
than without the mutant. The survivors are listed; `mutmut show NAME` shows one. All tests also run once without a
mutant: if one of them fails, the program stops with exit code 1, for the results would mean nothing.
"""

from __future__ import annotations

import gc
import json
import os
import resource
import shutil
import signal
import sys
import tempfile
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from fnmatch import fnmatch
from pathlib import Path
from select import select
from typing import NamedTuple

import pytest

__all__ = ["main"]

AT_ONCE = os.cpu_count() or 1
"""How many mutants run at the same time."""

LEAST, TIMES = 10.0, 20
"""A test times out after `TIMES` times its normal CPU time, but not before `LEAST` seconds of CPU time."""

WAITING = 10
"""The limit of a test's real time is this many times its limit of CPU time: it stops a test that only waits."""

MEMORY = 6 * 2**30
"""The limit of address space of a process, in bytes."""

UNCHANGED = "no.mutant"
"""The name of the run without a mutant."""


class _Tried(NamedTuple):
    """A running mutant: the id of its process, its name, and the folder of its temporary files."""

    pid: int
    mutant: str
    place: str


class _Mutants:
    """A plugin that runs mutants in place of pytest's own loop over the tests."""

    def __init__(self, mutants: Sequence[str], calling: dict[str, list[str]], seconds: dict[str, float]) -> None:
        self._mutants, self._calling, self._seconds = mutants, calling, seconds
        self._calls = Counter(test for tests in calling.values() for test in tests)
        self._found: dict[str, Counter[str]] = defaultdict(Counter)
        self.tally: Counter[str] = Counter()
        self.lived: list[str] = []

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        items = {item.nodeid: item for item in session.items}
        gc.freeze()
        running: dict[int, _Tried] = dict([self._try(session, UNCHANGED, session.items)])
        try:
            self._all(session, items, running)
        finally:
            for tried in running.values():
                # Each fork leads a process group of its own, so Ctrl-C does not interrupt it together with this
                # process.
                with suppress(ProcessLookupError):
                    os.killpg(tried.pid, signal.SIGKILL)
                shutil.rmtree(tried.place, ignore_errors=True)
        return True

    def _all(self, session: pytest.Session, items: dict[str, pytest.Item], running: dict[int, _Tried]) -> None:
        waiting = iter(self._mutants)
        while True:
            while len(running) < AT_ONCE and (mutant := next(waiting, None)) is not None:
                if tests := [items[test] for test in self._likely(_function(mutant)) if test in items]:
                    answer, tried = self._try(session, mutant, tests)
                    running[answer] = tried
                else:
                    self._note(mutant, "no test", "")
            if not running:
                return
            for answer in select(list(running), [], [])[0]:
                tried = running.pop(answer)
                outcome, test = _outcome(answer, tried)
                if tried.mutant != UNCHANGED:
                    self._note(tried.mutant, outcome, test)
                elif outcome != "lived":
                    pytest.exit(f"without any mutant, {test} fails", returncode=1)

    def _likely(self, function: str) -> list[str]:
        found, calls, seconds = self._found[function], self._calls, self._seconds
        tests = dict.fromkeys(self._calling.get(function, ()))
        return sorted(tests, key=lambda test: (-found[test], (seconds.get(test, 0) + 0.003) * calls[test] ** 0.5, test))

    def _note(self, mutant: str, outcome: str, test: str) -> None:
        self.tally[outcome] += 1
        if outcome in ("lived", "no test"):
            self.lived.append(mutant)
        else:
            self._found[_function(mutant)][test] += 1

    def _try(self, session: pytest.Session, mutant: str, tests: Sequence[pytest.Item]) -> tuple[int, _Tried]:
        answer, told = os.pipe()
        place = tempfile.mkdtemp()
        pid = os.fork()
        if pid == 0:
            os.setsid()
            try:
                self._child(session, mutant, tests, told, place)
            finally:
                os._exit(1)
        os.close(told)
        return answer, _Tried(pid, mutant, place)

    def _child(self, session: pytest.Session, mutant: str, tests: Sequence[pytest.Item], told: int, place: str) -> None:
        from mutmut.mutation.trampoline import set_mutant_under_test

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        session.config._tmp_path_factory._basetemp = Path(place)  # type: ignore[attr-defined]
        set_mutant_under_test(mutant)
        failures = _Failures()
        plugins = session.config.pluginmanager
        plugins.unregister(name="terminalreporter")
        plugins.register(failures)
        for test, following in zip(tests, [*tests[1:], None], strict=True):
            os.write(told, f"begun {test.nodeid}\n".encode())
            most = max(LEAST, TIMES * self._seconds.get(test.nodeid, 0))
            signal.setitimer(signal.ITIMER_PROF, most)
            signal.setitimer(signal.ITIMER_REAL, most * WAITING)
            test.config.hook.pytest_runtest_protocol(item=test, nextitem=following)
            if failures.any:
                os.write(told, f"killed {test.nodeid}\n".encode())
                return
        os.write(told, b"lived \n")


class _Failures:
    """Remembers whether any test failed."""

    any = False

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.any |= report.failed


def _outcome(answer: int, tried: _Tried) -> tuple[str, str]:
    """Wait for the process of a mutant, which reports into the pipe `answer`; return the outcome and the last test.

    The outcome is lived, killed, timeout or crash.
    """
    with open(answer, encoding="utf-8") as stream:
        *_others, last = ["", *stream.read().split("\n")[:-1]]
    _pid, status = os.waitpid(tried.pid, 0)
    shutil.rmtree(tried.place)
    outcome, _space, test = last.partition(" ")
    if outcome == "begun":
        # The process wrote nothing more: the test that it had begun timed out or killed the process.
        wild = os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGPROF, signal.SIGALRM)
        outcome = "timeout" if wild else "crash"
    return outcome, test


def _function(mutant: str) -> str:
    return mutant.partition("__mutmut_")[0]


def _mutants(patterns: Sequence[str]) -> Iterator[str]:
    for file in sorted(Path("mutants").rglob("*.meta")):
        for name in json.loads(file.read_bytes())["exit_code_by_key"]:
            mutant = name.replace("__init__.", "")
            # mutmut names a module by its folder; the tests import it as a part of daynight.
            mutant = mutant if mutant.startswith("daynight.") else f"daynight.{mutant}"
            if not patterns or any(fnmatch(mutant, pattern) for pattern in patterns):
                yield mutant


def main(*patterns: str) -> None:
    """Try the mutants whose names match one of the patterns, or all; print the survivors and the share of the others.

    A mutant whose function no test calls counts as a survivor.
    """
    # The folder of this file must not be searched for imports.
    sys.path[:] = [path for path in sys.path if Path(path).resolve() != Path(__file__).resolve().parent]
    from mutmut.mutation.trampoline import set_mutant_under_test
    from mutmut.utils.file_utils import setup_source_paths

    config = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["tool"]["mutmut"]
    given = json.loads(Path("mutants/mutmut-stats.json").read_bytes())
    plugin = _Mutants([*_mutants(patterns)], given["tests_by_mangled_function_name"], given["duration_by_test"])
    setup_source_paths()
    set_mutant_under_test("")
    os.chdir("mutants")
    options = ["--rootdir=.", "-q", "-p", "no:randomly", *config["pytest_add_cli_args"]]
    code = pytest.main([*options, *config["pytest_add_cli_args_test_selection"]], plugins=[plugin])
    if code != pytest.ExitCode.OK:
        sys.exit(code)
    tally = plugin.tally
    print("\n".join(["", *plugin.lived]))
    score = 1 - len(plugin.lived) / max(tally.total(), 1)
    print(f"{tally.total()} mutants: " + ", ".join(f"{many} {what}" for what, many in tally.items()) + f"; {score:.1%}")


if __name__ == "__main__":
    main(*sys.argv[1:])
