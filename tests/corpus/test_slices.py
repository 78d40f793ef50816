"""How the events of a part are divided and read, so that an audit takes little time.

| promise | test |
| --- | --- |
| events are in slices of whole games; games and turns in larger row groups of the same games | test_slices |
| a column that is null in all rows of a slice is not read; the results are the same | test_what_is_null_is_not_read |
| a game longer than a slice is a slice of its own | test_a_long_game |
| files are Parquet 2.6 with zstd, sorted by game and event, with statistics on games | test_how_the_files_are_written |
"""

from itertools import pairwise

import pyarrow.parquet as pq
import pytest

from daynight.corpus import parts
from daynight.corpus.building.build import build
from daynight.corpus.judging import part as judging
from daynight.corpus.judging.audit import AuditTask, audit
from daynight.corpus.schema import TABLES
from daynight.corpus.trust import filled, opened_table
from tests.behaviour.games import lines
from tests.rules import placing, words

from .edges import edge
from .test_building import files_of, made
from .test_results import alone


@pytest.fixture
def corpus(tmp_path, monkeypatch):
    """The manifest of a corpus of small slices and row groups, in the folder `c`."""
    monkeypatch.setattr(parts, "SLICE", 60)
    monkeypatch.setattr(parts, "GROUP", 150)
    source = made(tmp_path / "games", *(lines(edge(seed, 25)) for seed in range(20)))
    return build([str(source)], tmp_path / "c")


def groups(path, column):
    """The values of a column of a Parquet file: one list for each row group."""
    file = pq.ParquetFile(path)
    return [file.read_row_group(at, [column]).column(0).to_pylist() for at in range(file.num_row_groups)]


def test_slices(tmp_path, corpus):
    """No game is in two row groups; row groups of `games` and `turns` have the same games; slices keep their limit."""
    events, of_games, turns = (
        groups(tmp_path / "c" / table / "part-00000.parquet", "game") for table in ("events", "games", "turns")
    )
    assert len(events) > 5
    assert 1 < len(of_games) == len(turns) < len(events)
    for several in (events, of_games, turns):
        assert not [one for one, other in pairwise(several) if set(one) & set(other)]
    assert [sorted(set(one)) for one in turns] == of_games
    assert all(len(one) <= 60 or len(set(one)) == 1 for one in events)


def test_what_is_null_is_not_read(tmp_path, corpus, monkeypatch):
    """A column that is null in all rows of a slice is not read, and the verdicts are the same as if it were."""
    table = opened_table(str(tmp_path / "c"), corpus.parts[0], "events")
    read = [filled(table, at, ["game", "at_most", "face"], "").column_names for at in range(table.num_row_groups)]
    null = [set(one) for one in groups(tmp_path / "c" / "events" / "part-00000.parquet", "face")]
    assert [("face" in one) for one in read] == [one != {None} for one in null]
    assert {True, False} == {"face" in one for one in read}
    audit(AuditTask([str(tmp_path / "c")]), tmp_path / "r", alone)
    monkeypatch.setattr(judging, "filled", lambda table, group, columns, name: table.read_row_group(group, columns))
    audit(AuditTask([str(tmp_path / "c")]), tmp_path / "whole", alone)
    assert files_of(tmp_path / "r") == files_of(tmp_path / "whole")


def test_a_long_game(tmp_path, monkeypatch):
    """A game longer than a slice is a slice of its own."""
    monkeypatch.setattr(parts, "SLICE", 10)
    long = lines([words.started(), *(words.turn(number) for number in range(1, 40)), placing.enter("w")])
    build([str(made(tmp_path / "games", lines([words.started()]), long, lines([words.started()])))], tmp_path / "c")
    assert [len(one) for one in groups(tmp_path / "c" / "events" / "part-00000.parquet", "game")] == [1, 41, 1]


def test_how_the_files_are_written(tmp_path, corpus):
    """Every table is Parquet 2.6 with zstd; its footer has the order of rows and the games of each row group."""
    for table, schema in TABLES.items():
        facts = pq.ParquetFile(tmp_path / "c" / table / "part-00000.parquet").metadata
        group = facts.row_group(0)
        assert facts.format_version == "2.6"
        assert {group.column(at).compression for at in range(group.num_columns)} == {"ZSTD"}
        keys = [name for name in ("game", "event") if name in schema.names]
        assert [schema.names[key.column_index] for key in group.sorting_columns] == keys
        assert group.column(0).path_in_schema == "game"
        assert group.column(0).statistics.has_min_max
