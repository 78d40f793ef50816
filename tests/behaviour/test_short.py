"""Findings in short.

| promise | test |
| --- | --- |
| at most 140 characters, in three languages, if names have at most 20 | test_length |
"""

import pytest

from daynight import Game
from daynight.languages.speaking import speaking
from daynight.notation import read_text

ANA, BO = "A" * 20, "B" * 20
WOLF = "w" * 20
LINES = f"""game g
players {ANA}, {BO}
turn 1 {ANA}
{ANA}: Glum Imp (x1) enters
{BO} says night
{ANA}: Tavern Ruffian ({WOLF}) enters
{BO} says night
{BO} says {WOLF} shows back
{BO} says {ANA} cast 3
turn 2 {BO}
{BO} casts 0-1 more
turn 3 {ANA}
untap
{BO} says neither
{ANA} rules day
it becomes day
{BO} says {WOLF} shows back
{BO} rules night
{BO} casts 2+ more
{ANA} says {BO} cast 1
"""


@pytest.mark.parametrize("language", ["en", "fr", "ja"])
def test_length(language):
    with speaking(language):
        audit = Game([placed.event for placed in read_text(LINES)]).audit()
        told = [finding.short for finding in (*audit.findings, *audit.unsettled)]
    assert len(told) >= 8
    assert [] == [short for short in told if not 0 < len(short) <= 140]
    assert {"designation", "face", "tally", "ruling"} == {one.about for one in (*audit.findings, *audit.unsettled)}
