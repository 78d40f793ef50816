"""Phasing in an untap step: what phased out under a player who is active now phases in by itself (702.26a).

| clause | the contract in our words | test |
| --- | --- | --- |
| by itself | it phases in, listed or not | test_it_phases_in_listed_or_not |
| by itself | also in an untap step that the record does not contain | test_it_phases_in_unwritten |
| by itself | caused by the turn's beginning; a consequence if it is not listed | test_it_is_told |
| by itself | in a further untap step | test_it_phases_in_at_a_further_one |
| by itself, not | at another player's untap step | test_not_at_another_players |
| by itself, not | if the turn skips its untap step | test_not_where_it_is_skipped |
| by itself, not | a permanent that phases out in this very step | test_not_what_phases_out_now |
| under | its controller when it phased out, whoever controls it now | test_whoever_controls_it_now |
| under | teams: any of the active players | test_any_of_the_active_players |
| under | a player who left in their own turn is not active | test_who_left_is_not_active |
| under | found phased out by a record that joins: under its controller | test_found_phased_out |
| stays_out | an effect keeps it out, for this untap step | test_it_stays_out |
| stays_out, refused | a phased-in permanent, one in `phased_in`, an unknown one | test_it_cannot_stay_out |
| stays_out, refused | outside the untap step | test_only_the_untap_step_has_it |
| phased_in | others that phase in: another player's, a departed player's | test_what_else_phases_in |
| phased_in, refused | a permanent that is phased in | test_what_cannot_phase |
| phased_out, refused | one that is phased out, also if it phases in by itself | test_what_cannot_phase |
| at once | in and out at once, judged by the state before the step | test_in_and_out_at_once |
| before the check | a permanent that phases in counts for the check | test_it_counts_for_the_check |
| stored | changes while it is phased out take effect once it is in | test_what_is_noted_works_once_it_is_in |
| refused | a phased-out permanent becomes no copy and is not turned | test_a_phased_out_one_is_left_out |
| instructions | do nothing to it | test_instructions_do_nothing |
"""

import pytest

from daynight.events.consequences import PhasedBack
from daynight.framework.language.errors import ImpossibleError

from .placing import control, enter, lose, permanent, phase_in, phase_out, together
from .scenario import given
from .turning import copy, face_down, face_up, transform, uncopy
from .wolves import ANGEL, DAYBOUND_FACE, OLD_WEREWOLF
from .words import cast, effect, joined, quits, step, turn, untap

BEAR = {"card": "Bear"}
TEAMS = {"players": ("Ana", "Bo", "Cy", "Di"), "teams": [["Ana", "Cy"], ["Bo", "Di"]]}
OUT = (together(permanent("a1", BEAR), permanent("b1", BEAR, controller="Bo")), phase_out("a1", "b1"))
IN = {"a1": True, "b1": False}
STAYS = {"a1": False, "b1": False}


@pytest.mark.parametrize("phased_in", [None, ["a1"], []])
def test_it_phases_in_listed_or_not(phased_in):
    """In Ana's untap step Ana's permanent phases in, whether `phased_in` lists it or not."""
    assert IN == given(*OUT, turn(1), untap(phased_in)).each("phased_in")


def test_it_phases_in_unwritten():
    """Ana's permanent does not phase in at turn-began, but at the first event that shows the untap step is over."""
    game = given(*OUT, turn(1))
    assert STAYS == game.each("phased_in")
    assert IN == game.when(cast()).each("phased_in")


@pytest.mark.parametrize("shown, implied", [(cast(), True), (untap(), False), (untap(["a1"]), None)])
def test_it_is_told(shown, implied):
    """A permanent that phases in unlisted gives a consequence `PhasedBack`, caused by turn-began; a listed one none."""
    game = given(*OUT, turn(1)).when(shown)
    told = PhasedBack(event=5, rule="phasing", because=(4,), permanents=("a1",), implied=bool(implied))
    assert (() if implied is None else (told,)) == tuple([*game.game.moments()][4].consequences)
    assert (() if implied is None else ("5: a1 phase in (phasing because 4)",)) == game.followed


