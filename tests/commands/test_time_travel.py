"""Time travel on the command line: output, exit codes, and what it never changes.

| promise | test |
| --- | --- |
| what-if says where the branch parts and what differs, turn by turn or event by event | test_what_if |
| consecutive turns that differ in the same way are one stretch | test_what_if_in_stretches |
| differences that are gone at the end of a turn are found within the turn | test_what_if_within_a_turn |
| the parent does not change and is never overwritten | test_the_parent_stays |
| a written branch is a record, and can be branched again | test_a_branch_is_a_record |
| an event that became impossible ends the branch, or is left out and listed | test_impossible |
| an invalid edit is refused with exit code 2, a missing event, turn or file with 4 | test_usage |
| diff compares records, moments, editions and catalogues | test_diff |
| bisect says whether later claims are wrong too, or right again | test_bisect_onwards |
| bisect runs the user's test, and nothing that a record names | test_bisect_run, test_nothing_else_is_run |
| blame, forecast, repair and unknowns print what Python returns | test_the_others |
| stored games are branched as files are | test_stored_games |
| control characters in a record never reach the terminal | test_names_that_steer |
"""

from __future__ import annotations

import hashlib
import json
import shlex
import sys
from pathlib import Path

import pytest

from daynight.game import Game
from daynight.questions.blame import blamed
from daynight.questions.forecast import forecast
from daynight.questions.repairs import repairs
from daynight.questions.unknowns import unknowns
from tests.behaviour.games import CONTRACT, kept
from tests.rules.judges import claim
from tests.rules.placing import enter
from tests.rules.words import cast, doubt, effect, started, turn, untap

UNCERTAIN = [started(), effect("day"), turn(1), doubt("Ana", 0, 1), enter("w1"), turn(2, "Bo"), untap()]


def test_what_if(daynight, g1):
    """With one more spell in turn 2 it is day: `what-if` prints edits and differences; exit code 1 if there are any."""
    ran = daynight("what-if", "g1.jsonl", "--at", "turn:2", "--insert", "bo casts Opt", "--name", "b1")
    assert (1, "") == ran[::2]
    assert [
        "b1: parts from g1 after event 5, turn 2",
        "  + e6  Bo casts Opt",
        "what differs at the end of a turn, record / branch:",
        "  turn 2  e6 / e7",
        "    spells of Bo in this turn: 0 / 1",
        "  turn 3, untap step  e8 / e9",
        "    night / day",
        "    Tavern Ruffian (w1): back face, Tavern Smasher / front face, Tavern Ruffian",
        "audit, record / branch: unverified (0) / unverified (0)",
    ] == ran.out.splitlines()
    by_event = daynight("what-if", "g1.jsonl", "--insert", "e5: bo casts", "--events", "--json").documents[0]
    assert [(5, 6), (8, 9)] == [(place["left"], place["right"]) for place in by_event["differences"]]
    (document,) = daynight("what-if", "g1.jsonl", "--replace", "e6: bo casts", "--drop", "7..8", "--json").documents
    assert (5, [6], [6, 7, 8], None) == (
        document["parted"], document["put_in"], document["dropped"], document["stopped"],
    )  # fmt: skip
    same = daynight("what-if", "g1.jsonl", "--at", "5", "--insert", "ana copies Opt")
    assert (0, True) == (same.code, "nothing that follows differs" in same.out)
    assert 1 == daynight("what-if", "g1.jsonl", "--insert", json.dumps(effect("day"))).code


def test_what_if_in_stretches(daynight, tmp_path):
    """Consecutive turns that differ in the same way are one stretch, and an equal turn ends it."""
    turns = [event for number in range(1, 6) for event in (turn(number), cast())]
    path = kept(tmp_path / "g.jsonl", [started(), effect("day"), *turns])
    edits = ["--insert", "e6: it becomes night", "--insert", "e8: it becomes day", "--insert", "e10: it becomes night"]
    ran = daynight("what-if", path, *edits)
    assert [
        "what differs at the end of a turn, record / branch:",
        "  turn 2  e6 / e7",
        "    day / night",
        "  turn 4  e10 / e13  and on, to turn 5  e12 / e15",
        "    day / night",
    ] == ran.out.splitlines()[4:-1]
    (document,) = daynight("what-if", path, *edits, "--json").documents
    assert ("turns", [(2, 2), (4, 5)]) == (
        document["compared"], [(one["turn"], one["until"]) for one in document["differences"]],
    )  # fmt: skip
    ran = daynight("what-if", path, "--insert", "e12: it becomes night", "--insert", "e12: it becomes day")
    assert (0, True) == (ran.code, "nothing that follows differs" in ran.out)


