"""Forge's text log: what is read, in which order, and what is said to be missing.

| promise | test |
| --- | --- |
| turns, steps, lands, casts, arrivals and the end, as the lines state them, each with its line | test_a_game |
| older and newer logs, the oldest or the newest line first: the same game | test_the_same_game, test_blank_lines |
| the name of the face that is up is a claim; a wrong one is found, a right one agrees | test_faces, test_wrong_face |
| what enters at night may be told by its back's name, as it enters | test_resolved_as_its_back |
| in the graveyard a card has its front's name: that claims nothing, its back's name does | test_face_of_the_dead |
| `first strike damage step` is no step of the contract | test_steps |
| one command from the log to its audit | test_one_pipe |
| copies are called casts, and make the tally uncertain | test_storm, test_twincast, test_untold_copy |
| casts that are no copies stay casts | test_no_copies |
| a copy can make the difference between day and night, and both are carried along | test_copies_are_carried_along |
| activated and triggered abilities are no casts | test_abilities |
| names of players and cards may be anything | test_names |
| several games in a file, and in several files | test_two_games, test_two_files |
| what is cut off at either end, or in the middle, is said | test_truncated, test_joined, test_gap |
| a card's number that is told late is that of the permanent; which of several players' is not guessed | test_numbers |
| what acts is there: late, and told as late; tokens without a word | test_late |
| where that leaves open what it was before, the game is taken up in that turn | test_taken_up, test_effects |
| a number that is cast or played again left before, unsaid; who attacks with it controls it | test_moved |
| effects that say so make it day or night; conditions that are not told are warned of | test_effects, test_conditions |
| who won; a draw and a stopped game have no winner; in a larger game those who lost have left | test_ends |
| nothing to read is an error that says what to do | test_silent |
| other lines are passed over, bad ones are named | test_other_lines |
| a format is known by its content, and is no other's | test_detect, test_detect_no_other |
"""

from __future__ import annotations

import io
import json

import pytest

from daynight.cards import bundled
from daynight.cli.logs import known_of
from daynight.events.codec import decode, encode
from daynight.events.errors import UnreadableError
from daynight.game import Game
from daynight.importers.forge import IMPORTER, detect
from daynight.importers.importing import Import
from daynight.importers.registry import detected, importer
from daynight.importers.sources import Source
from tests.importers.arena_logs import Game as ArenaGame
from tests.importers.arena_logs import Log as ArenaLog
from tests.importers.arena_logs import day_and_night as arena_day_and_night
from tests.importers.conftest import Read
from tests.importers.forge_logs import AFTER, Log, day_and_night

SEATS = ("Ai(1)-Moon, and Back - Wolves", "Ai(2)-Kess' Papers")


def read(*logs, strict=False):
    """Read logs; each game is held against the strict reader and the referee."""
    running = Import(IMPORTER, known_of(bundled(), None), strict=strict)
    data = [log if isinstance(log, bytes) else log.bytes() for log in logs]
    sources = (Source(f"logs/game-{number}.log", io.BytesIO(log), number=number) for number, log in enumerate(data, 1))
    games = list(running.games(sources))
    for game in games:
        again = [decode(encode(event)) for event in game.events]
        assert game.events == again
        Game(again)
    return Read(games, running.report)


def of(events, *types):
    return [event for event in events if event["type"] in types]


def casts(events):
    return [(event["player"], event["card"]) for event in of(events, "spell-cast")]


def changes(game):
    return [(change["turn"], change["became"]) for change in game.document()["changes"]]


def test_a_game():
    """Event by event, up to turn 3; nothing is missing, so that a strict import takes it."""
    found = read(day_and_night(Log()), strict=True)
    steps = [{"type": "step-began", "step": step} for step in ("untap", "upkeep", "draw", "precombat-main")]
    end = [{"type": "step-began", "step": step} for step in ("end", "cleanup")]
    assert [
        {"type": "game-started", "format": 1, "game": "game-1-G1", "players": ["Ana", "Bo"]},
        {"type": "turn-began", "turn": 1, "active": ["Ana"]},
        *steps,
        {"type": "permanents-entered", "permanents": [{"id": "1", "card": "Forest", "controller": "Ana"}]},
        *end,
        {"type": "turn-began", "turn": 2, "active": ["Bo"]},
        *steps,
        {"type": "permanents-entered", "permanents": [{"id": "51", "card": "Island", "controller": "Bo"}]},
        {"type": "spell-cast", "player": "Bo", "card": "Opt"},
        *end,
        {"type": "turn-began", "turn": 3, "active": ["Ana"]},
        *steps,
        {"type": "permanents-entered", "permanents": [{"id": "2", "card": "Mountain", "controller": "Ana"}]},
        {"type": "spell-cast", "player": "Ana", "card": "Tavern Ruffian"},
        {"type": "permanents-entered", "permanents": [{"id": "12", "card": "Tavern Ruffian", "controller": "Ana"}]},
        *end,
    ] == found.events()[:28]
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
    """Changes, tallies and verdict are those of the older log whose oldest line is the first."""
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
    """A log that was copied with a blank line after each."""
    data = day_and_night(Log()).bytes(newest_first=True).replace(b"\n", b"\r\n\r\n")
    assert read(day_and_night(Log())).events()[1:] == read(data).events()[1:]


