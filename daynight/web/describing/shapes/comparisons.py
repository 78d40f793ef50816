"""The shapes of comparisons: of moments, games, editions and what-ifs."""

from __future__ import annotations

from typing import Literal

from daynight.web.describing.shapes.audits import Finding
from daynight.web.describing.shapes.games import Verdict
from daynight.web.describing.shapes.shape import Count, Document, Number, Plain, Shape


class Difference(Shape, frozen=True, kw_only=True):
    """A value that differs between the two sides; null: missing, or not certain."""

    about: str
    subject: str | None
    left: Plain
    right: Plain
    sentence: str


class Place(Shape, frozen=True, kw_only=True):
    """A turn and step of two games, with the last event of each game there; null: it has no such turn or step."""

    turn: Count
    step: str | None
    left: Count | None
    right: Count | None


class Parting(Place, frozen=True, kw_only=True):
    """Places with the same differences, from this place to the place `last`; `until` is the turn of `last`."""

    until: Count
    last: Place
    differences: list[Difference]


class Diff(Document, frozen=True, kw_only=True):
    """A comparison of two moments or two games."""

    left: str
    right: str
    compared: Literal["moments", "steps"]
    differences: list[Parting]


class Citation(Shape, frozen=True, kw_only=True):
    """A rule that two editions number differently: its numbers `left` and `right`, and the event that it applies to."""

    event: Number
    rule: str
    left: str | None
    right: str | None


class EditionsDiff(Document, frozen=True, kw_only=True):
    """Two editions of the rules, and the rules cited in a game that they number differently."""

    left: str
    right: str
    citations: list[Citation]


class PartDifference(Shape, frozen=True, kw_only=True):
    """A part that differs between the two sides."""

    part: str
    subject: str | None
    left: Plain
    right: Plain
    sentence: str


class PartsDiff(Document, frozen=True, kw_only=True):
    """A comparison of two moments or two records of another mechanic."""

    differences: list[PartDifference]


class Bisected(Document, frozen=True, kw_only=True):
    """The first event where a claim differs from the derived value, and whether later claims differ too."""

    bad: Number | None
    finding: Finding | None
    undone: list[Finding]
    monotone: bool
    wrong: list[Number]
    right_again: Number | None
    differ_again: list[Number]


class First(Document, frozen=True, kw_only=True):
    """The first event after which the requested condition certainly holds; null: there is none."""

    bad: Number | None


class LostEvent(Shape, frozen=True, kw_only=True):
    """An event that became impossible on a branch."""

    event: Number
    type: str
    reason: str


class Audited(Shape, frozen=True, kw_only=True):
    """The verdict of an audit, and the events whose claims differ from the rules."""

    verdict: Verdict
    differs_at: list[Number]


class BothAudits(Shape, frozen=True, kw_only=True):
    """The audits of a record and of its branch."""

    record: Audited
    branch: Audited


class WhatIf(Document, frozen=True, kw_only=True):
    """A branch, compared with its record."""

    branch: str
    game: str
    parted: Count
    events: Count
    put_in: list[Number]
    left_out: list[LostEvent]
    dropped: list[Number]
    stopped: LostEvent | None
    compared: Literal["turns", "events"]
    differences: list[Parting]
    audits: BothAudits


class Impossible(Shape, frozen=True, kw_only=True):
    """An event of another mechanic that became impossible on a branch."""

    event: Number
    reason: str


class PartsWhatIf(Document, frozen=True, kw_only=True):
    """A branch of a record of another mechanic."""

    parted: Count
    events: Count
    impossible: list[Impossible]
    differences: list[PartDifference]
