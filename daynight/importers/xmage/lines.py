"""Parses XMage's messages: whole messages, matched from the first letter to the last."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import Enum, auto
from functools import lru_cache

from daynight.events.terms import Step
from daynight.framework.language.errors import tame
from daynight.framework.language.names import is_name
from daynight.importers.xmage.messages import MARKS, Message, Reference

PLAYERS = 64
"""The most players of a game."""

NEARLY = 0.84
"""The share of a message, from 0 to 1, that must match a known one; then it counts as a damaged copy of that one."""

LONG = 120
"""The most characters of a message that is compared with the known ones."""

LOOKED_AT = 5_000
"""The most different unknown messages of a game that are compared with the known ones; more count as damaged."""


class Kind(Enum):
    """The kind of a message."""

    TURN = auto()
    SKIPS = auto()
    FURTHER = auto()
    CAST = auto()
    COPIED = auto()
    ACTIVATED = auto()
    TRIGGERED = auto()
    ENTERED = auto()
    PLAYED = auto()
    TOKEN = auto()
    TRANSFORMED = auto()
    BECAME = auto()
    PHASED = auto()
    LEFT = auto()
    MOVED = auto()
    ATTACKS = auto()
    LOST = auto()
    WON = auto()
    BACK = auto()
    RESTORED = auto()
    OTHER = auto()
    UNREADABLE = auto()
    CHAT = auto()


@dataclass(frozen=True, slots=True)
class Said:
    """A parsed message: its kind, and its named parts."""

    kind: Kind
    parts: dict[str, str]


STEPS: dict[str, Step | None] = {
    "UN": "untap",
    "UP": "upkeep",
    "DR": "draw",
    "M1": "precombat-main",
    "BC": "beginning-of-combat",
    "DA": "declare-attackers",
    "DB": "declare-blockers",
    # A part of combat damage; the contract has no such step.
    "FCD": None,
    "CD": "combat-damage",
    "EC": "end-of-combat",
    "M2": "postcombat-main",
    "ET": "end",
    "CL": "cleanup",
}
"""The steps by their letters in a clock; None: a part of a step."""

SKIPPED: dict[str, Step] = {
    "Untap": "untap",
    "Beginning": "untap",
    "Upkeep": "upkeep",
    "Draw": "draw",
    "Begin Combat": "beginning-of-combat",
    "Declare Attackers": "declare-attackers",
    "Declare Blockers": "declare-blockers",
    "Combat Damage": "combat-damage",
    "End Combat": "end-of-combat",
    "End Turn": "end",
    "Cleanup": "cleanup",
}
"""The steps by their names in a message about a skipped step."""

_ANY = r"[^\[\]\ue000\ue001]{1,200}?"
_BARE = rf"(?P<bare>{_ANY})"
_ONE = r"(?P<card>\ue000\d+\ue001|" + _ANY + r" \[[0-9a-f]{3}\])"
_OTHER = r"(?:\ue000\d+\ue001|" + _ANY + r" \[[0-9a-f]{3}\])"
_SOURCE = r"(?P<source> \(source: [^()]{1,300}(?:\([^()]{0,200}\)[^()]{0,300})*\))?"
# Another verb shows that two messages run together.
_SOMEWHERE = r"(?:into|to) (?:(?! (?:casts|plays|puts|moves|creates|created) ).)*"

_PATTERNS: tuple[tuple[Kind, str], ...] = (
    (Kind.TURN, r"T(?:URN|urn) (?P<turn>\d{1,9})(?: \(extra\))?(?: for)? {P} \((?P<lives>-?\d+(?: - -?\d+)*)\)"),
    (Kind.SKIPS, r"{P} skips (?P<what>\w+(?: \w+)?) (?:step|phase)" + _SOURCE),
    (Kind.FURTHER, r"{P} starts an additional Beginning phase" + _SOURCE),
    (Kind.CAST, r"{P} casts a face down object(?: \[[0-9a-f]{3}\])?(?P<rest> .*)?"),
    (Kind.CAST, r"{P} casts (?:a copied )?" + _ONE + r"(?P<rest> [a-z(].*)?"),
    (Kind.CAST, r"{P} casts (?:a copied )?" + _BARE + r"(?P<rest> (?:targeting|from|with|using) .*)?"),
    (Kind.COPIED, r"{P} created (?P<many>a copy|\w+ copies) of " + _ONE + r"(?: .*)?"),
    (Kind.ACTIVATED, r"{P} activates: (?P<says>.*)"),
    (Kind.TRIGGERED, r"{P} - Ability triggers: " + _ONE + r" - (?P<says>.*)"),
    (
        Kind.ENTERED,
        r"{P} puts "
        + _ONE
        + r" from (?P<zone>[a-z ]{2,20}?) onto the Battlefield(?: tapped| attacking| tapped and attacking)?"
        + _SOURCE,
    ),
    (Kind.ENTERED, r"{P} puts (?!a card )" + _BARE + r" from (?P<zone>[a-z ]{2,20}?) onto the Battlefield" + _SOURCE),
    (Kind.PLAYED, r"{P} plays " + _ONE + r"(?: as (?:MDF|mdf) side of " + _OTHER + r")?"),
    (Kind.PLAYED, r"{P} plays " + _BARE),
    (Kind.TOKEN, r"{P} creates (?:an? |\w+ )?" + _ONE + r" tokens?(?: .*)?"),
    (Kind.TOKEN, _ONE + r" enters the battlefield as a token under {P}'s control'?"),
    (Kind.TRANSFORMED, _ONE + r" transforms into (?P<into>\ue000\d+\ue001|" + _ANY + r" \[[0-9a-f]{3}\])" + _SOURCE),
    (Kind.BECAME, r"It has become (?P<what>day|night)"),
    (Kind.PHASED, _ONE + r" phased (?P<what>in|out)"),
    (Kind.LEFT, _ONE + r" died(?: by .*)?"),
    (Kind.LEFT, _ONE + r" was destroyed(?: by .*)?"),
    (Kind.LEFT, _ONE + r" is put into graveyard from battlefield(?: .*)?"),
    (Kind.LEFT, r"{P} sacrificed " + _ONE + _SOURCE),
    (Kind.LEFT, r"{P} sacrificed " + _BARE + _SOURCE),
    (Kind.LEFT, r"{P} (?:puts|moves) " + _ONE + r" from battlefield " + _SOMEWHERE),
    (Kind.LEFT, r"{P} has moved " + _ONE + r" to the command zone instead.*"),
    (Kind.MOVED, r"{P} (?:puts|moves) " + _ONE + r" from (?P<zone>[a-z ]{2,20}?) (?P<rest>" + _SOMEWHERE + ")"),
    (Kind.MOVED, _ONE + r" is countered(?: by .*)?"),
    (Kind.ATTACKS, r"Attacker: " + _ONE + r" \(.*\) (?:unblocked|blocked by .*)"),
    (Kind.LOST, r"{P} has (?:conceded|lost the game)\."),
    (Kind.WON, r"{P} has won the game\.?"),
    (Kind.WON, r"For {P} the game is a (?P<draw>draw)\.?"),
    (Kind.BACK, r"Player request: Rolling back to start of turn (?P<turn>\d{1,9})"),
    (Kind.RESTORED, r"Auto-restored to .*"),
)

_MODELS = (
    "TURN N for P (N - N)", "P casts O from hand", "P casts O targeting P from hand",
    "P puts O from hand onto the Battlefield", "P puts O from stack onto the Battlefield", "P plays O",
    "O transforms into O", "It has become day", "It has become night", "O phased out", "O phased in", "O died",
    "O was destroyed", "P sacrificed O", "P has conceded.", "P has lost the game.", "P has won the game",
    "P skips Untap step", "O enters the battlefield as a token under P's control'", "P creates a O token",
    "P puts O from battlefield into their graveyard", "P moves O from battlefield to the exile zone (source: O)",
    "P created a copy of O", "Player request: Rolling back to start of turn N",
    "P puts O from stack into their graveyard", "P puts O from exile zone onto the Battlefield (source: O)",
    "P - Ability triggers: O - ", "Attacker: O (N/N) unblocked", "P casts O targeting O from hand",
    "O is countered by O", "P attacks P with N creatures",
)  # fmt: skip
"""Messages that matter, with O for a card, P for a player, and N for a number."""

_NEVER = re.compile(
    r"P(?:'s .*| (?:draws|scries|surveils|loses|gains|discards|skip attack|chooses|reveals|looks|shuffles|takes|rolls|"
    r"flips|searches|won the toss|decides|mulligans|adds|pays|exchanges|keeps hand|skips their turn|attacks P with"
    r")\b.*)"
    r"|Player request: It's not possible .*|The current turn ends.*|Face down card reveal: .*|P has joined the game"
    r"|P (?:quits the match|has run out of time|was idle for too long|lost the game due|has timed out).*"
    r"|O has been fizzled\.|.{1,200} has been fizzled\."
)
_CUT = re.compile(
    r"P (?:puts|moves) (?:O (?!from |in|on|to |at |back |under |as )|(?!a card |cards? ).* onto the Battlefield).*"
    r"|[PO](?: [PO])*|P (?:\[|from |onto |into |targeting ).*"
    r"|P (?:puts|moves) O from .* (?:casts|plays|puts|moves|creates|created) .*"
)
_KEEPS = re.compile(r"([^\[\]:()\ue000\ue001]{1,40}) keeps hand")
_BEGINS_TURN = re.compile(r"T(?:URN|urn) \d{1,9}(?: \(extra\))?(?: for)? ([^\[\]:()]{1,40}) \(-?\d+(?: - -?\d+)*\)")
_NAMED = re.compile(r"(.+) \[([0-9a-f]{3})\]")
_TALKS = re.compile(r"[^\[\]():\ue000\ue001]{1,40}: ")
_CAPTIONS = ("Player request: ", "Attacker: ", "Auto-restored ", "Face down card reveal: ")
_REFERENCE = re.compile(r"\ue000\d+\ue001|[A-Z][^\[\]\ue000\ue001]{0,60}? \[[0-9a-f]{3}\]")
_SOMEBODY = "\ue002"
_DIGITS = re.compile(r"\d+")
_SAID_SOURCE = re.compile(r" \(source: (\ue000\d+\ue001|" + _ANY + r" \[[0-9a-f]{3}\])\)$")


def names_fit(name: str) -> bool:
    """Return whether a record can have this name."""
    return is_name(name) and tame(name) == name


def seated(found: Iterable[Message]) -> tuple[str, ...]:
    """Return the players, in the order of play: those who keep a hand, then those who have a turn."""
    hands, turns = _told_of(found)
    return tuple(name for name in {**hands, **turns} if names_fit(name))[:PLAYERS]


def strangers(found: Iterable[Message]) -> frozenset[str]:
    """Return the names with a turn and no kept hand, if any hand was kept: such a name is probably damaged."""
    hands, turns = _told_of(found)
    return frozenset(turns).difference(hands) if hands else frozenset()


def _told_of(found: Iterable[Message]) -> tuple[dict[str, None], dict[str, None]]:
    hands: dict[str, None] = {}
    turns: dict[str, None] = {}
    for message in found:
        if message.chat or message.loose or message.damaged:
            continue
        if (kept := _KEEPS.fullmatch(message.text)) is not None:
            hands[kept[1]] = None
        elif message.turn is None and (turn := _BEGINS_TURN.fullmatch(message.text)) is not None:
            turns[turn[1]] = None
    return hands, turns


class Reader:
    """Reads the messages of a game whose players are known."""

    def __init__(self, players: Iterable[str]) -> None:
        self.players = tuple(players)
        several = "|".join(re.escape(player) for player in sorted(self.players, key=len, reverse=True))
        self._player = re.compile(rf"(?<!\w)(?:{several})(?!\w)")
        # Atomic: where the name of a player begins with that of another one, the longer name is meant.
        one = rf"(?P<player>(?>(?:{several})(?!\w)))"
        self._patterns = [(kind, re.compile(pattern.replace("{P}", one))) for kind, pattern in _PATTERNS]
        self._looked_at: set[str] = set()

    def read(self, message: Message) -> Said:
        """Parse a message."""
        text = message.text
        if message.torn:
            return Said(Kind.UNREADABLE, {})
        if message.chat or (_TALKS.match(text) is not None and not self._captioned(text)):
            return Said(Kind.CHAT, {})
        if message.damaged:
            return Said(Kind.UNREADABLE, {})
        for kind, pattern in self._patterns:
            if (found := pattern.fullmatch(text)) is not None:
                parts = {name: value for name, value in found.groupdict().items() if value is not None}
                # A line without a stamp is none of the log's; one that looks like one was cut or changed.
                return Said(Kind.UNREADABLE if message.loose else kind, parts)
        plain = self._skeleton(text)
        if _NEVER.fullmatch(plain) is not None:
            return Said(Kind.OTHER, {})
        return Said(Kind.UNREADABLE if _CUT.fullmatch(plain) is not None or self._is_nearly(plain) else Kind.OTHER, {})

    def _captioned(self, text: str) -> bool:
        caption = next((each for each in _CAPTIONS if text.startswith(each)), None)
        if caption is None:
            return text.partition(": ")[0].endswith((" activates", " - Ability triggers"))
        return caption.partition(": ")[0] not in self.players

    def _skeleton(self, text: str) -> str:
        plain = self._player.sub(_SOMEBODY, text[:400])
        if "[" in plain or MARKS[0] in plain:
            plain = _REFERENCE.sub("O", plain)
        return _DIGITS.sub("N", plain).replace(_SOMEBODY, "P")

    def _is_nearly(self, plain: str) -> bool:
        if len(plain) > LONG:
            return False
        if plain not in self._looked_at and len(self._looked_at) >= LOOKED_AT:
            return True
        self._looked_at.add(plain)
        return nearly(plain)


@lru_cache(maxsize=LOOKED_AT)
def nearly(plain: str) -> bool:
    """Return whether `plain`, a message with O, P and N as in `_MODELS`, matches one of these by at least `NEARLY`."""
    for model in _MODELS:
        matcher = SequenceMatcher(None, plain, model, autojunk=False)
        if matcher.real_quick_ratio() >= NEARLY and matcher.quick_ratio() >= NEARLY and matcher.ratio() >= NEARLY:
            return True
    return False


def following(found: Sequence[tuple[Message, Said]], place: int, first: Message) -> int:
    """Return the index of the next message from `place` on; skip reports of people who join or watch.

    If `first`, the message before, has no turn, return `place`.
    """
    while place < len(found) and first.turn is not None:
        message, said = found[place]
        if message.turn is not None or said.kind is not Kind.OTHER:
            break
        place += 1
    return place


def arrival_of(said: Said) -> tuple[str | None, str | None]:
    """Return the source and the zone of an arrival; cards that arrive together share both."""
    return said.parts.get("source"), said.parts.get("zone")


def reference(message: Message, part: str) -> Reference:
    """Return the card that a part of a message names."""
    if part.startswith(MARKS[0]):
        index = int(part.strip("".join(MARKS)))
        return message.references[index] if index < len(message.references) else Reference("")
    named = _NAMED.fullmatch(part)
    return Reference(part) if named is None else Reference(named[1], named[2])


def source_of(message: Message) -> Reference | None:
    """Return the card that a message names as its source; None if it names none."""
    found = _SAID_SOURCE.search(message.text)
    return None if found is None else reference(message, found[1])
