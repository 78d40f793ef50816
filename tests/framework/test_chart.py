"""The chart: rows of a `transitions` machine; it says what is allowed and which guards said no.

| clause | yes | no |
| --- | --- | --- |
| `fire` returns the destination of an arc whose guard holds | test_fire | test_fire |
| of several arcs, the first one whose guard says yes is used | test_the_first_arc_whose_guard_holds | |
| a guard is called once for each question; the cache is bounded | test_asked_once | test_memory_is_bounded |
| for circumstances that never repeat, only the guards are called, not the machine | test_ever_new | |
| a guard must return True or False | test_fire | test_a_guard_that_answers_something_else |
| `allowed` lists the triggers of the arcs from a state, each once | test_allowed | test_allowed |
| `refusals` lists the guards if all said no | test_refusals | test_refusals_of_what_fires, test_no_arc_to_ask |
| `advance` is `fire`, but raises a refusal where `fire` returns None | test_advance | test_advance_refuses |
| an unknown trigger is refused, with a similar one | test_misspelt | test_far_from_all |
| a state must be a member of the Enum, not a string or another Enum's member | test_fire | test_no_state_to_ask_about |
| a string is refused even if it equals a member | test_a_string_for_a_member | test_a_string_for_a_member |
| the machine gives the chart's answers | test_one_machine, test_as_the_machine | test_nothing_of_its_own |
| the library draws it with the names of guards | test_graph | test_a_graph_leaves_the_chart_alone |
| `table` and `mermaid` give every row | test_table, test_mermaid, test_mermaid_of_words | |
"""

import re
from enum import Enum
from functools import partial
from itertools import product
from operator import eq
from types import SimpleNamespace

import pytest
from transitions import Machine

from daynight.framework import chart as framework
from daynight.framework.chart import Arc, Chart
from daynight.framework.language.errors import ImpossibleError
from tests.framework.lamps import BROKEN, OFF, ON, ROWS, Light, Word, always, lamp, powered, too_much, twin, two


def test_fire():
    """`fire` returns the destination of the arc whose guard says yes; None if no guard does, or if there is no arc."""
    assert [ON, OFF] == [lamp().fire(OFF, "press", 230), lamp().fire(ON, "press", 12)]
    assert [None, None] == [lamp().fire(OFF, "press", 12), lamp().fire(BROKEN, "press", 230)]


def test_the_first_arc_whose_guard_holds():
    """`fire` tries the rows in their order, and uses the first one whose guard says yes."""
    assert [BROKEN, ON, None] == [lamp().fire(OFF, "press", volts) for volts in (400, 230, 12)]
    turned = lamp(ROWS[1], ROWS[0], *ROWS[2:])
    assert [ON, ON, None] == [turned.fire(OFF, "press", volts) for volts in (400, 230, 12)]


def counted(asked):
    """A guard that appends the argument of each call to `asked`."""

    def guard(volts):
        asked.append(volts)
        return volts > 100

    return guard


def test_asked_once():
    """A guard is called once for the same state, trigger and circumstances, whichever method asks."""
    asked = []
    chart = two(Arc("go", Word.HERE, Word.THERE, counted(asked)))
    assert [None, Word.THERE] * 3 == [chart.fire(Word.HERE, "go", volts) for volts in (1, 200) * 3]
    assert () == chart.refusals(Word.HERE, "go", 200)
    assert 1 == len(chart.refusals(Word.HERE, "go", 1))
    assert [1, 200] == asked


def test_memory_is_bounded(monkeypatch):
    """The cache keeps the first `REMEMBERED` answers; for any other question the guard is called each time."""
    monkeypatch.setattr(framework, "REMEMBERED", 3)
    asked = []
    chart = two(Arc("go", Word.HERE, Word.THERE, counted(asked)))
    for _twice in range(2):
        for volts in (1, 200, 3, 400, 5):
            assert (Word.THERE if volts > 100 else None) is chart.fire(Word.HERE, "go", volts)
    assert [1, 200, 3, 400, 5, 400, 5] == asked


