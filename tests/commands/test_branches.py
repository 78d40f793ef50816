"""Branches on the command line: stored, named by positions, listed, compared.

| promise | test |
| --- | --- |
| what-if keeps a branch in the store, and every command finds it by position | test_kept |
| a stored branch can be branched again | test_of_branches |
| `branches` lists the stored branches with their designations and verdicts | test_listed |
| a file is a branch of a game if its first line says so and its events fit | test_files |
| a file has no stored branches; a name that looks like a position is refused | test_refused |
| if a branch can't be stored, the command is refused, and the stored games do not change | test_refused |
| no output is written over a store, or over its own input | test_a_store_stays |
"""

from __future__ import annotations

import os

import pytest

from tests.behaviour.games import CONTRACT, kept


@pytest.fixture
def g1(daynight, g1):
    """The path of g1.jsonl, whose events are those of `CONTRACT`; the fixture imports it into daynight.db too."""
    assert 0 == daynight("import", g1, "--into", "daynight.db").code
    return g1


def test_kept(daynight, g1):
    ran = daynight("what-if", "db:g1", "--at", "turn:2", "--insert", "Bo casts Opt", "--name", "b2", "--keep")
    assert (1, "") == ran[::2]
    assert "kept: db:g1/b2" == ran.out.splitlines()[-1]
    assert "☾ night" in daynight("why", "db:g1", "--at", "8").out
    assert "☀ day" in daynight("why", "db:g1", "--at", "branch:b2/e9").out
    for command in ("why", "blame", "forecast", "unknowns", "replay", "show"):
        ran = daynight(command, "db:g1", "--at", "branch:b2/e9")
        assert (0, daynight(command, "db:g1/b2", "--at", "9").out) == ran[:2]
    (document,) = daynight("replay", "db:g1", "--at", "branch:b2", "--json").documents
    assert ("day", 1 + len(CONTRACT)) == (document["designation"], document["event"])
    ran = daynight("diff", "db:g1", "--at", "e8", "--at", "branch:b2/e9")
    assert (1, True) == (ran.code, "    night / day\n" in ran.out)
    assert 1 == daynight("diff", "db:g1", "db:g1/b2").code
    assert 0 == daynight("verify").code


def test_of_branches(daynight, g1):
    keep = ("--name", "b2", "--keep", "--json")
    assert 1 == daynight("what-if", "db:g1", "--at", "turn:2", "--insert", "Bo casts Opt", *keep).code
    ran = daynight("what-if", "db:g1", "--at", "branch:b2/e6", "--drop", "6", "--name", "c1", "--keep")
    assert "kept: db:g1/b2/c1" == ran.out.splitlines()[-1]
    assert 0 == daynight("diff", "db:g1", "--at", "branch:b2/c1", "--at", "e8").code


def test_listed(daynight, g1):
    assert (0, "db:g1 has no branches here\n") == daynight("branches", "db:g1")[:2]
    daynight("what-if", "db:g1", "--at", "turn:2", "--insert", "Bo casts Opt", "--name", "b2", "--keep")
    (document,) = daynight("branches", "db:g1", "--json").documents
    (branch,) = document["branches"]
    assert ("g1", "b2", "g1", 5, True) == (
        document["game"], branch["name"], branch["parent"], branch["parted"], branch["intact"],
    )  # fmt: skip
    assert ("day", "unverified", 2) == (branch["designation"], branch["verdict"], branch["differs"]["turn"])
    ran = daynight("branches", "db:g1")
    assert 0 == ran.code
    assert "b2  db:g1/b2  g1          e5     turn 2      ☀ day       unverified" in ran.out


