"""Typing at the table: lines of the notation for a game in progress.

| promise | test |
| --- | --- |
| a line in words stores the same as its JSON, with the same answer | test_words_are_events |
| words and JSON can be mixed; a line with several events is stored in one append | test_mixed |
| a claim's author is a player if the name matches one, ignoring case | test_speakers |
| names are looked up in the state before each line, also in one append | test_names |
| permanents get new ids, and are filled in, also from a custom catalogue | test_arrivals, test_a_catalogue |
| typing a whole game gives the same as a file with these lines | test_typed_is_read_alike |
| an error has number, column and a proposal; nothing of that append is stored | test_slips |
| a line that says that nobody cast a spell stores nothing, and gets an answer | test_no_event |
| a line split by the shell is wrong usage, and shown with quotation marks | test_taken_apart |
| standard input is read line by line, without blank lines and comments | test_from_standard_input |
| an error on standard input ends the command, with a report of what is stored | test_a_slip_on_standard_input |
| invalid text, a byte order mark and a line of a megabyte are refused, in a comment too | test_bytes |
| for a missing game the error says how one begins | test_no_such_game |
| --expect counts events, not lines | test_expected |
| a retry gets the stored answer, even if the words mean something else by now | test_a_retry |
| a used id with words for other events is a conflict | test_the_id_of_other_words |
| words are read again if another writer was faster | test_somebody_was_faster |
| at a terminal an error is printed, and typing continues | test_at_a_terminal |
"""

from __future__ import annotations

import json
import os
import shutil
import sys

import pytest

from daynight.framework.language.codec import encode
from daynight.game import Game
from daynight.games import Store
from daynight.notation import lines_of, read_text
from tests import processes
from tests.behaviour.games import EVERY_TYPE
from tests.commands.conftest import environ, stored
from tests.rules.placing import enter
from tests.rules.wolves import OLD_WEREWOLF
from tests.rules.words import cast, turn, untap


@pytest.fixture
def friday(begun, folder):
    """A game whose werewolf entered in the first turn: three events."""
    shutil.copytree(begun / "wolf", folder, dirs_exist_ok=True)
    return folder


def last(count=1):
    """Return the last `count` events of the game friday, as objects."""
    return [json.loads(encode(event)) for event in stored().events[-count:]]


@pytest.mark.wide(but=1)
@pytest.mark.parametrize("how", ["together", "standard input"])
def test_words_are_events(daynight, folder, stdin, how):
    """Every type of event, typed in words, is stored and acknowledged as if given as JSON."""
    game = Game(EVERY_TYPE)
    teams = [part for team in game.events[0].teams or () for part in ("--team", ",".join(team))]
    lines = [line for some in list(lines_of(game.events))[1:] for line in some]
    assert 0 == daynight("new", "g1", *game.events[0].players, *teams, "--edition", game.edition).code
    assert 0 == daynight("new", "g2", *game.events[0].players, *teams, "--edition", game.edition).code
    if how == "together":
        ran = daynight("record", "g1", *(line for line in lines if line))
    else:
        stdin("\n".join(lines).encode())
        ran = daynight("record", "g1")
    assert (0, "") == ran[::2]
    assert ran.out == daynight("record", "g2", *map(json.dumps, EVERY_TYPE[1:])).out
    assert game.events[1:] == stored("g1").events[1:] == stored("g2").events[1:]


def test_mixed(daynight, friday):
    """Events in words and in JSON are stored in order; if the last event is refused, none is stored."""
    ran = daynight("record", "friday", "turn 2 Bo", json.dumps(untap()), "upkeep, draw", "bo casts 2 spells  # quick")
    assert (0, "") == ran[::2]
    assert ["e4", "e5", "->", "->", "e6", "e7", "e8", "e9"] == [line.split()[0] for line in ran.out.splitlines()]
    assert [{"type": "spell-cast", "note": "quick", "player": "Bo"}] * 2 == last(2)
    refused = daynight("record", "friday", "Bo casts 2 spells, draw", json.dumps(cast("Anna")))
    assert (3, "") == refused[:2]
    assert 9 == len(stored())


@pytest.mark.wide(but=3)
@pytest.mark.parametrize("words, by", [
    ("bo says night", "Bo"),
    ("ANA says w1 shows back", "Ana"),
    ("jo rules day", "jo"),
    ("b says night", "b"),
    ('"bo" says night', "bo"),
    ("Bo says night", "Bo"),
])  # fmt: skip
def test_speakers(daynight, friday, words, by):
    """An author's name is matched with the players' names ignoring case; a quoted name is kept as it is."""
    ran = daynight("record", "friday", words)
    assert (0, by) == (ran.code, last()[0]["by"]), ran


