"""Which events are signed in the same transaction that stores them.

| promise | test |
| --- | --- |
| rulings, those in a dispute, its closing, a back-up and the end are signed at once | test_signed_at_once |
| other events are signed at the end of their turn | test_not_signed_before_the_turn_is_over |
| of several events stored together, each ruling and each end of a turn is signed once | test_together |
| without a key nothing is signed | test_without_a_key |
"""

import pytest

from daynight.games import Store
from tests.rules.judges import appeals, argues, back_up, claim, closes, noted, opens, ruled, rules_on
from tests.rules.words import cast, ended, started, turn, untap
from tests.store.victim import KEY

BEGUN = [started(), turn(1, "Ana"), cast(), opens(), rules_on()]
"""Two players, a cast, and a dispute with a ruling; the turn is not over."""

AT_ONCE = [ruled("day"), rules_on(), closes(), back_up(3), ended("Ana")]
LATER = [cast(), claim("day"), argues(designation="day"), appeals(), noted(), untap()]


def signed(store):
    """The events whose heads this key has signed."""
    return [event for event, key, _signature in store.recorder.signatures("g1") if key == KEY.key]


def begun(place):
    """Open a store with the game of `BEGUN`; its events 1 and 5 are signed."""
    store = Store(place, key=KEY)
    store.append("g1", BEGUN)
    assert signed(store) == [1, 5]
    return store


@pytest.mark.wide(but=3)
@pytest.mark.parametrize("event", AT_ONCE, ids=lambda event: str(event["type"]))
def test_signed_at_once(place, event):
    """A ruling, the end of a dispute or of the game, or a back-up is signed in its own append."""
    with begun(place) as store:
        store.append("g1", [event])
        assert signed(store) == [1, 5, 6]


@pytest.mark.wide(but=4)
@pytest.mark.parametrize("event", LATER, ids=lambda event: str(event["type"]))
def test_not_signed_before_the_turn_is_over(place, event):
    """An event of another kind is not signed in its own append, but when the next turn begins."""
    with begun(place) as store:
        store.append("g1", [event])
        assert signed(store) == [1, 5]
        store.append("g1", [turn(2, "Bo")])
        assert signed(store) == [1, 5, 6]


def test_together(place):
    """In one append, a ruling that is also the last event of its turn is signed once; so is the end of the game."""
    with begun(place) as store:
        store.append("g1", [cast(), ruled("day"), turn(2, "Bo"), cast("Bo"), ended()])
        assert signed(store) == [1, 5, 7, 10]


def test_without_a_key(place):
    """Without a key no event is signed."""
    with Store(place) as store:
        store.append("g1", [*BEGUN, *AT_ONCE[:1]])
        assert store.recorder.signatures("g1") == []
