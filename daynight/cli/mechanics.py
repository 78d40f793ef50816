"""A command line for any mechanic: `commands(mechanic)` is a group of commands with the exit codes of `daynight`.

The commands about stores are the very commands of `daynight`; those about one record are made here, from the parts and
the words of the mechanic.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any, NoReturn

import click

from daynight.cli.commands import run
from daynight.cli.keep.backup import backup
from daynight.cli.keep.export import export
from daynight.cli.keep.follow import follow
from daynight.cli.keep.key import key
from daynight.cli.keep.migrate import migrate
from daynight.cli.keep.verify import verify
from daynight.cli.shelves import importing, list_, recording
from daynight.cli.terminal import options, stored
from daynight.cli.terminal.output import print_json
from daynight.cli.terminal.together import each
from daynight.framework.edits import Edit, drop, insert, replace
from daynight.framework.language.codec import write
from daynight.framework.language.errors import AskedError, tame
from daynight.framework.language.schema import published
from daynight.framework.language.wording import _, counted
from daynight.framework.mechanic import Mechanic
from daynight.framework.recorded import Recorded
from daynight.keeping.files import written
from daynight.speaker import Speaker

Game = Recorded[Any, Any, Any]


class _Group(click.Group):
    """Commands that end with our exit codes, and with one line on standard error where something goes wrong."""

    def main(self, args: Sequence[str] | None = None, *more: Any, **named: Any) -> NoReturn:
        sys.exit(run(None if args is None else list(args), self, self.name or "daynight"))


def commands(mechanic: Mechanic[Any, Any, Any], extra: Iterable[click.Command] = ()) -> click.Group:
    """The command line of a mechanic. `extra` commands are added; one of the same name takes the place of ours.

    >>> from daynight.disputes.mechanic import GAME
    >>> sorted(commands(GAME).commands)[:5]
    ['audit', 'backup', 'bisect', 'blame', 'chart']
    """
    say = Speaker(mechanic)
    made = [make(mechanic, say) for make in _MAKERS]
    given = [*made, recording(mechanic), importing(mechanic), list_, *_SHARED, *extra]
    return _Group(
        mechanic.name,
        commands={command.name or "": command for command in given},
        context_settings={"help_option_names": ["-h", "--help"], "obj": mechanic},
        help=_("Records of {mechanic}: look at them, audit them, compare them, keep them.").format(
            mechanic=mechanic.name
        ),
    )


_SHARED = (backup, export, follow, key, migrate, verify)


def _loaded(mechanic: Mechanic[Any, Any, Any], name: str) -> Game:
    """The record of a file, of standard input (`-`), or of a store (`db:NAME`)."""
    if name.startswith("db:"):
        game: Game = stored.reading().load(name.removeprefix("db:"))
        return game
    source: Any = BytesIO(sys.stdin.buffer.read()) if name == "-" else Path(name)
    return Recorded.load(mechanic, source)


def _say(line: str) -> None:
    click.echo(tame(line))


_record = click.argument("name", metavar="FILE")
_at = options.at


def _log(mechanic: Mechanic[Any, Any, Any], say: Speaker) -> click.Command:
    @click.command("log")
    @_record
    @options.from_store
    @options.as_json
    def log(name: str, as_json: bool) -> int:
        """Print every event, and what followed from it."""
        game = _loaded(mechanic, name)
        if as_json:
            print_json(*game.table())
            return 0
        for moment in game:
            mark = " " if game.stands(moment.number) else "~"
            _say(f"{moment.number:>5}{mark} {mechanic.words.event(moment.event)}")
            for consequence in moment.consequences:
                _say(f"        → {mechanic.words.consequence(consequence)}")
        return 0

    return log


def _replay(mechanic: Mechanic[Any, Any, Any], say: Speaker) -> click.Command:
    @click.command("replay")
    @_record
    @_at
    @options.from_store
    @options.as_json
    def replay(name: str, at: Any, as_json: bool) -> int:
        """Print the state after an event: every part and its value."""
        game = _loaded(mechanic, name)
        parts = game.parts(at)
        if as_json:
            print_json({"event": game.number(at), "parts": [say.document(*part) for part in parts]})
        for part in () if as_json else parts:
            _say(say.part(*part))
        return 0

    return replay


def _why(mechanic: Mechanic[Any, Any, Any], say: Speaker) -> click.Command:
    @click.command("why")
    @_record
    @click.argument("part")
    @click.argument("subject", required=False)
    @_at
    @options.from_store
    @options.as_json
    def why(name: str, part: str, subject: str | None, at: Any, as_json: bool) -> int:
        """Explain a PART of the state: since when it is what it is, by which rule, because of which events."""
        game = _loaded(mechanic, name)
        found = game.part(part, subject, at)
        if as_json:
            print_json({"event": game.number(at)} | say.document(part, subject, found))
            return 0
        _say(say.part(part, subject, found))
        _say(f"  {say.why(found)}")
        for number in found.because:
            _say(f"  {number:>5}  {mechanic.words.event(game.events[number - 1])}")
        return 0

    return why


def _blame(mechanic: Mechanic[Any, Any, Any], say: Speaker) -> click.Command:
    @click.command("blame")
    @_record
    @_at
    @options.from_store
    @options.as_json
    def blame(name: str, at: Any, as_json: bool) -> int:
        """Print for each part of the state which event and which rule set it."""
        game = _loaded(mechanic, name)
        if as_json:
            print_json({"event": game.number(at), "parts": [say.document(*part) for part in game.parts(at)]})
        for part in () if as_json else game.parts(at):
            _say(f"{say.part(*part)}  ({say.why(part.derived)})")
        return 0

    return blame


def _audit(mechanic: Mechanic[Any, Any, Any], say: Speaker) -> click.Command:
    @click.command("audit")
    @click.argument("names", metavar="FILE...", nargs=-1, required=True)
    @options.from_store
    @options.as_json
    def audit(names: tuple[str, ...], as_json: bool) -> int:
        """Compare every claim and ruling with the rules; exit code 1 if some record is disputed."""

        def one(name: str) -> int:
            game = _loaded(mechanic, name)
            found = game.audited()
            differ = [finding for finding in found.findings if finding.right is False]
            if as_json:
                document = {"record": name, "events": len(game), "verdict": found.verdict}
                document["findings"] = [say.finding_document(finding) for finding in differ]
                document["unsettled"] = [say.finding_document(finding) for finding in found.unsettled]
                print_json(document)
            else:
                events = counted("{n} event", "{n} events", len(game)).format(n=len(game))
                _say(f"{name}: {_VERDICTS[found.verdict]()}, {events}")
                for finding in found.findings:
                    mark = "~" if finding.undone else "?" if finding.right is None else "✗"
                    _say(f"  {mark} {say.finding(finding)}")
            return 1 if found.verdict == "disputed" else 0

        return each(names, one)

    return audit


_VERDICTS: dict[str, Callable[[], str]] = {
    "disputed": lambda: _("disputed"),
    "exact": lambda: _("exact"),
    "unverified": lambda: _("unverified"),
}


def _diff(mechanic: Mechanic[Any, Any, Any], say: Speaker) -> click.Command:
    @click.command("diff")
    @click.argument("left", metavar="FILE")
    @click.argument("right", metavar="OTHER")
    @click.option("--at", metavar="POSITION", callback=options.position, help="The moment of FILE; its last if none.")
    @click.option("--and", "other", metavar="POSITION", callback=options.position, help="The moment of OTHER.")
    @options.from_store
    @options.as_json
    def diff(left: str, right: str, at: Any, other: Any, as_json: bool) -> int:
        """Print the parts in which two records, or two moments, differ; exit code 1 if any does."""
        found = _loaded(mechanic, left).differences(_loaded(mechanic, right), at, other)
        if as_json:
            print_json({"differences": say.differences_document(found)})
        else:
            _tell(say, found)
        return 1 if found else 0

    return diff


def _tell(say: Speaker, found: Sequence[Any]) -> None:
    for one in found:
        other = say.value(one.part, one.subject, one.right)
        _say(f"{say.part(one.part, one.subject, one.left)} / {other}")


def _edits(inserts: Sequence[str], drops: Sequence[str], replaces: Sequence[str]) -> list[Edit]:
    edits = []
    for make, texts in ((insert, inserts), (replace, replaces)):
        for text in texts:
            place, colon, event = text.partition(": ")
            if not colon:
                raise AskedError(
                    _("{text}: expected a position, a colon and an event, as in {example}").format(
                        text=repr(text), example='e10: {"type": ...}'
                    )
                )
            edits.append(make(place, event))
    for text in drops:
        first, dots, last = text.partition("..")
        edits.append(drop(first, last if dots else None))
    return edits


def _what_if(mechanic: Mechanic[Any, Any, Any], say: Speaker) -> click.Command:
    @click.command("what-if")
    @_record
    @click.option(
        "--insert", "inserts", metavar="POSITION: EVENT", multiple=True, help="Put an event in after another."
    )
    @click.option("--drop", "drops", metavar="POSITION", multiple=True, help="Leave an event out: e12, or e12..e14.")
    @click.option("--replace", "replaces", metavar="POSITION: EVENT", multiple=True, help="Put it in another's place.")
    @click.option("--leave-out", is_flag=True, help="Leave out what became impossible, instead of ending there.")
    @options.output
    @options.from_store
    @options.as_json
    def what_if(
        name: str,
        inserts: tuple[str, ...],
        drops: tuple[str, ...],
        replaces: tuple[str, ...],
        leave_out: bool,
        output: Path | None,
        as_json: bool,
    ) -> int:
        """Change some events of a record, replay the rest, and print what differs at the end."""
        game = _loaded(mechanic, name)
        branch = game.branch(*_edits(inserts, drops, replaces), leave_out=leave_out)
        if output is not None:
            with written(output) as stream:
                write(branch.events, stream)
        if as_json:
            print_json(say.branch_document(branch))
            return 0
        for one in (*branch.left_out, *([] if branch.stopped is None else [branch.stopped])):
            _say(_("event {event} became impossible: {reason}").format(event=one.number, reason=one.reason))
        _tell(say, game.differences(branch.game))
        return 0

    return what_if


def _bisect(mechanic: Mechanic[Any, Any, Any], say: Speaker) -> click.Command:
    @click.command("bisect")
    @_record
    @click.argument("part", required=False)
    @click.argument("value", required=False)
    @click.option("--subject", metavar="NAME", help="What the PART is asked of.")
    @options.from_store
    @options.as_json
    def bisect(name: str, part: str | None, value: str | None, subject: str | None, as_json: bool) -> int:
        """Find the first event where a claim disagrees, or after which a PART has a VALUE; exit code 1 if found."""
        game = _loaded(mechanic, name)
        if part is None:
            first = min((finding.event for finding in game.audited().disputes), default=None)
        else:
            if part not in mechanic.parts:
                game.part(part)

            def is_so(number: int) -> bool:
                found = mechanic.parts[part].of(game.whole(number), subject)
                return found is not None and value in say.value(part, subject, found).split(" / ")

            first = next((number for number in range(1, len(game) + 1) if is_so(number)), None)
        if as_json:
            print_json({"bad": first})
        elif first is None:
            _say(_("no event"))
        else:
            _say(f"{first:>5}  {mechanic.words.event(game.events[first - 1])}")
        return 0 if first is None else 1

    return bisect


def _schema(mechanic: Mechanic[Any, Any, Any], say: Speaker) -> click.Command:
    @click.command("schema")
    def schema() -> int:
        """Print the JSON Schema of one line of a record."""
        click.echo(published(mechanic.language.schema()), nl=False)
        return 0

    return schema


def _chart(mechanic: Mechanic[Any, Any, Any], say: Speaker) -> click.Command:
    @click.command("chart")
    def chart() -> int:
        """Print the state chart as a Mermaid diagram."""
        if mechanic.chart is None:
            raise AskedError(_("{mechanic} has no chart").format(mechanic=mechanic.name))
        click.echo(mechanic.chart.mermaid(), nl=False)
        return 0

    return chart


_MAKERS = (_log, _replay, _why, _blame, _audit, _diff, _what_if, _bisect, _schema, _chart)
