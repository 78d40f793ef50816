"""Anything: requests that a generator makes of the description, and would make for days; none of them breaks it."""

import json
from urllib.parse import quote, urlencode

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from schemathesis.core import NOT_SET

from daynight.games import Store
from daynight.records import Record
from daynight.web.asgi import application
from daynight.web.limits import Limits
from daynight.web.shelf import Shelf
from daynight.web.visit import House
from tests.web.asking import HOST, Asking
from tests.web.test_shapes import fits

CASES = 5_000
JSON = "application/json"
GAMES = ("friday", "friday%2Fb2", "a%2Fb", "wagic-G1", "nobody")
REFUSED = frozenset({400, 401, 403, 404, 409, 413, 414, 415, 422, 431})
"""What the owner may be told who does not ask too often; 401 where a session is asked for with what is no key."""

pytestmark = pytest.mark.slow


class Owner:
    """The owner of some games, who asks for anything."""

    def __init__(self, store):
        store.new("friday", ["Ana", "Bo"])
        store.append("friday", [{"type": "turn-began", "turn": 1, "active": ["Ana"]}])
        store.new("a/b", ["Ana", "Bo"])
        high = Limits(requests=1e6, requests_burst=10**6, writes=1e6, writes_burst=10**6)
        self.house = House(shelf=Shelf(store, [Record("demo")]), limits=high)
        self._ask = Asking(application(self.house))
        keep = {"edits": [{"at": 2, "insert": ["Ana casts Opt"]}], "keep": "b2"}
        assert (
            self.send("/v1/games/friday/what-if", "POST", json.dumps(keep).encode(), "application/json").status == 200
        )
        self.described = json.loads(self._ask("/openapi.json").body)

    def send(self, target, method, body=b"", media=None):
        """What is answered."""
        headers = [("host", HOST), ("authorization", f"Bearer {self.house.keys.owner}")]
        return self._ask(target, method, headers if media is None else [*headers, ("content-type", media)], body)


@pytest.fixture(scope="module")
def owner():
    """The owner."""
    with Store.open("memory:") as store:
        yield Owner(store)


def sent(case, game):
    """The target and the body of a case; where a game is given, it is asked of that."""
    path = case.path
    for name, value in (case.path_parameters or {}).items():
        found = game if name == "id" and game is not None else quote(str(value), safe="")
        path = path.replace(f"{{{name}}}", found or "x")
    query = urlencode([(name, value) for name, value in (case.query or {}).items() if value is not None], doseq=True)
    said = b"" if case.body is NOT_SET else case.body
    body = said if isinstance(said, bytes) else json.dumps(said).encode()
    return f"{path}?{query}" if query else path, body


def test_anything(owner):
    """No answer is a bug, and every one is as it is described."""
    schema = schemathesis.openapi.from_dict(owner.described)
    # A stream does not end.
    every = [found.ok() for found in schema.get_all_operations()]  # type: ignore[union-attr]
    operations = [one for one in every if not one.path.endswith("/live")]
    statuses = set()
    for operation in operations:
        ask_anything(owner, operation, CASES // len(operations), statuses)
    assert {200, 201, 204, 400, 404, 422} <= statuses


def ask_anything(owner, operation, many, statuses):
    """Ask so many things of one operation."""
    described = owner.described["paths"][operation.path][operation.method]["responses"]
    problem = fits(owner.described, {"$ref": "#/components/schemas/Problem"})
    right = {
        status: fits(owner.described, content[JSON]["schema"])
        for status, answer in described.items()
        if JSON in (content := answer.get("content", {}))
    }

    @seed(1)
    @settings(
        max_examples=many, database=None, deadline=None, phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(case=operation.as_strategy(), game=st.sampled_from((*GAMES, None)))
    def asked(case, game):
        target, body = sent(case, game)
        media = None if case.body is NOT_SET else case.media_type
        answer = owner.send(target, operation.method.upper(), body, media)
        statuses.add(answer.status)
        if (status := str(answer.status)) in described:
            assert status not in right or right[status](answer.document) == [], (target, body)
        else:
            assert answer.status in REFUSED, (target, body, answer)
            assert answer.code
            assert problem(answer.document) == [], (target, body, answer)

    asked()
