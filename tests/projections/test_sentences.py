"""The exact words and sentences for steps, designations, faces, changes and consequences."""

import pytest

from daynight.events import Characteristics, Designation, Face, Permanent
from daynight.events.consequences import (
    Changed,
    EnteredTransformed,
    PutOnStack,
    Refused,
    Restored,
    Transformed,
    Triggered,
)
from daynight.speech.sentences import (
    consequence_sentence,
    designation_word,
    face_word,
    listed,
    names,
    reason,
    since_sentence,
    step_word,
    way_sentence,
)

NEITHER, DAY, NIGHT = Designation
STEPS = {
    None: "beginning", "untap": "untap step", "upkeep": "upkeep", "draw": "draw step",
    "precombat-main": "precombat main phase", "beginning-of-combat": "beginning of combat",
    "declare-attackers": "declare attackers step", "declare-blockers": "declare blockers step",
    "combat-damage": "combat damage step", "end-of-combat": "end of combat", "postcombat-main": "postcombat main phase",
    "end": "end step", "cleanup": "cleanup step",
}  # fmt: skip
WEREWOLF = Permanent(
    id="w", card="Tavern Ruffian", controller="Ana", double_faced=True, front=Characteristics(name="Ruffian"),
    back=Characteristics(name="Smasher"),
)  # fmt: skip
NAMELESS = Permanent(
    id="n", card="Nobody", controller="Ana", double_faced=True, front=Characteristics(), back=Characteristics()
)
TOKEN = Permanent(
    id="t", card="Copy", controller="Ana", double_faced=True, front=Characteristics(), back=Characteristics(),
    token=True,
)  # fmt: skip
KNOWN = {"w": WEREWOLF, "n": NAMELESS, "t": TOKEN}


@pytest.mark.parametrize("step", STEPS)
def test_steps(step):
    """`step_word` has a name for each step, and for None, the beginning of a turn."""
    assert STEPS[step] == step_word(step)


def test_words():
    """Each designation and each face has its word; None is "uncertain"."""
    assert ["neither day nor night", "day", "night", "uncertain"] == list(map(designation_word, [*Designation, None]))
    assert ["front face", "back face", "uncertain"] == list(map(face_word, [*Face, None]))


def test_lists():
    """`listed` puts commas, and "and" before the last item; `names` has name and id, of unknown permanents the id."""
    assert ["", "A", "A and B", "A, B and C"] == [listed(list(words)) for words in ("", "A", "AB", "ABC")]
    assert "Tavern Ruffian (w) and x" == names(("w", "x"), KNOWN)


def change(rule, became=NIGHT, turn=3, **more):
    return Changed(event=8, rule=rule, because=(5,), turn=turn, was=DAY, became=became, **more)


@pytest.mark.parametrize("changed, expected", [
    (change("check-day", checked_turn=2, players=("Bo",)), "Bo, active in turn 2, cast no spell in it"),
    (change("check-day", checked_turn=2, players=("Bo", "Bea")),
     "none of Bo and Bea, active in turn 2, cast a spell in it"),
    (change("check-day"), "no spell was cast by the active player of the turn before the record"),
    (change("check-night", checked_turn=2, players=("Bo", "Bea")),
     "one of Bo and Bea, active in turn 2, cast two or more spells in it"),
    (change("check-night", checked_turn=2, players=("Bo",)), "Bo, active in turn 2, cast two or more spells in it"),
    (change("check-night"), "two or more spells were cast by the active player of the turn before the record"),
    (change("daybound-starts-day"), "it was neither day nor night, and a permanent had daybound"),
    (change("nightbound-starts-night"),
     "it was neither day nor night, a permanent had nightbound and none had daybound"),
    (change("day-if-neither"), "it was neither day nor night as a permanent entered that makes it day then"),
    (change("becomes"), "an effect made it so"),
    (change("judge"), "a judge ruled so"),
    (change("assumed"), "it is assumed to have been so; the record does not say it"),
])  # fmt: skip
def test_reasons(changed, expected):
    """`reason` gives this sentence for a change by each rule, also if the checked turn is not in the record."""
    assert expected == reason(changed)


def test_since():
    """`since_sentence` names designation, event, turn and reason; before the first turn it names no turn."""
    assert "It has been night since event 8, turn 3: an effect made it so" == since_sentence(change("becomes"))
    assert "It has been day since event 8: an effect made it so" == since_sentence(change("becomes", DAY, turn=0))


