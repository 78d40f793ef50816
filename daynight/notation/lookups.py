"""Looks up typed names: completes them, or proposes similar ones.

A player is one of the header. A permanent is one that has entered; it is found by its id, or by its card's name if no
other permanent ever had that name. A card of the catalogue is found by any of its names, or by a beginning that fits no
other card; any other name counts as that of an unknown card. This module knows no rules; `permanent` finds a permanent
that has left, too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import lru_cache
from itertools import islice
from typing import Protocol

from daynight.cards import Catalogue, bundled
from daynight.cards.likeness import same, straight
from daynight.cards.names import basic
from daynight.events import (
    Characteristics,
    Event,
    GameBackedUp,
    GameJoined,
    GameRestarted,
    GameStarted,
    PermanentsEntered,
    TurnBegan,
)
from daynight.framework.language.errors import UnreadableError
from daynight.framework.language.grammar import commas
from daynight.framework.language.wording import _
from daynight.notation.doubts import card_before, refused_card, seems_counted, seems_several
from daynight.notation.lines.forms import misspelt
from daynight.notation.register import Register, by_words, folded
from daynight.notation.spelling import WrittenName, is_cast, is_id, is_words
from daynight.notation.there import There

_SHORTEST = 3
"""The fewest characters of a beginning that identifies a card."""

_SHOWN = 20

_LOOKED_AT = 200
"""The most names of players or permanents in which similar ones are searched."""


class Lookups(Protocol):
    """A source of names: a file during reading, or the state of a game."""

    def player(self, said: WrittenName) -> str:
        """Return the player that a name means."""
        ...

    def permanent(self, said: WrittenName) -> str:
        """Return the id of the permanent that a name or an id means."""
        ...

    def card(self, said: WrittenName, *, token: bool = False) -> str:
        """Return the full name of the card or `token` that a name means."""
        ...

    def unknown(self, said: WrittenName, card: str) -> bool:
        """Return whether no card named `card` is known, and the typed name `said` is not in quotation marks."""
        ...

    def face(self, said: WrittenName) -> Characteristics:
        """Return the face that a name means."""
        ...

    def free_id(self, card: str) -> str:
        """Return a new id for a permanent, made of the card's name."""
        ...

    @property
    def edition(self) -> str | None:
        """The edition of the rules that the record names."""
        ...

    @property
    def players(self) -> Sequence[str]:
        """The players of the game."""
        ...

    @property
    def turning(self) -> Sequence[str]:
        """The names of the cards whose effect makes it day or night."""
        ...

    def words_of_permanents(self) -> Mapping[str, tuple[str, ...]]:
        """Return the ids of permanents by their names, and by the longer words in these names."""
        ...

    def creatures(self, player: str | None) -> Sequence[str]:
        """Return the ids of what may be creatures on the battlefield, of `player` or of all; none if it is unknown."""
        ...

    def card_of(self, id: str) -> str | None:
        """Return the card of a permanent that is there; None if it is not known."""
        ...

    def is_permanent(self, text: str) -> bool:
        """Return whether this is the name of a card of the catalogue that becomes a permanent."""
        ...

    def next_turn(self, player: str) -> int | None:
        """Return the number of the next turn; None if it is not known, or the present turn is this player's."""
        ...

    def is_card(self, text: str, *, ours: bool) -> bool:
        """Return whether a card with this name is known; with `ours`, only cards of the catalogue count."""
        ...

    def is_known(self, text: str) -> bool:
        """Return whether this is a complete known name, so that a comma in the text is a part of the name."""
        ...


