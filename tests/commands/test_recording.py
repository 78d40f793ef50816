"""Recording games while they are played: each event is durable before it is acknowledged."""

import json
import os
import signal
import sys

import pytest

from daynight.cli.typing.acknowledging import Acknowledger
from daynight.game import Game
from daynight.games import Store
from tests import processes
from tests.behaviour.games import CONTRACT, EVERY_TYPE, lines
from tests.commands.conftest import complaints, environ, stored
from tests.rules.judges import back_up
from tests.rules.placing import enter
from tests.rules.wolves import OLD_WEREWOLF, VANDAL
from tests.rules.words import cast, started, turn, untap

WEREWOLF = enter("w1")


def record(daynight, *events, **options):
    """Record events, given as objects, in the game friday; return the run."""
    more = [part for name, value in options.items() for part in (f"--{name}", value)]
    return daynight("record", "friday", *map(json.dumps, events), *more)


def test_new(daynight, folder):
    """A new game creates its store; the output has the first event."""
    ran = daynight("new", "friday", "Ana", "Bo")
    assert (0, "e1  friday begins: Ana and Bo\n", "") == (*ran[:2], complaints(ran.err))
    assert ("friday", ("Ana", "Bo")) == (stored().events[0].game, stored().events[0].players)


def test_new_with_teams_and_an_edition(daynight, folder):
    """Teams and edition are in the game's first event."""
    ran = daynight("new", "duo", "A", "B", "C", "D", "--team", "A,B", "--team", "C, D", "--edition", "latest", "--json")
    assert (0, ["duo", 1, False, []]) == (
        ran.code,
        [ran.documents[0][k] for k in ("game", "event", "repeated", "consequences")],
    )
    began = stored("duo").events[0]
    assert ((("A", "B"), ("C", "D")), "2026-09-25") == (began.teams, began.edition)


@pytest.mark.parametrize("arguments, code, says", [
    (["friday", "Cy"], 5, "friday: there is a game of that name already; give this one another"),
    (["sunday", "Ana", "Ana"], 3, "db:sunday:1: $.players[1]: "),
    (["sunday", "Ana", "Bo", "--team", "Ana"], 3, "db:sunday:1: $.teams"),
    (["a\tb", "Ana"], 3, "1: $.game: "),
])  # fmt: skip
def test_new_refused(daynight, friday, arguments, code, says):
    """A refused game gives one line and exit code 3, or 5 if the name is taken; no game is created."""
    ran = daynight("new", *arguments)
    assert (code, "") == ran[:2]
    assert says in ran.error
    assert ["friday"] == [game["game"] for game in daynight("list", "--json").documents[0]["games"]]


def test_new_again(daynight, folder):
    """A retry with the command's id gets the same answer; with another id the game's name is taken: exit code 5."""
    one, again, other = (
        daynight("new", "friday", "Ana", "Bo", *more, "--json")
        for more in (("--command", "n"), ("--command", "n"), ("--command", "m"))
    )
    assert [{**one.documents[0], "repeated": True}] == again.documents
    assert (5, []) == (other.code, other.documents)
    assert 1 == len(stored())


def test_what_cannot_begin_makes_no_store(daynight, folder):
    """Wrong usage and refused games create no store."""
    assert 2 == daynight("new", "friday").code
    assert 3 == daynight("new", "friday", "Ana", "Ana").code
    assert 2 == daynight("new", "friday", "Ana", "--edition", "1993-08-05").code
    assert [] == list(folder.iterdir())


def test_record(daynight, friday):
    """The output has the number and the sentence of each event, and below it the sentences of its consequences."""
    ran = record(daynight, turn(1), WEREWOLF)
    assert (0, "") == ran[::2]
    assert [
        "e2  turn 1: Ana",
        "e3  Tavern Ruffian (w1) enters the battlefield",
        "      -> it becomes day: it was neither day nor night, and a permanent had daybound (CR 702.145d)",
    ] == ran.out.splitlines()
    ran = record(daynight, turn(2, "Bo"), untap())
    # The permanent entered in an earlier command.
    assert "e5  untap step" == ran.out.splitlines()[1]
    assert "-> Tavern Ruffian (w1) transforms into Tavern Smasher (CR 702.145b)" in ran.out


