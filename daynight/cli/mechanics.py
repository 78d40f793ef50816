"""A command line for any mechanic: `commands(mechanic)` is a group of commands with the exit codes of `daynight`.

Commands about records are built here, in `partings` and in `baselines`, from the parts and the words of the mechanic;
`record`, `import` and `list` are built in `shelves`. The others, such as `backup` and `schema`, are `daynight`'s own.
"""

from __future__ import annotations

import copy
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NoReturn

import click

from daynight.cli import asking
from daynight.cli.asking import Game, Mechanic, asked, tell
from daynight.cli.baselines import replay_test
from daynight.cli.commands import run
from daynight.cli.keep.backup import backup
from daynight.cli.keep.export import export
from daynight.cli.keep.follow import follow
from daynight.cli.keep.key import key
from daynight.cli.keep.migrate import migrate
from daynight.cli.keep.restore import restore
from daynight.cli.keep.verify import verify
from daynight.cli.partings import bisect, diff, what_if
from daynight.cli.share.serve import serve
from daynight.cli.shelves import import_, list_, record
from daynight.cli.terminal import options
from daynight.cli.terminal.exits import each
from daynight.cli.terminal.output import print_json, print_lines, to_its_end
from daynight.cli.words.schema import schema
from daynight.framework.chart import Chart
from daynight.framework.checking.soundness import chart_named, charts_of
from daynight.framework.language.errors import AskedError
from daynight.framework.language.wording import _, counted
from daynight.framework.mechanic import Mechanic as AnyMechanic
from daynight.machine.program import words_of
from daynight.projections.audit.findings import verdict_word
from daynight.speaker import Speaker


class _Group(click.Group):
    """A group whose commands end with daynight's exit codes, and print any error as one line on stderr."""

    def main(self, args: Sequence[str] | None = None, *more: Any, **named: Any) -> NoReturn:
        words = words_of(sys.argv[0], _module(), sys.executable) if args is None else ()
        sys.exit(run(None if args is None else list(args), self, words or (self.name or "daynight",)))


def _module() -> str | None:
    """Return the name of the module that `python -m` runs; None if Python runs a file."""
    spec = getattr(sys.modules["__main__"], "__spec__", None)
    return None if spec is None else str(spec.name)


def commands(mechanic: Mechanic, extra: Iterable[click.Command] = ()) -> click.Group:
    """Return the command line of a mechanic, with `extra` commands; one of these may replace a command of this module.

    >>> from daynight.disputes.mechanic import GAME
    >>> sorted(commands(GAME).commands)[:5]
    ['audit', 'backup', 'bisect', 'blame', 'chart']
    """
    told = _("Records of {mechanic}: look at them, audit them, compare them, keep them.")
    return _Group(
        mechanic.name,
        commands={command.name or "": command for command in (*_COMMANDS, *extra)},
        context_settings={"help_option_names": ["-h", "--help"], "obj": mechanic},
        help=told.format(mechanic=mechanic.name),
    )


class _OfAPart(click.Command):
    """A command whose examples replace PART with the name of the mechanic's first part without subjects.

    If every part has subjects, the examples say `PART SUBJECT`.
    """

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        mechanic = ctx.find_root().obj
        if not isinstance(mechanic, AnyMechanic):
            click.Command.format_epilog(self, ctx, formatter)
            return
        state = mechanic.start()
        told, whole = copy.copy(self), [name for name, part in mechanic.parts.items() if None in part.listed(state)]
        told.epilog = (self.epilog or "").replace("PART", (*whole, "PART SUBJECT")[0])
        click.Command.format_epilog(told, ctx, formatter)


def _tell_parts(mechanic: Mechanic, name: str, at: Any, as_json: bool, line: Callable[..., str]) -> int:
    """Print every part of the state at a position, as JSON or as the line that `line` makes; return the exit code 0."""
    number, parts = asked(mechanic, name, at, lambda game, number: (number, game.parts(number)))
    if as_json:
        print_json({"event": number, "parts": [Speaker(mechanic).document(*part) for part in parts]})
    for part in () if as_json else parts:
        tell(line(*part))
    return 0


@click.command(epilog="\b\ndaynight show friday.jsonl\ndaynight show friday.jsonl --at 2")
@asking.record
@asking.at
@asking.answering
def show(mechanic: Mechanic, name: str, at: Any, as_json: bool) -> int:
    """Print every event and its consequences; with --at, only those up to a position."""
    game = asking.until(mechanic, name, at)
    if as_json:
        # What is adopted answers in documents alone.
        (print_json if asking.is_shelved() else print_lines)(*game.table())
        return 0
    for moment in game:
        mark = " " if game.stands(moment.number) else "~"
        tell(f"{moment.number:>5}{mark} {mechanic.words.event(moment.event)}")
        for consequence in moment.consequences:
            tell(f"        → {mechanic.words.consequence(consequence)}")
    return 0


@click.command("replay", epilog="\b\ndaynight replay friday.jsonl\ndaynight replay friday.jsonl --at 2")
@asking.record
@asking.at
@asking.answering
def replay(mechanic: Mechanic, name: str, at: Any, as_json: bool) -> int:
    """Print the state after an event: every part and its value."""
    return _tell_parts(mechanic, name, at, as_json, Speaker(mechanic).part)


