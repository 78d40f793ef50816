"""The routes that answer with files to save: records, pictures, reports and pages."""

from __future__ import annotations

from functools import partial
from io import StringIO
from typing import Any

from starlette.responses import Response

from daynight.framework.branches import digest_of
from daynight.framework.language.codec import versioned
from daynight.framework.language.wording import _
from daynight.machine.shells import likely, quoted
from daynight.notation import write
from daynight.pictures import board_svg, timeline_svg
from daynight.reports import KeptBranch, Report, rendered
from daynight.reports import report as reported
from daynight.store.branches import branches
from daynight.web import answers
from daynight.web.errors import Problem
from daynight.web.exporting.page import page_of
from daynight.web.queries import CitedAt
from daynight.web.routes.places import located
from daynight.web.visit import Example, Route, Visit

LINES = "application/jsonl"
TEXT = "text/plain; charset=utf-8"
PICTURE = "image/svg+xml"
PAGE = "text/html; charset=utf-8"

LONGEST = 5_000
"""The most events of a game that is exported as a page, because the page contains every answer about each event."""


def record(visit: Visit) -> Response:
    """Answer with the lines of the record, byte for byte."""
    shelved = visit.shelved
    lines = shelved.lines(0, shelved.last)
    return _saved(visit, b"".join(line + b"\n" for line in lines), ".jsonl", LINES)


def words(visit: Visit) -> Response:
    """Answer with the record in the `.dn` notation, which people write."""
    text = StringIO()
    write(visit.shelved.game().events, text)
    return _saved(visit, text.getvalue().encode(), ".dn", TEXT)


def timeline(visit: Visit) -> Response:
    """Answer with the timeline as an SVG picture."""
    game: Any = visit.shelved.game()
    number = None if visit.query.at is None else located(visit.shelved, visit.query.at)
    picture = timeline_svg(game, at=number, edition=visit.query.cited)
    return _saved(visit, picture.encode(), ".svg", PICTURE)


def board(visit: Visit) -> Response:
    """Answer with the battlefield at a moment as an SVG picture."""
    game: Any = visit.shelved.game()
    number = None if visit.query.at is None else located(visit.shelved, visit.query.at)
    picture = board_svg(game, number, edition=visit.query.cited)
    return _saved(visit, picture.encode(), " board.svg", PICTURE)


def report_page(visit: Visit) -> Response:
    """Answer with the report as an HTML page."""
    return _saved(visit, rendered(_report(visit), "html").encode(), ".html", PAGE)


def report_document(visit: Visit) -> Response:
    """Answer with the report as JSON."""
    return _saved(visit, answers.encoded(versioned(_report(visit).document())), ".json", answers.JSON)


def page(visit: Visit) -> Response:
    """Answer with the game as one page that needs no server; refuse a game of more than `LONGEST` events (422)."""
    if visit.shelved.last > LONGEST:
        sentence = _(
            "a page of more than {most} events takes too long here; daynight export {game} -o game.html makes it"
        )
        raise Problem(422, "too-costly", sentence.format(most=LONGEST, game=quoted(visit.shelved.label, likely())))
    return _saved(visit, page_of(visit.shelf, visit.shelved), ".html", PAGE)


def _report(visit: Visit) -> Report:
    shelved, store = visit.shelved, visit.shelf.store
    game: Any = shelved.game()
    stored = shelved.kind == "stored" and store is not None
    kept = branches(store, shelved.name) if stored and store is not None else ()
    return reported(
        game,
        edition=visit.query.cited,
        at=None if visit.query.at is None else located(shelved, visit.query.at),
        code=shelved.code,
        digest=partial(digest_of, shelved.record()),
        kept=[
            KeptBranch(one.game, one.origin.name, one.origin.game, one.origin.event, one.events, one.intact)
            for one in kept
        ],
        known_as=shelved.name if stored else None,
    )


def _saved(visit: Visit, data: bytes, ending: str, media: str) -> Response:
    return answers.file(data, f"{visit.shelved.name}{ending}", media)


ROUTES = (
    Route(method="GET", path="/v1/games/{id}/record.jsonl", answer=record, summary="The record", computed=True,
          example=Example(media=LINES)),
    Route(method="GET", path="/v1/games/{id}/record.dn", answer=words, summary="The record in the notation for people",
          of_games=True, computed=True, example=Example(media="text/plain")),
    Route(method="GET", path="/v1/games/{id}/timeline.svg", answer=timeline, summary="The timeline as a picture",
          query=CitedAt, of_games=True, computed=True, example=Example(media=PICTURE)),
    Route(method="GET", path="/v1/games/{id}/board.svg", answer=board, summary="The battlefield as a picture",
          query=CitedAt, of_games=True, computed=True, example=Example(media=PICTURE)),
    Route(method="GET", path="/v1/games/{id}/report.html", answer=report_page, summary="The report as a page",
          query=CitedAt, of_games=True, computed=True, example=Example(media="text/html")),
    Route(method="GET", path="/v1/games/{id}/page.html", answer=page, summary="The game as a page that opens anywhere",
          computed=True, example=Example(media="text/html")),
    Route(method="GET", path="/v1/games/{id}/report.json", answer=report_document, summary="The report as JSON",
          query=CitedAt, of_games=True, computed=True),
)  # fmt: skip
