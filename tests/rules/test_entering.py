"""Entering: "day if neither", daybound at night, and effects that tell a permanent to enter back face up.

| clause | the rule in our words | test |
| --- | --- | --- |
| 728.1 | "if it's neither day nor night, it becomes day as this enters" | test_day_if_neither_makes_it_day |
| 728.1, not | only from neither | test_day_if_neither_does_nothing_by_day |
| | | test_day_if_neither_does_nothing_at_night |
| order | "day if neither" comes before daybound | test_day_if_neither_comes_before_daybound |
| 614.12 | the permanent counts as it enters: without abilities or face down | |
| | there is no such ability | test_day_if_neither_under_humility |
| | | test_day_if_neither_face_down |
| | | test_the_moment_of_entering_has_passed |
| 614.12 | ... only the face it enters with counts | test_day_if_neither_of_the_face_that_is_up |
| 702.145b | at night a permanent with daybound enters back face up; that | |
| | is not transforming | test_daybound_enters_back_face_up_at_night |
| 702.145b, not | by day, or while it is neither, it enters front face up | |
| |  | test_daybound_enters_front_face_up_by_day |
| | | test_daybound_enters_front_face_up_while_neither |
| 702.145b, not | not without abilities, not face down, not what is not | |
| | double-faced, not without daybound | test_it_enters_front_face_up_at_night |
| | | test_face_down_enters_front_face_up |
| 712.10 | not if the back is an instant or sorcery | test_it_enters_front_face_up_at_night |
| 701 | "can't transform" does not forbid entering back face up | test_immerwolf_does_not_hinder_entering |
| open | a token is not a card: front face up, then it turns at once | test_a_token_enters_and_turns_at_once |
| 712.14 | an effect may tell a permanent to enter back face up | test_told_to_enter_back_face_up |
| | | test_told_to_enter_back_face_up_by_day |
| 712.14, not | a face-down permanent enters with its front up | test_told_to_enter_and_face_down |
| one event | several enter at once; each face is decided separately | test_together_is_one_arrival |
| | | test_only_some_of_an_arrival_enter_back_face_up |
| 400.7 | a permanent that returns is a new object | test_what_returns_enters_anew |
| 103.6 | permanents may arrive before the first turn | test_arriving_before_the_first_turn |
"""

import pytest

from daynight.events import Face, Permanent
from daynight.framework.language.errors import UnreadableError
from daynight.rules.entering import told_to_enter

from .placing import double_faced, enter, leave, lose, permanent, regain, together
from .scenario import given
from .wolves import CLONE_OF_DAYBOUND, DAYBOUND_FACE, IMMERWOLF, NIGHTBOUND_FACE, OLD_WEREWOLF, RUFFIAN, VANDAL
from .words import effect, turn

OLAG = double_faced("Daybreaker", {"name": "Dark", "day_if_neither": True}, {"name": "Bright"})
SORCERY_BEHIND = double_faced("Werewhat", DAYBOUND_FACE, {"name": "Opt", "types": ["Instant"], "permanent": False})


def test_day_if_neither_makes_it_day():
    """A Vandal enters while it is neither: it becomes day because of that arrival, and nothing triggers."""
    game = given(turn(1), enter("v1", VANDAL))
    assert "day" == game.designation
    assert [{
        "event": 3, "turn": 1, "was": "neither", "became": "day", "rule": "day-if-neither", "cr": "728.1",
        "because": [3],
    }] == game.changes  # fmt: skip
    assert [] == game.triggers


def test_day_if_neither_does_nothing_by_day():
    """A Vandal with "day if neither" that enters by day changes nothing."""
    game = given(effect("day"), enter("v1", VANDAL))
    assert ("day", ()) == (game.designation, game.followed)


def test_day_if_neither_does_nothing_at_night():
    """A Vandal with "day if neither" that enters at night does not end the night."""
    game = given(effect("night"), enter("v1", VANDAL))
    assert ("night", ()) == (game.designation, game.followed)


def test_day_if_neither_comes_before_daybound():
    """A Ruffian and a Vandal enter together: "day if neither" makes it day, so daybound makes no change."""
    game = given(together(permanent("w1"), permanent("v1", VANDAL)))
    assert ("2: neither becomes day in turn 0 (day-if-neither because 2)",) == game.followed


@pytest.mark.parametrize("loss", [True, "Humility"])
def test_day_if_neither_under_humility(loss):
    """A Vandal that enters without abilities has no "day if neither": it stays neither."""
    game = given(enter("v1", VANDAL, without_abilities=loss))
    assert ("neither", ()) == (game.designation, game.followed)


def test_day_if_neither_face_down():
    """A Vandal that enters face down has no "day if neither": it stays neither."""
    assert "neither" == given(enter("v1", VANDAL, face_down=True)).designation


