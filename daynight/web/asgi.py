"""The ASGI application: the door that checks every request, and behind it the routes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import cache
from typing import cast

from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import ASGIApp

from daynight.web import answers
from daynight.web.describing.openapi import openapi
from daynight.web.door.denials import refusal
from daynight.web.door.door import Door, too_large
from daynight.web.queries import read_query
from daynight.web.routes.table import ROUTES
from daynight.web.visit import House, Visit


def application(house: House) -> ASGIApp:
    """Return the ASGI application: the routes behind the door."""
    house.openapi = cache(lambda: openapi([route for route in ROUTES if house.serves(route)]))
    return Door(_answered, house, ROUTES)


async def _answered(visit: Visit, request: Request) -> Response:
    """Return the response of the route that the door found."""
    route = visit.route
    assert route is not None
    visit.request = request
    try:
        if route.takes == answers.JSON:
            visit.body = await _body(request, visit.house.limits.body)
        visit.query = read_query(route.query, visit.scope["query_string"])
        if route.before is not None:
            await run_in_threadpool(route.before, visit)
        if route.awaited:
            return await cast(Callable[[Visit], Awaitable[Response]], route.answer)(visit)
        if route.computed and visit.house.computing is not None:
            answer = await visit.house.computing.answer(visit, ROUTES.index(route))
        else:
            answer = await run_in_threadpool(cast(Callable[[Visit], Response], route.answer), visit)
        return answer if route.after is None else await run_in_threadpool(route.after, visit, answer)
    except ClientDisconnect:
        # The client has disconnected: this response is not received.
        return Response(None, 400)
    except Exception as error:
        return refusal(visit, error)


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
