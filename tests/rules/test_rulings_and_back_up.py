"""Rulings and back-ups by a judge, and the events that end, restart or leave a game.

| clause | the contract in our words | test |
| --- | --- | --- |
| judge-ruled | a ruling sets the designation, permanents | |
| | come to rest, nothing triggers | test_a_ruling_stands |
| | | test_a_ruling_sets_right_what_is_as_ruled |
| - | later events continue from it | test_the_check_goes_on_from_the_ruling |
| - | the rules' own line: the state as if no ruling had been made since the last back-up | test_the_rules_own_line |
| | | test_two_rulings_have_one_line |
| | | test_a_back_up_ends_the_line |
| game-backed-up | the state after that event is restored | test_backed_up_the_state_is_what_it_was |
| | | test_a_waiting_trigger_waits_again |
| | | test_what_was_forbidden_is_so_again, test_what_was_not_yet_forbidden_is_free_again |
| | | test_lost_and_regained_abilities_are_so_again, test_what_left_is_there_again |
| - | the events between stay in the record, undone | test_undone_events_stay_in_the_record |
| - | a second back-up may name any event that is not undone | test_backing_up_twice, test_back_to_a_back_up |
| - | the next turn's number must exceed the restored turn's | test_the_turn_may_be_told_again |
| game-restarted | neither, no permanents, no tallies, turn 0; not a change | test_restarting_starts_anew |
| | | test_a_restarted_game_has_no_previous_turn |
| 727.4 | a daybound permanent left for the new game makes it day before turn 1 | test_daybound_in_the_restarted_game |
| game-ended | claims and rulings may follow, and a back-up undoes the end | test_after_the_end |
| | | test_the_end_undone |
| player-left | the designation stays; that player is no longer active | test_a_player_leaves |
| | | test_the_turn_goes_on_without |
"""

import pytest

from .judges import back_up, claim, claim_face, claim_tally, ruled
from .placing import enter, leave, lose, regain
from .scenario import given
from .turning import allow, forbid
from .wolves import RUFFIAN, VANDAL
from .words import cast, effect, ended, quits, restarted, turn, untap, upkeep


def own_line(game):
    """The possible designations by the rules alone, or None if no ruling was made."""
    line = game.game.state.unruled
    return None if line is None else [possibility.designation.value for possibility in line]


def test_a_ruling_stands():
    """A judge rules night though the rules say day: it is night, a Ruffian transforms, and nothing triggers."""
    game = given(enter("v1", VANDAL), enter("w1"), turn(1), ruled("night"))
    assert (
        "5: day becomes night in turn 1 (judge because 5)",
        "5: w1 turn to back (daybound-as-night because 5)",
    ) == game.followed
    assert ("night", [], {"v1": "front", "w1": "back"}) == (game.designation, game.triggers, game.each("face"))


def test_a_ruling_sets_right_what_is_as_ruled():
    """A ruling of night at night has no consequences."""
    game = given(effect("night"), ruled("night"))
    assert ("night", (), 1) == (game.designation, game.followed, len(game.changes))


def test_the_check_goes_on_from_the_ruling():
    """After a ruling of night and a turn with one cast it stays night; by the rules alone it is still day."""
    game = given(effect("day"), turn(1), cast(), ruled("night"), turn(2, "Bo"), untap())
    assert ("night", ["day"]) == (game.designation, own_line(game))


def test_no_ruling_no_line_of_its_own():
    """Without a ruling there is no separate state by the rules alone."""
    assert own_line(given(effect("day"), turn(1), untap())) is None


def test_the_rules_own_line():
    """The rules' own line ignores the ruling: it has its own checks, and its own transformations."""
    game = given(enter("w1"), ruled("night"), turn(1))
    assert (["day"], "night") == (own_line(game), game.designation)
    game.when(turn(2, "Bo"), untap())
    assert (["night"], "night", ()) == (own_line(game), game.designation, game.followed)
    game.when(cast("Bo"), cast("Bo"), turn(3), untap())
    assert (["day"], "day") == (own_line(game), game.designation)
    (line,) = game.game.state.unruled
    assert frozenset() == line.backs


