"""The continuous rules of day and night: they act as soon as they can. They are not state-based actions."""

from __future__ import annotations

from daynight.events.consequences import Changed, Transformed
from daynight.events.terms import Designation, Face, Keyword
from daynight.projections.battlefield import Battlefield
from daynight.referee.worlds.possibilities import Possibility
from daynight.rules.designation import CHART, Circumstances
from daynight.rules.holding import holders, night_is_barred, obstacle

_NEITHER, _DAY, _NIGHT = Designation
_FRONT, _BACK = Face
_TURNS: dict[Designation, tuple[Keyword, Face, Face, str, str]] = {
    _NIGHT: ("daybound", _FRONT, _BACK, "daybound-as-night", "daybound-at-night"),
    _DAY: ("nightbound", _BACK, _FRONT, "nightbound-as-day", "nightbound-at-day"),
}
"""By designation: the keyword, the face before and after transforming, the rule key at the change, the key later."""


def _start(designation: Designation, now: Circumstances) -> tuple[str, Designation] | None:
    for trigger in ("daybound-starts-day", "nightbound-starts-night"):
        became = CHART.fire(designation, trigger, now)
        if became is not None:
            return trigger, became
    return None


# The machine's answer for each combination: the rule, and what it becomes.
_STARTS = {
    (designation, daybound, nightbound, barred): _start(
        designation, Circumstances(daybound=daybound, nightbound=nightbound, barred=barred)
    )
    for designation in Designation
    for daybound in (False, True)
    for nightbound in (False, True)
    for barred in (False, True)
}


def gains_designation(possibility: Possibility, battlefield: Battlefield, *, event: int, turn: int) -> Changed | None:
    """Return the change from neither: to day if a permanent has daybound; else to night if one has nightbound.

    None: it is day or night already, no permanent has a keyword, or it can't become night.
    """
    designation, backs = possibility.designation, possibility.backs
    keywords: set[Keyword] = set()
    for status in battlefield.mattering.values():
        keywords.update(status.shows(backs).keywords)
    if not keywords:
        return None
    start = _STARTS[designation, "daybound" in keywords, "nightbound" in keywords, night_is_barred(battlefield, backs)]
    if start is None:
        return None
    trigger, became = start
    return Changed(event=event, rule=trigger, because=(event,), turn=turn, was=designation, became=became)


def turns_over(
    possibility: Possibility, battlefield: Battlefield, *, event: int, as_it_becomes: bool
) -> Transformed | None:
    """Return the transformation, all at once, of the permanents that show the wrong face.

    Wrong are daybound fronts by night and nightbound backs by day. None: there are none that can transform.
    `as_it_becomes`: it became day or night just now, which has a rule key of its own.
    """
    designation, backs = possibility.designation, possibility.backs
    if designation is _NEITHER:
        return None
    question = (designation, backs)
    ids = battlefield.found.get(question)
    if ids is None:
        ids = battlefield.found[question] = _wrong_way_up(designation, backs, battlefield)
    if not ids:
        return None
    _keyword, _up, down, becoming, found = _TURNS[designation]
    rule = becoming if as_it_becomes else found
    return Transformed(event=event, rule=rule, because=(event,), permanents=ids, face=down)


def _wrong_way_up(designation: Designation, backs: frozenset[str], battlefield: Battlefield) -> tuple[str, ...]:
    keyword, up, _down, _becoming, _found = _TURNS[designation]
    back = up is _BACK
    held = holders(battlefield, backs)
    ids: list[str] = []
    for id, status in battlefield.mattering.items():
        if (
            (id in backs) is back
            and keyword in status.shows(backs).keywords
            and obstacle(status, battlefield, backs, held) is None
        ):
            ids.append(id)
    return tuple(ids)
