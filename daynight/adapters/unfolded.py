"""The history of an aggregate that nobody has asked about yet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from daynight.adapters.happened import Happened
from daynight.adapters.life import Life
from daynight.framework.folding.history import History
from daynight.framework.mechanic import Change, Mechanic


class Unfolded:
    """Events that were applied once, and not compared. The history is made of them when it is first asked for.

    Most aggregates are opened for less than their whole history, and comparing costs more than applying.
    """

    def __init__(self, mechanic: Mechanic[Life, Happened, Change], events: Sequence[Happened]) -> None:
        self._mechanic = mechanic
        self.events = tuple(events)
        self._folded: History[Life, Happened, Change] | None = None

    def __len__(self) -> int:
        return len(self.events)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.folded(), name)

    def folded(self) -> History[Life, Happened, Change]:
        """Return the history, with the state after any event."""
        if self._folded is None:
            self._folded = History(self._mechanic, self.events)
        return self._folded
