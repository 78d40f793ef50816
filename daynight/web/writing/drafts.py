"""Drafts: the events of a correction are made without the lock of the game, and stored if nothing came since."""

from __future__ import annotations

from msgspec import Struct

from daynight.web.writing.pen import Placed


class Plan(Struct, frozen=True):
    """What is to be made: the events of a correction, to be stored after event `after`.

    With `first` and `last` they take back the correction that those events are.
    """

    after: int
    first: int = 0
    last: int = 0


class NoDraftError(Exception):
    """Raised where the events of `plan` are needed and were not made yet; nothing was stored."""

    def __init__(self, plan: Plan) -> None:
        super().__init__(plan)
        self.plan = plan


class Drafts:
    """The events that were made for one request, each for its plan."""

    def __init__(self) -> None:
        self._made: dict[Plan, Placed] = {}

    def put(self, plan: Plan, events: Placed) -> None:
        """Add the events of a plan."""
        self._made[plan] = events

    def events(self, plan: Plan) -> Placed:
        """Return the events of a plan.

        Raises:
            NoDraftError: where they were not made yet.
        """
        found = self._made.get(plan)
        if found is None:
            raise NoDraftError(plan)
        return found
