"""The untap step that a record leaves out: every turn has one unless an effect skips it (contract, sections 2, 5).

It is pending (due) until an event shows that it is over: then it happens, just before that event, and is implied.

| clause | the contract in our words | test |
| --- | --- | --- |
| pending | from `turn-began` on; until it is over the state is the one before it, `step` null | test_it_is_due |
| due, not | if the turn skips it | test_a_skipped_one_is_not_due |
| due | if the turn skips other steps only | test_other_skipped_steps_leave_it_due |
| skips, refused | a step named twice, or unknown | test_each_skipped_step_is_named_once |
| due, not | before the first turn, and in a restarted game before its first turn | test_nothing_is_due |
| over | a recorded untap step is the pending one | test_a_written_one_is_it |
| over | every event that is not named below shows that it is over | test_what_shows_that_it_is_over |
| | ... the next turn-began too: the change belongs to the turn before | test_the_next_turn_shows_it |
| | ... and game-ended | test_the_end_of_the_game_shows_it |
| leaves it due | an event that may belong to its phasing | test_what_leaves_it_due |
| leaves it due | notes and disputes | test_what_is_of_the_record_leaves_it_due |
| ends it | game-restarted cancels it | test_a_restart_ends_it |
| restores | game-backed-up restores whether it is due, and shows nothing | test_a_back_up_restores_it |
| how | phasing, keywords, the check, keywords | test_it_is_a_whole_untap_step |
| | ... in the order of a recorded one: a permanent that phases in counts | test_its_phasing_comes_before_its_check |
| changes | an implied change has the number and turn of the event that shows it, and comes first | test_its_changes |
| | | test_its_changes_stand_first_in_every_possibility |
| changes, not | a change of a recorded one, or the event's own, is not implied | test_what_is_not_implied |
| changes | a change in only some possibilities is uncertain | test_an_uncertain_one |
| step | it does not set `step` | test_it_does_not_set_the_step |
| further | a recorded one after it is a second one, with its own check | test_a_further_one |
| further | ... also in a turn that skips its own | test_one_written_in_a_turn_that_skips_it |
| further, not | without one it happens once | test_it_happens_once |
| refusals | are judged after it | test_refusals_are_judged_after_it |
| | ... and a refused event leaves it pending | test_a_refused_event_leaves_it_due |
| audit | claims and rulings are compared with the state after it | test_claims_are_held_against_what_follows |
| | | test_rulings_are_held_against_what_follows |
"""

import pytest

from daynight.framework.language.errors import ImpossibleError, RecordError

from .judges import appeals, argues, back_up, claim, claim_face, claim_tally, closes, noted, opens, ruled, rules_on
from .placing import control, enter, leave, lose, permanent, phase_in, phase_out, regain, together
from .scenario import given
from .turning import allow, copy, face_down, face_up, forbid, transform, uncopy
from .wolves import CLONE_OF_DAYBOUND, DAYBOUND_FACE, RUFFIAN
from .words import cast, copied, doubt, effect, ended, joined, quits, restarted, said, step, turn, untap, upkeep

BEAR = {"card": "Bear"}
DUE = (
    effect("day"),
    together(
        permanent("w1"), permanent("b1", BEAR), permanent("b2", BEAR, face_down=True),
        permanent("b3", BEAR, controller="Bo"),
    ),
    phase_out("b3"), turn(1, skips=["untap"]), turn(2, "Ana"),
)  # fmt: skip
OTHER_STEPS = (
    "upkeep", "draw", "precombat-main", "beginning-of-combat", "declare-attackers", "declare-blockers", "combat-damage",
    "end-of-combat", "postcombat-main", "end", "cleanup",
)  # fmt: skip
SHOW_IT = [
    *map(step, OTHER_STEPS), cast("Ana"), cast("Bo"), copied("Ana"), doubt("Ana", 0), enter("b4", BEAR),
    phase_out("b1"), phase_in("b3"), face_down("b1"), face_up("b2"), copy(DAYBOUND_FACE, "b1"), transform("b1"),
    effect("night", only_if="neither"), claim("day"), claim_face("w1", "front"), claim_tally("Ana", 0),
    turn(3, "Bo", skips=["untap"]), ended(),
]  # fmt: skip
LEAVE_IT = [
    leave("b1"), control("Bo", "b1"), lose("b1"), regain("b1"), uncopy("b1"), forbid("Bound", "b1"), allow("Bound"),
    quits("Bo"), quits("Bo", "b1"),
]  # fmt: skip


