"""Examples: calls the reading routes about a small game, so that example answers are never out of date."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec
from starlette.responses import Response

from daynight.records import Held
from daynight.web import answers
from daynight.web.queries import read_query
from daynight.web.shelf import Shelf
from daynight.web.visit import House, Route, Visit

GAME = "g1"

LINES = b"""\
{"type":"game-started","format":1,"game":"g1","players":["Ana","Bo"]}
{"type":"turn-began","turn":1,"active":["Ana"]}
{"type":"spell-cast","player":"Ana","card":"Tavern Ruffian"}
{"type":"permanents-entered","permanents":[{"id":"w1","card":"Tavern Ruffian","controller":"Ana"}]}
{"type":"turn-began","turn":2,"active":["Bo"]}
{"type":"spell-cast","player":"Ana","card":"Opt","note":"on Bo's turn: it does not count"}
{"type":"turn-began","turn":3,"active":["Ana"]}
{"type":"step-began","step":"untap"}
{"type":"designation-claimed","designation":"day","by":"arena"}
"""
"""A game in which it becomes night, and a claim says that it is day."""

_ASKED = {
    "moments": b"from=8&limit=2",
    "state": b"at=8",
    "why": b"at=8",
    "diff": b"a=4&b=8",
    "search": b"q=Opt",
    "backup-plan": b"from=9&to=6",
    "bisect": b"until=designation:night",
}
"""The query of an example, by the last segment of its route."""

_STREAM = 'retry: 1000\n\nevent: moment\nid: 9\ndata: {"event": 9, "record": {"type": "designation-claimed"}}\n\n'
_TEXTS = {"text/event-stream": _STREAM, "text/html": "<!doctype html>", "application/octet-stream": "..."}


@cache
def _house() -> House:
    return House(shelf=Shelf(None, [Held(f"{GAME}.jsonl", LINES)]))


def example_of(route: Route) -> Any:
    """Return an example of a route's answer: its own, a fixed text, or its answer about `LINES`; None for a write."""
    tried = "/what-if" in route.path
    if route.example.answer is not None or (route.method != "GET" and not tried):
        return route.example.answer
    if route.example.media in _TEXTS:
        return _TEXTS[route.example.media]
    if not route.path.startswith("/v1/games"):
        return {"openapi": "3.1.0"}
    house = _house()
    game = house.shelf.find(GAME) if "{id}" in route.path else None
    asked = b"" if tried else _ASKED.get(route.path.rpartition("/")[2], b"")
    visit = Visit(
        house=house,
        scope={"query_string": asked},
        method=route.method,
        path=route.path.replace("{id}", GAME),
        headers={},
        route=route,
        params={"id": GAME},
        game=game,
        query=read_query(route.query, asked),
        body=msgspec.json.encode(route.example.body) if tried else b"",
    )
    found: Any = route.answer(visit)
    assert isinstance(found, Response)
    return msgspec.json.decode(found.body) if route.example.media == answers.JSON else bytes(found.body).decode()
