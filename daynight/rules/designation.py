"""The finite-state machine of the designation: neither, day, night, its arcs and their guards.

The triggers are the rule keys. No arc leads to neither: a game that was once day or night stays one of the two until it
ends. A restarted game is a new game with a new machine.
"""

from __future__ import annotations

from typing import NamedTuple

from daynight.events.consequences import Changed
from daynight.events.terms import Designation
from daynight.framework.chart import Arc, Chart


class Circumstances(NamedTuple):
    """The values that the guards read.

    `told` is the designation that an effect or a ruling names. `casts` is the most spells that one active player of the
    previous turn cast in it (2 stands for two or more), None if there was no such turn. `daybound` and `nightbound`
    say whether a permanent has the keyword, `barred` whether a permanent says that it can't become night.
    """

    told: Designation | None = None
    casts: int | None = None
    daybound: bool = False
    nightbound: bool = False
    barred: bool = False


def entering(now: Circumstances) -> bool:
    """A permanent with "if it's neither day nor night, it becomes day as this enters" enters."""
    return True


def daybound_there(now: Circumstances) -> bool:
    """A permanent has daybound."""
    return now.daybound


def nightbound_alone(now: Circumstances) -> bool:
    """A permanent has nightbound, none has daybound, and nothing says that it can't become night."""
    return now.nightbound and not now.daybound and not now.barred


def nobody_cast(now: Circumstances) -> bool:
    """No active player of the previous turn cast a spell in it, and nothing says that it can't become night."""
    return now.casts == 0 and not now.barred


def somebody_cast_two(now: Circumstances) -> bool:
    """Some one active player of the previous turn cast two or more spells in it."""
    return now.casts == 2


def told_day(now: Circumstances) -> bool:
    """An effect makes it day."""
    return now.told is Designation.DAY


def told_night(now: Circumstances) -> bool:
    """An effect makes it night, and nothing says that it can't become night."""
    return now.told is Designation.NIGHT and not now.barred


def ruled_day(now: Circumstances) -> bool:
    """A judge rules that it is day."""
    return now.told is Designation.DAY


def ruled_night(now: Circumstances) -> bool:
    """A judge rules that it is night."""
    return now.told is Designation.NIGHT


_NEITHER, _DAY, _NIGHT = Designation

ARCS: tuple[Arc[Designation, Circumstances], ...] = (
    Arc("day-if-neither", _NEITHER, _DAY, entering),
    Arc("daybound-starts-day", _NEITHER, _DAY, daybound_there),
    Arc("nightbound-starts-night", _NEITHER, _NIGHT, nightbound_alone),
    Arc("check-day", _DAY, _NIGHT, nobody_cast),
    Arc("check-night", _NIGHT, _DAY, somebody_cast_two),
    Arc("becomes", _NEITHER, _DAY, told_day),
    Arc("becomes", _NEITHER, _NIGHT, told_night),
    Arc("becomes", _DAY, _NIGHT, told_night),
    Arc("becomes", _NIGHT, _DAY, told_day),
    Arc("judge", _NEITHER, _DAY, ruled_day),
    Arc("judge", _NEITHER, _NIGHT, ruled_night),
    Arc("judge", _DAY, _NIGHT, ruled_night),
    Arc("judge", _NIGHT, _DAY, ruled_day),
)
"""The arcs: trigger, state before, state after, guard."""

CHART: Chart[Designation, Circumstances] = Chart(Designation, Designation.NEITHER, ARCS)


def fired(trigger: str, was: Designation, circumstances: Circumstances, event: int, turn: int) -> Changed | None:
    """Fire `trigger`, a rule key, in designation `was`; return the change, or None if no arc with a true guard fits."""
    became = CHART.fire(was, trigger, circumstances)
    if became is None:
        return None
    return Changed(event=event, rule=trigger, because=(event,), turn=turn, was=was, became=became)
