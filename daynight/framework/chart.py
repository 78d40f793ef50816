"""A state chart as rows of data, from which it also makes a machine of the library `transitions`; for any mechanic.

A chart is a tuple of arcs. Each arc has a trigger, a state it leads from, a state it leads to, and a guard: a function
of the circumstances. A trigger changes nothing if none of its arcs leads from the state, or all their guards say no. A
chart builds its machine once, without automatic transitions; the machine gives the same answers, much more slowly.

States are flat: no mechanic here needs nested or parallel ones, and one that has two aspects keeps two charts.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from enum import Enum, EnumMeta
from functools import partial
from inspect import Signature, cleandoc, signature
from itertools import combinations
from typing import TYPE_CHECKING, Generic, Literal, TypeAlias, TypeVar

from transitions import Machine

from daynight.framework.language.errors import ImpossibleError
from daynight.framework.language.grammar import commas, either, uncapital
from daynight.framework.language.wording import _

if TYPE_CHECKING:
    from transitions.core import TransitionConfigDict
    from transitions.extensions.diagrams_base import GraphProtocol

S = TypeVar("S", bound=Enum)
C = TypeVar("C", bound=Hashable)

Guard: TypeAlias = Callable[[C], bool]
"""Returns whether the circumstances allow an arc: True or False, and nothing else."""

Engine: TypeAlias = Literal["mermaid", "graphviz", "pygraphviz"]

REMEMBERED = 4096
"""The most answers of `fire` that a chart keeps in its cache."""


@dataclass(frozen=True)
class Arc(Generic[S, C]):
    """One row of a chart: on `trigger`, the state `source` becomes `dest` if `guard(circumstances)` returns True."""

    trigger: str
    source: S
    dest: S
    guard: Guard[C]


class Chart(Generic[S, C]):
    """States, an initial one, and the arcs between them.

    `triggers`, if given, are all triggers that the caller will fire: each needs an arc, and each arc needs one of them.
    Circumstances must be hashable: a chart caches the first `REMEMBERED` answers, so a guard must depend on its
    argument alone. Once the cache is full, guards are called for each new question, which is about as fast.

    >>> class Lamp(Enum):
    ...     OFF = "off"
    ...     ON = "on"
    >>> def powered(volts: int) -> bool:
    ...     return volts > 100
    >>> chart = Chart(Lamp, Lamp.OFF, [Arc("press", Lamp.OFF, Lamp.ON, powered)])
    >>> chart.fire(Lamp.OFF, "press", 230)
    <Lamp.ON: 'on'>
    >>> chart.fire(Lamp.OFF, "press", 12) is None
    True
    >>> [guard.__name__ for guard in chart.refusals(Lamp.OFF, "press", 12)]
    ['powered']
    >>> chart.allowed(Lamp.OFF), chart.allowed(Lamp.ON)
    (('press',), ())
    >>> chart.fire(Lamp.OFF, "pres", 230)
    Traceback (most recent call last):
    ValueError: no arc has the trigger 'pres'; did you mean 'press'?

    Raises:
        ValueError: where a state is no member of `states` (a string, say), a guard can't be called with one argument,
            an arc can never be taken or can't be told from another one, a state can't be reached from `initial`, or
            `triggers` differs from the triggers of the arcs.
    """

    def __init__(
        self, states: type[S], initial: S, arcs: Iterable[Arc[S, C]], triggers: Iterable[str] | None = None
    ) -> None:
        if not isinstance(states, EnumMeta):
            raise ValueError(f"states: {states!r} is no Enum class; name each state as a member of one")
        self._kind = states
        self.states: Sequence[S] = tuple(states)
        self.initial = initial
        self.arcs: tuple[Arc[S, C], ...] = tuple(arcs)
        self._check()
        if triggers is not None:
            self._check_triggers(tuple(triggers))
        self.machine = Machine(
            model=None,
            states=list(self.states),
            initial=initial,
            transitions=self._rows(),
            auto_transitions=False,
            ignore_invalid_triggers=True,
        )
        self._rows_on: dict[str, list[tuple[S, Guard[C], S]]] = {arc.trigger: [] for arc in self.arcs}
        for arc in self.arcs:
            self._rows_on[arc.trigger].append((arc.source, arc.guard, arc.dest))
        self._answered: dict[tuple[S, str, C], S | None] = {}

    @property
    def name(self) -> str:
        """The name of the class of the states."""
        return self._kind.__name__

    def fire(self, state: S, trigger: str, circumstances: C) -> S | None:
        """Return the state after the trigger; None if no arc on it leads from `state`, or every guard says no.

        Raises:
            ValueError: where no arc of the chart has the trigger, or `state` is no member of the states.
            TypeError: where the circumstances can't be hashed, or a guard answers neither True nor False.
        """
        # Checked before the memory is asked: a member of a StrEnum equals its string as a key.
        if type(state) is not self._kind:
            raise ValueError(self._no_state(state))
        try:
            return self._answered[state, trigger, circumstances]
        except KeyError:
            pass
        except TypeError:
            told = f"circumstances: {circumstances!r} can't be hashed; give flags and numbers, or a NamedTuple of them"
            raise TypeError(told) from None
        answer = self._asked(state, trigger, circumstances)
        if len(self._answered) < REMEMBERED:
            self._answered[state, trigger, circumstances] = answer
        return answer

    def _asked(self, state: S, trigger: str, circumstances: C) -> S | None:
        """Return what `fire` returns, without its cache: call the guards in the order of the rows, up to a yes."""
        rows = self._rows_on.get(trigger)
        if rows is None:
            raise ValueError(misspelt("no arc has the trigger", trigger, self._rows_on))
        for source, guard, dest in rows:
            if source is not state:
                continue
            yes = guard(circumstances)
            if yes is True:
                return dest
            if yes is not False:
                raise TypeError(f"guard {_name(guard)}: it answered {yes!r}; answer True or False, as bool(...) does")
        return None

    def allowed(self, state: S) -> tuple[str, ...]:
        """Return the triggers of all arcs from `state`, each once, in the order of the rows.

        Raises:
            ValueError: where `state` is no member of the states.
        """
        if type(state) is not self._kind:
            raise ValueError(self._no_state(state))
        return tuple(self.machine.get_triggers(state))

    def refusals(self, state: S, trigger: str, circumstances: C) -> tuple[Guard[C], ...] | None:
        """Return why `fire` returns None: the guards that said no, in the order of the rows.

        The tuple is empty if a guard says yes, and `fire` returns a state. It is None if no guard was asked because no
        arc on `trigger` leads away from `state`: the trigger is not `allowed` there.

        Raises:
            ValueError, TypeError: as `fire`.
        """
        if self.fire(state, trigger, circumstances) is not None:
            return ()
        # Nothing changed, so every possible arc was tried, and its guard said no.
        return tuple([arc.guard for arc in self.arcs if (arc.source, arc.trigger) == (state, trigger)]) or None

    def advance(self, state: S, trigger: str, circumstances: C, *, path: str = "$.type") -> S:
        """Like `fire`, but raise an error where `fire` returns None, so that a `step` need not write the refusal.

        Raises:
            ImpossibleError: at `$.type`, where no arc on `trigger` leads from `state`: it lists the triggers that are
                allowed there. At `path`, where all guards said no: it lists the guards' docstrings as conditions, of
                which one is enough.
            ValueError, TypeError: as `fire`.
        """
        after = self.fire(state, trigger, circumstances)
        if after is not None:
            return after
        guards = self.refusals(state, trigger, circumstances)
        if guards is None:
            allowed = commas(self.allowed(state)) or _("nothing")
            sentence = _("{trigger} is not possible in {state}; possible: {allowed}")
            raise ImpossibleError(sentence.format(trigger=trigger, state=state.value, allowed=allowed), path="$.type")
        conditions = either(dict.fromkeys(map(_condition, guards)))
        sentence = _("{trigger} in {state} needs this: {conditions}")
        raise ImpossibleError(sentence.format(trigger=trigger, state=state.value, conditions=conditions), path=path)

    def table(self) -> Iterator[tuple[str, str, str, str]]:
        """Yield four texts for each row: source, dest, trigger, and the first paragraph of the guard's docstring."""
        for arc in self.arcs:
            yield arc.source.value, arc.dest.value, arc.trigger, _told(arc.guard)

    def get_graph(self, title: str = "", engine: Engine = "mermaid") -> GraphProtocol:
        """Return the chart as a graph of `transitions`, with the names of guards on the arrows.

        `get_graph().draw(None)` is a Mermaid diagram. The engines "graphviz" and "pygraphviz" write pictures, as in
        `get_graph(engine="graphviz").draw("chart.svg", prog="dot")`, and need the package of that name.
        """
        from transitions.extensions import GraphMachine  # Slow to import, and no replay draws.

        machine = GraphMachine(
            model=None,
            states=list(self.states),
            initial=self.initial,
            transitions=self._rows(),
            auto_transitions=False,
            show_conditions=True,
            show_auto_transitions=True,  # No chart has automatic transitions, but the library takes `to_...` for one.
            graph_engine=engine,
        )
        # Not the machine's own get_graph: it asks for a model, in which a trigger's name may hide something, and
        # colours the state that the model is in. A chart is in none.
        return machine.graph_cls(machine).get_graph(title=title or self._kind.__name__)

    def mermaid(
        self,
        label: Callable[[str], str] = str,
        name: Callable[[S], str] | None = None,
        words: Callable[[str], str] = str,
    ) -> str:
        """The chart as a bare Mermaid state diagram: an arrow for each row, in their order, with its guard in brackets.

        A guard is written as the first paragraph of its docstring, or its name. `label` returns the text of an arrow
        for a trigger; `words` translates the docstring of a guard; `name` returns the text for a state (default: its
        value).
        """
        # Not by get_graph: in transitions 0.9 it joins all arrows between two states into one, and always adds colours
        # and a title. Its labels fit, its lines do not.
        lines = ["stateDiagram-v2"]
        plain = {state: "_".join(str(state.value).split()) for state in self.states}  # Mermaid's names have no spaces.
        for state, known in plain.items():
            if (written := state.value if name is None else name(state)) != known:
                lines.append(f'    state "{written}" as {known}')
        lines.append(f"    [*] --> {plain[self.initial]}")
        for arc in self.arcs:
            written = _escaped(f"{label(arc.trigger)} [{_condition(arc.guard, words)}]")
            lines.append(f"    {plain[arc.source]} --> {plain[arc.dest]} : {written}")
        return "\n".join(lines) + "\n"

    def _rows(self) -> list[TransitionConfigDict]:
        """Return the arcs in the form that a machine of `transitions` takes."""
        return [
            {"trigger": arc.trigger, "source": arc.source, "dest": arc.dest, "conditions": arc.guard}
            for arc in self.arcs
        ]

    def _check(self) -> None:
        """Check the initial state, the arcs and their guards, and that every state can be reached.

        Raises:
            ValueError: for the reasons that the docstring of the class lists.
        """
        given = [("initial", self.initial)]
        for number, arc in enumerate(self.arcs, 1):
            given += [(f"arc {number}, source", arc.source), (f"arc {number}, dest", arc.dest)]
            if not callable(arc.guard):
                raise ValueError(f"arc {number}, guard: {arc.guard!r} can't be called; give a function")
            if (asked := _asked(arc.guard)) is not None:
                told = f"arc {number}, guard: {_name(arc.guard)}{asked} can't be called with the circumstances alone"
                raise ValueError(f"{told}; give a function of one argument")
        for place, state in given:
            if type(state) is not self._kind:
                raise ValueError(f"{place}: {self._no_state(state)}")
        for (first, one), (second, other) in combinations(enumerate(self.arcs, 1), 2):
            if (one.trigger, one.source) != (other.trigger, other.source):
                continue
            both = f"arcs {first} and {second} are doubled: from {one.source.name} on {one.trigger!r}"
            if one.guard == other.guard:
                raise ValueError(f"{both} they ask the same guard, so the second is never taken")
            if one.dest is other.dest and _name(one.guard) == _name(other.guard):
                raise ValueError(f"{both} both lead to {one.dest.name}, by guards of the same name, {_name(one.guard)}")
        reached = {self.initial}
        for _state in self.states:
            reached |= {arc.dest for arc in self.arcs if arc.source in reached}
        if lost := [state.name for state in self.states if state not in reached]:
            raise ValueError(f"no arcs lead from {self.initial.name} to {', '.join(lost)}")

    def _check_triggers(self, fired: tuple[str, ...]) -> None:
        there = dict.fromkeys(arc.trigger for arc in self.arcs)
        for trigger in fired:
            if trigger not in there:
                raise ValueError(misspelt("no arc has the trigger", trigger, there))
        for trigger in there:
            if trigger not in fired:
                raise ValueError(misspelt("an arc has a trigger that is not given:", trigger, fired))

    def _no_state(self, given: object) -> str:
        members = ", ".join(f"{self._kind.__name__}.{state.name}" for state in self.states)
        return f"{given!r} is no state of this chart; its states are {members}"


