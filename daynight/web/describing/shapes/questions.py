"""The shapes of answers to questions: why, blame, forecast, open facts, and back-ups."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import UNSET, UnsetType

from daynight.events import Designation, Face
from daynight.questions.repairs import Kind
from daynight.web.describing.shapes.audits import Finding
from daynight.web.describing.shapes.shape import Count, Document, Line, Number, Plain, Shape, Version
from daynight.web.describing.shapes.states import Counted, Policy


class Source(Shape, frozen=True, kw_only=True):
    """A source's statement on a rule; rank 1 is the most authoritative."""

    rank: int
    kind: str
    source: str
    date: str | None
    says: str
    agrees: bool


class Edit(Shape, frozen=True, kw_only=True):
    """A change of a record: events inserted after a place, replaced, or left out."""

    at: int | str | None
    last: int | str | UnsetType = UNSET
    insert: list[Line | str] | UnsetType = UNSET
    replace: list[Line | str] | UnsetType = UNSET
    drop: Literal[True] | UnsetType = UNSET


class Almost(Shape, frozen=True, kw_only=True):
    """The smallest change that would give another answer, also as options of the command line."""

    edits: list[Edit]
    options: list[str]


class Why(Document, frozen=True, kw_only=True):
    """Why the designation is what it is; if several are possible, `possibilities` has an answer for each."""

    event: Number
    designation: Designation | None
    since: Number | None
    rule: str | None
    cr: str | None
    because: list[Number]
    sources: list[Source]
    almost: str | None
    almost_edit: Almost | None
    sentence: str
    short: str
    possible: list[Designation] | UnsetType = UNSET
    policy: Policy | UnsetType = UNSET
    possibilities: list[Why] | UnsetType = UNSET


class WhyPermanent(Document, frozen=True, kw_only=True):
    """Why a permanent has the face up that it has: front or back."""

    event: Number
    permanent: str
    card: str | None
    face: Face | None
    face_down: bool
    since: Number | None
    rule: str | None
    cr: str | None
    because: list[Number]
    sources: list[Source]
    almost: str | None
    almost_edit: Almost | None
    sentence: str
    short: str


class PartValue(Shape, frozen=True, kw_only=True):
    """A part of a record of another mechanic; `possible` lists its values if the record leaves it open."""

    part: str
    subject: str | None
    value: Plain
    since: Count | UnsetType | None = UNSET
    rule: str | UnsetType | None = UNSET
    because: list[Number] | UnsetType = UNSET
    possible: list[Plain] | UnsetType = UNSET


class WhyPart(PartValue, frozen=True, kw_only=True):
    """Why a part has its value."""

    version: Version = UNSET
    event: Number


class Blamed(Shape, frozen=True, kw_only=True):
    """A part of a state, with the event and the rule that set it."""

    part: str
    subject: str | None
    value: Any
    event: Number | None
    rule: str | None
    cr: str | None
    because: list[Number]
    sentence: str


class Blame(Document, frozen=True, kw_only=True):
    """The event and the rule behind each part of a state."""

    event: Number
    parts: list[Blamed]


class PartsBlame(Document, frozen=True, kw_only=True):
    """The event and the rule behind each part, for another mechanic."""

    event: Number
    parts: list[PartValue]


class Outcome(Shape, frozen=True, kw_only=True):
    """The possible designations after a number of further casts by a player."""

    player: str | None
    casts: Count
    or_more: bool
    designation: Designation | None
    possible: list[Designation]
    phasing: bool
    rule: str | None
    cr: str | None


class Forecast(Document, frozen=True, kw_only=True):
    """The forecast of the next untap step."""

    event: Number
    designation: Designation | None
    possible: list[Designation]
    casting: list[str]
    cast: dict[str, Counted]
    outcomes: list[Outcome]
    sentence: str


class Fact(Shape, frozen=True, kw_only=True, rename={"when": "if"}):
    """A possible answer to a fact that an event leaves open, and the designations possible with it."""

    when: str
    possible: list[Designation]
    settles: bool


class Unknown(Shape, frozen=True, kw_only=True):
    """A fact that an event leaves open."""

    event: Number
    sentence: str
    matters: bool
    facts: list[Fact]


class Possibility(Shape, frozen=True, kw_only=True):
    """A possible state: its designation, and the faces that differ between the possible states."""

    designation: Designation
    faces: dict[str, Face]


class Unknowns(Document, frozen=True, kw_only=True):
    """All open facts at an event."""

    event: Number
    possible: list[Designation]
    unknown: list[Unknown]
    states: list[Possibility]
    policy: Policy | UnsetType = UNSET


class Hint(Shape, frozen=True, kw_only=True):
    """A change of the record with which every claim would be right.

    With `differing`, the claim that was asked about would be right, and that number of claims would be wrong. If
    `certain` is false, no claim would be wrong, but the record would leave open whether each is right.
    """

    kind: Kind
    turn: Count
    size: Count
    subject: str | None
    sentence: str
    edits: list[Edit]
    options: list[str]
    differing: Count | UnsetType = UNSET
    certain: Literal[False] | UnsetType = UNSET


class Repairs(Document, frozen=True, kw_only=True):
    """The hints: those that leave fewer claims wrong come first, then those that assume less."""

    finding: Finding | None
    hints: list[Hint]
    tried: Count
    all_tried: bool


Hidden = Literal["yes", "no", "unknown"]


class Reversal(Shape, frozen=True, kw_only=True):
    """An event that the back-up would undo."""

    event: Number
    type: str
    sentence: str
    taken_back: list[str]
    hidden: Hidden
    reason: str | None
    decisions: Counted


class TournamentPolicy(Shape, frozen=True, kw_only=True):
    """A sentence: tournament policy, not a rule of the game, decides whether a game is backed up."""

    rule: None
    sentence: str


class BackupPlan(Document, frozen=True, kw_only=True, rename={"start": "from"}):
    """The events that a back-up would undo, the last one first."""

    game: str
    start: Number
    to: Number
    reversals: list[Reversal]
    hidden: list[Number]
    unknown: list[Number]
    decisions: Counted
    not_recorded: str
    policy: TournamentPolicy
