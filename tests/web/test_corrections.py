"""Corrections: a mistake is corrected in the stored game itself, and nothing is deleted.

| promise | test |
| --- | --- |
| a correction is one command: a correcting back-up, then the events that it undid, with the edits | test_stored |
| a correction stores what a what-if with the same edits shows, also after an undo | test_as_tried |
| if later events become impossible, all are named and nothing is stored | test_not_following |
| notes, disputes, back-ups, the beginning and undone events can't be corrected | test_not_corrected |
| a correction may be stale, of another game, a retry or a reused id, like any command | test_as_a_command |
| a player may correct this and the last turn, but no ruling and no other's claim; a judge anything | test_roles |
| undo reverts a correction by another; the copies then belong to their original commands | test_undone |
| if a correction is undone, later events stay, or become impossible | test_undone_later |
| undoing a correction also removes what later corrections copied of it | test_undone_after_another |
| each ruling is still compared with what the rules derive, not with the ruling before it | test_own_line |
| a correction stores at most a thousand events; with more than five hundred the answer has no moments | test_many |
| line 1, and `game-joined` on line 2, can't be edited; an insert after line 1 can be stored | test_first_lines |
| a copied event keeps its time, note, author and meta | test_what_a_copy_keeps |
| a command that was sent before a correction was stored is stale | test_in_flight |
| spectators, and clients without a key, correct nothing; players correct each other's actions | test_another_mends |
| a record with corrections is read, written and audited like any other | test_record |
"""

import json

import pytest

from daynight import Game
from daynight.records import Held
from tests.web.sending import cast, post, refused, send

ENTERS = {"type": "permanents-entered", "permanents": [{"id": "w1", "card": "Tavern Ruffian", "controller": "Ana"}]}
BO = {"type": "spell-cast", "player": "Bo"}


def correct(house, game, edits, key=None, command="fix", **more):
    body = {"command": command, "seen": house.store.last(game), "edits": edits, **more}
    return post(house, f"games/{game}/corrections", body, key)


def state(house, game, **query):
    with house.client(house.owner) as client:
        return client.get(f"/v1/games/{game}/state", params=query).json()


def lines(house, game):
    with house.client(house.owner) as client:
        return [json.loads(line) for line in client.get(f"/v1/games/{game}/record.jsonl").text.splitlines()]


@pytest.fixture
def night(house, game):
    """A game that is at night in turn 3, because no spell of Bo is recorded in turn 2: events 1 to 11."""
    ana = house.link("player", "Ana", game)
    send(house, game, {"command": "t2", "seen": 4, "do": "pass-turn"}, ana)
    send(house, game, {"command": "w", "seen": 7, "events": [ENTERS]}, ana)
    send(house, game, {"command": "t3", "seen": 8, "do": "pass-turn"})
    assert state(house, game)["designation"] == "night"
    return game


def test_stored(house, night):
    edits = [{"at": 8, "insert": [BO]}]
    answer = correct(house, night, edits, house.link("judge", "Jo", night))
    assert answer.status_code == 201, answer.text
    found = answer.json()
    assert (found["first"], found["last"], len(found["moments"])) == (12, 16, 5)
    stored = lines(house, night)[11:]
    assert stored[0] == {
        "type": "game-backed-up", "meta": {"by": "Jo", "edits": edits}, "to": 8, "by": "Jo", "corrects": True,
    }  # fmt: skip
    assert stored[1] == {**BO, "meta": {"by": "Jo"}}
    assert [(one["type"], one["meta"]) for one in stored[2:]] == [
        ("turn-began", {"by": "owner", "again": 9}), ("step-began", {"by": "owner", "again": 10}),
        ("step-began", {"by": "owner", "again": 11}),
    ]  # fmt: skip
    now = state(house, night)
    assert (now["designation"], now["turn"], now["tallies"]["previous"]["spells"]["Bo"]) == ("day", 3, 1)
    # Corrected once more, a copy keeps its first number.
    assert correct(house, night, [{"at": 13, "drop": True}], command="again").status_code == 201
    assert [one["meta"].get("again") for one in lines(house, night)[16:]] == [None, 9, 10, 11]
    assert state(house, night)["designation"] == "night"


