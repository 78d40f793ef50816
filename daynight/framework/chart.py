"""A state chart as rows of data, run by one shared `transitions` machine. It knows no game.

A chart is a tuple of arcs. Each arc has a trigger, where it leads from and to, and a guard: a typed function of
the circumstances. The machine is built once for each chart, without automatic transitions; a trigger that has no
arc from where one stands, or whose guards all say no, changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Generic, TypeVar

from transitions import Machine

S = TypeVar("S", bound=Enum)
C = TypeVar("C", bound=Hashable)

REMEMBERED = 4096
"""How many of the machine's answers a chart remembers at the most."""


@dataclass(frozen=True)
class Arc(Generic[S, C]):
    """One row: on `trigger`, in `source`, if the `guard` holds, the state becomes `dest`."""

    trigger: str
    source: S
    dest: S
    guard: Callable[[C], bool]


class _Subject(Generic[S, C]):
    """What the shared machine works on for the length of one change."""

    __slots__ = ("circumstances", "state")

    def __init__(self, state: S, circumstances: C) -> None:
        self.state = state
        self.circumstances = circumstances


class Chart(Generic[S, C]):
    """States, an initial one, and the arcs between them.

    Circumstances are hashable values of which there are few (flags, small numbers): what the machine answered
    to a question once is remembered, for its calls are slow and its answer is a function of the question.

    >>> class Lamp(Enum):
    ...     OFF = "off"
    ...     ON = "on"
    >>> chart = Chart(Lamp, Lamp.OFF, [Arc("press", Lamp.OFF, Lamp.ON, lambda powered: powered)])
    >>> chart.fire(Lamp.OFF, "press", True)
    <Lamp.ON: 'on'>
    >>> chart.fire(Lamp.OFF, "press", False) is None
    True
    """

    def __init__(self, states: type[S], initial: S, arcs: Iterable[Arc[S, C]]) -> None:
        self.states: Sequence[S] = tuple(states)
        self.initial = initial
        self.arcs: tuple[Arc[S, C], ...] = tuple(arcs)
        self.machine = Machine(
            model=None,
            states=list(self.states),
            initial=initial,
            transitions=[
                {"trigger": arc.trigger, "source": arc.source, "dest": arc.dest, "conditions": _asked(arc.guard)}
                for arc in self.arcs
            ],
            auto_transitions=False,
            send_event=True,
            ignore_invalid_triggers=True,
            model_attribute="state",
        )
        self._answered: dict[tuple[S, str, C], S | None] = {}

    def fire(self, state: S, trigger: str, circumstances: C) -> S | None:
        """The state after the trigger's change, or None where no arc leads from here or no guard holds."""
        question = (state, trigger, circumstances)
        try:
            return self._answered[question]
        except KeyError:
            subject = _Subject(state, circumstances)
            changed = self.machine.events[trigger].trigger(subject)
            answer = subject.state if changed else None
            if len(self._answered) < REMEMBERED:
                self._answered[question] = answer
            return answer

    def table(self) -> Iterator[tuple[str, str, str, str]]:
        """The rows as words: from, to, trigger and the guard's own sentence (its docstring)."""
        for arc in self.arcs:
            yield arc.source.value, arc.dest.value, arc.trigger, " ".join((arc.guard.__doc__ or "").split())

    def mermaid(self, label: Callable[[str], str] = str, name: Callable[[S], str] | None = None) -> str:
        """The chart as a Mermaid state diagram.

        `label` turns a trigger into what is written on the arrow; `name` a state into what is written in it, where that
        is not its value.
        """
        lines = ["stateDiagram-v2"]
        for state in self.states:
            if name is not None and (written := name(state)) != state.value:
                lines.append(f'    state "{written}" as {state.value}')
        lines.append(f"    [*] --> {self.initial.value}")
        lines += [f"    {arc.source.value} --> {arc.dest.value} : {label(arc.trigger)}" for arc in self.arcs]
        return "\n".join(lines) + "\n"


def _asked(guard: Callable[[C], bool]) -> Callable[[Any], bool]:
    """The guard as `transitions` calls it: with the event's data, the circumstances inside."""

    def condition(data: Any) -> bool:
        return guard(data.model.circumstances)

    return condition
