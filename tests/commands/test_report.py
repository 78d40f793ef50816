"""`daynight report`: it writes a file that anybody can open, and does not change the record.

| promise | test |
| --- | --- |
| the format follows the file name, --format or --json; the default is Markdown | test_forms |
| a written file is reported; exit code 1 if something is disputed | test_written |
| an unknown ending, or --json with another format, is refused | test_usage |
| it takes any record, also a stored game, whose code it prints | test_records, test_stored |
| it includes given branches, branches of branches, and stored ones | test_branches, ..._of_branches, test_kept |
| a report of a branch says that it is one | test_a_branch |
| --at adds a moment to the report; --edition is the one by which rules are cited | test_moment, test_edition |
| record and store are neither changed nor overwritten | test_untouched, test_spared |
| it writes a complete file or none; an unwritable target is named | test_whole, test_unwritable |
| a refused record gets no report | test_refused |
"""

from __future__ import annotations

import errno
import gzip
import hashlib
import json
from pathlib import Path

import pytest

from daynight.framework.branches import digest_of
from daynight.game import Game
from daynight.keeping import files
from daynight.records import Record
from daynight.reports import rendered, report
from tests.behaviour.games import CONTRACT, kept
from tests.rules.judges import claim
from tests.rules.words import started, turn


@pytest.fixture
def disputed(folder: Path) -> Path:
    """A record with a wrong claim."""
    return kept(folder / "g1.jsonl", [*CONTRACT, claim("day")])


@pytest.mark.wide
def test_forms(daynight, disputed):
    """In each format the command writes exactly what `rendered` returns."""
    found = report(Game.load(disputed), digest=lambda events: digest_of(Record(disputed), events))
    forms = {form: rendered(found, form) for form in ("html", "markdown", "json")}
    assert (1, forms["markdown"], "") == daynight("report", disputed)
    assert (1, forms["html"], "") == daynight("report", disputed, "--format", "html")
    assert (1, forms["json"], "") == daynight("report", disputed, "--format", "json")
    assert [json.loads(forms["json"])] == daynight("report", disputed, "--json").whole
    for name, form in (("a.html", "html"), ("a.HTM", "html"), ("a.md", "markdown"), ("a.markdown", "markdown"),
                       ("a.json", "json")):  # fmt: skip
        assert 1 == daynight("report", disputed, "-o", name).code
        assert forms[form] == Path(name).read_bytes().decode()
    assert 1 == daynight("report", disputed, "-o", "a.txt", "--format", "html").code
    assert forms["html"] == Path("a.txt").read_bytes().decode()


def test_written(daynight, disputed, folder):
    """With -o, the output has the file and the verdict, as a sentence or JSON; exit code 1 if it is disputed."""
    assert (
        1,
        "r.html: the report of g1, disputed; 1 claim or ruling differs, 0 disputes before a judge\n",
        "",
    ) == daynight("report", disputed, "-o", "r.html")
    ran = daynight("report", disputed, "-o", "r.md", "--json")
    expected = {"file": "r.md", "format": "markdown", "game": "g1", "branched_from": None,
                "verdict": "disputed", "differing": 1, "disputes": []}  # fmt: skip
    assert [expected] == ran.documents
    right = kept(folder / "right.jsonl", [*CONTRACT, claim("night")])
    assert (
        0,
        "r.html: the report of g1, exact; 0 claims or rulings differ, 0 disputes before a judge\n",
        "",
    ) == daynight("report", right, "-o", "r.html")


@pytest.mark.parametrize("arguments, words", [
    (["-o", "a.pdf"], "a.pdf: by its ending it is none of .html, .htm, .md, .markdown, .json; name it so, or say"),
    (["-o", "a"], "a: by its ending it is none"),
    (["--json", "--format", "html"], "--json is the JSON form"),
    (["--format", "pdf"], "'pdf' is not one of"),
    (["--at", "x"], "'x' is no position"),
])  # fmt: skip
def test_usage(daynight, disputed, folder, arguments, words):
    """Wrong usage writes no file; exit code 2."""
    ran = daynight("report", disputed, *arguments)
    assert (2, []) == (ran.code, ran.documents)
    assert words in ran.err
    assert ["g1.jsonl"] == [path.name for path in folder.iterdir()]