def test_names(daynight, friday):
    """A unique prefix of a permanent's, card's or face's name is enough; permanents that left do not count."""
    assert 0 == daynight("record", "friday", "bo: Immerwolf (i1) enters", "turn 2 b", "tav leaves to exile").code
    assert [{"type": "permanents-left", "permanents": ["w1"], "to": "exile"}] == last()
    ran = daynight("record", "friday", "w1 phases out")
    assert "db:friday:7:1: no 'w1' here; there: i1" == ran.error
    # Lines are read one after the other: the second refers to what the first brings in, the third to what remains.
    ran = daynight("record", "friday", "an: Tavern Ruffian (w2) enters", "tavern leaves", "tavern leaves")
    assert (3, "") == ran[:2]
    assert "db:friday:9:1: no 'tavern' here; there: i1" == ran.error
    assert 0 == daynight("record", "friday", "an: Tavern Ruffian (w2) enters", "tavern leaves").code
    # It entered by night, so it has the name of its other face.
    assert 0 == daynight("record", "friday", "it becomes night", "an: Tavern Ruffian enters", "smasher leaves").code
    assert ["tavern-ruffian-1"] == last()[0]["permanents"]


def test_arrivals(daynight, friday):
    """Two permanents that enter on one line get new ids, and their faces from the catalogue."""
    assert 0 == daynight("record", "friday", "Ana: Tavern Ruffian, Tavern Ruffian enter").code
    (event,) = last()
    assert ["tavern-ruffian-1", "tavern-ruffian-2"] == [one["id"] for one in event["permanents"]]
    assert [["daybound"]] * 2 == [one["front"]["keywords"] for one in event["permanents"]]


def test_a_catalogue(daynight, friday):
    """The prefix of a card's name is completed from a custom catalogue, and the faces are filled in from it."""
    card = {"name": "Catman", "double_faced": False, "front": {"name": "Catman", "keywords": ["daybound"]}, "note": ""}
    (friday / "cards.json").write_text(json.dumps([card | {"note": "made up"}]))
    assert 0 == daynight("record", "friday", "ana: catm (c) enters", "--catalogue", "cards.json").code
    assert ("Catman", ["daybound"]) == (
        last()[0]["permanents"][0]["card"],
        last()[0]["permanents"][0]["front"]["keywords"],
    )


@pytest.mark.wide(but=6)
@pytest.mark.parametrize("lines, says", [
    (["Bo castes Opt"], "db:friday:4:4: 'castes' is not understood; did you mean casts? A line is like: Ana casts"),
    (["  Anna casts Opt"], "db:friday:4:3: no 'Anna' here; there: Ana, Bo (did you mean Ana?)"),
    (["turn 2 Bo", "untap", "Bo cats Opt"], "db:friday:6:4: 'cats' is not understood; did you mean casts?"),
    (["untap, upkeep", "Bo casts no more than 1"], "db:friday:6:10: 'no more than 1': what did not happen has no line"),
    (["Bo casts Tavern Rufian"], "db:friday:4:10: no card 'Tavern Rufian' in the catalogue; did you mean Tavern R"),
    (["Bo casts Opt", " turn 1 Bo"], "db:friday:5:7: turn 1 does not rise above turn 1"),
    (["untap, upkeep", '"Anna" casts Opt'], "db:friday:6:1: no player 'Anna'; players are Ana, Bo"),
    (["Ana: Immerwolf (w1) enters"], "db:friday:4:17: "),
    (["game friday"], "db:friday:4:1: the game began before; a line of what happens in it is like: Ana casts Opt"),
    (["Bo casts Opt", " # an opt"], "db:friday:5:2: only a comment; write what happens before it, as: Ana casts"),
    (['Bo says "\\ud800"'], "db:friday:4:9: "),
    (['"\\ud800" says night'], "db:friday:4:1: half a surrogate pair"),
    (["Bo casts Opt @noon"], "db:friday:4:14: "),
    (["Bo casts Opt {"], "db:friday:4:14: a brace that is never closed"),
    (["Bo casts " + "x" * 33_000], "db:friday:4:1: a line may have 32768 characters"),
    (["Jo backs up to e9"], "db:friday:4:16: "),
    (["dispute d9: Bo appeals"], "db:friday:4:9: "),
])  # fmt: skip
def test_slips(daynight, friday, lines, says):
    """The error is one line with exit code 3; the game does not change."""
    ran = daynight("record", "friday", *lines)
    assert (3, "") == ran[:2]
    assert ran.error.startswith(says), ran.error
    assert 3 == len(stored())


