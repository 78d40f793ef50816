"""The result of an audit: its files, equal to the ordinary commands, from every engine and after any interruption."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from functools import cache
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from daynight.cli.commands import run
from daynight.corpus.asking.finding import Condition, disputes, found
from daynight.corpus.asking.grouping import grouped
from daynight.corpus.building.build import build
from daynight.corpus.engines import local
from daynight.corpus.judging import audit as auditing
from daynight.corpus.judging.audit import AuditTask, audit
from daynight.corpus.judging.refereed import standing
from daynight.corpus.sources import planning
from daynight.events.terms import Designation
from daynight.framework.language.codec import versioned
from daynight.game import Game
from daynight.projections.audit.audit import Auditor
from daynight.projections.statistics import Counting, together
from daynight.records import Held
from tests.behaviour.games import ROOT, lines
from tests.oracle.walks import random_tries

from .edges import edge
from .test_building import files_of, made

REAL = sorted((ROOT / "examples/games").glob("*.jsonl"))


@cache
def neither():
    """The events of a game in which a judge rules neither: the game is refused if day is assumed from the beginning."""
    return next(events for events in walks() if rules_neither(events))


@cache
def walks():
    """The events of thirty random games."""
    return [random_tries(seed, 25)[0] for seed in range(30)]


def rules_neither(events):
    """Return whether a judge rules neither in one of these events."""
    return any(event.get("designation") == "neither" and event["type"] == "judge-ruled" for event in events)


@cache
def data():
    """The bytes of the corpus's records: games of examples/, games near the limits of "plain", random games."""
    first, *others = edge(30, 40)
    return [
        *(path.read_bytes() for path in REAL),
        *(lines(edge(seed, 40)) for seed in range(30)),
        lines([first | {"meta": {"table": 7}}, *others]),
        *(lines(events) for events in walks() if not rules_neither(events)),
    ]


def alone(work, tasks):  # type: ignore[no-untyped-def]
    """An engine that does every task in this process."""
    return ((task, work(task)) for task in tasks)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    """The folder of a corpus of the records `data()` in several parts."""
    place = tmp_path_factory.mktemp("corpus")
    source = made(place / "games", *data(), name="g{:03d}.jsonl")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(planning, "LINES", 500)
        assert len(build([str(source)], place / "c").parts) > 3
    return str(place / "c")


@pytest.fixture(scope="module")
def result(tmp_path_factory, corpus):
    """The folder with the result of the corpus's audit; no test changes it."""
    place = tmp_path_factory.mktemp("result") / "r"
    audit(AuditTask((corpus,)), place, alone)
    return place


@cache
def one_by_one(edition, assumed):
    """The audit and the statistics of each record by the ordinary referee, as two lists."""
    auditor = Auditor(edition, assume=assumed)
    audits = [auditor.record(Held("", one)) for one in data()]
    return audits, [Counting(assume=assumed).record(Held("", one)) for one in data()]


