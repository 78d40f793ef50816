"""`daynight corpus audit`, `stats` and `find`: what there is to say of all games of some corpora."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from daynight.cli.corpus.extra import cores, extra, workers
from daynight.cli.terminal import options
from daynight.cli.terminal.exits import DAMAGED
from daynight.cli.terminal.opening import Command
from daynight.cli.terminal.output import console, error_line, print_json
from daynight.events.terms import Designation
from daynight.framework.language.errors import AskedError
from daynight.framework.language.wording import _, counted

if TYPE_CHECKING:
    from daynight.corpus.judging.audit import Engine

_folders = click.argument("folders", metavar="CORPUS...", nargs=-1, required=True)
_result = click.option(
    "-o", "--output", "result", metavar="RESULT", required=True, type=click.Path(file_okay=False, path_type=Path),
    help="The folder of what is found; interrupted, the same command goes on.",
)
_engine = click.option(
    "--engine", type=click.Choice(["local", "dask"]), default="local", show_default=True,
    help="Where the work is done: in processes here, or by Dask.",
)


def _asking(command: Command) -> Command:
    """The options of every command that judges."""
    for option in (_engine, workers, options.assume, options.edition, options.as_json):
        command = option(command)
    return _folders(command)


def engine_of(engine: str, workers: int | None) -> Engine:
    """The engine of that name, with so many workers."""
    from functools import partial

    from daynight.corpus.engines.local import spread

    if engine == "dask":
        raise AskedError("dask")
    return partial(spread, workers=workers or cores())


def _progress(done: int, all: int) -> None:
    if sys.stderr.isatty():
        print("\r" + _("{done} of {all} parts").format(done=done, all=all), end="" if done < all else "\n",
              file=sys.stderr, flush=True)  # fmt: skip


def judged(
    folders: tuple[str, ...], result: Path, engine: str, workers: int | None, assume: Designation | None,
    edition: str | None,
) -> dict[str, Any]:  # fmt: skip
    """Make the result of an audit, and answer its summary."""
    from daynight.corpus.judging.audit import Asked, audit

    asked = Asked(folders, edition, None if assume is None else assume.value)
    return audit(asked, result, engine_of(engine, workers), _progress)


@click.command(epilog="\b\ndaynight corpus audit league -o result")
@_asking
@_result
def audit(
    folders: tuple[str, ...], result: Path, engine: str, workers: int | None, assume: Designation | None,
    edition: str | None, as_json: bool,
) -> int:  # fmt: skip
    """Audit every game of corpora.

    RESULT has a summary, the verdict on each game, and every finding. Exit code 1 if a game is disputed, 5 if a part is
    damaged; the rest is done then too. Of a corpus from strangers, let daynight corpus verify derive the columns anew
    first: an audit trusts those whose digests are right.
    """
    with extra():
        summary = judged(folders, result, engine, workers, assume, edition)
    if as_json:
        print_json(summary)
    else:
        tell_summary(summary, result)
    if summary["damaged"]:
        error_line(_("{n} parts are damaged, with {lost} games: see {file}").format(
            n=summary["damaged"], lost=summary["lost"], file=result / "damage.jsonl"))  # fmt: skip
        return DAMAGED
    return 1 if summary["verdicts"]["disputed"] else 0


def tell_summary(summary: dict[str, Any], result: Path) -> None:
    """A summary in words."""
    out = console()
    games, verdicts = summary["games"], summary["verdicts"]
    told = counted("{n} game, {events} events", "{n} games, {events} events", games)
    out.print(told.format(n=games, events=summary["events"]))
    told = _("{exact} exact, {disputed} disputed, {unverified} unverified; {findings} findings: {folder}")
    out.print(told.format(**verdicts, findings=summary["findings"], folder=result))
    out.print(_("Derived from the logs as recorded; the Head Judge decides."), style="dim")
