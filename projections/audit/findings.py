"""What an audit found about the claims, rulings and disputes of a record."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, cast

import msgspec
from msgspec import Struct

from daynight.disputes.hearings import Hearing
from daynight.events import Designation, Outcome
from daynight.framework import audit as framework
from daynight.framework.audit import Verdict
from daynight.framework.language.codec import document_of
from daynight.framework.language.grammar import commas, paragraph
from daynight.framework.language.wording import _
from daynight.framework.mechanic import agrees
from daynight.projections.audit.doubts import Doubts
from daynight.referee.documents import count_document
from daynight.referee.parts import bounds, words
from daynight.rules.citations import DEFAULT_EDITION, cited
from daynight.speech.auditing.verdicts import finding_sentence, finding_short

About: TypeAlias = Literal["designation", "face", "tally", "ruling"]
"""The kind of value that was claimed; `tally` is a number of spells, `ruling` the designation in a judge's ruling."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A claim or ruling that differs from what is derived, or that an uncertain record cannot settle.

    `found` is the finding of the framework's audit; `edition` is the edition of the rules that the sentence cites.
    """

    found: framework.Finding
    edition: str

    @property
    def event(self) -> int:
        """The event of the claim or the ruling."""
        return self.found.event

    @property
    def about(self) -> About:
        """Which kind of value was claimed; `ruling`: a judge ruled on day or night, in a dispute or outside one."""
        return "ruling" if self.found.said.part == "ruled" else cast(About, self.found.said.part)

    @property
    def subject(self) -> str | None:
        """The permanent or player that the claim is about; for a ruling in a dispute, the dispute; else None."""
        subject: str | None = self.found.said.subject
        return words(subject)[0] if subject is not None and self.about == "tally" else subject

    @property
    def claimed(self) -> str | int:
        """The claimed value: a designation, a face, or a number of spells."""
        value = self.found.said.value
        return value if isinstance(value, int) else value.value

    @property
    def derived(self) -> Any:
        """The value by the rules; None if several are possible. An uncertain tally is a dict of its bounds."""
        found = self.found.derived
        if found is not None and self.about == "tally":
            return count_document(*bounds(found))
        value = None if found is None else found.value
        return None if value is None else value.value

    @property
    def by(self) -> str:
        """The player, client or judge that made the claim or the ruling."""
        return self.found.said.by or ""

    @property
    def rule(self) -> str | None:
        """The key of the rule that set the derived value; None if no single rule did, or the permanent is face down."""
        way = None if self._arrived or self.found.derived is None else self.found.derived.way
        return None if way is None else way.rule

    @property
    def because(self) -> tuple[int, ...]:
        """The events from which the value was derived, in all possibilities; for a face-down permanent, its arrival."""
        if self.found.derived is None:
            return ()
        return self._arrived or self.found.derived.because

    @property
    def undone(self) -> bool:
        """Whether a back-up undid the claim or ruling, so that it does not count."""
        return self.found.undone

    @property
    def sentence(self) -> str:
        """The finding in the reader's language."""
        sentence = finding_sentence(self.found, self.edition)
        if not self.doubt:
            return sentence
        resting = _("This is not certain: it rests on what is in doubt, {names}.")
        return paragraph(sentence, resting.format(names=commas(self.doubt)))

    @property
    def short(self) -> str:
        """The finding in at most 140 characters, if no name in it has more than 20."""
        return finding_short(self.found, self.edition)

    @property
    def doubt(self) -> tuple[str, ...]:
        """What the derived answer rests on and the writer did not know: cards' names, Arena's numbers, or turns."""
        return self.found.doubt

    @property
    def _arrived(self) -> tuple[int, ...]:
        """Return the event in which the permanent of a claimed face entered, if it is face down; otherwise ()."""
        said = self.found.said
        status = self.found.state.battlefield.get(said.subject) if said.part == "face" else None
        return (status.arrived,) if status is not None and status.face_down else ()

    def document(self, edition: str) -> dict[str, Any]:
        """The finding as `daynight audit --json` prints it; `cr` is the number of the rule in `edition`."""
        names = "event about subject claimed derived by rule cr because sentence short" + " undone" * self.undone
        names += " doubt" * bool(self.doubt)
        rule = self.rule
        doubt = {"doubt": list(self.doubt)} if self.doubt else {}
        return document_of(self, names, rule=rule, cr=cited(rule, edition), **doubt)


@dataclass(frozen=True, slots=True)
class Side:
    """A statement of one side of a dispute, at event `event` and perhaps with a time.

    `derived` is the designation by the rules at the event that the dispute is about: None if several are possible, or
    if it was not computed. `right` says whether the claimed designation equals it; None if that is not certain, or if
    no designation was claimed.
    """

    event: int
    by: str
    at: str | None
    designation: Designation | None
    says: str | None
    derived: Designation | None
    right: bool | None

    def document(self) -> dict[str, Any]:
        """Return the statement as JSON."""
        return document_of(self, "event by at designation says agrees", agrees=self.right)


