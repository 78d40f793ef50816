"""A turnstile: the mechanic that the tutorial builds, in one file."""

from collections.abc import Sequence
from enum import Enum

from daynight.cli.mechanics import commands
from daynight.framework import (
    Arc,
    Change,
    Chart,
    Derived,
    Facts,
    Happening,
    ImpossibleError,
    Language,
    Mechanic,
    Name,
    Number,
    Part,
    Said,
    Way,
    Words,
    nth,
)


class Installed(Happening, frozen=True, tag="installed"):
    turnstile: Name
    price: Number


class Paid(Happening, frozen=True, tag="paid"):
    by: Name
    cents: Number


class Pushed(Happening, frozen=True, tag="pushed"):
    by: Name


class CountClaimed(Happening, frozen=True, tag="count-claimed"):
    passed: Number
    by: Name


class Corrected(Happening, frozen=True, tag="corrected"):
    to: Number


LANGUAGE = Language[Happening](Installed | Paid | Pushed | CountClaimed | Corrected)


class Gate(Enum):
    LOCKED = "locked"
    OPEN = "open"


class Turnstile(Facts):
    price: int = 0
    paid: int = 0
    coins: tuple[int, ...] = ()
    gate: Gate = Gate.LOCKED
    way: Way = Way(1, "installed", (1,))
    passed: tuple[int, ...] = ()


def enough(paid: bool) -> bool:
    """The whole price is paid."""
    return paid


def always(paid: bool) -> bool:
    """In any case."""
    return True


CHART = Chart(
    Gate,
    Gate.LOCKED,
    [
        Arc("paid", Gate.LOCKED, Gate.OPEN, enough),
        Arc("paid", Gate.LOCKED, Gate.LOCKED, always),
        Arc("pushed", Gate.OPEN, Gate.LOCKED, always),
    ],
)


def step(turnstile: Turnstile, event: Happening, number: int) -> Sequence[Change]:
    if isinstance(event, Installed) is not (number == 1):
        raise ImpossibleError("installed is line 1 of a record, and no other line", path="$.type")
    if isinstance(event, Installed):
        turnstile.price = event.price
    if not isinstance(event, Paid | Pushed):
        return ()
    if isinstance(event, Paid):
        turnstile.paid, turnstile.coins = turnstile.paid + event.cents, (*turnstile.coins, number)
    was, turnstile.gate = turnstile.gate, CHART.advance(turnstile.gate, event.type, turnstile.paid >= turnstile.price)
    if isinstance(event, Pushed):
        turnstile.paid, turnstile.coins, turnstile.passed = 0, (), (*turnstile.passed, number)
    if was is turnstile.gate:
        return ()
    change = Change(number, "gate", None, was, turnstile.gate, event.type, turnstile.coins)
    turnstile.way = change.way
    return (change,)


def count(turnstile: Turnstile, subject: None) -> Derived:
    last = turnstile.passed[-1] if turnstile.passed else 1
    return Derived((len(turnstile.passed),), (Way(last, None, turnstile.passed),))


PARTS = {
    "gate": Part(lambda turnstile, subject: Derived((turnstile.gate,), (turnstile.way,))),
    "count": Part(count),
}


RULES = {
    "installed": "a turnstile is locked at first",
    "paid": "the price is paid",
    "pushed": "one person passes, and it locks again",
}

TURNSTILE = Mechanic(
    name="turnstile",
    language=LANGUAGE,
    start=Turnstile,
    step=step,
    parts=PARTS,
    rules=RULES,
    says=lambda event: [Said("count", None, event.passed, event.by)] if isinstance(event, CountClaimed) else (),
    restores=lambda event: event.to if isinstance(event, Corrected) else None,
    names={Corrected: ("to",)},
    place=nth(passing=Pushed),
    title=lambda event: event.turnstile if isinstance(event, Installed) else "",
    chart=CHART,
    words=Words(consequence=lambda change: f"the gate is {change.became.value}: {RULES[change.rule]}"),
)


if __name__ == "__main__":
    commands(TURNSTILE)()
