"""`daynight adopt`: the debugger for an application of `eventsourcing` that already exists."""

from __future__ import annotations

import copy
import re
import sys
from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from daynight.cli.adopting.checking import check
from daynight.cli.adopting.listing import list_
from daynight.cli.mechanics import audit, blame, replay, show, why
from daynight.cli.partings import bisect, diff, what_if
from daynight.cli.terminal.output import error_line
from daynight.framework.language.errors import AskedError
from daynight.framework.language.wording import _
from daynight.framework.positions import Position

if TYPE_CHECKING:
    from daynight.adapters.eventsourcing import Adopted, Aggregate

_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}([T ].*)?")
_LEFT_OUT = {"--db", "--key", "--keep", "--name"}
"""Options of the commands that are about a store of daynight."""

_HELP = {"-h", "--help"}

_EXAMPLE = "daynight adopt bank:BankAccounts --db bank.db"


class Application:
    """The application that the command line names; it is imported when it is first asked."""

    def __init__(self, **asked: Any) -> None:
        self.asked = asked
        self._records: dict[str, Aggregate] = {}

    @cached_property
    def adopted(self) -> Adopted:
        """The application."""
        from daynight.adapters.eventsourcing import adopt as adopted

        # As `python -m` does: a module in this folder is found.
        if "" not in sys.path and str(Path.cwd()) not in sys.path:
            sys.path.insert(0, str(Path.cwd()))
        return adopted(**self.asked)

    def record(self, name: str) -> Aggregate:
        """Return the record of an aggregate, and say where it ends early."""
        if name not in self._records:
            found = self._records[name] = self.adopted.record(name)
            if found.stops is not None:
                sentence = _("{id}: the record ends before event {event}: {reason}")
                error_line(sentence.format(id=found.id, event=found.stops.event, reason=found.stops.sentence))
        return self._records[name]


def _says(
    ctx: click.Context, param: click.Parameter, values: tuple[str, ...]
) -> dict[str, list[tuple[str, str]]] | None:
    found: dict[str, list[tuple[str, str]]] = {}
    for text in values:
        event, colon, claim = text.partition(":")
        attribute, equals, field = claim.partition("=")
        if not (colon and equals and event.strip() and attribute.strip() and field.strip()):
            sentence = _("--says {text}: expected EVENT:ATTRIBUTE=FIELD, as in Debited:balance=balance_after")
            raise AskedError(sentence.format(text=repr(text)))
        found.setdefault(event.strip(), []).append((attribute.strip(), field.strip()))
    return found or None


