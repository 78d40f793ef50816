"""A machine of `transitions` is recorded while it runs, and replayed by a machine without callbacks.

| what holds | test |
| --- | --- |
| a trigger is an event with its arguments, each guard with its answer, and the state that followed | test_triggers |
| a trigger without a transition names the reason: the guards that said no, or an error | test_not_taken |
| a replay, a what-if and an audit call no callback | test_nothing_is_called |
| in a what-if a guard may answer otherwise; a guard that the recording did not ask needs an answer | test_flipped |
| flat, nested, parallel, queued, locked, enum and timeout machines are recorded | test_kinds |
| a trigger that a callback fires is an event of its own, with the state that it led to | test_within, test_after |
| if a callback raises, the event has the state that the machine has then | test_raised |
| the attributes of the model that `facts` names are recorded | test_facts |
| each model has a record, also after the model is deleted | test_models |
| a store saves each event as it happens; a store with other records is refused | test_store, test_store_again |
| a change of the machine is an event; replays use the transitions of that time | test_changed, test_changed_within |
| the versions of a machine are counted from 1; others are refused | test_no_such_form |
| AsyncMachine, and anything that is no machine, raises AdoptedError | test_async, test_no_machine |
| an argument that is not JSON is shown as text | test_arguments, test_arguments_that_hold_each_other |
| afterwards the library is unchanged | test_afterwards |
"""

import gc
from enum import Enum, auto

import msgspec
import pytest
from transitions import Machine, MachineError
from transitions.core import Condition, Event
from transitions.extensions import (
    HierarchicalMachine,
    LockedHierarchicalMachine,
    LockedMachine,
)
from transitions.extensions.asyncio import AsyncMachine
from transitions.extensions.states import Timeout, add_state_features

from daynight.adapters.errors import AdoptedError, NoAggregateError
from daynight.adapters.machines.triggers import LANGUAGE
from daynight.adapters.transitions import recorded
from daynight.framework import replace
from daynight.framework.language.errors import ImpossibleError, RecordError
from daynight.store import Store


class Order:
    """A model; `mails` is how often its callback `mail` was called."""

    def __init__(self):
        self.paid = self.late = False
        self.mails = 0
        self.price = 10

    def is_paid(self):
        return self.paid

    def is_late(self, *_given, **_named):
        return self.late

    def mail(self, *_given, **_named):
        self.mails += 1

    def fail(self):
        raise RuntimeError("no paper")


WAYS = [
    {"trigger": "check", "source": "new", "dest": "checked"},
    {"trigger": "ship", "source": "checked", "dest": "shipped", "conditions": "is_paid", "unless": "is_late",
     "after": "mail"},
    {"trigger": "ship", "source": "checked", "dest": "cancelled", "conditions": "is_late"},
    {"trigger": "print", "source": "shipped", "dest": "printed", "after": "fail"},
]  # fmt: skip
STATES = ["new", "checked", "shipped", "cancelled", "printed"]


def machine(order, kind=Machine, **asked):
    return kind(order, states=STATES, initial="new", transitions=WAYS, **asked)


def lines(record):
    words = record.mechanic.words
    return [(words.event(one.event), *map(words.consequence, one.consequences)) for one in record]


def test_triggers():
    order = Order()
    with recorded(machine(order, send_event=False)) as record:
        order.check()
        order.paid = True
        order.ship()
    found = record.of(order)
    assert lines(found) == [
        ("Order begins in new", "state: nothing -> new"),
        ("check()", "state: new -> checked"),
        ("ship()", "state: checked -> shipped"),
    ]
    guards = [(one.guard, one.answer) for one in found.events[2].guards]
    assert guards == [("is_paid", True), ("is_late", False)]
    assert (found.events[2].source, found.events[2].state) == ("checked", "shipped")
    assert found.audited().verdict == "exact"
    assert found.part("state").way.rule == "ship"
    assert found.part("state", at="trigger:1").value == "checked"


def test_not_taken():
    order = Order()
    with recorded(machine(order)) as record:
        with pytest.raises(MachineError):
            order.ship()
        order.check()
        order.ship()
    assert lines(record.of(order))[1:] == [
        ("ship()", 'ship() raised MachineError: "Can\'t trigger event ship from state new!"'),
        ("check()", "state: new -> checked"),
        ("ship()", "ship() was not taken: is_paid(), is_late() said no"),
    ]


def test_nothing_is_called():
    order = Order()
    with recorded(machine(order)) as record:
        order.check()
        order.paid = True
        order.ship()
    assert order.mails == 1
    found = record.of(order)
    order.is_paid = order.is_late = order.fail
    assert found.audited().verdict == "exact"
    assert [*found][-1].consequences
    assert found.at(2)
    assert found.branch(replace(2, found.events[1])).game.state
    assert order.mails == 1


def flipped(event, **answers):
    fields = msgspec.to_builtins(event)
    return fields | {"guards": [{"guard": name, "answer": answer} for name, answer in answers.items()]}