def test_what_if_within_a_turn(daynight, tmp_path):
    """It becomes night and day again within a turn: the turn's end does not differ, but it was night when Bo cast."""
    record = [started(), effect("day"), turn(1), {"type": "spell-cast", "player": "Bo"}, effect("day")]
    path = kept(tmp_path / "g.jsonl", record)
    ran = daynight("what-if", path, "--insert", "e3: it becomes night")
    assert (1, "what differs after an event, record / branch:") == (ran.code, ran.out.splitlines()[2])
    assert "  turn 1  e3 / e4  and on, to e4 / e5" == ran.out.splitlines()[3]
    assert "events" == daynight("what-if", path, "--insert", "e3: it becomes night", "--json").documents[0]["compared"]


def test_the_parent_stays(daynight, g1):
    """The bytes of the parent do not change; writing a branch over it is refused with exit code 2."""
    before = g1.read_bytes()
    assert 1 == daynight("what-if", "g1.jsonl", "--insert", "it becomes day", "-o", "b.jsonl").code
    ran = daynight("what-if", "g1.jsonl", "--insert", "it becomes day", "-o", "../" + g1.parent.name + "/g1.jsonl")
    assert (2, "") == ran[:2]
    assert "is what this is made from, and stays as it is" in ran.err
    assert hashlib.sha256(before).hexdigest() == hashlib.sha256(g1.read_bytes()).hexdigest()


@pytest.mark.parametrize("name", ["g1.jsonl", "g1.jsonl.gz"])
def test_a_branch_is_a_record(daynight, tmp_path, monkeypatch, name):
    """A branch's first line has the SHA-256 of the lines it shares with its parent, as sha256sum computes it."""
    monkeypatch.chdir(tmp_path)
    kept(tmp_path / name, CONTRACT)
    lines = kept(tmp_path / "plain", CONTRACT).read_bytes().splitlines(keepends=True)
    ran = daynight("what-if", name, "--at", "5", "--insert", "bo casts", "--name", "one", "-o", "one.jsonl")
    assert (1, True) == (ran.code, ran.out.endswith("written: one.jsonl\n"))
    first = json.loads(Path("one.jsonl").read_bytes().splitlines()[0])["meta"]
    digest = hashlib.sha256(b"".join(lines[:5])).hexdigest()
    assert {"branched_from": {"game": "g1", "event": 5, "digest": digest}, "branch": "one"} == first
    assert ["day"] == daynight("replay", "one.jsonl", "--json").documents[0]["possible"]
    assert 1 == daynight("what-if", "one.jsonl", "--drop", "6", "--name", "two", "-o", "two.jsonl").code
    second = json.loads(Path("two.jsonl").read_bytes().splitlines()[0])["meta"]
    own = b"".join(Path("one.jsonl").read_bytes().splitlines(keepends=True)[:5])
    assert (hashlib.sha256(own).hexdigest(), "two") == (second["branched_from"]["digest"], second["branch"])
    assert 0 == daynight("diff", name, "two.jsonl").code


