"""The pen: it stores commands in the games of one store, each once, and checks what the sender has seen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Any

import msgspec

from daynight.events import GameBackedUp, GameEnded, GameRestarted, OfTheRecord, TurnBegan
from daynight.framework.language.errors import DaynightError, ImpossibleError, RecordError
from daynight.framework.language.source import STORED
from daynight.framework.language.wording import _
from daynight.games import Store
from daynight.store import Appended, ConflictError
from daynight.store.database.guard import guarded
from daynight.store.database.mapper import game_name
from daynight.store.database.rows import Command
from daynight.store.moments.live import Live
from daynight.store.moments.past import Past
from daynight.store.proving.chain import ORIGIN
from daynight.web.errors import Problem

_TRIES = 20
_TURNS = (TurnBegan, GameRestarted, GameEnded, GameBackedUp)


class StaleError(DaynightError):
    """The sender has not seen the events after `after`; the last event is `last`."""

    def __init__(self, after: int, last: int) -> None:
        super().__init__(_("others were faster; look at what came since, and decide again"))
        self.after = after
        self.last = last


class OtherGameError(DaynightError):
    """The sender saw another game of this name, or a newer copy: the store has an older copy of the game."""

    def __init__(self) -> None:
        super().__init__(_("another game is here"))


class Placed(tuple[Any, ...]):
    """Events of a correction: each is marked with the version of the rules that checked it, and not checked again."""


class Pen:
    """The writer to the games of a store.

    A lock for each game lets this process make and store one command at a time. If another process has stored events
    meanwhile, the events of the command are made again, from the new state.
    """

    def __init__(self, store: Store) -> None:
        self.store = store

    def write(
        self, game: str, command: str, asked: object, make: Callable[[int], Sequence[Any]],
        check: Callable[[int], None] = lambda last: None, *, begins: bool = False,
    ) -> Appended:  # fmt: skip
        """Store the events that `make(last)` returns, where `last` is the number of the last event.

        If the command was stored before, nothing is stored, and the result has `repeated`. `asked` is the request as
        JSON; another request with the same command id is refused. `check(last)` raises an error where the events must
        not follow event `last`; it is not called for a repeated command. `begins`: the first event begins a game, and
        gets random bits.

        Raises:
            Problem: where the id was used for another request.
            RecordError: where an event is refused.
            NotFoundError: where there is no such game.
            StoreError: where the store refuses the events.
        """
        request = sha256(msgspec.json.encode(asked, order="sorted")).digest()
        with self.store.application.writer.locks.of(game):
            for left in reversed(range(_TRIES)):
                if (found := self._repeated(game, command, request, make)) is not None:
                    return found
                last = self.store.last(game)
                try:
                    check(last)
                    events = make(last)
                    asked_for = self.store.application.writer.asked(
                        game,
                        events,
                        command=command,
                        expected=last,
                        request=request,
                        begins=begins,
                        placed=isinstance(events, Placed),
                    )
                    return self.store.put(asked_for)
                except ConflictError:
                    if not left or (self.store.last(game) == last and self.store.command(game, command) is None):
                        raise
                except RecordError as error:
                    # An unreadable event only has a place in the request.
                    line = last + 1 if isinstance(error, ImpossibleError) else None
                    raise error.located(file=f"{STORED}{game}", line=line) from None
        raise AssertionError

    def _repeated(
        self, game: str, command: str, request: bytes, make: Callable[[int], Sequence[Any]]
    ) -> Appended | None:
        found = self.store.command(game, command)
        if found is None:
            return None
        if found.request != request or not self._is_stored(game, found, make):
            sentence = _("the command id {id} was used for something else; take a new one")
            raise Problem(422, "command-reused", sentence.format(id=repr(command)))
        self.store.recorder.check_there()
        return Appended(game=game, first=found.first, last=found.last, command=command, repeated=True)

    def _is_stored(self, game: str, found: Command, make: Callable[[int], Sequence[Any]]) -> bool:
        """Return whether the stored command `found` has the events that `make` returns for the state before it.

        The repeated request may come with another link, and the server sets the time: so authors and times are ignored.
        """
        mechanic = self.store.mechanic
        try:
            events = [mechanic.language.strictly(event) for event in make(found.first - 1)]
        except RecordError:
            return False
        writer, filled = self.store.application.writer, [mechanic.fill(event) for event in events]
        with guarded(game=game):
            return writer.has_stored(game, found, events, filled, but=("rules", "meta", "by", "at"))

    def live(self, game: str, number: int) -> Live:
        """Return the game after event `number`, from its nearest snapshot."""
        with guarded(game=game):
            return Past(self.store.recorder, game_name(game), checked=True).live(number)

    def check_head(self, game: str, seen: int, head: str) -> None:
        """Check that `head` is the digest at event `seen`.

        Raises:
            OtherGameError: where the digest is different, or there is no such event.
        """
        with guarded(game=game):
            found = self.store.recorder.digest(game_name(game), seen) if seen else ORIGIN
        if found is None or found.hex() != head:
            raise OtherGameError

    def check_expected(self, game: str, expected: int, last: int) -> None:
        """Check that event `expected` is the last one.

        Raises:
            StaleError: where it is not.
        """
        if expected != last:
            raise StaleError(expected, last)

    def check_unchanged(self, game: str, seen: int, last: int) -> None:
        """Check that all events after event `seen` are notes and disputes.

        Raises:
            StaleError: where they are not, or there is no such event.
        """
        if seen > last or (seen < last and any(
            not isinstance(event, OfTheRecord) for event in self.store.events(game, seen, last)
        )):  # fmt: skip
            raise StaleError(seen, last)

    def check_seen(self, game: str, seen: int, last: int) -> None:
        """Check that no event after event `seen` begins a turn, backs up, or restarts or ends the game.

        Raises:
            StaleError: where an event does so, or there is no event `seen`.
        """
        restores = self.store.mechanic.restores
        if seen > last or (seen < last and any(
            isinstance(event, _TURNS) or restores(event) is not None for event in self.store.events(game, seen, last)
        )):  # fmt: skip
            raise StaleError(seen, last)
