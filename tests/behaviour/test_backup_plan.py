"""The backup plan: the events that a back-up would undo, newest first; it gives no advice.

| promise | test |
| --- | --- |
| exactly the events that would be undone, newest first | test_newest_first, test_random |
| consequences are undone too: day again, faces turned back | test_consequences |
| events about hidden or random information are marked; others may be unknown | test_hidden |
| an event of every type can be in the plan | test_every_type |
| decisions are counted, doubtful ones as bounds | test_decisions, test_a_cast_before |
| an invalid, too late or undone position is refused, each in a sentence | test_refused |
| it never gives advice, and says who decides | test_no_advice |
"""

from __future__ import annotations

import json
import random

import pytest

from daynight.events import TAGS
from daynight.framework.language.errors import ImpossibleError, NotFoundError
from daynight.framework.positions import PositionError
from daynight.game import Game
from daynight.questions.backup_plan import PlanError, backup_plan
from tests.behaviour.games import CONTRACT, EVERY_TYPE
from tests.oracle.walks import random_walk
from tests.rules.judges import back_up, claim, opens, ruled
from tests.rules.placing import enter, leave, permanent, together
from tests.rules.turning import face_up, transform
from tests.rules.wolves import OLD_WEREWOLF, VANDAL
from tests.rules.words import cast, copied, doubt, effect, ended, quits, restarted, started, step, turn, untap, upkeep


def planned(*events, to=2, **more):
    """The plan of a game of Ana and Bo with these events in turn 1, back to event `to`; turn 1 begins at event 2."""
    return backup_plan(Game([started(), turn(1), *events]), to, **more)


def test_newest_first():
    """Back to turn 2, the contract's record loses events 8, 7 and 6; the plan may also start before the last event."""
    plan = backup_plan(Game(CONTRACT), "turn:2")
    assert ("g1", 8, 5) == (plan.game, plan.start, plan.to)
    assert [8, 7, 6] == [reversal.event for reversal in plan.reversals]
    assert ["untap step", "turn 3: Ana", "Ana casts Opt"] == [reversal.sentence for reversal in plan.reversals]
    assert [7, 6] == [reversal.event for reversal in backup_plan(Game(CONTRACT), 5, 7).reversals]
    assert () == backup_plan(Game(CONTRACT), 8).reversals == backup_plan(Game(CONTRACT), 4, 4).reversals


@pytest.mark.wide(but=8)
@pytest.mark.parametrize("seed", range(30))
def test_random(seed):
    """The planned events are exactly those that the back-up undoes, newest first."""
    events = random_walk(seed, 32)
    game, luck = Game(events), random.Random(seed)
    end = luck.randrange(1, len(events) + 1)
    line = []
    for number, event in enumerate(events[:end], 1):
        line = [one for one in line if one <= event["to"]] if event["type"] == "game-backed-up" else line
        line = [*line, number]
    to = luck.choice(line)
    plan = backup_plan(game, to, end)
    assert [number for number in reversed(line) if number > to] == [reversal.event for reversal in plan.reversals]
    undone = sorted(set(range(1, end)) - set(line))
    for number in undone[:1]:
        with pytest.raises(ImpossibleError):
            backup_plan(game, number, end)


def test_consequences():
    """The plan undoes the untap step that made it night: it becomes day again, and the werewolf turns back."""
    plan = backup_plan(Game(CONTRACT), 3)
    assert ("it is day again", "Tavern Smasher (w1) is Tavern Ruffian again") == plan.reversals[0].taken_back
    assert ("it is neither day nor night again",) == plan.reversals[4].taken_back
    game = Game(
        [started(), together(permanent("w1"), permanent("v1", VANDAL)), turn(1), turn(2, "Bo"), untap(), upkeep()]
    )
    assert [("what triggered in the untap step waits again",), (
        "it is day again",
        "Tavern Smasher (w1) is Tavern Ruffian again",
        "what triggered of Brimstone Vandal (v1) is gone",
    )] == [reversal.taken_back for reversal in backup_plan(game, 4).reversals]  # fmt: skip
    # A permanent that entered back face up is removed; a refused transformation had no effect.
    quiet = Game([started(), effect("night"), enter("w1"), transform("w1")])
    assert [(), ()] == [reversal.taken_back for reversal in backup_plan(quiet, 2).reversals]
    maybe = Game([started(), enter("w1"), turn(1), doubt("Ana", 0, 1), turn(2, "Bo"), untap()])
    assert "perhaps: it is day again" == backup_plan(maybe, 5).reversals[0].taken_back[0]


BEAR = {"id": "b", "card": "Bear", "controller": "Ana"}
THERE = [together(BEAR)]


