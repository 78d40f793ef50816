"""Puts a report into words: the page from which HTML and Markdown are made."""

from __future__ import annotations

from collections.abc import Iterator

from daynight import __version__
from daynight.framework.language.grammar import commas, labelled
from daynight.framework.language.wording import _, counted, language
from daynight.projections.turns import Turn
from daynight.questions.explain import RuleSource
from daynight.reports import pages
from daynight.reports.report import Report
from daynight.reports.sections import words
from daynight.reports.sections.course import TURNS
from daynight.reports.sections.event_log import Cut
from daynight.reports.sections.telling_cases import claim_words, findings_section, repairs_section
from daynight.reports.sections.telling_disputes import disputes_section
from daynight.reports.sections.telling_more import branches_section, judges_section, moment_section, uncertain_section
from daynight.rules.citations import with_number
from daynight.speech.sentences import consequence_sentence, count_word, either_word, listed


def page(report: Report) -> pages.Page:
    """Return the page of a report, in the chosen language (`daynight.framework.language.wording`)."""
    verdict, tone = words.verdict_words(report.audit, len(report.disputes))
    told: set[RuleSource] = set()
    boards = report.drawings.boards()
    sections = (
        _course(report),
        findings_section(report, told, boards),
        repairs_section(report),
        uncertain_section(report),
        judges_section(report),
        disputes_section(report, boards),
        branches_section(report),
        moment_section(report, told),
        _log(report),
    )
    return pages.Page(
        language=language(),
        kicker=_("daynight report"),
        title=_title(report),
        players=_(" against ").join(report.players) if report.title == report.game else report.game,
        verdict=verdict,
        tone=tone,
        standfirst=_standfirst(report),
        facts=_facts(report),
        skip=_("Skip to the findings"),
        contents=_("In this report"),
        sections=tuple(section for section in sections if section is not None),
        foot=(*words.foot_words(report.origin), _("Made by daynight {version}.").format(version=__version__)),
    )


def _title(report: Report) -> str:
    if report.origin is None:
        return report.title
    return _("What if: {name}, a branch of {game}").format(name=report.origin.name, game=report.origin.game)


def _standfirst(report: Report) -> pages.Text:
    if report.first_bad is None:
        return (report.now.why.sentence,)
    # The findings that were not undone come first, in order, so this is the first bad event.
    case = report.cases[0]
    sentence = _("{claim}, at event {event}. The rules give another answer: {derived}.")
    claim, derived = claim_words(case), words.derived_words(case.finding)
    return (sentence.format(claim=claim, event=case.finding.event, derived=derived),)


def _facts(report: Report) -> pages.FactList:
    events = counted("{n} event", "{n} events", report.events)
    turns = counted("{n} turn", "{n} turns", report.course.turns)
    state = report.now.state
    now = either_word(state.possible)
    last, place = pages.Ref(report.now.event), words.place_words(state.turn, state.step)
    rows: list[tuple[str, pages.Text]] = [
        (_("Record"), (_("{events}, {turns}").format(events=events, turns=turns),)),
        *([] if report.recorder is None else [(_("Log"), (_("of {player}’s client").format(player=report.recorder),))]),
        *([] if report.origin is None else [(_("What if"), (words.branched_words(report.origin),))]),
        (_("Rules"), (_("Comprehensive Rules, edition of {edition}").format(edition=report.edition),)),
        (
            _("Looked at") if report.now.asked else _("At the end"),
            pages.filled(_("{designation}; {event}, {place}"), designation=now, event=last, place=place),
        ),
        (_("SHA-256 of its lines"), (report.digest,)),
    ]
    if many := len(report.disputes):
        called = counted(
            "A judge was called once; what was said then is shown below, and the verdict does not count it.",
            "A judge was called {n} times; what was said then is shown below, and the verdict does not count it.",
            many,
        )
        rows.append((_("Disputes"), (called,)))
    if report.audit.doubts:
        rows.append((_("Unknown cards"), (report.audit.doubts.sentence,)))
    if report.code is not None:
        rows.append((_("Code"), (_("{code} (daynight verify holds the record against it)").format(code=report.code),)))
    return pages.FactList(tuple(rows))


def _course(report: Report) -> pages.Section:
    course = report.course
    label = _("The course of the game, turn by turn")
    head = (_("turn"), _("active"), _("at its end"), _("spells"), _("what changed"), _("claimed otherwise"))
    rows = tuple(_row(row, report) for row in course.rows)
    blocks: list[pages.Block] = [pages.Picture(*report.drawings.timeline(), label)]
    if rows:
        blocks.append(pages.Folded(_("Show as table"), (pages.Table(label, head, rows),)))
    if course.turns > TURNS:
        sentence = _("Of so long a game the table has the turns in which something changed, at most {most}.")
        blocks.append(pages.aside(sentence.format(most=TURNS)))
    return pages.Section("course", _("The course of the game"), tuple(blocks))


def _row(row: Turn, report: Report) -> tuple[pages.Text, ...]:
    spells = commas([labelled(player, count_word(*bounds)) for player, bounds in row.spells.items()])
    changed = [
        words.at_event(change.event, with_number(consequence_sentence(change, {}), change.rule, report.edition))
        for change in row.changes
    ]
    claimed = [finding.event for finding in report.audit.disputes if row.first <= finding.event <= row.last]
    turn = str(row.number) if row.number else _("before turn 1")
    changes, events = pages.joined(changed, _("; ")), pages.events_of(claimed)
    return pages.cells(turn, listed(row.active), either_word(row.possible), spells, changes, events)


def _log(report: Report) -> pages.Section:
    blocks: list[pages.Block] = []
    if not report.log.whole:
        sentence = _(
            "The record has {n} events; this page shows those around the findings, those that it names, the"
            " beginning and the end. daynight replay shows them all."
        )
        blocks.append(pages.aside(sentence.format(n=report.events)))
    blocks.append(pages.LogBlock(tuple(_entries(report))))
    return pages.Section("log", _("The log"), tuple(blocks))


def _entries(report: Report) -> Iterator[pages.LogEntry]:
    marks = {finding.event: (_("possible, not certain"),) for finding in report.audit.unsettled}
    marks |= {finding.event: (_("contradicts the rules"),) for finding in report.audit.findings}
    differs = {finding.event for finding in report.audit.findings}
    for line in report.log.told:
        if isinstance(line, Cut):
            sentence = counted(
                "event {first} is left out", "events {first} to {last} are left out", line.last - line.first + 1
            )
            yield pages.LogEntry(0, sentence.format(first=line.first, last=line.last))
            continue
        tone: pages.Tone = "bad" if line.number in differs else "open" if line.number in marks else ""
        yield pages.LogEntry(
            number=line.number,
            sentence=line.sentence,
            consequences=line.consequences,
            note=line.note,
            undone=_("[undone]") if line.undone else "",
            heading=line.heading,
            tone="undone" if line.undone else tone,
            marks=marks.get(line.number, ()),
        )
