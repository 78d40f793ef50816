"""Parses the lines of Forge's log that matter for a record, and finds their order in a file."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from daynight.events.terms import Step
from daynight.framework.language.errors import tame
from daynight.framework.language.names import is_name

LETTERS = 20_000
"""The most characters of a line that are read."""

PLAYERS = 64
"""The most players of a game."""

ENDED = re.compile(r" (?:has |have )?(won|lost|conceded)\b")
"""The pattern of a player's outcome, which follows the name in the line."""


class Kind(StrEnum):
    """The kind of a line: the word that Forge writes before its colon, in small letters."""

    TURN = "turn"
    PHASE = "phase"
    MULLIGAN = "mulligan"
    LAND = "land"
    ADD = "add to stack"
    RESOLVE = "resolve stack"
    ZONE = "zone change"
    COMBAT = "combat"
    DAMAGE = "damage"
    MANA = "mana"
    OUTCOME = "game outcome"
    MATCH = "match result"
    RESULT = "game result"
    STOPPED = "stopping slow match"


@dataclass(frozen=True, slots=True)
class LogLine:
    """A line of a log: its number in the file, from 1, its kind, and its text."""

    number: int
    kind: Kind
    text: str


@dataclass(frozen=True, slots=True)
class Reference:
    """A card as Forge names it: its current name, and its number in that game."""

    name: str
    number: str


_KINDS = {kind.value: kind for kind in Kind}
_UNREAD = (
    "ante", "draft", "player control", "life", "discard", "information", "replacement effect", "effect replaced",
)  # fmt: skip
"""The other kinds of lines that Forge writes; a record does not need them."""

_CAPTION = re.compile(r"[A-Z][A-Za-z]{1,20}(?: [A-Za-z]{1,20}){0,2}")
_DAY_OR_NIGHT = re.compile(r"\b(?:day|night)(?:time)?\b", re.IGNORECASE)
_KEPT = re.compile(r"(.+?) has (?:kept a hand of|mulliganed)\b")
_TURN = re.compile(r"Turn (\d{1,9}) \((.*)\)")
_NUMBER = re.compile(r" \((\d{1,9})\)(?:, and |, | and |$)")

_STEPS: dict[str, Step | None] = {
    "untap step": "untap",
    "upkeep step": "upkeep",
    "draw step": "draw",
    "main phase, precombat": "precombat-main",
    "beginning of combat step": "beginning-of-combat",
    "declare attackers step": "declare-attackers",
    "declare blockers step": "declare-blockers",
    # It is written in every combat, whether anything has first strike or not; the contract has no such step.
    "first strike damage step": None,
    "combat damage step": "combat-damage",
    "end of combat step": "end-of-combat",
    "main phase, postcombat": "postcombat-main",
    "end step": "end",
    "cleanup step": "cleanup",
}
_PLACES = {name: place for place, name in enumerate(_STEPS)}
_POSSESSED = re.compile(r"['’]s? (?=\S+(?: \S+){1,3}$)")


def line_of(number: int, raw: bytes) -> LogLine | None:
    """Parse a line; None if its kind is not in `Kind`, so that a record does not need it."""
    text = raw[: 4 * LETTERS].decode("utf-8", "replace").strip()[:LETTERS]
    caption, colon, rest = text.partition(": ")
    if colon and (kind := _KINDS.get(caption.lower())) is not None:
        return LogLine(number, kind, rest.strip())
    if text.startswith("Stopping slow match"):
        return LogLine(number, Kind.STOPPED, text)
    if text.startswith("Game ") and " ended in " in text:
        return LogLine(number, Kind.RESULT, text)
    # The combat entry of several attackers has several lines, and only the first of them says what it is about.
    if " assigned " in text and (" to attack " in text or " to block " in text):
        return LogLine(number, Kind.COMBAT, text)
    return None


def is_new(raw: bytes) -> bool:
    """Return whether a line is of an unknown kind, and mentions day or night."""
    caption, colon, rest = raw[: 4 * LETTERS].decode("utf-8", "replace").strip().partition(": ")
    if not colon or _CAPTION.fullmatch(caption) is None or caption.lower() in (*_KINDS, *_UNREAD):
        return False
    return _DAY_OR_NIGHT.search(f"{caption}: {rest}") is not None


def step_of(text: str) -> tuple[bool, Step | None]:
    """Return whether `text` names a step of Forge, and the matching step of a record, None if there is none."""
    name = _step_name(text)
    return name is not None, _STEPS.get(name or "")


def _step_name(text: str) -> str | None:
    # Names of players may have apostrophes, steps have none: only the end of the line counts.
    for found in _POSSESSED.finditer(text):
        name = text[found.end() :].lower()
        if name in _STEPS:
            return name
    return None


def cut(text: str) -> tuple[int, str] | None:
    """Return the number and the player's name of a line that begins a turn; None if `text` is not of that form."""
    found = _TURN.fullmatch(text)
    return None if found is None else (int(found[1]), found[2])


def seated(lines: Iterable[LogLine]) -> dict[str, None]:
    """Return players' names as ordered keys: of those who keep or mulligan a hand, take a turn, or have an outcome."""
    players: dict[str, None] = {}
    for line in lines:
        name = ""
        if line.kind is Kind.MULLIGAN and (kept := _KEPT.match(line.text)) is not None:
            name = kept[1]
        elif line.kind is Kind.TURN and (turn := cut(line.text)) is not None:
            name = turn[1]
        elif line.kind is Kind.OUTCOME and (ended := ENDED.search(line.text)) is not None:
            name = line.text[: ended.start()]
        if len(players) < PLAYERS and names_fit(name):
            players[name] = None
    return players


def references(text: str) -> list[Reference]:
    """Return the cards of a list: `Bear (1), Kilo, Apogee Mind (100) and Wolf (7)`. Names may contain commas."""
    found = []
    begins = 0
    for number in _NUMBER.finditer(text):
        found.append(Reference(text[begins : number.start()], number[1]))
        begins = number.end()
    return found


def names_fit(name: str) -> bool:
    """Return whether a record can have this name."""
    return is_name(name) and tame(name) == name


class Order:
    """Finds out which end of a file is newer, from the order of its turns and steps.

    `votes` above 0: the oldest line comes first, as from the simulator; below 0: the newest line, as from the window.
    """

    def __init__(self) -> None:
        self.votes = 0
        self._turn = 0
        self._last: int | None = None

    def see(self, line: LogLine) -> None:
        """Add to `votes` if a line's turn or step comes after the last one seen; subtract if it comes before that."""
        if line.kind is Kind.TURN and (found := cut(line.text)) is not None:
            number = found[0]
            self.votes += (number == self._turn + 1 > 1) - (number == self._turn - 1 > 0)
            self.votes += _vote(self._last, -1, turn=True)
            self._turn, self._last = number, -1
        elif line.kind is Kind.PHASE and (name := _step_name(line.text)) is not None:
            place = _PLACES[name]
            self.votes += _vote(self._last, place, turn=self._last == -1)
            self._last = place


def _vote(before: int | None, after: int, *, turn: bool) -> int:
    """Return 1 if the step at place `after` comes later in a game than that at `before`, -1 if earlier, 0 if unclear.

    The place -1 is the line that begins a turn; `turn`: one of the two is that line. None: no line came before.
    """
    if before is None or before == after:
        return 0
    if turn:
        untap, cleanup = _PLACES["untap step"], _PLACES["cleanup step"]
        if before == -1:
            return (after == untap) - (after == cleanup)
        return (before == cleanup) - (before == untap)
    return 1 if after > before else -1