@pytest.mark.parametrize("before, event, hidden, says", [
    ([], step("draw"), "yes", "drawn"),
    ([], untap(), "no", None),
    ([], step("declare-attackers"), "no", None),
    ([], turn(2, "Bo"), "no", None),
    ([], cast() | {"card": "Opt"}, "yes", "was shown"),
    ([], cast(), "unknown", "not recorded"),
    ([], copied(), "unknown", "shuffle"),
    ([], doubt("Ana", 0, 1), "unknown", "not recorded"),
    ([], together(BEAR), "unknown", "zone"),
    ([], together(BEAR | {"token": True}), "no", None),
    ([], together(BEAR | {"token": True}, permanent("w")), "unknown", "zone"),
    ([], together(BEAR | {"face_down": True}), "yes", "face down"),
    ([together(BEAR | {"face_down": True})], face_up("b"), "yes", "shown"),
    (THERE, leave("b"), "unknown", "zone"),
    (THERE, leave("b") | {"to": "hand"}, "yes", "hidden zone"),
    (THERE, leave("b") | {"to": "Library"}, "yes", "hidden zone"),
    (THERE, leave("b") | {"to": "graveyard"}, "no", None),
    (THERE, leave("b") | {"to": "exile"}, "no", None),
    (THERE, leave("b") | {"to": "somewhere"}, "unknown", "zone"),
    ([], effect("night"), "unknown", "shuffle"),
    (THERE, transform("b"), "unknown", "shuffle"),
    ([], claim("neither"), "no", None),
    ([], ruled("day"), "no", None),
    ([], back_up(1), "no", None),
    ([], opens(), "no", "stays"),
    ([], quits("Bo"), "unknown", "leaving"),
    ([], restarted(), "yes", "shuffled"),
    ([], ended(), "unknown", "after the game"),
])  # fmt: skip
def test_hidden(before, event, hidden, says):
    """`hidden` says whether an event touched hidden or random information: yes, no or unknown, each with its reason."""
    game = Game([started(), turn(1), *before, event])
    last = backup_plan(game, 1 if event["type"] == "game-backed-up" else len(game) - 1).reversals[0]
    assert (len(game), hidden) == (last.event, last.hidden)
    assert (says is None) is (last.reason is None)
    assert says is None or says in last.reason
    plan = backup_plan(game, 1)
    assert (last.event in plan.touching("yes"), last.event in plan.touching("unknown")) == (
        hidden == "yes", hidden == "unknown",
    )  # fmt: skip


def test_every_type():
    """The plan can describe an event of every type, except the first line."""
    seen = set()
    game = Game(EVERY_TYPE)
    for end in (26, len(game)):
        plan = backup_plan(game, 1, end)
        seen |= {reversal.tag for reversal in plan.reversals}
        assert json.loads(json.dumps(plan.document()))["reversals"]
    assert {*TAGS} - seen == {"game-started"}


@pytest.mark.parametrize("events, expected", [
    ([untap(), upkeep(), step("draw"), effect("day"), claim("day")], (0, 0)),
    ([cast()], (1, 1)),
    ([cast(), cast("Bo"), copied()], (2, 2)),
    ([step("declare-attackers"), step("declare-blockers"), step("combat-damage")], (2, 2)),
    ([together(BEAR)], (1, 1)),
    ([cast() | {"card": "Bear"}, together(BEAR)], (1, 1)),
    ([cast() | {"card": "Bear"}, together(BEAR), together(BEAR | {"id": "c"})], (2, 2)),
    ([cast() | {"card": "Bear"}, restarted(), turn(1), together(BEAR)], (2, 2)),
    ([together(BEAR | {"token": True})], (0, 0)),
    ([together(BEAR, BEAR | {"id": "c"}, permanent("o", OLD_WEREWOLF))], (1, 1)),
    ([doubt("Ana", 1, 3)], (1, 3)),
    ([doubt("Ana", 1), cast()], (2, None)),
])  # fmt: skip
def test_decisions(events, expected):
    """The plan counts decisions as the smallest and the largest possible number."""
    plan = planned(*events)
    assert expected == plan.decisions
    least, most = expected
    assert (least if least == most else {"at_least": least, "at_most": most}) == plan.document()["decisions"]


def test_a_cast_before():
    """A spell cast before the position, whose permanent arrives after it, is not a decision after it."""
    game = Game([started(), turn(1), cast() | {"card": "Bear"}, together(BEAR)])
    assert (0, 0) == backup_plan(game, 3).decisions
    undone = Game([started(), turn(1), cast() | {"card": "Bear"}, back_up(2), together(BEAR)])
    assert (1, 1) == backup_plan(undone, 2).decisions


def test_refused():
    """PlanError: after the start; ImpossibleError: undone; NotFoundError: no such event; PositionError: no position."""
    game = Game([*CONTRACT, back_up(5), turn(3)])
    with pytest.raises(PlanError, match="event 5 is after event 4; a plan goes back"):
        backup_plan(game, 5, 4)
    with pytest.raises(ImpossibleError, match="event 6 was undone by backing up"):
        backup_plan(game, 6)
    with pytest.raises(NotFoundError, match="no event 11; the last one is 10"):
        backup_plan(game, 11)
    with pytest.raises(NotFoundError, match="no event 0"):
        backup_plan(game, 0)
    with pytest.raises(PositionError):
        backup_plan(game, "then")
    assert [8, 7] == [reversal.event for reversal in backup_plan(game, 6, 8).reversals]


def test_no_advice():
    """The plan of a game with every type of event never gives advice."""
    document = json.dumps(backup_plan(Game(EVERY_TYPE), 1).document())
    for word in ("should", "must", "recommend", "better", "best", "advise"):
        assert word not in document
    assert "tournament policy" in document
    assert backup_plan(Game(EVERY_TYPE), 1).document()["policy"]["rule"] is None
