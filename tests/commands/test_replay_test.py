"""`replay-test` writes a baseline, the answers to records, and replays it: for day and night and for any mechanic.

| promise | test |
| --- | --- |
| baselines of files, stored games and logs replay without a difference | test_replays, test_any_mechanic |
| exit code 1 for a difference, 3 for a refused event; text and JSON agree | test_differences |
| exit code 3 for an invalid baseline, 4 for a missing file, 2 for wrong usage, each in one line | test_mistakes |
| `--write` overwrites a baseline and no other file; if it fails, the old baseline stays | test_sparing |
| the same games give the same bytes in every process | test_same_bytes |
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from daynight.framework.language.codec import encode
from daynight.framework.testing import assert_replays
from daynight.game import Game, played
from examples.approval import MECHANIC as APPROVAL
from tests.framework.cases import CASES
from tests.framework.commanding import documents, kept, ran
from tests.importers.arena_logs import csv_table

from .test_logs import log_of

APPROVED = CASES["an approval"]


@pytest.mark.wide
def test_replays(daynight, folder, stdin):
    Path("two.log").write_bytes(log_of("a1", "b2"))
    Path("cards.csv").write_bytes(csv_table())
    assert 0 == daynight("import", "demo", "--db", "daynight.db").code
    given = ["demo", "db:wagic-G1", "two.log", "--cards", "cards.csv", "--every", "20"]
    (written,) = daynight("replay-test", "--write", "b", *given, "--json").documents
    assert ("b", "daynight", 4) == (written["file"], written["mechanic"], written["records"])
    counts = {name: written[name] for name in ("records", "moments", "parts")}
    (found,) = daynight("replay-test", "b", "--ways", "--json").documents
    assert found == {"baseline": "b", "mechanic": "daynight", **counts, "new_parts": [], "differences": []}
    ran = daynight("replay-test", "b")
    assert (0, "") == ran[::2]
    told = "replays as it was: {records} records, {moments} moments, {parts} parts\n"
    assert told.format(**counts) == ran.out
    assert_replays(played(), "b", ways=True)
    stdin(Path("b").read_bytes())
    assert ran == daynight("replay-test", "-")


def test_any_mechanic(tmp_path):
    file, base, where = kept(APPROVED, tmp_path), tmp_path / "b", ["--db", tmp_path / "x.db"]
    assert 0 == ran(APPROVED, "import", file, *where, "--key", tmp_path / "key.pem")[0]
    (written,) = documents(APPROVED, "replay-test", "--write", base, file, "db:budget", *where, "--every", "3")
    assert ("approval", 2) == (written["mechanic"], written["records"])
    (found,) = documents(APPROVED, "replay-test", base, "--ways")
    assert [] == found["differences"]
    assert_replays(APPROVAL, base)


def spoiled(base: Path, was: bytes, now: bytes) -> None:
    """Replace `was` by `now` once in a baseline, as if other code had written it."""
    data = base.read_bytes()
    assert was in data
    base.write_bytes(data.replace(was, now, 1))


def test_differences(tmp_path):
    base = tmp_path / "b"
    assert 0 == ran(APPROVED, "replay-test", "--write", base, kept(APPROVED, tmp_path))[0]
    spoiled(base, b'"values":["in-review"]', b'"values":["\\u001b[1mdraft"]')
    (found,) = documents(APPROVED, "replay-test", base, code=1)
    (one,) = found["differences"]
    keys = ("event", "claim", "part", "subject", "what")
    assert (8, True, "stage", None, "values") == tuple(one[key] for key in keys)
    assert (["\x1b[1mdraft"], ["in-review"]) == (one["was"], one["is"])
    code, out, err = ran(APPROVED, "replay-test", base)
    record = tmp_path / "record.jsonl"
    told = f'{record}: event 8, as the claim finds it: stage: was "\\u001b[1mdraft", is "in-review"'
    assert (1, [told], "") == (code, out.splitlines()[:1], err)
    assert out.splitlines()[1].startswith("1 difference: 1 record, ")
    spoiled(base, b'"rule":"withdrawn"', b'"rule":"sent"')
    assert 1 == len(documents(APPROVED, "replay-test", base, code=1)[0]["differences"])
    assert "how it came about" in ran(APPROVED, "replay-test", base, "--ways")[1]
    spoiled(base, b'{"type":"submitted","by":"Ana"}', b'{"type":"submitted","by":"Bo"}')
    code, out, err = ran(APPROVED, "replay-test", base)
    assert (3, "") == (code, err)
    assert f"{record}: event 2: refused: $.by: " in out
    (found,) = documents(APPROVED, "replay-test", base, code=3)
    assert ("refused", None, 2) == tuple(found["differences"][0][key] for key in ("what", "part", "event"))


def test_mistakes(daynight, folder):
    Path("game.jsonl").write_bytes(b"".join(encode(event) + b"\n" for event in Game.load("demo").events))
    Path("bad.jsonl").write_bytes(b"{}\n")
    Path("b").write_bytes(b'{"type":"baseline","format":1}\n')
    for code, sentence, arguments in (
        (3, "game.jsonl:1: $: no baseline; replay-test --write makes one", ["game.jsonl"]),
        (3, "b:1: $: missing field mechanic", ["b"]),
        (4, "nowhere: ", ["nowhere"]),
        (4, "nowhere: no such file", ["--write", "x", "nowhere"]),
        (3, "bad.jsonl:1: $: missing field type", ["--write", "x", "bad.jsonl"]),
        (2, "give one baseline", ["game.jsonl", "b"]),
        (2, "--every is for --write", ["b", "--every", "3"]),
        (2, "--write keeps the ways too", ["b", "--write", "x", "--ways"]),
        (2, "missing argument", ["--write", "x"]),
        (2, "'0' is no whole number from 1 on", ["--write", "x", "demo", "--every", "0"]),
    ):
        ran = daynight("replay-test", *arguments)
        assert (code, "") == ran[:2], arguments
        assert sentence in ran.error, arguments
        assert 1 == ran.err.count("\n")
        document = json.loads(daynight("replay-test", *arguments, "--json").out)
        assert (code, ran.error) == (document["exit"], document["error"])
    assert not Path("x").exists()


def test_sparing(daynight, folder):
    Path("game.jsonl").write_bytes(b"".join(encode(event) + b"\n" for event in Game.load("demo").events))
    before = Path("game.jsonl").read_bytes()
    ran = daynight("replay-test", "--write", "game.jsonl", "demo")
    assert (2, "", True) == (*ran[:2], "is no baseline; name another file" in ran.error)
    assert before == Path("game.jsonl").read_bytes()
    assert 0 == daynight("replay-test", "--write", "b", "demo").code
    before = Path("b").read_bytes()
    assert 4 == daynight("replay-test", "--write", "b", "demo", "nowhere").code
    assert before == Path("b").read_bytes()
    assert 0 == daynight("replay-test", "--write", "b", "demo", "--every", "7").code
    assert before != Path("b").read_bytes()


@pytest.mark.wide(but=1)
@pytest.mark.parametrize("seed", ["1", "2"])
def test_same_bytes(daynight, process, folder, tmp_path, seed):
    assert 0 == daynight("replay-test", "--write", "ours", "demo").code
    assert 0 == process("replay-test", "--write", str(folder / "theirs"), "demo", PYTHONHASHSEED=seed).code
    assert Path("ours").read_bytes() == (folder / "theirs").read_bytes()
