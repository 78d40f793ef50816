"""Writes edits as options of `daynight what-if`, ready to be pasted."""

from __future__ import annotations

from collections.abc import Iterable

from daynight.events.actions import EffectResolved, StepBegan
from daynight.events.language import Recordable, strictly
from daynight.framework.edits import Edit
from daynight.framework.language.codec import encode


def options(edits: Iterable[Edit]) -> list[str]:
    """Return the edits as words of a command line.

    >>> from daynight.framework.edits import insert
    >>> options([insert(5, EffectResolved(becomes="day"))])
    ['--insert', 'e5: it becomes day']
    """
    return [word for edit in edits for word in _options(edit)]


def _options(edit: Edit) -> tuple[str, ...]:
    at = f"e{edit.at}" if isinstance(edit.at, int) else str(edit.at or "")
    if edit.kind == "drop":
        return ("--drop", at if edit.last is None else f"{at}..{edit.last}")
    events = [f"{at}: {_words(event)}" if at else _words(event) for event in edit.events]
    return tuple(word for event in events for word in (f"--{edit.kind}", event))


_SHORT = (
    (EffectResolved(becomes="day"), "it becomes day"),
    (EffectResolved(becomes="night"), "it becomes night"),
    (StepBegan(step="untap"), "untap"),
)
"""Pairs: an event that names no player and no permanent, and the short words for it."""


def _words(event: Recordable) -> str:
    if isinstance(event, str):
        return event
    strict = strictly(event)
    # An event is compared: its `meta` cannot be hashed.
    return next((words for short, words in _SHORT if short == strict), None) or encode(strict).decode()
