"""`daynight adopt`: the debugger for an application of `eventsourcing` that already exists."""

from __future__ import annotations

import sys
from collections.abc import MutableMapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from daynight.cli.adopting import EXAMPLE
from daynight.cli.terminal.output import error_line
from daynight.framework.language.errors import AskedError
from daynight.framework.language.wording import _

if TYPE_CHECKING:
    from daynight.adapters.eventsourcing import Adopted, Aggregate

_HELP = {"-h", "--help"}


class Application:
    """The application that the command line names; it is imported on first use."""

    def __init__(self, **asked: Any) -> None:
        self.asked = asked
        self._records: dict[str, Aggregate] = {}

    @cached_property
    def adopted(self) -> Adopted:
        """The application and its database, opened on first use."""
        from daynight.adapters.eventsourcing import adopt as adopted

        # As `python -m` does: a module in this folder is found.
        if "" not in sys.path and str(Path.cwd()) not in sys.path:
            sys.path.insert(0, str(Path.cwd()))
        return adopted(**self.asked)

    def record(self, name: str) -> Aggregate:
        """Return the record of an aggregate; on reading it, print where it ends early and why its state is unknown."""
        if name not in self._records:
            if len(self._records) > 1:
                # No verb compares more than two, and some take all that there are.
                del self._records[next(iter(self._records))]
            found = self._records[name] = self.adopted.record(name)
            if found.stops is not None:
                sentence = _("{id}: the record ends before event {event}: {reason}")
                error_line(sentence.format(id=found.id, event=found.stops.event, reason=found.stops.sentence))
            if found.lost is not None:
                error_line(_("{id}: the state is not known: {reason}").format(id=found.id, reason=found.lost))
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
    """A group whose options may also stand after its argument. The verbs are loaded on first use."""

    _verbs: MutableMapping[str, click.Command] | None = None

    @property
    def commands(self) -> MutableMapping[str, click.Command]:
        """The verbs by their names."""
        if self._verbs is None:
            from daynight.cli.adopting.verbs import VERBS

            return VERBS
        return self._verbs

    @commands.setter
    def commands(self, verbs: MutableMapping[str, click.Command]) -> None:  # pyright: ignore[reportIncompatibleVariableOverride]
        # Click begins with an empty one.
        self._verbs = None if type(verbs) is dict and not verbs else verbs

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
        left = super().parse_args(ctx, args)
        if ctx.params.get("application") in self.commands:
            sentence = _("{verb} stands where the application should: write MODULE:APPLICATION before it")
            raise AskedError(sentence.format(verb=ctx.params["application"]))
        return left

    def _takes_value(self, option: str) -> bool:
        found = [one for one in self.params if isinstance(one, click.Option) and option in one.opts]
        return any(not one.is_flag for one in found)


@click.group(
    cls=_Group,
    subcommand_metavar="COMMAND [ARGS]...",
    epilog=f"\b\n{EXAMPLE} list\n{EXAMPLE} why 3fa8 balance\n{EXAMPLE} check",
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
    help="Take the FIELD of each such EVENT as a claim: the value of ATTRIBUTE after the event.",
)
@click.option(
    "--project",
    metavar="MODULE:FUNCTION",
    help="The function that applies an event to an aggregate, for events that have no method mutate.",
)
@click.option(
    "--immutable", is_flag=True, help="No program writes to the file meanwhile; then SQLite creates no files beside it."
)
@click.pass_context
def adopt(ctx: click.Context, /, application: str, **asked: Any) -> None:
    """Debug an application of eventsourcing.

    adopt replays the stored events of an application to answer questions: why and since when an attribute has its
    value, what would differ if an event were another one, and whether each replay gives the same state.

    MODULE:APPLICATION is imported from this folder, or from where Python finds it; daynight changes none of its code,
    and writes nothing to its database. Its settings and its key are read from the environment, as it reads them itself.

    An aggregate is a record: ID is its id, or the beginning of one. Its attributes are the parts that you can ask
    about. A moment is the number of an event, or a time such as 2026-11-03T14:34; a time without a zone is yours.
    """
    ctx.obj = Application(application=application, **asked)
