"""Phones of all roles at one table press, at random, whatever the table offers.

| promise | test |
| --- | --- |
| any controls in any order: no error in a page, no answer 400 or 500, nothing waits for ever | test_anything |
| at the end all phones show the same turn, the same designation and the same last event | test_anything |

`DAYNIGHT_PRESSES` says how many controls are pressed in each game, `DAYNIGHT_GAMES` how many games are played.
"""

import os
import random

import pytest

from tests.browser.table.presser import Presser

PRESSES = int(os.environ.get("DAYNIGHT_PRESSES", "50"))
GAMES = int(os.environ.get("DAYNIGHT_GAMES", "6"))

SEATS = [("player", "Ana"), ("player", "Ana"), ("player", "Bo"), ("judge", "Jo"), ("owner", None), ("spectator", None)]
"""The role and the player's name of each possible phone; Ana has two phones."""

PHONES = 4
"""How many phones play in one game, each with another of the `SEATS`."""

CUT = 0.05
"""The probability that the network of a phone is cut or restored before a press."""

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("seed", range(GAMES))
def test_anything(table, seed):
    chance = random.Random(seed)
    pressers = []
    for place, (role, name) in enumerate(chance.sample(SEATS, PHONES)):
        pressers.append(Presser(table.phone(role, name), f"{name or role} {place}", chance))
    for _press in range(PRESSES):
        one = chance.choice(pressers)
        if chance.random() < CUT:
            one.cut(off=chance.random() < 0.5)
        one.act()
    for one in pressers:
        one.settle()
    record = table.record()
    print([one["type"] for one in record])
    for one in pressers:
        one.shows(len(record))
        assert one.phone.complaints == [], one.name
        assert [each for each in one.refused if each[0] in (400, 500)] == [], one.name
    assert len({one.sky() for one in pressers}) == 1
