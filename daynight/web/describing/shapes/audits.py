"""The shapes of audits, and of disputes."""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, UnsetType

from daynight.events import Designation
from daynight.events.disputes import Outcome as Ruled
from daynight.web.describing.shapes.games import Verdict
from daynight.web.describing.shapes.shape import Count, Document, Number, Plain, Shape
from daynight.web.describing.shapes.states import Consequence, Counted, Policy

Status = Literal["open", "ruled", "appealed", "closed"]


class Finding(Shape, frozen=True, kw_only=True):
    """A claim or a ruling that differs from the derived value or, in `unsettled`, cannot be compared with certainty."""

    event: Number
    about: Literal["designation", "face", "tally", "ruling"]
    subject: str | None
    claimed: Counted | str | None
    derived: Counted | str | None
    by: str
    rule: str | None
    cr: str | None
    because: list[Number]
    sentence: str
    short: str
    undone: Literal[True] | UnsetType = UNSET
    doubt: list[str] | UnsetType = UNSET


class HeardClaim(Shape, frozen=True, kw_only=True):
    """The claim of a side in a dispute; `agrees` says whether the designation by the rules is the claimed one.

    `derived` is null if several are possible, `agrees` if that is not certain or no designation was claimed.
    """

    event: Number
    by: str
    designation: Designation | None
    says: str | None
    derived: Designation | None
    agrees: bool | None


class HeardDispute(Shape, frozen=True, kw_only=True):
    """A dispute, as an audit lists it."""

    dispute: str
    opened: Count
    about: Count
    status: Status
    outcome: Ruled | None
    claims: list[HeardClaim]


class Doubts(Shape, frozen=True, kw_only=True):
    """What the writers of a record did not know: names that no known card has, and Arena's numbers of unknown cards.

    `because` and `sentence` also tell of turns that nobody wrote while they were played.
    """

    names: list[str]
    unknown: list[Plain] | UnsetType = UNSET
    because: list[Number]
    sentence: str


class Audit(Document, frozen=True, kw_only=True):
    """The claims and rulings that differ from the rules (`findings`) or that the record leaves open (`unsettled`)."""

    record: str
    game: str
    events: Count
    verdict: Verdict
    findings: list[Finding]
    unsettled: list[Finding]
    disputes: list[HeardDispute]
    doubts: Doubts | UnsetType = UNSET


class PartsFinding(Shape, frozen=True, kw_only=True):
    """A finding of another mechanic: a claim or a ruling that differs from the derived value, or is left open."""

    event: Number
    about: str
    subject: str | None
    claimed: Plain
    derived: Plain
    by: str | None
    rule: str | None
    because: list[Number]
    sentence: str
    undone: Literal[True] | UnsetType = UNSET


class PartsAudit(Document, frozen=True, kw_only=True):
    """An audit of another mechanic."""

    record: str
    events: Count
    verdict: Verdict
    findings: list[PartsFinding]
    unsettled: list[PartsFinding]


class DisputeClaim(Shape, frozen=True, kw_only=True):
    """The claim of one side."""

    event: Number
    by: str
    at: str | None
    designation: Designation | None
    says: str | None
    agrees: bool | None


class Ruling(Shape, frozen=True, kw_only=True):
    """A judge's ruling, and the designations that are possible by the rules.

    `stands` is the designation that the ruling sets or leaves in force; null if it names none. `carried_out` is the
    event with which the judge carried it out; null if there is none.
    """

    event: Number
    by: str
    at: str | None
    outcome: Ruled
    designation: Designation | None
    to: Number | None
    says: str | None
    stands: Designation | None
    possible: list[Designation]
    agrees: bool | None
    carried_out: Number | None


class Appeal(Shape, frozen=True, kw_only=True):
    """An appeal against the preceding ruling."""

    event: Number
    by: str
    at: str | None


class DerivedThere(Shape, frozen=True, kw_only=True):
    """The derived designation at the event that a dispute is about."""

    designation: Designation | None
    possible: list[Designation]
    rule: str | None
    cr: str | None
    because: list[Number]
    sentence: str
    short: str
    policy: Policy | UnsetType = UNSET


class Standing(Shape, frozen=True, kw_only=True):
    """A back-up or a judge's ruling that carried out an earlier ruling; the last ruling leaves the game as it is."""

    event: Number
    sentence: str


class Dispute(Shape, frozen=True, kw_only=True):
    """A dispute, from the call to its end."""

    dispute: str
    opened: Number
    by: str
    at: str | None
    about: Number
    derived: DerivedThere
    claims: list[DisputeClaim]
    rulings: list[Ruling]
    appeals: list[Appeal]
    status: Status
    outcome: Ruled | None
    closed: Number | None
    closed_by: str | None
    closed_at: str | None
    trail: list[Number]
    stands: list[Standing]


class Disputes(Document, frozen=True, kw_only=True):
    """The disputes of a game."""

    game: str
    disputes: list[Dispute]


class ActEvent(Shape, frozen=True, kw_only=True):
    """An event that was stored by a request about a dispute, and its consequences."""

    event: Number
    type: str
    consequences: list[Consequence]


class DisputeActed(Document, frozen=True, kw_only=True):
    """The result of a request about a dispute: the events that it stored, and the status of the dispute now."""

    game: str
    dispute: str
    status: Status
    events: list[ActEvent]
    command: str
    repeated: bool
