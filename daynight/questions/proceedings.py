"""One dispute: its claims, rulings and appeals, compared with the derived designation."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from daynight.disputes.docket import Stage
from daynight.events import Designation, GameBackedUp, JudgeRuled, Outcome
from daynight.framework.language.codec import document_of
from daynight.framework.language.wording import _
from daynight.framework.mechanic import agrees
from daynight.projections.audit.findings import Side
from daynight.questions.explain import Explanation
from daynight.referee.documents import offered, policy
from daynight.speech.sentences import designation_word, state_clause


@dataclass(frozen=True, slots=True)
class Ruling:
    """A judge's ruling in a dispute, compared with the rules.

    `carried_out` is the `judge-ruled` or `game-backed-up` event that does what the ruling says. A `back-up` is compared
    after event `to`; other rulings before their own event, or before `carried_out`. An untap step that is due there
    counts as over; `untapped`: it changes the designation. `possible` are the designations there by the rules alone.
    `stands` is the designation that the ruling names (`fix`) or leaves in force: that of the last `designation-claimed`
    if no change came later, else the derived one. It is None if none was named, or if several are possible.
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
        """Whether the outcome is `fix` and the ruling names no designation, so that nothing can be compared."""
        return self.outcome == "fix" and self.designation is None

    @property
    def right(self) -> bool | None:
        """Whether `stands` is the designation by the rules; None if that is not certain, or if `stands` is None."""
        return None if self.stands is None else agrees(self.possible, self.stands)

    @property
    def remark(self) -> str:
        """The comparison of the ruling with the rules, as a sentence."""
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
                True: _("{what} agrees with the rules: {derived}"),
                False: _("{what} ({stood}) contradicts the rules: by them {derived}"),
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
        names = "event by at outcome designation to says stands possible agrees carried_out"
        return document_of(self, names, agrees=self.right)


@dataclass(frozen=True, slots=True)
class Appeal:
    """An appeal against the preceding ruling."""

    event: int
    by: str
    at: str | None


@dataclass(frozen=True, slots=True)
class LeftStanding:
    """A ruling or back-up of the game, `act`, event `event`: it carried out a dispute's ruling and stays in force.

    It stays in force because the last ruling of the dispute leaves the game as it is, and is not under appeal.
    """

    event: int
    act: JudgeRuled | GameBackedUp

    @property
    def sentence(self) -> str:
        """A sentence that says that the act stays in force."""
        if isinstance(self.act, GameBackedUp):
            sentence = _("the back-up at event {event} stands: the game went on from after event {to}")
            return sentence.format(event=self.event, to=self.act.to)
        sentence = _("the ruling at event {event} stands: it was {designation} from then on")
        return sentence.format(event=self.event, designation=designation_word(self.act.designation))


@dataclass(frozen=True, slots=True)
class Dispute:
    """A dispute of a record, opened by event `event`, about event `about`.

    `possible` holds the derived designations right after event `about`, with the rulings made before it, and `why`
    explains them. `closed` is the event that closed the dispute, `closed_by` who did, `closed_at` the time; all are
    None while it is open. `trail` are all its events, and the rulings and back-ups of the game that did what its
    rulings say. `stands` are the rulings and back-ups that stay in force (`LeftStanding`).
    `as_ruled`: by the rules alone, the designation at event `about`, or its cause, would be another.
    """

    dispute: str
    event: int
    by: str
    at: str | None
    about: int
    possible: tuple[Designation, ...]
    why: Explanation
    claims: tuple[Side, ...] = ()
    rulings: tuple[Ruling, ...] = ()
    appeals: tuple[Appeal, ...] = ()
    stage: Stage = Stage.OPENED
    closed: int | None = None
    closed_by: str | None = None
    closed_at: str | None = None
    trail: tuple[int, ...] = field(default=())
    stands: tuple[LeftStanding, ...] = ()
    as_ruled: bool = False

    @property
    def derived(self) -> Designation | None:
        """The designation derived at the event that the dispute is about; None if several are possible."""
        return self.possible[0] if len(self.possible) == 1 else None

    @property
    def outcome(self) -> Outcome | None:
        """The outcome of the last ruling, appealed or not; None if there was none."""
        return self.rulings[-1].outcome if self.rulings else None

    def document(self) -> dict[str, Any]:
        """The dispute as `daynight dispute show --json` prints it."""
        names = "designation possible rule cr because sentence short"
        derived = document_of(self.why, names, designation=self.derived, possible=self.possible)
        return document_of(
            self,
            "dispute opened by at about derived claims rulings appeals status outcome closed closed_by closed_at trail"
            " stands",
            opened=self.event,
            status=self.stage.status,
            derived=derived | ({"policy": policy()} if offered(self.possible) else {}),
            stands=[{"event": one.event, "sentence": one.sentence} for one in self.stands],
        )
