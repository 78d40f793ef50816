"""Finds information in a line that its events lack. Such a line is refused, because the missing part may be a cast.

Lines are read tolerantly, so an important word may be mistaken for a remark. After every reading, the line is searched
again for a question, a turn with its number, a card, and a number of spells.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import pairwise
from typing import Any

from daynight.framework.language.errors import UnreadableError
from daynight.framework.language.wording import _
from daynight.notation.lines.hints import who_says
from daynight.notation.lookups import Lookups
from daynight.notation.loose.judging import judge_called
from daynight.notation.spelling import A_JUDGE, A_REASON, A_RULING, A_SAYING, NO_JUDGE, OF_EFFECT, WrittenName, quoted
from daynight.notation.spoken.classes import Word, words_of

_QUESTION = re.compile(r"[?？] *[\"»”」]? *$")
_APART = re.compile(
    r"\b(?:in case|about to|plans? to|instead of|(?:in|during) (?:game|match) (?:one|two|three|[0-9])"
    r"|(?:an)?other (?:table|game|match)|(?:première|deuxième|autre|dernière) (?:manche|partie|table)"
    r"|au lieu d[e\']|mais non|but no[,.])|\b\w+-(?:t-)?(?:il|elle|ils|elles) *\?",
    re.IGNORECASE,
)
"""What is about to happen, may happen, or happened in another game."""
_TOKEN = re.compile("t[0-9]+")
_PART = re.compile(r"[,;:.!。、：]|(?<!-)-(?!-)")
_AIMS = "TW8J5b="
"""Classes of the words before a card that is a target, or is drawn, discarded or shown."""


def apart(text: str, lookups: Lookups) -> str | None:
    """Return the refusal of a line about what will or may happen, or happened in another game; None for other lines."""
    if '"' in text or _APART.search(text) is None:
        return None
    return _("what is not certain is a line like: {line}").format(line=f"{lookups.players[0]} casts 0-1 more")


def nobody(fields: Mapping[str, Any], text: str) -> str | None:
    """Return the question `who says so?` if the text for the speaker or the card is a statement; else None."""
    place = {"designation-claimed": "by", "effect-resolved": "source"}.get(fields["type"])
    said = str(fields.get(place or ""))
    if place is None or '"' in text or (A_RULING if place == "by" else A_REASON).search(said) is None:
        return None
    return who_says(fields.get("designation") or fields["becomes"])


def not_done(name: str) -> str:
    """Return the refusal of a line that says of a named card that nobody cast it."""
    sentence = _(
        "{name}: what did not happen has no line; leave it out, or begin it with #. A card of that name stands in"
        " quotation marks"
    )
    return sentence.format(name=repr(name))


def mended(fields: dict[str, Any], text: str, players: Sequence[str]) -> dict[str, Any]:
    """Return the fields of an event whose source or speaker has words besides a name: `Moonmistの効果`.

    A speaker who differs from one player only by upper and lower case is that player.
    """
    source, by = fields.get("source"), fields.get("by")
    if isinstance(source, str) and quoted(source) not in text and (effect := OF_EFFECT.fullmatch(source)) is not None:
        rest = {key: value for key, value in fields.items() if key != "source"}
        return rest | ({"source": effect["card"]} if effect["card"] else {})
    if not isinstance(by, str) or quoted(by) in text:
        return fields
    if fields["type"] == "designation-claimed" and _FINAL.search(text) is not None:
        # Who plays may only claim it.
        return fields if by.casefold() in map(str.casefold, players) else fields | {"type": "judge-ruled"}
    if fields["type"] == "judge-ruled" and NO_JUDGE.fullmatch(by) is not None and A_JUDGE.search(text) is not None:
        return fields | {"by": judge_called(text)}
    said = A_SAYING.sub("", by)
    meant = [player for player in players if player.casefold() == said.casefold()]
    if said in players or len(meant) != 1:
        return fields | {"by": said} if said in players else fields
    return fields | {"by": meant[0]}


_FINAL = re.compile(
    r"[,.;] *(?:(?:and )?(?:that's|it's|c'est) )?(?:final|period|full stop|end of (?:story|discussion)|case closed"
    r"|définitif|point(?: barre| final)|un point c'est tout|affaire classée) *[.!]*$",
    re.IGNORECASE,
)


def remainder(text: str, made: Sequence[Mapping[str, Any]], lookups: Lookups) -> str | None:
    """Return the refusal of a line that says more than the events made of it; None if nothing is missing."""
    if not made and _QUESTION.search(text) is None and _TURNS.search(text) is None:
        return None
    words = words_of(text, lookups)
    if _QUESTION.search(text) is not None and _asks(words, text):
        return _("a question is no line of a record; what happened is a line like: {line}").format(line=_line(words))
    types = [fields["type"] for fields in made]
    turn = next((word for word in words if "U" in word.classes and not _TOKEN.fullmatch(word.text)), None)
    if turn is not None and not {"turn-began", "tally-claimed"} & {*types}:
        sentence = _("{turn} is said, and no turn begins; a turn is a line like: {line}")
        return sentence.format(turn=repr(turn.text), line="turn 5 Ana")
    if made and "turn-began" not in types and _passed_on(text, lookups):
        sentence = _("{turn} is said, and no turn begins; a turn is a line like: {line}")
        return sentence.format(turn=repr(_PASSED.search(text)[0]), line="turn 5 Ana")  # type: ignore[index]
    if made and {*types} <= {"spell-cast"} and (time := _TIMES.search(text)) is not None and not _noted(time[0], made):
        sentence = _("{time} is said beside a cast; what made it so is a line like: {line}")
        return sentence.format(time=repr(time[0]), line=who_says_line(time[0]))
    if not made or any(fields["type"] in _WHOLE for fields in made):
        return None
    card = _passed_over(words, made, lookups) or _shortened(text, made) or countering(text, made, lookups)
    if card is not None:
        sentence = _("what happened to {card}? Each happening stands on a line of its own, like: {line}")
        return sentence.format(card=card, line=f"{lookups.players[0]} casts {card}")
    return None


_TURNS = re.compile(r"[0-9]|(?:turn|tour) [a-z]|ターン", re.IGNORECASE)
_PASSED = re.compile(
    r"(?:pass(?:es|ed|e)?|渡し)(?: .*)? (?:to|à) (\w+)\b"
    r"|pass(?:es|ed|e)?\b.* (?:start|beginning|début|debut) (?:of|de) [\w ]*(?:turn|tour)",
    re.IGNORECASE,
)
_TIMES = re.compile(
    r"(?:it'?s|it is|becomes?|turns?(?: to)?|makes it) (?:now )?(?:day|night)\b"
    r"|(?:la nuit tombe|le jour se lève|il fait (?:jour|nuit))"
    r"|[昼夜]に(?:なる|なった)",
    re.IGNORECASE,
)


def who_says_line(time: str) -> str:
    """Return the example line for `time`, a text about day or night: `it becomes night by The Celestus`."""
    return f"it becomes {'day' if re.search('day|jour|昼', time, re.IGNORECASE) else 'night'} by The Celestus"


def _passed_on(text: str, lookups: Lookups) -> bool:
    """Whether somebody passes the turn to another player."""
    found = _PASSED.search(text)
    if found is None:
        return False
    return found[1] is None or found[1].casefold() in {player.casefold() for player in lookups.players}


def _noted(text: str, made: Iterable[Mapping[str, Any]]) -> bool:
    """Return whether `text` stands in the note of an event."""
    return any(text in str(fields.get("note", "")) for fields in made)


_WHOLE = frozenset({"header", "game-joined", "note-added", "face-claimed"})


def _asks(words: Sequence[Word], text: str) -> bool:
    """Return whether a line asks a question: the question contains a name, or is the whole line."""
    joints = [found.end() for found in _PART.finditer(text)]
    start = max((end for end in joints if text[end:].strip(' ?？"»”」')), default=0)
    return not start or any(word.start >= start and word.classes & set("?PMCOL") for word in words)


def _passed_over(words: Sequence[Word], made: Iterable[Mapping[str, Any]], lookups: Lookups) -> str | None:
    """Return the name, as typed, of a capitalised card that may have been cast but is in no event; None if none is."""
    named = " ".join(_names(made)).casefold()
    said = [word for word in words if word.classes != {"f"}]
    players = [word for word, after in pairwise([*said, *said[-1:]]) if "P" in word.classes and _acts(after)]
    for place, word in enumerate(said):
        if "C" not in word.classes or word.text[0].islower() or not players or _called(word, lookups) in named:
            continue
        if "M" in word.classes:
            # The permanent was on the battlefield already, unless the line also has its id.
            if any(other.value == word.value and other.text != word.text for other in said):
                return word.text
            continue
        before = said[place - 1].classes if place else frozenset()
        behind = said[place + 1].classes if place + 1 < len(said) else frozenset()
        if (before & set(_AIMS) and before.isdisjoint("c'")) or "W" in behind:
            continue
        return word.text
    return None


def _shortened(text: str, made: Iterable[Mapping[str, Any]]) -> str | None:
    """Return a card used as a verb and short for the cast one, or None: `Ana Deluges, uh, casts Memory Deluge`."""
    cards = [fields["card"] for fields in made if isinstance(fields.get("card"), str)]
    longer = {word for card in cards for word in card.split() if word != card}
    return next((card for card in cards if card in longer and f"{card}s" in text), None)


def countering(text: str, made: Sequence[Mapping[str, Any]], lookups: Lookups) -> str | None:
    """Return the card, as typed, that countered a spell and is in no cast: `Ana casts Opt, countered by Negate`."""
    countered = _COUNTERED.search(text)
    if countered is None:
        return None
    cast = {str(fields["card"]).casefold() for fields in made if fields["type"] == "spell-cast"}
    behind = [word for word in words_of(text, lookups) if word.start >= countered.end()]
    cards = [word for word in behind if "C" in word.classes and "M" not in word.classes]
    return next((word.text for word in cards if _called(word, lookups) not in cast), None)


_COUNTERED = re.compile(
    r"counter(?:s|ed)?\b.* (?:by|with|using)\b|contr(?:e|é|ée|és|er|ecarr\w+)\b.* (?:avec|par|grâce à)\b", re.IGNORECASE
)


def _called(word: Word, lookups: Lookups) -> str:
    """Return the English name of a card in lower case; the typed words, in lower case, if the lookup refuses them."""
    with suppress(UnreadableError):
        return lookups.card(WrittenName(word.text, False, 1, 1)).casefold()
    return word.text.casefold()


def _acts(after: Word) -> bool:
    """Return whether the player named before `after` may act: it is not a mere possessive, as in `Ana's Ruffian`."""
    return "'" not in after.classes or "f" in after.classes


def _names(made: Iterable[Mapping[str, Any]]) -> Iterable[str]:
    """Yield the names in events and in their notes."""
    for fields in made:
        for key in ("card", "source", "note", "says"):
            if isinstance(fields.get(key), str):
                yield fields[key]
        for permanent in fields.get("permanents", ()):
            if isinstance(permanent, Mapping):
                yield str(permanent.get("card"))
        if isinstance(fields.get("front"), Mapping):
            yield str(fields["front"].get("name"))


def _line(words: Sequence[Word]) -> str:
    who = next((word.value for word in words if "P" in word.classes), "Ana")
    card = next((word.text for word in words if "C" in word.classes), "Opt")
    return f"{who} casts {card}"
