"""The check: the second part of the untap step looks at the previous turn."""

from __future__ import annotations

from collections.abc import Sequence

from daynight.designation import CHART, Circumstances
from daynight.events.consequences import Changed
from daynight.events.terms import Designation
from daynight.projections.battlefield import Battlefield
from daynight.projections.possibilities import NONE_CAST, ONE_CAST, TWO_CAST, Possibility
from daynight.projections.tallies import Tally
from daynight.rules.holding import night_is_barred

__all__ = ["check", "finds_nothing"]

_TRIGGERS = {Designation.DAY: "check-day", Designation.NIGHT: "check-night"}
_FINDINGS = (NONE_CAST, ONE_CAST, TWO_CAST)

# What the machine answers to every check whose finding is certain.
_LEADS = {
    (designation, casts, barred): CHART.fire(designation, trigger, Circumstances(casts=casts, barred=barred))
    for designation, trigger in _TRIGGERS.items()
    for casts in range(len(_FINDINGS))
    for barred in (False, True)
}
_QUIET = {
    designation: tuple(_LEADS.get((designation, casts, False)) is None for casts in range(len(_FINDINGS)))
    for designation in Designation
}


def finds_nothing(possibilities: Sequence[Possibility], previous: Tally) -> bool:
    """Whether a check is sure to change nothing, whatever is on the battlefield: most checks are like that."""
    if previous.doubts is not None or previous.unknown:
        return False
    for possibility in possibilities:
        if not _QUIET[possibility.designation][previous.most]:
            return False
    return True


def check(
    possibility: Possibility, previous: Tally | None, battlefield: Battlefield, *, event: int, turn: int
) -> tuple[tuple[int, Changed | None], ...]:
    """What the check may find, and the change each finding makes; one finding, as a rule.

    Day and no active player of the previous turn cast a spell in it: night. Night and some one of them cast two
    or more: day. Neither, or no previous turn: nothing. A finding is a set of NONE_CAST, ONE_CAST, TWO_CAST;
    findings that lead to the same designation are one, for they teach nothing of the previous turn.
    """
    designation = possibility.designation
    trigger = _TRIGGERS.get(designation)
    if trigger is None or previous is None:
        return ((possibility.casts, None),)
    if previous.doubts is None and not previous.unknown:
        barred = previous.most == 0 and night_is_barred(battlefield, possibility.backs)
        became = _LEADS[designation, previous.most, barred]
        return ((possibility.casts, _changed(became, designation, trigger, previous, event, turn)),)
    may_be = possibility.casts & previous.casts()
    barred = bool(may_be & NONE_CAST) and night_is_barred(battlefield, possibility.backs)
    leads: dict[Designation | None, int] = {}
    for casts, finding in enumerate(_FINDINGS):
        if finding & may_be:
            became = _LEADS[designation, casts, barred]
            leads[became] = leads.get(became, 0) | finding
    if len(leads) == 1:
        leads = dict.fromkeys(leads, possibility.casts)
    return tuple(
        [(casts, _changed(became, designation, trigger, previous, event, turn)) for became, casts in leads.items()]
    )


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
    )
