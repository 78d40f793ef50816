"""Commands: stored once, only if the client has seen the present state, and with the link's author."""

import threading

import pytest

from daynight.games import Store
from tests.web.sending import cast, refused, send
from tests.web.serving import serving


def test_the_answer_has_what_was_stored_and_what_follows(house, game):
    answer = send(house, game, {"command": "c1", "seen": 4, "words": ["Ana casts Opt", "Ana casts Opt"]})
    assert answer.status_code == 201
    found = answer.json()
    assert (found["command"], found["first"], found["last"], found["repeated"]) == ("c1", 5, 6, False)
    with house.client() as client:
        assert found["moments"] == client.get(f"/v1/games/{game}/moments", params={"from": "5"}).json()["moments"]
    assert found["forecast"]["event"] == 6
    assert found["code"] == house.store.code(game)


@pytest.mark.wide(but=2)
@pytest.mark.parametrize("asked", [
    {"words": ["Ana casts Opt"]}, {"do": "pass-turn"}, {"do": "pass-turn", "skips": ["untap"], "active": ["Ana"]},
    {"events": [{"type": "spell-cast", "player": "Bo", "card": "Opt", "note": "countered"}]},
])  # fmt: skip
def test_the_same_command_again_is_stored_once_and_answered_with_the_same_numbers(house, game, asked):
    first = send(house, game, {"command": "c1", "seen": 4, **asked})
    again = send(house, game, {"command": "c1", "expected": 2, **asked})
    assert (first.status_code, again.status_code) == (201, 200)
    assert again.json() == first.json() | {"repeated": True}
    assert house.store.last(game) == first.json()["last"]


@pytest.mark.wide(but=2)
@pytest.mark.parametrize("other", [
    {"words": ["Bo casts Opt"]}, {"words": ["Ana casts Opt", "Ana casts Opt"]}, {"do": "pass-turn"},
    {"events": [{"type": "spell-cast", "player": "Ana", "card": "Opt"}]},
])  # fmt: skip
def test_the_id_of_a_command_stands_for_one_command(house, game, other):
    send(house, game, {"command": "c1", "seen": 4, "words": ["Ana casts Opt"]})
    # Also if the sender had not seen anything or named nobody: the id is looked up first.
    refused(send(house, game, {"command": "c1", "seen": 1, **other}), 422, "command-reused")
    assert house.store.last(game) == 5


def test_what_was_refused_stored_nothing_and_its_id_is_free(house, game):
    found = refused(send(house, game, cast(4, player="Zoe")), 422, "impossible")
    assert (found["path"], found["line"], found["exit"]) == ("$.player", 5, 3)
    found = refused(send(house, game, {"command": "c1", "seen": 4, "words": ["Ana castes"]}), 422, "unreadable")
    assert found["line"] == 5
    refused(send(house, game, {"command": "c1", "seen": 4, "events": [{"type": "spell"}]}), 422, "unreadable")
    assert house.store.last(game) == 4
    assert send(house, game, cast(4)).status_code == 201


def test_all_of_a_command_is_stored_or_nothing(house, game):
    events = [{"type": "spell-cast", "player": "Ana"}, {"type": "permanents-left", "permanents": ["w1"]}]
    refused(send(house, game, {"command": "c1", "seen": 4, "events": events}), 422, "impossible")
    refused(send(house, game, {"command": "c1", "seen": 4, "words": ["Ana casts", "leaves w1"]}), 422, "unreadable")
    assert house.store.last(game) == 4


def test_the_same_id_in_another_game_is_another_command(house, game):
    house.store.new(f"{game}+", ["Ana", "Bo"])
    assert send(house, game, cast(4)).status_code == 201
    assert send(house, f"{game}%2B", {"command": "c1", "seen": 1, "do": "pass-turn"}).status_code == 201


# --------------------------------------------------------------------------------------------- what its sender has seen


def test_with_expected_nothing_may_have_come_since(house, game):
    body = cast(4)
    body["expected"] = body.pop("seen")
    send(house, game, cast(4, command="other", player="Bo"))
    found = refused(send(house, game, body), 409, "stale")
    assert (found["last"], found["turn"], [one["event"] for one in found["since"]]) == (5, 1, [5])
    assert send(house, game, body | {"expected": 5}).status_code == 201


