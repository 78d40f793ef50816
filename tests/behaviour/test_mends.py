"""Repairs of one claim: single edits that would make it right, whatever the other claims say.

| promise | test |
| --- | --- |
| each repair was tried: it makes the claim right, and fewer claims differ | test_tried |
| those that leave the fewest differing claims come first, and say whether all become right | test_order |
| a cast is no repair of a claim of neither; a right claim has no repair | test_none |
| the repair of the demo's wrong face is an effect that makes it day | test_demo |
"""

import pytest

from daynight import Game
from daynight.questions.mends import mends
from tests.behaviour.games import told
from tests.rules.judges import claim
from tests.rules.placing import enter, permanent
from tests.rules.words import cast, effect, joined, turn, untap

WRONG = (enter("w1"), turn(1), cast(), turn(2, "Bo"), untap(), claim("night"), claim("neither"))


@pytest.mark.parametrize("event", [7, 8])
def test_tried(event):
    """On the branch of a repair's edits the claim is right, and fewer claims differ: as many as `differing` says."""
    game = told(*WRONG)
    before = len(game.audit().disputes)
    for mend in mends(game, event).mends:
        branch = game.branch(*mend.hint.edits)
        audit = branch.game.audit()
        number = branch.origins.index(event) + 1
        assert number not in [one.event for one in (*audit.disputes, *audit.unsettled)]
        assert mend.differing == len(audit.disputes) < before


def test_order():
    """Repairs that leave fewer claims wrong come first; a sentence says that all are right only if none is left."""
    found = mends(told(*WRONG), 7)
    assert 7 == found.finding.event
    assert found.mends
    assert [mend.differing for mend in found.mends] == sorted(mend.differing for mend in found.mends)
    for mend in found.mends:
        assert ("this claim would be right" in mend.sentence) is (mend.differing > 0)
        assert ("every claim would be right" in mend.sentence) is (mend.differing == 0)


def test_none():
    """No repair of a wrong claim of neither is a cast; a right claim has neither finding nor repair.

    A Ruffian that phases in makes it day: without its phasing in it would still be neither, whoever cast what.
    """
    phased_out = [permanent("w1", phased_out=True)]
    game = told(joined("neither", permanents=phased_out), turn(1), untap(), cast(), claim("neither"))
    assert {"no-untap-step", "departure"} == {mend.hint.kind for mend in mends(game, 6).mends}
    game = told(effect("day"), turn(1), claim("neither"), claim("day"))
    found = mends(game, 4)
    assert (4, ()) == (found.finding.event, found.mends)
    assert found.tried > 0
    assert mends(game, 5).finding is None
    assert () == mends(game, 5).mends


def test_demo():
    """The demo's only repair is an effect that makes it day; its JSON has `differing` 0: no claim would be wrong."""
    document = mends(Game.load("demo"), 122).document("2024-06-07")
    (hint,) = document["hints"]
    assert ("effect", 0, "702.145b") == (hint["kind"], hint["differing"], document["finding"]["cr"])
    assert hint["sentence"] == "Had an effect made it day in turn 21, after event 121, every claim would be right."
