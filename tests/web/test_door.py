"""The checks before a route: hosts, origins, lengths, methods, and their order."""

import pytest

from daynight.web.door.hosts import hosts_of
from daynight.web.limits import Limits
from daynight.web.routes.table import ROUTES
from tests.sampling import sampled
from tests.web.asking import HOST, asking

HOSTILE = (
    "", "evil.example", "127.0.0.1", "127.0.0.1:80", "127.0.0.1:8001", "localhost", "localhost:8001",
    "localhost.:8000", "127.0.0.1:8000.evil.example", "evil.example:8000", "0.0.0.0:8000", "[::1]:8000", "127.1:8000",
    "user@127.0.0.1:8000",
)  # fmt: skip
ORIGINS = (
    "null", "http://evil.example", "https://127.0.0.1:8000", "http://127.0.0.1:8001", "http://localhost:8000",
    "http://127.0.0.1", "HTTP://127.0.0.1:8000", "http://127.0.0.1:8000/",
)  # fmt: skip
EVERYWHERE = sorted({route.path.replace("{id}", "wagic-G1").replace("{name}", "x.js") for route in ROUTES})


@pytest.mark.wide(but=2)
@pytest.mark.parametrize("host", sampled(HOSTILE, 3))
def test_hostile_hosts(ask, host):
    """A wrong Host header gets 421 on every route, before any other check."""
    for path in [*EVERYWHERE, "/nowhere", f"/{'x' * 9000}"]:
        answer = ask(path, headers=[("host", host), ("origin", "null")])
        assert (answer.status, answer.code) == (421, "foreign-host"), path


def test_hosts(ask, shelf):
    """The server's own host, `localhost` and allowed hosts are accepted, but only one Host header."""
    for host in ("127.0.0.1:8000", "localhost:8000", "LocalHost:8000"):
        assert ask("/v1", headers=[("host", host)]).status == 200
    assert ask("/v1", headers=[]).code == "foreign-host"
    assert ask("/v1", headers=[("host", HOST), ("host", HOST)]).code == "foreign-host"
    allowed = asking(shelf, hosts=hosts_of("192.0.2.7", 8000, "http", ("day.example",), local=False))
    for host, status in {"192.0.2.7:8000": 200, "day.example:8000": 200, "localhost:8000": 421}.items():
        assert allowed("/v1", headers=[("host", host)]).status == status
    assert "day.example" in hosts_of("192.0.2.7", 80, "http", ("day.example",), local=False)
    assert {"127.0.0.1", "localhost"} <= hosts_of("127.0.0.1", 80, "http", local=True)
    assert hosts_of("::1", 8000, "http", local=True) == {"[::1]:8000", "localhost:8000"}


@pytest.mark.wide(but=3)
@pytest.mark.parametrize("origin", ORIGINS)
def test_foreign_origins(ask, origin):
    """A GET with a foreign Origin header gets 403 on every route, except on the three addresses of the page."""
    for path in EVERYWHERE:
        answer = ask(path, origin=origin)
        if path in ("/", "/g/wagic-G1", "/t/wagic-G1"):
            assert answer.status in (200, 404)
            assert b"foreign-origin" not in answer.body
        else:
            assert (answer.status, answer.code) == (403, "foreign-origin"), path


@pytest.mark.parametrize("site", ["cross-site", "same-site", "anything", ""])
def test_foreign_sites(ask, site):
    """With a foreign `Sec-Fetch-Site` header, `/v1/games` gets `foreign-origin`, but the page of a game is answered."""
    assert ask("/v1/games", sec_fetch_site=site).code == "foreign-origin"
    assert ask("/g/wagic-G1", sec_fetch_site=site).status in (200, 404)


def test_our_origin(ask):
    """The server's own page, and an address typed into the browser, are accepted."""
    assert ask("/v1/games", origin="http://127.0.0.1:8000", sec_fetch_site="same-origin").status == 200
    assert ask("/v1/games", sec_fetch_site="none").status == 200
    assert ask("/v1/games", headers=[("host", "localhost:8000"), ("origin", "http://localhost:8000")]).status == 200


