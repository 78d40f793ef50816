"""Disputes on the command line: from calling a judge to the end, in a file and in a stored game.

| promise | test |
| --- | --- |
| each step prints its lines or a document, for a file as for a store | test_from_call_to_end, test_as_json |
| a new dispute gets a free id or that of --id; calls at once get different ids | test_ids, test_called_at_once |
| --carry-out appends the ruling and the event that carries it out together, or neither | test_carry_out |
| show prints the history, the derived state, and who decides | test_show, test_show_nothing |
| an impossible step of a dispute gives one line and exit code 3, and is not stored | test_impossible |
| exit code 2 for wrong usage, 4 for something missing | test_usage, test_not_there |
| a retried command is stored once | test_sent_again |
| control characters never reach the terminal | test_names_that_steer |
| a position on a branch opens the dispute on the branch | test_on_a_branch, test_no_branch |
| a back-up undoes events of the game, but never those of a dispute | test_undone |
"""

from __future__ import annotations

import json
import threading

import pytest

from daynight.framework.language.codec import encode_lines
from daynight.game import Game
from daynight.games import Store
from tests.behaviour.games import CONTRACT, ROOT, kept
from tests.rules.judges import opens
from tests.rules.words import started
from tests.sampling import few_or_all

EXAMPLE = ROOT / "examples" / "games" / "head-judge.jsonl"
WHEN = ("--when", "2024-06-07T19:30:00Z")
FOOT = "Derived from the log as recorded; the Head Judge decides."
LIFE = [
    (["open", "--by", "Ana", "--at", "turn:3/untap"], ["e9  Ana calls a judge: dispute d1, about event 8"]),
    (["claim", "d1", "--by", "Bo", "--designation", "day", "--says", "I cast Opt"],
     ["e10  Bo says in dispute d1: it is day; I cast Opt"]),
    (["claim", "d1", "--by", "Ana", "--designation", "night"], ["e11  Ana says in dispute d1: it is night"]),
    (["rule", "d1", "--by", "Jo", "--outcome", "fix", "--designation", "day", "--carry-out"], [
        "e12  Jo rules in dispute d1: fix it, it is day",
        "e13  Jo rules: it is day",
        "       -> it becomes day: a judge ruled so",
        "       -> Tavern Smasher (w1) transforms into Tavern Ruffian (CR 702.145e)",
    ]),
    (["appeal", "d1", "--by", "Ana"], ["e14  Ana appeals the ruling in dispute d1"]),
    (["rule", "d1", "--by", "HJ", "--outcome", "back-up", "--to", "8", "--says", "it was night", "--carry-out"], [
        "e15  HJ rules in dispute d1: back up to event 8 (it was night)",
        "e16  HJ backs the game up to event 8",
        "       -> the game is again as it was after event 8",
    ]),
    (["close", "d1", "--by", "HJ"], ["e17  HJ closes dispute d1: back the game up"]),
]  # fmt: skip
SHOWN = [
    "d1, about event 8: closed; back the game up",
    "   e9  Ana calls a judge: dispute d1, about event 8 [2024-06-07T19:30:00Z]",
    (
        "         = It has been night since event 8, turn 3: Bo, active in turn 2, cast no spell in it (CR 728.2a)."
        " Ana's Opt (e6) was cast in Bo's turn and does not count."
    ),
    "  e10  Bo says in dispute d1: it is day; I cast Opt [2024-06-07T19:30:00Z]",
    "         = the rules say otherwise",
    "  e11  Ana says in dispute d1: it is night [2024-06-07T19:30:00Z]",
    "         = the rules say so too",
    "  e12  Jo rules in dispute d1: fix it, it is day [2024-06-07T19:30:00Z]",
    "         = the rules do not agree: by them it is night",
    "  e13  Jo rules: it is day [undone] [2024-06-07T19:30:00Z]",
    "         -> it becomes day: a judge ruled so",
    "         -> Tavern Smasher (w1) transforms into Tavern Ruffian (CR 702.145e)",
    "  e14  Ana appeals the ruling in dispute d1 [2024-06-07T19:30:00Z]",
    "  e15  HJ rules in dispute d1: back up to event 8 (it was night) [2024-06-07T19:30:00Z]",
    "         = what stood after event 8 agrees with the rules: it is night",
    "  e16  HJ backs the game up to event 8 [2024-06-07T19:30:00Z]",
    "         -> the game is again as it was after event 8",
    "  e17  HJ closes dispute d1: back the game up [2024-06-07T19:30:00Z]",
    FOOT,
]


