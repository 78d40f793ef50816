"""Answers: JSON, files and problem documents, with the headers that control caching by clients."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any
from urllib.parse import parse_qsl, quote

import msgspec
from starlette.responses import Response

from daynight import __version__
from daynight.framework.language.codec import versioned
from daynight.rules import RULES
from daynight.web.errors import Problem
from daynight.web.visit import Visit

JSON = "application/json"
PROBLEM = "application/problem+json"
ANY = "*"
"""The `If-None-Match` value that matches every answer."""

_NUMBER = re.compile("e?[1-9][0-9]{0,14}")

_ENCODER = msgspec.json.Encoder(enc_hook=str)


def json(document: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Return a document as a JSON response."""
    return Response(_ENCODER.encode(document), status, dict(headers or {}), JSON)


def document(found: Mapping[str, Any], status: int = 200) -> Response:
    """Return as a JSON response what a command prints with `--json`; add the format's `version`."""
    return json(versioned(found), status)


def problem(found: Problem) -> Response:
    """Return a problem as `application/problem+json`."""
    return Response(_ENCODER.encode(found.document()), found.status, found.headers, PROBLEM)


def encoded(document: Any) -> bytes:
    """Return a document as JSON bytes."""
    return _ENCODER.encode(document)


def file(data: bytes, name: str, media: str) -> Response:
    """Return a file for the client to save under `name`. A `sandbox` policy keeps it from running scripts."""
    safe = quote(name.replace("/", "_").replace("\\", "_"), safe="")
    headers = {
        "Content-Disposition": f"attachment; filename*=UTF-8''{safe}",
        "Content-Security-Policy": "sandbox",
    }
    return Response(data, 200, headers, media)


def kept(visit: Visit, number: int, make: Callable[[], Response]) -> Response:
    """Return the answer of `make` with an `ETag`, or 304 if the client's copy is still valid.

    The answer must depend only on the events up to `number`; if there is no such event, it gets no `ETag`.
    """
    digest = visit.shelved.digest(number)
    if digest is None:
        return make()
    tag = _tag(visit, digest)
    headers = _revisited(tag)
    if matches(visit, tag):
        return Response(None, 304, headers)
    answer = make()
    if matches(visit, ANY):
        # `*` matches any copy, but only of an answer that exists: `make` raises where there is none.
        return Response(None, 304, headers)
    answer.headers.update(headers)
    return answer


def known(visit: Visit) -> Response | None:
    """Return 304 if the client's copy of an answer is still valid; None if the answer must be made."""
    if "if-none-match" not in visit.headers:
        return None
    number = _last_of(visit.query)
    digest = None if number is None else visit.shelved.digest(number)
    if digest is None or not matches(visit, tag := _tag(visit, digest)):
        return None
    return Response(None, 304, _revisited(tag))


def _last_of(query: Any) -> int | None:
    """Return the last event that an answer depends on: `at`, or the last one of a page; None if neither is a number."""
    asked, size = getattr(query, "at", None) or "", 1
    if hasattr(query, "start") and hasattr(query, "limit"):
        asked, size = query.start or "e1", query.limit
    return int(asked.removeprefix("e")) + size - 1 if _NUMBER.fullmatch(asked) else None


def unless_had(visit: Visit, answer: Response) -> Response:
    """Return an answer, or 304 if it has an `ETag` and the client asks with `If-None-Match: *`."""
    if answer.status_code == 200 and "ETag" in answer.headers and matches(visit, ANY):
        return Response(None, 304, _revisited(answer.headers["ETag"]))
    return answer


def _revisited(tag: str) -> dict[str, str]:
    return {"ETag": tag, "Cache-Control": "private, no-cache"}


def _tag(visit: Visit, digest: bytes) -> str:
    asked = parse_qsl(visit.scope["query_string"].decode("latin-1"), keep_blank_values=True)
    parts = [__version__, RULES, visit.shelf.called, visit.language, visit.path, sorted(asked)]
    return f'"{sha256(digest + _ENCODER.encode(parts)).hexdigest()[:40]}"'


def matches(visit: Visit, tag: str) -> bool:
    """Return whether `If-None-Match` has this tag. The comparison is weak, as for every GET: `W/` is ignored."""
    given = ",".join(visit.headers.get("if-none-match", ()))
    return any(one.strip().removeprefix("W/") == tag for one in given.split(","))