def test_with_seen_others_may_have_acted_in_the_same_turn(house, game):
    send(house, game, cast(4, command="other", player="Bo"))
    assert send(house, game, cast(4)).status_code == 201
    assert house.store.last(game) == 6


@pytest.mark.wide(but=2)
@pytest.mark.parametrize("since", [
    {"type": "turn-began", "turn": 2, "active": ["Bo"]}, {"type": "game-restarted"}, {"type": "game-ended"},
    {"type": "game-backed-up", "to": 3, "by": "Jo"},
])  # fmt: skip
def test_with_seen_nothing_counts_in_another_turn(house, game, since):
    send(house, game, {"command": "other", "seen": 4, "events": [since]})
    found = refused(send(house, game, cast(4)), 409, "stale")
    assert (found["last"], [one["event"] for one in found["since"]]) == (5, [5])
    with house.client() as client:
        assert found["since"] == client.get(f"/v1/games/{game}/moments?from=5").json()["moments"]
    assert house.store.last(game) == 5


def test_a_turn_played_again_after_a_back_up_is_another_turn(house, game):
    send(house, game, {"command": "t2", "seen": 4, "do": "pass-turn"})
    back = {"type": "game-backed-up", "to": 4, "by": "Jo"}
    again = {"type": "turn-began", "turn": 2, "active": ["Bo"]}
    send(house, game, {"command": "b", "seen": 7, "events": [back, again]})
    assert refused(send(house, game, cast(7)), 409, "stale")["turn"] == 2


@pytest.mark.parametrize("name", ["seen", "expected"])
def test_what_nobody_can_have_seen_is_stale(house, game, name):
    body = cast(0)
    del body["seen"]
    found = refused(send(house, game, body | {name: 5}), 409, "stale")
    assert (found["last"], found["since"]) == (4, None)


def test_who_is_too_far_behind_reads_the_log(house, game):
    house.store.append(game, [{"type": "spell-cast", "player": "Ana"}] * 500)
    body = cast(0)
    del body["seen"]
    assert len(refused(send(house, game, body | {"expected": 4}), 409, "stale")["since"]) == 500
    assert refused(send(house, game, body | {"expected": 3}), 409, "stale")["since"] is None


def test_two_who_pass_the_turn_pass_it_once_and_two_casts_are_two(house, game):
    passing = [{"command": f"pass-{name}", "seen": 4, "do": "pass-turn"} for name in "abcdef"]
    statuses = []

    def passes(one):
        statuses.append(send(house, game, one).status_code)

    threads = [threading.Thread(target=passes, args=[one]) for one in passing]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(statuses) == [201] + [409] * 5
    assert house.store.at(game).turn == 2
    for name in "ab":
        assert send(house, game, cast(7, command=name, player="Bo")).status_code == 201
    assert house.store.at(game).tallies.current.range("Bo") == (2, 2)


def test_a_queue_goes_on_from_what_was_acknowledged(house, game):
    seen = 4
    for number in range(3):
        answer = send(house, game, {"command": f"q{number}", "seen": seen, "do": "pass-turn"})
        assert answer.status_code == 201
        seen = answer.json()["last"]
    assert house.store.at(game).turn == 4


# ------------------------------------------------------------------------------------------------------- passing a turn


def test_passing_begins_the_turn_of_who_is_next_with_untap_step_and_upkeep(house, game):
    found = send(house, game, {"command": "t2", "seen": 4, "do": "pass-turn"}).json()
    assert [one["record"]["type"] for one in found["moments"]] == ["turn-began", "step-began", "step-began"]
    assert [one["record"].get("step") for one in found["moments"]] == [None, "untap", "upkeep"]
    assert found["moments"][0]["record"]["active"] == ["Bo"]


