"""Other writing requests: games, undo, disputes, notes and branches."""

import pytest

from daynight.rules.citations import EDITIONS
from tests.web.sending import cast, post, refused, send


def undo(house, game, undoes, key=None, command=None):
    body = {"command": command or f"undo {undoes}", "seen": house.store.last(game), "undoes": undoes}
    return post(house, f"games/{game}/undo", body, key)


# ---------------------------------------------------------------------------------------------------------------- games


def test_a_game_begins_once(house):
    body = {"command": "n1", "game": "a/b", "players": ["Ana", "Bo"]}
    answer = post(house, "games", body)
    assert answer.status_code == 201
    assert (answer.json()["id"], answer.json()["events"], answer.json()["kind"]) == ("a%2Fb", 1, "stored")
    again = post(house, "games", body)
    assert (again.status_code, again.json()) == (200, answer.json() | {"repeated": True})
    refused(post(house, "games", body | {"players": ["Cy"]}), 422, "command-reused")
    refused(post(house, "games", body | {"command": "n2"}), 409, "game-exists")
    with house.client() as client:
        assert client.get("/v1/games/a%2Fb").json()["game"] == "a/b"
    newest = {"command": "n1", "game": "newest", "players": ["Ana", "Bo"], "edition": "latest"}
    assert post(house, "games", newest).json()["edition"] == EDITIONS[-1]


@pytest.mark.wide(but=3)
@pytest.mark.parametrize("more, code", [
    ({"players": []}, "impossible"), ({"players": ["Ana", "Ana"]}, "impossible"),
    ({"players": ["A\u202ena"]}, "unreadable"), ({"teams": [["Ana"]]}, "impossible"),
    ({"edition": "1999-01-01"}, "impossible"), ({"game": ""}, "unreadable"), ({"game": "a\nb"}, "unreadable"),
])  # fmt: skip
def test_what_cannot_begin_stores_nothing(house, more, code):
    answer = post(house, "games", {"command": "n1", "game": "never", "players": ["Ana", "Bo"]} | more)
    assert answer.status_code == 422, answer.text
    assert answer.json()["type"] in (f"urn:daynight:{code}", "urn:daynight:unreadable")
    assert not house.store.last("never")


def test_a_game_may_have_teams_and_an_edition(house):
    body = {"command": "n1", "game": "giants", "players": ["Ana", "Bo"], "teams": [["Ana"], ["Bo"]]}
    answer = post(house, "games", body | {"edition": "2024-06-07"})
    assert (answer.status_code, answer.json()["edition"]) == (201, "2024-06-07")
    with house.client() as client:
        record = client.get("/v1/games/giants/moments").json()["moments"][0]["record"]
    assert len(record["meta"].pop("random")) == 32
    assert (record["teams"], record["meta"]) == ([["Ana"], ["Bo"]], {"by": "owner"})


# ----------------------------------------------------------------------------------------------------------------- undo


def test_undo_backs_up_to_before_the_command(house, game):
    send(house, game, {"command": "c1", "seen": 4, "words": ["Ana casts Opt", "Ana casts Opt"]})
    answer = undo(house, game, "c1")
    assert answer.status_code == 201
    record = answer.json()["moments"][0]["record"]
    assert (record["type"], record["to"], record["by"], record["meta"]) == (
        "game-backed-up", 4, "owner", {"by": "owner"},
    )  # fmt: skip
    again = undo(house, game, "c1")
    assert (again.status_code, again.json()) == (200, answer.json() | {"repeated": True})
    assert house.store.last(game) == 7
    assert house.store.at(game).tallies.current.range("Ana") == (0, 0)


def test_what_cannot_be_taken_back_is_refused(house, game):
    post(house, f"games/{game}/notes", {"command": "note", "about": 3, "says": "hm"})
    send(house, game, cast(4))
    undo(house, game, "c1")
    post(house, "games", {"command": "begin", "game": f"{game}!", "players": ["Ana"]})
    for undoes in ("note", "c1", "undo c1", "nothing"):
        refused(undo(house, game, undoes, command=f"again {undoes}"), 422, "impossible")
    refused(undo(house, f"{game}!", "begin"), 422, "impossible")
    assert house.store.last(game) == 7


def test_a_judge_takes_back_what_is_not_the_last(house, game):
    send(house, game, cast(4, command="a"))
    send(house, game, cast(5, command="b", player="Bo"))
    assert undo(house, game, "a", house.link("judge", "Jo", game)).json()["moments"][0]["record"]["to"] == 4
    refused(undo(house, game, "b", command="later"), 422, "impossible")


def test_a_player_takes_back_the_last_command_if_it_is_their_own(house, game):
    ana, bo = house.link("player", "Ana", game), house.link("player", "Bo", game)
    send(house, game, cast(4, command="a"), ana)
    refused(undo(house, game, "a", bo), 403, "not-yours")
    send(house, game, cast(5, command="b", player="Bo"), bo)
    stale = refused(undo(house, game, "a", ana), 409, "stale")
    assert (stale["last"], [one["event"] for one in stale["since"]]) == (6, [6])
    # A note can't be backed up, and undone commands do not stand.
    post(house, f"games/{game}/notes", {"command": "note", "about": 3, "says": "hm"}, ana)
    record = undo(house, game, "b", bo).json()["moments"][0]["record"]
    assert (record["to"], record["by"], record["meta"]) == (5, "Bo", {"by": "Bo"})
    assert undo(house, game, "a", ana).json()["moments"][0]["record"]["to"] == 4
    refused(undo(house, game, "t1", ana), 403, "not-yours")


