"""Finds cards by name, and completes the permanents of an arrival that gives only names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from difflib import get_close_matches
from functools import cache, partial
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from daynight.cards.likeness import nearest, straight
from daynight.cards.names import BASICS, is_known
from daynight.cards.sides import check_one_side
from daynight.events import Characteristics, GameJoined, GameStarted, Permanent, PermanentsEntered
from daynight.events.terms import TOKENS_TRANSFORM, Keyword, tokens_transform
from daynight.framework.language.errors import NotFoundError, UnreadableError
from daynight.framework.language.grammar import commas
from daynight.framework.language.happening import ByType
from daynight.framework.language.kinds import Name
from daynight.framework.language.names import forbidden_character, names_in
from daynight.framework.language.wording import _


class _Listener:
    """Collects the names for `doubting`; `asked` has all unknown names, so that each is looked up only once."""

    def __init__(self) -> None:
        self.doubts: dict[str, tuple[str, ...] | None] = {}
        self.asked: set[str] = set()


_listening: ContextVar[_Listener | None] = ContextVar("daynight.cards.doubts", default=None)


@contextmanager
def doubting() -> Iterator[dict[str, tuple[str, ...] | None]]:
    """Yield a dict that collects, during the block, unknown cards that enter, each with the names it may mean.

    An unknown card that resembles no name is left out. A card outside the rules gets an empty tuple, a double-faced
    token in an early edition gets `EARLY`, and a name that a person typed and that no card has gets None.

    >>> from daynight.game import Game
    >>> with doubting() as doubts:
    ...     game = Game.start("g1", ["Ana"])
    ...     moment = game.record({"type": "permanents-entered", "permanents": [
    ...         {"id": "c", "card": "Brutal Cathare", "controller": "Ana"}]})
    >>> doubts
    {'Brutal Cathare': ('Brutal Cathar',)}
    """
    listener = _Listener()
    token = _listening.set(listener)
    try:
        yield listener.doubts
    finally:
        _listening.reset(token)


def doubt(name: str, near: Callable[[str], tuple[str, ...]]) -> None:
    """Note an unknown card that entered by its name alone, if `near` returns names that it resembles."""
    listener = _listening.get()
    if listener is None or name in listener.asked or len(listener.asked) == _MANY:
        return
    listener.asked.add(name)
    if found := near(name):
        listener.doubts[name] = found


def unknown(names: Iterable[str]) -> None:
    """Note names typed by a person for entering cards, which no known card has."""
    if (listener := _listening.get()) is not None:
        for name in names:
            if len(listener.doubts) < _MANY:
                listener.doubts.setdefault(name, None)


def unknown_sentence(names: Sequence[str]) -> str:
    """Return one sentence about all names that a person typed and that no known card has."""
    sentence = _(
        "no card is known by this name, so it is taken for one that has nothing to do with day and night: {names}; a"
        " name in quotation marks is taken at its word"
    )
    return sentence.format(names=commas([*map(repr, names[:_NAMED]), *(["..."] if len(names) > _NAMED else [])]))


def doubt_sentence(name: str, near: tuple[str, ...]) -> str:
    """Return the sentence about an unknown name and those `near` it, or about a card outside the rules."""
    if near == EARLY:
        sentence = _("a token of {name} is written down as double-faced; before the rules of {edition} no token is")
        return sentence.format(name=name, edition=TOKENS_TRANSFORM)
    if not near:
        sentence = _("{name} is outside the rules: what it does to day and night is not applied")
        return sentence.format(name=name)
    sentence = _(
        "no card {name} in the catalogue, so it has no ability that matters to day and night; did you mean {near}?"
    )
    return sentence.format(name=repr(name), near=commas(near))


EARLY = ("double-faced token",)
"""What `doubting` has instead of resembling names for a double-faced token in an edition without such tokens."""

_MANY = 1000
"""The most different names that are looked up in one context of `doubting`."""

_NAMED = 10
"""How many unknown names a sentence lists."""

_BOTH = " // "


class Translations(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The names of a face as printed in languages other than English."""

    fr: Name | None = None
    ja: Name | None = None

    def of(self, language: str) -> str | None:
        """Return the name in a language (`fr` or `ja`); None if the name or the language is not known."""
        return {"fr": self.fr, "ja": self.ja}.get(language)


