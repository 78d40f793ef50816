"""The chart: rows run by a machine, whose answers are remembered."""

from enum import Enum
from itertools import product

import pytest
from transitions import Machine

from daynight.events.terms import Designation
from daynight.framework import chart as framework
from daynight.framework.chart import Arc, Chart
from daynight.rules.citations import KEYS
from daynight.rules.designation import ARCS, CHART, Circumstances

TRIGGERS = tuple(dict.fromkeys(arc.trigger for arc in ARCS))
EVERYTHING = tuple(
    Circumstances(told, casts, daybound, nightbound, barred)
    for told, casts, daybound, nightbound, barred in product(
        (None, *Designation), (None, 0, 1, 2), (False, True), (False, True), (False, True)
    )
)


class Subject:
    """What the machine works on, when it is asked without the chart."""

    def __init__(self, state, circumstances):
        self.state = state
        self.circumstances = circumstances


def machine_says(state, trigger, circumstances):
    """The machine's own answer, remembered by nobody."""
    subject = Subject(state, circumstances)
    return subject.state if CHART.machine.events[trigger].trigger(subject) else None


def rows_say(state, trigger, circumstances):
    """What one reads off the rows."""
    leads = [arc.dest for arc in ARCS if (arc.trigger, arc.source) == (trigger, state) and arc.guard(circumstances)]
    assert len(leads) <= 1
    return leads[0] if leads else None


@pytest.mark.parametrize("trigger", TRIGGERS)
def test_machine_and_memory(trigger):
    """For every state and every circumstance: chart, machine and rows say the same, asked twice too."""
    for state, circumstances in product(Designation, EVERYTHING):
        expected = rows_say(state, trigger, circumstances)
        assert expected == machine_says(state, trigger, circumstances)
        assert expected == CHART.fire(state, trigger, circumstances) == CHART.fire(state, trigger, circumstances)


def test_no_way_back_to_neither():
    """No row leads there, and nothing that can be asked does."""
    assert Designation.NEITHER not in {arc.dest for arc in ARCS}
    for state, trigger, circumstances in product(Designation, TRIGGERS, EVERYTHING):
        assert CHART.fire(state, trigger, circumstances) is not Designation.NEITHER


def test_it_becomes_another_one():
    """No arc leads from a designation to itself."""
    assert all(arc.source is not arc.dest for arc in ARCS)


def test_triggers_are_rules():
    """Every arc is cited by its key."""
    assert set(TRIGGERS) <= set(KEYS)


def test_the_machine():
    """One machine of `transitions`, without the automatic ways that would lead from anywhere to anywhere."""
    assert isinstance(CHART.machine, Machine)
    assert set(TRIGGERS) == set(CHART.machine.events)
    assert [*Designation] == [state.value for state in CHART.machine.states.values()]
    assert Designation.NEITHER is CHART.initial


class Light(Enum):
    """A lamp, for charts of our own."""

    OFF = "off"
    ON = "on"


def powered(volts):
    """There is
    enough power.
    """
    return volts > 100


def lamp(guard=powered):
    """A chart with one arc."""
    return Chart(Light, Light.OFF, [Arc("press", Light.OFF, Light.ON, guard)])


def test_fire():
    """To where the arc leads, or None: no arc from here, or a guard says no."""
    assert Light.ON is lamp().fire(Light.OFF, "press", 230)
    assert lamp().fire(Light.OFF, "press", 12) is None
    assert lamp().fire(Light.ON, "press", 230) is None


def test_an_unknown_trigger():
    """What the chart has no row for is no question."""
    with pytest.raises(KeyError):
        lamp().fire(Light.OFF, "kick", 230)


def test_the_first_arc_whose_guard_holds():
    """Rows are asked in their order."""
    rows = [
        Arc("press", Light.OFF, Light.OFF, lambda volts: volts > 300),
        Arc("press", Light.OFF, Light.ON, powered),
    ]
    chart = Chart(Light, Light.OFF, rows)
    assert [Light.OFF, Light.ON, None] == [chart.fire(Light.OFF, "press", volts) for volts in (400, 230, 12)]


def test_asked_once():
    """The machine answers each question once."""
    asked = []

    def guard(volts):
        asked.append(volts)
        return False

    chart = lamp(guard)
    assert [None] * 6 == [chart.fire(Light.OFF, "press", volts) for volts in (1, 2, 1, 2, 1, 2)]
    assert [1, 2] == asked


def test_memory_is_bounded(monkeypatch):
    """Whatever is asked, so many answers are remembered and no more; the others are asked for again."""
    monkeypatch.setattr(framework, "REMEMBERED", 3)
    asked = []

    def guard(volts):
        asked.append(volts)
        return volts > 100

    chart = lamp(guard)
    for _twice in range(2):
        for volts in (1, 200, 3, 400, 5):
            assert (Light.ON if volts > 100 else None) is chart.fire(Light.OFF, "press", volts)
    assert [1, 200, 3, 400, 5, 400, 5] == asked


def test_the_designation_stays_below_the_bound():
    """There are not as many questions as may be remembered."""
    assert len(Designation) * len(TRIGGERS) * len(EVERYTHING) < framework.REMEMBERED


def test_table():
    """The rows as words; the guard's sentence in one line, or nothing."""
    assert [("off", "on", "press", "There is enough power.")] == [*lamp().table()]
    assert [("off", "on", "press", "")] == [*lamp(lambda volts: True).table()]
    assert len(ARCS) == len([*CHART.table()])
    assert all(guard.endswith(".") for *_words, guard in CHART.table())


def test_mermaid():
    """A diagram with every arc, labelled as one likes."""
    assert "stateDiagram-v2\n    [*] --> off\n    off --> on : press\n" == lamp().mermaid()
    assert "    off --> on : PRESS\n" in lamp().mermaid(str.upper)
    diagram = CHART.mermaid().splitlines()
    assert ["stateDiagram-v2", "    [*] --> neither"] == diagram[:2]
    assert [f"    {arc.source} --> {arc.dest} : {arc.trigger}" for arc in ARCS] == diagram[2:]
