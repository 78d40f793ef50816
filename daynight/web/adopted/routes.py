"""The routes that only adopted records have."""

from __future__ import annotations

from starlette.responses import Response

from daynight.framework.language.wording import _
from daynight.pictures import machine_svg
from daynight.web import answers
from daynight.web.adopted.shelf import AdoptedRecord
from daynight.web.errors import Problem
from daynight.web.queries import At
from daynight.web.routes.places import located
from daynight.web.visit import Example, Route, Visit

PICTURE = "image/svg+xml"


def machine(visit: Visit) -> Response:
    """Return a picture (SVG) of a record's machine, with the ways taken up to event `at`; Problem if it has none."""
    shelved = visit.shelved
    if not isinstance(shelved, AdoptedRecord) or shelved.ways is None:
        raise Problem(404, "no-such-route", _("this record is of no machine"))
    game, number = shelved.game(), located(shelved, visit.query.at)
    picture = machine_svg(shelved.ways(game if number == len(game) else game.what_if(number, ())))
    return answers.file(picture.encode(), f"{shelved.name}.svg", PICTURE)


ROUTES = (
    Route(
        method="GET", path="/v1/games/{id}/machine.svg", answer=machine, summary="The machine as a picture", query=At,
        example=Example(answer="<svg/>", media=PICTURE),
    ),
)  # fmt: skip
