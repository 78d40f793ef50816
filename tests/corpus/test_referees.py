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
    """The designation after each event of a game with one possibility."""
    state, found = State(), []
    for number, event in enumerate(events, 1):
        step(state, bundled().fill(decode(json.dumps(event))), number)
        found.append(state.possible[0].value)
    return found


def equal(several, assumed=None):
    """Compare both referees; return how many games were compared, by kind."""
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
    """For plain games at the limits, verdict, statistics and each designation are those of the ordinary referee."""
    kinds = Counter()
    for first in range(0, count, 80):
        kinds += equal([edge(seed) for seed in range(first, first + 80)])
    # Every kind is there, and none by accident.
    assert all(kinds[kind] > count / 40 for kind in ("plain", NOTHING_CARES, "not plain", "exact", "disputed")), kinds


ONE_EACH = (15, 16, 95, 167, 547, 559, 566)
"""The seeds of games that come out wrong, each for another reason."""


@pytest.mark.parametrize("seeds", few_or_all(ONE_EACH, range(10_000)))
def test_by_force(seeds):
    """Each reason for "not plain" is needed: used anyway, the columns give a wrong result for some game."""
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
    """With an assumed designation, both referees agree."""
    assert equal([edge(seed) for seed in range(5_000, 5_050)], assumed)["plain"] > 15


@pytest.mark.parametrize("assumed", ["day", "night"])
def test_assumed_of_the_first(assumed):
    """An assumed designation also holds before the first event of the first game that sets one."""
    events = [words.started(), words.turn(1), judges.claim("day"), judges.claim("night"), words.effect("day")]
    assert equal([events, events], assumed) == {"plain": 2, "disputed": 2}


@pytest.mark.parametrize("count", few_or_all(30, 2_000))
def test_walks(count):
    """Both referees agree about records with events of all types, of which few are plain."""
    equal([random_walk(seed, 25) for seed in range(count)])
