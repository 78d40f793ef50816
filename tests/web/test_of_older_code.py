"""Records that the present code cannot read, and fields that name rules, over HTTP.

| promise | test |
| --- | --- |
| an unreadable record gets 422 with its event; the list, verdicts and other games still work | test_unreadable |
| an exception in a part or in the mechanic's `says`: 422 for that record; others still work | test_failing |
| an event that names its rules is refused: only the store sets them | test_marks |
| the list by verdict agrees with the audit, for any mechanic and for events with old tags | test_verdicts |
"""

import json
from dataclasses import replace

import pytest

from daynight.framework import Part
from daynight.games import Store
from daynight.web.asgi import application
from daynight.web.shelf import Shelf
from daynight.web.visit import House
from tests.store.desk import FIRST, SECOND, claimed, lent, opened
from tests.store.test_unreadable import UNREADABLE
from tests.web.asking import HOST, Asking, asking


@pytest.fixture
def place(tmp_path):
    return tmp_path / "desk.db"


def test_unreadable(place):
    with Store.open(place, mechanic=FIRST) as store:
        store.append("bad", [opened(), lent("Emma") | {"note": "a"}, lent("Ulysses")])
        store.append("good", [opened(), lent("Emma") | {"note": "a"}])
    with Store.open(place, mechanic=UNREADABLE) as store:
        ask = asking(Shelf(store, [], mechanic=UNREADABLE))
        assert {"bad": 3, "good": 2} == {row["id"]: row["events"] for row in ask.document("/v1/games")["games"]}
        assert ["good"] == [row["id"] for row in ask.document("/v1/games?verdict=unverified")["games"]]
        for route in ("audit", "state", "blame", "moments"):
            assert 200 == ask(f"/v1/games/good/{route}").status
            answer = ask(f"/v1/games/bad/{route}")
            told = json.loads(answer.body)
            assert (422, "urn:daynight:unreadable", 3) == (answer.status, told["type"], told["event"]), route
            assert "unreadable by this code from event 3: $: the upcaster of 'lent' failed: KeyError" in told["detail"]


def test_marks(place):
    with Store.open(place, mechanic=SECOND) as store:
        store.append("main", [opened()])
        house = House(shelf=Shelf(store, [], mechanic=SECOND))
        headers = [
            ("host", HOST),
            ("authorization", f"Bearer {house.keys.owner}"),
            ("content-type", "application/json"),
        ]
        event = {"type": "lent.2", "book": "Emma", "to": "Ana"}
        for given, status in ((event | {"rules": 2}, 422), (event, 201)):
            body = json.dumps({"command": "a", "seen": 1, "events": [given]}).encode()
            answer = Asking(application(house))("/v1/games/main/commands", "POST", headers, body)
            assert status == answer.status, answer.body
        assert 2 == store.last("main")


def test_verdicts(place):
    right, wrong = claimed("Emma"), claimed("Emma") | {"to": "Bo"}
    with Store.open(place, mechanic=FIRST) as store:
        for name, events in {"exact": [right], "disputed": [wrong], "unverified": []}.items():
            store.append(name, [opened(), lent("Emma"), *events])
    with Store.open(place, mechanic=SECOND) as store:
        ask = asking(Shelf(store, [], mechanic=SECOND))
        for verdict in ("exact", "disputed", "unverified"):
            assert verdict == ask.document(f"/v1/games/{verdict}/audit")["verdict"]
            listed = ask.document(f"/v1/games?verdict={verdict}")["games"]
            assert [(verdict, verdict)] == [(row["game"], row["verdict"]) for row in listed]


def fails(desk, book):
    return {"Emma": None}[book]


def says(event):
    return [{}["x"]] if getattr(event, "book", "") == "Ulysses" else ()


@pytest.mark.parametrize(
    "changes, told, routes",
    [
        ({"parts": {**FIRST.parts, "where": Part(fails, lambda desk: desk.lent)}}, "part where", ["state", "blame"]),
        ({"says": says}, "says", ["audit"]),
    ],
)
def test_failing(place, changes, told, routes):
    with Store.open(place, mechanic=FIRST) as store:
        store.append("bad", [opened(), lent("Ulysses")])
        store.append("good", [opened(), lent("Emma")])
    mechanic = replace(FIRST, **changes)
    with Store.open(place, mechanic=mechanic) as store:
        ask = asking(Shelf(store, [], mechanic=mechanic))
        assert ["bad", "good"] == [row["id"] for row in ask.document("/v1/games")["games"]]
        assert "good" in [row["id"] for row in ask.document("/v1/games?verdict=unverified")["games"]]
        for route in routes:
            assert 200 == ask(f"/v1/games/good/{route}").status
            answer = ask(f"/v1/games/bad/{route}")
            document = json.loads(answer.body)
            assert (422, True) == (answer.status, told in document["detail"]), document
            assert "KeyError" in document["detail"]
