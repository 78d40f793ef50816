"""The list in `corpus.json`, and the stated origins of records, are checked against the files."""

import json
import shutil
from functools import partial

import pyarrow.parquet as pq
import pytest

from daynight.cli.commands import run
from daynight.corpus.building.build import build
from daynight.corpus.schema import TABLES
from daynight.corpus.sources import planning
from daynight.corpus.verifying import verify
from daynight.games import Store
from daynight.store import write_archive
from tests.behaviour.games import lines
from tests.sampling import quick_or_wide

from .edges import edge
from .test_building import made
from .test_damage import audited, changed, corpus, number, whole  # noqa: F401


def doubled(parts):
    """The list of parts with part 1 twice."""
    return [parts[0], parts[1], parts[1], parts[2]]


def numbered_anew(parts):
    """The list of parts with part 1 a second time, as part 3."""
    return [*parts, {**parts[1], "part": 3, "first": parts[2]["first"] + parts[2]["records"]}]


@pytest.mark.wide(but=3)
@pytest.mark.parametrize("change, told", [
    (doubled, "expected part 2, from game"),
    (lambda parts: [parts[0], parts[2]], "expected part 1, from game"),
    (lambda parts: parts[1:], "expected part 0, from game 0 on"),
    (lambda parts: [parts[1], parts[0], parts[2]], "expected part 0, from game 0 on"),
    (lambda parts: [parts[0], {**parts[1], "first": parts[1]["first"] - 1}, parts[2]], "without a gap or an overlap"),
    (lambda parts: [parts[0], {**parts[1], "first": parts[1]["first"] + 1}, parts[2]], "without a gap or an overlap"),
    (lambda parts: [parts[0], {**parts[1], "refused": 1}, parts[2]], "do not go together"),
    (lambda parts: [parts[0], {**parts[1], "lines": 1}, parts[2]], "do not go together"),
    (lambda parts: parts[:2], "games/part-00002.parquet lies there and is not listed"),
    (lambda parts: [], "no parts"),
], ids=["doubled", "left out", "late", "order", "overlap", "gap", "refused", "lines", "unlisted", "none"])  # fmt: skip
def test_parts_that_are_listed_wrongly(corpus, tmp_path, capsys, change, told):  # noqa: F811
    """Every command ends with exit code 3 if the list of parts has a repeated part, a gap, an overlap or wrong counts.

    So it does if no part is listed, or if a part's files exist and the part is not listed.
    """
    path = corpus / "corpus.json"
    manifest = json.loads(path.read_bytes())
    path.write_text(json.dumps({**manifest, "parts": change(manifest["parts"])}), "utf-8")
    for command in (["audit", "-o", str(tmp_path / "r")], ["stats"], ["find"], ["verify"]):
        assert run(["corpus", *command, str(corpus), "--workers", "1"]) == 3
        assert told in capsys.readouterr().err
    assert not (tmp_path / "r").exists()


def test_a_part_that_is_listed_as_another(corpus, tmp_path):  # noqa: F811
    """A part listed under another number is damage: its file is missing, or has other games."""
    path = corpus / "corpus.json"
    manifest = json.loads(path.read_bytes())
    path.write_text(json.dumps({**manifest, "parts": numbered_anew(manifest["parts"])}), "utf-8")
    assert audited(corpus, tmp_path / "r")[2][0]["problem"] == "no such file"
    for table in TABLES:
        shutil.copy(corpus / table / "part-00001.parquet", corpus / table / "part-00003.parquet")
    assert audited(corpus, tmp_path / "r")[2][0]["problem"] == "its games are not those that corpus.json has"
    assert {one.part for one in verify(str(corpus))} == {3}


@pytest.fixture(scope="module")
def mixed(tmp_path_factory):
    """The folder of a corpus of several parts, built from a file of several records, a folder, a store, an archive.

    Some records are refused.
    """
    place = tmp_path_factory.mktemp("mixed")
    one, *others = (lines(edge(seed, 10)) for seed in range(6))
    several = b"".join([one, others[0], b'{"type":"game-started"}\n', others[1], others[2].rstrip(b"\n")])
    sources = [str(made(place / "games", several, others[3], b"") / "g00.jsonl"), str(place / "games"), "db:"]
    with Store.open(str(place / "s.db")) as store:
        for number in (1, 2):
            store.import_record(str(place / "games" / "g01.jsonl"), f"game {number}")
        with (place / "archive.jsonl").open("wb") as stream:
            write_archive(store, stream)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(planning, "LINES", 60)
        parts = build([*sources, str(place / "archive.jsonl")], place / "c", store=str(place / "s.db")).parts
    assert len(parts) > 1
    assert list(verify(str(place / "c"))) == []
    build([str(place / "c")], place / "anew")
    assert list(verify(str(place / "anew"))) == []
    return place / "c"


@pytest.mark.parametrize("every", quick_or_wide(7, 1))
def test_origins_that_lie(mixed, tmp_path, every):
    """`verify` finds another `source`, `first_line` or `final_newline` of a game; every `every`-th change is tried."""
    lies_told = 0
    for part in json.loads((mixed / "corpus.json").read_bytes())["parts"]:
        rows = pq.read_table(mixed / "games" / f"part-{part['part']:05d}.parquet").to_pylist()
        for place, row in enumerate(rows):
            lies = {"source": "nowhere", "first_line": row["first_line"] + 1, "final_newline": not row["final_newline"]}
            for name, value in lies.items():
                lies_told += 1
                if lies_told % every:
                    continue
                shutil.copytree(mixed, tmp_path / "c")
                lie = partial(number, name=name, row=place, value=value)
                changed(tmp_path / "c", "games", lie, part["part"])
                assert list(verify(str(tmp_path / "c"))), (row, name)
                shutil.rmtree(tmp_path / "c")


def without(lines, number):
    """All lines except the one with the index `number`."""
    return [line for place, line in enumerate(lines) if place != number]


@pytest.mark.wide(but=3)
@pytest.mark.parametrize("change, told", [
    (lambda lines: None, "no such file"),
    (lambda lines: without(lines, 0), "is neither there nor refused"),
    (lambda lines: without(lines, len(lines) - 1), "is neither there nor refused"),
    (lambda lines: [*lines, lines[-1]], "more games than were refused"),
    (lambda lines: [lines[0].replace(b'"game"', b'"came"'), *lines[1:]], "line 1: "),
    (lambda lines: [b"x\n", *lines], "line 1: "),
    (lambda lines: [lines[0].replace(b"g00.jsonl", b"else.jsonl"), *lines[1:]], "cannot begin in line"),
    (lambda lines: [*lines[:-1], lines[-1].replace(b"/games/", b"/else/")], "none of the sources"),
], ids=["gone", "first", "last", "more", "field", "garbage", "line", "source"])  # fmt: skip
def test_refusals_that_lie(mixed, tmp_path, change, told):
    """`verify` finds a bad.jsonl that is missing, lacks or repeats a record, or names an impossible line or source."""
    shutil.copytree(mixed, tmp_path / "c")
    path = tmp_path / "c" / "bad.jsonl"
    lines = change(path.read_bytes().splitlines(keepends=True))
    path.unlink() if lines is None else path.write_bytes(b"".join(lines))
    found = list(verify(str(tmp_path / "c")))
    assert [one.file for one in found if told in one.problem][:1] == ["bad.jsonl"]
