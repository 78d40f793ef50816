"""The approval of a document: a mechanic that is no game.

An author submits a document to its reviewers. One rejection is enough to reject it, and everybody's approval approves
it. What was rejected or withdrawn is revised and submitted again; earlier reviews do not count then.

Run it as `python examples/approval.py audit examples/approval.jsonl`.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Any, NamedTuple, TypeAlias

import msgspec

from daynight.cli.mechanics import commands
from daynight.framework import Arc, Chart, Happening, ImpossibleError, Language, Mechanic, Name, Number, Part, Saying
from daynight.framework.mechanic import Change, Derived, Facts, Said, Way, Words


class Stage(Enum):
    """How far a document has come."""

    DRAFT = "draft"
    REVIEW = "in-review"
    APPROVED = "approved"
    REJECTED = "rejected"
    WITHDRAWN = "withdrawn"


class Opened(Happening, frozen=True, tag="document-opened"):
    """The author begins a document; the `reviewers` will review it."""

    document: Name
    author: Name
    reviewers: tuple[Name, ...]


class Act(Happening, frozen=True):
    """The common part of events that a person, `by`, causes."""

    by: Name


class Submitted(Act, frozen=True, tag="submitted"):
    """The author asks for reviews."""


class Approved(Act, frozen=True, tag="approved"):
    """A reviewer approves."""


class Rejected(Act, frozen=True, tag="rejected"):
    """A reviewer rejects, and says why."""

    reason: Saying


class Withdrawn(Act, frozen=True, tag="withdrawn"):
    """The author takes the document back."""


class Revised(Act, frozen=True, tag="revised"):
    """The author changes the document."""


class StageClaimed(Act, frozen=True, tag="stage-claimed"):
    """Somebody says how far the document has come."""

    stage: Stage


class Corrected(Act, frozen=True, tag="corrected"):
    """What was recorded after event `to` was a mistake: the state after that event is restored."""

    to: Number


Event: TypeAlias = Opened | Submitted | Approved | Rejected | Withdrawn | Revised | StageClaimed | Corrected


class Asking(NamedTuple):
    """What the guards look at: whether the author or a reviewer acts; `last`: all other reviewers have approved."""

    author: bool
    reviewer: bool
    last: bool


def by_author(now: Asking) -> bool:
    """The author does it."""
    return now.author


def by_reviewer(now: Asking) -> bool:
    """A reviewer does it."""
    return now.reviewer


def by_last(now: Asking) -> bool:
    """A reviewer does it, and all others have approved."""
    return now.reviewer and now.last


CHART = Chart(
    Stage,
    Stage.DRAFT,
    [
        Arc("submitted", Stage.DRAFT, Stage.REVIEW, by_author),
        Arc("approved", Stage.REVIEW, Stage.APPROVED, by_last),
        Arc("approved", Stage.REVIEW, Stage.REVIEW, by_reviewer),
        Arc("rejected", Stage.REVIEW, Stage.REJECTED, by_reviewer),
        Arc("withdrawn", Stage.REVIEW, Stage.WITHDRAWN, by_author),
        Arc("revised", Stage.REJECTED, Stage.DRAFT, by_author),
        Arc("revised", Stage.WITHDRAWN, Stage.DRAFT, by_author),
    ],
)

RULES = {
    "opened": "a document begins as a draft",
    "submitted": "the author asks for reviews",
    "approved": "every reviewer approved",
    "rejected": "one rejection is enough",
    "withdrawn": "the author took it back",
    "revised": "a revised document is a draft again, and no earlier review counts",
}


class Paper(Facts):
    """The state: who writes and reviews the document, its stage, and for each approval its event."""

    author: str = ""
    reviewers: tuple[str, ...] = ()
    stage: Stage = CHART.initial
    way: Way = Way(1, "opened", (1,))
    approvals: dict[str, int] = msgspec.field(default_factory=dict)


def step(paper: Paper, event: Event, number: int) -> Sequence[Change]:
    """Apply event `number` to the state, and return the changes; raise ImpossibleError if it cannot happen."""
    if isinstance(event, Opened) is not (number == 1):
        raise ImpossibleError("document-opened is line 1 of a record, and no other line", path="$.type")
    if isinstance(event, Opened):
        if event.author in event.reviewers or len(set(event.reviewers)) < len(event.reviewers):
            raise ImpossibleError("the author and the reviewers are different people", path="$.reviewers")
        paper.author, paper.reviewers = event.author, event.reviewers
    if isinstance(event, Opened | StageClaimed | Corrected):
        return ()
    trigger = event.type
    others = {*paper.reviewers} - {event.by}
    asking = Asking(event.by == paper.author, event.by in paper.reviewers, others <= {*paper.approvals})
    was, paper.stage = paper.stage, CHART.advance(paper.stage, trigger, asking, path="$.by")
    if isinstance(event, Approved):
        paper.approvals[event.by] = number
    elif isinstance(event, Revised):
        paper.approvals.clear()
    if was is paper.stage:
        return ()
    because = tuple(sorted(paper.approvals.values())) if paper.stage is Stage.APPROVED else (number,)
    change = Change(number, "stage", None, was, paper.stage, trigger, because)
    paper.way = change.way
    return (change,)


def approval(paper: Paper, reviewer: str) -> Derived | None:
    """Return True as a derived value, with the event of a reviewer's approval; None if there is no approval."""
    number = paper.approvals.get(reviewer)
    return None if number is None else Derived((True,), (Way(number, None, (number,)),))


def told(part: str, subject: str | None, value: Any) -> str:
    """A value of a part in words."""
    return {None: "nothing", True: "given"}.get(value) or str(getattr(value, "value", value))


def said(event: Event) -> str:
    """An event as a sentence."""
    match event:
        case Opened():
            return f"{event.author} opens it"
        case StageClaimed():
            return f"{event.by} says: {event.stage.value}"
        case Rejected():
            return f"{event.by}: rejected, {event.reason}"
        case Corrected():
            return f"{event.by}: what came after event {event.to} was a mistake"
        case _:
            return f"{event.by}: {event.type}"


MECHANIC = Mechanic(
    name="approval",
    language=Language[Event](Event),
    start=Paper,
    step=step,
    parts={
        "stage": Part(lambda paper, subject: Derived((paper.stage,), (paper.way,))),
        "approval": Part(approval, lambda paper: paper.reviewers),
    },
    says=lambda event: [Said("stage", None, event.stage, event.by)] if isinstance(event, StageClaimed) else (),
    rules=RULES,
    restores=lambda event: event.to if isinstance(event, Corrected) else None,
    names={Corrected: ("to",)},
    seals={Approved: "after", Rejected: "after"},
    freeze=msgspec.json.encode,
    thaw=msgspec.json.Decoder(Paper).decode,
    title=lambda event: event.document if isinstance(event, Opened) else "",
    chart=CHART,
    words=Words(
        event=said,
        value=told,
        consequence=lambda change: f"{change.was.value} -> {change.became.value}: {RULES[change.rule]}",
    ),
)

if __name__ == "__main__":
    commands(MECHANIC)()
