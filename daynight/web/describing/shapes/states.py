"""The shapes of states, of consequences, and of the log."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import UNSET, UnsetType

from daynight.events import Designation, Face
from daynight.web.describing.shapes.shape import Count, Digest, Document, Line, Number, Plain, Shape, Version


class Bounds(Shape, frozen=True, kw_only=True):
    """The bounds of a number that is not known exactly; null: no upper bound."""

    at_least: Count
    at_most: Count | None


Counted: TypeAlias = Count | Bounds


class Policy(Shape, frozen=True, kw_only=True):
    """The tournament's answer if the record leaves the designation open."""

    rule: str
    designation: Designation


class Tally(Shape, frozen=True, kw_only=True):
    """The spells that each player cast in a turn."""

    active: list[str]
    spells: dict[str, Counted]


class Tallies(Shape, frozen=True, kw_only=True):
    """The tallies of the previous turn (null if there is none) and of this turn."""

    previous: Tally | None
    current: Tally


class PermanentState(Shape, frozen=True, kw_only=True):
    """A permanent on the battlefield. A field is null where possibilities differ; `name` also if it is face down."""

    permanent: str
    card: str | None
    name: str | None
    controller: str | None
    face: Face | None
    face_down: bool
    phased_in: bool
    keywords: list[str] | None


class Change(Shape, frozen=True, kw_only=True):
    """A change of the designation; `certain` is false if it happened only in some possibilities."""

    event: Number
    turn: Count
    was: Designation
    became: Designation
    rule: str
    cr: str | None
    because: list[Number]
    certain: Literal[False] | UnsetType = UNSET
    implied: Literal[True] | UnsetType = UNSET


class Trigger(Shape, frozen=True, kw_only=True):
    """An ability that triggered as the designation changed; `stacked` is the event that shows it on the stack."""

    event: Number
    turn: Count
    permanent: str
    was: Designation | None
    became: Designation | None
    rule: str
    cr: str | None
    because: list[Number]
    stacked: Number | None
    certain: Literal[False] | UnsetType = UNSET


class StateNow(Shape, frozen=True, kw_only=True):
    """The state of a game after an event, without its history."""

    game: str
    event: Number
    turn: Count
    active: list[str]
    step: str | None
    designation: Designation | None
    possible: list[Designation]
    tallies: Tallies
    battlefield: list[PermanentState]
    policy: Policy | UnsetType = UNSET


class State(StateNow, frozen=True, kw_only=True):
    """The state of a game after an event, with all changes and triggers up to it."""

    version: Version = UNSET
    changes: list[Change]
    triggers: list[Trigger]


class Delta(Shape, frozen=True, kw_only=True):
    """The changed members of the state, each with its whole new value.

    `battlefield` has only the changed permanents, at their old positions, and new permanents, at the end; the ids in
    `left` are removed first. `policy` is null if it no longer applies.
    """

    event: Number
    game: str | UnsetType = UNSET
    turn: Count | UnsetType = UNSET
    active: list[str] | UnsetType = UNSET
    step: str | UnsetType | None = UNSET
    designation: Designation | UnsetType | None = UNSET
    possible: list[Designation] | UnsetType = UNSET
    tallies: Tallies | UnsetType = UNSET
    battlefield: list[PermanentState] | UnsetType = UNSET
    left: list[str] | UnsetType = UNSET
    policy: Policy | UnsetType | None = UNSET


class _Followed(Shape, frozen=True, kw_only=True):
    event: Number
    rule: str
    cr: str | None
    because: list[Number]
    certain: Literal[False] | UnsetType = UNSET
    implied: Literal[True] | UnsetType = UNSET


class Changed(_Followed, frozen=True, kw_only=True, tag_field="type", tag="changed"):
    """The designation changed."""

    turn: Count
    was: Designation
    became: Designation


class Transformed(_Followed, frozen=True, kw_only=True, tag_field="type", tag="transformed"):
    """Permanents transformed, all at once."""

    permanents: list[str]
    face: Face


