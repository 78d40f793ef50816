"""The chain of Arena's states: what is taken back, what is missing, and what comes twice.

| promise | test |
| --- | --- |
| what was taken back is not imported, and is reported; what follows stands on what stood before | test_undo |
| taking back what made no event is reported too | test_undo_of_nothing |
| an undo repeats nothing | test_undo_repeats_nothing, test_undo_of_phasing |
| where no chain is said, numbers that follow one another are one | test_without_a_chain |
| an undo of a state that nobody knows is a gap | test_undo_of_the_unknown |
| a missing state makes the spells of the turn uncertain | test_gap, test_gap_before_a_turn |
| so it does those of the turns that nobody saw begin | test_gap_over_turns |
| numbers left out are no gap | test_numbers_left_out |
| the client connects again: nothing is read twice | test_reconnected |
| what happened meanwhile is uncertain | test_reconnected_late |
| a log that begins within a game takes it up midway | test_joined |
| what left in a gap has left, once Arena says what is there | test_left_in_a_gap, test_phased_out_in_a_gap |
| a whole state within the chain is no gap | test_whole_states |
| a state that Arena repeats is not read twice | test_repeated |
"""

import pytest

from tests.importers.arena_logs import DAY, OPT, RUFFIAN, note
from tests.importers.arena_reading import casts, uncertain


def test_undo(read, game):
    """A spell is announced, cast and taken back; another one is cast instead. A turn is taken back as well."""
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
    """It is reported though no event had come of what is taken back, and so it is said."""
    game.undo(game.state)
    note = read(game.log.bytes()).report.notes["undone"].sentence
    assert "no event had come of it" in note
    assert "0 events" not in note


def test_undo_repeats_nothing(read, game):
    """It repeats what was said at the state it goes back to: that was said."""
    game.cast(1, OPT)
    stood = game.state
    game._shown.pop(game.resolve(game.cast(1, RUFFIAN), designation=(DAY, "persistent")))
    cast = note("UserActionTaken", [300], 1, actionType=1, abilityGrpId=0)
    game.undo(stood, annotations=[cast, note("GainDesignation", [1], DesignationType=DAY)])
    found = read(game.log.bytes())
    assert (["300"], "spell-cast") == (casts(found.events()), found.tags()[-1])
    # And it may become day again, under the very same id.
    game.send(persistentAnnotations=[{"id": 900, **note("Designation", [1], DesignationType=DAY)}])
    assert "designation-claimed" == read(game.log.bytes()).tags()[-1]


def test_undo_of_phasing(read, game):
    """What phased out in what was taken back is there: it can phase out again, and not in."""
    wolf = game.resolve(game.cast(1, RUFFIAN))
    stood = game.state
    game.send(annotations=[note("PhasedOut", [wolf], 5)])
    game.undo(stood)
    game.send(annotations=[note("PhasedIn", [wolf], 5)])
    game.send(annotations=[note("PhasedOut", [wolf], 5)])
    assert ["permanents-entered", "face-claimed", "phased-out"] == read(game.log.bytes()).tags()[-3:]


def test_without_a_chain(read, game):
    """A client that does not say which state was before: numbers that follow one another do."""
    game.cast(1, OPT)
    game.send(skip=5)
    assert {"gap": 1, "truncated": 1} == read(game.log.bytes().replace(b'"prevGameStateId"', b'"before"')).kinds
    assert {"truncated": 1} == read(game.log.bytes()).kinds


def test_undo_of_the_unknown(read, game):
    """Back to a state that never was: what stands is not known, so it stays, and is uncertain."""
    game.cast(1, OPT)
    game.state += 10
    game.undo(game.state - 3)
    found = read(game.log.bytes())
    assert (1, ["300"]) == (found.kinds["gap"], casts(found.events()))
    assert 2 == len(uncertain(found.events()))


