"""The table `ROWS`: events before, an impossible event, its error's path and sentence, a similar accepted event."""

from .judges import back_up, claim_face, claim_tally, noted, ruled
from .placing import control, enter, leave, lose, permanent, phase_in, phase_out, regain, together
from .turning import copy, face_down, face_up, forbid, transform, uncopy
from .wolves import RUFFIAN
from .words import cast, copied, doubt, effect, ended, joined, quits, restarted, step, turn, untap

NO_ANNA = "no player 'Anna'; players are Ana, Bo"
LEFT = "'Bo' has left the game"
NO_X = "no permanent 'x' on the battlefield; there: w1, c1"
THERE = [enter("w1"), enter("c1", {"card": "Clone"})]
NO_TURN = "before the first turn; record turn-began first"
ODD = {"card": "Odd", "double_faced": True, "front": {"name": "Odd"}}

PLAYERS = [
    ([turn(1)], cast("Anna"), "$.player", NO_ANNA, cast("Ana")),
    ([turn(1)], copied("Anna"), "$.player", NO_ANNA, copied("Bo")),
    ([turn(1)], doubt("Anna", 0), "$.player", NO_ANNA, doubt("Bo", 0)),
    ([], turn(1, "Anna"), "$.active[0]", NO_ANNA, turn(1, "Bo")),
    ([], quits("Anna"), "$.player", NO_ANNA, quits("Bo")),
    ([], enter("w1", controller="Anna"), "$.permanents[0].controller", NO_ANNA, enter("w1", controller="Bo")),
    (THERE, control("Anna", "w1"), "$.controller", NO_ANNA, control("Bo", "w1")),
    ([turn(1)], claim_tally("Anna", 0), "$.player", NO_ANNA, claim_tally("Bo", 0)),
    ([], ended("Ana", "Anna"), "$.winner[1]", NO_ANNA, ended("Ana", "Bo")),
    ([turn(1), quits("Bo")], cast("Bo"), "$.player", LEFT, cast("Ana")),
    ([turn(1), quits("Bo")], copied("Bo"), "$.player", LEFT, copied("Ana")),
    ([turn(1), quits("Bo")], doubt("Bo", 1), "$.player", LEFT, doubt("Ana", 1)),
    ([turn(1), quits("Bo")], turn(2, "Bo"), "$.active[0]", LEFT, turn(2, "Ana")),
    ([quits("Bo")], quits("Bo"), "$.player", LEFT, quits("Ana")),
    ([quits("Bo")], enter("w1", controller="Bo"), "$.permanents[0].controller", LEFT, enter("w1")),
    ([*THERE, quits("Bo")], control("Bo", "w1"), "$.controller", LEFT, control("Ana", "w1")),
    ([turn(1), quits("Bo"), turn(2)], cast("Bo"), "$.player", LEFT, claim_tally("Bo", 0)),
    ([quits("Bo"), restarted(), turn(1)], cast("Bo"), "$.player", LEFT, ended("Bo")),
]
PERMANENTS = [
    (THERE, leave("c1", "x"), "$.permanents[1]", NO_X, leave("c1", "w1")),
    (THERE, control("Bo", "x"), "$.permanents[0]", NO_X, control("Bo", "c1")),
    (THERE, lose("x"), "$.permanents[0]", NO_X, lose("c1")),
    (THERE, regain("w1", "x"), "$.permanents[1]", NO_X, regain("w1")),
    (THERE, copy({"name": "A"}, "x"), "$.permanents[0]", NO_X, copy({"name": "A"}, "w1")),
    (THERE, uncopy("x"), "$.permanents[0]", NO_X, uncopy("w1")),
    (THERE, face_down("x"), "$.permanents[0]", NO_X, face_down("c1")),
    (THERE, face_up("x"), "$.permanents[0]", NO_X, face_down("c1")),
    (THERE, phase_out("w1", "x"), "$.permanents[1]", NO_X, phase_out("w1", "c1")),
    (THERE, phase_in("x"), "$.permanents[0]", NO_X, phase_out("c1")),
    (THERE, transform("w1", "x"), "$.permanents[1]", NO_X, transform("w1")),
    (THERE, forbid("A", "x"), "$.permanents[0]", NO_X, forbid("A")),
    (THERE, claim_face("x", "front"), "$.permanent", NO_X, claim_face("w1", "front")),
    ([*THERE, turn(1)], untap(phased_out=["w1", "x"]), "$.phased_out[1]", NO_X, untap(phased_out=["w1"])),
    ([*THERE, turn(1)], untap(phased_in=["x"]), "$.phased_in[0]", NO_X, untap()),
    ([], leave("x"), "$.permanents[0]", "no permanent 'x' on the battlefield; there: none", leave()),
    (THERE, enter("w1"), "$.permanents[0].id", "'w1' is on the battlefield already, since event 2", enter("w2")),
    (THERE, together(permanent("w2"), permanent("c1")), "$.permanents[1].id",
     "'c1' is on the battlefield already, since event 3", together(permanent("w2"), permanent("w3"))),
    ([], enter("o1", ODD), "$.permanents[0].back", "a double-faced permanent needs its back face",
     enter("o1", ODD | {"back": {"name": "Even"}})),
    ([], enter("o1", {"card": "Odd", "back": {"name": "Even"}}), "$.permanents[0].back",
     "only a double-faced permanent has a back face; is double_faced missing?",
     enter("o1", {"card": "Odd", "double_faced": True, "back": {"name": "Even"}})),
    ([], enter("o1", {"card": "Bear"}, face="back"), "$.permanents[0].face",
     "only a double-faced permanent whose back is a permanent's enters back face up",
     enter("o1", {"card": "Bear"}, face="front")),
    ([], enter("o1", ODD | {"back": {"name": "Opt", "permanent": False}}, face="back"), "$.permanents[0].face",
     "only a double-faced permanent whose back is a permanent's enters back face up",
     enter("o1", ODD | {"back": {"name": "Opt", "permanent": False}})),
]  # fmt: skip
TURNS = [
    ([turn(2)], turn(2, "Bo"), "$.turn", "turn 2 does not rise above turn 2", turn(3, "Bo")),
    ([turn(5)], turn(4, "Bo"), "$.turn", "turn 4 does not rise above turn 5", turn(9, "Bo")),
    ([], turn(0), "$.turn", "turn 0 does not rise above turn 0", turn(1)),
    ([turn(3), restarted()], turn(0), "$.turn", "turn 0 does not rise above turn 0", turn(1)),
    ([turn(1), turn(3), back_up(2)], turn(1), "$.turn", "turn 1 does not rise above turn 1", turn(2)),
    ([], turn(1, "Ana", "Bo"), "$.active", "several active players; only teams that share their turns have that",
     turn(1, "Ana")),
    ([], {"type": "turn-began", "turn": 1, "active": []}, "$.active",
     "no active player; a turn has one, or those of a team", turn(1, "Bo")),
    ([], cast("Ana"), "$", NO_TURN, enter("w1")),
    ([], cast("Anna"), "$.player", NO_ANNA, effect("day")),
    ([], copied("Ana"), "$", NO_TURN, effect("day")),
    ([], doubt("Ana", 0), "$", NO_TURN, ruled("day")),
    ([], untap(), "$", NO_TURN, turn(1)),
    ([], step("draw"), "$", NO_TURN, turn(1)),
    ([turn(1), restarted()], cast("Ana"), "$", NO_TURN, turn(1)),
    ([turn(1), restarted()], untap(), "$", NO_TURN, turn(1)),
    ([*THERE, turn(1)], step("upkeep", phased_out=["w1"]), "$.phased_out",
     "only the untap step phases permanents in or out; use phased-in and phased-out", step("upkeep")),
    ([*THERE, turn(1), phase_out("w1")], step("draw", phased_in=["w1"]), "$.phased_in",
     "only the untap step phases permanents in or out; use phased-in and phased-out", phase_in("w1")),
]  # fmt: skip
NUMBERS = [
    ([turn(1)], doubt("Ana", 3, 2), "$.at_most", "at most 2 is less than at least 3", doubt("Ana", 3, 3)),
    ([turn(1)], claim_tally("Ana", 0, 2), "$.turn", "turn 2 never was in this game", claim_tally("Ana", 0, 1)),
    ([], claim_tally("Ana", 0), "$", "before the first turn; say which turn is meant, or record turn-began first",
     effect("day")),
    ([turn(2), turn(4)], claim_tally("Ana", 0, 3), "$.turn", "turn 3 never was in this game", claim_tally("Ana", 0, 2)),
    ([turn(2), restarted(), turn(1)], claim_tally("Ana", 0, 2), "$.turn", "turn 2 never was in this game",
     claim_tally("Ana", 0, 1)),
    ([turn(2), turn(3), back_up(2)], claim_tally("Ana", 0, 3), "$.turn", "turn 3 never was in this game",
     claim_tally("Ana", 0, 2)),
    ([turn(1)], back_up(3), "$.to", "event 3 is not an earlier one", back_up(2)),
    ([turn(1)], noted(about=3), "$.about", "event 3 is not an earlier one", noted(about=2)),
    ([turn(1)], noted(about=0), "$.about", "event 0 is not an earlier one", noted(about=1)),
    ([turn(1)], back_up(9), "$.to", "event 9 is not an earlier one", back_up(1)),
    ([turn(1)], back_up(0), "$.to", "event 0 is not an earlier one", back_up(1)),
    ([turn(1), turn(2), back_up(2)], back_up(3), "$.to",
     "the state after event 3 was undone by backing up; back up to one that stands", back_up(4)),
    (THERE, transform("w1", own_since=4), "$.own_since", "event 4 is not an earlier one", transform("w1", own_since=3)),
    (THERE, transform("w1", own_since=5), "$.own_since", "event 5 is not an earlier one", transform("w1", own_since=1)),
    (THERE, transform("w1", own_since=0), "$.own_since", "event 0 is not an earlier one", transform("w1")),
]  # fmt: skip
LISTS = [
    ([], together(permanent("w1"), permanent("w1")), "$.permanents[1]",
     "'w1' stands twice in one list, first at $.permanents[0]", enter("w1")),
    (THERE, leave("w1", "c1", "w1"), "$.permanents[2]", "'w1' stands twice in one list, first at $.permanents[0]",
     leave("w1", "c1")),
    (THERE, lose("w1", "w1"), "$.permanents[1]", "'w1' stands twice in one list, first at $.permanents[0]", lose("w1")),
    (THERE, forbid("A", "w1", "w1"), "$.permanents[1]", "'w1' stands twice in one list, first at $.permanents[0]",
     forbid("A", "w1", "c1")),
    (THERE, transform("w1", "w1"), "$.permanents[1]", "'w1' stands twice in one list, first at $.permanents[0]",
     transform("w1", "c1")),
    ([], turn(1, "Ana", "Ana"), "$.active[1]", "'Ana' stands twice in one list, first at $.active[0]", turn(1, "Ana")),
    ([], ended("Bo", "Ana", "Bo"), "$.winner[2]", "'Bo' stands twice in one list, first at $.winner[0]", ended("Bo")),
    ([*THERE, turn(1)], untap(phased_out=["w1", "w1"]), "$.phased_out[1]",
     "'w1' stands twice in one list, first at $.phased_out[0]", untap(phased_out=["w1", "c1"])),
    ([*THERE, phase_out("w1"), turn(1)], untap(phased_in=["w1", "w1"]), "$.phased_in[1]",
     "'w1' stands twice in one list, first at $.phased_in[0]", untap(phased_in=["w1"])),
    ([], joined("day", "day"), "$.possible[1]", "'day' stands twice in one list, first at $.possible[0]",
     joined("day", "night")),
    ([], joined(), "$.possible", "no designation; at least one of neither, day and night was possible",
     joined("neither")),
]  # fmt: skip
STATUSES = [
    (THERE, phase_in("c1", "w1"), "$.permanents[0]", "'c1' is phased in already", phase_out("c1", "w1")),
    (
        [*THERE, phase_out("w1")],
        phase_out("c1", "w1"),
        "$.permanents[1]",
        "'w1' is phased out already",
        phase_out("c1"),
    ),
    ([*THERE, turn(1)], untap(phased_in=["w1"]), "$.phased_in[0]", "'w1' is phased in already", untap()),
    (
        [*THERE, phase_out("w1"), turn(1)],
        untap(phased_out=["c1", "w1"]),
        "$.phased_out[1]",
        "'w1' is phased out already",
        untap(["w1"], ["c1"]),
    ),
    (
        [*THERE, phase_out("w1"), turn(1)],
        untap(["w1"], ["w1"]),
        "$.phased_out[0]",
        "'w1' is phased out already",
        untap(["w1"]),
    ),
    (THERE, face_up("c1"), "$.permanents[0]", "'c1' is not face down", face_down("c1")),
    ([*THERE, face_down("c1")], face_down("c1"), "$.permanents[0]", "'c1' is face down already", face_up("c1")),
    (
        THERE,
        face_down("c1", "w1"),
        "$.permanents[1]",
        "'w1' is double-faced: it can't be turned face down",
        face_down("c1"),
    ),
    (
        [enter("w1", RUFFIAN, face_down=True)],
        face_down("w1"),
        "$.permanents[0]",
        "'w1' is double-faced: it can't be turned face down",
        face_up("w1"),
    ),
]
BACK = "and a game never returns to neither; rule day or night"
RULINGS = [
    ([effect("day")], ruled("neither"), "$.designation", f"it is day, {BACK}", ruled("night")),
    ([effect("day"), turn(1), doubt("Ana", 0), turn(2, "Bo"), cast("Bo")], ruled("neither"), "$.designation",
     f"it is day or night, {BACK}", ruled("day")),
]  # fmt: skip
STEPS = [
    ([turn(1)], turn(2, skips=["untap", "draw", "untap"]), "$.skips[2]",
     "'untap' stands twice in one list, first at $.skips[0]", turn(2, skips=["untap", "draw"])),
    ([*THERE, phase_out("w1"), turn(1, "Bo")], untap(phased_in=["w1"], stays_out=["w1"]), "$.stays_out[0]",
     "'w1' is in phased_in too; it either phases in or stays out", untap(phased_in=["w1"])),
]  # fmt: skip
ROWS = [*PLAYERS, *PERMANENTS, *TURNS, *NUMBERS, *LISTS, *STATUSES, *RULINGS, *STEPS]