@pytest.mark.parametrize("edition,assumed", [(None, None), ("2021-09-24", Designation.DAY), (None, Designation.NIGHT)])
@pytest.mark.wide
def test_the_same_as_file_by_file(tmp_path, corpus, edition, assumed):
    """Verdicts, findings, statistics and totals are those of `daynight audit` and `daynight stats` of each file."""
    summary = audit(AuditTask([corpus], edition, None if assumed is None else assumed.value), tmp_path / "r", alone)
    audits, counts = one_by_one(edition, assumed)
    rows = pq.read_table(tmp_path / "r" / "verdicts.parquet").to_pylist()
    assert [row["game"] for row in rows] == list(range(len(data())))
    for row, told, count in zip(rows, audits, counts, strict=True):
        assert (row["verdict"], row["name"]) == (told.verdict, told.game)
        assert (row["findings"], row["unsettled"]) == (len(told.disputes), standing(told.unsettled))
        document = count.document()
        same = ("turns", "flips", "spells")
        assert [row[name] for name in same] == [document[name] for name in same]
        assert {name: row[f"ended_{name}"] for name in document["ended"]} == document["ended"]
        assert {name: row[f"active_casts_{name}"] for name in document["active_casts"]} == document["active_casts"]
    documents = [json.loads(line) for line in (tmp_path / "r" / "findings.jsonl").read_bytes().splitlines()]
    expected = [
        {**told.document(), "record": f"corpus:{corpus}#{game}"}
        for game, told in enumerate(audits)
        if told.verdict == "disputed" or told.unsettled or told.heard
    ]
    assert documents == json.loads(json.dumps(expected))
    findings = pq.read_table(tmp_path / "r" / "findings.parquet").to_pylist()
    assert len(findings) == sum(len(told.findings) for told in audits)
    assert summary["findings"] == sum(len(told.disputes) for told in audits) < len(findings)
    assert summary == json.loads((tmp_path / "r" / "summary.json").read_bytes())
    verdicts = [told.verdict for told in audits]
    assert summary == {
        "corpora": [corpus], "games": len(data()), "plain": sum(row["plain"] for row in rows),
        "events": sum(one.count(b"\n") for one in data()),
        "verdicts": {word: verdicts.count(word) for word in ("exact", "disputed", "unverified")},
        "findings": summary["findings"], "damaged": 0, "lost": 0, "edition": edition,
        "assumed": None if assumed is None else assumed.value,
    }  # fmt: skip
    assert (tmp_path / "r" / "damage.jsonl").read_bytes() == b""
    assert {path.name for path in tmp_path.iterdir()} == {"r"}


@pytest.mark.wide
def test_the_same_bytes_from_every_worker(tmp_path, corpus, capsys):
    """An audit of two corpora writes the same bytes without worker processes, with one and with two."""
    other = str(tmp_path / "another")
    shutil.copytree(corpus, other)
    for name, more in (("one", ["--workers", "1"]), ("two", ["--workers", "2"])):
        assert run(["corpus", "audit", corpus, other, "-o", str(tmp_path / name), "--json", *more]) == 1
    audit(AuditTask((corpus, other)), tmp_path / "none", alone)
    assert files_of(tmp_path / "one") == files_of(tmp_path / "two") == files_of(tmp_path / "none")
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert told[0] == told[1] == versioned(json.loads((tmp_path / "one" / "summary.json").read_bytes()))


@pytest.mark.slow
def test_the_same_bytes_from_dask(tmp_path, corpus):
    """A Dask cluster of two workers makes the same bytes."""
    assert run(["corpus", "audit", corpus, "-o", str(tmp_path / "dask"), "--engine", "dask", "--workers", "2"]) == 1
    audit(AuditTask((corpus,)), tmp_path / "none", alone)
    assert files_of(tmp_path / "dask") == files_of(tmp_path / "none")


def test_an_audit_that_was_interrupted_goes_on(tmp_path, corpus, result):
    """Finished parts are not audited again; the result folder is complete or absent."""

    def interrupted(work, tasks):  # type: ignore[no-untyped-def]
        for task in tasks[:2]:
            yield task, work(task)
        raise KeyboardInterrupt

    def counting(work, tasks):  # type: ignore[no-untyped-def]
        given.extend(tasks)
        return alone(work, tasks)

    given = []
    with pytest.raises(KeyboardInterrupt):
        audit(AuditTask((corpus,)), tmp_path / "r", interrupted)
    assert not (tmp_path / "r").exists()
    (work,) = tmp_path.iterdir()
    # A piece of which the disk never got the end is made again.
    os.truncate(work / "pieces", (work / "pieces").stat().st_size - 1)
    audit(AuditTask((corpus,)), tmp_path / "r", counting)
    assert [task.part.part for task in given[:2]] == [1, 2]
    assert files_of(tmp_path / "r") == files_of(result)
    # A result that is there is not made again.
    audit(AuditTask((corpus,)), tmp_path / "r", lambda work, tasks: pytest.fail("it is there"))  # type: ignore[arg-type]
    assert {path.name for path in tmp_path.iterdir()} == {"r"}