def test_record_as_json(daynight, friday):
    """The JSON has one object for each event: number, whether it was already stored, consequences as documents."""
    ran = daynight("record", "friday", *map(json.dumps, (turn(1), WEREWOLF, turn(2, "Bo"), untap())), "--json")
    assert [2, 3, 4, 5] == [document["event"] for document in ran.documents]
    assert [False] * 4 == [document["repeated"] for document in ran.documents]
    assert {
        "type": "changed", "event": 3, "turn": 1, "was": "neither", "became": "day",
        "rule": "daybound-starts-day", "cr": "702.145d", "because": [3],
    } == ran.documents[1]["consequences"][0]  # fmt: skip
    assert {
        "type": "transformed", "event": 5, "permanents": ["w1"], "face": "back",
        "rule": "daybound-as-night", "cr": "702.145b", "because": [5],
    } == ran.documents[3]["consequences"][1]  # fmt: skip


def test_consequences_are_those_of_replay(daynight, friday):
    """The consequences are the documents that `replay --json` prints as `changes` and `triggers`."""
    events = [turn(1), WEREWOLF, enter("v1", VANDAL), turn(2, "Bo"), untap()]
    told = daynight("record", "friday", *map(json.dumps, events), "--json").documents
    found = [consequence for document in told for consequence in document["consequences"]]
    assert ["changed", "changed", "transformed", "triggered"] == [document.pop("type") for document in found]
    (replayed,) = daynight("replay", "db:friday", "--json").documents
    assert replayed["changes"] == found[:2]
    assert replayed["triggers"] == found[3:]


@pytest.mark.wide(but=1)
@pytest.mark.parametrize("how", ["together", "one by one", "standard input"])
def test_the_transcript_of_every_event(daynight, folder, stdin, how):
    """Whatever way a game is recorded, the output equals that of `replay`, except for marks of later back-ups."""
    game = Game(EVERY_TYPE).events[0]
    teams = [part for team in game.teams or () for part in ("--team", ",".join(team))]
    assert 0 == daynight("new", "g1", *game.players, *teams, "--edition", game.edition or "2024-06-07").code
    rest = EVERY_TYPE[1:]
    if how == "together":
        told = daynight("record", "g1", *map(json.dumps, rest)).out
    elif how == "standard input":
        stdin(lines(rest))
        told = daynight("record", "g1").out
    else:
        told = "".join(daynight("record", "g1", json.dumps(event)).out for event in rest)
    replayed = daynight("replay", "db:g1").out.split("\n\n")[0].replace(" [undone]", "")
    assert [line.strip() for line in replayed.splitlines()[1:]] == [line.strip() for line in told.splitlines()]


@pytest.mark.parametrize("events, says", [
    ([turn(1), cast("Anna")], "db:friday:3: $.player: no player 'Anna'; players are Ana, Bo"),
    ([turn(1), turn(1)], "db:friday:3: $.turn: "),
    ([turn(1), {"type": "spell-casts"}], "db:friday:3: $.type: "),
    ([turn(1) | {"turns": 1}], "db:friday:2: $.turns: "),
    ([started()], "db:friday:2: "),
])  # fmt: skip
def test_refused(daynight, friday, events, says):
    """The refusal has the number that the event would have had; nothing is stored, not even the events before it."""
    ran = record(daynight, *events)
    assert (3, "") == ran[:2]
    assert ran.error.startswith(says)
    assert 1 == len(stored())


@pytest.mark.parametrize(
    "text, says",
    [("{", "$: not JSON"), (" ", "$: an empty line"), ("[]", "$: expected an object"), ("\udcff", "$: not UTF-8")],
)
def test_what_is_no_event(daynight, friday, text, says):
    """An unreadable event also has the number that it would have had."""
    ran = daynight("record", "friday", json.dumps(turn(1)), text)
    assert (3, "") == ran[:2]
    assert ran.error.startswith(f"db:friday:3: {says}")
    assert 1 == len(stored())


def test_from_standard_input(daynight, friday, stdin):
    """Standard input has one event per line; the last line need not end with a line feed."""
    stdin(lines([turn(1), WEREWOLF])[:-1])
    ran = daynight("record", "friday", "-")
    assert (0, "") == ran[::2]
    assert ["e2", "e3", "->"] == [line.split()[0] for line in ran.out.splitlines()]
    assert 3 == len(stored())


def test_refused_from_standard_input(daynight, friday, stdin):
    """After a refused line, earlier events stay stored, and the error says how many; later lines are not stored."""
    stdin(lines([turn(1), cast(), cast("Anna"), cast()]))
    ran = daynight("record", "friday", "--json")
    assert (3, [2, 3]) == (ran.code, [document["event"] for document in ran.documents])
    before = "the 2 lines before it are stored, the last one as event 3"
    assert f"db:friday:4: $.player: no player 'Anna'; players are Ana, Bo; {before}" == ran.error
    assert 3 == len(stored())


def test_dash_stands_alone(daynight, friday):
    """`-` together with events as arguments is wrong usage, exit code 2, because their order is undefined."""
    assert 2 == daynight("record", "friday", "-", json.dumps(turn(1))).code
    assert 1 == len(stored())


