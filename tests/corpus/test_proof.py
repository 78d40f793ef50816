"""A hundred thousand games of every kind: the ordinary referee, each engine, and a run after a kill agree."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from hashlib import sha256
from itertools import groupby
from operator import itemgetter

import pyarrow.parquet as pq
import pytest

import daynight.corpus
from daynight.corpus.building.build import build
from daynight.corpus.engines.local import here
from daynight.corpus.judging.audit import AuditTask, audit
from daynight.corpus.judging.refereed import standing
from daynight.corpus.sources import planning
from daynight.corpus.sources.splitting import split
from daynight.corpus.verifying import verify
from daynight.game import Game
from daynight.projections.audit.audit import Auditor
from daynight.projections.statistics import Counting
from daynight.records import Held
from examples.league import league
from tests.behaviour.games import ROOT, lines
from tests.oracle.walks import random_tries

from .edges import edge
from .test_building import exported, files_of
from .test_turns import told as turns_told

pytestmark = pytest.mark.slow

EDGES, WALKS, GAMES = 30_000, 5_000, 65_000
"""How many games just meet or miss the conditions of `daynight.corpus.plain`, are random, or are of a league."""

ENGINES = (("local", 1), ("local", 2), ("local", 5), ("dask", 2))


def generated():
    """Yield the bytes of each record: the games of examples/, and generated ones."""
    for path in sorted((ROOT / "examples/games").glob("*.jsonl")):
        yield path.read_bytes()
    for seed in range(EDGES):
        yield lines(edge(seed, 10 + seed % 40))
    for seed in range(WALKS):
        yield lines(random_tries(seed, 10 + seed % 30)[0])
    yield from league(GAMES, odd=10, wrong=5)


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder with all records in games.jsonl, and with a corpus `c` of them in more than twenty parts."""
    place = tmp_path_factory.mktemp("proof")
    with (place / "games.jsonl").open("wb") as stream:
        stream.writelines(data if data.endswith(b"\n") else data + b"\n" for data in generated())
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(planning, "LINES", 250_000)
        manifest = build([str(place / "games.jsonl")], place / "c", workers=2)
    assert len(manifest.parts) > 20
    assert not sum(part.refused for part in manifest.parts)
    return place


def command(engine, workers, result):
    """Start a process that audits the corpus beside `result`, and writes the folder `result`."""
    program = [sys.executable, "-m", "daynight", "corpus", "audit", "c", "-o", result.name]
    options = ["--engine", engine, "--workers", str(workers)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    how = {"env": environment, "stdout": subprocess.DEVNULL, "start_new_session": True}
    return subprocess.Popen([*program, *options], cwd=result.parent, **how)


def test_the_ordinary_referee_says_the_same(place, monkeypatch):
    """The audit of the corpus gives each game the verdict, findings and statistics of the ordinary referee.

    The rows of `turns` are those of `game.table("turn")`, compared for every tenth game of the league and for all
    others. `export` writes the bytes of the records.
    """
    monkeypatch.chdir(place)
    summary = audit(AuditTask(["c"]), place / "here", here)
    rows = pq.read_table(place / "here" / "verdicts.parquet").to_pylist()
    documents = iter((place / "here" / "findings.jsonl").read_bytes().splitlines())
    found = pq.read_table(place / "here" / "findings.parquet").to_pylist()
    auditor, findings = Auditor(), iter(found)
    corpus = daynight.corpus.load("c")
    of_games = iter(corpus.arrow("games", ["verdict", "findings", "unsettled", "sha256"]).to_pylist())
    turns = groupby(corpus.arrow("turns").to_pylist(), itemgetter("game"))
    with (place / "games.jsonl").open("rb") as stream:
        for row, raw in zip(rows, split(stream), strict=True):
            data = raw.take()
            held = Held(f"corpus:c#{row['game']}", data)
            told, count = auditor.record(held), Counting().record(held).document()
            assert (row["name"], row["verdict"]) == (told.game, told.verdict)
            assert (row["findings"], row["unsettled"]) == (len(told.disputes), standing(told.unsettled))
            assert next(of_games) == {name: row[name] for name in ("verdict", "findings", "unsettled")} | {
                "sha256": sha256(data).hexdigest()
            }
            number, rows_of_turns = next(turns)
            assert number == row["game"]
            if number < EDGES + WALKS or number % 10 == 0:
                by_table = turns_told(Game.load(held))
                standing_rows = [one for one in rows_of_turns if not one["undone"]]
                assert [{**one, "game": number} for one in by_table] == standing_rows
            assert all(row[name] == count[name] for name in ("turns", "flips", "spells"))
            assert all(row[f"ended_{name}"] == turns for name, turns in count["ended"].items())
            assert all(row[f"active_casts_{name}"] == turns for name, turns in count["active_casts"].items())
            document = told.document()
            if told.verdict == "disputed" or told.unsettled or told.heard:
                assert json.loads(next(documents)) == json.loads(json.dumps(document))
            for one in document["findings"]:
                listed = next(findings)
                assert (listed["game"], listed["event"], listed["sentence"]) == (
                    row["game"], one["event"], one["sentence"],
                )  # fmt: skip
    assert next(documents, None) is next(findings, None) is None
    assert len(rows) == summary["games"] > EDGES + WALKS + GAMES
    assert summary["plain"] > summary["games"] / 2
    assert min(summary["verdicts"].values()) > 1_000
    assert b"".join(exported(place / "c", place / "out")) == (place / "games.jsonl").read_bytes()
    shutil.rmtree(place / "out")
    assert list(verify("c", workers=2)) == []


@pytest.mark.parametrize("engine,workers", ENGINES)
def test_every_engine_makes_the_same_bytes(place, engine, workers, monkeypatch):
    """Every engine makes the same bytes, also when it was killed with its workers and started again."""
    monkeypatch.chdir(place)
    if not (place / "here").exists():
        audit(AuditTask(["c"]), place / "here", here)
    expected = files_of(place / "here")
    for kills in (0, 1):
        result = place / f"{engine}{workers}-{kills}"
        if kills:
            running = command(engine, workers, result)
            kept = f".{result.name}.*/pieces"
            while running.poll() is None and not any(path.stat().st_size for path in place.glob(kept)):
                time.sleep(0.02)
            os.killpg(running.pid, signal.SIGKILL)
            running.wait()
            assert not result.exists()
        assert command(engine, workers, result).wait() == 1
        assert files_of(result) == expected
        assert not [*place.glob(".*")]
        shutil.rmtree(result)


def test_a_build_of_any_workers(place, tmp_path, monkeypatch):
    """Five workers build the same bytes as two."""
    monkeypatch.setattr(planning, "LINES", 250_000)
    build([str(place / "games.jsonl")], tmp_path / "c", workers=5)
    assert files_of(tmp_path / "c") == files_of(place / "c")