def test_a_player_does_not_take_back_what_nobody_signed(house, game):
    house.store.append(game, [{"type": "spell-cast", "player": "Ana"}], command="typed")
    refused(undo(house, game, "typed", house.link("player", "Ana", game)), 403, "not-yours")
    assert undo(house, game, "typed").status_code == 201


def test_what_was_stored_after_an_undo_is_undone_to_there(house, game):
    send(house, game, cast(4, command="a"))
    undo(house, game, "a")
    send(house, game, cast(6, command="b"))
    assert undo(house, game, "b").json()["moments"][0]["record"]["to"] == 6


# ------------------------------------------------------------------------------------------------------ disputes, notes


def test_a_dispute_from_the_call_to_its_end(house, game):
    ana, judge = house.link("player", "Ana", game), house.link("judge", "Jo", game)
    path = f"games/{game}/disputes"
    opened = post(house, path, {"command": "o", "about": 4}, ana)
    assert (opened.status_code, opened.json()["dispute"], opened.json()["status"]) == (201, "d1", "open")
    acts = [
        ("claims", {"designation": "night", "says": "nobody cast"}, ana),
        ("rulings", {"outcome": "fix", "designation": "neither", "carry_out": False}, judge), ("appeals", {}, ana),
        ("rulings", {"outcome": "back-up", "to": 3, "carry_out": True}, judge), ("close", {}, judge),
    ]  # fmt: skip
    stages = []
    for number, (verb, body, key) in enumerate(acts):
        answer = post(house, f"{path}/d1/{verb}", {"command": str(number), **body}, key)
        assert answer.status_code == 201, answer.text
        stages.append((answer.json()["status"], [one["type"] for one in answer.json()["events"]]))
    assert stages == [
        ("open", ["dispute-claimed"]), ("ruled", ["dispute-ruled"]), ("appealed", ["dispute-appealed"]),
        ("ruled", ["dispute-ruled", "game-backed-up"]), ("closed", ["dispute-closed"]),
    ]  # fmt: skip
    found = [event for event in house.store.events(game, 4) if hasattr(event, "by")]
    assert [event.by for event in found] == ["Ana", "Ana", "Jo", "Ana", "Jo", "Jo", "Jo"]
    assert [event.meta["by"] for event in found] == [event.by for event in found]
    assert all(event.at for event in found)
    refused(post(house, f"{path}/d1/claims", {"command": "x", "says": "but"}, ana), 409, "dispute-closed")
    again = post(house, f"{path}/d1/close", {"command": "4"}, judge)
    assert (again.status_code, again.json()["repeated"]) == (200, True)


def test_the_answer_is_what_the_command_prints(house, game):
    answer = post(house, f"games/{game}/disputes", {"command": "o", "about": 4, "dispute": "a/b"}).json()
    assert answer == {
        "version": 1, "game": game, "dispute": "a/b", "status": "open",
        "events": [{"event": 5, "type": "dispute-opened", "consequences": []}], "command": "o", "repeated": False,
    }  # fmt: skip
    assert post(house, f"games/{game}/disputes/a%2Fb/claims", {"command": "c", "says": "so"}).status_code == 201


@pytest.mark.wide(but=6)
@pytest.mark.parametrize("path, body, status, code", [
    ("disputes", {}, 400, "bad-request"), ("disputes", {"about": 5}, 422, "impossible"),
    ("disputes", {"about": "4"}, 422, "unreadable"), ("disputes/d9/claims", {"says": "so"}, 404, "no-such-dispute"),
    ("disputes/%ff/claims", {"says": "so"}, 404, "no-such-dispute"), ("disputes/d1/claims", {}, 422, "impossible"),
    ("disputes/d1/claims", {"says": "so", "dispute": "d2"}, 400, "bad-request"),
    ("disputes/d1/rulings", {"outcome": "leave", "carry_out": True}, 422, "unreadable"),
    ("disputes/d1/rulings", {"outcome": "fix", "to": 3}, 422, "impossible"),
    ("disputes/d1/rulings", {"outcome": "never"}, 422, "unreadable"), ("disputes/d1/appeals", {}, 422, "impossible"),
    ("disputes/d1/close", {}, 422, "impossible"), ("notes", {"about": 3}, 400, "bad-request"),
    ("notes", {"about": 9, "says": "hm"}, 422, "impossible"), ("notes", {"about": 3, "says": ""}, 422, "unreadable"),
    ("notes", {"about": 3, "says": "x" * 2001}, 422, "unreadable"), ("notes", {"says": "hm"}, 400, "bad-request"),
])  # fmt: skip
def test_what_no_act_can_be_is_refused(house, game, path, body, status, code):
    if "d1" in path:
        post(house, f"games/{game}/disputes", {"command": "o", "about": 4})
    last = house.store.last(game)
    found = post(house, f"games/{game}/{path}", {"command": "x", **body})
    assert (found.status_code, found.json()["type"].removeprefix("urn:daynight:")) in (
        {(status, code), (422, "unreadable")} if status == 422 else {(status, code)}
    ), found.text
    assert house.store.last(game) == last


