"""Puts findings into words: the claim, what the rules give and why, and which edits would make every claim right."""

from __future__ import annotations

from collections.abc import Iterator

from daynight.events.terms import Designation
from daynight.framework.language.grammar import capital, paragraph, semicolons
from daynight.framework.language.wording import _, card_word, counted
from daynight.projections.audit.findings import Finding
from daynight.projections.transcript import Line
from daynight.questions.explain import Explanation, RuleSource
from daynight.questions.repairs import Repairs
from daynight.reports import pages
from daynight.reports.report import Drawn, Report
from daynight.reports.sections import words as said
from daynight.reports.sections.cases import Case
from daynight.rules.citations import with_number
from daynight.speech.sentences import state_clause

_HINTS = 10


def findings_section(report: Report, told: set[RuleSource], boards: dict[int, Drawn]) -> pages.Section:
    """Return the section of the findings; undone ones come last. Each has its rules, its evidence and its sources.

    Sources in `told` are already on the page and are not repeated; the sources that are shown are added to `told`.
    A battlefield that is shown is removed from `boards`, so that the page has it only once.
    """
    blocks: list[pages.Block] = []
    if not report.audit.disputes:
        blocks.append(pages.Paragraph((_("No claim and no ruling that stands contradicts the rules."),)))
    elif report.first_bad is not None:
        sentence = _("{event} is the first event where the record and the rules disagree.")
        blocks.append(pages.Paragraph(pages.filled(sentence, event=pages.Ref(report.first_bad))))
    blocks += [_case(case, report.edition, told, boards) for case in report.cases]
    if report.further:
        words = counted("{n} further finding, in short:", "{n} further findings, in short:", len(report.further))
        blocks.append(pages.Paragraph((words,)))
        blocks.append(pages.Items(tuple(_brief(finding) for finding in report.further)))
    if report.beyond:
        words = counted(
            "{n} more is not shown here; daynight audit shows it.",
            "{n} more are not shown here; daynight audit shows them.",
            report.beyond,
        )
        blocks.append(pages.aside(words))
    return pages.Section("findings", _("What differs from the rules"), tuple(blocks))


def _brief(finding: Finding) -> pages.Text:
    return (paragraph(capital(finding.sentence), _("[undone]") if finding.undone else ""),)


def claim_words(case: Case) -> str:
    """Return the claim or ruling as a heading."""
    finding = case.finding
    if finding.about == "tally":
        counts = counted(
            "{by} counts {n} spell of {player}", "{by} counts {n} spells of {player}", int(finding.claimed)
        )
        return counts.format(by=finding.by, n=finding.claimed, player=finding.subject)
    claimed = said.claimed_words(finding)
    if finding.about != "face":
        sentence = _("{by} says that {claimed}")
        if finding.about == "ruling":
            sentence = _("{by} rules that {claimed}")
            if finding.subject is not None:
                sentence = _("{by} rules in dispute {dispute} that {claimed}")
        clause = state_clause((Designation(str(finding.claimed)),))
        return sentence.format(by=finding.by, dispute=finding.subject, claimed=clause)
    sentence = _("{by} shows the {claimed} of {card}")
    return sentence.format(by=finding.by, claimed=claimed, card=f"{card_word(case.card or '')} ({finding.subject})")


def _case(case: Case, edition: str, told: set[RuleSource], boards: dict[int, Drawn]) -> pages.Subsection:
    finding = case.finding
    heading = claim_words(case)
    blocks: list[pages.Block] = [pages.Paragraph(_brief(finding), "lead")]
    place = said.place_words(case.turn, case.step)
    rows: list[tuple[str, pages.Text]] = [
        (_("Where"), pages.filled(_("{event}, {place}"), event=pages.Ref(finding.event), place=place)),
        (_("Claimed"), (said.claimed_words(finding),)),
        (_("By the rules"), (said.derived_words(finding),)),
    ]
    if finding.rule is not None:
        rows.append((_("Rule"), (said.rule_words(finding.rule, edition),)))
    rows.append((_("Because of"), pages.events_of(finding.because)))
    for line in case.blame:
        sentence = with_number(line.sentence, line.rule, edition)
        rows.append((_("Set by"), (sentence,) if line.event is None else said.at_event(line.event, sentence)))
    blocks.append(pages.FactList(tuple(rows)))
    blocks += board_pictures(boards, case.at)
    blocks += _parts(case, told)
    return pages.Subsection(f"finding-{finding.event}", heading, tuple(blocks), "undone" if finding.undone else "bad")


