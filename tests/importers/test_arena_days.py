"""Day and night in Arena's logs: the importer records Arena's statements as claims, and the effects of cards.

| promise | test |
| --- | --- |
| a designation in any of three shapes of annotation is one claim by arena, and the audit is exact | test_three_shapes |
| the audit finds a wrong statement, and no other; seats may be swapped | test_a_wrong_statement |
| other designations claim nothing, a repeated statement claims once | test_other_designations, test_said_again |
| the faces of a werewolf are claims, which the audit compares with the rules | test_three_shapes, test_a_wrong_face |
| a card without daybound that transforms gets an instruction | test_a_transform, test_enters_transformed |
| only effects of cards that make it day or night are recorded | test_an_effect, test_no_effect_without_a_word |
| a designation without a known cause gets a warning | test_uncaused |
| without a card table, cards of day and night are known by their numbers | test_without_cards |
| the example log is up to date | test_the_example |
"""

from pathlib import Path

import pytest

from daynight.events import Designation
from tests.importers.arena_logs import (
    ABERRATION,
    CELESTUS,
    DAY,
    DELVER,
    HAWK,
    NIGHT,
    OPT,
    RUFFIAN,
    SMASHER,
    Game,
    Log,
    csv_table,
    day_and_night,
    note,
)
from tests.importers.arena_reading import begun, of_type, played

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "arena"


def claims(events):
    return [event["designation"] for event in events if event["type"] == "designation-claimed"]


@pytest.mark.parametrize("first", [1, 2])
def test_three_shapes(read, first):
    """Day or night comes as a persistent annotation with a new id, with the same id, or without such an annotation:
    each time the record has one claim, and the audit is `exact`."""
    log = Log()
    day_and_night(Game(log, first=first))
    found = read(log.bytes())
    events = found.events()
    assert ["day", "night", "day"] == claims(events)
    assert {"arena"} == {event["by"] for event in events if "by" in event}
    faces = [(event["permanent"], event["face"]) for event in of_type(events, "face-claimed")]
    assert [("300", "front"), ("300", "back"), ("303", "back"), ("300", "front"), ("303", "front")] == faces
    assert not of_type(events, "effect-resolved", "transform-instructed", "judge-ruled")
    entered = [one for event in of_type(events, "permanents-entered") for one in event["permanents"]]
    assert [{"id": id, "card": "Tavern Ruffian", "controller": f"Seat {first}"} for id in ("300", "303")] == entered
    assert [{"type": "permanents-left", "permanents": ["303"], "to": "graveyard"}] == of_type(events, "permanents-left")
    assert "exact" == found.game().audit().verdict
    changes = [(change["turn"], change["became"]) for change in found.game().document()["changes"]]
    assert [(1, "day"), (3, "night"), (4, "day")] == changes


def test_a_wrong_statement(read):
    """In a match with swapped seats, Arena says night after a turn with a spell in game 2: that is the one finding."""
    log = Log(seat=2)
    day_and_night(Game(log, number=1, first=1))
    day_and_night(Game(log, number=2, first=2), wrong=True)
    found = read(log.bytes())
    assert ["a1b2-G1", "a1b2-G2"] == [game.name for game in found.games]
    assert "exact" == found.game(0).audit().verdict
    audit = found.game(1).audit()
    assert "disputed" == audit.verdict
    (finding,) = audit.findings
    assert ("designation", "night", "day", "arena") == (finding.about, finding.claimed, finding.derived, finding.by)
    assert {"winner": ["Seat 2"], "type": "game-ended"} == found.events(1)[-1]
    about = found.games[1].events[0].meta["arena"]
    assert {"match": "a1b2", "game": 2, "seat": 2, "variant": "GameVariant_Normal"} == about


def test_a_wrong_face(read, game):
    """A werewolf that Arena shows with its front at night is a finding."""
    game.resolve(game.cast(1, RUFFIAN), designation=(DAY, "gained"))
    game.next_turn()
    game.next_turn((NIGHT, "gained"))
    late = game.resolve(game.cast(1, RUFFIAN))
    (finding,) = read(game.log.bytes()).game().audit().findings
    assert ("face", str(late), "front", "back") == (finding.about, finding.subject, finding.claimed, finding.derived)


def test_said_again(read, game):
    """Arena repeats a designation that lasts in later states; the record claims it once."""
    there = [{"id": 5, **note("Designation", [1], DesignationType=DAY)}]
    for _time in range(3):
        game.send(persistentAnnotations=there)
    assert ["day"] == claims(read(game.log.bytes()).events())


