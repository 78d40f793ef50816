"""Records a machine of `transitions` while it runs, without changing it: `with recorded(machine) as record`."""

from __future__ import annotations

import threading
import weakref
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any, TypeAlias

from transitions import Machine
from transitions.core import Condition

from daynight.adapters.application import told
from daynight.adapters.errors import NoAggregateError
from daynight.adapters.happened import time_of
from daynight.adapters.machines.forms import check_machine, guard_name
from daynight.adapters.machines.hooks import RECORDING
from daynight.adapters.machines.running import Entry, Running
from daynight.adapters.machines.shadow import shadow_of, spelled
from daynight.adapters.machines.storing import machine_mechanic, opened
from daynight.adapters.machines.triggers import Began, FactsChanged, MachineChanged, StateSet, mechanic_of, text
from daynight.adapters.machines.ways import Ways, ways_of
from daynight.adapters.rows.stored import Noticed
from daynight.adapters.values import argument, plain, shown
from daynight.framework.language.errors import RecordError
from daynight.framework.language.wording import _
from daynight.framework.mechanic import Mechanic
from daynight.framework.recorded import Recorded

__all__ = ["MachineRecord", "machine_mechanic", "recorded"]

Model: TypeAlias = Any


Clock: TypeAlias = Callable[[], datetime]
"""Returns the current time."""


def _now() -> datetime:
    return datetime.now(UTC)


@contextmanager
def recorded(
    machine: Machine, *, facts: Sequence[str] = (), store: Any = None, clock: Clock | None = _now
) -> Iterator[MachineRecord]:
    """Record a machine: each trigger, each called guard with its answer, and the state afterwards.

    `facts` names attributes of the models to record after each trigger. `store` is a file or an address for a store of
    daynight, which then saves each event at once, in a record under the name of its model. `clock` returns the current
    time: each event gets its starting time, and a replay calls no clock. With None, events have no time.

    Raises:
        AdoptedError: where `machine` is no machine, is an AsyncMachine or is recorded already; where the store has
            records already.
    """
    check_machine(machine)
    record = MachineRecord(machine, tuple(facts), store, clock)
    RECORDING.begin(record)
    try:
        yield record
    finally:
        RECORDING.end(record)


