"""Hostile names of games, players, cards and permanents: they never become markup, and never break a header."""

import json
import logging
import re
from contextlib import contextmanager
from html.parser import HTMLParser
from urllib.parse import unquote

import pytest

from daynight.games import Store
from daynight.web.asgi import application
from daynight.web.limits import Limits
from daynight.web.shelf import Shelf, id_of
from daynight.web.visit import House
from tests.web.asking import HOST, Asking

REFUSED = (
    "a\0b", "\0", "\x1b[31mred", "\x1b]0;title\x07", "a\rb", "a\nSet-Cookie: k=v", "a\r\n\r\n<script>", "\x7f",
    "\x9b31m", "\u202emoc.evil", "\u2066a\u2069", "\u2028x", "x\u2029", "\ud800", "", "x" * 201,
)  # fmt: skip
"""Names that are refused."""

TAKEN = (
    "<script>alert(1)</script>", "</script><script>alert(1)</script>", "</title><img src=x onerror=alert(1)>",
    "<!--", "-->", "<![CDATA[", "]]>", "--!><b>", "<svg onload=alert(1)>", "<a href='javascript:alert(1)'>x</a>",
    '"><img src=x>', "' onmouseover='alert(1)", "\" onload=\"alert(1)", "&lt;b&gt;", "&amp;", "&#60;b&#62;", "`${1}`",
    "{{7*7}}", "{% raw %}", "{0}", "%s%n", "../", "../../etc/passwd", "..\\..\\x", "/", "\\", ".", "..", "~", "~root",
    "%2e%2e%2f", "%00", "%0d%0aX: y", "?", "#e=1", "a;b=c", "a,b", "a=b&c=d", "filename=\"x.exe\"", "x.html", "x.jsonl",
    "con", "aux.", "-rf", "$(id)", "|id", "$IFS", "\u2800", "\u200b", "\ufeffx", "e\u0301", "é", "日本", "😀",
    "👨‍👩‍👧", "ﷺ", "A" * 200, " ", " a ", "constructor", "__proto__", "toString",
)  # fmt: skip
"""Names that are allowed."""

PLAIN = "plain"
_READ = (
    "", "/state", "/moments", "/marks", "/why", "/blame", "/forecast", "/unknowns", "/disputes", "/audit", "/repair",
    "/backup-plan?to=2", "/diff?a=2", "/bisect", "/search?q=turn", "/report.json",
)  # fmt: skip
_FILES = {
    "/record.jsonl": ".jsonl", "/record.dn": ".dn", "/timeline.svg": ".svg", "/board.svg": " board.svg",
    "/report.html": ".html", "/report.json": ".json", "/page.html": ".html",
}  # fmt: skip


class Owner:
    """A client that sends every request with the owner's key."""

    def __init__(self, store):
        high = Limits(requests=1e6, requests_burst=10**6, writes=1e6, writes_burst=10**6)
        self.house = House(shelf=Shelf(store), limits=high)
        self._ask = Asking(application(self.house))

    def __call__(self, target, body=None, media="application/octet-stream"):
        """The answer; the test fails if a header is broken."""
        headers = [("host", HOST), ("authorization", f"Bearer {self.house.keys.owner}")]
        headers += [] if body is None else [("content-type", media)]
        answer = self._ask(target, "GET" if body is None else "POST", headers, body or b"")
        for name, value in answer.headers.items():
            assert re.fullmatch(r"[a-z0-9-]+", name)
            assert re.fullmatch(r"[\x20-\x7e]*", value), (name, value)
        return answer


@pytest.fixture
def owner():
    """A client with the owner's key."""
    with Store.open("memory:") as store:
        yield Owner(store)


class Tags(HTMLParser):
    """The elements of a page with the names of their attributes, without texts."""

    def __init__(self, text):
        super().__init__()
        self.found = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        """Note an element."""
        self.found.append((tag, *(name for name, _value in attrs)))

    def handle_endtag(self, tag):
        """Note the end of an element."""
        self.found.append((f"/{tag}",))

    def handle_comment(self, data):
        """Note a comment."""
        self.found.append(("!--",))

    def handle_decl(self, decl):
        """Note a declaration."""
        self.found.append(("!", decl))

    def unknown_decl(self, data):
        """Note a section of another kind."""
        self.found.append(("![",))


