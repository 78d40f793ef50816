"""Splits a line into tokens: names, numbers, words that `vocabulary` knows, and unknown words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from daynight.notation.lookups import Lookups
from daynight.notation.loose.vocabulary import ends, kinds_at, listed
from daynight.notation.spoken.classes import folded, land_name, spells
from daynight.notation.spoken.numbers import COUNTS

_LONGEST = 60
"""The most characters of a name."""

PARTICLES = frozenset({"subject", "object", "aim"})
"""Kinds of words that stand only behind a name, in Japanese."""


class Token(NamedTuple):
    """A name, a number or a word: where it begins and ends, its text, its kinds, and as `value` what it names.

    The kinds of names are player, permanent, card and land; a permanent called by its card's name is a card, too. The
    `value` of a permanent is its id, that of a number its digits. An unknown word has no kind.
    """

    start: int
    end: int
    text: str
    kinds: frozenset[str]
    value: str = ""

    def is_(self, *kinds: str) -> bool:
        """Return whether the token has one of these kinds."""
        return not self.kinds.isdisjoint(kinds)

    @property
    def step(self) -> str | None:
        """The line of the notation by which the step begins that the token names; None if it names none."""
        return next((kind.removeprefix("step ") for kind in self.kinds if kind.startswith("step ")), None)


NAMES = ("player", "permanent", "card", "land")


def tokens_of(text: str, lookups: Lookups) -> list[Token]:
    """Return the tokens of a text, from the left, each as long as possible."""
    plain = folded(text)
    players = {folded(player): player for player in lookups.players}
    permanents = {folded(name): ids for name, ids in lookups.words_of_permanents().items()}
    found: list[Token] = []
    at = 0
    while at < len(text):
        if text[at] == " ":
            at += 1
            continue
        named = _named(text, plain, at, players, permanents, lookups, found) if ends(plain, at) else None
        end, kinds = kinds_at(plain, at) if ends(plain, at) else (at, ())
        if (PARTICLES & {*kinds} or text[at:end] == "で") and not (found and _before_particle(found[-1], at)):
            kinds = tuple(kind for kind in kinds if kind not in PARTICLES and text[at:end] != "で")
            end = end if kinds else at
        if plain[at:end] == "a":
            kinds = ("onto",) if text[at:end].lower() == "à" else ()
        if named is not None and named.end >= end and not (kinds and _is_common(named, found)):
            found.append(named)
        elif kinds:
            found.append(Token(at, end, text[at:end], frozenset(kinds)))
        elif (
            (number := _NUMBER.match(plain, at)) is not None
            and number[0] not in _ARTICLES
            and ends(plain, number.end())
        ):
            if (nth := _ORDINAL.match(plain, at)) is not None:
                # The third spell is one.
                found.append(Token(at, nth.end(), text[at : nth.end()], frozenset()))
                at = nth.end()
                continue
            digits = number[0].strip("x")
            value = digits if digits.isdigit() else str(COUNTS[number[0]])
            found.append(Token(at, number.end(), text[at : number.end()], frozenset({"number"}), value))
        else:
            end = _end_of_word(plain, at)
            found.append(Token(at, end, text[at:end], frozenset()))
        at = found[-1].end
    return found


def _before_particle(before: Token, at: int) -> bool:
    return before.end == at and (
        before.is_(*NAMES, "number", "spell", "spells", "something")
        or before.text in _CLOSING
        or bool(before.kinds & _NOUNS)
    )


_NOUNS = frozenset({"kill", "turn", "judge", "opponent", "both", "pronoun", "it"})
_CLOSING = frozenset({"さん", "」", "』", "》", "ちゃん", "くん", "氏", "選手", "自身", "とも", "体", "つ"})


def _is_common(named: Token, found: Sequence[Token]) -> bool:
    """Return whether a name that is a known word too, as `take`, means the word: lower case, no id, no player."""
    if named.is_("card") and folded(named.text) in spells() and found and found[-1].is_("aim", "object"):
        return found[-1].text.isascii()
    return (
        named.text.isascii() and named.text.islower() and not _ID.fullmatch(named.text) and "player" not in named.kinds
    )


_ID = re.compile(r"[a-z][a-z-]*[0-9]+")


def _named(
    text: str,
    plain: str,
    at: int,
    players: Mapping[str, str],
    permanents: Mapping[str, tuple[str, ...]],
    lookups: Lookups,
    found: Sequence[Token],
) -> Token | None:
    """Return the longest name that begins at a position, None if none does."""
    turning = {folded(name.removeprefix("The ")): name for name in lookups.turning if name.startswith("The ")}
    for end in range(min(len(text), at + _LONGEST), at, -1):
        if text[end - 1] == " " or not ends(plain, end):
            continue
        said, name = text[at:end], plain[at:end]
        if name in players:
            title = _TITLE.match(plain, end)
            last = end if title is None else title.end()
            return Token(at, last, text[at:last], frozenset({"player"}), players[name])
        ids = permanents.get(name, ())
        card = _card(said, name, lookups)
        if card == "card" and said.isascii() and said.islower() and not _follows_verb(found) and name not in spells():
            card = None
        if len(ids) == 1:
            kinds = {"permanent", "card"} if card == "card" and len(name) > _SHORT else {"permanent"}
            last = end if (title := _TITLE.match(plain, end)) is None else title.end()
            return Token(at, last, said, frozenset(kinds), ids[0])
        if card is None and name in turning:
            return Token(at, end, turning[name], frozenset({"card"}), turning[name])
        if card is not None:
            return Token(at, end, said, frozenset({card}), said)
    return None


_SHORT = 3
_TITLE = re.compile("さん|ちゃん|くん|君|氏|選手")


def _follows_verb(found: Sequence[Token]) -> bool:
    """Return whether a spell in lower case may follow the last token: a player, an article or a verb."""
    return bool(found) and (
        found[-1].is_("cast", "counter", "player", "with", "copy") or found[-1].text in _BEFORE_NAMES
    )


_BEFORE_NAMES = frozenset({"the", "a", "an", "her", "his", "their", "un", "une", "le", "la", "son", "sa"})


def _card(said: str, name: str, lookups: Lookups) -> str | None:
    """Return `card` or `land` if a text is a card's name, else None; one word in lower case only if often played."""
    if name.isascii() and said.islower() and " " not in said and name not in spells():
        return None
    if len(said) < _FEWEST or said.isdigit() or said in _NO_CARDS or listed("chat").fullmatch(name) is not None:
        return None
    if land_name(said, lookups) is not None:
        return "land"
    return "card" if lookups.is_card(said, ours=False) else None


