"""A stored record at its last event, ready for the next event: its state, and which of its events are not undone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from daynight.framework.folding.fold import Fold, Watched
from daynight.framework.folding.marks import Version, check_event, last_mark
from daynight.framework.folding.moment import Moment
from daynight.framework.folding.standing import Standing


class StoredEvents(Protocol):
    """The interface of the stored record from which a `Live` reads earlier states."""

    @property
    def game(self) -> str:
        """The record's name."""
        ...

    @property
    def recalls(self) -> bool:
        """Whether its states contain the data that the mechanic's `remember` returns, which snapshots leave out."""
        ...

    def at(self, number: int) -> Any:
        """Return the state after a stored event, also the parts that the mechanic does not show."""
        ...

    def whole(self, number: int) -> Live:
        """Return the record after a stored event, replayed from its beginning, so that its state lacks no data."""
        ...


class Live(Fold[Any, Any, Any]):
    """A stored record at its last event, to which appended events are applied.

    A state from a snapshot lacks the data of `remember`: if an event needs such data (the mechanic's `forgets`), the
    record is replayed from its beginning. `recalls`: the state does have that data. `rules`: the version of the rules
    that accepted the last event, if the mechanic has a `check` and it is known.
    """

    def __init__(
        self, watched: Watched[Any, Any, Any], past: StoredEvents, number: int = 0, whole: Any = None,
        standing: Standing | None = None, *, remembers: bool = True,
        recalls: bool | None = None, rules: Version | None = None,
    ) -> None:  # fmt: skip
        super().__init__(watched, whole, number, standing=standing)
        self.mechanic = watched.mechanic
        self._past = past
        self.rules = rules
        self.noted = False
        """Whether the store already names the current version of the rules for this record (`note_rules`)."""
        self._remembers = remembers
        self.recalls = remembers if recalls is None else recalls
        # The states that the present events back up to, as far as they are not stored yet.
        self._there: dict[int, tuple[Any, bool, bool]] = {}

    @property
    def state(self) -> Any:
        """The part of the state that the mechanic shows to people: its `shown`."""
        return self.mechanic.shown(self.whole)

    @property
    def id(self) -> str:
        """The record's name, under the name that the eventsourcing library uses."""
        return self._past.game

    @property
    def version(self) -> int:
        """The number of the last event, under the name that the eventsourcing library uses."""
        return self.number

    def __deepcopy__(self, memo: object) -> Live:
        whole, standing = self.whole.copy(), self.standing.copy()
        memory = {"remembers": self._remembers, "recalls": self.recalls}
        return Live(self.watched, self._past, self.number, whole, standing, **memory, rules=self.rules)

    def advance(self, events: Sequence[Any], *, stored: bool = False, checked: bool = False) -> list[Moment[Any, Any]]:
        """Apply more events, already completed; return their moments.

        `stored`: they come from the store. Such events, and `checked` ones, are not passed to the mechanic's `check`.

        Raises:
            RecordError: with its line, at the first event that cannot happen; discard this object then.
        """
        moments: list[Moment[Any, Any]] = []
        check = None if stored or checked else self.mechanic.check
        self._keep_for(events)
        for place, event in enumerate(events):
            if not (stored or self._remembers):
                self._remember(events, place)
            if check is not None:
                check_event(check, self.whole, event, self.number + 1)
            moments.append(self.take(event))
        if self.mechanic.check is not None:
            self.rules = last_mark(events) or self.rules
        return moments

    def pass_over(self, events: Sequence[Any], *, stored: bool = False) -> None:
        """Apply events like `advance`, but return no moments, and never call the mechanic's `check`: this is faster.

        Raises:
            RecordError: as `advance`.
        """
        if stored or (self._remembers and not self.watched.backs(events, self.number)):
            self._keep_for(events)
            self.over(events)
            if self.mechanic.check is not None:
                self.rules = last_mark(events) or self.rules
        else:
            # Whoever passes over events has checked them by the rules of their place.
            self.advance(events, checked=True)

    def _remember(self, events: Sequence[Any], place: int) -> None:
        """Replay the record from its beginning if the event at index `place` needs data that the state lacks."""
        mechanic, event = self.mechanic, events[place]
        if mechanic.restores(event) is not None or not mechanic.forgets(event, self.whole):
            return
        live = self._past.whole(self.number - place)
        live.pass_over(events[:place], stored=True)
        self.whole, self._remembers, self.recalls = live.whole, True, True

    def _keep_for(self, events: Sequence[Any]) -> None:
        """Copy the current state if one of these events backs up to it; arrange the same for the states after it."""
        self._there.clear()
        if not (places := self.watched.backs(events, self.number)):
            if self._stops:
                self.stop_at({})
            return
        wanted = {self.mechanic.restores(events[place]) for place in places}
        self.stop_at({number: (self._keep_it,) for number in wanted if number is not None and number > self.number})
        if self.number in wanted:
            self._keep_it(self.whole)

    def _keep_it(self, whole: Any) -> None:
        self._there[self.number] = whole.copy(), self._remembers, self.recalls

    def after(self, number: int) -> Any:
        """Return the state that a back-up to event `number` restores: a copy of `_keep_for`, or read from the store."""
        if number in self._there:
            whole, self._remembers, self.recalls = self._there[number]
            return whole.copy()
        whole, self._remembers, self.recalls = self._past.at(number), False, self._past.recalls
        return whole
