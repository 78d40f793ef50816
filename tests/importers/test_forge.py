"""Forge's text log: its lines, their order, and where games begin and end.

| promise | test |
| --- | --- |
| turns, steps, lands, casts, arrivals and the end, each with its line number | test_a_game |
| older and newer logs, the oldest or the newest line first: the same game | test_the_same_game, test_blank_lines |
| the name of the face that is up is a claim; a wrong one is found, a right one agrees | test_faces, test_wrong_face |
| a card that enters at night may be named by its back | test_resolved_as_its_back |
| in the graveyard, a front's name claims nothing, a back's name does | test_face_of_the_dead |
| `first strike damage step` is not a step in records | test_steps |
| a log can be piped into its audit; the example is such a log | test_one_pipe, test_the_example |
| activated and triggered abilities are not casts | test_abilities |
| names of players and cards may be anything | test_names |
| a file may have several games, and an import several files | test_two_games, test_next_games, test_two_files |
| the winner is recorded; a draw or a stopped game has none; in a larger game the losers have left | test_ends |
| a log without a game is an error with advice | test_silent |
| the format is recognised by its content, and no other is | test_detect, test_detect_no_other |
"""

import io
import json
from pathlib import Path

import pytest

from daynight.framework.language.errors import UnreadableError
from daynight.importers.forge.log import IMPORTER, detect
from daynight.importers.importing import Import
from daynight.importers.registry import detected, importer
from daynight.importers.sources import Source
from tests.importers.arena_logs import Game as ArenaGame
from tests.importers.arena_logs import Log as ArenaLog
from tests.importers.arena_logs import day_and_night as arena_day_and_night
from tests.importers.forge_logs import AFTER, Log, day_and_night
from tests.importers.forge_reading import casts, changes, of, read

SEATS = ("Ai(1)-Moon, and Back - Wolves", "Ai(2)-Kess' Papers")


def test_a_game():
    """The record has the expected events up to turn 3, and the winner; a strict import accepts the log."""
    found = read(day_and_night(Log()), strict=True)
    steps = [{"type": "step-began", "step": step} for step in ("untap", "upkeep", "draw", "precombat-main")]
    end = [{"type": "step-began", "step": step} for step in ("end", "cleanup")]
    assert [
        {"type": "game-started", "format": 1, "game": "game-1-G1", "players": ["Ana", "Bo"]},
        {"type": "turn-began", "turn": 1, "active": ["Ana"]}, *steps,
        {"type": "permanents-entered", "permanents": [{"id": "1", "card": "Forest", "controller": "Ana"}]}, *end,
        {"type": "turn-began", "turn": 2, "active": ["Bo"]}, *steps,
        {"type": "permanents-entered", "permanents": [{"id": "51", "card": "Island", "controller": "Bo"}]},
        {"type": "spell-cast", "player": "Bo", "card": "Opt"}, *end,
        {"type": "turn-began", "turn": 3, "active": ["Ana"]}, *steps,
        {"type": "permanents-entered", "permanents": [{"id": "2", "card": "Mountain", "controller": "Ana"}]},
        {"type": "spell-cast", "player": "Ana", "card": "Tavern Ruffian"},
        {"type": "permanents-entered", "permanents": [{"id": "12", "card": "Tavern Ruffian", "controller": "Ana"}]},
        *end,
    ] == found.events()[:28]  # fmt: skip
    assert {"type": "game-ended", "winner": ["Ana"]} == found.events()[-1]
    assert {"limits": 1} == found.kinds
    lines = day_and_night(Log()).lines
    (cast,) = [event for event in found.games[0].events if getattr(event, "card", None) == "Tavern Ruffian"]
    place = cast.meta["source"]
    assert ("stated", "Add to stack: Ana cast Tavern Ruffian (12)") == (place["confidence"], lines[place["line"] - 1])
    assert found.games[0].finished


