r"""Letters in place of signs, for terminals whose encoding, such as cp437, lacks a sign.

A sign becomes letters with the same meaning, and a letter loses its accent. Any other character, such as a Japanese
one, is printed as its number: `\u591c`. No character becomes `?`, which means doubt here.
"""

from __future__ import annotations

import codecs
import unicodedata
from io import TextIOWrapper
from typing import TextIO

LETTERS = {
    "☀": "D", "☾": "N", "✗": "x", "✓": "v", "⚠": "!",
    "·": "-", "–": "-", "—": "--", "−": "-", "×": "*", "→": "->", "…": "...",
    "─": "-", "┄": ".", "〜": "~",
    "‘": "'", "’": "'", "‚": "'", "‛": "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"',
    "\N{NO-BREAK SPACE}": " ", "\N{NARROW NO-BREAK SPACE}": " ", "\N{IDEOGRAPHIC SPACE}": " ",
    "《": '"', "》": '"',
    "、": ",", "。": ".", "・": "-", "「": '"', "」": '"', "『": '"', "』": '"', "【": "[", "】": "]",
    "œ": "oe", "Œ": "OE", "æ": "ae", "Æ": "AE", "ß": "ss", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L",
}  # fmt: skip
"""The ASCII letters for characters that an encoding lacks."""

_ERRORS = "daynight.letters"
_WIDE = range(0xFF01, 0xFF5F)
"""The code points of double-width ASCII characters, as in Japanese text: each is that of the character plus 0xFEE0."""


def lettered(text: str) -> str:
    r"""Return a text in ASCII.

    >>> lettered("✗ é → “夜”")
    'x e -> "\\u591c"'
    """
    return "".join(letter if letter.isascii() else _letters(letter) for letter in text)


def _letters(character: str) -> str:
    if character in LETTERS:
        return LETTERS[character]
    if ord(character) in _WIDE:
        return chr(ord(character) - 0xFEE0)
    parts = unicodedata.normalize("NFD", character)
    if len(parts) > 1 and parts[0].isascii() and parts[0].isalpha():
        return parts[0]
    return character.encode("ascii", "backslashreplace").decode("ascii")


def _instead(error: UnicodeError) -> tuple[str, int]:
    """Return the replacement text and the position to continue at; codecs call this as an error handler."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return lettered(error.object[error.start : error.end]), error.end


def spell_out(*streams: TextIO) -> None:
    """Make these streams print letters for what their encodings lack, instead of failing."""
    codecs.register_error(_ERRORS, _instead)
    for stream in streams:
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors=_ERRORS)


def shows(stream: TextIO, text: str) -> bool:
    """Return whether the encoding of a stream has every character of a text."""
    try:
        text.encode(stream.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True
