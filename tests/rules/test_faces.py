"""Faces: what a permanent shows and what it has.

| clause | the rule in our words | test |
| --- | --- | --- |
| has | the keywords of the face that is up, if phased in, not face | |
| | down, with its abilities | test_it_has_the_keyword_of_the_face_that_is_up |
| 708.2 | face down: no name, no abilities; still its card and its face | test_face_down_has_nothing |
| 712.15a, 708.8 | turned up it shows its front, and follows the night at once; | |
| | that is not entering | test_turned_up_by_day |
| | | test_turned_up_at_night |
| | | test_turned_up_is_not_entering |
| 702.26b | phased out: it has nothing, does nothing, and nothing turns it | test_phased_out_has_nothing |
| | | test_phased_out_does_not_follow |
| 702.26d | phasing is no zone change: it comes back with the face it | |
| | had | test_it_phases_in_with_the_face_it_had |
| 613.1f | losing all abilities; losses of different sources add up | test_losses_add_up |
| | | test_regained_without_a_source |
| | | test_an_unnamed_loss |
| | | test_entered_without_abilities |
| - | ending an effect that does not exist does nothing | test_regaining_what_was_not_lost |
| 707.2, 712.9 | a copy shows what it copies, whichever side is up; there is | |
| | no second face to copy | test_a_copy_shows_what_it_copies |
| | | test_a_copy_that_turns_over_remains_a_copy |
| | | test_a_copy_ended |
| 712.9 | a Clone of a werewolf's back face can't transform | test_a_clone_of_a_back_face |
| stored | an event about a phased-out permanent takes effect once it is | |
| | phased in | test_what_is_noted_while_phased_out |
| catalogue | a card by any of its names, filled in | test_a_card_by_any_of_its_names |
| | | test_a_face_given_replaces_the_catalogues |
| | | test_an_unknown_card |
| order | the battlefield is in order of arrival | test_order_of_arrival |
"""

import pytest

from .placing import control, enter, leave, lose, permanent, phase_in, phase_out, regain, together
from .scenario import given
from .turning import copy, face_down, face_up, uncopy
from .wolves import (
    CLONE_OF_DAYBOUND,
    CLONE_OF_NIGHTBOUND,
    DAYBOUND_FACE,
    NIGHTBOUND_FACE,
    OLD_WEREWOLF,
    RUFFIAN,
    VANDAL,
)
from .words import effect, turn, untap


def test_it_has_the_keyword_of_the_face_that_is_up():
    """A Ruffian has daybound by day and nightbound at night, never both."""
    game = given(enter("w1"))
    assert ({"w1": ["daybound"]}, {"w1": "Tavern Ruffian"}) == (game.each("keywords"), game.each("name"))
    game.when(effect("night"))
    assert ({"w1": ["nightbound"]}, {"w1": "Tavern Smasher"}) == (game.each("keywords"), game.each("name"))


def test_a_face_with_both():
    """A face with both keywords lists them in the order in which they were written."""
    face = {"name": "Both", "keywords": ["nightbound", "daybound"]}
    assert {"b1": ["nightbound", "daybound"]} == given(enter("b1", {"card": "Both", "front": face})).each("keywords")


def test_face_down_has_nothing():
    """A face-down Ruffian has neither name nor keywords; its `face` is the front."""
    game = given(enter("w1", RUFFIAN, face_down=True))
    assert [{
        "permanent": "w1", "card": "Tavern Ruffian", "name": None, "controller": "Ana", "face": "front",
        "face_down": True, "phased_in": True, "keywords": [],
    }] == game.battlefield  # fmt: skip


def test_turned_face_down_and_up():
    """A Clone has no name and no daybound while it is face down; turned face up it has daybound again."""
    game = given(enter("c1", CLONE_OF_DAYBOUND), face_down("c1"))
    assert ({"c1": True}, {"c1": None}, {"c1": []}) == tuple(map(game.each, ("face_down", "name", "keywords")))
    game.when(face_up("c1"))
    assert ({"c1": False}, {"c1": ["daybound"]}) == (game.each("face_down"), game.each("keywords"))


