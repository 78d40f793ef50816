"""Cards that are known only by Arena's numbers, and unknown cards.

An unknown card is a doubt: `meta` of each event that mentions the card lists its number.

| promise | test |
| --- | --- |
| each number in the data belongs to a card of the catalogue, with the right side | test_the_catalogue |
| the data has the numbers known on its date, and is read on first use | test_known, test_lazy |
| a known card without day and night is an ordinary card | test_known_card |
| an unknown card is a doubt in each event that mentions it, and in the report | test_unknown_card |
| a card table that names it removes the doubt | test_named |
| so does a known other side; tokens, abilities and face-down cards are no doubts | test_other_side, test_no_card |
| a copy of an unknown card, or of its spell, is a doubt | test_copies |
| a card table has priority over the bundled numbers | test_table_first |
"""

import subprocess
import sys

import pytest

from daynight.cards import bundled
from daynight.importers.arena.cards import known_cards
from daynight.logs import known_of
from tests.importers.arena_logs import BATTLEFIELD, DAY, HAWK, OPT, RUFFIAN, SMASHER, STACK, note
from tests.importers.arena_reading import begun, of_type

NEW, BACK = 999_001, 999_002


def doubts(found):
    """Return the tag and the unknown numbers of each event that lists some."""
    told = ((event.meta.get("arena") or {}).get("unknown") for event in found.games[0].events)
    return [(tag, unknown) for tag, unknown in zip(found.tags(), told, strict=True) if unknown]


def test_the_catalogue():
    """The numbers name cards of the catalogue, with back where there is one; four of its cards are not on Arena."""
    names = known_cards().names
    catalogue = bundled()
    assert 145 == len(names)
    assert set(names.values()) <= {name for card in catalogue for name in card.names}
    fronts = {card.front.name for card in catalogue}
    assert {"Grizzled Outcasts", "Werewhat", "Waxing Moon", "The Weekly Princess"} == fronts - set(names.values())
    for number, name in names.items():
        card = catalogue[name]
        if card.back is not None and name == card.front.name:
            assert card.back.name in names.values(), number
    assert (names[RUFFIAN], names[SMASHER]) == ("Tavern Ruffian", "Tavern Smasher")
    assert (names[81036], names[81034]) == ("Wolfkin Outcast", "Wedding Crasher")


def test_known():
    """The data has 25,287 numbers, as of 2026-08-14, with those of all cards that it names; others are missing."""
    cards = known_cards()
    assert 25_287 == sum(number in cards for number in range(110_000))
    assert set(cards.names) <= {number for number in range(110_000) if number in cards}
    assert not any(number in cards for number in (-1, 0, 1, 70_511, NEW, 2**40))
    assert "2026-08-14" == cards.as_of


def test_lazy():
    """Importing the module does not read the file of numbers."""
    code = "from daynight.importers.arena import cards; print(cards.known_cards.cache_info().currsize)"
    assert "0\n" == subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


def test_known_card(read, game):
    """Without a card table, a known card gives no doubt and no warning."""
    game.resolve(game.cast(1, HAWK))
    found = read(game.log.bytes(), cards=False)
    assert [] == doubts(found)
    assert {"truncated": 1} == found.kinds


def test_unknown_card(read, game):
    """The cast and the arrival of an unknown card list its number in `meta`, and a note tells how to name the card;
    events that do not mention it list nothing."""
    game.resolve(game.cast(1, NEW), designation=(DAY, "persistent"))
    game.cast(2, OPT)
    found = read(game.log.bytes(), cards=False)
    assert [("spell-cast", [NEW]), ("permanents-entered", [NEW])] == doubts(found)
    assert {"uncaused": 1, "truncated": 1, "cards": 1} == found.kinds
    sentence = found.report.notes["cards"].sentence
    assert "1 card is known by its number alone, and was not on Arena by 2026-08-14" in sentence
    assert "--cards FILE names it" in sentence


def test_named(read, game, tmp_path):
    """A card table names the new number: the record has that name, and no doubt."""
    path = tmp_path / "table.csv"
    path.write_text(f"id,name\n{NEW},A newer card\n")
    game.resolve(game.cast(1, NEW))
    found = read(game.log.bytes(), cards=known_of(bundled(), path))
    assert [] == doubts(found)
    assert "A newer card" == found.events()[-1]["permanents"][0]["card"]


def test_other_side(read):
    """A new number with a known other side is no doubt; a card with two new numbers is one, for the side that is up."""
    for other, expected in ((HAWK, []), (BACK, [("permanents-entered", [NEW])])):
        game = begun()
        game.send(gameObjects=[game.shown(700, NEW, BATTLEFIELD, 1, othersideGrpId=other)])
        assert expected == doubts(read(game.log.bytes(), cards=False))


@pytest.mark.parametrize("more", [{"type": "GameObjectType_Token"}, {"isFacedown": True}])
def test_no_card(read, more):
    """Unknown numbers of tokens and face-down cards, and abilities on the stack, are no doubts."""
    game = begun()
    game.send(gameObjects=[game.shown(700, NEW, BATTLEFIELD, 1, **more)])
    found = read(game.log.bytes(), cards=False)
    assert "permanents-entered" == found.tags()[-1]
    assert [] == doubts(found)
    game = begun()
    game.ability(1, HAWK, (DAY, "gained"))
    assert [] == doubts(read(game.log.bytes(), cards=False))


def test_copies(read, game):
    """Becoming a copy of an unknown card, and copying the spell of an unknown card, are doubts."""
    game.send(gameObjects=[game.shown(game.resolve(game.cast(1, HAWK)), NEW, BATTLEFIELD, 1)])
    copy = note("ZoneTransfer", [600], 500, zone_src=STACK, zone_dest=STACK, category="Copy")
    game.send(gameObjects=[game.shown(600, BACK, STACK, 2, isCopy=True)], annotations=[copy])
    assert [("became-copy", [NEW]), ("spell-copied", [BACK])] == doubts(read(game.log.bytes(), cards=False))


def test_table_first(read, game, tmp_path):
    """A card table names another card for a bundled number: the record has the table's name."""
    path = tmp_path / "table.csv"
    path.write_text(f"id,name\n{RUFFIAN},Somebody's own\n")
    game.resolve(game.cast(1, RUFFIAN))
    found = read(game.log.bytes(), cards=known_of(bundled(), path))
    (entered,) = of_type(found.events(), "permanents-entered")
    assert "Somebody's own" == entered["permanents"][0]["card"]