def test_no_such_game(daynight, friday):
    """For a missing game the error says how a game begins; exit code 4."""
    ran = daynight("record", "saturday", json.dumps(turn(1)))
    assert (4, "no game 'saturday'; begin it with daynight new") == (ran.code, ran.error)


@pytest.mark.parametrize("first", [[], [cast()]])
def test_a_retry(daynight, friday, first):
    """A retry with the command's id gets the stored answer, whatever came later, and stores nothing."""
    events = [turn(1), WEREWOLF]
    one = daynight("record", "friday", *map(json.dumps, events), "--command", "c", "--json")
    for event in first:
        assert 0 == record(daynight, event).code
    again = daynight("record", "friday", *map(json.dumps, events), "--command", "c", "--json")
    assert 0 == one.code == again.code
    assert [document | {"repeated": True} for document in one.documents] == again.documents
    assert "e2  turn 1: Ana [stored before]" in record(daynight, *events, command="c").out
    assert 3 + len(first) == len(stored())


def test_the_id_of_other_events(daynight, friday):
    """A command's id with other events is refused with exit code 5, and nothing is stored."""
    assert 0 == record(daynight, turn(1), command="c").code
    ran = record(daynight, turn(2), command="c")
    assert (5, "friday: the command id 'c' was used for other events; take a new one") == (ran.code, ran.error)
    assert 2 == len(stored())


def test_a_retry_of_lines(daynight, friday, stdin):
    """With `--command c` the lines have the ids c-1, c-2, ...: stored ones are answered again, others are stored."""
    stdin(lines([turn(1), WEREWOLF]))
    first = daynight("record", "friday", "--command", "c", "--json").documents
    assert ["c-1", "c-2"] == [document["command"] for document in first]
    stdin(lines([turn(1), WEREWOLF, turn(2, "Bo"), untap()]))
    ran = daynight("record", "friday", "--command", "c", "--json")
    assert [True, True, False, False] == [document["repeated"] for document in ran.documents]
    assert [document | {"repeated": True} for document in first] == ran.documents[:2]
    assert 5 == len(stored())


def test_expected(daynight, friday, stdin):
    """With --expect N, events are stored only if N is the number of the last stored event; otherwise exit code 5."""
    assert 0 == record(daynight, turn(1), expect=1).code
    ran = record(daynight, cast(), expect=1)
    assert (5, "") == ran[:2]
    assert "friday: the last event is 2, not 1; read what came, and append again" == ran.error
    stdin(lines([cast(), cast()]))
    assert 0 == daynight("record", "friday", "--expect", 2).code
    assert 4 == len(stored())
    assert 2 == record(daynight, cast(), expect=-1).code


def test_backing_up(daynight, friday, stdin):
    """After a back-up, the output names a permanent that is on the battlefield again by its card."""
    stdin(
        lines(
            [turn(1), WEREWOLF, {"type": "permanents-left", "permanents": ["w1"]}, back_up(3), turn(2, "Bo"), untap()]
        )
    )
    out = daynight("record", "friday").out
    assert "the game is again as it was after event 3" in out
    assert "-> Tavern Ruffian (w1) transforms" in out


def test_an_id_of_another_card(daynight, friday, stdin):
    """If an undone event gave a permanent's id to another card, the output names the earlier card after the back-up."""
    other = [{"type": "permanents-left", "permanents": ["w1"]}, enter("w1", OLD_WEREWOLF)]
    stdin(lines([turn(1), WEREWOLF, *other, back_up(3), turn(2, "Bo"), untap()]))
    assert "-> Tavern Ruffian (w1) transforms" in daynight("record", "friday").out


