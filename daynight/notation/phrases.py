"""Reads events from short words: `B casts Opt`, `turn 5 A`, `it becomes night`.

These are lines of the notation; only names are looked up differently, in the state before the event: a player is found
by name, a permanent by its id or its card's name, and both by an unambiguous beginning of these. An event that has no
line can be given as JSON.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from daynight.events import Characteristics, Event, decode
from daynight.framework.language.errors import AskedError, RecordError, UnreadableError
from daynight.framework.language.wording import _
from daynight.notation.alignment import column_of
from daynight.notation.lines.arrivals import EXACT
from daynight.notation.lines.forms import FORMS, PLAYED, nearest_form
from daynight.notation.lines.happenings import HEADER
from daynight.notation.lines.hints import hint
from daynight.notation.lines.lines import parted
from daynight.notation.lines.making import Fields, event_of
from daynight.notation.lines.parsing import MeantError, NoLineError
from daynight.notation.lines.understanding import fields_of
from daynight.notation.lookups import Names, free_id, unclear
from daynight.notation.register import Register, by_words
from daynight.notation.spelling import WrittenName
from daynight.notation.there import may_be_creature
from daynight.referee.state import State

PHRASES: tuple[str, ...] = tuple(form.line for form in FORMS if form.tag != "game-started")
"""The lines of the notation, except the header, as patterns with {placeholders}."""


class PhraseError(AskedError):
    """Raised for a text that is no line of the notation, or has an unknown or ambiguous name; exit code 2."""


def understood(text: str, state: State) -> tuple[Event, ...]:
    """Return the events of a text, a line of the notation or one event as JSON; its names are looked up in `state`.

    >>> from daynight.game import Game
    >>> state = Game.start("g1", ["Ana", "Bo"]).state
    >>> understood("an casts Opt", state)
    (SpellCast(player='Ana', card='Opt'),)
    >>> understood("Bo castes Opt", state)
    Traceback (most recent call last):
        ...
    daynight.notation.phrases.PhraseError: 'Bo castes Opt' is not understood; a line is like: Ana casts Opt. Or give...

    Raises:
        PhraseError: where no line fits, or a name is unknown or ambiguous.
        UnreadableError: where the text is JSON but no event.
    """
    if text.lstrip().startswith("{"):
        return (decode(text.strip()),)
    words = " ".join(text.split())
    try:
        made = fields_of(parted(words), _Here(state, Names()))
    except MeantError as error:
        raise PhraseError(error.sentence) from None
    except NoLineError as error:
        if not PLAYED.isdisjoint(words.casefold().split()) or hint(words) is not None:
            # What is played is one of two things, and the grammar says which; it also knows what some remarks mean.
            raise PhraseError(error.sentence) from None
        raise _not_understood(words) from None
    except RecordError as error:
        raise PhraseError(error.sentence) from None
    try:
        if made and made[0]["type"] == HEADER:
            raise _not_understood(words)
        if not made:
            raise PhraseError(hint(words) or _("nothing happens there that a record has a line for"))
        return _events(made, words, state)
    except RecordError as error:
        raise PhraseError(error.sentence) from None


def happening(text: str, state: State, names: Names) -> tuple[Event, ...]:
    """Return the events of a line of the notation; card names are looked up in `names`, all others in `state`.

    Unlike `understood`, it does not read JSON, and its errors have a column.

    >>> from daynight.game import Game
    >>> state = Game.start("g1", ["Ana", "Bo"]).state
    >>> happening("bo casts opt  # countered", state, Names())
    (SpellCast(note='countered', player='Bo', card='opt'),)
    >>> happening("Bo castes Opt", state, Names())
    Traceback (most recent call last):
        ...
    daynight.notation.lines.parsing.NoLineError: 4: 'castes' is not understood; did you mean casts? A line is like: ...

    Raises:
        UnreadableError: with the column, where it is not a line, or a name is unknown or ambiguous.
    """
    try:
        line = parted(text)
        made = fields_of(line, _Here(state, names))
        if made and made[0]["type"] == HEADER:
            sentence = _("the game began before; a line of what happens in it is like: Ana casts Opt")
            raise UnreadableError(sentence, column=column_of(text, "$"))
        return _events(made, text, state)
    except RecordError as error:
        if error.column is None:
            error.column = column_of(text, error.path)
        raise


def _events(made: list[Fields], text: str, state: State) -> tuple[Event, ...]:
    # What enters here is always filled in, so nothing is exact.
    return tuple(
        event_of({key: fields[key] for key in fields if key != EXACT} | _speaking(fields, text, state), text)
        for fields in made
    )


def _speaking(fields: Fields, text: str, state: State) -> Fields:
    """Return `{"by": player}` if the speaker, typed without quotation marks, is a player in other letter case; else {}.

    Other speakers, such as judges, are allowed, and stay as typed.
    """
    by = fields.get("by")
    if not isinstance(by, str) or f'"{by}"' in text:
        return {}
    meant = [player for player in state.players if player.casefold() == by.casefold()]
    return {"by": meant[0]} if len(meant) == 1 and by not in state.players else {}


class _Here:
    """Looks names up among the players and permanents of a state; cards are looked up in `cards`."""

    def __init__(self, state: State, cards: Names) -> None:
        backs = state.possibilities[0].backs
        called = cards.catalogue.called
        self._players = {player: (player,) for player in state.players}
        self._board = {
            status.id: (
                status.id,
                *(() if status.face_down else (*called(status.permanent.card), *called(status.name(backs)))),
            )
            for status in state.battlefield
        }
        self._there = state.battlefield
        self._made: dict[str, None] = {}
        self._cards = cards
        self._cards.players = state.players
        self.edition, self.players = state.edition, state.players
        self._turn, self._active = state.turn, state.active

    def player(self, said: WrittenName) -> str:
        """Return the player named `said`; else the only one with a name, or a word in it, that begins with `said`."""
        return _meant(said, self._players)

    def permanent(self, said: WrittenName) -> str:
        """Return the id `said`; else of the only permanent with a name, or a word in it, that begins with `said`."""
        return _meant(said, self._board)

    def card(self, said: WrittenName, *, token: bool = False) -> str:
        """Return the full name of the card (or `token`) that `said` means; `said` itself if the catalogue lacks it."""
        return self._cards.card(said, token=token)

    def unknown(self, said: WrittenName, card: str) -> bool:
        """Return whether no card named `card` is known, and the typed name `said` is not in quotation marks."""
        return self._cards.unknown(said, card)

    def face(self, said: WrittenName) -> Characteristics:
        """Return the characteristics of the face named `said`; of an unknown face only the name."""
        return self._cards.face(said)

    def words_of_permanents(self) -> Mapping[str, tuple[str, ...]]:
        """Return a dict: the ids of permanents by their names, and by the words in these that `by_words` keeps."""
        return by_words((id, name) for id, names in self._board.items() for name in names)

    def creatures(self, player: str | None) -> Sequence[str]:
        """Return the ids of the permanents on the battlefield that may be creatures; with `player`, only theirs."""
        return [
            status.id
            for status in self._there
            if player in (None, status.controller) and may_be_creature(status.permanent.card, self._cards.catalogue)
        ]

    def card_of(self, id: str) -> str | None:
        """Return the card of a permanent that is there; None if it is not known."""
        return next((status.permanent.card for status in self._there if status.id == id), None)

    def is_permanent(self, text: str) -> bool:
        """Return whether this is the name of a card of the catalogue that becomes a permanent."""
        return self._cards.is_permanent(text)

    def next_turn(self, player: str) -> int | None:
        """Return the number of the next turn; None if the current turn is already this player's."""
        return None if player in self._active else self._turn + 1

    @property
    def turning(self) -> Sequence[str]:
        """The names of the cards whose effect makes it day or night."""
        return self._cards.turning

    def is_card(self, text: str, *, ours: bool) -> bool:
        """Return whether `text` is the name of a known card; with `ours`, only cards of the catalogue count."""
        return self._cards.is_card(text, ours=ours)

    def free_id(self, card: str) -> str:
        """Return an id that no permanent here has, in the form that importers use: `tavern-ruffian-1`."""
        made = free_id(card, {**self._board, **self._made}, {})
        self._made[made] = None
        return made

    def is_known(self, text: str) -> bool:
        """Return whether `text` is the complete name of a player or a card, or the id of a permanent."""
        return text in self._players or text in self._board or self._cards.is_known(text)


def _meant(said: WrittenName, named: Mapping[str, tuple[str, ...]]) -> str:
    """Return the key equal to `said`; else the only key with a name, or a word in it, that begins with `said`.

    A name in quotation marks is returned unchecked.

    Raises:
        UnreadableError: where there is no such key, or more than one.
    """
    if said.literal or said.text in named:
        return said.text
    found = Register(((key, name) for key, names in named.items() for name in names), words=True).found(said.text)
    if len(found) == 1:
        return found[0]
    raise unclear(said, found, list(named))


def _not_understood(words: str) -> PhraseError:
    near = nearest_form(words)
    if near is None:
        sentence = _(
            "{text} is not understood; write B casts Opt, turn 5 A, untap, it becomes night and the like. Or give the"
            " event as JSON"
        )
    else:
        sentence = _("{text} is not understood; a line is like: {form}. Or give the event as JSON")
    return PhraseError(sentence.format(text=repr(words), form=near))
