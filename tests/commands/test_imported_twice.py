"""`daynight import` into a place that already has another game, a part of this one, or a judge's changes.

| promise | test |
| --- | --- |
| a different game with the same name gets another name, and both stay, in any order | test_other_games |
| two matches that would get the same file name get different names | test_matches_of_a_name |
| two games whose known events are the same get different names | test_same_so_far, test_no_word_of_the_game |
| a game recorded or changed by hand is not changed | test_by_hand |
| a Forge log that has grown is still the same game | test_forge_grew |
| importing an older copy of a log changes nothing, before and after an undo | test_older_copies, test_taken_back_once |
| an import that knows fewer cards changes nothing | test_less_of_the_cards |
| if two imports have only the last part of a game, the longer one is kept | test_two_ends |
| the last part of a game alone gets a warning, and is not stored beside its first part | test_a_part |
| events that a judge undid stay undone; later events are stored | test_judges_back_up, test_judge_and_undo |
| report and JSON are written after an error too, with its reason | test_report_of_a_failure |
| a strict import to standard output prints the chosen game if it is complete | test_strict_game |
| skipped rows of a card table are a warning | test_odd_rows |
| the error for a UTF-16 file says so | test_utf_16 |
"""

from __future__ import annotations

import json

import pytest
from msgspec.structs import replace

from daynight.events.actions import GameStarted, SpellCast
from daynight.keeping.sameness import Relation, compare
from tests.importers import forge_logs
from tests.importers.arena_logs import OPT, RUFFIAN, Game, Log, csv_table, day_and_night

from .conftest import listed

PLACES = pytest.mark.parametrize("place", [["-o", "games"], ["--into", "g.db"]])


@pytest.fixture
def kept(daynight, folder):
    """Return a function that reads the events of each game in a folder or a store, by the game's name."""

    def look(place):
        if "-o" in place:
            return {
                path.stem: [json.loads(line) for line in path.read_bytes().splitlines()]
                for path in folder.glob("games/*.jsonl")
            }
        return {name: daynight("export", name, "--db", "g.db").documents for name in listed(daynight, "g.db")}

    return look


@pytest.mark.wide(but=1)
@PLACES
def test_other_games(daynight, folder, kept, place):
    """Same players and file name, other cards: the first game does not change, and the second is stored completely."""
    one, other = forge_logs.day_and_night(forge_logs.Log()), forge_logs.Log().turn().land("Plains", 77).rest()
    other.turn().land("Swamp", 78).rest().turn().over()
    for name, log in (("one", one), ("other", other)):
        (folder / name).mkdir()
        (folder / name / "game.log").write_bytes(log.bytes())
    assert 0 == daynight("import", "one/game.log", *place).code
    (first,) = kept(place).values()
    ran = daynight("import", "other/game.log", *place)
    assert (0, True) == (ran.code, "another game" in ran.out)
    both = kept(place)
    assert {"game-G1", "game-G1-2"} == set(both)
    assert first == both["game-G1"]
    alone = daynight("import", "other/game.log").documents
    assert [event["meta"] for event in alone] == [event["meta"] for event in both["game-G1-2"]]
    for name in ("other", "one"):
        assert "nothing new" in daynight("import", f"{name}/game.log", *place).out
    assert both == kept(place)


@pytest.mark.wide(but=1)
@PLACES
def test_matches_of_a_name(daynight, folder, kept, place):
    """Matches `a b` and `a?b`, which would get the same file name, both stay, in either order."""
    logs = {}
    for match in ("a b", "a?b"):
        log = Log()
        game = Game(log, match=match)
        game.begin()
        # The shorter one equals the beginning of the other.
        for _cast in range(len(logs) + 1):
            game.cast(1, OPT)
        logs[match] = log.bytes()
    (folder / "one.log").write_bytes(b"".join(logs.values()))
    (folder / "two.log").write_bytes(b"".join(reversed(logs.values())))
    assert 0 == daynight("import", "one.log", *place).code
    both = kept(place)
    assert ["a b", "a?b"] == [events[0]["meta"]["arena"]["match"] for _name, events in sorted(both.items())]
    assert 0 == daynight("import", "two.log", *place).code
    assert both == kept(place)


@PLACES
def test_same_so_far(daynight, folder, kept, place):
    """Two Forge games have the same events as far as the shorter log goes, but other log lines: both are stored."""
    for number in (1, 2):
        log = forge_logs.Log().turn().put("activated", f"Stone {number}", number, mana=0).rest()
        if number == 2:
            log.turn().land("Swamp", 78).rest().turn().over()
        (folder / "game.log").write_bytes(log.bytes())
        assert 0 == daynight("import", "game.log", *place).code
    assert {"game-G1", "game-G1-2"} == set(kept(place))


