"""The ASGI application: the door that checks every request, and behind it the routes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Hashable
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
from daynight.web.visit import House, Route, Visit


def application(house: House) -> ASGIApp:
    """Return the ASGI application: the routes behind the door."""
    routes = (*ROUTES, *house.shelf.routes)
    house.openapi = cache(lambda: openapi([route for route in routes if house.serves(route)]))
    house.draft = _drafted
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
        visit.query = read_query(route.query, b"" if route.is_page else visit.scope["query_string"])
        if route.before is not None:
            await visit.house.threads.run(route.before, visit)
        if route.awaited:
            return await cast(Callable[[Visit], Awaitable[Response]], route.answer)(visit)
        async with visit.house.turns.of(visit.who):
            if visit.method == "GET" and _is_gone(request):
                raise ClientDisconnect
            begun = await visit.house.threads.run(_begun, visit)
        answer = begun if isinstance(begun, Response) else await _computed(visit, begun)
        return answer if route.after is None else await visit.house.threads.run(route.after, visit, answer)
    except ClientDisconnect:
        # The client has disconnected: this response is not received.
        return Response(None, 400)
    except Exception as error:
        return refusal(visit, error)


def _begun(visit: Visit) -> Response | Hashable:
    """Return the response to a visit or, if a worker must compute it, the question for `_computed`."""
    route, computing = visit.route, visit.house.computing
    assert route is not None
    if computing is None or not (route.computed(visit) if callable(route.computed) else route.computed):
        return cast(Callable[[Visit], Response], route.answer)(visit)
    return answers.known(visit) or computing.question(visit, _place_of(route))


async def _computed(visit: Visit, question: Hashable) -> Response:
    """Return the response of a worker, from the cache if it is there, or the 304 of `unless_had`.

    Raises:
        ClientDisconnect: where the client disconnects.
        Problem: as `Computing.attended`, or where the caller's key has ended meanwhile.
    """
    computing = visit.house.computing
    assert computing is not None
    assert visit.route is not None
    answer = computing.had(question)
    if answer is None:
        answer = await computing.attended(question, visit, _place_of(visit.route))
        await visit.house.threads.run(check_still, visit)
    return answers.unless_had(visit, answer)


def _place_of(route: Route) -> int:
    """Return the index of a route in `ROUTES`, by which a worker finds it."""
    return next(place for place, one in enumerate(ROUTES) if one is route)


async def _drafted(visit: Visit) -> Response:
    """Return the result of the route's `draft`, computed in a worker, or in a thread if there are no workers.

    Raises:
        ClientDisconnect: where the client disconnects.
        Problem: as `Threads.run` or `Computing.attended`.
    """
    house, route = visit.house, visit.route
    assert route is not None
    assert route.draft is not None
    if house.computing is None:
        return await house.threads.run(route.draft, visit)
    place, by = _place_of(route), visit.granted
    question = await house.threads.run(house.computing.question, visit, place)
    return await house.computing.attended((question, visit.query, by.role, by.name, by.rules), visit, place)


def _is_gone(request: Request) -> bool:
    """Return whether the client has disconnected, for example while its request waited for its turn."""
    transport = request.scope.get("extensions", {}).get(TRANSPORT)
    return transport is not None and transport.is_closing()


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
