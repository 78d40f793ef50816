"""The exact sentences of events with several forms."""

import pytest

from daynight.events import Designation, GameJoined, Permanent, SpellsUncertain, StepBegan
from daynight.projections.transcript import event_sentence


@pytest.mark.parametrize("least, most, expected", [
    (0, 1, "Bo perhaps cast 1 more spell"),
    (0, 3, "Bo perhaps cast up to 3 more spells"),
    (0, None, "Bo perhaps cast more spells, nobody knows how many"),
    (1, 1, "Bo cast exactly 1 more spell"),
    (2, 2, "Bo cast exactly 2 more spells"),
    (1, 3, "Bo cast 1 to 3 more spells"),
    (1, None, "Bo cast at least 1 more spell"),
    (2, None, "Bo cast at least 2 more spells"),
])  # fmt: skip
def test_doubts(least, most, expected):
    """The sentence of `SpellsUncertain` says how many more spells were cast, for each form of its two bounds."""
    assert expected == event_sentence(SpellsUncertain(player="Bo", at_least=least, at_most=most), {})


def test_steps():
    """The sentence of an untap step lists what phased in, phased out and stays phased out; empty lists are left out."""
    assert "untap step" == event_sentence(StepBegan(step="untap"), {})
    whole = StepBegan(step="untap", phased_in=("a", "b"), phased_out=("c",), stays_out=("d",))
    told = "untap step; a and b: phased in; Bear (c): phased out; d: stays phased out"
    assert told == event_sentence(whole, {"c": Permanent(id="c", card="Bear", controller="Ana")})
    assert "untap step; c: phased out" == event_sentence(StepBegan(step="untap", phased_out=("c",)), {})


def test_joined():
    """The sentence of `GameJoined` says that the record begins midway, and names the possible designations."""
    joined = GameJoined(possible=(Designation.DAY, Designation.NIGHT))
    assert "the record takes the game up midway; it was day or night" == event_sentence(joined, {})