class CardFace(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """One face of a card as printed; `stats` (power and toughness, or loyalty) is for people only.

    `names` are its names in other languages. The catalogue finds it by these, too; a record keeps its English `name`.
    """

    name: Name
    names: Translations = Translations()
    types: tuple[Name, ...] = ()
    subtypes: tuple[Name, ...] = ()
    stats: str | None = None
    keywords: tuple[Keyword, ...] = ()
    permanent: bool = True
    day_if_neither: bool = False
    watches: bool = False
    holds: Literal["non-human-werewolves-you-control", "night"] | None = None

    def characteristics(self) -> Characteristics:
        """Return what the rules of day and night see of this face."""
        seen = {name: getattr(self, name) for name in Characteristics.__struct_fields__}
        seen["permanent"] = self.permanent and not set(self.types) & {"Instant", "Sorcery"}
        return Characteristics(**seen)


class Card(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A card: its faces, the set that it was printed in, and whether its data was `verified` against a printing.

    `resolves`: the designation that its effect makes, or `switch`. `reads`: its effect depends on this designation.
    `conditional`: its effect has a condition of its own, so the card's name alone never shows what the effect did.
    `outside`: its effect is outside the rules (the game has no way back to neither), so daynight does not apply it.

    Raises:
        ValueError: where a double-faced card has no back, or another card has one.
    """

    name: Name
    double_faced: bool
    front: CardFace
    back: CardFace | None = None
    mana_cost: str | None = None
    colors: str | None = None
    set: str | None = None
    resolves: Literal["day", "night", "switch"] | None = None
    conditional: bool = False
    outside: bool = False
    reads: Literal["day", "night"] | None = None
    note: str | None = None
    verified: bool = False

    def __post_init__(self) -> None:
        """Raise ValueError where a double-faced card has no back, or another card has one."""
        if self.double_faced is (self.back is None):
            raise ValueError(_("a double-faced card has a back, and no other card has"))

    @property
    def faces(self) -> tuple[CardFace, ...]:
        """The front of the card, and its back if it has one."""
        return (self.front,) if self.back is None else (self.front, self.back)

    @property
    def names(self) -> tuple[str, ...]:
        """Every English name of the card: that of its front, that of its back, and both together."""
        names = tuple(face.name for face in self.faces)
        return names if self.back is None else (*names, _BOTH.join(names))

    def names_in(self, language: str) -> dict[str, str]:
        """Return a dict from the English `names` of the card to those in `language`, as far as they are known."""
        found = {face.name: name for face in self.faces if (name := face.names.of(language)) is not None}
        if len(found) == 2:
            found[self.names[-1]] = _BOTH.join(found.values())
        return found


class Catalogue:
    """Cards, found by any of their names in any language.

    >>> bundled()["Tavern Smasher"].front.name, bundled()["Ruffiane des tavernes"].front.name
    ('Tavern Ruffian', 'Tavern Ruffian')
    """

    def __init__(self, cards: Iterable[Card]) -> None:
        self.cards = tuple(cards)
        self._by_name = {name: card for card in self.cards for name in card.names}
        self.english = {
            name: english
            for card in self.cards
            for language in Translations.__struct_fields__
            for english, name in card.names_in(language).items()
            if name not in self._by_name
        }
        """The English name for each name that a card, or a face, has in another language."""
        self._seen: dict[str, tuple[Characteristics, Characteristics | None]] = {}
        self._called_too: dict[str, tuple[str, ...]] = {}
        for name, english in self.english.items():
            self._called_too[english] = (*self._called_too.get(english, (english,)), name)
        self.fill: ByType[Any] = Filling(self)
        """Returns an event with its permanents completed. A record keeps that event: no later catalogue changes it."""

    def __iter__(self) -> Iterator[Card]:
        return iter(self.cards)

    def __len__(self) -> int:
        return len(self.cards)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self._called(name) is not None

    def __getitem__(self, name: str) -> Card:
        """Return the card of this front name, back name, or both with ` // `, in any language.

        Raises:
            NotFoundError: where no card has this name; it names the most similar ones.
        """
        if (card := self._called(name)) is not None:
            return card
        near = get_close_matches(name, (*self._by_name, *self.english), n=3)
        hint = _("did you mean {names}?").format(names=commas(near)) if near else _("see daynight cards")
        raise NotFoundError(_("no card {name}; {hint}").format(name=repr(name), hint=hint))

    def _called(self, name: str) -> Card | None:
        return self._by_name.get(name) or self._by_name.get(self.english.get(straight(name), name))

    def names_in(self, language: str) -> dict[str, str]:
        """Return a dict from each name of a card, a face or a basic land to its name in `language`."""
        here = {english: name for card in self.cards for english, name in card.names_in(language).items()}
        here |= BASICS.get(language, {})
        return here | {name: here[english] for name, english in self.english.items() if english in here}

    def called(self, name: str) -> tuple[str, ...]:
        """Return all names of the card or face with this English name; the English one comes first."""
        return self._called_too.get(name, (name,))

    def near(self, name: str, *, token: bool = False) -> tuple[str, ...]:
        """Return the names, in any language, of which an unknown name may be a misspelling.

        With `token`, the name is compared letter by letter only: `Human` is a token's name, and a word in many names.
        """
        if name in self or (not token and is_known(name)):
            return ()
        return nearest(name, (*self._by_name, *self.english), letters_alone=token, meaning=self.english)

    def knows(self, name: str) -> bool:
        """Return whether this is the name of a card, in the catalogue or in the list of all known cards."""
        return name in self or is_known(name)

    def arrived(self, event: PermanentsEntered | GameJoined) -> PermanentsEntered | GameJoined:
        """Return an arrival with its permanents completed.

        Raises:
            UnreadableError: where a permanent that is not complete is face down and has `face: back`.
        """
        for permanent in event.permanents:
            if not _is_filled(permanent):
                check_one_side(event, stored=_is_filled)
                return replace(event, permanents=tuple(map(self._filled, event.permanents)))
        return event

    def _filled(self, permanent: Permanent) -> Permanent:
        if _is_filled(permanent):
            return permanent
        card = self._called(permanent.card)
        if card is None:
            if permanent.front is None:
                doubt(permanent.card, partial(self.near, token=permanent.token is True))
            return replace(
                permanent, double_faced=permanent.double_faced is True, front=permanent.front or Characteristics()
            )
        if card.outside and (listener := _listening.get()) is not None:
            listener.doubts[card.name] = ()
        double_faced = card.double_faced if permanent.double_faced is None else permanent.double_faced
        front, other = self._faces(card)
        return replace(
            permanent,
            card=card.front.name,
            double_faced=double_faced,
            front=permanent.front or front,
            back=permanent.back or (other if double_faced else None),
        )

    def _faces(self, card: Card) -> tuple[Characteristics, Characteristics | None]:
        """Return what the rules see of a card's front and back. Cached: the same few cards arrive again and again."""
        found = self._seen.get(card.front.name)
        if found is None:
            back = None if card.back is None else card.back.characteristics()
            found = self._seen[card.front.name] = card.front.characteristics(), back
        return found

    @classmethod
    def read(cls, path: Path | str) -> Catalogue:
        """Read a catalogue from a file: a JSON list of cards, in the shape of the bundled one.

        Raises:
            UnreadableError: where it is no such list, or a name has a forbidden character; `path` says where.
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


class Filling(ByType[Any]):
    """Completes the permanents of events; use `anew` for a record, whose edition may have no double-faced tokens.

    Without `anew` it ignores editions: a token of a double-faced card is double-faced.
    """

    def __init__(self, catalogue: Catalogue, *, alone: bool = True) -> None:
        self._catalogue = catalogue
        self._early = False
        kinds: dict[type, Any] = dict.fromkeys((PermanentsEntered, GameJoined), self._arrived)
        super().__init__(kinds if alone else {GameStarted: self._begun, **kinds}, lambda event: event)

    def anew(self) -> Filling:
        """Return a new `Filling` for one record: it takes the edition from the first event."""
        return Filling(self._catalogue, alone=False)

    def _begun(self, event: GameStarted) -> GameStarted:
        self._early = not tokens_transform(event.edition)
        return event

    def _arrived(self, event: PermanentsEntered | GameJoined) -> PermanentsEntered | GameJoined:
        return self._catalogue.arrived(with_early_tokens(event) if self._early else event)


def with_early_tokens(event: PermanentsEntered | GameJoined, *, strictly: bool = False) -> Any:
    """Return an arrival under rules without double-faced tokens: a token without `double_faced` gets False.

    A token whose `double_faced` is true keeps it, and is noted for `doubting`.

    Raises:
        UnreadableError: with `strictly`, where the arrival says that a token is double-faced.
    """
    permanents = []
    for place, one in enumerate(event.permanents):
        if strictly and one.token and one.double_faced:
            sentence = _("before the rules of {edition} no token is double-faced")
            path = f"$.permanents[{place}].double_faced"
            raise UnreadableError(sentence.format(edition=TOKENS_TRANSFORM), path=path)
        if one.token and one.double_faced and (listener := _listening.get()) is not None:
            listener.doubts[one.card] = EARLY
        early = one.token and one.double_faced is None and one.back is None and not _is_filled(one)
        permanents.append(replace(one, double_faced=False) if early else one)
    return event if permanents == [*event.permanents] else replace(event, permanents=tuple(permanents))


def _is_filled(permanent: Permanent) -> bool:
    """Return whether a permanent is complete. Then it is never looked up, so no catalogue can change it."""
    return (
        permanent.front is not None
        and permanent.double_faced is not None
        and (not permanent.double_faced or permanent.back is not None)
    )


@cache
def bundled() -> Catalogue:
    """Return the catalogue of the package."""
    data = files("daynight.cards").joinpath("cards.json").read_bytes()
    return Catalogue(msgspec.json.decode(data, type=tuple[Card, ...]))
