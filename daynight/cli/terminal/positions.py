"""Completes positions: the turns of the record that a command line names, and the steps of a turn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress

import click
from click.shell_completion import CompletionItem

from daynight.events import Event, StepBegan, TurnBegan, read
from daynight.framework.language.errors import DaynightError
from daynight.records import Record

_TURN = "turn:"


def a_mark(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete turns (`turn:4`) and, behind a slash, steps (`turn:4/untap`) of the record that the line names."""
    if not (incomplete.startswith(_TURN) or _TURN.startswith(incomplete)):
        return []
    with suppress(DaynightError, OSError, click.UsageError), ctx.scope():
        for record in _records(ctx):
            with record.open() as stream:
                found = dict.fromkeys(_marks(read(stream), steps="/" in incomplete))
            return [CompletionItem(mark) for mark in found if mark.startswith(incomplete)]
    return []


def _records(ctx: click.Context) -> Iterator[Record]:
    """Yield the records that the line names before the word that is completed."""
    for argument in (one for one in ctx.command.params if isinstance(one, click.Argument)):
        value = ctx.params.get(argument.name or "")
        if not value and ctx.args:
            # click gives an argument its value only where the line is whole.
            value = argument.type.convert(ctx.args[0], argument, ctx)
        yield from (one for one in (value if isinstance(value, tuple) else (value,)) if isinstance(one, Record))
        return


def _marks(events: Iterable[Event], *, steps: bool) -> Iterator[str]:
    turn = None
    for event in events:
        if isinstance(event, TurnBegan):
            turn = event.turn
            if not steps:
                yield f"{_TURN}{turn}"
        elif steps and turn is not None and isinstance(event, StepBegan):
            yield f"{_TURN}{turn}/{event.step}"