def record_of(name):
    """A record in which every name is this one."""
    other = f"{name[:190]} too"
    events = [
        {"type": "game-started", "format": 1, "game": name, "players": [name, other]},
        {"type": "turn-began", "turn": 1, "active": [name]},
        {"type": "spell-cast", "player": name, "card": name, "note": name},
        {"type": "permanents-entered", "permanents": [{"id": name, "card": "Tavern Ruffian", "controller": name}]},
        {"type": "permanents-entered", "permanents": [{"id": other, "card": name, "controller": other}]},
        {"type": "designation-claimed", "designation": "night", "by": name},
        {"type": "dispute-opened", "dispute": name, "about": 6, "by": name},
        {"type": "dispute-claimed", "dispute": name, "designation": "night", "by": name, "says": name},
        {"type": "note-added", "about": 3, "says": name, "by": name},
    ]
    return "".join(json.dumps(event) + "\n" for event in events).encode()


def page_of(answer):
    """Return a list of the page's elements, and a set of those in its SVG pictures; assert the headers of a download.

    The number of elements in a picture depends on the width of the name, so only their kinds are compared.
    """
    assert answer.headers["content-security-policy"] == "sandbox"
    assert answer.headers["content-disposition"].startswith("attachment; ")
    assert answer.headers["x-content-type-options"] == "nosniff"
    page, pictures, deep = list[tuple[str, ...]](), set[tuple[str, ...]](), 0
    for one in Tags(answer.body.decode()).found:
        deep += (one[0] == "svg") - (one[0] == "/svg")
        if deep or one[0] == "/svg":
            pictures.add(one)
        else:
            page.append(one)
    return page, pictures


def check(owner, name, read=_READ, files=(*_FILES,)):
    """Assert that a game of this name can be imported, read, listed, linked to and saved, with no more elements."""
    stored = owner("/v1/imports", record_of(name))
    assert stored.status == 201, (name, stored)
    (row,) = stored.document["games"]
    assert (row["game"], row["id"]) == (name, id_of(name))
    place = f"/v1/games/{row['id']}"
    for path in read:
        answer = owner(f"{place}{path}")
        assert answer.status == 200, (name, path, answer)
        assert answer.headers["content-type"] == "application/json"
        assert answer.document
    assert owner(place).document["players"][0] == name
    assert name in [one["game"] for one in owner("/v1/games").document["games"]]
    assert owner(f"/g/{row['id']}").body == owner("/").body
    for path in files:
        answer, ending = owner(f"{place}{path}"), _FILES[path]
        said = re.fullmatch(r"attachment; filename\*=UTF-8''([A-Za-z0-9%._~-]+)", answer.headers["content-disposition"])
        assert said is not None
        assert unquote(said[1]) == re.sub(r"[/\\]", "_", name) + ending
        if ending not in (".jsonl", ".dn", ".json"):
            (page, pictures), (same, kinds) = page_of(answer), page_of(owner(f"/v1/games/{PLAIN}{path}"))
            assert page == same, (name, path)
            assert pictures <= kinds, (name, path, pictures - kinds)
    link = owner("/v1/links", json.dumps({"game": name, "role": "player", "name": name}).encode(), "application/json")
    assert link.document["url"].partition("#")[0] == f"http://{HOST}/t/{row['id']}"
    missing = owner(f"/v1/games/{id_of(name)}%20nobody/state")
    assert (missing.status, missing.headers["content-type"]) == (404, "application/problem+json")


@contextmanager
def logged():
    """Yield a list of the records that the server logs during the block."""
    records = []
    handler = logging.Handler()
    handler.emit = records.append  # type: ignore[method-assign,assignment]
    with_level = [(logger := logging.getLogger(name), logger.level) for name in ("daynight", "uvicorn")]
    for logger, _level in with_level:
        logger.addHandler(handler)
        logger.setLevel(logging.INFO)
    try:
        yield records
    finally:
        for logger, level in with_level:
            logger.removeHandler(handler)
            logger.setLevel(level)


@pytest.mark.parametrize("name", ["</script><img src=x onerror=alert(1)>/..\\\"'"])
def test_a_hostile_name_is_a_name(owner, name):
    with logged() as records:
        assert owner("/v1/imports", record_of(PLAIN)).status == 201
        check(owner, name, ("/state", "/moments"), ("/record.jsonl", "/timeline.svg"))
    assert records == []


@pytest.mark.slow
def test_every_hostile_name_is_a_name(owner):
    assert owner("/v1/imports", record_of(PLAIN)).status == 201
    with logged() as records:
        for name in TAKEN:
            check(owner, name)
    assert records == []


def test_other_names_are_refused_in_a_sentence(owner):
    """The refusal has no control characters, and nothing is stored."""
    for name in REFUSED:
        answer = owner("/v1/imports", record_of(name))
        assert answer.status == 422, (name, answer)
        assert not re.search(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]", answer.document["detail"]), name
    assert owner("/v1/games").document["games"] == []