def test_a_skipped_untap_step_is_not_there_and_an_extra_turn_is_whose_it_is(house, game):
    body = {"command": "t2", "seen": 4, "do": "pass-turn", "skips": ["untap"], "active": ["Ana"]}
    records = [one["record"] for one in send(house, game, body).json()["moments"]]
    assert (records[0]["skips"], records[0]["active"]) == (["untap"], ["Ana"])
    assert [one.get("step") for one in records] == [None, "upkeep"]
    answer = send(house, game, {"command": "t3", "seen": 6, "do": "pass-turn"})
    assert answer.json()["moments"][0]["record"]["active"] == ["Bo"]
    refused(send(house, game, {"command": "t4", "seen": 9, "do": "pass-turn", "skips": ["lunch"]}), 422, "unreadable")
    refused(send(house, game, {"command": "t4", "seen": 9, "do": "pass-turn", "active": ["Zoe"]}), 422, "impossible")


def test_who_left_is_passed_over_and_teams_take_turns_together(house):
    house.store.new("three", ["Ana", "Bo", "Cy"])
    send(house, "three", {"command": "1", "seen": 1, "do": "pass-turn"})
    send(house, "three", {"command": "2", "seen": 4, "words": ["Bo leaves the game"]})
    found = send(house, "three", {"command": "3", "seen": 5, "do": "pass-turn"}).json()
    assert found["moments"][0]["record"]["active"] == ["Cy"]
    house.store.new("four", ["Ana", "Bo", "Cy", "Di"], teams=[["Ana", "Bo"], ["Cy", "Di"]])
    found = send(house, "four", {"command": "1", "seen": 1, "do": "pass-turn"}).json()
    assert found["moments"][0]["record"]["active"] == ["Ana", "Bo"]


# --------------------------------------------------------------------------------------------------- what is no command


@pytest.mark.wide(but=7)
@pytest.mark.parametrize("body", [
    {}, {"command": "c1", "seen": 4}, {"command": "c1", "words": ["Ana casts Opt"]},
    {"command": "c1", "seen": 4, "expected": 4, "words": ["Ana casts Opt"]},
    {"command": "c1", "seen": 4, "words": ["Ana casts Opt"], "do": "pass-turn"},
    {"command": "c1", "seen": 4, "words": []}, {"command": "c1", "seen": 4, "events": []},
    {"command": "c1", "seen": 4, "do": "pass"},
    {"command": "c1", "seen": 4, "words": ["Ana casts Opt"], "skips": ["untap"]},
    {"command": "c1", "seen": "4", "words": ["Ana casts Opt"]},
    {"command": "c1", "seen": 4.0, "words": ["Ana casts Opt"]},
    {"command": "c1", "seen": True, "words": ["Ana casts Opt"]},
    {"command": "c1", "seen": -1, "words": ["Ana casts Opt"]}, {"command": "", "seen": 4, "words": ["Ana casts Opt"]},
    {"command": "c" * 201, "seen": 4, "words": ["Ana casts Opt"]},
    {"command": "c1", "seen": 4, "words": "Ana casts Opt"}, {"command": "c1", "seen": 4, "events": ["Ana casts Opt"]},
    {"command": "c1", "seen": 4, "words": ["Ana casts Opt"], "by": "Ana"}, [], "pass-turn",
])  # fmt: skip
def test_another_shape_is_a_bad_request(house, game, body):
    refused(send(house, game, body), 400, "bad-request")
    assert house.store.last(game) == 4


@pytest.mark.wide(but=2)
@pytest.mark.parametrize("data", [
    b"", b"{", b'{"command":"c1","command":"c2","seen":4,"do":"pass-turn"}', b'{"seen":NaN}', b"\xff",
    b"\xef\xbb\xbf{}",
])  # fmt: skip
def test_what_is_no_json_is_bad_json(house, game, data):
    with house.client(house.owner, **{"Content-Type": "application/json"}) as client:
        refused(client.post(f"/v1/games/{game}/commands", content=data), 400, "bad-json")


