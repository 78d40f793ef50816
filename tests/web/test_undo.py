"""Undo belongs to the game: a client with permission undoes the last command that is not undone, from any phone.

| promise | test |
| --- | --- |
| the game names the last command that can be undone: its author, and its events | test_named |
| the game skips notes, disputes and undone commands; if no command is left, it names none | test_passed |
| typed or imported events have no command: none is named, and undo gets 422 | test_typed |
| a new phone with the same link may undo it, and a judge; another player may not | test_phones |
| after any new event except notes and disputes, an undo is stale, and so is its late copy | test_late |
| an undo with another game's head stores nothing; a retry of a stored one is answered | test_other |
"""

from tests.web.sending import cast, post, refused, send


def named(house, game):
    """Return the command that the game names for undo; None if there is none."""
    with house.client() as client:
        return client.get(f"/v1/games/{game}").json()["undoable"]


def undo(house, game, command="u", key=None, **more):
    body = {"command": command, "seen": house.store.last(game), **more}
    return post(house, f"games/{game}/undo", body, key)


def test_named(house, game):
    assert named(house, game) == {
        "command": "t1", "by": "owner", "first": 2, "last": 4, "sentence": "turn 1: Ana; untap step; upkeep",
    }  # fmt: skip
    send(house, game, {"command": "c1", "seen": 4, "words": ["Ana casts Opt"] * 4}, house.link("player", "Ana", game))
    found = named(house, game)
    assert (found["command"], found["by"], found["first"], found["last"]) == ("c1", "Ana", 5, 8)
    assert found["sentence"] == "Ana casts Opt; Ana casts Opt; Ana casts Opt; …"


def test_passed(house, game):
    send(house, game, cast(4, command="a"))
    send(house, game, cast(5, command="b", player="Bo"))
    post(house, f"games/{game}/notes", {"command": "n", "about": 3, "says": "hm"})
    post(house, f"games/{game}/disputes", {"command": "d", "about": 3})
    for left in ("b", "a", "t1"):
        assert named(house, game)["command"] == left
        assert undo(house, game, f"undo {left}").status_code == 201
    assert named(house, game) is None
    refused(undo(house, game, "more"), 422, "impossible")
    # An undo can't be undone, and its undone command can't be undone again.
    refused(undo(house, game, "more", undoes="undo a"), 422, "impossible")
    refused(undo(house, game, "more", undoes="a"), 422, "impossible")


def test_typed(house, game):
    send(house, game, cast(4, command="a"))
    house.store.append(game, [{"type": "spell-cast", "player": "Bo"}])
    assert named(house, game) is None
    refused(undo(house, game), 422, "impossible")
    assert undo(house, game, undoes="a").status_code == 201


def test_phones(house, game):
    ana, again = (house.link("player", "Ana", game) for _phone in range(2))
    bo, judge = house.link("player", "Bo", game), house.link("judge", "Jo", game)
    send(house, game, cast(4, command="a"), ana)
    send(house, game, cast(5, command="b"), ana)
    refused(undo(house, game, key=bo), 403, "not-yours")
    refused(undo(house, game, undoes="a", key=again), 409, "stale")
    record = undo(house, game, "u1", again).json()["moments"][0]["record"]
    assert (record["to"], record["by"]) == (5, "Ana")
    record = undo(house, game, "u2", judge).json()["moments"][0]["record"]
    assert (record["to"], record["by"], record["meta"]) == (4, "Jo", {"by": "Jo"})


def test_late(house, game):
    ana, bo = house.link("player", "Ana", game), house.link("player", "Bo", game)
    send(house, game, cast(4, command="a"), ana)
    send(house, game, cast(5, command="b", player="Bo"), bo)
    late = {"command": "u", "seen": 5, "undoes": "a"}
    path = f"games/{game}/undo"
    assert [one["event"] for one in refused(post(house, path, late, ana), 409, "stale")["since"]] == [6]
    undo(house, game, "bo", bo)
    assert named(house, game)["command"] == "a"
    for key in (ana, house.link("judge", "Jo", game)):
        refused(post(house, path, late, key), 409, "stale")
    assert house.store.last(game) == 7
    post(house, f"games/{game}/notes", {"command": "n", "about": 3, "says": "hm"})
    assert post(house, path, late | {"command": "v", "seen": 7}, ana).status_code == 201
    refused(post(house, path, {"command": "w", "seen": 99}, ana), 409, "stale")


def test_other(house, game):
    head = house.store.recorder.digest(game, 4).hex()
    refused(undo(house, game, head="0" * 64), 409, "other-game")
    refused(post(house, f"games/{game}/undo", {"command": "u", "seen": 9, "head": head}), 409, "other-game")
    first = undo(house, game, head=head)
    assert first.status_code == 201
    again = undo(house, game, head="0" * 64)
    assert (again.status_code, again.json()) == (200, first.json() | {"repeated": True})
    refused(undo(house, game, undoes="t1"), 422, "command-reused")
