"""The chart: rows run by one machine of `transitions`, which answers what is allowed and which guard said no.

| clause | yes | no |
| --- | --- | --- |
| `fire` answers where an arc leads whose guard holds | test_fire | test_fire |
| the first of several | test_the_first_arc_whose_guard_holds | test_the_first_arc_whose_guard_holds |
| each question is asked once, so many answers are remembered | test_asked_once | test_memory_is_bounded |
| `allowed` has the triggers of the arcs from a state, each once | test_allowed | test_allowed |
| `refusals` has the guards that said no | test_refusals | test_refusals_of_what_fires, test_no_arc_to_ask |
| a trigger that no arc has is refused, and the nearest is named | test_misspelt | test_far_from_all |
| so on building, where the triggers that will be fired are given | test_well_spelt | test_misspelt_on_building |
| a state is a member of the Enum, no string, no member of another | test_fire | test_no_state_to_ask_about |
| a member that equals its string is no string | test_a_string_for_a_member | test_a_string_for_a_member |
| states are an Enum; arcs lead from and to its members; guards are functions | test_fire | test_what_is_no_chart |
| no arc is doubled | test_not_doubled | test_doubled |
| arcs lead to every state | test_a_circle | test_unreachable |
| whatever the rows: as a naive table says | test_as_the_naive_table | test_refused_as_the_naive_table_says |
| one machine answers, also those who know the library | test_one_machine | test_nothing_of_its_own |
| the library draws it, with guards by their names | test_graph | test_a_graph_leaves_the_chart_alone |
| a table and a bare diagram, row by row | test_table, test_mermaid | |
"""

from enum import Enum, StrEnum
from functools import partial
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from transitions import Machine

from daynight.framework import chart as framework
from daynight.framework.chart import Arc, Chart


class Light(Enum):
    """A lamp."""

    OFF = "off"
    ON = "on"
    BROKEN = "broken"


class Word(StrEnum):
    """States that equal their strings."""

    HERE = "here"
    THERE = "there"


OFF, ON, BROKEN = Light


def powered(volts):
    """There is
    enough power.
    """
    return volts > 100


def too_much(volts):
    """More than the lamp bears."""
    return volts > 300


def always(volts):
    """In any case."""
    return True


ROWS = [
    Arc("press", OFF, BROKEN, too_much),
    Arc("press", OFF, ON, powered),
    Arc("press", ON, OFF, always),
    Arc("throw", OFF, BROKEN, always),
    Arc("throw", ON, BROKEN, always),
]


def twin(name):
    """Another guard of this name."""

    def guard(volts):
        return False

    guard.__name__ = name
    return guard


def lamp(*rows):
    """A chart of these rows, or of all."""
    return Chart(Light, OFF, rows or ROWS)


def two(*rows):
    """A chart of two states."""
    return Chart(Word, Word.HERE, rows)


def test_fire():
    """To where the arc leads, or None: no arc from here, or a guard says no."""
    assert [ON, OFF] == [lamp().fire(OFF, "press", 230), lamp().fire(ON, "press", 12)]
    assert [None, None] == [lamp().fire(OFF, "press", 12), lamp().fire(BROKEN, "press", 230)]


def test_the_first_arc_whose_guard_holds():
    """Rows are asked in their order."""
    assert [BROKEN, ON, None] == [lamp().fire(OFF, "press", volts) for volts in (400, 230, 12)]
    turned = lamp(ROWS[1], ROWS[0], *ROWS[2:])
    assert [ON, ON, None] == [turned.fire(OFF, "press", volts) for volts in (400, 230, 12)]


def counted(asked):
    """A guard that notes what it is asked."""

    def guard(volts):
        asked.append(volts)
        return volts > 100

    return guard


def test_asked_once():
    """The machine answers each question once, whichever way it is asked."""
    asked = []
    chart = two(Arc("go", Word.HERE, Word.THERE, counted(asked)))
    assert [None, Word.THERE] * 3 == [chart.fire(Word.HERE, "go", volts) for volts in (1, 200) * 3]
    assert () == chart.refusals(Word.HERE, "go", 200)
    assert 1 == len(chart.refusals(Word.HERE, "go", 1))
    assert [1, 200] == asked


def test_memory_is_bounded(monkeypatch):
    """So many answers are remembered and no more; the machine is asked again for the others."""
    monkeypatch.setattr(framework, "REMEMBERED", 3)
    asked = []
    chart = two(Arc("go", Word.HERE, Word.THERE, counted(asked)))
    for _twice in range(2):
        for volts in (1, 200, 3, 400, 5):
            assert (Word.THERE if volts > 100 else None) is chart.fire(Word.HERE, "go", volts)
    assert [1, 200, 3, 400, 5, 400, 5] == asked