def test_the_moment_of_entering_has_passed():
    """A Vandal entered without abilities: when it regains them later, it stays neither."""
    game = given(enter("v1", VANDAL, without_abilities="Humility"), regain("v1", source="Humility"))
    assert ("neither", ()) == (game.designation, game.followed)


def test_day_if_neither_of_the_face_that_is_up():
    """A front face with "day if neither" makes it day if the permanent enters with its front up, not its back."""
    front, back = given(enter("o1", OLAG)), given(enter("o1", OLAG, face="back"))
    assert ("day", "neither") == (front.designation, back.designation)


def test_day_if_neither_of_a_back_face():
    """A back face with "day if neither" makes it day if the permanent enters with its back up, not its front."""
    turned = OLAG | {"front": {"name": "Bright"}, "back": {"name": "Dark", "day_if_neither": True}}
    assert "day" == given(enter("o1", turned, face="back")).designation
    assert "neither" == given(enter("o1", turned)).designation


def test_one_of_several_is_enough():
    """A bear and a Vandal enter together, in this order: it becomes day."""
    assert "day" == given(together(permanent("b1", {"card": "Bear"}), permanent("v1", VANDAL))).designation


def test_daybound_enters_back_face_up_at_night():
    """At night a Ruffian enters with its back up, as a Smasher; that is not a transformation."""
    game = given(effect("night"), turn(1), enter("w1"))
    assert ("4: w1 enter back face up (daybound-enters because 4)",) == game.followed
    assert [{
        "permanent": "w1", "card": "Tavern Ruffian", "name": "Tavern Smasher", "controller": "Ana", "face": "back",
        "face_down": False, "phased_in": True, "keywords": ["nightbound"],
    }] == game.battlefield  # fmt: skip


def test_daybound_enters_front_face_up_by_day():
    """By day a permanent with daybound enters with its front face up."""
    game = given(effect("day"), enter("w1"))
    assert ({"w1": "front"}, ()) == (game.each("face"), game.followed)


def test_daybound_enters_front_face_up_while_neither():
    """While it is neither, a permanent with daybound enters front face up, and that makes it day."""
    game = given(enter("w1"))
    assert ({"w1": "front"}, "day") == (game.each("face"), game.designation)


@pytest.mark.parametrize("like", [
    pytest.param(RUFFIAN | {"without_abilities": True}, id="without its abilities it has no daybound"),
    pytest.param(CLONE_OF_DAYBOUND, id="what is not double-faced has no other face"),
    pytest.param(OLD_WEREWOLF, id="a double-faced werewolf without daybound does not care"),
    pytest.param(double_faced("Odd", NIGHTBOUND_FACE, DAYBOUND_FACE), id="only daybound has that ability"),
    pytest.param(SORCERY_BEHIND, id="a back face that is no permanent's cannot be up"),
])  # fmt: skip
def test_it_enters_front_face_up_at_night(like):
    """At night each of these enters front face up and stays so: it has no daybound, or no back that can be up."""
    game = given(effect("night"), enter("w1", like))
    assert ({"w1": "front"}, ()) == (game.each("face"), game.followed)


def test_face_down_enters_front_face_up():
    """A double-faced card that enters face down at night has its front up, not its back."""
    game = given(effect("night"), enter("w1", RUFFIAN, face_down=True))
    assert ({"w1": "front"}, {"w1": True}, ()) == (game.each("face"), game.each("face_down"), game.followed)


def test_immerwolf_does_not_hinder_entering():
    """Immerwolf does not stop a Werewolf with daybound from entering back face up: that is not transforming."""
    whelp = double_faced(
        "Whelp", {"name": "Whelp", "keywords": ["daybound"], "subtypes": ["Werewolf"]}, NIGHTBOUND_FACE
    )
    game = given(effect("night"), enter("i1", IMMERWOLF), enter("w1", whelp))
    assert ("4: w1 enter back face up (daybound-enters because 4)",) == game.followed


def test_a_token_enters_and_turns_at_once():
    """At night a double-faced token, which is no card, enters front face up; then daybound transforms it at once."""
    game = given(effect("night"), enter("t1", RUFFIAN, token=True))
    assert ("3: t1 turn to back (daybound-at-night because 3)",) == game.followed
    assert {"t1": "back"} == game.each("face")


def test_a_token_by_day():
    """By day a double-faced token with daybound does not transform."""
    assert () == given(effect("day"), enter("t1", RUFFIAN, token=True)).followed


def test_told_to_enter_back_face_up():
    """At night an effect tells a Ruffian to enter back face up: the effect is the reason, not daybound."""
    game = given(effect("night"), enter("w1", RUFFIAN, face="back"))
    assert ("3: w1 enter back face up (told-to-enter because 3)",) == game.followed
    assert {"w1": "back"} == game.each("face")


def test_told_to_enter_back_face_up_by_day():
    """An effect tells a Ruffian to enter back face up by day: it does, and its nightbound transforms it at once."""
    game = given(effect("day"), enter("w1", RUFFIAN, face="back"))
    assert (
        "3: w1 enter back face up (told-to-enter because 3)",
        "3: w1 turn to front (nightbound-at-day because 3)",
    ) == game.followed


