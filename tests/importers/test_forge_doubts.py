"""Forge's text log: facts that it leaves open, and the warnings about them.

| promise | test |
| --- | --- |
| copies that are called casts make the tally uncertain | test_storm, test_twincast, test_copy_of_an_earlier_turn |
| a spell that is repeated without payment makes the tally uncertain | test_untold_copy |
| casts that are no copies stay casts | test_no_copies |
| if an uncertain copy decides between day and night, both are possible | test_copies_are_carried_along |
| missing parts at either end or in the middle are reported | test_truncated, test_joined, test_gap |
| a number given late belongs to the player's card; if several players have such a card, to none | test_numbers |
| a permanent that fights without having entered gets a warning, except for tokens | test_late |
| if a late card or an effect leaves the past open, the record begins in that turn | test_taken_up, test_effects |
| a card cast or played again had left before; an attacker's player controls it | test_moved |
| stated effects make it day or night; unknown conditions get a warning | test_effects, test_conditions |
| other lines are ignored, invalid ones named | test_other_lines |
| an unknown kind of line about day or night is reported once | test_new_lines |
"""

import pytest

from tests.importers.forge_logs import Log, day_and_night
from tests.importers.forge_reading import casts, changes, of, read


def storm(new):
    """Return a log: one spell, then another with storm, its trigger, and its copy, which the log calls a cast."""
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
    """Both spells are casts; the copy is an uncertain cast, marked `doubtful`, with its own line and a warning."""
    found = read(storm(new).bytes(newest_first=newest_first))
    assert [("Ana", "Tavern Ruffian"), ("Bo", "Opt"), ("Bo", "Moonbolt")] == casts(found.events())
    (doubt,) = of(found.events(), "spells-uncertain")
    assert {"type": "spells-uncertain", "player": "Bo", "at_least": 0, "at_most": 1} == doubt
    assert 1 == found.kinds["copies"]
    (doubt,) = [event for event in found.games[0].events if getattr(event, "at_most", None) == 1]
    lines = storm(new).bytes(newest_first=newest_first).decode().split("\n")
    assert "cast Moonbolt" in lines[doubt.meta["source"]["line"] - 1]
    assert "doubtful" == doubt.meta["source"]["confidence"]


def test_copies_are_carried_along():
    """At night there is one cast and perhaps a second: afterwards both day and night are possible."""
    log = Log().turn().creature("Tavern Ruffian", 12).rest().turn().rest().turn()
    log.put("cast", "Moonbolt", 13).put("triggered", "Echo Stone", 14, mana=0).put("cast", "Moonbolt", 90, mana=0)
    log.resolve("Whenever you cast an instant or sorcery spell, copy that spell.").rest().turn()
    assert ["day", "night"] == read(log).game().document()["possible"]


def test_twincast():
    """The copying spell and the original are casts; the copy, which the log calls a cast, is uncertain."""
    log = Log().turn().put("cast", "Moonbolt", 1).put("cast", "Twinned Moons", 2, target="Moonbolt (1)")
    log.put("cast", "Moonbolt", 77).resolve("Twinned Moons (2) - Copy Moonbolt (1).")
    found = read(log.rest().turn().over())
    assert [("Ana", "Moonbolt"), ("Ana", "Twinned Moons")] == casts(found.events())
    assert 1 == len(of(found.events(), "spells-uncertain"))


def test_copy_of_an_earlier_turn():
    """An ability copies a spell of an earlier turn, and the log calls the copy a cast: it is uncertain."""
    log = Log().turn().put("cast", "Endless Moons", 1).resolve("Endless Moons (1) - Draw a card.").rest().turn().rest()
    log.turn().put("triggered", "Endless Moons", 1, mana=0).put("cast", "Endless Moons", 70, mana=0)
    found = read(log.resolve("At the beginning of your upkeep, copy this spell.").rest().turn().over())
    assert (1, 1) == (len(casts(found.events())), len(of(found.events(), "spells-uncertain")))


def test_untold_copy():
    """The same spell is cast again without payment before anything resolves: it is uncertain, without a line about
    copies."""
    log = Log().turn().put("cast", "Moonbolt", 1).put("cast", "Moonbolt", 2, mana=0).resolve("")
    found = read(log.rest().turn().over())
    assert (1, 1) == (len(casts(found.events())), len(of(found.events(), "spells-uncertain")))


