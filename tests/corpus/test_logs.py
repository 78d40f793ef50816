"""A corpus built from programs' logs, without importing them first.

| promise | test |
| --- | --- |
| each game of a log is a record, as if it had been imported before | test_games |
| consecutive logs in which a game continues are joined | test_joined |
| a log without a game is refused, and named; the other sources are built | test_refused |
| after an interruption, a repeated build has all games | test_again |
| logs in a folder are sources like records; other files are counted, with a hint | test_a_folder |
| sources without any record make no corpus; the error says what is there instead | test_nothing_there |
| a file that is given by name and is no record is a refused record | test_by_name |
| a file in the notation of .dn files is built, whatever its name ends with | test_by_name |
| the refusal of a record of another mechanic says so | test_another_mechanic |
"""

import json

import pyarrow.parquet as pq
import pytest

from daynight.cli.commands import run
from daynight.corpus.building import build as building
from daynight.corpus.building.build import build
from daynight.corpus.exporting import export
from tests.behaviour.games import ROOT
from tests.commands.conftest import daynight, log_of  # noqa: F401
from tests.importers.forge_logs import Log as ForgeLog
from tests.importers.forge_logs import day_and_night as forge_day_and_night


@pytest.fixture
def logs(tmp_path, monkeypatch):
    """The current folder: Arena logs, of which one continues another and one has no game; a log of Forge."""
    monkeypatch.chdir(tmp_path)
    lines = log_of("a1", "b2").splitlines(keepends=True)
    (tmp_path / "Player-prev.log").write_bytes(b"".join(lines[:20]))
    (tmp_path / "Player.log").write_bytes(b"".join(lines[20:]))
    (tmp_path / "whole.log").write_bytes(b"".join(lines))
    (tmp_path / "forge.txt").write_bytes(forge_day_and_night(ForgeLog()).bytes())
    (tmp_path / "off.log").write_bytes(b"DETAILED LOGS: DISABLED\n")
    return tmp_path


def built(logs, *names):
    """Build a corpus of these sources; return its records, without `meta`, and its refused records."""
    folder = logs / f"corpus-{len(list(logs.iterdir()))}"
    build(names, folder)
    export(str(folder), logs / f"{folder.name}-out", None)
    records = []
    for path in sorted((logs / f"{folder.name}-out").rglob("*.jsonl")):
        events = [json.loads(line) for line in path.read_bytes().splitlines()]
        records.append([{key: value for key, value in event.items() if key != "meta"} for event in events])
    refused = [json.loads(line) for line in (folder / "bad.jsonl").read_bytes().splitlines()]
    return records, refused


def test_games(logs, daynight):  # noqa: F811
    """A game of a log has the lines that it would have after an import into a store, except for `meta`."""
    records, refused = built(logs, "whole.log", "forge.txt")
    assert (["a1-G1", "b2-G1", "forge-G1"], []) == ([record[0]["game"] for record in records], refused)
    daynight("import", "whole.log", "forge.txt", "--into", "games.db")
    for name in ("a1-G1", "b2-G1", "forge-G1"):
        daynight("export", name, "--db", "games.db", "-o", f"{name}.jsonl")
    imported, _refused = built(logs, "a1-G1.jsonl", "b2-G1.jsonl", "forge-G1.jsonl")
    assert imported == records


def test_joined(logs):
    """Two logs between which a game continues are joined if they are consecutive sources, and otherwise not."""
    assert built(logs, "whole.log")[0] == built(logs, "Player-prev.log", "Player.log")[0]
    apart, _refused = built(logs, "Player-prev.log", "forge.txt", "Player.log")
    assert 4 == len(apart)


def test_refused(logs):
    """A log without a game is one refused record, whatever other logs are built with it."""
    for names in (("off.log", "whole.log"), ("off.log", "forge.txt"), ("off.log",)):
        records, refused = built(logs, *names)
        assert (len(names) > 1, ["off.log"]) == (bool(records), [one["record"] for one in refused])
        assert "switch them on in Arena" in refused[0]["problem"]


def test_again(logs, monkeypatch):
    """A build that was interrupted after reading the logs has all games when it is repeated."""

    def stopped(*_given):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(building, "here", stopped)
        with pytest.raises(KeyboardInterrupt):
            build(["whole.log", "off.log"], logs / "league")
    found = build(["whole.log", "off.log"], logs / "league")
    assert (2, 1) == (sum(part.games for part in found.parts), sum(part.refused for part in found.parts))


def test_a_folder(logs, capsys):
    """Logs and records below a folder are sources; hidden files, corpora, links to nothing and other files are not.

    A sentence counts the other files. A repeated command gives the same games.
    """
    (logs / "notes.txt").write_text("Buy milk.\n", "utf-8")
    (logs / ".hidden").write_text("Buy more milk.\n", "utf-8")
    (logs / "deeper").mkdir()
    (logs / "deeper" / "game.jsonl").write_bytes((ROOT / "examples/games/clone.jsonl").read_bytes())
    (logs / "deeper" / "another.bin").write_bytes(bytes(100))
    (logs / "deeper" / "moved.jsonl").symlink_to("nothing.jsonl")
    for folder, more in (("c", "3 files are neither"), ("d", "1 corpus lies there"), ("c", "deeper/another.bin")):
        assert run(["corpus", "build", ".", "-o", folder, "--json"]) == 3
        told = capsys.readouterr()
        assert more in told.err
        assert "daynight audit ./deeper/another.bin says why" in told.err
        # Two of the logs that go on in one another, and the same two of the one that is whole.
        assert json.loads(told.out)["games"] == 1 + 4 + 1
        assert json.loads(told.out)["refused"] == 1
    rows = pq.read_table("c/games/part-00000.parquet").column("source").to_pylist()
    # Each game has the log that it begins in.
    assert rows == ["./Player-prev.log", "./Player.log", "./deeper/game.jsonl", "./forge.txt", *["./whole.log"] * 2]


def test_nothing_there(logs, capsys):
    """Sources without any record end with exit code 4, and no corpus is made."""
    (logs / "bare").mkdir()
    assert run(["corpus", "build", "bare", "-o", "c"]) == 4
    assert capsys.readouterr().err == "bare: no records and no logs there\n"
    (logs / "bare" / "notes.txt").write_text("Buy milk.\n", "utf-8")
    assert run(["corpus", "build", "bare", "-o", "c"]) == 4
    assert "no records there; 1 file is neither a record nor a log: bare/notes.txt" in capsys.readouterr().err
    assert not (logs / "c").exists()


def test_by_name(logs):
    """A file that is given by name and is no record is a refused record; a .txt file in the .dn notation is built."""
    (logs / "notes.txt").write_text("Buy milk.\n", "utf-8")
    (logs / "typed.txt").write_bytes((ROOT / "examples/games/kitchen-table.dn").read_bytes())
    records, refused = built(logs, "notes.txt", "typed.txt")
    assert [record[0]["game"] for record in records] == ["kitchen table"]
    assert refused[0]["problem"].startswith("neither a record nor anything that an importer knows")
    assert refused[0]["record"] == "notes.txt"


def test_another_mechanic(logs):
    """A record of another mechanic is refused with a sentence that says so, whatever the type of its first event."""
    names = [str(ROOT / "examples" / name) for name in ("monarch.jsonl", "approval.jsonl")]
    records, refused = built(logs, *names)
    assert not records
    assert len(refused) == 2
    for one in refused:
        assert one["problem"].startswith("a record of another mechanic, it seems, and not of day and night; ")