def test_a_longest_id_and_as_many_events_as_there_may_be(house, game):
    events = [{"type": "spell-cast", "player": "Ana"}]
    assert send(house, game, {"command": "c" * 200, "seen": 4, "events": events * 64}).status_code == 201
    refused(send(house, game, {"command": "c", "seen": 68, "events": events * 65}), 413, "too-large")
    refused(send(house, game, {"command": "c", "seen": 68, "words": ["Ana casts"] * 65}), 413, "too-large")
    refused(send(house, game, {"command": "a\nb", "seen": 68, "events": events}), 422, "unreadable")


def test_a_body_may_have_so_many_bytes_and_is_json(house, game):
    def padded(size):
        body = b'{"command":"c1","seen":4,"words":["Ana casts Opt"]}'
        return body + b" " * (size - len(body))

    with house.client(house.owner) as client:
        path, json = f"/v1/games/{game}/commands", {"Content-Type": "application/json"}
        refused(client.post(path, content=padded(65537), headers=json), 413, "too-large")
        refused(client.post(path, content=iter([padded(65537)]), headers=json), 413, "too-large")
        refused(client.post(path, content=padded(100)), 415, "media-type")
        refused(client.post(path, content=padded(100), headers={"Content-Type": "text/plain"}), 415, "media-type")
        assert client.post(path, content=padded(65536), headers=json).status_code == 201


def test_a_file_can_only_be_read(house, tmp_path):
    from daynight.records import Record

    file = tmp_path / "kept.jsonl"
    file.write_text('{"type":"game-started","format":1,"game":"kept","players":["Ana","Bo"]}\n')
    with Store.open("memory:") as store, serving(store, [Record(file)]) as served:
        refused(send(served, "kept", {"command": "c1", "seen": 1, "do": "pass-turn"}), 403, "read-only")
    with serving(None, [Record(file)]) as served:
        refused(send(served, "kept", {"command": "c1", "seen": 1, "do": "pass-turn"}), 403, "read-only")
    refused(send(house, "nobody", {"command": "c1", "seen": 1, "do": "pass-turn"}), 404, "no-such-game")


# -------------------------------------------------------------------------------------------------------------- by whom


def test_who_says_it_is_set_by_the_link(house, game):
    key = house.link("player", "Ana", game)
    claim = {"type": "designation-claimed", "designation": "night"}
    records = [
        send(house, game, {"command": "1", "seen": 4, "events": [claim]}, key).json()["moments"][0]["record"],
        send(house, game, {"command": "2", "seen": 4, "events": [claim | {"by": "Ana"}]}, key).json()["moments"][0][
            "record"
        ],
        send(house, game, {"command": "3", "seen": 4, "words": ["Ana says night"]}, key).json()["moments"][0]["record"],
    ]
    assert [one["by"] for one in records] == ["Ana"] * 3
    assert [one["meta"]["by"] for one in records] == ["Ana"] * 3
    for number, asked in enumerate([{"events": [claim | {"by": "Bo"}]}, {"words": ["Bo says night"]}]):
        refused(send(house, game, {"command": f"x{number}", "seen": 4, **asked}, key), 403, "not-yours")
    assert house.store.last(game) == 7


def test_whom_it_is_about_is_never_touched(house, game):
    key = house.link("player", "Ana", game)
    found = send(house, game, cast(4, player="Bo"), key).json()["moments"][0]["record"]
    assert (found["player"], found["meta"]) == ("Bo", {"by": "Ana"})
    tally = {"type": "tally-claimed", "player": "Bo", "spells": 1}
    found = send(house, game, {"command": "2", "seen": 4, "events": [tally]}, key).json()["moments"][0]["record"]
    assert (found["player"], found["by"]) == ("Bo", "Ana")


def test_of_the_owner_it_is_taken_as_given(house, game):
    claim = {"type": "designation-claimed", "designation": "night"}
    body = {"command": "1", "seen": 4, "events": [claim, claim | {"by": "Bo", "meta": {"by": "Zoe", "seat": 2}}]}
    records = [one["record"] for one in send(house, game, body).json()["moments"]]
    assert [one["by"] for one in records] == ["owner", "Bo"]
    assert [one["meta"] for one in records] == [{"by": "owner"}, {"by": "owner", "seat": 2}]
