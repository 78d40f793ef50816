"""Roles: every cell of the table of permissions, and the keys that are needed."""

from itertools import count
from typing import Any

import pytest

from daynight.events.disputes import DisputeOpened, DisputeRuled
from daynight.framework.edits import drop
from daynight.games import Store
from daynight.keeping.next_turn import next_turn
from daynight.store.branches import keep
from daynight.web.limits import Limits
from tests.sampling import case
from tests.web.sending import refused, send
from tests.web.serving import serving

COLUMNS = ("nobody", "spectator", "player", "judge", "owner")
NUMBERS = count(1)

GAME = "/v1/games/friday"
CLAIM = {"type": "designation-claimed", "designation": "night"}
Row = tuple[str, str, dict[str, Any] | None, str]
ROWS = [
    # the route, the body (None: a GET), and a letter for each role that may use it
    ("GET", GAME, None, "nspjo"),
    ("GET", f"{GAME}/state", None, "nspjo"),
    ("GET", f"{GAME}/moments", None, "nspjo"),
    ("GET", f"{GAME}/why", None, "nspjo"),
    ("GET", f"{GAME}/audit", None, "nspjo"),
    ("GET", f"{GAME}/diff?a=3&b=4", None, "nspjo"),
    ("GET", f"{GAME}/bisect", None, "nspjo"),
    ("GET", f"{GAME}/record.jsonl", None, "nspjo"),
    ("GET", f"{GAME}%2Fb1", None, "nspjo"),
    ("GET", f"{GAME}%2Fb1%2Fb2/state", None, "nspjo"),
    ("POST", f"{GAME}/what-if", {"edits": [{"at": 4, "drop": True}]}, "nspjo"),
    *[
        ("POST", f"{GAME}/what-if/{route}", {"edits": [{"at": 4, "drop": True}]}, "nspjo")
        for route in ("moments", "state", "why", "audit", "marks")
    ],
    ("GET", "/v1/games", None, "no"),
    ("POST", f"{GAME}/commands", {"events": [{"type": "spell-cast", "player": "Ana"}]}, "pjo"),
    ("POST", f"{GAME}/commands", {"words": ["Bo casts Opt"]}, "pjo"),
    ("POST", f"{GAME}/commands", {"events": [CLAIM]}, "pjo"),
    ("POST", f"{GAME}/commands", {"events": [{"type": "note-added", "says": "hm", "about": 3}]}, "pjo"),
    ("POST", f"{GAME}/commands", {"events": [{"type": "dispute-claimed", "dispute": "d1", "says": "so"}]}, "pjo"),
    ("POST", f"{GAME}/notes", {"about": 3, "says": "hm"}, "pjo"),
    ("POST", f"{GAME}/disputes", {"about": 3}, "pjo"),
    ("POST", f"{GAME}/disputes/d1/claims", {"says": "so"}, "pjo"),
    ("POST", f"{GAME}/disputes/d2/appeals", {}, "pjo"),
    ("POST", f"{GAME}/commands", {"events": [{"type": "judge-ruled", "designation": "day"}]}, "jo"),
    ("POST", f"{GAME}/commands", {"events": [{"type": "game-backed-up", "to": 3}]}, "jo"),
    ("POST", f"{GAME}/commands", {"words": ["Jo rules night"]}, "jo"),
    ("POST", f"{GAME}/commands", {"words": ["Jo backs up to e3"]}, "jo"),
    ("POST", f"{GAME}/commands",
     {"events": [{"type": "dispute-ruled", "dispute": "d1", "outcome": "leave"}]}, "jo"),
    ("POST", f"{GAME}/commands",
     {"events": [{"type": "dispute-closed", "dispute": "d2", "outcome": "leave"}]}, "jo"),
    ("POST", f"{GAME}/commands", {"events": [
        {"type": "spell-cast", "player": "Ana"}, {"type": "judge-ruled", "designation": "day"}]}, "jo"),
    ("POST", f"{GAME}/disputes/d1/rulings", {"outcome": "leave"}, "jo"),
    ("POST", f"{GAME}/disputes/d2/close", {}, "jo"),
    ("POST", f"{GAME}/undo", {"undoes": "owners"}, "jo"),
    ("POST", f"{GAME}/undo", {}, "jo"),
    ("POST", f"{GAME}/corrections", {"edits": [{"at": 4, "insert": ["Bo casts Opt"]}]}, "pjo"),
    ("POST", f"{GAME}/corrections", {"edits": [{"at": 4, "insert": [CLAIM | {"by": "owner"}]}]}, "o"),
    ("POST", f"{GAME}/corrections",
     {"edits": [{"at": 4, "insert": [{"type": "judge-ruled", "designation": "day"}]}]}, "jo"),
    ("POST", f"{GAME}/what-if", {"edits": [{"at": 4, "drop": True}], "keep": "b9"}, "o"),
    ("POST", f"{GAME}%2Fb1/commands", {"events": [{"type": "spell-cast", "player": "Ana"}]}, "o"),
    ("POST", "/v1/games", {"game": "new", "players": ["Ana"]}, "o"),
    ("POST", "/v1/links", {"game": "friday", "role": "spectator"}, "o"),
    ("GET", "/v1/links", None, "o"),
    ("DELETE", "/v1/links/none", None, "o"),
    ("POST", "/v1/imports", None, "o"),
]  # fmt: skip


