"""A table of friends without a judge: players can rule whether it is day or night.

| promise | for it | against it |
| --- | --- | --- |
| a player whose link allows it may rule the designation, under their own name | test_rules | test_others |
| such a player can't rule in a dispute, back up, or rule under another's name | test_nothing_else | test_rules |
| every player of such a table can undo a player's ruling while it is the last command | test_taken_back | test_late |
| players can't undo the ruling of a judge, or a cast of another player | test_of_others | test_taken_back |
| only a player's link can have this right; the list of links and `you` show it | test_links | test_no_player |
| `table --friends` gives the players' links this right; without it they have none | test_table | test_table |
| a file of links without this right has the old format | test_file | test_file |
"""

import httpx
import pytest

from daynight.web.door.grants import Keys
from tests.web.running import serving
from tests.web.sending import cast, post, refused, send

RULING = {"type": "judge-ruled", "designation": "night"}


def ruled(seen, command="r1", **more):
    return {"command": command, "seen": seen, "events": [RULING], **more}


def friend(house, game, name="Ana"):
    return post(house, "links", {"game": game, "role": "player", "name": name, "rules": True}).json()["key"]


def undo(house, game, key, seen, **more):
    return post(house, f"games/{game}/undo", {"command": "u1", "seen": seen, **more}, key)


def test_rules(house, game):
    ana = friend(house, game)
    record = send(house, game, ruled(4), ana).json()["moments"][0]["record"]
    assert ("night", "Ana", {"by": "Ana"}) == (record["designation"], record["by"], record["meta"])
    record = send(house, game, {"command": "r2", "seen": 5, "words": ["Ana rules day"]}, ana).json()["moments"][0]
    assert "day" == record["record"]["designation"]


def test_others(house, game):
    for key in (house.link("player", "Ana", game), house.link("spectator", None, game)):
        refused(send(house, game, ruled(4), key), 403, "not-yours")


@pytest.mark.parametrize("event", [
    RULING | {"by": "Bo"},
    {"type": "game-backed-up", "to": 2},
    {"type": "dispute-ruled", "dispute": "d1", "outcome": "leave"},
    {"type": "dispute-closed", "dispute": "d1", "outcome": "leave"},
], ids=lambda event: event["type"])  # fmt: skip
def test_nothing_else(house, game, event):
    post(house, f"games/{game}/disputes", {"command": "d", "about": 3})
    refused(send(house, game, {"command": "x", "seen": 5, "events": [event]}, friend(house, game)), 403, "not-yours")


def test_taken_back(house, game):
    ana, bo = friend(house, game), friend(house, game, "Bo")
    send(house, game, ruled(4), ana)
    record = undo(house, game, bo, 5).json()["moments"][0]["record"]
    assert ("game-backed-up", 4, "Bo") == (record["type"], record["to"], record["by"])
    send(house, game, ruled(6, "r2"), ana)
    assert undo(house, game, ana, 7, command="u2").status_code == 201


def test_late(house, game):
    ana, bo = friend(house, game), friend(house, game, "Bo")
    send(house, game, ruled(4), ana)
    send(house, game, cast(5, "c1"), ana)
    refused(undo(house, game, bo, 6, undoes="r1"), 409, "stale")
    refused(undo(house, game, ana, 6, undoes="r1"), 409, "stale")


def test_of_others(house, game):
    ana, judge = friend(house, game), house.link("judge", "Jo", game)
    send(house, game, ruled(4), judge)
    refused(undo(house, game, ana, 5), 403, "not-yours")
    send(house, game, cast(5, "c1", "Bo"), friend(house, game, "Bo"))
    refused(undo(house, game, ana, 6), 403, "not-yours")
    plain = house.link("player", "Bo", game)
    send(house, game, ruled(6, "r2"), ana)
    refused(undo(house, game, plain, 7), 403, "not-yours")


def test_links(house, game):
    ana = friend(house, game)
    with house.client(ana) as client:
        assert {"role": "player", "name": "Ana", "rules": True} == client.get("/v1").json()["you"]
    with house.client(house.link("player", "Bo", game)) as client:
        assert {"role": "player", "name": "Bo"} == client.get("/v1").json()["you"]
    with house.client(house.owner) as client:
        links = [link for link in client.get("/v1/links").json()["links"] if link["game"] == game]
    assert {"Ana": True, "Bo": None} == {link["name"]: link.get("rules") for link in links}


@pytest.mark.parametrize("role", ["judge", "spectator"])
def test_no_player(house, game, role):
    answer = post(house, "links", {"game": game, "role": role, "name": "Jo", "rules": True})
    assert "$.rules" == refused(answer, 422, "impossible")["path"]


@pytest.mark.parametrize("options, allowed", [(["--friends"], True), ([], False)])
def test_table(tmp_path, options, allowed):
    with serving(tmp_path, "friday", "Ana", "Bo", *options, verb="table") as server:
        links = {link["name"]: link["url"] for link in server.printed["links"]}
        key = links["Bo"].partition("#k=")[2]
        headers = {"Authorization": f"Bearer {key}"}
        address = f"{server.printed['address']}/v1/games/friday/commands"
        answer = httpx.post(address, json=ruled(1), headers=headers)
        assert (201 if allowed else 403) == answer.status_code, answer.text


def test_file(tmp_path):
    """The file of links has `rules` only for links with this right, and is read back with and without it."""
    keys = Keys(tmp_path / "links")
    keys.add("friday", "player", "Ana")
    assert b"rules" not in (tmp_path / "links").read_bytes()
    keys.add("friday", "player", "Bo", rules=True)
    assert [False, True] == sorted(link.rules for link in Keys(tmp_path / "links").links())
