"""Drafts: a correction's events are made without the game's lock, and stored if no other event came meanwhile."""

from __future__ import annotations

from msgspec import Struct

from daynight.web.writing.pen import Placed


class Plan(Struct, frozen=True):
    """Which events are to be drafted: those of the correction asked for, to be stored after event `after`.

    If `first` is not 0, the events are to undo the correction that is stored as events `first` to `last`.
    """

    after: int
    first: int = 0
    last: int = 0


class NoDraftError(Exception):
    """The events of `plan` are needed but were not made yet; nothing was stored."""

    def __init__(self, plan: Plan) -> None:
        super().__init__(plan)
        self.plan = plan


class Drafts:
    """The events that were made for one request, by plan; a retry after other events were stored has a new plan."""

    def __init__(self) -> None:
        self._made: dict[Plan, Placed] = {}

    def put(self, plan: Plan, events: Placed) -> None:
        """Save the events of a plan."""
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
