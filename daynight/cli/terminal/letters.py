r"""Letters in place of signs: what is printed where the encoding of a terminal, such as cp437, has no such sign.

A sign becomes letters that mean the same, and a letter loses its accent. What is left, such as a Japanese name, is
printed by its number: `\u591c`. Nothing becomes `?`, which means doubt.
"""

from __future__ import annotations

import codecs
import unicodedata
from io import TextIOWrapper
from typing import TextIO

LETTERS = {
    "☀": "D", "☾": "N", "✗": "x", "✓": "v", "⚠": "!",
    "·": "-", "–": "-", "—": "--", "−": "-", "×": "*", "→": "->", "…": "...",
    "‘": "'", "’": "'", "‚": "'", "‛": "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"',
    "\N{NO-BREAK SPACE}": " ", "\N{NARROW NO-BREAK SPACE}": " ", "\N{IDEOGRAPHIC SPACE}": " ",
    "《": '"', "》": '"',
    "、": ",", "。": ".", "・": "-", "「": '"', "」": '"', "『": '"', "』": '"', "【": "[", "】": "]",
    "œ": "oe", "Œ": "OE", "æ": "ae", "Æ": "AE", "ß": "ss", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L",
}  # fmt: skip
"""What stands for a character that an encoding has not; every letter of it is ASCII."""

_ERRORS = "daynight.letters"
_WIDE = range(0xFF01, 0xFF5F)
"""Characters of ASCII that are two cells wide, as Japanese text has them: the same, 0xFEE0 higher."""


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
    """Return what is printed instead, and where to go on; this is how codecs ask for it."""
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
