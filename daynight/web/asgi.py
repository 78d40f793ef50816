"""The ASGI application: the door that checks every request, and behind it the routes."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import cache
from typing import cast

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import ASGIApp

from daynight.web import answers
from daynight.web.describing.openapi import openapi
from daynight.web.door.callers import check_still
from daynight.web.door.denials import refusal
from daynight.web.door.door import Door, too_large
from daynight.web.live.stream import TRANSPORT
from daynight.web.queries import read_query
from daynight.web.routes.table import ROUTES
from daynight.web.visit import House, Visit


def application(house: House) -> ASGIApp:
    """Return the ASGI application: the routes behind the door."""
    routes = (*ROUTES, *house.shelf.routes)
    house.openapi = cache(lambda: openapi([route for route in routes if house.serves(route)]))
    return Door(_answered, house, routes)


async def _answered(visit: Visit, request: Request) -> Response:
    """Return the response of the route that the door found."""
    route = visit.route
    assert route is not None
    visit.request = request
    try:
        if route.takes == answers.JSON:
            visit.body = await _body(request, visit.house.limits.body)
            await visit.house.threads.run(check_still, visit)
        visit.query = read_query(route.query, visit.scope["query_string"])
        if route.before is not None:
            await visit.house.threads.run(route.before, visit)
        if route.awaited:
            return await cast(Callable[[Visit], Awaitable[Response]], route.answer)(visit)
        if visit.house.computing is not None and (
            route.computed(visit) if callable(route.computed) else route.computed
        ):
            answer = await _computed(visit, request)
            await visit.house.threads.run(check_still, visit)
        else:
            async with visit.house.turns.of(visit.who):
                if visit.method == "GET" and _is_gone(request):
                    raise ClientDisconnect
                answer = await visit.house.threads.run(cast(Callable[[Visit], Response], route.answer), visit)
        return answer if route.after is None else await visit.house.threads.run(route.after, visit, answer)
    except ClientDisconnect:
        # The client has disconnected: this response is not received.
        return Response(None, 400)
    except Exception as error:
        return refusal(visit, error)


async def _computed(visit: Visit, request: Request) -> Response:
    """Return the response of a worker, unless the client has it already; give the work up when the client goes.

    Raises:
        ClientDisconnect: where it goes.
    """
    assert visit.house.computing is not None
    assert visit.route is not None
    computing, place = visit.house.computing, ROUTES.index(visit.route)
    async with visit.house.turns.of(visit.who):
        known = await visit.house.threads.run(answers.known, visit)
        if known is not None:
            return known
        question = await visit.house.threads.run(computing.question, visit, place)
    answer = asyncio.ensure_future(computing.answer(question, visit, place))
    gone = asyncio.ensure_future(_gone(request))
    try:
        await asyncio.wait((answer, gone), return_when=asyncio.FIRST_COMPLETED)
        if not answer.done():
            raise ClientDisconnect
        return answers.unless_had(visit, answer.result())
    finally:
        for task in (answer, gone):
            task.cancel()
        await asyncio.wait((answer, gone))


def _is_gone(request: Request) -> bool:
    """Return whether the client's connection is closed: others of its requests may have taken long."""
    transport = request.scope.get("extensions", {}).get(TRANSPORT)
    return transport is not None and transport.is_closing()


async def _gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def _body(request: Request, most: int) -> bytes:
    """Return the body of a request as bytes.

    Raises:
        Problem: where it has more than `most` bytes.
    """
    found = bytearray()
    async for piece in request.stream():
        found += piece
        if len(found) > most:
            raise too_large(most)
    return bytes(found)