class Names:
    """The names known so far, while a file is read or written from its beginning."""

    def __init__(self, catalogue: Catalogue | None = None) -> None:
        self.catalogue = bundled() if catalogue is None else catalogue
        self.players: tuple[str, ...] = ()
        self.edition: str | None = None
        self.steady = True
        """Set to True by the reader before a line; False once that line may mean something else later in the game."""
        self.plain_players: frozenset[str] = frozenset()
        self.plain_ids: set[str] = set()
        """The ids of permanents that need no quotation marks."""
        self._players = Register(())
        self._player: dict[str, str] = {}
        self._ids: dict[str, None] = {}
        self._named: dict[str, dict[str, None]] = {}
        self._free: dict[str, int] = {}
        self.there = There()
        self._turn: tuple[int | None, Sequence[str]] = 0, ()
        self._faces = {face.name: face for card in self.catalogue for face in card.faces}
        self._cards = _register(self.catalogue)
        self._card: dict[tuple[str, bool], str | None] = {}
        self.odd_cards = _odd(self.catalogue)
        """The cards of the catalogue that must be quoted after `casts`, as they would be read otherwise."""

    def noted(self, event: Event) -> None:
        """Remember the names in an event, and whose turn it is."""
        if not isinstance(event, PermanentsEntered):
            self.there.noted(event)
        if isinstance(event, GameStarted):
            self.players, self.edition = event.players, event.edition
            self._players = Register(((player, player) for player in event.players), words=True)
            self._player = {player: player for player in event.players}
            self._card.clear()
            self.plain_players = frozenset(player for player in event.players if is_words(player))
            self._ids, self._named, self._free, self.plain_ids = {}, {}, {}, set()
            self._turn = 0, ()
        elif isinstance(event, TurnBegan):
            self._turn = event.turn, event.active
            self.steady = False
        elif isinstance(event, (GameBackedUp, GameRestarted)):
            self._turn = None, ()
            self.steady = False
        elif isinstance(event, (PermanentsEntered, GameJoined)):
            if isinstance(event, GameJoined):
                self._turn = None, ()
            for one in event.permanents:
                self.there.permanents[one.id] = one
                self._ids[one.id] = None
                if is_id(one.id):
                    self.plain_ids.add(one.id)
                faces = {face.name for face in (one.front, one.back) if face is not None and face.name is not None}
                for known in faces | {one.card}:
                    for name in self.catalogue.called(known):
                        self._named.setdefault(folded(name), {})[one.id] = None
                self._named.setdefault(folded(one.id), {})[one.id] = None

    def turned(self, turn: int, active: str) -> None:
        """Remember the number of a turn, and whose turn it is."""
        self._turn = turn, (active,)

    # ------------------------------------------------------------------------------------------------------- players

    def player(self, said: WrittenName) -> str:
        """Return the player with that name; else the only one whose name, or a word of whose name, begins so.

        Raises:
            UnreadableError: where there is no such player, or more than one.
        """
        if said.literal or said.text in self._player:
            return said.text
        found = self._players.found(said.text)
        if len(found) == 1:
            return found[0]
        if not self.players:
            sentence = _("no players are known yet; the record begins with the lines game and players")
            raise UnreadableError(sentence, column=said.column)
        raise unclear(said, found, self.players[:_LOOKED_AT])

    # ---------------------------------------------------------------------------------------------------- permanents

    def permanent(self, said: WrittenName) -> str:
        """Return the text if a permanent entered with this id, else the id of the only permanent ever so named.

        Raises:
            UnreadableError: where there is no such permanent, or more than one.
        """
        if said.literal or said.text in self._ids:
            return said.text
        self.steady = False
        found = list(self._named.get(folded(said.text), ()))
        if len(found) == 1:
            return found[0]
        raise unclear(said, found, list(islice(reversed(self._ids), _LOOKED_AT))[::-1])

    def words_of_permanents(self) -> Mapping[str, tuple[str, ...]]:
        """Return the ids of all permanents that entered, by their names, and by the longer words in these names."""
        self.steady = False
        return by_words((id, name) for name, ids in self._named.items() for id in ids)

    def creatures(self, player: str | None) -> Sequence[str]:
        """Return the ids of what may be creatures on the battlefield, of `player` or of all; none if it is unknown."""
        self.steady = False
        return self.there.creatures(player, self.catalogue)

    def card_of(self, id: str) -> str | None:
        """Return the card of a permanent that is there; None if it is not known."""
        self.steady = False
        return None if (one := self.there.permanents.get(id)) is None else one.card

    def free_id(self, card: str) -> str:
        """Return an id, made of the card's name, that no permanent has had: `tavern-ruffian-1`."""
        self.steady = False
        made = free_id(card, self._ids, self._free)
        self._ids[made] = None
        return made

    # --------------------------------------------------------------------------------------------------------- cards

    def card(self, said: WrittenName, *, token: bool = False) -> str:
        """Return the completed name of a card of the catalogue, or the name of any other card.

        The name of a token is never completed from a beginning.

        Raises:
            UnreadableError: where several cards of the catalogue fit, the text is nearly the name of one, it is the id
                of a permanent, or it looks like something else than a card.
        """
        if said.literal:
            return said.text
        if (name := self.completed(said.text, token=token)) is not None:
            return name
        if said.text in self._ids:
            sentence = _("{name} is on the battlefield; the name of a card is expected, or {name} in quotation marks")
            raise UnreadableError(sentence.format(name=repr(said.text)), column=said.column)
        if self._is_doubtful(said.text):
            raise refused_card(said.text, said.column, card_before(said.text, self.catalogue.knows))
        cards = [] if token else [name for name in self._cards.found(said.text) if name in self._faces]
        near = self.catalogue.near(said.text, token=token)
        if cards and not any(same(said.text, name) for name in near):
            sentence = _("{name} may be {names}; write more of it, or another card in quotation marks")
            raise UnreadableError(sentence.format(name=repr(said.text), names=shown(cards)), column=said.column)
        sentence = _("no card {name} in the catalogue; did you mean {near}? Write another card in quotation marks")
        raise UnreadableError(sentence.format(name=repr(said.text), near=shown(near)), column=said.column)

    def completed(self, text: str, *, token: bool = False) -> str | None:
        """Return the card that a text without quotation marks names; None where `card` would raise an error."""
        if (text, token) in self._card:
            return self._card[text, token]
        if len(self._card) > _REMEMBERED:
            self._card.clear()
        self._card[text, token] = answer = self._completed(text, token)
        return answer

    def _completed(self, text: str, token: bool) -> str | None:
        if text in self.catalogue:
            return self.catalogue.english.get(straight(text), text)
        if self._is_doubtful(text):
            return None
        if self._cards.has(text):
            found = self._cards.found(text)
        elif self.catalogue.knows(text):
            return basic(text) or text
        else:
            found = self._cards.found(text) if len(text) >= _SHORTEST and not token else []
            # Celestus is The Celestus, and no beginning of Celestus Sanctifier.
            if found and any(same(text, name) for name in self.catalogue.near(text)):
                return None
        fronts = {self.catalogue[name].front.name for name in found}
        if len(fronts) == 1:
            return found[0] if len(found) == 1 or not fronts & set(found) else fronts.pop()
        return None if found or self.catalogue.near(text, token=token) else text

    def unknown(self, said: WrittenName, card: str) -> bool:
        """Return whether no card named `card` is known, and the typed name `said` is not in quotation marks."""
        return not (said.literal or self.catalogue.knows(card))

    def is_card(self, text: str, *, ours: bool) -> bool:
        """Return whether a card with this name is known; with `ours`, only cards of the catalogue count."""
        return self._cards.has(text) or (not ours and self.catalogue.knows(text))

    def is_permanent(self, text: str) -> bool:
        """Return whether this is the name of a card of the catalogue that becomes a permanent."""
        return self._cards.has(text) and self.face_of(self.completed(text) or text).permanent is not False

    def next_turn(self, player: str) -> int | None:
        """Return the number of the next turn; None if the last one is this player's, or unknown, as after a back-up."""
        turn, active = self._turn
        return None if turn is None or player in active else turn + 1

    @property
    def turning(self) -> Sequence[str]:
        """The names of the cards whose effect makes it day or night."""
        return [name for card in self.catalogue if card.resolves for name in card.names]

    def _is_doubtful(self, text: str) -> bool:
        """Return whether a text is no card's complete name, and is an id or looks like a number or several events."""
        if self._cards.has(text) or self.catalogue.knows(text):
            return False
        # Who casts w1, which is on the battlefield, casts another card, and has to say which.
        return text in self._ids or seems_counted(text) or seems_several(text, self.players, self.catalogue.knows)

    def face(self, said: WrittenName) -> Characteristics:
        """Return the face that a name means: from the catalogue, otherwise one without relevant abilities.

        Raises:
            UnreadableError: where several faces fit, or the text is nearly a name of the catalogue.
        """
        return self.face_of(said.text if said.literal else self.card(said))

    def face_of(self, name: str) -> Characteristics:
        """Return the characteristics of the face with this complete name; of an unknown face only the name."""
        if name in self._faces:
            return self._faces[name].characteristics()
        if name in self.catalogue:
            return self.catalogue[name].front.characteristics()
        return Characteristics(name=name)

    def is_known(self, text: str) -> bool:
        """Return whether this is the complete name of a player, a permanent or a card."""
        return text in self._player or text in self._ids or self._cards.has(text)