def test_the_rules_own_line_triggers_nothing():
    """A change that happens only in the rules' own line is not a change of the game, and triggers nothing."""
    game = given(enter("v1", VANDAL), ruled("night"), turn(1), turn(2, "Bo"), untap())
    assert (["night"], [], 2) == (own_line(game), game.triggers, len(game.changes))


def test_the_rules_own_line_has_its_faces():
    """After a ruling of night the state by the rules alone (`unruled`) keeps both Ruffians front up.

    A Ruffian that leaves the battlefield also leaves that state.
    """
    game = given(enter("w1"), enter("w2"), ruled("night"))
    (line,) = game.game.state.unruled
    assert (frozenset(), frozenset({"w1", "w2"})) == (line.backs, game.game.state.possibilities[0].backs)
    game.when(effect("night"), leave("w1"))
    (line,) = game.game.state.unruled
    assert (frozenset({"w2"}), {"w2": "back"}) == (line.backs, game.each("face"))


def test_two_rulings_have_one_line():
    """The rules' own line ignores three rulings: it is day there, night in the game."""
    game = given(effect("day"), ruled("night"), ruled("day"), ruled("night"))
    assert (["day"], "night") == (own_line(game), game.designation)


def test_a_second_ruling_does_not_begin_the_line_anew():
    """The rules' own line begins at the first ruling; a second ruling does not change it: it stays day, or neither."""
    game = given(effect("day"), ruled("night"), ruled("day"))
    assert ["day"] == own_line(game)
    assert ["day"] == own_line(game.when(ruled("night")))
    assert ["neither"] == own_line(given(ruled("night"), ruled("day")))


def test_the_rules_own_line_remembers_when_it_turned():
    """A Ruffian transforms only in the rules' own line: `turned` there has the event, its causes and the rule."""
    game = given(enter("w1"), turn(1), ruled("day"), turn(2, "Bo"), untap())
    (line,) = game.game.state.unruled
    assert (6, (6,), "daybound-as-night") == (
        line.turned["w1"].event,
        line.turned["w1"].because,
        line.turned["w1"].rule,
    )


def test_a_back_up_ends_the_line():
    """After a back-up the rules' own line is None, even if the restored state is that after a ruling."""
    game = given(effect("day"), ruled("night"), turn(1), back_up(3))
    assert (None, "night") == (own_line(game), game.designation)


def test_a_doubtful_line():
    """The rules' own line is day or night after uncertain casts; an effect makes it day there, certainly."""
    game = given(effect("day"), turn(1), ruled("day"), {"type": "spells-uncertain", "player": "Ana", "at_least": 0})
    game.when(turn(2, "Bo"), untap(), ruled("night"), effect("day"), turn(3))
    assert ["day"] == own_line(game)


def test_backed_up_the_state_is_what_it_was():
    """After a back-up to event 5 the state is that after event 5, except the event number."""
    before = (enter("w1"), turn(1), cast(), untap())
    game = given(*before, lose("w1"), effect("night"), turn(2, "Bo"), quits("Bo"), back_up(5))
    expected = given(*before).game.document() | {"event": 10}
    assert expected == game.game.document()
    assert ("10: restored to 5 (backed-up because 5)",) == game.followed


def test_backed_up_midway_of_a_step():
    """A back-up to event 4 restores turn 1 in its untap step, with one cast."""
    game = given(turn(1), untap(), cast(), turn(2, "Bo"), upkeep(), back_up(4))
    assert (1, "untap", ["Ana"]) == (game.turn, game.step, game.active)
    assert {"Ana": 1, "Bo": 0} == game.tallies["current"]["spells"]
    assert game.tallies["previous"] is None


def test_what_was_forbidden_is_so_again():
    """A back-up undoes the end of an effect that forbade a Ruffian to transform: at night it stays front up."""
    over = (enter("w1"), forbid("A", "w1"), allow("A"))
    assert {"w1": "back"} == given(*over, effect("night")).each("face")
    assert {"w1": "front"} == given(*over, back_up(3), effect("night")).each("face")