def test_somebody_else_in_between(folder, capsys):
    """The output names a permanent by its card even if another writer added the event with which it entered."""
    with Store.open("daynight.db") as store:
        acknowledger = Acknowledger(store, "g1", as_json=False)
        acknowledger.tell(store.append("g1", [started(), turn(1)]))
        store.append("g1", [WEREWOLF])
        acknowledger.tell(store.append("g1", [turn(2, "Bo"), untap()]))
    assert ["e1", "e2", "e4", "e5", "->", "->"] == [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    with Store.open("daynight.db") as store:
        acknowledger = Acknowledger(store, "g1", as_json=False)
        acknowledger.tell(store.append("g1", [turn(3)]))
        store.append("g1", [enter("w2", OLD_WEREWOLF)])
        acknowledger.tell(store.append("g1", [{"type": "permanents-left", "permanents": ["w2", "w1"]}]))
    assert "e8  Grizzled Outcasts (w2) and Tavern Ruffian (w1) leave the battlefield" in capsys.readouterr().out


def test_two_processes_at_once(daynight, friday):
    """Each process gets the numbers of its own events; none is lost or stored twice."""
    (friday / "events.jsonl").write_bytes(lines([cast()] * 25))
    assert 0 == daynight("record", "friday", json.dumps(turn(1))).code
    command = [sys.executable, "-m", "daynight", "record", "friday", "--json"]
    children = []
    for _ in range(2):
        with (friday / "events.jsonl").open("rb") as stream:
            children.append(processes.Popen(command, env=environ(), stdin=stream, stdout=-1, stderr=-1))
    told = []
    for child in children:
        out, err = child.communicate(timeout=60)
        assert (0, b"") == (child.returncode, err)
        told.append([json.loads(line)["event"] for line in out.splitlines()])
    assert [25, 25] == list(map(len, told))
    assert list(range(3, 53)) == sorted(told[0] + told[1])
    assert 52 == len(stored())


def test_killed(friday):
    """Acknowledged events survive a kill, and a retry of all lines stores each event once."""
    events = [turn(1), *[cast()] * 10]
    command = [sys.executable, "-m", "daynight", "record", "friday", "--command", "c", "--json"]
    with processes.Popen(command, env=environ(), stdin=-1, stdout=-1) as child:
        child.stdin.write(lines(events[:6]))
        child.stdin.flush()
        told = [json.loads(child.stdout.readline())["event"] for _ in range(4)]
        child.send_signal(signal.SIGKILL)
        child.stdin.close()
    assert [2, 3, 4, 5] == told
    assert 5 <= len(stored()) <= 7
    ran = processes.run(command, env=environ(), input=lines(events), capture_output=True, check=True)
    assert list(range(2, 13)) == [json.loads(line)["event"] for line in ran.stdout.splitlines()]
    assert Game([started() | {"game": "friday"}, *events]).events[1:] == stored().events[1:]


def test_nobody_reads_the_acknowledgements(friday):
    """If its output is closed, the command stops, and reports the last stored event; exit code 130."""
    reading, writing = os.pipe()
    command = [sys.executable, "-m", "daynight", "record", "friday", "--json"]
    with processes.Popen(command, env=environ(), stdin=-1, stdout=writing, stderr=-1) as child:
        os.close(writing)
        child.stdin.write(lines([turn(1)]))
        child.stdin.flush()
        assert b'"event": 2' in os.read(reading, 10_000)
        os.close(reading)
        _out, err = child.communicate(lines([cast(), cast(), cast()]), timeout=30)
    assert 130 == child.returncode
    assert b"nobody reads the acknowledgements any more; the last event stored is 3\n" == err
    assert 3 == len(stored())


def test_interrupted(friday):
    """Interrupted while it waits for a line, the command ends with exit code 130; earlier lines are stored."""
    command = [sys.executable, "-m", "daynight", "record", "friday"]
    with processes.Popen(command, env=environ(), stdin=-1, stdout=-1, stderr=-1) as child:
        child.stdin.write(lines([turn(1)]))
        child.stdin.flush()
        assert b"e2  turn 1: Ana\n" == child.stdout.readline()
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=30)
    assert (130, b"", b"") == (child.returncode, out, err.strip())
    assert 2 == len(stored())


def test_the_contract(daynight, folder, stdin):
    """The record `CONTRACT`, stored line by line, is replayed from the store to the same state as in memory."""
    assert 0 == daynight("new", "g1", "Ana", "Bo").code
    stdin(lines(CONTRACT[1:]))
    assert 0 == daynight("record", "g1").code
    assert [Game(CONTRACT).document()] == daynight("replay", "db:g1", "--json").documents


def test_a_catalogue_of_ones_own(daynight, friday):
    """`record` copies a card's faces from a custom catalogue into the stored event, so `replay` does not need it."""
    card = {
        "name": "Cat", "double_faced": False, "front": {"name": "Cat", "keywords": ["nightbound"]}, "note": "made up",
    }  # fmt: skip
    (friday / "cards.json").write_text(json.dumps([card]))
    arrival = enter("c", {"card": "Cat"})
    assert "it becomes night" in record(daynight, arrival, catalogue="cards.json").out
    assert "night" == daynight("replay", "db:friday", "--json").documents[0]["designation"]


def test_nothing_on_standard_input(daynight, folder, stdin):
    """Empty input stores and prints nothing; for a missing game it is an error, exit code 4."""
    assert 0 == daynight("new", "g1", "Ana").code
    stdin(b"")
    assert (0, "", "") == daynight("record", "g1")
    stdin(b"")
    ran = daynight("record", "g2")
    assert (4, "") == ran[:2]
    assert "no game 'g2'" in ran.error