_FEWEST = 2
_NO_CARDS = frozenset(
    {
        "Day",
        "Night",
        "What",
        "Nobody",
        "Nothing",
        "Turn",
        "It",
        "He",
        "She",
        "They",
        "I",
        "The",
        "Then",
        "So",
        "And",
        "But",
        "Now",
        "Il",
        "Elle",
        "On",
    }
)
_ARTICLES = frozenset({"a", "an", "un", "une"})
_ORDINAL = re.compile("(?:[0-9]+|[一二三四五六七八九十])(?:つ|回|個|番|本|枚)目(?:の|に|を)?")
_NUMBER = re.compile("|".join(["[0-9]{1,3}x?|x[0-9]{1,3}", *sorted(map(re.escape, COUNTS), key=len, reverse=True)]))


def _end_of_word(plain: str, at: int) -> int:
    """Return the end of an unknown word: Latin letters and digits, a run of katakana, or else one character."""
    end = at + 1
    if plain[at].isalnum() and plain[at] < "\u2e80":
        while end < len(plain) and not ends(plain, end):
            end += 1
    elif "\u30a0" <= plain[at] <= "\u30ff":
        while end < len(plain) and "\u30a0" <= plain[end] <= "\u30ff" and not plain.startswith("トークン", end):
            end += 1
    return end
