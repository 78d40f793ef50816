"""Triggered abilities that watch for day and night: when they triggered, and when they went on the stack."""

from __future__ import annotations

from typing import TypeAlias

from msgspec.structs import replace

from daynight.events.consequences import Triggered

__all__ = ["Triggers"]

_Chain: TypeAlias = "tuple[Triggered, _Chain | None]"


class Triggers:
    """All triggers so far; those of the untap step wait in `waiting` until the next step of the turn."""

    __slots__ = ("_last", "_remember", "waiting")

    def __init__(self, remember: bool = True) -> None:
        self._remember = remember
        self.waiting: tuple[Triggered, ...] = ()
        self._last: _Chain | None = None

    def fold(self, trigger: Triggered) -> None:
        """Take in an ability that triggered."""
        if trigger.stacked is None:
            self.waiting += (trigger,)
        elif self._remember:
            self._last = (trigger, self._last)

    def put_on_stack(self, event: int) -> None:
        """What waits goes on the stack at this event."""
        self._settle(event)

    def expire(self) -> None:
        """The turn or the game is over: what still waits never goes on the stack."""
        self._settle(None)

    @property
    def triggered(self) -> tuple[Triggered, ...]:
        """Every trigger in the order of the events that set it off."""
        triggered: list[Triggered] = []
        at = self._last
        while at is not None:
            triggered.append(at[0])
            at = at[1]
        triggered.reverse()
        return tuple(sorted((*triggered, *self.waiting), key=lambda trigger: trigger.event))

    def latest(self, turn: int, since: int) -> tuple[Triggered, ...]:
        """The triggers of a turn, if it is the last one, that came after event `since`; the newest first."""
        found = [*reversed(self.waiting)]
        at = self._last
        while at is not None and at[0].turn == turn and at[0].event > since:
            found.append(at[0])
            at = at[1]
        return tuple(found)

    def _settle(self, event: int | None) -> None:
        for trigger in self.waiting if self._remember else ():
            self._last = (replace(trigger, stacked=event), self._last)
        self.waiting = ()

    def copy(self) -> Triggers:
        """The same triggers, apart; what has happened is shared."""
        other = Triggers(self._remember)
        other.waiting, other._last = self.waiting, self._last
        return other