def _told(guard: Callable[..., bool]) -> str:
    """Return the first paragraph of a guard's docstring, in one line; nothing where it has none."""
    if isinstance(guard, partial):
        guard = guard.func  # Else it would be what Python's documentation says of `partial`.
    return " ".join(cleandoc(guard.__doc__ or "").partition("\n\n")[0].split())


def _condition(guard: Callable[..., bool], words: Callable[[str], str] = str) -> str:
    """Return a guard as a clause without a full stop: its docstring's first paragraph in `words`, or else its name."""
    told = _told(guard)
    return uncapital(words(told).rstrip(".\N{IDEOGRAPHIC FULL STOP}") if told else _name(guard))


def _escaped(text: str) -> str:
    """Escape a text for a Mermaid arrow: a colon or a semicolon would end it, and `#` would begin an escape."""
    return text.translate({ord(sign): f"#{ord(sign)};" for sign in "#:;"})


def _asked(guard: Callable[..., bool]) -> Signature | None:
    """Return the signature of a guard that can't be called with one argument; None if it can, or has no signature."""
    try:
        asked = signature(guard)
    except ValueError:
        return None  # Some functions written in C have no signature.
    try:
        asked.bind(None)
    except TypeError:
        return asked
    return None


def _name(guard: Callable[..., bool]) -> str:
    if isinstance(guard, partial):
        given = [*map(repr, guard.args), *[f"{name}={value!r}" for name, value in guard.keywords.items()]]
        return f"{_name(guard.func)}({', '.join(given)})"
    return getattr(guard, "__name__", str(guard))


def misspelt(problem: str, given: str, known: Collection[str]) -> str:
    """Return `problem`, the unknown name `given`, and the name of `known` that was probably meant (or all of them)."""
    near = get_close_matches(given, known, n=1)
    return f"{problem} {given!r}; " + (f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(known)}")
