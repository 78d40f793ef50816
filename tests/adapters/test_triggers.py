"""What the record of a machine says of each trigger: what changed, when, and in which machine.

| what holds | test |
| --- | --- |
| a fact (an attribute of the model) that an inner trigger changed is recorded at the inner one | test_facts_within |
| a fact that the outer trigger changes again afterwards is recorded after both | test_facts_again |
| an assignment of the state is an event of its own; later triggers are replayed from it | test_assigned |
| a fact that changed between two triggers is recorded at the later one | test_facts_between |
| each event has the time of the caller's clock; without a clock it has none | test_times, test_no_clock |
| a replay, and an audit, ask no clock | test_times |
| a position may be a time, or `trigger:2` | test_times |
| the store of a machine that was changed is read by another process, with a machine or without | test_later |
| a record without the machine's definition is read by the current machine | test_without_forms |
| a state and a fact have no subject: asking for one is refused | test_no_subject |
| four threads trigger at once, each for its own model: each trigger is recorded once, in order | test_threads |
"""

import subprocess
import sys
from datetime import UTC, datetime, timedelta
from threading import Thread

import msgspec
import pytest
from transitions import Machine
from transitions.extensions import HierarchicalMachine, LockedMachine

from daynight.adapters.machines.triggers import LANGUAGE
from daynight.adapters.transitions import recorded
from daynight.framework.language.errors import NotFoundError
from daynight.framework.positions import Position
from daynight.framework.recorded import Recorded
from daynight.store import Store


class Order:
    """An order whose callbacks change its price."""

    def __init__(self):
        self.price = 1

    def inner_price(self):
        self.price = 2

    def outer_price(self):
        self.price = 3


def changes(record):
    """Each change of the price: the name of the trigger, or the event's type, and the new value."""
    found = []
    for moment in record:
        name = getattr(moment.event, "trigger", moment.event.type)
        found += [(name, one.became) for one in moment.consequences if getattr(one, "part", None) == "price"]
    return found


def made(order, after, **asked):
    ways = [
        {"trigger": "outer", "source": "a", "dest": "b", "after": after},
        {"trigger": "inner", "source": "b", "dest": "c", "after": "inner_price"},
    ]
    return Machine(order, states=["a", "b", "c"], initial="a", transitions=ways, **asked)


@pytest.mark.parametrize("queued", [False, True])
def test_facts_within(queued):
    order = Order()
    with recorded(made(order, "inner", queued=queued), facts=("price",)) as record:
        order.outer()
    found = record.of(order)
    assert changes(found) == [("began", 1), ("inner", 2)]
    assert found.part("price").way.rule == "inner"
    assert found.part("price", at="trigger:1").value == 1


def test_facts_again():
    order = Order()
    with recorded(made(order, ["inner", "outer_price"]), facts=("price",)) as record:
        order.outer()
    found = record.of(order)
    assert order.price == found.part("price").value == 3
    assert [event.type for event in found.events] == ["began", "triggered", "triggered", "facts-changed"]
    assert found.mechanic.words.event(found.events[-1])
    assert record.latest(order) == "c"


def test_facts_between():
    order = Order()
    with recorded(made(order, []), facts=("price",)) as record:
        order.price = 9
        order.outer()
        order.inner()
    assert changes(record.of(order)) == [("began", 1), ("outer", 9), ("inner", 2)]


def test_assigned():
    order = Order()
    machine = made(order, [])
    with recorded(machine) as record:
        order.state = "b"
        order.inner()
        order.state = "a"
        order.outer()
    found = record.of(order)
    assert [(event.type, event.state) for event in found.events] == [
        ("began", "a"), ("state-set", "b"), ("triggered", "c"), ("state-set", "a"), ("triggered", "b")
    ]  # fmt: skip
    assert found.audited().verdict == "exact"


