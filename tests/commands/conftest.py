"""Fixtures for the tests of the command line: running it, in this process or in one of its own."""

from __future__ import annotations

import io
import json
import os
import shutil
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from click.shell_completion import get_completion_class

from daynight.cli.commands import daynight as command
from daynight.cli.commands import run as run_command
from daynight.games import Store
from tests import processes
from tests.behaviour.games import CONTRACT, kept
from tests.importers.arena_logs import Game as Played
from tests.importers.arena_logs import Log, csv_table, day_and_night
from tests.rules.judges import claim
from tests.rules.words import started, turn
from tests.store.server import Server, running, unavailable

ROOT = Path(__file__).resolve().parents[2]


class Ran(NamedTuple):
    """The exit code and the two output streams of a run."""

    code: int
    out: str
    err: str

    @property
    def whole(self) -> list[Any]:
        """Standard output parsed as JSON Lines; the test fails on a line that is not JSON."""
        return [json.loads(line) for line in self.out.splitlines()]

    @property
    def documents(self) -> list[Any]:
        """The JSON lines of standard output without refusals and versions; `test_json_versions` checks the versions."""
        return [unversioned(document) for document in self.whole if not is_refusal(document)]

    @property
    def refusals(self) -> list[Any]:
        """The error documents among the JSON lines of standard output, each with its version."""
        return [document for document in self.whole if is_refusal(document)]

    @property
    def error(self) -> str:
        """Standard error without notices of new or removed files; the test fails unless that is exactly one line."""
        found = complaints(self.err)
        assert found.endswith("\n"), self
        assert 1 == found.count("\n"), self
        assert "Traceback" not in found
        return found[:-1]


def complaints(err: str) -> str:
    """Return the text of standard error without the lines that report new or removed files."""
    told = ("made ", "removed the store ")
    return "".join(line for line in err.splitlines(keepends=True) if not line.startswith(told))


def unversioned(document: Any) -> Any:
    """Return a document without its member `version`; any other value unchanged."""
    if not isinstance(document, dict):
        return document
    return {name: value for name, value in document.items() if name != "version"}


def is_refusal(document: Any) -> bool:
    """Return whether a document is an error document."""
    return isinstance(document, dict) and {"error", "exit"} <= {*document}