def test_allowed():
    """Each trigger once, whatever guards say; from where no arc leads, none."""
    assert [("press", "throw"), ("press", "throw"), ()] == [lamp().allowed(state) for state in Light]
    assert ("throw",) == lamp(Arc("throw", OFF, BROKEN, too_much), Arc("press", BROKEN, ON, always)).allowed(OFF)


def test_refusals():
    """All that were asked, in the order of the rows."""
    assert (too_much, powered) == lamp().refusals(OFF, "press", 12)
    assert (powered, too_much) == lamp(ROWS[1], *ROWS[:1], *ROWS[2:]).refusals(OFF, "press", 12)


@pytest.mark.parametrize("state, trigger, volts", [(OFF, "press", 400), (OFF, "press", 230), (ON, "throw", 0)])
def test_refusals_of_what_fires(state, trigger, volts):
    """Where one guard says yes, none is to blame: neither those before nor those after."""
    assert lamp().fire(state, trigger, volts) is not None
    assert () == lamp().refusals(state, trigger, volts)


def test_no_arc_to_ask():
    """No guard said no where none was asked."""
    assert lamp().refusals(BROKEN, "press", 230) is None
    assert "press" not in lamp().allowed(BROKEN)


@pytest.mark.parametrize("ask", ["fire", "refusals"])
def test_misspelt(ask):
    """The nearest trigger is named."""
    with pytest.raises(ValueError, match=r"^no arc has the trigger 'pres'; did you mean 'press'\?$"):
        getattr(lamp(), ask)(OFF, "pres", 230)


@pytest.mark.parametrize("ask", ["fire", "refusals"])
def test_far_from_all(ask):
    """Where none is near, all are named."""
    with pytest.raises(ValueError, match=r"^no arc has the trigger 'kick'; there are: press, throw$"):
        getattr(lamp(), ask)(OFF, "kick", 230)


@pytest.mark.parametrize(
    "triggers, words",
    [
        (["pres", "throw"], r"^no arc has the trigger 'pres'; did you mean 'press'\?$"),
        (["press", "throw", "mend"], r"^no arc has the trigger 'mend'; there are: press, throw$"),
        (["press"], r"^an arc has a trigger that is not given: 'throw'; there are: press$"),
        (iter(["press"]), r"^an arc has a trigger that is not given: 'throw'; there are: press$"),
    ],
)
def test_misspelt_on_building(triggers, words):
    """A trigger that will be fired has an arc, and an arc's trigger will be fired."""
    with pytest.raises(ValueError, match=words):
        Chart(Light, OFF, ROWS, triggers)


def test_well_spelt():
    """In any order, any number of times."""
    assert ON is Chart(Light, OFF, ROWS, triggers=["throw", "press", "press"]).fire(OFF, "press", 230)


@pytest.mark.parametrize("given", ["off", "OFF", Word.HERE, None, 0], ids=repr)
def test_no_state_to_ask_about(given):
    """Each member is named as one writes it."""
    words = r"is no state of this chart; its states are Light\.OFF, Light\.ON, Light\.BROKEN$"
    with pytest.raises(ValueError, match=words):
        lamp().fire(given, "press", 230)
    with pytest.raises(ValueError, match=words):
        lamp().refusals(given, "press", 230)
    with pytest.raises(ValueError, match=words):
        lamp().allowed(given)


def test_a_string_for_a_member():
    """Asked before or after the member itself, a string is refused."""
    chart = two(Arc("go", Word.HERE, Word.THERE, always))
    for _twice in range(2):
        with pytest.raises(ValueError, match=r"^'here' is no state of this chart; its states are Word\.H"):
            chart.fire("here", "go", 1)
        assert Word.THERE is chart.fire(Word.HERE, "go", 1)


