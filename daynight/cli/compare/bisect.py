"""`daynight bisect`: the first event where record and rules disagree, or where the user's own test fails.

The option `--run` and the sentences about the result serve `bisect` of any other mechanic, too.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
from rich.text import Text

from daynight.cards import Catalogue
from daynight.cli.terminal import options
from daynight.cli.terminal.output import console, print_json, to_its_end
from daynight.framework.bisect import Bisected, Judgement, Parted, bisected
from daynight.framework.language.errors import tame
from daynight.framework.language.grammar import also, commas
from daynight.framework.language.reader import blocks
from daynight.framework.language.wording import _, counted
from daynight.game import Game
from daynight.machine.reasons import reason_of
from daynight.machine.shells import split
from daynight.projections.audit.parted import parted
from daynight.projections.transcript import told
from daynight.records import Record

_GOOD, _SKIP = 0, 125

_AGAIN = 20
"""The most events that the text lists as differing again."""


run = click.option(
    "--run",
    "test",
    metavar="COMMAND",
    help="Your own test, run without a shell. It gets the first events of the record on standard input, and as a file"
    " that its last argument names. Exit code 0 means good, 1 to 124 bad, 125 that it cannot tell; any other ends"
    " the search.",
)
"""The option that names the user's test."""


@click.command(epilog="\b\ndaynight bisect demo\ndaynight bisect game.jsonl --run ./engine-agrees")
@options.file
@run
@options.cited
@to_its_end
def bisect(record: Record, test: str | None, edition: str | None, catalogue: Catalogue, as_json: bool) -> int:
    """Find the first event that is wrong.

    Without --run, it is the first claim or ruling that disagrees with the rules; bisect also says which later ones
    disagree. With --run, it is the first event that your test finds bad: bisect tests only some beginnings of the
    record, and assumes that everything after a bad event is bad too. Exit code 1 if there is such an event.
    """
    game = options.loaded(record, catalogue)
    if test is None:
        return _by_audit(game, edition or game.edition, as_json)
    with record.open() as stream:
        lines = [line for block in blocks(stream) for line in block.removesuffix(b"\n").split(b"\n")]
    return _tell(game, by_test(lines[: len(game)], test), as_json)


def _by_audit(game: Game, edition: str, as_json: bool) -> int:
    found = parted(game, edition=edition)
    first = found.first
    if as_json:
        print_json(found.document(lambda finding: finding.document(edition)))
        return int(first is not None)
    out = console()
    for finding in found.undone:
        out.print(Text(tame(f"~ {finding.sentence} ") + _("[undone]"), style="dim"))
    if first is None:
        out.print(Text(_("no claim or ruling disagrees with the rules"), style="green"))
        return 0
    sentence = _("e{event} is the first event where the record and the rules disagree")
    out.print(Text(sentence.format(event=first.event), style="bold"))
    _show(game, first.event)
    out.print(Text(tame(first.sentence)))
    out.print(Text(onwards(found)))
    out.print(Text(_("Derived from the log as recorded; the Head Judge decides."), style="dim"))
    return 1


def onwards(found: Parted[Any]) -> str:
    """Return a sentence: whether all later claims and rulings are wrong, too.

    If not, it names the first event that is right again, and those that differ after it.
    """
    again = len(found.differ_again)
    if found.right_again is None:
        if not found.wrong:
            return _("No other claim or ruling that could be settled comes after it.")
        return counted(
            "The {n} claim or ruling that comes after it differs too.",
            "All {n} claims and rulings that come after it differ too.",
            len(found.wrong),
        )
    if not again:
        sentence = _("Not all that comes after it is wrong: e{event} is right again, and none differs from then on.")
        return sentence.format(event=found.right_again)
    events = commas([f"e{event}" for event in found.differ_again[:_AGAIN]])
    if again > _AGAIN:
        words = counted(
            "Not all that comes after it is wrong: e{event} is right again; then these differ again: {events}, and {n}"
            " more.",
            "Not all that comes after it is wrong: e{event} is right again; then these differ again: {events}, and {n}"
            " more.",
            again - _AGAIN,
        )
        return words.format(event=found.right_again, events=events)
    words = counted(
        "Not all that comes after it is wrong: e{event} is right again; then this differs again: {events}.",
        "Not all that comes after it is wrong: e{event} is right again; then these differ again: {events}.",
        again,
    )
    return words.format(event=found.right_again, events=events)


def by_test(lines: Sequence[bytes], command: str) -> Bisected:
    """Run `command` on beginnings of a record, whose lines are `lines`, to find the shortest one that it calls bad.

    Return the result: its `bad` is the number of the last event of that beginning, None if the whole record is not bad.

    Raises:
        click.UsageError: where the command is empty, cannot be run, or ends with an exit code that tests do not use.
    """
    try:
        words = split(command)
    except ValueError as error:
        raise click.UsageError(_("--run: {reason}").format(reason=error)) from None
    if not words:
        raise click.UsageError(_("--run: no command"))
    with tempfile.TemporaryDirectory(prefix="daynight-") as folder:
        return bisected(len(lines), lambda number: _run(words, Path(folder, f"e{number}.jsonl"), lines[:number]))


def _run(words: list[str], path: Path, lines: Sequence[bytes]) -> Judgement:
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    sys.stdout.flush()
    with path.open("rb") as beginning:
        try:
            # The words to run come only from the command line, never from a record.
            code = subprocess.run([*words, str(path)], stdin=beginning, stdout=2, check=False).returncode  # noqa: S603
        except OSError as error:
            sentence = _("--run: {command}: {reason}").format(command=words[0], reason=reason_of(error))
            raise click.UsageError(sentence) from None
    path.unlink(missing_ok=True)
    if code == _GOOD:
        return "good"
    if code == _SKIP:
        return "skip"
    if 0 < code < _SKIP:
        return "bad"
    sentence = _("--run: the test ended with exit code {code} at event {event}; 0 to 125 have a meaning")
    raise click.UsageError(sentence.format(code=code, event=len(lines)))


def tested_document(found: Bisected) -> dict[str, Any]:
    """Return the result of a test as JSON. `monotone` is None: not every later event was tested."""
    return found.document() | {"monotone": None}


def tested(found: Bisected) -> str:
    """Return a sentence: which event a test found, and with how many beginnings of the record it was run."""
    runs = counted("{n} beginning tested", "{n} beginnings tested", found.runs)
    if found.bad is None:
        sentence = _("the whole record cannot be tested") if found.untested else _("the whole record is good")
    elif found.untested:
        sentence = _("the first bad event is one of e{first} to e{bad}: those between could not be tested")
    else:
        sentence = _("e{bad} is the first bad event")
    return also(sentence.format(first=found.good + 1, bad=found.bad), runs)


def reserve() -> str:
    """Return a sentence: a bisection assumes that everything after a bad beginning is bad."""
    return _("A bisection takes it that whatever comes after a bad beginning is bad too: not each one was tested.")


def _tell(game: Game, found: Bisected, as_json: bool) -> int:
    if as_json:
        print_json(tested_document(found))
        return int(found.bad is not None)
    out = console()
    if found.bad is None:
        out.print(Text(tested(found)))
        return 0
    out.print(Text(tested(found), style="bold"))
    _show(game, found.bad)
    out.print(Text(reserve(), style="dim"))
    return 1


def _show(game: Game, number: int) -> None:
    """Print the event with this number, and its consequences."""
    out = console()
    for line in told(game.moments()):
        if line.number == number:
            out.print(Text(tame(f"  {line.sentence}")))
            for consequence in line.consequences:
                out.print(Text("    -> " + tame(consequence), style="green"))
