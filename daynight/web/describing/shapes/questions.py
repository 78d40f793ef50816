"""The shapes of what is answered to questions: why, blame, forecast, what is open, what would be taken back."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import UNSET, UnsetType

from daynight.events import Designation, Face
from daynight.questions.repairs import Kind
from daynight.web.describing.shapes.audits import Finding
from daynight.web.describing.shapes.shape import Count, Document, Line, Number, Plain, Shape, Version
from daynight.web.describing.shapes.states import Counted, Policy


class Source(Shape, frozen=True, kw_only=True):
    """What a source says of a rule; rank 1 is the weightiest."""

    rank: int
    kind: str
    source: str
    date: str | None
    says: str
    agrees: bool


class Edit(Shape, frozen=True, kw_only=True):
    """A change of a record: events put in after a place, or in the place of events, or left out."""

    at: int | str | None
    last: int | str | UnsetType = UNSET
    insert: list[Line | str] | UnsetType = UNSET
    replace: list[Line | str] | UnsetType = UNSET
    drop: Literal[True] | UnsetType = UNSET


class Almost(Shape, frozen=True, kw_only=True):
    """The least change that would give another answer, also as options of the command line."""

    edits: list[Edit]
    options: list[str]


class Why(Document, frozen=True, kw_only=True):
    """Why the designation is what it is; `possibilities` has an answer for each where several are possible."""

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
    """Why a permanent shows its face."""

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
    """A part of a record of another mechanic; `possible` where the record leaves it open."""

    part: str
    subject: str | None
    value: Plain
    since: Count | UnsetType | None = UNSET
    rule: str | UnsetType | None = UNSET
    because: list[Number] | UnsetType = UNSET
    possible: list[Plain] | UnsetType = UNSET


class WhyPart(PartValue, frozen=True, kw_only=True):
    """Why a part is what it is."""

    version: Version = UNSET
    event: Number


class Blamed(Shape, frozen=True, kw_only=True):
    """A part of a state, the event and the rule that made it so."""

    part: str
    subject: str | None
    value: Any
    event: Number | None
    rule: str | None
    cr: str | None
    because: list[Number]
    sentence: str


class Blame(Document, frozen=True, kw_only=True):
    """What is behind each part of a state."""

    event: Number
    parts: list[Blamed]


class PartsBlame(Document, frozen=True, kw_only=True):
    """The same of another mechanic."""

    event: Number
    parts: list[PartValue]


class Outcome(Shape, frozen=True, kw_only=True):
    """With so many more casts by a player: what may be then."""

    player: str | None
    casts: Count
    or_more: bool
    designation: Designation | None
    possible: list[Designation]
    phasing: bool
    rule: str | None
    cr: str | None


class Forecast(Document, frozen=True, kw_only=True):
    """What the next untap step will do."""

    event: Number
    designation: Designation | None
    possible: list[Designation]
    casting: list[str]
    cast: dict[str, Counted]
    outcomes: list[Outcome]
    sentence: str


class Fact(Shape, frozen=True, kw_only=True, rename={"when": "if"}):
    """An answer to what is open, and what would be possible then."""

    when: str
    possible: list[Designation]
    settles: bool


class Unknown(Shape, frozen=True, kw_only=True):
    """Something that an event leaves open."""

    event: Number
    sentence: str
    matters: bool
    facts: list[Fact]


class Possibility(Shape, frozen=True, kw_only=True):
    """One of the states that are possible: its designation, and the faces that are not the same in all of them."""

    designation: Designation
    faces: dict[str, Face]


class Unknowns(Document, frozen=True, kw_only=True):
    """Everything that is open at an event."""

    event: Number
    possible: list[Designation]
    unknown: list[Unknown]
    states: list[Possibility]
    policy: Policy | UnsetType = UNSET


class Hint(Shape, frozen=True, kw_only=True):
    """A single edit that would make every claim right, or one: then `differing` others would still be wrong.

    Not `certain`: no claim would be wrong, and one may be.
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
    """The hints, the one that assumes least first."""

    finding: Finding | None
    hints: list[Hint]
    tried: Count
    all_tried: bool


Hidden = Literal["yes", "no", "unknown"]


class Reversal(Shape, frozen=True, kw_only=True):
    """An event that would be taken back."""

    event: Number
    type: str
    sentence: str
    taken_back: list[str]
    hidden: Hidden
    reason: str | None
    decisions: Counted


class TournamentPolicy(Shape, frozen=True, kw_only=True):
    """Who decides, by tournament policy."""

    rule: None
    sentence: str


class BackupPlan(Document, frozen=True, kw_only=True, rename={"start": "from"}):
    """What backing up would take back, the last event first."""

    game: str
    start: Number
    to: Number
    reversals: list[Reversal]
    hidden: list[Number]
    unknown: list[Number]
    decisions: Counted
    not_recorded: str
    policy: TournamentPolicy
