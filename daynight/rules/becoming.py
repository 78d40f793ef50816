"""The designation becomes day or night by an effect, a judge's ruling, or an assumption."""

from __future__ import annotations

from msgspec.structs import replace

from daynight.events import Changed, Designation, EffectResolved, JudgeRuled
from daynight.rules.designation import Circumstances, fired

ASSUMED = "assumed"
"""The rule key of a designation that was assumed from the beginning, without any event for it."""


def by_effect(
    designation: Designation, effect: EffectResolved, *, barred: bool, event: int, turn: int
) -> Changed | None:
    """Return the change by "it becomes day", "it becomes night", or the switch: day if it is night, otherwise night.

    None: it is so already, it can't become night (`barred`), or the effect needs another designation (`only_if`).
    """
    if effect.only_if is not None and effect.only_if is not designation:
        return None
    if effect.becomes == "switch":
        told = Designation.DAY if designation is Designation.NIGHT else Designation.NIGHT
    else:
        told = Designation(effect.becomes)
    return fired("becomes", designation, Circumstances(told=told, barred=barred), event, turn)


def by_ruling(designation: Designation, ruling: JudgeRuled, *, event: int, turn: int) -> Changed | None:
    """Return the change to what the judge ruled, right or wrong; None if it is so already. No effect prevents it."""
    return fired("judge", designation, Circumstances(told=Designation(ruling.designation)), event, turn)


def by_assumption(designation: Designation, assumed: Designation, *, event: int, turn: int) -> Changed | None:
    """Return the change from neither to the `assumed` designation; None if it is day or night already."""
    if designation is not Designation.NEITHER:
        return None
    change = fired("becomes", designation, Circumstances(told=assumed), event, turn)
    return None if change is None else replace(change, rule=ASSUMED)
