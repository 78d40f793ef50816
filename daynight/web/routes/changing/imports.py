"""The route for uploads: records, archives and logs."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from daynight.framework.language.errors import tame
from daynight.framework.language.wording import _
from daynight.web import answers
from daynight.web.door.door import too_large
from daynight.web.errors import AGAIN, Problem
from daynight.web.protocol import UNHURRIED
from daynight.web.queries import Query, Text
from daynight.web.routes.changing.commands import pen_of
from daynight.web.shelf import is_name
from daynight.web.visit import Example, Route, Visit
from daynight.web.writing.uploads import store_upload

BYTES = "application/octet-stream"


class ImportQuery(Query, frozen=True, kw_only=True, rename={"name": "as"}):
    """The parameters of an import: `as` names the game of a single record; it is refused for an archive or a log."""

    name: Text | None = None


async def post_import(visit: Visit) -> Response:
    """Store the games of an upload, and answer with their list and the report on a log.

    Refuse it (503) while another one is under way, or if it takes too long.
    """
    house, limits = visit.house, visit.house.limits
    _check_name(visit.query.name)
    pen = pen_of(visit)
    if house.uploads >= limits.uploads:
        raise Problem(503, "busy", _("another upload is under way; send it again"), headers={"Retry-After": AGAIN})
    house.uploads += 1
    try:
        with tempfile.TemporaryDirectory(prefix="daynight-") as folder:
            path = Path(folder, "upload")
            # What is uploaded has a time of its own.
            visit.scope.get("extensions", {}).get(UNHURRIED, lambda: None)()
            try:
                async with asyncio.timeout(limits.upload_seconds):
                    await _received(visit, path)
            except TimeoutError:
                sentence = _("an upload may take {seconds} seconds").format(seconds=f"{limits.upload_seconds:g}")
                raise Problem(503, "busy", sentence, headers={"Retry-After": AGAIN}) from None
            found = await run_in_threadpool(store_upload, visit.shelf, pen.store, path, visit.query.name, limits)
    finally:
        house.uploads -= 1
    return answers.json(found, 201)


def _check_name(name: str | None) -> None:
    if name is not None and not is_name(name):
        sentence = _("{name}: {value} is none of the values that it may have")
        raise Problem(400, "bad-parameter", sentence.format(name="as", value=repr(tame(name)[:100])))


async def _received(visit: Visit, path: Path) -> None:
    size = 0
    with path.open("xb") as stream:
        async for piece in visit.request.stream():
            size += len(piece)
            if size > visit.house.limits.upload:
                raise too_large(visit.house.limits.upload)
            await run_in_threadpool(stream.write, piece)


_RECORD = '{"type":"game-started","format":1,"game":"sunday","players":["Ana","Bo"]}\n'

ROUTES = (
    Route(
        method="POST", path="/v1/imports", answer=post_import, summary="Store a record, an archive or a log",
        may="own", takes=BYTES, query=ImportQuery, awaited=True,
        example=Example(status=201, answer={"games": [], "report": None}, body=_RECORD),
    ),
)  # fmt: skip