def test_it_phases_in_at_a_further_one():
    """A permanent that phased out in this turn phases in at the turn's second untap step."""
    game = given(enter("a1", BEAR), turn(1), cast(), phase_out("a1"), untap())
    assert {"a1": True} == game.each("phased_in")


def test_not_at_another_players():
    """Ana's permanent does not phase in at Bo's untap step, but at Ana's next one."""
    game = given(enter("a1", BEAR), phase_out("a1"), turn(1, "Bo"), untap())
    assert {"a1": False} == game.each("phased_in")
    assert {"a1": True} == game.when(turn(2), untap()).each("phased_in")


def test_not_where_it_is_skipped():
    """In a turn that skips its untap step nothing phases in."""
    assert STAYS == given(*OUT, turn(1, skips=["untap"]), cast()).each("phased_in")


def test_not_what_phases_out_now():
    """A permanent that phases out in this untap step stays out until its controller's next untap step."""
    game = given(enter("a1", BEAR), turn(1), untap(phased_out=["a1"]), cast())
    assert {"a1": False} == game.each("phased_in")
    assert {"a1": True} == game.when(turn(2), cast()).each("phased_in")


def test_whoever_controls_it_now():
    """A permanent that phased out under Ana phases in during Ana's untap step, though Bo controls it now."""
    game = given(enter("a1", BEAR), phase_out("a1"), control("Bo", "a1"), turn(1, "Bo"), untap())
    assert {"a1": False} == game.each("phased_in")
    game.when(turn(2), untap())
    assert ({"a1": True}, {"a1": "Bo"}) == (game.each("phased_in"), game.each("controller"))


def test_any_of_the_active_players():
    """In the untap step of Ana and Cy's team Cy's permanent phases in; Di's does not."""
    there = (together(permanent("c1", BEAR, controller="Cy"), permanent("d1", BEAR, controller="Di")),)
    game = given(*there, phase_out("c1", "d1"), turn(1, "Ana", "Cy"), untap(), **TEAMS)
    assert {"c1": True, "d1": False} == game.each("phased_in")


def test_who_left_is_not_active():
    """Ana leaves before the untap step of her own turn: only the permanents in `phased_in` phase in."""
    gone = (*OUT, turn(1), quits("Ana"))
    assert STAYS == given(*gone, cast("Bo")).each("phased_in")
    assert STAYS == given(*gone, untap()).each("phased_in")
    assert IN == given(*gone, untap(["a1"])).each("phased_in")


def test_found_phased_out():
    """A permanent that `game-joined` found phased out phases in during its controller's untap step."""
    there = [permanent("a1", BEAR, phased_out=True), permanent("b1", BEAR, controller="Bo", phased_out=True)]
    game = given(joined("day", permanents=there), turn(1))
    assert STAYS == game.each("phased_in")
    assert IN == game.when(cast()).each("phased_in")


def test_it_stays_out():
    """`stays_out` keeps the permanent out in this untap step; in Ana's next one it phases in."""
    game = given(*OUT, turn(1), untap(stays_out=["a1"]), cast())
    assert STAYS == game.each("phased_in")
    assert IN == game.when(turn(2), untap()).each("phased_in")
    assert STAYS == given(*OUT, turn(1), untap(stays_out=["a1", "b1"])).each("phased_in")


@pytest.mark.parametrize("step_began", [
    untap(stays_out=["c1"]), untap(phased_in=["a1"], stays_out=["a1"]), untap(phased_in=["b1"], stays_out=["b1"]),
    untap(stays_out=["x"]), untap(stays_out=["a1", "a1"]), untap(phased_out=["c1"], stays_out=["c1"]),
])  # fmt: skip
def test_it_cannot_stay_out(step_began):
    """`stays_out` is refused for a phased-in permanent, one in `phased_in`, an unknown one and one named twice."""
    with pytest.raises(ImpossibleError):
        given(enter("c1", BEAR), *OUT, turn(1), step_began)


