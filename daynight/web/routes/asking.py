"""The routes that ask a game something: what the commands of those names print with `--json`."""

from __future__ import annotations

from typing import Any

from starlette.responses import Response

from daynight.audit.audit import Auditor
from daynight.web import answers
from daynight.web.queries import Cited, CitedAt
from daynight.web.routes.reading import is_numbered, located
from daynight.web.visit import Route, Visit


def why(visit: Visit) -> Response:
    """Why it is what it is."""
    number, edition = located(visit, visit.query.at), visit.query.cited

    def ask(game: Any) -> dict[str, Any]:
        found: dict[str, Any] = game.why(number, edition=edition).document()
        return found

    def made() -> Response:
        return answers.json(visit.shelved.asked(number, ask))

    return answers.kept(visit, number, made) if is_numbered(visit.query.at) else made()


def audit(visit: Visit) -> Response:
    """Every claim and ruling beside what is derived."""
    found = Auditor(visit.query.cited).record(visit.shelved.record())
    found.record = visit.shelved.label
    return answers.json(found.document())


ROUTES = (
    Route(method="GET", path="/v1/games/{id}/why", answer=why, summary="Why it is what it is", query=CitedAt),
    Route(method="GET", path="/v1/games/{id}/audit", answer=audit, summary="Where the record and the rules disagree",
          query=Cited, of_games=True),
)  # fmt: skip