def test_it_is_due():
    """Directly after turn-began the check has not happened: it is still day, and `step` is None."""
    game = given(*DUE)
    assert ("day", None, 2) == (game.designation, game.step, game.turn)
    assert not [change for change in game.changes if change["became"] == "night"]


def test_a_skipped_one_is_not_due():
    """A turn that skips its untap step has no check: it stays day."""
    assert "day" == given(*DUE[:-1], turn(2, skips=["untap"]), cast("Ana")).designation


def test_other_skipped_steps_leave_it_due():
    """A turn that skips only upkeep and draw step has its untap step: the next event shows that it is night."""
    assert "night" == given(*DUE[:-1], turn(2, skips=["upkeep", "draw"]), cast("Ana")).designation


@pytest.mark.parametrize("skips", [["untap", "untap"], ["draw", "untap", "draw"], ["lunch"], ["Untap"]])
def test_each_skipped_step_is_named_once(skips):
    """`turn-began` with an unknown or repeated step in `skips` raises RecordError; the turn does not begin."""
    game = given(effect("day"))
    with pytest.raises(RecordError):
        game.when(turn(1, skips=skips))
    assert 0 == game.turn
    assert 1 == game.when(turn(1, skips=["untap", "draw"])).turn


def test_nothing_is_due():
    """No untap step is pending before the first turn, nor in a restarted game before its first turn."""
    assert "day" == given(effect("day"), enter("b1", BEAR)).designation
    assert [] == given(*DUE, restarted(), effect("day"), enter("b1", BEAR)).changes[2:]


def test_a_written_one_is_it():
    """A recorded untap step is the pending one: later events imply no other."""
    game = given(*DUE, untap(), upkeep())
    assert [("night", 7, None)] == [(one["became"], one["event"], one.get("implied")) for one in game.changes[1:]]


@pytest.mark.parametrize("event", SHOW_IT)
def test_what_shows_that_it_is_over(event):
    """Each of these events shows that the untap step is over: nobody cast in turn 1, so it became night before the
    event."""
    game = given(*DUE, event)
    assert "night" == game.designation
    assert {
        "event": 7, "turn": 2, "was": "day", "became": "night", "rule": "check-day", "cr": "728.2a", "because": [5],
        "implied": True,
    } == game.changes[1]  # fmt: skip
    assert "back" == game.each("face")["w1"]


def test_the_next_turn_shows_it():
    """No step is recorded: each turn-began implies the check of the turn before, with that turn's number."""
    game = given(effect("day"), turn(1), turn(2, "Bo"), cast("Bo"), cast("Bo"), turn(5), turn(6, "Bo"))
    assert [(5, 2, "night", [3]), (8, 5, "day", [4, 5, 6])] == [
        (one["event"], one["turn"], one["became"], one["because"]) for one in game.changes[1:]
    ]


def test_the_end_of_the_game_shows_it():
    """game-ended shows that the last turn's untap step is over: it became night; later events imply nothing more."""
    game = given(effect("day"), turn(1), turn(2, "Bo"), ended("Ana"), noted(), claim("night"))
    assert [(5, 2, "night")] == [(one["event"], one["turn"], one["became"]) for one in game.changes[1:]]


