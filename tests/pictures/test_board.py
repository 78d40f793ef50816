"""The board shows the battlefield as it was after the given event.

| promise | test |
| --- | --- |
| every permanent once, under its controller, with the face that is up | test_every_permanent, test_faces |
| permanents that are phased out, without abilities or can't transform are marked in words | test_marks |
| the heading shows the active player, casts, the designation and since when | test_heading |
| the name of a face-down card is not shown | test_face_down |
| an uncertain record shows all possibilities | test_uncertain |
| waiting triggers are named | test_waiting |
| at an earlier moment the board shows the battlefield of that time | test_earlier |
| if there are too many permanents, the number of the others is shown | test_many |
"""

import re
from pathlib import Path

import pytest

from daynight.game import Game
from daynight.pictures import board_svg
from daynight.pictures.board import MOST_PERMANENTS
from tests.rules.placing import control, enter, leave, lose, permanent, phase_out, together
from tests.rules.turning import face_down
from tests.rules.words import cast, doubt, joined, started, turn, untap

from .seen import SVG, classes, parsed, said, texts, titled

GAMES = [Path("demo"), *sorted((Path(__file__).resolve().parents[2] / "examples" / "games").glob("*.jsonl"))]
BEAR = {"card": "Bear"}
IMMERWOLF = {"card": "Immerwolf"}


def cards(picture: str) -> dict[str, list[str]]:
    """Return the lines of each permanent's title, by its id: its name, then face, keywords and marks."""
    found = {}
    for group in titled(picture):
        name, *rest = said(group).splitlines()
        if (ids := re.fullmatch(r"(.*) \((.*)\)", name)) is not None:
            found[ids[2]] = [ids[1], *rest]
    return found


@pytest.mark.wide(but=4)
@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_every_permanent(path):
    """At every seventh event and the end, the board has the permanents, names and keywords of the state's document."""
    game = Game.load(path)
    for number in (*range(1, len(game), 7), len(game)):
        drawn = cards(board_svg(game, number))
        state = game.document(number)
        by_player = [
            one for player in game.state.players for one in state["battlefield"] if one["controller"] == player
        ]
        assert [one["permanent"] for one in by_player] == list(drawn)
        for one in by_player:
            name, *rest = drawn[one["permanent"]]
            assert one["name"] in (None, name)
            assert set(one["keywords"] or ()) == {word for word in rest if word in ("daybound", "nightbound")}
            assert ("phased out" in rest) is not one["phased_in"]


def test_faces():
    """A double-faced card has the words "front face" or "back face"; a card with one face has only its name."""
    game = Game([started(), turn(1), together(permanent("w1"), permanent("b1", BEAR)), turn(2, "Bo"), untap()])
    assert ["Tavern Ruffian", "front face", "daybound"] == cards(board_svg(game, 3))["w1"]
    assert ["Tavern Smasher", "back face", "nightbound"] == cards(board_svg(game))["w1"]
    assert ["Bear"] == cards(board_svg(game))["b1"]


def test_marks():
    """Only w1, which Immerwolf stops, has "can't transform", w2 "without abilities", and w3 "phased out" and dashes."""
    arrival = together(permanent("w1"), permanent("w2", controller="Bo"), permanent("w3", controller="Bo"))
    game = Game([started(), turn(1), arrival, enter("i", IMMERWOLF), lose("w2"), phase_out("w3")])
    assert not [id for id, words in cards(board_svg(game)).items() if "can't transform" in words], "they are Human"
    game.record(turn(2, "Bo"))
    game.record(untap(stays_out=["w3"]))
    drawn = cards(board_svg(game))
    assert {"w1"} == {id for id, words in drawn.items() if "can't transform" in words}
    assert {"w2"} == {id for id, words in drawn.items() if "without abilities" in words}
    assert {"w3"} == {id for id, words in drawn.items() if "phased out" in words}
    dashed = [group for group in titled(board_svg(game)) if any("dashed" in classes(one) for one in group.iter())]
    assert ["w3"] == [re.findall(r"\((.*)\)", said(group))[0] for group in dashed]
    game.record(leave("i"))
    assert not [id for id, words in cards(board_svg(game)).items() if "can't transform" in words]


