"""The acts of judges in a report: every ruling, in disputes too, and the undone events, each once.

| promise | test |
| --- | --- |
| rulings in disputes are listed with the others, each compared with the rules | test_rulings_in_disputes |
| acts of a dispute are never undone | test_disputes_stay |
| each back-up names only the events that were not yet undone | test_nested |
| in random games `undone` names exactly the undone events, each once | test_what_no_longer_stands |
| the verdict does not count statements in disputes, and says so | test_not_counted, test_no_disputes |
"""

from __future__ import annotations

import pytest

from daynight.game import Game
from daynight.reports.sections.judging import undone
from tests.behaviour.games import CONTRACT
from tests.oracle.walks import random_walk
from tests.reports.looking import NIGHT, document, game_of, page, seen
from tests.rules.judges import appeals, argues, back_up, claim, closes, opens, ruled, rules_on
from tests.rules.words import cast, effect, joined, turn
from tests.sampling import few_or_all


def test_rulings_in_disputes():
    """A ruling has its dispute and its agreement with the rules: `agrees`, `differs`, `silent` without a designation,
    `open` if the rules leave it uncertain.
    """
    game = game_of(
        *NIGHT, ruled("night"), opens(), rules_on(outcome="fix", designation="day"), appeals(),
        rules_on(outcome="fix", designation="night"), appeals(), rules_on(), closes(),
    )  # fmt: skip
    acts = document(game)["judges"]
    assert [(6, "agrees", None), (8, "differs", "d1"), (10, "agrees", "d1"), (12, "agrees", "d1")] == [
        (act["event"], act["agreement"], act["dispute"]) for act in acts
    ]
    text = seen(page(game)).text
    assert "they give another answer; so it was ruled in a dispute" in text
    assert "the ruling stands" not in text
    silent = game_of(*NIGHT, opens(), rules_on(outcome="fix"))
    assert ["silent"] == [act["agreement"] for act in document(silent)["judges"]]
    assert "nothing: the ruling does not say what it is" in seen(page(silent)).text
    unsure = game_of(joined("day", "night"), opens(), rules_on(outcome="fix", designation="night"))
    assert ["open"] == [act["agreement"] for act in document(unsure)["judges"]]


def test_disputes_stay():
    """A back-up over events 6 to 10 undoes the casts 6 and 9, and not the acts of a dispute between them."""
    game = game_of(
        *NIGHT, cast("Bo"), opens(), argues(designation="day"), cast("Bo"), rules_on(outcome="back-up", to=5),
        back_up(5),
    )  # fmt: skip
    assert [{"first": 6, "last": 6, "by": 11}, {"first": 9, "last": 9, "by": 11}] == document(game)["undone"]
    text = seen(page(game)).text
    assert "e11 took back e6. [undone]" in text
    assert "e11 took back e9. [undone]" in text
    alone = game_of(*NIGHT, opens(), rules_on(), closes(), back_up(5))
    assert [] == document(alone)["undone"]


def test_nested():
    """An event belongs to the first back-up that undid it; a second back-up further back undoes only what is left."""
    game = game_of(turn(1), cast(), cast(), cast(), back_up(4), cast(), back_up(3))
    # Event 5 was already undone; the back-up at 6 is undone with the events around it.
    assert [(5, 5, 6), (4, 4, 8), (6, 7, 8)] == [(one.first, one.last, one.by) for one in undone(game)]


@pytest.mark.parametrize("many", few_or_all(20, 200))
def test_what_no_longer_stands(many):
    """The events in `undone` are exactly those of which `Game.stands` is False, without disputes and notes."""
    seen_some = 0
    for seed in range(many):
        game = Game(random_walk(seed, 40))
        told = [number for one in undone(game) for number in range(one.first, one.last + 1)]
        disputes = (
            "dispute-opened", "dispute-claimed", "dispute-ruled", "dispute-appealed", "dispute-closed", "note-added",
        )  # fmt: skip
        gone = [
            number
            for number, event in enumerate(game.events, 1)
            if not game.stands(number) and event.__struct_config__.tag not in disputes
        ]
        assert gone == sorted(told)
        seen_some += len(gone)
    assert seen_some > 15


def test_not_counted():
    """If claims are right and a statement in a dispute is wrong, the verdict is exact, and mentions the dispute."""
    game = game_of(*CONTRACT[1:], claim("night"), opens(), argues(designation="day"), rules_on(), closes())
    found = document(game)
    assert ("exact", 0, ["d1"]) == (found["verdict"], found["differing"], [one["dispute"] for one in found["disputes"]])
    assert [False] == [claim["agrees"] for claim in found["disputes"][0]["claims"]]
    text = seen(page(game)).text
    assert (
        "Exact: every claim and ruling that can be settled agrees with the rules;"
        " what was said in disputes is shown below, and not counted." in text
    )
    assert "Disputes A judge was called once; what was said then is shown below" in text


def test_no_disputes():
    """A game without disputes and with one wrong claim is disputed, and its report does not mention disputes."""
    game = game_of(effect("day"), claim("night"))
    found = document(game)
    assert (1, []) == (found["differing"], found["disputes"])
    text = seen(page(game)).text
    assert "called to a judge" not in text
    assert "in disputes" not in text
    assert "Disputed: 1 claim or ruling contradicts the rules." in text
