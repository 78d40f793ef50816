"""Arena's turns: each has one untap step, or skips it.

| promise | test |
| --- | --- |
| the untap step comes once, before the claims of its turn | test_untap_step_before_claims |
| in real sessions the untap step immediately follows the turn's beginning | test_sessions |
| a turn that begins with another step skips its untap step | test_no_untap_step |
| the turn in which the log begins skips it too; a turn lost in a gap had one | test_joined, test_not_seen |
| a phased-out permanent phases in at its player's untap step without a message | test_phased_out_untold |
| if a phased-out permanent is shown as another card or face down, no event is recorded | test_phased_out_changed |
"""

import pytest

from daynight.events import StepBegan, TurnBegan
from daynight.importers.arena.log import IMPORTER
from daynight.importers.importing import Import
from daynight.importers.sources import Source
from tests.importers.arena_logs import BATTLEFIELD, DAY, HAWK, NIGHT, RUFFIAN, note
from tests.importers.arena_reading import of_type

from .conftest import SESSIONS, needs_sessions


def steps(events):
    return [event.get("step") or event["type"] for event in events if event["type"] != "face-claimed"]


def test_untap_step_before_claims(read, game):
    """Arena reports the untap step after it said that it is night; the record has the step first, and once."""
    game.resolve(game.cast(1, RUFFIAN), designation=(DAY, "persistent"))
    game.next_turn()
    game.turn, game.active = 3, 1
    changed = game.designation(NIGHT, "updated")
    changed["annotations"].insert(0, note("NewTurnStarted", [1], 1))
    game.send(turnInfo={"turnNumber": 3, "activePlayer": 1}, **changed)
    game.send(annotations=[game.step("untap"), game.step("upkeep")])
    found = read(game.log.bytes())
    assert ["turn-began", "untap", "designation-claimed", "upkeep"] == steps(found.events())[-4:]
    assert "exact" == found.game().audit().verdict


def test_no_untap_step(read, game):
    """Arena begins a turn with the upkeep: the record's turn skips its untap step."""
    game.turn, game.active = 2, 2
    told = [note("NewTurnStarted", [2], 2), game.step("upkeep"), note("NewTurnStarted", [1], 1), game.step("untap")]
    game.send(annotations=told, turnInfo={"turnNumber": 3, "activePlayer": 1})
    turns = of_type(read(game.log.bytes()).events(), "turn-began")
    assert [None, ["untap"], None] == [turn.get("skips") for turn in turns]


def test_phased_out_untold(read, game):
    """A permanent phases in at its player's untap step: a message about phasing in later gives no event."""
    wolf = game.resolve(game.cast(1, RUFFIAN))
    game.send(annotations=[note("PhasedOut", [wolf], 5)])
    game.next_turn()
    game.send(annotations=[note("PhasedOut", [wolf], 5)])
    game.next_turn()
    game.send(annotations=[note("PhasedIn", [wolf], 5)])
    game.send(annotations=[note("PhasedOut", [wolf], 5)])
    events = read(game.log.bytes()).events()
    assert ["phased-out", "phased-out"] == [event["type"] for event in of_type(events, "phased-out", "phased-in")]


def test_phased_out_changed(read, game):
    """Arena shows a phased-out permanent as another card, or face down: the record has no event about that."""
    wolf = game.resolve(game.cast(1, RUFFIAN))
    game.send(annotations=[note("PhasedOut", [wolf], 5)])
    game.send(gameObjects=[game.shown(wolf, HAWK, BATTLEFIELD, 1)])
    game.send(gameObjects=[game.shown(wolf, HAWK, BATTLEFIELD, 1, isFacedown=True)])
    assert "phased-out" == read(game.log.bytes()).tags()[-1]


def test_joined(read, game):
    """The log begins in turn 4 after its untap step, so the record's turn 4 skips it."""
    game.next_turn()
    game.log.lines.clear()
    game.full()
    game.next_turn()
    events = read(game.log.bytes()).events()
    assert [["untap"], None] == [turn.get("skips") for turn in of_type(events, "turn-began")]
    assert ["cleanup", "untap"] == [step["step"] for step in of_type(events, "step-began")][:2]


def test_not_seen(read, game):
    """Turn 2 began in a gap: the record has its untap step, and does not skip it."""
    game.state += 1
    game.turn = game.active = 2
    game.send(turnInfo={"turnNumber": 2, "activePlayer": 2})
    events = read(game.log.bytes()).events()
    assert [None, None] == [turn.get("skips") for turn in of_type(events, "turn-began")]
    assert "untap" == of_type(events, "step-began")[-1]["step"]


@pytest.mark.wide(but=3)
@needs_sessions
@pytest.mark.parametrize("path", sorted(SESSIONS.glob("*.gz")) or [SESSIONS], ids=lambda path: path.name[8:30])
def test_sessions(path):
    """The event after each beginning of a turn is the untap step; a truncated game may end before it."""
    if "disabled" in path.name:
        pytest.skip("this session has no game in it")
    with path.open("rb") as stream:
        games = list(Import(IMPORTER).games([Source(path.name, stream)]))
    for game in games:
        for event, after in zip(game.events, game.events[1:], strict=False):
            assert not isinstance(event, TurnBegan) or (StepBegan, "untap") == (type(after), after.step)
