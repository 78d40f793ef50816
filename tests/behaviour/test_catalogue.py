"""The catalogue: cards by their names, the fields that they fill in, and custom catalogues."""

import json

import msgspec
import pytest

from daynight.cards import Card, Catalogue, bundled
from daynight.events import Face, NotFoundError, UnreadableError, decode
from daynight.game import Game
from tests.behaviour.games import ROOT, told
from tests.rules.words import said, started

OWN = [
    {
        "name": "Day Cat", "double_faced": True,
        "front": {"name": "Day Cat", "types": ["Creature"], "keywords": ["daybound"]},
        "back": {"name": "Night Cat", "types": ["Creature"], "keywords": ["nightbound"]},
    },
    {"name": "Lamp", "double_faced": False, "front": {"name": "Lamp", "watches": True}, "note": "made up"},
    {
        "name": "Page", "double_faced": True,
        "front": {"name": "Page", "types": ["Creature"]},
        "back": {"name": "Ritual", "types": ["Sorcery"]},
    },
]  # fmt: skip


def filled(permanent, catalogue=None):
    """A permanent as it is stored."""
    event = decode(json.dumps(said("permanents-entered", permanents=[{"id": "p", "controller": "Ana"} | permanent])))
    (stored,) = (catalogue or bundled()).fill(event).permanents
    return stored


def written(tmp_path, data):
    """A file with a catalogue."""
    path = tmp_path / "cards.json"
    path.write_bytes(data if isinstance(data, bytes) else json.dumps(data).encode())
    return path


def test_bundled():
    """The bundled catalogue is loaded once, and finds every card by each of its names."""
    catalogue = bundled()
    assert catalogue is bundled()
    assert len(catalogue) == len([*catalogue]) > 50
    for card in catalogue:
        assert card.name == card.front.name
        for name in card.names:
            assert name in catalogue
            assert card == catalogue[name]
        assert (card.back is not None) is card.double_faced is (len(card.names) == 3)
    assert "Storm Crow" not in catalogue


def test_bundled_werewolves_are_whole():
    """A double-faced card whose front has daybound has nightbound on its back, and no other has it there."""
    for card in bundled():
        if card.back is not None:
            bound = ("daybound" in card.front.keywords, "nightbound" in card.back.keywords)
            assert bound in ((True, True), (False, False)), card.name


def test_bundled_is_written_as_a_catalogue_of_ones_own(tmp_path):
    """The bundled file has the same format, so it can be the start of a custom one."""
    assert bundled().cards == Catalogue.read(ROOT / "daynight" / "cards" / "cards.json").cards
    assert bundled().cards == Catalogue.read(written(tmp_path, msgspec.json.encode(bundled().cards))).cards


def test_filled_in():
    """The name alone gives the faces and whether it is double-faced, stored under the front's name."""
    for name in ("Tavern Ruffian", "Tavern Smasher", "Tavern Ruffian // Tavern Smasher"):
        stored = filled({"card": name})
        assert ("Tavern Ruffian", True) == (stored.card, stored.double_faced)
        assert (("daybound",), ("nightbound",)) == (stored.front.keywords, stored.back.keywords)
    vandal = filled({"card": "Brimstone Vandal"})
    assert (False, None, True, True) == (
        vandal.double_faced, vandal.back, vandal.front.watches, vandal.front.day_if_neither,
    )  # fmt: skip


def test_a_face_given_stands():
    """A given face replaces the catalogue's whole face; a missing face is filled in."""
    stored = filled({"card": "Tavern Ruffian", "front": {"subtypes": ["Bear"]}})
    assert (None, (), ("Bear",)) == (stored.front.name, stored.front.keywords, stored.front.subtypes)
    assert "Tavern Smasher" == stored.back.name
    stored = filled({"card": "Tavern Ruffian", "back": {"name": "Other"}})
    assert ("Tavern Ruffian", "Other", ()) == (stored.front.name, stored.back.name, stored.back.keywords)


def test_not_double_faced_has_no_back():
    """A permanent given as single-faced, as a token copy is, gets no back, even if the card has one."""
    stored = filled({"card": "Tavern Ruffian", "double_faced": False})
    assert (None, ("daybound",)) == (stored.back, stored.front.keywords)