def test_own_since(house, night):
    """In a copied event, `own_since` is the number of the cast's copy, not of the original cast."""
    send(house, night, {"command": "t", "seen": 11, "events": [
        {"type": "spell-cast", "player": "Ana"},
        {"type": "transform-instructed", "permanents": ["w1"], "own_since": 12}]})  # fmt: skip
    assert correct(house, night, [{"at": 8, "insert": [BO]}]).status_code == 201
    (event,) = [one for one in lines(house, night)[13:] if one["type"] == "transform-instructed"]
    assert (event["own_since"], lines(house, night)[event["own_since"] - 1]["meta"]["again"]) == (19, 12)


@pytest.mark.parametrize("edits", [
    [{"at": 8, "insert": [BO]}], [{"at": 9, "replace": [{"type": "turn-began", "turn": 3, "active": ["Bo"]}]}],
    [{"at": 8, "drop": True}], [{"at": 4, "insert": [BO, BO]}, {"at": 10, "drop": True}],
])  # fmt: skip
def test_as_tried(house, night, edits):
    send(house, night, {"command": "a", "seen": 11, "events": [BO]})
    post(house, f"games/{night}/undo", {"command": "u", "seen": 12})
    send(house, night, {"command": "b", "seen": 13, "events": [{"type": "spell-cast", "player": "Ana"}]})
    edits = [*edits, {"at": 11, "insert": [BO]}]
    tried = post(house, f"games/{night}/what-if", {"edits": edits, "keep": "b1"})
    assert tried.status_code == 200, tried.text
    then = state(house, f"{night}%2Fb1")
    assert correct(house, night, edits).status_code == 201
    now = state(house, night)
    for name in ("designation", "possible", "turn", "active", "tallies", "battlefield", "step"):
        assert now[name] == then[name], name


def test_not_following(house, night):
    gone = [{"type": "abilities-lost", "permanents": ["w1"]}, {"type": "permanents-left", "permanents": ["w1"]}]
    send(house, night, {"command": "l", "seen": 11, "events": gone})
    found = refused(correct(house, night, [{"at": 8, "drop": True}]), 422, "impossible")
    assert [(one["event"], one["type"]) for one in found["impossible"]] == [
        (12, "abilities-lost"), (13, "permanents-left"),
    ]  # fmt: skip
    assert "w1" in found["impossible"][0]["reason"]
    refused(correct(house, night, [{"at": 8, "insert": [{"type": "spell-cast", "player": "Zoe"}]}]), 422, "impossible")
    assert house.store.last(night) == 13
    both = [{"at": number, "drop": True} for number in (8, 12, 13)]
    assert correct(house, night, both).status_code == 201


@pytest.mark.parametrize("edit", [
    {"at": 1, "drop": True}, {"at": 1, "replace": [BO]}, {"at": 12, "drop": True}, {"at": 13, "drop": True},
    {"at": 14, "drop": True}, {"at": 14, "insert": [BO]}, {"at": 12, "insert": [BO]},
])  # fmt: skip
def test_not_corrected(house, night, edit):
    send(house, night, cast(11))
    post(house, f"games/{night}/undo", {"command": "u", "seen": 12})
    post(house, f"games/{night}/notes", {"command": "n", "about": 3, "says": "hm"})
    refused(correct(house, night, [edit]), 422, "impossible")
    refused(correct(house, night, [{"at": 8, "drop": True}, {"at": 8, "replace": [BO]}]), 422, "impossible")
    refused(correct(house, night, []), 400, "bad-request")
    refused(correct(house, night, [{"at": 99, "drop": True}]), 404, "no-such-moment")
    assert house.store.last(night) == 14
    # A note stays where it is, and what was undone is not repeated.
    assert correct(house, night, [{"at": 8, "drop": True}]).json()["last"] == 18