def test_what_was_not_yet_forbidden_is_free_again():
    """A back-up to before an effect forbade a Ruffian to transform undoes the effect: it transforms at night."""
    forbidden = (enter("w1"), forbid("A", "w1"))
    assert {"w1": "front"} == given(*forbidden, effect("night")).each("face")
    assert {"w1": "back"} == given(*forbidden, back_up(2), effect("night")).each("face")


def test_lost_and_regained_abilities_are_so_again():
    """A back-up to before abilities were lost gives them back; one to before they were regained takes them again."""
    lost = (enter("w1"), lose("w1"), regain("w1"))
    assert {"w1": "back"} == given(*lost[:2], back_up(2), effect("night")).each("face")
    assert {"w1": "back"} == given(*lost, effect("night")).each("face")
    assert {"w1": "front"} == given(*lost, back_up(3), effect("night")).each("face")


def test_what_left_is_there_again():
    """A back-up to before a Ruffian left brings it back, in its place of arrival; it transforms at night."""
    game = given(enter("w1"), enter("w2"), leave("w1"))
    assert {"w2": "front"} == game.each("face")
    game.when(back_up(3), effect("night"))
    assert [("w1", "back"), ("w2", "back")] == [*game.each("face").items()]


def test_undone_events_stay_in_the_record():
    """Events 3 and 4 are in the record but undone: their changes are not listed, and `at(4)` still shows day."""
    game = given(effect("day"), effect("night"), effect("day"), back_up(2), effect("night"))
    assert 6 == len(game.game)
    assert [True, True, False, False, True, True] == [game.game.stands(number) for number in range(1, 7)]
    assert [2, 6] == [change["event"] for change in game.changes]
    assert "day" == game.game.at(4).designation


def test_moments_of_undone_events():
    """`moments` yields undone events too, with consequences; `restores` is the back-up's target, else None."""
    game = given(effect("day"), effect("night"), back_up(2))
    moments = list(game.game.moments())
    assert [None, None, None, 2] == [moment.restores for moment in moments]
    assert [0, 1, 1, 1] == [len(moment.consequences) for moment in moments]


def test_backing_up_twice():
    """A second back-up may go to event 1, before the target of the first one: it is neither, without changes."""
    game = given(effect("day"), turn(1), back_up(2), effect("night"), back_up(1))
    assert ("neither", []) == (game.designation, game.changes)


def test_back_to_a_back_up():
    """A back-up to an earlier back-up's event restores the state that the earlier one restored."""
    game = given(effect("day"), effect("night"), back_up(2), effect("night"), back_up(4))
    assert ("day", [2]) == (game.designation, [change["event"] for change in game.changes])


def test_the_turn_may_be_told_again():
    """After a back-up to turn 1, turn 2 can begin again."""
    game = given(turn(1), turn(2, "Bo"), back_up(2), turn(2, "Bo"))
    assert (2, ["Bo"]) == (game.turn, game.active)


def test_a_waiting_trigger_waits_again():
    """After a back-up into the untap step, a waiting trigger is put on the stack at the repeated upkeep."""
    game = given(enter("v1", VANDAL), turn(1), turn(2, "Bo"), untap(), upkeep(), back_up(5), upkeep())
    assert [(5, 8)] == [(trigger["event"], trigger["stacked"]) for trigger in game.triggers]


def test_undone_triggers_are_left_out():
    """The trigger of an undone event is not listed."""
    assert [] == given(enter("v1", VANDAL), effect("night"), back_up(2)).triggers


def test_a_player_is_back():
    """A back-up to before a departure brings the player back."""
    game = given(turn(1), quits("Bo"), back_up(2), turn(2, "Bo"), cast("Bo"))
    assert {"Ana": 0, "Bo": 1} == game.tallies["current"]["spells"]


def test_restarting_starts_anew():
    """A restart: neither, no permanents, no tallies, turn 0. That is not a change; earlier changes stay listed."""
    game = given(enter("w1"), turn(1), untap(), cast(), turn(2, "Bo"), restarted())
    assert {
        "game": "g1", "event": 7, "turn": 0, "active": [], "step": None, "designation": "neither",
        "possible": ["neither"],
        "tallies": {"previous": None, "current": {"active": [], "spells": {"Ana": 0, "Bo": 0}}}, "battlefield": [],
        "triggers": [],
    } == {key: value for key, value in game.game.document().items() if key != "changes"}  # fmt: skip
    assert ([2], ()) == ([change["event"] for change in game.changes], game.followed)
    assert 7 == game.game.state.began