def test_impossible(daynight, tmp_path):
    """A branch stops before an event that became impossible, and names it; with --leave-out the event is left out."""
    path = kept(tmp_path / "g.jsonl", [*CONTRACT, {"type": "permanents-left", "permanents": ["w1"]}, claim("night")])
    ran = daynight("what-if", path, "--drop", "4")
    assert 1 == ran.code
    assert "stops before e9, impossible on the branch: no permanent 'w1' on the battlefield; there: none" in ran.out
    ran = daynight("what-if", path, "--drop", "4", "--leave-out")
    assert "  left out: e9, impossible on the branch: no permanent 'w1'" in ran.out
    (document,) = daynight("what-if", path, "--drop", "4", "--leave-out", "--json").documents
    assert [(9, "permanents-left")] == [(lost["event"], lost["type"]) for lost in document["left_out"]]
    assert {"record": "exact", "branch": "disputed"} == {
        which: audit["verdict"] for which, audit in document["audits"].items()
    }
    refused = daynight("what-if", path, "--insert", json.dumps({"type": "spell-cast", "player": "Anna"}))
    assert (3, "") == refused[:2]
    assert f"{path}: $.player: no player 'Anna'" in refused.error


@pytest.mark.wide(but=8)
@pytest.mark.parametrize("arguments, code, says", [
    (["what-if", "g1.jsonl"], 2, "nothing to try"),
    (["what-if", "g1.jsonl", "--replace", "untap"], 2, "--replace needs --at"),
    (["what-if", "g1.jsonl", "--insert", "Bo castes Opt"], 2, "a line is like: Ana casts Opt. Or"),
    (["what-if", "g1.jsonl", "--insert", "Cy casts Opt"], 2, "no 'Cy' here; there: Ana, Bo"),
    (["what-if", "g1.jsonl", "--insert", '{"type": "spell-cost"}'], 2, "--insert: $.type: unknown tag 'spell-cost'"),
    (["what-if", "g1.jsonl", "--at", "2", "--replace", '{"type": "spell-cast", "player": "Bo", "player": "Bo"}'], 2,
     "--replace: $: the key 'player' stands twice in one object"),
    (["what-if", "g1.jsonl", "--drop", "1"], 2, "without event 1 there is no record"),
    (["what-if", "g1.jsonl", "--drop", "5..3"], 2, "event 3 is before event 5"),
    (["what-if", "g1.jsonl", "--drop", "x"], 2, "'x' is no position"),
    (["what-if", "g1.jsonl", "--drop", "9"], 4, "no event 9"),
    (["what-if", "nowhere.jsonl", "--drop", "9"], 4, "no such file"),
    (["diff", "g1.jsonl"], 2, "give two records"),
    (["diff", "g1.jsonl", "g1.jsonl", "g1.jsonl"], 2, "two are compared"),
    (["diff", "--editions", "2024-06-07", "latest"], 2, "give a record"),
    (["diff", "g1.jsonl", "g1.jsonl", "--editions", "2024-06-07", "latest"], 2, "one record with itself"),
    (["diff", "g1.jsonl", "--at", "1", "--at", "9"], 4, "no event 9"),
    (["diff", "g1.jsonl", "--editions", "2024-06-07", "1993-08-05"], 2, "1993-08-05"),
    (["bisect", "g1.jsonl", "--run", "'"], 2, "--run: "),
    (["bisect", "g1.jsonl", "--run", " "], 2, "no command"),
    (["bisect", "g1.jsonl", "--run", "no-such-program-here"], 2, "no-such-program-here: "),
    (["blame", "g1.jsonl", "--at", "99"], 4, "no event 99"),
    (["forecast", "g1.jsonl", "--at", "turn:9"], 4, "this record has no turn 9 (it has 1 to 3)"),
])  # fmt: skip
def test_usage(daynight, g1, arguments, code, says):
    """An invalid edit is refused with exit code 2, a missing event, turn or file with 4; standard output is empty."""
    ran = daynight(*arguments)
    assert (code, "") == ran[:2], ran
    assert says in ran.err
    assert "Traceback" not in ran.err