@pytest.fixture(params=["file", "store"])
def place(request, daynight, folder):
    """The game of `CONTRACT` in a file or in a store, as it is named on the command line."""
    kept(folder / "g1.jsonl", CONTRACT)
    if request.param == "file":
        return "g1.jsonl"
    assert 0 == daynight("import", "g1.jsonl").code
    (folder / "g1.jsonl").unlink()
    return "db:g1"


def events(place):
    """Return the events of the file or the stored game `place`."""
    if not place.startswith("db:"):
        return Game.load(place).events
    with Store.open("daynight.db") as store:
        return store.load(place[3:]).events


def say(daynight, place, verb, *arguments):
    """Run a `dispute` command at a fixed time; `show` takes no time."""
    return daynight("dispute", verb, place, *arguments, *(() if verb == "show" else WHEN))


def lived(daynight, place):
    """Run a whole dispute; return the output of each step."""
    return [say(daynight, place, *arguments).out.splitlines() for arguments, _lines in LIFE]


@pytest.mark.wide(but=1)
def test_from_call_to_end(daynight, place):
    """Each step prints the expected words; then `show` prints all of it, like the API."""
    for arguments, lines in LIFE:
        ran = say(daynight, place, *arguments)
        assert (0, lines, "") == (ran.code, ran.out.splitlines(), ran.err)
    assert [8, 17] == [len(CONTRACT), len(events(place))]
    assert SHOWN == daynight("dispute", "show", place).out.splitlines()
    assert SHOWN == daynight("dispute", "show", place, "d1").out.splitlines()
    (document,) = daynight("dispute", "show", place, "--json").documents
    (dispute,) = Game(events(place)).disputes()
    assert {"game": "g1", "disputes": [json.loads(json.dumps(dispute.document()))]} == document
    assert {"2024-06-07T19:30:00Z"} == {event.at for event in events(place)[8:]}


@pytest.mark.wide(but=1)
def test_as_json(daynight, place):
    """With --json each step prints one document with the new status, and nothing else."""
    stages = []
    for arguments, _lines in LIFE:
        ran = say(daynight, place, *arguments, "--json")
        assert (0, "") == (ran.code, ran.err)
        (document,) = ran.documents
        assert ["game", "dispute", "status", "events", "command", "repeated"] == [*document]
        assert ("g1", "d1", False, None) == tuple(document[k] for k in ("game", "dispute", "repeated", "command"))
        stages.append(document["status"])
    assert ["open", "open", "open", "ruled", "appealed", "ruled", "closed"] == stages
    assert [17] == [one["event"] for one in document["events"]]


def test_the_time(daynight, place):
    """Without --when the event gets a time in UTC."""
    assert 0 == daynight("dispute", "open", place, "--by", "Ana").code
    assert events(place)[-1].at.endswith("Z")


@pytest.mark.wide(but=1)
def test_ids(daynight, place):
    """Ids are d1, d2, ..., skipping those in use; an --id that is in use is refused with exit code 3."""
    for more, id in (((), "d1"), (("--id", "d2"), "d2"), (("--id", "table 7"), "table 7"), ((), "d4"), ((), "d5")):
        (document,) = say(daynight, place, "open", "--by", "Ana", *more, "--json").documents
        assert id == document["dispute"]
    ran = say(daynight, place, "open", "--by", "Ana", "--id", "d2")
    assert (3, "", f"{place}:14: $.dispute: there is a dispute 'd2' already; take another id") == (*ran[:2], ran.error)


