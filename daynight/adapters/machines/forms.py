"""A machine's states and ways (transitions) as data: records hold them, so that another process can replay them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
from transitions import Machine

from daynight.adapters.errors import AdoptedError
from daynight.framework.language.wording import _


class FormWay(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Ways with one trigger to one state; `dest` is None for an internal transition, which does not leave its state.

    `sources` are the states that they lead from; empty: all states of the same level. `guards` has for each guard its
    name, and the answer that lets the way be taken.
    """

    trigger: str
    dest: str | None = None
    sources: tuple[str, ...] = ()
    guards: tuple[tuple[str, bool], ...] = ()


class FormState(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A state, its nested states, and the ways from these.

    `ignores`: whether a trigger without a way is ignored in this state; None: the machine's own `ignores` says it.
    """

    name: str
    ignores: bool | None = None
    final: bool = False
    initial: Any = None
    states: tuple[FormState, ...] = ()
    ways: tuple[FormWay, ...] = ()


class Form(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The states and the ways of a machine. `separator` joins the names of nested states; "" in a flat machine.

    `attribute` is the attribute of a model that holds its state.
    """

    states: tuple[FormState, ...]
    ways: tuple[FormWay, ...] = ()
    separator: str = ""
    ignores: bool | None = None
    attribute: str = "state"


def form_of(machine: Any, separator: str) -> Form:
    """Return the current form of a machine; `separator` is that of its nested states, "" for a flat machine."""
    names = [*machine.states]
    return Form(
        tuple(map(_state, machine.states.values())), _ways(machine.events, names), separator,
        machine.ignore_invalid_triggers, machine.model_attribute,
    )  # fmt: skip


def guard_name(function: Any) -> str:
    """Return the name of a guard: the name of the function, or of the model's attribute."""
    if isinstance(function, str):
        return function
    inner = getattr(function, "func", function)
    return str(getattr(inner, "__name__", None) or type(inner).__name__)


def _state(own: Any) -> FormState:
    nested = hasattr(own, "states")
    return FormState(
        name=own.name, ignores=own.ignore_invalid_triggers, final=bool(own.final),
        initial=_named(own.initial) if nested else None,
        states=tuple(map(_state, own.states.values())) if nested else (),
        ways=_ways(own.events, [*own.states]) if nested else (),
    )  # fmt: skip


def _named(state: Any) -> Any:
    if isinstance(state, (list, tuple)):
        return [_named(one) for one in state]
    if state is None or state is False:
        # The library takes False for a state without an initial one, too.
        return None
    return state if isinstance(state, str) else str(getattr(state, "name", state))


def _ways(events: Mapping[str, Any], states: Sequence[str]) -> tuple[FormWay, ...]:
    return tuple(way for event in events.values() for way in _of_trigger(event, states))


def _of_trigger(event: Any, states: Sequence[str]) -> Iterator[FormWay]:
    """Yield the ways of a trigger: the first way from each state, then the second; equal ways are one `FormWay`."""
    several = {str(source): ways for source, ways in event.transitions.items()}
    for place in range(max(map(len, several.values()), default=0)):
        together: dict[tuple[Any, ...], list[str]] = {}
        for source, ways in several.items():
            if place < len(ways):
                one = ways[place]
                guards = tuple((guard_name(each.func), each.target) for each in one.conditions)
                together.setdefault((_named(one.dest), guards), []).append(source)
        for (dest, guards), sources in together.items():
            yield FormWay(event.name, dest, () if sources == states else tuple(sources), guards)


def check_machine(machine: Any) -> None:
    """Refuse what cannot be recorded.

    Raises:
        AdoptedError: where `machine` is no machine of `transitions`, or is an AsyncMachine.
    """
    if not isinstance(machine, Machine):
        kind = machine if isinstance(machine, type) else type(machine)
        sentence = _("{kind} is no machine of transitions; give recorded() the Machine, and record.of() its model")
        raise AdoptedError(sentence.format(kind=kind.__qualname__))
    if any(kind.__name__ == "AsyncMachine" for kind in type(machine).__mro__):
        raise AdoptedError(_("an AsyncMachine can't be recorded yet; a Machine, nested, locked or queued, can"))
