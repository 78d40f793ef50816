"""What a chart refuses when it is built; and random charts, compared with a naive table.

| clause | yes | no |
| --- | --- | --- |
| the declared triggers are exactly the triggers of the arcs | test_well_spelt | test_misspelt_on_building |
| states are an Enum, arcs join its members, guards take one argument | test_well_spelt | test_what_is_no_chart |
| no arc is doubled | test_not_doubled | test_doubled |
| every state can be reached | test_a_circle | test_unreachable |
| any rows give the answers of a naive table | test_as_the_naive_table | test_refused_as_the_naive_table_says |
"""

from enum import Enum
from functools import partial
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daynight.framework.chart import Arc, Chart
from tests.framework.lamps import BROKEN, OFF, ON, ROWS, Light, Word, always, lamp, powered, twin


@pytest.mark.parametrize("triggers, words", [
    (["pres", "throw"], r"^no arc has the trigger 'pres'; did you mean 'press'\?$"),
    (["press", "throw", "mend"], r"^no arc has the trigger 'mend'; there are: press, throw$"),
    (["press"], r"^an arc has a trigger that is not given: 'throw'; there are: press$"),
])  # fmt: skip
def test_misspelt_on_building(triggers, words):
    """A declared trigger without an arc is refused, and so is an arc with an undeclared trigger."""
    with pytest.raises(ValueError, match=words):
        Chart(Light, OFF, ROWS, triggers)


def test_misspelt_once_through():
    """The declared triggers may be an iterator: the check reads it only once."""
    with pytest.raises(ValueError, match=r"^an arc has a trigger that is not given: 'throw'; there are: press$"):
        Chart(Light, OFF, ROWS, iter(["press"]))


def test_well_spelt():
    """Triggers may be declared in any order and repeatedly."""
    assert ON is Chart(Light, OFF, ROWS, triggers=["throw", "press", "press"]).fire(OFF, "press", 230)


def two(volts, amperes):
    return volts * amperes > 1


@pytest.mark.parametrize("states, initial, rows, words", [
    (Light, "off", ROWS, "^initial: 'off' is no state of this chart; its states are Light.OFF, Light.ON"),
    (Light, Word.HERE, ROWS, "^initial: <Word.HERE: 'here'> is no state"),
    (Light, OFF, [*ROWS, Arc("mend", "broken", OFF, always)], "^arc 6, source: 'broken' is no state"),
    (Light, OFF, [*ROWS, Arc("mend", BROKEN, "off", always)], "^arc 6, dest: 'off' is no state"),
    (Word, Word.HERE, [Arc("go", Word.HERE, "there", always)], "^arc 1, dest: 'there' is no state"),
    (Light, OFF, [*ROWS, Arc("mend", BROKEN, OFF, None)], "^arc 6, guard: None can't be called; give a function$"),
    (Light, OFF, [*ROWS, Arc("mend", BROKEN, OFF, "always")], "^arc 6, guard: 'always' can't be called"),
    (Light, OFF, [*ROWS, Arc("mend", BROKEN, OFF, two)], r"^arc 6, guard: two\(volts, amperes\) can't be called with"),
    (Light, OFF, [*ROWS, Arc("mend", BROKEN, OFF, lambda: True)], r"^arc 6, guard: <lambda>\(\) can't be called with"),
    (["off", "on"], "off", [], r"^states: \['off', 'on'\] is no Enum class; name each state as a member of one$"),
])  # fmt: skip
def test_what_is_no_chart(states, initial, rows, words):
    """Invalid states, initial states, arcs or guards raise a ValueError, which names the arc and the wrong field."""
    with pytest.raises(ValueError, match=words):
        Chart(states, initial, rows)


@pytest.mark.parametrize("arc, words", [
    (ROWS[1], "they ask the same guard, so the second is never taken"),
    (Arc("press", OFF, OFF, powered), "they ask the same guard, so the second is never taken"),
    (Arc("press", OFF, ON, twin("powered")), "both lead to ON, by guards of the same name, powered"),
])  # fmt: skip
def test_doubled(arc, words):
    """Two arcs of one source and trigger are refused if their guards are the same, or have one name and one dest."""
    with pytest.raises(ValueError, match=f"^arcs 2 and 6 are doubled: from OFF on 'press' {words}$"):
        lamp(*ROWS, arc)


