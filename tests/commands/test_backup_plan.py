"""The backup plan on the command line.

| promise | test |
| --- | --- |
| it lists events newest first with marks, then counts, what the record lacks, and who decides | test_screen |
| --json prints the plan that the API returns | test_json |
| the plan of a stored game equals that of its file | test_stored |
| for a position on a branch it is the branch's plan | test_on_a_branch |
| exit code 2 for a missing, invalid or too late --to, 3 for an undone event, 4 for a missing one | test_exit_codes |
"""

from __future__ import annotations

import json

from daynight.game import Game
from daynight.questions.backup_plan import backup_plan
from tests.behaviour.games import CONTRACT, kept
from tests.rules.judges import back_up
from tests.rules.words import doubt, turn

UNKNOWN = (
    "Cards drawn or looked at otherwise, shuffles, dice, coins, life, mana and abilities are not recorded. The people"
    " at the table know more than the record."
)
FOOT = "Derived from the log as recorded; the Head Judge decides."


def test_screen(daynight, g1):
    """The text lists the events back to turn 2, marks Ana's cast with ⚠ and an arrival with ?, and counts both."""
    ran = daynight("backup-plan", "g1.jsonl", "--to", "turn:2")
    assert (0, "") == ran[::2]
    assert [
        "g1: from after event 8 back to after event 5",
        "  e8  untap step",
        "        -> it is day again",
        "        -> Tavern Smasher (w1) is Tavern Ruffian again",
        "  e7  turn 3: Ana",
        "⚠ e6  Ana casts Opt",
        "        its card was shown; from which zone it came and what it did is not recorded",
        "3 events would be undone",
        "⚠ 1 touches hidden or random information",
        "decisions recorded between: 1",
        UNKNOWN,
        "Whether a game is backed up, and how far, is tournament policy: no rule of the game derives it.",
        FOOT,
    ] == ran.out.splitlines()
    plain = daynight("backup-plan", "g1.jsonl", "--to", "e3", "--from", "e4").out.splitlines()
    assert "? e4  Tavern Ruffian (w1) enters the battlefield" == plain[1]
    assert "? 1 may do so; the record does not say" in plain
    assert "⚠ 0 touch hidden or random information" in plain


def test_bounds(daynight, folder):
    """If it is uncertain how many spells were cast, the number of decisions is printed as a range, here 1-3."""
    kept(folder / "doubt.jsonl", [*CONTRACT, doubt("Ana", 1, 3)])
    assert "decisions recorded between: 1-3" in daynight("backup-plan", "doubt.jsonl", "--to", "8").out


def test_json(daynight, g1):
    """The answer is the one document of `backup_plan`, from event 7 back to event 2."""
    (document,) = daynight("backup-plan", "g1.jsonl", "--to", "2", "--from", "7", "--json").documents
    assert json.loads(json.dumps(backup_plan(Game(CONTRACT), 2, 7).document())) == document
    assert [7, 6, 5, 4, 3] == [one["event"] for one in document["reversals"]]
    assert ([6, 3], [4], 2) == (document["hidden"], document["unknown"], document["decisions"])


def test_stored(daynight, games):
    """The plans of the stored game and of its file are identical."""
    said = [daynight("backup-plan", record, "--to", "turn:1", "--json").documents for record in ("g1.jsonl", "db:g1")]
    assert said[0] == said[1]


def test_on_a_branch(daynight, games):
    """The plan for positions on branch b2 equals that for `db:g1/b2`; positions on two branches (exit code 2), on a
    branch of a file or on a missing branch (4) are refused."""
    assert (
        1 == daynight("what-if", "db:g1", "--at", "turn:2", "--insert", "Bo casts Opt", "--name", "b2", "--keep").code
    )
    for places, same in (
        (["--to", "branch:b2/e3"], ["--to", "e3"]),
        (["--to", "branch:b2/turn:1", "--from", "branch:b2/e6"], ["--to", "turn:1", "--from", "e6"]),
        (["--to", "e3", "--from", "branch:b2/e6"], ["--to", "e3", "--from", "e6"]),
        (["--to", "branch:b2/e3", "--from", "6"], ["--to", "e3", "--from", "e6"]),
        (["--to", "3", "--from", "branch:b2"], ["--to", "e3"]),
        (["--to", "branch:b2"], ["--to", "9"]),
    ):
        ran, its = daynight("backup-plan", "db:g1", *places), daynight("backup-plan", "db:g1/b2", *same)
        assert (0, its.out, "") == ran
    assert daynight("backup-plan", "db:g1", "--to", "3").out != daynight("backup-plan", "db:g1/b2", "--to", "3").out
    ran = daynight("backup-plan", "db:g1", "--to", "branch:b2/e3", "--from", "branch:b3/e4")
    assert (2, "") == ran[:2]
    assert "--to is on branch b2 and --from on branch b3; a plan goes back along one of them" in " ".join(
        ran.err.split()
    )
    ran = daynight("backup-plan", "g1.jsonl", "--to", "branch:b2/e3")
    assert (4, "") == ran[:2]
    assert "g1.jsonl: branch:b2/e3 is on a branch, and those of db:GAME alone are found" in ran.error
    assert 4 == daynight("backup-plan", "db:g1", "--to", "branch:b9/e3").code


def test_exit_codes(daynight, folder):
    """Wrong usage exits with 2, a back-up to an undone event with 3, a missing event, turn or file with 4."""
    kept(folder / "g1.jsonl", [*CONTRACT, back_up(5), turn(3)])
    for arguments, code, says in (
        (["--to", "then"], 2, "no position"),
        ([], 2, "--to"),
        (["--to", "5", "--from", "4"], 2, "event 5 is after event 4; a plan goes back"),
        (
            ["--to", "6"],
            3,
            "g1.jsonl:11: $.to: the state after event 6 was undone by backing up; back up to one that stands",
        ),
        (["--to", "99"], 4, "g1.jsonl: no event 99; the last one is 10"),
        (["--to", "turn:9"], 4, "g1.jsonl: this record has no turn 9 (it has 1 to 3)"),
    ):
        ran = daynight("backup-plan", "g1.jsonl", *arguments)
        assert (code, "") == ran[:2]
        assert says in ran.err
        assert "Traceback" not in ran.err
    assert 4 == daynight("backup-plan", "nothing.jsonl", "--to", "1").code