def test_an_unknown_card():
    """An unknown card is single-faced and without relevant abilities, unless its faces are given."""
    bear = filled({"card": "Runeclaw Bear"})
    assert ("Runeclaw Bear", False, None, (), None) == (
        bear.card, bear.double_faced, bear.back, bear.front.keywords, bear.front.name,
    )  # fmt: skip
    own = filled({"card": "Own", "double_faced": True, "front": {"keywords": ["daybound"]}, "back": {"name": "B"}})
    assert (True, ("daybound",), "B") == (own.double_faced, own.front.keywords, own.back.name)


def test_what_is_whole_is_not_touched():
    """A complete arrival, and every other event, is stored unchanged."""
    whole = decode(json.dumps(said("permanents-entered", permanents=[
        {"id": "p", "card": "Tavern Ruffian", "controller": "Ana", "double_faced": False, "front": {}}
    ])))  # fmt: skip
    other = decode(json.dumps(started()))
    assert whole is bundled().fill(whole)
    assert other is bundled().fill(other)


def test_filling_in_twice():
    """A filled-in event is not changed by another catalogue later."""
    game = told(said("permanents-entered", permanents=[{"id": "p", "card": "Tavern Ruffian", "controller": "Ana"}]))
    stored = game.events[1]
    assert stored is Catalogue(()).fill(stored) is bundled().fill(stored)


@pytest.mark.parametrize("name, says", [
    ("Tavern Rufian", "no card 'Tavern Rufian'; did you mean Tavern Ruffian"),
    ("xyzzy", "no card 'xyzzy'; see daynight cards"),
])  # fmt: skip
def test_not_found(name, says):
    """For an unknown card, NotFoundError proposes similar names, or the command that lists the cards."""
    with pytest.raises(NotFoundError) as error:
        bundled()[name]
    assert str(error.value).startswith(says)


def test_a_catalogue_of_ones_own(tmp_path):
    """A custom catalogue fills in its own cards, and only those."""
    catalogue = Catalogue.read(str(written(tmp_path, OWN)))
    game = Game([started()], catalogue=catalogue)
    game.record(said("permanents-entered", permanents=[
        {"id": "c", "card": "Night Cat", "controller": "Ana"}, {"id": "p", "card": "Page", "controller": "Ana"},
        {"id": "w", "card": "Tavern Ruffian", "controller": "Ana"},
    ]))  # fmt: skip
    cat, page, ruffian = game.events[1].permanents
    assert ("Day Cat", True, False) == (cat.card, cat.double_faced, ruffian.double_faced)
    assert False is page.back.permanent
    game.record({"type": "transform-instructed", "permanents": ["p"]})
    assert Face.FRONT is game.state.face("p")
    assert "day" == game.designation


@pytest.mark.parametrize("data, says", [
    (b"", "$: "),
    (b"\xff", "$: "),
    (b"{}", "$: "),
    (b"[" * 100_000, "$[0]: "),
    ([{}], "$[0]: "),
    ([{"name": "A", "double_faced": False, "front": {"name": "A", "colour": 1}}], "$[0].front: "),
    ([{"name": "A", "double_faced": True, "front": {"name": "A"}}], "$[0]: a double-faced card has a back"),
    ([OWN[1] | {"back": {"name": "B"}}], "$[0]: a double-faced card has a back, and no other card has"),
    ([OWN[1] | {"name": "A\u202e"}], "$[0].name: the character U+202E may not stand in a name"),
    ([OWN[1] | {"note": "\x1b[31m"}], "$[0].note: the character U+001B may not stand in a name"),
    ([OWN[1] | {"name": ""}], "$[0].name: "),
])  # fmt: skip
def test_a_broken_catalogue(tmp_path, data, says):
    """A broken catalogue raises UnreadableError, which names the file and the path within its JSON."""
    path = written(tmp_path, data)
    with pytest.raises(UnreadableError) as error:
        Catalogue.read(path)
    assert str(error.value).startswith(f"{path}: {says}")
    assert "\n" not in str(error.value)


def test_no_such_catalogue(tmp_path):
    """A catalogue file that does not exist raises FileNotFoundError."""
    with pytest.raises(FileNotFoundError):
        Catalogue.read(tmp_path / "cards.json")


def test_a_card_has_the_backs_it_should():
    """A card made in Python raises ValueError if it is double-faced without a back, or single-faced with one."""
    front = bundled()["Tavern Ruffian"].front
    with pytest.raises(ValueError, match="a double-faced card has a back"):
        Card(name="A", double_faced=True, front=front)
    with pytest.raises(ValueError, match="no other card has"):
        Card(name="A", double_faced=False, front=front, back=front)
