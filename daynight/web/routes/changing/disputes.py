"""The routes that carry a dispute from the call to its end."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import cast

from starlette.responses import Response

from daynight.framework.language.codec import versioned
from daynight.game import Game
from daynight.keeping.appending import Added
from daynight.keeping.hearing import act_document
from daynight.store import Appended
from daynight.web import answers
from daynight.web.routes.changing.commands import answered, pen_of, written
from daynight.web.shelf import name_of
from daynight.web.visit import Example, Route, Visit
from daynight.web.writing.acts import Act, Appealed, Claimed, Closed, Opened, Ruled, act, no_dispute, open_dispute
from daynight.web.writing.bodies import shaped


def post_dispute(visit: Visit) -> Response:
    """Store that a judge was called, which opens a dispute; answer with its id, its status and the new events."""
    asked, pen = shaped(visit.body, Opened), pen_of(visit)
    return _answered(visit, written(visit, lambda: open_dispute(pen, visit.shelved.name, visit.granted, asked)))


def post_act(visit: Visit, *, shape: type[Act]) -> Response:
    """Store a claim, a ruling, an appeal or the end of a dispute, as `shape`, the type of the body, says.

    Answer with the dispute's id, its status and the new events.
    """
    asked, pen, dispute = shaped(visit.body, shape), pen_of(visit), name_of(visit.params["d"])
    if dispute is None:
        raise no_dispute("")
    return _answered(visit, act(pen, visit.shelved.name, visit.granted, dispute, asked))


def _answered(visit: Visit, appended: Appended) -> Response:
    game = cast(Game, visit.shelved.game())
    kept = Added(game, appended.first, appended.last, appended.command, appended.repeated)
    return answered(appended, versioned(act_document(kept)))


_ANSWER = {
    "version": 1,
    "game": "friday",
    "dispute": "d1",
    "status": "open",
    "events": [{"event": 42, "type": "dispute-opened", "consequences": []}],
    "command": "9f3c/20",
    "repeated": False,
}


def _route(path: str, answer: Callable[[Visit], Response], summary: str, may: str, body: dict[str, object]) -> Route:
    example = Example(status=201, answer=_ANSWER, body={"command": "9f3c/20", **body})
    return Route(
        method="POST", path=f"/v1/games/{{id}}/disputes{path}", answer=answer, summary=summary,
        may=may, takes=answers.JSON, of_games=True, example=example,
    )  # fmt: skip


ROUTES = (
    _route("", post_dispute, "Call a judge", "act", {"about": 41}),
    _route("/{d}/claims", partial(post_act, shape=Claimed), "Say what it is", "act", {"designation": "night"}),
    _route("/{d}/rulings", partial(post_act, shape=Ruled), "Rule", "rule", {"outcome": "leave"}),
    _route("/{d}/appeals", partial(post_act, shape=Appealed), "Appeal the last ruling", "act", {}),
    _route("/{d}/close", partial(post_act, shape=Closed), "Close the dispute", "rule", {}),
)
