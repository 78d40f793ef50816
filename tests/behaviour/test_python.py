"""Using games from Python.

| promise | test |
| --- | --- |
| `daynight.<TAB>` shows all names, and each exists | test_names |
| `game[5]`, `game["turn:4"]`, `game[-1]` and slices are moments | test_moments_by_place |
| `find` gives the moments with a kind of event or consequence | test_find |
| `table` has a row for each event, change, or standing turn; other tables are refused | test_table, test_turns |
| events and consequences know their type by name | test_types_by_name |
| states print themselves and compare | test_states |
| a part, such as the designation, has value, beginning and rule; an unknown one is refused | test_parts |
"""

from __future__ import annotations

import pytest

import daynight
from daynight import Designation, Game, NotFoundError
from daynight.events import TAGS, Changed, GameStarted, SpellCast
from daynight.framework.language.errors import AskedError
from daynight.framework.mechanic import Between
from daynight.framework.positions import PositionError
from tests.behaviour.games import CONTRACT, told
from tests.rules.judges import back_up
from tests.rules.placing import enter
from tests.rules.words import cast, doubt, effect, turn, upkeep

DAY, NIGHT = Designation.DAY, Designation.NIGHT


@pytest.fixture(scope="module")
def game() -> Game:
    return Game.load("demo")


def test_names():
    """Every name of the package exists; another name raises AttributeError."""
    assert {"Game", "Store", "Recorded", "Mechanic", "commands", "insert", "events"} <= {*dir(daynight)}
    assert all(getattr(daynight, name) is not None for name in daynight.__all__)
    with pytest.raises(AttributeError, match="has no attribute 'Nothing'"):
        _ = daynight.Nothing  # type: ignore[attr-defined]


def test_moments_by_place(game: Game):
    """`game[...]` takes 5, "turn:4", -1 or a slice; it raises NotFoundError for no event, PositionError for "soon"."""
    assert game[1].event == game.events[0]
    assert ("turn-began", 4) == (game["turn:4"].event.type, getattr(game["turn:4"].event, "turn", None))
    assert game[-1] == game[len(game)]
    assert [3, 4, 5] == [moment.number for moment in game[3:6]]
    nowhere = ((place, NotFoundError) for place in (0, len(game) + 1, -len(game) - 1, -9999))
    for place, error in (*nowhere, ("soon", PositionError)):
        with pytest.raises(error):
            game[place]


def test_find(game: Game):
    """`find` selects moments by the kind of event or of consequence, and by their fields."""
    casts = game.find(SpellCast)
    assert len(casts) == sum(isinstance(event, SpellCast) for event in game.events)
    assert {"Seat A"} == {moment.event.player for moment in game.find(SpellCast, where=lambda e: e.player == "Seat A")}
    assert [93, 106, 149] == [moment.number for moment in game.find(Changed)]
    assert [] == game.find(GameStarted, where=lambda event: event.game == "another")


def test_table(game: Game):
    """`table` has a row for each event, for each change, or for each turn."""
    rows = game.table()
    assert [*range(1, len(game) + 1)] == [row["event"] for row in rows]
    assert {"type": "game-started", "stands": True}.items() <= rows[0].items()
    assert {"changed", "transformed"} <= {row["type"] for row in game.table("change")}
    assert [(0, 1, 1), (1, 2, 4), (2, 5, 9)] == [
        (row["turn"], row["event"], row["last"]) for row in game.table("turn")
    ][:3]
    night = next(row for row in game.table("turn") if row["turn"] == 19)
    assert (("Seat A",), Designation.NIGHT, (106,)) == (night["active"], night["designation"], night["changes"])
    assert {"Seat A": (0, 0), "Seat B": (1, 1)} == game.table("turn")[2]["spells"]
    with pytest.raises(AskedError, match="no row per 'week'; there are: event, turn, change"):
        game.table("week")


def test_turns():
    """An undone turn has no row; turn 0 is the time before the first; all rows have the same columns."""
    game = Game.start("g1", ["Ana", "Bo"])
    for event in (turn(1, "Ana"), cast("Ana"), turn(2, "Bo"), back_up(3), cast("Ana")):
        game.record(event)
    rows = game.table("turn")
    assert [(0, 1, 1, None), (1, 2, 6, 2)] == [(row["turn"], row["event"], row["last"], row["casts"]) for row in rows]
    assert 1 == len({tuple(row) for row in rows})
    assert [] == Game().table("turn")


