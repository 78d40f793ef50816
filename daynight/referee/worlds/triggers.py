"""The abilities that triggered on day and night: when, and when they went on the stack."""

from __future__ import annotations

from msgspec.structs import replace

from daynight.events.consequences import Triggered
from daynight.referee.worlds.chains import Chain, chained, unchained


class Triggers:
    """All triggers so far. Triggers of an untap step stay in `waiting` until a later event puts them on the stack.

    Without `remember` only the waiting ones are kept.
    """

    __slots__ = ("_last", "_remember", "waiting")

    def __init__(self, remember: bool = True) -> None:
        self._remember = remember
        self.waiting: tuple[Triggered, ...] = ()
        self._last: Chain[Triggered] = None

    @classmethod
    def restored(cls, settled: tuple[Triggered, ...], waiting: tuple[Triggered, ...]) -> Triggers:
        """Make `Triggers` from `settled` and `waiting` ones."""
        triggers = cls()
        triggers._last, triggers.waiting = chained(settled), waiting
        return triggers

    @property
    def settled(self) -> tuple[Triggered, ...]:
        """The triggers that do not wait, in the order in which they stopped waiting."""
        return unchained(self._last)

    def fold(self, trigger: Triggered) -> None:
        """Add a trigger: to `waiting` if it is not on the stack (`stacked` is None), else to the settled ones."""
        if trigger.stacked is None:
            self.waiting += (trigger,)
        else:
            self._keep(trigger)

    def put_on_stack(self, event: int) -> None:
        """Settle the waiting triggers: `event` puts them on the stack."""
        for trigger in self.waiting:
            self._keep(replace(trigger, stacked=event))
        self.waiting = ()

    def expire(self) -> None:
        """Settle the waiting triggers without an event that put them on the stack: the turn or the game is over."""
        for trigger in self.waiting:
            self._keep(trigger)
        self.waiting = ()

    def leave(self, player: str) -> None:
        """Settle the waiting triggers of a player who leaves: they never go on the stack."""
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
        """Return all triggers, in the order of the events that caused them."""
        return tuple(sorted((*self.settled, *self.waiting), key=lambda trigger: trigger.event))

    def latest(self, turn: int, since: int) -> tuple[Triggered, ...]:
        """Return the triggers after event `since` in `turn`, which must be the latest turn; newest first."""
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
        """Return an independent copy; the triggers so far are shared."""
        other = Triggers(self._remember)
        other.waiting, other._last = self.waiting, self._last
        return other
