"""Forge's text log: copies of spells. The log calls them casts, after the line of the effect that made them.

| promise | test |
| --- | --- |
| after a storm's line, as many casts as spells were cast before are copies and don't count | test_storm |
| one more than that is uncertain; another card, or a paid one, is a cast | test_beyond_the_storm |
| other copying effects make one copy, or as many as they say | test_how_many |
| an optional copy is uncertain; a copy that is cast is a cast | test_how_many |
| a copy does not turn night into day, a second cast does | test_night |
| the original before the effect's line stays a cast | test_before |
| the copy of a creature enters as a token | test_creature |
| a resolved instant or sorcery never enters, whatever its line says; Auras do | test_entering |
"""

import pytest

from tests.importers.forge_logs import Log
from tests.importers.forge_reading import casts, of, read

STORM = (
    "Storm (When you cast this spell, copy it for each other spell that was cast before it this turn.) "
    "[Card: Moonbolt (61)]"
)


def stormy(*, new=True, before=1, behind=1, mana=0, card="Moonbolt", text=STORM):
    """Return a log of a turn: `before` spells, then a spell with storm, the line `text` of its trigger, and `behind`
    "casts" of `card`, each with `mana` payments."""
    log = Log(new=new).turn().creature("Tavern Ruffian", 12).rest().turn()
    for number in range(before):
        log.put("cast", "Opt", 50 + number).resolve(f"Opt ({50 + number}) - Draw a card.")
    log.put("cast", "Moonbolt", 61, target="Ana").put("triggered", "Moonbolt", 61, mana=0).resolve(text)
    for number in range(behind):
        log.put("cast", card, 134 + number, target="Ana", mana=mana)
    for number in (*range(134, 134 + behind), 61):
        log.resolve(f"Moonbolt ({number}) - Moonbolt deals 1 damage to Ana. (Targeting: [Ana])")
    return log.rest().turn()


@pytest.mark.parametrize("new", [False, True])
@pytest.mark.parametrize("newest_first", [False, True])
@pytest.mark.parametrize("many", [1, 2, 3])
def test_storm(new, newest_first, many):
    """As many copies as spells were cast before are recorded as copies, the spells as casts; nothing is uncertain."""
    found = read(stormy(new=new, before=many, behind=many).over().bytes(newest_first=newest_first))
    assert [("Bo", "Opt")] * many + [("Bo", "Moonbolt")] == casts(found.events())[1:]
    assert [{"type": "spell-copied", "player": "Bo", "card": "Moonbolt"}] * many == of(found.events(), "spell-copied")
    assert [] == of(found.events(), "spells-uncertain")
    assert "copies" not in found.kinds


@pytest.mark.parametrize("given, copied, perhaps, cast", [
    ({"before": 1, "behind": 2}, 1, 1, 2), ({"before": 0, "behind": 1}, 0, 1, 1),
    ({"before": 1, "behind": 1, "mana": 1}, 0, 0, 3), ({"before": 1, "behind": 1, "card": "Opt"}, 0, 0, 3),
    ({"before": 1, "behind": 1, "card": "Shock"}, 0, 0, 3),
])  # fmt: skip
def test_beyond_the_storm(given, copied, perhaps, cast):
    """After storm, "casts" beyond the number of copies are uncertain; a paid one, and another card, are casts."""
    events = read(stormy(**given)).events()
    assert (copied, cast) == (len(of(events, "spell-copied")), len(casts(events)) - 1)
    assert perhaps == len(of(events, "spells-uncertain"))


@pytest.mark.parametrize("text, copied, perhaps", [
    ("Twinned Moons (2) - Copy Moonbolt (61).", 1, 1),
    ("Twinned Moons (2) - Copy Moonbolt (61)2 times.", 2, 0),
    ("Copy Moonbolt (61) 2 times. You may choose new targets for the copies.", 2, 0),
    ("Whenever you cast a spell, copy that spell. You may choose new targets for the copy.", 1, 1),
    ("Whenever you cast an instant or sorcery spell, copy it. [Card: Moonbolt (61), Activator: Bo]", 1, 1),
    ("Whenever you cast an instant or sorcery spell, you may copy that spell.", 0, 2),
    ("Whenever you cast a spell, copy it if its mana was made by a Treasure.", 0, 2),
    ("Whenever you cast your first spell each turn, copy that spell.", 1, 1),
    ("Copy that spell for each opponent.", 0, 2),
    ("Exile it, then copy it. You may cast the copy without paying its mana cost.", 0, 0),
    ("Create a token that's a copy of target creature.", 0, 0),
    ("Copy Shock (7).", 0, 0),
    ("Moonbolt ability fizzles.", 0, 0),
])  # fmt: skip
def test_how_many(text, copied, perhaps):
    """Two unpaid "casts" follow the line `text`: `copied` are copies, `perhaps` uncertain. If `text` copies no spell,
    one is a cast, and the other is uncertain, because it repeats a spell without payment."""
    events = read(stormy(before=0, behind=2, text=text)).events()
    doubts = perhaps or (1 if not copied else 0)
    assert (copied, doubts) == (len(of(events, "spell-copied")), len(of(events, "spells-uncertain")))