def test_a_part_that_kills_its_workers(tmp_path, corpus, monkeypatch):
    """A part that kills its workers is listed as damage, the others are audited; a later run audits that part too."""

    def deadly(work, tasks):  # type: ignore[no-untyped-def]
        for task in tasks:
            yield task, auditing.Deadly() if task.part.part == 1 else work(task)

    summary = audit(AuditTask((corpus,)), tmp_path / "r", deadly)
    whole = audit(AuditTask((corpus,)), tmp_path / "whole", alone)
    assert (summary["damaged"], summary["lost"] + summary["games"]) == (1, len(data()))
    (damage,) = [json.loads(line) for line in (tmp_path / "r" / "damage.jsonl").read_bytes().splitlines()]
    assert damage == {"corpus": corpus, "part": 1, "file": None, "problem": "it killed its worker three times"}
    assert audit(AuditTask((corpus,)), tmp_path / "r", alone) == whole


def test_a_game_that_cannot_be_assumed(tmp_path):
    """A game that the assumption makes impossible has no verdict; damage.jsonl lists it, but no part is damaged."""
    build([str(made(tmp_path / "games", lines(neither()), data()[0]))], tmp_path / "c")
    summary = audit(AuditTask((str(tmp_path / "c"),), None, "day"), tmp_path / "r", alone)
    assert (summary["games"], summary["damaged"], summary["lost"]) == (1, 0, 1)
    assert b"game 0 is refused" in (tmp_path / "r" / "damage.jsonl").read_bytes()
    assert pq.read_table(tmp_path / "r" / "verdicts.parquet").column("game").to_pylist() == [1]
    assert len(grouped([str(tmp_path / "c")], tmp_path / "r", ["source"], Designation.DAY)) == 1


@pytest.mark.parametrize("command", ["audit", "stats", "find"])
@pytest.mark.wide
def test_a_game_that_cannot_be_assumed_is_told(tmp_path, capsys, command):
    """A game that `--assume` makes impossible ends with exit code 3 and a sentence; without it the game is accepted."""
    build([str(made(tmp_path / "games", lines(neither()), data()[0]))], tmp_path / "c")
    asked = ["corpus", command, str(tmp_path / "c"), "--workers", "1", "-o"]
    assert run([*asked, str(tmp_path / "r"), "--assume", "day"]) == 3
    assert capsys.readouterr().err.splitlines()[-1] == f"1 game is refused: {tmp_path / 'r' / 'damage.jsonl'}"
    assert run([*asked, str(tmp_path / "q")]) in (0, 1)
    assert "refused" not in capsys.readouterr().err


@pytest.mark.wide
@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="there is no /proc of Linux here, which lists threads")
def test_no_thread_is_left_that_reads_a_result(result):
    """`read_table` leaves no thread behind: a thread of Arrow with a Python file would abort the process at its end."""
    program = (
        "import os, sys, pathlib, pyarrow.parquet\n"
        "from daynight.corpus.judging.results import read_table\n"
        "before = len(os.listdir('/proc/self/task'))\n"
        "rows = read_table(pathlib.Path(sys.argv[1])).num_rows\n"
        "print(rows, len(os.listdir('/proc/self/task')) - before)\n"
    )
    command = [sys.executable, "-c", program, str(result / "verdicts.parquet")]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout.split() == [str(len(data())), "0"]


@pytest.mark.wide
def test_groups_are_sums_of_statistics(corpus, result):
    """A group has the sums of the numbers that `daynight stats` gives for its games."""
    _audits, counts = one_by_one(None, None)
    games = [Game.load(Held("", one)) for one in data()]
    for by, key in (
        ("edition", lambda game: game.events[0].edition),
        ("month", lambda game: (game.events[0].at or "")[:7]),
    ):
        groups = grouped([corpus], result, [by], None)
        assert {group.by[by] for group in groups} == {key(game) or None for game in games}
        for group in groups:
            known = [one for one, game in zip(counts, games, strict=True) if (key(game) or None) == group.by[by]]
            expected = together(known)
            assert group.document() == {"by": group.by, **expected.document()}


