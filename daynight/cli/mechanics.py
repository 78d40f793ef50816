"""A command line for any mechanic: `commands(mechanic)` is a group of commands with the exit codes of `daynight`.

Commands about stores are those of `daynight`. Those about one record are made here, from the parts and the words of the
mechanic.
"""

from __future__ import annotations

import copy
import sys
from collections.abc import Callable, Iterable, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any, NoReturn

import click

from daynight.audit.findings import verdict_word
from daynight.cli.commands import run
from daynight.cli.keep.backup import backup
from daynight.cli.keep.export import export
from daynight.cli.keep.follow import follow
from daynight.cli.keep.key import key
from daynight.cli.keep.migrate import migrate
from daynight.cli.keep.verify import verify
from daynight.cli.share.serve import serve
from daynight.cli.shelves import import_, list_, record
from daynight.cli.terminal import options, stored
from daynight.cli.terminal.exits import each
from daynight.cli.terminal.output import print_json, print_lines
from daynight.cli.words.schema import schema
from daynight.framework.audit import Audit, streamed
from daynight.framework.edits import Edit, drop, insert, replace
from daynight.framework.language.codec import write
from daynight.framework.language.errors import AskedError, locating, tame
from daynight.framework.language.grammar import commas, first_of
from daynight.framework.language.wording import _, counted
from daynight.framework.mechanic import Mechanic
from daynight.framework.recorded import Recorded
from daynight.keeping.files import written
from daynight.speaker import Speaker

Game = Recorded[Any, Any, Any]
_Mechanic = Mechanic[Any, Any, Any]


class _Group(click.Group):
    """A group whose commands end with daynight's exit codes, and print any error as one line on stderr."""

    def main(self, args: Sequence[str] | None = None, *more: Any, **named: Any) -> NoReturn:
        sys.exit(run(None if args is None else list(args), self, self.name or "daynight"))


def commands(mechanic: Mechanic[Any, Any, Any], extra: Iterable[click.Command] = ()) -> click.Group:
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


def _loaded(mechanic: _Mechanic, name: str) -> Game:
    """Return the record of a file, of standard input (`-`), or of a store (`db:NAME`)."""
    if name.startswith("db:"):
        game: Game = stored.reading().load(name.removeprefix("db:"))
        return game
    source: Any = BytesIO(sys.stdin.buffer.read()) if name == "-" else Path(name)
    return Recorded.load(mechanic, source)


def _audited(mechanic: _Mechanic, name: str) -> tuple[int, Audit]:
    """Return how many events a record has, and its audit.

    A file is not loaded, but read event by event, and read again at an event that backs up. A pipe cannot be read
    again, so it is loaded; so is a record of a mechanic with `concludes`.
    """
    named = name != "-" and not name.startswith("db:") and Path(name).is_file()
    if not named or mechanic.concludes is not None:
        game = _loaded(mechanic, name)
        return len(game), game.audited()
    with locating(file=name):
        return streamed(mechanic, lambda: mechanic.language.read(Path(name)))


def _say(line: str) -> None:
    print(tame(line))


_record = click.argument("name", metavar="FILE")


def _answering(command: Callable[..., int]) -> Callable[..., int]:
    """Add the options of a command that asks records of the mechanic, and answers in words or as JSON."""
    return options.from_store(options.as_json(click.pass_obj(command)))


class _Position(click.Option):
    """An option whose help names the marks that the mechanic finds."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        told, known = copy.copy(self), commas(["18", "e18", *options.marks()])
        told.help = (self.help or "").format(known=known)
        return click.Option.get_help_record(told, ctx)


_at = options.a_position("--at", cls=_Position, help="A position: {known}; by default the last event.")


class _OfAPart(click.Command):
    """A command whose examples name a part of the mechanic: one of the whole, which needs no subject, if it has one."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        mechanic: _Mechanic = ctx.find_root().obj
        state = mechanic.start()
        told, whole = copy.copy(self), [name for name, part in mechanic.parts.items() if None in part.subjects(state)]
        told.epilog = (self.epilog or "").replace("PART", (*whole, "PART SUBJECT")[0])
        click.Command.format_epilog(told, ctx, formatter)


def _tell_parts(mechanic: _Mechanic, name: str, at: Any, as_json: bool, line: Callable[..., str]) -> int:
    """Print every part of the state at a position: as JSON, or each as a line."""
    game, document = _loaded(mechanic, name), Speaker(mechanic).document
    if as_json:
        print_json({"event": game.number(at), "parts": [document(*part) for part in game.parts(at)]})
    for part in () if as_json else game.parts(at):
        _say(line(*part))
    return 0