def test_diff(daynight, g1, tmp_path):
    """`diff` of records, moments and editions prints what differs; exit code 1 if anything does, otherwise 0."""
    other = kept(tmp_path / "other.jsonl", [*CONTRACT[:5], {"type": "spell-cast", "player": "Bo"}, *CONTRACT[6:]])
    ran = daynight("diff", "g1.jsonl", other)
    assert (1, True) == (ran.code, "    night / day\n" in ran.out)
    (document,) = daynight("diff", "g1.jsonl", other, "--first", "--json").documents
    assert [(2, "tally")] == [
        (place["turn"], one["about"]) for place in document["differences"] for one in place["differences"][:1]
    ]
    assert 0 == daynight("diff", "g1.jsonl", "g1.jsonl").code
    moments = daynight("diff", "g1.jsonl", "--at", "turn:2", "--at", "8", "--json")
    assert (1, "g1.jsonl turn:2", "g1.jsonl e8") == (
        moments.code, moments.documents[0]["left"], moments.documents[0]["right"],
    )  # fmt: skip
    assert "    day / night\n" in daynight("diff", "g1.jsonl", "--at", "5", "--at", "8").out
    editions = daynight("diff", "g1.jsonl", "--editions", "2024-06-07", "latest")
    assert (1, True) == (editions.code, "  e8  check-day: 728.2a / 731.2a" in editions.out)
    assert 0 == daynight("diff", "g1.jsonl", "--editions", "latest", "latest").code
    assert [] == daynight("diff", "g1.jsonl", "--editions", "latest", "latest", "--json").documents[0]["citations"]


def test_catalogues(daynight, g1, tmp_path):
    """`diff` of two catalogues shows different results for one record, and the differences between the catalogues."""
    paths = []
    for name, keywords in (("old", []), ("new", ["daybound"])):
        front = {"name": "Tavern Ruffian", "keywords": keywords}
        cards = [{"name": "Tavern Ruffian", "double_faced": False, "front": front}]
        cards += [{"name": name, "double_faced": False, "front": {"name": name}}]
        path = tmp_path / f"{name}.json"
        path.write_text(json.dumps(cards))
        paths += ["--catalogue", path]
    ran = daynight("diff", "g1.jsonl", *paths)
    assert (1, True) == (ran.code, "neither day nor night / day" in ran.out)
    ran = daynight("diff", *paths)
    assert 1 == ran.code
    assert "  old: only in the first\n" in ran.out
    assert "  new: only in the second\n" in ran.out
    assert "Tavern Ruffian, front: " in ran.out
    assert 3 == len(daynight("diff", *paths, "--json").documents[0]["cards"])
    assert 0 == daynight("diff", *paths[:2], *paths[:2]).code


def script(tmp_path: Path, body: str) -> str:
    """Write a test script, as a user would; return the command that runs it."""
    path = tmp_path / "my test.py"
    path.write_text(f"import sys\nlines = open(sys.argv[1], 'rb').read().splitlines()\n{body}\n")
    return f"{shlex.quote(sys.executable)} {shlex.quote(str(path))}"


def test_bisect_run(daynight, g1, tmp_path):
    """The script gets the first events as a file and on standard input; 0 is good, 1 and 3 bad, 125 skip, 126 abort."""
    same = "assert lines == sys.stdin.buffer.read().splitlines()\nprint('noise')\n"
    ran = daynight("bisect", "g1.jsonl", "--run", script(tmp_path, same + "sys.exit(len(lines) >= 6)"), "--json")
    (document,) = ran.documents
    assert (1, 6, 5, []) == (ran.code, document["bad"], document["good"], document["untested"])
    assert len(document["asked"]) == document["runs"] <= 5
    ran = daynight("bisect", "g1.jsonl", "--run", script(tmp_path, "sys.exit(3 * (len(lines) > 2))"))
    assert (1, "e3 is the first bad event; ") == (ran.code, ran.out[:27])
    assert "  Ana casts Tavern Ruffian\n" in ran.out
    ran = daynight(
        "bisect", "g1.jsonl", "--run", script(tmp_path, "sys.exit(125 if 2 < len(lines) < 7 else len(lines) > 2)")
    )
    assert (1, True) == (ran.code, "one of e3 to e7" in ran.out)
    ran = daynight("bisect", "g1.jsonl", "--run", script(tmp_path, "sys.exit(0)"))
    assert (0, "the whole record is good; 1 beginning tested\n") == ran[:2]
    ran = daynight("bisect", "g1.jsonl", "--run", script(tmp_path, "sys.exit(125)"))
    assert (0, "the whole record cannot be tested; 1 beginning tested\n") == ran[:2]
    ran = daynight("bisect", "g1.jsonl", "--run", script(tmp_path, "sys.exit(126)"))
    assert (2, "") == ran[:2]
    assert "the test ended with exit code 126 at event 8" in ran.err