@pytest.mark.parametrize("event", LEAVE_IT)
def test_what_leaves_it_due(event):
    """Each of these events may belong to the phasing of the untap step: it is still day, and the next cast makes it
    night."""
    game = given(*DUE, event)
    assert "day" == game.designation
    game.when(cast("Ana"))
    assert ("night", 8) == (game.changes[-1]["became"], game.changes[-1]["event"])


def test_what_is_of_the_record_leaves_it_due():
    """Notes and events of a dispute do not show that the untap step is over: it is still day until the next cast."""
    game = given(*DUE)
    for act in (opens(), argues(says="no"), rules_on(), appeals(), rules_on(), closes(), noted()):
        assert ("day", ()) == (game.when(act).designation, game.followed)
    assert "night" == game.when(cast()).designation


def test_a_restart_ends_it():
    """game-restarted cancels the pending untap step: the old game has no check, and the new one is neither."""
    game = given(*DUE, restarted(), turn(1), upkeep())
    assert ("neither", 1) == (game.designation, len(game.changes))


def test_a_back_up_restores_it():
    """After a back-up, the untap step is pending if it was pending then, and not if it was over, skipped or not due."""
    due = given(*DUE, cast(), back_up(6))
    assert ("day", "night") == (due.designation, due.when(cast()).designation)
    over = given(*DUE, cast(), effect("day"), back_up(7), effect("day"), cast())
    assert ("day", [7, 10]) == (over.designation, [one["event"] for one in over.changes[1:]])
    skipped = given(*DUE, back_up(5), cast())
    assert "day" == skipped.designation
    shown = given(*DUE, back_up(3))
    assert "day" == shown.designation


def test_it_is_a_whole_untap_step():
    """The implied untap step of turn 1 phases w2 in; that of turn 2 makes it night, and both permanents turn to their
    back."""
    game = given(enter("w1"), effect("night"), enter("w2"), phase_out("w2"), effect("day"), turn(1), turn(2), upkeep())
    assert ("night", {"w1": "back", "w2": "back"}) == (game.designation, game.each("face"))
    assert [True, True] == list(game.each("phased_in").values())


def test_its_phasing_comes_before_its_check():
    """While it is neither, a daybound permanent phases in: it becomes day; then the check finds no spell: night."""
    lost = enter("c1", CLONE_OF_DAYBOUND, without_abilities=True)
    game = given(lost, phase_out("c1"), regain("c1"), turn(1, "Bo"), turn(2, "Ana"), cast("Ana"))
    assert [("daybound-starts-day", 7, 2, True), ("check-day", 7, 2, True)] == [
        (one["rule"], one["event"], one["turn"], one["implied"]) for one in game.changes
    ]


def test_its_changes():
    """Implied changes have the number of the event that shows the step, and come before that event's own changes."""
    game = given(*DUE, effect("switch"))
    assert [("night", "check-day", 7, True), ("day", "becomes", 7, None)] == [
        (one["became"], one["rule"], one["event"], one.get("implied")) for one in game.changes[1:]
    ]


def test_what_is_not_implied():
    """Changes of a recorded untap step, and those of the event itself, are not marked `implied`."""
    assert [None, None] == [one.get("implied") for one in given(*DUE, untap()).changes]
    assert [None, None] == [one.get("implied") for one in given(*DUE[:-1], effect("night")).changes]


def test_an_uncertain_one():
    """None or one spell was cast: day and night are possible, and the implied change is marked uncertain."""
    game = given(effect("day"), turn(1), doubt("Ana", 0, 1), turn(2, "Bo"), cast("Bo"))
    assert (["day", "night"], True, False) == (game.possible, game.changes[1]["implied"], game.changes[1]["certain"])
    settled = given(effect("day"), turn(1), doubt("Ana", 1), turn(2, "Bo"), cast("Bo"))
    assert ["day"] == settled.possible


def test_it_does_not_set_the_step():
    """An implied untap step leaves `step` None; step-began sets its own step."""
    assert None is given(*DUE, cast()).step
    assert "draw" == given(*DUE, step("draw")).step


