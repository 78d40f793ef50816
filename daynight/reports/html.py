"""Writes a page as one HTML file without scripts and without requests; its content security policy forbids both."""

from __future__ import annotations

from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any

from jinja2 import DictLoader, Environment, StrictUndefined

from daynight.framework.language.errors import whole
from daynight.pictures import STYLE as PICTURES
from daynight.reports.pages import Page, Ref, Tone

_TEMPLATE = "report.html.jinja"

_SIGNS: dict[Tone, str] = {"bad": "✗", "good": "✓", "open": "?"}
"""For each tone the sign beside its words, which say the same; the sign is hidden from screen readers."""

WIDE = 3
"""In a narrow window, a table with more columns than this can be scrolled sideways."""


def html(page: Page) -> str:
    """Return the page as HTML; the same page gives the same bytes."""
    shown = page.shown
    text: str = _template().render(page=page, policy=POLICY, style=STYLE, linked=lambda number: number in shown)
    return text


def _read(name: str) -> str:
    return files("daynight.reports").joinpath(name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


STYLE = _read("report.css")
"""The style sheet of a report."""

POLICY = f"default-src 'none'; style-src {_hash(STYLE)} {_hash(PICTURES)}; base-uri 'none'; form-action 'none'"
"""The content security policy: it allows two style sheets, by their hashes, and nothing else."""


@cache
def _template() -> Any:
    environment = Environment(
        autoescape=True,
        finalize=_finalized,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        loader=DictLoader({_TEMPLATE: _read(_TEMPLATE)}),
    )
    environment.globals |= {
        "kind": lambda block: type(block).__name__,
        "is_ref": lambda piece: isinstance(piece, Ref),
        "sign": _SIGNS.get,
        "wide": WIDE,
    }
    return environment.get_template(_TEMPLATE)


def _finalized(value: Any) -> Any:
    # Text of a record becomes one line without control characters; Jinja escapes it afterwards.
    return whole(value) if isinstance(value, str) and not hasattr(value, "__html__") else value
