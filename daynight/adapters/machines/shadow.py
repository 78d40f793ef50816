"""A machine of `transitions` with the states and the ways of another one, and none of its callbacks.

Its guards return their recorded answers. So a replay has no side effects.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from enum import Enum
from typing import Any, NamedTuple

from transitions import Machine, MachineError, State
from transitions.core import Condition, Event, Transition
from transitions.extensions.nesting import HierarchicalMachine, NestedEvent, NestedState, NestedTransition

from daynight.adapters.machines.forms import Form, FormState, FormWay, form_of, guard_name
from daynight.framework.language.wording import _

Answers = Sequence[tuple[str, bool]]
"""The names of the guards that were called during a trigger, in order, each with what it returned."""


class RefusedError(Exception):
    """The shadow refuses a trigger; the message says why."""


class Shadow:
    """A machine built from a form: its states and ways, without callbacks."""

    def __init__(self, form: Form) -> None:
        self.form = form
        self.separator = form.separator
        self.nested = bool(self.separator)
        self._machine = _built(form)
        self._asked = _Asked()
        for transition in _ways(self._machine):
            transition.conditions = [_Answering(one, self._asked) for one in transition.conditions]

    def taken(self, state: Any, trigger: str, answers: Answers) -> Any:
        """Return the state after a trigger, in the form of `spelled`; the same state if no way is taken.

        Raises:
            RefusedError: where the trigger is not possible in that state, or asks a guard without a recorded answer.
        """
        model = _Model()
        model.state = listed(state)
        self._asked.begin(answers)
        try:
            if self.nested:
                self._machine.trigger_event(model, trigger)
            elif trigger not in self._machine.events:
                raise RefusedError(_("the machine has no trigger {trigger}").format(trigger=repr(trigger)))
            else:
                self._machine.events[trigger].trigger(model)
        except (MachineError, AttributeError, ValueError, KeyError) as error:
            raise RefusedError(str(getattr(error, "value", error))) from None
        return spelled(self._machine, model)

    def triggers(self) -> list[str]:
        """Return the names of all triggers, in their order."""
        return [*dict.fromkeys(event.name for event in _events(self._machine))]

    def states(self) -> list[str]:
        """Return the names of all states, each before its nested states."""
        return [*_names(self._machine.states, "", self.separator)]

    def declared(self) -> list[Declared]:
        """Return all ways, in their order."""
        return [*_declared(self._machine, "", self.separator, self.form.attribute)]


def shadow_of(machine: Machine) -> Shadow:
    """Return the shadow of a machine as it is now."""
    nested = isinstance(machine, HierarchicalMachine)
    return Shadow(form_of(machine, getattr(machine.state_cls, "separator", "") if nested else ""))


class Declared(NamedTuple):
    """A declared way. `guards`: names, and answers that let it be taken. `is_automatic`: the library created it."""

    trigger: str
    source: str
    dest: str | None
    guards: tuple[tuple[str, bool], ...]
    is_automatic: bool


def _names(states: Any, prefix: str, separator: str) -> Iterator[str]:
    for name, state in states.items():
        yield f"{prefix}{name}"
        yield from _names(getattr(state, "states", {}), f"{prefix}{name}{separator}", separator)


def _declared(there: Any, prefix: str, separator: str, attribute: str) -> Iterator[Declared]:
    for event in there.events.values():
        for several in event.transitions.values():
            for one in several:
                guards = tuple((guard_name(each.func), each.target) for each in one.conditions)
                dest = None if one.dest is None else f"{prefix}{one.dest}"
                to = event.name[2:].strip("_.") if event.name.startswith("to") else None
                automatic = dest is not None and to in (dest, f"{attribute}_{dest}")
                yield Declared(event.name, f"{prefix}{one.source}", dest, guards, automatic)
    for name, state in there.states.items():
        if hasattr(state, "events"):
            yield from _declared(state, f"{prefix}{name}{separator}", separator, attribute)


class _Model:
    state: Any


class _Asked:
    """The recorded answers for the trigger that is being replayed."""

    def __init__(self) -> None:
        self._left: list[tuple[str, bool]] = []
        self._all: dict[str, bool] = {}

    def begin(self, answers: Answers) -> None:
        self._left, self._all = list(answers), dict(answers)

    def answer(self, guard: str) -> bool:
        for place, (name, answer) in enumerate(self._left):
            if name == guard:
                del self._left[place]
                return answer
        if guard in self._all:
            return self._all[guard]
        sentence = _("nobody asked {guard}() then; put its answer into guards")
        raise RefusedError(sentence.format(guard=guard))


class _Answering(Condition):
    """A guard that returns its recorded answer."""

    def __init__(self, own: Condition, asked: _Asked) -> None:
        super().__init__(guard_name(own.func), own.target)
        self._asked = asked

    def check(self, event_data: Any) -> bool:
        """Return whether the recorded answer lets the way be taken."""
        return self._asked.answer(guard_name(self.func)) == self.target


def listed(state: Any) -> Any:
    """Return a state as the library holds it: a name unchanged, nested tuples of names as nested lists."""
    return [listed(one) for one in state] if isinstance(state, (list, tuple)) else state


def spelled(machine: Any, model: Any) -> Any:
    """Return the state of a model: its name, or a nested list of names if several states are active at once."""
    value = getattr(model, "state" if type(model) is _Model else machine.model_attribute)
    return value if type(value) is str else _spelled(machine, value)


def _spelled(machine: Any, value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return [_spelled(machine, one) for one in value]
    if isinstance(value, Enum):
        if isinstance(machine, HierarchicalMachine):
            path = machine._get_enum_path(value)
            return machine.state_cls.separator.join(path)
        return value.name
    return value.name if isinstance(value, State) else str(value)


def _built(form: Form) -> Any:
    if not form.separator:
        flat = Machine(model=None, states=None, initial=None, auto_transitions=False)
        flat.states.update({one.name: _flat(one) for one in form.states})
        _add(flat, form.ways, [*flat.states], Event, flat)
        flat.ignore_invalid_triggers = form.ignores
        return flat
    states = type("ShadowState", (NestedState,), {"separator": form.separator})
    kind = type("ShadowMachine", (HierarchicalMachine,), {"state_cls": states})
    nested: Any = kind(model=None, states=None, initial=None, auto_transitions=False)
    nested.states.update({one.name: _nested(one, nested, states) for one in form.states})
    _add(nested, form.ways, [*nested.states], NestedEvent, nested)
    nested.ignore_invalid_triggers = form.ignores
    return nested


def _flat(own: FormState) -> State:
    # The library's own annotation forgets that nothing may be said of it.
    ignores: Any = own.ignores
    return State(own.name, ignore_invalid_triggers=ignores, final=own.final)


def _nested(own: FormState, machine: Any, kind: type) -> Any:
    made = kind(own.name, ignore_invalid_triggers=own.ignores, final=own.final, initial=own.initial)
    made.states.update({one.name: _nested(one, machine, kind) for one in own.states})
    _add(made, own.ways, [*made.states], NestedEvent, machine)
    return made


def _add(there: Any, ways: Sequence[FormWay], states: Sequence[str], kind: type, machine: Any) -> None:
    """Add `ways` to `there`: a machine, or a state with nested states. `kind` is the class of its triggers.

    A way without sources leads from each of the `states`.
    """
    make: Any = NestedTransition if kind is NestedEvent else Transition
    for one in ways:
        if one.trigger not in there.events:
            there.events[one.trigger] = event = kind(one.trigger, machine)
            event.transitions = defaultdict(list)
        for source in one.sources or states:
            made = make(source, one.dest)
            made.conditions = [Condition(name, target) for name, target in one.guards]
            there.events[one.trigger].transitions[source].append(made)


def _events(there: Any) -> Iterator[Any]:
    yield from there.events.values()
    for state in there.states.values():
        if hasattr(state, "events"):
            yield from _events(state)


def _ways(machine: Any) -> Iterator[Any]:
    for event in _events(machine):
        for several in event.transitions.values():
            yield from several
