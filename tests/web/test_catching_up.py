"""Catching up: turns that nobody recorded are stored as far as they are remembered; the rest stays uncertain.

| promise | test |
| --- | --- |
| each turn between is stored as unwritten, with the known casts and an uncertain number for the rest | test_stored |
| an uncertain designation stays uncertain; the policy is offered, no claim is contradicted | test_doubt |
| exact numbers of casts settle the designation | test_known |
| totals count the whole turn: recorded casts are not doubled, fewer than recorded is refused | test_totals |
| refused, and nothing stored: no later turn, too many turns, unknown players, invalid casts | test_refused |
| refused: no current turn, because the game is new, restarted or over | test_before_and_after |
| it is a command: stored once, only in the turn that the client saw, all or nothing | test_command, test_in_flight |
| players and judges may catch up, under their names; nobody else | test_roles |
| the new current turn may be an extra turn, and skip a step; others follow the players' order | test_turn_named |
| a player who has left gets no turn, and no uncertain casts | test_who_is_left |
"""

import pytest

from tests.web.sending import cast, refused, send

ENTERS = {"type": "permanents-entered", "permanents": [{"id": "w1", "card": "Tavern Ruffian", "controller": "Ana"}]}


def catch_up(house, game, turn, active, command="up", key=None, **more):
    seen = more.pop("seen", house.store.last(game))
    body = {"command": command, "seen": seen, "do": "catch-up", "turn": turn, "active": active, **more}
    return send(house, game, body, key)


def stored(house, game, after):
    return [(one.type, getattr(one, "turn", None) or getattr(one, "player", None) or getattr(one, "step", None))
            for one in house.store.events(game, after)]  # fmt: skip


def asked(house, game, what):
    with house.client() as client:
        return client.get(f"/v1/games/{game}/{what}").json()


@pytest.fixture
def day(house, game):
    """A game in which it is day, in Ana's first turn: events 1 to 5."""
    send(house, game, {"command": "w", "seen": 4, "events": [ENTERS]})
    return game


def test_stored(house, day):
    answer = catch_up(house, day, 4, ["Bo"], casts={"2": {"Bo": 1}, "3": {"Ana": {"at_least": 1}, "Bo": 0}})
    assert answer.status_code == 201, answer.text
    assert stored(house, day, 5) == [
        ("spells-uncertain", "Ana"), ("spells-uncertain", "Bo"),
        ("turn-began", 2), ("spells-uncertain", "Ana"), ("spell-cast", "Bo"),
        ("turn-began", 3), ("spell-cast", "Ana"), ("spells-uncertain", "Ana"),
        ("turn-began", 4), ("step-began", "untap"), ("step-began", "upkeep"),
    ]  # fmt: skip
    turns = [one for one in house.store.events(day, 5) if one.type == "turn-began"]
    assert [(one.active, one.meta.get("unwritten")) for one in turns] == [
        (("Bo",), True), (("Ana",), True), (("Bo",), None),
    ]  # fmt: skip
    assert {one.meta["by"] for one in house.store.events(day, 5)} == {"owner"}


def test_doubt(house, day):
    assert catch_up(house, day, 4, ["Bo"]).status_code == 201
    state = asked(house, day, "state")
    assert (state["designation"], state["possible"], state["turn"]) == (None, ["day", "night"], 4)
    assert state["policy"] == {"rule": "MTR 4.9", "designation": "night"}
    said = [{"type": "designation-claimed", "designation": one} for one in ("day", "night")]
    send(house, day, {"command": "c", "seen": house.store.last(day), "events": said})
    audit = asked(house, day, "audit")
    assert (audit["verdict"], audit["findings"], len(audit["unsettled"])) == ("unverified", [], 2)
    assert "turn 2" in audit["doubts"]["sentence"] or "2" in audit["doubts"]["sentence"]


def test_known(house, day):
    casts = {"1": {"Ana": 1, "Bo": 0}, "2": {"Ana": 0, "Bo": 1}, "3": {"Ana": 0, "Bo": 3}}
    assert catch_up(house, day, 4, ["Bo"], casts=casts).status_code == 201
    assert asked(house, day, "state")["designation"] == "night"
    # A card may have entered unseen, so a different claim is not contradicted.
    send(house, day, {"command": "c", "seen": house.store.last(day), "events": [
        {"type": "designation-claimed", "designation": "day"}]})  # fmt: skip
    assert asked(house, day, "audit")["findings"] == []


def test_totals(house, day):
    for number in range(2):
        send(house, day, cast(5, command=f"a{number}"))
    found = refused(catch_up(house, day, 2, ["Bo"], casts={"1": {"Ana": 1}}), 422, "impossible")
    assert found["path"] == "$.casts"
    assert catch_up(house, day, 2, ["Bo"], casts={"1": {"Ana": 3, "Bo": {"at_least": 0}}}).status_code == 201
    assert stored(house, day, 7)[:3] == [("spell-cast", "Ana"), ("spells-uncertain", "Bo"), ("turn-began", 2)]


