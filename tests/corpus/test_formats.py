"""A corpus of the earlier format, and the data card.

| promise | test |
| --- | --- |
| the lines of a corpus of format 1 can be built again, exported, and read as records | test_its_lines_are_read |
| every query refuses format 1, and says what to do | test_its_columns_are_not |
| the data card names numbers, licences, versions, loading, and every column of every table | test_the_card |
| the card calls the rows of turns rows, and its query counts only turns that stand | test_the_turns_of_the_card |
| a repeated build with a licence changes only the card and corpus.json | test_another_licence |
| text in a source's name or a licence can't break the card's layout | test_a_card_of_odd_names |
"""

import json
from pathlib import Path

import pytest

from daynight.cli.commands import run
from daynight.corpus.building import card
from daynight.corpus.building.build import build
from daynight.corpus.manifest import Manifest
from daynight.corpus.schema import TABLES
from daynight.corpus.verifying import verify
from daynight.framework.language.errors import UnreadableError
from tests.behaviour.games import ROOT, lines
from tests.rules.judges import back_up
from tests.rules.words import effect, started, turn

from .edges import edge
from .test_building import exported, files_of, games, made

EARLIER = Path(__file__).parent / "format-1"


def test_its_lines_are_read(tmp_path, capsys):
    """A corpus of format 1 can be exported, read game by game, and built again into one of the present format."""
    out = exported(EARLIER, tmp_path / "out")
    assert out[1] == (ROOT / "examples/games/dispute.jsonl").read_bytes()
    build([str(EARLIER)], tmp_path / "c")
    assert exported(tmp_path / "c", tmp_path / "out2") == out
    assert list(verify(str(tmp_path / "c"))) == []
    assert [row["verdict"] for row in games(tmp_path / "c")] == ["disputed", "disputed"]
    assert run(["why", f"corpus:{EARLIER}#0", "--at", "8"]) == 0
    assert capsys.readouterr().out.startswith("e8  ☾ night")


@pytest.mark.parametrize("command", ["audit", "stats", "find", "verify"])
def test_its_columns_are_not(tmp_path, command, capsys):
    """Commands that need columns refuse format 1 with exit code 3, and say to build it again from itself."""
    more = ["-o", str(tmp_path / "r")] if command == "audit" else []
    assert run(["corpus", command, str(EARLIER), *more]) == 3
    told = capsys.readouterr().err
    assert "$.format: a corpus of format 1; build it anew from itself: daynight corpus build" in told


@pytest.mark.parametrize("found,shown", [(3, "3"), ("2", '"2"'), (None, "null")])
def test_another_format(tmp_path, found, shown):
    """A corpus of an unknown format is refused, and the sentence quotes the format as the file has it."""
    (tmp_path / "corpus.json").write_text(json.dumps({"format": found}), "utf-8")
    with pytest.raises(UnreadableError, match=f"a corpus of format {shown}; this daynight reads format 2: build"):
        Manifest.read(str(tmp_path))


def test_the_card(tmp_path):
    """The card states the numbers, licences, versions and sources, and lists every column of every table in order."""
    source = str(made(tmp_path / "games", *(lines(edge(seed, 20)) for seed in range(3)), b"{}\n"))
    manifest = build([source], tmp_path / "c", licence="CC0 1.0")
    text = (tmp_path / "c" / "README.md").read_text("utf-8")
    (part,) = manifest.parts
    assert f"3 games with {part.events:,} events; 1 record was refused" in text
    for said in ("| licence of the data | CC0 1.0 |", f"daynight {manifest.daynight}, rules {manifest.rules}, format 2",
                 f"`{source}`", "daynight.corpus.load", "| licence of the program that made it | MIT |"):  # fmt: skip
        assert said in text
    for table, schema in TABLES.items():
        rows = text.partition(f"\n## {table}\n")[2].partition("\n## ")[0].splitlines()
        assert [row.split("`")[1] for row in rows if row.startswith("| `")] == schema.names
        assert card.COLUMNS[table].keys() == set(schema.names)


def test_the_turns_of_the_card(tmp_path, monkeypatch):
    """The card names the rows of `turns` as rows, and its query leaves out turn 0 and what was undone."""
    duckdb = pytest.importorskip("duckdb")
    undone = [effect("night"), back_up(3)]
    source = str(made(tmp_path / "games", lines([started(), effect("day"), turn(1), *undone, turn(2, "Bo")])))
    build([source], tmp_path / "c")
    text = (tmp_path / "c" / "README.md").read_text("utf-8")
    assert "The table of turns has 4 rows:" in text
    monkeypatch.chdir(tmp_path / "c")
    (shown,) = [line for line in text.splitlines() if line.startswith("duckdb.sql(")]
    assert eval(shown, {"duckdb": duckdb}).fetchall() == [(1, 0.0), (2, 0.0)]
    assert duckdb.sql("SELECT sum(turns) FROM 'games/*.parquet'").fetchall() == [(2,)]


def test_another_licence(tmp_path):
    """Without a licence the card says `not said`; a later build with `--licence` changes only card and corpus.json."""
    source = str(made(tmp_path / "games", lines(edge(1, 20))))
    build([source], tmp_path / "c")
    assert "not said" in (tmp_path / "c" / "README.md").read_text("utf-8")
    before = files_of(tmp_path / "c")
    assert run(["corpus", "build", source, "-o", str(tmp_path / "c"), "--licence", "MIT"]) == 0
    changed = {name for name, digest in files_of(tmp_path / "c").items() if before[name] != digest}
    assert changed == {"README.md", "corpus.json"}
    assert Manifest.read(str(tmp_path / "c")).licence == "MIT"
    assert json.loads((tmp_path / "c" / "corpus.json").read_bytes())["licence"] == "MIT"


def test_a_card_of_odd_names(tmp_path):
    """Line breaks, bars, and HTML in a source's name or a licence can't leave their cell of the card."""
    odd = made(tmp_path / "a`b|<i>c\n# d", lines(edge(1, 20)))
    build([str(odd)], tmp_path / "c", licence="mine\n\n# All | yours <script>")
    text = (tmp_path / "c" / "README.md").read_text("utf-8")
    assert "| licence of the data | mine # All yours script |\n" in text
    assert "<i>" not in text
    assert "\n# d" not in text
