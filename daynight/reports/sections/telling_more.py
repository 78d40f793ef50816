"""Puts the rest of a report into words: what is uncertain, rulings, branches, and the moment it describes."""

from __future__ import annotations

from collections.abc import Iterator

from daynight.compare.partings import events_word, parting_words
from daynight.events.terms import Face
from daynight.framework.language.grammar import also, capital, commas, labelled, paragraph, semicolons
from daynight.framework.language.wording import _, card_word, counted
from daynight.projections.audit.findings import verdict_word
from daynight.projections.battlefield import Status
from daynight.questions.explain import RuleSource
from daynight.referee.documents import offered, policy
from daynight.referee.state import State
from daynight.reports import pages
from daynight.reports.pages import (
    Block,
    FactList,
    Folded,
    Items,
    Paragraph,
    Picture,
    Ref,
    Section,
    Subsection,
    Table,
    Text,
    filled,
)
from daynight.reports.report import Report
from daynight.reports.sections.branches import Beside, KeptBranch
from daynight.reports.sections.judging import JudgedAct, Open
from daynight.reports.sections.telling_cases import why_blocks
from daynight.reports.sections.words import at_event, place_words
from daynight.speech.sentences import designation_word, either_word, face_word

_PERMANENTS = 200
_KEPT = 200


def uncertain_section(report: Report) -> Section | None:
    """Return the section of what the record leaves uncertain; None if that is nothing."""
    if not report.opened and not report.unsettled:
        return None
    blocks: list[Block] = [_open(number, one) for number, one in enumerate(report.opened, 1)]
    if more := len(report.course.uncertain) - len(report.opened):
        words = counted(
            "{n} more stretch of the game is uncertain.", "{n} more stretches of the game are uncertain.", more
        )
        blocks.append(pages.aside(words))
    if report.unsettled:
        blocks.append(Paragraph((_("What was claimed here may be right, and may be wrong:"),)))
        blocks.append(Items(tuple((finding.sentence,) for finding in report.unsettled)))
    return Section("uncertain", _("What the record leaves open"), tuple(blocks))


def _open(number: int, one: Open) -> Subsection:
    stretch = one.stretch
    word = either_word(stretch.possible)
    first, last = Ref(stretch.first), Ref(stretch.last)
    if first == last:
        text = filled(_("After {event} it may be {designation}."), event=first, designation=word)
    else:
        text = filled(_("From {first} to {last} it may be {designation}."), first=first, last=last, designation=word)
    blocks: list[Block] = [Paragraph(text)]
    if one.unknowns is None:
        blocks.append(pages.aside(_("The record is too long to try what would settle it; daynight unknowns does.")))
    else:
        rows = tuple(
            (at_event(unknown.event, unknown.sentence), (fact.sentence,), (either_word(fact.possible),))
            for unknown in one.unknowns.unknown
            if unknown.matters
            for fact in unknown.facts
        )
        if rows:
            caption = _("What a single recorded fact would settle")
            blocks.append(Table(caption, (_("unknown"), _("if"), _("then it is")), rows))
        blocks += _states(one)
    if offered(stretch.possible):
        sentence = _("Policy, not derived: where nobody can tell, the judge assumes night ({rule}).")
        blocks.append(Paragraph((sentence.format(rule=policy()["rule"]),), "open"))
    heading = _("{designation}, uncertain").format(designation=word)
    return Subsection(f"open-{number}", capital(heading), tuple(blocks), "open")


def _states(one: Open) -> Iterator[Block]:
    assert one.unknowns is not None
    rows = tuple(
        (also(designation_word(designation), commas([labelled(id, face_word(Face(face))) for id, face in faces])),)
        for designation, faces in one.unknowns.states
        if faces
    )
    if rows:
        yield Paragraph((_("These states are possible where it begins:"),))
        yield Items(rows)


def judges_section(report: Report) -> Section | None:
    """Return the section of rulings, back-ups and the events that these undid; None without rulings and back-ups."""
    if not report.acts:
        return None
    head = (_("event"), _("what was done"), _("what the rules say"))
    rows = tuple(((Ref(act.event),), _act(act), (_agreement(act),)) for act in report.acts)
    blocks: list[Block] = [Table(_("Rulings and back-ups"), head, rows)]
    for stretch in report.undone:
        if stretch.first == stretch.last:
            sentence = _("{by} took back {first}. [undone]")
        else:
            sentence = _("{by} took back what came from {first} to {last}. [undone]")
        words = filled(sentence, by=Ref(stretch.by), first=Ref(stretch.first), last=Ref(stretch.last))
        blocks.append(Paragraph(words, "undone"))
    return Section("judges", _("What the judges did"), tuple(blocks))


def _act(act: JudgedAct) -> Text:
    return (paragraph(act.line.sentence, _("[undone]") if act.line.undone else ""),)


