"""A corpus is untrusted input: damaged parts are listed and the others are processed; `verify` finds false values."""

import json
import shutil
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from random import Random

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from daynight.cli.commands import run
from daynight.corpus.building.build import build
from daynight.corpus.judging.audit import AuditTask, audit
from daynight.corpus.schema import TABLES
from daynight.corpus.sources import planning
from daynight.corpus.verifying import verify
from tests.behaviour.games import lines
from tests.sampling import few_or_all, sampled

from .edges import edge
from .test_building import files_of, made
from .test_results import alone

COLUMNS = [(table, name) for table, schema in TABLES.items() for name in schema.names]


def each_with(harms):
    """Return a parameter for each table and harm; all are marked as slow, except for the first table or first harm."""
    tables = list(TABLES)
    pairs = ((table, harm) for table in tables for harm in harms)
    firsts = {tables[0], harms[0]}
    return [pytest.param(*one, marks=() if firsts & {*one} else pytest.mark.slow) for one in pairs]


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The folder of an undamaged corpus of three parts; no test changes it."""
    place = tmp_path_factory.mktemp("damage")
    source = made(place / "games", *(lines(edge(seed, 25)) for seed in range(12)))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(planning, "LINES", 120)
        assert len(build([str(source)], place / "c").parts) == 3
    return place / "c"


@pytest.fixture
def corpus(whole, tmp_path):
    """A copy of the corpus `whole`, which the test may damage."""
    shutil.copytree(whole, tmp_path / "c")
    return tmp_path / "c"


def signed(corpus, table, part=1):
    """Write the present digest of the file of a table and part into corpus.json."""
    path = corpus / "corpus.json"
    manifest = json.loads(path.read_bytes())
    data = (corpus / table / f"part-{part:05d}.parquet").read_bytes()
    manifest["parts"][part]["sha256"][table] = sha256(data).hexdigest()
    path.write_text(json.dumps(manifest), "utf-8")


def changed(corpus, table, change, part=1):
    """Replace a table of a part by `change(table)`, and write its new digest into corpus.json."""
    path = corpus / table / f"part-{part:05d}.parquet"
    found = change(pq.ParquetFile(path).read())
    pq.write_table(found, path, row_group_size=max(found.num_rows, 1))
    signed(corpus, table, part)


def audited(corpus, result):
    """Audit a corpus; return the exit code, the summary and the lines of damage.jsonl."""
    summary = audit(AuditTask([str(corpus)]), result, alone)
    code = 5 if summary["damaged"] else 1 if summary["verdicts"]["disputed"] else 0
    return code, summary, [json.loads(line) for line in (result / "damage.jsonl").read_bytes().splitlines()]


def check_damage(corpus, result, table):
    """Assert that part 1 is damaged in this table, and that the other parts are audited; return the problem's sentence.

    No audit reads the turns, so `verify` has to find damage in them.
    """
    if table == "turns":
        (one,) = verify(str(corpus))
        assert (one.part, one.file) == (1, "turns/part-00001.parquet")
        assert audited(corpus, result)[0] in (0, 1)
        return one.problem
    code, summary, damage = audited(corpus, result)
    assert code == 5
    (one,) = damage
    assert (one["corpus"], one["part"], one["file"]) == (str(corpus), 1, f"{table}/part-00001.parquet")
    games = [part["games"] for part in json.loads((corpus / "corpus.json").read_bytes())["parts"]]
    assert (summary["damaged"], summary["lost"], summary["games"]) == (1, games[1], games[0] + games[2])
    assert len(pq.read_table(result / "verdicts.parquet").column("game").to_pylist()) == summary["games"]
    return str(one["problem"])


@pytest.mark.wide(but=2)
@pytest.mark.parametrize("table, harm", each_with(["flipped", "cut", "gone", "empty", "garbage"]))
def test_a_damaged_file(corpus, tmp_path, table, harm):
    """A file with another digest, or a missing file, is damage of its part; the other parts are audited."""
    path = corpus / table / "part-00001.parquet"
    data = bytearray(path.read_bytes())
    place = Random(harm).randrange(len(data))
    data[place] ^= 0x40
    harmed = {"flipped": bytes(data), "cut": bytes(data[:place]), "empty": b"", "garbage": bytes(1000)}
    path.unlink() if harm == "gone" else path.write_bytes(harmed[harm])
    problem = check_damage(corpus, tmp_path / "r", table)
    assert problem == ("no such file" if harm == "gone" else "its SHA-256 is not the one in corpus.json")
    assert [found.file for found in verify(str(corpus))] == [f"{table}/part-00001.parquet"]


@pytest.mark.wide(but=2)
@pytest.mark.parametrize("table, harm", each_with(["cut", "garbage", "other types", "without a column", "fewer rows"]))
def test_a_file_with_the_right_digest(corpus, tmp_path, table, harm):
    """A file with the right digest is damage if it is not Parquet, or has other columns, types or rows."""
    path = corpus / table / "part-00001.parquet"
    if harm in ("cut", "garbage"):
        path.write_bytes(path.read_bytes()[:-100] if harm == "cut" else b"PAR1" + bytes(1000) + b"PAR1")
        signed(corpus, table)
    elif harm == "other types":
        changed(corpus, table, lambda found: found.set_column(0, "game", found.column("game").cast(pa.string())))
    elif harm == "without a column":
        changed(corpus, table, lambda found: found.drop_columns(["game"]))
    else:
        changed(corpus, table, lambda found: found.slice(0, found.num_rows - 1))
    problem = check_damage(corpus, tmp_path / "r", table)
    told = {"other types": "no column game of the type int64", "without a column": "no column game"}
    assert told.get(harm, "") in problem


def flipped(corpus, table, name):
    """Flip a bit of a column of part 1: in the last byte of its data in the first row group."""
    path = corpus / table / "part-00001.parquet"
    facts = pq.ParquetFile(path).metadata.row_group(0)
    columns = [facts.column(at) for at in range(facts.num_columns)]
    column = next(column for column in columns if column.path_in_schema.partition(".")[0] == name)
    data = bytearray(path.read_bytes())
    begin = column.dictionary_page_offset if column.has_dictionary_page else column.data_page_offset
    data[begin + column.total_compressed_size - 1] ^= 1
    path.write_bytes(data)


@pytest.mark.parametrize("columns", few_or_all([("events", "tag")], COLUMNS), ids=["few", "all"])
def test_a_flipped_byte_in_each_column(whole, tmp_path, columns, monkeypatch):
    """A flipped bit in any column is found by the digest; with a new digest `verify` finds it.

    An audit then finds it by the page checksum, if it reads that column; otherwise its verdicts are the same.
    """
    shutil.copytree(whole, tmp_path / "whole" / "c")
    monkeypatch.chdir(tmp_path / "whole")
    audited(Path("c"), Path("r"))
    found = set()
    for table, name in columns:
        place = tmp_path / f"{table}-{name}"
        shutil.copytree(whole, place / "c")
        monkeypatch.chdir(place)
        flipped(Path("c"), table, name)
        assert "SHA-256" in check_damage(Path("c"), Path("r"), table)
        assert [one.file for one in verify("c")] == [f"{table}/part-00001.parquet"]
        signed(Path("c"), table)
        assert verified(place, table)
        shutil.rmtree("r", ignore_errors=True)
        if audited(Path("c"), Path("r"))[1]["damaged"]:
            assert "cannot be read" in check_damage(Path("c"), Path("again"), table)
            found.add((table, name))
        else:
            # Nobody read it.
            rows = pq.read_table("r/verdicts.parquet")
            assert rows.equals(pq.read_table(tmp_path / "whole" / "r" / "verdicts.parquet"))
    assert ("events", "tag") in found


def verified(place, table):
    """Return whether `verify` finds damage in this table of part 1, and in no other part."""
    found = list(verify(str(place / "c")))
    return {one.part for one in found} == {1} and f"{table}/part-00001.parquet" in {one.file for one in found}


@pytest.mark.wide(but=1)
@pytest.mark.parametrize("table", TABLES)
def test_a_part_of_another_corpus(corpus, tmp_path, table):
    """A valid file with other games is damage: found by its digest, and with a new digest by its rows."""
    build([str(made(tmp_path / "games", *(lines(edge(seed, 30)) for seed in range(40, 47))))], tmp_path / "other")
    shutil.copy(tmp_path / "other" / table / "part-00000.parquet", corpus / table / "part-00001.parquet")
    assert "SHA-256" in check_damage(corpus, tmp_path / "r", table)
    signed(corpus, table)
    assert "rows; corpus.json has" in check_damage(corpus, tmp_path / "r2", table)


@pytest.mark.parametrize("table", ["games", "lines"])
def test_a_damaged_corpus_is_no_source(corpus, tmp_path, table, capsys):
    """`build` from a damaged corpus ends with exit code 3 and one sentence that names the damaged file."""
    flipped(corpus, table, "events" if table == "games" else "line")
    assert run(["corpus", "build", str(corpus), "-o", str(tmp_path / "d")]) == 3
    signed(corpus, table)
    assert run(["corpus", "build", str(corpus), "-o", str(tmp_path / "e")]) == 3
    told = capsys.readouterr().err.splitlines()
    assert all(f"{table}/part-00001.parquet" in line for line in told)
    assert len(told) == 2
    shutil.copy(corpus / table / "part-00000.parquet", corpus / table / "part-00001.parquet")
    signed(corpus, table)
    assert run(["corpus", "build", str(corpus), "-o", str(tmp_path / "f")]) == 3


def word(found, name, value, rows):
    """The table `found` with `value` in these rows of the text column `name`."""
    values = np.array(found.column(name).cast(pa.string()).to_pylist(), object)
    values[rows] = value
    return found.set_column(found.column_names.index(name), name, pa.array(values, pa.string()).dictionary_encode())


def at(found, tag):
    """The numbers of the rows whose `tag` is this one."""
    return [row for row, there in enumerate(found.column("tag").to_pylist()) if there == tag]


def number(found, name, row, value):
    """The table `found` with the number `value` in one row of the column `name`."""
    field = found.schema.field(name)
    values = found.column(name).to_pylist()
    values[row] = value
    return found.set_column(found.column_names.index(name), field, pa.array(values, field.type))


@pytest.mark.wide(but=3)
@pytest.mark.parametrize("table,change", [
    ("events", lambda found: word(found, "tag", "turn-ended", [5])),
    ("events", lambda found: word(found, "tag", "turn-began", [0])),
    ("events", lambda found: word(found, "tag", "turn-began", at(found, "spell-cast"))),
    ("events", lambda found: word(found, "untap", "forgotten", [5])),
    ("events", lambda found: number(found, "event", 3, 77)),
    ("events", lambda found: number(found, "game", 3, 77)),
    ("events", lambda found: found.take(list(reversed(range(found.num_rows))))),
    ("events", lambda found: number(found, "turn", 3, -1)),
    ("games", lambda found: number(found, "game", 1, 10**9)),
    ("games", lambda found: number(found, "events", 1, 3)),
    ("games", lambda found: number(found, "events", 1, -3)),
    ("games", lambda found: number(found, "turns", 0, 99)),
    ("lines", lambda found: number(found, "event", 3, 9)),
    ("lines", lambda found: number(found, "game", 3, 10**9)),
])  # fmt: skip
def test_words_bounds_and_order(corpus, tmp_path, table, change):
    """Unknown words, impossible numbers, and rows out of order are damage, even with a new digest."""
    changed(corpus, table, change)
    code, summary, damage = audited(corpus, tmp_path / "r")
    assert (code, summary["damaged"]) == (5, 1)
    assert damage[0]["part"] == 1


def lied(found):
    """The table with day for every claimed designation."""
    return word(found, "designation", "day", at(found, "designation-claimed"))


def test_columns_that_lie(corpus, tmp_path):
    """For an audit, a changed column with a new digest is no damage.

    `verify` finds the change, because it derives each column from the lines again.
    """
    changed(corpus, "events", lied)
    assert audited(corpus, tmp_path / "r")[0] in (0, 1)
    assert [(found.part, found.file, found.problem) for found in verify(str(corpus))] == [
        (1, "events/part-00001.parquet", "the column designation does not follow from the lines")
    ]


@pytest.mark.wide
def test_what_is_damaged_is_an_exit_code(corpus, tmp_path):
    """`verify`, `audit` and `stats` end with exit code 5 if a part is damaged."""
    changed(corpus, "events", lied)
    assert run(["corpus", "verify", str(corpus), "--workers", "1"]) == 5
    (corpus / "events" / "part-00001.parquet").unlink()
    assert run(["corpus", "audit", str(corpus), "-o", str(tmp_path / "r2"), "--workers", "1"]) == 5
    assert run(["corpus", "stats", str(corpus), "-o", str(tmp_path / "r2"), "--workers", "1"]) == 5


@pytest.mark.wide(but=2)
@pytest.mark.parametrize("column", sampled(COLUMNS, 3), ids="-".join)
def test_verify_looks_at_every_column(corpus, column):
    """`verify` finds a change in any column, also in origins and in `final_newline`, which the lines do not contain."""
    table, name = column

    def other(found):
        field = found.schema.field(name)
        values = found.column(name).to_pylist()
        plain = field.type.value_type if pa.types.is_dictionary(field.type) else field.type
        if pa.types.is_boolean(plain):
            values[-1] = not values[-1]
        elif pa.types.is_timestamp(plain):
            values[-1] = datetime(2020, 2, 20, tzinfo=UTC)
        elif pa.types.is_list(plain):
            values[-1] = [["Cy"]] if name == "teams" else [7] if name == "active" else ["Cy"]
        else:
            values[-1] = (
                (values[-1] or 0) + 1 if pa.types.is_integer(plain) else "upkeep" if name == "step" else "other"
            )
        made = pa.array(values, plain)
        made = made.dictionary_encode() if pa.types.is_dictionary(field.type) else made
        return found.set_column(found.column_names.index(name), field, made)

    changed(corpus, table, other)
    assert {one.part for one in verify(str(corpus))} == {1}


@pytest.mark.parametrize("key,value", [("format", 3), ("rules", 3), ("catalogue", "0" * 64)])
def test_another_version(corpus, tmp_path, capsys, key, value):
    """A corpus of another format, version of the rules or catalogue is refused; the sentence says to build it again.

    After a new build from that corpus, if its format is the present one, the audit works.
    """
    manifest = json.loads((corpus / "corpus.json").read_bytes())
    (corpus / "corpus.json").write_text(json.dumps({**manifest, key: value}), "utf-8")
    assert run(["corpus", "audit", str(corpus), "-o", str(tmp_path / "r")]) == 3
    told = capsys.readouterr().err
    assert f"$.{key}: " in told
    assert "build it anew" in told
    assert not (tmp_path / "r").exists()
    if key != "format":
        build([str(corpus)], tmp_path / "anew")
        assert audited(tmp_path / "anew", tmp_path / "r")[0] in (0, 1)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"format":1}', '{"format":"1"}', '{"format":1,"parts":7}', "\xff"])
def test_a_corpus_json_that_is_none(corpus, tmp_path, text):
    """If corpus.json is no valid manifest, `audit` ends with exit code 3."""
    (corpus / "corpus.json").write_bytes(text.encode("latin-1"))
    assert run(["corpus", "audit", str(corpus), "-o", str(tmp_path / "r")]) == 3


def test_a_corpus_that_is_not_finished(corpus, tmp_path, capsys):
    """`stats` ends with exit code 2 for an unfinished corpus, so that nobody gets the totals of only some parts."""
    manifest = json.loads((corpus / "corpus.json").read_bytes())
    (corpus / "corpus.json").write_text(json.dumps({**manifest, "complete": False}), "utf-8")
    assert run(["corpus", "stats", str(corpus)]) == 2
    assert "not finished" in capsys.readouterr().err


def test_columns_of_a_later_version_are_passed_over(corpus, whole, tmp_path):
    """An audit ignores unknown columns: they change no file of its result, except perhaps verdicts.parquet."""
    for table in TABLES:
        changed(corpus, table, lambda found: found.append_column("later", pa.array(range(found.num_rows))))
    audited(corpus, tmp_path / "r")
    shutil.copytree(whole, tmp_path / "other")
    shutil.rmtree(corpus)
    (tmp_path / "other").rename(corpus)
    audited(corpus, tmp_path / "r2")
    different = files_of(tmp_path / "r").items() ^ files_of(tmp_path / "r2").items()
    assert {name for name, _digest in different} <= {"verdicts.parquet"}


def test_an_export_into_a_folder_of_other_files_is_refused(corpus, tmp_path, capsys):
    """`export` goes on in the folder of an export; in any other that is not empty it writes nothing."""
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "mine.jsonl").write_bytes(b"")
    assert run(["corpus", "export", str(corpus), "-o", str(tmp_path / "other")]) == 2
    assert "holds something else" in capsys.readouterr().err
    assert [path.name for path in (tmp_path / "other").iterdir()] == ["mine.jsonl"]
    for _time in range(2):
        assert run(["corpus", "export", str(corpus), "-o", str(tmp_path / "out")]) == 0


def test_nothing_from_a_damaged_corpus_is_exported(corpus, tmp_path):
    """`export` leaves out the damaged part, writes the other parts, and ends with exit code 5."""
    (corpus / "lines" / "part-00001.parquet").write_bytes(b"")
    assert run(["corpus", "export", str(corpus), "-o", str(tmp_path / "out")]) == 5
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["part-00000", "part-00002"]
    assert run(["corpus", "export", str(corpus), "-o", str(tmp_path / "out"), "--game", "999"]) == 4
