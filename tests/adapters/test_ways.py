"""How a machine was used: how often each transition was taken, and which guards said no.

| what holds | test |
| --- | --- |
| each transition is counted, of one model or all; so are guards that stopped one, also by `unless` | test_counted |
| in nested and parallel machines the transitions of each state are counted separately | test_nested |
| in a parallel machine a guard counts as often as it was asked, for the transition that asked | test_parallel |
| if a callback raises, the transition counts if the state changed | test_raised |
| the picture has each state and transition, in words too; unused ones are dashed; names are escaped | test_picture |
| the picture in the guide is up to date | test_guide |
| a diagram in Mermaid has the same states, transitions and counts | test_mermaid |
| states and transitions that are too many to draw are counted | test_many |
"""

from contextlib import suppress
from itertools import product
from pathlib import Path
from xml.etree import ElementTree

from transitions import Machine
from transitions.extensions import HierarchicalMachine

from daynight.adapters.transitions import recorded
from daynight.pictures import machine_svg
from examples.adopt.order import Order, machine


def taken(ways):
    return {(one.trigger, one.source, one.dest): (one.taken, dict(one.said_no)) for one in ways.ways}


def test_counted():
    one, two = Order(), Order()
    made = machine(one)
    made.add_model(two)
    made.add_transition("cancel", "*", "new", unless="is_paid")
    with recorded(made) as record:
        one.pack()
        one.ship()
        one.receive(30)
        one.ship()
        one.cancel()
        two.pack()
    found = taken(record.ways(one))
    assert found["ship", "packed", "shipped"] == (1, {"is_paid": 1})
    assert found["receive", "packed", None] == (1, {})
    assert found["receive", "new", None] == (0, {})
    assert found["cancel", "shipped", "new"] == (0, {"is_paid": 1})
    assert ("to_new", "packed", "new") not in found
    every = record.ways()
    assert taken(every)["pack", "new", "packed"] == (2, {})
    assert (every.entered, every.now) == ({"new": 2, "packed": 2, "shipped": 1}, {"shipped": 1, "packed": 1})
    said = str(record.ways(one))
    assert "  ── ship() [is_paid] ─> shipped: taken 1×, is_paid() said no 1×" in said
    assert "  ┄┄ cancel() [not is_paid] ─> new: never taken, is_paid() said yes 1×" in said
    told = record.of(one)
    assert told.mechanic.words.consequence(told[6].consequences[0]) == (
        "cancel() was not taken: is_paid() said yes"
    )  # fmt: skip


class Oven:
    """A model without attributes of its own."""


REGIONS = [
    {"name": "heat", "children": ["cold", "hot"], "initial": "cold", "transitions": [["next", "cold", "hot"]]},
    {"name": "fan", "children": ["low", "high"], "initial": "low", "transitions": [["next", "low", "high"]]},
]


def test_nested():
    oven = Oven()
    made = HierarchicalMachine(
        oven, states=["off", {"name": "on", "parallel": REGIONS}], initial="off",
        transitions=[["go", "off", "on"], ["stop", "on", "off"]],
    )  # fmt: skip
    with recorded(made) as record:
        oven.go()
        oven.next()
        oven.stop()
        oven.to_on()
    found = taken(record.ways())
    assert found == {
        ("go", "off", "on"): (1, {}), ("stop", "on", "off"): (1, {}), ("to_on", "off", "on"): (1, {}),
        ("next", "on_heat_cold", "on_heat_hot"): (1, {}), ("next", "on_fan_low", "on_fan_high"): (1, {}),
    }  # fmt: skip
    assert record.ways().entered["on"] == 2
    assert record.ways().now == {"on_heat_cold": 1, "on_fan_low": 1}


class Gate:
    """A model with two guards: one always says no, one says no and yes in turn."""

    times = 0

    def is_open(self):
        return False

    def every_second(self):
        self.times += 1
        return self.times % 2 == 0


def test_parallel():
    gate = Gate()
    regions = [
        {"name": name, "children": ["a", "b"], "initial": "a", "transitions": [
            {"trigger": "step", "source": "a", "dest": "b", "conditions": "every_second"}
        ]} for name in ("left", "right")
    ]  # fmt: skip
    ways = [{"trigger": "stop", "source": "run", "dest": "off", "conditions": "is_open"}]
    made = HierarchicalMachine(
        gate, states=["off", {"name": "run", "parallel": regions}], initial="run", transitions=ways
    )
    with recorded(made) as record:
        gate.stop()
        gate.step()
    found = taken(record.ways())
    assert found["stop", "run", "off"] == (0, {"is_open": 1})
    assert found["step", "run_left_a", "run_left_b"] == (0, {"every_second": 1})
    assert found["step", "run_right_a", "run_right_b"] == (1, {})
    assert record.of().audited().verdict == "exact"


def test_raised():
    def fails():
        raise ValueError("no")

    oven = Oven()
    made = Machine(oven, states=["off", "on"], initial="off", transitions=[
        {"trigger": "go", "source": "off", "dest": "on", "after": fails},
        {"trigger": "stop", "source": "on", "dest": "off", "before": fails},
    ])  # fmt: skip
    with recorded(made) as record:
        for trigger in (oven.go, oven.stop):
            with suppress(ValueError):
                trigger()
    found = taken(record.ways())
    assert (found["go", "off", "on"], found["stop", "on", "off"]) == ((1, {}), (0, {}))


def test_picture():
    oven = Oven()
    made = Machine(oven, states=["off", "<on>&"], initial="off", auto_transitions=False, transitions=[
        ["go", "off", "<on>&"], ["stop", "<on>&", "off"], ["again", "off", "="],
    ])  # fmt: skip
    with recorded(made) as record:
        oven.go()
    picture = machine_svg(record.ways())
    root = ElementTree.fromstring(picture)
    words = [one.text for one in root.iter() if one.text]
    for word in ("<on>&", "go()", "stop()", "again()", "taken 1×", "never taken"):
        assert word in words
    told = next(one.text for one in root if one.tag.endswith("desc"))
    assert "<on>& (entered 1×, 1 now)" in " ".join(told.split())
    dashed = [one for one in root.iter() if "dn-dashed" in one.get("class", "")]
    assert len(dashed) == 2
    assert machine_svg(record.ways()) == picture


def test_guide():
    """The picture in the guide is drawn from the machine of its example."""
    order = Order()
    with recorded(machine(order), facts=("paid",)) as record:
        order.receive(20)
        order.pack()
        order.ship()
    drawn = Path(__file__).parents[2] / "examples/adopt/machine.svg"
    assert drawn.read_text(encoding="utf-8") == machine_svg(record.ways(order))


def test_mermaid():
    order = Order()
    with recorded(machine(order)) as record:
        order.pack()
        order.ship()
    said = record.ways().mermaid()
    assert said.startswith("stateDiagram-v2\n  s0: new\n  s1: packed\n  s2: shipped\n  [*] --> s0\n")
    assert "  s1 --> s2: ship() [is_paid] never taken, is_paid() said no 1×\n" in said


def test_many():
    oven = Oven()
    names = [f"s{number}" for number in range(60)]
    made = Machine(oven, states=names, initial="s0", auto_transitions=False, transitions=[
        [f"go{number}", one, other] for number, (one, other) in enumerate(product(names[:20], repeat=2))
    ])  # fmt: skip
    with recorded(made) as record:
        oven.go19()
    picture = machine_svg(record.ways())
    assert picture.count("never taken") > 100
    assert "and 220 states or ways more" in picture
    assert "taken 1×" in picture