@pytest.mark.parametrize(
    "states, initial, rows, words",
    [
        (Light, "off", ROWS, "^initial: 'off' is no state of this chart; its states are Light.OFF, Light.ON"),
        (Light, Word.HERE, ROWS, "^initial: <Word.HERE: 'here'> is no state"),
        (Light, OFF, [*ROWS, Arc("mend", "broken", OFF, always)], "^arc 6, source: 'broken' is no state"),
        (Light, OFF, [*ROWS, Arc("mend", BROKEN, "off", always)], "^arc 6, dest: 'off' is no state"),
        (Word, Word.HERE, [Arc("go", Word.HERE, "there", always)], "^arc 1, dest: 'there' is no state"),
        (Light, OFF, [*ROWS, Arc("mend", BROKEN, OFF, None)], "^arc 6, guard: None can't be called; give a function$"),
        (Light, OFF, [*ROWS, Arc("mend", BROKEN, OFF, "always")], "^arc 6, guard: 'always' can't be called"),
        (["off", "on"], "off", [], r"^states: \['off', 'on'\] is no Enum class; name each state as a member of one$"),
    ],
)
def test_what_is_no_chart(states, initial, rows, words):
    """Which arc it is, and what is there instead."""
    with pytest.raises(ValueError, match=words):
        Chart(states, initial, rows)


@pytest.mark.parametrize(
    "arc, words",
    [
        (ROWS[1], "they ask the same guard, so the second is never taken"),
        (Arc("press", OFF, OFF, powered), "they ask the same guard, so the second is never taken"),
        (Arc("press", OFF, ON, twin("powered")), "both lead to ON, by guards of the same name, powered"),
    ],
)
def test_doubled(arc, words):
    """The same guard twice, or two that one can't tell apart."""
    with pytest.raises(ValueError, match=f"^arcs 2 and 6 are doubled: from OFF on 'press' {words}$"):
        lamp(*ROWS, arc)


@pytest.mark.parametrize(
    "arc",
    [
        Arc("kick", OFF, ON, powered),
        Arc("press", BROKEN, ON, powered),
        Arc("press", OFF, ON, always),
        Arc("press", OFF, ON, partial(powered)),
        Arc("press", OFF, OFF, twin("powered")),
    ],
)
def test_not_doubled(arc):
    """Another trigger, source or guard; a name twice, where the arcs lead to different states."""
    assert 6 == len(lamp(*ROWS, arc).arcs)


def test_unreachable():
    """Every state that no arcs lead to is named, one that only leads away and one that only leads to itself too."""
    with pytest.raises(ValueError, match=r"^no arcs lead from OFF to BROKEN$"):
        lamp(Arc("press", OFF, ON, always), Arc("mend", BROKEN, ON, always))
    with pytest.raises(ValueError, match=r"^no arcs lead from OFF to ON, BROKEN$"):
        lamp(Arc("press", OFF, OFF, always), Arc("throw", ON, BROKEN, always), Arc("mend", BROKEN, ON, always))


def test_a_circle():
    """Reached the long way, in whatever order the rows stand; and one state alone is a chart."""
    rows = [Arc("three", BROKEN, OFF, always), Arc("two", ON, BROKEN, always), Arc("one", OFF, ON, always)]
    assert BROKEN is lamp(*rows).fire(ON, "two", 1)
    one = Enum("One", "ONLY")
    assert () == Chart(one, one.ONLY, []).allowed(one.ONLY)


NAMES = ("a", "b", "c")
GUARDS = [frozenset(yes) for yes in ((), (0,), (1, 2), (0, 2), (0, 1, 2))]


def named(number):
    """A guard that says yes to some of three circumstances."""

    def guard(now):
        return now in GUARDS[number]

    guard.__name__ = f"guard_{number}"
    return guard


FUNCTIONS = [named(number) for number in range(len(GUARDS))]
ANYTHING = st.lists(
    st.tuples(st.sampled_from(NAMES), st.integers(0, 3), st.integers(0, 3), st.integers(0, len(GUARDS) - 1)),
    max_size=9,
)
"""Rows: trigger, source, dest, guard."""


def reached(rows):
    """The states that one comes to from the first."""
    found = [0]
    for state in found:
        found += [dest for _trigger, source, dest, _guard in rows if source == state and dest not in found]
    return set(found)


def built(count, rows):
    """A chart of so many states, and its states."""
    states = Enum("State", [f"S{number}" for number in range(count)])
    of = [*states]
    return of, Chart(states, of[0], [Arc(trigger, of[one], of[to], FUNCTIONS[by]) for trigger, one, to, by in rows])


