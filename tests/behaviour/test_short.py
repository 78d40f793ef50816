"""`short`: a finding, or an answer of why, on one line of at most 140 characters.

| promise | test |
| --- | --- |
| at most 140 characters, in three languages, if names have at most 20 | test_length |
| each kind of finding is short: uncertain, as ruled, undone, in a dispute, face down, unverified | test_every_kind |
| every answer of why is short, also about a permanent | test_answers |
| findings of random games are short | test_random |
"""

import pytest

from daynight import Game
from daynight.languages.speaking import speaking
from daynight.notation import read_text
from daynight.questions.facing import facing
from tests.oracle.walks import random_walk

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


def told(lines):
    """Return the game of `BEGUN`, which names game and players, and `lines`; both are written in the notation."""
    return Game([placed.event for placed in read_text(BEGUN + lines)])


LANGUAGES = ("en", "fr", "ja")
BEGUN = f"game g\nplayers {ANA}, {BO}\n"
OPEN = f"{BO} casts 0-1 more\nturn 2 {ANA}\nuntap\n"
MANY = "".join(f'{BO} notes "n{number}"\n' for number in range(1200))
KINDS = {
    "designation": f"{BO} says night\n",
    "designation, certain": f"{MANY}turn 1 {BO}\n{ANA}: Tavern Ruffian ({WOLF}) enters\n{BO} says night\n",
    "designation, open": f"turn 1 {BO}\nit becomes day\n{OPEN}{BO} says neither\n",
    "designation, as ruled": f"turn 1 {BO}\n{ANA} rules night\n{BO} says day\n",
    "designation, undone": f"turn 1 {BO}\n{BO} says night\n{ANA} backs up to e2\n",
    "ruling": f"turn 1 {BO}\nit becomes day\n{ANA} rules night\n",
    "ruling, open": f"turn 1 {BO}\nit becomes day\n{OPEN}{ANA} rules day\n",
    "ruling, in a dispute": f"turn 1 {BO}\nit becomes day\n{BO} says night\ndispute {'d' * 20}: {BO} calls the judge\n"
    f"dispute {'d' * 20}: {ANA} rules fix night\n",
    "face": f"turn 1 {BO}\n{ANA}: Tavern Ruffian ({WOLF}) enters\n{BO} says {WOLF} shows back\n",
    "face, open": f"turn 1 {BO}\n{ANA}: Tavern Ruffian ({WOLF}) enters\n{OPEN}{BO} says {WOLF} shows back\n",
    "face, down": f"turn 1 {BO}\n{ANA}: Storm Crow ({WOLF}, face down) enters\n{BO} says {WOLF} shows back\n",
    "face, as ruled": f"turn 1 {BO}\n{ANA}: Tavern Ruffian ({WOLF}) enters\n{ANA} rules night\n"
    f"{BO} says {WOLF} shows front\n",
    "tally": f"turn 1 {BO}\n{BO} says {ANA} cast 3\n",
    "tally, bounds": f"turn 1 {BO}\n{BO} casts 100-200 more\n{ANA} says {BO} cast 3 in turn 1\n",
    "tally, open": f"turn 1 {BO}\n{BO} casts 2+ more\n{ANA} says {BO} cast 3\n",
    "doubt": f"turn 1 {ANA}\n{ANA}: {'Glum Imp of the Norr'} (x1) enters\n{BO} says day\n",
    "doubt, face": f"turn 1 {ANA}\n{ANA}: Glum Imp (x1) enters\nit becomes night\n"
    f"{ANA}: Tavern Ruffian ({WOLF}) enters\n{BO} says {WOLF} shows front\n",
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind(kind, language):
    audit = told(KINDS[kind]).audit()
    with speaking(language):
        shorts = [finding.short for finding in (*audit.findings, *audit.unsettled)]
        sentences = [finding.sentence for finding in (*audit.findings, *audit.unsettled)]
    assert shorts
    assert all(0 < len(short) <= 140 and "\n" not in short for short in shorts), shorts
    assert kind.partition(",")[0] in {one.about for one in (*audit.findings, *audit.unsettled)} | {"doubt"}
    assert len(sentences) == len(shorts)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.wide(but=1)
def test_answers(language):
    for kind, lines in KINDS.items():
        game = told(lines)
        with speaking(language):
            answers = [game.why(), *game.why().possibilities]
            answers += [facing(game, len(game), status.id, game.edition) for status in game.state.battlefield]
            for answer in answers:
                assert 0 < len(answer.short) <= 140, (kind, answer.short)
                assert answer.document()["short"] == answer.short


@pytest.mark.parametrize("seed", range(8))
def test_random(seed):
    """Findings and whys of random games have at most 140 characters; their ids and players are short."""
    game = Game(random_walk(seed, 60))
    audit = game.audit()
    for language in LANGUAGES:
        with speaking(language):
            told = [*(one.short for one in (*audit.findings, *audit.unsettled)), game.why().short]
        assert [] == [short for short in told if not 0 < len(short) <= 140]


@pytest.mark.parametrize("language", ["en", "fr", "ja"])
def test_length(language):
    with speaking(language):
        audit = Game([placed.event for placed in read_text(LINES)]).audit()
        told = [finding.short for finding in (*audit.findings, *audit.unsettled)]
    assert len(told) >= 8
    assert [] == [short for short in told if not 0 < len(short) <= 140]
    assert {"designation", "face", "tally", "ruling"} == {one.about for one in (*audit.findings, *audit.unsettled)}
