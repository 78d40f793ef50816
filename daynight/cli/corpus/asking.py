"""`daynight corpus audit`, `stats` and `find`: questions about all games of corpora."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

import click
import msgspec
from msgspec.structs import replace

from daynight.cli.corpus.extra import cores, extra, into, workers
from daynight.cli.corpus.progress import Progress
from daynight.cli.look.stats import tell_statistics
from daynight.cli.terminal import options
from daynight.cli.terminal.exits import DAMAGED, UNREADABLE
from daynight.cli.terminal.grid import print_table
from daynight.cli.terminal.opening import Command
from daynight.cli.terminal.output import console, error_line, print_json, say, to_its_end
from daynight.events.terms import Designation
from daynight.framework.language.grammar import commas
from daynight.framework.language.wording import _, counted
from daynight.projections.audit.findings import verdict_word

if TYPE_CHECKING:
    from daynight.corpus.judging.audit import Engine

_folders = click.argument("folders", metavar="CORPUS...", nargs=-1, required=True)
_result = into("result", "RESULT", "The folder for the results; after an interruption, the same command goes on.")
_engine = click.option(
    "--engine",
    type=click.Choice(["local", "dask"]),
    default="local",
    show_default=True,
    help="Where the work is done: in processes here, or by Dask.",
)

_scheduler = click.option(
    "--scheduler", metavar="ADDRESS", help="The scheduler of a Dask cluster that is there already."
)
_file = click.Path(exists=True, dir_okay=False)
_ca = click.option("--tls-ca", metavar="FILE", type=_file, help="The certificate authority of that cluster.")
_cert = click.option("--tls-cert", metavar="FILE", type=_file, help="This command's certificate for that cluster.")
_key = click.option("--tls-key", metavar="FILE", type=_file, help="The key of that certificate.")


def _asking(command: Command) -> Command:
    """Add the argument CORPUS..., and the options of every command that audits games."""
    for option in (_key, _cert, _ca, _scheduler, _engine, workers, options.assume, options.edition, options.as_json):
        command = option(command)
    return _folders(command)


class Where(TypedDict):
    """The options that choose the engine, its workers, and the address and the TLS files of a Dask cluster."""

    engine: str
    workers: int | None
    scheduler: str | None
    tls_ca: str | None
    tls_cert: str | None
    tls_key: str | None


def engine_of(where: Where, folders: tuple[str, ...]) -> Engine:
    """Return the engine that the options ask for; the local one has no workers if a corpus is in this process's memory.

    Raises:
        UsageError: where an option needs another engine, or another option.
    """
    others = ("scheduler", "tls_ca", "tls_cert", "tls_key")
    if where["engine"] != "dask":
        if any(where[other] for other in others):  # type: ignore[literal-required]
            raise click.UsageError(_("--scheduler and --tls-... are for --engine dask"))
        from daynight.corpus.engines.local import here, spread
        from daynight.corpus.sources.addresses import is_own

        return here if any(map(is_own, folders)) else partial(spread, workers=where["workers"] or cores())
    if where["scheduler"] is None and any(where[other] for other in others):  # type: ignore[literal-required]
        raise click.UsageError(_("--tls-... are for a cluster at --scheduler"))
    if where["scheduler"] is not None and where["workers"] is not None:
        raise click.UsageError(_("the cluster at --scheduler has its own workers; leave --workers out"))
    if where["tls_ca"] is None and (where["tls_cert"] or where["tls_key"]):
        raise click.UsageError(_("--tls-cert and --tls-key need --tls-ca"))
    from daynight.corpus.engines import cluster
    from daynight.corpus.engines.seeing import Proofs

    asked = cluster.Cluster(
        where["scheduler"], where["workers"], where["tls_ca"], where["tls_cert"], where["tls_key"], error_line
    )
    proofs = Proofs()
    return lambda work, tasks: cluster.spread(asked, proofs, work, tasks)


def judged(
    folders: tuple[str, ...], result: Path, assume: Designation | None, edition: str | None, where: Where,
    *, any_language: bool = True,
) -> dict[str, Any]:  # fmt: skip
    """Audit the corpora into `result`, and return the summary; `any_language`: reuse a result in another language."""
    from daynight.corpus.judging.audit import AuditTask, audit

    asked = AuditTask(folders, edition, None if assume is None else assume.value)
    with Progress() as progress:
        return audit(asked, result, engine_of(where, folders), progress.parts, any_language=any_language)


@click.command(epilog="\b\ndaynight corpus audit league -o result")
@_asking
@_result
@to_its_end
def audit(
    folders: tuple[str, ...], result: Path, assume: Designation | None, edition: str | None, as_json: bool,
    **where: Unpack[Where],
) -> int:  # fmt: skip
    """Audit every game of corpora.

    RESULT has a summary, the verdict on each game, and every finding. Exit code 1 if a game is disputed, 3 if one is
    refused, 5 if a part is damaged; the rest is done then too. If you do not trust a corpus, run daynight corpus verify
    on it first: an audit trusts columns whose digests are right.
    """
    with extra():
        summary = judged(folders, result, assume, edition, where, any_language=False)
    if as_json:
        print_json(summary)
    else:
        tell_summary(summary, result)
    return _lost(summary, result) or (1 if summary["verdicts"]["disputed"] else 0)


def tell_summary(summary: dict[str, Any], result: Path) -> None:
    """Print a summary in words, with the folder `result`."""
    out = console()
    games, verdicts = summary["games"], summary["verdicts"]
    told = counted("{n} game, {events} events", "{n} games, {events} events", games)
    out.print(told.format(events=summary["events"]))
    told = counted(
        "{exact} exact, {disputed} disputed, {unverified} unverified; {n} finding: {folder}",
        "{exact} exact, {disputed} disputed, {unverified} unverified; {n} findings: {folder}",
        summary["findings"],
    )
    out.print(told.format(**verdicts, folder=result))
    out.print(_("Derived from the log as recorded; the Head Judge decides."), style="dim")


_kept = into(
    "result",
    "RESULT",
    "The folder of daynight corpus audit; if it does not exist, this command runs the audit.",
    required=False,
)


@contextmanager
def _result_of(result: Path | None) -> Iterator[Path]:
    """Yield the folder of the result, or a temporary one."""
    if result is not None:
        yield result
        return
    with TemporaryDirectory() as place:
        yield Path(place) / "result"


@click.command(
    epilog="\b\ndaynight corpus stats league --by month\ndaynight corpus stats league -o result --picture s.svg"
)
@_asking
@_kept
@click.option("--by", multiple=True, metavar="FIELD", help="Group by edition, source, month or meta.FIELD of line 1.")
@options.a_drawing("--picture", help="Draw the shares of the groups.")
@to_its_end
def stats(
    folders: tuple[str, ...], result: Path | None, assume: Designation | None, edition: str | None,
    by: tuple[str, ...], picture: Path | None, as_json: bool, **where: Unpack[Where],
) -> int:  # fmt: skip
    """Count turns, changes and spells of all games of corpora.

    The counts are those of daynight stats, for each group of games and for all together. The month is the one that
    line 1 writes, in the time of the game's place and not in UTC. A second table, not in the JSON, counts the findings
    by rule and by claimant.
    """
    with extra(), _result_of(result) as place:
        from daynight.corpus.asking.finding import disputes
        from daynight.corpus.asking.grouping import check_by, grouped
        from daynight.projections.statistics import together

        check_by(by)
        summary = judged(folders, place, assume, edition, where)
        groups = grouped(folders, place, by, assume)
        findings = disputes(place)
    sums = together([group.statistics for group in groups])
    named = [replace(group.statistics, game=_named(group.by)) for group in groups] if by else []
    document = {"groups": [group.document() for group in groups if by], "together": sums.document()}
    if picture is not None:
        from daynight.pictures import shares_svg

        # Before anything is printed, so that no partial answer is printed.
        options.write_whole(picture, shares_svg(named or [sums]).encode())
        document |= {"file": str(picture)}
    if as_json:
        print_json(document)
    else:
        tell_statistics(console(), named or [sums], sums, heading=_heading(by))
        if findings:
            rows = [(rule or "-", by, str(count)) for rule, by, count in findings[:_MOST]]
            print_table(console(), (_("rule"), _("claimed by"), _("findings")), rows, numbers=(2,))
        if picture is not None:
            say(_("written: {file}").format(file=picture))
    return _lost(summary, result)


_MOST = 20
"""The most rows of the table that counts the findings by rule and by claimant."""


def _heading(by: tuple[str, ...]) -> str | None:
    """Return the heading of the groups' names: the fields that define the groups; None if there are no groups."""
    words = {"edition": _("edition"), "source": _("source"), "month": _("month")}
    return commas([words.get(field, field) for field in by]) or None


