"""The JSON Schema of a line of a record, generated from the structs of a language."""

from __future__ import annotations

import json
from typing import Any

import msgspec

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def line_schema(events: Any, title: str, description: str) -> dict[str, Any]:
    """The schema of one line; whether an event can happen where it stands is beyond any schema."""
    schema: dict[str, Any] = _without_null(msgspec.json.schema(events))
    return {"$schema": DIALECT, "title": title, "description": description} | schema


def published(schema: dict[str, Any]) -> str:
    """The text of a published schema."""
    return json.dumps(schema, indent=1, ensure_ascii=True) + "\n"


def _without_null(schema: Any) -> Any:
    """Optional fields are left out, never null: the reader refuses null."""
    if isinstance(schema, list):
        return [_without_null(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    if "anyOf" in schema:
        kinds = [_without_null(kind) for kind in schema["anyOf"] if kind != {"type": "null"}]
        rest = {key: _without_null(value) for key, value in schema.items() if key not in ("anyOf", "default")}
        return rest | (kinds[0] if len(kinds) == 1 else {"anyOf": kinds})
    return {key: _without_null(value) for key, value in schema.items()}
