"""The API description: all routes, each with a true example, and a page that loads nothing from elsewhere."""

import re

from daynight.records import Held
from daynight.web.describing.examples import GAME, LINES
from daynight.web.queries import parameters
from daynight.web.routes.table import ROUTES
from daynight.web.shelf import Shelf
from tests.web.asking import asking


def test_every_route(ask):
    """Every route is described with its parameters, and with an example of its answer and its body."""
    found = ask.document("/openapi.json")
    assert found["openapi"].startswith("3.")
    described = {(method, path) for path, operations in found["paths"].items() for method in operations}
    assert described == {(route.method.lower(), route.path) for route in ROUTES}
    ids = [operation["operationId"] for operations in found["paths"].values() for operation in operations.values()]
    assert len(ids) == len(set(ids))
    for route in ROUTES:
        operation = found["paths"][route.path][route.method.lower()]
        names = {one["name"] for one in operation["parameters"] if one["in"] == "query"}
        assert names == {one["name"] for one in parameters(route.query)}
        inside = {one["name"] for one in operation["parameters"] if one["in"] == "path"}
        assert inside == set(re.findall(r"\{(\w+)\}", route.path))
        answer = operation["responses"][str(route.example.status)]
        assert route.example.status == 204 or "example" in answer["content"][route.example.media], route.path
        if route.takes is not None:
            assert "example" in operation["requestBody"]["content"][route.takes], route.path
        repeated = operation["responses"].get("200") if route.example.status == 201 else None
        assert (repeated is not None) == ("command" in (route.example.body or ())), route.path
        if repeated is not None:
            assert repeated["content"]["application/json"]["example"]["repeated"] is True, route.path
        assert "application/problem+json" in operation["responses"]["default"]["content"]


def test_references(ask):
    """Every reference in the description has a target."""
    found = ask.document("/openapi.json")
    for name in re.findall(rb'"\$ref":"#/components/schemas/(\w+)"', ask("/openapi.json").body):
        assert name.decode() in found["components"]["schemas"]


def test_descriptions(ask):
    """The descriptions of schemas are docstrings; their lines have no indentation."""
    schemas = ask.document("/openapi.json")["components"]["schemas"]
    told = {name: schema["description"] for name, schema in schemas.items() if "description" in schema}
    assert [] == [name for name, text in told.items() if "\n    " in text]
    assert any("\n" in text for text in told.values())


def test_what_acts_send(ask):
    """The fields in bodies of notes and disputes have the types of the fields of the stored events."""
    schemas = ask.document("/openapi.json")["components"]["schemas"]
    for name in ("Noted", "Opened", "Claimed", "Ruled", "Appealed", "Closed"):
        fields = schemas[name]["properties"]
        assert all({"type", "anyOf", "enum", "$ref"} & fields[field].keys() for field in fields), name
        assert not any("default" in fields[field] for field in fields if field not in ("carry_out",)), name
        assert fields["by"] == {"type": "string", "minLength": 1, "maxLength": 200}
        assert "type" not in fields
    assert schemas["Closed"]["properties"]["outcome"]["enum"] == ["back-up", "fix", "leave"]
    assert {"$ref": "#/components/schemas/Designation"} in schemas["Ruled"]["properties"]["designation"]["anyOf"]
    assert schemas["Opened"]["properties"]["about"]["anyOf"][0]["type"] == "integer"
    assert schemas["Opened"]["required"] == ["command", "about"]
    assert schemas["Noted"]["required"] == ["command", "about", "says"]


def test_examples_are_true(ask):
    """The examples of `/state` and `/moments` are what a server answers; in that of `/audit`, event 9 is a finding."""
    one = asking(Shelf(None, [Held(f"{GAME}.jsonl", LINES)]))
    paths = ask.document("/openapi.json")["paths"]

    def example(path):
        return paths[f"/v1/games/{{id}}{path}"]["get"]["responses"]["200"]["content"]["application/json"]["example"]

    assert example("/state") == one.document("/v1/games/g1/state?at=8")
    assert example("/moments") == one.document("/v1/games/g1/moments?from=8&limit=2")
    assert example("/audit")["findings"][0]["event"] == 9
    assert example("/moments")["moments"][1]["claim"]["verdict"] == "differs"


def test_the_page(ask):
    """The page names every route, and loads nothing."""
    page = ask("/docs")
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    text = page.body.decode()
    for route in ROUTES:
        assert f"<code>{route.method} {route.path}</code>" in text
    assert not re.search(r"<script|<link|<img|<style|style=|src=|href=\"(?!/openapi.json)", text)
