"""Reads lines whose clauses depend on each other: `Bo casts Shock on w1, it dies`, `Bo kills w1 with Shock`.

A clause without a name is about a name before it: `it dies` is about the only permanent in the line, `both die` about
the two, `it enters` about the card that was cast. If several names fit, the line is refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any, NamedTuple, TypeAlias

from daynight.framework.language.errors import UnreadableError
from daynight.framework.language.wording import _
from daynight.notation.lookups import Lookups
from daynight.notation.spelling import WrittenName, quoted
from daynight.notation.spoken.classes import MOST, UNKNOWN, Word, folded, words_of
from daynight.notation.spoken.words import cheers, pattern, refers_back

Fields: TypeAlias = dict[str, Any]
Read: TypeAlias = Callable[[str], list[Fields]]

_ZONES = (("x", "exile"), ("X", "exile"), ("h", "hand"), ("H", "hand"), ("B", "library"), ("l", "library"),
          ("d", "graveyard"), ("D", "graveyard"), ("u", "graveyard"), ("G", "graveyard"))  # fmt: skip
"""The zone to which a permanent goes, by the classes of the words for it; the first match counts."""

_COMMAS = re.compile(
    r" *[,;] +| - |[.!] +(?=\S)|[、。]|(?:(?<=唱えて)|(?<=打って)|(?<=撃って)|(?<=使って)|(?<=して))(?=[^いおしきか、])"
    r"|(?:(?<=けど)|(?<=ので)|(?<=たが)|(?<=るが)|(?<=ましたが))(?=[^、])"
    r"|(?:(?<=唱えるも)|(?<=唱えるが)|(?<=唱えたが))(?=[^、])"
)
_JOINTS = re.compile(r" (?:and now|and|but|then|so|which|that|who|et|mais|puis|donc|qui|elle|il) ")
_START = re.compile(
    r"^(?:(?:(?:and|but|then|so|which|who|that|et|mais|puis|donc|qui)(?!\w)|そして|それで|対応なしで"
    r"|無事に|で)[ 、]*)+(?=\S)"
)
_BOTH = re.compile(
    r"\b(?:both|they|all|les deux|tous les deux|toutes les deux|ils|elles)\b|両方|どちらも|2体|相(?:打|討)ち|共に"
)
_END = re.compile("(?<=[たる])(?:けれど|けど|ので|も|が)$")
_COUNTERED = re.compile(
    r"(?:(?:it|that|\w+) )?(?:(?:is|gets?|got|was|been) )?countered(?: by .+)?"
    r"|(?:(?:est|se fait|a ete|il est|le sort est|sort) )?contre(?:r|e|carree?|carrer)(?: par .+)?"
    r"|(?:が|は)?打ち消(?:され(?:る|た|ました)|し)"
)
_ARRIVES = re.compile(r"battlefield|into play|in play|board|enters?|arriv|en jeu|champ de bataille|場に|着地|出")
_SURVIVES = re.compile(
    r"(?:(?:it|he|she|they|il|elle|ca) )?(?:survives?|survived|lives|lived|survit|survivent|reste en vie)"
    r"|生き残(?:る|った)|耐え(?:る|た)"
)
_USES = re.compile(r"\bactivat|\buses? the|\butilis|起動")
_NOTHING = re.compile(r"(?:nothing|nobody|no one|neither|none|rien|personne|aucun)\b|(?:何も|誰も|どちらも)")
_NOTHING_GOES = re.compile(rf"(?:{_NOTHING.pattern}).*(?:die|leave|meur|死)")
_BECOMES = re.compile(
    r"(?:(?:and|now|so|then|that|which|et|maintenant|donc) )*(?:(?:it|that) ?)?"
    r"(?:'s|is|becomes?|became|turns?(?: to)?|makes it)(?: now)? (day|night)(?: now)?"
    r"|(?:(?:et|maintenant|donc) )*(?:la (nuit) tombe|le (jour) se leve"
    r"|(?:il fait|il devient|c'est(?: la| le)?|ca fait) (jour|nuit))(?: maintenant)?"
    r"|([昼夜])に(?:なる|なった|なります|なりました)"
)
_BY = re.compile(r"countered by|contr(?:e|ecarre)e? par|打ち消され")
_PURPOSE = re.compile(
    r"\bto (?:kill|destroy|exile|bounce|remove|take|murder|deal|return)|\bpour \w+(?:er|ir|re)\b|ため"
)
_INSTEAD = re.compile(r"respon|repon|対応|instead|almost|nearly|would|could|may\b|might|will\b|pourrait|aurait|presque")


_BACK = re.compile(r"\b(?:comes?|came|is|was) back\b|\breturn|\brevien|\brevenu|戻")


class Clauses(NamedTuple):
    """Where names are looked up, and functions to events: `read` for a clause, `write` for a line of the notation."""

    lookups: Lookups
    read: Read
    write: Read


def by_clauses(text: str, how: Clauses) -> list[Fields] | None:
    """Return the fields of the events of a line whose clauses depend on each other; None if it is no such line.

    Raises:
        UnreadableError: where a name in it is ambiguous; `UncertainError` where a clause is about something not named.
    """
    if len(text) > MOST or not set('"{}[]@').isdisjoint(text):
        return None
    if _USES.search(folded(text)) is not None:
        return None
    whole = _COMMAS.search(text) is None
    if whole and (line := removed(words_of(text, how.lookups), text, how.lookups)) is not None:
        return how.write(line)
    parts = [*_parts(text, how.lookups)]
    if len(parts) == 1:
        return None
    made: list[Fields] = []
    there: list[str] = []
    rests = False
    if not any(_may_rest(part, how.lookups) for part in parts[1:]):
        return None
    for place, part in enumerate(parts):
        words = words_of(part, how.lookups)
        found = None
        if place:
            found = _resting(part, words, made, there, how)
            rests = rests or found is not None or _tells_of_leaving(words)
        if found is None:
            found = _alone(part, parts[0], how)
        if found is None:
            return None
        made += found
        there += [word.value for word in words if "M" in word.classes and word.value not in there]
    return made if rests else None


def _may_rest(part: str, lookups: Lookups) -> bool:
    """Return whether a clause may depend on the ones before it.

    It names a permanent that leaves or, without a name, tells of leaving, arriving, a counter, surviving, day or night.
    """
    bare = _START.sub("", part, count=1)
    plain = folded(bare).strip(" .!")
    ways = (_COUNTERED, _SURVIVES, _BECOMES)
    told = any(way.fullmatch(plain) is not None for way in ways) or _BY.search(plain) is not None
    if _tells_of_leaving(words_of(bare, lookups)):
        return True
    return told or _nameless(words_of(bare, lookups)) is not None or _NOTHING_GOES.match(plain) is not None


def _tells_of_leaving(words: Sequence[Word]) -> bool:
    """Return whether a clause says that a permanent leaves: `crow dies`."""
    return any("M" in word.classes for word in words) and any(
        word.classes & set("dxh") and word.classes.isdisjoint("fnk") for word in words
    )


def _parts(text: str, lookups: Lookups) -> Iterator[str]:
    """Yield the clauses of a line: it is cut at commas, and at a word such as `and` before a clause that may depend."""
    at = 0
    commas = [(found.start(), found.end()) for found in _COMMAS.finditer(text)]
    for start, end in [*commas, (len(text), len(text))]:
        yield from _joined(text[at:start].strip(), lookups)
        at = end


def _joined(part: str, lookups: Lookups) -> Iterator[str]:
    for joint in _JOINTS.finditer(part):
        then = part[joint.start() :].strip()
        if _may_rest(then, lookups):
            yield from (part[: joint.start()], then)
            return
    if part:
        yield part


def _nameless(words: Sequence[Word]) -> str | None:
    """Return the zone to which a clause without names sends something, `e` for an arrival; None for another clause."""
    said = [word for word in words if word.classes != {"f"}]
    if not said or any(not word.classes & set("pfjwkJTgvdxhlGXHBeEn'4btDu&I2N") for word in said):
        return None
    if any(word.classes & set("PMCOLRUA~?q") and not word.classes & set("fp") for word in said):
        return None
    sure = frozenset().union(*(word.classes for word in said if word.classes.isdisjoint("n")))
    zones = frozenset().union(*(word.classes for word in said))
    for letter, zone in _ZONES:
        if letter in "HB" and letter in zones and not zones.isdisjoint("gJT"):
            return zone
        if letter in sure and letter not in "HB":
            return zone
    return "e" if any("e" in word.classes for word in said if word.classes != {"n"}) else None


def _resting(
    part: str, words: Sequence[Word], made: Sequence[Fields], there: Sequence[str], how: Clauses
) -> list[Fields] | None:
    """Return the fields of the events of clause `part`, if it is about the last of `made` or the permanents `there`.

    `made` are the events of the clauses before it, `there` the ids named in them. Return None for another
    clause, and `[]` if the clause adds no event: `it survives`.

    Raises:
        UncertainError: where the clause is about something that the line does not name.
    """
    plain = folded(_START.sub("", part, count=1)).strip(" .!")
    cast = made[-1] if made and made[-1]["type"] == "spell-cast" and "card" in made[-1] else None
    if cast is not None and (countering := _countering(plain, words, how)) is not None:
        return countering
    if _COUNTERED.fullmatch(plain) is not None:
        return [] if cast is not None else None
    if _SURVIVES.fullmatch(plain) is not None or _NOTHING.match(plain) is not None:
        return []
    if cast is not None and (became := _BECOMES.fullmatch(plain)) is not None:
        return _becoming(became, cast["card"], how)
    zone = _nameless(words_of(_START.sub("", part, count=1), how.lookups))
    if zone is None or _INSTEAD.search(plain) is not None or (zone == "exile" and _BACK.search(plain) is not None):
        return None
    return _arriving(plain, cast, made, how) if zone == "e" else _leaving(zone, plain, made, there, how)


def _arriving(plain: str, cast: Fields | None, made: Sequence[Fields], how: Clauses) -> list[Fields] | None:
    """Return the arrival of the permanent that was cast; None if nothing that was named can arrive.

    `[]`: the permanent has arrived already, or a spell resolves, which is no event.
    """
    if cast is None:
        return [] if made and made[-1]["type"] == "permanents-entered" else None
    if how.lookups.is_permanent(cast["card"]):
        return how.write(f"{quoted(cast['player'])}: {quoted(cast['card'])} enters")
    return None if _ARRIVES.search(plain) is not None else []


def _leaving(zone: str, plain: str, made: Sequence[Fields], there: Sequence[str], how: Clauses) -> list[Fields]:
    """Return the event by which the permanents `there` leave to `zone`; `[]` if the clause before says so already.

    Raises:
        UncertainError: where the line does not name exactly the permanents that leave: one, or two for "both".
    """
    several = _BOTH.search(plain) is not None
    if len(there) != (2 if several else 1):
        raise UncertainError
    if made and made[-1]["type"] == "permanents-left" and {*made[-1]["permanents"]} == {*there}:
        return []
    return how.write(f"{', '.join(map(quoted, there))} {'leave' if several else 'leaves'} to {zone}")


def _becoming(became: re.Match[str], card: str, how: Clauses) -> list[Fields]:
    """Return the event that `card`, the spell that was cast, makes it day or night.

    Raises:
        UncertainError: where the spell that was cast has no such effect.
    """
    time = "day" if any(group in ("day", "jour", "昼") for group in became.groups()) else "night"
    if card.casefold() not in {name.casefold() for name in how.lookups.turning}:
        raise UncertainError
    return how.write(f"it becomes {time} by {quoted(card)}")


def _countering(plain: str, words: Sequence[Word], how: Clauses) -> list[Fields] | None:
    """Return the cast in `countered by Bo's Negate`; None unless the clause names one player and one spell."""
    players = [word.value for word in words if "P" in word.classes]
    cards = [word for word in words if _is_spell(word, how.lookups)]
    if _BY.search(plain) is None or len(players) != 1 or len(cards) != 1:
        return None
    return how.write(f"{quoted(players[0])} casts {quoted(cards[0].text)}")


class UncertainError(UnreadableError):
    """Raised if a clause is about something that the line does not name."""

    def __init__(self) -> None:
        super().__init__(
            _("a part of this line is about something that it does not name; write each on a line of its own")
        )


def _alone(part: str, first: str, how: Clauses) -> list[Fields] | None:
    """Return the events of clause `part`, alone or behind the player with whom `first` begins; None if refused."""
    words = words_of(first, how.lookups)
    who = words[0].value if words and "P" in words[0].classes else None
    bare = _END.sub("", _START.sub("", part, count=1) if part is not first else part)
    for text in (bare, f"{who} {bare}") if who is not None and part is not first else (bare,):
        with suppress(UnreadableError):
            return how.read(text)
    return None


def removed(words: Sequence[Word], text: str, lookups: Lookups) -> str | None:
    """Return the lines of a cast and a departure, ` ;; ` between them, for `Bo kills w1 with Shock`.

    None for another clause, or if it is not certain who casts the spell or where the permanents go.
    """
    said = [word for word in words if word.classes != {"f"}]
    cards = [place for place, word in enumerate(said) if _is_spell(word, lookups)]
    players = [place for place, word in enumerate(said) if "P" in word.classes]
    targets = [place for place, word in enumerate(said) if "M" in word.classes]
    if (
        len(cards) != 1
        or not players
        or not targets
        or _PURPOSE.search(folded(text))
        or _INSTEAD.search(folded(text)) is not None
    ):
        return None
    (card,), rest = cards, {*cards, *players, *targets}
    others = [word for place, word in enumerate(said) if place not in rest]
    if any(word.classes == UNKNOWN or not word.classes & set("ibTJvjwkpGHXBgdDxh'#c:4q8WfI") for word in others):
        return None
    caster = _caster(said, card, players, targets)
    zone = _zone(others)
    if caster is None or zone is None or not _is_means(others):
        return None
    ids = ", ".join(dict.fromkeys(quoted(said[place].value) for place in targets))
    spell = quoted(lookups.card(WrittenName(said[card].text, False, 1, 1)))
    return f"{quoted(said[caster].value)} casts {spell} ;; {ids} {'leave' if ',' in ids else 'leaves'} to {zone}"


def _is_spell(word: Word, lookups: Lookups) -> bool:
    """Return whether a capitalised word is a card that is not on the battlefield and becomes no permanent."""
    known = "C" in word.classes and not word.classes & set("MO") and not word.text[0].islower()
    return known and not lookups.is_permanent(word.text)


def _zone(others: Sequence[Word]) -> str | None:
    sure = frozenset().union(*(word.classes for word in others if word.classes.isdisjoint("fnw")))
    where = frozenset().union(*(word.classes for word in others))
    for letter, zone in _ZONES:
        if letter in "HBXG" and letter in where and not where.isdisjoint("gJT"):
            return zone
        if letter in sure and letter not in "HBXGul":
            return zone
    return None


def _caster(said: Sequence[Word], card: int, players: Sequence[int], targets: Sequence[int]) -> int | None:
    """Return the index in `said` of the player who casts the spell at index `card`; None if that is not certain."""
    owners = {place for place in players if _owns(said, place, targets)}
    acting = [place for place in players if place not in owners]
    if len({said[place].value for place in acting}) != 1:
        return None
    place = acting[0]
    # `Bo's Shock kills w1` may mean a cast that is recorded already.
    whose = place + 1 < len(said) and said[place + 1].text in ("'s", "'")
    behind = card + 2 == place and said[card + 1].text.lower() in ("from", "by")
    owned = place + 1 < len(said) and said[place + 1].text == "の"
    return place if behind or owned or (place == 0 and not whose) else None


def _owns(said: Sequence[Word], place: int, targets: Sequence[int]) -> bool:
    """Return whether the player at index `place` only owns a permanent or a zone: `Bo's w2`, `la Garde de Bo`."""
    behind = place + 2 < len(said) and "'" in said[place + 1].classes
    if behind and (place + 2 in targets or said[place + 2].classes & set("HGB")):
        return True
    return "b" in said[place - 1].classes and place - 2 in targets


def _is_means(others: Sequence[Word]) -> bool:
    """Return whether the spell removes the permanents: no verb among `others` (no names) only counters or targets."""
    return not any("q" in word.classes and not word.classes & set("dDxh") for word in others)


def is_aside(text: str, rest: str, lookups: Lookups) -> bool:
    """Return whether a clause is a remark without an event, or a reason for the claim of day or night in `rest`."""
    plain = " ".join(text.split()).strip(" .!").casefold()
    words = words_of(text, lookups)
    if pattern("reason").fullmatch(plain) is not None:
        return _CLAIMS.search(folded(rest)) is not None
    if _HOW_MANY.search(plain) is not None or refers_back(plain):
        return False
    named = any(word.classes & set("CM") and word.text[0].isupper() for word in words)
    return not named and (cheers(plain) or pattern("aside").fullmatch(plain) is not None)


_HOW_MANY = re.compile("how many|number|count|combien|nombre|[数何](?:は|回|つ|個)")
_CLAIMS = re.compile(r"(?:\bday|\bnight|\bjour|\bnuit)\b|[昼夜]")