def test_no_copies():
    """These are casts: a spell that is cast and paid twice, and unpaid spells after a line that copies no spell."""
    log = Log().turn().put("cast", "Moonbolt", 1).put("cast", "Moonbolt", 2).resolve("Moonbolt deals 2 damage.")
    log.phase("Main phase, postcombat").put("cast", "Falling", 3).put("triggered", "Falling", 3, mana=0)
    log.put("cast", "Opt", 4, mana=0).resolve("Cascade (Exile cards until you exile a nonland card. Cast it.)")
    log.put("activated", "Mirror", 5).resolve("Mirror (5) - Create a token that's a copy of Falling.")
    log.put("cast", "Opt", 6, mana=0).resolve("Opt (6) - Draw a card.").rest()
    log.turn("Ana").put("cast", "Moonbolt", 7, mana=0)
    found = read(log.resolve("Moonbolt (7) - It copies nothing of this turn.").rest().turn("Bo").over())
    assert ["Moonbolt", "Moonbolt", "Falling", "Opt", "Opt", "Moonbolt"] == [one[1] for one in casts(found.events())]
    assert [] == of(found.events(), "spells-uncertain")


def test_truncated():
    """A log that ends within turn 5 gives the events up to there and a warning; a next game in it is complete."""
    log = day_and_night(Log())
    whole = log.bytes()
    found = read(whole[: whole.index(b"Turn: Turn 6") - 7])
    assert 1 == found.kinds["truncated"]
    assert not found.games[0].finished
    assert found.events() == read(log).events()[: len(found.events())]
    both = read(whole[: whole.index(b"Turn: Turn 6")] + whole)
    assert ([True, True], 1) == ([game.finished for game in both.games], both.kinds["truncated"])


def test_joined():
    """A log begins in turn 4: the record says so, day, night and neither are possible, and nothing is verified."""
    log = day_and_night(Log())
    found = read("\n".join(log.lines[log.lines.index("Turn: Turn 4 (Bo)") - 4 :]).encode())
    assert {"type": "game-joined", "possible": ["neither", "day", "night"]} == found.events()[1]
    assert (["Bo", "Ana"], 1) == (found.events()[0]["players"], found.kinds["joined"])
    assert found.game().audit().verdict == "unverified"


def test_gap():
    """Turn 4 is missing: spells are uncertain, a warning reports the gap, and the audit verifies nothing."""
    log = day_and_night(Log())
    lines = log.lines
    cut = lines[: lines.index("Turn: Turn 4 (Bo)")] + lines[lines.index("Turn: Turn 5 (Ana)") :]
    found = read("\n".join(cut).encode())
    assert 1 == found.kinds["gap"]
    assert 4 == len(of(found.events(), "spells-uncertain"))
    assert "unverified" == found.game().audit().verdict
    assert "exact" == read(log).game().audit().verdict


def test_numbers():
    """A number that first comes in a later line is given to any of a player's equal cards. If several players have
    such a card, the line is left out with a warning; if the card attacks, it is the active player's."""
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
    """A card that attacks or blocks without having entered is recorded as entering, with a warning; a token is recorded
    as entering without a warning."""
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
    sure = {event.meta["source"]["confidence"] for event in found.games[0].events if hasattr(event, "permanents")}
    assert ({"inferred"}, 2) == (sure, found.kinds["late"])
    assert [(1, "day"), (2, "night")] == changes(found.game())


def test_taken_up():
    """A werewolf first seen in turn 5 may have made it day long before: the record begins there, without a finding."""
    log = Log().turn().creature("Bear", 1).rest().turn().rest().turn().rest().turn().rest()
    log.turn().land("Forest", 2).attack("Bear (1)", "Tavern Smasher (12)").rest().turn().rest()
    found = read(log.turn().attack("Tavern Smasher (12)").over())
    assert ["game-started", "game-joined", "permanents-entered", "turn-began"] == found.tags()[:4]
    assert [5, 6, 7] == [event["turn"] for event in of(found.events(), "turn-began")]
    assert (1, 1) == (found.kinds["taken-up"], found.kinds["late"])
    game = found.game()
    assert ("night", "exact") == (game.document()["designation"], game.audit().verdict)
    log = Log().turn().rest().turn().rest().turn().attack("Tavern Ruffian Token (88)").rest()
    assert "game-joined" in read(log.turn().over()).tags()


