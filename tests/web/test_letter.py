"""The letter of the API contract: unusual spellings and requests have exactly the effect that the contract says."""

import json
from pathlib import Path

import pytest

from daynight.games import Store
from daynight.records import Held, Record
from daynight.web.limits import Limits
from daynight.web.shelf import Shelf
from examples.monarch import MECHANIC
from tests.web.asking import HOST, Asking, asking
from tests.web.conftest import ROOT

HIGH = Limits(requests=1e6, requests_burst=10**6, writes=1e6, writes_burst=10**6)


class Owner:
    """A client with the owner's key, of a shelf with the stored games `friday` and `b1`, and a file."""

    def __init__(self, store):
        from daynight.web.asgi import application
        from daynight.web.visit import House

        self.house = House(shelf=Shelf(store, [Record("demo")]), limits=HIGH)
        self.ask = Asking(application(self.house))

    def post(self, path, body, media="application/json"):
        """Return the answer to a POST of the owner; `body` is a text, or a value to send as JSON."""
        headers = [("host", HOST), ("authorization", f"Bearer {self.house.keys.owner}"), ("content-type", media)]
        return self.ask(path, "POST", headers, (body if isinstance(body, str) else json.dumps(body)).encode())


@pytest.fixture
def owner():
    """A client with the owner's key."""
    with Store.open("memory:") as store:
        store.new("friday", ["Ana", "Bo"])
        store.new("b1", ["Ana", "Bo"])
        yield Owner(store)


@pytest.fixture(scope="module")
def monarchs():
    """A client for records of another mechanic."""
    lines = (ROOT / "examples/monarch.jsonl").read_bytes()
    return asking(Shelf(None, [Held("sunday.jsonl", lines)], mechanic=MECHANIC))


def test_verdicts_of_another_mechanic(tmp_path: Path) -> None:
    """The list by verdict has the games whose audit gives it, stored or in files, also as they grow.

    The whole list has the verdicts of files alone: to audit every stored record would take long.
    """
    lines = (ROOT / "examples/monarch.jsonl").read_bytes()
    wrong = {"type": "monarch-claimed", "monarch": "Bo", "by": "Ana"}
    with Store.open(tmp_path / "kept.db", mechanic=MECHANIC) as store:
        store.append("quiet", [{"type": "game-started", "game": "quiet", "players": ["Ana", "Bo"]}])
        store.import_record(Held("sunday.jsonl", lines), "monday")
        ask = asking(Shelf(store, [Held("sunday.jsonl", lines)], mechanic=MECHANIC))

        def listed(verdict: str) -> set[str]:
            rows = ask.document(f"/v1/games?verdict={verdict}")["games"]
            assert {verdict} >= {row["verdict"] for row in rows}
            return {row["id"] for row in rows}

        for _grown in range(2):
            rows = ask.document("/v1/games")["games"]
            assert {"sunday": "disputed"} == {row["id"]: row["verdict"] for row in rows if "verdict" in row}
            every = {row["id"] for row in rows}
            audited = {id: ask.document(f"/v1/games/{id}/audit")["verdict"] for id in every}
            for verdict in ("disputed", "exact", "unverified"):
                assert {id for id in every if audited[id] == verdict} == listed(verdict)
            assert 3 == len(every)
            assert audited["monday"] == "disputed"
            store.append("quiet", [wrong])
        assert "disputed" == audited["quiet"]


# --------------------------------------------------------------------------------------------------------- the address


@pytest.mark.parametrize("target", ["http://127.0.0.1:8000/v1", "HTTP://localhost:8000/v1?lang=fr"])
def test_a_whole_address_is_as_good_as_its_path(ask, target):
    assert ask(target).document["daynight"]


def test_a_whole_address_without_a_path_is_the_page(ask):
    assert ask("http://127.0.0.1:8000").body == ask("/").body
    assert ask("http://127.0.0.1:8000/v1/games/wagic-G1").document["game"] == "wagic-G1"


@pytest.mark.parametrize("origin", ["http://evil.example", "http://127.0.0.1:8001", "https://127.0.0.1:8000", "x://"])
def test_a_whole_address_has_to_be_ours(ask, origin):
    """If the address is absolute, it and the Host header must both name this server, otherwise `foreign-host`."""
    assert ask(f"{origin}/v1").code == "foreign-host"
    assert ask("http://127.0.0.1:8000/v1", "GET", [("host", "evil.example")]).code == "foreign-host"
    assert ask("*", "OPTIONS").code == "no-such-route"


def test_a_problem_in_the_language_of_its_reader_says_that_it_is(ask):
    """A problem translated by `Accept-Language` has the header `Vary`; with `lang`, and for the page, there is none."""
    answer = ask("/nothing", accept_language="fr")
    assert answer.headers["vary"] == "Accept-Language"
    assert answer.document["detail"] != ask("/nothing").document["detail"]
    assert "vary" not in ask("/nothing?lang=fr").headers
    assert "vary" not in ask("/").headers


# ---------------------------------------------------------------------------------------------------- another mechanic