@pytest.mark.parametrize("more, status", [
    ({"turn": 1}, 422), ({"turn": 0}, 422), ({"turn": 33}, 422), ({"active": ["Zoe"]}, 422),
    ({"casts": {"2": {"Ana": 1}}}, 422), ({"casts": {"1": {"Zoe": 1}}}, 422), ({"casts": {"x": {"Ana": 1}}}, 400),
    ({"casts": {"1": {"Ana": -1}}}, 400), ({"casts": {"1": {"Ana": {"at_most": 1}}}}, 400), ({"skips": ["lunch"]}, 422),
])  # fmt: skip
def test_refused(house, day, more, status):
    answer = catch_up(house, day, **{"turn": 2, "active": ["Bo"], **more})
    assert answer.status_code == status, answer.text
    assert house.store.last(day) == 5
    assert catch_up(house, day, 32, ["Bo"]).status_code == 201


def test_before_and_after(house, day):
    send(house, day, {"command": "r", "seen": 5, "events": [{"type": "game-restarted"}]})
    refused(catch_up(house, day, 2, ["Bo"]), 422, "impossible")
    house.store.new(f"{day}-", ["Ana", "Bo"])
    refused(catch_up(house, f"{day}-", 2, ["Bo"]), 422, "impossible")
    send(house, f"{day}-", {"command": "e", "seen": 1, "events": [{"type": "game-ended"}]})
    refused(catch_up(house, f"{day}-", 2, ["Bo"]), 422, "impossible")


def test_command(house, day):
    first = catch_up(house, day, 3, ["Ana"], key=house.link("player", "Bo", day))
    again = catch_up(house, day, 3, ["Ana"], seen=1)
    assert (again.status_code, again.json()) == (200, first.json() | {"repeated": True})
    refused(catch_up(house, day, 4, ["Bo"]), 422, "command-reused")
    refused(catch_up(house, day, 4, ["Bo"], command="late", seen=5), 409, "stale")
    for wrong in ({"turn": 2}, {"active": ["Bo"]}, {"casts": {}}):
        body = {"command": "x", "seen": house.store.last(day), "do": "catch-up", **wrong}
        refused(send(house, day, body), 400, "bad-request")
    refused(send(house, day, {"command": "x", "seen": 5, "do": "pass-turn", "turn": 3}), 400, "bad-request")


def test_roles(house, day):
    """A player and a judge can catch up under their names; a spectator, or a client without a key, can't."""
    refused(catch_up(house, day, 2, ["Bo"], key=house.link("spectator", None, day)), 403, "not-yours")
    body = {"command": "up", "seen": 5, "do": "catch-up", "turn": 2, "active": ["Bo"]}
    with house.client() as client:
        refused(client.post(f"/v1/games/{day}/commands", json=body), 401, "no-key")
    for turn, role, name in ((2, "player", "Ana"), (3, "judge", "Jo")):
        before = house.store.last(day)
        answer = catch_up(house, day, turn, [("Ana", "Bo")[turn % 2 - 1]], role, house.link(role, name, day))
        assert answer.status_code == 201, answer.text
        assert {one.meta["by"] for one in house.store.events(day, before)} == {name}


def test_turn_named(house, day):
    """The new current turn may be an extra turn, and may skip a step; the turns between follow the order of players."""
    assert catch_up(house, day, 3, ["Bo"], skips=["untap"], casts={"1": {"Ana": 0, "Bo": 0}}).status_code == 201
    events = [*house.store.events(day, 5)]
    assert [(one.turn, one.active, one.skips) for one in events if one.type == "turn-began"] == [
        (2, ("Bo",), ()), (3, ("Bo",), ("untap",)),
    ]  # fmt: skip
    assert [one.step for one in events if one.type == "step-began"] == ["upkeep"]


def test_who_is_left(house, day):
    """A player who has left the game gets no turn, and no uncertain casts are stored for them."""
    game = f"{day}-three"
    house.store.new(game, ["Ana", "Bo", "Cy"])
    send(house, game, {"command": "t", "seen": 1, "do": "pass-turn"})
    send(house, game, {"command": "l", "seen": 4, "events": [{"type": "player-left", "player": "Bo"}]})
    assert catch_up(house, game, 3, ["Ana"]).status_code == 201
    assert stored(house, game, 5)[:5] == [
        ("spells-uncertain", "Ana"), ("spells-uncertain", "Cy"),
        ("turn-began", 2), ("spells-uncertain", "Ana"), ("spells-uncertain", "Cy"),
    ]  # fmt: skip
    assert [one.active for one in house.store.events(game, 5) if one.type == "turn-began"] == [("Cy",), ("Ana",)]


def test_in_flight(house, day):
    """A cast that was sent before somebody caught up is stale: it does not count for a later turn."""
    assert catch_up(house, day, 3, ["Ana"]).status_code == 201
    late = refused(send(house, day, cast(5)), 409, "stale")
    assert (late["last"], late["turn"]) == (house.store.last(day), 3)
    assert len(late["since"]) == house.store.last(day) - 5