def test_types_by_name(game: Game):
    """`type` of an event is its tag, `type` of a consequence its kind, such as "changed"."""
    assert {moment.event.type for moment in game} <= {*TAGS}
    assert {"changed", "transformed"} <= {found.type for moment in game for found in moment.consequences}


def test_states():
    """The repr of a state has event, designation, turn and permanents; each event of the example changes the state."""
    game = Game(CONTRACT)
    assert game.at(2) == game.at(2)
    assert all(game.at(number) != game.at(number - 1) for number in range(2, len(game) + 1))
    assert game.at(1) != "a state"
    noted = [told(turn(1), cast() | note).state for note in ({}, {"note": "quickly"})]
    assert noted[0] == noted[1]
    shown = [repr(told(*events).state) for events in ((), (enter("w1"), turn(1, "Bo"), upkeep()))]
    shown.append(repr(told(effect("night"), turn(1), doubt("Ana", 1), turn(2, "Bo"), cast("Bo")).state))
    assert shown == [
        "<State after event 1: neither; before turn 1; 0 permanents>",
        "<State after event 4: day; turn 1 of Bo, upkeep; 1 permanents>",
        "<State after event 6: day or night; turn 2 of Bo; 0 permanents>",
    ]


def test_tallies():
    """The subject of a tally is a player, or a player and a turn, as `Ana/1`; a slash in a name is escaped."""
    game = Game([{"type": "game-started", "format": 1, "game": "g", "players": ["A/1", "50%2F"]}])
    for event in (turn(1, "A/1"), cast("50%2F"), turn(2, "50%2F"), cast("A/1"), cast("50%2F"), cast("A/1")):
        game.record(event)
    tallies = {part.subject: part.derived for part in game.parts(None, "tally")}
    assert {subject: found.values for subject, found in tallies.items()} == {
        "A%2F1/2": Between(2, 2), "50%252F/2": Between(1, 1), "A%2F1/1": Between(0, 0), "50%252F/1": Between(1, 1),
    }  # fmt: skip
    assert game.part("tally", "A%2F1") == tallies["A%2F1/2"]
    assert [found.because for found in tallies.values()] == [(4, 5, 7), (4, 6), (2,), (2, 3)]
    assert [game.part("tally", "A%2F1/2", at=number).way.event for number in (4, 5, 6, 7)] == [4, 5, 5, 7]
    for subject in ("A%2F1/3", "A%2F1/x", "Cy", "Cy/1", "A/1"):
        with pytest.raises(NotFoundError):
            game.part("tally", subject)
    claim = {"type": "tally-claimed", "player": "A/1", "spells": 3, "by": "50%2F", "turn": 2}
    game.record(claim)
    (finding,) = game.audit().findings
    assert (finding.subject, finding.claimed, finding.derived) == ("A/1", 3, 2)


def test_a_row_a_turn():
    """A row for each turn that was not undone, and one for the time before the first."""
    game = told(enter("w1"), turn(1), cast(), turn(2, "Bo"), turn(3), back_up(5), effect("night"))
    assert [tuple(row.values()) for row in game.table("turn")] == [
        (1, True, 2, 0, 0, (), (DAY,), DAY, None, {}, (2,)),
        (3, True, 4, 0, 1, ("Ana",), (DAY,), DAY, 1, {"Ana": (1, 1), "Bo": (0, 0)}, ()),
        (5, True, 8, 0, 2, ("Bo",), (NIGHT,), NIGHT, 0, {"Ana": (0, 0), "Bo": (0, 0)}, (8,)),
    ]
    names = "event stands last game turn active possible designation casts spells changes"
    assert names.split() == [*game.table("turn")[0]]


def test_parts(game: Game):
    """A part has a value, and the event and rule of its beginning; an unknown part or subject raises NotFoundError."""
    found = game.part("designation", at=149)
    way = found.way
    assert way is not None
    assert ("day", 149, "check-night") == (found.value, way.event, way.rule)
    assert ("designation", None) in [(part, subject) for part, subject, _derived in game.parts()]
    with pytest.raises(NotFoundError, match="no part 'weather'; there are: "):
        game.part("weather")
    with pytest.raises(NotFoundError, match="nothing is there of 'nobody'"):
        game.part("face", "nobody")
