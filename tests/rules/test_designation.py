"""The state machine of the designation: its arcs, and arcs that must not exist.

| clause | the rule in our words | test |
| --- | --- | --- |
| 728.1 | a game starts with neither day nor night | test_a_game_starts_with_neither |
| 728.1 | once it is day or night it is one of the two to its end: no | |
| | way back to neither | test_no_arc_leads_to_neither |
| | | test_no_trigger_ever_answers_neither |
| | | test_the_machine_makes_no_arcs_of_its_own |
| 728.1 | an effect makes it day or night, from neither or from the | |
| | other | test_every_question_has_the_answer_of_the_table |
| 728.1 | "if it's neither, it becomes day as this enters": from | |
| | neither only | test_every_question_has_the_answer_of_the_table |
| 728.2a | day, and no spell: night; one spell is enough to keep the | |
| | day | test_every_question_has_the_answer_of_the_table |
| 728.2b | night, and two spells: day; one is not enough | test_every_question_has_the_answer_of_the_table |
| 728.2c | neither: the check has no arc | test_the_check_has_no_arc_from_neither |
| 702.145d | neither, and a permanent with daybound: day | test_every_question_has_the_answer_of_the_table |
| 702.145g | neither, nightbound and no daybound: night | test_every_question_has_the_answer_of_the_table |
| - | nothing prevents a judge's ruling | test_a_ruling_is_not_barred |
| - | each arc is a row one can print and draw | test_rows_of_the_chart, test_drawing, |
| | | test_drawing_by_the_library |
| - | the chart says what is allowed, and which guard said no | test_what_is_allowed, test_which_guard_said_no, |
| | | test_no_guard_to_say_no |
"""

from itertools import product

import pytest

from daynight.events.terms import Designation
from daynight.framework.chart import REMEMBERED
from daynight.rules.citations import KEYS
from daynight.rules.designation import ARCS, CHART, Circumstances

NEITHER, DAY, NIGHT = Designation.NEITHER, Designation.DAY, Designation.NIGHT
TRIGGERS = (
    "day-if-neither", "daybound-starts-day", "nightbound-starts-night", "check-day", "check-night", "becomes", "judge",
)  # fmt: skip
EVERYTHING = [
    Circumstances(*answers)
    for answers in product((None, DAY, NIGHT), (None, 0, 1, 2), (False, True), (False, True), (False, True))
]

# From, trigger: the new designation for each combination of circumstances. A missing row means no change.
TABLE = [
    (NEITHER, "day-if-neither", lambda now: True, DAY),
    (NEITHER, "daybound-starts-day", lambda now: now.daybound, DAY),
    (NEITHER, "nightbound-starts-night", lambda now: now.nightbound and not now.daybound and not now.barred, NIGHT),
    (DAY, "check-day", lambda now: now.casts == 0 and not now.barred, NIGHT),
    (NIGHT, "check-night", lambda now: now.casts == 2, DAY),
    (NEITHER, "becomes", lambda now: now.told == DAY, DAY),
    (NEITHER, "becomes", lambda now: now.told == NIGHT and not now.barred, NIGHT),
    (DAY, "becomes", lambda now: now.told == NIGHT and not now.barred, NIGHT),
    (NIGHT, "becomes", lambda now: now.told == DAY, DAY),
    (NEITHER, "judge", lambda now: now.told == DAY, DAY),
    (NEITHER, "judge", lambda now: now.told == NIGHT, NIGHT),
    (DAY, "judge", lambda now: now.told == NIGHT, NIGHT),
    (NIGHT, "judge", lambda now: now.told == DAY, DAY),
]


def by_the_table(state, trigger, now):
    """The new designation by the handwritten table, or None if nothing changes."""
    for source, key, holds, dest in TABLE:
        if (source, key) == (state, trigger) and holds(now):
            return dest
    return None


@pytest.mark.parametrize("state", Designation)
@pytest.mark.parametrize("trigger", TRIGGERS)
def test_every_question_has_the_answer_of_the_table(state, trigger):
    """For every trigger, state and combination of circumstances, the chart gives the table's answer."""
    expected = [by_the_table(state, trigger, now) for now in EVERYTHING]
    assert expected == [CHART.fire(state, trigger, now) for now in EVERYTHING]


@pytest.mark.parametrize("state", Designation)
@pytest.mark.parametrize("trigger", TRIGGERS)
def test_the_machine_itself_agrees_with_what_is_remembered(state, trigger):
    """Without the cache, the machine sets a model's `state` to the table's designation, or does not change it."""

    class Subject:
        """A model whose attribute `state` the machine changes."""

    for now in EVERYTHING:
        subject = Subject()
        subject.state = state
        CHART.machine.events[trigger].trigger(subject, now)
        assert (by_the_table(state, trigger, now) or state) == subject.state


def test_a_game_starts_with_neither():
    """The machine starts with neither."""
    assert NEITHER == CHART.initial
    assert NEITHER.name == CHART.machine.initial


def test_there_are_three_states_and_no_more():
    """The machine has exactly three states: neither, day, night."""
    assert ["NEITHER", "DAY", "NIGHT"] == list(CHART.machine.states)
    assert (NEITHER, DAY, NIGHT) == tuple(CHART.states)


