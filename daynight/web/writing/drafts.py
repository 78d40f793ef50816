"""Drafts: a correction's events are made without the game's lock, and stored if no other event came meanwhile."""

from __future__ import annotations

from msgspec import Struct

from daynight.web.writing.pen import Placed


class Plan(Struct, frozen=True):
    """A request for the events of a correction, to be stored after event `after`.

    With `first` and `last`, the events undo the correction that was stored as events `first` to `last`.
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
    """The events made for one request, each list for its plan."""

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
