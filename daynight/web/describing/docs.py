"""The page of `/docs`: the routes from the OpenAPI description, in plain HTML that loads nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from html import escape
from typing import Any


def docs_page(described: dict[str, Any]) -> str:
    """Return the HTML of the page for `described`, the OpenAPI description."""
    title = escape(f"{described['info']['title']} {described['info']['version']}")
    body = "\n".join(
        line
        for path, operations in described["paths"].items()
        for method, operation in operations.items()
        for line in _operation(method, path, operation)
    )
    return (
        f'<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8"><title>{title}</title></head>\n<body>\n'
        f'<h1>{title}</h1>\n<p><a href="/openapi.json">openapi.json</a></p>\n{body}\n</body>\n</html>\n'
    )


def _operation(method: str, path: str, operation: dict[str, Any]) -> Iterator[str]:
    yield f"<h2><code>{escape(method.upper())} {escape(path)}</code></h2>"
    yield f"<p>{escape(operation.get('summary', ''))}</p>"
    if parameters := operation.get("parameters"):
        yield "<ul>"
        for one in parameters:
            schema = escape(json.dumps(one["schema"], ensure_ascii=False))
            yield f"<li><code>{escape(one['name'])}</code> ({escape(one['in'])}): <code>{schema}</code></li>"
        yield "</ul>"
    yield from _examples("body", operation.get("requestBody", {}))
    for status, answer in operation.get("responses", {}).items():
        yield from _examples(status, answer)


def _examples(label: str, one: dict[str, Any]) -> Iterator[str]:
    for media, content in one.get("content", {}).items():
        if "example" in content:
            shown = escape(json.dumps(content["example"], ensure_ascii=False, indent=2))
            yield f"<h3>{escape(label)} <code>{escape(media)}</code></h3>\n<pre>{shown}</pre>"