def test_a_note_is_appended(house, game):
    said = {"command": "n", "about": 3, "says": "hm"}
    answer = post(house, f"games/{game}/notes", said, house.link("player", "Ana", game))
    assert answer.status_code == 201
    assert answer.json()["moments"][0]["record"] == {
        "type": "note-added", "meta": {"by": "Ana"}, "by": "Ana", "says": "hm", "about": 3,
    }  # fmt: skip


# -------------------------------------------------------------------------------------------------------------- what-if


def test_a_what_if_is_what_the_command_prints_and_stores_nothing(house, game):
    send(house, game, {"command": "w", "seen": 4, "words": ["Tavern Ruffian enters under Ana as w1"]})
    send(house, game, {"command": "t2", "seen": 5, "do": "pass-turn"})
    with house.client() as client:
        answer = client.post(
            f"/v1/games/{game}/what-if", json={"edits": [{"at": 5, "insert": ["Ana casts Opt"]}, {"at": 6, "insert": [
                {"type": "spell-cast", "player": "Bo"}]}]},
        )  # fmt: skip
    assert answer.status_code == 200, answer.text
    found = answer.json()
    assert (found["parted"], found["put_in"]) == (5, [6, 8])
    members = "version branch game parted events put_in left_out dropped stopped compared differences audits"
    assert [*found] == members.split()
    assert [name for name, _last in house.store.games(f"{game}/")] == []


def test_a_branch_is_kept_by_the_owner_alone(house, game):
    body = {"edits": [{"at": "turn:1/untap", "drop": True}], "keep": "b2"}
    refused(post(house, f"games/{game}/what-if", body, house.link("judge", "Jo", game)), 403, "not-yours")
    with house.client() as client:
        refused(client.post(f"/v1/games/{game}/what-if", json=body), 401, "no-key")
    assert post(house, f"games/{game}/what-if", body).status_code == 200
    assert house.store.last(f"{game}/b2") == 3
    assert post(house, f"games/{game}/what-if", body).status_code == 200
    other = {"edits": [{"at": 4, "drop": True}], "keep": "b2"}
    refused(post(house, f"games/{game}/what-if", other), 409, "game-exists")
    post(house, f"games/{game}/what-if", {"edits": [{"at": 4, "insert": ["Ana casts Opt"]}], "keep": "b3"})
    assert [event.meta for event in house.store.events(f"{game}/b3", 4)] == [{"by": "owner"}]


@pytest.mark.wide(but=5)
@pytest.mark.parametrize("body, status, code", [
    ({"edits": []}, 400, "bad-request"),
    ({}, 400, "bad-request"),
    ({"edits": [{"at": 4}]}, 400, "bad-request"),
    ({"edits": [{"at": 4, "insert": []}]}, 400, "bad-request"),
    ({"edits": [{"at": 4, "insert": ["Ana casts"], "drop": True}]}, 400, "bad-request"),
    ({"edits": [{"at": 4, "drop": True}] * 65}, 413, "too-large"),
    ({"edits": [{"at": 4, "insert": ["Ana casts"] * 65}]}, 413, "too-large"),
    ({"edits": [{"at": "lunch", "drop": True}]}, 400, "bad-parameter"),
    ({"edits": [{"at": "branch:b2/e3", "drop": True}]}, 400, "bad-parameter"),
    ({"edits": [{"at": 9, "drop": True}]}, 404, "no-such-moment"),
    ({"edits": [{"at": 1, "drop": True}]}, 400, "bad-parameter"),
    ({"edits": [{"at": 4, "insert": [{"type": "spell-cast", "player": "Zoe"}]}]}, 422, "impossible"),
    ({"edits": [{"at": 4, "drop": True}], "keep": "e18"}, 400, "bad-parameter"),
    ({"edits": [{"at": 4, "drop": True}], "keep": "a/b"}, 400, "bad-parameter"),
])  # fmt: skip
def test_what_cannot_be_tried_is_refused(house, game, body, status, code):
    refused(post(house, f"games/{game}/what-if", body), status, code)


def test_who_has_left(house, game):
    """`left` names the players who have left, until a back-up to before that; it is missing if nobody has left."""
    place, last = f"/v1/games/{game}", house.store.last(game)
    with house.client() as client:
        assert "left" not in client.get(place).json()
        event = {"type": "player-left", "player": "Bo"}
        send(house, game, {"command": "c1", "expected": last, "events": [event]})
        assert client.get(place).json()["left"] == ["Bo"]
        back = {"type": "game-backed-up", "to": last, "by": "owner"}
        send(house, game, {"command": "c2", "expected": last + 1, "events": [back]})
        assert "left" not in client.get(place).json()
