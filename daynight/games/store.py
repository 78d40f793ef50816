"""The store of games: `daynight.store` for day and night, with its list of games."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any, Self, TypeVar, cast, overload

from daynight.cards import Catalogue, bundled
from daynight.cards.catalogue import with_early_tokens
from daynight.cards.sides import check_one_side
from daynight.disputes.mechanic import GAME
from daynight.events import Consequence, Event, GameJoined, GameStarted, PermanentsEntered
from daynight.events.language import Recordable
from daynight.events.terms import tokens_transform
from daynight.framework.folding.moment import Copyable
from daynight.framework.language.errors import locating
from daynight.framework.language.source import Source
from daynight.framework.mechanic import Mechanic
from daynight.game import Game, played, started
from daynight.projections.library import Library
from daynight.records import Record
from daynight.referee.state import State
from daynight.store import Appended, Head, View, store
from daynight.store.database.guard import guarded
from daynight.store.database.rows import Signer
from daynight.store.database.settings import DEFAULT, Settings

S = TypeVar("S", bound=Copyable)
E = TypeVar("E")
C = TypeVar("C")


_TOKENLESS = frozenset(GAME.language.kinds) - {PermanentsEntered, GameJoined}
"""The event types that never bring permanents, and so no tokens; `_may_be_refused` does not examine such events."""


def _may_be_refused(event: Recordable) -> bool:
    """Return whether an event may bring tokens or face-down permanents, which `_with_tokens` must check."""
    if type(event) in _TOKENLESS:
        return False
    if isinstance(event, dict):
        return "permanents" in event and _has_a_word(repr(event))
    if isinstance(event, (PermanentsEntered, GameJoined)):
        return any(permanent.token or permanent.face_down for permanent in event.permanents)
    return _has_a_word(event if isinstance(event, str) else repr(event))


def _has_a_word(text: str) -> bool:
    """Return whether a text contains `token` or `face_down`: every event with such permanents has one of these keys."""
    return "token" in text or "face_down" in text


class Store(store.Store[State, Event, Consequence]):
    """A store of games; or, with a `mechanic`, of its records (type checkers then see `daynight.store.Store`).

    The catalogue completes appended events. In editions without double-faced tokens, a token becomes single-faced.

    >>> with Store.open("memory:") as store:
    ...     store.new("friday", ["Ana", "Bo"]).last
    ...     store.append("friday", [{"type": "turn-began", "turn": 1, "active": ["Ana"]}]).last
    ...     store.at("friday").active
    1
    2
    ('Ana',)
    """

    def __init__(
        self, settings: Settings, *, mechanic: Mechanic[Any, Any, Any] | None = None, key: Signer | None = None,
        catalogue: Catalogue | None = None,
    ) -> None:  # fmt: skip
        super().__init__(settings, mechanic=mechanic or played(), key=key)
        self._keeps_games = self.mechanic.language is played().language
        self._catalogue: Callable[[], Catalogue] = bundled
        if catalogue is not None:
            self.catalogue = catalogue

    # Another mechanic's records are no games, so what is opened then is no store of games to a type checker.
    @overload  # type: ignore[override]
    @classmethod
    def open(
        cls, where: Path | str = ..., *, mechanic: None = None, key: Signer | None = ...,
        catalogue: Catalogue | None = ...,
    ) -> Self: ...  # fmt: skip
    @overload
    @classmethod
    def open(
        cls, where: Path | str = ..., *, mechanic: Mechanic[S, E, C], key: Signer | None = ...,
        catalogue: Catalogue | None = ...,
    ) -> store.Store[S, E, C]: ...  # fmt: skip
    @classmethod
    def open(
        cls, where: Path | str = DEFAULT, *, mechanic: Mechanic[Any, Any, Any] | None = None,
        key: Signer | None = None, catalogue: Catalogue | None = None,
    ) -> store.AnyStore:  # fmt: skip
        """Open the store at `where`, as `daynight.store.Store.open` does; without a `mechanic` it keeps games.

        With a `key`, heads are signed where the mechanic `seals` them: for games at the end of every turn.
        `catalogue` fills in the permanents of games; None is the bundled one.

        Raises:
            SettingsError: where `where` is not a valid place.
            DamagedError: where the place holds something other than a store.
            UnavailableError: where it does not answer.
            StoreError: where it keeps records of another mechanic.
        """
        return cls(Settings.parse(where), mechanic=mechanic, key=key, catalogue=catalogue)

    @property
    def catalogue(self) -> Catalogue:
        """The catalogue that completes the permanents of games before they are stored."""
        return self._catalogue()

    @catalogue.setter
    def catalogue(self, catalogue: Catalogue) -> None:
        self._catalogue = lambda: catalogue
        self.recorder.mechanic = replace(self.mechanic, fill=catalogue.fill)

    def _given(self, game: str, events: Iterable[Recordable], command: str | None) -> list[Recordable]:
        """Return the events of an append, changed by `_with_tokens` if the store keeps games and one may need it."""
        given = [*events]
        if self._keeps_games and any(map(_may_be_refused, given)):
            with guarded(game=game, command=command):
                return self._with_tokens(game, given)
        return given

    def _with_tokens(self, game: str, given: list[Recordable]) -> list[Recordable]:
        """Return the events; if the edition has no double-faced tokens, tokens that do not say so become single-faced.

        Raises:
            UnreadableError: where a token is double-faced in such an edition, or a face-down permanent shows its back.
        """
        read: list[Any] = [self.mechanic.language.strictly(event) for event in given]
        opening = read[0] if isinstance(read[0], GameStarted) else next(iter(self.events(game)), None)
        early = isinstance(opening, GameStarted) and not tokens_transform(opening.edition)
        for place, event in enumerate(read):
            if isinstance(event, (PermanentsEntered, GameJoined)):
                last = 0 if opening is read[0] else self.head(game).number
                with locating(line=last + place + 1):
                    check_one_side(event)
                    read[place] = with_early_tokens(event, strictly=True) if early else event
        return read

    def new(
        self,
        game: str,
        players: Iterable[str],
        *,
        teams: Iterable[Iterable[str]] | None = None,
        edition: str | None = None,
        command: str | None = None,
    ) -> Appended:
        """Begin a game; its first event gets 128 random bits, so that games of the same name are never identical.

        Raises:
            RecordError: where no game can begin with these players.
            ConflictError: where there is one of that name.
        """
        return self.append(game, [started(game, players, teams, edition)], command=command, expected=0, begins=True)

    def load(self, game: str) -> Game:
        """Return the game in memory, with all its moments; a store of another mechanic returns a `Recorded`.

        Raises:
            NotFoundError: where there is no such game.
        """
        if self._keeps_games:
            return Game.load(self.record(game), catalogue=self.catalogue)
        return cast(Game, super().load(game))

    @property
    def views(self) -> list[View]:
        """The views whose code is available here; in a store of games, the list of games is the first."""
        return [*([Library(self)] if self._keeps_games else []), *super().views]

    def import_record(
        self,
        record: Source | Path | str,
        name: str | None = None,
        *,
        progress: Callable[[int], None] = lambda events: None,
        trust_rules: bool = False,
        tell: Callable[[str], object] = lambda sentence: None,
        unsigned: bool = False,
    ) -> Head:
        """Store a whole record, as `daynight.store.Store.import_record`; a file may be in the notation for people.

        Raises:
            RecordError: at the first line that is refused.
            ConflictError: where a different game has that name.
        """
        given = record if isinstance(record, Source) else Record(record)
        how = {"trust_rules": trust_rules, "unsigned": unsigned}
        return super().import_record(given, name, progress=progress, tell=tell, **how)
