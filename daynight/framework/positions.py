"""Positions in a record, spelled one way everywhere: `18`, `e18`, `turn:4`, `turn:4/untap`, `branch:b2/e3`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import get_args

from daynight.events.actions import StepBegan, TurnBegan
from daynight.events.terms import Step
from daynight.events.vocabulary import Event
from daynight.framework.language.errors import AskedError, NotFoundError
from daynight.framework.language.wording import _
from daynight.referee.referee import restores

_PLACE = r"(?:e?(?P<event>[0-9]{1,4000})|turn:(?P<turn>[0-9]{1,4000})(?:/(?P<step>[a-z-]+))?)"
_SPELLED = re.compile(
    rf"{_PLACE}|branch:(?P<branch>[^/](?:.*?[^/])??)(?:/{_PLACE.replace('P<', 'P<its_')})?", re.DOTALL
)
_PARTS = ("event", "turn", "step")


class PositionError(AskedError):
    """The text spells no position; exit code 2."""


@dataclass(frozen=True, slots=True)
class Position:
    """An event by its number, or the event at which a turn, or the first such step of it, began.

    With a `branch` it is one on that branch of the record: its last event, where none is said.
    """

    event: int | None = None
    turn: int | None = None
    step: str | None = None
    branch: str | None = None

    @classmethod
    def parse(cls, text: str | int) -> Position:
        """The position of its spelling.

        >>> Position.parse("turn:4/untap")
        Position(event=None, turn=4, step='untap', branch=None)
        >>> Position.parse("branch:b2/e3").on_branch
        Position(event=3, turn=None, step=None, branch=None)

        Raises:
            PositionError: where it is none.
        """
        found = _SPELLED.fullmatch(str(text).strip())
        event, turn, step = (found[name] or found[f"its_{name}"] for name in _PARTS) if found else (None, None, None)
        if found is None or (step is not None and step not in get_args(Step)):
            raise PositionError(
                _("{text} is no position; write 18, e18, turn:4, turn:4/untap or branch:NAME/e18").format(
                    text=repr(text)
                )
            )
        number, begun = (None if digits is None else int(digits) for digits in (event, turn))
        return cls(event=number, turn=begun, step=step, branch=found["branch"])

    def __str__(self) -> str:
        place = ""
        if self.event is not None:
            place = f"e{self.event}"
        elif self.turn is not None:
            place = f"turn:{self.turn}" + (f"/{self.step}" if self.step else "")
        if self.branch is None:
            return place
        return f"branch:{self.branch}" + (f"/{place}" if place else "")

    @property
    def on_branch(self) -> Position | None:
        """The same position, for whoever stands on its branch already; None is the last event there."""
        return None if self.event is None and self.turn is None else replace(self, branch=None)

    def find(self, events: Iterable[Event]) -> int:
        """The number of the event, among all events of a record; the latest standing turn of that number counts.

        Raises:
            NotFoundError: where no such turn or step stands, or the position is on a branch of the record.
        """
        if self.branch is not None:
            raise NotFoundError(
                _("{position}: branches are found in a store; name the stored game, or the branch's own file").format(
                    position=self
                )
            )
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
        if starts and self.step == "untap":
            sentence = _("the untap step of turn {turn} is not written down; the turn begins at event {event}")
            raise NotFoundError(sentence.format(turn=self.turn, event=begun[starts[-1]][0]))
        raise NotFoundError(_("no {position} stands in this record").format(position=self))
