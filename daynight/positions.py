"""Positions in a record, spelled one way everywhere: `18`, `e18`, `turn:4`, `turn:4/untap`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import get_args

from daynight.events.actions import StepBegan, TurnBegan
from daynight.events.errors import AskedError, NotFoundError
from daynight.events.terms import Step
from daynight.events.vocabulary import Event
from daynight.events.wording import _
from daynight.referee import restores

__all__ = ["Position", "PositionError"]

_SPELLED = re.compile(r"e?(?P<event>[0-9]{1,4000})|turn:(?P<turn>[0-9]{1,4000})(?:/(?P<step>[a-z-]+))?")


class PositionError(AskedError):
    """The text spells no position; exit code 2."""


@dataclass(frozen=True, slots=True)
class Position:
    """An event by its number, or the event at which a turn, or the first such step of it, began."""

    event: int | None = None
    turn: int | None = None
    step: str | None = None

    @classmethod
    def parse(cls, text: str | int) -> Position:
        """The position of its spelling.

        >>> Position.parse("turn:4/untap")
        Position(event=None, turn=4, step='untap')

        Raises:
            PositionError: where it is none.
        """
        found = _SPELLED.fullmatch(str(text).strip())
        if found is None or (found["step"] is not None and found["step"] not in get_args(Step)):
            raise PositionError(
                _("{text} is no position; write 18, e18, turn:4 or turn:4/untap").format(text=repr(text))
            )
        if found["event"] is not None:
            return cls(event=int(found["event"]))
        return cls(turn=int(found["turn"]), step=found["step"])

    def __str__(self) -> str:
        if self.event is not None:
            return f"e{self.event}"
        return f"turn:{self.turn}" + (f"/{self.step}" if self.step else "")

    def find(self, events: Iterable[Event]) -> int:
        """The number of the event, among all events of a record; the latest standing turn of that number counts.

        Raises:
            NotFoundError: where no such turn or step stands.
        """
        if self.event is not None:
            return self.event
        # Beginnings of turns and steps that stand: (event, turn, step), None for the turn itself.
        begun: list[tuple[int, int, str | None]] = []
        for number, event in enumerate(events, 1):
            if isinstance(event, TurnBegan):
                begun.append((number, event.turn, None))
            elif isinstance(event, StepBegan) and begun:
                begun.append((number, begun[-1][1], event.step))
            elif (to := restores(event)) is not None:
                while begun and begun[-1][0] > to:
                    begun.pop()
        starts = [place for place, (_number, turn, step) in enumerate(begun) if turn == self.turn and step is None]
        for number, turn, step in begun[starts[-1] :] if starts else ():
            if turn == self.turn and step == self.step:
                return number
        raise NotFoundError(_("no {position} stands in this record").format(position=self))