@click.command("log", epilog="\b\ndaynight log friday.jsonl")
@_record
@_answering
def log(mechanic: _Mechanic, name: str, as_json: bool) -> int:
    """Print every event, and what followed from it."""
    game = _loaded(mechanic, name)
    if as_json:
        print_lines(*game.table())
        return 0
    for moment in game:
        mark = " " if game.stands(moment.number) else "~"
        _say(f"{moment.number:>5}{mark} {mechanic.words.event(moment.event)}")
        for consequence in moment.consequences:
            _say(f"        → {mechanic.words.consequence(consequence)}")
    return 0


@click.command("replay", epilog="\b\ndaynight replay friday.jsonl\ndaynight replay friday.jsonl --at 2")
@_record
@_at
@_answering
def replay(mechanic: _Mechanic, name: str, at: Any, as_json: bool) -> int:
    """Print the state after an event: every part and its value."""
    return _tell_parts(mechanic, name, at, as_json, Speaker(mechanic).part)


@click.command("why", cls=_OfAPart, epilog="\b\ndaynight why friday.jsonl PART")
@_record
@click.argument("part")
@click.argument("subject", required=False)
@_at
@_answering
def why(mechanic: _Mechanic, name: str, part: str, subject: str | None, at: Any, as_json: bool) -> int:
    """Explain a PART of the state: since when it is what it is, by which rule, because of which events."""
    game, say = _loaded(mechanic, name), Speaker(mechanic)
    if part in mechanic.parts:
        subject = mechanic.parts[part].meant(game.whole(game.number(at)), subject)
    found = game.part(part, subject, at)
    if as_json:
        print_json({"event": game.number(at)} | say.document(part, subject, found))
        return 0
    _say(say.part(part, subject, found))
    _say(f"  {say.why(found)}")
    for number in found.because:
        _say(f"  {number:>5}  {mechanic.words.event(game.events[number - 1])}")
    return 0


@click.command("blame", epilog="\b\ndaynight blame friday.jsonl\ndaynight blame friday.jsonl --at 2")
@_record
@_at
@_answering
def blame(mechanic: _Mechanic, name: str, at: Any, as_json: bool) -> int:
    """Print for each part of the state which event and which rule set it."""
    say = Speaker(mechanic)
    return _tell_parts(mechanic, name, at, as_json, lambda *part: f"{say.part(*part)}  ({say.why(part[-1])})")


@click.command("audit", epilog="\b\ndaynight audit friday.jsonl\ndaynight audit friday.jsonl saturday.jsonl")
@click.argument("names", metavar="FILE...", nargs=-1, required=True)
@_answering
def audit(mechanic: _Mechanic, names: tuple[str, ...], as_json: bool) -> int:
    """Compare every claim and ruling with the rules; exit code 1 if some record is disputed."""
    say = Speaker(mechanic)

    def one(name: str) -> int:
        number, found = _audited(mechanic, name)
        if as_json:
            print_json(say.audit_document(name, number, found))
        else:
            events = counted("{n} event", "{n} events", number)
            _say(f"{name}: {verdict_word(found.verdict)}, {events}")
            for finding in found.findings:
                mark = "~" if finding.undone else "?" if finding.right is None else "✗"
                _say(f"  {mark} {say.finding(finding)}")
        return 1 if found.verdict == "disputed" else 0

    return each(names, one)


@click.command(
    "diff",
    epilog="\b\ndaynight diff friday.jsonl saturday.jsonl\ndaynight diff friday.jsonl friday.jsonl --at 2",
)
@click.argument("left", metavar="FILE")
@click.argument("right", metavar="OTHER")
@options.a_position("--at", help="The moment of FILE; its last if none.")
@options.a_position("--and", "other", help="The moment of OTHER.")
@_answering
def diff(mechanic: _Mechanic, left: str, right: str, at: Any, other: Any, as_json: bool) -> int:
    """Print the parts in which two records, or two moments, differ; exit code 1 if any does."""
    found = _loaded(mechanic, left).differences(_loaded(mechanic, right), at, other)
    if as_json:
        print_json({"differences": Speaker(mechanic).differences_document(found)})
    else:
        _tell_differences(Speaker(mechanic), found)
    return 1 if found else 0


def _tell_differences(say: Speaker, found: Sequence[Any]) -> None:
    for one in found:
        other = say.value(one.part, one.subject, one.right)
        _say(f"{say.part(one.part, one.subject, one.left)} / {other}")


def _edits(inserts: Sequence[str], drops: Sequence[str], replaces: Sequence[str]) -> list[Edit]:
    edits = []
    for make, texts in ((insert, inserts), (replace, replaces)):
        for text in texts:
            place, colon, event = text.partition(": ")
            if not colon:
                sentence = _("{text}: expected a position, a colon and an event, as in {example}")
                raise AskedError(sentence.format(text=repr(text), example='e10: {"type": ...}'))
            edits.append(make(place, event))
    for text in drops:
        first, dots, last = text.partition("..")
        edits.append(drop(first, last if dots else None))
    return edits