class EnteredTransformed(_Followed, frozen=True, kw_only=True, tag_field="type", tag="entered-transformed"):
    """Permanents entered with their back face up."""

    permanents: list[str]


class Refused(_Followed, frozen=True, kw_only=True, tag_field="type", tag="refused"):
    """Permanents were told to transform, and did not."""

    permanents: list[str]


class Triggered(_Followed, frozen=True, kw_only=True, tag_field="type", tag="triggered"):
    """An ability triggered."""

    turn: Count
    permanent: str
    was: Designation | None
    became: Designation | None
    stacked: Number | UnsetType | None = UNSET


class PhasedBack(_Followed, frozen=True, kw_only=True, tag_field="type", tag="phased-back"):
    """Permanents phased in as the untap step began."""

    permanents: list[str]


class PutOnStack(_Followed, frozen=True, kw_only=True, tag_field="type", tag="put-on-stack"):
    """Triggers that waited since the untap step went on the stack."""


class Restored(_Followed, frozen=True, kw_only=True, tag_field="type", tag="restored"):
    """The state is again what it was after event `to`."""

    to: Number


Consequence: TypeAlias = (
    Changed | Transformed | EnteredTransformed | Refused | Triggered | PhasedBack | PutOnStack | Restored
)


class Claim(Shape, frozen=True, kw_only=True):
    """A claim or a ruling, and the derived value."""

    about: str
    subject: str | None
    claimed: Plain
    derived: Plain
    verdict: Literal["agrees", "differs", "open"]
    claimed_says: str | UnsetType = UNSET
    derived_says: str | UnsetType = UNSET
    rule_says: str | UnsetType | None = UNSET


class Moment(Shape, frozen=True, kw_only=True):
    """An event with its consequences; with a `delta`, or with the `state` if a delta cannot express the change.

    `head` is the digest of all lines up to the event; in a live stream, `before` is that of the lines before it. In a
    what-if, `of` is the number of the event in the record; null if the event was inserted.
    """

    event: Number
    head: Digest | UnsetType = UNSET
    before: Digest | UnsetType = UNSET
    record: Line
    sentence: str
    consequences: list[Consequence]
    delta: Delta | UnsetType = UNSET
    state: StateNow | UnsetType = UNSET
    claim: Claim | UnsetType = UNSET
    of: Number | UnsetType | None = UNSET


class Moments(Shape, frozen=True, kw_only=True, rename={"start": "from"}):
    """A page of the log; `before` is the state before its first event."""

    game: str
    start: Number
    to: Count
    before: StateNow | None
    moments: list[Moment]


class PartState(Shape, frozen=True, kw_only=True):
    """The possible values of a part, the event and the rule that set it, and the evidence."""

    values: list[Plain]
    event: Count | None
    rule: str | None
    because: list[Number]
    says: str
    rule_says: str | None


class Parts(Document, frozen=True, kw_only=True):
    """The state of a record of another mechanic: its parts, by name and by subject ("" if it has none)."""

    event: Number
    parts: dict[str, dict[str, PartState]]


class PartsDelta(Shape, frozen=True, kw_only=True):
    """The changed parts of the state of another mechanic."""

    event: Number
    parts: dict[str, dict[str, PartState]] | UnsetType = UNSET


class PartsMoment(Shape, frozen=True, kw_only=True):
    """An event of another mechanic, with its consequences."""

    event: Number
    head: Digest | UnsetType = UNSET
    before: Digest | UnsetType = UNSET
    record: Line
    sentence: str
    consequences: list[Line]
    delta: PartsDelta | UnsetType = UNSET
    state: Parts | UnsetType = UNSET
    claim: Claim | UnsetType = UNSET
    of: Number | UnsetType | None = UNSET


class PartsMoments(Shape, frozen=True, kw_only=True, rename={"start": "from"}):
    """A page of the log of another mechanic."""

    game: str
    start: Number
    to: Count
    before: Parts | None
    moments: list[PartsMoment]
