"""A corpus of logs: the games that a program played, without importing them before.

| promise | test |
| --- | --- |
| each game of a log is a record, as if it had been imported before | test_games |
| logs that stand one after another and go on in one another are joined | test_joined |
| a log without a game is refused, and named; the others are there | test_refused |
| an interrupted build goes on | test_again |
"""

import json

import pytest

from daynight.corpus.building import build as building
from daynight.corpus.building.build import build
from daynight.corpus.exporting import export
from tests.commands.conftest import daynight, log_of  # noqa: F401
from tests.importers.forge_logs import Log as ForgeLog
from tests.importers.forge_logs import day_and_night as forge_day_and_night


@pytest.fixture
def logs(tmp_path, monkeypatch):
    """Two logs of Arena, of which the first one goes on in the second; one of Forge; one without a game."""
    monkeypatch.chdir(tmp_path)
    lines = log_of("a1", "b2").splitlines(keepends=True)
    (tmp_path / "Player-prev.log").write_bytes(b"".join(lines[:20]))
    (tmp_path / "Player.log").write_bytes(b"".join(lines[20:]))
    (tmp_path / "whole.log").write_bytes(b"".join(lines))
    (tmp_path / "forge.txt").write_bytes(forge_day_and_night(ForgeLog()).bytes())
    (tmp_path / "off.log").write_bytes(b"DETAILED LOGS: DISABLED\n")
    return tmp_path


def built(logs, *names):
    """The records of a corpus of these, without what says where each line was read, and what was refused."""
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
    """As it is kept in a store, with the faces of what arrives; but for `meta`."""
    records, refused = built(logs, "whole.log", "forge.txt")
    assert (["a1-G1", "b2-G1", "forge-G1"], []) == ([record[0]["game"] for record in records], refused)
    daynight("import", "whole.log", "forge.txt", "--into", "games.db")
    for name in ("a1-G1", "b2-G1", "forge-G1"):
        daynight("export", name, "--db", "games.db", "-o", f"{name}.jsonl")
    imported, _refused = built(logs, "a1-G1.jsonl", "b2-G1.jsonl", "forge-G1.jsonl")
    assert imported == records


def test_joined(logs):
    """Beside one another, and not where another source stands between them."""
    assert built(logs, "whole.log")[0] == built(logs, "Player-prev.log", "Player.log")[0]
    apart, _refused = built(logs, "Player-prev.log", "forge.txt", "Player.log")
    assert 4 == len(apart)


def test_refused(logs):
    """Also beside a log with games."""
    for names in (("off.log", "whole.log"), ("off.log", "forge.txt"), ("off.log",)):
        records, refused = built(logs, *names)
        assert (len(names) > 1, ["off.log"]) == (bool(records), [one["record"] for one in refused])
        assert "switch them on in Arena" in refused[0]["problem"]


def test_again(logs, monkeypatch):
    """After the logs were read, and before their games were judged."""

    def stopped(*_given):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(building, "here", stopped)
        with pytest.raises(KeyboardInterrupt):
            build(["whole.log", "off.log"], logs / "league")
    found = build(["whole.log", "off.log"], logs / "league")
    assert (2, 1) == (sum(part.games for part in found.parts), sum(part.refused for part in found.parts))
