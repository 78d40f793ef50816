"""Answers: JSON, files and problems, with what says how long they may be kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any
from urllib.parse import parse_qsl, quote

import msgspec
from starlette.responses import Response

from daynight import __version__
from daynight.rules import RULES
from daynight.web.errors import Problem
from daynight.web.visit import Visit

JSON = "application/json"
PROBLEM = "application/problem+json"
ANY = "*"
"""The tag of whatever there is."""

_ENCODER = msgspec.json.Encoder(enc_hook=str)


def json(document: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """A JSON document."""
    return Response(_ENCODER.encode(document), status, dict(headers or {}), JSON)


def problem(found: Problem) -> Response:
    """A problem, as `application/problem+json`."""
    return Response(_ENCODER.encode(found.document()), found.status, found.headers, PROBLEM)


def encoded(document: Any) -> bytes:
    """A document as bytes of JSON."""
    return _ENCODER.encode(document)


def file(data: bytes, name: str, media: str) -> Response:
    """A file to be saved under a name; whatever is in it, it runs nothing."""
    safe = quote(name.replace("/", "_").replace("\\", "_"), safe="")
    headers = {
        "Content-Disposition": f"attachment; filename*=UTF-8''{safe}",
        "Content-Security-Policy": "sandbox",
    }
    return Response(data, 200, headers, media)


def kept(visit: Visit, number: int, make: Callable[[], Response]) -> Response:
    """An answer that depends on the events up to `number` alone, so a client may cache it."""
    digest = visit.shelved.digest(number)
    if digest is None:
        return make()
    tag = _tag(visit, digest)
    headers = {"ETag": tag, "Cache-Control": "private, no-cache"}
    if matches(visit, tag):
        return Response(None, 304, headers)
    answer = make()
    if matches(visit, ANY):
        # Whatever they have is as good, but only where there is an answer at all.
        return Response(None, 304, headers)
    answer.headers.update(headers)
    return answer


def _tag(visit: Visit, digest: bytes) -> str:
    asked = parse_qsl(visit.scope["query_string"].decode("latin-1"), keep_blank_values=True)
    parts = [__version__, RULES, visit.shelf.mechanic.name, visit.language, visit.path, sorted(asked)]
    return f'"{sha256(digest + _ENCODER.encode(parts)).hexdigest()[:40]}"'


def matches(visit: Visit, tag: str) -> bool:
    """Whether the client's cached answer is the same: the weak comparison, as for every GET."""
    given = ",".join(visit.headers.get("if-none-match", ()))
    return any(one.strip().removeprefix("W/") == tag for one in given.split(","))
