"""Arena's battlefield: arriving, leaving, phasing, turning and copying, with and without annotations.

| promise | test |
| --- | --- |
| a double-faced card is recorded under the name of its front | test_back_number_first, test_a_card_of_the_table_alone |
| a permanent that differs from its spell's card is a copy, and not double-faced | test_a_copy |
| a token with a werewolf's name and no other side is single-faced | test_a_token |
| phasing in the untap step is part of that step; other phasing is its own event | test_phasing |
| what comes and goes in one state has no face; a face-down card is no copy | test_come_and_gone, test_face_down_spell |
| turning face up, unannounced arriving, leaving, changing control are recorded | test_face_down, test_unannounced |
| a double-faced card is never turned face down in the record, even as a copy of another | test_face_down_copy |
| a permanent without an object, or of an unknown owner, is left out, with a warning | test_unseen |
| permanents that arrive together are one event | test_together |
"""

from daynight.cards import bundled
from daynight.events import Designation
from daynight.logs import known_of
from tests.importers.arena_logs import BATTLEFIELD, DELVER, GRAVEYARD, HAND, HAWK, LIBRARY, OPT, RUFFIAN, SMASHER, note
from tests.importers.arena_reading import of_type


def test_come_and_gone(read, game):
    """For a permanent that enters and leaves within one state, the record claims no face."""
    wolf = game.cast(1, RUFFIAN)
    there = game.shown(wolf, RUFFIAN, BATTLEFIELD, 1)
    game.send(gameObjects=[there, there | {"instanceId": 900, "zoneId": GRAVEYARD}], annotations=[
        note("ZoneTransfer", [wolf], 1, zone_src=27, zone_dest=BATTLEFIELD, category="Resolve"),
        note("ObjectIdChanged", [wolf], orig_id=wolf, new_id=900),
        note("ZoneTransfer", [900], zone_src=BATTLEFIELD, zone_dest=GRAVEYARD, category="Destroy"),
    ])  # fmt: skip
    assert ["permanents-entered", "permanents-left"] == read(game.log.bytes()).tags()[-2:]


def test_a_copy(read, game):
    """A Hawk enters with the number of a werewolf, but without another side: it is recorded as a Hawk that is a copy
    with daybound, and not double-faced. When it has its own number again, that is another copying."""
    clone = game.cast(1, HAWK)
    copied = game.shown(clone, RUFFIAN, BATTLEFIELD, 1)
    del copied["othersideGrpId"]
    moved = note("ZoneTransfer", [clone], 1, zone_src=27, zone_dest=BATTLEFIELD, category="Resolve")
    game.send(gameObjects=[copied], annotations=[moved])
    found = read(game.log.bytes())
    (entered,) = of_type(found.events(), "permanents-entered")
    (permanent,) = entered["permanents"]
    assert "Healer's Hawk" == permanent["card"]
    assert {"name": "Tavern Ruffian", "keywords": ["daybound"]} == permanent["front"]
    assert permanent["double_faced"] is False
    assert Designation.DAY is found.game().designation
    game.send(gameObjects=[game.shown(clone, HAWK, BATTLEFIELD, 1)])
    assert "Healer's Hawk" == of_type(read(game.log.bytes()).events(), "became-copy")[0]["front"]["name"]


def test_a_token(read, game):
    """A token with a werewolf's name and no other side is not double-faced; a deleted token has left."""
    token = game.shown(700, RUFFIAN, BATTLEFIELD, 2, type="GameObjectType_Token")
    del token["othersideGrpId"]
    game.send(gameObjects=[token], annotations=[note("TokenCreated", [700], 699)])
    (permanent,) = of_type(read(game.log.bytes()).events(), "permanents-entered")[0]["permanents"]
    assert (True, False) == (permanent["token"], permanent["double_faced"])
    game.send(annotations=[note("TokenDeleted", [700], 700)], diffDeletedInstanceIds=[700])
    assert "permanents-left" == read(game.log.bytes()).tags()[-1]


def test_phasing(read, game):
    """Phasing in during the untap step is a field of that step; phasing out is an event of its own, recorded once."""
    wolf = game.resolve(game.cast(1, RUFFIAN))
    game.send(annotations=[note("PhasedOut", [wolf], 5)])
    game.send(annotations=[note("PhasedOut", [wolf], 5)])
    before, game.turn, game.active = 1, 2, 2
    game.send(turnInfo={"turnNumber": 2, "activePlayer": 2}, annotations=[
        note("NewTurnStarted", [2], 2), note("PhaseOrStepModified", [2], phase=1, step=1), note("PhasedIn", [wolf]),
        note("PhaseOrStepModified", [2], phase=1, step=2),
    ])  # fmt: skip
    events = read(game.log.bytes()).events()
    assert before == len(of_type(events, "phased-out"))
    assert [] == of_type(events, "phased-in")
    untap = [event for event in events if event.get("step") == "untap"][-1]
    assert [str(wolf)] == untap["phased_in"]


