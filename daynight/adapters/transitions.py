"""Records a machine of `transitions` while it runs, without a change to it: `with recorded(machine) as record`."""

from __future__ import annotations

import functools
import threading
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from transitions import Machine
from transitions.core import Condition, Event
from transitions.extensions.nesting import HierarchicalMachine

from daynight.adapters.application import told
from daynight.adapters.errors import AdoptedError, NoAggregateError
from daynight.adapters.shadow import Shadow, guard_name, spelled
from daynight.adapters.triggers import Began, Guard, StateSet, Triggered, mechanic_of
from daynight.adapters.values import argument, plain, shown
from daynight.framework.language.wording import _
from daynight.framework.mechanic import Mechanic
from daynight.framework.recorded import Recorded

__all__ = ["MachineRecord", "recorded"]

Model: TypeAlias = Any


@contextmanager
def recorded(machine: Machine, *, facts: Sequence[str] = (), store: Any = None) -> Iterator[MachineRecord]:
    """Record a machine: each trigger, each guard that it asks with its answer, and the state that follows.

    `facts` are attributes of the models that matter: their values are kept after each trigger. `store` is a place for
    a store of daynight, which then keeps each record as it happens, under the name of its model.

    Raises:
        AdoptedError: where the machine is an AsyncMachine.
    """
    if _is_async(machine):
        raise AdoptedError(_("an AsyncMachine can't be recorded yet; a Machine, nested, locked or queued, can"))
    record = MachineRecord(machine, tuple(facts), store)
    _RECORDING.begin(record)
    try:
        yield record
    finally:
        _RECORDING.end(record)


def _is_async(machine: Any) -> bool:
    return any(kind.__name__ == "AsyncMachine" for kind in type(machine).__mro__)


@dataclass(slots=True)
class _Entry:
    """A trigger that runs now, or has run."""

    trigger: str
    key: int
    source: Any
    args: Any
    kwargs: dict[str, Any]
    during: str | None
    guards: list[tuple[Condition, bool]] = field(default_factory=list)
    state: Any = None
    error: str | None = None
    placed: bool = False
    facts: dict[str, Any] | None = None
    before: Any = None
    """The state that another trigger left before this one changed it; None if none did."""

    def event(self) -> Triggered:
        """Return it as an event."""
        overtaken = self.before is not None and self.before != self.source
        return Triggered(
            trigger=self.trigger,
            state=self.state,
            source=self.before if overtaken else self.source,
            guards=tuple([Guard(guard_name(one.func), one.target is passed) for one, passed in self.guards]),
            args=self.args or None,
            kwargs=self.kwargs or None,
            during=self.during,
            began_in=self.source if overtaken else None,
            error=self.error,
            facts=self.facts,
        )