@click.command("why", cls=_OfAPart, epilog="\b\ndaynight why friday.jsonl PART")
@asking.record
@click.argument("part")
@click.argument("subject", required=False)
@asking.at
@asking.answering
def why(mechanic: Mechanic, name: str, part: str, subject: str | None, at: Any, as_json: bool) -> int:
    """Explain a PART of the state: its value, since when, by which rule, because of which events."""
    say = Speaker(mechanic)

    def ask(game: Game, number: int) -> tuple[dict[str, Any], list[str]]:
        one = mechanic.parts.get(part)
        of = subject if one is None else one.meant(game.whole(number), subject)
        found = game.part(part, of, number)
        if as_json:
            return {"event": number} | say.document(part, of, found), []
        because = [f"  {event:>5}  {mechanic.words.event(game.events[event - 1])}" for event in found.because]
        return {}, [say.part(part, of, found), f"  {say.why(found)}", *because]

    document, lines = asked(mechanic, name, at, ask)
    if as_json:
        print_json(document)
    for line in lines:
        tell(line)
    return 0


@click.command("blame", epilog="\b\ndaynight blame friday.jsonl\ndaynight blame friday.jsonl --at 2")
@asking.record
@asking.at
@asking.answering
def blame(mechanic: Mechanic, name: str, at: Any, as_json: bool) -> int:
    """Print for each part of the state which event and which rule set it."""
    say = Speaker(mechanic)
    return _tell_parts(mechanic, name, at, as_json, lambda *part: f"{say.part(*part)}  ({say.why(part[-1])})")


@click.command("audit", epilog="\b\ndaynight audit friday.jsonl\ndaynight audit friday.jsonl saturday.jsonl")
@click.argument("names", metavar="FILE...", nargs=-1, required=True)
@asking.answering
@to_its_end
def audit(mechanic: Mechanic, names: tuple[str, ...], as_json: bool) -> int:
    """Compare every claim and ruling with the rules; exit code 1 if some record is disputed."""
    say = Speaker(mechanic)

    def one(name: str) -> int:
        number, found = asking.audited(mechanic, name)
        if as_json:
            print_json(say.audit_document(name, number, found))
        else:
            events = counted("{n} event", "{n} events", number)
            tell(f"{name}: {verdict_word(found.verdict)}, {events}")
            for finding in found.findings:
                mark = "~" if finding.undone else "?" if finding.right is None else "✗"
                tell(f"  {mark} {say.finding(finding)}")
        return 1 if found.verdict == "disputed" else 0

    return each(names, one)


@click.command("chart", epilog="\b\ndaynight chart")
@click.argument("name", required=False)
@options.as_json
@click.pass_obj
def chart(mechanic: Mechanic, name: str | None, as_json: bool) -> int:
    """Print the state chart as a Mermaid diagram.

    If the mechanic has several charts, NAME is the one to print; without NAME, chart prints all.
    """
    charts = charts_of(mechanic.chart)
    if not charts:
        raise AskedError(_("{mechanic} has no chart").format(mechanic=mechanic.name))
    if name is not None:
        charts = {name: chart_named(mechanic.chart, name)}
    if as_json:
        print_json({"charts": [_document(title, one) for title, one in charts.items()]})
        return 0
    told = [one.mermaid() if len(charts) == 1 else f"%% {title}\n{one.mermaid()}" for title, one in charts.items()]
    click.echo("\n".join(told), nl=False)
    return 0


def _document(title: str, chart: Chart[Any, Any]) -> dict[str, Any]:
    """Return a chart as JSON: its name, states and initial state, its arcs with guards in words, and its diagram."""
    return {
        "name": title,
        "states": [str(state.value) for state in chart.states],
        "initial": str(chart.initial.value),
        "arcs": [
            {"from": str(source), "to": str(dest), "trigger": trigger, "when": guard}
            for source, dest, trigger, guard in chart.table()
        ],
        "mermaid": chart.mermaid(),
    }


def _hidden(command: click.Command, name: str) -> click.Command:
    """Return a copy of a command under an older name, which the help does not list."""
    told = copy.copy(command)
    told.name, told.hidden = name, True
    return told


def _with_examples(command: click.Command, *examples: str) -> click.Command:
    """Return a copy of a command with examples that fit any mechanic: without the demo game, and without --table."""
    told = copy.copy(command)
    told.epilog = "\b\n" + "\n".join(f"daynight {command.name} {example}" for example in examples)
    return told


_COMMANDS = (
    show, _hidden(show, "log"), replay, why, blame, audit, diff, what_if, bisect, replay_test, schema, chart,
    record, import_, list_, backup, restore,
    _with_examples(export, "friday -o friday.jsonl", "friday.jsonl -o friday.html", "--all -o archive.jsonl"),
    follow, key, migrate,
    _with_examples(serve, "friday.jsonl --port 0", "db:friday --db daynight.db"),
    verify,
)  # fmt: skip
