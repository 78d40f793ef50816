"""The routes that read games: the list, one game, its state at a moment, and its log."""

from __future__ import annotations

from starlette.responses import Response

from daynight.referee.documents import state_document
from daynight.referee.state import State
from daynight.rules.citations import DEFAULT_EDITION
from daynight.web import answers
from daynight.web.game_list import GamesQuery
from daynight.web.queries import CitedAt, Limit, Query, Text, position
from daynight.web.routes.places import is_numbered, is_searched, located, refuse_given
from daynight.web.telling.about import about_game
from daynight.web.telling.moments import page
from daynight.web.telling.teller import teller_of
from daynight.web.visit import Route, Visit


class MomentsQuery(Query, frozen=True, kw_only=True, rename={"start": "from"}):
    """The parameters of a page of moments: `from` is the first one's position, `limit` the most moments."""

    start: Text | None = None
    limit: Limit = 100


FEW = 100
"""The most moments that the server encodes itself; a worker encodes longer pages."""


def is_long(visit: Visit) -> bool:
    """Return whether a page has more than `FEW` moments, or a whole record must be read for it (`is_searched`).

    Raises:
        PositionError: where a parameter is no position.
    """
    query: MomentsQuery = visit.query
    if is_searched(visit):
        return True
    asked = position(query.start)
    first = 1 if asked is None or asked.event is None else asked.event
    return min(query.limit, visit.shelved.last - first + 1) > FEW


def games(visit: Visit) -> Response:
    """Answer with a page of the list of games."""
    return answers.json(visit.house.catalogue.page(visit.query))


def game(visit: Visit) -> Response:
    """Answer with a game's players, edition, branches, and numbers of events and turns, as from `about_game`."""
    return answers.json(about_game(visit.shelf, visit.shelved))


def state(visit: Visit) -> Response:
    """Answer with the state after the event at the position `at`, the last one if it is not given."""
    query: CitedAt = visit.query
    if not visit.shelf.is_of_games:
        refuse_given(visit, "edition")
    edition = query.cited
    number = located(visit.shelved, query.at)

    def made() -> Response:
        if visit.shelf.is_of_games:
            then: State = visit.shelved.recalled(number)
            return answers.document(state_document(then, edition or then.edition or DEFAULT_EDITION))
        return answers.document(teller_of(visit.shelved).now(visit.shelved.game(), number, None))

    return answers.kept(visit, number, made) if is_numbered(query.at) else made()


def moments(visit: Visit) -> Response:
    """Answer with a page of the log: the moments from the position `from`."""
    shelved, query = visit.shelved, visit.query
    last = shelved.last
    asked = position(query.start)
    if asked is None:
        first = 1
    elif asked.event == last + 1 and asked.branch is None:
        first = last + 1
    else:
        first = located(shelved, query.start)
    until = min(first + query.limit - 1, last)

    def made() -> Response:
        return Response(page(shelved, teller_of(visit.shelved), first, until), media_type=answers.JSON)

    return answers.kept(visit, until, made) if first + query.limit - 1 <= last else made()


ROUTES = (
    Route(method="GET", path="/v1/games", answer=games, summary="The games", may="list", query=GamesQuery),
    Route(method="GET", path="/v1/games/{id}", answer=game, summary="A game"),
    Route(method="GET", path="/v1/games/{id}/state", answer=state, summary="The state after an event", query=CitedAt,
          computed=is_searched),
    Route(method="GET", path="/v1/games/{id}/moments", answer=moments, summary="A page of the log",
          query=MomentsQuery, computed=is_long),
)  # fmt: skip