@pytest.mark.parametrize("named", ["stays_out", "phased_in", "phased_out"])
def test_only_the_untap_step_has_it(named):
    """`stays_out`, `phased_in` and `phased_out` are refused at the upkeep."""
    with pytest.raises(ImpossibleError, match="only the untap step"):
        given(*OUT, turn(1, "Bo"), step("upkeep", **{named: ["a1"]}))


def test_what_else_phases_in():
    """Permanents in `phased_in` phase in too, be they another player's or a departed player's."""
    assert {"a1": True, "b1": True} == given(*OUT, turn(1), untap(["b1"])).each("phased_in")
    gone = (*OUT, quits("Bo"), turn(1))
    assert IN == given(*gone, untap()).each("phased_in")
    assert {"a1": True, "b1": True} == given(*gone, untap(["b1"])).each("phased_in")


@pytest.mark.parametrize("step_began, sentence", [
    (untap(phased_in=["c1"]), "'c1' is phased in already"),
    (untap(phased_out=["a1"]), "'a1' is phased out already"),
    (untap(phased_out=["b1"]), "'b1' is phased out already"),
    (untap(["a1"], ["a1"]), "'a1'"),
    (untap(["c1"], ["c1"]), "'c1'"),
])  # fmt: skip
def test_what_cannot_phase(step_began, sentence):
    """Refused: to phase in what is phased in, to phase out what is phased out, to name one permanent in both lists."""
    with pytest.raises(ImpossibleError, match=sentence):
        given(enter("c1", BEAR), *OUT, turn(1), step_began)


def test_in_and_out_at_once():
    """In one step, one permanent phases in by itself and another phases out."""
    game = given(enter("c1", BEAR), *OUT, turn(1), untap(phased_out=["c1"]))
    assert {"c1": False} | IN == game.each("phased_in")


def test_it_counts_for_the_check():
    """Ana's Angel phases in before the check of Ana's turn: it stays day. If it stays out, it becomes night."""
    before = (effect("day"), enter("a1", ANGEL), phase_out("a1"), turn(1, "Bo"))
    for step_began in (untap(), cast()):
        assert "day" == given(*before, turn(2), step_began).designation
        assert "night" == given(*before, turn(2, "Bo"), step_began).designation
    assert "night" == given(*before, turn(2), untap(stays_out=["a1"])).designation


def test_what_is_noted_works_once_it_is_in():
    """A loss, a new controller or a copy's end, recorded while a permanent is phased out, shows once it phased in."""
    game = given(effect("night"), enter("w1"), phase_out("w1"), lose("w1"), control("Bo", "w1"), effect("day"))
    assert "back" == game.each("face")["w1"]
    game.when(phase_in("w1"))
    assert ({"w1": "back"}, {"w1": []}, {"w1": "Bo"}) == (
        game.each("face"),
        game.each("keywords"),
        game.each("controller"),
    )
    ended = given(effect("day"), enter("b1", BEAR), copy(DAYBOUND_FACE, "b1"), phase_out("b1"), uncopy("b1"))
    assert {"b1": "Bear"} == ended.when(phase_in("b1")).each("name")


@pytest.mark.parametrize("before, event, sentence", [
    ([phase_out("b1")], copy(DAYBOUND_FACE, "b1"), "'b1'"),
    ([phase_out("b1")], face_down("b1"), "'b1'"),
    ([face_down("b1"), phase_out("b1")], face_up("b1"), "'b1'"),
])  # fmt: skip
def test_a_phased_out_one_is_left_out(before, event, sentence):
    """A phased-out permanent can't become a copy, nor be turned face down or up; after it phased in, it can."""
    with pytest.raises(ImpossibleError, match=sentence):
        given(enter("b1", BEAR), *before, event)
    assert given(enter("b1", BEAR), *before, phase_in("b1"), event)


def test_instructions_do_nothing():
    """An instruction to transform a phased-out permanent is accepted and does nothing; one after it phased in works."""
    game = given(enter("o1", OLD_WEREWOLF), phase_out("o1"), transform("o1"), phase_in("o1"))
    assert {"o1": "front"} == game.each("face")
    assert {"o1": "back"} == game.when(transform("o1")).each("face")
