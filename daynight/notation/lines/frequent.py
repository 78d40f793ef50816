"""Reads the most frequent kinds of lines without the grammar, with the same result.

It is only a fast path: it leaves uncertain lines to the grammar, and a test compares every answer with the grammar's.
It accepts only complete names of players and complete ids of the simplest kind; a known card's name may be abbreviated.
"""

from __future__ import annotations

import re

import msgspec

from daynight.events import Permanent, PermanentsEntered
from daynight.framework.language.codec import encode
from daynight.framework.language.kinds import NAME_LENGTH
from daynight.notation.lookups import Names
from daynight.notation.spelling import is_words

LONGEST = NAME_LENGTH
"""The most characters of a line that the reader gives to this module."""

_NAME = "[A-Z][A-Za-z]*(?: [A-Z][A-Za-z]*)*"
_CARD = "(?!A [Ss]pell$)[A-Z][A-Za-z'-]*(?: [A-Za-z][A-Za-z'-]*)*"
_ID = "[a-z][a-z-]*[0-9]+"
_LINE = re.compile(
    rf"[ \t]*(?:(?P<player>{_NAME}) (?:casts|(?P<copies>copies)) (?P<card>{_CARD})(?: \((?P<spell>{_ID})\))?"
    rf"|turn (?P<turn>[1-9][0-9]{{0,14}}) (?P<active>{_NAME})"
    rf"|(?P<left>{_ID}) leaves(?: to (?P<to>[a-z]+))?"
    rf"|(?P<controller>{_NAME}): (?P<entered>{_CARD}) \((?P<id>{_ID})\) enters)[ \t\r]*"
)


class Frequent:
    """Reads the frequent kinds of lines in a file."""

    def __init__(self, names: Names, *, fill: bool) -> None:
        self._names = names
        self._fill = fill

    def line(self, text: str) -> bytes | None:
        """Return the event of a line as JSON; None if the grammar must read the line."""
        found = _LINE.fullmatch(text)
        if found is None:
            return None
        if found["player"] is not None:
            return self._spell(found)
        if found["turn"] is not None:
            turn, active = found["turn"], found["active"]
            known = active in self._names.plain_players
            if known:
                self._names.turned(int(turn), active)
            return f'{{"type":"turn-began","turn":{turn},"active":["{active}"]}}'.encode() if known else None
        return self._left(found) if found["left"] is not None else self._entered(found)

    def _spell(self, found: re.Match[str]) -> bytes | None:
        player, spell = found["player"], found["spell"]
        card = self._names.completed(found["card"])
        if card is None or player not in self._names.plain_players or card in self._names.odd_cards:
            return None
        if not self._names.catalogue.knows(card):
            return None
        kind = "spell-cast" if found["copies"] is None else "spell-copied"
        behind = "" if spell is None else f',"spell":"{spell}"'
        return f'{{"type":"{kind}","player":"{player}","card":{_json(card)}{behind}}}'.encode()

    def _left(self, found: re.Match[str]) -> bytes | None:
        name, to = found["left"], found["to"]
        if name not in self._names.plain_ids:
            return None
        self._names.there.permanents.pop(name, None)
        behind = "" if to is None else f',"to":"{to}"'
        return f'{{"type":"permanents-left","permanents":["{name}"]{behind}}}'.encode()

    def _entered(self, found: re.Match[str]) -> bytes | None:
        card, controller = self._names.completed(found["entered"]), found["controller"]
        if card is None or controller not in self._names.plain_players or not is_words(found["entered"]):
            return None
        if not self._names.catalogue.knows(card):
            return None
        event = PermanentsEntered(permanents=(Permanent(id=found["id"], card=card, controller=controller),))
        filled = self._names.catalogue.fill(event)
        self._names.noted(filled)
        return encode(filled if self._fill else event)


def _json(name: str) -> str:
    """Return a name as JSON; names of a custom catalogue may have any characters."""
    return msgspec.json.encode(name).decode()