def test_moved():
    """A card that is cast again has left before; a permanent that another player attacks with has changed control."""
    log = Log().turn().creature("Bear", 1).land("Forest", 5).creature("Bear", 1).land("Forest", 5).rest()
    found = read(log.turn().attack("Bear (1)").rest().turn().over())
    assert ["spell-cast", "permanents-entered", "permanents-entered", "permanents-left", "spell-cast"] == [
        tag for tag in found.tags() if tag in ("spell-cast", "permanents-entered", "permanents-left")
    ][:5]
    (change,) = of(found.events(), "control-changed")
    assert {"type": "control-changed", "permanents": ["1"], "controller": "Bo"} == change


@pytest.mark.parametrize("text, becomes", [
    ("Unnatural Moonrise (9) - It becomes night. Until end of turn, target creature gets +1/+0.", "night"),
    ("It becomes day.", "day"),
    ("The Celestus (9) - if it’s night, it becomes day. Otherwise, it becomes night.", "switch"),
    ("The Celestus (9) - If it's night, it becomes day. Otherwise, it becomes night.", "switch"),
    ("Scry 1. It becomes night.", "night"),
    ("At the beginning of your upkeep, if you control three or more Wolves, it becomes night.", None),
    ("You may sacrifice a creature. If you do, it becomes night.", None),
    ("Whenever day becomes night or night becomes day, draw a card.", ""),
    ("If it's neither day nor night, it becomes day as this creature enters.", ""),
])  # fmt: skip
def test_effects(text, becomes):
    """The recorded effect has the value `becomes`. If it is None, the condition is unknown: a warning, and the record
    begins in that turn. If it is empty, the text is no effect."""
    found = read(Log().turn().put("cast", "Unnatural Moonrise", 9).resolve(text).rest().turn().over())
    assert [becomes] * bool(becomes) == [event["becomes"] for event in of(found.events(), "effect-resolved")]
    assert (becomes is None) == ("effect" in found.kinds) == ("game-joined" in found.tags())


CONDITION = "At the beginning of your upkeep, if you control three or more Wolves, it becomes night. Then rest."
OPTION = "Whenever Tovolar attacks, you may pay a life, and if you do, it becomes night."


@pytest.mark.parametrize("text, between, becomes", [
    (CONDITION, [], ["night"]), (CONDITION, ["Mana: Forest (900) - {T}: Add {G}."], ["night"]),
    (CONDITION, ["Add to stack: Bo cast Opt (10)", "Resolve stack: Opt (10) - Draw a card."], []),
    (CONDITION, ["Zone Change: Wolf Token (400) was put into Graveyard from Battlefield."], []), (OPTION, [], []),
])  # fmt: skip
def test_conditions(text, between, becomes):
    """A trigger's condition counts as true if at most mana was made `between` trigger and resolution; otherwise, and
    for "you may", there is a warning and no effect."""
    log = Log().turn().put("triggered", "Tovolar, Dire Overlord", 9, mana=0).say(*between).resolve(text)
    found = read(log.rest().turn().over())
    assert becomes == [event["becomes"] for event in of(found.events(), "effect-resolved")]
    assert (not becomes) == ("effect" in found.kinds)


@pytest.mark.parametrize("line, new", [
    ("Day Time: It is now night.", 1), ("Daytime changed: NIGHT", 1), ("Designation: night", 1),
    ("Information: Night falls", 0), ("Replacement Effect: Day // Night", 0), ("Damage: Night Market deals 2", 0),
    ("Bo says: good night", 1), ("night", 0), ("Weather: mild", 0), ("12:41: it is night", 0), ("Tonight: Fog", 0),
])  # fmt: skip
def test_new_lines(line, new):
    log = Log().turn().say(line, line).rest().over()
    found = read(log)
    assert new == found.kinds.get("new", 0)
    assert read(Log().turn().rest().over()).tags() == found.tags()


def test_other_lines():
    """Other messages of the program are ignored; unreadable turns, steps and spells are reported as skipped."""
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