def test_a_further_one():
    """The implied step leaves it neither; an effect makes it day; then a recorded untap step finds no cast: night."""
    game = given(turn(1), turn(2, "Bo"), effect("day"), untap())
    assert [("day", None), ("night", None)] == [(one["became"], one.get("implied")) for one in game.changes]


def test_one_written_in_a_turn_that_skips_it():
    """A turn that skips its untap step may have a recorded one, of an extra beginning phase: its check makes it
    night."""
    game = given(*DUE[:-1], turn(2, "Bo", skips=["untap"]), cast("Bo"), untap())
    assert "night" == game.designation


def test_it_happens_once():
    """After the implied untap step, an effect makes it day; it stays day: later events of the turn imply no other."""
    game = given(*DUE, cast(), effect("day"), cast(), upkeep(), enter("b4", BEAR))
    assert ("day", 3) == (game.designation, len(game.changes))


def test_refusals_are_judged_after_it():
    """An event is judged after the implied step, which phases in only the active player's Bear: to phase in a Bear that
    is in, or out one that is out, raises ImpossibleError."""
    before = (enter("b1", BEAR), phase_out("b1"), turn(1))
    with pytest.raises(ImpossibleError, match="'b1' is phased in already"):
        given(*before, phase_in("b1"))
    assert {"b1": False} == given(*before, phase_out("b1")).each("phased_in")
    assert {"b1": True} == given(*before, copy(DAYBOUND_FACE, "b1")).each("phased_in")
    with pytest.raises(ImpossibleError, match="'b1' is phased out already"):
        given(*before[:2], turn(1, "Bo"), phase_out("b1"))
    assert {"b1": True} == given(*before[:2], turn(1, "Bo"), phase_in("b1")).each("phased_in")


def test_a_refused_event_leaves_it_due():
    """A refused event raises ImpossibleError and leaves the untap step pending: it is still day until the next cast."""
    game = given(*DUE)
    before = game.game.document()
    with pytest.raises(ImpossibleError):
        game.when(phase_out("b3"))
    with pytest.raises(ImpossibleError):
        game.when(said("spell-cast", player="Anna"))
    assert before == game.game.document()
    assert "night" == game.when(leave("w1")).when(cast()).designation


@pytest.mark.parametrize("designation, verdict", [("day", "disputed"), ("night", "exact")])
def test_claims_are_held_against_what_follows(designation, verdict):
    """A claim after turn-began is compared with the state after the implied check: night is right, day is disputed."""
    assert verdict == given(*DUE, claim(designation)).game.audit().document()["verdict"]


@pytest.mark.parametrize("designation, verdict", [("day", "disputed"), ("night", "exact")])
def test_rulings_are_held_against_what_follows(designation, verdict):
    """A ruling after turn-began is compared with the state after the implied check: night agrees, day is disputed."""
    game = given(*DUE, ruled(designation))
    assert verdict == game.game.audit().document()["verdict"]
    assert designation == game.designation


def test_a_further_one_needs_no_new_turn():
    """The contract's example: the implied check of turn 2 keeps the day, the recorded one of turn 3 makes it night."""
    game = given(turn(1), cast(), enter("w1", RUFFIAN), turn(2, "Bo"), cast("Ana"), turn(3), untap())
    assert [("day", 4), ("night", 8)] == [(one["became"], one["event"]) for one in game.changes]


def test_its_changes_stand_first_in_every_possibility():
    """It may be day or night: from night, the implied check makes it day (an uncertain change, the first in the list);
    after it, an effect makes it night in both possibilities."""
    before = (joined("day", "night"), turn(1, skips=["untap"]), cast(), cast(), turn(2, "Bo"))
    game = given(*before, effect("night"))
    assert [("day", True), ("night", None)] == [(one["became"], one.get("implied")) for one in game.changes]
    assert [False, None] == [one.get("certain") for one in game.changes]