def test_nothing_else_is_run(daynight, tmp_path):
    """`bisect --run` runs no shell, and no program that a record names."""
    mark = tmp_path / "mark"
    path = kept(tmp_path / "g.jsonl", [started() | {"meta": {"run": f"touch {mark}"}, "note": f"$(touch {mark})"}])
    for test in (f"true; touch {mark}", f"true $(touch {mark})", f"true | touch {mark}"):
        daynight("bisect", path, "--run", test)
        assert not mark.exists()


def test_bisect_by_audit(daynight, tmp_path):
    """Without --run, `bisect` finds the first wrong claim; an undone one is shown, and does not count."""
    undone = [started(), claim("day"), {"type": "game-backed-up", "to": 1, "by": "Jo"}]
    ran = daynight("bisect", kept(tmp_path / "g.jsonl", undone))
    assert (0, True) == (ran.code, ran.out.startswith("~ event 2"))
    assert "no claim or ruling disagrees with the rules" in ran.out
    ran = daynight("bisect", "demo", "--json")
    assert (1, 122, "daybound-enters") == (
        ran.code, ran.documents[0]["bad"], ran.documents[0]["finding"]["rule"],
    )  # fmt: skip


def test_bisect_onwards(daynight, tmp_path):
    """Text and JSON of `bisect` say whether later claims are wrong too; with a script, that this was not tested."""
    wrong, right = claim("day"), claim("neither")
    for name, (events, words) in enumerate({
        "alone": ([wrong], "No other claim or ruling that could be settled comes after it."),
        "one": ([wrong] * 2, "The 1 claim or ruling that comes after it differs too."),
        "all": ([wrong] * 3, "All 2 claims and rulings that come after it differ too."),
        "right": ([wrong, right], "wrong: e3 is right again, and none differs from then on."),
        "again": ([wrong, right, wrong], "wrong: e3 is right again; then this differs again: e4."),
        "twice": ([wrong, right, wrong, wrong], "wrong: e3 is right again; then these differ again: e4, e5."),
        "many": ([wrong, right, *[wrong] * 22], "e22, e23, and 2 more."),
    }.values()):  # fmt: skip
        path = kept(tmp_path / f"{name}.jsonl", [started(), *events])
        ran = daynight("bisect", path)
        assert 1 == ran.code
        assert words in ran.out
        (document,) = daynight("bisect", path, "--json").documents
        assert (right in events) is not document["monotone"]
        assert (3 if right in events else None) == document["right_again"]
    path = kept(tmp_path / "right.jsonl", [started(), right])
    assert (0, "no claim or ruling disagrees with the rules\n") == daynight("bisect", path)[:2]
    note = "A bisection takes it that whatever comes after a bad beginning is bad too"
    assert note in daynight("bisect", path, "--run", "false").out
    assert note not in daynight("bisect", path, "--run", "true").out
    assert note not in daynight("bisect", path).out
    assert [None] == [one["monotone"] for one in daynight("bisect", path, "--run", "false", "--json").documents]