@pytest.fixture(scope="module")
def house():
    with Store.open("memory:") as store, serving(store) as served:
        served.house.counted.writes._burst = served.house.counted.requests._burst = 10**6
        store.new("friday/x", ["Ana", "Bo"])
        store.new("monday", ["Ana", "Bo"])
        yield served


def begun(house):
    """Return the name of a new game with disputes d1 (open) and d2 (ruled), branch b1, and b1's branch b2."""
    name, store = f"friday{next(NUMBERS)}", house.store
    store.new(name, ["Ana", "Bo"])
    store.append(name, [*next_turn(store.at(name))])
    for dispute in ("d1", "d2"):
        store.append(name, [DisputeOpened(dispute=dispute, by="Ana", about=3)])
    store.append(name, [DisputeRuled(dispute="d2", by="Jo", outcome="leave")])
    store.append(name, [{"type": "spell-cast", "player": "Ana", "meta": {"by": "owner"}}], command="owners")
    keep(store, store.load(name).branch(drop(4), name="b1"), name)
    keep(store, store.load(f"{name}/b1").branch(drop(3), name="b2"), f"{name}/b1")
    return name


def asked(house, key, row, game):
    method, path, body, _who = row
    path = path.replace("/v1/games/friday", f"/v1/games/{game}")
    sent = None
    if body is not None:
        sent = {**body, **({} if "what-if" in path or path == "/v1/links" else {"command": "c"})}
        if path.endswith(("/commands", "/undo", "/corrections")):
            sent["seen"] = 3 if "b1" in path else 8
        if path == "/v1/links":
            sent["game"] = game
        if path == "/v1/games":
            sent["game"] = f"new {game}"
    with house.client(key) as client:
        if path == "/v1/imports":
            data = b'{"type":"game-started","format":1,"game":"in %b","players":["Ana"]}\n' % game.encode()
            return client.post(path, content=data, headers={"Content-Type": "application/octet-stream"})
        return client.request(method, path, json=sent)


@pytest.fixture(scope="module")
def unchanged(house):
    """A game for all requests that change nothing: those that read, and those that are refused."""
    return begun(house)


@pytest.mark.wide(but=7)
@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row[0]} {row[1]} {row[2] or ''}"[:90])
def test_every_row(house, unchanged, row):
    for column in COLUMNS:
        with case(column):
            check_cell(house, row, column, unchanged if row[0] == "GET" or column[0] not in row[3] else begun(house))


def check_cell(house, row, column, game):
    names = {"spectator": None, "player": "Ana", "judge": "Jo"}
    key = house.owner if column == "owner" else house.link(column, names[column], game) if column in names else None
    answer = asked(house, key, row, game)
    if column[0] in row[3]:
        fine = (404, "no-such-link") if row[1].endswith("/none") else None
        assert answer.status_code < 300 or (answer.status_code, answer.json()["type"].rpartition(":")[2]) == fine, (
            answer.text
        )
    elif column == "nobody" and ((row[0] != "GET" and not row[3].startswith("n")) or row[1] == "/v1/links"):
        refused(answer, 401, "no-key")
    else:
        refused(answer, 403, "not-yours")


@pytest.mark.wide(but=1)
@pytest.mark.parametrize("role, name", [("spectator", None), ("player", "Ana"), ("judge", "Jo")])
def test_a_game_that_the_link_is_not_for_is_not_there(house, role, name):
    """For a link to friday any other game is `no-such-game`, also friday/x, which is no branch in spite of its name."""
    if not house.store.last("friday"):
        house.store.new("friday", ["Ana", "Bo"])
    with house.client(house.link(role, name)) as client:
        missing = refused(client.get("/v1/games/nowhere"), 404, "no-such-game")["detail"]
        for other in ("monday", "friday%2Fx"):
            found = refused(client.get(f"/v1/games/{other}"), 404, "no-such-game")
            assert found["detail"] == missing.replace("'nowhere'", repr(other.replace("%2F", "/")))
            refused(client.get(f"/v1/games/friday/diff?with={other}"), 404, "no-such-game")
            refused(client.get(f"/v1/games/{other}/live"), 404, "no-such-game")
            body = {"command": "c", "seen": 1, "do": "pass-turn"}
            refused(client.post(f"/v1/games/{other}/commands", json=body), 404, "no-such-game")
        refused(client.get("/v1/live"), 403, "not-yours")
        assert client.get("/v1").json()["you"] == {"role": role, "name": name}


def test_a_branch_that_only_says_so_is_no_branch(house):
    """A game whose first line claims a parent, with a wrong digest, is `no-such-game` for a link to that parent."""
    game = begun(house)
    said = {"branch": "b7", "branched_from": {"game": game, "event": 1, "digest": "0" * 64}}
    first = {"type": "game-started", "format": 1, "game": game, "players": ["Cy", "Di"], "meta": said}
    house.store.append(f"{game}/b7", [first])
    with house.client(house.link("player", "Ana", game)) as client:
        refused(client.get(f"/v1/games/{game}%2Fb7"), 404, "no-such-game")


