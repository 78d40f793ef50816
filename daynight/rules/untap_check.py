"""The check of the previous turn's casts, the second part of the untap step."""

from __future__ import annotations

from collections.abc import Sequence

from daynight.events import Changed, Designation
from daynight.projections.battlefield import Battlefield
from daynight.projections.tallies import Tally
from daynight.referee.worlds.possibilities import ANY, FINDINGS, NONE_CAST, Possibility
from daynight.rules.designation import CHART, Circumstances
from daynight.rules.holding import night_is_barred

_TRIGGERS = {Designation.DAY: "check-day", Designation.NIGHT: "check-night"}


def _leads(designation: Designation, may_be: int, barred: bool) -> tuple[tuple[Designation | None, int], ...]:
    leads: dict[Designation | None, int] = {}
    trigger = _TRIGGERS[designation]
    for casts, finding in enumerate(FINDINGS):
        if finding & may_be:
            became = CHART.fire(designation, trigger, Circumstances(casts=casts, barred=barred))
            leads[became] = leads.get(became, 0) | finding
    return tuple(leads.items())


# The machine's answer to every check: what it becomes, and by which findings.
_LEADS = {
    (designation, may_be, barred): _leads(designation, may_be, barred)
    for designation in _TRIGGERS
    for may_be in range(ANY + 1)
    for barred in (False, True)
}
_QUIET = {
    designation: tuple(
        designation not in _TRIGGERS or _LEADS[designation, finding, False] == ((None, finding),)
        for finding in FINDINGS
    )
    for designation in Designation
}


def finds_nothing(possibilities: Sequence[Possibility], previous: Tally | None) -> bool:
    """Return whether a check can change nothing in any possibility, whatever permanents there are; mostly it is so."""
    if previous is None:
        return True
    if previous.doubts is not None or previous.unknown:
        # Only while it is neither does a check change nothing, whatever it finds.
        return all([possibility.designation is Designation.NEITHER for possibility in possibilities])
    for possibility in possibilities:
        if not _QUIET[possibility.designation][previous.most]:
            return False
    return True


def check(
    possibility: Possibility, previous: Tally | None, may_be: int, battlefield: Battlefield, *, event: int, turn: int
) -> tuple[tuple[int, Changed | None], ...]:
    """Return the possible findings of a check, each with the change that it makes.

    A finding is a bit set of NONE_CAST, ONE_CAST and TWO_CAST; `may_be` is the set that the tally allows. By day, if no
    active player of the previous turn cast a spell in it, it becomes night, unless a permanent prevents that; by night,
    if one of them cast two or more, it becomes day. If it is neither, or there was no previous turn, nothing happens.
    Findings that lead to the same designation are merged; if that leaves one, its set is the possibility's own `casts`.
    """
    designation = possibility.designation
    trigger = _TRIGGERS.get(designation)
    if trigger is None or previous is None:
        return ((possibility.casts, None),)
    may_be &= possibility.casts
    barred = bool(may_be & NONE_CAST) and night_is_barred(battlefield, possibility.backs)
    leads = _LEADS[designation, may_be, barred]
    if len(leads) == 1:
        ((became, _casts),) = leads
        return ((possibility.casts, _changed(became, designation, trigger, previous, event, turn)),)
    return tuple([(casts, _changed(became, designation, trigger, previous, event, turn)) for became, casts in leads])


def _changed(
    became: Designation | None, was: Designation, trigger: str, previous: Tally, event: int, turn: int
) -> Changed | None:
    if became is None:
        return None
    return Changed(
        event=event,
        rule=trigger,
        because=previous.looked_at(),
        turn=turn,
        was=was,
        became=became,
        checked_turn=None if previous.unknown else previous.turn,
        players=previous.active,
        uncounted=previous.uncounted(),
    )