@pytest.mark.wide(but=1)
@pytest.mark.parametrize("words", ["Bo casts nothing", "Ana casts no spells"])
def test_no_event(daynight, friday, words):
    """A line such as `Bo casts nothing` adds no event; if it is the only line, a sentence says so."""
    assert (0, "e4  untap step\n", "") == daynight("record", "friday", "untap", words)[:3]
    says = "nothing happens there that a record has a line for\n"
    assert (0, "", says) == daynight("record", "friday", words)[:3]
    assert 4 == len(stored())


@pytest.mark.wide(but=2)
@pytest.mark.parametrize("words", ["Bo casts Opt", "turn 2 Bo", "it becomes night", "bo says night"])
def test_taken_apart(daynight, friday, words):
    """If the quotation marks of a line were forgotten, the error shows the line with them; exit code 2."""
    ran = daynight("record", "friday", *words.split())
    assert (2, "", 3) == (*ran[:2], len(stored()))
    assert f"an EVENT of several words stands in quotation marks: '{words}'" in ran.error
    # If each word is an event, they are stored; if the words make no line together, the first one is reported.
    assert 0 == daynight("record", "friday", "untap", "upkeep").code
    ran = daynight("record", "friday", "turn", "two", "Bo")
    assert (3, "db:friday:6:") == (ran.code, ran.error[:12])


def test_no_such_game(daynight, friday):
    """For a missing game the error says how a game begins, before any name is looked up; exit code 4."""
    ran = daynight("record", "saturday", "turn 1 Ana")
    assert (4, "", "no game 'saturday'; begin it with daynight new") == (*ran[:2], ran.error)


def test_from_standard_input(daynight, friday, stdin):
    """Blank lines and comments of standard input are skipped; lines may end with CRLF."""
    stdin(
        b"# turn two\r\n\r\n  turn 2 bo\r\n\t\r\nuntap, upkeep\r\n   # a break\r\n" + b'{"type": "game-restarted"}\r\n'
    )
    ran = daynight("record", "friday", "-")
    assert (0, "") == ran[::2]
    assert ["e4", "e5", "e6", "e7"] == [line.split()[0] for line in ran.out.splitlines() if line.startswith("e")]
    assert [turn(2, "Bo"), untap()] == last(4)[:2]
    # Only lines without a meaning.
    stdin(b"# nothing\n\n")
    assert (0, "", "") == daynight("record", "friday")


def test_a_slip_on_standard_input(daynight, friday, stdin):
    """An error on standard input ends the command; the lines before it are stored, and the error counts them."""
    stdin(b"turn 2 bo\n# what he cast\nbo casts 2 spells\nbo castes 2 spells\nbo casts Opt\n")
    ran = daynight("record", "friday")
    assert (3, 7) == (ran.code, len(stored()) + 1)
    assert ran.error.startswith("db:friday:7:4: 'castes' is not understood; did you mean casts?")
    assert ran.error.endswith("; the 2 lines before it are stored, the last one as event 6")


@pytest.mark.parametrize(
    "line",
    [b"bo casts \xff", b"\xff", b"\xef\xbb\xbfturn 2 Bo", b"# " + b"x" * 2**20, b"bo casts opt # " + b"x" * 2**20],
)
def test_bytes(daynight, friday, stdin, line):
    """Invalid text, a byte order mark and a line of a megabyte are refused, also in a comment; exit code 3."""
    stdin(line + b"\nturn 2 Bo\n")
    ran = daynight("record", "friday")
    assert (3, "") == ran[:2]
    says = ("not UTF-8", "a line may have 1048576 bytes", "a byte order mark")
    assert ran.error.startswith(tuple(f"db:friday:4: $: {each}" for each in says))
    assert 3 == len(stored())


def test_expected(daynight, friday, stdin):
    """If --expect is not the last event's number, the error says that, and not that a name is unknown."""
    stdin(b"turn 2 Bo\nuntap, upkeep\nBo casts Opt\n")
    assert 0 == daynight("record", "friday", "--expect", 3).code
    assert 0 == daynight("record", "friday", "w1 leaves", "--expect", 7).code
    ran = daynight("record", "friday", "w1 leaves", "--expect", 7)
    assert (5, "friday: the last event is 8, not 7; read what came, and append again") == (ran.code, ran.error)
    assert 5 == daynight("record", "friday", "untap", "--expect", 9).code
    assert 8 == len(stored())


