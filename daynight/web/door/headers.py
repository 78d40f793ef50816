"""The headers of every answer: they forbid framing, guessing of types and, unless a route allows it, caching."""

from __future__ import annotations

from collections.abc import Iterable

Header = tuple[bytes, bytes]

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self';"
    " manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none';"
    " require-trusted-types-for 'script'"
)
"""What the page may load: only what this server serves, and `data:` images."""

_ALWAYS = {
    b"content-security-policy": POLICY.encode(),
    b"x-content-type-options": b"nosniff",
    b"referrer-policy": b"no-referrer",
    b"cross-origin-opener-policy": b"same-origin",
    b"cross-origin-resource-policy": b"same-origin",
    b"cache-control": b"no-store",
}


def completed(headers: Iterable[Header], *, vary: bool) -> list[Header]:
    """Return the headers of an answer with the standard ones that it lacks; `vary`: also `Vary: Accept-Language`."""
    found = list(headers)
    there = {name.lower() for name, _value in found}
    found += [(name, value) for name, value in _ALWAYS.items() if name not in there]
    return [*found, (b"vary", b"Accept-Language")] if vary else found