def test_faces():
    """One claim for a turn and a face, by forge, where the line stands; it agrees."""
    found = read(day_and_night(Log()))
    assert [{"type": "face-claimed", "permanent": "12", "face": "back", "by": "forge"}] == of(
        found.events(), "face-claimed"
    )
    assert "exact" == found.game().audit().verdict


@pytest.mark.parametrize("new", [False, True])
def test_wrong_face(new):
    """At night it is shown by day's name."""
    game = read(day_and_night(Log(new=new), shown="Tavern Ruffian")).game()
    audit = game.audit()
    assert ("disputed", [("front", "back")]) == (
        audit.verdict,
        [(finding.claimed, finding.derived) for finding in audit.findings],
    )


@pytest.mark.parametrize("name, claims", [("Tavern Smasher", ["back"]), ("Tavern Ruffian", [])])
def test_face_of_the_dead(name, claims):
    """It dies at night; nothing else names it."""
    log = Log().turn().creature("Tavern Ruffian", 12).rest().turn().rest().turn().turn()
    found = read(log.say(f"Zone Change: {name} (12) was put into Graveyard from Battlefield.").over())
    assert claims == [event["face"] for event in of(found.events(), "face-claimed")]
    assert [{"type": "permanents-left", "permanents": ["12"], "to": "graveyard"}] == of(
        found.events(), "permanents-left"
    )
    assert found.game().audit().verdict in ("exact", "unverified")


def test_resolved_as_its_back():
    """Cast at night it enters as what it is then; the line may call it so."""
    log = Log().turn().creature("Tavern Ruffian", 12).rest().turn().rest().turn()
    log.put("cast", "Village Watch", 13).resolve("Village Reavers - Creature 5 / 4").rest().turn().over()
    found = read(log)
    assert [("13", "back")] == [(event["permanent"], event["face"]) for event in of(found.events(), "face-claimed")]
    assert "exact" == found.game().audit().verdict


def test_steps():
    """All of them, whatever the case of their letters; extra combats too."""
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


def test_one_pipe(tmp_path, monkeypatch, capsysbinary):
    """`daynight import x.log | daynight audit -`: the planted claim is found."""
    from daynight.cli.commands import run

    (tmp_path / "x.log").write_bytes(day_and_night(Log(SEATS, new=True), shown="Tavern Ruffian").bytes())
    assert 0 == run(["import", str(tmp_path / "x.log")])
    game, told = capsysbinary.readouterr()
    assert b"forge: 1 game with " in told
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(game)))
    assert 1 == run(["audit", "-", "--json"])
    audit = json.loads(capsysbinary.readouterr()[0])
    assert [("forge", "front", "back", "Tavern Ruffian")] == [
        (finding["by"], finding["claimed"], finding["derived"], "Tavern Ruffian") for finding in audit["findings"]
    ]


def storm(new):
    """One spell, then one with storm: the original, its trigger, and its copy, which is called cast."""
    log = Log(new=new).turn().creature("Tavern Ruffian", 12).rest().turn()
    log.put("cast", "Opt", 60).resolve("Opt (60) - Draw a card.")
    log.put("cast", "Moonbolt", 61, target="Ana").put("triggered", "Moonbolt", 61, mana=0)
    log.put("cast", "Moonbolt", 62, target="Ana", mana=0)
    log.resolve("Storm (When you cast this spell, copy it for each spell cast before it this turn.) [Amount: 1]")
    log.resolve("Moonbolt (62) - Moonbolt deals 1 damage to Ana. (Targeting: [Ana])")
    return log.resolve("Moonbolt (61) - Moonbolt deals 1 damage to Ana. (Targeting: [Ana])").rest().turn().over()


