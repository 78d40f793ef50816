"""The contract's record gives the contract's document, byte for byte."""

import json

from daynight.game import Game
from daynight.records import Record
from daynight.referee.documents import state_document
from daynight.replay import replay
from daynight.rules.citations import DEFAULT_EDITION
from tests.behaviour.games import CONTRACT, kept

PRINTED = """
{"game": "g1", "event": 8, "turn": 3, "active": ["Ana"], "step": "untap",
 "designation": "night", "possible": ["night"],
 "tallies": {"previous": {"active": ["Bo"], "spells": {"Ana": 1, "Bo": 0}},
             "current": {"active": ["Ana"], "spells": {"Ana": 0, "Bo": 0}}},
 "battlefield": [{"permanent": "w1", "card": "Tavern Ruffian", "name": "Tavern Smasher", "controller": "Ana",
                  "face": "back", "face_down": false, "phased_in": true, "keywords": ["nightbound"]}],
 "changes": [{"event": 4, "turn": 1, "was": "neither", "became": "day", "rule": "daybound-starts-day", "cr": "702.145d", "because": [4]},
             {"event": 8, "turn": 3, "was": "day", "became": "night", "rule": "check-day", "cr": "728.2a", "because": [5]}],
 "triggers": []}
"""  # noqa: E501  to the letter


def letters(document):
    """The document as text, because the order of its keys counts."""
    return json.dumps(document)


def test_in_memory():
    """The game recorded event by event gives the document."""
    assert letters(json.loads(PRINTED)) == letters(Game(CONTRACT).document())


def test_streamed(tmp_path):
    """The game replayed from its file gives the document."""
    state = replay(Record(kept(tmp_path / "g1.jsonl", CONTRACT)))
    assert letters(json.loads(PRINTED)) == letters(state_document(state, DEFAULT_EDITION))


def test_the_checks_that_were_left_out():
    """If the untap steps of turns 1 and 2 were recorded, only the event numbers would change."""
    whole = [*CONTRACT]
    whole.insert(5, {"type": "step-began", "step": "untap"})
    whole.insert(2, {"type": "step-began", "step": "untap"})
    document = Game(whole).document()
    expected = json.loads(PRINTED)
    expected["event"] = 10
    for change, event, because in zip(expected["changes"], (5, 10), ([5], [6]), strict=True):
        change.update(event=event, because=because)
    assert letters(expected) == letters(document)


def test_a_later_edition_numbers_it_anew():
    """In the latest edition Day and Night is section 731; daybound's number is the same."""
    changes = Game(CONTRACT).document(edition="2026-08-07")["changes"]
    assert ["702.145d", "731.2a"] == [change["cr"] for change in changes]


def test_more_than_one_is_possible():
    """If several are possible, `designation` is None, and `policy`, the tournament's answer, follows the list."""
    doubtful = [*CONTRACT]
    doubtful[5] = {"type": "spells-uncertain", "player": "Bo", "at_least": 0, "at_most": 1}
    document = Game(doubtful).document()
    assert (None, ["day", "night"]) == (document["designation"], document["possible"])
    assert {"rule": "MTR 4.9", "designation": "night"} == document["policy"]
    order = [*json.loads(PRINTED)]
    order.insert(order.index("possible") + 1, "policy")
    assert order == [*document]
    (werewolf,) = document["battlefield"]
    assert [None, None, None] == [werewolf[key] for key in ("face", "name", "keywords")]
    assert {"Ana": 0, "Bo": {"at_least": 0, "at_most": 1}} == document["tallies"]["previous"]["spells"]
    started, checked = document["changes"]
    assert "certain" not in started
    assert (False, "certain") == (checked["certain"], [*checked][-1])
    assert [5, 6] == checked["because"]


def test_before_the_second_turn():
    """Before the second turn the previous tally is None; before the first, the current one has no active player."""
    game = Game(CONTRACT)
    assert [None, None] == [game.document(number)["tallies"]["previous"] for number in (1, 4)]
    assert {"active": [], "spells": {"Ana": 0, "Bo": 0}} == game.document(1)["tallies"]["current"]