def test_no_word_of_the_game():
    """Without a match id, `compare` returns OTHER unless one record continues the other; with equal ids it returns MORE
    if the first record was read up to a later line of the log, LESS if the second was."""

    def told(*casts, line=1, **about):
        meta = {"source": {"line": line}}
        began = GameStarted(format=1, game="g", players=("A", "B"), meta=meta | about)
        return [began, *(SpellCast(player=player, meta=meta) for player in casts)]

    match = {"arena": {"match": "m", "game": 1}}
    assert Relation.OTHER is compare(told("A", "B"), told("A", "A"))
    assert Relation.MORE is compare(told("A", "B"), told("A"))
    assert Relation.LESS is compare(told("A"), told("A", "B"))
    assert Relation.MORE is compare(told("A", "B", line=9, **match), told("A", "A", **match))
    assert Relation.LESS is compare(told("A", "B", **match), told("A", "A", line=9, **match))
    assert Relation.OTHER is compare(told("A", "B"), [replace(told()[0], players=("A", "C"))])


def test_by_hand(daynight, folder, kept):
    """An import changes neither a typed game of the same name nor a file to which a ruling was added."""
    (folder / "game.log").write_bytes(forge_logs.day_and_night(forge_logs.Log()).bytes())
    assert 0 == daynight("new", "game-G1", "Ana", "Bo", "--db", "g.db").code
    before = kept(["--into", "g.db"])["game-G1"]
    assert 0 == daynight("import", "game.log", "--into", "g.db").code
    after = kept(["--into", "g.db"])
    assert (before, {"game-G1", "game-G1-2"}) == (after["game-G1"], set(after))
    whole = (folder / "game.log").read_text().splitlines()
    (folder / "game.log").write_text("\n".join([*whole[:20], ""]))
    assert 0 == daynight("import", "game.log", "-o", "games").code
    (folder / "game.log").write_text("\n".join([*whole, ""]))
    with (folder / "games/game-G1.jsonl").open("ab") as stream:
        stream.write(b'{"type":"judge-ruled","by":"Jo","designation":"night"}\n')
    before = kept(["-o", "games"])["game-G1"]
    assert 0 == daynight("import", "game.log", "-o", "games").code
    assert before == kept(["-o", "games"])["game-G1"]


@pytest.mark.wide(but=1)
@PLACES
def test_forge_grew(daynight, folder, kept, place):
    """A Forge log that was cut off at any line and then grew gives one game, which never gets shorter."""
    lines = forge_logs.day_and_night(forge_logs.Log()).lines
    least = 0
    for size in range(3, len(lines) + 1, 9):
        (folder / "game.log").write_text("\n".join(lines[:size]) + "\n")
        assert 0 == daynight("import", "game.log", *place).code
        ((name, events),) = kept(place).items()
        assert ("game-G1", True) == (name, len(events) >= least)
        least = len(events)
    assert 20 < least


@pytest.mark.wide(but=1)
@PLACES
def test_older_copies(daynight, folder, kept, place):
    """Log 3 undoes a cast that log 1 has: after both imports, logs 0 to 3 change nothing; the longer log 4 does."""
    log = Log()
    game = Game(log)
    game.begin()
    stood = game.state
    (folder / "0.log").write_bytes(log.bytes())
    game.cast(1, OPT)
    (folder / "1.log").write_bytes(log.bytes())
    game.cast(1, OPT)
    (folder / "2.log").write_bytes(log.bytes())
    game.undo(stood)
    game.cast(2, RUFFIAN)
    game.next_turn()
    (folder / "3.log").write_bytes(log.bytes())
    for name in ("1", "3"):
        assert "nothing new" not in daynight("import", f"{name}.log", *place).out
    before = kept(place)
    for name in "0123213":
        assert "nothing new" in daynight("import", f"{name}.log", *place).out
        assert before == kept(place)
    game.cast(1, OPT)
    (folder / "4.log").write_bytes(log.bytes())
    assert "nothing new" not in daynight("import", "4.log", *place).out


@pytest.mark.wide(but=1)
@PLACES
def test_less_of_the_cards(daynight, folder, kept, place):
    """After an import with the card table, an import without it changes nothing."""
    log = Log()
    day_and_night(Game(log))
    (folder / "one.log").write_bytes(log.bytes())
    (folder / "cards.csv").write_bytes(csv_table())
    plain, known = [], ["--cards", "cards.csv"]
    assert 0 == daynight("import", "one.log", *plain, *place).code
    assert 0 == daynight("import", "one.log", *known, *place).code
    before = kept(place)
    assert "Tavern Ruffian" in json.dumps(before)
    for cards in (known, plain, known):
        assert "nothing new" in daynight("import", "one.log", *cards, *place).out
        assert before == kept(place)