def test_as_a_command(house, night):
    edits = [{"at": 8, "insert": [BO]}]
    head = house.store.recorder.digest(night, 11).hex()
    post(house, f"games/{night}/notes", {"command": "n", "about": 3, "says": "hm"})
    refused(correct(house, night, edits, seen=10), 409, "stale")
    refused(correct(house, night, edits, seen=11, head="0" * 64), 409, "other-game")
    first = correct(house, night, edits, seen=11, head=head)
    assert first.status_code == 201
    send(house, night, {"command": "later", "seen": first.json()["last"], "do": "pass-turn"})
    again = correct(house, night, edits, seen=3, head="0" * 64)
    assert (again.status_code, again.json()) == (200, first.json() | {"repeated": True})
    refused(correct(house, night, [{"at": 8, "insert": [BO, BO]}]), 422, "command-reused")


def test_roles(house, night):
    ana, bo, judge = (house.link(role, name, night) for role, name in
                      (("player", "Ana"), ("player", "Bo"), ("judge", "Jo")))  # fmt: skip
    claim = {"type": "designation-claimed", "designation": "day"}
    send(house, night, {"command": "c", "seen": 11, "events": [claim]}, ana)
    # Turn 1 is long over; turn 2 is the one before.
    refused(correct(house, night, [{"at": 4, "insert": [BO]}], ana), 403, "not-yours")
    refused(correct(house, night, [{"at": 12, "drop": True}], bo), 403, "not-yours")
    refused(correct(house, night, [{"at": 11, "insert": [claim | {"by": "Ana"}]}], bo), 403, "not-yours")
    refused(correct(house, night, [{"at": 11, "insert": [{"type": "judge-ruled", "designation": "day"}]}], ana), 403,
            "not-yours")  # fmt: skip
    assert correct(house, night, [{"at": 8, "insert": [BO]}], ana).status_code == 201
    ruling = [{"type": "judge-ruled", "designation": "night"}]
    assert send(house, night, {"command": "r", "seen": 18, "events": ruling}, judge).status_code == 201
    refused(correct(house, night, [{"at": 14, "drop": True}], ana, "b"), 403, "not-yours")
    assert correct(house, night, [{"at": 14, "drop": True}], judge, "b").status_code == 201
    assert lines(house, night)[-1]["type"] == "judge-ruled"


def test_undone(house, night):
    ana, judge = house.link("player", "Ana", night), house.link("judge", "Jo", night)
    send(house, night, cast(11), ana)
    correct(house, night, [{"at": 8, "insert": [BO]}], ana)
    with house.client() as client:
        named = client.get(f"/v1/games/{night}").json()["undoable"]
    assert (named["command"], named["by"]) == ("fix", "Ana")
    assert "puts right" in named["sentence"]
    answer = post(house, f"games/{night}/undo", {"command": "u", "seen": 18}, ana)
    assert answer.status_code == 201, answer.text
    stored = lines(house, night)[18:]
    assert (stored[0]["to"], stored[0]["corrects"], stored[0]["note"]) == (8, True, "undo")
    assert [one["meta"].get("again") for one in stored] == [None, 9, 10, 11, 12]
    assert state(house, night)["designation"] == "night"
    # The undo is skipped: the last command is Ana's cast, whose last copy stands.
    with house.client() as client:
        assert client.get(f"/v1/games/{night}").json()["undoable"]["command"] == "c1"
    refused(post(house, f"games/{night}/undo", {"command": "v", "seen": 23, "undoes": "fix"}, judge), 422, "impossible")
    back = post(house, f"games/{night}/undo", {"command": "x", "seen": 23}, ana).json()["moments"][0]["record"]
    assert (back["to"], back.get("corrects")) == (22, None)
    again = post(house, f"games/{night}/undo", {"command": "u", "seen": 1}, ana)
    assert (again.status_code, again.json()["first"]) == (200, 19)


