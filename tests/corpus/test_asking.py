"""Grouping on the command line by fields of `meta`, and the progress of a command."""

import json
import re
import time

import pytest

from daynight.cli.commands import run
from daynight.cli.corpus import progress
from daynight.corpus.building.build import build
from daynight.corpus.engines import local
from tests.behaviour.games import lines
from tests.rules import words

from .test_building import made


@pytest.fixture(autouse=True)
def here(monkeypatch):
    """Do the work of the worker processes in this process: no test here depends on them."""
    monkeypatch.setattr(local, "spread", lambda work, tasks, workers: local.here(work, tasks))


@pytest.fixture
def league(tmp_path):
    """A corpus of five games: three with `meta.cafe.table`, one whose `meta.cafe` is a text, one without `meta`."""
    metas = (
        {"cafe": {"table": 1, "host": None}}, {"cafe": {"table": 2}}, {"cafe": {"table": 1}}, {"cafe": "closed"}, None,
    )  # fmt: skip
    games = [lines([words.started() if meta is None else words.started(meta=meta)]) for meta in metas]
    build([str(made(tmp_path / "games", *games))], tmp_path / "c")
    return str(tmp_path / "c")


def test_dots_go_down_into_meta(league, capsys):
    """`--by meta.a.b` reads a nested field; all games without this field are one group, whose value is null."""
    assert run(["corpus", "stats", league, "--by", "meta.cafe.table", "--workers", "1", "--json"]) == 0
    groups = json.loads(capsys.readouterr().out)["groups"]
    assert [(group["by"]["meta.cafe.table"], group["games"]) for group in groups] == [(1, 2), (2, 1), (None, 2)]


def test_the_month_of_the_place(tmp_path, capsys):
    """`--by month` takes the month that line 1 writes, and no other one that it was at that moment in UTC."""
    ats = ("2024-01-31T23:30:00-05:00", "2024-03-01T00:30:00+09:00")
    build([str(made(tmp_path / "games", *(lines([words.started(at=at)]) for at in ats)))], tmp_path / "c")
    assert run(["corpus", "stats", str(tmp_path / "c"), "--by", "month", "--workers", "1", "--json"]) == 0
    groups = json.loads(capsys.readouterr().out)["groups"]
    assert [(group["by"]["month"], group["games"]) for group in groups] == [("2024-01", 1), ("2024-03", 1)]
    assert run(["corpus", "stats", "--help"]) == 0
    assert "in the time of the game's place and not in UTC" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize("field", ["meta.cafe.tabel", "meta.table", "meta.cafe.table.", "meta.cafe.table.x"])
def test_a_field_that_no_game_has(league, capsys, field):
    """`--by` ends with exit code 2 for a field that no game has, and lists those that exist, also null ones."""
    assert run(["corpus", "stats", league, "--by", field, "--workers", "1"]) == 2
    told = f"{field}: no game has that; there are meta.cafe.table, meta.cafe.host, meta.cafe\n"
    assert capsys.readouterr().err == told
    assert run(["corpus", "stats", league, "--by", "meta.cafe.host", "--workers", "1"]) == 0


@pytest.mark.parametrize("language, words", [
    ("en", r"(working|1 parts, 5 games, 5 events), \d+ s"),
    ("fr", r"(en cours|lots : 1, parties : 5, événements : 5), \d+ s"),
])  # fmt: skip
def test_progress_where_it_is_piped(tmp_path, league, monkeypatch, capsys, language, words):
    """If standard error is no terminal, a long command prints its progress there as lines; a quick one prints none."""
    command = ["corpus", "build", str(tmp_path / "games"), "--lang", language, "-o"]
    assert run([*command, str(tmp_path / "quick")]) == 0
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(progress, "EVERY", 0.01)
    told = progress.Progress.told

    def slow(self, sentence):
        told(self, sentence)
        time.sleep(0.05)

    monkeypatch.setattr(progress.Progress, "told", slow)
    assert run([*command, str(tmp_path / "slow")]) == 0
    said = capsys.readouterr().err.splitlines()
    assert len(said) > 1
    assert all(re.fullmatch(words.replace(" :", "\N{NO-BREAK SPACE}:"), line) for line in said)