def test_told_to_enter_back_face_up_without_any_keyword():
    """An effect tells a werewolf without keywords to enter back face up: its back stays up."""
    game = given(enter("g1", OLD_WEREWOLF, face="back"))
    assert ("2: g1 enter back face up (told-to-enter because 2)",) == game.followed
    assert ({"g1": "back"}, {"g1": "Krallenhorde Wantons"}) == (game.each("face"), game.each("name"))


def test_told_to_enter_back_face_up_while_neither():
    """While it is neither, an effect tells a lone Ruffian to enter back face up: nightbound makes it night."""
    game = given(enter("w1", RUFFIAN, face="back"))
    assert (
        "2: w1 enter back face up (told-to-enter because 2)",
        "2: neither becomes night in turn 0 (nightbound-starts-night because 2)",
    ) == game.followed


def test_told_to_enter_and_face_down():
    """A Ruffian that enters face down has `face` front, and it stays neither; with `face: back` too it is refused.

    `told_to_enter` still ignores a face-down permanent that has both fields, because older stores may hold one.
    """
    game = given(enter("w1", RUFFIAN, face_down=True))
    assert ({"w1": "front"}, ()) == (game.each("face"), game.followed)
    with pytest.raises(UnreadableError, match="face down, so no face of it is up"):
        given(enter("w1", RUFFIAN, face="back", face_down=True))
    down, up = (
        Permanent(id=id, card="A", controller="Ana", face=Face.BACK, face_down=id == "w1") for id in ("w1", "w2")
    )
    assert told_to_enter([down], event=2) is None
    assert ("w2",) == told_to_enter([down, up], event=2).permanents


def test_together_is_one_arrival():
    """At night two Ruffians enter in one event: one consequence says that both enter back face up."""
    game = given(effect("night"), together(permanent("w1"), permanent("w2")))
    assert ("3: w1 w2 enter back face up (daybound-enters because 3)",) == game.followed


def test_only_some_of_an_arrival_enter_back_face_up():
    """Four enter at night: g1 by an effect and w2 by daybound with the back up, w1 and w3 with the front up.

    w1 has no abilities, so its front stays up; w3 is a token, which daybound transforms at once.
    """
    game = given(
        effect("night"),
        together(
            permanent("g1", OLD_WEREWOLF, face="back"),
            permanent("w1", RUFFIAN, without_abilities=True),
            permanent("w2"),
            permanent("w3", RUFFIAN, token=True),
        ),
    )
    assert (
        "3: g1 enter back face up (told-to-enter because 3)",
        "3: w2 enter back face up (daybound-enters because 3)",
        "3: w3 turn to back (daybound-at-night because 3)",
    ) == game.followed
    assert {"g1": "back", "w1": "front", "w2": "back", "w3": "back"} == game.each("face")


def test_day_if_neither_turns_what_enters_with_it():
    """A Vandal enters with a nightbound permanent: it becomes day, and the nightbound one transforms."""
    game = given(together(permanent("w1", RUFFIAN, face="back"), permanent("v1", VANDAL)))
    assert (
        "2: w1 enter back face up (told-to-enter because 2)",
        "2: neither becomes day in turn 0 (day-if-neither because 2)",
        "2: w1 turn to front (nightbound-as-day because 2)",
    ) == game.followed


def test_what_returns_enters_anew():
    """A Smasher left; when the same id enters by day it is a new object, with its front up."""
    game = given(effect("night"), enter("w1"), leave("w1"), effect("day"), enter("w1"))
    assert ({"w1": "front"}, ()) == (game.each("face"), game.followed)


def test_what_returns_has_forgotten_its_losses():
    """A Ruffian that lost its abilities, left and returned is a new object with daybound."""
    game = given(enter("w1"), lose("w1", source="Humility"), leave("w1"), enter("w1"))
    assert {"w1": ["daybound"]} == game.each("keywords")


def test_when_it_arrived():
    """`arrived` stays the number of the event with which a permanent entered, whatever happens later."""
    game = given(turn(1), enter("w1"), lose("w1"), effect("night"), enter("w2"))
    assert [3, 6] == [status.arrived for status in game.game.state.battlefield]


def test_an_arrival_that_does_not_matter():
    """A bear has no effect on day and night; it is on the battlefield all the same."""
    game = given(effect("day"), enter("b1", {"card": "Bear"}))
    assert ((), {"b1": "Bear"}, {"b1": []}) == (game.followed, game.each("name"), game.each("keywords"))


def test_arriving_before_the_first_turn():
    """A Ruffian that enters before turn 1 makes it day; the change has turn 0."""
    game = given(enter("w1"))
    assert [(2, 0)] == [(change["event"], change["turn"]) for change in game.changes]
