"""The routes that read a what-if: they answer as the routes of a game do, but about the branch that edits make."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import msgspec
from starlette.responses import Response

from daynight.framework.language.errors import RecordError
from daynight.notation.phrases import PhraseError
from daynight.web import answers
from daynight.web.errors import Problem
from daynight.web.queries import Query
from daynight.web.routes import asking, comparing, reading
from daynight.web.visit import Example, Route, Visit
from daynight.web.writing.bodies import shaped
from daynight.web.writing.tries import check_edits
from daynight.web.writing.walking import Walked, walked

_PATH = "/v1/games/{id}"
_READ = {route.path: route for route in (*reading.ROUTES, *asking.ROUTES, *comparing.ROUTES) if route.method == "GET"}


def look(visit: Visit) -> None:
    """Refuse a body with too many edits, with none, or with an edit that is not exactly one change.

    This runs before anything is computed.
    """
    check_edits(shaped(visit.body, Walked).edits, visit.house.limits.edits)


def _on(route: Route) -> Callable[[Visit], Response]:
    def answer(visit: Visit) -> Response:
        asked = shaped(visit.body, Walked)
        try:
            query = msgspec.convert(asked.asked(), route.query)
        except msgspec.ValidationError as error:
            raise Problem(400, "bad-parameter", str(error)) from None
        try:
            tried = walked(visit.shelved, asked)
        except PhraseError as error:
            raise Problem(422, "unreadable", str(error)) from None
        except RecordError as error:
            raise error.located(file=visit.shelved.label) from None
        found: Any = route.answer(replace(visit, game=tried, query=query, headers={}, method="GET"))
        document: dict[str, Any] = msgspec.json.decode(found.body)
        for moment in document.get("moments", ()):
            moment["of"] = tried.branch.origins[moment["event"] - 1]
        return answers.json(document | tried.document())

    return answer


_EXAMPLE = {"edits": [{"at": "e5", "insert": ["Bo casts Opt"]}]}


def _walk(name: str, summary: str) -> Route:
    return Route(
        method="POST", path=f"{_PATH}/what-if/{name}", answer=_on(_READ[f"{_PATH}/{name}"]), summary=summary,
        may="try", takes=answers.JSON, query=Query, computed=True, before=look, example=Example(body=_EXAMPLE),
    )  # fmt: skip


ROUTES = (
    _walk("moments", "A page of the log of a what-if"),
    _walk("state", "The state after an event of a what-if"),
    _walk("why", "Why it is what it is in a what-if"),
    _walk("audit", "Where a what-if and the rules disagree"),
    _walk("marks", "What the timeline of a what-if draws"),
)
