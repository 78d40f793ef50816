"""`daynight audit`: where a record and the rules disagree."""

from __future__ import annotations

from typing import Any

import click
from rich.console import Console
from rich.text import Text

from daynight.cards import Catalogue
from daynight.cli.look.stats import summary
from daynight.cli.look.telling import stage_word, verdict_text
from daynight.cli.terminal import options
from daynight.cli.terminal.exits import each
from daynight.cli.terminal.output import console, heard, print_json, to_its_end, waiting, worded
from daynight.events.terms import Designation
from daynight.framework.language.errors import tame, whole
from daynight.framework.language.grammar import commas, semicolons
from daynight.framework.language.wording import _, counted
from daynight.projections.audit.audit import Auditor
from daynight.projections.audit.findings import Audit, Finding, Heard
from daynight.projections.course import Course, document_of_course
from daynight.projections.statistics import Counting
from daynight.records import Record
from daynight.speech.sentences import designation_word
from daynight.titles import is_from_a_log, recorder_of


@click.command(epilog="\b\ndaynight audit demo\ndaynight audit game.jsonl Player.log")
@options.files_or_found
@options.assume
@options.cited
@to_its_end
def audit(
    records: tuple[Record, ...], assume: Designation | None, edition: str | None, catalogue: Catalogue, as_json: bool
) -> int:
    """Find where a record and the rules disagree.

    audit compares every claim and every ruling with the result of the rules there. A record is disputed if one of them
    differs, exact if none does, and unverified if nothing could be compared. Exit code 1 if a record is disputed.

    Without FILE, at a terminal, audit reads the last game of Magic Arena's log, if it finds that log.
    """
    course = Course(catalogue)
    auditor = Auditor(edition, catalogue=catalogue, assume=assume, also=(course,))
    counting = None if assume is None else Counting(assume=assume, catalogue=catalogue)
    out = console()
    answered = 0

    def one(record: Record) -> int:
        nonlocal answered
        with waiting() as progress:
            found = auditor.record(record, progress=progress)
        answered += 1
        with heard():
            tell(record, found)
        return 1 if found.verdict == "disputed" else 0

    def tell(record: Record, found: Audit) -> None:
        if as_json:
            print_json(found.document() | _course_document(course, auditor, found))
            return
        number: int | None = getattr(record, "number", None)
        chosen = "" if number is None else f"--game {number} · "
        tell_audit(out, found, chosen + _course_line(course, auditor, found))
        if counting is not None:
            out.print(Text("  " + summary(counting.record(record))))

    code = each(records, one)
    if not as_json and answered:
        with heard():
            out.print(Text(_("Derived from the log as recorded; the Head Judge decides."), style="dim"))
    return code


def _course_line(course: Course, auditor: Auditor, found: Audit) -> str:
    """Return the course of a game from a log in one line: when, against whom, how many turns, and when it was night.

    For any other game, return "". Only if its verdict is exact and all its claims are about faces, return instead a
    remark that day and night were not compared.
    """
    first = course.first
    if first is None or not is_from_a_log(first):
        told = found.verdict == "exact" and course.only_faces
        return _("only faces were claimed: whether it is day or night was not compared") if told else ""
    return course.told(auditor.state, found.verdict, len(found.disputes), recorder_of(first))


def _course_document(course: Course, auditor: Auditor, found: Audit) -> dict[str, Any]:
    """Return {"course": ...}, to be added to the JSON document of a game from a log; {} for any other game."""
    if course.first is None or not is_from_a_log(course.first):
        return {}
    told = document_of_course(course, auditor.state, found.verdict, len(found.disputes))
    return {"course": told | {"recorder": recorder_of(course.first)}}


def tell_audit(out: Console, found: Audit, course: str = "") -> None:
    """Print an audit in words; `course` is the line about the course of its game."""
    events = counted("{n} event", "{n} events", found.events)
    told = _("{record}: {verdict}, {events}")
    out.print(worded(told, record=found.record, verdict=verdict_text(found.verdict), events=events))
    if course:
        out.print(Text(f"  {tame(course)}"))
    for finding in found.findings:
        _tell(out, "~" if finding.undone else "✗", finding, "dim" if finding.undone else "red")
    for finding in found.unsettled:
        _tell(out, "?", finding, "yellow")
    for dispute in found.heard:
        _tell_dispute(out, dispute)
    if found.doubts:
        out.print(Text("  ? ", style="yellow").append(found.doubts.sentence))


def _tell_dispute(out: Console, dispute: Heard) -> None:
    """Print a dispute in one line: its stage, who claims which designation, and whether that is as ruled or derived."""
    sentence = _("{dispute}, about event {about}: {status}")
    told = sentence.format(dispute=dispute.dispute, about=dispute.about, status=stage_word(dispute.status))
    sides = []
    for claim in dispute.claims:
        if claim.designation is not None:
            side = {
                (True, True): _("{by} says {designation}, as ruled"),
                (True, False): _("{by} says {designation}, which is not as ruled"),
                (True, None): _("{by} says {designation}, which may be as ruled"),
                (False, True): _("{by} says {designation}, as derived"),
                (False, False): _("{by} says {designation}, which is not derived"),
                (False, None): _("{by} says {designation}, which may be"),
            }[dispute.as_ruled, claim.right]
            sides.append(side.format(by=claim.by, designation=designation_word(claim.designation)))
    out.print(Text(tame("  · " + semicolons([told, *sides])), style="dim"))


def _tell(out: Console, mark: str, finding: Finding, style: str) -> None:
    undone = " " + _("[undone]") if finding.undone else ""
    out.print(Text(f"  {mark} ", style=style).append(tame(finding.short) + undone, style="dim" if undone else ""))
    out.print(Text("      " + whole(finding.sentence), style="dim"))
    because = commas([f"e{number}" for number in finding.because])
    out.print(Text("      " + _("because of: {events}").format(events=because), style="dim"))