def test_heading():
    """The heading has the designation, the moment, the active player, the cause and the casts of two turns.

    The description has the moment, the cause and the permanents.
    """
    game = Game([started(), turn(1), enter("w1"), cast("Bo"), turn(2, "Bo"), untap()])
    root = parsed(board_svg(game))
    words = texts(root)
    assert "g1: night" in words
    assert "event 6, turn 2, untap step; active: Bo" in words
    assert "It has been night since event 6, turn 2: Ana, active in turn 1, cast no spell in it (CR 728.2a)." in words
    assert 1 == words.count("active")
    assert words.index("Ana") < words.index("Bo") < words.index("active")
    assert ["spells this turn: 0 · turn before: 0", "spells this turn: 0 · turn before: 1"] == texts(
        root, "soft", "end"
    )
    told = root.findtext(f"{SVG}desc") or ""
    moment = "event 6, turn 2, untap step; active: Bo. "
    assert told.startswith(f"{moment}It has been night since event 6, turn 2: Ana, active in turn 1, cast no spell")
    assert "Ana controls Tavern Smasher (w1): back face, nightbound." in told
    nothing = parsed(board_svg(Game([started()])))
    assert "There are no permanents on the battlefield." in texts(nothing)
    assert "active" not in texts(nothing)


def test_face_down():
    """After a card is turned face down, its name is nowhere in the SVG; its only text is "face down"."""
    game = Game([started(), turn(1), enter("m", BEAR)])
    assert "Bear" in board_svg(game)
    game.record(face_down("m"))
    assert "Bear" not in board_svg(game)
    assert ["face down"] == cards(board_svg(game))["m"]


def test_uncertain():
    """After an uncertain cast the board names both designations, both faces, and the night that the policy assumes."""
    game = Game([started(), turn(1), enter("w1"), doubt("Ana", 0, 1), turn(2, "Bo"), untap()])
    picture = board_svg(game)
    assert ["Tavern Ruffian or Tavern Smasher", "either face up"] == cards(picture)["w1"]
    said = "It may be day or night. Where nobody can tell, the judge assumes night (MTR 4.9: policy, not derived)."
    assert said in texts(parsed(picture))
    assert "MTR" not in board_svg(game, 4)
    midway = parsed(board_svg(Game([started(), joined("day", "night"), turn(5)])))
    assert any("turn before: unknown" in word for word in texts(midway))


def test_waiting():
    """The board of an event says "Waiting to go on the stack" exactly if triggers wait after that event."""
    game = Game.load(GAMES[0].parent / next(path for path in GAMES if path.stem == "first-night"))
    waiting = [
        number
        for number in range(1, len(game) + 1)
        if any("Waiting to go on the stack" in word for word in texts(parsed(board_svg(game, number))))
    ]
    assert waiting
    assert waiting == [number for number in range(1, len(game) + 1) if game.at(number).triggers.waiting]


def test_earlier():
    """A permanent that Bo controls now is under Ana at the earlier moment."""
    game = Game([started(), turn(1), enter("w1"), control("Bo", "w1")])
    assert "Ana controls Tavern Ruffian (w1)" in board_svg(game, 3)
    assert "Bo controls Tavern Ruffian (w1)" in board_svg(game)


def test_many():
    """At most MOST_PERMANENTS are drawn, with those that concern day and night first; the board counts the others."""
    bears = together(*(permanent(f"b{number}", BEAR) for number in range(MOST_PERMANENTS + 30)))
    game = Game([started(), turn(1), bears, enter("w1")])
    picture = board_svg(game)
    drawn = cards(picture)
    assert MOST_PERMANENTS == len(drawn)
    assert "w1" in drawn
    assert "And 31 more permanents." in texts(parsed(picture))
    assert "more permanent" not in board_svg(game, 2)
    assert len(picture) < 300_000