def test_records(daynight, disputed, folder, stdin):
    """A file, a compressed one and standard input give the same digest, that of the lines; the demo is accepted too."""
    (folder / "g1.jsonl.gz").write_bytes(gzip.compress(disputed.read_bytes()))
    stdin(disputed.read_bytes())
    expected = hashlib.sha256(disputed.read_bytes()).hexdigest()
    for name in ("g1.jsonl", "g1.jsonl.gz", "-"):
        (found,) = [json.loads(daynight("report", name, "--json").out)]
        assert (expected, None) == (found["digest"], found["code"])
    assert 1 == daynight("report", "demo", "-o", "demo.html").code


def test_stored(daynight, games):
    """The report of a stored game has the code that `verify` accepts; the report of a file has none."""
    found = json.loads(daynight("report", "db:g1", "--json").out)
    assert 0 == daynight("verify", "g1", "--code", found["code"]).code
    assert found["code"] in daynight("report", "db:g1").out
    assert "daynight verify" not in daynight("report", "g1.jsonl").out


def test_branches(daynight, disputed):
    """A given branch is shown with the event after which it parts; a file that is no branch is refused, exit code 2."""
    assert 1 == daynight("what-if", disputed, "--at", "5", "--insert", "bo casts", "--name", "b", "-o", "b.jsonl").code
    ran = daynight("report", disputed, "--branch", "b.jsonl")
    assert "### b\n" in ran.out
    assert "- **Parts after:** e5" in ran.out
    assert "### b\n" not in daynight("report", disputed).out
    refused = daynight("report", disputed, "--branch", disputed)
    assert 2 == refused.code
    assert (
        "its first line does not say what it was branched from; daynight what-if -o writes such files" in refused.error
    )


@pytest.mark.wide
def test_a_branch(daynight, games):
    """The report of a branch says that it is one, in the printed line and in the documents."""
    for more in (["-o", "b.jsonl"], ["--keep"]):
        daynight("what-if", "db:g1", "--at", "5", "--insert", "bo casts", "--name", "b", *more)
    for arguments in (["b.jsonl"], ["db:g1", "--at", "branch:b/e3"], ["db:g1/b"]):
        assert "# What if: b, a branch of g1\n" in daynight("report", *arguments).out
        ran = daynight("report", *arguments, "-o", "r.html")
        words = "unverified; 0 claims or rulings differ, 0 disputes before a judge"
        assert f"r.html: the report of b, a what-if branch of g1, {words}\n" == ran.out
        (said,) = daynight("report", *arguments, "-o", "r.html", "--json").documents
        (whole,) = [json.loads(daynight("report", *arguments, "--json").out)]
        assert ("b", "g1", 5) == tuple(said["branched_from"][key] for key in ("name", "game", "event"))
        assert said["branched_from"] == whole["branched_from"]
    assert json.loads(daynight("report", "db:g1", "--json").out)["branched_from"] is None


def test_kept(daynight, games):
    """Stored branches of a game, and branches of these, are listed; a file and a game without branches have no list."""
    daynight("what-if", "db:g1", "--at", "5", "--insert", "bo casts", "--name", "b", "--keep")
    daynight("what-if", "db:g1/b", "--at", "6", "--insert", "bo casts", "--name", "c", "--keep")
    found = json.loads(daynight("report", "db:g1", "--json").out)["kept"]
    assert [("g1/b", "g1", 5, True), ("g1/b/c", "g1/b", 6, True)] == [
        (one["game"], one["parent"], one["parted"], one["intact"]) for one in found
    ]
    text = daynight("report", "db:g1").out
    assert "| g1/b/c | g1/b | e6 | 10 |" in text
    assert "daynight report --branch db:NAME" in text
    assert ["g1/b/c"] == [one["game"] for one in json.loads(daynight("report", "db:g1/b", "--json").out)["kept"]]
    for name in ("db:other", "g1.jsonl"):
        assert "Kept beside" not in daynight("report", name).out