def test_a_restarted_game_has_no_previous_turn():
    """The check does not look at the turn before the restart: it stays day."""
    game = given(effect("day"), turn(1), restarted(), effect("day"), turn(1), untap())
    assert ("day", None) == (game.designation, game.tallies["previous"])


def test_restarting_forgets_rulings_and_prohibitions():
    """In the new game the rules' own line is None, and an effect that forbade transforming is over."""
    game = given(enter("w1"), forbid("A", "w1"), ruled("night"), restarted(), enter("w1"), effect("night"))
    assert (None, {"w1": "back"}) == (own_line(game), game.each("face"))


def test_a_restarted_game_keeps_its_turns():
    """After a restart `tallies.find(1)` returns turn 1 of the new game, not the old; a claim about it is accepted."""
    game = given(turn(1), restarted(), turn(1), cast(), turn(2, "Bo"), turn(3), claim_tally("Ana", 1, 1))
    assert (1, 4) == (game.game.state.tallies.find(1).spells["Ana"], game.game.state.tallies.find(1).began)


def test_daybound_in_the_restarted_game():
    """A daybound permanent makes it day before turn 1 of the new game; the first untap step changes nothing."""
    game = given(effect("night"), turn(4), restarted(), enter("w1"), turn(1), untap())
    assert ("day", {"w1": "front"}) == (game.designation, game.each("face"))
    assert ("neither", "day", 0) == tuple(game.changes[-1][key] for key in ("was", "became", "turn"))


def test_a_restart_undone():
    """A back-up to before the restart brings the old game back."""
    game = given(enter("w1"), turn(3), restarted(), turn(1), back_up(3))
    assert (3, "day", {"w1": "front"}) == (game.turn, game.designation, game.each("face"))


def test_who_left_stays_away_from_the_restarted_game():
    """Players who left before the restart are not in the new game."""
    game = given(quits("Bo"), restarted(), turn(1))
    assert frozenset({"Ana"}) == game.game.state.present


@pytest.mark.parametrize(
    "act", [claim("night"), claim_face("w1", "front"), claim_tally("Ana", 1), claim_tally("Ana", 0, 1)]
)
def test_after_the_end(act):
    """A claim after the end is accepted, and changes nothing."""
    game = given(enter("w1"), turn(1), ended("Ana"), act)
    assert ("day", ()) == (game.designation, game.followed)


def test_a_ruling_after_the_end():
    """A ruling of night after the end is accepted: it is night."""
    assert "night" == given(enter("w1"), ended(), ruled("night")).designation


def test_the_end_undone():
    """After a back-up to before the end, the game continues."""
    game = given(turn(1), cast(), ended("Bo"), back_up(3), cast())
    assert {"Ana": 2, "Bo": 0} == game.tallies["current"]["spells"]


def test_a_player_leaves():
    """When Bo leaves, it stays day, and a Ruffian that Bo controlled and did not own has no controller."""
    game = given(enter("w1", RUFFIAN, controller="Bo"), turn(1), quits("Bo"))
    assert ("day", {"w1": None}, ()) == (game.designation, game.each("controller"), game.followed)
    assert ("day", {}) == (game.when(leave("w1")).designation, game.each("face"))


def test_the_turn_goes_on_without():
    """Ana cast a spell and left in her turn: the turn continues, and her cast keeps the day."""
    game = given(effect("day"), turn(1), cast(), quits("Ana"), upkeep(), turn(2, "Bo"), untap())
    assert ("day", {"Ana": 1, "Bo": 0}) == (game.designation, game.tallies["previous"]["spells"])


def test_regaining_after_a_back_up():
    """If a loss of abilities was undone, `abilities-regained` has no effect: the Ruffian has daybound."""
    game = given(enter("w1"), lose("w1"), back_up(2), regain("w1"))
    assert {"w1": ["daybound"]} == game.each("keywords")
