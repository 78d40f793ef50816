"""`daynight conformance`: runs cases on other engines, and compares their answers with the rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from daynight.cli.terminal import options
from daynight.cli.terminal.grid import print_table
from daynight.cli.terminal.output import console, print_json, say, to_its_end
from daynight.conformance.cases import SUITE, Case, Form, chosen, outcome, runs, suite
from daynight.conformance.exporting import TARGETS, exported, said, write
from daynight.conformance.judging import Verdict, checked, counts, junit
from daynight.conformance.running import SILENT, words_of
from daynight.conformance.running import run as asked_of
from daynight.framework.language.errors import AskedError, UnreadableError
from daynight.framework.language.wording import _, counted

Function = TypeVar("Function", bound=Callable[..., Any])

_SIZE = 2**28


@click.group(epilog="\b\ndaynight conformance list --rule check-day\ndaynight conformance export --for cases -o suite")
def conformance() -> None:
    """Test another engine with the cases of the conformance suite.

    A case is a short game, the answers by the rules, and the mistake that it catches. An engine that writes records
    does not need the suite: daynight audit compares its records. Cases are CC0. Every command takes --json.
    """


def _selecting(function: Function) -> Function:
    for name, metavar, text in (
        ("--needs", "FEATURE", "Only cases for which an engine needs this feature."),
        ("--rule", "KEY", "Only cases about this rule."),
        ("--case", "ID", "Only this case."),
    ):
        function = click.option(name, metavar=metavar, multiple=True, help=text)(function)
    return function


def _cases(rule: Sequence[str], needs: Sequence[str], case: Sequence[str]) -> list[Case]:
    cases = chosen(rule, needs, case)
    known = {each.id for each in suite()}
    if (other := next((each for each in case if each not in known), None)) is not None:
        raise AskedError(_("no case {id}; daynight conformance list names them").format(id=repr(other[:80])))
    if not cases:
        rules = sorted({key for case in suite() for key, _number in case.rules})
        sentence = _("no such case; rules are {rules}, and features {features}")
        features = sorted({need for case in suite() for need in case.needs})
        raise AskedError(sentence.format(rules=", ".join(rules), features=", ".join(features)))
    return cases


@conformance.command(name="list", epilog="\b\ndaynight conformance list\ndaynight conformance list --rule check-day")
@_selecting
@options.as_json
@to_its_end
def list_(rule: tuple[str, ...], needs: tuple[str, ...], case: tuple[str, ...], as_json: bool) -> int:
    """List the cases, and which engines they were run with.

    An engine without a result has not run the case yet.
    """
    cases = _cases(rule, needs, case)
    if as_json:
        told = [
            {key: case.document[key] for key in ("id", "level", "needs", "rules", "title", "fails_like")}
            | {"runs": {run["engine"]: outcome(run, case) for run in runs()}}
            for case in cases
        ]
        print_json({"suite": SUITE, "cases": told, "engines": [_engine(run) for run in runs()]})
        return 0
    ran = [run for run in runs() if run["date"] is not None]
    names = [run["engine"] for run in ran]
    words = {"passed": _("passed"), "failed": _("failed"), "not run": _("not run")}
    rows = [[case.id, case.level, *(words[outcome(run, case)] for run in ran), case.title] for case in cases]
    print_table(console(), [_("case"), _("level"), *names, ""], rows)
    for run in runs():
        version = _("{engine}: {version}, run in {date}").format(**run)
        say(version if run["date"] else _("{engine}: not run").format(**run))
    return 0


def _engine(run: dict[str, Any]) -> dict[str, Any]:
    return {key: run[key] for key in ("engine", "version", "date")}


@conformance.command(
    epilog="\b\ndaynight conformance export --for cases -o suite\ndaynight conformance export --for xmage -o ."
)
@click.option("--for", "target", type=click.Choice(TARGETS), required=True, help="The tool that will read the files.")
@click.option(
    "-o",
    "--output",
    metavar="DIR",
    required=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="The folder of the files.",
)
@_selecting
@options.as_json
def export(
    target: str, output: Path, rule: tuple[str, ...], needs: tuple[str, ...], case: tuple[str, ...], as_json: bool
) -> int:
    """Write the cases as files.

    --for cases writes them as JSON; --for xmage as a test class of XMage's own tests. It says which cases are left out,
    and why.
    """
    found, out = exported(_cases(rule, needs, case), target)
    write(output, found)
    if as_json:
        print_json({"suite": SUITE, "files": [str(output / name) for name in found], "left_out": out})
        return 0
    say(
        counted("{n} file written to {folder}", "{n} files written to {folder}", len(found)).format(folder=output),
        *said(out),
    )
    return 0


def _telling(function: Function) -> Function:
    junit_option = click.option(
        "--junit",
        metavar="FILE",
        type=click.Path(dir_okay=False, path_type=Path),
        help="Write the results as JUnit's XML, too.",
    )
    return junit_option(_selecting(options.as_json(function)))


@conformance.command(
    epilog="\b\ndaynight conformance run --engine 'python3 my_engine.py'"
    "\ndaynight conformance run --engine ./my_engine --as play --junit results.xml"
)
@click.option("--engine", metavar="COMMAND", required=True, help="The command that starts the engine, without a shell.")
@click.option(
    "--as",
    "form",
    type=click.Choice(("events", "play")),
    default="events",
    show_default=True,
    help="The form of a case: the events of a record, or a set-up and the players' actions.",
)
@_telling
@to_its_end
def run(
    engine: str,
    form: Form,
    rule: tuple[str, ...],
    needs: tuple[str, ...],
    case: tuple[str, ...],
    junit: Path | None,
    as_json: bool,
) -> int:
    """Give each case to an engine, and compare its answers with the rules.

    The engine gets one case per line, as JSON, and writes one line back: the id of the case and, under seen, its facts
    at each place that the case asks for; or, under skipped, the needed features that it lacks. An engine that ends, or
    does not answer in 30 seconds, fails that case and is started again for the next one; after three cases in a row
    without an answer in time, no more cases are sent. Exit code 1 if a case failed.
    """
    verdicts = list(asked_of(words_of(engine), _cases(rule, needs, case), form))
    return _told(verdicts, junit, as_json)


@conformance.command(epilog="\b\ndaynight conformance check results.jsonl --junit results.xml")
@click.argument("results", metavar="RESULTS", type=click.Path(dir_okay=False, allow_dash=True, path_type=Path))
@_telling
@to_its_end
def check(
    results: Path,
    rule: tuple[str, ...],
    needs: tuple[str, ...],
    case: tuple[str, ...],
    junit: Path | None,
    as_json: bool,
) -> int:
    """Compare answers that an engine wrote with the rules.

    RESULTS has one answer per line, as run reads them; no engine is started. A case without an answer fails. Exit code
    1 if a case failed.
    """
    with click.open_file(str(results), "rb") as stream:
        data = stream.read(_SIZE + 1)
    if len(data) > _SIZE:
        raise UnreadableError(_("more than {most} bytes").format(most=_SIZE), file=str(results))
    try:
        lines = data.decode().split("\n")
    except UnicodeDecodeError:
        raise UnreadableError(_("not UTF-8; save the file as UTF-8"), file=str(results), line=1) from None
    numbered = [(number, line) for number, line in enumerate(lines, 1) if line.strip()]
    return _told(checked(_cases(rule, needs, case), numbered, str(results)), junit, as_json)


def _told(verdicts: Sequence[Verdict], file: Path | None, as_json: bool) -> int:
    numbers = counts(verdicts)
    if file is not None:
        file.write_bytes(junit(verdicts))
    if as_json:
        print_json({"suite": SUITE, "counts": numbers, "cases": [each.document() for each in verdicts]})
    else:
        words = {"passed": _("passed"), "failed": _("FAILED"), "skipped": _("skipped"), "doubt": _("open")}
        ran = [each for each in verdicts if each.status != "not run"]
        rows = [[each.case.id, words[each.status], each.reason or each.case.title] for each in ran]
        print_table(console(), [_("case"), "", ""], rows)
        if left := numbers["not run"]:
            say(_silence(left))
        sentence = _("{passed} passed, {failed} failed, {skipped} skipped, {doubt} open; suite {suite}")
        say(sentence.format(**numbers, suite=SUITE))
    return 1 if numbers["failed"] else 0


def _silence(left: int) -> str:
    sentence = counted(
        "{n} case was not asked, for the {silent} before it had no answer in time. {advice}",
        "{n} cases were not asked, for the {silent} before them had no answer in time. {advice}",
        left,
    )
    advice = _("An answer is one line; flush the output after it, and do not wait for the input to end.")
    return sentence.format(n=left, silent=SILENT, advice=advice)
