"""A single permanent on the battlefield.

| promise | test |
| --- | --- |
| a permanent has its visible face, its keywords and its name | test_what_it_shows, test_what_it_has, test_its_name |
| its abilities work if it is phased in, controlled, face up, and has them | test_acts |
| it is relevant if a face or its copied values have to do with day and night | test_matters |
"""

import pytest

from daynight.events.permanents import Characteristics, Permanent
from daynight.projections.battlefield import Status

from .boards import BACK, COPY, FRONT, NOTHING, status


def test_what_it_is():
    """A status has the id of its permanent, and whether that is double-faced."""
    assert ("w1", True) == (status().id, status().double_faced)
    assert status(back=None).double_faced is False
    unfilled = Permanent(id="x", card="X", controller="Ana")
    assert Status(permanent=unfilled, controller="Ana", arrived=1).double_faced is False


@pytest.mark.parametrize("more, acts", [
    ({}, True),
    ({"out_under": "Ana"}, False),
    ({"controller": None}, False),
    ({"face_down": True}, False),
    ({"losses": frozenset({"A"})}, False),
    ({"lost": True}, False),
    ({"entered_without": True}, False),
    ({"copy": COPY}, True),
])  # fmt: skip
def test_acts(more, acts):
    """The abilities work only if the permanent is phased in, has a controller, is face up and has not lost them."""
    assert acts is status(**more).acts


def test_what_it_shows():
    """A permanent shows its copied values, or else its back if that is up, or else its front."""
    up = frozenset({"w1"})
    assert (FRONT, BACK, FRONT) == (status().shows(NOTHING), status().shows(up), status().shows({"w2"}))
    assert (COPY, COPY) == (status(copy=COPY).shows(NOTHING), status(copy=COPY).shows(up))
    assert Characteristics() == status(front=None, back=None).shows(NOTHING)


def test_what_it_has():
    """`has` is True for a keyword of the face that is up, or of the copied values, while the abilities work."""
    up = frozenset({"w1"})
    assert (True, False) == (status().has("daybound", NOTHING), status().has("nightbound", NOTHING))
    assert (False, True) == (status().has("daybound", up), status().has("nightbound", up))
    assert (False, False) == (status(lost=True).has("daybound", NOTHING), status(copy=COPY).has("daybound", NOTHING))


def test_its_name():
    """The name is that of the copied values, or else of the face that is up; without a name there, the card's."""
    assert ("Ruffian", "Smasher", "Card", "Bear") == (
        status().name(NOTHING),
        status().name(frozenset({"w1"})),
        status(front=Characteristics()).name(NOTHING),
        status(copy=COPY).name(NOTHING),
    )


@pytest.mark.parametrize("front, back, copy, matters", [
    (COPY, None, None, False),
    (None, None, None, False),
    (COPY, COPY, COPY, False),
    (FRONT, None, None, True),
    (COPY, BACK, None, True),
    (COPY, None, FRONT, True),
    (FRONT, None, COPY, True),
    (Characteristics(watches=True), None, None, True),
    (Characteristics(day_if_neither=True), None, None, True),
    (Characteristics(holds="night"), None, None, True),
    (Characteristics(subtypes=("Werewolf",), permanent=False), None, None, False),
])  # fmt: skip
def test_matters(front, back, copy, matters):
    """`matters` is True if a face or the copied values have keywords, `watches`, `day_if_neither` or `holds`."""
    assert matters is status(front=front, back=back, copy=copy).matters
