"""The description of the routes, for OpenAPI: their parameters, and an example of each answer."""

from __future__ import annotations

import re
from typing import Any

from daynight.web.queries import parameters
from daynight.web.visit import Route

_IDS = {"id": "the name of the game, percent-encoded as one segment", "d": "the id of the dispute", "l": "the link"}


def described(route: Route) -> dict[str, Any]:
    """What OpenAPI says of a route beside its path and its summary."""
    example = route.example
    content: dict[str, Any] = {} if example.answer is None else {"example": example.answer}
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
            str(example.status): {"description": route.summary, "content": {example.media: content}},
            "default": {
                "description": "a problem",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}},
            },
        },
    }
    if route.takes is not None:
        body = {} if example.body is None else {"example": example.body}
        found["requestBody"] = {"required": True, "content": {route.takes: body}}
    return found


def _operation(route: Route) -> str:
    words = re.findall(r"[a-z]+", route.path.replace("/v1", ""))
    return "-".join([route.method.lower(), *words]) or route.method.lower()