@pytest.mark.parametrize("new", [False, True])
@pytest.mark.parametrize("newest_first", [False, True])
def test_the_same_game(new, newest_first):
    """Old or new, newest line first or last, a log gives the same casts and changes of day and night."""
    log = day_and_night(Log(new=new))
    found = read(log.bytes(newest_first=newest_first))
    plain = read(day_and_night(Log()))
    game = found.game()
    assert [(3, "day"), (5, "night")] == changes(game)
    assert "exact" == game.audit().verdict
    assert plain.tags() == found.tags()
    assert casts(plain.events()) == casts(found.events())
    ids = [permanent["id"] for event in of(found.events(), "permanents-entered") for permanent in event["permanents"]]
    assert ["1", "51", "2", "#4" if new else "12", "53"] == ids
    cast = next(event for event in found.games[0].events if getattr(event, "card", None) == "Tavern Ruffian")
    number = cast.meta["source"]["line"]
    written = log.bytes(newest_first=newest_first).decode().split("\n")[number - 1]
    assert written.endswith("Tavern Ruffian" if new else "Tavern Ruffian (12)")


def test_blank_lines():
    """A log that was copied with a blank line after each line gives the same events."""
    data = day_and_night(Log()).bytes(newest_first=True).replace(b"\n", b"\r\n\r\n")
    assert read(day_and_night(Log())).events()[1:] == read(data).events()[1:]


def test_faces():
    """Two lines of a turn name the face that is up: the record has one claim, by forge, and it is right."""
    found = read(day_and_night(Log()))
    (claim,) = of(found.events(), "face-claimed")
    assert {"type": "face-claimed", "permanent": "12", "face": "back", "by": "forge"} == claim
    assert "exact" == found.game().audit().verdict


@pytest.mark.parametrize("new", [False, True])
def test_wrong_face(new):
    """A log names a werewolf by its front's name at night: the audit has one finding."""
    audit = read(day_and_night(Log(new=new), shown="Tavern Ruffian")).game().audit()
    assert ("disputed", [("front", "back")]) == (audit.verdict, [(one.claimed, one.derived) for one in audit.findings])


@pytest.mark.parametrize("name, claims", [("Tavern Smasher", ["back"]), ("Tavern Ruffian", [])])
def test_face_of_the_dead(name, claims):
    """A werewolf dies at night. If the line about that calls it by its back, the back is claimed; if by its front,
    nothing is."""
    log = Log().turn().creature("Tavern Ruffian", 12).rest().turn().rest().turn().turn()
    found = read(log.say(f"Zone Change: {name} (12) was put into Graveyard from Battlefield.").over())
    assert claims == [event["face"] for event in of(found.events(), "face-claimed")]
    (left,) = of(found.events(), "permanents-left")
    assert {"type": "permanents-left", "permanents": ["12"], "to": "graveyard"} == left
    assert found.game().audit().verdict in ("exact", "unverified")


def test_resolved_as_its_back():
    """A werewolf cast at night is named by its back as it enters: the back is claimed, and right."""
    log = Log().turn().creature("Tavern Ruffian", 12).rest().turn().rest().turn()
    log.put("cast", "Village Watch", 13).resolve("Village Reavers - Creature 5 / 4").rest().turn().over()
    found = read(log)
    assert [("13", "back")] == [(event["permanent"], event["face"]) for event in of(found.events(), "face-claimed")]
    assert "exact" == found.game().audit().verdict


def test_steps():
    """All steps are recorded, in upper or lower case, and in an additional combat; the first strike step is not."""
    log = Log(["Ai(1)-Wolves", "Bo"]).turn().attack("Wolf Token (7)").phase(*AFTER[:3])
    log.phase("Beginning of Combat Step", "declare attackers step", "Declare blockers step", *AFTER).rest()
    found = read(log.turn().over())
    combat = ["beginning-of-combat", "declare-attackers"]
    after = ["combat-damage", "end-of-combat"]
    assert [
        *("untap", "upkeep", "draw", "precombat-main", *combat, *after),
        *(*combat, "declare-blockers", *after, "postcombat-main", "end", "cleanup"),
        *("untap", "upkeep", "draw", "precombat-main"),
    ] == [event["step"] for event in of(found.events(), "step-began")]
    assert not found.report.skipped


