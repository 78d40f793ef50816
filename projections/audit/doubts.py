"""Doubts that a record keeps under `meta` of its events: what the writer of the event did not know.

| who | where | what |
| --- | --- | --- |
| Arena's importer | `{"arena": {"unknown": [999001]}}`, if line 1 has `arena` too | Arena's numbers of cards |
| a person who types | `{"typed": {"unknown": ["Glum Wolf"]}}` of what enters or is copied | names of cards |
| whoever catches up | `{"unwritten": true}` of a turn | a turn that nobody wrote while it was played |

No rule reads `meta`. If the unknown card or turn has to do with day and night, the derived state may be wrong; the
audit, `why` and the report say so, and a finding that rests on a doubt is unsettled (`Resting`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from daynight.events import BecameCopy, Event, GameJoined, PermanentsEntered, SpellCast, SpellCopied, TurnBegan
from daynight.framework.language.grammar import commas, paragraph
from daynight.framework.language.kinds import NAME_LENGTH
from daynight.framework.language.names import forbidden_character
from daynight.framework.language.wording import _, counted
from daynight.referee.state import PlayedRecord

BEARERS = (PermanentsEntered, SpellCast, SpellCopied, BecameCopy, GameJoined, TurnBegan)
"""The types of events whose `meta` may hold a doubt."""

TYPED = (PermanentsEntered, BecameCopy, GameJoined)
"""The event types that give permanents a card's faces; only in them can an unknown name change what is derived."""

MOST = 1_000
"""How many unknown numbers are kept at most, and how many names, and turns; far more than any game has."""

LATEST = 4_096
"""How many of the latest events of a stored game are searched, so that the cost stays bounded however long it is."""

NAMED = 5
"""The most cards or turns that a sentence of `Doubts.sentence` names."""


class Doubts:
    """Collects what the writers of a record did not know: cards, by Arena's number or by name, and unwritten turns.

    An unwritten turn is one that nobody wrote while it was played. `cards`, `names` and `turns` map each doubt to the
    first event, not undone, that has it. `of_a_log`: the record was imported from a log of Arena.
    """

    def __init__(self) -> None:
        self.cards: dict[int, int] = {}
        self.names: dict[str, int] = {}
        self.turns: dict[int, int] = {}
        self.of_a_log = False

    def __bool__(self) -> bool:
        return bool(self.cards or self.names or self.turns)

    def note(self, event: Event, number: int) -> tuple[str, ...]:
        """Add the doubts of event `number`; return the texts of those that may change what is derived.

        These are an unwritten turn, and unknown cards that enter, are found on the battlefield, or are copied.
        """
        if number == 1:
            self.of_a_log = event.meta is not None and "arena" in event.meta
        if event.meta is None or not isinstance(event, BEARERS):
            return ()
        if isinstance(event, TurnBegan):
            if event.meta.get("unwritten") is not True:
                return ()
            _kept(self.turns, event.turn, number)
            return (f"turn {event.turn}",)
        numbers = [*_numbers(event.meta)] if self.of_a_log else []
        names = [*_names(event.meta)] if isinstance(event, TYPED) else []
        for card in numbers:
            _kept(self.cards, card, number)
        for name in names:
            _kept(self.names, name, number)
        return (*map(str, numbers), *names) if isinstance(event, TYPED) else ()

    def undo(self, to: int) -> None:
        """Remove what the events after `to` added: they are undone."""
        self.cards = {card: number for card, number in self.cards.items() if number <= to}
        self.names = {name: number for name, number in self.names.items() if number <= to}
        self.turns = {turn: number for turn, number in self.turns.items() if number <= to}

    @property
    def sentence(self) -> str:
        """The doubts in words; empty if there are none."""
        told = []
        if self.cards:
            told.append(counted(
                "The importer did not know {n} card, Arena's number {cards}, first seen in event {event}; if it has to"
                " do with day and night, what is derived here may be wrong.",
                "The importer did not know {n} cards, Arena's numbers {cards}, first seen in event {event}; if one of"
                " them has to do with day and night, what is derived here may be wrong.",
                len(self.cards),
            ).format(cards=_listed([*map(str, self.cards)]), event=min(self.cards.values())))  # fmt: skip
        if self.names:
            told.append(counted(
                "No card is known by the name {names}, first seen in event {event}; if it has to do with day and night,"
                " what is derived here may be wrong.",
                "No cards are known by {n} names, {names}, first seen in event {event}; if one of them has to do with"
                " day and night, what is derived here may be wrong.",
                len(self.names),
            ).format(names=_listed([*self.names]), event=min(self.names.values())))  # fmt: skip
        if self.turns:
            told.append(counted(
                "Nobody wrote turn {turns} while it was played; what happened in it is not certain.",
                "Nobody wrote {n} turns, {turns}, while they were played; what happened in them is not certain.",
                len(self.turns),
            ).format(turns=_listed([*map(str, self.turns)])))  # fmt: skip
        return paragraph(*told)

    def document(self) -> dict[str, Any]:
        """The doubts as JSON, with their events in `because`; `unknown` only exists for a record from Arena's log."""
        because = sorted({*self.cards.values(), *self.names.values(), *self.turns.values()})
        numbers = {"unknown": [*self.cards]} if self.of_a_log else {}
        return {"names": [*self.names], **numbers, "because": because, "sentence": self.sentence}


def doubts(game: PlayedRecord) -> Doubts:
    """Return the doubts in the events of a game that were not undone.

    A stored game that is read in pages, and was not imported from a log, may be long: only its `LATEST` events are
    searched.
    """
    found = Doubts()
    for first in game.events[:1]:
        found.note(first, 1)
    is_paged = not isinstance(game.events, list | tuple)
    start = max(len(game) - LATEST, 0) if is_paged and not found.of_a_log else 0
    for at, event in enumerate(game.events[start:], start + 1):
        if at > 1 and event.meta is not None and isinstance(event, BEARERS) and game.stands(at):
            found.note(event, at)
    return found


def _kept(found: dict[Any, int], key: Any, number: int) -> None:
    if len(found) < MOST:
        found.setdefault(key, number)


def _listed(named: list[str]) -> str:
    several = commas(named[:NAMED])
    return _("{cards} and others").format(cards=several) if len(named) > NAMED else several


# `meta` comes from other programs and may hold anything.


def _unknown(meta: object, key: str) -> list[Any]:
    about = meta.get(key) if isinstance(meta, dict) else None
    unknown = about.get("unknown") if isinstance(about, dict) else None
    return unknown if isinstance(unknown, list) else []


def _numbers(meta: object) -> Iterator[int]:
    for card in _unknown(meta, "arena"):
        if type(card) is int and 0 < card < 2**31:
            yield card


def _names(meta: object) -> Iterator[str]:
    for name in _unknown(meta, "typed"):
        if isinstance(name, str) and 0 < len(name) <= NAME_LENGTH and forbidden_character(name) is None:
            yield name