def test_a_wrong_key_is_never_no_key(house):
    begin = {"command": "c", "game": "x", "players": ["Ana"]}
    for given in ("Bearer wrong", "Bearer", "Basic b3duZXI6", "wrong", f"Bearer {house.owner}x"):
        with house.client(None, Authorization=given) as client:
            for path in ("/v1", "/v1/games", "/v1/games/nowhere", "/v1/links", "/v1/live"):
                refused(client.get(path), 401, "key-ended")
            refused(client.post("/v1/games", json=begin), 401, "key-ended")
            assert client.get("/docs").status_code == 200
            assert client.get("/openapi.json").status_code == 200
    with house.client(None, Authorization=f"bearer {house.owner}") as client:
        assert client.get("/v1").json()["you"] == {"role": "owner", "name": None}


def test_where_it_is_private_reading_needs_a_key_too():
    with Store.open("memory:") as store:
        store.new("friday", ["Ana", "Bo"])
        for how in ({"private": True}, {"local": False}):
            with serving(store, **how) as served, served.client() as client:
                for path in ("/v1/games", "/v1/games/friday", "/v1/games/nowhere", "/v1/games/friday/live", "/v1/live"):
                    refused(client.get(path), 401, "no-key")
                refused(client.post("/v1/games/friday/what-if", json={"edits": []}), 401, "no-key")
                assert client.get("/v1").json()["you"] is None
                key = served.link("spectator")
                assert client.get("/v1/games/friday", headers={"Authorization": f"Bearer {key}"}).status_code == 200


def test_the_first_refusal_that_applies(house):
    """Of several refusals, the first one in this order is answered: origin, method, game, role, media type, size."""
    with house.client(house.link("spectator", None, "monday")) as client:
        path = "/v1/games/monday/commands"
        bad = {"content": b"x" * 70_000, "headers": {"Content-Type": "text/plain"}}
        foreign = {"content": b"", "headers": {"Origin": "http://evil.example", "Authorization": "Bearer wrong"}}
        refused(client.post("/v1/nothing", **foreign), 403, "foreign-origin")
        refused(client.put(path, headers={"Authorization": "Bearer wrong"}), 405, "method")
        refused(client.post("/v1/games/nowhere/commands", **bad), 404, "no-such-game")
        refused(client.post(path, **bad), 403, "not-yours")
        refused(client.post(path, **bad | {"headers": {"Authorization": f"Bearer {house.owner}"}}), 415, "media-type")
        json = {"Content-Type": "application/json", "Authorization": f"Bearer {house.owner}"}
        refused(client.post(path, **bad | {"headers": json}), 413, "too-large")
        refused(client.post(f"{path}?x=1", content=b"{", headers=json), 400, "bad-parameter")


# ---------------------------------------------------------------------------------------------------------------- rates


def test_a_key_may_write_so_often_and_then_has_to_wait():
    with Store.open("memory:") as store, serving(store, limits=Limits(writes=0.001, writes_burst=3)) as served:
        store.new("friday", ["Ana", "Bo"])
        body = {"command": "c", "seen": 1, "do": "pass-turn"}
        ana = served.link("player", "Ana")
        assert [send(served, "friday", body, ana).status_code for _time in range(3)] == [201, 200, 200]
        answer = send(served, "friday", body, ana)
        refused(answer, 429, "too-many")
        assert int(answer.headers["retry-after"]) > 0
        # Each key has its own limit, reading is not limited, and forbidden requests do not count.
        assert send(served, "friday", body, served.link("player", "Bo")).status_code == 200
        with served.client(ana) as client:
            assert client.get("/v1/games/friday").status_code == 200
            refused(client.post("/v1/games", json={}), 403, "not-yours")


def test_all_without_a_key_read_so_often_together():
    limits = Limits(requests=0.001, requests_burst=3)
    with Store.open("memory:") as store, serving(store, limits=limits) as served, served.client() as client:
        store.new("friday", ["Ana", "Bo"])
        assert [client.get("/v1/games/friday").status_code for _time in range(3)] == [200] * 3
        with served.client() as another:
            refused(another.get("/v1/games/friday"), 429, "too-many")
        assert client.get("/docs").status_code == 200
        with served.client(served.owner) as owner:
            assert owner.get("/v1/games/friday").status_code == 200


def test_who_tries_keys_has_to_wait_and_others_do_not():
    limits = Limits(requests=0.001, requests_burst=3)
    with Store.open("memory:") as store, serving(store, limits=limits) as served:
        with served.client("wrong") as client:
            for _time in range(2):
                refused(client.get("/v1/games"), 401, "key-ended")
            refused(client.post("/v1/session", json={"key": "wrong"}), 401, "key-ended")
            refused(client.get("/v1/games"), 429, "too-many")
            refused(client.post("/v1/session", json={"key": "wrong"}), 429, "too-many")
        with served.client(served.owner) as client:
            assert client.get("/v1/games").status_code == 200
