"""The door: it checks every request in one fixed order, and refuses it at the first check that fails."""

from __future__ import annotations

import re
from asyncio import CancelledError
from collections.abc import Awaitable, Callable, Sequence
from contextlib import nullcontext, suppress
from functools import partial
from urllib.parse import quote_from_bytes, unquote_to_bytes

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from daynight.framework.language.grammar import commas
from daynight.framework.language.wording import _
from daynight.languages.speaking import speaking
from daynight.store.database.guard import guarded
from daynight.web import answers
from daynight.web.door.callers import check_key, check_rate, check_role, shown_as
from daynight.web.door.denials import refusal
from daynight.web.door.headers import completed
from daynight.web.door.hosts import ABSOLUTE, check_host, check_lengths, check_origin
from daynight.web.door.languages import liked, named
from daynight.web.errors import Problem
from daynight.web.limits import KIB
from daynight.web.shelf import name_of
from daynight.web.visit import House, Route, Visit

PIECE = 64 * KIB
"""The bytes of an answer that are sent at a time."""


NO_STORE = ("open", "greet")
"""The values of `Route.may` for routes that answer without the store: they need no key."""


class Door:
    """An ASGI application that finds the route, the caller and the game of a request, and answers or refuses it.

    `answered` is called with the visit and the request after all checks, and returns the route's response.
    """

    def __init__(
        self, answered: Callable[[Visit, Request], Awaitable[Response]], house: House, routes: Sequence[Route]
    ) -> None:
        self._answered = answered
        self._house = house
        # By how many slashes the path has: most routes need not be tried.
        self._routes: dict[int, list[tuple[re.Pattern[str], Route]]] = {}
        for route in routes:
            self._routes.setdefault(route.path.count("/"), []).append((_pattern(route.path), route))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request with the response of its route, or with a problem document where a check refuses it."""
        if scope["type"] != "http":
            return
        visit = self._arrived(scope)
        send = partial(_sent, send, visit)
        with suppress(CancelledError):
            # Cancelled when the server ends: the connection is cut by then, so there is no answer to send.
            await self._visited(visit, scope, receive, send)

    async def _visited(self, visit: Visit, scope: Scope, receive: Receive, send: Send) -> None:
        with speaking(visit.language):
            try:
                async with self._house.turns.of(visit.shown):
                    await self._house.threads.run(self._admit, visit)
            except Exception as error:
                answer = refusal(visit, error)
                await self._house.rounds.turn(visit.shown)
                await answer(scope, receive, send)
                return
            with nullcontext() if visit.method == "GET" else self._house.hub.writing():
                answer = await self._answered(visit, Request(scope, receive))
                await self._house.rounds.turn(visit.shown)
                await answer(scope, receive, send)

    def _arrived(self, scope: Scope) -> Visit:
        headers: dict[str, tuple[str, ...]] = {}
        for name, value in scope["headers"]:
            key = name.decode("latin-1").lower()
            headers[key] = (*headers.get(key, ()), value.decode("latin-1"))
        language = named(scope["query_string"])
        found = Visit(
            house=self._house,
            scope=scope,
            method="GET" if scope["method"] == "HEAD" else scope["method"],
            path=plain(origin_form(scope["raw_path"])),
            headers=headers,
            language=language or liked(",".join(headers.get("accept-language", ()))),
            chosen=language is not None,
        )
        found.shown = shown_as(found)
        return found

    def _admit(self, visit: Visit) -> None:
        for step in (check_host, check_lengths, check_origin, self._find_route, *STEPS):
            step(visit)

    def _find_route(self, visit: Visit) -> None:
        """Set `visit.route` and `visit.params`; refuse an unknown path (404), or a method that it lacks (405)."""
        near = self._routes.get(visit.path.count("/"), ())
        every = [(match, route) for pattern, route in near if (match := pattern.fullmatch(visit.path))]
        found = [(match, route) for match, route in every if self._house.serves(route)]
        for match, route in found:
            if route.method == visit.method:
                visit.route, visit.params = route, match.groupdict()
                return
        if not found or any(route.method == visit.method for _match, route in every):
            # This is also the answer for a route of day and night where another mechanic is served.
            raise Problem(404, "no-such-route", _("there is nothing at this address"))
        methods = sorted({name for _match, route in found for name in _methods(route)})
        sentence = _("this address takes {methods}").format(methods=commas(methods))
        raise Problem(405, "method", sentence, headers={"Allow": ", ".join(methods)})


def find_game(visit: Visit) -> None:
    """Set `visit.game` to the game that the address names; refuse the request (404) if there is none."""
    assert visit.route is not None
    if "id" in visit.params and visit.route.may != "open":
        visit.game = visit.shelf.find(name_of(visit.params["id"]))


def check_store(visit: Visit) -> None:
    """Refuse a request that needs the store if the store's file is missing or was replaced."""
    assert visit.route is not None
    store, stored = visit.shelf.store, visit.game is None or visit.game.kind == "stored"
    if store is not None and stored and visit.route.may not in NO_STORE:
        with guarded():
            store.recorder.check_there()


