"""The tables of a corpus, for duckdb, polars, pandas and Arrow.

| promise | test |
| --- | --- |
| each library gets the same rows, joined to the games if requested | test_the_same_rows |
| in no library does a column of whole numbers with nulls become floats | test_no_floats |
| a wrong request, or a missing library, is an error in one sentence | test_asked_wrongly, test_a_missing_library |
| a damaged file is not loaded, and no query of duckdb is answered from it | test_damage, test_damage_in_sql |
| duckdb's files are checked once, those of a table when a query first names it | test_checked_once |
| corpora at other addresses, or without any game, can be loaded | test_other_addresses, test_nothing |
| a corpus of the earlier format is refused | test_an_earlier_format |
| without a card table, Arena's cards of day and night have names, other cards their numbers | test_cards_of_arena |
"""

import builtins
import shutil

import fsspec
import pyarrow as pa
import pytest

import daynight.corpus
from daynight.corpus.asking import loading
from daynight.corpus.building.build import build
from daynight.corpus.schema import TABLES
from daynight.corpus.sources import planning
from daynight.corpus.trust import Damage
from daynight.framework.language.errors import AskedError, UnreadableError
from tests.behaviour.games import ROOT, lines

from .edges import edge
from .test_building import made
from .test_formats import EARLIER

pytest.importorskip("pandas", reason="pandas is not installed here: pip install -e '.[test]' brings it")


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """The folder of a corpus of three parts."""
    place = tmp_path_factory.mktemp("loading")
    source = made(place / "games", *(lines(edge(seed, 25)) for seed in range(12)))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(planning, "LINES", 120)
        assert len(build([str(source)], place / "c").parts) == 3
    return place / "c"


def test_the_same_rows(place):
    """Each library gets the same rows of every table, also with chosen columns and with columns of `games` joined."""
    corpus = daynight.corpus.load(place)
    for table, schema in TABLES.items():
        whole = corpus.arrow(table)
        assert whole.schema.names == schema.names
        expected = whole.to_pylist()
        assert expected
        assert corpus.polars(table).to_dicts() == expected
        asked = corpus.duckdb(table).order("game, event" if "event" in schema.names else "game")
        assert asked.to_arrow_table().to_pylist() == expected
        assert pa.Table.from_pandas(corpus.pandas(table), preserve_index=False).to_pylist() == expected
    about = {row["game"]: row for row in corpus.arrow("games").to_pylist()}
    asked = {"columns": ["event", "ended"], "games": ["verdict", "name"]}
    joined = [
        {"event": row["event"], "ended": row["ended"]}
        | {name: about[row["game"]][name] for name in ("verdict", "name")}
        for row in corpus.arrow("turns").to_pylist()
    ]
    assert corpus.arrow("turns", **asked).to_pylist() == joined
    assert corpus.polars("turns", **asked).to_dicts() == joined
    assert sorted(corpus.duckdb("turns", **asked).fetchall()) == sorted(tuple(row.values()) for row in joined)
    assert corpus.pandas("turns", **asked).to_dict("records") == joined


def test_no_floats(place):
    """In no library does a whole-number column with nulls become floats; pandas has no column of type object."""
    corpus = daynight.corpus.load(place)
    for table in TABLES:
        kinds = [str(kind) for kind in corpus.pandas(table).dtypes]
        assert not [kind for kind in kinds if "float" in kind or "double" in kind or kind == "object"]
        assert not [kind for kind in corpus.polars(table).dtypes if kind.is_float()]
        assert not [kind for kind in corpus.duckdb(table).types if str(kind) in ("DOUBLE", "FLOAT")]
    turns = corpus.pandas("turns")
    assert turns.active_casts.isna().any()
    assert isinstance(int(turns.active_casts.sum()), int)
    ((nights,),) = corpus.sql("SELECT count(*) FROM turns WHERE ended = 'night'").fetchall()
    assert (turns.ended == "night").sum() == nights


def test_its_repr(place):
    """The repr of a loaded corpus is the call that loads it again."""
    assert eval(repr(daynight.corpus.load(place))).folder == str(place)


@pytest.mark.parametrize("asked,told", [
    (("rounds",), "no table rounds; there are: games, events, turns, lines"),
    (("turns", ["night"]), "the table turns has no column night"),
    (("turns", None, ["winner"]), "the table games has no column winner"),
    (("turns", None, ["game"]), "the column game would be there twice"),
])  # fmt: skip
def test_asked_wrongly(place, asked, told):
    """A wrong table, column or join is an AskedError with the same sentence for every library."""
    corpus = daynight.corpus.load(place)
    for given in (corpus.arrow, corpus.polars, corpus.pandas, corpus.duckdb):
        with pytest.raises(AskedError, match=told):
            given(*asked)


