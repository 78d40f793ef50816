"""Cards by name, and what they fill in where an arrival gives only a name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from daynight.events.actions import GameJoined, PermanentsEntered
from daynight.events.errors import NotFoundError, UnreadableError
from daynight.events.grammar import commas
from daynight.events.names import forbidden_character, names_in
from daynight.events.permanents import Characteristics, Permanent
from daynight.events.terms import Keyword, Name
from daynight.events.vocabulary import Event
from daynight.events.wording import _

__all__ = ["Card", "CardFace", "Catalogue", "bundled"]

_BOTH = " // "


class CardFace(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """One face of a card as printed; `stats` (power and toughness, or loyalty) is for people only."""

    name: Name
    types: tuple[Name, ...] = ()
    subtypes: tuple[Name, ...] = ()
    stats: str | None = None
    keywords: tuple[Keyword, ...] = ()
    permanent: bool = True
    day_if_neither: bool = False
    watches: bool = False
    holds: Literal["non-human-werewolves-you-control", "night"] | None = None

    def characteristics(self) -> Characteristics:
        """What the rules of day and night can see of this face."""
        return Characteristics(
            name=self.name,
            keywords=self.keywords,
            types=self.types,
            subtypes=self.subtypes,
            permanent=self.permanent and not set(self.types) & {"Instant", "Sorcery"},
            day_if_neither=self.day_if_neither,
            watches=self.watches,
            holds=self.holds,
        )


class Card(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A card: its faces, where it was printed, and whether that was `verified` against a printing.

    `resolves`: what its effect makes of day and night; `reads`: the designation it asks for.
    """

    name: Name
    double_faced: bool
    front: CardFace
    back: CardFace | None = None
    mana_cost: str | None = None
    colors: str | None = None
    set: str | None = None
    resolves: Literal["day", "night", "switch"] | None = None
    reads: Literal["day", "night"] | None = None
    note: str | None = None
    verified: bool = False

    def __post_init__(self) -> None:
        """A double-faced card has a back, and no other has."""
        if self.double_faced is (self.back is None):
            raise ValueError(_("a double-faced card has a back, and no other card has"))

    @property
    def names(self) -> tuple[str, ...]:
        """Every name it goes by: its front's, its back's, and both together."""
        if self.back is None:
            return (self.front.name,)
        return self.front.name, self.back.name, f"{self.front.name}{_BOTH}{self.back.name}"


class Catalogue:
    """Cards by any of their names.

    >>> bundled()["Tavern Smasher"].front.name
    'Tavern Ruffian'
    """

    def __init__(self, cards: Iterable[Card]) -> None:
        self.cards = tuple(cards)
        self._by_name = {name: card for card in self.cards for name in card.names}

    def __iter__(self) -> Iterator[Card]:
        return iter(self.cards)

    def __len__(self) -> int:
        return len(self.cards)

    def __contains__(self, name: object) -> bool:
        return name in self._by_name

    def __getitem__(self, name: str) -> Card:
        """The card of that front name, back name, or both with ` // `.

        Raises:
            NotFoundError: naming the cards that are nearest.
        """
        try:
            return self._by_name[name]
        except KeyError:
            near = get_close_matches(name, self._by_name, n=3)
            hint = _("did you mean {names}?").format(names=commas(near)) if near else _("see daynight cards")
            raise NotFoundError(_("no card {name}; {hint}").format(name=repr(name), hint=hint)) from None

    def fill(self, event: Event) -> Event:
        """The event as it is stored: its permanents filled in, so that no later catalogue changes an old game."""
        if type(event) is not PermanentsEntered and type(event) is not GameJoined:
            return event
        for permanent in event.permanents:
            if not _is_filled(permanent):
                return replace(event, permanents=tuple(map(self._filled, event.permanents)))
        return event

    def _filled(self, permanent: Permanent) -> Permanent:
        if _is_filled(permanent):
            return permanent
        card = self._by_name.get(permanent.card)
        if card is None:
            return replace(
                permanent,
                double_faced=permanent.double_faced is True,
                front=permanent.front or Characteristics(),
            )
        double_faced = card.double_faced if permanent.double_faced is None else permanent.double_faced
        back = permanent.back
        if back is None and double_faced and card.back is not None:
            back = card.back.characteristics()
        return replace(
            permanent,
            card=card.front.name,
            double_faced=double_faced,
            front=permanent.front or card.front.characteristics(),
            back=back,
        )

    @classmethod
    def read(cls, path: Path | str) -> Catalogue:
        """A catalogue of one's own: a JSON list of cards, of the shape of the bundled one.

        Raises:
            UnreadableError: naming the place in the file.
            OSError: where it cannot be opened.
        """
        data = Path(path).read_bytes()
        try:
            cards = msgspec.json.decode(data, type=tuple[Card, ...])
        except (msgspec.MsgspecError, ValueError) as error:
            sentence, _at, place = str(error).partition(" - at `")
            raise UnreadableError(sentence, path=place.rstrip("`") or "$", file=str(path)) from None
        for place, name in names_in(cards):
            if (character := forbidden_character(name)) is not None:
                sentence = _("the character {character} may not stand in a name").format(character=character)
                raise UnreadableError(sentence, path=place, file=str(path))
        return cls(cards)


def _is_filled(permanent: Permanent) -> bool:
    """Whether nothing is left to fill in: such a permanent is never looked up, so no catalogue can change it."""
    return (
        permanent.front is not None
        and permanent.double_faced is not None
        and (not permanent.double_faced or permanent.back is not None)
    )


@cache
def bundled() -> Catalogue:
    """The catalogue of the package."""
    data = files("daynight.cards").joinpath("cards.json").read_bytes()
    return Catalogue(msgspec.json.decode(data, type=tuple[Card, ...]))