def test_ever_new(monkeypatch):
    """For numbers that never repeat only the guards are called, and never the machine, which is fifty times as slow."""
    chart = lamp()
    monkeypatch.setattr("transitions.core.Event.trigger", lambda *given: pytest.fail("the machine was asked"))
    assert {ON} == {chart.fire(OFF, "press", volts) for volts in range(200, 230)}
    with pytest.raises(pytest.fail.Exception):
        chart.machine.events["press"].trigger(SimpleNamespace(state=OFF), 200)


@pytest.mark.parametrize("answer", [2, 1, 0, "yes", "", None, [1]], ids=repr)
@pytest.mark.parametrize("ask", ["fire", "refusals", "advance"])
def test_a_guard_that_answers_something_else(ask, answer):
    """If a guard answers neither True nor False, a TypeError names the guard and its answer."""

    def bright(volts):
        return answer

    chart = two(Arc("go", Word.HERE, Word.THERE, bright))
    words = f"^guard bright: it answered {re.escape(repr(answer))}; answer True or False, as bool"
    for _twice in range(2):
        with pytest.raises(TypeError, match=words):
            getattr(chart, ask)(Word.HERE, "go", 1)


def test_as_the_machine():
    """`fire` gives the same answer as the chart's machine for every state and trigger."""
    chart = lamp()
    for state, trigger, volts in product(Light, ("press", "throw"), (12, 230, 400)):
        subject = SimpleNamespace(state=state)
        fired = chart.machine.events[trigger].trigger(subject, volts)
        assert (subject.state if fired else None) is chart.fire(state, trigger, volts)


def test_allowed():
    """Each trigger is listed once, whatever guards say; a state without arcs allows none."""
    assert [("press", "throw"), ("press", "throw"), ()] == [lamp().allowed(state) for state in Light]
    assert ("throw",) == lamp(Arc("throw", OFF, BROKEN, too_much), Arc("press", BROKEN, ON, always)).allowed(OFF)


def test_refusals():
    """If all guards say no, `refusals` lists them in the order of the rows."""
    assert (too_much, powered) == lamp().refusals(OFF, "press", 12)
    assert (powered, too_much) == lamp(ROWS[1], *ROWS[:1], *ROWS[2:]).refusals(OFF, "press", 12)


@pytest.mark.parametrize("state, trigger, volts", [(OFF, "press", 400), (OFF, "press", 230), (ON, "throw", 0)])
def test_refusals_of_what_fires(state, trigger, volts):
    """If one guard says yes, `refusals` is empty, also for guards before and after it."""
    assert lamp().fire(state, trigger, volts) is not None
    assert () == lamp().refusals(state, trigger, volts)


def test_no_arc_to_ask():
    """If the state has no arc with the trigger, `refusals` is None."""
    assert lamp().refusals(BROKEN, "press", 230) is None
    assert "press" not in lamp().allowed(BROKEN)


def test_advance():
    """`advance` returns the destination that `fire` returns."""
    assert [ON, BROKEN] == [lamp().advance(OFF, "press", volts) for volts in (230, 400)]


@pytest.mark.parametrize("state, trigger, path, sentence", [
    (OFF, "press", "$.volts", "press in off needs this: more than the lamp bears; or there is enough power"),
    (BROKEN, "press", "$.type", "press is not possible in broken; possible: nothing"),
])  # fmt: skip
def test_advance_refuses(state, trigger, path, sentence):
    """`advance` raises ImpossibleError, which says what the guards require or, without an arc, what is possible."""
    with pytest.raises(ImpossibleError) as refusal:
        lamp().advance(state, trigger, 12, path="$.volts")
    assert (path, sentence) == (refusal.value.path, refusal.value.sentence)