def board_pictures(boards: dict[int, Drawn], event: int) -> Iterator[pages.Picture]:
    """Yield the picture of the battlefield after an event, if `boards` has it, and remove it from `boards`."""
    drawn = boards.pop(event, None)
    if drawn is not None:
        yield pages.Picture(*drawn, _("The battlefield after event {event}").format(event=event))


def _parts(case: Case, told: set[RuleSource]) -> Iterator[pages.Subsection]:
    id = f"finding-{case.finding.event}"
    evidence = pages.Table(
        _("The claim, and the events that this rests on"),
        (_("event"), _("what was recorded")),
        tuple(((pages.Ref(line.number),), _told(line)) for line in case.evidence),
    )
    yield pages.Subsection(f"{id}-evidence", _("Evidence"), (evidence,), level=4)
    if case.sources:
        sentence = _("What the sources say of this rule")
        yield pages.Subsection(f"{id}-rule", sentence, said.sources_list(case.sources, told), level=4)
    if case.why is not None:
        yield pages.Subsection(f"{id}-why", _("Why it was day or night"), why_blocks(case.why, told), level=4)
    if case.then:
        blocks: list[pages.Block] = [
            pages.Items(tuple(said.at_event(line.number, semicolons(line.consequences)) for line in case.then))
        ]
        if case.more:
            words = counted("{n} more event is in the log.", "{n} more events are in the log.", case.more)
            blocks.append(pages.aside(words))
        yield pages.Subsection(f"{id}-then", _("What followed from then on"), tuple(blocks), level=4)


def _told(line: Line) -> pages.Text:
    note = "" if line.note is None else _("(noted: {note})").format(note=line.note)
    return (paragraph(line.sentence, note, _("[undone]") if line.undone else ""),)


def why_blocks(why: Explanation, told: set[RuleSource]) -> tuple[pages.Block, ...]:
    """Return an explanation: sentence, events, the smallest edit for another answer, and its sources not in `told`."""
    blocks: list[pages.Block] = [pages.Paragraph((why.sentence,))]
    rows: list[tuple[str, pages.Text]] = []
    if why.since is not None:
        rows.append((_("Since"), (pages.Ref(why.since),)))
    if why.because:
        rows.append((_("Because of"), pages.events_of(why.because)))
    if why.almost is not None:
        rows.append((_("Almost"), (why.almost,)))
    if rows:
        blocks.append(pages.FactList(tuple(rows)))
    blocks += said.sources_list(why.sources, told)
    return tuple(blocks)


def repairs_section(report: Report) -> pages.Section | None:
    """Return the section of the edits that would make every claim right; None if nothing is disputed."""
    found = report.repairs
    if found is None:
        return None
    blocks: list[pages.Block]
    if found.hints:
        hints = tuple((hint.sentence,) for hint in found.hints[:_HINTS])
        blocks = [pages.Paragraph((_("Those that assume least come first."),)), pages.Items(hints, numbered=True)]
        aside = _("Each was tried: the record with it is exact. What really happened, no record can say.")
        blocks.append(pages.aside(aside))
    else:
        blocks = [pages.Paragraph((_("No single edit of the record would make every claim right."),))]
    blocks += _bounds(found)
    return pages.Section("repairs", _("What would make every claim right"), tuple(blocks))


def _bounds(found: Repairs) -> Iterator[pages.Block]:
    if (more := len(found.hints) - _HINTS) > 0:
        yield pages.aside(counted("And {n} more.", "And {n} more.", more))
    if not found.all_tried:
        words = counted(
            "{n} edit was tried; the record is too long to try them all.",
            "{n} edits were tried; the record is too long to try them all.",
            found.tried,
        )
        yield pages.aside(words)
