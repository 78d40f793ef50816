"""Rulings in disputes: what a judge ruled, what it is by that, and whether the rules agree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

from daynight.audit import own_line, possible_in, shown
from daynight.events.disputes import Outcome
from daynight.events.terms import Designation
from daynight.events.wording import _
from daynight.findings import agrees
from daynight.grounds import designation_ways
from daynight.projections.sentences import state_clause

if TYPE_CHECKING:
    from daynight.game import Game

__all__ = ["Ruling", "There", "judged", "place", "states_at"]


@dataclass(frozen=True, slots=True)
class Ruling:
    """What a judge ruled, and whether the rules agree.

    `carried_out` is the judge's act beside it that does just what it says. `stands` is what it is by the ruling: its
    own `designation`, or with `leave` and `back-up` what stood just before it, or after event `to`: what was claimed
    there last, if nothing changed since, else as ruled before. `possible` is what may be there by the rules alone.
    `right` says whether the two agree; None where that is not certain, or the ruling does not say what it is.
    `untapped`: an untap step that was due there changes what it is, and is counted in.
    """

    event: int
    by: str
    at: str | None
    outcome: Outcome
    designation: Designation | None
    to: int | None
    says: str | None
    stands: Designation | None
    possible: tuple[Designation, ...]
    carried_out: int | None = None
    untapped: bool = False

    @property
    def silent(self) -> bool:
        """Whether it does not say what it is, nor leave it as it stood."""
        return self.outcome == "fix" and self.designation is None

    @property
    def right(self) -> bool | None:
        """Whether the rules agree."""
        return None if self.stands is None else agrees(self.stands, self.possible)

    @property
    def remark(self) -> str:
        """What the rules say of it, in the reader's language."""
        if self.silent:
            return _("the ruling does not say what it is")
        if self.outcome == "fix":
            sentence = {
                True: _("the rules agree: {derived}"),
                False: _("the rules do not agree: by them {derived}"),
                None: _("the rules leave it open: {derived}"),
            }[self.right]
        else:
            sentence = {
                True: _("{what} is what the rules give: {derived}"),
                False: _("{what} ({stood}) is not what the rules give: by them {derived}"),
                None: _("the rules leave open whether {what} is right: {derived}"),
            }[self.right]
        if self.untapped:
            after = _("what stood after event {to} and the untap step that was due then")
        else:
            after = _("what stood after event {to}")
        what = _("what stood") if self.to is None else after.format(to=self.to)
        stood = "" if self.stands is None else state_clause((self.stands,))
        return sentence.format(derived=state_clause(self.possible), stood=stood, what=what)

    def document(self) -> dict[str, Any]:
        """The ruling as JSON."""
        return {
            "event": self.event,
            "by": self.by,
            "at": self.at,
            "outcome": self.outcome,
            "designation": None if self.designation is None else self.designation.value,
            "to": self.to,
            "says": self.says,
            "stands": None if self.stands is None else self.stands.value,
            "possible": [designation.value for designation in self.possible],
            "right": self.right,
            "carried_out": self.carried_out,
        }


There: TypeAlias = tuple[tuple[Designation, ...], tuple[Designation, ...], int, bool]
"""What may be as ruled and what by the rules' own line, the event of the last change as ruled, and whether an untap
step that is due changes what it is."""


def place(ruling: Ruling) -> int:
    """The event after which the rules are asked about a ruling: what it backs up to, or that before what is done."""
    return (ruling.carried_out or ruling.event) - 1 if ruling.to is None else ruling.to


def judged(ruling: Ruling, said: tuple[int, Designation] | None, there: There) -> Ruling:
    """The ruling with what it is by it, and by the rules; `said` is what was claimed last before what it rules on."""
    as_ruled, own, changed, untapped = there
    stands = ruling.designation
    if ruling.outcome != "fix":
        claimed = said is not None and said[0] >= changed
        stands = said[1] if claimed and said is not None else as_ruled[0] if len(as_ruled) == 1 else None
    return replace(ruling, stands=stands, possible=own, untapped=untapped)


def states_at(game: Game, numbers: Sequence[int]) -> dict[int, There]:
    """What is possible after each of these events, in order, as a claim there shows it."""
    found: dict[int, There] = {}
    wanted = frozenset(numbers)
    for moment, state in game.walk(numbers[0] - 1) if numbers else ():
        if moment.number in wanted:
            there = shown(state)
            changes = [way.event for way in designation_ways(there.possibilities) if way is not None]
            untapped = there.possible != state.possible
            changed = max(changes, default=there.began)
            found[moment.number] = there.possible, possible_in(own_line(there)), changed, untapped
        if len(found) == len(wanted):
            break
    return found