def test_undone_after_another(house, night):
    """Undoing the first of several corrections removes the spell that it inserted and that later ones copied."""
    assert correct(house, night, [{"at": 11, "insert": [BO]}], command="one").json()["last"] == 13
    assert correct(house, night, [{"at": 10, "drop": True}], command="two").json()["last"] == 16
    assert correct(house, night, [{"at": 9, "insert": [BO]}], command="three").json()["last"] == 20
    assert post(house, f"games/{night}/undo", {"command": "u3", "seen": 20}).json()["last"] == 23
    with house.client(house.owner) as client:
        named = client.get(f"/v1/games/{night}").json()["undoable"]
    assert named["command"] == "one"
    undone = post(house, f"games/{night}/undo", {"command": "u1", "seen": 23, "undoes": "one"})
    assert undone.status_code == 201, undone.text
    assert lines(house, night)[23] == {
        "type": "game-backed-up", "note": "undo", "meta": {"by": "owner"}, "to": 22, "by": "owner",
    }  # fmt: skip
    assert state(house, night)["tallies"]["current"]["spells"]["Bo"] == 0
    refused(post(house, f"games/{night}/undo", {"command": "u2", "seen": 24, "undoes": "one"}), 422, "impossible")


def test_undone_later(house, night):
    judge = house.link("judge", "Jo", night)
    ruffian = ENTERS["permanents"][0] | {"id": "w2"}
    entered = {"type": "permanents-entered", "permanents": [ruffian]}
    correct(house, night, [{"at": 8, "insert": [entered]}], judge)
    send(house, night, cast(16))
    with house.client() as client:
        assert client.get(f"/v1/games/{night}").json()["undoable"]["command"] == "c1"
    undo = {"command": "u", "seen": 17, "undoes": "fix"}
    send(house, night, {"command": "l", "seen": 17, "events": [{"type": "permanents-left", "permanents": ["w2"]}]})
    found = refused(post(house, f"games/{night}/undo", undo | {"seen": 18}, judge), 422, "impossible")
    assert [one["event"] for one in found["impossible"]] == [18]
    post(house, f"games/{night}/undo", {"command": "x", "seen": 18}, judge)
    assert post(house, f"games/{night}/undo", undo | {"seen": 19}, judge).status_code == 201
    assert [one["meta"].get("again") for one in lines(house, night)[20:]] == [9, 10, 11, 17]


def test_own_line(house, night):
    """The audit finds two equal rulings against the rules, also after a spell is inserted between them."""
    ruled = {"type": "judge-ruled", "designation": "day"}
    send(house, night, {"command": "r", "seen": 11, "events": [ruled]})
    send(house, night, {"command": "r2", "seen": 12, "events": [ruled]})

    def found():
        with house.client() as client:
            audit = client.get(f"/v1/games/{night}/audit").json()
        return [one["about"] for one in audit["findings"] if not one.get("undone")]

    assert found() == ["ruling", "ruling"]
    correct(house, night, [{"at": 12, "insert": [BO]}])
    assert found() == ["ruling", "ruling"]


def test_record(house, night):
    send(house, night, cast(11))
    correct(house, night, [{"at": 8, "insert": [BO]}])
    post(house, f"games/{night}/undo", {"command": "u", "seen": house.store.last(night)})
    with house.client(house.owner) as client:
        stored = client.get(f"/v1/games/{night}/record.jsonl").content
        words = client.get(f"/v1/games/{night}/record.dn").content
        moments = client.get(f"/v1/games/{night}/moments").json()["moments"]
    assert Game.load(Held("g.dn", words)).events == Game.load(Held("g.jsonl", stored)).events
    assert [one["sentence"] for one in moments if one["record"].get("corrects")] == [
        "owner puts right what was written after event 8",
    ] * 2  # fmt: skip


