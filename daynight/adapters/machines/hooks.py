"""Hooks in the `transitions` library while a machine is recorded: its functions are wrapped, and restored later."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Mapping
from typing import Any, Protocol, TypeAlias

from transitions import Machine
from transitions.core import Condition, Event
from transitions.extensions.nesting import HierarchicalMachine

from daynight.adapters.application import told
from daynight.adapters.errors import AdoptedError
from daynight.framework.language.wording import _


class Hearing(Protocol):
    """The recorder of one machine: the hooks call its methods while the machine runs."""

    machine: Any

    def begin(self, trigger: str, event_data: Any) -> Any:
        """Note that a trigger begins, and return the entry for it."""
        ...

    def end(self, entry: Any, event_data: Any) -> None:
        """Note that the trigger of an entry has ended."""
        ...

    def asked(self, condition: Any, passed: bool) -> None:
        """Note that a guard was called, and whether it lets the way be taken (`passed`)."""
        ...

    def moved(self, models: Any) -> None:
        """Note that the state of a model, or of several in a list, was set."""
        ...

    def change(self) -> None:
        """Note that states or ways of the machine will now be added or removed."""
        ...


class Recording:
    """The machines that are recorded now. While there are any, the library's functions report to them."""

    def __init__(self) -> None:
        self._records: dict[int, Hearing] = {}
        self._originals: list[tuple[Any, str, Any]] = []
        self._lock = threading.Lock()

    def begin(self, record: Hearing) -> None:
        """Start recording a machine.

        Raises:
            AdoptedError: where another recording of this machine has not ended.
        """
        with self._lock:
            if id(record.machine) in self._records:
                raise AdoptedError(_("this machine is being recorded already"))
            if not self._records:
                self._install()
            self._records[id(record.machine)] = record

    def end(self, record: Hearing) -> None:
        """Stop recording a machine; with the last one, restore the library's functions."""
        with self._lock:
            del self._records[id(record.machine)]
            if not self._records:
                while self._originals:
                    setattr(*self._originals.pop())

    def _install(self) -> None:
        for kind, name, make in _HOOKS:
            original = getattr(kind, name)
            self._originals.append((kind, name, original))
            setattr(kind, name, functools.wraps(original)(make(original, self._records)))


Records: TypeAlias = Mapping[int, Hearing]


def _flat(original: Any, records: Records) -> Any:
    def trigger(event: Event, event_data: Any) -> Any:
        record = records.get(id(event.machine))
        if record is None:
            return original(event, event_data)
        entry = record.begin(event.name, event_data)
        try:
            return original(event, event_data)
        except BaseException as error:
            entry.error = told(error)
            raise
        finally:
            record.end(entry, event_data)

    return trigger


def _nested(original: Any, records: Records) -> Any:
    def trigger_event(machine: Any, event_data: Any, trigger: str) -> Any:
        record = records.get(id(machine))
        if record is None:
            return original(machine, event_data, trigger)
        entry = record.begin(trigger, event_data)
        try:
            return original(machine, event_data, trigger)
        except BaseException as error:
            entry.error = told(error)
            raise
        finally:
            record.end(entry, event_data)

    return trigger_event


def _guard(original: Any, records: Records) -> Any:
    def check(condition: Condition, event_data: Any) -> Any:
        passed = original(condition, event_data)
        record = records.get(id(event_data.machine))
        if record is not None:
            record.asked(condition, bool(passed))
        return passed

    return check


def _setting(original: Any, records: Records) -> Any:
    def set_state(machine: Any, state: Any, model: Any = None) -> None:
        original(machine, state, model)
        record = records.get(id(machine))
        if record is not None:
            record.moved(machine.models if model is None else model)

    return set_state


def _changing(original: Any, records: Records) -> Any:
    def change(machine: Any, *args: Any, **kwargs: Any) -> Any:
        record = records.get(id(machine))
        if record is not None:
            record.change()
        return original(machine, *args, **kwargs)

    return change


_HOOKS: tuple[tuple[Any, str, Callable[[Any, Records], Any]], ...] = (
    (Event, "_trigger", _flat),
    (HierarchicalMachine, "_trigger_event", _nested),
    (Condition, "check", _guard),
    *((kind, "set_state", _setting) for kind in (Machine, HierarchicalMachine)),
    *(
        (kind, name, _changing)
        for kind in (Machine, HierarchicalMachine)
        for name in ("add_transition", "add_states", "remove_transition")
    ),
)
"""The hooks: a class of the library, the name of its function, and the function that makes the wrapper."""


RECORDING = Recording()
