"""Building a corpus: its sources, the numbers of its games, its parts, refused records, and interruptions."""

import gzip
import json
import os
import subprocess
import sys
from hashlib import sha256

import fsspec
import pyarrow.parquet as pq
import pytest

from daynight.cli.commands import run
from daynight.corpus.building import build as building
from daynight.corpus.building.build import build
from daynight.corpus.exporting import export
from daynight.corpus.manifest import Manifest
from daynight.corpus.sources import planning
from daynight.corpus.verifying import verify
from daynight.framework.language.errors import AskedError, NotFoundError
from daynight.games import Store
from daynight.store import write_archive
from tests.behaviour.games import CONTRACT, EVERY_TYPE, ROOT, lines
from tests.rules import judges, words

from .edges import edge

GAMES = [lines(edge(seed, 20)) for seed in range(12)]
HEADER = lines([words.started()])


def files_of(folder):
    """The SHA-256 of every file below a folder, by its relative path."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {str(path.relative_to(folder)): sha256(path.read_bytes()).hexdigest() for path in files}


def exported(folder, target):
    """Export a corpus into the folder `target`; return the bytes of each record, in the order of their numbers."""
    damaged, _games = export(str(folder), target)
    assert not damaged
    return [path.read_bytes() for path in sorted(target.rglob("*.jsonl"))]


def bad(folder):
    """The refused records: the JSON objects in the bad.jsonl of a corpus."""
    return [json.loads(line) for line in (folder / "bad.jsonl").read_bytes().splitlines()]


def games(folder):
    """The rows of the table `games`, from all parts."""
    found = []
    for path in sorted((folder / "games").iterdir()):
        found += pq.read_table(path).to_pylist()
    return found


def made(folder, *data, name="g{:02d}.jsonl"):
    """Write each of `data` into its own file of `folder`; `name.format(index)` is the file's name; return `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, one in enumerate(data):
        (folder / name.format(number)).write_bytes(one)
    return folder


def test_a_folder_is_read_in_the_order_of_its_bytes(tmp_path):
    """All records below a folder are sources, sorted by the bytes of their paths; other files are ignored."""
    source = tmp_path / "games"
    for name, data in (("b.jsonl", GAMES[0]), ("B.jsonl", GAMES[1]), ("a/z.jsonl", GAMES[2]), ("a.jsonl", GAMES[3])):
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_bytes(data)
    (source / "é.jsonl.gz").write_bytes(gzip.compress(GAMES[4]))
    (source / "notes.txt").write_text("no record", "utf-8")
    build([str(source)], tmp_path / "c")
    rows = games(tmp_path / "c")
    names = [str(row["source"]).removeprefix(f"{source}/") for row in rows]
    assert names == ["B.jsonl", "a.jsonl", "a/z.jsonl", "b.jsonl", "é.jsonl.gz"]
    assert [row["game"] for row in rows] == [0, 1, 2, 3, 4]
    assert exported(tmp_path / "c", tmp_path / "out") == [GAMES[1], GAMES[3], GAMES[2], GAMES[0], GAMES[4]]


def test_a_source_given_twice(tmp_path):
    """The records of a source that is given twice are in the corpus twice."""
    path = str(made(tmp_path / "games", GAMES[0] + GAMES[1]) / "g00.jsonl")
    build([path, path], tmp_path / "c")
    assert exported(tmp_path / "c", tmp_path / "out") == [GAMES[0], GAMES[1]] * 2


@pytest.mark.parametrize("packed", [False, True])
def test_several_records_in_one_file(tmp_path, packed):
    """Each line that is an object of type game-started begins a record; `export` writes each record's own bytes."""
    odd = [
        b'{"format": 1, "game": "spaced", "players": ["A"], "type": "game-started"}\r\n',
        b'{"type":"game\\u002dstarted","format":1,"game":"escaped","players":["A"]}\n',
        b'{"type":"game-started","format":1,"game":"says game-started","players":["A"],"note":"game-started"}\n',
        HEADER.removesuffix(b"\n"),
    ]
    whole = b"".join([GAMES[0], GAMES[1], *odd])
    path = tmp_path / "all.jsonl"
    path.write_bytes(gzip.compress(whole) if packed else whole)
    build([str(path)], tmp_path / "c")
    assert exported(tmp_path / "c", tmp_path / "out") == [GAMES[0], GAMES[1], *odd]
    rows = games(tmp_path / "c")
    assert [row["first_line"] for row in rows[:2]] == [1, 1 + GAMES[0].count(b"\n")]
    assert rows[-1]["final_newline"] is False
    assert rows[-1]["sha256"] == sha256(odd[-1]).hexdigest()