def test_branches_of_branches(daynight, games):
    """A branch of a branch needs its parent, given or in the store; otherwise the error names it, with exit code 2."""
    daynight("what-if", "db:g1", "--at", "5", "--insert", "bo casts", "--name", "b", "--keep", "-o", "b.jsonl")
    daynight("what-if", "db:g1/b", "--at", "6", "--insert", "bo casts", "--name", "c", "--keep")
    daynight("what-if", "b.jsonl", "--at", "6", "--insert", "bo casts", "--name", "c", "-o", "c.jsonl")
    given = [
        ["db:g1", "--branch", "db:g1/b/c"],
        ["db:g1", "--branch", "c.jsonl"],
        ["g1.jsonl", "--branch", "db:g1/b/c"],
        ["g1.jsonl", "--branch", "c.jsonl", "--branch", "b.jsonl"],
    ]
    for arguments in given:
        found = json.loads(daynight("report", *arguments, "--json").out)["branches"][0]
        assert ("c", "g1/b", 6, True) == tuple(found[key] for key in ("name", "parent", "parted", "fits"))
        assert "- **Parts after:** e6 of g1/b\n" in daynight("report", *arguments).out
    for name in ("g1.jsonl", "other.jsonl"):
        ran = daynight("report", name, "--branch", "c.jsonl")
        assert (2, "") == ran[:2]
        assert "it was branched from 'g1/b'" in ran.error
    assert "give that one with --branch as well" in daynight("report", "g1.jsonl", "--branch", "c.jsonl").error


def test_moment(daynight, disputed):
    """With --at the report has a section about that moment; a position that does not exist gives exit code 4."""
    assert "## The moment asked for" in daynight("report", disputed, "--at", "turn:2").out
    assert 4 == daynight("report", disputed, "--at", "99").code


def test_edition(daynight, disputed):
    """Rules are cited by the chosen edition."""
    assert "CR 731.2a" in daynight("report", disputed, "--edition", "latest").out
    assert "CR 728.2a" in daynight("report", disputed).out


def test_untouched(daynight, games):
    """Making a report changes no byte of record and store."""
    before = {path.name: path.read_bytes() for path in games.iterdir() if path.is_file()}
    for record in ("g1.jsonl", "db:g1"):
        assert daynight("report", record, "-o", "r.html").code in (0, 1)
    Path("r.html").unlink()
    assert before == {path.name: path.read_bytes() for path in games.iterdir() if path.is_file()}


def test_spared(daynight, games):
    """-o refuses record, store and branch with exit code 2, also through links; it overwrites other files."""
    Path("link.html").symlink_to("g1.jsonl")
    Path("hard.html").hardlink_to("g1.jsonl")
    daynight("what-if", "g1.jsonl", "--at", "5", "--insert", "bo casts", "-o", "b.html")
    before = {path.name: path.read_bytes() for path in games.iterdir() if path.is_file()}
    for record, output in (("g1.jsonl", "link.html"), ("g1.jsonl", "hard.html"), ("db:g1", "daynight.db")):
        ran = daynight("report", record, "-o", output, "--format", "html")
        assert (2, "") == ran[:2]
        assert "stays as it is; name another file" in ran.err
    assert 2 == daynight("report", "g1.jsonl", "--branch", "b.html", "-o", "b.html").code
    assert before == {path.name: path.read_bytes() for path in games.iterdir() if path.is_file()}
    Path("r.html").write_text("what was there")
    assert 0 == daynight("report", "g1.jsonl", "-o", "r.html").code
    assert Path("r.html").read_text(encoding="utf-8").startswith("<!doctype html>")


def test_whole(daynight, disputed, folder, monkeypatch):
    """If the disk fills up during writing, the old file stays, and no temporary file is left."""
    Path("r.html").write_text("what was there")

    def full(_number):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(files.os, "fsync", full)
    ran = daynight("report", disputed, "-o", "r.html")
    assert (3, "", "r.html: No space left on device") == (ran.code, ran.out, ran.error)
    assert {"g1.jsonl": None, "r.html": "what was there"} == {
        path.name: path.read_text() if path.suffix == ".html" else None for path in folder.iterdir()
    }


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_unwritable(daynight, disputed):
    """If the file can't be written, the error names it as it was given."""
    ran = daynight("report", disputed, "-o", "/dev/full", "--format", "html")
    assert (3, "", "/dev/full: No space left on device") == (ran.code, ran.out, ran.error)
    ran = daynight("report", disputed, "-o", "nowhere/r.html")
    assert (4, "", "nowhere/r.html: No such file or directory") == (ran.code, ran.out, ran.error)


def test_refused(daynight, folder):
    """For a refused record the error has its line and reason, and no report is written; exit code 3."""
    path = kept(folder / "bad.jsonl", [started(), turn(1, "Cy")])
    ran = daynight("report", path, "-o", "r.html")
    assert (3, "") == ran[:2]
    assert f"{path}:2: $.active[0]: no player 'Cy'; players are Ana, Bo" == ran.error
    assert not Path("r.html").exists()
    assert (4, "") == daynight("report", "nowhere.jsonl")[:2]