@pytest.mark.parametrize("new", [False, True])
@pytest.mark.parametrize("newest_first", [False, True])
def test_storm(new, newest_first):
    """Two are casts for certain, the third may be none; where it stands in the log, and warned of."""
    found = read(storm(new).bytes(newest_first=newest_first))
    assert [("Ana", "Tavern Ruffian"), ("Bo", "Opt"), ("Bo", "Moonbolt")] == casts(found.events())
    assert [{"type": "spells-uncertain", "player": "Bo", "at_least": 0, "at_most": 1}] == of(
        found.events(), "spells-uncertain"
    )
    assert 1 == found.kinds["copies"]
    (doubt,) = [event for event in found.games[0].events if getattr(event, "at_most", None) == 1]
    lines = storm(new).bytes(newest_first=newest_first).decode().split("\n")
    assert "cast Moonbolt" in lines[doubt.meta["source"]["line"] - 1]
    assert "doubtful" == doubt.meta["source"]["confidence"]


def test_copies_are_carried_along():
    """At night, one cast and one perhaps: it may be day or night after it."""
    log = Log().turn().creature("Tavern Ruffian", 12).rest().turn().rest().turn()
    log.put("cast", "Moonbolt", 13).put("triggered", "Echo Stone", 14, mana=0).put("cast", "Moonbolt", 90, mana=0)
    log.resolve("Whenever you cast an instant or sorcery spell, copy that spell.").rest().turn()
    game = read(log).game()
    assert ["day", "night"] == game.document()["possible"]


def test_twincast():
    """The copying spell is a cast, what it copied was one, and the copy is not certain to be."""
    log = Log().turn().put("cast", "Moonbolt", 1).put("cast", "Twinned Moons", 2, target="Moonbolt (1)")
    log.put("cast", "Moonbolt", 77, mana=0).resolve("Twinned Moons (2) - Copy Moonbolt (1).")
    found = read(log.rest().turn().over())
    assert [("Ana", "Moonbolt"), ("Ana", "Twinned Moons")] == casts(found.events())
    assert 1 == len(of(found.events(), "spells-uncertain"))


def test_untold_copy():
    """The same spell again with nothing resolved between and no mana made: not certain, whatever the text says."""
    log = Log().turn().put("cast", "Moonbolt", 1).put("cast", "Moonbolt", 2, mana=0).resolve("")
    found = read(log.rest().turn().over())
    assert (1, 1) == (len(casts(found.events())), len(of(found.events(), "spells-uncertain")))


def test_no_copies():
    """The same spell twice, paid twice; a spell cast by another; a text that copies nothing that was cast."""
    log = Log().turn().put("cast", "Moonbolt", 1).put("cast", "Moonbolt", 2).resolve("Moonbolt deals 2 damage.")
    log.phase("Main phase, postcombat").put("cast", "Falling", 3).put("triggered", "Falling", 3, mana=0)
    log.put("cast", "Opt", 4, mana=0).resolve("Cascade (Exile cards until you exile a nonland card. Cast it.)")
    log.put("activated", "Mirror", 5).resolve("Mirror (5) - Create a token that's a copy of Falling.")
    log.put("cast", "Opt", 6, mana=0).resolve("Opt (6) - Draw a card.").rest()
    log.turn("Ana").put("cast", "Moonbolt", 7, mana=0)
    found = read(log.resolve("Moonbolt (7) - It copies nothing of this turn.").rest().turn("Bo").over())
    assert ["Moonbolt", "Moonbolt", "Falling", "Opt", "Opt", "Moonbolt"] == [
        card for _player, card in casts(found.events())
    ]
    assert [] == of(found.events(), "spells-uncertain")


def test_abilities():
    """Neither is a cast, and what failed to be put there is none."""
    log = Log().turn().put("activated", "Opt", 1).put("triggered", "Opt", 2)
    log.say("Add to stack: Opt (3) - [Couldn't add to stack, failed to target] - Draw a card.")
    found = read(log.rest().turn().over())
    assert ([], 0) == (casts(found.events()), found.report.skipped)