def test_a_bad_record_stops_nothing(tmp_path):
    """A refused record is a line of bad.jsonl, with its number and the error's sentence; the next record is built."""
    cut = GAMES[0].splitlines(keepends=True)
    several = HEADER + cut[0] + b'{"type":"spell-ca\n' + GAMES[1] + HEADER + b'{"type":"spell-cast","player":"X"}\n'
    source = made(tmp_path / "games", several, b"", b"garbage\xff\n" + HEADER)
    (source / "typed.dn").write_text("game typed\nplayers Ana, Bo\nturn 1 Ana\nAna castes Opt\n", "utf-8")
    build([str(source)], tmp_path / "c")
    found = bad(tmp_path / "c")
    assert [one["game"] for one in found] == [1, 3, 4, 5, 7]
    assert [row["game"] for row in games(tmp_path / "c")] == [0, 2, 6]
    at = 5 + GAMES[1].count(b"\n") - 1
    assert [(one["first_line"], one["line"], one["path"]) for one in found] == [
        (2, 2, "$"), (at, 2, "$.player"), (1, 1, "$"), (1, 1, "$"), (1, 4, "5"),
    ]  # fmt: skip
    assert "not JSON" in str(found[0]["problem"])
    assert found[1]["problem"] == "no player 'X'; players are Ana, Bo"
    assert found[2]["problem"] == "an empty record; expected game-started on line 1"
    assert found[3]["problem"] == "not UTF-8 at byte 8; save the file as UTF-8"
    assert str(found[4]["problem"]).startswith("'castes' is not understood")
    assert found[0].keys() == {"game", "record", "first_line", "line", "path", "problem"}


def test_damaged_gzip(tmp_path):
    """Damaged gzip data makes one refused record, whose sentence says so; an earlier record of the file is built."""
    path = tmp_path / "all.jsonl.gz"
    path.write_bytes(gzip.compress(GAMES[0] + GAMES[1], mtime=0)[:-9])
    build([str(path)], tmp_path / "c")
    (refused,) = bad(tmp_path / "c")
    assert refused["game"] == 1
    assert str(refused["problem"]).endswith("the records that follow in this file are lost")
    assert exported(tmp_path / "c", tmp_path / "out") == [GAMES[0]]


def test_a_record_beyond_all_bounds(tmp_path, monkeypatch):
    """A record above the limits is refused and unpacked only as far as needed; the next one in the file is read."""
    from daynight.corpus import reading
    from daynight.corpus.sources import splitting

    for module in (reading, splitting):
        monkeypatch.setattr(module, "SIZE", 10_000)
    monkeypatch.setattr(reading, "EVENTS", 50)
    upkeep = b'{"type":"step-began","step":"upkeep"}\n'
    many = HEADER + lines([words.turn(1)]) + 60 * upkeep
    large = HEADER + 400 * upkeep
    spaced = HEADER + b" " * 3_000_000 + b"\n"
    path = tmp_path / "bomb.jsonl.gz"
    path.write_bytes(gzip.compress(large + many + spaced + HEADER))
    build([str(path)], tmp_path / "c")
    # The line that is too much, or one too many.
    at = (10_000 - len(HEADER)) // len(upkeep) + 2
    assert [(one["game"], one["line"]) for one in bad(tmp_path / "c")] == [(0, at), (1, 51), (2, 2)]
    assert [row["game"] for row in games(tmp_path / "c")] == [3]


MEASURED = """import os, subprocess, sys
running = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL)
_pid, status, spent = os.wait4(running.pid, 0)
running.returncode = os.waitstatus_to_exitcode(status)
print(running.returncode, spent.ru_maxrss)
"""
"""The source of a program that runs a command, and prints the command's exit code and peak memory in KiB.

On Linux a new process begins with the memory of its parent, which counts for its peak, so the parent has to be small.
"""


@pytest.mark.slow
def test_a_bomb(tmp_path):
    """A record that unpacks to 300 MiB is refused with a peak memory below 500 MiB; the next record is built."""
    path = tmp_path / "bomb.jsonl.gz"
    with gzip.open(path, "wb", compresslevel=1) as stream:
        stream.write(HEADER)
        for _piece in range(300):
            stream.write(b" " * 2**20)
        stream.write(b"\n" + GAMES[0])
    command = [sys.executable, "-m", "daynight", "corpus", "build", str(path), "-o", str(tmp_path / "c")]
    told = subprocess.check_output([sys.executable, "-c", MEASURED, *command], cwd=ROOT, text=True)
    code, peak = map(int, told.split())
    assert code == 3
    assert [(one["game"], one["line"]) for one in bad(tmp_path / "c")] == [(0, 2)]
    assert exported(tmp_path / "c", tmp_path / "out") == [GAMES[0]]
    assert peak / 1024 < 500