def test_the_example():
    """The example file equals the log that these tests make."""
    log = day_and_night(Log(["Ai(1)-Moonlit Wolves", "Ai(2)-Tides"], new=True), shown="Tavern Ruffian")
    log.lines.insert(0, "Simulation mode")
    assert log.bytes() == (Path(__file__).parents[2] / "examples" / "forge" / "game.log").read_bytes()


def test_one_pipe(tmp_path, monkeypatch, capsysbinary):
    """`daynight import x.log | daynight audit -` finds the one wrong face."""
    from daynight.cli.commands import run

    (tmp_path / "x.log").write_bytes(day_and_night(Log(SEATS, new=True), shown="Tavern Ruffian").bytes())
    assert 0 == run(["import", str(tmp_path / "x.log")])
    game, told = capsysbinary.readouterr()
    assert b"forge: 1 game with " in told
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(game)))
    assert 1 == run(["audit", "-", "--json"])
    audit = json.loads(capsysbinary.readouterr()[0])
    assert [("forge", "front", "back")] == [(one["by"], one["claimed"], one["derived"]) for one in audit["findings"]]


def test_abilities():
    """Activated and triggered abilities and failed casts are not recorded as casts, and no line is skipped."""
    log = Log().turn().put("activated", "Opt", 1).put("triggered", "Opt", 2)
    log.say("Add to stack: Opt (3) - [Couldn't add to stack, failed to target] - Draw a card.")
    found = read(log.rest().turn().over())
    assert ([], 0) == (casts(found.events()), found.report.skipped)


def test_names():
    """Names of players and cards may contain commas, apostrophes, brackets and keywords: the casts are right."""
    seats = ("Ai(1)-Who cast (3) stones, played - B3", "Ai(1)-Who", "Ai(3)-Kess's")
    log = Log(seats, new=True).turn().put("cast", "Kilo, Apogee Mind", 1).resolve("Kilo, Apogee Mind - Creature 1 / 3")
    log.rest().turn().put("cast", "Opt", 2, by=seats[0]).put("cast", "Opt", 3).rest()
    log.turn().creature("Wolf and Bear", 4, size="-1 / 0")
    log.attack("Wolf and Bear (4)", "Kilo, Apogee Mind (5)", "Fog (x) (6)", on=seats[1])
    found = read(log.rest().turn().over())
    assert list(seats) == found.events()[0]["players"]
    assert [
        (seats[0], "Kilo, Apogee Mind"), (seats[0], "Opt"), (seats[1], "Opt"), (seats[2], "Wolf and Bear"),
    ] == casts(found.events())  # fmt: skip
    entered = [permanent for event in of(found.events(), "permanents-entered") for permanent in event["permanents"]]
    assert ["Kilo, Apogee Mind", "Wolf and Bear", "Kilo, Apogee Mind", "Fog (x)"] == [each["card"] for each in entered]


@pytest.mark.parametrize("newest_first", [False, True])
@pytest.mark.parametrize("result", [False, True])
def test_two_games(newest_first, result):
    """A second game begins without opening hands, after a first with or without its result: both are complete."""
    first, second = day_and_night(Log()), Log(hands=False).turn("Bo").rest().turn("Ana").over("Bo")
    if not result:
        first.lines = [line for line in first.lines if not line.startswith("Game Result")]
    log = Log(hands=False).say("Simulation mode", *first.lines, *second.lines)
    found = read(log.bytes(newest_first=newest_first))
    assert ["game-1-G1", "game-1-G2"] == [game.name for game in found.games]
    assert [["Ana"], ["Bo"]] == [found.events(number)[-1]["winner"] for number in (0, 1)]
    assert all(game.finished for game in found.games)
    assert read(first).events() == found.events(0)


def test_next_games():
    """A turn of other players begins another game: after a truncated game, with or without opening hands, and after an
    ended game."""
    cut_off = Log().turn().rest().turn()
    players = ["Cy", "Di"]
    for second in (Log(players).turn(), Log(players, hands=False).turn().turn()):
        found = read("\n".join(cut_off.lines + second.lines).encode())
        assert [["Ana", "Bo"], players] == [found.events(number)[0]["players"] for number in (0, 1)]
    over = Log().turn().over(result=False)
    found = read("\n".join(over.lines + Log(["Cy"], hands=False).turn(number=9).lines).encode())
    assert [["Ana", "Bo"], ["Cy"]] == [found.events(number)[0]["players"] for number in (0, 1)]