def test_names():
    """Seats of the simulator, with commas, apostrophes, brackets and our own words in them."""
    seats = ("Ai(1)-Who cast (3) stones, played - B3", "Ai(1)-Who", "Ai(3)-Kess's")
    log = Log(seats, new=True).turn().put("cast", "Kilo, Apogee Mind", 1).resolve("Kilo, Apogee Mind - Creature 1 / 3")
    log.rest().turn().put("cast", "Opt", 2, by=seats[0]).put("cast", "Opt", 3).rest()
    log.turn().creature("Wolf and Bear", 4, size="-1 / 0")
    log.attack("Wolf and Bear (4)", "Kilo, Apogee Mind (5)", "Fog (x) (6)", on=seats[1])
    found = read(log.rest().turn().over())
    assert list(seats) == found.events()[0]["players"]
    assert [
        (seats[0], "Kilo, Apogee Mind"),
        (seats[0], "Opt"),
        (seats[1], "Opt"),
        (seats[2], "Wolf and Bear"),
    ] == casts(found.events())
    entered = [permanent for event in of(found.events(), "permanents-entered") for permanent in event["permanents"]]
    assert ["Kilo, Apogee Mind", "Wolf and Bear", "Kilo, Apogee Mind", "Fog (x)"] == [each["card"] for each in entered]


@pytest.mark.parametrize("newest_first", [False, True])
@pytest.mark.parametrize("result", [False, True])
def test_two_games(newest_first, result):
    """The next begins with its hands, or at once with its first turn."""
    first, second = day_and_night(Log()), Log(hands=False).turn("Bo").rest().turn("Ana").over("Bo")
    if not result:
        first.lines = [line for line in first.lines if not line.startswith("Game Result")]
    log = Log(hands=False).say("Simulation mode", *first.lines, *second.lines)
    found = read(log.bytes(newest_first=newest_first))
    assert ["game-1-G1", "game-1-G2"] == [game.name for game in found.games]
    assert [["Ana"], ["Bo"]] == [found.events(number)[-1]["winner"] for number in (0, 1)]
    assert all(game.finished for game in found.games)
    assert read(first).events() == found.events(0)


def test_two_files():
    """Each has a game; the same name of two files is told apart."""
    logs = [day_and_night(Log()).bytes(), b"no game here\n", Log().turn().over().bytes()]
    found = read(*logs)
    assert ["game-1-G1", "game-3-G1"] == [game.name for game in found.games]
    assert 1 == found.kinds["empty"]
    running = Import(IMPORTER)
    names = [game.name for game in running.games(Source("x.log", io.BytesIO(logs[0]), number=n) for n in (1, 2))]
    assert ["x-G1", "x-G1-2"] == names


def test_truncated():
    """Cut in a turn, or within a line; the next game is another."""
    log = day_and_night(Log())
    whole = log.bytes()
    found = read(whole[: whole.index(b"Turn: Turn 6") - 7])
    assert 1 == found.kinds["truncated"]
    assert not found.games[0].finished
    assert found.events() == read(log).events()[: len(found.events())]
    both = read(whole[: whole.index(b"Turn: Turn 6")] + whole)
    assert ([True, True], 1) == ([game.finished for game in both.games], both.kinds["truncated"])


def test_joined():
    """A log that begins in turn 4: any designation is possible; what stands before that turn is nobody's."""
    log = day_and_night(Log())
    at = log.lines.index("Turn: Turn 4 (Bo)")
    found = read("\n".join(log.lines[at - 4 :]).encode())
    assert {"type": "game-joined", "possible": ["neither", "day", "night"]} == found.events()[1]
    assert ["Bo", "Ana"] == found.events()[0]["players"]
    assert 1 == found.kinds["joined"]
    assert found.game().audit().verdict == "unverified"


def test_gap():
    """Turn 4 is missing: whether anybody cast in it is not known, and so neither is night."""
    log = day_and_night(Log())
    lines = log.lines
    cut = lines[: lines.index("Turn: Turn 4 (Bo)")] + lines[lines.index("Turn: Turn 5 (Ana)") :]
    found = read("\n".join(cut).encode())
    assert 1 == found.kinds["gap"]
    assert 4 == len(of(found.events(), "spells-uncertain"))
    assert "unverified" == found.game().audit().verdict
    assert "exact" == read(log).game().audit().verdict


