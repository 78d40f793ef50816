"""The monarch as a mechanic: a designation that a player holds.

A game has no monarch until an effect makes one. Then a creature that deals combat damage to the monarch makes its
controller the monarch; the monarch draws a card at the beginning of their end step; and when the monarch leaves the
game, the active player becomes the monarch, or, where that is who left, the next one in turn order.

These are the essentials only. The two abilities of the monarch are triggered: in a game they use the stack and may be
countered. Here they happen at once, with the event that triggers them.

Run it as `python examples/monarch.py audit examples/monarch.jsonl`.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple, TypeAlias

import msgspec

from daynight.cli.mechanics import commands
from daynight.framework import Arc, Chart, Happening, ImpossibleError, Language, Mechanic, Name, Number, Part, nth
from daynight.framework.mechanic import Change, Derived, Facts, Said, Way, Words


class Started(Happening, frozen=True, tag="game-started"):
    """A game begins; `players` are in turn order."""

    game: Name
    players: tuple[Name, ...]


class Act(Happening, frozen=True):
    """The common part of events that happen to one player."""

    player: Name


class TurnBegan(Act, frozen=True, tag="turn-began"):
    """A turn of this player begins."""


class EndStepBegan(Happening, frozen=True, tag="end-step-began"):
    """The end step of the present turn begins."""


class Made(Act, frozen=True, tag="made-monarch"):
    """An effect makes this player the monarch."""


class Damaged(Act, frozen=True, tag="combat-damage-dealt"):
    """A creature that `by` controls deals combat damage to this player."""

    by: Name


class Left(Act, frozen=True, tag="player-left"):
    """This player leaves the game."""


class Claimed(Happening, frozen=True, tag="monarch-claimed"):
    """Somebody says who the monarch is."""

    monarch: Name
    by: Name


class BackedUp(Happening, frozen=True, tag="backed-up"):
    """A judge backs the game up to the state after event `to`."""

    to: Number


Event: TypeAlias = Started | TurnBegan | EndStepBegan | Made | Damaged | Left | Claimed | BackedUp


class Crown(Enum):
    """Whether the game has a monarch."""

    NOBODY = "nobody"
    SOMEBODY = "somebody"


class About(NamedTuple):
    """What the guards look at: whether the event happens to the monarch, and whether others are still in the game."""

    monarch: bool
    others: bool


def always(now: About) -> bool:
    """In any case."""
    return True


def to_monarch(now: About) -> bool:
    """It happens to the monarch, and others are still there."""
    return now.monarch and now.others


CHART = Chart(
    Crown,
    Crown.NOBODY,
    [
        Arc("made-monarch", Crown.NOBODY, Crown.SOMEBODY, always),
        Arc("made-monarch", Crown.SOMEBODY, Crown.SOMEBODY, always),
        Arc("combat-damage-dealt", Crown.SOMEBODY, Crown.SOMEBODY, to_monarch),
        Arc("player-left", Crown.SOMEBODY, Crown.SOMEBODY, to_monarch),
    ],
)

RULES = {
    "no-monarch": "a game has no monarch until an effect makes one",
    "made-monarch": "an effect makes a player the monarch",
    "combat-damage-dealt": "a creature dealt combat damage to the monarch: its controller becomes the monarch",
    "player-left": "the monarch left: the active player becomes the monarch, or the next one in turn order",
    "end-step-began": "the monarch draws a card in their end step",
}


class Reign(Facts):
    """The state: the players in turn order, whose turn it is, the monarch, and when each player drew as the monarch."""

    players: tuple[str, ...] = ()
    active: str | None = None
    monarch: str | None = None
    way: Way = Way(1, "no-monarch", (1,))
    draws: dict[str, tuple[int, ...]] = msgspec.field(default_factory=dict)


def check(reign: Reign, event: Event, number: int) -> None:
    """Raise ImpossibleError if `game-started` is not line 1 alone, or a player is listed twice or not in the game."""
    if isinstance(event, Started) is not (number == 1):
        raise ImpossibleError("game-started is line 1 of a record, and no other line", path="$.type")
    if isinstance(event, Started) and len(set(event.players)) < len(event.players):
        raise ImpossibleError("a player stands twice in the list", path="$.players")
    for field in ("player", "by") if isinstance(event, Act) else ():
        if (player := getattr(event, field, None)) not in (None, *reign.players):
            raise ImpossibleError(f"no player {player!r}; there: {', '.join(reign.players)}", path=f"$.{field}")


def step(reign: Reign, event: Event, number: int) -> Sequence[Change]:
    """Apply event `number` to the state, and return the changes; raise ImpossibleError as `check` does."""
    check(reign, event, number)
    rule, others = event.type, reign.players
    if isinstance(event, Started):
        reign.players = event.players
    elif isinstance(event, TurnBegan):
        reign.active = event.player
    elif isinstance(event, EndStepBegan) and (active := reign.active) is not None and active == reign.monarch:
        drawn = reign.draws.get(active, ())
        reign.draws[active] = (*drawn, number)
        return (Change(number, "draws", active, len(drawn), len(drawn) + 1, rule, (reign.way.event, number)),)
    if not isinstance(event, (Made, Damaged, Left)):
        return ()
    if isinstance(event, Left):
        place = others.index(event.player)
        others = (*others[place + 1 :], *others[:place])
        reign.players = tuple(player for player in reign.players if player != event.player)
    heir = reign.active if reign.active in others else next(iter(others), None)
    monarch = heir if isinstance(event, Left) else event.by if isinstance(event, Damaged) else event.player
    crown, about = Crown.SOMEBODY if reign.monarch else Crown.NOBODY, About(event.player == reign.monarch, bool(others))
    if CHART.fire(crown, rule, about) is None or monarch == reign.monarch:
        return ()
    because = (number,) if isinstance(event, Made) else (reign.way.event, number)
    change = Change(number, "monarch", None, reign.monarch, monarch, rule, because)
    reign.monarch, reign.way = monarch, change.way
    return (change,)


def drew(reign: Reign, player: str) -> Derived | None:
    """Return as a derived value how many cards a player drew as the monarch; None if not in the game."""
    events = reign.draws.get(player, ())
    way = Way(max(events, default=1), "end-step-began" if events else None, events)
    return Derived((len(events),), (way,)) if player in reign.players else None


def said(event: Event) -> str:
    """An event as a sentence."""
    match event:
        case Started():
            return f"{event.game} begins: {', '.join(event.players)}"
        case TurnBegan():
            return f"turn of {event.player}"
        case EndStepBegan():
            return "end step"
        case Made():
            return f"an effect makes {event.player} the monarch"
        case Damaged():
            return f"a creature of {event.by} deals combat damage to {event.player}"
        case Left():
            return f"{event.player} leaves the game"
        case Claimed():
            return f"{event.by} says: {event.monarch} is the monarch"
        case BackedUp():
            return f"the game is backed up to event {event.to}"


MECHANIC = Mechanic(
    name="monarch",
    language=Language[Event](Event),
    start=Reign,
    step=step,
    parts={
        "monarch": Part(lambda reign, subject: Derived((reign.monarch,), (reign.way,))),
        "draws": Part(drew, lambda reign: reign.players),
    },
    says=lambda event: [Said("monarch", None, event.monarch, event.by)] if isinstance(event, Claimed) else (),
    rules=RULES,
    restores=lambda event: event.to if isinstance(event, BackedUp) else None,
    names={BackedUp: ("to",)},
    seals={TurnBegan: "before"},
    freeze=msgspec.json.encode,
    thaw=msgspec.json.Decoder(Reign).decode,
    place=nth(turn=TurnBegan),
    title=lambda event: event.game if isinstance(event, Started) else "",
    chart=CHART,
    words=Words(
        event=said,
        consequence=lambda change: f"{change}: {RULES[change.rule]}",
        value=lambda part, subject, value: "nobody" if value is None else str(value),
    ),
)

if __name__ == "__main__":
    commands(MECHANIC)()