@pytest.fixture
def daynight(
    capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Callable[..., Ran]:
    """Return a function that runs a command line in this process, for a user without a key, without DAYNIGHT_DB."""
    monkeypatch.delenv("COLUMNS", raising=False)
    monkeypatch.delenv("DAYNIGHT_DB", raising=False)
    at_home(monkeypatch, tmp_path)

    def run(*arguments: object) -> Ran:
        code = run_command([str(argument) for argument in arguments])
        sys.stdout.flush()
        out, err = capfdbinary.readouterr()
        return Ran(code, out.decode(), err.decode())

    return run


@pytest.fixture
def stdin(monkeypatch: pytest.MonkeyPatch) -> Callable[[bytes], None]:
    """Return a function that puts bytes on standard input."""

    class Stdin:
        def __init__(self, data: bytes) -> None:
            self.buffer = io.BytesIO(data)

    return lambda data: monkeypatch.setattr(sys, "stdin", Stdin(data))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder, for a user whose home folder has no key."""
    monkeypatch.chdir(tmp_path)
    at_home(monkeypatch, tmp_path)
    return tmp_path


@pytest.fixture(scope="session")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two folders to copy: in `plain` the game friday has begun, in `wolf` a werewolf entered in its first turn."""
    folder = tmp_path_factory.mktemp("begun")
    wolf = ["record", "friday", "turn 1 Ana", "Ana: Tavern Ruffian (w1) enters"]
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("DAYNIGHT_DB", raising=False)
        for name, more in (("plain", []), ("wolf", [wolf])):
            (folder / name).mkdir()
            patch.chdir(folder / name)
            at_home(patch, folder / name)
            for command_line in (["new", "friday", "Ana", "Bo"], *more):
                assert 0 == run_command(command_line)
    return folder


@pytest.fixture
def friday(begun: Path, folder: Path) -> Path:
    """A working folder with friday.dn, and a store in which the game friday has begun."""
    (folder / "friday.dn").write_text("game friday\nplayers Ana,Bo\n", encoding="utf-8")
    shutil.copytree(begun / "plain", folder, dirs_exist_ok=True)
    return folder


def stored(name: str = "friday") -> Any:
    """Load the game `name` from daynight.db."""
    with Store.open("daynight.db") as store:
        return store.load(name)


@pytest.fixture
def g1(folder: Path) -> Path:
    """The path of g1.jsonl in the working folder, which has the events of `CONTRACT`."""
    return kept(folder / "g1.jsonl", CONTRACT)


@pytest.fixture(scope="module")
def server() -> Server:
    """A running PostgreSQL server; the test is skipped if none can run here."""
    if reason := unavailable():
        pytest.skip(reason)
    return running()


def log_of(*games: str, wrong: bool = False) -> bytes:
    """Return Arena's log with a match for each of `games`; if `wrong`, each ends with a wrong claim of night."""
    log = Log()
    for match in games:
        day_and_night(Played(log, match=match), wrong=wrong)
    return log.bytes()


@pytest.fixture
def logs(folder: Path) -> Path:
    """A working folder with one.log (one game, with a wrong claim), two.log (two games), and their card table."""
    (folder / "one.log").write_bytes(log_of("a1", wrong=True))
    (folder / "two.log").write_bytes(log_of("a1", "b2"))
    (folder / "cards.csv").write_bytes(csv_table())
    return folder


def at_home(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Set the home folder, which holds the key and the list of what it signed, to a folder in `folder`."""
    for name in ("HOME", "XDG_CONFIG_HOME", "APPDATA"):
        monkeypatch.setenv(name, str(folder / "home"))


@pytest.fixture
def process(tmp_path: Path) -> Callable[..., Ran]:
    """Return a function that runs a command line in a new process, in an empty folder."""

    def run(*arguments: object, stdin: bytes = b"", **environment: str) -> Ran:
        ran = processes.run(
            [sys.executable, "-m", "daynight", *map(str, arguments)], cwd=tmp_path,
            env=environ(**{"XDG_CONFIG_HOME": str(tmp_path / "home"), "APPDATA": str(tmp_path / "home")} | environment),
            input=stdin, capture_output=True, check=False,
        )  # fmt: skip
        return Ran(ran.returncode, ran.stdout.decode(), ran.stderr.decode())

    return run


def read_to_the_end(ours: int) -> bytes:
    """Return the rest of the output of the pseudo-terminal whose file descriptor is `ours`, and close `ours`."""
    printed = b""
    with suppress(OSError):  # the other side is closed
        while piece := os.read(ours, 65536):
            printed += piece
    os.close(ours)
    return printed


def completed(monkeypatch: pytest.MonkeyPatch, line: str) -> list[str]:
    """Return the completions that bash gets for the last word of `line`, each as `KIND,TEXT`."""
    monkeypatch.setenv("COMP_WORDS", line)
    monkeypatch.setenv("COMP_CWORD", str(len(line.split()) - 1))
    made = get_completion_class("bash")
    assert made is not None
    return made(command, {}, "daynight", "_DAYNIGHT_COMPLETE").complete().splitlines()


def environ(**more: str) -> dict[str, str]:
    """Return the environment with the variables `more`, in which this package can be imported from anywhere."""
    ours = ("NO_COLOR", "COLUMNS", "FORCE_COLOR", "DAYNIGHT_DB")
    plain = {key: value for key, value in os.environ.items() if key not in ours}
    return plain | {"PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"} | more


OTHER = [started("Cy", "Di"), turn(1, "Cy"), claim("neither")]
"""The events of a second game."""


@pytest.fixture
def games(daynight: Any, folder: Path) -> Path:
    """A working folder with the games g1 and other, in a store and as files."""
    kept(folder / "g1.jsonl", CONTRACT)
    kept(folder / "other.jsonl", OTHER)
    assert 0 == daynight("import", "g1.jsonl").code
    assert 0 == daynight("import", "other.jsonl", "--as", "other").code
    return folder


def listed(daynight: Any, place: str = "daynight.db") -> dict[str, int]:
    """Return the number of events of each game in the store `place`."""
    return {game["game"]: game["events"] for game in daynight("list", "--db", place, "--json").documents[0]["games"]}


def code(name: str, place: str = "daynight.db") -> str:
    """Return the code of a stored game, which players note to prove later that no event was changed."""
    with Store.open(place) as store:
        return store.code(name)
