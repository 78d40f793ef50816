"""Doubts that a record keeps: cards that the importer of its log did not know, under `meta` of the events they are in.

Arena's importer writes them as `{"arena": {"unknown": [999001]}}`, Arena's numbers of those cards, in records on whose
line 1 `meta` has `arena` too; other records keep no such doubts. No rule reads that.
What the rules make of the record may be wrong where such a card has to do with day and night, and the audit, `why` and
the report say so.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from daynight.events import BecameCopy, Event, PermanentsEntered, SpellCast, SpellCopied
from daynight.framework.language.grammar import commas
from daynight.framework.language.wording import _, counted
from daynight.referee.state import PlayedRecord

BEARERS = (PermanentsEntered, SpellCast, SpellCopied, BecameCopy)
"""The events that name cards."""

MOST = 1_000
"""The most cards that are kept. No game has as many."""

NAMED = 5
"""How many of them the sentence names."""


class Doubts:
    """The unknown cards of a record, each with the first standing event that tells of it."""

    def __init__(self) -> None:
        self.cards: dict[int, int] = {}
        self.kept = False
        """Whether the record may keep doubts, by its line 1."""

    def __bool__(self) -> bool:
        return bool(self.cards)

    def note(self, event: Event, number: int) -> None:
        """Add the unknown cards that event `number` names."""
        if number == 1:
            self.kept = event.meta is not None and "arena" in event.meta
        for card in _unknown(event.meta) if self.kept else ():
            if len(self.cards) < MOST:
                self.cards.setdefault(card, number)

    def undo(self, to: int) -> None:
        """Remove what the events after `to` added: they are undone."""
        self.cards = {card: number for card, number in self.cards.items() if number <= to}

    @property
    def sentence(self) -> str:
        """Say which cards the importer did not know; empty where it knew all."""
        if not self.cards:
            return ""
        named = [str(card) for card in self.cards]
        several = commas(named[:NAMED])
        if len(named) > NAMED:
            several = _("{cards} and others").format(cards=several)
        return counted(
            "The importer did not know {n} card, Arena's number {cards}, first seen in event {event}; if it has to do"
            " with day and night, what is derived here may be wrong.",
            "The importer did not know {n} cards, Arena's numbers {cards}, first seen in event {event}; if one of them"
            " has to do with day and night, what is derived here may be wrong.",
            len(self.cards),
        ).format(cards=several, event=min(self.cards.values()))

    def document(self) -> dict[str, Any]:
        """The doubts as JSON."""
        return {"unknown": list(self.cards), "because": sorted(set(self.cards.values())), "sentence": self.sentence}


def doubts(game: PlayedRecord) -> Doubts:
    """Return the doubts in the events of a game that were not undone."""
    found = Doubts()
    for first in game.events[:1]:
        found.note(first, 1)
    # Line 1 tells at once whether there can be doubts; reading a long stored game takes time.
    for at, event in enumerate(game.events, 1) if found.kept else ():
        if event.meta is not None and isinstance(event, BEARERS) and game.stands(at):
            found.note(event, at)
    return found


def _unknown(meta: object) -> Iterator[int]:
    # `meta` comes from other programs and may hold anything.
    about = meta.get("arena") if isinstance(meta, dict) else None
    unknown = about.get("unknown") if isinstance(about, dict) else None
    for card in unknown if isinstance(unknown, list) else ():
        if type(card) is int and 0 < card < 2**31:
            yield card
