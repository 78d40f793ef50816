"""The pen: writes to the games of one store, a command once, and only after what its sender has seen."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Any
from weakref import WeakValueDictionary

import msgspec

from daynight.events import GameBackedUp, GameEnded, GameRestarted, TurnBegan
from daynight.framework.language.errors import DaynightError, RecordError
from daynight.framework.language.wording import _
from daynight.records import STORED
from daynight.store import Appended, ConflictError, Store
from daynight.store.database.guard import guarded
from daynight.store.database.mapper import game_name
from daynight.store.moments.live import Live
from daynight.store.moments.past import Past
from daynight.web.errors import Problem

_TRIES = 20
_TURNS = (TurnBegan, GameRestarted, GameEnded, GameBackedUp)


class StaleError(DaynightError):
    """Something came that the sender had not seen, after event `after`; the last event is `last`."""

    def __init__(self, after: int, last: int) -> None:
        super().__init__(_("others were faster; look at what came since, and decide again"))
        self.after = after
        self.last = last


class Pen:
    """Writes to the games of a store.

    In this process one command of a game is made and stored at a time; where another process was faster, it is made
    again of what is there then.
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        self._locks: WeakValueDictionary[str, threading.Lock] = WeakValueDictionary()
        self._guard = threading.Lock()

    def write(self, game: str, command: str, asked: object, make: Callable[[int], Sequence[Any]]) -> Appended:
        """Store the events that `make` answers, given the number of the last event; or find what the command stored.

        `asked` is what was asked for, as JSON: another command of the same id asked for something else.

        Raises:
            Problem: where the id was used for something else.
            RecordError: where an event is refused.
            NotFoundError: where there is no such game.
            StoreError: where the store does not take them.
        """
        request = sha256(msgspec.json.encode(asked, order="sorted")).digest()
        with self._lock(game):
            for left in reversed(range(_TRIES)):
                if (found := self._repeated(game, command, request)) is not None:
                    return found
                last = self.store.last(game)
                try:
                    events = make(last)
                    return self.store.append(game, events, command=command, expected=last, request=request)
                except ConflictError:
                    if not left or (self.store.last(game) == last and self.store.command(game, command) is None):
                        raise
                except RecordError as error:
                    raise error.located(file=f"{STORED}{game}", line=last + 1) from None
        raise AssertionError

    def _repeated(self, game: str, command: str, request: bytes) -> Appended | None:
        found = self.store.command(game, command)
        if found is None:
            return None
        if found.request != request:
            sentence = _("the command id {id} was used for something else; take a new one")
            raise Problem(422, "command-reused", sentence.format(id=repr(command)))
        return Appended(game=game, first=found.first, last=found.last, command=command, repeated=True)

    def _lock(self, game: str) -> threading.Lock:
        with self._guard:
            return self._locks.setdefault(game, threading.Lock())

    def live(self, game: str, number: int) -> Live[Any]:
        """The game after an event, from its nearest snapshot."""
        with guarded(game=game):
            return Past(self.store.recorder, game_name(game), checked=True).live(number)

    def check_expected(self, game: str, expected: int, last: int) -> None:
        """See that nothing came after event `expected`.

        Raises:
            StaleError: where something did, or there is no such event.
        """
        if expected != last:
            raise StaleError(expected, last)

    def check_seen(self, game: str, seen: int, last: int) -> None:
        """See that what came after event `seen` belongs to the same turn.

        Raises:
            StaleError: where it does not, or there is no such event.
        """
        restores = self.store.mechanic.restores
        if seen > last or (seen < last and any(
            isinstance(event, _TURNS) or restores(event) is not None for event in self.store.events(game, seen, last)
        )):  # fmt: skip
            raise StaleError(seen, last)