def _agreement(act: JudgedAct) -> str:
    return {
        "agrees": _("they agree"),
        "differs": _("they give another answer; the ruling stands")
        if act.dispute is None
        else _("they give another answer; so it was ruled in a dispute"),
        "open": _("it may be so, and may be not"),
        "silent": _("nothing: the ruling does not say what it is"),
        "backs-up": _("nothing: what happened after that event is undone, and stays in the record"),
    }[act.agreement]


def branches_section(report: Report) -> Section | None:
    """Return the section of the branches that the caller gave and those in the store; None if there are none."""
    blocks: list[Block] = [_branch(number, branch, report) for number, branch in enumerate(report.branches, 1)]
    if report.kept:
        head = (_("branch"), _("parts from"), _("after"), _("events"))
        rows = tuple(_kept(branch) for branch in report.kept[:_KEPT])
        blocks.append(Table(_("Kept beside the record"), head, rows, stacked=True))
        if (more := len(report.kept) - _KEPT) > 0:
            blocks.append(pages.aside(counted("{n} more branch is kept.", "{n} more branches are kept.", more)))
        blocks.append(pages.aside(_("daynight report --branch db:NAME tells one of them beside the record.")))
    return Section("branches", _("What if: branches of this record"), tuple(blocks)) if blocks else None


def _kept(branch: KeptBranch) -> tuple[Text, ...]:
    parent = branch.parent if branch.intact else paragraph(branch.parent, _("(not as it is now)"))
    return pages.cells(branch.game, parent, f"e{branch.parted}", str(branch.events))


def _branch(number: int, branch: Beside, report: Report) -> Subsection:
    events = counted("{n} event", "{n} events", branch.events)
    verdicts = {"record": verdict_word(report.verdict), "branch": verdict_word(branch.verdict)}
    many = {"first": len(report.audit.disputes), "second": branch.differing}
    audits = _("{record} ({first}) / {branch} ({second})").format(**verdicts, **many)
    where: Text = (Ref(branch.parted),) if branch.parted else (_("before the first event"),)
    if branch.parent is not None:
        # An event of another record, so not a link into this log.
        where = filled(_("{event} of {parent}"), event=f"e{branch.parted}", parent=branch.parent)
    facts = (
        (_("File"), (_("{file}, {events}").format(file=branch.file, events=events),)),
        (_("Parts after"), where),
        (_("Verdict, with claims and rulings that differ, record / branch"), (audits,)),
    )
    blocks: list[Block] = [FactList(facts)]
    if not branch.fits:
        sentence = _("Before that event, the branch differs from this record: it was made from another record.")
        blocks.append(Paragraph((sentence,), "bad"))
    if branch.partings:
        head = (_("where"), _("event, record / branch"), _("what differs, record / branch"))
        rows = tuple(
            pages.cells(
                parting_words(parting),
                events_word(parting.first),
                semicolons([difference.sentence for difference in parting.differences]),
            )
            for parting in branch.partings
        )
        blocks.append(Table(_("What differs at the end of a turn"), head, rows))
        if branch.more:
            blocks.append(pages.aside(counted("{n} more place differs.", "{n} more places differ.", branch.more)))
    else:
        blocks.append(Paragraph((_("Nothing differs at the end of any turn."),)))
    return Subsection(f"branch-{number}", branch.name, tuple(blocks))


def moment_section(report: Report, told: set[RuleSource]) -> Section:
    """Return the section about the moment asked for, or else the end: place, explanation, and battlefield.

    The explanation's sources in `told` are not repeated; those shown are added to it.
    """
    now = report.now
    heading = _("The moment asked for") if now.asked else _("How it stands at the end")
    place = place_words(now.state.turn, now.state.step)
    where = filled(_("{event}, {place}"), event=Ref(now.event), place=place)
    blocks: list[Block] = [Paragraph(where, "aside"), *why_blocks(now.why, told)]
    label = _("The battlefield")
    blocks.append(Picture(*report.drawings.board(), label))
    permanents = [*now.state.battlefield]
    rows = tuple(_permanent(now.state, status) for status in permanents[:_PERMANENTS])
    if rows:
        head = (_("permanent"), _("name"), _("controller"), _("face"), _("state"))
        blocks.append(Folded(_("Show as table"), (Table(label, head, rows),)))
        if more := len(permanents) - len(rows):
            words = counted("{n} more permanent is not shown.", "{n} more permanents are not shown.", more)
            blocks.append(pages.aside(words))
    else:
        blocks.append(Paragraph((_("No permanents are recorded on the battlefield."),)))
    return Section("moment", heading, tuple(blocks))


def _permanent(state: State, status: Status) -> tuple[Text, ...]:
    face = state.face(status.id)
    certain = face is not None and not status.face_down
    shown = _("face down") if status.face_down else face_word(face)
    marks = [] if status.phased_in else [_("phased out")]
    if status.losses or status.lost or status.entered_without:
        marks.append(_("without abilities"))
    name = card_word(status.name(state.possibilities[0].backs)) if certain else ""
    card = f"{card_word(status.permanent.card)} ({status.id})"
    return pages.cells(card, name, status.controller or "-", shown, commas(marks))