def test_other_designations(read, game):
    """A commander, the monarch, unknown numbers and the loss of a designation give no claim."""
    for kind in (1, 19, 26, 99):
        game.send(
            persistentAnnotations=[{"id": 500 + kind, **note("Designation", [1], DesignationType=kind)}],
            annotations=[note("GainDesignation", [1], DesignationType=kind)],
        )
    game.send(annotations=[note("LoseDesignation", [1], DesignationType=DAY)], diffDeletedPersistentAnnotationIds=[510])
    assert [] == claims(read(game.log.bytes()).events())


def test_a_transform(read, game):
    """Delver of Secrets has no daybound: the record has an instruction to transform, and a claim of the new face."""
    delver = game.resolve(game.cast(1, DELVER))
    game.send(gameObjects=[game.turn_over(delver)])
    game.send(gameObjects=[game.turn_over(delver)])
    found = read(game.log.bytes())
    told = of_type(found.events(), "transform-instructed", "face-claimed")
    assert ["transform-instructed", "face-claimed"] * 2 == [event["type"] for event in told]
    assert ["back", "front"] == [event["face"] for event in told if "face" in event]
    (entered,) = of_type(found.events(), "permanents-entered")
    assert "Insectile Aberration" == entered["permanents"][0]["back"]["name"]
    assert "exact" == found.game().audit().verdict


def test_enters_transformed(read, game):
    """A card without daybound that enters with its back up is on the battlefield under the back's name."""
    game.resolve(game.cast(1, DELVER), face=ABERRATION)
    assert "Insectile Aberration" == read(game.log.bytes()).game().document()["battlefield"][0]["name"]


def test_an_effect(read):
    """An ability of The Celestus turns day into night: Arena's statement `night` is right, and `day` is a finding."""
    for kind, verdict in ((NIGHT, "exact"), (DAY, "disputed")):
        game = begun()
        game.resolve(game.cast(1, RUFFIAN), designation=(DAY, "persistent"))
        game.resolve(game.cast(1, CELESTUS))
        game.ability(1, CELESTUS, (kind, "persistent"))
        found = read(game.log.bytes())
        (effect,) = of_type(found.events(), "effect-resolved")
        assert {"type": "effect-resolved", "becomes": "switch", "source": "The Celestus"} == effect
        assert verdict == found.game().audit().verdict
        assert Designation.NIGHT is found.game().designation


def test_no_effect_without_a_word(read, game):
    """An ability after which nothing is said of day or night is not recorded as an effect. One of an ordinary card
    is not either, even if it became day meanwhile."""
    game.send(annotations=[note("ResolutionComplete", [999], 999, grpid=1)])
    game.ability(1, HAWK, (DAY, "gained"))
    assert [] == of_type(read(game.log.bytes()).events(), "effect-resolved")


def test_without_cards(read):
    """Without a table, cards of day and night have names by Arena's numbers; others are called `grpId` and the
    number."""
    found = read(played().bytes(), cards=False)
    cards = [one["card"] for event in of_type(found.events(), "permanents-entered") for one in event["permanents"]]
    assert ["Tavern Ruffian"] * 2 == cards
    spells = [event["card"] for event in of_type(found.events(), "spell-cast")]
    assert {"Tavern Ruffian", f"grpId {OPT}", f"grpId {HAWK}"} == set(spells)
    assert ("exact", {}) == (found.game().audit().verdict, found.kinds)


def test_uncaused(read):
    """Day or night without a known cause gets one warning; a known cause, or one before the log begins, gets none."""
    log = played()
    unknown = log.bytes().replace(str(RUFFIAN).encode(), b"999001").replace(str(SMASHER).encode(), b"999002")
    assert 1 == read(unknown, cards=False).kinds["uncaused"]
    assert "uncaused" not in read(log.bytes()).kinds
    game = begun()
    game.send(**game.designation(DAY, "persistent"))
    assert 1 == read(game.log.bytes()).kinds["uncaused"]
    game.log.lines.clear()
    game.full(persistentAnnotations=[{"id": 5, **note("Designation", [1], DesignationType=DAY)}])
    assert "uncaused" not in read(game.log.bytes()).kinds
    game = begun()
    game.ability(1, CELESTUS, (NIGHT, "gained"))
    assert "uncaused" not in read(game.log.bytes()).kinds


def test_the_example():
    """The example log and its card table equal those that the code makes now."""
    log = Log()
    day_and_night(Game(log, first=2), wrong=True)
    assert log.bytes() == (EXAMPLE / "Player.log").read_bytes()
    assert csv_table() + b"\n" == (EXAMPLE / "cards.csv").read_bytes()