def test_no_arc_leads_to_neither():
    """No arc of the chart has neither as its destination."""
    assert [] == [arc for arc in ARCS if arc.dest is NEITHER]


def test_no_trigger_ever_answers_neither():
    """Every answer of the chart is day, night, or None for no change."""
    answers = {CHART.fire(*question) for question in product(Designation, TRIGGERS, EVERYTHING)}
    assert {None, DAY, NIGHT} == answers


def test_the_machine_makes_no_arcs_of_its_own():
    """The machine has no automatic transitions: its events are exactly the triggers of the table."""
    assert sorted(TRIGGERS) == sorted(CHART.machine.events)
    assert CHART.machine.auto_transitions is False


def test_no_arc_stays_where_it_is():
    """No arc leads to the state where it starts."""
    assert [] == [arc for arc in ARCS if arc.source is arc.dest]


@pytest.mark.parametrize("trigger", ["check-day", "check-night"])
def test_the_check_has_no_arc_from_neither(trigger):
    """While it is neither, the check changes nothing, whatever the circumstances."""
    assert [None] * len(EVERYTHING) == [CHART.fire(NEITHER, trigger, now) for now in EVERYTHING]


def test_a_ruling_is_not_barred():
    """ "It can't become night" prevents a change by an effect, but not by a ruling."""
    barred = Circumstances(told=NIGHT, barred=True)
    assert (None, NIGHT) == (CHART.fire(DAY, "becomes", barred), CHART.fire(DAY, "judge", barred))


def test_every_trigger_can_be_cited():
    """Every trigger of the machine is a key of the citation table."""
    assert set() == {arc.trigger for arc in ARCS} - set(KEYS)


def test_an_unknown_trigger_is_no_silent_nothing():
    """A misspelt trigger raises a ValueError that suggests the right one, instead of changing nothing."""
    with pytest.raises(ValueError, match=r"no arc has the trigger 'check-dya'; did you mean 'check-day'\?"):
        CHART.fire(DAY, "check-dya", Circumstances())


@pytest.mark.parametrize("state", Designation)
def test_what_is_allowed(state):
    """`allowed` returns the triggers that the table has for this state, in the table's order."""
    assert tuple(dict.fromkeys(key for source, key, *_rest in TABLE if source is state)) == CHART.allowed(state)


@pytest.mark.parametrize("state, trigger, now, said_no", [
    (DAY, "check-day", Circumstances(casts=1), ["nobody_cast"]),
    (DAY, "check-day", Circumstances(casts=0, barred=True), ["nobody_cast"]),
    (NEITHER, "becomes", Circumstances(told=NIGHT, barred=True), ["told_day", "told_night"]),
    (NEITHER, "becomes", Circumstances(told=NIGHT), []),
    (DAY, "check-day", Circumstances(casts=0), []),
])  # fmt: skip
def test_which_guard_said_no(state, trigger, now, said_no):
    """`refusals` returns the guards that said no if nothing changes; if one guard says yes, the result is empty."""
    assert said_no == [guard.__name__ for guard in CHART.refusals(state, trigger, now)]


@pytest.mark.parametrize("state, trigger", [(NEITHER, "check-day"), (NIGHT, "check-day"), (DAY, "daybound-starts-day")])
def test_no_guard_to_say_no(state, trigger):
    """`refusals` returns None if the table has no row for this state and trigger."""
    assert [None] * len(EVERYTHING) == [CHART.refusals(state, trigger, now) for now in EVERYTHING]


def test_all_that_is_asked_is_remembered():
    """The cache has room for all possible questions."""
    assert len(Designation) * len(TRIGGERS) * len(EVERYTHING) < REMEMBERED


def test_rows_of_the_chart():
    """`table` yields each row as words: from, to, trigger, and the docstring of the guard."""
    rows = list(CHART.table())
    assert [(row[0].value, row[3].value, row[1]) for row in TABLE] == [row[:3] for row in rows]
    guard = "No active player of the previous turn cast a spell in it, and nothing says that it can't become night."
    assert ("day", "night", "check-day", guard) in rows
    assert all(sentence.endswith(".") for *_arc, sentence in rows)


def test_drawing():
    """The Mermaid diagram has one arrow for each row of the table, and one to the initial state."""
    drawn = CHART.mermaid(str.upper)
    assert drawn.startswith("stateDiagram-v2\n    [*] --> neither\n    neither --> day : DAY-IF-NEITHER [a permanent")
    assert "    night --> day : CHECK-NIGHT [some one active player of the previous turn cast two" in drawn
    assert 2 + len(TABLE) == drawn.count("\n")


def test_drawing_by_the_library():
    """`get_graph` draws by the library `transitions`: each row of the table has its trigger and guard on an arrow."""
    drawn = CHART.get_graph().draw(None)
    for source, key, _holds, dest in TABLE:
        (arrow,) = [line for line in drawn.splitlines() if f" {source.name} --> {dest.name}:" in line]
        assert f" {key} [" in arrow
    assert "DAY --> NIGHT: check-day [nobody_cast] | becomes [told_night] | judge [ruled_night]\n" in drawn
