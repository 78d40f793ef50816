"""Queues decide which computation is next. Each caller has its own queue, and the queues take turns."""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import Callable

WAITING = 16
"""The most waiting computations of a caller."""


class FullError(Exception):
    """Too many computations wait in a caller's queue."""


class Ticket:
    """A waiting computation in the queue of a caller, `who`.

    `begin` is called when its turn has come; `expire` instead, if it was the first in its queue for too long.
    """

    def __init__(self, who: str, begin: Callable[[], None], expire: Callable[[], None]) -> None:
        self.who = who
        self.begin = begin
        self.expire = expire
        self.running = False
        self.timer: asyncio.TimerHandle | None = None


class Lines:
    """The queues of all callers.

    At most `most` computations run at once, and only one per caller while other callers wait. A queue has at most
    `waiting` computations. The first in each queue waits at most `seconds`; if `held_up` then says that nothing can be
    computed yet, it waits as long again. All methods are called in the thread of the event loop.
    """

    def __init__(self, most: int, waiting: int, seconds: float, held_up: Callable[[], bool] = lambda: False) -> None:
        self._most = most
        self._waiting = waiting
        self._seconds = seconds
        self._held_up = held_up
        self._lines: OrderedDict[str, deque[Ticket]] = OrderedDict()
        self._running: Counter[str] = Counter()

    def join(self, ticket: Ticket) -> None:
        """Add a ticket to its caller's queue. If its turn has come already, it begins at once.

        Raises:
            FullError: where that queue is full.
        """
        line = self._lines.setdefault(ticket.who, deque())
        line.append(ticket)
        self._go_on()
        if len(line) > self._waiting:
            line.remove(ticket)
            raise FullError
        self._watch(ticket.who)

    def leave(self, ticket: Ticket) -> None:
        """Remove a ticket that was computed, or that no caller waits for any more; begin the next computations."""
        if ticket.running:
            ticket.running = False
            self._running[ticket.who] -= 1
            self._running += Counter()  # drops counts of zero
        else:
            self._removed(ticket)
        self._go_on()

    def _go_on(self) -> None:
        """Begin the computations whose turn has come."""
        while self._running.total() < self._most and (who := self._next()) is not None:
            ticket = self._lines[who][0]
            self._removed(ticket)
            if who in self._lines:
                self._lines.move_to_end(who)
            ticket.running = True
            self._running[who] += 1
            ticket.begin()

    def _next(self) -> str | None:
        """Return the first waiting caller without a running computation, else the only waiting caller; else None."""
        waiting = [who for who, line in self._lines.items() if line]
        only = waiting[0] if len(waiting) == 1 else None
        return next((who for who in waiting if not self._running[who]), only)

    def _removed(self, ticket: Ticket) -> None:
        """Remove a ticket from its queue, if it is there; the next one becomes the first."""
        if ticket.timer is not None:
            ticket.timer.cancel()
            ticket.timer = None
        line = self._lines.get(ticket.who)
        if line is None or ticket not in line:
            return
        line.remove(ticket)
        if line:
            self._watch(ticket.who)
        else:
            del self._lines[ticket.who]

    def _watch(self, who: str) -> None:
        """Start the timer of the first in a queue, unless it runs already."""
        line = self._lines.get(who)
        if line and line[0].timer is None:
            line[0].timer = asyncio.get_running_loop().call_later(self._seconds, self._expired, line[0])

    def _expired(self, ticket: Ticket) -> None:
        if self._held_up():
            ticket.timer = None
            self._watch(ticket.who)
            return
        self._removed(ticket)
        ticket.expire()