def test_flipped():
    order = Order()
    with recorded(machine(order)) as record:
        order.check()
        order.ship()
    found = record.of(order)
    assert found.part("state").value == "checked"
    assert found.branch(replace(3, flipped(found.events[2], is_paid=True, is_late=False))).game.state.state == "shipped"
    assert (
        found.branch(replace(3, flipped(found.events[2], is_paid=False, is_late=True))).game.state.state == "cancelled"
    )
    with pytest.raises(ImpossibleError, match=r"nobody asked is_late\(\) then; put its answer into guards"):
        found.branch(replace(3, flipped(found.events[2], is_paid=True)))


class Light(Enum):
    RED = auto()
    GREEN = auto()


@add_state_features(Timeout)
class Timed(Machine):
    """A machine whose states have timeouts."""


NESTED = ["off", {"name": "on", "initial": "slow", "children": ["slow", "fast"]}]
PARALLEL = ["idle", {"name": "run", "parallel": [
    {"name": "left", "children": ["a", "b"], "initial": "a", "transitions": [["step", "a", "b"]]},
    {"name": "right", "children": ["c", "d"], "initial": "c", "transitions": [["step", "c", "d"]]},
]}]  # fmt: skip


@pytest.mark.parametrize("make, triggers, expected", [
    (lambda: LockedMachine(states=["a", "b"], transitions=[["go", "a", "b"]], initial="a"), ["go"], "b"),
    (lambda: Machine(states=Light, transitions=[["go", Light.RED, Light.GREEN]], initial=Light.RED), ["go"], "GREEN"),
    (lambda: HierarchicalMachine(states=NESTED, transitions=[["go", "off", "on"], ["go", "on_slow", "on_fast"]],
                                 initial="off"), ["go", "go"], "on_fast"),
    (lambda: LockedHierarchicalMachine(states=NESTED, transitions=[["go", "off", "on"]], initial="off"), ["go"],
     "on_slow"),
    (lambda: HierarchicalMachine(states=PARALLEL, transitions=[["go", "idle", "run"]], initial="idle"),
     ["go", "step"], "run_left_b + run_right_d"),
    (lambda: Timed(states=["a", {"name": "b", "timeout": 60, "on_timeout": "to_a"}], transitions=[["go", "a", "b"]],
                   initial="a"), ["go", "to_a"], "a"),
    (lambda: Machine(states=["a", "b", "c"], transitions=[["go", "a", "b"]], initial="a", queued=True,
                     after_state_change=lambda: None), ["go", "to_c"], "c"),
    (lambda: Machine(states=["a", "b"], transitions=[["stay", "a", None], ["back", "a", "="]], initial="a"),
     ["stay", "back"], "a"),
])  # fmt: skip
def test_kinds(make, triggers, expected):
    made = make()
    with recorded(made) as record:
        for one in triggers:
            made.trigger(one) if not isinstance(made, LockedMachine) else getattr(made, one)()
    found = record.of()
    assert found.part("state").value == expected
    assert found.audited().verdict == "exact"
    assert len(found) == 1 + len(triggers)
    assert found.events[-1].trigger == triggers[-1]


@pytest.mark.parametrize("queued", [False, True])
@pytest.mark.parametrize("where", ["before", "after", "conditions"])
def test_within(where, queued):
    class Model:
        def first(self, *_given):
            if self.state == "a":
                self.inner()
            return True

    model = Model()
    ways = [{"trigger": "outer", "source": "a", "dest": "c", where: "first"}, ["inner", ["a", "c"], "b"]]
    made = Machine(model, states=["a", "b", "c"], transitions=ways, initial="a", queued=queued)
    with recorded(made) as record:
        model.outer()
    found = record.of(model)
    assert found.audited().verdict == "exact"
    assert found.part("state").value == model.state
    assert {one.trigger: one.during for one in found.events[1:]} == (
        {"outer": None} if where == "after" else {"outer": None, "inner": None if queued else "outer"}
    )


@pytest.mark.parametrize("queued", [False, True])
def test_after(queued):
    """A callback fires a trigger after the change: each event has the state that it led to."""
    model = Order()
    ways = [{"trigger": "outer", "source": "a", "dest": "b", "after": "inner"}, ["inner", "b", "c"]]
    made = Machine(model, states=["a", "b", "c"], transitions=ways, initial="a", queued=queued)
    with recorded(made) as record:
        model.outer()
    found = record.of(model)
    assert [(one.trigger, one.source, one.state) for one in found.events[1:]] == [
        ("outer", "a", "b"), ("inner", "b", "c")
    ]  # fmt: skip
    assert found.audited().verdict == "exact"


def test_raised():
    order = Order()
    with recorded(machine(order)) as record:
        order.check()
        order.paid = True
        order.ship()
        with pytest.raises(RuntimeError):
            order.print()
    found = record.of(order)
    assert found.part("state").value == "printed" == order.state
    assert lines(found)[-1] == ("print()", "state: shipped -> printed", "print() raised RuntimeError: no paper")
    assert found.audited().verdict == "exact"


def test_facts():
    order = Order()
    with recorded(machine(order), facts=("price", "paid")) as record:
        order.price = 12
        order.check()
    found = record.of(order)
    assert (found.part("price", at=1).value, found.part("price").value, found.part("paid").value) == (10, 12, False)
    assert found.part("price").way.event == 2


