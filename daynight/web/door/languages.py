"""The language of an answer: the one in the address, else the one that the browser prefers."""

from __future__ import annotations

from urllib.parse import parse_qs

from daynight.languages.speaking import LANGUAGES


def named(query: bytes) -> str | None:
    """Return the language that `lang` in an address names; None if it is not given once, or is none of `LANGUAGES`."""
    found = parse_qs(query.decode("latin-1")).get("lang", [])
    return found[0] if len(found) == 1 and found[0] in LANGUAGES else None


def liked(accepted: str) -> str:
    """Return the one of `LANGUAGES` with the highest weight in `Accept-Language`; English if it names none of them.

    >>> liked("de, fr-CH;q=0.8, ja;q=0.9"), liked("*"), liked("fr;q=0")
    ('ja', 'en', 'en')
    """
    best, found = 0.0, LANGUAGES[0]
    for part in accepted.split(","):
        spelled, _semicolon, weight = part.partition(";")
        language = spelled.strip().partition("-")[0].lower()
        quality = _quality(weight)
        if language in LANGUAGES and quality > best:
            best, found = quality, language
    return found


def _quality(weight: str) -> float:
    name, _equals, value = weight.strip().partition("=")
    if not name:
        return 1.0
    try:
        return min(float(value), 1.0) if name.strip() == "q" else 1.0
    except ValueError:
        return 0.0
