"""Finds texts in the place of a card that are no card's name: `nothing`, `-1 more`, `Opt twice`, `Opt, Bo casts Opt`.

Any card may be cast by its own name, even a card that no catalogue has. So a mistyped number, or two lines in one,
would silently count as a cast, and change day and night. A card whose real name looks like this must be written in
quotation marks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from daynight.framework.language.errors import UnreadableError
from daynight.framework.language.wording import _

NUMBERS = {
    word: number
    for number, word in enumerate(["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"])
}  # fmt: skip
"""The numbers 0 to 10 by their English words."""

_NOTHING = re.compile(r"(?:nothing|none|no)(?:[ ].*)?", re.IGNORECASE)
_KIND = re.compile(
    r"(?:an?|the|some|any|another)[ ](?:[a-z-]+[ ]){0,2}"
    r"(?:instant|sorcery|creature|artifact|enchantment|planeswalker|card|spell)(?:[ ,;(].*)?"
    r"|(?:(?:an?|the|some|any|another|one|his|her|their|my)[ ])?"
    r"(?:(?:[0-9]+|one|two|three|four|five|six|seven)[- ](?:drop|mana|cmc)|[0-9x*]+/[0-9x*]+)(?:[ ,;(].*)?"
    r"|(?:une?|le|la|son|sa)[ ].*\b(?:sort|éphémère|rituel|créature|enchantement|artefact|carte)\b.*"
    r"|.*(?:インスタント|ソーサリー|クリーチャー|エンチャント|アーティファクト|オーラ|呪文)"
    r"|(?:an?|the|one|un|une)[ ](?:second|third|fourth|last|first|other|more|deuxième|troisième|autre)"
    r"|(?:something|anything|smth|smthg|sth)(?:[ ,;(].*)?|another|it|them|this|that",
    re.IGNORECASE,
)
_COUNTED = re.compile(
    rf"(?:[-+0-9–−]|(?:{'|'.join(NUMBERS)}|up[ ]to|at[ ](?:most|least)|maybe|perhaps)(?![^ ]))"
    r"|(?:.*[ ])?more$|(?:.*[ -])?drops(?:[ ].*)?$|(?:.*[ ])?spells?(?:[ ].*)?$"
    r"|(?:deux|trois|quatre|cinq|aucune?)(?![^ ])"
    r"|(?:.*[ ])?sorts(?:[ ].*)?$|.*(?:呪文|スペル)(?!.*[・=]).*$|.*[0-9二三四五六](?:つ|回|枚)",
    re.IGNORECASE,
)
_COMMON = re.compile(
    r"\b(?:instants?|sorcer(?:y|ies)|creatures?|artifacts?|enchantments?|planeswalkers?|auras?|cards?|spells?|cantrips?"
    r"|commander|morphs?|tricks?|removal|sorts?|éphémères?|rituels?|créatures?|enchantements?|artefacts?|cartes?"
    r"|commandant|trucs?)\b"
)
_DETERMINED = re.compile(r"(?:an?|her|his|their|its|my|some|une?|son|sa|ses|mon|ma|mes|leur) ")
"""Matches a word such as `her` or `a`: the words after it without a capital are a kind of card, not a card's name."""
_TIMES = re.compile(r".*[ ](?:once|twice|thrice|times)|.*[ ]x[ ]?[0-9]+", re.IGNORECASE)
_VERB = re.compile(
    r"(?:an?|the|une)[ ]cop(?:y|ie)[ ].*|.*[ ](?:casts|copies|lance)[ ].*|.*[ ](?:last|previous|next)[ ]turn"
    r"|.*を(?:唱え|キャスト|コピー).*",
    re.IGNORECASE,
)
_SPELL = "a spell"
_ASIDE = re.compile("[,;(]")
_ID = re.compile(r"[\w-]*(?<=[0-9])")
_STOPS = ".,;:?"
_JOINTS = re.compile(
    r",[ ]|[ ](?:and|&|then|et|puis|[+]|into)[ ]|;[ ]|、|(?<=[A-Za-z])と|と(?=[A-Za-z])", re.IGNORECASE
)
_BEHIND = re.compile(
    r",?[ ](?:for|with|on|at|but|which|from|to|into|targeting|as|in|by|off|using|while|because|during|after|before"
    r"|sur|pour|avec|mais|depuis|dans|en|ciblant|pendant|comme|à|au)[ ]",
    re.IGNORECASE,
)


