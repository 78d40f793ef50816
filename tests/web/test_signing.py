"""A server with a key: what it signs, and what it does not sign until a person accepts it.

| promise | test |
| --- | --- |
| a new game gets random bits, and a retry does not begin it twice | test_begun |
| after an unsigned back-up and ruling nothing is stored: 409 with both, until they are accepted | test_not_accepted |
| a branch of such a game is not stored either | test_branch |
| a rewritten upload is not stored | test_upload |
| an upload of a signed game with an unsigned back-up and ruling is not stored: 409 with both | test_added |
| a log with less than was signed is stored unsigned, and its report says so | test_log |
"""

import json
from io import BytesIO
from pathlib import Path

import pytest

from daynight.games import Store
from daynight.store import Key
from daynight.store.proving.signing import accept
from tests.rules.judges import back_up, ruled
from tests.rules.words import cast as spell
from tests.rules.words import turn
from tests.web.sending import cast, post, refused, send
from tests.web.serving import serving

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def house(tmp_path):
    """A server with a key of its own, and a game of two turns."""
    key = Key.read(tmp_path / "key.pem")
    with Store.open(tmp_path / "games.db", key=key) as store, serving(store) as served:
        begun = {"command": "c0", "game": "friday", "players": ["Ana", "Bo"]}
        assert [post(served, "games", begun).status_code for _twice in range(2)] == [201, 200]
        for number in (1, 2):
            answer = send(served, "friday", {"command": f"t{number}", "expected": number * 2 - 1, "events": [
                turn(number), spell(),
            ]})  # fmt: skip
            assert answer.status_code == 201, answer.text
        yield served


def attacked(house):
    """Store a back-up, a cast and a ruling without the key, as an attacker could."""
    with Store(house.store.settings) as store:
        store.append("friday", [back_up(2), spell(), ruled("night")])


def test_begun(house):
    first = next(house.store.events("friday"))
    assert len(bytes.fromhex(first.meta["random"])) == 16
    assert first.meta["by"] == "owner"
    assert [event for event, *_signed in house.store.recorder.signatures("friday")] == [1, 3]


def test_not_accepted(house):
    attacked(house)
    found = refused(send(house, "friday", cast(8, "c9")), 409, "not-accepted")
    assert (found["game"], found["exit"]) == ("friday", 5)
    assert [(6, "game-backed-up"), (8, "judge-ruled")] == [(act["event"], act["type"]) for act in found["acts"]]
    assert all(act["code"] in found["detail"] for act in found["acts"])
    assert str(house.store.settings.path) not in found["detail"]
    assert house.store.last("friday") == 8
    accept(house.store.recorder, house.store.recorder.signer, "friday", found["acts"][1]["code"])
    assert send(house, "friday", cast(8, "c9")).status_code == 201


def test_branch(house):
    attacked(house)
    body = {"edits": [{"at": 3, "drop": True}], "keep": "b2"}
    refused(post(house, "games/friday/what-if", body), 409, "not-accepted")
    assert house.store.last("friday/b2") == 0


def test_upload(house):
    stream = BytesIO()
    house.store.lines("friday", stream)
    lines = stream.getvalue().splitlines(keepends=True)
    lines[2] = json.dumps(spell("Bo")).encode() + b"\n"
    with (
        Store.open("memory:", key=house.store.recorder.signer) as store, serving(store) as other,
        other.client(other.owner, **{"Content-Type": "application/octet-stream"}) as client,
    ):  # fmt: skip
        found = refused(client.post("/v1/imports", content=b"".join(lines)), 500, "store-damaged")
        assert "written anew" in found["detail"]
        assert store.games() == []


def test_added(house):
    attacked(house)
    stream = BytesIO()
    house.store.lines("friday", stream)
    with (
        Store.open("memory:", key=house.store.recorder.signer) as store, serving(store) as other,
        other.client(other.owner, **{"Content-Type": "application/octet-stream"}) as client,
    ):  # fmt: skip
        found = refused(client.post("/v1/imports", content=stream.getvalue()), 409, "not-accepted")
        assert [6, 8] == [act["event"] for act in found["acts"]]
        assert store.games() == []


def test_log(house):
    log = (ROOT / "examples" / "arena" / "Player.log").read_bytes()
    found = []
    for data in (log, log[: len(log) * 2 // 3]):
        with (
            Store.open("memory:", key=house.store.recorder.signer) as store, serving(store) as other,
            other.client(other.owner, **{"Content-Type": "application/octet-stream"}) as client,
        ):  # fmt: skip
            answer = client.post("/v1/imports", content=data)
            assert answer.status_code == 201, answer.text
            found.append([game.get("signed", True) for game in answer.json()["report"]["games"]])
            assert all(store.last(game["game"]) for game in answer.json()["games"])
    assert (all(found[0]), found[1][-1]) == (True, False)
