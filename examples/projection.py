"""A projection of one's own: how many turns each designation lasted.

Run it as `python examples/projection.py [RECORD]`.
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from daynight import Designation, Game
from daynight.events import Changed, TurnBegan
from daynight.framework.folding.history import project
from daynight.framework.folding.moment import Moment


@dataclass(frozen=True)
class Lasting:
    """The designation now, and how many turns began under each."""

    now: Designation = Designation.NEITHER
    turns: Counter[Designation] = field(default_factory=Counter)

    def fold(self, moment: Moment[Any, Any]) -> Lasting:
        """The same, one moment later."""
        turns = self.turns + Counter({self.now: int(isinstance(moment.event, TurnBegan))})
        changes = [c.became for c in moment.consequences if isinstance(c, Changed) and c.certain]
        return Lasting(now=changes[-1] if changes else self.now, turns=turns)


def main(record: str = "demo") -> None:
    """Print how many turns of a record began in each designation."""
    lasting = project(Game.load(record).moments(), Lasting())
    for designation, turns in lasting.turns.items():
        print(f"{designation}: {turns} turns")


if __name__ == "__main__":
    main(*sys.argv[1:])
