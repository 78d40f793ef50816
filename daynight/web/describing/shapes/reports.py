"""The shape of a report."""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, UnsetType

from daynight.events import Designation
from daynight.web.describing.shapes.audits import Dispute, Doubts, Finding
from daynight.web.describing.shapes.comparisons import Parting
from daynight.web.describing.shapes.games import Verdict
from daynight.web.describing.shapes.questions import Blamed, Repairs, Source, Unknowns, Why
from daynight.web.describing.shapes.shape import Count, Document, Number, Shape
from daynight.web.describing.shapes.states import Change, Counted, Policy, State


class Told(Shape, frozen=True, kw_only=True):
    """An event in words."""

    event: Number
    sentence: str


class Then(Shape, frozen=True, kw_only=True):
    """The consequences of an event, in words."""

    event: Number
    sentences: list[str]


class Case(Finding, frozen=True, kw_only=True):
    """A finding, with its turn and step, its explanation, its evidence and what followed from it."""

    turn: Count
    step: str | None
    at: Count
    why: Why | None
    sources: list[Source]
    evidence: list[Told]
    then: list[Then]
    more: Count
    blame: list[Blamed]


class TurnRow(Shape, frozen=True, kw_only=True):
    """A turn of the timeline."""

    turn: Count
    active: list[str]
    first: Number
    last: Number
    possible: list[Designation]
    spells: dict[str, Counted]
    changes: list[Change]


class ReportedMoment(Shape, frozen=True, kw_only=True):
    """The state after `event` and why it is so; `asked`: the caller gave that position, else it is the last event."""

    event: Number
    asked: bool
    state: State
    why: Why


class Uncertain(Shape, frozen=True, kw_only=True):
    """A run of events, `first` to `last`, after each of which more than one designation was possible."""

    first: Number
    last: Number
    possible: list[Designation]
    unknowns: Unknowns | None
    policy: Policy | UnsetType = UNSET


class JudgeAct(Shape, frozen=True, kw_only=True):
    """A ruling or a back-up, and whether the rules agree."""

    event: Number
    by: str
    agreement: Literal["agrees", "differs", "open", "silent", "backs-up"]
    sentence: str
    undone: bool
    dispute: str | None


class UndoneStretch(Shape, frozen=True, kw_only=True):
    """Events that a back-up undid."""

    first: Number
    last: Number
    by: Number


class BranchBeside(Shape, frozen=True, kw_only=True):
    """A branch, compared with its record."""

    name: str
    file: str
    parent: str | None
    parted: Count
    fits: bool
    events: Count
    verdict: Verdict
    differing: Count
    differences: list[Parting]
    more: Count


class KeptBranch(Shape, frozen=True, kw_only=True):
    """A stored branch of the record."""

    game: str
    name: str
    parent: str
    parted: Count
    events: Count
    intact: bool


class Origin(Shape, frozen=True, kw_only=True):
    """The record and event that a branch comes from."""

    name: str
    game: str
    event: Count
    digest: str | None
    sentence: str


class LogEvent(Shape, frozen=True, kw_only=True):
    """An event of the log of a report."""

    event: Number
    sentence: str
    consequences: list[str]
    note: str | None
    undone: bool


class ReportLog(Shape, frozen=True, kw_only=True):
    """The log of a report; `whole` if nothing was left out."""

    whole: bool
    events: list[LogEvent]


class Report(Document, frozen=True, kw_only=True):
    """The report of a game."""

    format: Literal[1]
    game: str
    title: str
    recorder: str | None
    players: list[str]
    edition: str
    events: Number
    turns: Count
    digest: str
    code: str | None
    branched_from: Origin | None
    verdict: Verdict
    differing: Count
    first_bad: Number | None
    timeline: list[TurnRow]
    findings: list[Case]
    doubts: Doubts | None
    further: list[Finding]
    beyond: Count
    unsettled: list[Finding]
    repairs: Repairs | None
    moment: ReportedMoment
    uncertain: list[Uncertain]
    judges: list[JudgeAct]
    disputes: list[Dispute]
    undone: list[UndoneStretch]
    branches: list[BranchBeside]
    kept: list[KeptBranch]
    log: ReportLog
    foot: str