def test_what_only_day_and_night_can_answer_is_no_route_of_another_mechanic(monarchs):
    """Routes that only day and night can answer do not exist for another mechanic, with any method."""
    for target, method in (
        ("/v1/games", "POST"),
        ("/v1/games/sunday/undo", "POST"),
        ("/v1/games/sunday/unknowns", "GET"),
    ):
        assert monarchs(target, method).code == "no-such-route"
    refused = monarchs("/v1/games/sunday/state?edition=latest")
    assert (refused.status, refused.code) == (400, "bad-parameter")
    answer = monarchs("/v1/games", "PUT")
    assert (answer.code, answer.headers["allow"]) == ("method", "GET, HEAD")


# ------------------------------------------------------------------------------------------------------------ branches


def test_a_branch_by_its_own_name(owner):
    """`diff?with=b2` finds the branch friday/b2 of friday, but a stored game b2 has priority; friday/c is no branch."""
    owner.house.shelf.store.new("friday/c", ["Ana", "Bo"])  # type: ignore[union-attr]
    for name in ("b1", "b2"):
        body = {"edits": [{"at": 1, "insert": ["turn 1 Ana"]}], "keep": name}
        assert owner.post("/v1/games/friday/what-if", body).status == 200

    def right(asked):
        answer = owner.ask(f"/v1/games/friday/diff?with={asked}&b=1")
        return answer.document["right"] if answer.status == 200 else answer.code

    assert right("b2") == "db:friday/b2 e1"
    assert right("friday%252Fb1") == "db:friday/b1 e1"
    assert right("b1") == "db:b1 e1"
    assert right("c") == "no-such-game"
    assert owner.ask("/v1/games/b1/diff?with=b2").code == "no-such-game"


def test_words_of_a_what_if_that_nobody_understands(owner):
    answer = owner.post("/v1/games/friday/what-if", '{"edits":[{"at":1,"insert":["blah blah"]}]}')
    assert (answer.status, answer.code, answer.document["exit"]) == (422, "unreadable", 3)
    answer = owner.post("/v1/games/friday/what-if", '{"edits":[{"at":"x","insert":["turn 1 Ana"]}]}')
    assert (answer.status, answer.code) == (400, "bad-parameter")


# -------------------------------------------------------------------------------------------------------------- bodies


@pytest.mark.wide(but=3)
@pytest.mark.parametrize("member", ["seen", "expected", "words", "events", "do", "skips", "active", "turn", "casts"])
def test_null_is_none_of_the_values_of_a_command(owner, member):
    fields = {"command": '"c"', "seen": "1", "do": '"pass-turn"'} | {member: "null"}
    body = "{" + ",".join(f'"{name}":{value}' for name, value in fields.items()) + "}"
    answer = owner.post("/v1/games/friday/commands", body)
    assert (answer.status, answer.code, answer.document["path"]) == (400, "bad-request", f"$.{member}")


@pytest.mark.parametrize("path, body, said", [
    ("/v1/links", '{"game":"friday","role":"spectator","hours":0}', "expected more than 0"),
    ("/v1/links", '{"game":"friday","role":"spectator","hours":8785}', "expected at most 8784"),
    ("/v1/games/friday/what-if", '{"edits":[{"at":0,"drop":true}]}', "expected at least 1"),
])  # fmt: skip
def test_a_bound_is_told_in_a_sentence(owner, path, body, said):
    answer = owner.post(path, body)
    assert (answer.status, answer.code) == (400, "bad-request")
    assert answer.document["detail"] == f"a number out of range; {said}"


def test_a_few_words_may_stand_for_too_many_events(owner):
    """The limit of 64 counts the events that the words stand for: 65 get 413 and store nothing, 64 are stored."""

    def cast(many):
        seen = owner.house.shelf.find("friday").last
        body = {"command": f"c{many}", "seen": seen, "words": ["turn 1 Ana", f"Ana casts {many}"]}
        return owner.post("/v1/games/friday/commands", body)

    answer = cast(64)
    assert (answer.status, answer.code) == (413, "too-large")
    assert owner.house.shelf.find("friday").last == 1
    assert cast(63).document["last"] == 65


def test_what_is_sent_is_looked_at_before_what_it_is_sent_to(owner):
    """A command to a read-only file with an invalid body gets the body's error; a valid one gets `read-only`."""
    path = "/v1/games/wagic-G1/commands"
    assert owner.post(path, "{").code == "bad-json"
    assert owner.post(path, '{"command":"c"}').code == "bad-request"
    assert owner.post(path, '{"command":"c","seen":160,"do":"pass-turn"}').code == "read-only"


@pytest.mark.wide(but=2)
@pytest.mark.parametrize("name", ["", "a%00b", "x" * 201, "a%0Ab"])
def test_a_record_cannot_be_stored_under_what_is_no_name(owner, name):
    record = '{"type":"game-started","format":1,"game":"g","players":["A"]}\n'
    answer = owner.post(f"/v1/imports?as={name}", record, media="application/octet-stream")
    assert (answer.status, answer.code) == (400, "bad-parameter")


def test_both_places_of_the_last_event_are_numbers(ask):
    """`after` and the header `Last-Event-ID` must both be valid numbers, otherwise `bad-parameter`."""
    assert ask("/v1/games/wagic-G1/live?after=x", last_event_id="3").code == "bad-parameter"
    assert ask("/v1/games/wagic-G1/live?after=3", last_event_id="03").code == "bad-parameter"