def test_numbers():
    """Of two alike either may be meant; of two players' neither is taken; the attack tells."""
    log = Log(new=True).turn().creature("Bear", 1).creature("Bear", 2).rest().turn().creature("Bear", 3)
    gone = "Zone Change: Bear (9) was put into Exile from Battlefield."
    found = read(log.say(gone).rest().turn().over())
    assert ([], 1) == (of(found.events(), "permanents-left"), found.kinds["which"])
    log = Log(new=True).turn().creature("Bear", 1).creature("Bear", 2).rest().turn().creature("Bear", 3)
    log.attack("Bear (9)").say(gone, "Zone Change: Bear (8) was put into Graveyard from Battlefield.")
    found = read(log.rest().turn().over())
    assert [["#3"], ["#1"]] == [event["permanents"] for event in of(found.events(), "permanents-left")]
    assert "which" not in found.kinds


def test_late():
    """A reanimated card is warned of, a token is not; a departure of what never was there says nothing."""
    log = Log().turn().attack("Wolf Token (400)", "Tavern Ruffian (12)")
    log.say("Zone Change: Rat Token (401) was put into Graveyard from Battlefield.")
    log.say("Combat: Bo assigned Wall (50) to block Wolf Token (400).", "Bo didn't block Tavern Ruffian (12).")
    found = read(log.rest().turn().over())
    entered = [permanent for event in of(found.events(), "permanents-entered") for permanent in event["permanents"]]
    assert [
        {"id": "400", "card": "Wolf", "controller": "Ana", "token": True},
        {"id": "12", "card": "Tavern Ruffian", "controller": "Ana"},
        {"id": "50", "card": "Wall", "controller": "Bo"},
    ] == entered
    confidences = {
        event.meta["source"]["confidence"] for event in found.games[0].events if hasattr(event, "permanents")
    }
    assert ({"inferred"}, 2) == (confidences, found.kinds["late"])
    assert [(1, "day"), (2, "night")] == changes(found.game())


def test_taken_up():
    """A werewolf that is seen first in turn 5 may have made it day long before: nobody is accused on half a log."""
    log = Log().turn().creature("Bear", 1).rest().turn().rest().turn().rest().turn().rest()
    log.turn().land("Forest", 2).attack("Bear (1)", "Tavern Smasher (12)").rest().turn().rest()
    found = read(log.turn().attack("Tavern Smasher (12)").over())
    assert ["game-started", "game-joined", "permanents-entered", "turn-began"] == found.tags()[:4]
    assert [5, 6, 7] == [event["turn"] for event in of(found.events(), "turn-began")]
    assert (1, 1) == (found.kinds["taken-up"], found.kinds["late"])
    game = found.game()
    assert ("night", "exact") == (game.document()["designation"], game.audit().verdict)


def test_moved():
    """Returned to its hand and cast again; and taken over by the one who attacks with it."""
    log = Log().turn().creature("Bear", 1).land("Forest", 5).creature("Bear", 1).land("Forest", 5).rest()
    found = read(log.turn().attack("Bear (1)").rest().turn().over())
    assert ["spell-cast", "permanents-entered", "permanents-entered", "permanents-left", "spell-cast"] == [
        tag for tag in found.tags() if tag in ("spell-cast", "permanents-entered", "permanents-left")
    ][:5]
    assert [{"type": "control-changed", "permanents": ["1"], "controller": "Bo"}] == of(
        found.events(), "control-changed"
    )


@pytest.mark.parametrize(
    "text, becomes",
    [
        ("Unnatural Moonrise (9) - It becomes night. Until end of turn, target creature gets +1/+0.", "night"),
        ("It becomes day.", "day"),
        ("The Celestus (9) - if it’s night, it becomes day. Otherwise, it becomes night.", "switch"),
        ("The Celestus (9) - If it's night, it becomes day. Otherwise, it becomes night.", "switch"),
        ("Scry 1. It becomes night.", "night"),
        ("At the beginning of your upkeep, if you control three or more Wolves, it becomes night.", None),
        ("You may sacrifice a creature. If you do, it becomes night.", None),
        ("Whenever day becomes night or night becomes day, draw a card.", ""),
        ("If it's neither day nor night, it becomes day as this creature enters.", ""),
    ],
)
def test_effects(text, becomes):
    """Stated, depending on what is not told, or no such thing."""
    log = Log().turn().put("cast", "Unnatural Moonrise", 9).resolve(text)
    found = read(log.rest().turn().over())
    assert [becomes] * bool(becomes) == [event["becomes"] for event in of(found.events(), "effect-resolved")]
    assert (becomes is None) == ("effect" in found.kinds) == ("game-joined" in found.tags())


