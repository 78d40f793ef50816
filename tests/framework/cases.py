"""The mechanics that the contract is tested with, and a record of each."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import click

from daynight.cli.mechanics import commands
from daynight.disputes.mechanic import GAME
from daynight.framework.language.codec import encode
from daynight.framework.mechanic import Mechanic
from daynight.framework.recorded import Recorded
from daynight.game import Game
from daynight.referee.mechanic import DAYNIGHT
from examples.approval import MECHANIC as APPROVAL
from examples.monarch import MECHANIC as MONARCH

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@dataclass(frozen=True)
class Case:
    """A mechanic and one of its records.

    `wrong` has the numbers of the events with wrong claims and rulings. `backs` is the number of a back-up to the state
    after event 3 or a later one. `claim` is an event that changes nothing and refers to no other. `named` is the number
    of an event, and a field of it that holds a name. `impossible` is an event that is refused after the record's last
    one, and the path of its refusal.
    """

    mechanic: Mechanic[Any, Any, Any]
    events: tuple[Any, ...]
    wrong: tuple[int, ...]
    backs: int
    claim: dict[str, Any]
    named: tuple[int, str]
    impossible: tuple[dict[str, Any], str]

    @cached_property
    def commands(self) -> click.Group:
        """The mechanic's command line."""
        return commands(self.mechanic)

    @property
    def lines(self) -> list[bytes]:
        """The record's lines, without line breaks."""
        return [encode(event) for event in self.events]

    @property
    def to(self) -> int:
        """The number of the event to which event `backs` backs up."""
        number = self.mechanic.restores(self.events[self.backs - 1])
        assert number is not None
        return number

    def record(self, events: int | None = None) -> Recorded[Any, Any, Any]:
        """The record of the case, or of its first `events` events."""
        return Recorded(self.mechanic, self.events[:events])


def _case(mechanic: Mechanic[Any, Any, Any], path: str, **known: Any) -> Case:
    # A game fills in what the catalogue knows of its cards; the mechanics themselves have no catalogue.
    events = Game.load(EXAMPLES / path).events if path.startswith("games/") else None
    return Case(mechanic, events or Recorded.load(mechanic, EXAMPLES / path).events, **known)


CASES = {
    "day and night": _case(
        DAYNIGHT, "games/ruling-and-back-up.jsonl", wrong=(12, 13), backs=15,
        claim={"type": "designation-claimed", "designation": "day", "by": "Cy"}, named=(4, "player"),
        impossible=({"type": "spell-cast", "player": "Cy"}, "$.player"),
    ),
    "a game and its disputes": _case(
        GAME, "games/head-judge.jsonl", wrong=(11,), backs=21,
        claim={"type": "designation-claimed", "designation": "day", "by": "Cy"}, named=(15, "dispute"),
        impossible=({"type": "dispute-appealed", "dispute": "d1", "by": "Bo"}, "$.dispute"),
    ),
    "the monarch": _case(
        MONARCH, "monarch.jsonl", wrong=(14,), backs=12,
        claim={"type": "monarch-claimed", "monarch": "Ana", "by": "Cy"}, named=(3, "player"),
        impossible=({"type": "made-monarch", "player": "Bo"}, "$.player"),
    ),
    "an approval": _case(
        APPROVAL, "approval.jsonl", wrong=(8,), backs=11,
        claim={"type": "stage-claimed", "stage": "draft", "by": "Dan"}, named=(2, "by"),
        impossible=({"type": "submitted", "by": "Ana"}, "$.type"),
    ),
}  # fmt: skip