class MachineRecord:
    """The recording of a machine. `of(model)` is the record of one of its models."""

    def __init__(
        self, machine: Machine, facts: tuple[str, ...] = (), store: Any = None, clock: Clock | None = _now
    ) -> None:
        self.machine = machine
        self.changed = False
        self._facts = facts
        self._known_facts: dict[int, dict[str, Any]] = {}
        self._states: dict[int, Any] = {}
        self._attribute = machine.model_attribute
        self._clock = clock
        self._targets: dict[str, bool | None] = {}
        self._shadows = [shadow_of(machine)]
        self._mechanic = mechanic_of(self._shadows, self._targets, facts)
        self._is_stale = False
        # The form of the machine by which the last trigger of each model is replayed.
        self._versions: dict[int, int] = {}
        self._conditions: set[Condition] = set()
        self._events: dict[int, list[Any]] = {}
        self._names: dict[int, str] = {}
        self._order: list[int] = []
        # A model is known by a number: the place of one that is gone may be taken by another.
        self._numbers: dict[int, int] = {}
        self._models: dict[int, Callable[[], Model]] = {}
        self._lock = threading.RLock()
        self._running = Running()
        self._store = None if store is None else opened(store, self._mechanic)
        for model in machine.models:
            self._known(model)

    @property
    def mechanic(self) -> Mechanic[Any, Any, Any]:
        """The machine as a mechanic, with each form that the machine had during the recording."""
        return self._mechanic

    @property
    def models(self) -> list[Model]:
        """The recorded models that still exist, in order of appearance."""
        return [model for one in self._models.values() if (model := one()) is not None]

    @property
    def names(self) -> list[str]:
        """The names of all records: one record for each recorded model."""
        return [*self._names.values()]

    def of(self, model: Model = None) -> Recorded[Any, Any, Any]:
        """Return the record of a model, or the record with this name; with None, the record of the only model.

        Raises:
            NoAggregateError: where that model was not recorded, or None was given and there are several.
            RecordError: where the record can't be replayed: a trigger was not possible in the state before it.
        """
        return Recorded(self.mechanic).extended(self._told(self._number(model)))

    def _number(self, model: Model) -> int:
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
        return number

    def _told(self, number: int) -> list[Any]:
        # The machine may run meanwhile: what comes later is not in it.
        return [_told(one) for one in [*self._events[number]]]

    def readable(self, model: Model = None) -> tuple[Recorded[Any, Any, Any], tuple[int, str] | None]:
        """Return a model's record up to the first event that can't be replayed, and a pair: its number, and why.

        The pair is None if the whole record can be replayed.

        Raises:
            NoAggregateError: as `of`.
        """
        events = self._told(self._number(model))
        try:
            return Recorded(self.mechanic).extended(events), None
        except RecordError as error:
            number = error.line or 1
            return Recorded(self.mechanic).extended(events[: number - 1]), (number, error.sentence)

    def ways(self, model: Model = None) -> Ways:
        """Count the ways that a model, or all models, took, and the refusals by guards.

        The result prints as text; `mermaid()` is a diagram, and `daynight.pictures.machine_svg` draws it.

        Raises:
            NoAggregateError: as `of`.
        """
        names = self.names if model is None else [self._names[self._number(model)]]
        return self.ways_taken(", ".join(names), *(self.readable(name)[0] for name in names))

    def ways_taken(self, title: str, *records: Recorded[Any, Any, Any]) -> Ways:
        """Count the ways that given records of this machine took, such as a part of a record or a what-if."""
        self._renew()
        return ways_of(title, self._shadows[-1], records)

    def size(self, model: Model = None) -> int:
        """Return the current number of events in the record of a model.

        Raises:
            NoAggregateError: as `of`.
        """
        return len(self._events[self._number(model)])

    def latest(self, model: Model = None) -> str:
        """Return the latest recorded state of a model.

        Raises:
            NoAggregateError: as `of`.
        """
        found = self._events[self._number(model)]
        return str(text(next(one.state for one in reversed(found) if hasattr(one, "state"))))

    def last(self) -> int:
        """Return the number of events of all models together."""
        return len(self._order)

    def noticed(self, after: int, limit: int) -> list[Noticed]:
        """Return at most `limit` events of any model after the first `after` events, in order of arrival."""
        found, many = [], Counter(self._order[:after] if len(self._order) > after else ())
        for place, key in enumerate(self._order[after : after + limit], after + 1):
            many[key] += 1
            found.append(Noticed(place, self._names[key], many[key]))
        return found

    def name(self, model: Model) -> str:
        """Return the name of a model's record: its class, `Order`; for the second model, `Order 2`. Raises as `of`."""
        return self._names[self._number(model)]

    @property
    def remarks(self) -> list[str]:
        """What a reader of this recording must know: a sentence if the machine was changed during it, else nothing."""
        changed = _("the machine was changed while it was recorded; each trigger is replayed by the ways of its time")
        return [changed] * self.changed

    # ------------------------------------------------------------------------------ called while the machine is running

    def change(self) -> None:
        """Note that states or ways of the machine will now be added or removed."""
        self.changed = self._is_stale = True

    def _known(self, model: Model) -> int:
        """Return the number of a model; a new model gets a record."""
        key = id(model)
        if key in self._numbers:
            return self._numbers[key]
        kind = type(model).__name__
        count = 1 + sum(name == kind or name.startswith(f"{kind} ") for name in self._names.values())
        number = self._numbers[key] = len(self._names) + 1
        self._names[number], self._events[number] = kind if count == 1 else f"{kind} {count}", []
        self._versions[number] = 1
        try:
            self._models[number] = weakref.ref(model, lambda gone: self._numbers.pop(key, None))
        except TypeError:
            self._models[number] = lambda: model
        facts = self._known_facts[number] = self._seen(model)
        state = self._states[number] = spelled(self.machine, model)
        began = Began(
            model=self._names[number], state=state, facts={**facts} or None,
            form=self._shadows[self._versions[number] - 1].form, at=self._now(),
        )  # fmt: skip
        self._add(number, began)
        return number

    def _seen(self, model: Model) -> dict[str, Any]:
        return {name: plain(shown(getattr(model, name, None))) for name in self._facts}

    def _look(self, number: int, model: Model) -> dict[str, Any]:
        """Return the facts of a model that changed since they were last read."""
        known = self._known_facts[number]
        found = {name: value for name, value in self._seen(model).items() if known.get(name, known) != value}
        known.update(found)
        return found

    def _add(self, key: int, event: Any) -> None:
        """Add to the record of model `key` an event, or a trigger, which becomes an event when the record is read."""
        self._events[key].append(event)
        self._order.append(key)
        if self._store is not None:
            self._store.append(self._names[key], [_told(event)])

    def begin(self, trigger: str, event_data: Any) -> Entry:
        """Note that a trigger begins, and return its entry."""
        model, args, kwargs = event_data.model, event_data.args, event_data.kwargs
        number = self._numbers.get(id(model)) or self._begun(model)
        if self._is_stale:
            self._renew()
        stack = self._running.stack
        value = getattr(model, self._attribute)
        source = value if type(value) is str else spelled(self.machine, model)
        if not stack and source != self._states[number]:
            self._set(model, is_new=False)
        entry = Entry(
            trigger,
            number,
            source,
            # The arguments may change later, so copy their present values.
            argument(args) if args else None,
            argument(kwargs) if kwargs else None,
            stack[-1].trigger if stack else None,
            len(self._shadows),
            None if self._clock is None else self._clock(),
        )
        if self._facts and (changed := self._look(number, model)):
            # The trigger that runs changed them; if none does, they were changed since the last one, and stand here.
            next((one for one in reversed(stack) if one.key == number), entry).changes(changed)
        stack.append(entry)
        return entry

    def end(self, entry: Entry, event_data: Any) -> None:
        """Note that a trigger has ended."""
        model, stack = event_data.model, self._running.stack
        if entry.error is None and event_data.error is not None:
            entry.error = told(event_data.error)
        stack.pop()
        if self._facts and (changed := self._look(entry.key, model)):
            entry.changes(changed)
        waiting = self._running.waiting
        if not entry.placed:
            entry.placed = True
            waiting.append(entry)
        # A trigger of a callback that came later has changed the state again.
        if waiting[-1] is entry or next(one for one in reversed(waiting) if one.key == entry.key) is entry:
            value = getattr(model, self._attribute)
            entry.state = value if type(value) is str else spelled(self.machine, model)
        if not stack:
            self._running.waiting = []
            with self._lock:
                self._flush(waiting)

    def _renew(self) -> None:
        """Note the machine's current form as the latest one, if states or ways changed since the last time."""
        with self._lock:
            if self._is_stale:
                self._is_stale = False
                self._shadows.append(shadow_of(self.machine))

    def _begun(self, model: Model) -> int:
        with self._lock:
            return self._known(model)

    def asked(self, condition: Condition, passed: bool) -> None:
        """Note that a guard was called, and whether it lets the way be taken (`passed`)."""
        stack = self._running.stack
        if not stack:
            return
        if condition not in self._conditions:
            self._conditions.add(condition)
            name = guard_name(condition.func)
            # A function may be a condition here and one of `unless` there.
            known = self._targets.setdefault(name, condition.target)
            self._targets[name] = known if known is condition.target else None
        top = stack[-1]
        if top.guards is None:
            top.guards = [(condition, passed)]
        else:
            top.guards.append((condition, passed))

    def moved(self, models: Model | Sequence[Model]) -> None:
        """Note that the state of one or several models was set, by the running trigger or without one."""
        if isinstance(models, list):
            for model in models:
                self.moved(model)
            return
        number, stack = self._numbers.get(id(models)), self._running.stack
        running = stack[-1] if stack else None
        if running is not None and running.key != number:
            running = next((one for one in reversed(stack) if one.key == number), None)
        if running is None:
            self._set(models, is_new=number is None)
            return
        value = getattr(models, self._attribute)
        running.state = value if type(value) is str else spelled(self.machine, models)
        if not running.placed:
            running.placed = True
            self._running.waiting.append(running)

    def _set(self, model: Model, *, is_new: bool) -> None:
        """Note that a state was set without a trigger; if the model `is_new`, only begin its record with that state."""
        with self._lock:
            number = self._known(model)
            if not is_new:
                facts = self._look(number, model) if self._facts else None
                state = self._states[number] = spelled(self.machine, model)
                self._add(number, StateSet(state=state, facts=facts or None, at=self._now()))

    def _now(self) -> str | None:
        return None if self._clock is None else time_of(self._clock())

    def _flush(self, waiting: Sequence[Entry]) -> None:
        """Add the ended triggers to the records of their models, in the order in which they changed the state."""
        if len(waiting) == 1 and waiting[0].version == self._versions[waiting[0].key]:
            # It came alone, as most do.
            self._states[waiting[0].key] = waiting[0].state
            self._add(waiting[0].key, waiting[0])
            return
        latest: dict[int, Any] = {}
        facts: dict[int, dict[str, Any]] = {}
        for one in waiting:
            key = one.key
            if one.version != self._versions[key]:
                self._versions[key] = one.version
                form = self._shadows[one.version - 1].form
                self._add(key, MachineChanged(version=one.version, form=form, at=time_of(one.when)))
            if key in latest:
                one.before = latest[key]
            self._add(key, one)
            latest[key] = self._states[key] = one.state
            if one.facts is not None:
                facts.setdefault(key, {}).update(one.facts)
        for key, stand in facts.items():
            # A trigger may change a fact again after one inside of it has: so it stands after both.
            known = self._known_facts[key]
            again = {name: known[name] for name, value in stand.items() if known[name] != value}
            if again:
                self._add(key, FactsChanged(facts=again, at=self._now()))


def _told(event: Any) -> Any:
    return event.event() if type(event) is Entry else event
