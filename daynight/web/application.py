"""The ASGI application: all routes, served and described by FastAPI, behind the door that checks every request."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import cache
from threading import Thread
from typing import cast

from fastapi import FastAPI
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import ASGIApp

from daynight import __version__
from daynight.notation.lines.grammar import parser
from daynight.web import answers
from daynight.web.describing.openapi import completed, described
from daynight.web.door.door import Door, too_large
from daynight.web.door.refusals import refusal
from daynight.web.queries import read_query
from daynight.web.routes.table import ROUTES
from daynight.web.visit import House, Route, Visit


def application(house: House) -> ASGIApp:
    """Return the ASGI application: the routes behind the door."""
    return Door(inner(house), house, ROUTES)


def inner(house: House) -> FastAPI:
    """Return the routes without the door, as a FastAPI application."""
    app = FastAPI(
        title="daynight",
        version=__version__,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        redirect_slashes=False,
        lifespan=_lifespan(house),
    )
    served = [route for route in ROUTES if house.shelf.is_of_games or not route.of_games]
    for route in served:
        app.add_api_route(
            route.path,
            _endpoint(route),
            methods=[route.method],
            summary=route.summary,
            status_code=route.example.status,
            response_class=Response,
            openapi_extra=described(route),
        )
    house.openapi = cache(lambda: completed(app.openapi(), served))
    return app


def _lifespan(house: House) -> Callable[[FastAPI], AbstractAsyncContextManager[None]]:
    @asynccontextmanager
    async def living(app: FastAPI) -> AsyncIterator[None]:
        if house.pen is not None and house.shelf.is_of_games:
            # Build the grammar now, so that the first command in words does not wait for it.
            Thread(target=parser, name="daynight-grammar", daemon=True).start()
        try:
            yield
        finally:
            if house.computing is not None:
                await run_in_threadpool(house.computing.close)

    return living


def _endpoint(route: Route) -> Callable[[Request], Awaitable[Response]]:
    async def answered(request: Request) -> Response:
        visit: Visit = request.state.visit
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

    return answered


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