def seems_counted(text: str) -> bool:
    """Return whether a text reads like a number of spells, no spell, or a kind: `2 spells`, `none`, `an instant`."""
    if _COUNTED.match(text) or _NOTHING.fullmatch(text) or _KIND.fullmatch(text):
        return True
    if not text[0].islower():
        return False
    return _COMMON.search(text) is not None or (text == text.lower() and _DETERMINED.match(text) is not None)


def seems_several(text: str, players: Sequence[str], is_card: Callable[[str], bool]) -> bool:
    """Return whether a text in the place of a card reads like more than one event, or like a card and more."""
    if text[0] in _STOPS or text[-1] in _STOPS or _id(text):
        return True
    if _TIMES.fullmatch(text) is not None or _VERB.fullmatch(text) is not None:
        return True
    if card_before(text, is_card) is not None:
        return True
    if any(re.search(rf"[.,;、。] ?{re.escape(player)}(?!\w)", text) for player in players):
        return True
    words = text.split()
    for place in range(1, len(words)):
        before, behind = words[place - 1], words[place]
        # Words that are no part of a name begin with small letters.
        if behind[0].islower() and behind[0].isascii() and is_card(" ".join(words[:place])):
            return True
        if before[0].islower() and behind[0].isupper() and is_card(" ".join(words[place:])):
            return True
    parts = [part.strip().casefold() for part in _JOINTS.split(text)]
    if len(parts) == 1:
        return False
    known = {player.casefold() for player in players}
    return len({*parts}) < len(parts) or any(part in known or is_card(part) for part in parts)


def card_before(text: str, is_card: Callable[[str], bool]) -> str | None:
    """Return the card at the beginning of a longer text: `Opt` of `Opt for one mana`; None if there is none."""
    return next((text[: at.start()] for at in _BEHIND.finditer(text) if is_card(text[: at.start()])), None)


def refused_card(text: str, column: int, card: str | None = None) -> UnreadableError:
    """Return the error, at `column`, for a text that is no card name; `card` is the card at its beginning, if any."""
    near = _near(text)
    if near == _SPELL and (aside := _ASIDE.search(text)) is not None:
        card, near = text[: aside.start()], None
    if card is not None and near is None:
        sentence = _("{name} is no card that is known; what is said besides stands behind a #: {card}  # {rest}")
        rest = text[len(card) :].strip(" ,;()")
        card = _SPELL if _KIND.fullmatch(card) is not None else card
        return UnreadableError(sentence.format(name=repr(text), card=card, rest=rest), column=column)
    if _NOTHING.fullmatch(text) is not None:
        sentence = _(
            "{name}: what did not happen has no line; leave it out, or begin it with #. A card of that name stands in"
            " quotation marks"
        )
    elif near is None or near.casefold() == text.casefold():
        sentence = _(
            "{name} reads like more than one happening; write each on a line of its own. A card of that name stands in"
            " quotation marks"
        )
    else:
        sentence = _("no card {name} in the catalogue; did you mean {near}? Write another card in quotation marks")
    return UnreadableError(sentence.format(name=repr(text), near=near), column=column)


def _near(text: str) -> str | None:
    """Return what to write instead if a text probably means a single event, such as `2 spells`; else None."""
    last = text.casefold().rsplit(" ", 1)[-1]
    if last == "more":
        return "0-1 more"
    if last == "spells":
        return "2 spells"
    if last == "spell" or _KIND.fullmatch(text) is not None or _one_kind(text):
        return _SPELL
    if seems_counted(text) or _TIMES.fullmatch(text) is not None or _VERB.fullmatch(text) is not None:
        return None
    if text.endswith(tuple(_STOPS)):
        return text.rstrip(f"{_STOPS} ") or None
    return f"{text.removesuffix(last)}({last})" if (last := _id(text)) else None


def _one_kind(text: str) -> bool:
    """Return whether a text describes a single card without naming it: `her trusty creature`."""
    kinds = [found[0] for found in _COMMON.finditer(text)] if text[0].islower() else []
    return not any(kind.endswith("s") for kind in kinds) and (
        bool(kinds) or (_DETERMINED.match(text) is not None and text == text.lower())
    )


def _id(text: str) -> str:
    """Return the last word, if it looks like the id of a spell and follows a name; otherwise an empty text."""
    name, _space, last = text.rpartition(" ")
    return last if name and _ID.fullmatch(last) is not None else ""