def test_models():
    first, second, unseen = Order(), Order(), Order()
    made = machine([first, second])
    with recorded(made) as record:
        first.check()
        made.add_model(third := Order())
        third.check()
    assert record.names == ["Order", "Order 2", "Order 3"]
    assert record.name(third) == "Order 3"
    assert [len(record.of(one)) for one in (first, second, third)] == [2, 1, 2]
    for missing in (unseen, None):
        with pytest.raises(NoAggregateError, match="seen: Order, Order 2, Order 3"):
            record.of(missing)
        with pytest.raises(NoAggregateError, match="seen: Order, Order 2, Order 3"):
            record.name(missing)
    made.remove_model(third)
    del third
    gc.collect()
    assert len(record.models) == 2
    assert len(record.of("Order 3")) == 2


def test_store(tmp_path):
    order = Order()
    with recorded(machine(order), store=tmp_path / "orders.db") as record:
        order.check()
        order.ship()
    with Store.open(tmp_path / "orders.db", mechanic=record.mechanic) as store:
        assert [moment.event for moment in store.load("Order")] == [*record.of(order).events]
        assert store.load("Order").audited().verdict == "exact"


def test_store_again(tmp_path):
    """A second recording into the same store raises AdoptedError before it begins; machine and store are unchanged."""
    place, order = tmp_path / "orders.db", Order()
    with recorded(machine(order), store=place):
        order.check()
    made = machine(again := Order())
    sentence = r"orders\.db holds records already, of Order; give another place to each recording"
    with pytest.raises(AdoptedError, match=sentence), recorded(made, store=place):
        pass
    again.check()
    with recorded(made) as record, Store.open(place, mechanic=record.mechanic) as store:
        assert store.games() == [("Order", 2)]


def test_changed():
    order = Order()
    made = machine(order)
    with recorded(made) as record:
        order.check()
        assert not record.remarks
        made.add_transition("hide", "*", "cancelled")
        order.hide()
        made.remove_transition("hide")
        made.remove_transition("check")
        order.to_new()
    assert record.remarks
    found = record.of(order)
    assert [event.type for event in found.events] == [
        "began", "triggered", "machine-changed", "triggered", "machine-changed", "triggered"
    ]  # fmt: skip
    assert [event.version for event in found.events if event.type == "machine-changed"] == [2, 3]
    assert found.audited().verdict == "exact"
    assert found.part("state").value == "new"


@pytest.mark.parametrize("version", [0, -5])
def test_no_such_form(version):
    with pytest.raises(RecordError, match="version"):
        LANGUAGE.decode(b'{"type":"machine-changed","version":%d}' % version)


def test_changed_within():
    """A callback replaces the transition being executed, and fires it again: the replay ends in the same state."""
    order = Order()
    made = Machine(order, states=["a", "b", "c"], initial="a", auto_transitions=False)
    made.add_transition("on", "a", "b", after="swap")
    order.swap = lambda: (made.remove_transition("on"), made.add_transition("on", "b", "c"), order.on())
    with recorded(made) as record:
        order.on()
        order.swap = lambda: None
    found = record.of(order)
    assert found.part("state").value == order.state == "c"
    assert found.audited().verdict == "exact"


def test_async():
    with pytest.raises(AdoptedError, match="AsyncMachine can't be recorded yet"), recorded(AsyncMachine(states=["a"])):
        pass


def test_no_machine():
    for wrong in (Order(), Order, "order:machine", None):
        with pytest.raises(AdoptedError, match="no machine of transitions; give"), recorded(wrong):
            pass


def test_arguments():
    order = Order()
    made = Machine(order, states=STATES, initial="new", transitions=[
        {"trigger": "mark", "source": "new", "dest": "checked", "after": "mail"}
    ])  # fmt: skip
    with recorded(made) as record:
        order.mark(3, by="Ana", how=lambda: 1)
    (event,) = record.of(order).events[1:]
    assert event.args == [3]
    assert event.kwargs["by"] == "Ana"
    assert "lambda" in event.kwargs["how"]
    assert "0x" not in event.kwargs["how"]


def test_arguments_that_hold_each_other():
    """An argument that is the machine is recorded as text; a fact with a list that contains itself is recorded too."""
    order = Order()
    made = machine(order)
    endless = []
    endless.append(endless)
    made.add_transition("mark", "*", "new", after="mail")
    with recorded(made, facts=("held",)) as record:
        order.held = [made, order, endless]
        order.mark(made, order)
    (event,) = record.of(order).events[1:]
    assert event.args[0].startswith("<transitions.core.Machine object")
    assert event.facts["held"]


def test_afterwards():
    before = Event._trigger, Condition.check, Machine.set_state, HierarchicalMachine.set_state
    order = Order()
    made = machine(order)
    with recorded(made) as record:
        with pytest.raises(AdoptedError, match="recorded already"), recorded(made):
            pass
        order.check()
    assert (Event._trigger, Condition.check, Machine.set_state, HierarchicalMachine.set_state) == before
    order.to_new()
    assert len(record.of(order)) == 2