def test_face_down(read, game):
    """A manifested card enters face down, and is then turned face up: the record has both."""
    down = game.shown(700, HAWK, BATTLEFIELD, 1, isFacedown=True, overlayGrpId=3)
    moved = note("ZoneTransfer", [700], 699, zone_src=LIBRARY, zone_dest=BATTLEFIELD, category="ManifestLike")
    game.send(gameObjects=[down], annotations=[moved])
    up = note("TurnPermanent", [700], 1, turned=0)
    game.send(gameObjects=[game.shown(700, HAWK, BATTLEFIELD, 1)], annotations=[up])
    found = read(game.log.bytes())
    assert found.events()[-2]["permanents"][0]["face_down"]
    assert "turned-face-up" == found.tags()[-1]


def test_face_down_copy(read, game):
    """Arena turns a double-faced card that is a copy face down: the record does not, and a warning says so."""
    delver = game.resolve(game.cast(1, DELVER))
    game.send(gameObjects=[game.shown(delver, HAWK, BATTLEFIELD, 1)])
    game.send(gameObjects=[game.shown(delver, HAWK, BATTLEFIELD, 1, isFacedown=True)])
    found = read(game.log.bytes())
    assert ("became-copy", 1) == (found.tags()[-1], found.kinds["face-down"])


def test_face_down_spell(read, game):
    """A spell of a known card that enters face down is recorded as face down, and as no copy."""
    spell = game.cast(1, HAWK)
    down = game.shown(spell, 3, BATTLEFIELD, 1, isFacedown=True)
    moved = note("ZoneTransfer", [spell], 1, zone_src=27, zone_dest=BATTLEFIELD, category="Resolve")
    game.send(gameObjects=[down], annotations=[moved])
    (permanent,) = of_type(read(game.log.bytes()).events(), "permanents-entered")[0]["permanents"]
    assert permanent["face_down"]
    assert "double_faced" not in permanent


def test_unannounced(read, game):
    """Objects that appear, disappear or change controller without an annotation give events, marked as inferred."""
    game.send(gameObjects=[game.shown(700, HAWK, BATTLEFIELD, 1), game.shown(701, OPT, HAND, 1)])
    game.send(gameObjects=[game.shown(700, HAWK, BATTLEFIELD, 1, controllerSeatId=2)])
    game.send(gameObjects=[game.shown(700, HAWK, GRAVEYARD, 1)])
    game.send(gameObjects=[game.shown(702, HAWK, BATTLEFIELD, 2)])
    game.send(diffDeletedInstanceIds=[702])
    found = read(game.log.bytes())
    expected = ["permanents-entered", "control-changed", "permanents-left", "permanents-entered", "permanents-left"]
    assert expected == found.tags()[-5:]
    assert {"inferred"} == {event.meta["source"]["confidence"] for event in found.games[0].events[-5:]}


def test_unseen(read, game):
    """A permanent without an object, and one whose owner is not in the game, are left out, each with a warning."""
    moved = note("ZoneTransfer", [700, 701], 1, zone_src=LIBRARY, zone_dest=BATTLEFIELD, category="Put")
    game.send(gameObjects=[game.shown(701, HAWK, BATTLEFIELD, 1)], annotations=[moved])
    game.send(gameObjects=[game.shown(702, HAWK, BATTLEFIELD, 9)])
    found = read(game.log.bytes())
    entered = of_type(found.events(), "permanents-entered")
    assert ["701"] == [one["id"] for event in entered for one in event["permanents"]]
    assert 2 == found.kinds["unseen"]


def test_together(read, game):
    """Tokens of one ability enter in one event; a token of another ability enters in its own."""
    objects = [game.shown(700 + n, HAWK, BATTLEFIELD, 1, type="GameObjectType_Token") for n in range(4)]
    game.send(gameObjects=objects, annotations=[
        note("TokenCreated", [700], 690),
        note("TokenCreated", [701, 702], 690),
        note("TokenCreated", [703], 691),
    ])  # fmt: skip
    entered = of_type(read(game.log.bytes()).events(), "permanents-entered")
    assert [["700", "701", "702"], ["703"]] == [[one["id"] for one in event["permanents"]] for event in entered]


def test_back_number_first(read, game):
    """A werewolf that is first seen with its back up is recorded under the name of its front."""
    game.send(gameObjects=[game.shown(700, SMASHER, BATTLEFIELD, 1)])
    (permanent,) = of_type(read(game.log.bytes()).events(), "permanents-entered")[0]["permanents"]
    assert "Tavern Ruffian" == permanent["card"]


def test_a_card_of_the_table_alone(read, game, tmp_path):
    """A table names one of a card's two numbers, and the catalogue none: that name is the front's, and the number
    without a name is the back's."""
    path = tmp_path / "table.csv"
    path.write_text("id,name\n78379,Tested Subject\n")
    game.send(gameObjects=[game.shown(700, DELVER, BATTLEFIELD, 1)])
    found = read(game.log.bytes(), cards=known_of(bundled(), path))
    (permanent,) = of_type(found.events(), "permanents-entered")[0]["permanents"]
    assert ("Tested Subject", "back") == (permanent["card"], permanent["face"])