@pytest.mark.wide(but=1)
@pytest.mark.parametrize("how", ["together", "standard input"])
def test_a_retry(daynight, friday, stdin, how):
    """A retry means the same permanent, though its short name later fits no permanent, or another one."""

    def send():
        if how == "together":
            return daynight("record", "friday", "turn 2 Bo", "tavern leaves", "--command", "c", "--json")
        stdin(b"turn 2 Bo\n# gone\ntavern leaves\n")
        return daynight("record", "friday", "--command", "c", "--json")

    first = send()
    for after in ([], ["Bo: Tavern Ruffian (w2) enters"], ["Bo: Tavern Ruffian (w3) enters"]):
        assert not after or 0 == daynight("record", "friday", *after).code
        again = send()
        assert 0 == first.code == again.code, again
        assert [document | {"repeated": True} for document in first.documents] == again.documents
    assert 7 == len(stored())
    # With another id the words are read in the present state.
    assert 3 == daynight("record", "friday", "tavern leaves", "--command", "d").code


def test_the_id_of_other_words(daynight, friday):
    """Other events under a used id are refused, exit code 5; other words or JSON for the same events are answered."""
    assert 0 == daynight("record", "friday", "turn 2 Bo", "tavern leaves", "--command", "c").code
    for words in (["turn 2 Ana"], ["turn 2 Bo"], ["turn 1 Bo"]):
        ran = daynight("record", "friday", *words, "--command", "c")
        assert (5, "friday: the command id 'c' was used for other events; take a new one") == (ran.code, ran.error)
    ran = daynight("record", "friday", "turn 2 b", json.dumps({"type": "permanents-left", "permanents": ["w1"]}),
                   "--command", "c")  # fmt: skip
    assert 0 == ran.code
    assert "[stored before]" in ran.out
    assert 5 == len(stored())


def test_somebody_was_faster(daynight, friday, monkeypatch):
    """If another writer changes what the prefix `tavern` means before the event is stored, the words are read again."""
    left = {"type": "permanents-left", "permanents": ["w1"]}
    others = [[([left, enter("w2")], None)], [([enter("o", OLD_WEREWOLF)], None)]]
    append = Store.append

    def slower(self, game, events, **more):
        if others:
            with Store.open("daynight.db") as other:
                for some, command in others.pop():
                    append(other, game, some, command=command)
        return append(self, game, events, **more)

    monkeypatch.setattr(Store, "append", slower)
    ran = daynight("record", "friday", "tavern leaves")
    assert (0, "") == ran[::2]
    # Three attempts: o came beside w1, and then w2 replaced it.
    assert ([], ["w2"]) == (others, last()[0]["permanents"])
    # The same command was stored meanwhile, before its words changed their meaning: it is answered, not refused.
    another = [{"type": "permanents-left", "permanents": ["o"]}, enter("p", OLD_WEREWOLF)]
    others.append([(another, None), ([{"type": "permanents-left", "permanents": ["p"]}], "c")])
    ran = daynight("record", "friday", "grizzled leaves", "--command", "c")
    assert (0, "") == ran[::2]
    assert "[stored before]" in ran.out
    # With --expect the conflict is reported instead.
    others.append([([cast("Bo")], None)])
    assert 5 == daynight("record", "friday", "turn 2 Bo", "--expect", len(stored())).code


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals")
def test_at_a_terminal(friday):
    """Each stored line is acknowledged; an error does not end the command, only the end of input does."""
    import pty

    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "daynight", "record", "friday"]
    with processes.Popen(command, env=environ(), stdin=theirs, stdout=-1, stderr=-1) as child:
        os.close(theirs)
        os.write(ours, b"turn 2 bo\nbo castes opt\n\nuntap\n\x04")
        out, err = child.communicate(timeout=60)
    os.close(ours)
    assert (0, ["e4", "e5"]) == (child.returncode, [line[:2] for line in out.decode().splitlines() if line[0] == "e"])
    hint, slip = err.decode().splitlines()
    assert "Ctrl-D ends" in hint
    assert slip.startswith("db:friday:5:4: 'castes' is not understood; did you mean casts?")
    assert 5 == len(stored())


def test_typed_is_read_alike(daynight, friday, stdin):
    """A whole file of the notation without its header, typed, gives the same game as the file."""
    text = "turn 1 Ana\n  Ana: Tavern Ruffian (w1), Bo: Immerwolf (i1) enter\n\n"
    text += "turn 2 Bo\n  untap · upkeep\n  Bo says day\n"
    assert 0 == daynight("new", "other", "Ana", "Bo").code
    stdin(text.encode())
    assert 0 == daynight("record", "other").code
    assert [one.event for one in read_text("game other\nplayers Ana, Bo\n" + text)][1:] == [*stored("other").events[1:]]