def test_many(house, night):
    """A correction that stores over 1000 events gets 413; if it stores over 500, `moments` is null in the answer."""
    house.store.append(night, [{"type": "spell-cast", "player": "Ana"}] * 995)
    found = refused(correct(house, night, [{"at": 8, "insert": [BO, BO]}]), 413, "too-large")
    assert "1000" in found["detail"]
    assert house.store.last(night) == 1006
    answer = correct(house, night, [{"at": 8, "insert": [BO]}])
    assert answer.status_code == 201, answer.text
    assert (answer.json()["first"], answer.json()["moments"]) == (1007, None)
    # All but the last five hundred of these copies are dropped: the answer has the rest, and the back-up.
    last = house.store.last(night)
    fewer = correct(house, night, [{"at": last - 498, "insert": [BO]}], command="fewer").json()
    assert len(fewer["moments"]) == fewer["last"] - fewer["first"] + 1 == 500


def test_first_lines(house, game):
    """The first line can't be edited, but an event can be inserted after it; line 2 can, unless it is `game-joined`."""
    named = {"type": "turn-began", "turn": 1, "active": ["Bo"]}
    assert correct(house, game, [{"at": 2, "replace": [named]}]).status_code == 201
    assert state(house, game)["active"] == ["Bo"]
    entered = ENTERS | {"note": "with the first hand"}
    assert correct(house, game, [{"at": 1, "insert": [entered]}], command="early").status_code == 201
    assert [one["type"] for one in lines(house, game)[-5:]] == [
        "game-backed-up", "permanents-entered", "turn-began", "step-began", "step-began",
    ]  # fmt: skip
    joined = f"{game}-joined"
    house.store.append(joined, [
        {"type": "game-started", "format": 1, "game": joined, "players": ["Ana", "Bo"]},
        {"type": "game-joined", "possible": ["day"]}, named])  # fmt: skip
    refused(correct(house, joined, [{"at": 2, "drop": True}]), 422, "impossible")


def test_what_a_copy_keeps(house, night):
    """A copied event keeps its time, note, author and `meta`; `again` in `meta` is the number of the original."""
    said = {"type": "designation-claimed", "designation": "night", "by": "Ana", "at": "2026-01-02T03:04:05Z",
            "note": "so it was", "meta": {"seat": "3"}}  # fmt: skip
    house.store.append(night, [said])
    before = lines(house, night)[-1]
    assert correct(house, night, [{"at": 8, "insert": [BO]}]).status_code == 201
    assert lines(house, night)[-1] == before | {"meta": {"seat": "3", "again": 12}}


def test_in_flight(house, night):
    """A command that a phone sent before it saw a correction is stale; after it has seen it, the command is stored."""
    ana = house.link("player", "Ana", night)
    assert correct(house, night, [{"at": 8, "insert": [BO]}]).status_code == 201
    late = refused(send(house, night, cast(11), ana), 409, "stale")
    assert (late["last"], late["turn"], [one["event"] for one in late["since"]]) == (16, 3, [*range(12, 17)])
    assert send(house, night, cast(16), ana).status_code == 201


def test_another_mends(house, night):
    """Spectators, and clients without a key, correct nothing; a player can correct recent events, also of others."""
    edits = [{"at": 8, "insert": [BO]}]
    refused(correct(house, night, edits, house.link("spectator", None, night)), 403, "not-yours")
    with house.client() as client:
        body = {"command": "fix", "seen": 11, "edits": edits}
        refused(client.post(f"/v1/games/{night}/corrections", json=body), 401, "no-key")
    send(house, night, cast(11), house.link("player", "Ana", night))
    drop = correct(house, night, [{"at": 12, "drop": True}], house.link("player", "Bo", night))
    assert drop.status_code == 201, drop.text
    assert state(house, night)["tallies"]["current"]["spells"]["Ana"] == 0