def test_two_files():
    """Two files give two games, and one without a game is noted; games of the same name get different names."""
    logs = [day_and_night(Log()).bytes(), b"no game here\n", Log().turn().over().bytes()]
    found = read(*logs)
    assert ["game-1-G1", "game-3-G1"] == [game.name for game in found.games]
    assert 1 == found.kinds["empty"]
    running = Import(IMPORTER)
    names = [game.name for game in running.games(Source("x.log", io.BytesIO(logs[0]), number=n) for n in (1, 2))]
    assert ["x-G1", "x-G1-2"] == names


def test_ends():
    """The lines about the outcome name the winner; a draw, a stopped game and contradictory lines give none."""
    draw = Log().turn().rest().turn().say("Game Outcome: Ana has accepted that the game is a draw")
    draw.say("Game Result: Game 1 ended in a Draw! Took 5 ms.")
    stopped = Log().turn().rest().turn()
    stopped.lines.insert(0, "Stopping slow match as draw")
    stopped.say(*(f"Game Outcome: {player} has won because all opponents have lost" for player in ("Ana", "Bo")))
    stopped.say("Game Result: Game 1 ended in 90000 ms. Ana has won!")
    lines = stopped.lines
    unstopped = Log(hands=False).say(*(line for line in lines if not line.startswith("Stopping")))
    lone = Log(hands=False).say(*(line for line in lines if "Bo has won" not in line))
    conceded = Log().turn().say("Game Outcome: Ana has conceded", "Game Outcome: Bo has won because x")
    conceded.say("Match Result: x")
    for log, winner in ((draw, None), (stopped, None), (unstopped, None), (lone, None), (conceded, ["Bo"])):
        assert winner == read(log).events()[-1].get("winner")
    three = Log(["Ana", "Bo", "Cy"]).turn().rest().turn().creature("Bear", 1).rest().turn().over("Cy")
    assert [
        {"type": "player-left", "player": "Ana"}, {"type": "permanents-left", "permanents": ["1"]},
        {"type": "player-left", "player": "Bo"}, {"type": "game-ended", "winner": ["Cy"]},
    ] == read(three).events()[-4:]  # fmt: skip
    assert "player-left" not in read(conceded).tags()


def test_silent():
    """A log without a turn, as the simulator's -q prints it, raises UnreadableError with advice."""
    for data in (Log(hands=False).over().bytes(), b"", b"Turn: Turn x (Ana)\n"):
        with pytest.raises(UnreadableError, match=r"no turn in this log; run Forge's simulator without -q"):
            read(data)
    assert [] == list(Import(IMPORTER).games([]))


@pytest.mark.parametrize("head", [
    day_and_night(Log()).bytes(), day_and_night(Log(SEATS, new=True)).bytes(newest_first=True),
    Log(hands=False).over().bytes(),
    b"15:53:32 [INFO ] GuiBase: APP: Forge v.2.0.14-SNAPSHOT-08.08\n" + b"Read cards: 33617\n" * 9,
    b"\r\n\r\nPhase: Ana's Untap step\r\n", b"Add to stack: Ana activated Fog (1)\n",
])  # fmt: skip
def test_detect(head):
    """Forge's format is recognised by its own lines."""
    assert "forge" == detected(head).name


def test_detect_no_other():
    """Arena's log, a record, daynight's notation and prose about a turn are not recognised as Forge's log."""
    arena = ArenaLog()
    arena_day_and_night(ArenaGame(arena))
    assert "arena" == detected(arena.bytes()).name
    assert not importer("arena").detect(day_and_night(Log()).bytes())
    assert "notation" == detected(b"game g1\nplayers Ana, Bo\nturn 1 Ana\n  Ana casts Opt\n").name
    for head in (b"", b'{"type": "game-started"}\n', b"He said: Turn: Turn 1 (Ana)\n", b"Turn 1: Ana\nPhase: two\n"):
        assert not detect(head)
