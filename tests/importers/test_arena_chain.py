"""The chain of Arena's states: undone, missing and repeated states.

| promise | test |
| --- | --- |
| undone events are reported and not imported; later ones follow the state that the undo names | test_undo |
| an undo of no event is reported too | test_undo_of_nothing |
| what an undo repeats is not recorded again | test_undo_repeats_nothing, test_undo_of_phasing |
| without links between states, consecutive numbers are a chain | test_without_a_chain |
| an undo to an unknown state is a gap | test_undo_of_the_unknown |
| a missing state makes the spells of the turn uncertain | test_gap, test_gap_before_a_turn |
| the spells of turns whose beginning is missing are uncertain | test_gap_over_turns |
| skipped state numbers are not a gap | test_numbers_left_out |
| after a reconnection nothing is read twice | test_reconnected |
| the spells during a disconnection are uncertain | test_reconnected_late |
| a log that begins in the middle of a game gives a record from there on | test_joined |
| permanents that left in a gap are removed at Arena's next list | test_left_in_a_gap, test_phased_out_in_a_gap |
| a whole state within the chain is not a gap | test_whole_states |
| a state that Arena repeats is not read twice | test_repeated |
"""

import pytest

from tests.importers.arena_logs import DAY, OPT, RUFFIAN, note
from tests.importers.arena_reading import casts, uncertain


def test_undo(read, game):
    """An undone cast and an undone turn are not in the record; the cast and the turn that replace them are."""
    stood = game.state
    game.cast(1, OPT)
    game.undo(stood)
    game.cast(1, OPT)
    stood = game.state
    game.next_turn()
    game.cast(2, OPT)
    game.turn, game.active = 1, 1
    game.undo(stood)
    game.next_turn()
    found = read(game.log.bytes())
    assert ["301"] == casts(found.events())
    assert [1, 2] == [event["turn"] for event in found.events() if event["type"] == "turn-began"]
    assert 2 == found.kinds["undone"]
    assert "1 event is not imported" in found.report.notes["undone"].sentence
    assert {"truncated": 1} == found.games[0].report.warnings


def test_undo_of_nothing(read, game):
    """An undo is reported even if the undone state had produced no event."""
    game.undo(game.state)
    note = read(game.log.bytes()).report.notes["undone"].sentence
    assert "no event had come of it" in note
    assert "0 events" not in note


def test_undo_repeats_nothing(read, game):
    """The whole state that an undo sends repeats a cast and a designation: neither is recorded from it. The same
    designation in a later state is a claim."""
    game.cast(1, OPT)
    stood = game.state
    game._shown.pop(game.resolve(game.cast(1, RUFFIAN), designation=(DAY, "persistent")))
    cast = note("UserActionTaken", [300], 1, actionType=1, abilityGrpId=0)
    game.undo(stood, annotations=[cast, note("GainDesignation", [1], DesignationType=DAY)])
    found = read(game.log.bytes())
    assert (["300"], "spell-cast") == (casts(found.events()), found.tags()[-1])
    # It may become day again later, with the very same id.
    game.send(persistentAnnotations=[{"id": 900, **note("Designation", [1], DesignationType=DAY)}])
    assert "designation-claimed" == read(game.log.bytes()).tags()[-1]


def test_undo_of_phasing(read, game):
    """After an undone phasing out, a message about phasing in gives no event, and phasing out again gives one."""
    wolf = game.resolve(game.cast(1, RUFFIAN))
    stood = game.state
    game.send(annotations=[note("PhasedOut", [wolf], 5)])
    game.undo(stood)
    game.send(annotations=[note("PhasedIn", [wolf], 5)])
    game.send(annotations=[note("PhasedOut", [wolf], 5)])
    assert ["permanents-entered", "face-claimed", "phased-out"] == read(game.log.bytes()).tags()[-3:]


def test_without_a_chain(read, game):
    """If states do not name the previous state, a jump in their numbers is a gap."""
    game.cast(1, OPT)
    game.send(skip=5)
    assert {"gap": 1, "truncated": 1} == read(game.log.bytes().replace(b'"prevGameStateId"', b'"before"')).kinds
    assert {"truncated": 1} == read(game.log.bytes()).kinds


def test_undo_of_the_unknown(read, game):
    """After an undo to an unknown state, the cast that may be undone stays, and both players' spells are uncertain."""
    game.cast(1, OPT)
    game.state += 10
    game.undo(game.state - 3)
    found = read(game.log.bytes())
    assert (1, ["300"]) == (found.kinds["gap"], casts(found.events()))
    assert 2 == len(uncertain(found.events()))


def test_gap(read, game):
    """After a gap within a turn, the record says that both players may have cast any number of spells."""
    game.state += 1
    game.cast(1, OPT)
    found = read(game.log.bytes())
    expected = [{"type": "spells-uncertain", "player": f"Seat {seat}", "at_least": 0} for seat in (1, 2)]
    assert expected == uncertain(found.events())
    assert ["300"] == casts(found.events())
    assert 2 == len([event for event in found.games[0].events if event.meta["source"]["confidence"] == "doubtful"])
    assert {"gap": 1, "truncated": 1} == found.games[0].report.warnings