@given(ANYTHING)
def test_as_the_naive_table(anything):
    """Every question: `fire`, `allowed` and `refusals` as one reads them off the rows, asked twice."""
    order = sorted(reached(anything))
    rows = []
    for trigger, source, dest, guard in anything:
        doubled = any((trigger, source, guard) == (row[0], order[row[1]], row[3]) for row in rows)
        if source in order and not doubled:
            rows.append((trigger, order.index(source), order.index(dest), guard))
    states, chart = built(len(order), rows)
    for number, state in enumerate(states):
        assert {row[0] for row in rows if row[1] == number} == set(chart.allowed(state))
        assert len(set(chart.allowed(state))) == len(chart.allowed(state))
    triggers = {row[0] for row in rows}
    for number, trigger, now, _twice in product(range(len(states)), sorted(triggers), range(3), range(2)):
        asked = [(dest, guard) for name, source, dest, guard in rows if (name, source) == (trigger, number)]
        leads = [states[dest] for dest, guard in asked if now in GUARDS[guard]]
        assert (leads[0] if leads else None) is chart.fire(states[number], trigger, now)
        refused = [FUNCTIONS[guard] for _dest, guard in asked if now not in GUARDS[guard]]
        expected = None if not asked else () if leads else tuple(refused)
        assert expected == chart.refusals(states[number], trigger, now)


@given(ANYTHING, st.integers(1, 4))
def test_refused_as_the_naive_table_says(anything, count):
    """A chart is built, or not, as the rows say."""
    rows = [row for row in anything if row[1] < count and row[2] < count]
    keys = [(trigger, source, guard) for trigger, source, _dest, guard in rows]
    if len(set(keys)) == len(keys) and len(reached(rows)) == count:
        assert count == len(built(count, rows)[1].states)
        return
    with pytest.raises(ValueError, match=r"^arcs . and . are doubled: |^no arcs lead from S0 to S"):
        built(count, rows)


def test_one_machine():
    """The library's own questions have the chart's answers; its models live by it."""
    chart = lamp()
    assert isinstance(chart.machine, Machine)
    assert ["too_much", "powered"] == [
        condition.func.__name__ for arc in chart.machine.get_transitions("press", OFF) for condition in arc.conditions
    ]

    class Bulb:
        """A model, as users of the library write them."""

    bulb = Bulb()
    chart.machine.add_model(bulb)
    assert (False, OFF) == (bulb.press(12), bulb.state)
    assert (True, ON) == (bulb.press(230), bulb.state)


def test_nothing_of_its_own(monkeypatch):
    """No automatic transitions, no model, and none is built to answer."""
    chart = lamp()
    monkeypatch.setattr(framework, "Machine", None)
    assert BROKEN is chart.fire(OFF, "throw", 1)
    assert ["press", "throw"] == [*chart.machine.events]
    assert [] == chart.machine.models
    assert OFF.name == chart.machine.initial


def test_graph():
    """Every arc is there: trigger and guard on the arrow from its source to its dest."""
    drawn = lamp().get_graph().draw(None)
    assert drawn.startswith("---\nLight\n---\nstateDiagram-v2\n")
    arrows = [line.strip() for line in drawn.splitlines() if "-->" in line]
    assert [
        "OFF --> BROKEN: press [too_much] | throw [always]",
        "OFF --> ON: press [powered]",
        "ON --> OFF: press [always]",
        "ON --> BROKEN: throw [always]",
        "[*] --> OFF",
    ] == arrows
    assert "\nA lamp\n" in lamp().get_graph(title="A lamp").draw(None)
    assert " s_active\n" not in drawn


def test_a_graph_leaves_the_chart_alone():
    """It is another machine, and triggers may be called as the library's own methods are."""
    names = ["get_graph", "trigger", "to_ON"]
    chart = lamp(*[Arc(name, source, ON, always) for name in names for source in Light], *ROWS)
    drawn = chart.get_graph().draw(None)
    assert [3, 3, 3] == [drawn.count(f"{name} [always]") for name in names]
    assert [] == chart.machine.models
    assert [ON, ON, ON] == [chart.fire(OFF, name, 1) for name in names]


def test_table():
    """The rows as words; the guard's sentence in one line, or nothing."""
    assert ("off", "on", "press", "There is enough power.") == [*lamp().table()][1]
    assert [("here", "there", "go", "")] == [*two(Arc("go", Word.HERE, Word.THERE, lambda volts: True)).table()]
    assert 5 == len([*lamp().table()])


def test_mermaid():
    """A diagram with every arc in its order, labelled as one likes."""
    chart = two(Arc("go", Word.HERE, Word.THERE, always), Arc("come", Word.THERE, Word.HERE, always))
    beginning = "stateDiagram-v2\n    [*] --> here\n    here --> there : "
    assert beginning + "go\n    there --> here : come\n" == chart.mermaid()
    assert beginning + "GO\n    there --> here : COME\n" == chart.mermaid(str.upper)
    named = chart.mermaid(name=lambda state: {Word.HERE: "ici"}.get(state, state.value))
    assert 'stateDiagram-v2\n    state "ici" as here\n    [*] --> here\n' in named
    assert '" as there' not in named