def check_media(visit: Visit) -> None:
    """Refuse a body (415) whose `Content-Type` is not the media type that the route takes."""
    assert visit.route is not None
    takes = visit.route.takes
    given = (visit.header("content-type") or "").partition(";")[0].strip().lower()
    if takes is not None and (given != takes or len(visit.headers.get("content-type", ())) != 1):
        raise Problem(415, "media-type", _("the body has to be {media}").format(media=takes))


def check_size(visit: Visit) -> None:
    """Refuse a body (413) whose `Content-Length` is too large."""
    assert visit.route is not None
    limits = visit.house.limits
    most = limits.body if visit.route.takes == answers.JSON else limits.upload
    length = visit.header("content-length") or "0"
    if visit.route.takes is not None and length.isdecimal() and int(length) > most:
        raise too_large(most)


def too_large(most: int) -> Problem:
    """Return the problem (413) for a body of more than `most` bytes."""
    return Problem(413, "too-large", _("the body may have {most} bytes").format(most=most))


STEPS: tuple[Callable[[Visit], None], ...] = (
    check_key,
    find_game,
    check_role,
    check_rate,
    check_media,
    check_size,
    check_store,
)
"""The checks once the route is known, in their order."""


def plain(path: bytes) -> str:
    """Return a path in the form in which it is compared: only characters that need it are percent-encoded.

    >>> plain(b"/v1/games/%61%2fb")
    '/v1/games/a%2Fb'
    """
    return "/".join(quote_from_bytes(unquote_to_bytes(part), safe="") for part in path.split(b"/"))


def origin_form(target: bytes) -> bytes:
    """Return the path in `target`, which may be a whole address: clients send proxies a whole address.

    >>> origin_form(b"http://127.0.0.1:8000/v1"), origin_form(b"http://127.0.0.1:8000"), origin_form(b"/v1")
    (b'/v1', b'/', b'/v1')
    """
    found = ABSOLUTE.match(target)
    return target if found is None else target[found.end() :] or b"/"


def _pattern(path: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", re.sub(r"[.]", r"[.]", path)))


def _methods(route: Route) -> tuple[str, ...]:
    return ("GET", "HEAD") if route.method == "GET" else (route.method,)


async def _sent(send: Send, visit: Visit, message: Message) -> None:
    if message["type"] == "http.response.start":
        problem = (b"content-type", answers.PROBLEM.encode()) in message.get("headers", ())
        vary = (problem or visit.path.startswith("/v1")) and not visit.chosen
        message = {**message, "headers": completed(message.get("headers", ()), vary=vary)}
    elif message["type"] == "http.response.body" and len(message.get("body", b"")) > PIECE:
        # Sent at once, all of it would wait in the connection of a client that reads slowly.
        body = memoryview(message["body"])
        for first in range(0, len(body) - PIECE, PIECE):
            await send({**message, "body": body[first : first + PIECE], "more_body": True})
            # A client that reads at once would keep all others waiting until it has everything.
            await visit.house.rounds.turn(visit.shown)
        message = {**message, "body": body[(len(body) - 1) // PIECE * PIECE :]}
    await send(message)