def test_turned_up_by_day():
    """Turned face up by day, a permanent shows its front."""
    game = given(effect("day"), enter("w1", RUFFIAN, face_down=True), face_up("w1"))
    assert ({"w1": "front"}, ()) == (game.each("face"), game.followed)


def test_turned_up_at_night():
    """A Ruffian turned face up at night shows its front and transforms at once; it does not enter."""
    game = given(effect("night"), enter("w1", RUFFIAN, face_down=True), face_up("w1"))
    assert ("4: w1 turn to back (daybound-at-night because 4)",) == game.followed


def test_turned_up_is_not_entering():
    """To be turned face up is not to enter, so the "as this enters" of a Vandal does nothing: it stays neither."""
    assert "neither" == given(enter("v1", VANDAL, face_down=True), face_up("v1")).designation


def test_phased_out_has_nothing():
    """A phased-out permanent has no keywords; the state keeps its name and the face that was up."""
    game = given(effect("night"), enter("w1"), phase_out("w1"))
    assert ({"w1": []}, {"w1": False}) == (game.each("keywords"), game.each("phased_in"))
    assert ({"w1": "back"}, {"w1": "Tavern Smasher"}) == (game.each("face"), game.each("name"))


def test_phased_out_does_not_follow():
    """A phased-out permanent does not transform as it becomes day."""
    game = given(effect("night"), enter("w1"), phase_out("w1"), effect("day"))
    assert ("5: night becomes day in turn 0 (becomes because 5)",) == game.followed


def test_it_phases_in_with_the_face_it_had():
    """A Smasher phases in with its back up: at night it stays so, by day it transforms at once."""
    at_night = given(effect("night"), enter("w1"), phase_out("w1"), phase_in("w1"))
    assert ({"w1": "back"}, ()) == (at_night.each("face"), at_night.followed)
    by_day = given(effect("night"), enter("w1"), phase_out("w1"), effect("day"), phase_in("w1"))
    assert ("6: w1 turn to front (nightbound-at-day because 6)",) == by_day.followed


def test_phasing_in_is_not_entering():
    """To phase in is not to enter, so the "as this enters" of a Vandal does nothing: it stays neither."""
    game = given(enter("v1", VANDAL, without_abilities=True), phase_out("v1"), regain("v1"), phase_in("v1"))
    assert "neither" == game.designation


def test_losses_add_up():
    """Two effects took the abilities: they are back when both effects have ended."""
    game = given(enter("w1"), lose("w1", source="A"), lose("w1", source="B"), regain("w1", source="A"))
    assert {"w1": []} == game.each("keywords")
    assert {"w1": ["daybound"]} == game.when(regain("w1", source="B")).each("keywords")


def test_the_same_source_twice():
    """If one source is recorded twice as taking the abilities, one end of it gives them back."""
    game = given(enter("w1"), lose("w1", source="A"), lose("w1", source="A"), regain("w1", source="A"))
    assert {"w1": ["daybound"]} == game.each("keywords")


def test_regained_without_a_source():
    """`abilities-regained` without a source ends all effects that took the abilities."""
    game = given(enter("w1"), lose("w1", source="A"), lose("w1", source="B"), lose("w1"), regain("w1"))
    assert {"w1": ["daybound"]} == game.each("keywords")


def test_an_unnamed_loss():
    """A loss without a source does not end when source A ends, but with an `abilities-regained` without a source."""
    game = given(enter("w1"), lose("w1"), lose("w1", source="A"), regain("w1", source="A"))
    assert {"w1": []} == game.each("keywords")
    assert {"w1": ["daybound"]} == game.when(regain("w1")).each("keywords")


@pytest.mark.parametrize("loss, ends, keywords", [
    (True, regain("w1"), ["daybound"]),
    (True, regain("w1", source="Anything"), ["daybound"]),
    ("Humility", regain("w1"), ["daybound"]),
    ("Humility", regain("w1", source="Humility"), ["daybound"]),
    ("Humility", regain("w1", source="Anything"), []),
    (False, regain("w1", source="Anything"), ["daybound"]),
])  # fmt: skip
def test_entered_without_abilities(loss, ends, keywords):
    """`without_abilities: true` ends by any `abilities-regained`; a source's name, by one of that or of no source."""
    game = given(enter("w1", RUFFIAN, without_abilities=loss), ends)
    assert {"w1": keywords} == game.each("keywords")


