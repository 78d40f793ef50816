"""Triggered abilities that watch for day and night: when they triggered, and when they went on the stack."""

from __future__ import annotations

from msgspec.structs import replace

from daynight.events.consequences import Triggered
from daynight.projections.chains import Chain, chained, unchained


class Triggers:
    """All triggers so far; those of the untap step are in `waiting` until the record shows them on the stack."""

    __slots__ = ("_last", "_remember", "waiting")

    def __init__(self, remember: bool = True) -> None:
        self._remember = remember
        self.waiting: tuple[Triggered, ...] = ()
        self._last: Chain[Triggered] = None

    @classmethod
    def restored(cls, settled: tuple[Triggered, ...], waiting: tuple[Triggered, ...]) -> Triggers:
        """The triggers of which these are settled, and these wait."""
        triggers = cls()
        triggers._last, triggers.waiting = chained(settled), waiting
        return triggers

    @property
    def settled(self) -> tuple[Triggered, ...]:
        """Those that wait no more, in the order in which that was known."""
        return unchained(self._last)

    def fold(self, trigger: Triggered) -> None:
        """Add an ability that triggered."""
        if trigger.stacked is None:
            self.waiting += (trigger,)
        else:
            self._keep(trigger)

    def put_on_stack(self, event: int) -> None:
        """This event shows that what waits is on the stack."""
        for trigger in self.waiting:
            self._keep(replace(trigger, stacked=event))
        self.waiting = ()

    def expire(self) -> None:
        """The turn or the game is over: the record does not show when what still waits went on the stack, if ever."""
        for trigger in self.waiting:
            self._keep(trigger)
        self.waiting = ()

    def leave(self, player: str) -> None:
        """A player left: what waits and was under their control as it triggered never goes on the stack."""
        for trigger in self.waiting:
            if trigger.controller == player:
                self._keep(trigger)
        self.waiting = tuple([trigger for trigger in self.waiting if trigger.controller != player])

    def forget(self, since: int) -> None:
        """Remove every trigger of event `since` and later: the possibilities in which they happened are ruled out."""
        self.waiting = tuple([trigger for trigger in self.waiting if trigger.event < since])
        while self._last is not None and self._last[0].event >= since:
            self._last = self._last[1]

    @property
    def triggered(self) -> tuple[Triggered, ...]:
        """Every trigger in the order of the events that set it off."""
        return tuple(sorted((*self.settled, *self.waiting), key=lambda trigger: trigger.event))

    def latest(self, turn: int, since: int) -> tuple[Triggered, ...]:
        """The triggers of a turn, if it is the last one, that came after event `since`; the newest first."""
        found = [*reversed(self.waiting)]
        at = self._last
        while at is not None and at[0].turn == turn and at[0].event > since:
            found.append(at[0])
            at = at[1]
        return tuple(found)

    def _keep(self, trigger: Triggered) -> None:
        if self._remember:
            self._last = (trigger, self._last)

    def copy(self) -> Triggers:
        """The same triggers, apart; what has happened is shared."""
        other = Triggers(self._remember)
        other.waiting, other._last = self.waiting, self._last
        return other