@pytest.mark.parametrize("missing", [1, 2, 5])
def test_gap_over_turns(read, game, missing):
    """`missing` turns began in a gap, and their casts are unknown: after one turn it is still day, after two or more
    both day and night are possible. The spells of the next complete turn are certain."""
    game.resolve(game.cast(1, RUFFIAN), designation=(DAY, "persistent"))
    game.state += 40
    game.turn += missing
    game.active = 1 if missing % 2 == 0 else 2
    game.send(turnInfo={"turnNumber": game.turn, "activePlayer": game.active})
    found = read(game.log.bytes())
    turns = [event for event in found.events() if event["type"] == "turn-began"]
    assert (game.turn, [f"Seat {game.active}"]) == (turns[-1]["turn"], turns[-1]["active"])
    # A spell was seen in turn 1: that it is day in turn 2 is certain; later nothing is.
    assert (["day"] if missing == 1 else ["day", "night"]) == found.game().document()["possible"]
    # The beginning of the present turn was seen, so its own spells are certain.
    game.next_turn()
    events = read(game.log.bytes()).events()
    assert not uncertain(events[[event.get("turn") for event in events].index(game.turn) :])


def test_gap_before_a_turn(read, game):
    """States are missing, and the next state begins a turn: only the spells of the turn before are uncertain."""
    game.state += 1
    game.next_turn()
    events = read(game.log.bytes()).events()
    assert [1, 2] == [event["turn"] for event in events if event["type"] == "turn-began"]
    assert 2 == len(uncertain(events[: [event.get("turn") for event in events].index(2)])) == len(uncertain(events))


def test_left_in_a_gap(read, game):
    """After a gap, permanents that are missing in Arena's next list are recorded as having left."""
    game.resolve(game.cast(1, RUFFIAN))
    game.state += 1
    game.send(zones=[{"zoneId": 28, "type": "ZoneType_Battlefield", "objectInstanceIds": [1]}])
    assert "permanents-left" == read(game.log.bytes()).tags()[-1]


def test_phased_out_in_a_gap(read, game):
    """A phased-out permanent is missing in Arena's list, and is not recorded as having left."""
    game.send(annotations=[note("PhasedOut", [game.resolve(game.cast(1, RUFFIAN))], 5)])
    game.state += 1
    game.send(zones=[{"zoneId": 28, "type": "ZoneType_Battlefield", "objectInstanceIds": []}])
    assert "permanents-left" not in read(game.log.bytes()).tags()


def test_whole_states(read, game):
    """In a whole state within the chain, missing permanents have left, and nothing is uncertain."""
    wolf = game.resolve(game.cast(1, RUFFIAN))
    del game._shown[wolf]
    game.full(prevGameStateId=game.state)
    found = read(game.log.bytes())
    assert ("permanents-left", {"truncated": 1}) == (found.tags()[-1], found.kinds)


def test_numbers_left_out(read, game):
    """A jump in the numbers of states is no gap, because each state names the previous one."""
    game.send(skip=7)
    game.cast(1, OPT)
    found = read(game.log.bytes())
    assert {"truncated": 1} == found.games[0].report.warnings
    assert not uncertain(found.events())


def test_reconnected(read, game):
    """After a reconnection Arena repeats a whole state: the report notes it, and the events stay the same."""
    wolf = game.resolve(game.cast(1, RUFFIAN))
    before = read(game.log.bytes()).events()
    game.log.message({"type": "GREMessageType_ConnectResp"})
    last, game.state = game.state, game.state - 2
    game.full(annotations=[note("UserActionTaken", [wolf], 1, actionType=1, abilityGrpId=0)])
    game.state = last
    game.send()
    found = read(game.log.bytes())
    assert before == found.events()
    assert {"reconnected": 1, "truncated": 1} == found.kinds


def test_reconnected_late(read, game):
    """During a disconnection one permanent left and another came, so spells may have been cast: they are uncertain."""
    wolf = game.resolve(game.cast(1, RUFFIAN))
    game.state += 5
    game._shown[777] = dict(game._shown.pop(wolf), instanceId=777)
    game.full()
    found = read(game.log.bytes())
    assert 1 == found.kinds["gap"]
    assert {"777"} == {one["permanent"] for one in found.game().document()["battlefield"]}
    assert 2 == len(uncertain(found.events()))


def test_joined(read, game):
    """The log begins with a whole state in turn 4: the record begins there, with what is on the battlefield."""
    wolf = game.resolve(game.cast(1, RUFFIAN))
    for _turn in range(3):
        game.next_turn()
    game.log.lines.clear()
    game.full(
        persistentAnnotations=[{"id": 5, **note("Designation", [1], DesignationType=DAY)}],
        annotations=[note("UserActionTaken", [wolf], 1, actionType=1, abilityGrpId=0)],
    )
    game.cast(2, OPT)
    found = read(game.log.bytes())
    assert ["game-started", "game-joined"] == found.tags()[:2]
    assert {"joined": 1} | {"truncated": 1} == found.games[0].report.warnings
    assert (4, ["301"]) == (found.game().at(len(found.tags())).turn, casts(found.events()))
    assert [str(wolf)] == [one["permanent"] for one in found.game().document()["battlefield"]]
    assert "designation-claimed" in found.tags()
    assert "disputed" != found.game().audit().verdict


def test_repeated(read, game):
    """A state that comes twice is noted, and its events are recorded once."""
    game.cast(1, OPT)
    game.log.lines += game.log.lines[-2:]
    game.cast(1, OPT)
    found = read(game.log.bytes())
    assert (["300", "301"], {"repeated": 1, "truncated": 1}) == (casts(found.events()), found.kinds)