def test_entered_without_and_lost_besides():
    """`without_abilities: true` ends by the end of any source, here B; the later loss by A goes on until A ends."""
    game = given(enter("w1", RUFFIAN, without_abilities=True), lose("w1", source="A"), regain("w1", source="B"))
    assert {"w1": []} == game.each("keywords")
    assert {"w1": ["daybound"]} == game.when(regain("w1", source="A")).each("keywords")


def test_regaining_what_was_not_lost():
    """`abilities-regained` for a permanent that lost nothing is accepted, and has no effect."""
    game = given(enter("w1"), regain("w1"), regain("w1", source="A"))
    assert ({"w1": ["daybound"]}, ()) == (game.each("keywords"), game.followed)


def test_none_at_all():
    """`abilities-lost` with an empty list of permanents has no effect."""
    game = given(enter("w1"), lose(), lose(source="A"))
    assert ({"w1": ["daybound"]}, ()) == (game.each("keywords"), game.followed)


def test_several_at_once():
    """`abilities-lost` affects each permanent that it names, and no other."""
    game = given(together(permanent("w1"), permanent("w2"), permanent("w3")), lose("w1", "w3"))
    assert {"w1": [], "w2": ["daybound"], "w3": []} == game.each("keywords")


def test_a_copy_shows_what_it_copies():
    """A werewolf with its back up copies a Smasher: it has the Smasher's name and keyword; its back stays up."""
    game = given(effect("night"), enter("g1", OLD_WEREWOLF, face="back"), copy(NIGHTBOUND_FACE, "g1"))
    assert ({"g1": "Tavern Smasher"}, {"g1": ["nightbound"]}) == (game.each("name"), game.each("keywords"))
    assert ({"g1": "Grizzled Outcasts"}, {"g1": "back"}) == (game.each("card"), game.each("face"))


def test_a_copy_that_turns_over_remains_a_copy():
    """A werewolf that copies a Ruffian transforms at night, keeps the copied name, and does not transform by day.

    With its back up it still has the copied daybound, and no nightbound.
    """
    game = given(enter("g1", OLD_WEREWOLF), copy(DAYBOUND_FACE, "g1"), effect("night"))
    assert ({"g1": "back"}, {"g1": "Tavern Ruffian"}) == (game.each("face"), game.each("name"))
    game.when(effect("day"))
    assert {"g1": "back"} == game.each("face")


def test_a_copy_ended():
    """A Ruffian that copied a bear stays front up at night; when the copy effect ends, it turns to its back."""
    game = given(enter("w1"), copy({"name": "Bear"}, "w1"), effect("night"))
    assert ({"w1": "front"}, {"w1": "Bear"}) == (game.each("face"), game.each("name"))
    game.when(uncopy("w1"))
    assert ({"w1": "back"}, {"w1": "Tavern Smasher"}) == (game.each("face"), game.each("name"))


def test_a_second_copy_replaces_the_first():
    """A permanent that copies a bear and then an ape is an ape."""
    game = given(enter("w1"), copy({"name": "Bear"}, "w1"), copy({"name": "Ape"}, "w1"))
    assert {"w1": "Ape"} == game.each("name")


def test_a_copy_ended_that_never_was():
    """`copy-ended` for a permanent that is no copy is accepted, and has no effect."""
    assert ({"w1": "Tavern Ruffian"}, ()) == (
        given(enter("w1"), uncopy("w1")).each("name"),
        given(enter("w1"), uncopy("w1")).followed,
    )


def test_a_copy_without_abilities():
    """A bear that lost its abilities and copies a Ruffian has no daybound: it stays neither."""
    game = given(enter("b1", {"card": "Bear"}), lose("b1", source="A"), copy(DAYBOUND_FACE, "b1"))
    assert ({"b1": []}, "neither") == (game.each("keywords"), game.designation)


