"""A growing record: the events so far, the refused events, and the oracle's state."""

from collections.abc import Sequence
from typing import Any, TypeVar

from .chooser import Chooser
from .naive import Naive
from .vocabulary import Event, Refused

T = TypeVar("T")


class Walk:
    """A random record that grows: its events, the refused ones with the number of events before each, and the oracle.

    With `acts` the record has disputes and notes; with `newest` it names no edition, so the default one applies.
    """

    def __init__(
        self, chooser: Chooser, naive: Naive | None = None, *, acts: bool = True, newest: bool = False
    ) -> None:
        self.chooser = chooser
        self.naive = Naive() if naive is None else naive
        self.events: list[Event] = []
        self.refused: list[tuple[int, Event]] = []
        self.arrivals = 0
        self.acts = acts
        self.newest = newest
        self.doubtful = self.chance(50)
        self.judged = self.chance(60)

    def chance(self, percent: int) -> bool:
        """True in this percentage of calls."""
        return self.chooser.number(0, 99) >= 100 - percent

    def pick(self, options: Sequence[T]) -> T:
        """Choose one of these options."""
        return self.chooser.pick(options)

    def some(self, names: Sequence[str], most: int = 3) -> list[str]:
        """From one to `most` of these names, none twice, in any order."""
        left, taken = list(names), []
        for _ in range(self.chooser.number(1, min(most, len(left)))):
            taken.append(left.pop(self.chooser.number(0, len(left) - 1)))
        return taken

    def add(self, event: Event) -> bool:
        """Add an event, rarely with a note, to the record or to the refused ones; return whether it was accepted."""
        if self.chance(3):
            event = event | {"note": "a remark", "meta": {"table": 7}, "at": "2024-06-07T12:00:00Z"}
        try:
            self.naive.apply(event)
        except Refused:
            self.refused.append((len(self.events), event))
            return False
        self.events.append(event)
        return True

    @property
    def state(self) -> dict[str, Any]:
        """The oracle's state after the last event."""
        return self.naive.state

    def ids(self, **wanted: Any) -> list[str]:
        """The ids of the permanents on the battlefield whose fields have these values."""
        found = self.state["battlefield"]
        return [one["id"] for one in found if all(one[key] == value for key, value in wanted.items())]

    def playing(self) -> list[str]:
        """The players still in the game."""
        return [player for player in self.state["players"] if player not in self.state["left"]]

    def caster(self) -> str:
        """A player still in the game, more often an active one."""
        active = [player for player in self.state["active"] if player in self.playing()]
        return self.pick(active) if active and self.chance(70) else self.pick(self.playing())

    def standing(self, first: int) -> list[int]:
        """The numbers of the events from `first` on that no back-up has undone."""
        return [n for n in range(first, len(self.events) + 1) if n not in self.naive.undone]

    def new_id(self) -> str:
        """An id that nothing on the battlefield has, sometimes a former one."""
        for number in range(1, self.arrivals + 1):
            if f"p{number}" not in self.ids() and self.chance(15):
                return f"p{number}"
        self.arrivals += 1
        return f"p{self.arrivals}"
