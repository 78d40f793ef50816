"""Fuzzing: requests generated from the API description, for any length of time; none may cause a server error.

Each role sends requests to a real server with its own key, for existing and missing things; streams are opened and
left. `DAYNIGHT_CASES` says how many requests each role makes at least.
"""

import gzip
import http.client
import json
import os
from urllib.parse import quote, urlencode

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from schemathesis.core import NOT_SET

from daynight.games import Store
from daynight.records import Record
from daynight.web.limits import Limits
from tests.web.sending import post
from tests.web.serving import serving
from tests.web.test_shapes import fits

CASES = int(os.environ.get("DAYNIGHT_CASES", "1000"))
JSON, STREAM = "application/json", "text/event-stream"
GAMES = ("friday", "friday%2Fb2", "a%2Fb", "wagic-G1", "nobody")
REFUSED = frozenset({400, 401, 403, 404, 409, 413, 414, 415, 422, 431})
"""The statuses of refusals below the rate limit; 401 is for no key, or a session opened with an invalid key."""

ROLES = ("nobody", "spectator", "player", "judge", "owner")
SEEN = {
    "nobody": {200, 204, 400, 401, 404}, "spectator": {200, 204, 400, 403, 404},
    "player": {200, 204, 400, 403, 404, 422}, "judge": {200, 204, 400, 403, 404, 422},
    "owner": {200, 201, 204, 400, 404, 422},
}  # fmt: skip
"""Statuses that each role must have seen; otherwise the requests tested too little."""

pytestmark = pytest.mark.slow


class Guest:
    """A client of one role that sends any request, over one connection after another."""

    def __init__(self, served, role):
        self.served = served
        names = {"spectator": None, "player": "Ana", "judge": "Jo"}
        self._key = served.link(role, names[role]) if role in names else served.owner if role == "owner" else None
        self._connection = None
        self.described = json.loads(self.send("/openapi.json", "GET")[1])

    def send(self, target, method, body=b"", media=None):
        """Return status, body (of a stream its beginning) and media type; if the connection was closed, send again."""
        for _again in range(2):
            try:
                return self._sent(target, method, body, media)
            except (http.client.RemoteDisconnected, ConnectionError):
                # The server may have closed the kept connection.
                self.close()
        raise AssertionError((target, method, body))

    def _sent(self, target, method, body, media):
        if self._connection is None:
            host = self.served.address.rpartition("/")[2]
            self._connection = http.client.HTTPConnection(host, timeout=120)
        headers = {} if self._key is None else {"Authorization": f"Bearer {self._key}"}
        if media is not None:
            headers["Content-Type"] = media
        self._connection.request(method, target, body or None, headers)
        answer = self._connection.getresponse()
        kind = (answer.getheader("content-type") or "").partition(";")[0]
        if kind == STREAM:
            said = answer.read1(100)
            self.close()
        else:
            said = answer.read()
        return answer.status, said, kind

    def close(self):
        """Close the connection, even if an answer is unfinished."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None


@pytest.fixture(scope="module", params=ROLES)
def guest(request):
    """A client for each role, and a server of a few games."""
    high = Limits(requests=1e6, requests_burst=10**6, writes=1e6, writes_burst=10**6)
    with Store.open("memory:") as store:
        store.new("friday", ["Ana", "Bo"])
        store.append("friday", [{"type": "turn-began", "turn": 1, "active": ["Ana"]}])
        store.new("a/b", ["Ana", "Bo"])
        with serving(store, [Record("demo")], limits=high) as served:
            keep = {"edits": [{"at": 2, "insert": ["Ana casts Opt"]}], "keep": "b2"}
            assert post(served, "games/friday/what-if", keep).status_code == 200
            found = Guest(served, request.param)
            yield request.param, found
            found.close()


LINES = (
    b'{"type":"game-started","format":1,"game":"up","players":["Ana","Bo"]}\n',
    b'{"type":"turn-began","turn":1,"active":["Ana"]}\n', b'{"type":"step-began","step":"untap"}\n',
    b'{"type":"spell-cast","player":"Ana"}\n', b'{"type":"x"}\n', b"turn 1: Ana\n", b"{", b"\xff\xfe", b"\n",
    b"[UnityCrossThreadLogger]==> Connected\n", b"GAMELOG\n", b"Turn: Turn 1 (Ana)\n", b"PK\x03\x04", b"\x1f\x8b",
)  # fmt: skip

UPLOADS = st.one_of(
    st.binary(max_size=200),
    st.lists(st.sampled_from(LINES), max_size=8).map(b"".join),
    st.lists(st.sampled_from(LINES), max_size=8).map(lambda lines: gzip.compress(b"".join(lines))),
    st.lists(st.sampled_from(LINES), max_size=8).map(lambda lines: gzip.compress(b"".join(lines))[:-4]),
)
"""Records, similar texts and other data; some compressed, some cut off."""


def sent(case, game):
    """Return target and body of a generated case; `game`, if it is not None, replaces the game in the path."""
    path = case.path
    for name, value in (case.path_parameters or {}).items():
        found = game if name == "id" and game is not None else quote(str(value), safe="")
        path = path.replace(f"{{{name}}}", found or "x")
    query = urlencode([(name, value) for name, value in (case.query or {}).items() if value is not None], doseq=True)
    said = b"" if case.body is NOT_SET else case.body
    body = said if isinstance(said, bytes) else json.dumps(said).encode()
    return f"{path}?{query}" if query else path, body


def test_anything(guest):
    """No answer is a server error, each one fits its description, and the role gets all statuses of `SEEN`."""
    role, asking = guest
    schema = schemathesis.openapi.from_dict(asking.described)
    operations = [found.ok() for found in schema.get_all_operations()]  # type: ignore[union-attr]
    assert {"/v1/live", "/v1/games/{id}/live", "/v1/imports"} <= {one.path for one in operations}
    statuses = set()
    for operation in operations:
        ask_anything(asking, operation, max(-(-CASES // len(operations)), 5), statuses)
    assert statuses >= SEEN[role]


def ask_anything(asking, operation, many, statuses):
    """Send `many` random requests to one route, check the answers, and add their statuses to `statuses`."""
    described = asking.described["paths"][operation.path][operation.method]["responses"]
    problem = fits(asking.described, {"$ref": "#/components/schemas/Problem"})
    right = {
        status: fits(asking.described, content[JSON]["schema"])
        for status, answer in described.items()
        if JSON in (content := answer.get("content", {}))
    }

    @seed(1)
    @settings(
        max_examples=many, database=None, deadline=None, phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(case=operation.as_strategy(), game=st.sampled_from((*GAMES, None)), upload=UPLOADS)
    def asked(case, game, upload):
        target, body = sent(case, game)
        media = None if case.body is NOT_SET else case.media_type
        if operation.path == "/v1/imports" and len(upload) > 3:
            body = upload
        status, said, kind = asking.send(target, operation.method.upper(), body, media)
        statuses.add(status)
        if str(status) in described:
            if kind == STREAM:
                assert said.startswith(b"retry: "), (target, said)
            else:
                assert str(status) not in right or right[str(status)](json.loads(said)) == [], (target, body)
        else:
            assert status in REFUSED, (target, body, said)
            assert kind == "application/problem+json"
            assert problem(json.loads(said)) == [], (target, body, said)

    asked()
