"""Every route, with every role and every method: exactly what the table of roles says is allowed.

| promise | test |
| --- | --- |
| the table in this file has exactly the routes of the program | test_table |
| a forbidden role is refused before the body is read, an allowed one is not; HEAD is like GET | test_every_role |
| an unknown method gets 405 with the allowed ones, for every role | test_every_method |
| on a private server, or outside this machine, reading needs a key too | test_private |
"""

import pytest

from daynight.games import Store
from daynight.web.asgi import application
from daynight.web.limits import Limits
from daynight.web.routes.table import ROUTES
from daynight.web.shelf import Shelf
from daynight.web.visit import House
from tests.sampling import case, quick_or_wide
from tests.web.asking import HOST, Asking

ROLES = ("nobody", "spectator", "player", "judge", "owner")
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE")

READ = "nspjo"
GAME = "/v1/games/{id}"
TABLE = {
    # for each route, a letter for each role that may use it; `*` means that no key is needed
    **dict.fromkeys(
        ("GET /", "GET /g/{id}", "GET /t/{id}", "GET /assets/{name}", "GET /docs", "GET /openapi.json", "GET /v1",
         "POST /v1/session", "DELETE /v1/session"), "*nspjo"),
    **dict.fromkeys(("GET /v1/games", "GET /v1/live"), "no"),
    **dict.fromkeys(
        (f"GET {GAME}{what}" for what in (
            "", "/state", "/moments", "/why", "/blame", "/forecast", "/unknowns", "/disputes", "/backup-plan", "/audit",
            "/repair", "/marks", "/diff", "/bisect", "/search", "/record.jsonl", "/record.dn", "/timeline.svg",
            "/board.svg", "/report.html", "/report.json", "/page.html", "/live")), READ),
    **dict.fromkeys(
        (f"POST {GAME}/what-if{what}" for what in ("", "/moments", "/state", "/why", "/audit", "/marks")), READ),
    **dict.fromkeys(
        (f"POST {GAME}{what}" for what in (
            "/commands", "/undo", "/corrections", "/notes", "/disputes", "/disputes/{d}/claims",
            "/disputes/{d}/appeals")), "pjo"),
    **dict.fromkeys((f"POST {GAME}{what}" for what in ("/disputes/{d}/rulings", "/disputes/{d}/close")), "jo"),
    **dict.fromkeys(
        ("POST /v1/games", "POST /v1/imports", "POST /v1/links", "GET /v1/links", "DELETE /v1/links/{l}"), "o"),
}  # fmt: skip
PLACES = {"{id}": "friday", "{d}": "d1", "{l}": "none", "{name}": "none"}
ADDRESSES = sorted({route.path for route in ROUTES})


class Table:
    """A server and a key for each role."""

    def __init__(self, store, **how):
        high = Limits(requests=1e6, requests_burst=10**6, writes=1e6, writes_burst=10**6)
        self.house = House(shelf=Shelf(store), limits=high, **how)
        keys = self.house.keys
        self.keys = {
            "nobody": None, "owner": keys.owner, "spectator": keys.add("friday", "spectator")[1],
            "player": keys.add("friday", "player", "Ana")[1], "judge": keys.add("friday", "judge", "Jo")[1],
        }  # fmt: skip
        self._ask = Asking(application(self.house))

    def __call__(self, role, method, path):
        """Return the answer to a request of `role`; its body is an empty JSON object, but GET and HEAD have none."""
        for name, place in PLACES.items():
            path = path.replace(name, place)
        takes = next((one.takes for one in ROUTES if (one.method, one.path) == (method, path)), "application/json")
        headers = [("host", HOST), ("content-type", takes or "application/json")]
        if self.keys[role] is not None:
            headers.append(("authorization", f"Bearer {self.keys[role]}"))
        return self._ask(path, method, headers, b"" if method in ("GET", "HEAD") else b"{}")


@pytest.fixture(scope="module")
def store():
    with Store.open("memory:") as found:
        found.new("friday", ["Ana", "Bo"])
        yield found


@pytest.fixture(scope="module")
def table(store):
    return Table(store)


def test_table():
    """A new route must be added to this table with its roles."""
    assert sorted(TABLE) == sorted(f"{route.method} {route.path}" for route in ROUTES)


def refused(answer):
    """The code of a refusal because of the role; None if the answer is not such a refusal."""
    return answer.code if answer.status in (401, 403, 405) else None


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: f"{route.method} {route.path}")
def test_every_role(table, route):
    may = TABLE[f"{route.method} {route.path}"]
    for role in ROLES:
        for method in (route.method, *(["HEAD"] if route.method == "GET" else [])):
            with case(f"{role}, {method}"):
                answer = table(role, method, route.path)
                if role[0] in may:
                    assert refused(answer) in (None, *(["key-ended"] if "session" in route.path else [])), answer
                    if answer.status == 404:
                        assert answer.code in ("no-such-route", "no-such-link", "no-such-dispute"), answer
                        assert "{name}" in route.path or "{l}" in route.path or "{d}" in route.path
                elif role == "nobody" and "n" not in may:
                    assert (answer.status, answer.code) == (401, "no-key")
                else:
                    assert (answer.status, answer.code) == (403, "not-yours")


@pytest.mark.parametrize("roles", quick_or_wide(1, len(ROLES)))
@pytest.mark.parametrize("path", ADDRESSES)
def test_every_method(table, path, roles):
    there = {route.method for route in ROUTES if route.path == path}
    allowed = there | ({"HEAD"} if "GET" in there else set())
    for place, method in enumerate(sorted(set(METHODS) - allowed)):
        # With one role for each method, the roles take turns.
        for role in (ROLES * 2)[place % len(ROLES) :][:roles]:
            with case(f"{role}, {method}"):
                answer = table(role, method, path)
                assert (answer.status, answer.code) == (405, "method")
                assert set(answer.headers["allow"].split(", ")) == allowed


@pytest.mark.wide(but=1)
@pytest.mark.parametrize("how", [{"private": True}, {"local": False}], ids=["private", "in a network"])
def test_private(store, how):
    table = Table(store, **how)
    for name, may in TABLE.items():
        method, path = name.split(" ")
        with case(name):
            answer = table("nobody", method, path)
            if may.startswith("*"):
                assert refused(answer) in (None, "key-ended")
            else:
                assert (answer.status, answer.code) == (401, "no-key")
            if "s" in may:
                assert refused(table("spectator", method, path)) in (None, "key-ended")
