"""The schemas of the API description: answers fit them exactly, and other documents do not."""

import re
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

from daynight.records import Held
from daynight.web.describing.shapes.table import ANSWERS, BODIES
from daynight.web.routes.table import ROUTES
from daynight.web.shelf import Shelf, id_of
from tests.web.asking import asking
from tests.web.conftest import ROOT

Described = dict[str, Any]
_HELD = {}

QUESTIONS = {
    "": ("",), "/state": ("", "?at=1"), "/moments": ("?limit=500", "?from=7&limit=3"), "/marks": ("?limit=500",),
    "/why": ("", "?at=1"), "/blame": ("", "?at=2"), "/forecast": ("", "?at=2"), "/unknowns": ("",), "/disputes": ("",),
    "/backup-plan": ("?to=2",), "/audit": ("", "?edition=latest"), "/repair": ("",),
    "/diff": ("?a=1", "?with=uncertain", "?editions=2024-06-07,latest"), "/bisect": ("", "?until=designation:day"),
    "/search": ("?q=turn",), "/report.json": ("",),
}  # fmt: skip
"""The requests about a game: paths, each with queries."""


@pytest.fixture(scope="module")
def described(ask):
    """The API description."""
    return ask.document("/openapi.json")


def fits(described, schema):
    """Return a function that lists the reasons why a document does not fit `schema`."""
    validator = Draft202012Validator(_absolute(schema), registry=_registry(described))
    return lambda document: [f"{error.json_path}: {error.message}" for error in validator.iter_errors(document)]


def _registry(described):
    if id(described) not in _HELD:
        resource = Resource.from_contents(described, DRAFT202012)
        _HELD[id(described)] = described, Registry[Any]().with_resource("urn:described", resource).crawl()
    return _HELD[id(described)][1]


def _absolute(schema):
    if isinstance(schema, dict):
        return {name: f"urn:described{value}" if name == "$ref" else _absolute(value) for name, value in schema.items()}
    return [_absolute(one) for one in schema] if isinstance(schema, list) else schema


def answer_of(described, path, method="get"):
    """The schema of the JSON answer of a path, with status 200 or 201."""
    for status in ("200", "201"):
        answer = described["paths"][path][method]["responses"].get(status)
        if answer is not None and (content := answer.get("content", {}).get("application/json")):
            return content["schema"]
    raise AssertionError(path)


def asked(ask, described, game):
    """Send `QUESTIONS` about `game`; yield a text for each error of an answer against its schema."""
    for path, queries in QUESTIONS.items():
        wrong = fits(described, answer_of(described, f"/v1/games/{{id}}{path}"))
        for query in queries:
            answer = ask(f"/v1/games/{id_of(game)}{path}{query}")
            if answer.status == 200:
                yield from (f"{game}{path}{query} {one}" for one in wrong(answer.document))
            else:
                # Not every game has such an event, or a dispute at its end.
                assert answer.status in (400, 404), (path, query, answer)
                assert path not in ("", "/audit"), (game, answer)
                assert answer.code != "no-such-game", (game, path)


def test_every_route_that_answers_json_has_a_shape(described):
    """Every route that answers JSON has a schema, and so has every JSON body; each schema has a description."""
    for route in ROUTES:
        key = f"{route.method} {route.path}"
        has_json = route.example.media == "application/json" and route.example.status != 204
        assert (key in ANSWERS) == has_json, key
        assert (key in BODIES) == (route.takes == "application/json"), key
    assert {*ANSWERS, *BODIES} <= {f"{route.method} {route.path}" for route in ROUTES}
    for name, schema in described["components"]["schemas"].items():
        assert re.fullmatch(r"[A-Z]\w+", name)
        assert schema["description"], name


def test_examples_have_the_shapes(described):
    for path, operations in described["paths"].items():
        for method, operation in operations.items():
            for answer in [*operation["responses"].values(), operation.get("requestBody", {})]:
                for media, content in answer.get("content", {}).items():
                    if media.endswith("json"):
                        assert fits(described, content["schema"])(content["example"]) == [], (method, path)


def test_what_is_answered_has_the_shapes(ask, described):
    assert [*asked(ask, described, "dispute")] == []


def test_without_a_controller(described):
    """If a permanent's controller has left, `controller` is null in the state; state and moments fit their schemas."""
    lines = [
        b'{"type":"game-started","format":1,"game":"three","players":["Ana","Bo","Cy"]}',
        b'{"type":"permanents-entered","permanents":[{"id":"w1","card":"Tavern Ruffian","controller":"Ana"}]}',
        b'{"type":"player-left","player":"Ana","permanents":[]}',
        b'{"type":"turn-began","turn":1,"active":["Bo"]}',
    ]
    ask = asking(Shelf(None, [Held("three", b"\n".join(lines) + b"\n")]))
    state = ask.document("/v1/games/three/state")
    assert state["battlefield"][0]["controller"] is None
    assert fits(described, answer_of(described, "/v1/games/{id}/state"))(state) == []
    moments = ask.document("/v1/games/three/moments")
    assert fits(described, answer_of(described, "/v1/games/{id}/moments"))(moments) == []


@pytest.mark.slow
def test_of_every_game(ask, described):
    wrong = []
    for row in ask.document("/v1/games?limit=500")["games"]:
        wrong += asked(ask, described, row["game"])
    assert wrong == []


def test_of_the_list(ask, described):
    assert fits(described, answer_of(described, "/v1/games"))(ask.document("/v1/games?limit=5")) == []
    assert fits(described, answer_of(described, "/v1"))(ask.document("/v1")) == []


def test_what_is_not_answered_does_not_fit(ask, described):
    """A state with a surplus member, without a member, or with one of another type does not fit its schema."""
    wrong = fits(described, answer_of(described, "/v1/games/{id}/state"))
    state = ask.document("/v1/games/dispute/state")
    assert wrong(state) == []
    assert wrong({**state, "life": 20})
    assert wrong({name: value for name, value in state.items() if name != "step"})
    assert wrong({**state, "turn": "3"})


def test_of_another_mechanic(described):
    """The description of another mechanic has exactly that mechanic's routes, and its answers fit their schemas."""
    from examples.monarch import MECHANIC

    lines = (ROOT / "examples/monarch.jsonl").read_bytes()
    ask = asking(Shelf(None, [Held("monarch.jsonl", lines)], mechanic=MECHANIC))
    found = ask.document("/openapi.json")
    assert "/v1/games/{id}/forecast" not in found["paths"]
    assert found["paths"].keys() == {route.path for route in ROUTES if not route.of_games}
    (game,) = ask.document("/v1/games")["games"]
    wrong = []
    for path in ("", "/state", "/moments", "/marks", "/blame", "/audit", "/diff?a=1", "/bisect", "/search?q=a"):
        fit = fits(found, answer_of(found, f"/v1/games/{{id}}{path.partition('?')[0]}"))
        wrong += fit(ask.document(f"/v1/games/{game['id']}{path}"))
    assert wrong == []


def test_problems_have_their_shape(ask, described):
    wrong = fits(described, {"$ref": "#/components/schemas/Problem"})
    for target in ("/v1/nothing", "/v1/games/none", "/v1/games/dispute/state?at=999", "/v1/games/wagic-G2/state?at=x"):
        assert wrong(ask(target).document) == []
    assert wrong({"type": "urn:daynight:", "title": "", "status": 400, "detail": "", "exit": None})