def _named(by: dict[str, Any]) -> str:
    return ", ".join(_("nothing said") if value is None else _word(value) for value in by.values())


def _word(value: Any) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


@click.command(
    epilog="\b\ndaynight corpus find league --disputed --rule check-day --turn 3..9\n"
    "daynight corpus find league -o result --claimed-by Ana"
)
@_asking
@_kept
@click.option("--verdict", type=click.Choice(["exact", "disputed", "unverified"]), help="Games of this verdict.")
@click.option("--disputed", is_flag=True, help="The same as --verdict disputed.")
@click.option(
    "--plain/--not-plain",
    "plain",
    default=None,
    help="Only plain games, whose verdict follows from the columns alone, or only others.",
)
@click.option("--rule", metavar="KEY", help="Games with a finding by this rule: check-day, check-night and so on.")
@click.option("--claimed-by", "by", metavar="NAME", help="Games with a finding about what NAME said.")
@click.option(
    "--about", type=click.Choice(["designation", "face", "tally", "ruling"]), help="Games with a finding about this."
)
@click.option("--turn", metavar="N..M", help="Games with a finding in these turns.")
@to_its_end
def find(
    folders: tuple[str, ...], result: Path | None, assume: Designation | None, edition: str | None,
    verdict: str | None, disputed: bool, plain: bool | None, rule: str | None, by: str | None, about: str | None,
    turn: str | None, as_json: bool, **where: Unpack[Where],
) -> int:  # fmt: skip
    """List the games of corpora that meet a condition.

    find names each game as corpus:FOLDER#GAME. Give this name in place of a FILE to a command that reads a game, such
    as daynight show. If several conditions are about findings, one finding has to meet them all.
    """
    with extra(), _result_of(result) as place:
        from daynight.corpus.asking.finding import Condition, found, known_rule, span

        if disputed and verdict not in (None, "disputed"):
            raise click.UsageError(_("--disputed and --verdict {verdict} exclude each other").format(verdict=verdict))
        condition = Condition(
            "disputed" if disputed else verdict,
            plain,
            None if rule is None else known_rule(rule),
            by,
            about,
            None if turn is None else span(turn),
        )
        summary = judged(folders, place, assume, edition, where)
        games = list(found(place, condition))
    if as_json:
        print_json(*games)
    else:
        rows = [
            (game["record"], game["game"], verdict_word(game["verdict"]), str(game["findings"]),
             " ".join(f"e{event}" for event in game["events"]))
            for game in games
        ]  # fmt: skip
        if rows:
            headings = (_("record"), _("game"), _("verdict"), _("findings"), _("events"))
            print_table(console(), headings, rows, numbers=(3,))
        console().print(counted("{n} game", "{n} games", len(rows)))
    return _lost(summary, result)


def _lost(summary: dict[str, Any], result: Path | None) -> int:
    """Print how many games have no verdict; return exit code 5 for damaged parts, 3 for refused games, else 0."""
    damaged, lost = summary["damaged"], summary["lost"]
    if not lost and not damaged:
        return 0
    if damaged:
        told = counted("{n} part is damaged, with {lost} games", "{n} parts are damaged, with {lost} games", damaged)
    else:
        told = counted("{n} game is refused", "{n} games are refused", lost)
    told = told.format(lost=lost)
    error_line(told if result is None else f"{told}: {result / 'damage.jsonl'}")
    return DAMAGED if damaged else UNREADABLE
