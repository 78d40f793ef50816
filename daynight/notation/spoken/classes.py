"""Reads a line by the classes of its words: known names, and the words of `classes.txt`.

A line is read only where every word of it has a class, and their order is one of `readings.txt`: so an unknown word is
never ignored, and the refusal can say which word it was.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from itertools import pairwise
from typing import NamedTuple

from daynight.cards.likeness import unaccented
from daynight.cards.names import BASICS, basic
from daynight.cards.names import folded as named
from daynight.notation.lookups import Lookups
from daynight.notation.spoken.inflection import forms

MOST = 200
"""The most characters of a line that is read by classes."""

_LONGEST = 60
"""The most characters of a name that is searched for in a line."""

ARTIFACTS = frozenset({"Treasure", "Clue", "Food", "Blood", "Map", "Thopter", "Servo"})
"""Tokens that are no creatures."""

UNKNOWN = frozenset("?")
"""The class of an unknown word."""


MOVED = re.compile(
    r"\bin (?:his |her |their |the )?hand\b|"
    r"\bback (?:in)?to\b|\b(?:in)?to (?:the |an? |its |his |her |their |\w+'s )?(?:owner's )?"
    r"(?:hand|graveyard|exile|library|deck|bin|yard)\b"
    r"|\b(?:en main|au cimetière|en exil|dans la bibliothèque)\b|(?:手札|墓地|追放領域|ライブラリー)(?:の.)?(?:に|へ)",
    re.IGNORECASE,
)
"""Matches a move to a zone: a card that returns to a zone is not cast."""


class Word(NamedTuple):
    """A word or name of a line: its start and end, its text, its possible classes, and as `value` what it names."""

    start: int
    end: int
    text: str
    classes: frozenset[str]
    value: str = ""


class _Line(NamedTuple):
    """A line as typed, its `folded` text, and the names it may have; `turning` are cards that make it day or night."""

    text: str
    plain: str
    players: Mapping[str, str]
    permanents: Mapping[str, tuple[str, ...]]
    lookups: Lookups
    turning: frozenset[str]


@cache
def _rows() -> tuple[tuple[str, str], ...]:
    text = files("daynight.notation.spoken").joinpath("classes.txt").read_text("utf-8")
    parted = (row.partition(" => ") for row in text.splitlines() if not row.startswith("# ") or row.startswith("# => "))
    return tuple((name, pattern) for name, arrow, pattern in parted if arrow)


@cache
def _vocabulary() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return pairs of a class of `classes.txt`, except lands and tokens, and the expression of all its words."""
    found: dict[str, list[str]] = {}
    for name, pattern in _rows():
        if name != "land" and not name.startswith("token "):
            found.setdefault(name, []).append(pattern)
    return tuple((name, re.compile("|".join(patterns))) for name, patterns in found.items())


@cache
def _forms() -> dict[str, str]:
    """Return a dict from each form of the verbs of `verbs.txt` to the letters of its classes."""
    found: dict[str, str] = {}
    for row in files("daynight.notation.spoken").joinpath("verbs.txt").read_text("utf-8").splitlines():
        heading, arrow, verbs = row.partition(" => ")
        if arrow and not row.startswith("#"):
            name, language = heading.split()
            for verb in verbs.split(", "):
                for form in map(folded, forms(language, verb)):
                    if name == "d" and verb in _KILLS and (form == verb or form.endswith(("s", "ing"))):
                        # Who kills does not die.
                        continue
                    if name not in found.get(form, ""):
                        found[form] = found.get(form, "") + name
    return found


_KILLS = frozenset(
    {"destroy", "kill", "crush", "incinerate", "smash", "obliterate", "eliminate", "slaughter", "murder"}
)
"""English verbs for killing: in `Ana destroys w1` the verb does not say that its subject dies."""


@cache
def spells() -> frozenset[str]:
    """Return the folded English names of the cards of `names.txt`: none of them becomes a permanent."""
    rows = files("daynight.notation.spoken").joinpath("names.txt").read_text("utf-8").splitlines()
    return frozenset(folded(row.partition(" => ")[0]) for row in rows if not row.startswith("#"))


