"""A trigger while it runs, and what it changed of the facts of its model."""

from __future__ import annotations

import threading
from datetime import datetime
from typing import Any

from transitions.core import Condition

from daynight.adapters.happened import time_of
from daynight.adapters.machines.forms import guard_name
from daynight.adapters.machines.triggers import Guard, Triggered


class Entry:
    """A trigger that runs now, or has run.

    `key` is the number of its model, `version` which form the machine had when it began, `when` when that was. `before`
    is the state that another trigger left before this one changed it; None if none did. `facts` are those that this
    trigger changed. `placed`: its place among the others is known, for it has changed the state, or has ended.
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
        """Return it as an event."""
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
    """The triggers of a thread: those that run now, each inside the one before it, and those that are `waiting`.

    A trigger whose place among the events is known waits until the outermost trigger has ended.
    """

    def __init__(self) -> None:
        self.stack: list[Entry] = []
        self.waiting: list[Entry] = []