def test_gap(read, game):
    """Within a turn: at least none, for both players, and doubtful."""
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
    """Turns began that nobody saw: whoever's they were, anything may have been cast, so day and night are open."""
    game.resolve(game.cast(1, RUFFIAN), designation=(DAY, "persistent"))
    game.state += 40
    game.turn += missing
    game.active = 1 if missing % 2 == 0 else 2
    game.send(turnInfo={"turnNumber": game.turn, "activePlayer": game.active})
    found = read(game.log.bytes())
    turns = [event for event in found.events() if event["type"] == "turn-began"]
    assert (game.turn, [f"Seat {game.active}"]) == (turns[-1]["turn"], turns[-1]["active"])
    # In turn 1 a spell was seen: that it is day in turn 2 is certain, and nothing is after that.
    assert (["day"] if missing == 1 else ["day", "night"]) == found.game().document()["possible"]
    # With the beginning of the present turn seen, its own spells are certain.
    game.next_turn()
    events = read(game.log.bytes()).events()
    assert not uncertain(events[[event.get("turn") for event in events].index(game.turn) :])


def test_gap_before_a_turn(read, game):
    """States are missing, and the next one begins the next turn: only the turn before is uncertain."""
    game.state += 1
    game.next_turn()
    events = read(game.log.bytes()).events()
    assert [1, 2] == [event["turn"] for event in events if event["type"] == "turn-began"]
    assert 2 == len(uncertain(events[: [event.get("turn") for event in events].index(2)])) == len(uncertain(events))


def test_left_in_a_gap(read, game):
    """What is not on the battlefield any more, once Arena says again what is."""
    game.resolve(game.cast(1, RUFFIAN))
    game.state += 1
    game.send(zones=[{"zoneId": 28, "type": "ZoneType_Battlefield", "objectInstanceIds": [1]}])
    assert "permanents-left" == read(game.log.bytes()).tags()[-1]


def test_phased_out_in_a_gap(read, game):
    """What is phased out is not among what Arena lists, and has not left."""
    game.send(annotations=[note("PhasedOut", [game.resolve(game.cast(1, RUFFIAN))], 5)])
    game.state += 1
    game.send(zones=[{"zoneId": 28, "type": "ZoneType_Battlefield", "objectInstanceIds": []}])
    assert "permanents-left" not in read(game.log.bytes()).tags()


def test_whole_states(read, game):
    """A whole state within the chain: what is not in it has left, and nothing is uncertain."""
    wolf = game.resolve(game.cast(1, RUFFIAN))
    del game._shown[wolf]
    game.full(prevGameStateId=game.state)
    found = read(game.log.bytes())
    assert ("permanents-left", {"truncated": 1}) == (found.tags()[-1], found.kinds)


def test_numbers_left_out(read, game):
    """State numbers jump; what counts is the state before."""
    game.send(skip=7)
    game.cast(1, OPT)
    found = read(game.log.bytes())
    assert {"truncated": 1} == found.games[0].report.warnings
    assert not uncertain(found.events())


def test_reconnected(read, game):
    """The whole state again, as it was: a note, and nothing twice."""
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
    """Meanwhile something happened: a permanent went, another came, and spells are uncertain."""
    wolf = game.resolve(game.cast(1, RUFFIAN))
    game.state += 5
    game._shown[777] = dict(game._shown.pop(wolf), instanceId=777)
    game.full()
    found = read(game.log.bytes())
    assert 1 == found.kinds["gap"]
    assert {"777"} == {one["permanent"] for one in found.game().document()["battlefield"]}
    assert 2 == len(uncertain(found.events()))


def test_joined(read, game):
    """The first state is whole, in turn 4: whatever was before is open."""
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
    """A state that was read before is noted, and not read again."""
    game.cast(1, OPT)
    game.log.lines += game.log.lines[-2:]
    game.cast(1, OPT)
    found = read(game.log.bytes())
    assert (["300", "301"], {"repeated": 1, "truncated": 1}) == (casts(found.events()), found.kinds)
