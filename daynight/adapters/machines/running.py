"""A running trigger, and its changes to the facts of its model: the attributes that are recorded."""

from __future__ import annotations

import threading
from datetime import datetime
from typing import Any

from transitions.core import Condition

from daynight.adapters.happened import time_of
from daynight.adapters.machines.forms import guard_name
from daynight.adapters.machines.triggers import Guard, Triggered


class Entry:
    """A trigger that is running, or has ended.

    `key` is the number of its model, `version` the number of the machine's form when it began, `when` the time of that.
    `before` is the state after the previous trigger of this model within the same outermost trigger; None if this is
    the first. `facts` are those that this trigger changed. `placed`: its position in the order of triggers is known,
    because it has changed the state, or has ended.
    """

    __slots__ = (
        "args", "before", "during", "error", "facts", "guards", "key", "kwargs", "placed", "source", "state", "trigger",
        "version", "when",
    )  # fmt: skip

    def __init__(
        self, trigger: str, key: int, source: Any, args: Any, kwargs: Any, during: str | None, version: int,
        when: datetime | None,
    ) -> None:  # fmt: skip
        self.trigger = trigger
        self.key = key
        self.source = source
        self.args = args
        self.kwargs = kwargs
        self.during = during
        self.version = version
        self.when = when
        self.guards: list[tuple[Condition, bool]] | None = None
        self.facts: dict[str, Any] | None = None
        self.state: Any = None
        self.error: str | None = None
        self.before: Any = None
        self.placed = False

    def event(self) -> Triggered:
        """Return the trigger as an event."""
        overtaken = self.before is not None and self.before != self.source
        return Triggered(
            trigger=self.trigger,
            state=self.state,
            source=self.before if overtaken else self.source,
            guards=tuple(
                [Guard(guard_name(one.func), one.target is passed, not one.target) for one, passed in self.guards or ()]
            ),
            args=self.args or None,
            kwargs=self.kwargs or None,
            during=self.during,
            began_in=self.source if overtaken else None,
            error=self.error,
            facts=self.facts,
            at=time_of(self.when),
        )

    def changes(self, facts: dict[str, Any]) -> None:
        """Note facts that this trigger changed."""
        self.facts = {**(self.facts or {}), **facts}


class Running(threading.local):
    """The triggers of a thread: the running ones, each nested in the one before it, and the `waiting` ones.

    A placed trigger waits, before it becomes an event, until the outermost trigger has ended.
    """

    def __init__(self) -> None:
        self.stack: list[Entry] = []
        self.waiting: list[Entry] = []