def test_taken_back_once(daynight, folder, kept):
    """An older copy of the log does not undo again what Arena undid, even after another log was read."""
    other, log = Log(), Log()
    day_and_night(Game(other, match="z"))
    game = Game(log)
    game.begin()
    stood = game.state
    game.cast(1, OPT)
    older = log.bytes()
    game.undo(stood)
    game.cast(2, RUFFIAN)
    for name, data in (("older", older), ("newer", log.bytes()), ("other", other.bytes())):
        (folder / f"{name}.log").write_bytes(data)
    for name in ("older", "newer"):
        assert 0 == daynight("import", f"{name}.log", "--into", "g.db").code
    before = kept(["--into", "g.db"])["a1b2-G1"]
    assert 0 == daynight("import", "other.log", "older.log", "--into", "g.db").code
    assert before == kept(["--into", "g.db"])["a1b2-G1"]


def ends(*lengths):
    """Return the log of a game's first two turns, and for each of `lengths` a log of that many later turns, as of a
    client that reconnected."""
    log = Log()
    game = Game(log)
    game.begin()
    game.next_turn()
    whole = log.bytes()
    found = []
    for length in lengths:
        log = game.log = Log()
        game.full()
        for _turn in range(length):
            game.cast(1, OPT)
            game.next_turn()
        found.append(log.bytes())
    return whole, *found


@PLACES
def test_two_ends(daynight, folder, kept, place):
    """Of two logs without the game's beginning, the one with more turns is imported first; the other adds nothing."""
    log = Log()
    game = Game(log)
    game.begin()
    game.next_turn()
    game.log = Log()
    game.full()
    for _turn in range(6):
        game.next_turn()
    (folder / "long.log").write_bytes(game.log.bytes())
    game.log = Log()
    game.full()
    (folder / "short.log").write_bytes(game.log.bytes())
    assert 0 == daynight("import", "long.log", *place).code
    before = kept(place)
    assert "nothing new" in daynight("import", "short.log", *place).out
    assert before == kept(place)


@pytest.mark.wide(but=1)
@PLACES
def test_a_part(daynight, folder, kept, place):
    """After the first part, the last part alone gets a warning and is not stored; both together give the game."""
    for name, data in zip(("prev", "cur"), ends(3), strict=True):
        (folder / f"{name}.log").write_bytes(data)
    assert 0 == daynight("import", "prev.log", *place).code
    before = kept(place)
    ran = daynight("import", "cur.log", *place)
    assert (0, before) == (ran.code, kept(place))
    assert "nothing is kept of a1b2-G1: what is there has other turns of it; give its logs together" in ran.out
    (told,) = daynight("import", "cur.log", *place, "--json").documents
    assert (1, True) == (told["games"][0]["warnings"]["part"], told["games"][0]["part"])
    ran = daynight("import", "prev.log", "cur.log", *place)
    assert "what is there has other turns" not in ran.out
    (events,) = kept(place).values()
    assert [1, 2, 3, 4, 5] == [event["turn"] for event in events if event["type"] == "turn-began"]


def judged(daynight, folder):
    """Store a game, and undo its only cast by the judge Jo; return the game that writes the log, and the number of
    Arena's state before the cast."""
    log = Log()
    game = Game(log)
    game.begin()
    stood = game.state
    game.cast(1, OPT)
    (folder / "Player.log").write_bytes(log.bytes())
    assert 0 == daynight("import", "Player.log", "--into", "g.db").code
    back = '{"type": "game-backed-up", "to": 5, "by": "Jo"}'
    assert 0 == daynight("record", "a1b2-G1", back, "--db", "g.db").code
    return game, stood


def test_judges_back_up(daynight, folder, kept):
    """The log grows: the spell that Jo undid is not stored again, the next one is."""
    game, _stood = judged(daynight, folder)
    assert "nothing new" in daynight("import", "Player.log", "--into", "g.db").out
    game.cast(2, RUFFIAN)
    (folder / "Player.log").write_bytes(game.log.bytes())
    assert "a1b2-G1: 1 stored now, 8 events in all\n" in daynight("import", "Player.log", "--into", "g.db").out
    events = kept(["--into", "g.db"])["a1b2-G1"]
    assert ["spell-cast", "game-backed-up", "spell-cast"] == [event["type"] for event in events[-3:]]
    assert ("Seat 1", "Seat 2") == (events[-3]["player"], events[-1]["player"])
    assert "nothing new" in daynight("import", "Player.log", "--into", "g.db").out


