"""What every event may carry besides its own fields."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from daynight.events.terms import Time

__all__ = ["Happening"]


class Happening(
    Struct,
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    omit_defaults=True,
    repr_omit_defaults=True,
    gc=False,
    tag_field="type",
):
    """The common part of all events: `at` (an RFC 3339 time), `note` (a sentence) and `meta` (any object).

    All three are kept and shown; no rule ever reads them.
    """

    at: Time | None = None
    note: str | None = None
    meta: dict[str, Any] | None = None