def test_advance_refuses_by_a_guard_without_words():
    """The refusal names a guard without a docstring with its bound arguments; its path is by default `$.type`."""

    def unlucky(volts: int, more: int = 0) -> bool:
        return volts + more == 13

    for guard, name in (
        (unlucky, "unlucky"),
        (partial(unlucky, 13), r"unlucky\(13\)"),
        (partial(unlucky, more=6), r"unlucky\(more=6\)"),
        (partial(eq, 13), "same as a == b"),
    ):
        with pytest.raises(ImpossibleError, match=f"press in off needs this: {name}$") as refusal:
            lamp(Arc("press", OFF, ON, guard), Arc("press", ON, BROKEN, always)).advance(OFF, "press", 12)
        assert "$.type" == refusal.value.path


def test_advance_refuses_by_alike_guards():
    """If the guards of two arcs have the same words, the refusal says them once."""
    chart = two(Arc("go", Word.HERE, Word.THERE, twin("one")), Arc("go", Word.HERE, Word.HERE, twin("one")))
    with pytest.raises(ImpossibleError, match=r"go in here needs this: one$"):
        chart.advance(Word.HERE, "go", 1)


@pytest.mark.parametrize("ask", ["fire", "refusals"])
def test_misspelt(ask):
    """For an unknown trigger, a ValueError names the most similar one."""
    with pytest.raises(ValueError, match=r"^no arc has the trigger 'pres'; did you mean 'press'\?$"):
        getattr(lamp(), ask)(OFF, "pres", 230)


@pytest.mark.parametrize("ask", ["fire", "refusals"])
def test_far_from_all(ask):
    """For an unknown trigger that is similar to none, a ValueError names all triggers."""
    with pytest.raises(ValueError, match=r"^no arc has the trigger 'kick'; there are: press, throw$"):
        getattr(lamp(), ask)(OFF, "kick", 230)


@pytest.mark.parametrize("ask", ["fire", "refusals", "advance"])
def test_circumstances_that_change(ask):
    """Unhashable circumstances can't be cached: they raise a TypeError with a sentence."""
    with pytest.raises(TypeError, match=r"^circumstances: \[230\] can't be hashed; give flags and numbers"):
        getattr(lamp(), ask)(OFF, "press", [230])


@pytest.mark.parametrize("given", ["off", "OFF", Word.HERE, None, 0], ids=repr)
def test_no_state_to_ask_about(given):
    """For a state that is no member of the Enum, a ValueError names each member as Python code, such as Light.OFF."""
    words = (
        f"^{re.escape(repr(given))} "
        r"is no state of this chart; its states are Light\.OFF, Light\.ON, Light\.BROKEN$"
    )
    with pytest.raises(ValueError, match=f"^{words}$"):
        lamp().fire(given, "press", 230)
    with pytest.raises(ValueError, match=f"^{words}$"):
        lamp().refusals(given, "press", 230)
    with pytest.raises(ValueError, match=f"^{words}$"):
        lamp().allowed(given)


def test_a_string_for_a_member():
    """A string is refused as a state, whether it is used before or after the member that it equals."""
    chart = two(Arc("go", Word.HERE, Word.THERE, always))
    for _twice in range(2):
        with pytest.raises(ValueError, match=r"^'here' is no state of this chart; its states are Word\.H"):
            chart.fire("here", "go", 1)
        assert Word.THERE is chart.fire(Word.HERE, "go", 1)


def test_one_machine():
    """The library's own methods give the chart's answers, and its models work."""
    chart = lamp()
    assert isinstance(chart.machine, Machine)
    assert ["too_much", "powered"] == [
        condition.func.__name__ for arc in chart.machine.get_transitions("press", OFF) for condition in arc.conditions
    ]

    class Bulb:
        """A model in the style of the library's users."""

    bulb = Bulb()
    chart.machine.add_model(bulb)
    assert (False, OFF) == (bulb.press(12), bulb.state)
    assert (True, ON) == (bulb.press(230), bulb.state)


