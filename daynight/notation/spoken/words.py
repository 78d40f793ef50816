"""Words that occur in many phrases: `{casts}` for `casts`, `is casting`, `tries to cast`.

They are data too, in `words.txt`: a row is `name => regular expression`, and rows of one name are alternatives.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from importlib.resources import files


@cache
def words() -> dict[str, str]:
    """Return the regular expressions by name, each in a group that does not capture.

    >>> re.fullmatch(words()["casts"], "is casting") is not None
    True
    """
    found: dict[str, list[str]] = {}
    for row in files("daynight.notation.spoken").joinpath("words.txt").read_text("utf-8").splitlines():
        name, arrow, pattern = row.partition(" => ")
        if arrow and not row.startswith("#"):
            found.setdefault(name, []).append(pattern)
    return {name: f"(?:{'|'.join(patterns)})" for name, patterns in found.items()}


@cache
def pattern(name: str) -> re.Pattern[str]:
    """Return the compiled expression of a name, ignoring case."""
    return re.compile(words()[name], re.IGNORECASE)


def refers_back(text: str) -> bool:
    """Return whether a text says the same of something else, or takes back what was said before it.

    >>> refers_back("goblin too"), refers_back("pas"), refers_back("hooray")
    (True, True, False)
    """
    return pattern("back").search(text) is not None


def cheers(text: str) -> bool:
    """Return whether a text only cheers or sighs over what happened, or says that it is final.

    >>> cheers("Hooray!"), cheers("toute contente"), cheers("goblin too")
    (True, True, False)
    """
    return pattern("cheer").fullmatch(text.strip(" .!")) is not None


_WIDE = {wide: wide - 0xFEE0 for wide in range(0xFF01, 0xFF5F)} | {0x3000: 0x20, 0x2019: 0x27, 0x2018: 0x27}
_HALF = re.compile("[\uff61-\uff9f]+")
_PICTURES = re.compile("[\u2600-\u27bf\u2b00-\u2bff\ufe0f\u200d\U0001f000-\U0001faff]+")
_TRAILING = re.compile(r"(?:\s*(?:\.\.+|…))+$")


def plainly(text: str) -> str:
    """Return a text in normal form: full-width and half-width characters unified, no emoji, one space between words.

    >>> plainly("Ａｎａ：  Opt…"), plainly("w1 dies 💀")
    ('Ana: Opt', 'w1 dies')
    """
    if not text.isascii():
        text = _HALF.sub(lambda found: unicodedata.normalize("NFKC", found[0]), text.translate(_WIDE))
        text = _PICTURES.sub(" ", text.replace("\uff65", "・"))
    return " ".join(_TRAILING.sub("", text).split())


_OWN = re.compile(
    rf"(?:{words()['adverb']}|(?:the|his|her|their|my) (?:only|last|first|second|other|own|best|final)|the|an?|one"
    rf"|another|some|his|her|their|my|both|all|(?:a|the) (?:second|third|fourth|last)|first|second|third|one more"
    r"|one of (?:the|his|her|their)|la|le|les|une?|sa|son|ses|leur|mon|ma|mes|un autre|une autre|encore une?|les deux"
    r"|(?:un|une|le|la) (?:deuxième|troisième|second|seconde|dernier|dernière)|deuxième|troisième|second|seconde"
    r"|l'(?:éphémère|artefact|enchantement)|(?:le|la) (?:rituel|créature|sort|carte|planeswalker)) +|l' *|«\s*"
    r"|《|2枚目の|もう1枚の?",
    re.IGNORECASE,
)
"""Matches words before a name that are no part of it: `the`, `one of his`, an adverb."""


def bare(text: str) -> str:
    """Return a name without the words of `_OWN` before it, and without quotation marks like 《 》."""
    text = text.strip(" 》»").rpartition("《")[2]
    while (found := _OWN.match(text)) is not None and found.end() < len(text):
        text = text[found.end() :].strip(" 》»")
    return text