class MachineRecord:
    """What a machine did while it was recorded. `of(model)` is the record of one of its models."""

    def __init__(self, machine: Machine, facts: tuple[str, ...], store: Any) -> None:
        self.machine = machine
        self.changed = False
        self._facts = facts
        self._targets: dict[str, bool] = {}
        self._mechanic = mechanic_of(Shadow(machine), self._targets, facts)
        self._is_stale = False
        self._conditions: set[Condition] = set()
        self._events: dict[int, list[Any]] = {}
        self._names: dict[int, str] = {}
        # A model is known by a number: the place of one that is gone may be taken by another.
        self._numbers: dict[int, int] = {}
        self._models: dict[int, Callable[[], Model]] = {}
        self._lock = threading.RLock()
        self._running = threading.local()
        self._waiting: list[_Entry] = []
        self._store = None if store is None else _opened(store, self._mechanic)
        for model in machine.models:
            self._known(model)

    @property
    def mechanic(self) -> Mechanic[Any, Any, Any]:
        """The machine as a mechanic: its states and its ways as they are now."""
        if self._is_stale:
            self._mechanic, self._is_stale = mechanic_of(Shadow(self.machine), self._targets, self._facts), False
        return self._mechanic

    @property
    def models(self) -> list[Model]:
        """The models that were seen and are still there, in their order."""
        return [model for one in self._models.values() if (model := one()) is not None]

    @property
    def names(self) -> list[str]:
        """The names of all records, one for each model that was seen."""
        return [*self._names.values()]

    def of(self, model: Model = None) -> Recorded[Any, Any, Any]:
        """Return the record of a model, or of the model whose record has this name; without one that of the only model.

        Raises:
            NoAggregateError: where that model was not seen, or there are several.
            RecordError: where the record can't be replayed: the machine was changed while it was recorded.
        """
        if model is None and len(self._events) == 1:
            number: int | None = next(iter(self._events))
        elif isinstance(model, str):
            number = next((one for one, name in self._names.items() if name == model), None)
        else:
            number = self._numbers.get(id(model))
        if number is None:
            known = ", ".join(self.names) or _("none")
            raise NoAggregateError(
                _("no such model was seen while the machine was recorded; seen: {known}").format(known=known)
            )
        return Recorded(self.mechanic).extended(map(_told, self._events[number]))

    def name(self, model: Model) -> str:
        """Return the name of a model's record: its class, and its number if there are several."""
        return self._names[self._numbers[id(model)]]

    @property
    def remarks(self) -> list[str]:
        """What has to be said of this record."""
        return [_("the machine was changed while it was recorded; what came later may replay otherwise")] * self.changed

    # ------------------------------------------------------------------------------ called while the machine is running

    def change(self) -> None:
        """Note that the machine gets another state or another way."""
        self.changed = self._is_stale = True

    def _known(self, model: Model) -> int:
        """Return the number of a model; its record begins when it is first seen."""
        key = id(model)
        if key in self._numbers:
            return self._numbers[key]
        kind = type(model).__name__
        count = 1 + sum(name == kind or name.startswith(f"{kind} ") for name in self._names.values())
        number = self._numbers[key] = len(self._names) + 1
        self._names[number], self._events[number] = kind if count == 1 else f"{kind} {count}", []
        try:
            self._models[number] = weakref.ref(model, lambda gone: self._numbers.pop(key, None))
        except TypeError:
            self._models[number] = lambda: model
        self._add(number, Began(model=self._names[number], state=spelled(self.machine, model), facts=self._seen(model)))
        return number

    def _seen(self, model: Model) -> dict[str, Any] | None:
        return {name: plain(shown(getattr(model, name, None))) for name in self._facts} or None

    def _add(self, key: int, event: Any) -> None:
        """Add an event, or a trigger that is made one when somebody asks for the record."""
        self._events[key].append(event)
        if self._store is not None:
            self._store.append(self._names[key], [_told(event)])

    @property
    def _stack(self) -> list[_Entry]:
        found: list[_Entry] | None = getattr(self._running, "stack", None)
        if found is None:
            found = self._running.stack = []
        return found

    def run(self, trigger: str, event_data: Any, inner: Any) -> Any:
        """Run a trigger, and note it."""
        model, stack, args, kwargs = event_data.model, self._stack, event_data.args, event_data.kwargs
        number = self._numbers.get(id(model)) or self._begun(model)
        entry = _Entry(
            trigger,
            number,
            spelled(self.machine, model),
            # What is given may change later: it is kept as it is now.
            argument(args) if args else (),
            argument(kwargs) if kwargs else {},
            stack[-1].trigger if stack else None,
        )
        stack.append(entry)
        try:
            return inner()
        except BaseException as error:
            entry.error = told(error)
            raise
        finally:
            if entry.error is None and event_data.error is not None:
                entry.error = told(event_data.error)
            stack.pop()
            entry.state = spelled(self.machine, model)
            if self._facts:
                entry.facts = self._seen(model)
            with self._lock:
                if not entry.placed:
                    entry.placed = True
                    self._waiting.append(entry)
                if not stack:
                    self._flush()

    def _begun(self, model: Model) -> int:
        with self._lock:
            return self._known(model)

    def asked(self, condition: Condition, passed: bool) -> None:
        """Note what a guard answered."""
        if stack := self._stack:
            if condition not in self._conditions:
                self._conditions.add(condition)
                self._targets.setdefault(guard_name(condition.func), condition.target)
            stack[-1].guards.append((condition, passed))

    def moved(self, models: Sequence[Model]) -> None:
        """Note that the state of some models was set: by the trigger that runs, or without one."""
        for model in models:
            with self._lock:
                is_new = id(model) not in self._numbers
                number = self._known(model)
                running = next((one for one in reversed(self._stack) if one.key == number), None)
                if running is not None:
                    if not running.placed:
                        running.placed = True
                        self._waiting.append(running)
                elif not is_new:
                    self._add(number, StateSet(state=spelled(self.machine, model), facts=self._seen(model)))

    def _flush(self) -> None:
        """Make events of the triggers that have ended, in the order in which they changed the state."""
        waiting, self._waiting = self._waiting, []
        latest: dict[int, Any] = {}
        for one in waiting:
            one.before = latest.get(one.key)
            self._add(one.key, one)
            latest[one.key] = one.state


def _told(event: Any) -> Any:
    return event.event() if type(event) is _Entry else event


def _opened(place: Any, mechanic: Any) -> Any:
    from daynight.store import Store

    return Store.open(place, mechanic=mechanic)


class _Recording:
    """The machines that are recorded now. While there are any, the library's functions tell of them."""

    def __init__(self) -> None:
        self._records: dict[int, MachineRecord] = {}
        self._originals: list[tuple[Any, str, Any]] = []
        self._lock = threading.Lock()

    def begin(self, record: MachineRecord) -> None:
        with self._lock:
            if id(record.machine) in self._records:
                raise AdoptedError(_("this machine is being recorded already"))
            if not self._records:
                self._install()
            self._records[id(record.machine)] = record

    def end(self, record: MachineRecord) -> None:
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


Records: TypeAlias = Mapping[int, MachineRecord]


def _flat(original: Any, records: Records) -> Any:
    def trigger(event: Event, event_data: Any) -> Any:
        record = records.get(id(event.machine))
        if record is None:
            return original(event, event_data)
        return record.run(event.name, event_data, lambda: original(event, event_data))

    return trigger


def _nested(original: Any, records: Records) -> Any:
    def trigger_event(machine: Any, event_data: Any, trigger: str) -> Any:
        record = records.get(id(machine))
        if record is None:
            return original(machine, event_data, trigger)
        return record.run(trigger, event_data, lambda: original(machine, event_data, trigger))

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
            record.moved(machine.models if model is None else model if isinstance(model, list) else [model])

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
"""What of the library tells of itself while a machine is recorded: the class, the function, and what wraps it."""


_RECORDING = _Recording()
