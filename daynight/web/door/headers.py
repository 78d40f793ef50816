"""The headers of every answer: no framing, no guessing of types, no caching unless a route allows it."""

from __future__ import annotations

from collections.abc import Iterable

Header = tuple[bytes, bytes]

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self';"
    " manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none';"
    " require-trusted-types-for 'script'"
)
"""What the page may load: nothing that is not ours."""

_ALWAYS = {
    b"content-security-policy": POLICY.encode(),
    b"x-content-type-options": b"nosniff",
    b"referrer-policy": b"no-referrer",
    b"cross-origin-opener-policy": b"same-origin",
    b"cross-origin-resource-policy": b"same-origin",
    b"cache-control": b"no-store",
}


def completed(headers: Iterable[Header], *, vary: bool) -> list[Header]:
    """The headers of an answer, with those that it has not set itself; `vary`: it is in the language of its reader."""
    found = list(headers)
    there = {name.lower() for name, _value in found}
    found += [(name, value) for name, value in _ALWAYS.items() if name not in there]
    return [*found, (b"vary", b"Accept-Language")] if vary else found