class _Group(click.Group):
    """A group whose options may stand after its argument, too: before the verb."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args and args[0] in self.commands and _HELP.intersection(args):
            # The help of a verb needs no application.
            args = ["--db", ".", "-", *args]
        elif args and not args[0].startswith("-"):
            named, *rest = args
            place = 0
            while place < len(rest) and rest[place].startswith("-"):
                place += 2 if self._takes_value(rest[place]) else 1
            args = [*rest[:place], named, *rest[place:]]
        return super().parse_args(ctx, args)

    def _takes_value(self, option: str) -> bool:
        found = [one for one in self.params if isinstance(one, click.Option) and option in one.opts]
        return any(not one.is_flag for one in found)


@click.group(
    cls=_Group,
    subcommand_metavar="COMMAND [ARGS]...",
    epilog=f"\b\n{_EXAMPLE} list\n{_EXAMPLE} why 3fa8 balance\n{_EXAMPLE} check",
)
@click.argument("application", metavar="MODULE:APPLICATION")
@click.option(
    "--db",
    metavar="PLACE",
    required=True,
    help="The application's database: a file of SQLite, or postgresql://...; it is only read.",
)
@click.option("--also", metavar="PACKAGE", multiple=True, help="A further package whose classes the events may name.")
@click.option("--hide", metavar="NAME", multiple=True, help="A field or an attribute whose values are never shown.")
@click.option(
    "--says",
    metavar="EVENT:ATTRIBUTE=FIELD",
    multiple=True,
    callback=_says,
    help="An event claims an attribute: its field has the value afterwards.",
)
@click.option(
    "--project", metavar="MODULE:FUNCTION", help="What takes an aggregate over events that have no method mutate."
)
@click.option(
    "--immutable", is_flag=True, help="Nobody writes to the file meanwhile; then SQLite makes nothing beside it."
)
@click.pass_context
def adopt(ctx: click.Context, /, application: str, **asked: Any) -> None:
    """Debug an application of eventsourcing.

    Ask why, since when, what if, and whether it would say the same tomorrow.

    MODULE:APPLICATION is imported from this folder, or from where Python finds it; no line of it changes, and nothing
    is written to its database. Its settings and its key are read from the environment, as it reads them itself.

    An aggregate is a record: ID is its id, or the beginning of one. Its attributes are the parts that can be asked
    about. A moment is the number of an event, or a time such as 2026-11-03T14:34; a time without a zone is yours.
    """
    ctx.obj = Application(application=application, **asked)


def _moment(ctx: click.Context, param: click.Parameter, value: str | None) -> Position | None:
    if value is None:
        return None
    return Position(mark=value.strip()) if _TIME.fullmatch(value.strip()) else Position.parse(value, (_EXAMPLE_TIME,))


_EXAMPLE_TIME = "2026-11-03T14:34"


def _of_aggregates(command: click.Command, *examples: str) -> click.Command:
    """Return a copy of a command about records: it asks for an ID, takes times, and knows no store of daynight."""
    told = copy.copy(command)
    told.params = [_asking(one) for one in command.params if not _LEFT_OUT.intersection(one.opts)]
    told.epilog = "\b\n" + "\n".join(f"{_EXAMPLE} {command.name} {one}".rstrip() for one in examples)
    left_out = {
        one.name: one.default for one in command.params if _LEFT_OUT.intersection(one.opts) and one.expose_value
    }
    inner: Callable[..., Any] | None = command.callback
    assert inner is not None

    def without(*args: Any, **given: Any) -> Any:
        return inner(*args, **_defaults(left_out), **given)

    told.callback = without
    return told


def _defaults(left_out: Mapping[str, Any]) -> dict[str, Any]:
    return {
        str(name): default if isinstance(default, (str, bool)) else None for name, default in left_out.items() if name
    }


def _asking(one: click.Parameter) -> click.Parameter:
    told = copy.copy(one)
    if isinstance(one, click.Argument) and one.metavar in ("FILE", "FILE...", "OTHER"):
        told.metavar = one.metavar.replace("FILE", "ID")
    if isinstance(one, click.Option) and {"--at", "--and"}.intersection(one.opts):
        told.callback = _moment
        if "--at" in one.opts and isinstance(told, click.Option):
            told = click.Option(
                ["--at", one.name or "at"], metavar="POSITION", callback=_moment,
                help=_("An event such as 18 or e18, or a time; by default the last event."),
            )  # fmt: skip
    return told


for _command in (
    list_,
    _of_aggregates(show, "3fa8", "3fa8 --at 2026-11-03T14:34"),
    _of_aggregates(replay, "3fa8", "3fa8 --at 2"),
    _of_aggregates(why, "3fa8 balance", "3fa8 balance --at 2"),
    _of_aggregates(blame, "3fa8"),
    _of_aggregates(audit, "3fa8"),
    _of_aggregates(diff, "3fa8 3fa8 --at 2", "3fa8 51c0"),
    _of_aggregates(what_if, "3fa8 --drop 5"),
    _of_aggregates(bisect, "3fa8 balance 0.00"),
    check,
):
    adopt.add_command(_command)

_log = copy.copy(adopt.commands["show"])
_log.name = "log"
adopt.add_command(_log)
