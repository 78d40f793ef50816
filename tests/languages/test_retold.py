"""An answer stores facts, no sentences: computed while the language is English, it can be read in another language.

| answer | test |
| --- | --- |
| answers of `forecast`, `repairs`, `unknowns`, `almost`, `backup_plan` and `facing`; the transcript | test_retold |
| the sentence that says which ruling of a dispute still stands | test_left_standing |
| the pictures of a report | test_drawn |
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from daynight import Game
from daynight.languages.speaking import speaking
from daynight.projections.transcript import told
from daynight.questions.almost import almost
from daynight.questions.backup_plan import backup_plan
from daynight.questions.facing import facing
from daynight.questions.forecast import forecast
from daynight.questions.repairs import repairs
from daynight.questions.unknowns import unknowns
from daynight.reports import report
from tests.behaviour.games import EVERY_TYPE
from tests.rules.judges import claim, opens, ruled, rules_on
from tests.rules.placing import enter
from tests.rules.words import cast, doubt, effect, joined, started, turn, untap

LEFT = [started(), effect("day"), opens(), rules_on("d1", "fix", designation="night"), ruled("night"), rules_on("d1")]


DOUBTFUL = [started(), joined("day", "night"), turn(4), doubt("Ana", 0, 3), turn(5, "Bo"), untap()]

ANSWERS: dict[str, tuple[Callable[[], Any], Callable[[Any], Any]]] = {
    "forecast": (lambda: forecast(Game.load("demo"), 40), lambda found: found.sentence),
    "forecast, due": (
        lambda: forecast(Game([started(), turn(1), effect("day"), turn(2, "Bo"), turn(3)])), str
    ),
    "unknowns": (lambda: unknowns(Game(DOUBTFUL)), lambda found: found.document()),
    "almost": (lambda: almost(Game.load("demo"), 122), lambda found: found.sentence),
    "almost, nothing yet": (lambda: almost(Game([started(), turn(1)]), 2), lambda found: found.sentence),
    "face": (lambda: facing(Game.load("demo"), 122, "brutal-cathar-2", "2024-06-07"), lambda found: found.sentence),
    "plan": (lambda: backup_plan(Game(EVERY_TYPE), 3), lambda found: found.document()),
    "plan, what stands": (lambda: backup_plan(Game(LEFT), 2), lambda found: found.document()),
    "transcript": (
        lambda: [*told(Game(EVERY_TYPE).moments())], lambda found: [(one.sentence, one.consequences) for one in found]
    ),
    "repairs": (lambda: repairs(Game.load("demo")).hints, lambda found: [hint.sentence for hint in found]),
    "repairs, casts": (
        lambda: repairs(
            Game([started(), turn(1), effect("day"), cast(), turn(2, "Bo"), untap(), claim("night")])
        ).hints,
        lambda found: [hint.sentence for hint in found],
    ),
    "repairs, departure": (
        lambda: repairs(
            Game([
                started(), turn(1), enter("a1", {"card": "Angel of Eternal Dawn"}), effect("day"), turn(2, "Bo"),
                untap(), turn(3), untap(), claim("night"),
            ])
        ).hints,
        lambda found: [hint.sentence for hint in found],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ANSWERS)
def test_retold(name):
    ask, tell = ANSWERS[name]
    found = ask()
    english = tell(found)
    with speaking("ja"):
        japanese = tell(found)
        assert tell(ask()) == japanese
    assert english != japanese
    assert tell(found) == english


def test_left_standing():
    (dispute,) = Game(LEFT).disputes()
    (standing,) = dispute.stands
    assert "the ruling at event 5 stands: it was night from then on" == standing.sentence
    with speaking("ja"):
        (fresh,) = Game(LEFT).disputes()[0].stands
        assert fresh.sentence == standing.sentence != "the ruling at event 5 stands: it was night from then on"


def test_drawn():
    found = report(Game(LEFT))
    with speaking("fr"):
        assert 'lang="fr"' in found.drawings.board().wide
        assert report(Game(LEFT)).drawings.boards() == found.drawings.boards()