def test_lengths(ask):
    """An address or head of exactly the maximum length is not too long; with one more character: 414 or 431."""
    limits = Limits()
    room = limits.address - len("/v1/games?q=")
    assert ask(f"/v1/games?q={'x' * 1000}").status == 200
    assert ask(f"/v1/games?q={'x' * room}").code == "bad-parameter"
    assert ask(f"/v1/games?q={'x' * (room + 1)}").code == "too-long"
    assert ask(f"/v1/games?q={'x' * (room + 1)}").status == 414
    room = limits.head - len(f"host: {HOST}\r\nx: \r\n")
    assert ask("/v1", x="y" * room).status == 200
    answer = ask("/v1", x="y" * (room + 1))
    assert (answer.status, answer.code) == (431, "too-long")


@pytest.mark.parametrize("query", ["fbclid=abc", "utm_source=x&utm_source=y", "lang=de", "x", "%ff"])
def test_foreign_parameters(ask, query):
    """A page opens whatever its address has beside the path; the routes under `/v1` refuse what they do not know."""
    plain = {path: ask(path) for path in EVERYWHERE if not path.startswith("/v1")}
    pages = {path: one.body for path, one in plain.items() if one.headers["content-type"].startswith("text/html")}
    assert {"/", "/docs"} < {*pages}
    for path, body in pages.items():
        found = ask(f"{path}?{query}")
        assert (found.status, found.body) == (200, body), path
    for path in ("/v1", "/v1/games", "/v1/games/wagic-G1", "/openapi.json"):
        answer = ask(f"{path}?{query}")
        assert (answer.status, answer.code) == (400, "bad-parameter"), path


def test_methods(ask):
    """A method that a route does not have gets 405 with the allowed ones; HEAD works like GET."""
    for path in ("/v1", "/v1/games/wagic-G1/state", "/openapi.json"):
        for method in ("PUT", "PATCH", "OPTIONS", "TRACE", "BREW"):
            answer = ask(path, method)
            assert (answer.status, answer.code) == (405, "method")
            assert answer.headers["allow"].startswith("GET, HEAD")
            assert answer.document["exit"] is None
        got, head = ask(path), ask(path, "HEAD")
        assert (head.status, head.headers) == (got.status, got.headers)
    assert ask("/nowhere", "POST").code == "no-such-route"


def test_the_order(ask):
    """If several refusals apply, the first is answered: host, length, origin, route, method, game, parameter, event."""
    long = "/" + "x" * 9000
    assert ask(long, headers=[("host", "evil"), ("origin", "null")]).status == 421
    assert ask(long, origin="null").status == 414
    assert ask("/nowhere", origin="null").status == 403
    assert ask("/nowhere", "PUT").status == 404
    assert ask("/v1/games/nobody", "PUT").status == 405
    assert ask("/v1/games/nobody?x=1").status == 404
    assert ask("/v1/games/wagic-G1?x=1").status == 400
    assert ask("/v1/games/wagic-G1/state?at=1&x=1", if_none_match="*").status == 400
    assert ask("/v1/games/wagic-G1/state?at=999", if_none_match="*").status == 404


def test_headers(ask):
    """Security headers are on every answer, problems too; no answer has an `Access-Control` header for other sites."""
    for path in ("/v1", "/nowhere", "/v1/games/nobody", "/docs", "/openapi.json", "/v1/games/wagic-G1/record.jsonl"):
        headers = ask(path).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["cross-origin-opener-policy"] == headers["cross-origin-resource-policy"] == "same-origin"
        assert headers["content-security-policy"].startswith(("default-src 'none'; script-src 'self'", "sandbox"))
        assert not any(name.startswith("access-control") for name in headers)
        assert "content-encoding" not in headers


def test_a_bug_of_ours(ask, shelf, monkeypatch, caplog):
    """An exception is answered with 500 and an id, without its text and traceback."""

    def broken(*given):
        raise RuntimeError("/secret/place")

    monkeypatch.setattr(type(shelf.find("wagic-G1")), "lines", broken)
    answer = ask("/v1/games/wagic-G1/record.jsonl")
    assert (answer.status, answer.code, answer.document["exit"]) == (500, "bug", 70)
    assert b"secret" not in answer.body
    assert b"Traceback" not in answer.body
    assert answer.document["id"] in answer.document["detail"]


def test_no_place_of_the_server(ask, shelf):
    """No answer contains a path of the server."""
    place = shelf.store.settings.path
    for path in EVERYWHERE:
        for query in ("?at=999", "?x=1"):
            assert place.encode() not in ask(path + query).body
