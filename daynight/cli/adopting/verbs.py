"""The verbs of `daynight adopt`: its own, and copies of the commands about records that take an aggregate's ID."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import click

from daynight.adapters.happened import moment_told
from daynight.cli.adopting import EXAMPLE
from daynight.cli.adopting.checking import check
from daynight.cli.adopting.following import follow
from daynight.cli.adopting.listing import list_
from daynight.cli.adopting.serving import serve
from daynight.cli.asking import tell
from daynight.cli.mechanics import audit, blame, replay, show, why
from daynight.cli.partings import bisect, diff, what_if
from daynight.cli.terminal.output import error_line
from daynight.framework.language.errors import AskedError
from daynight.framework.language.wording import _
from daynight.framework.positions import Position, PositionError

_LEFT_OUT = {"--db", "--key", "--keep", "--name"}
"""Options about a store of daynight, which the copied commands do not have."""

_EDITS = ("inserts", "drops", "replaces")
"""The parameters of what-if with the edits: one of them must be given."""

_WITHOUT_SUBJECT = {"why": ("subject",), "bisect": ("value", "of")}
"""The parameters that each command does not have here: an attribute belongs to its aggregate and needs no subject."""


def _moment(ctx: click.Context, param: click.Parameter, value: str | None) -> Position | None:
    if value is None:
        return None
    found = Position.timed(value)
    try:
        found = found or Position.parse(value)
    except PositionError:
        found = None
    if found is None or found.branch is not None:
        sentence = _("{text} is no position; write 18, e18 or {time}")
        raise AskedError(sentence.format(text=repr(value), time=_EXAMPLE_TIME))
    return found


_EXAMPLE_TIME = "2026-11-03T14:34"


_BISECT = """Find the first event with a wrong claim, or after which a PART has a VALUE; exit code 1 if found.

Without a PART, bisect finds the first claim that disagrees with the events before it, and says which later ones
disagree. With --run, it finds the first event that your test finds bad: it tests only some beginnings of the record,
and assumes that everything after a bad event is bad too."""


_AUDIT = """Compare every claim with what the events before it give; exit code 1 if some record is disputed.

A claim is what --says names, or a snapshot. Without an ID, all aggregates are audited."""

_HELP = {"audit": _AUDIT, "bisect": _BISECT}
"""The help of the commands whose help is another one under `daynight adopt`."""


def _of_aggregates(command: click.Command, *examples: str) -> click.Command:
    """Return a copy of a command about records that asks for an ID, accepts times, and has no options for stores."""
    told = copy.copy(command)
    no_subject = _WITHOUT_SUBJECT.get(command.name or "", ())
    own = [one for one in command.params if one.name not in no_subject]
    told.params = [_asking(one) for one in own if not _LEFT_OUT.intersection(one.opts)]
    told.epilog = "\b\n" + "\n".join(f"{EXAMPLE} {command.name} {one}".rstrip() for one in examples)
    left_out = {
        one.name: one.default for one in command.params if _LEFT_OUT.intersection(one.opts) and one.expose_value
    } | dict.fromkeys(no_subject)
    inner: Callable[..., Any] | None = command.callback
    assert inner is not None

    def without(*args: Any, **given: Any) -> Any:
        if command.name == "what-if" and not any(given[name] for name in _EDITS):
            raise AskedError(_("say what should be otherwise: --drop, --replace or --insert"))
        if not given.get("as_json"):
            _tell_times(given)
        if given.get("names") == ():
            given["names"] = tuple(one.id for one in click.get_current_context().obj.adopted.listed())
            if not given["names"]:
                error_line(_("the application has no aggregates"))
                return 0
        code: int = inner(*args, **_defaults(left_out), **given)
        if command.name == "audit":
            _tell_uncompared(given["names"])
        return code

    told.callback = without
    told.help = _HELP.get(command.name or "", told.help)
    return told


def _tell_uncompared(names: Iterable[str]) -> None:
    """Print which snapshots of these aggregates cannot be compared with their events, and why."""
    there = click.get_current_context().obj
    for record in map(there.record, names):
        for number, reason in there.adopted.uncompared(record):
            sentence = _("{id}: the snapshot after event {event} can't be compared: {reason}")
            error_line(sentence.format(id=record.id, event=number, reason=reason))


def _tell_times(given: Mapping[str, Any]) -> None:
    """Print which event a time means, and in which zone it was read."""
    there, left = click.get_current_context().obj, given.get("name") or given.get("left")
    for option, name in (("at", left), ("other", given.get("right"))):
        position = given.get(option)
        if position is not None and position.mark is not None:
            event = there.record(name).number(position)
            tell(_("{time}: event {event}").format(time=moment_told(position.mark), event=event))


def _defaults(left_out: Mapping[str, Any]) -> dict[str, Any]:
    return {
        str(name): default if isinstance(default, (str, bool)) else None for name, default in left_out.items() if name
    }


def _asking(one: click.Parameter) -> click.Parameter:
    told = copy.copy(one)
    if isinstance(one, click.Argument) and one.metavar in ("FILE", "FILE...", "OTHER"):
        told.metavar = one.metavar.replace("FILE", "ID")
        if one.nargs == -1:
            # Without an ID all aggregates, as `check` does.
            told.metavar, told.required = "[ID]...", False
    if isinstance(one, click.Argument) and one.name == "subject":
        told.metavar = "[VALUE]"
    if isinstance(one, click.Option) and {"--at", "--and"}.intersection(one.opts):
        told.callback = _moment
        if "--at" in one.opts and isinstance(told, click.Option):
            told = click.Option(
                ["--at", one.name or "at"], metavar="POSITION", callback=_moment,
                help=_("An event such as 18 or e18, or a time; by default the last event."),
            )  # fmt: skip
    return told


_EACH = (
    list_,
    _of_aggregates(show, "3fa8", "3fa8 --at 2026-11-03T14:34"),
    _of_aggregates(replay, "3fa8", "3fa8 --at 2"),
    _of_aggregates(why, "3fa8 balance", "3fa8 balance --at 2"),
    _of_aggregates(blame, "3fa8"),
    _of_aggregates(audit, "", "3fa8"),
    _of_aggregates(diff, "3fa8 3fa8 --at 2", "3fa8 51c0"),
    _of_aggregates(what_if, "3fa8 --drop 5"),
    _of_aggregates(bisect, "3fa8 balance 0.00"),
    check,
    follow,
    serve,
)


def _also(command: click.Command, name: str) -> click.Command:
    told = copy.copy(command)
    told.name = name
    return told


VERBS: dict[str, click.Command] = {command.name or "": command for command in _EACH}
VERBS["log"] = _also(VERBS["show"], "log")
"""The verbs by their names; `log` is another name of `show`."""