def test_the_others(daynight, g1, tmp_path):
    """The JSON of `blame`, `forecast`, `repair` and `unknowns` is what Python returns; the text is checked in parts."""
    game = Game(CONTRACT)
    (blame,) = daynight("blame", "g1.jsonl", "--at", "8", "--json").documents
    assert [line.document(game.edition) for line in blamed(game)] == blame["parts"]
    assert "e8  night: Bo, active in turn 2, cast no spell in it (CR 728.2a)\n" in daynight("blame", "g1.jsonl").out
    assert [forecast(game, 5).document(game.edition)] == daynight(
        "forecast", "g1.jsonl", "--at", "5", "--json"
    ).documents
    assert forecast(game, 5).sentence + "\n" == daynight("forecast", "g1.jsonl", "--at", "5").out
    demo = Game.load("demo")
    assert [repairs(demo).document(demo.edition)] == daynight("repair", "demo", "--json").documents
    ran = daynight("repair", "demo")
    assert (1, True) == (ran.code, ran.out.endswith("the Head Judge decides.\n"))
    assert (0, "nothing is disputed\n") == daynight("repair", "g1.jsonl")[:2]
    wrong = kept(tmp_path / "wrong.jsonl", [started(), claim("day"), claim("night")])
    assert "no single edit would make every claim right" in daynight("repair", wrong).out
    path = kept(tmp_path / "open.jsonl", UNCERTAIN)
    assert [unknowns(Game(UNCERTAIN)).document()] == daynight("unknowns", path, "--json").documents
    ran = daynight("unknowns", path)
    assert 1 == ran.code
    assert "  if Ana cast exactly 0 more spells: night\n" in ran.out
    assert "the judge assumes night (MTR 4.9: policy, not derived)" in ran.out
    assert (0, "e8  certain: night\n") == daynight("unknowns", "g1.jsonl")[:2]


def test_the_story(daynight):
    """In the demo, `blame`, `bisect`, `what-if` and `repair` find the wrong face of Brutal Cathar and a correction."""
    assert (
        "e121  Brutal Cathar (brutal-cathar-2): back face, Moonrage Brute"
        in daynight("blame", "demo", "--at", "122").out
    )
    bisected = daynight("bisect", "demo").out
    assert bisected.startswith("e122 is the first event where the record and the rules disagree\n")
    shown = daynight("what-if", "demo", "--replace", "e122: brutal-cathar-2 shows back claimed by wagic")
    assert "audit, record / branch: disputed (1) / exact (0)" in shown.out
    assert "Had an effect made it day in turn 21, after event 121" in daynight("repair", "demo").out


def test_stored_games(daynight, folder):
    """Every command of time travel accepts a stored game, and leaves the store intact."""
    assert 0 == daynight("import", "demo").code
    ran = daynight("what-if", "db:wagic-G1", "--at", "turn:20", "--insert", "B casts 2", "-o", "b.jsonl", "--name", "b")
    assert 1 == ran.code
    for command in ("bisect", "repair"):
        assert 1 == daynight(command, "db:wagic-G1").code
    for command in ("blame", "forecast", "unknowns"):
        assert 0 == daynight(command, "db:wagic-G1").code
    assert 0 == daynight("diff", "demo", "db:wagic-G1").code
    assert 1 == daynight("diff", "b.jsonl", "db:wagic-G1").code
    assert 0 == daynight("verify").code


def test_names_that_steer(daynight, tmp_path):
    """Control characters of a record never reach a terminal."""
    record = [started(), enter("w1") | {"note": "\x1b[2J"}, claim("night") | {"by": "\u202eevil"}]
    path = tmp_path / "g.jsonl"
    path.write_text("\n".join(map(json.dumps, record)) + "\n")
    for command in (["bisect"], ["repair"], ["blame"], ["what-if", "--drop", "2"]):
        ran = daynight(command[0], path, *command[1:])
        assert "\x1b" not in ran.out + ran.err
        assert "\u202e" not in ran.out + ran.err


def test_positions_as_they_are_typed(daynight):
    """A position ignores case; an unknown step gets a list of steps, a position in place of a permanent gets a hint."""
    assert (
        daynight("why", "demo", "--at", "turn:21/upkeep").out == daynight("why", "demo", "--at", "Turn:21/Upkeep").out
    )
    assert daynight("why", "demo", "--at", "e18").out == daynight("why", "demo", "--at", "E18").out
    ran = daynight("why", "demo", "--at", "turn:21/main")
    assert (2, True) == (ran.code, "'turn:21/main' is no position; the steps of a turn are untap, upkeep, " in ran.err)
    ran = daynight("why", "demo", "turn:21")
    assert (2, True) == (ran.code, "turn:21 is a position; write --at turn:21" in ran.err)
    for text in ("turn21", "T21", "turn 21"):
        ran = daynight("why", "demo", text)
        assert (2, True) == (ran.code, f"no permanent {text} there; a turn is written --at turn:21" in ran.err)
