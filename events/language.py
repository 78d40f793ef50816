"""The language of day and night as one value: it reads events strictly, writes them, and describes them by a schema."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from daynight.events.vocabulary import Event
from daynight.framework.language.language import Language

Recordable: TypeAlias = Event | Mapping[str, Any] | str | bytes
"""An event, its JSON object, or its line."""

LANGUAGE: Language[Event] = Language(
    Event,
    opening="game-started",
    example="spell-cast",
    title="daynight record, one line",
    description="One event of a recorded game; event n is line n.",
)
"""The language of records of format 1; there is no earlier format, so it has no upcasters."""

TAGS = LANGUAGE.tags
"""The event type for each tag, in the order of the published format."""

decode, strictly, read_line = LANGUAGE.decode, LANGUAGE.strictly, LANGUAGE.read_line
read, read_blocks, vouched = LANGUAGE.read, LANGUAGE.read_blocks, LANGUAGE.vouched
