"""Findings in words: what was claimed, what the rules give and why, and what would have made it otherwise."""

from __future__ import annotations

from collections.abc import Iterator

from daynight.audit.findings import Finding
from daynight.events.terms import Designation
from daynight.framework.language.grammar import capital, paragraph, semicolons
from daynight.framework.language.wording import _, card_word, counted
from daynight.projections.sentences import state_clause
from daynight.projections.transcript import Line
from daynight.questions.explain import Explanation, Source
from daynight.questions.repairs import Repairs
from daynight.reports.drawn import Drawn
from daynight.reports.pages import (
    Block,
    Facts,
    Items,
    Part,
    Picture,
    Ref,
    Section,
    Table,
    Text,
    Words,
    events_of,
    filled,
)
from daynight.reports.report import Report
from daynight.reports.sections.cases import Case
from daynight.reports.sections.words import (
    at_event,
    claimed_words,
    derived_words,
    place_words,
    rule_words,
    sources_list,
)
from daynight.rules.citations import with_number

_HINTS = 10


def findings_section(report: Report, told: set[Source], boards: dict[int, Drawn]) -> Section:
    """The findings, those that count first; each with its rules, its evidence and its sources, if not `told` before.

    A battlefield is taken out of `boards` as it is shown, so that it stands in the page once.
    """
    blocks: list[Block] = []
    if not report.audit.disputes:
        blocks.append(Words((_("No claim and no ruling that stands contradicts the rules."),)))
    elif report.first_bad is not None:
        sentence = _("{event} is the first event where the record and the rules disagree.")
        blocks.append(Words(filled(sentence, event=Ref(report.first_bad))))
    blocks += [_case(case, report.edition, told, boards) for case in report.cases]
    if report.further:
        words = counted("{n} further finding, in short:", "{n} further findings, in short:", len(report.further))
        blocks.append(Words((words.format(n=len(report.further)),)))
        blocks.append(Items(tuple(_brief(finding) for finding in report.further)))
    if report.beyond:
        words = counted(
            "{n} more is not shown here; daynight audit shows it.",
            "{n} more are not shown here; daynight audit shows them.",
            report.beyond,
        )
        blocks.append(Words((words.format(n=report.beyond),), "aside"))
    return Section("findings", _("What differs from the rules"), tuple(blocks))


def _brief(finding: Finding) -> Text:
    return (paragraph(capital(finding.sentence), _("[undone]") if finding.undone else ""),)


def claim_words(case: Case) -> str:
    """The claim or ruling itself, as a heading."""
    finding = case.finding
    if finding.about == "tally":
        counts = counted("{by} counts {n} spell of {player}", "{by} counts {n} spells of {player}", _many(finding))
        return counts.format(by=finding.by, n=finding.claimed, player=finding.subject)
    claimed = claimed_words(finding)
    if finding.about != "face":
        sentence = _("{by} says that {claimed}")
        if finding.about == "ruling":
            sentence = _("{by} rules that {claimed}")
            if finding.subject is not None:
                sentence = _("{by} rules in dispute {dispute} that {claimed}")
        clause = state_clause((Designation(str(finding.claimed)),))
        return sentence.format(by=finding.by, dispute=finding.subject, claimed=clause)
    return _("{by} shows the {claimed} of {card}").format(
        by=finding.by, claimed=claimed, card=f"{card_word(case.card or '')} ({finding.subject})"
    )


def _many(finding: Finding) -> int:
    assert isinstance(finding.claimed, int)
    return finding.claimed


