"""The OpenAPI description of the routes: their parameters, and the schema and an example of each answer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import msgspec

from daynight import __version__
from daynight.framework.language.language import cleaned
from daynight.web.answers import JSON
from daynight.web.describing.examples import example_of
from daynight.web.describing.shapes.changes import Problem
from daynight.web.describing.shapes.shape import PLACE
from daynight.web.describing.shapes.table import ANSWERS, BODIES
from daynight.web.queries import parameters
from daynight.web.visit import Route
from daynight.web.writing.acts import Act

_IDS = {"id": "the name of the game, percent-encoded as one segment", "d": "the id of the dispute", "l": "the link"}


CREATED = 201

_REFUSED = {
    "type": "urn:daynight:no-such-moment",
    "title": "no such moment",
    "status": 404,
    "detail": "db:g1: no event 99; the last one is 9",
    "exit": 4,
}


def openapi(routes: Sequence[Route]) -> dict[str, Any]:
    """Return the description of these routes."""
    answered, taken, components = shapes(routes)
    paths: dict[str, dict[str, Any]] = {}
    for route in routes:
        key = key_of(route)
        paths.setdefault(route.path, {})[route.method.lower()] = _described(route, answered.get(key), taken.get(key))
    info = {"title": "daynight", "version": __version__}
    return {"openapi": "3.1.0", "info": info, "paths": paths, "components": {"schemas": components}}


def shapes(routes: Sequence[Route]) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """Return the schemas of the answers and of the bodies, each by its route's key, and those that they refer to."""
    asked = [key_of(route) for route in routes]
    answers = {key: ANSWERS[key] for key in asked if key in ANSWERS}
    bodies = {key: BODIES[key] for key in asked if key in BODIES}
    kinds = [*dict.fromkeys(kind for kinds in answers.values() for kind in kinds), *bodies.values(), Problem]
    made, components = msgspec.json.schema_components(kinds, ref_template=PLACE + "{name}")
    components = cleaned(components)
    schema = dict(zip(kinds, cleaned(list(made)), strict=True))
    for act in [kind for kind in bodies.values() if issubclass(kind, Act)]:
        components |= _filled(components, act)
    answered = {
        key: schema[kinds[0]] if len(kinds) == 1 else {"anyOf": [schema[kind] for kind in kinds]}
        for key, kinds in answers.items()
    }
    return answered, {key: schema[kind] for key, kind in bodies.items()}, components


def _filled(components: dict[str, Any], act: type[Act]) -> dict[str, Any]:
    """Return by name the schema of the body `act`, with field types from `act.EVENT`, and the schemas it refers to."""
    _made, found = msgspec.json.schema_components([act.EVENT], ref_template=PLACE + "{name}")
    of_event: dict[str, Any] = cleaned(found)
    fields = of_event.pop(act.EVENT.__name__)["properties"]
    whole = components[act.__name__]
    named = {
        name: schema or {word: value for word, value in fields[name].items() if word != "default"}
        for name, schema in whole["properties"].items()
    }
    return of_event | {act.__name__: whole | {"properties": named}}


def key_of(route: Route) -> str:
    """Return the key of a route in the tables of the shapes: `GET /v1/games`."""
    return f"{route.method} {route.path}"


def _is_repeatable(route: Route) -> bool:
    """Return whether the body has a command id, so that it is stored once even if it is sent again."""
    return route.example.status == CREATED and "command" in (route.example.body or ())


def _described(route: Route, answered: Any, taken: Any) -> dict[str, Any]:
    """Return the description of a route; `answered` and `taken` are the schemas of its answer and of its body."""
    shown, example = route.example, example_of(route)
    schema = answered or {"type": "object" if shown.media == JSON else "string"}
    responses = {
        str(shown.status): {"description": route.summary, **_content(route, schema, example)},
        "default": {
            "description": "a problem",
            "content": {
                "application/problem+json": {
                    "schema": {"$ref": "#/components/schemas/Problem"},
                    "example": _REFUSED,
                }
            },
        },
    }
    if _is_repeatable(route):
        repeated = {**example, "repeated": True}
        responses["200"] = {"description": "the same, stored before", **_content(route, schema, repeated)}
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
        "summary": route.summary,
        "operationId": _operation(route),
        "responses": responses,
        "parameters": [*paths, *parameters(route.query)],
    }
    if route.takes is not None:
        body = {"example": shown.body, "schema": taken}
        content = {name: value for name, value in body.items() if value is not None}
        found["requestBody"] = {"required": True, "content": {route.takes: content}}
    return found


def _content(route: Route, schema: Any, example: Any) -> dict[str, Any]:
    """Return the member `content` of an answer; an empty object for status 204, which has no body."""
    if route.example.status == 204:
        return {}
    shown = {} if example is None else {"example": example}
    return {"content": {route.example.media: {"schema": schema, **shown}}}


def _operation(route: Route) -> str:
    words = {"/": ["page"], "/v1": ["about"]}.get(route.path) or re.findall(r"[a-z]+", route.path.replace("/v1", ""))
    return "-".join([route.method.lower(), *words])