def test_files(daynight, g1, tmp_path):
    write = ("--at", "turn:2", "--insert", "Bo casts Opt", "--name", "b2", "-o", "b2.jsonl")
    assert 1 == daynight("what-if", "g1.jsonl", *write).code
    assert 1 == daynight("what-if", "b2.jsonl", "--drop", "6", "--name", "c1", "-o", "c1.jsonl").code
    ran = daynight("branches", "g1.jsonl", "b2.jsonl", "c1.jsonl", "--json")
    assert (0, [("b2", "g1"), ("c1", "g1/b2")]) == (
        ran.code, [(one["name"], one["parent"]) for one in ran.documents[0]["branches"]],
    )  # fmt: skip
    # Without the branch in between, its lines would fit no parent.
    assert 1 == daynight("branches", "g1.jsonl", "c1.jsonl").code
    other = kept(tmp_path / "other.jsonl", CONTRACT[:3])
    ran = daynight("branches", other, "b2.jsonl")
    assert (1, True) == (ran.code, "(not as it is now)" in " ".join(ran.out.split()))
    tampered = (tmp_path / "b2.jsonl").read_bytes().splitlines(keepends=True)
    lying = tampered[0].replace(b'"game":"g1","event"', b'"game":"g7","event"')
    (tmp_path / "l2.jsonl").write_bytes(b"".join([lying, *tampered[1:]]))
    assert 1 == daynight("branches", "g1.jsonl", "l2.jsonl").code
    ran = daynight("branches", "g1.jsonl", "g1.jsonl")
    assert (1, True) == (ran.code, "says no origin" in ran.out)
    assert 4 == daynight("branches", "g1.jsonl", "none.jsonl").code


def test_refused(daynight, g1):
    ran = daynight("why", "g1.jsonl", "--at", "branch:b2/e3")
    assert (4, True) == (ran.code, "name the branch's own file" in ran.error)
    assert 4 == daynight("why", "db:g1", "--at", "branch:none/e3").code
    insert = ("--at", "turn:2", "--insert", "Bo casts Opt")
    assert 2 == daynight("what-if", "g1.jsonl", *insert, "--keep").code
    ran = daynight("what-if", "db:g1", *insert, "--name", "e3", "--keep")
    assert (2, True) == (ran.code, "cannot be called 'e3'" in ran.error)
    assert 1 == daynight("what-if", "db:g1", *insert, "--name", "b2", "--keep").code
    assert 5 == daynight("what-if", "db:g1", "--drop", "4", "--name", "b2", "--keep").code
    assert "another branch 'b2' already" in daynight("what-if", "db:g1", "--drop", "4", "--name", "b2", "--keep").err
    ran = daynight("what-if", "db:g1", "--drop", "branch:b2/e6")
    assert (2, True) == (ran.code, "give the branch itself as the record, db:GAME/b2" in ran.err)
    assert ["g1", "g1/b2"] == [game["game"] for game in daynight("list", "--json").documents[0]["games"]]


@pytest.mark.wide(but=3)
@pytest.mark.parametrize("command", [
    ["what-if", "db:g1", "--drop", "4"], ["stats", "db:g1"], ["export", "g1"], ["report", "db:g1"],
    ["picture", "db:g1"],
    ["write", "db:g1"], ["read", "db:g1"],
])  # fmt: skip
def test_a_store_stays(daynight, g1, command):
    """-o refuses a store, the input file and `-` with exit code 2, and overwrites nothing."""
    before = (g1.parent / "daynight.db").read_bytes()
    ran = daynight(*command, "-o", "daynight.db")
    assert (2, True) == (ran.code, "is a database, and stays as it is" in ran.err)
    assert before == (g1.parent / "daynight.db").read_bytes()
    ran = daynight(*command, "-o", "-")
    assert (2, True) == (ran.code, "-o names a file" in ran.err)
    assert not (g1.parent / "-").exists()
    if command[0] != "export":
        data = g1.read_bytes()
        assert 2 == daynight(command[0], "g1.jsonl", *command[2:], "-o", "g1.jsonl").code
        assert data == g1.read_bytes()
    ran = daynight(*command, "-o", "none/x.svg")
    assert "none/x.svg" in ran.err or "none/x.svg.proof" in ran.err
    assert str(os.getpid()) not in ran.err