@pytest.mark.parametrize("arc", [
    Arc("kick", OFF, ON, powered), Arc("press", BROKEN, ON, powered), Arc("press", OFF, ON, always),
    Arc("press", OFF, ON, partial(powered)), Arc("press", OFF, ON, partial(two, 5)), Arc("press", OFF, ON, bool),
    Arc("press", OFF, OFF, twin("powered")),
])  # fmt: skip
def test_not_doubled(arc):
    """Arcs are not doubled if trigger, source or guard differs.

    Two guards of the same name are allowed if their arcs lead to different states.
    """
    assert 6 == len(lamp(*ROWS, arc).arcs)


def test_unreachable():
    """Every state that can't be reached is named, also one with an arc to a reachable state, or two in a circle."""
    with pytest.raises(ValueError, match=r"^no arcs lead from OFF to BROKEN$"):
        lamp(Arc("press", OFF, ON, always), Arc("mend", BROKEN, ON, always))
    with pytest.raises(ValueError, match=r"^no arcs lead from OFF to ON, BROKEN$"):
        lamp(Arc("press", OFF, OFF, always), Arc("throw", ON, BROKEN, always), Arc("mend", BROKEN, ON, always))


def test_a_circle():
    """A state that is reached over several arcs is reachable, in any order of the rows; a chart may have one state."""
    rows = [Arc("three", BROKEN, OFF, always), Arc("two", ON, BROKEN, always), Arc("one", OFF, ON, always)]
    assert BROKEN is lamp(*rows).fire(ON, "two", 1)
    one = Enum("One", "ONLY")
    assert () == Chart(one, one.ONLY, []).allowed(one.ONLY)


NAMES = ("a", "b", "c")
GUARDS = [frozenset(yes) for yes in ((), (0,), (1, 2), (0, 2), (0, 1, 2))]


def named(number):
    """A guard that says yes to the circumstances in `GUARDS[number]`, and is named by its number."""

    def guard(now):
        return now in GUARDS[number]

    guard.__name__ = f"guard_{number}"
    return guard


FUNCTIONS = [named(number) for number in range(len(GUARDS))]
ANYTHING = st.lists(
    st.tuples(st.sampled_from(NAMES), st.integers(0, 3), st.integers(0, 3), st.integers(0, len(GUARDS) - 1)), max_size=9
)
"""Random rows: a trigger, and the numbers of source, dest and guard."""


def reached(rows):
    """The numbers of the states that the rows reach from state 0."""
    found = [0]
    for state in found:
        found += [dest for _trigger, source, dest, _guard in rows if source == state and dest not in found]
    return set(found)


def built(count, rows):
    """The list of `count` new states, and a chart of them with these rows."""
    states = Enum("State", [f"S{number}" for number in range(count)])
    of = [*states]
    return of, Chart(states, of[0], [Arc(trigger, of[one], of[to], FUNCTIONS[by]) for trigger, one, to, by in rows])


@given(ANYTHING)
def test_as_the_naive_table(anything):
    """`fire`, `allowed` and `refusals` give the naive table's answers, also when they are asked again."""
    valid = []
    for row in anything:
        if not any((row[0], row[1], row[3]) == (one[0], one[1], one[3]) for one in valid):
            valid.append(row)
    order = sorted(reached(valid))
    rows = [
        (trigger, order.index(source), order.index(dest), guard)
        for trigger, source, dest, guard in valid
        if source in order
    ]
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
    """A chart is built exactly when the naive table says that the rows are valid."""
    rows = [row for row in anything if row[1] < count and row[2] < count]
    keys = [(trigger, source, guard) for trigger, source, _dest, guard in rows]
    if len(set(keys)) == len(keys) and len(reached(rows)) == count:
        assert count == len(built(count, rows)[1].states)
        return
    with pytest.raises(ValueError, match=r"^arcs . and . are doubled: |^no arcs lead from S0 to S"):
        built(count, rows)
