"""The description of the routes, for OpenAPI: their parameters, and an example of each answer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from daynight.web.answers import JSON
from daynight.web.describing.examples import example_of
from daynight.web.queries import parameters
from daynight.web.visit import Route

_IDS = {"id": "the name of the game, percent-encoded as one segment", "d": "the id of the dispute", "l": "the link"}


CREATED = 201

PROBLEM: dict[str, Any] = {
    "type": "object",
    "required": ["type", "title", "status", "detail", "exit"],
    "properties": {
        "type": {"type": "string", "pattern": "^urn:daynight:"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string", "description": "a sentence, in the language asked for"},
        "exit": {"type": ["integer", "null"], "description": "the exit code of the command that says the same"},
        "line": {"type": "integer"},
        "path": {"type": "string"},
    },
}
"""A problem, as RFC 9457 has it."""

_REFUSED = {
    "type": "urn:daynight:no-such-moment",
    "title": "no such moment",
    "status": 404,
    "detail": "db:g1: no event 99; the last one is 9",
    "exit": 4,
}


def completed(found: dict[str, Any], routes: Sequence[Route]) -> dict[str, Any]:
    """The description with an example of each answer, and with what is the same for all."""
    schemas = found.setdefault("components", {}).setdefault("schemas", {})
    schemas["Problem"] = PROBLEM
    for route in routes:
        operation = found["paths"][route.path][route.method.lower()]
        answer = operation["responses"][str(route.example.status)]
        if (example := example_of(route)) is not None:
            answer["content"][route.example.media]["example"] = example
        if _is_repeatable(route) and isinstance(example, dict):
            operation["responses"]["200"]["content"][JSON]["example"] = example | {"repeated": True}
    return found


def _is_repeatable(route: Route) -> bool:
    """Whether what is sent has an id, and is stored once however often it is sent."""
    return route.example.status == CREATED and "command" in (route.example.body or ())


def described(route: Route) -> dict[str, Any]:
    """What OpenAPI says of a route beside its path and its summary."""
    example = route.example
    schema = {"type": "object"} if example.media == JSON else {"type": "string"}
    content = {example.media: {"schema": schema}} if example.status != 204 else {}
    paths = [
        {
            "name": name,
            "in": "path",
            "required": True,
            "schema": {"type": "string"},
            "description": _IDS.get(name, name),
        }
        for name in re.findall(r"\{(\w+)\}", route.path)
    ]
    found: dict[str, Any] = {
        "operationId": _operation(route),
        "parameters": [*paths, *parameters(route.query)],
        "responses": {
            str(example.status): {"description": route.summary} | ({"content": content} if content else {}),
            "default": {
                "description": "a problem",
                "content": {
                    "application/problem+json": {
                        "schema": {"$ref": "#/components/schemas/Problem"},
                        "example": _REFUSED,
                    }
                },
            },
        },
    }
    if _is_repeatable(route):
        found["responses"]["200"] = {"description": "the same, stored before", "content": content}
    if route.takes is not None:
        body = {} if example.body is None else {"example": example.body}
        found["requestBody"] = {"required": True, "content": {route.takes: body}}
    return found


def _operation(route: Route) -> str:
    words = {"/": ["page"], "/v1": ["about"]}.get(route.path) or re.findall(r"[a-z]+", route.path.replace("/v1", ""))
    return "-".join([route.method.lower(), *words])
