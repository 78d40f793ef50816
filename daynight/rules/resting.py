"""To rest: what happens at once, any time it may, until nothing more does; not state-based actions."""

from __future__ import annotations

from daynight.designation import CHART, Circumstances
from daynight.events.consequences import Changed, Transformed
from daynight.events.terms import Designation, Face, Keyword
from daynight.projections.battlefield import Battlefield
from daynight.projections.possibilities import Possibility
from daynight.rules.holding import can_transform, holders, night_is_barred

__all__ = ["gains_designation", "turns_over"]

_NEITHER, _DAY, _NIGHT = Designation
_FRONT, _BACK = Face
_TURNS: dict[Designation, tuple[Keyword, Face, str, str]] = {
    _NIGHT: ("daybound", _FRONT, "daybound-as-night", "daybound-at-night"),
    _DAY: ("nightbound", _BACK, "nightbound-as-day", "nightbound-at-day"),
}
_OTHER = {_FRONT: _BACK, _BACK: _FRONT}


def gains_designation(possibility: Possibility, battlefield: Battlefield, *, event: int, turn: int) -> Changed | None:
    """Neither, and a permanent with daybound: day. With nightbound and none with daybound: night."""
    designation, backs = possibility.designation, possibility.backs
    keywords = [keyword for status in battlefield.mattering if status.acts for keyword in status.shows(backs).keywords]
    if not keywords:
        return None
    now = Circumstances(
        daybound="daybound" in keywords,
        nightbound="nightbound" in keywords,
        barred=night_is_barred(battlefield, backs),
    )
    for trigger in ("daybound-starts-day", "nightbound-starts-night"):
        became = CHART.fire(designation, trigger, now)
        if became is not None:
            return Changed(event=event, rule=trigger, because=(event,), turn=turn, was=designation, became=became)
    return None


def turns_over(
    possibility: Possibility, battlefield: Battlefield, *, event: int, as_it_becomes: bool
) -> Transformed | None:
    """By night every front-face-up permanent with daybound that can, by day every back-face-up one with nightbound.

    All at once. `as_it_becomes`: it became day or night just now, which is another sentence of the rules.
    """
    designation, backs = possibility.designation, possibility.backs
    if designation is _NEITHER:
        return None
    question = (designation, backs)
    try:
        ids = battlefield.found[question]
    except KeyError:
        ids = battlefield.found[question] = _wrong_way_up(designation, backs, battlefield)
    if not ids:
        return None
    _keyword, up, becoming, found = _TURNS[designation]
    rule = becoming if as_it_becomes else found
    return Transformed(event=event, rule=rule, because=(event,), permanents=ids, face=_OTHER[up])


def _wrong_way_up(designation: Designation, backs: frozenset[str], battlefield: Battlefield) -> tuple[str, ...]:
    keyword, up, _becoming, _found = _TURNS[designation]
    back = up is _BACK
    held = holders(battlefield, backs)
    return tuple(
        [
            status.permanent.id
            for status in battlefield.mattering
            if (status.permanent.id in backs) is back
            and status.acts
            and keyword in status.shows(backs).keywords
            and can_transform(status, battlefield, backs, held)
        ]
    )
