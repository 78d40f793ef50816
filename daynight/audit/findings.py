"""Findings: what an audit of a record says of its claims and rulings, and of what was said in its disputes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from daynight.audit.doubts import Doubts
from daynight.events.disputes import Outcome
from daynight.events.terms import Designation
from daynight.framework.language.wording import _
from daynight.rules.citations import DEFAULT_EDITION, cited

Verdict: TypeAlias = Literal["disputed", "exact", "unverified"]
About: TypeAlias = Literal["designation", "face", "tally", "ruling"]
"""What a finding is about."""
Status: TypeAlias = Literal["open", "ruled", "appealed", "closed"]
"""How far a dispute has come."""


@dataclass(slots=True)
class Finding:
    """A claim or ruling that differs from what is derived, or that an uncertain record cannot settle.

    `subject` is the permanent or the player it is about, the dispute of a ruling in one, None for the game's
    designation. `derived` is None where more than one answer is possible, and bounds for a tally. `rule` and `because`
    are those of the derived answer; where the record leaves open which of several ways led to it, `rule` is None and
    `because` has the events of all of them.
    """

    event: int
    about: About
    subject: str | None
    claimed: str | int
    derived: str | int | dict[str, int | None] | None
    by: str
    rule: str | None
    because: tuple[int, ...]
    sentence: str
    undone: bool = False

    def document(self, edition: str) -> dict[str, Any]:
        """The finding as `daynight audit --json` prints it."""
        document: dict[str, Any] = {
            "event": self.event,
            "about": self.about,
            "subject": self.subject,
            "claimed": self.claimed,
            "derived": self.derived,
            "by": self.by,
            "rule": self.rule,
            "cr": cited(self.rule, edition),
            "because": list(self.because),
            "sentence": self.sentence,
        }
        return document | ({"undone": True} if self.undone else {})


@dataclass(frozen=True, slots=True)
class Said:
    """What one side said in a dispute, at event `event`, and whether it agrees with what is derived.

    `derived` is None where more than one designation is possible, or nobody asked what is; `agrees` is None too where
    that leaves it open, or nobody claimed a designation.
    """

    event: int
    by: str
    designation: Designation | None
    says: str | None
    derived: Designation | None
    agrees: bool | None

    def document(self) -> dict[str, Any]:
        """What was said, as JSON."""
        return {
            "event": self.event,
            "by": self.by,
            "designation": None if self.designation is None else self.designation.value,
            "says": self.says,
            "derived": None if self.derived is None else self.derived.value,
            "agrees": self.agrees,
        }


@dataclass(frozen=True, slots=True)
class Heard:
    """A dispute as an audit heard it: opened by event `opened`, about event `about`.

    `outcome` is what was ruled last, under appeal or not; None where nothing was ruled. `as_ruled`: what is derived
    there is so, or came about so, by a ruling alone.
    """

    dispute: str
    opened: int
    about: int
    status: Status
    outcome: Outcome | None
    claims: tuple[Said, ...]
    as_ruled: bool = False

    def document(self) -> dict[str, Any]:
        """The dispute as `daynight audit --json` prints it."""
        return {
            "dispute": self.dispute,
            "opened": self.opened,
            "about": self.about,
            "status": self.status,
            "outcome": self.outcome,
            "claims": [claim.document() for claim in self.claims],
        }


@dataclass(slots=True)
class Audit:
    """What an audit of one record found; `settled` is the first standing event that was found to be right.

    `heard` are its disputes. `assumed` is what it was taken to be from the beginning, where that was asked for.
    `doubts` are those that the record itself keeps.
    """

    record: str = ""
    game: str = ""
    events: int = 0
    edition: str = DEFAULT_EDITION
    findings: list[Finding] = field(default_factory=list)
    unsettled: list[Finding] = field(default_factory=list)
    settled: int | None = None
    heard: tuple[Heard, ...] = ()
    assumed: Designation | None = None
    doubts: Doubts = field(default_factory=Doubts)

    @property
    def disputes(self) -> list[Finding]:
        """The findings that count: not of an undone stretch."""
        return [finding for finding in self.findings if not finding.undone]

    @property
    def first_dispute(self) -> Finding | None:
        """The finding that counts whose event is the first, if there is one."""
        return min(self.disputes, key=lambda finding: finding.event, default=None)

    @property
    def verdict(self) -> Verdict:
        """Disputed: something differs. Exact: nothing does, and something was settled. Else unverified."""
        if self.disputes:
            return "disputed"
        return "unverified" if self.settled is None else "exact"

    def document(self) -> dict[str, Any]:
        """The audit as `daynight audit --json` prints it."""
        document: dict[str, Any] = {
            "record": self.record,
            "game": self.game,
            "events": self.events,
            "verdict": self.verdict,
            "findings": [finding.document(self.edition) for finding in self.findings],
            "unsettled": [finding.document(self.edition) for finding in self.unsettled],
            "disputes": [dispute.document() for dispute in self.heard],
        }
        document |= {"doubts": self.doubts.document()} if self.doubts else {}
        return document if self.assumed is None else document | {"assumed": self.assumed.value}


def agrees(designation: Designation, possible: tuple[Designation, ...]) -> bool | None:
    """Whether it is this where these are possible; None where it may be."""
    return None if designation in possible and len(possible) > 1 else designation in possible


def verdict_word(verdict: Verdict) -> str:
    """The verdict in the reader's language."""
    return {"disputed": _("disputed"), "exact": _("exact"), "unverified": _("unverified")}[verdict]
