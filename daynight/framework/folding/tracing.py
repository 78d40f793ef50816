"""Finds the event that last changed a part, for states that do not keep its number."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from daynight.framework.folding.history import History
from daynight.framework.folding.standing import Standing
from daynight.framework.mechanic import Mechanic, Part

Key: TypeAlias = tuple[str, Any]
"""A part by its name and its subject."""


def since(
    mechanic: Mechanic[Any, Any, Any], history: History[Any, Any, Any], asked: dict[Key, int], number: int
) -> dict[Key, int]:
    """Return, for each part in `asked`, the last event up to event `number` that changed the part and was not undone.

    `asked` gives for each part the event at which the search begins. For a part that `lasts`, undone events count too.
    """
    standing = Standing()
    for at, event in enumerate(history.events[:number], 1):
        if (to := mechanic.restores(event)) is not None:
            standing.back_up(at, to)
    together: dict[object, _ReadTogether] = {}
    for key, earliest in sorted(asked.items(), key=lambda one: one[1]):
        part = mechanic.parts[key[0]]
        of = key if part.rests is None else (part.rests, key[1], part.lasts, earliest)
        together.setdefault(of, _ReadTogether(part.rests, key[1], part.lasts, earliest)).parts[key] = part
    found: dict[Key, int] = {}
    first = min(asked.values())
    for at, (_moment, state) in zip(range(first, number + 1), history.walk(first - 1), strict=False):
        stands = standing.stands(at, number + 1)
        for group in together.values():
            if group.earliest > at:
                break
            if stands or group.lasts:
                found |= dict.fromkeys(group.changed(state), at)
    return found


@dataclass(slots=True)
class _ReadTogether:
    """A part, or the parts that share a subject and a function `rests`; `values` are those that `changed` read last."""

    rests: Callable[[Any, Any], object] | None
    subject: Any
    lasts: bool
    earliest: int
    parts: dict[Key, Part[Any]] = field(default_factory=dict)
    rest: object = field(default_factory=object)
    values: dict[Key, Any] = field(default_factory=dict)

    def changed(self, state: Any) -> list[Key]:
        """Return the parts that changed since the last call: none if `rests` returns the same object as last time."""
        if self.rests is not None:
            before, self.rest = self.rest, self.rests(state, self.subject)
            if self.rest is before:
                return []
        were, self.values = self.values, {key: part.may_be(state, self.subject) for key, part in self.parts.items()}
        return [key for key, value in self.values.items() if value != were.get(key)]
