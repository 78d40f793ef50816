"""Heads: no command is stored in another game of the same name, or in an older copy of its own game.

| promise | test |
| --- | --- |
| `identity` is the digest of event 1 (or line 1); `head` that of the last event; each moment has one | test_told |
| a command with the head that it saw is stored; with another game's head: 409 `other-game` | test_commands |
| a retry is answered with any head; `other-game` has priority over `stale` | test_order |
| a stream with another identity, or another digest at `after`, is reset and ends | test_streams |
"""

from hashlib import sha256

import pytest

from daynight.games import Store
from daynight.records import Held
from daynight.web.shelf import Shelf
from tests.web.asking import asking
from tests.web.sending import cast, post, refused, send


def told(house, game):
    """The identity and head that the server gives for a game."""
    with house.client() as client:
        found = client.get(f"/v1/games/{game}").json()
    return found["identity"], found["head"]


def test_told(house, game):
    identity, head = told(house, game)
    recorder = house.store.recorder
    assert (identity, head) == (recorder.digest(game, 1).hex(), recorder.digest(game, 4).hex())
    answer = send(house, game, {"command": "c1", "seen": 4, "words": ["Ana casts Opt", "Ana casts Opt"]}).json()
    assert (answer["head"], answer["head"]) == (answer["moments"][-1]["head"], told(house, game)[1])
    with house.client() as client:
        moments = client.get(f"/v1/games/{game}/moments?from=2").json()["moments"]
    assert [one["head"] for one in moments] == [recorder.digest(game, number).hex() for number in range(2, 7)]
    begun = {"command": "n", "game": f"{game}'", "players": ["Ana", "Bo"]}
    first = post(house, "games", begun).json()
    assert first["identity"] == first["head"] != identity


def test_told_of_a_file():
    lines = [b'{"type":"game-started","format":1,"game":"g","players":["Ana"]}', b'{"type":"game-ended"}']
    ask = asking(Shelf(None, [Held("g.jsonl", b"\n".join(lines))]))
    found = ask.document("/v1/games/g")
    heads = [sha256(b"".join(line + b"\n" for line in lines[:many])).hexdigest() for many in (1, 2)]
    assert (found["identity"], found["head"]) == (sha256(lines[0]).hexdigest(), heads[1])
    assert [one["head"] for one in ask.document("/v1/games/g/moments")["moments"]] == heads


def test_two_games_of_one_name():
    """Two games with the same name and players have different identities."""
    found = []
    for _week in range(2):
        with Store.open("memory:") as store:
            store.append("friday", [{"type": "game-started", "format": 1, "game": "friday", "players": ["Ana", "Bo"]}],
                         begins=True)  # fmt: skip
            found.append(asking(Shelf(store)).document("/v1/games/friday")["identity"])
    assert len({*found}) == 2


@pytest.mark.parametrize("name", ["seen", "expected"])
def test_commands(house, game, name):
    identity, head = told(house, game)
    body = cast(4)
    body[name] = body.pop("seen")
    for wrong in ("0" * 64, house.store.recorder.digest(game, 3).hex(), "x"):
        found = refused(send(house, game, body | {"head": wrong}), 409, "other-game")
        assert (found["identity"], found["last"], found["exit"]) == (identity, 4, 5)
    assert house.store.last(game) == 4
    assert send(house, game, body | {"head": head}).status_code == 201


def test_order(house, game):
    head = told(house, game)[1]
    send(house, game, cast(4, head=head))
    assert send(house, game, cast(4, head="0" * 64)).json()["repeated"] is True
    refused(send(house, game, cast(4, player="Bo", head="0" * 64)), 422, "command-reused")
    send(house, game, {"command": "t2", "seen": 5, "do": "pass-turn"})
    refused(send(house, game, cast(4, command="c2", head=head)), 409, "stale")
    refused(send(house, game, cast(4, command="c2", head="0" * 64)), 409, "other-game")
    # A digest that nobody can have seen belongs to another game.
    refused(send(house, game, cast(99, command="c2", head=head)), 409, "other-game")
    refused(send(house, game, cast(99, command="c2")), 409, "stale")
    refused(send(house, game, cast(4, command="c2", player="Zoe", head="0" * 64)), 409, "other-game")


def test_streams(house, game):
    identity, head = told(house, game)
    path = f"/v1/games/{game}/live?after=4"
    with house.listening(path=f"{path}&identity={identity}&head={head}") as frames:
        send(house, game, cast(4))
        assert frames.next()["data"]["before"] == head
    reset = {"event": "reset", "data": {"last": 5, "identity": identity}}
    other = house.store.recorder.digest(game, 3).hex()
    for more in (f"identity={other}&head={head}", f"identity={identity}&head={other}", f"head={other}", "identity=x"):
        with house.listening(path=f"{path}&{more}") as frames:
            assert frames.next() == reset
            with pytest.raises(EOFError):
                frames.next()
    # A browser reconnects with its first address and a newer event id: `head` is that of the first address.
    with house.listening(path=f"{path}&identity={identity}&head={head}", **{"Last-Event-ID": "5"}) as frames:
        send(house, game, cast(5, command="c2"))
        assert frames.next()["data"]["event"] == 6
