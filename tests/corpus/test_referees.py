"""The vectorised referee agrees with the ordinary one about every game that is called plain."""

import json
from collections import Counter

import pytest

from daynight.cards import bundled
from daynight.corpus.plain import NOTHING_CARES, TOUCHING
from daynight.events import decode
from daynight.framework.language.happening import tag_of
from daynight.referee.referee import step
from daynight.referee.state import State
from tests.oracle.walks import random_walk
from tests.rules import judges, words
from tests.sampling import few_or_all

from .both import by_columns, by_rules, designations, gathered
from .edges import edge


def after_each(events):
    """The designation after each event of a game in which it is never uncertain."""
    state, found = State(), []
    for number, event in enumerate(events, 1):
        step(state, bundled().fill(decode(json.dumps(event))), number)
        found.append(state.possible[0].value)
    return found


def equal(several, assumed=None):
    """Assert that both referees agree about each plain game; return a Counter of the games.

    Its keys are `not plain`, `plain`, `NOTHING_CARES` (plain because nothing cares), and the verdicts of plain games.
    """
    columns, made = gathered(several)
    games, events = made["games"], made["events"]
    said = by_columns(games, events, assumed)
    walked = designations(games, events) if assumed is None else [[] for _game in several]
    kinds = Counter()
    for game, found, told, each in zip(several, columns, said, walked, strict=True):
        if not found.plain or (assumed is not None and found.because == NOTHING_CARES):
            kinds["not plain"] += 1
            continue
        kinds[found.because or "plain"] += 1
        kinds[told["verdict"]] += 1
        assert told == by_rules(game, assumed), game
        if assumed is None:
            assert each == after_each(game), game
    return kinds


@pytest.mark.parametrize("count", few_or_all(80, 10_000))
@pytest.mark.wide
def test_edges(count):
    """For games that are only just plain, both referees give the same verdict, statistics and designations."""
    kinds = Counter()
    for first in range(0, count, 80):
        kinds += equal([edge(seed) for seed in range(first, first + 80)])
    # Every kind is there, and none by accident.
    assert all(kinds[kind] > count / 40 for kind in ("plain", NOTHING_CARES, "not plain", "exact", "disputed")), kinds


ONE_EACH = (15, 16, 95, 167, 547, 559, 566)
"""Seeds of games that are not plain, each for another reason, and whose columns would give a wrong result."""


@pytest.mark.parametrize("seeds", few_or_all(ONE_EACH, range(10_000)))
def test_by_force(seeds):
    """For each reason why a game is not plain there is a game whose columns would give a wrong result."""
    wrong = Counter()
    for first in range(0, len(seeds), 200):
        several = [edge(seed) for seed in seeds[first : first + 200] if seed % 10 > 3]
        columns, made = gathered(several)
        games, events = made["games"], made["events"]
        for game, found, told in zip(several, columns, by_columns(games, events), strict=True):
            if found.because not in (None, NOTHING_CARES) and told != by_rules(game):
                wrong[str(found.because)] += 1
    reasons = {"teams", "phasing", "effect", "holds", "half", "judge-ruled", "spells-uncertain"}
    if len(seeds) > len(ONE_EACH):
        reasons |= {"left-behind", "dispute", "game-restarted", *(tag_of(kind) for kind in TOUCHING)}
    assert reasons <= wrong.keys(), reasons - wrong.keys()


@pytest.mark.wide(but=1)
@pytest.mark.parametrize("assumed", ["day", "night"])
def test_assumed(assumed):
    """If a designation is assumed from the beginning, both referees agree."""
    assert equal([edge(seed) for seed in range(5_000, 5_050)], assumed)["plain"] > 15


@pytest.mark.parametrize("assumed", ["day", "night"])
def test_assumed_of_the_first(assumed):
    """In each of two games, claims before the first event that sets a designation are compared with the assumed one."""
    events = [words.started(), words.turn(1), judges.claim("day"), judges.claim("night"), words.effect("day")]
    assert equal([events, events], assumed) == {"plain": 2, "disputed": 2}


@pytest.mark.parametrize("count", few_or_all(30, 2_000))
def test_walks(count):
    """Both referees agree about records with events of all types, of which few are plain."""
    equal([random_walk(seed, 25) for seed in range(count)])