def sides(hearing: Hearing, possible: tuple[Designation, ...] | None) -> tuple[Side, ...]:
    """Return each statement of a side of a dispute, compared with the `possible` designations (None: not computed)."""
    derived = possible[0] if possible is not None and len(possible) == 1 else None
    return tuple([
        Side(
            event, claim.by, claim.at, claim.designation, claim.says, derived,
            None if claim.designation is None or possible is None else agrees(possible, claim.designation),
        )
        for event, claim in hearing.claims
    ])  # fmt: skip


@dataclass(frozen=True, slots=True)
class Heard:
    """A dispute in an audit, opened by event `opened`, about event `about`.

    `outcome` is the last ruling, appealed or not; None if there was none. `as_ruled`: an earlier ruling on day and
    night made the designation at event `about`, or its cause, another than by the rules alone.
    """

    dispute: str
    opened: int
    about: int
    status: str
    outcome: Outcome | None
    claims: tuple[Side, ...]
    as_ruled: bool = False

    def document(self) -> dict[str, Any]:
        """The dispute as `daynight audit --json` prints it."""
        said = "event by designation says derived agrees"
        claims = [document_of(claim, said, agrees=claim.right) for claim in self.claims]
        return document_of(self, "dispute opened about status outcome claims", claims=claims)


def heard(hearing: Hearing, possible: tuple[Designation, ...] | None, as_ruled: bool) -> Heard:
    """Return a dispute for an audit; `possible` are the designations at the event it is about (None: not computed).

    `as_ruled` is the field of `Heard`.
    """
    number, opened = hearing.opened or (0, None)
    return Heard(
        dispute="" if opened is None else opened.dispute,
        opened=number,
        about=hearing.about,
        status=hearing.stage.status,
        outcome=hearing.outcome,
        claims=sides(hearing, possible),
        as_ruled=as_ruled,
    )


class Audit(Struct):
    """What an audit of one record found; `held` is the framework's audit.

    `heard` are the disputes. `assumed` is the designation that the caller assumed from the beginning, if any. `doubts`
    has what the record's writers did not know: cards, and turns that nobody wrote.
    """

    record: str = ""
    game: str = ""
    events: int = 0
    edition: str = DEFAULT_EDITION
    held: framework.Audit = msgspec.field(default_factory=framework.Audit)
    heard: tuple[Heard, ...] = ()
    assumed: Designation | None = None
    doubts: Doubts = msgspec.field(default_factory=Doubts)

    @property
    def findings(self) -> list[Finding]:
        """All claims and rulings that contradict the rules, including undone ones."""
        return [Finding(found, self.edition) for found in self.held.findings if found.right is False]

    @property
    def unsettled(self) -> list[Finding]:
        """The findings that are neither right nor wrong, because the record is not certain, including undone ones."""
        return [Finding(found, self.edition) for found in self.held.unsettled]

    @property
    def disputes(self) -> list[Finding]:
        """The `findings` that were not undone: the contradictions that count. These are not the disputes of judges."""
        return [Finding(found, self.edition) for found in self.held.disputes]

    @property
    def first_dispute(self) -> Finding | None:
        """The earliest finding that counts; None if there is none."""
        return min(self.disputes, key=lambda finding: finding.event, default=None)

    @property
    def settled(self) -> int | None:
        """The event of the first claim or ruling that is right and was not undone; None if there is none."""
        return self.held.settled

    @property
    def verdict(self) -> Verdict:
        """`disputed` if a finding counts; `exact` if none does and a claim is certainly right; else `unverified`."""
        return self.held.verdict

    def document(self) -> dict[str, Any]:
        """The audit as `daynight audit --json` prints it."""
        told: dict[bool | None, list[dict[str, Any]]] = {False: [], None: []}
        for found in self.held.findings:
            told[found.right].append(Finding(found, self.edition).document(self.edition))
        document: dict[str, Any] = {
            "record": self.record,
            "game": self.game,
            "events": self.events,
            "verdict": self.verdict,
            "findings": told[False],
            "unsettled": told[None],
            "disputes": [one.document() for one in self.heard],
        }
        if self.doubts:
            document["doubts"] = self.doubts.document()
        if self.assumed is not None:
            document["assumed"] = self.assumed.value
        return document


def verdict_word(verdict: Verdict) -> str:
    """The verdict in the reader's language."""
    return {"disputed": _("disputed"), "exact": _("exact"), "unverified": _("unverified")}[verdict]