def test_times():
    order, begun = Order(), datetime(2026, 11, 3, 14, 30, tzinfo=UTC)
    asked = []

    def clock():
        asked.append(begun + timedelta(minutes=len(asked)))
        return asked[-1]

    with recorded(made(order, []), clock=clock) as record:
        order.outer()
        order.inner()
        order.to_a()
    found = record.of(order)
    assert [event.at for event in found.events] == [f"2026-11-03T14:3{minute}:00+00:00" for minute in range(4)]
    assert len(asked) == 4
    assert found.audited().verdict == "exact"
    assert found.part("state", at=Position.timed("2026-11-03T14:31:30Z")).value == "b"
    assert found.part("state", at="trigger:2").value == "c"
    with pytest.raises(NotFoundError, match="its first event is of 2026-11-03T14:30"):
        found.part("state", at=Position.timed("2026-11-03T14:00Z"))
    assert len(asked) == 4


def test_no_clock():
    order = Order()
    with recorded(made(order, []), clock=None) as record:
        order.outer()
    found = record.of(order)
    assert [event.at for event in found.events] == [None, None]
    with pytest.raises(NotFoundError, match="no event of this record has a time"):
        found.part("state", at=Position.timed("2026-11-03T14:00Z"))


LATER = """
import sys
from daynight.adapters.transitions import machine_mechanic, recorded
from daynight.store import Store
from tests.adapters.test_triggers import shop
machine = shop()[1] if sys.argv[2] == "machine" else None
with Store.open(sys.argv[1], mechanic=machine_mechanic(machine)) as store:
    record = store.load("Order")
    print(len(record), record.part("state").value, record.audited().verdict)
"""


def shop():
    order = Order()
    states = ["new", {"name": "on", "initial": "slow", "children": ["slow", "fast"]}]
    return order, HierarchicalMachine(order, states=states, initial="new", transitions=[["go", "new", "on"]])


@pytest.mark.parametrize("by", ["machine", "none"])
def test_later(tmp_path, by):
    order, machine = shop()
    with recorded(machine, store=tmp_path / "orders.db") as record:
        order.go()
        machine.add_states(["gone"])
        machine.add_transition("leave", "on_slow", "gone")
        order.leave()
        machine.remove_transition("leave")
        order.to_on_fast()
    size = record.size(order)
    command = [sys.executable, "-c", LATER, str(tmp_path / "orders.db"), by]
    found = subprocess.run(command, capture_output=True, text=True, check=True)
    assert found.stdout.split() == [str(size), "on_fast", "exact"]
    with Store.open(tmp_path / "orders.db", mechanic=record.mechanic) as store:
        assert [moment.event for moment in store.load("Order")] == [*record.of(order).events]


def test_without_forms():
    order = Order()
    with recorded(made(order, [])) as record:
        order.outer()
    lines = [msgspec.json.encode(msgspec.structs.replace(event, form=None)) for event in record.of(order).events[:1]]
    lines += [msgspec.json.encode(event) for event in record.of(order).events[1:]]
    assert b"form" not in b"".join(lines)
    read = Recorded(record.mechanic).extended(map(LANGUAGE.decode, lines))
    assert read.part("state").value == "b"


def test_no_subject():
    order = Order()
    with recorded(made(order, []), facts=("price",)) as record:
        order.outer()
    for part in ("state", "price"):
        with pytest.raises(NotFoundError, match="nothing is there of 'x'"):
            record.of(order).part(part, "x")


def test_threads():
    orders = [Order() for _one in range(4)]
    machine = LockedMachine(orders, states=["a", "b"], initial="a", transitions=[["go", "a", "b"], ["back", "b", "a"]])

    def drive(order):
        for _time in range(50):
            order.go()
            order.back()

    with recorded(machine) as record:
        threads = [Thread(target=drive, args=(order,)) for order in orders]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
    for order in orders:
        found = record.of(order)
        assert [event.trigger for event in found.events[1:]] == ["go", "back"] * 50
        assert found.audited().verdict == "exact"