def test_night():
    """At night one cast and a copy of it leave it night, for certain; two casts make it day."""
    dark = Log(new=True).turn().creature("Tavern Ruffian", 12).rest().turn().rest().turn()
    dark.put("cast", "Moonbolt", 61).put("triggered", "Echo Stone", 14, mana=0)
    copied = dark.resolve("Whenever you cast an instant or sorcery spell, copy that spell. [Card: Moonbolt (61)]")
    copied.put("cast", "Moonbolt", 134, mana=0).resolve("Moonbolt (134) - It deals 1 damage.")
    assert ["night"] == read(copied.rest().turn()).game().document()["possible"]
    bright = Log(new=True).turn().creature("Tavern Ruffian", 12).rest().turn().rest().turn()
    bright.put("cast", "Moonbolt", 61).resolve("Moonbolt (61) - It deals 1 damage.").put("cast", "Moonbolt", 62)
    assert ["day"] == read(bright.rest().turn()).game().document()["possible"]


def test_before():
    """The second of two spells is copied: both are recorded as casts, and what follows the line as a copy."""
    log = Log(new=True).turn().put("cast", "Moonbolt", 1).resolve("Moonbolt (1) - It deals 1 damage.")
    log.put("cast", "Moonbolt", 2).put("triggered", "Echo Stone", 14, mana=0)
    log.resolve("Whenever you cast an instant or sorcery spell, copy that spell.").put("cast", "Moonbolt", 90, mana=0)
    events = read(log.rest().turn().over()).events()
    told = of(events, "spell-cast", "spell-copied", "spells-uncertain")
    assert ["spell-cast", "spell-cast", "spell-copied"] == [each["type"] for each in told]


def test_creature():
    """The copy of a creature spell enters first, as a token; the original enters as a card."""
    log = Log(new=True).turn().put("cast", "Tavern Ruffian", 12).put("cast", "Echo", 13, target="Tavern Ruffian (12)")
    log.resolve("Echo (13) - Copy Tavern Ruffian (12).").put("cast", "Tavern Ruffian", 90, mana=0)
    log.resolve("Tavern Ruffian - Creature 2 / 5").resolve("Tavern Ruffian - Creature 2 / 5")
    entered = of(read(log.rest().turn().over()).events(), "permanents-entered")
    assert [True, False] == [each.get("token", False) for event in entered for each in event["permanents"]]


@pytest.mark.parametrize("card, line, turn, enters", [
    ("Opt", "Opt (5) - Draw a card.", "Ana", False), ("Opt", "Opt (5) -", "Ana", False),
    ("Shock", "Shock", "Bo", False), ("Moonmist", "Moonmist", "Ana", False),
    ("Unnatural Moonrise", "Unnatural Moonrise", "Ana", False), ("Echo Stone", "Echo Stone", "Ana", True),
    ("Echo Stone", "Echo Stone", "Bo", False), ("The Celestus", "The Celestus", "Bo", True),
    ("Bear", "Bear - Creature 2 / 2", "Bo", True), ("Mist Lord", "Mist Lord - Creature * / *", "Ana", True),
    ("Mist Lord", "Mist Lord - Creature * / *+1", "Ana", True),
    ("Mist Lord", "Mist Lord - Creature * / * (X=3)", "Ana", True),
    ("Bound by Moonsilver", "Bound by Moonsilver (5) -  Attach to Bear (12)", "Ana", True),
    ("Shock", "Shock ability fizzles.", "Ana", False),
])  # fmt: skip
def test_entering(card, line, turn, enters):
    """Ana casts `card` in the turn of this player, and `line` reports that it resolves: it enters only if `enters`."""
    log = Log(new=True).turn(turn).put("cast", card, 5, by="Ana").resolve(line).rest().turn().over()
    entered = [one["card"] for event in of(read(log).events(), "permanents-entered") for one in event["permanents"]]
    assert [card] * enters == entered
