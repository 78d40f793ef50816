"""A face-down permanent has no face up.

| promise | test |
| --- | --- |
| an event that gives it one is refused: typed, appended or in a file | test_refused, test_refused_in_files |
| an older record with such an event, whose faces a store filled in, is loaded and imported | test_stored_before |
"""

import json

import pytest

from daynight import Game, Store
from daynight.framework.language.errors import UnreadableError

START = {"type": "game-started", "format": 1, "game": "g", "players": ["Ana", "Bo"]}
HIDDEN = {"id": "w1", "card": "Tavern Ruffian", "controller": "Ana", "face": "back", "face_down": True}
FACES = {"double_faced": True, "front": {"keywords": ["daybound"]}, "back": {"keywords": ["nightbound"]}}


def entered(**more):
    return {"type": "permanents-entered", "permanents": [HIDDEN | more]}


def record(path, *events):
    path.write_text("".join(f"{json.dumps(event)}\n" for event in (START, *events)), "utf-8")
    return path


@pytest.mark.parametrize("event", [entered(), entered(**FACES)], ids=["typed", "complete"])
def test_refused(event):
    with pytest.raises(UnreadableError, match="'w1' is face down, so no face of it is up"):
        Game.start("g", ["Ana", "Bo"]).record(event)
    with Store.open("memory:") as store:
        store.new("g", ["Ana", "Bo"])
        with pytest.raises(UnreadableError, match="is face down, so no face of it is up"):
            store.append("g", [event])
        assert 1 == store.head("g").number


def test_refused_in_files(tmp_path):
    joined = {"type": "game-joined", "possible": ["day"], "permanents": [HIDDEN]}
    for event in (entered(), joined):
        with pytest.raises(UnreadableError, match=r"g\.jsonl:2: \$\.permanents\[0\]\.face"):
            Game.load(record(tmp_path / "g.jsonl", event))
    typed = tmp_path / "g.dn"
    typed.write_text("game g\nplayers Ana, Bo\nAna: Tavern Ruffian (w1, back face up, face down) enters\n", "utf-8")
    with pytest.raises(UnreadableError, match="is face down"):
        Game.load(typed)


def test_stored_before(tmp_path):
    """A record with all faces filled in, as older stores wrote it, is loaded and imported; its front face counts."""
    path = record(tmp_path / "g.jsonl", entered(**FACES))
    game = Game.load(path)
    (shown,) = game.document()["battlefield"]
    assert ("unverified", "front") == (game.audit().verdict, shown["face"])
    with Store.open("memory:") as store:
        store.import_record(path)
        assert ("unverified", 2) == (store.load("g").audit().verdict, store.head("g").number)