def test_words_stores_archives_and_corpora(tmp_path):
    """Records in the notation, in stores and in archives are built.

    A corpus built from that corpus has the same records and the same table `games`, except for the games' numbers.
    """
    place = tmp_path / "cafe.db"
    with Store.open(str(place)) as store:
        for data in (lines(CONTRACT), lines(EVERY_TYPE)):
            path = tmp_path / f"{len(data)}.jsonl"
            path.write_bytes(data)
            store.import_record(str(path), f"game {len(data)}")
        with (tmp_path / "archive.jsonl").open("wb") as stream:
            write_archive(store, stream)
    (tmp_path / "cut.jsonl").write_bytes((tmp_path / "archive.jsonl").read_bytes()[:-200])
    table = str(ROOT / "examples/games/kitchen-table.dn")
    one = f"db:game {len(lines(CONTRACT))}"
    sources = [table, str(tmp_path / "archive.jsonl"), "db:", one, str(tmp_path / "cut.jsonl")]
    build(sources, tmp_path / "c", store=str(place))
    out = exported(tmp_path / "c", tmp_path / "out")
    assert len(out) == 6
    assert sorted(out[1:3]) == sorted(out[3:5])
    assert out[5] in out[3:5]
    assert len(bad(tmp_path / "c")) == 1
    build([str(tmp_path / "c")], tmp_path / "again")
    assert exported(tmp_path / "again", tmp_path / "out2") == out
    kept = [{**row, "game": None} for row in games(tmp_path / "c")]
    assert [{**row, "game": None} for row in games(tmp_path / "again")] == kept
    assert list(verify(str(tmp_path / "again"))) == []


def test_other_addresses(tmp_path):
    """A source may be any address that fsspec opens, such as `memory://`; without records it raises NotFoundError."""
    system = fsspec.filesystem("memory")
    for number, data in enumerate(GAMES[:3]):
        system.pipe(f"/league/{number}.jsonl", data)
    build(["memory://league"], tmp_path / "c", workers=2)
    assert exported(tmp_path / "c", tmp_path / "out") == GAMES[:3]
    assert games(tmp_path / "c")[1]["source"] == "memory://league/1.jsonl"
    with pytest.raises(NotFoundError):
        build(["memory://nowhere"], tmp_path / "d")


@pytest.mark.wide
@pytest.mark.skipif(os.name != "posix", reason="Windows has no file names that are not Unicode")
def test_names_that_are_not_utf_8(tmp_path, capsys):
    """Commands accept a source and a corpus whose names are not UTF-8; bad.jsonl shows the invalid bytes as escapes."""
    source, folder = made(tmp_path / "games", GAMES[0], b""), tmp_path / os.fsdecode(b"c\xff")
    (source / "g01.jsonl").rename(source / os.fsdecode(b"g\xff.jsonl"))
    for _time in range(2):
        assert run(["corpus", "build", str(source), "-o", str(folder), "--json"]) == 3
    assert [str(one["record"])[-10:] for one in bad(folder)] == ["g\\udcff.jsonl"[-10:]]
    for command in (["audit", "--json"], ["stats", "--by", "source", "--json"], ["find", "--json"]):
        assert run(["corpus", *command, str(folder), "-o", str(tmp_path / "r"), "--workers", "1"]) == 0
    assert run(["corpus", "verify", str(folder), "--workers", "1"]) == 0
    assert run(["corpus", "build", str(folder), "-o", str(tmp_path / "again")]) == 0
    assert exported(tmp_path / "again", tmp_path / "out") == [GAMES[0]]
    capsys.readouterr()


def test_corpora_that_only_this_process_can_open(tmp_path, capsys):
    """A corpus in memory is audited, queried, verified and rebuilt in this process, whatever `--workers` says."""
    build([str(made(tmp_path / "games", *GAMES[:3]))], tmp_path / "c")
    system = fsspec.filesystem("memory")
    for name in files_of(tmp_path / "c"):
        system.pipe(f"/kept/{name}", (tmp_path / "c" / name).read_bytes())
    for command in (["audit"], ["stats", "--json"], ["find"]):
        assert run(["corpus", *command, "memory://kept", "-o", str(tmp_path / "r"), "--workers", "2"]) == 0
    assert run(["corpus", "verify", "memory://kept", "--workers", "2"]) == 0
    assert run(["audit", "corpus:memory://kept#2"]) == 0
    build(["memory://kept"], tmp_path / "again", workers=2)
    assert exported(tmp_path / "again", tmp_path / "out") == GAMES[:3]
    capsys.readouterr()


@pytest.fixture
def short_parts(monkeypatch):
    """Limit each part of a corpus to 50 lines."""
    monkeypatch.setattr(planning, "LINES", 50)


