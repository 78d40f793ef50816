"""The routes that need no key: the page and its files, the description of the routes, and facts about the server."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from importlib.resources import files
from mimetypes import guess_type

import msgspec
from starlette.responses import Response

from daynight import __version__
from daynight.framework.language.wording import _
from daynight.languages.speaking import LANGUAGES
from daynight.rules import RULES
from daynight.rules.citations import EDITIONS
from daynight.web import answers
from daynight.web.describing.docs import docs_page
from daynight.web.door.grants import Grant
from daynight.web.errors import Problem
from daynight.web.limits import Limits
from daynight.web.visit import Example, Route, Visit

WORKER = "service-worker.js"
"""The one asset whose name has no digest: browsers know a service worker by its name."""

_STATIC = files("daynight.web") / "static"


def page(visit: Visit) -> Response:
    """Answer with the page, the same for every address."""
    shell = _STATIC / "index.html"
    if not shell.is_file():
        raise Problem(404, "no-such-route", _("the page is not built; make page builds it"))
    return _kept(visit, shell.read_bytes(), "text/html; charset=utf-8")


def asset(visit: Visit) -> Response:
    """Answer with a file of the page; clients may cache it without asking, unless it is `WORKER`."""
    data = _assets().get(visit.params["name"])
    if data is None:
        raise Problem(404, "no-such-route", _("there is nothing at this address"))
    media = guess_type(visit.params["name"])[0] or "application/octet-stream"
    if visit.params["name"] == WORKER:
        # It works for the whole page, not for `/assets` alone; a browser asks each time whether there is a new one.
        kept = _kept(visit, data, media)
        kept.headers["Service-Worker-Allowed"] = "/"
        return kept
    headers = {"Cache-Control": "public, max-age=31536000, immutable"}
    return Response(data, 200, headers, media)


def docs(visit: Visit) -> Response:
    """Answer with the description of the routes as an HTML page that loads nothing from elsewhere."""
    return _kept(visit, docs_page(visit.house.openapi()).encode(), "text/html; charset=utf-8")


def openapi(visit: Visit) -> Response:
    """Answer with the OpenAPI description of the routes, as JSON."""
    return _kept(visit, msgspec.json.encode(visit.house.openapi()), answers.JSON)


def about(visit: Visit) -> Response:
    """Answer with the server's versions and limits, and the caller's role."""
    you = None if visit.caller is None else visit.caller.most
    return answers.json(
        {
            "daynight": __version__,
            "mechanic": None if visit.shelf.is_of_games else visit.shelf.called,
            "rules": RULES,
            "editions": [*EDITIONS] if visit.shelf.source is None else [],
            "languages": [*LANGUAGES],
            "limits": msgspec.to_builtins(visit.house.limits),
            "you": None if you is None else _told(you),
            **({} if visit.shelf.source is None else {"source": visit.shelf.source}),
        }
    )


def _told(you: Grant) -> dict[str, str | bool | None]:
    told: dict[str, str | bool | None] = {"role": you.role, "name": you.name}
    return told | {"rules": True} if you.rules else told


@cache
def _assets() -> dict[str, bytes]:
    """Return the files in the page's folder of assets by name, read once."""
    folder = _STATIC / "assets"
    return {one.name: one.read_bytes() for one in folder.iterdir() if one.is_file()} if folder.is_dir() else {}


def _kept(visit: Visit, data: bytes, media: str) -> Response:
    """Return `data` with an `ETag`, to be revalidated each time; 304 if the client's copy is still right."""
    tag = f'"{sha256(data).hexdigest()[:40]}"'
    headers = {"ETag": tag, "Cache-Control": "no-cache"}
    if answers.matches(visit, tag) or answers.matches(visit, answers.ANY):
        return Response(None, 304, headers)
    return Response(data, 200, headers, media)


_HTML = Example(media="text/html")
_ABOUT = Example(
    answer={
        "daynight": __version__,
        "mechanic": None,
        "rules": RULES,
        "editions": [*EDITIONS],
        "languages": [*LANGUAGES],
        "limits": msgspec.to_builtins(Limits()),
        "you": None,
    }
)

ROUTES = (
    Route(method="GET", path="/", answer=page, summary="The page", may="open", is_page=True, example=_HTML),
    Route(method="GET", path="/g/{id}", answer=page, summary="The page of a game", may="open", is_page=True,
          example=_HTML),
    Route(method="GET", path="/t/{id}", answer=page, summary="The table of a game", may="open", is_page=True,
          example=_HTML),
    Route(method="GET", path="/assets/{name}", answer=asset, summary="What the page is made of", may="open",
          example=Example(media="application/octet-stream")),
    Route(method="GET", path="/docs", answer=docs, summary="These routes, described", may="open", is_page=True,
          example=_HTML),
    Route(method="GET", path="/openapi.json", answer=openapi, summary="The same, as OpenAPI", may="open"),
    Route(method="GET", path="/v1", answer=about, summary="What serves here", may="greet", example=_ABOUT),
)  # fmt: skip
