"""Puts disputes into words: the call for a judge, both sides' claims, what is derived, rulings, and appeals."""

from __future__ import annotations

from collections.abc import Iterator

from daynight.events.terms import Designation
from daynight.framework.language.wording import _, counted
from daynight.questions.proceedings import Dispute, Ruling
from daynight.reports.pages import (
    Block,
    FactList,
    Ref,
    Section,
    Subsection,
    Table,
    Text,
    aside,
    cells,
    events_of,
    filled,
)
from daynight.reports.report import Drawn, Report
from daynight.reports.sections.telling_cases import board_pictures
from daynight.reports.sections.words import at_event
from daynight.speech.sentences import designation_word, outcome_word

_TOLD = 50


def disputes_section(report: Report, boards: dict[int, Drawn]) -> Section | None:
    """Return the section of the disputes, in the order in which they were opened; None if no judge was called.

    A battlefield that is shown is removed from `boards`, so that the page has it only once.
    """
    if not report.disputes:
        return None
    sentence = _(
        "What players say in a dispute is no claim of the record, and the verdict does not count it. It counts the last"
        " ruling of each dispute, unless that is under appeal or another event carries it out."
    )
    blocks: list[Block] = [aside(sentence), *(_dispute(dispute, boards) for dispute in report.disputes[:_TOLD])]
    if (more := len(report.disputes) - _TOLD) > 0:
        words = counted("{n} more dispute is not shown here.", "{n} more disputes are not shown here.", more)
        blocks.append(aside(words))
    return Section("disputes", _("Disputes: cases called to a judge"), tuple(blocks))


def _dispute(dispute: Dispute, boards: dict[int, Drawn]) -> Subsection:
    rows: list[tuple[str, Text]] = [
        (_("Judge called by"), at_event(dispute.event, _by(dispute.by, dispute.at))),
        (_("About"), (Ref(dispute.about),)),
        (_("Derived there"), (dispute.why.sentence,)),
        (_("Because of"), events_of(dispute.why.because)),
        (_("Outcome"), _outcome(dispute)),
        *((_("Still in force"), at_event(one.event, one.sentence)) for one in dispute.stands),
        (_("All its acts"), events_of(dispute.trail)),
    ]
    head = (_("event"), _("who"), _("what was said or done"), _("as derived"))
    said = sorted([*_sides(dispute), *_rulings(dispute.rulings), *_appeals(dispute)])
    blocks: list[Block] = [FactList(tuple(rows)), *board_pictures(boards, dispute.about)]
    if said:
        blocks.append(Table(_("Both sides, rulings and appeals"), head, tuple(said), stacked=True))
    heading = _("Dispute {dispute}").format(dispute=dispute.dispute)
    return Subsection(f"dispute-{dispute.event}", heading, tuple(blocks))


def _by(name: str, at: str | None) -> str:
    return name if at is None else _("{name}, at {time}").format(name=name, time=at)


def _outcome(dispute: Dispute) -> Text:
    if dispute.closed is None or dispute.outcome is None:
        return (_("still open"),)
    told = _("{outcome}; closed by {name}")
    sentence = told.format(outcome=outcome_word(dispute.outcome), name=_by(dispute.closed_by or "", dispute.closed_at))
    return at_event(dispute.closed, sentence)


def _sides(dispute: Dispute) -> Iterator[tuple[Text, ...]]:
    for claim in dispute.claims:
        said, right = _said(claim.designation, claim.says), _right(claim.right, as_ruled=dispute.as_ruled)
        yield cells((Ref(claim.event),), _by(claim.by, claim.at), said, right)


def _said(designation: Designation | None, says: str | None) -> str:
    if designation is None:
        return says or ""
    word = designation_word(designation)
    return word if says is None else _("{designation}: {says}").format(designation=word, says=says)


def _right(right: bool | None, *, as_ruled: bool) -> str:
    if as_ruled:
        return {None: "", True: _("so it is as ruled"), False: _("not as ruled")}[right]
    return {None: "", True: _("agrees with the rules"), False: _("contradicts the rules")}[right]


def _rulings(rulings: tuple[Ruling, ...]) -> Iterator[tuple[Text, ...]]:
    for ruling in rulings:
        outcome = outcome_word(ruling.outcome)
        said = _said(ruling.designation, ruling.says)
        sentence = _("ruling: {outcome}; {says}") if said else _("ruling: {outcome}")
        done: Text = (sentence.format(outcome=outcome, says=said),)
        if ruling.to is not None:
            done = filled(_("{done}; back to {event}"), done=done, event=Ref(ruling.to))
        if ruling.carried_out is not None:
            done = filled(_("{done}; carried out by {event}"), done=done, event=Ref(ruling.carried_out))
        yield cells((Ref(ruling.event),), _by(ruling.by, ruling.at), done, ruling.remark)


def _appeals(dispute: Dispute) -> Iterator[tuple[Text, ...]]:
    for appeal in dispute.appeals:
        yield cells((Ref(appeal.event),), _by(appeal.by, appeal.at), _("appeals the ruling"), "")