def test_a_clone_of_a_back_face():
    """A Clone of a back face has nightbound but no other face: by day it does not transform."""
    game = given(effect("night"), enter("c1", CLONE_OF_NIGHTBOUND), effect("day"))
    assert ({"c1": ["nightbound"]}, {"c1": "front"}) == (game.each("keywords"), game.each("face"))


@pytest.mark.parametrize(
    "noted, shown",
    [(lose("w1"), ("keywords", [])), (control("Bo", "w1"), ("controller", "Bo"))],
    ids=["lost", "control"],
)
def test_what_is_noted_while_phased_out(noted, shown):
    """A loss of abilities or a new controller, recorded while a permanent is phased out, shows once it phased in."""
    field, value = shown
    assert {"w1": value} == given(enter("w1"), phase_out("w1"), noted, phase_in("w1")).each(field)


def test_the_untap_step_phases():
    """The event of an untap step lists permanents: those of `phased_in` phase in, those of `phased_out` phase out."""
    game = given(effect("day"), enter("w1"), enter("w2"), phase_out("w2"), turn(1), untap(["w2"], ["w1"]))
    assert ({"w1": [], "w2": ["daybound"]}, ()) == (game.each("keywords"), game.followed)


@pytest.mark.parametrize("card", ["Tavern Ruffian", "Tavern Smasher", "Tavern Ruffian // Tavern Smasher"])
def test_a_card_by_any_of_its_names(card):
    """A card may be named by its front, its back or both: it is stored by its front's name, and enters front up."""
    game = given(enter("w1", {"card": card}))
    assert ({"w1": "Tavern Ruffian"}, {"w1": "Tavern Ruffian"}) == (game.each("card"), game.each("name"))


def test_a_face_given_replaces_the_catalogues():
    """A front given in the arrival replaces the whole front of the catalogue: without `keywords` it has no keyword."""
    game = given(enter("w1", RUFFIAN, front={"name": "Ruffian"}), effect("night"))
    assert ({"w1": []}, {"w1": "Ruffian"}, {"w1": "front"}) == tuple(map(game.each, ("keywords", "name", "face")))


def test_a_front_given_beside_the_catalogues_back():
    """If the arrival gives only a front, that front is stored, and the back is taken from the catalogue."""
    like = {"card": "Tavern Smasher", "double_faced": True, "front": {"name": "Ruffian"}}
    stored = given(enter("w1", like)).game.events[1].permanents[0]
    assert ("Tavern Ruffian", "Ruffian", "Tavern Smasher") == (stored.card, stored.front.name, stored.back.name)


@pytest.mark.parametrize("double_faced", [True, False])
def test_filled_in_alike_in_company(double_faced):
    """A permanent is stored in the same form whether it enters alone or with another one."""
    like = {"card": "Tavern Smasher", "double_faced": double_faced, "front": {"name": "Ruffian"}}
    if double_faced:
        like |= {"back": {"name": "Smasher"}}
    alone = given(enter("w1", like)).game.events[1].permanents[0]
    in_company = given(together(permanent("w1", like), permanent("w2"))).game.events[1].permanents[0]
    assert alone == in_company


def test_an_unknown_card():
    """An unknown card is single-faced, has no relevant ability, and has the card's name."""
    game = given(enter("x1", {"card": "Runeclaw Bear"}))
    assert ({"x1": "Runeclaw Bear"}, {"x1": []}, "neither") == (
        game.each("name"),
        game.each("keywords"),
        game.designation,
    )


def test_order_of_arrival():
    """The battlefield lists a permanent that left and returned last; one that changes keeps its position."""
    game = given(enter("b1", {"card": "Bear"}), enter("w1"), enter("w2"), leave("w1"), enter("w1"), lose("b1"))
    assert ["b1", "w2", "w1"] == list(game.each("card"))


def test_those_that_turn_are_named_in_order_of_arrival():
    """A consequence names the permanents that transform in order of arrival, also one whose daybound is copied."""
    game = given(
        effect("day"), enter("g1", OLD_WEREWOLF), enter("w1"), copy(DAYBOUND_FACE, "g1"), enter("w2"), effect("night")
    )
    assert "7: g1 w1 w2 turn to back (daybound-as-night because 7)" == game.followed[-1]
