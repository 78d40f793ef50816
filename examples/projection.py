"""An example of a custom projection: how many turns of a record began under each designation.

Run it as `python examples/projection.py [RECORD]`.
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass, field

from daynight import Designation, Game
from daynight.events import Changed, TurnBegan
from daynight.framework import project
from daynight.game import Moment


@dataclass(frozen=True)
class Lasting:
    """The value of the projection: the designation now, and how many turns began under each designation."""

    now: Designation = Designation.NEITHER
    turns: Counter[Designation] = field(default_factory=Counter)


def lasting(value: Lasting, moment: Moment, state: object) -> Lasting:
    """Return `value` after `moment`: a turn that begins counts for the designation before it."""
    turns = value.turns + Counter({value.now: int(isinstance(moment.event, TurnBegan))})
    changes = [c.became for c in moment.consequences if isinstance(c, Changed) and c.certain]
    return Lasting(now=changes[-1] if changes else value.now, turns=turns)


def main(record: str = "demo") -> None:
    """Print how many turns of a record began in each designation."""
    for designation, turns in project(Game.load(record), Lasting, lasting).turns.items():
        print(f"{designation}: {turns} turns")


if __name__ == "__main__":
    main(*sys.argv[1:])