@click.command(
    "what-if",
    epilog="\b\ndaynight what-if friday.jsonl --drop 3\ndaynight what-if friday.jsonl --drop 3 -o branch.jsonl",
)
@_record
@click.option("--insert", "inserts", metavar="POSITION: EVENT", multiple=True, help="Put an event in after another.")
@click.option("--drop", "drops", metavar="POSITION", multiple=True, help="Leave an event out: e12, or e12..e14.")
@click.option("--replace", "replaces", metavar="POSITION: EVENT", multiple=True, help="Put it in another's place.")
@click.option("--leave-out", is_flag=True, help="Leave out what became impossible, instead of ending there.")
@options.output
@_answering
def what_if(
    mechanic: _Mechanic,
    name: str,
    inserts: tuple[str, ...],
    drops: tuple[str, ...],
    replaces: tuple[str, ...],
    leave_out: bool,
    output: Path | None,
    as_json: bool,
) -> int:
    """Change some events of a record, replay the rest, and print what differs; exit code 1 if anything does."""
    game = _loaded(mechanic, name)
    branch = game.branch(*_edits(inserts, drops, replaces), leave_out=leave_out)
    if output is not None:
        with written(output) as stream:
            write(branch.events, stream)
    say = Speaker(mechanic)
    document = say.branch_document(branch)
    if as_json:
        print_json(document)
    else:
        for one in document["impossible"]:
            _say(_("event {event} became impossible: {reason}").format(**one))
        _tell_differences(say, game.differences(branch.game))
    return 1 if document["impossible"] or document["differences"] else 0


@click.command("bisect", epilog="\b\ndaynight bisect friday.jsonl")
@_record
@click.argument("part", required=False)
@click.argument("value", required=False)
@click.option("--subject", metavar="NAME", help="What the PART is asked of.")
@_answering
def bisect(
    mechanic: _Mechanic, name: str, part: str | None, value: str | None, subject: str | None, as_json: bool
) -> int:
    """Find the first event where a claim disagrees, or after which a PART has a VALUE; exit code 1 if found."""
    game, say = _loaded(mechanic, name), Speaker(mechanic)
    if part is None:
        first = min((finding.event for finding in game.audited().disputes), default=None)
        none = _("no event")
    elif value is None:
        raise AskedError(_("{part}: which value? Give it after the part").format(part=part))
    else:
        first, values = _first(game, say, part, subject, value)
        none = _("{part} is never {value} in this record; it is: {known}")
        none = none.format(part=say.named(part, subject), value=value, known=first_of(values, _LISTED))
    if as_json:
        print_json({"bad": first})
    elif first is None:
        _say(none)
    else:
        _say(f"{first:>5}  {mechanic.words.event(game.events[first - 1])}")
    return 0 if first is None else 1


def _first(game: Game, say: Speaker, part: str, subject: str | None, value: str) -> tuple[int | None, list[str]]:
    """Return the first event after which a part has or may have a value, and the values that it had before."""
    there = dict[str, None]()
    if part not in game.mechanic.parts:
        game.part(part)
    asked = game.mechanic.parts[part]
    for number in range(1, len(game) + 1):
        state = game.whole(number)
        found = asked.of(state, asked.meant(state, subject))
        values = [] if found is None else say.values(part, subject, found)
        if value in values:
            return number, [*there]
        there |= dict.fromkeys(values)
    if not there:
        game.part(part, subject)
    return None, [*there]


_LISTED = 12
"""The most values that are named."""


@click.command("chart", epilog="\b\ndaynight chart")
@click.pass_obj
def chart(mechanic: _Mechanic) -> int:
    """Print the state chart as a Mermaid diagram."""
    if mechanic.chart is None:
        raise AskedError(_("{mechanic} has no chart").format(mechanic=mechanic.name))
    click.echo(mechanic.chart.mermaid(), nl=False)
    return 0


def _with_examples(command: click.Command, *examples: str) -> click.Command:
    """Return a copy of a command with examples for any mechanic, which has no demo game and no table."""
    told = copy.copy(command)
    told.epilog = "\b\n" + "\n".join(f"daynight {command.name} {example}" for example in examples)
    return told


_COMMANDS = (
    log, replay, why, blame, audit, diff, what_if, bisect, schema, chart,
    record, import_, list_, backup,
    _with_examples(export, "friday -o friday.jsonl", "friday.jsonl -o friday.html", "--all -o archive.jsonl"),
    follow, key, migrate,
    _with_examples(serve, "friday.jsonl --port 0", "db:friday --db daynight.db"),
    verify,
)  # fmt: skip
