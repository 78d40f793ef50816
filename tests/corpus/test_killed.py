"""A command that is killed or that fails continues when it is repeated, and then writes the same bytes."""

import contextlib
import http.server
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from functools import cache, partial
from pathlib import Path
from random import Random

import pytest

from daynight.corpus.building.build import build
from daynight.corpus.manifest import Manifest
from daynight.corpus.verifying import verify
from daynight.games import Store
from daynight.store import write_archive
from examples.league import written
from tests.behaviour.games import ROOT
from tests.processes import Popen

from .test_building import GAMES, exported, files_of, made

FEW = 60
"""How many games the fast tests build and audit."""


@pytest.fixture(scope="module")
def leagues(tmp_path_factory):
    """A function that returns the folder of a league of `games` games, built and audited without interruption."""

    @cache
    def league(games):
        place = tmp_path_factory.mktemp("league")
        written(place / "league.jsonl", games)
        assert killable(place, games).wait() == 0
        return place

    return league


def killable(place, games):
    """Start a process that builds and audits league.jsonl in `place`: with one worker for `FEW` games, two for more.

    Paths are relative to `place`, because a corpus and a result contain them, and their bytes are compared.
    """
    command = [sys.executable, "-m", "tests.corpus.killable", "league.jsonl", "c", "r", str(1 + (games > FEW))]
    return Popen(command, cwd=place, env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONFAULTHANDLER": "1"})


def workers_of(process):
    """The ids of the child processes of the process with this id; none if it has ended."""
    with contextlib.suppress(OSError):
        return [int(child) for child in Path(f"/proc/{process}/task/{process}/children").read_text("utf-8").split()]
    return []


def lives(process):
    """Whether the process with this id still runs; one that only waits to be reaped does not."""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(") ")[2][0] not in "ZX"
    return False


@pytest.mark.wide
@pytest.mark.skipif(not Path("/proc/self").exists(), reason="there is no /proc of Linux here, which lists the workers")
@pytest.mark.parametrize("whom, games, times", [
    ("coordinator", FEW, 1),
    *(pytest.param(whom, 300, 20, marks=pytest.mark.slow) for whom in ("coordinator", "worker")),
])  # fmt: skip
def test_killed_at_random_moments(tmp_path, leagues, whom, games, times):
    """A killed worker is replaced; after a killed coordinator a repeated command continues, with the same bytes."""
    random = Random(whom)
    league = leagues(games)
    shutil.copy(league / "league.jsonl", tmp_path / "league.jsonl")
    for _time in range(times):
        running = killable(tmp_path, games)
        time.sleep(random.uniform(0.2, games / 120))
        if whom == "coordinator":
            running.send_signal(signal.SIGKILL)
            running.wait()
            if (tmp_path / "c" / "corpus.json").exists():
                # What is listed is whole.
                parts = Manifest.read(str(tmp_path / "c")).parts
                there = {path.name for path in (tmp_path / "c" / "events").glob("part-*")} if parts else set()
                assert {f"part-{part.part:05d}.parquet" for part in parts} <= there
        else:
            for worker in workers_of(running.pid)[-1:]:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(worker, signal.SIGKILL)
            assert running.wait() == 0
            assert files_of(tmp_path / "c") == files_of(league / "c")
            assert files_of(tmp_path / "r") == files_of(league / "r")
            shutil.rmtree(tmp_path / "c")
            shutil.rmtree(tmp_path / "r")
    assert killable(tmp_path, games).wait() == 0
    assert files_of(tmp_path / "c") == files_of(league / "c")
    assert files_of(tmp_path / "r") == files_of(league / "r")
    assert {path.name for path in tmp_path.iterdir()} == {"league.jsonl", "c", "r"}


@pytest.mark.wide
@pytest.mark.skipif(not Path("/proc/self").exists(), reason="there is no /proc of Linux here, which lists the workers")
def test_interrupted_from_a_terminal(tmp_path, leagues):
    """Ctrl-C ends the command and its workers within two seconds; the result folder is complete or absent."""
    result = tmp_path / "r"
    corpus = str(leagues(FEW) / "c")
    command = [sys.executable, "-m", "daynight", "corpus", "audit", corpus, "-o", str(result), "--workers", "2"]
    running = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.DEVNULL, start_new_session=True)
    # Earlier it is not the command that is interrupted, but Python as it starts.
    while not workers_of(running.pid) and running.poll() is None:
        time.sleep(0.05)
    workers = workers_of(running.pid)
    began = time.monotonic()
    os.killpg(running.pid, signal.SIGINT)
    assert running.wait(timeout=2) in (130, 0, 1)
    while [worker for worker in workers if lives(worker)]:
        assert time.monotonic() - began < 2
        time.sleep(0.02)
    # What a repeated command continues from is in a hidden folder.
    assert all(path == result or path.name.startswith(".r.") for path in tmp_path.iterdir())
    if result.exists():
        assert (result / "summary.json").exists()