@pytest.mark.parametrize("library", ["duckdb", "pandas", "polars"])
def test_a_missing_library(place, library, monkeypatch):
    """If a library is missing, its method raises an AskedError that names it and says how to install it."""
    real = builtins.__import__

    def importing(name, *rest):
        if name == library:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", importing)
    with pytest.raises(AskedError, match=rf"{library} is not installed; .*\[analysis\]"):
        getattr(daynight.corpus.load(place), library)("games")


def test_damage(place, tmp_path):
    """A file with another digest raises `Damage` and is not loaded."""
    source = made(tmp_path / "games", lines(edge(1, 20)))
    build([str(source)], tmp_path / "c")
    (tmp_path / "c" / "turns" / "part-00000.parquet").write_bytes(b"")
    with pytest.raises(Damage, match="SHA-256"):
        daynight.corpus.load(tmp_path / "c").arrow("turns")


def test_damage_in_sql(place, tmp_path):
    """`sql` and `duckdb` raise `Damage` for a table with one flipped byte, in any letters, and answer others."""
    shutil.copytree(place, tmp_path / "c")
    path = tmp_path / "c" / "lines" / "part-00001.parquet"
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    corpus = daynight.corpus.load(tmp_path / "c")
    for query in ("SELECT line FROM lines", "WITH l AS (FROM LINES) SELECT count(*) FROM l"):
        with pytest.raises(Damage, match=r"lines/part-00001[.]parquet: its SHA-256 is not the one in corpus.json"):
            corpus.sql(query)
    with pytest.raises(Damage):
        corpus.duckdb("lines", ["line"])
    assert corpus.duckdb("turns", ["turn"], games=["name"]).fetchall()
    assert corpus.sql("SELECT count(*) FROM events").fetchall()


def test_checked_once(place, monkeypatch):
    """`sql` reads the files of a table to check them for the first query that names it, and never again."""
    read = []
    real = loading.opened_table
    monkeypatch.setattr(loading, "opened_table", lambda *given: read.append((given[2], given[1].part)) or real(*given))
    corpus = daynight.corpus.load(place)
    for _again in range(2):
        corpus.sql("SELECT count(*) FROM events")
        assert read == [("events", part) for part in range(3)]
    corpus.sql("SELECT count(*) FROM events JOIN games USING (game)")
    assert [table for table, _part in read] == ["events"] * 3 + ["games"] * 3


def test_other_addresses(place):
    """A corpus is loaded from any address that fsspec opens."""
    system = fsspec.filesystem("memory")
    system.put(str(place), "/loading", recursive=True)
    corpus, ours = daynight.corpus.load("memory://loading"), daynight.corpus.load(place)
    assert corpus.arrow("turns").equals(ours.arrow("turns"))
    query = "SELECT ended, count(*) FROM turns GROUP BY ended ORDER BY ended"
    assert corpus.sql(query).fetchall() == ours.sql(query).fetchall()
    system.rm("/loading", recursive=True)


def test_nothing(tmp_path):
    """A corpus in which every record was refused has tables without rows."""
    build([str(made(tmp_path / "games", b""))], tmp_path / "c")
    corpus = daynight.corpus.load(tmp_path / "c")
    assert corpus.polars("turns", games=["name"]).height == 0
    assert corpus.sql("SELECT count(*) FROM events").fetchall() == [(0,)]


def test_an_earlier_format():
    """`load` refuses a corpus of format 1: its UnreadableError says to build the corpus anew from itself."""
    with pytest.raises(UnreadableError, match="build it anew from itself"):
        daynight.corpus.load(EARLIER)


def test_cards_of_arena(tmp_path):
    """In a corpus of an Arena log, `card` is a day and night card's name; for another card it is `grpId NUMBER`."""
    build([str(ROOT / "examples/arena/Player.log")], tmp_path / "c")
    query = "SELECT DISTINCT card FROM events WHERE tag = 'spell-cast' ORDER BY card"
    assert daynight.corpus.load(tmp_path / "c").sql(query).fetchall() == [
        ("Tavern Ruffian",), ("grpId 67224",), ("grpId 68475",),
    ]  # fmt: skip
