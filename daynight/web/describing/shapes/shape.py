"""A shape: the members of a JSON object, each with its type. A member that may be UNSET is optional."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType

PLACE = "#/components/schemas/"
"""The prefix of references to schemas in a description."""

Count = Annotated[int, Meta(ge=0)]
"""A count."""

Number = Annotated[int, Meta(ge=1)]
"""The number of an event; the first one is 1."""

Digest = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
"""A digest, in hexadecimal digits."""

Line = Annotated[
    dict[str, Any],
    Meta(
        description="an event, as it is stored",
        extra_json_schema={"required": ["type"], "properties": {"type": {"type": "string"}}},
    ),
]
"""An event of any mechanic: its `type`, and its fields."""

Plain = Any
"""A value in the state of another mechanic, as JSON."""


Version: TypeAlias = Literal[1] | UnsetType
"""The version of a command's JSON document; unset inside another document."""


class Shape(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An object that has these members, and no others."""


class Document(Shape, frozen=True, kw_only=True):
    """An object that a command prints too; it has a version unless it is part of another document."""

    version: Version = UNSET