def test_one_way_among_others():
    """`way_sentence`, for one of several possible changes, names event, turn and reason; before turn 1 no turn."""
    assert "since event 8, turn 1: an effect made it so" == way_sentence(change("becomes", turn=1))
    assert "since event 8: an effect made it so" == way_sentence(change("becomes", turn=0))


COMMON = {"event": 8, "because": (8,)}


@pytest.mark.parametrize(
    "consequence, expected",
    [
        (change("becomes"), "it becomes night: an effect made it so"),
        (change("becomes", certain=False), "perhaps: it becomes night: an effect made it so"),
        (PutOnStack(rule="put-on-stack", **COMMON), "what triggered in the untap step goes on the stack"),
        (Restored(rule="backed-up", to=4, **COMMON), "the game is again as it was after event 4"),
        (
            Triggered(rule="r", turn=3, permanent="w", was=DAY, became=NIGHT, stacked=None, **COMMON),
            "Tavern Ruffian (w) triggers, and waits until a player would receive priority",
        ),
        (
            Triggered(rule="r", turn=3, permanent="w", was=DAY, became=NIGHT, stacked=8, **COMMON),
            "Tavern Ruffian (w) triggers",
        ),
        (
            EnteredTransformed(rule="daybound-enters", permanents=("w",), **COMMON),
            "Tavern Ruffian (w) enters with its back face up",
        ),
        (
            EnteredTransformed(rule="daybound-enters", permanents=("w", "n"), **COMMON),
            "Tavern Ruffian (w) and Nobody (n) enter with their back faces up",
        ),
        (
            Transformed(rule="daybound-as-night", permanents=("w",), face=Face.BACK, **COMMON),
            "Ruffian (w) transforms into Smasher",
        ),
        (
            Transformed(rule="daybound-at-night", permanents=("w",), face=Face.BACK, **COMMON),
            "Ruffian (w) transforms into Smasher",
        ),
        (
            Transformed(rule="daybound-as-night", permanents=("t",), face=Face.BACK, **COMMON),
            "Copy (t) transforms into Copy",
        ),
        (
            Transformed(rule="daybound-at-night", permanents=("t",), face=Face.BACK, **COMMON),
            (
                "Copy (t) transforms into Copy; the rules leave open whether a double-faced token enters with its back"
                " face up"
            ),
        ),
        (
            Transformed(rule="nightbound-as-day", permanents=("w",), face=Face.FRONT, **COMMON),
            "Smasher (w) transforms into Ruffian",
        ),
        (
            Transformed(rule="nightbound-as-day", permanents=("w", "n", "x"), face=Face.FRONT, **COMMON),
            "Smasher (w) and Nobody (n) transform into Ruffian and Nobody",
        ),
        (
            Refused(rule="daybound-refuses", permanents=("w",), **COMMON),
            "Tavern Ruffian (w) does not transform: only its daybound may do that",
        ),
        (
            Refused(rule="daybound-refuses", permanents=("w", "n"), **COMMON),
            "Tavern Ruffian (w) and Nobody (n) do not transform: only their daybound may do that",
        ),
        (
            Refused(rule="nightbound-refuses", permanents=("w",), **COMMON),
            "Tavern Ruffian (w) does not transform: only its nightbound may do that",
        ),
        (
            Refused(rule="nightbound-refuses", permanents=("w", "n"), **COMMON),
            "Tavern Ruffian (w) and Nobody (n) do not transform: only their nightbound may do that",
        ),
        (
            Refused(rule="transformed-since", permanents=("w",), **COMMON),
            "Tavern Ruffian (w) has transformed since that ability went on the stack",
        ),
        (
            Refused(rule="transformed-since", permanents=("w", "n"), **COMMON),
            "Tavern Ruffian (w) and Nobody (n) have transformed since that ability went on the stack",
        ),
        (Refused(rule="cannot-transform", permanents=("n",), **COMMON), "Nobody (n) can't transform"),
    ],
)
def test_consequences(consequence, expected):
    """Each type of consequence has exactly this sentence, for one permanent, several, and unknown names."""
    assert expected == consequence_sentence(consequence, KNOWN)