@pytest.mark.parametrize("response", [False, True])
def test_conditions(response):
    """A condition that held when it triggered still holds where nothing happened in between."""
    log = Log().turn().put("triggered", "Tovolar, Dire Overlord", 9, mana=0)
    if response:
        log.put("cast", "Opt", 10, by="Bo").resolve("Opt (10) - Draw a card.")
    log.resolve("At the beginning of your upkeep, if you control three or more Wolves, it becomes night. Then rest.")
    found = read(log.rest().turn().over())
    assert ["night"] * (not response) == [event["becomes"] for event in of(found.events(), "effect-resolved")]
    assert response == ("effect" in found.kinds)


def test_ends():
    """By the lines of the outcome."""
    draw = Log().turn().rest().turn().say("Game Outcome: Ana has accepted that the game is a draw")
    draw.say("Game Result: Game 1 ended in a Draw! Took 5 ms.")
    stopped = Log().turn().rest().turn()
    stopped.lines.insert(0, "Stopping slow match as draw")
    stopped.say(*(f"Game Outcome: {player} has won because all opponents have lost" for player in ("Ana", "Bo")))
    stopped.say("Game Result: Game 1 ended in 90000 ms. Ana has won!")
    conceded = (
        Log().turn().say("Game Outcome: Ana has conceded", "Game Outcome: Bo has won because x", "Match Result: x")
    )
    for log, winner in ((draw, None), (stopped, None), (conceded, ["Bo"])):
        assert winner == read(log).events()[-1].get("winner")
    three = Log(["Ana", "Bo", "Cy"]).turn().rest().turn().creature("Bear", 1).rest().turn().over("Cy")
    assert [
        {"type": "player-left", "player": "Ana"},
        {"type": "permanents-left", "permanents": ["1"]},
        {"type": "player-left", "player": "Bo"},
        {"type": "game-ended", "winner": ["Cy"]},
    ] == read(three).events()[-4:]
    assert "player-left" not in read(conceded).tags()


def test_silent():
    """The outcome alone, as the simulator's -q prints it; nothing at all."""
    for data in (Log(hands=False).over().bytes(), b"", b"Turn: Turn x (Ana)\n"):
        with pytest.raises(UnreadableError, match=r"no turn in this log; run Forge's simulator without -q"):
            read(data)
    assert [] == list(Import(IMPORTER).games([]))


def test_other_lines():
    """What a program says besides; and turns, steps and spells that can't be read."""
    log = Log().say("12:41:52 [INFO ] GuiBase: APP: Forge v.2.0.14", "The card Fog was not assigned to any set.")
    log.turn().say("Land: Echo Stone effect's value for Echo Stone (9) is Ana picked B", "java.lang.Exception: x")
    log.say("Zone Change: Send countered spell to Graveyard", "Player Control: Ana has restored control over themself")
    assert 0 == read(log.over()).report.skipped
    for bad in (
        "Turn: Turn 7",
        "Phase: Ana's Étape de dégagement",
        "Add to stack: Nobody cast Opt (1)",
        "Land: Ana played Fog",
    ):
        found = read(Log().turn().say(bad).rest().over())
        assert (1, 1) == (found.report.skipped, len(found.games))


@pytest.mark.parametrize(
    "head",
    [
        day_and_night(Log()).bytes(),
        day_and_night(Log(SEATS, new=True)).bytes(newest_first=True),
        Log(hands=False).over().bytes(),
        b"15:53:32 [INFO ] GuiBase: APP: Forge v.2.0.14-SNAPSHOT-08.08\n" + b"Read cards: 33617\n" * 9,
        b"\r\n\r\nPhase: Ana's Untap step\r\n",
        b"Add to stack: Ana activated Fog (1)\n",
    ],
)
def test_detect(head):
    """By its own lines, and by nobody else's."""
    assert "forge" == detected(head).name


def test_detect_no_other():
    """Arena's log, a record, notes for people, prose about a turn."""
    arena = ArenaLog()
    arena_day_and_night(ArenaGame(arena))
    assert "arena" == detected(arena.bytes()).name
    assert not importer("arena").detect(day_and_night(Log()).bytes())
    notation = b"game g1\nplayers Ana, Bo\nturn 1 Ana\n  Ana casts Opt\n"
    assert "notation" == detected(notation).name
    for head in (b"", b'{"type": "game-started"}\n', b"He said: Turn: Turn 1 (Ana)\n", b"Turn 1: Ana\nPhase: two\n"):
        assert not detect(head)