class Silent(http.server.SimpleHTTPRequestHandler):
    """A request handler that logs nothing."""

    def log_message(self, format, *args):
        """Log nothing."""


@pytest.fixture
def server(tmp_path):
    """The address of a web server on this machine, which serves the folder `www` with three records."""
    made(tmp_path / "www" / "games", *GAMES[:3])
    handler = partial(Silent, directory=str(tmp_path / "www"))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as serving:
        thread = threading.Thread(target=serving.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{serving.server_port}"
        serving.shutdown()
        thread.join()


@pytest.mark.slow
def test_sources_of_a_web_server(tmp_path, server):
    """Files, folders, archives and corpora are read from a web server by their addresses."""
    build([f"{server}/games/g{number:02d}.jsonl" for number in range(3)], tmp_path / "c")
    build([f"{server}/games/"], tmp_path / "www" / "d")
    build([f"{server}/d"], tmp_path / "e")
    with Store.open(str(tmp_path / "s.db")) as store, (tmp_path / "www" / "archive.jsonl").open("wb") as stream:
        for number in range(3):
            store.import_record(str(tmp_path / "www" / "games" / f"g{number:02d}.jsonl"), f"game {number}")
        write_archive(store, stream)
    build([f"{server}/archive.jsonl"], tmp_path / "f")
    build(["db:"], tmp_path / "g", store=str(tmp_path / "s.db"))
    assert exported(tmp_path / "f", tmp_path / "outf") == exported(tmp_path / "g", tmp_path / "outg")
    for number, folder in enumerate((tmp_path / "c", tmp_path / "www" / "d", tmp_path / "e")):
        assert exported(folder, tmp_path / f"out{number}") == GAMES[:3]
    assert list(verify(f"{server}/d")) == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here, a device that is always full")
def test_a_full_disk(tmp_path, monkeypatch):
    """A full disk ends with exit code 3 and leaves no file of a part; with room again the command continues."""
    from daynight.cli.commands import run
    from daynight.corpus import parts

    source = made(tmp_path / "games", *GAMES[:3])
    synced = parts._synced

    def full(path):
        with open("/dev/full", "wb", buffering=0) as stream:
            stream.write(b"x")
        return synced(path)

    monkeypatch.setattr(parts, "_synced", full)
    assert run(["corpus", "build", str(source), "-o", str(tmp_path / "c")]) == 3
    assert not list((tmp_path / "c").glob("*/part-*"))
    monkeypatch.setattr(parts, "_synced", synced)
    assert run(["corpus", "build", str(source), "-o", str(tmp_path / "c")]) == 0
    assert exported(tmp_path / "c", tmp_path / "out") == GAMES[:3]


BOUNDED = """import resource, sys
from daynight.cli.commands import run
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]),) * 2)
sys.exit(run(sys.argv[2:]))
"""
"""The source of a program that runs a command with a limit on the size of files.

A write beyond the limit fails in its middle, as on a full disk.
"""


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """The folder of a league of `FEW` games and its corpus, built in this process."""
    place = tmp_path_factory.mktemp("small")
    written(place / "league.jsonl", FEW)
    build([str(place / "league.jsonl")], place / "c")
    return place


@pytest.mark.wide(but=1)
@pytest.mark.skipif(os.name != "posix", reason="Windows has no bound on the size of files")
@pytest.mark.parametrize("size", [2_500, 300, 1_000, 5_000])
@pytest.mark.parametrize("command", ["build", "audit", "verify"])
def test_a_file_that_cannot_be_written_to_its_end(tmp_path, small, command, size):
    """If a file would exceed the limit, the command ends with exit code 3 and names its path; no part of it is left."""
    league = small
    asked = {"build": [str(league / "league.jsonl"), "-o", "made"], "audit": [str(league / "c"), "-o", "made"],
             "verify": [str(league / "c")]}[command]  # fmt: skip
    ended = subprocess.run(
        [sys.executable, "-c", BOUNDED, str(size), "corpus", command, *asked, "--workers", "1"], cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(tmp_path), "DAYNIGHT_LANG": "en"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (ended.returncode, ended.stdout) == (3, "")
    place = tmp_path if command == "verify" else "made"
    assert ended.stderr.startswith(str(place))
    assert ended.stderr.endswith(": File too large\n")
    assert ended.stderr.count("\n") == 1
    left = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert {path.name for path in left} <= {"lock", "corpus.json", "pieces"}