def test_judge_and_undo(daynight, folder, kept):
    """Jo backs up and rules, then Arena undoes the same spell: Jo's ruling stays in force."""
    game, stood = judged(daynight, folder)
    ruling = '{"type": "judge-ruled", "by": "Jo", "designation": "night"}'
    assert 0 == daynight("record", "a1b2-G1", ruling, "--db", "g.db").code
    game.undo(stood)
    game.cast(2, RUFFIAN)
    (folder / "Player.log").write_bytes(game.log.bytes())
    assert 0 == daynight("import", "Player.log", "--into", "g.db").code
    assert "nothing new" in daynight("import", "Player.log", "--into", "g.db").out
    daynight("export", "a1b2-G1", "--db", "g.db")
    ran = daynight("replay", "--db", "g.db", "db:a1b2-G1", "--json")
    assert (0, "night") == (ran.code, ran.documents[0]["designation"])
    casts = [event for event in kept(["--into", "g.db"])["a1b2-G1"] if event["type"] == "spell-cast"]
    assert ["Seat 1", "Seat 2"] == [event["player"] for event in casts]


def gap_log(*, headless=False):
    """Return a log with a whole game and then a game with a gap; if `headless`, with one game without its beginning."""
    log = Log()
    day_and_night(Game(log, match="a1"))
    if headless:
        return b"".join(log.bytes().splitlines(keepends=True)[20:])
    game = Game(log, match="b2")
    game.begin()
    game.state += 1
    game.cast(1, OPT)
    return log.bytes()


@pytest.mark.parametrize("headless, strict", [(True, ["--strict"]), (False, ["--strict"])])
def test_report_of_a_failure(daynight, folder, headless, strict):
    """A strict import that fails exits with 3, prints reason and line, and still writes the report with the warning."""
    (folder / "bad.log").write_bytes(gap_log(headless=headless))
    (folder / "cards.csv").write_bytes(csv_table())
    strict = [*strict, "--cards", "cards.csv"]
    kind, reason = ("headless", "beginning is in another log") if headless else ("gap", "states are missing")
    ran = daynight("import", "bad.log", *strict, "-o", "games", "--report", "report.json")
    assert (3, True) == (ran.code, reason in ran.error)
    written = json.loads((folder / "report.json").read_bytes())
    (told,) = (ran := daynight("import", "bad.log", *strict, "--json")).documents
    assert 3 == ran.code
    for document in (written, told):
        assert kind in [group["kind"] for group in document["warnings"]]
        assert document["error"] in ran.err
        line = document["warnings"][-1]["first"][0]["line"]
        assert f"bad.log:{line}: " in ran.err


def test_strict_game(daynight, folder):
    """--game 1 prints the complete first game; --game 2, or no --game, prints nothing. The exit code is 3."""
    (folder / "bad.log").write_bytes(gap_log())
    (folder / "cards.csv").write_bytes(csv_table())
    strict = ["--strict", "--cards", "cards.csv"]
    ran = daynight("import", "bad.log", *strict, "--game", "1")
    assert (3, "a1-G1", "game-ended") == (ran.code, ran.documents[0]["game"], ran.documents[-1]["type"])
    for other in (["--game", "2"], []):
        ran = daynight("import", "bad.log", *strict, *other)
        assert (3, "") == (ran.code, ran.out)


def test_odd_rows(daynight, folder):
    """A warning has the count of skipped rows and the line of the first one; --strict exits with 3."""
    log = Log()
    day_and_night(Game(log))
    (folder / "one.log").write_bytes(log.bytes())
    (folder / "cards.csv").write_bytes(csv_table() + b"\n1.5,Half\n9,\xff\xfe\n")
    ran = daynight("import", "one.log", "--cards", "cards.csv", "-o", "games")
    rows = len(csv_table().splitlines())
    assert f"warning: cards.csv:{rows + 1}: 2 rows of the card table are left out\n" in ran.out
    assert 3 == daynight("import", "one.log", "--cards", "cards.csv", "-o", "games", "--strict").code
    (folder / "cards.csv").write_bytes(csv_table())
    assert "card table" not in daynight("import", "one.log", "--cards", "cards.csv", "-o", "games").out


def test_utf_16(daynight, folder):
    """The error says that the file is UTF-16, with and without --from; the exit code is 3."""
    (folder / "one.log").write_bytes("Turn: Turn 1 (Ana)\n".encode("utf-16"))
    for given in ([], ["--from", "forge"]):
        ran = daynight("import", "one.log", *given)
        assert (3, True) == (ran.code, "one.log:1: $: text in UTF-16; save the file as UTF-8" in ran.error)