def _case(case: Case, edition: str, told: set[Source], boards: dict[int, Drawn]) -> Part:
    finding = case.finding
    heading = claim_words(case)
    blocks: list[Block] = [Words(_brief(finding), "lead")]
    rows: list[tuple[str, Text]] = [
        (_("Where"), filled(_("{event}, {place}"), event=Ref(finding.event), place=place_words(case.turn, case.step))),
        (_("Claimed"), (claimed_words(finding),)),
        (_("By the rules"), (derived_words(finding),)),
    ]
    if finding.rule is not None:
        rows.append((_("Rule"), (rule_words(finding.rule, edition),)))
    rows.append((_("Because of"), events_of(finding.because)))
    for line in case.blame:
        sentence = with_number(line.sentence, line.rule, edition)
        rows.append((_("Set by"), (sentence,) if line.event is None else at_event(line.event, sentence)))
    blocks.append(Facts(tuple(rows)))
    blocks += board_pictures(boards, case.at)
    blocks += _parts(case, told)
    return Part(f"finding-{finding.event}", heading, tuple(blocks), "undone" if finding.undone else "bad")


def board_pictures(boards: dict[int, Drawn], event: int) -> Iterator[Picture]:
    """The battlefield after an event, where it is drawn and was not shown before."""
    drawn = boards.pop(event, None)
    if drawn is not None:
        yield Picture(*drawn, _("The battlefield after event {event}").format(event=event))


def _parts(case: Case, told: set[Source]) -> Iterator[Part]:
    id = f"finding-{case.finding.event}"
    evidence = Table(
        _("The claim, and the events that this rests on"),
        (_("event"), _("what was recorded")),
        tuple(((Ref(line.number),), _told(line)) for line in case.evidence),
    )
    yield Part(f"{id}-evidence", _("Evidence"), (evidence,), level=4)
    if case.sources:
        yield Part(f"{id}-rule", _("What the sources say of this rule"), sources_list(case.sources, told), level=4)
    if case.why is not None:
        yield Part(f"{id}-why", _("Why it was day or night"), why_blocks(case.why, told), level=4)
    if case.then:
        blocks: list[Block] = [Items(tuple(at_event(line.number, semicolons(line.consequences)) for line in case.then))]
        if case.more:
            words = counted("{n} more event is in the log.", "{n} more events are in the log.", case.more)
            blocks.append(Words((words.format(n=case.more),), "aside"))
        yield Part(f"{id}-then", _("What followed from then on"), tuple(blocks), level=4)


def _told(line: Line) -> Text:
    note = "" if line.note is None else _("(noted: {note})").format(note=line.note)
    return (paragraph(line.sentence, note, _("[undone]") if line.undone else ""),)


def why_blocks(why: Explanation, told: set[Source]) -> tuple[Block, ...]:
    """An explanation: its sentence, its events, almost what, and its sources."""
    blocks: list[Block] = [Words((why.sentence,))]
    rows: list[tuple[str, Text]] = []
    if why.since is not None:
        rows.append((_("Since"), (Ref(why.since),)))
    if why.because:
        rows.append((_("Because of"), events_of(why.because)))
    if why.almost is not None:
        rows.append((_("Almost"), (why.almost,)))
    if rows:
        blocks.append(Facts(tuple(rows)))
    blocks += sources_list(why.sources, told)
    return tuple(blocks)


def repairs_section(report: Report) -> Section | None:
    """The edits that would make every claim right; None where nothing is disputed."""
    found = report.repairs
    if found is None:
        return None
    aside = _("Each was tried: the record with it is exact. What really happened, no record can say.")
    blocks: list[Block]
    if found.hints:
        hints = tuple((hint.sentence,) for hint in found.hints[:_HINTS])
        blocks = [Words((_("Those that assume least come first."),)), Items(hints, numbered=True)]
        blocks.append(Words((aside,), "aside"))
    else:
        blocks = [Words((_("No single edit of the record would make every claim right."),))]
    blocks += _bounds(found)
    return Section("repairs", _("What would make every claim right"), tuple(blocks))


def _bounds(found: Repairs) -> Iterator[Block]:
    if len(found.hints) > _HINTS:
        more = len(found.hints) - _HINTS
        yield Words((counted("And {n} more.", "And {n} more.", more).format(n=more),), "aside")
    if not found.all_tried:
        words = counted(
            "{n} edit was tried; the record is too long to try them all.",
            "{n} edits were tried; the record is too long to try them all.",
            found.tried,
        )
        yield Words((words.format(n=found.tried),), "aside")