@pytest.mark.usefixtures("short_parts")
@pytest.mark.wide
def test_parts_have_the_next_records(tmp_path):
    """A part takes the next records up to the limit of lines, counting refused ones; a longer record is a part alone.

    The number of workers does not matter.
    """
    refused = HEADER + b"x\n" * 30
    source = made(tmp_path / "games", *GAMES[:6], refused, *GAMES[6:], refused * 3)
    one, two = tmp_path / "one", tmp_path / "two"
    found = build([str(source)], one)
    build([str(source)], two, workers=2)
    assert files_of(one) == files_of(two)
    counts = [data.count(b"\n") for data in (*GAMES[:6], refused, *GAMES[6:], *(refused,) * 3)]
    for part, after in zip(found.parts, [*found.parts[1:], None], strict=True):
        here = counts[part.first : part.first + part.records]
        assert sum(here) <= 50 or len(here) == 1
        if after is not None:
            assert sum(here) + counts[after.first] > 50
    assert [part.part for part in found.parts] == list(range(len(found.parts)))
    assert sum(part.refused for part in found.parts) == 4
    assert Manifest.read(str(one)).complete


@pytest.mark.usefixtures("short_parts")
def test_a_build_that_was_interrupted_goes_on(tmp_path, monkeypatch):
    """After an interruption corpus.json lists the finished parts; the same command makes only the others.

    The bytes are those of a build without interruption; a command with other sources is refused.
    """
    source = made(tmp_path / "games", *GAMES)
    whole = build([str(source)], tmp_path / "whole")
    folder = tmp_path / "c"
    make, made_here = building.make, []

    def interrupted(task):  # type: ignore[no-untyped-def]
        if len(made_here) == 2:
            raise KeyboardInterrupt
        made_here.append(task.planned.part)
        return make(task)

    monkeypatch.setattr(building, "make", interrupted)
    with pytest.raises(KeyboardInterrupt):
        build([str(source)], folder)
    listed = Manifest.read(str(folder))
    assert not listed.complete
    assert listed.parts == whole.parts[:2]
    monkeypatch.setattr(building, "make", make)
    with pytest.raises(AskedError, match="other sources"):
        build([str(source), str(source)], folder)
    build([str(source)], folder)
    assert made_here == [0, 1]
    assert files_of(folder) == files_of(tmp_path / "whole")
    # Once more there is nothing to do.
    assert build([str(source)], folder) == whole


def test_what_is_not_built_upon(tmp_path):
    """`build` raises AskedError if a source has changed since the folder's first build.

    So it does for a folder with other files, or locked by another build; missing sources raise NotFoundError.
    """
    source = made(tmp_path / "games", *GAMES[:2])
    build([str(source)], tmp_path / "c")
    (source / "g00.jsonl").write_bytes(GAMES[0] + lines([judges.noted()]))
    with pytest.raises(AskedError, match="sources of other sizes"):
        build([str(source)], tmp_path / "c")
    with pytest.raises(AskedError, match="holds something else"):
        build([str(source)], source)
    (tmp_path / "d" / ".building").mkdir(parents=True)
    place = tmp_path / "d"
    with building.locked(place / ".building", place), pytest.raises(AskedError, match="another command"):
        build([str(source)], place)
    games = made(tmp_path / "whole", GAMES[0])
    build([str(games)], tmp_path / "f")
    card = (tmp_path / "f" / "README.md").read_bytes()
    (tmp_path / "f" / ".building").mkdir()
    with building.locked(tmp_path / "f" / ".building", tmp_path / "f"), pytest.raises(AskedError, match="another"):
        build([str(games)], tmp_path / "f", licence="MIT")
    assert (tmp_path / "f" / "README.md").read_bytes() == card
    with pytest.raises(NotFoundError):
        build([str(tmp_path / "nothing")], tmp_path / "e")
    assert not os.path.lexists(tmp_path / "e")


def test_a_corpus_inside_its_source(tmp_path):
    """If a corpus lies inside its source folder, a repeated build does not take the files of the corpus as sources."""
    source = made(tmp_path / "games", GAMES[0], b"")
    build([str(source)], source / "c")
    assert len(bad(source / "c")) == 1
    assert build([str(source)], source / "c").parts[0].records == 2


def test_no_games_at_all(tmp_path):
    """`build` raises NotFoundError for a folder without records, and for a corpus whose records were all refused."""
    (tmp_path / "games").mkdir()
    with pytest.raises(NotFoundError, match="no records and no logs there"):
        build([str(tmp_path / "games")], tmp_path / "c")
    assert not (tmp_path / "c").exists()
    (found,) = build([str(made(tmp_path / "games", b""))], tmp_path / "c").parts
    assert (found.games, found.refused) == (0, 1)
    with pytest.raises(NotFoundError, match="no records and no logs there"):
        build([str(tmp_path / "c")], tmp_path / "d")
