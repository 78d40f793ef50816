"""Reads a stored record: its events, and the state after any of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from io import BytesIO
from typing import Any

from daynight.framework.folding.fold import Observer, Watched
from daynight.framework.folding.marks import last_mark, spelled
from daynight.framework.language.errors import ImpossibleError, RecordError
from daynight.framework.language.wording import _
from daynight.framework.mechanic import Mechanic
from daynight.store.database.declared import rules_of
from daynight.store.database.guard import guarded
from daynight.store.database.recorder import GamesRecorder
from daynight.store.errors import DamagedError, StoppedError, StoreError, not_as_stored
from daynight.store.moments.live import Live
from daynight.store.moments.snapshots import SIZE, OutdatedError, bare, beginning, freeze, is_full_due, thaw
from daynight.store.proving.chain import sealed, unsealed
from daynight.store.records import chained_lines_of, lines_of


class Past:
    """Reads a stored record: its states from the latest snapshot on; without `snapshots`, from the first event on.

    If it is `checked`, each line is compared with the chain, and a snapshot without a seal is ignored. If it `recalls`,
    every state has the data that the mechanic remembers, because reading starts at a full snapshot. `observers` makes
    the observers of a replay; without snapshots, they see every event.
    """

    def __init__(
        self, recorder: GamesRecorder, game: str, *, mechanic: Mechanic[Any, Any, Any] | None = None,
        snapshots: bool = True, checked: bool = False, recalls: bool = False,
        observers: Callable[[], Sequence[Observer]] = tuple,
    ) -> None:  # fmt: skip
        self.mechanic = mechanic or recorder.mechanic
        self._observers = observers
        self.game = game
        self.recalls = recalls or not snapshots
        self._recorder = recorder
        self._snapshots = snapshots
        self._checked = checked

    def events(self, after: int, until: int) -> Iterator[list[Any]]:
        """Yield the events from after + 1 to until, thousands at a time, read strictly.

        Raises:
            DamagedError: where events are missing, or are not valid.
            NotReadableError: where a tag is unknown, or an upcaster fails.
        """
        reached = after
        lines = chained_lines_of if self._checked else lines_of
        for piece in lines(self._recorder, self.game, after, until) if after < until else ():
            began = reached
            try:
                for events in self.mechanic.language.read_blocks(BytesIO(piece)):
                    reached += len(events)
                    yield events
            except RecordError as error:
                event = None if error.line is None else began + error.line
                raise not_as_stored(error, game=self.game, event=event) from error

    def snapshot(self, until: int) -> Live:
        """Return the record at its latest snapshot up to event `until`, or at its beginning.

        Raises:
            DamagedError: where the snapshot is not valid.
        """
        begins = beginning(self.mechanic) if self.recalls else b""
        for number, data in self._recorder.snapshot(self.game, until, begins) if self._snapshots else ():
            plain = unsealed(data)
            if len(plain) == len(data) and self._checked:
                continue
            with suppress(OutdatedError):
                with guarded(game=self.game, event=number):
                    event, state, standing, rules = thaw(self.mechanic, plain, recalls=self.recalls)
                    if event != number or number < 1:
                        raise DamagedError(_("a snapshot of another moment"))
                if len(plain) < len(data) and not self._is_sealed(number, plain, data):
                    raise self._strange(number)
                return Live(
                    self._watched(), self, number, state, standing, remembers=False, recalls=self.recalls, rules=rules
                )
        return Live(self._watched(), self)

    def _watched(self) -> Watched[Any, Any, Any]:
        return Watched(self.mechanic, self._observers())

    def _is_sealed(self, number: int, snapshot: bytes, data: bytes) -> bool:
        digest = self._recorder.digest(self.game, number)
        return digest is not None and data == sealed(self.game, number, snapshot, digest)

    def at(self, number: int) -> Any:
        """Return the state after an event as it was then, also the parts that the mechanic does not show."""
        return self.live(number).whole

    def whole(self, number: int) -> Live:
        """Return the record after an event, replayed from its beginning: its state remembers everything."""
        past = Past(self._recorder, self.game, mechanic=self.mechanic, snapshots=False, checked=self._checked)
        return past.live(number)

    def live(self, number: int) -> Live:
        """Return the record after an event, ready for the next one."""
        return self.onward(self.snapshot(number), number)

    def onward(self, live: Live, number: int) -> Live:
        """Apply the stored events up to event `number` to `live`, and return `live`."""
        with self.played():
            for events in self.events(live.number, number):
                live.pass_over(events, stored=True)
        return live

    def recalling(self) -> Past:
        """Return a reader of the same record whose states have the data that the mechanic remembers."""
        return Past(self._recorder, self.game, mechanic=self.mechanic, checked=self._checked, recalls=True)

    def recalled(self, live: Live) -> Live:
        """Return `live`, or the same record read anew, with the data that the mechanic remembers in its state."""
        if live.recalls or self.mechanic.remember is None:
            return live
        found = self.recalling().live(live.number)
        memory = {"remembers": False, "recalls": True}
        return Live(live.watched, self, live.number, found.whole, found.standing, **memory, rules=live.rules)

    @contextmanager
    def played(self) -> Iterator[None]:
        """Replace a RecordError of the block, which refuses a stored event, by the error that `refused` returns."""
        try:
            yield
        except RecordError as error:
            raise self.refused(error, error.line) from error

    def refused(self, error: RecordError, event: int | None) -> StoreError:
        """Return StoppedError if older rules accepted the refused event, else the error of `not_as_stored`."""
        mechanic = self.mechanic
        if event is not None and mechanic.language.marked and isinstance(error, ImpossibleError):
            if mechanic.check is None:
                named = rules_of(self._recorder, self.game, event)
            else:
                rules = last_mark([one for some in self.events(0, event) for one in some])
                named = "" if rules is None else spelled(rules)
            if named != spelled(mechanic.version) and (named or mechanic.version != 1):
                return StoppedError(f"{error.path}: {error.sentence}", named, game=self.game, event=event)
        return not_as_stored(error, game=self.game, event=event)

    def take_snapshots(self, last: int, interval: int) -> int:
        """Take the missing snapshots after the latest sealed one, every `interval` events; return how many.

        If a full snapshot is missing, the snapshots after the latest full one are taken anew.
        """
        live, full = self.snapshot(last), self.recalling().snapshot(last)
        if self.mechanic.remember is not None and is_full_due(full.number, live.number, interval):
            live = full
        fresh: list[tuple[int, bytes]] = []
        for events in self.events(live.number, last):
            for at in range(0, len(events), interval):
                before = live.number
                with self.played():
                    live.pass_over(events[at : at + interval], stored=True)
                if live.number // interval > before // interval:
                    live, snapshot = self.frozen(live, before, interval)
                    fresh += snapshot
        there = {*self._recorder.snapshot_numbers(self.game)}
        for number, data in fresh:
            if number in there:
                self._check_replaced(number, data)
        self.keep(fresh)
        return len(fresh)

    def keep(self, snapshots: list[tuple[int, bytes]]) -> None:
        """Seal and store snapshots; they replace existing ones at the same events."""
        if not snapshots:
            return
        recorder, game = self._recorder, self.game
        with recorder.transaction(write=True) as cursor:
            cursor.executemany(
                recorder.sql(
                    "INSERT INTO snapshots VALUES (?, ?, ?)"
                    " ON CONFLICT (game, event) DO UPDATE SET state = excluded.state"
                ),
                [
                    (game, number, sealed(game, number, state, recorder.digest(game, number) or b""))
                    for number, state in snapshots
                ],
            )

    def take_snapshot(self, live: Live) -> None:
        """Store the snapshot of this game at its last event, unless there is one, or the state is too large."""
        if live.number not in self._recorder.snapshot_numbers(self.game):
            self.keep(frozen(live))

    def frozen(self, live: Live, before: int, interval: int) -> tuple[Live, list[tuple[int, bytes]]]:
        """Return the record with which to continue, and `[(event, snapshot)]`; [] if no snapshot can be taken.

        All events of `live` must be stored. `before` is the event at which a snapshot was last considered. If a full
        snapshot is due, the returned record is `live` read anew, with the data of `remember`; else it is `live` itself.
        """
        full = is_full_due(before, live.number, interval)
        live = self.recalled(live) if full else live
        return live, frozen(live, full=full)

    def _check_replaced(self, number: int, snapshot: bytes) -> None:
        """Refuse to replace a snapshot of the same rules by a different one: the old one may be a forgery.

        Raises:
            DamagedError: where the two differ.
        """
        _number, data = next(self._recorder.snapshot(self.game, number))
        with suppress(OutdatedError), guarded(game=self.game, event=number):
            thaw(self.mechanic, unsealed(data), recalls=True)
            if bare(unsealed(data)) != bare(snapshot):
                raise self._strange(number)

    def _strange(self, number: int) -> DamagedError:
        sentence = _("the snapshot of event {event} is not that of the game")
        return DamagedError(sentence.format(event=number), game=self.game, event=number)


def frozen(live: Live, *, full: bool = False) -> list[tuple[int, bytes]]:
    """Return [(event, snapshot)] of a live record; [] if the mechanic has no snapshots, or this one is too large.

    A `full` snapshot is taken if the record has the needed data, and if it is not too large; else an ordinary one.
    """
    for fully in (True, False) if full and live.recalls else (False,):
        data = freeze(live.mechanic, live.number, live.whole, live.standing, live.rules, full=fully)
        if 0 < len(data) <= SIZE:
            return [(live.number, data)]
    return []