def test_nothing_of_its_own(monkeypatch):
    """The machine has no automatic transitions and no model, and the chart answers without building another one."""
    chart = lamp()
    monkeypatch.setattr(framework, "Machine", None)
    assert BROKEN is chart.fire(OFF, "throw", 1)
    assert ["press", "throw"] == [*chart.machine.events]
    assert [] == chart.machine.models
    assert OFF.name == chart.machine.initial


def test_graph():
    """The graph has every arc, with trigger and guard on the arrow from source to dest."""
    drawn = lamp().get_graph().draw(None)
    assert drawn.startswith("---\nLight\n---\nstateDiagram-v2\n")
    arrows = [line.strip() for line in drawn.splitlines() if "-->" in line]
    assert [
        "OFF --> BROKEN: press [too_much] | throw [always]", "OFF --> ON: press [powered]",
        "ON --> OFF: press [always]", "ON --> BROKEN: throw [always]", "[*] --> OFF",
    ] == arrows  # fmt: skip
    assert "\nA lamp\n" in lamp().get_graph(title="A lamp").draw(None)
    assert " s_active\n" not in drawn


def test_a_graph_leaves_the_chart_alone():
    """Drawing uses another machine, and triggers may have the names of the library's methods."""
    names = ["get_graph", "trigger", "to_ON"]
    chart = lamp(*[Arc(name, source, ON, always) for name in names for source in Light], *ROWS)
    drawn = chart.get_graph().draw(None)
    assert [3, 3, 3] == [drawn.count(f"{name} [always]") for name in names]
    assert [] == chart.machine.models
    assert [ON, ON, ON] == [chart.fire(OFF, name, 1) for name in names]


def test_table():
    """`table` gives each row as texts: source, dest, trigger, and the guard's sentence on one line, or nothing."""
    assert ("off", "on", "press", "There is enough power.") == [*lamp().table()][1]
    assert [("here", "there", "go", "")] == [*two(Arc("go", Word.HERE, Word.THERE, lambda volts: True)).table()]
    assert 5 == len([*lamp().table()])


def test_mermaid():
    """`mermaid` draws every arc in order with its guard; the caller can choose the labels and the names of states."""
    chart = two(Arc("go", Word.HERE, Word.THERE, always), Arc("come", Word.THERE, Word.HERE, always))
    beginning = "stateDiagram-v2\n    [*] --> here\n    here --> there : "
    told = " [in any case]"
    assert f"{beginning}go{told}\n    there --> here : come{told}\n" == chart.mermaid()
    assert f"{beginning}GO{told}\n    there --> here : COME{told}\n" == chart.mermaid(str.upper)
    assert " : go [toujours]\n" in chart.mermaid(words={"In any case.": "Toujours."}.__getitem__)
    named = chart.mermaid(name=lambda state: {Word.HERE: "ici"}.get(state, state.value))
    assert 'stateDiagram-v2\n    state "ici" as here\n    [*] --> here\n' in named
    assert '" as there' not in named


def test_mermaid_of_words():
    """A state whose value has several words is shown in full; its id has no spaces, because Mermaid allows none."""

    class Book(Enum):
        HOME = "on the shelf"
        LENT = "lent"

    drawn = Chart(Book, Book.HOME, [Arc("lend", Book.HOME, Book.LENT, always)]).mermaid()
    there = '    state "on the shelf" as on_the_shelf\n    [*] --> on_the_shelf\n    on_the_shelf --> lent : lend'
    assert f"stateDiagram-v2\n{there} [in any case]\n" == drawn


def test_mermaid_of_guards():
    """A label has the guard's name or its docstring's first paragraph, in which colon, semicolon and # are escaped."""

    def told(volts):
        """More: #1; and
        more.

        Not this.
        """
        return volts > 1

    chart = two(Arc("go", Word.HERE, Word.THERE, told), Arc("go", Word.HERE, Word.HERE, partial(eq, 2)))
    arrows = [line.partition(" : ")[2] for line in chart.mermaid().splitlines() if "here -->" in line]
    assert ["go [more#58; #35;1#59; and more]", "go [same as a == b]"] == arrows
