"""A second mechanic on the same framework: the monarch, a designation that a player holds.

A game has no monarch until an effect makes one; from then on there always is one. The chart has two states, and the
holder is data beside it. `Chart` and `History` are used just as day and night use them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from daynight.framework.chart import Arc, Chart
from daynight.framework.history import History


class Crown(Enum):
    """Whether the game has a monarch."""

    NOBODY = "nobody"
    SOMEBODY = "somebody"


def always(player: str) -> bool:
    """An effect says that a player becomes the monarch."""
    return True


CHART: Chart[Crown, str] = Chart(
    Crown,
    Crown.NOBODY,
    [
        Arc("becomes-monarch", Crown.NOBODY, Crown.SOMEBODY, always),
        Arc("becomes-monarch", Crown.SOMEBODY, Crown.SOMEBODY, always),
    ],
)


@dataclass(frozen=True)
class Becomes:
    """An effect makes a player the monarch."""

    player: str


@dataclass(frozen=True)
class CombatDamage:
    """A creature of one player dealt combat damage to another."""

    to: str
    by: str


@dataclass(frozen=True)
class EndStep:
    """The end step of a player's turn began: the monarch draws a card in their own."""

    player: str


@dataclass(frozen=True)
class Crowned:
    """What follows: this player is the monarch now."""

    player: str


@dataclass(frozen=True)
class Draws:
    """What follows: the monarch draws a card."""

    player: str


@dataclass
class Reign:
    """The state: whether there is a monarch, who it is, and how many cards being it has drawn."""

    crown: Crown = CHART.initial
    holder: str | None = None
    drawn: int = 0

    def copy(self) -> Reign:
        """The same state, apart."""
        return replace(self)


Event = Becomes | CombatDamage | EndStep


def step(reign: Reign, event: Event, number: int) -> tuple[Crowned | Draws, ...]:
    """Take the reign over an event, and answer what followed."""
    if isinstance(event, EndStep):
        if event.player != reign.holder:
            return ()
        reign.drawn += 1
        return (Draws(event.player),)
    if isinstance(event, CombatDamage):
        if event.to != reign.holder:
            return ()
        player = event.by
    else:
        player = event.player
    crown = CHART.fire(reign.crown, "becomes-monarch", player)
    if crown is None or player == reign.holder:
        return ()
    reign.crown, reign.holder = crown, player
    return (Crowned(player),)


def main() -> None:
    """Play a short reign, look back at it, and ask what if."""
    events: list[Event] = [
        Becomes("Ana"),
        EndStep("Ana"),
        CombatDamage(to="Ana", by="Bo"),
        EndStep("Ana"),
        EndStep("Bo"),
    ]
    history: History[Reign, Event, Crowned | Draws] = History(Reign(), step, events=events)
    for moment in history.moments():
        print(moment.number, moment.event, "->", *moment.consequences)
    print("after event 2:", history.at(2))
    print("without the damage:", history.what_if(2, events[3:]).state)
    print(CHART.mermaid(), end="")


if __name__ == "__main__":
    main()
