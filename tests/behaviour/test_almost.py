"""`almost` in the answer of `why`: a sentence that says what would give another designation, and the edits for it.

| promise | test |
| --- | --- |
| the edits, as JSON and as options of what-if | test_the_edits |
| the edited record has the designation that the sentence names, at the same place | test_carried_out, test_a_thousand |
| the edits also work for a check in an unwritten untap step | test_unwritten |
| events further back than a limit are not edited | test_far_back |
| while it is neither, an arrival is proposed, if one is possible | test_neither |
| the proposed permanent has the same id and name in every language | test_arriving |
"""

from __future__ import annotations

import pytest

from daynight.game import Game
from daynight.languages.speaking import speaking
from daynight.questions import almost
from daynight.speech.sentences import designation_word
from tests.behaviour.games import CONTRACT, told
from tests.behaviour.naively import random_game
from tests.rules.words import cast, effect, ended, quits, said, turn, untap, upkeep


def carried_out(game: Game, number: int) -> str | None:
    """Apply the edits that `why(number)` proposes; return the designation then at event `number`, None if no edits."""
    change = game.why(number).almost_edit
    if change is None:
        return None
    branch = game.branch(*change.edits)
    assert branch.stopped is None or branch.stopped.number > number
    after = [place for place, origin in enumerate(branch.origins, 1) if origin is not None and origin <= number]
    place = max(after, default=0)
    while place < len(branch) and branch.origins[place] is None and branch.origins[place - 1] == number:
        place += 1
    return designation_word(branch.game.at(place).designation)


def test_the_edits():
    """The document has the edits as JSON and as options of what-if, beside the sentence."""
    why = Game(CONTRACT).why()
    assert "With one more spell by Bo in turn 2 it would be day." == why.almost
    assert "day" == carried_out(Game(CONTRACT), 8)
    document = why.document()
    assert {
        "edits": [{"at": 6, "insert": [{"type": "spell-cast", "player": "Bo"}]}],
        "options": ["--insert", 'e6: {"type":"spell-cast","player":"Bo"}'],
    } == document["almost_edit"]
    assert why.almost == document["almost"]
    dropped = told(effect("night")).why().document()["almost_edit"]
    assert {"edits": [{"at": 2, "drop": True}], "options": ["--drop", "e2"]} == dropped


DAY = effect("day"), turn(1)


@pytest.mark.parametrize("events, sentence", [
    ((turn(2, "Bo"), upkeep()), "With one more spell by Ana in turn 1 it would be day."),
    ((turn(2, "Bo"), cast("Bo"), turn(3)), "With one more spell by Ana in turn 1 it would be day."),
    ((turn(2, "Bo"), turn(3)), "With one more spell by Ana in turn 1 it would be day."),
    ((turn(2, "Bo"), turn(3), untap()), "Without event 2 it would be neither day nor night."),
    ((cast(), turn(2, "Bo"), upkeep()), "Without event 4 it would be night."),
])  # fmt: skip
def test_unwritten(events, sentence):
    """If an unwritten untap step of turn 2 had a check, the proposed edits give the designation in `sentence`."""
    game = told(*DAY, *events)
    why = game.why()
    assert (sentence, True) == (why.almost, f"it would be {carried_out(game, len(game))}." in sentence)


def test_arriving():
    """The permanent that is proposed has the same id and name in every language, as the edit may be stored."""
    edits = []
    for language in ("en", "fr", "ja"):
        with speaking(language):
            edits.append(told(turn(1)).why().document()["almost_edit"]["edits"])
    (one,) = edits[0][0]["insert"][0]["permanents"]
    assert ("unrecorded", ["daybound"]) == (one["card"], one["front"]["keywords"])
    assert edits[0] == edits[1] == edits[2]


def test_neither():
    """While it is neither, an arrival is proposed only if the game continues and a player is left."""
    game = told(turn(1))
    assert ("With a permanent that has daybound on the battlefield it would be day.", "day") == (
        game.why().almost, carried_out(game, 2),
    )  # fmt: skip
    for events in ((turn(1), ended()), (quits("Ana"), quits("Bo"))):
        why = told(*events).why()
        assert (None, None) == (why.almost, why.almost_edit)


@pytest.mark.parametrize("begin, place", [([effect("day")], 2), ([turn(1), effect("night")], 3)])
def test_far_back(monkeypatch, begin, place):
    """If the event to edit is more than `FAR` events back, `almost` is None; the rest of the answer is the same."""
    notes = [said("note-added", by="Ana", says="hm", about=1)] * 40
    game = told(*begin, *notes)
    answers = []
    for far in (len(notes), len(notes) - 1):
        monkeypatch.setattr(almost, "FAR", far)
        answers.append(game.why())
    near, beyond = answers
    assert near.almost == f"Without event {place} it would be neither day nor night."
    assert beyond.almost is None
    assert (near.designation, near.since, near.because) == (beyond.designation, beyond.since, beyond.because)


def compared(seeds: range) -> int:
    """Check in random games, halfway and at the end, that the edits do what `almost` says; return how often it did."""
    found = 0
    for seed in seeds:
        game = random_game(seed, 20 + seed % 25)
        for number in {len(game) // 2, len(game)}:
            upto = game.what_if(number, ())
            why = upto.why()
            assert (why.almost is None) is (why.almost_edit is None)
            if why.almost is not None:
                assert f"it would be {carried_out(upto, number)}." in why.almost, (seed, number)
                found += 1
    return found


def test_carried_out():
    """In 15 random games, the edits of `almost` lead to the promised designation."""
    assert compared(range(15)) > 12


@pytest.mark.slow
def test_a_thousand():
    """In a thousand random games, the edits of `almost` lead to the promised designation."""
    assert compared(range(1000, 2000)) > 1000