@pytest.mark.wide
def test_stats_on_the_command_line(tmp_path, corpus, result, capsys):
    """`stats` prints JSON with groups and totals, or a table, and draws a picture; it refuses an unknown `--by`."""
    # The first one makes the result; what there is of it is not made again.
    made, picture = str(tmp_path / "r"), tmp_path / "shares.svg"
    command = ["corpus", "stats", corpus, "-o", made, "--workers", "1", "--by", "edition", "--json"]
    assert run([*command, "--picture", str(picture)]) == 0
    assert files_of(tmp_path / "r") == files_of(result)
    told = json.loads(capsys.readouterr().out)
    _audits, counts = one_by_one(None, None)
    assert (told["version"], told["together"]) == (1, together(counts).document())
    assert sum(group["games"] for group in told["groups"]) == len(data())
    assert picture.read_text("utf-8").startswith("<svg")
    assert run(["corpus", "stats", corpus, "-o", made, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == versioned({"groups": [], "together": told["together"]})
    assert run(["corpus", "stats", corpus, "-o", made, "--by", "meta.table", "--by", "edition"]) == 0
    assert f"{len(data())} games" in capsys.readouterr().out
    assert run(["corpus", "stats", corpus, "-o", made, "--by", "wish"]) == 2
    assert "expected edition, source, month or meta.FIELD" in capsys.readouterr().err


@pytest.mark.parametrize("by, language, heading", [
    (["month"], "en", "month"), (["month"], "fr", "mois"), (["source", "edition"], "en", "source, edition"),
    (["meta.table"], "en", "meta.table"), ([], "en", "game"),
])  # fmt: skip
@pytest.mark.wide(but=1)
def test_stats_are_headed_by_what_they_are_grouped_by(
    by, language, heading, corpus, result, capsys,
    monkeypatch,
):  # fmt: skip
    """The table's first heading is the fields of `--by` in the chosen language, or `game` without `--by`."""
    monkeypatch.delenv("COLUMNS", raising=False)
    groups = [word for field in by for word in ("--by", field)]
    assert run(["corpus", "stats", corpus, "-o", str(result), "--lang", language, *groups]) == 0
    assert re.split(" {2,}", capsys.readouterr().out)[0] == heading


def test_disputes_by_rule_and_claimant(corpus, result, capsys):
    """Findings that are not undone are counted by rule and claimant, the most frequent first; `stats` shows them."""
    audits, _counts = one_by_one(None, None)
    counts = Counter((one.rule, one.by) for told in audits for one in told.findings if not one.undone)
    listed = disputes(result)
    assert {(rule, by): count for rule, by, count in listed} == counts
    assert [count for _rule, _by, count in listed] == sorted(counts.values(), reverse=True)
    assert run(["corpus", "stats", corpus, "-o", str(result)]) == 0
    assert "claimed by" in capsys.readouterr().out


def test_find(corpus, result, capsys):
    """`find` lists the games of a verdict, or with a finding that meets all conditions: rule, part, claimant, turns.

    Each address that it prints can be audited as a record.
    """
    audits, _counts = one_by_one(None, None)

    def numbers(**condition):
        return [int(one["record"].rpartition("#")[2]) for one in found(result, Condition(**condition))]

    assert numbers(verdict="disputed") == [game for game, told in enumerate(audits) if told.verdict == "disputed"]
    meeting = [
        game
        for game, told in enumerate(audits)
        if any(
            one.rule == "check-day" and one.about == "designation" and not one.undone and 1 <= one.found.state.turn <= 6
            for one in told.findings
        )
    ]
    assert numbers(rule="check-day", about="designation", turn=(1, 6)) == meeting != []
    assert numbers(rule="check-day", by="nobody") == []
    all_games = list(found(result, Condition()))
    standing_events = [[one.found.event for one in told.findings if not one.undone] for told in audits]
    assert [game["events"] for game in all_games] == standing_events
    assert any(one.undone for told in audits for one in told.findings)
    assert run(["corpus", "find", corpus, "-o", str(result), "--disputed", "--turn", "1..3", "--json"]) == 0
    for line in capsys.readouterr().out.splitlines():
        assert run(["audit", json.loads(line)["record"], "--json"]) == 1
    assert run(["corpus", "find", corpus, "--turn", "9..4"]) == 2
    assert run(["corpus", "find", corpus, "--turn", "-1"]) == 2
    for more in (["--rule", "check-nihgt"], ["--rule", "702"], ["--disputed", "--verdict", "exact"]):
        capsys.readouterr()
        assert run(["corpus", "find", corpus, *more]) == 2
        assert ("check-night" in capsys.readouterr().err) == (more[0] == "--rule")
    capsys.readouterr()


def test_a_game_of_a_corpus_is_a_record(corpus, capsys):
    """`audit` takes `corpus:FOLDER#GAME` for FILE; a missing game or folder ends with exit code 4."""
    for game in (0, len(data()) - 1):
        assert run(["audit", f"corpus:{corpus}#{game}", "--json"]) in (0, 1)
        expected = Auditor().record(Held(f"corpus:{corpus}#{game}", data()[game])).document()
        assert json.loads(capsys.readouterr().out) == json.loads(json.dumps(versioned(expected)))
    assert run(["audit", f"corpus:{corpus}#{'0' * 30}1", "--json"]) in (0, 1)
    expected = Auditor().record(Held(f"corpus:{corpus}#{'0' * 30}1", data()[1])).document()
    assert json.loads(capsys.readouterr().out) == json.loads(json.dumps(versioned(expected)))
    far = f"corpus:{corpus}#1{'0' * 30}"
    for name in (f"corpus:{corpus}#99999", far, f"corpus:{corpus}", f"corpus:{corpus}#x", "corpus:/nowhere#1"):
        assert run(["audit", name]) == 4
    assert "no corpus there" in capsys.readouterr().err


def test_what_is_not_replaced(tmp_path, corpus, capsys):
    """`-o` ends with exit code 2 for a folder that contains anything except the result of the same audit."""
    (tmp_path / "r").mkdir()
    Path(tmp_path / "r" / "mine.txt").write_text("mine", "utf-8")
    assert run(["corpus", "audit", corpus, "-o", str(tmp_path / "r")]) == 2
    assert "holds something else" in capsys.readouterr().err
    (tmp_path / "r" / "mine.txt").unlink()
    audit(AuditTask((corpus,)), tmp_path / "r", alone)
    before = files_of(tmp_path / "r")
    build([str(made(tmp_path / "games", data()[0]))], tmp_path / "c")
    for command, folder, *more in (
        ("audit", corpus, "--edition", "2021-09-24"), ("stats", corpus, "--assume", "day"),
        ("find", str(tmp_path / "c")), ("audit", corpus, "--lang", "fr"),
    ):  # fmt: skip
        assert run(["corpus", command, folder, "-o", str(tmp_path / "r"), "--workers", "1", *more]) == 2
        assert "--lang" in more or "has the result of another audit" in capsys.readouterr().err
    # What is counted is the same in every language.
    assert run(["corpus", "stats", corpus, "-o", str(tmp_path / "r"), "--lang", "fr"]) == 0
    # What may be the half of a result is not replaced either.
    assert files_of(tmp_path / "r") == before
    (tmp_path / "r" / "verdicts.parquet").write_bytes(b"")
    assert run(["corpus", "audit", corpus, "-o", str(tmp_path / "r"), "--workers", "1"]) == 2
    assert {path.name for path in tmp_path.iterdir()} == {"r", "games", "c"}


def test_a_corpus_given_twice(tmp_path, corpus, monkeypatch, capsys):
    """A corpus given twice, also by a link or `file://`, ends with exit code 2; a copy of the corpus is accepted."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(local, "spread", lambda work, tasks, workers: local.here(work, tasks))
    Path("link").symlink_to(corpus, target_is_directory=True)
    for again in (corpus, f"{corpus}/", "link", f"file://{corpus}/"):
        for command in (["audit", "-o", "r"], ["stats"], ["verify"]):
            assert run(["corpus", *command, corpus, again, "--workers", "1"]) == 2
            assert f"{again} is given twice; give each corpus once" in capsys.readouterr().err
    shutil.copytree(corpus, "copy")
    assert run(["corpus", "audit", "copy", "link", "-o", "r", "--workers", "1"]) == 1