@lru_cache(maxsize=4)
def _register(catalogue: Catalogue) -> Register:
    return Register(
        (english, name) for card in catalogue for english in card.names for name in catalogue.called(english)
    )


@lru_cache(maxsize=4)
def _odd(catalogue: Catalogue) -> frozenset[str]:
    return frozenset(name for card in catalogue for name in card.names if not is_cast(name))


_REMEMBERED = 10_000


def free_id(card: str, taken: Iterable[str], counts: dict[str, int]) -> str:
    """Return an id made from the card's name, not in `taken`: `tavern-ruffian-1`; `counts` has the next numbers."""
    stem = (re.sub(r"[^\w]+", "-", card.lower()).strip("-") or "permanent")[:180]
    number = counts.get(stem, 1)
    while f"{stem}-{number}" in taken:
        number += 1
    counts[stem] = number + 1
    return f"{stem}-{number}"


def shown(names: Sequence[str]) -> str:
    """Return a list of names as text, at most the first twenty."""
    return commas([*names[:_SHOWN], *(["..."] if len(names) > _SHOWN else [])])


def unclear(said: WrittenName, found: Sequence[str], there: Sequence[str]) -> UnreadableError:
    """Return the error for a name that fits all of `found`; if `found` is empty, it is none of the names `there`."""
    if found:
        sentence = _("{name} may be {names}; write more of it")
        return UnreadableError(sentence.format(name=repr(said.text), names=shown(found)), column=said.column)
    return none_of(said, said.text, there, frozenset(there).__contains__)


def none_of(said: WrittenName, asked: str, there: Sequence[str], is_known: Callable[[str], bool]) -> UnreadableError:
    """Return the error for `said`, which is none of the words `there`; a word similar to `asked` is proposed."""
    if (slip := misspelt(said.text, said.column, is_known)) is not None:
        word, column, meant = slip
        sentence = _("{word} is not understood; did you mean {meant}?")
        return UnreadableError(sentence.format(word=repr(word), meant=meant), column=column)
    near = get_close_matches(asked, there, n=1)
    sentence = _("no {name} here; there: {names}")
    if near:
        sentence = _("no {name} here; there: {names} (did you mean {near}?)")
    names = shown(there) if there else _("none")
    text = sentence.format(name=repr(said.text), names=names, near=near[0] if near else "")
    return UnreadableError(text, column=said.column)