@cache
def _kinds() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return pairs of the English name of a kind of token, and the expression of its words in all languages."""
    return tuple((name[6:], re.compile(pattern)) for name, pattern in _rows() if name.startswith("token "))


def token_name(text: str) -> str:
    """Return the English name of a kind of token named in any of the languages; any other text unchanged.

    >>> token_name("loups"), token_name("宝物"), token_name("Glum Wolf")
    ('Wolf', 'Treasure', 'Glum Wolf')
    """
    asked = _LOOKS.sub(" ", folded(text)).strip()
    return next((name for name, pattern in _kinds() if pattern.fullmatch(asked)), text)


_LOOKS = re.compile(
    r"(?<!\w)(?:[0-9*]+/[0-9*]+|white|blue|black|red|green|colorless|blan(?:c|che)s?|bleue?s?|noire?s?|rouges?|vert(?:e|es|s)?)(?!\w)"
    r"|(?:[0-9*]+/[0-9*]+の|[白青黒赤緑]の|無色の)"
)


def land_name(text: str, lookups: Lookups) -> str | None:
    """Return the English name of a basic land in any of the languages, `text` for another land; None if it is no land.

    The list of card names has no types, so other lands are recognised only if they are among the most played ones.
    """
    plain = folded(text)
    if plain in _BASIC:
        return basic(text) or text.title()
    return text if _lands().fullmatch(plain) is not None and lookups.is_card(text, ours=False) else None


_BASIC = frozenset(
    folded_name for names in BASICS.values() for pair in names.items() for folded_name in map(named, pair)
)


@cache
def _lands() -> re.Pattern[str]:
    return re.compile("|".join(pattern for name, pattern in _rows() if name == "land"))


def folded(text: str) -> str:
    """Return a text in lower case and without accents, of the same length."""
    return text.lower() if text.isascii() else "".join(map(_plain, text))


@lru_cache(maxsize=4096)
def _plain(letter: str) -> str:
    plain = unaccented(letter.casefold())
    return plain if len(plain) == 1 else letter


def _is_letter(letter: str) -> bool:
    """Return whether a character is a digit, or a letter of an alphabet that separates words by spaces."""
    return letter.isalnum() and letter < "\u2e80"


def _ends(text: str, at: int) -> bool:
    """Return whether a word may end at this position."""
    return at == len(text) or not (_is_letter(text[at - 1]) and _is_letter(text[at]))


def words_of(text: str, lookups: Lookups) -> list[Word]:
    """Return the words of a text from the left, each as long as possible; an unknown one has the class `UNKNOWN`."""
    plain = folded(text)
    players = {folded(player): player for player in lookups.players}
    permanents = {folded(name): ids for name, ids in lookups.words_of_permanents().items()}
    line = _Line(text, plain, players, permanents, lookups, frozenset(map(folded, lookups.turning)))
    found: list[Word] = []
    at = 0
    while at < len(text):
        if text[at] == " ":
            at += 1
            continue
        best: dict[int, dict[str, str]] = {}
        for end, name, value in _candidates(line, at):
            best.setdefault(end, {})[name] = value
        end = max(best, default=0)
        if not end:
            end = at + 1
            while end < len(text) and text[end] != " " and not _starts(plain, end):
                end += 1
            found.append(Word(at, end, text[at:end], UNKNOWN))
        else:
            _without_verbs(best[end], text[at], found)
            if text[at].islower() and best[end].keys() - {"C", "O", "M", "f", "@", "!"}:
                # A common word of the game that is the name of a card too: its first letter tells.
                best[end] = {name: value for name, value in best[end].items() if name not in "CO@!"}
            elif at and text[at].isupper() and "M" in best[end]:
                # What is there is called so: `la Garde` is no word for keeping.
                best[end] = {name: value for name, value in best[end].items() if name in "MCO@!"}
            elif at and text[at].isupper() and "C" in best[end]:
                # So is a card: `Opt` and `Consider` are no words for choosing.
                best[end] = {name: value for name, value in best[end].items() if name not in "fn5kw"}
            value = next((value for value in best[end].values() if value), "")
            found.append(Word(at, end, best[end].get("=") or text[at:end], frozenset(best[end]), value))
        at = end
    for place, (word, after) in enumerate(pairwise(found)):
        if word.start and word.text in _ARTICLES and "C" in after.classes:
            found[place] = word._replace(classes=UNKNOWN)
    if any("C" in word.classes and word.text[0].isupper() for word in found):
        # Beside a name with a capital, a single word without one is a word: `Unholy Heat, delirium`.
        return [word._replace(classes=UNKNOWN) if word.classes <= set("CO@!") and word.text.isalpha()
                and word.text.islower() else word for word in found]  # fmt: skip
    return found


def _without_verbs(classes: dict[str, str], letter: str, found: Sequence[Word]) -> None:
    """Delete class `M` (permanent) of a word in lower case that may be a verb and follows no article: `elle garde`."""
    if "M" in classes and letter.islower() and {*classes} & set("n5") and not _is_named(found):
        del classes["M"]


def _is_named(found: Sequence[Word]) -> bool:
    """Return whether the last word so far is an article or a possessive such as `'s`: a name follows."""
    return bool(found) and (found[-1].text.casefold() in _BEFORE or "'" in found[-1].classes)


_BEFORE = frozenset(
    {"the", "his", "her", "their", "my", "la", "le", "sa", "son", "ma", "mon", "une", "un", "cette", "ce"}
)
_ARTICLES = frozenset({"The", "Le", "La", "Les"})
"""Articles with a capital: inside a line, before a card, one is an unknown word, as no card is `The Village Watch`."""


def names_a_cast(text: str, lookups: Lookups) -> bool:
    """Return whether a text may name a card that is cast: `taps one for Opt`, `attacks, Opt`."""
    said = [word for word in words_of(text, lookups) if word.classes != {"f"}]
    cards = [
        place
        for place, word in enumerate(said)
        if "C" in word.classes and "M" not in word.classes and not word.text[0].islower()
    ]
    if cards and any(word.classes & {"c", "q"} and word.classes.isdisjoint("n5fkw") for word in said):
        return True
    moved = any("5" in word.classes for word in said)
    return any(not moved or (place and not said[place - 1].classes.isdisjoint("bj:4")) for place in cards)


def makes_tokens(text: str, lookups: Lookups) -> bool:
    """Return whether a text may say that a player gets tokens: `gains a Treasure`."""
    kinds = frozenset().union(*(word.classes for word in words_of(text, lookups)))
    return kinds >= {"R", "m"} and kinds.isdisjoint("Yu5")


def _starts(plain: str, at: int) -> bool:
    """Return whether an unknown word may end before `at`: of the characters on both sides only one is a letter."""
    return _is_letter(plain[at]) != _is_letter(plain[at - 1])


def _candidates(line: _Line, at: int) -> Iterator[tuple[int, str, str]]:
    """Yield the possible words at a position: the end, the class, and the meaning of each."""
    plain = line.plain
    for name, pattern in _vocabulary():
        end = _longest(pattern, plain, at)
        if end:
            yield end, name, ""
    for kind, pattern in _kinds():
        end = _longest(pattern, plain, at)
        if end:
            yield end, "R", kind
    verbs = _forms()
    for end in range(at + 2, min(len(plain), at + _LONGEST) + 1):
        if (names := verbs.get(plain[at:end])) is not None and _ends(plain, end):
            yield from ((end, name, "") for name in names)
    yield from _names(line, at)
    found = _ID.match(plain, at)
    if found is not None and _ends(plain, found.end()) and found[0] not in line.permanents:
        yield found.end(), "0", found[0]


def _names(line: _Line, at: int) -> Iterator[tuple[int, str, str]]:
    """Yield the players, permanents and cards that may be named at a position, as `_candidates` does."""
    text, plain, players, permanents, lookups, turning = line
    for end in range(at + 1, min(len(text), at + _LONGEST) + 1):
        if not _ends(plain, end) or text[end - 1] == " ":
            continue
        name = plain[at:end]
        if name in players:
            yield end, "P", players[name]
        if len(ids := permanents.get(name, ())) == 1:
            yield end, "M", ids[0]
        said = text[at:end]
        if not lookups.is_card(said, ours=False) and name not in _BASIC:
            if at and said[0].isupper() and _as_verb(said, line):
                # A card as a verb: `Ana Shocks Bo`.
                yield end, "C", said[:-1]
                yield end, "=", said[:-1]
            continue
        if len(said) == 1 and said.islower():
            continue
        if (land := land_name(said, lookups)) is not None:
            yield end, "L", land
        else:
            yield end, "C", said
            if name in spells():
                yield end, "!", said
            if name in turning:
                yield end, "@", said
            if lookups.is_permanent(said):
                yield end, "O", said


def _as_verb(said: str, line: _Line) -> bool:
    """Return whether `said` is a card's name and an s, as a verb (`Ana Shocks Bo`), and the line has it only once."""
    name = said.removesuffix("s")
    return name != said and line.text.count(name) == 1 and line.lookups.is_card(name, ours=False)


_ID = re.compile(r"[a-z]+[0-9]+")


def _longest(pattern: re.Pattern[str], plain: str, at: int) -> int:
    """Return the end of the longest word of a class that starts at a position; 0 if there is none."""
    # Alternatives are tried in their order, and the longest one is looked for: so the end is given, from far to near.
    found = pattern.match(plain, at)
    if found is None:
        return 0
    end = next((end for end in range(min(len(plain), at + _LONGEST), found.end(), -1)
                if _ends(plain, end) and pattern.fullmatch(plain, at, end)), found.end())  # fmt: skip
    if _ends(plain, end):
        return end
    return next((end for end in range(end - 1, at, -1) if _ends(plain, end) and pattern.fullmatch(plain, at, end)), 0)