@pytest.mark.wide(but=1)
@pytest.mark.parametrize("callers", few_or_all(2, 4))
def test_called_at_once(place, folder, callers):
    """If several processes open a dispute at once, each gets another id, and all are stored, also in a file."""
    from tests.commands.conftest import environ, processes, sys

    command = [sys.executable, "-m", "daynight", "dispute", "open", place, "--by", "Ana", "--json"]
    found = []

    def call():
        ran = processes.run(command, cwd=folder, env=environ(HOME=str(folder)), capture_output=True, check=False)
        assert (0, b"") == (ran.returncode, ran.stderr)
        found.append(json.loads(ran.stdout)["dispute"])

    threads = [threading.Thread(target=call) for _time in range(callers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [f"d{number}" for number in range(1, callers + 1)] == sorted(found)
    assert 8 + callers == len(events(place))


@pytest.mark.wide(but=1)
def test_carry_out(daynight, place):
    """Without --carry-out only the ruling is stored and it stays night; with it both events are stored, or neither."""
    say(daynight, place, "open", "--by", "Ana")
    say(daynight, place, "rule", "d1", "--by", "Jo", "--outcome", "back-up", "--to", "4")
    assert (8, 10) == (Game(events(place)).disputes()[0].about, len(events(place)))
    assert "night" == Game(events(place)).designation
    ran = say(daynight, place, "rule", "d2", "--by", "Jo", "--outcome", "fix", "--designation", "day", "--carry-out")
    assert (3, 10) == (ran.code, len(events(place)))
    say(daynight, place, "rule", "d1", "--by", "Jo", "--outcome", "back-up", "--to", "turn:1", "--carry-out")
    assert (12, 2) == (len(events(place)), events(place)[-1].to)
    assert "neither" == Game(events(place)).designation


def test_show(daynight, folder):
    """`show` prints the example's dispute; if there are several, all or the requested one."""
    ran = daynight("dispute", "show", EXAMPLE)
    assert (0, FOOT) == (ran.code, ran.out.splitlines()[-1])
    assert "head judge rules in dispute d1: back up to event 9" in ran.out
    two = kept(folder / "two.jsonl", [started(), opens("d1"), opens("d2")])
    assert ["d1, about event 1: open; no ruling", "d2, about event 2: open; no ruling"] == [
        line for line in daynight("dispute", "show", two).out.splitlines() if line.startswith("d")
    ]
    assert ["d2"] == [
        one["dispute"] for one in daynight("dispute", "show", two, "d2", "--json").documents[0]["disputes"]
    ]


def test_about_the_one_before(daynight, place):
    """Without --at `open` stores no `about`, but `open` and `show` print that the dispute is about the event before."""
    ran = say(daynight, place, "open", "--by", "Ana")
    assert ["e9  Ana calls a judge: dispute d1, about event 8"] == ran.out.splitlines()
    assert events(place)[-1].about is None
    assert "e9  Ana calls a judge: dispute d1, about event 8 [" in daynight("dispute", "show", place).out


@pytest.mark.wide(but=1)
def test_ruled_at_last(daynight, place):
    """A ruling that it is night agrees with the rules, so `show` says that, and the audit finds nothing."""
    say(daynight, place, "open", "--by", "Ana", "--at", "8")
    with_day = ("rule", "d1", "--by", "Jo", "--outcome", "fix", "--designation", "night", "--carry-out")
    assert 0 == say(daynight, place, *with_day).code
    assert "    = the rules agree: it is night" in daynight("dispute", "show", place).out
    assert (0, "exact") == ((ran := daynight("audit", place, "--json")).code, ran.documents[0]["verdict"])


@pytest.mark.wide(but=1)
def test_undone(daynight, place):
    """After event 9 (the call of the judge) the game is backed up to event 4: then a ruling to back up to event 9 is
    refused with exit code 3, but `show` marks no event of the dispute as undone."""
    for arguments in (["open", "--by", "Ana"], ["rule", "d1", "--by", "Jo", "--outcome", "back-up", "--to", "4"]):
        assert 0 == say(daynight, place, *arguments, *(["--carry-out"] if "--to" in arguments else [])).code
    ran = say(daynight, place, "rule", "d1", "--by", "Jo", "--outcome", "back-up", "--to", "e9")
    says = "$.to: the state after event 9 was undone by backing up; back up to one that stands"
    assert (3, f"{place}:12: {says}", 11) == (ran.code, ran.error, len(events(place)))
    assert "[undone]" not in daynight("dispute", "show", place).out


@pytest.fixture
def branch(daynight, games):
    """A stored branch b2 of game g1; returns its number of events."""
    assert (
        1 == daynight("what-if", "db:g1", "--at", "turn:2", "--insert", "Bo casts Opt", "--name", "b2", "--keep").code
    )
    return len(events("db:g1/b2"))


def test_on_a_branch(daynight, branch):
    """With --at or --to on the branch, `open` and `rule` append to the branch; the parent does not change."""
    before = encode_lines(events("db:g1"))
    ran = say(daynight, "db:g1", "open", "--by", "Ana", "--at", "branch:b2/e6")
    assert (0, [f"e{branch + 1}  Ana calls a judge: dispute d1, about event 6"]) == (ran.code, ran.out.splitlines())
    to = ("--outcome", "back-up", "--to", "branch:b2/turn:1", "--carry-out")
    assert 0 == say(daynight, "db:g1", "rule", "d1", "--by", "Jo", *to).code
    assert (branch + 3, before) == (len(events("db:g1/b2")), encode_lines(events("db:g1")))
    assert [("d1", "ruled", 6)] == [
        (one.dispute, one.stage.value, one.about) for one in Game(events("db:g1/b2")).disputes()
    ]
    ran = say(daynight, "db:g1", "open", "--by", "Ana", "--at", "branch:b2")
    assert f"about event {branch + 3}" in ran.out


def test_no_branch(daynight, branch):
    """Exit code 4 for a missing branch, an event that is not on the branch, and a branch of a file; 3 for a dispute
    that is not on the branch."""
    for record, arguments, code, says in (
        ("db:g1", ["open", "--at", "branch:b9/e3"], 4, "g1/b9"),
        ("db:g1", ["open", "--at", "branch:b2/e99"], 4, "db:g1/b2: no event 99"),
        (
            "db:g1",
            ["rule", "d1", "--outcome", "back-up", "--to", "branch:b2/e3"],
            3,
            "db:g1/b2:10: $.dispute: no dispute",
        ),
        ("g1.jsonl", ["open", "--at", "branch:b2/e3"], 4, "g1.jsonl: branch:b2/e3 is on a branch"),
    ):
        ran = say(daynight, record, *arguments, "--by", "Ana")
        assert (code, "") == ran[:2]
        assert says in ran.error
    assert [8, branch] == [len(events(f"db:{name}")) for name in ("g1", "g1/b2")]


def test_show_nothing(daynight):
    """For the demo `show` says that there is no dispute; as JSON it prints an empty list."""
    assert (0, ["no dispute in this record", FOOT]) == (
        (ran := daynight("dispute", "show", "demo")).code, ran.out.splitlines(),
    )  # fmt: skip
    assert [{"game": "wagic-G1", "disputes": []}] == daynight("dispute", "show", "demo", "--json").documents


IMPOSSIBLE = [
    (["close", "d1", "--by", "Jo"], "no dispute 'd1'; there: none"),
    (["appeal", "d1", "--by", "Jo"], "no dispute 'd1'; there: none"),
    (["claim", "d1", "--by", "Jo", "--says", "x"], "no dispute 'd1'; there: none"),
    (["rule", "d1", "--by", "Jo", "--outcome", "leave"], "no dispute 'd1'; there: none"),
    (["open", "--by", "A\x1b[2J"], "the character U+001B may not stand in a name"),
    (["claim", "d1", "--by", "Bo", "--says", "a\nb"], "U+000A may not stand in what somebody says; put it on one line"),
    (["open", "--by", "x" * 201], "a name may have 200 characters"),
]


@pytest.mark.wide(but=6)
@pytest.mark.parametrize("arguments, says", IMPOSSIBLE)
def test_impossible(daynight, place, arguments, says):
    """The exit code is 3, one line names record and event, and the record does not change."""
    before = encode_lines(events(place))
    for json_too in ((), ("--json",)):
        ran = say(daynight, place, *arguments, *json_too)
        assert (3, []) == (ran.code, ran.documents)
        assert ran.error.startswith(f"{place}:9: $.")
        assert says in ran.error
    assert before == encode_lines(events(place))


@pytest.mark.wide(but=1)
def test_in_order(daynight, place):
    """Refused: to close or appeal before a ruling, to close with another outcome or during an appeal, and to claim
    after the end."""
    say(daynight, place, "open", "--by", "Ana")
    for verb, says in (("close", "nothing was ruled in dispute 'd1'"), ("appeal", "nothing was ruled in dispute 'd1'")):
        assert says in say(daynight, place, verb, "d1", "--by", "Jo").error
    say(daynight, place, "rule", "d1", "--by", "Jo", "--outcome", "leave")
    assert "close it with that" in say(daynight, place, "close", "d1", "--by", "Jo", "--outcome", "fix").error
    say(daynight, place, "appeal", "d1", "--by", "Bo")
    assert "is under appeal" in say(daynight, place, "close", "d1", "--by", "Jo").error
    say(daynight, place, "rule", "d1", "--by", "Jo", "--outcome", "fix")
    assert 0 == say(daynight, place, "close", "d1", "--by", "Jo").code
    assert "dispute 'd1' is closed" in say(daynight, place, "claim", "d1", "--by", "Jo", "--says", "x").error
    assert "fix" == events(place)[-1].outcome


@pytest.mark.wide(but=8)
@pytest.mark.parametrize("arguments", [
    ["open"], ["claim", "d1", "--by", "Jo"], ["claim", "d1", "--by", "Jo", "--designation", "dusk"],
    ["rule", "d1", "--by", "Jo"], ["rule", "d1", "--by", "Jo", "--outcome", "replay"],
    ["rule", "d1", "--by", "Jo", "--outcome", "back-up"],
    ["rule", "d1", "--by", "Jo", "--outcome", "leave", "--to", "3"],
    ["rule", "d1", "--by", "Jo", "--outcome", "leave", "--designation", "day"],
    ["rule", "d1", "--by", "Jo", "--outcome", "leave", "--carry-out"],
    ["rule", "d1", "--by", "Jo", "--outcome", "fix", "--carry-out"],
    ["rule", "d1", "--by", "Jo", "--outcome", "back-up", "--to", "then"], ["open", "--by", "Jo", "--at", "then"],
    ["settle", "d1"],
], ids=" ".join)  # fmt: skip
def test_usage(daynight, place, arguments):
    """Wrong usage gives exit code 2 without a traceback; nothing is appended."""
    ran = daynight("dispute", arguments[0], place, *arguments[1:])
    assert (2, "") == ran[:2]
    assert "Traceback" not in ran.err
    assert 8 == len(events(place))


def test_not_there(daynight, place):
    """A missing record, game, store, position or dispute: exit code 4."""
    for name in ("nothing.jsonl", "db:nothing"):
        assert 4 == daynight("dispute", "open", name, "--by", "Ana").code
        assert 4 == daynight("dispute", "show", name).code
    assert 4 == daynight("dispute", "open", "db:g1", "--by", "Ana", "--db", "nothing.db").code
    assert 4 == say(daynight, place, "open", "--by", "Ana", "--at", "e99").code
    ran = daynight("dispute", "show", place, "d9")
    assert (4, f"{place}: no dispute 'd9'") == (ran.code, ran.error)


def test_sent_again(daynight, games):
    """A retry with the same command id stores nothing new; the id with other events gives exit code 5, and --command
    for a file gives 2."""
    first = daynight("dispute", "open", "db:g1", "--by", "Ana", "--command", "c1", *WHEN, "--json").documents[0]
    again = daynight("dispute", "open", "db:g1", "--by", "Ana", "--command", "c1", "--json").documents[0]
    assert first | {"repeated": True} == again
    assert ("c1", 9) == (first["command"], len(events("db:g1")))
    rule = ("dispute", "rule", "db:g1", "d1", "--by", "Jo", "--outcome", "back-up", "--to", "2", "--carry-out")
    ran = [daynight(*rule, "--command", "c2").out.splitlines() for _time in range(2)]
    assert [[line for line in ran[1] if "[stored before]" in line], 11] == [
        [f"{line} [stored before]" for line in ran[0] if "->" not in line], len(events("db:g1")),
    ]  # fmt: skip
    other = daynight("dispute", "open", "db:g1", "--by", "Bo", "--command", "c1")
    assert 5 == other.code
    assert "the command id 'c1' was used for other events" in other.error
    kept(games / "g1.jsonl", CONTRACT)
    ran = daynight("dispute", "open", "g1.jsonl", "--by", "Bo", "--command", "c1")
    assert 2 == ran.code
    assert "--command is for db:GAME" in ran.err


def test_names_that_steer(daynight, folder):
    """`show` prints the control characters and the line break of a note as escapes."""
    kept(folder / "wild.jsonl", [started(), opens() | {"note": "\x1b[2J\nx"}])
    ran = daynight("dispute", "show", "wild.jsonl")
    assert (0, False) == (ran.code, "\x1b" in ran.out)
    assert "\\u001b[2J\\u000ax" in ran.out
