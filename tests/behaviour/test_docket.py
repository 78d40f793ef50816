"""The docket: the life cycle of a dispute, however its acts are processed.

| promise | test |
| --- | --- |
| opened, ruled, appealed, ruled again, closed; claims until it is closed | test_lives |
| `ARCS` and `CHART` lead from each stage to the same next stage, also if `CHART` is asked again | test_the_machine |
| game, replay and store refuse the same acts, and do not change then | test_random_acts |
| a copy, a what-if and a restored docket have the same disputes, and are independent | test_apart |
| ordinary events take no extra time: their handlers are the same | test_others_are_let_alone |
| at most 1,000 disputes | test_the_bound |
"""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import product
from typing import Any, get_args

import pytest

from daynight.disputes.docket import ACTS, ARCS, CHART, DISPUTES, Circumstances, Docket, Listing, Stage
from daynight.events.disputes import NoteAdded, Outcome
from daynight.events.vocabulary import DisputeAct
from daynight.framework.language.errors import ImpossibleError, RecordError
from daynight.game import Game
from daynight.games import Store
from daynight.records import Record
from daynight.replay import replay
from tests.behaviour.disputing import Naive, some_act
from tests.behaviour.games import kept
from tests.rules.judges import appeals, argues, back_up, closes, opens, rules_on
from tests.rules.words import cast, ended, restarted, started, turn
from tests.sampling import sampled

LIVES = [
    ([opens()], "opened"),
    ([opens(), argues(designation="day"), argues(says="no")], "opened"),
    ([opens(), rules_on()], "ruled"),
    ([opens(), rules_on(), rules_on(outcome="fix")], "ruled"),
    ([opens(), rules_on(), argues(says="no")], "ruled"),
    ([opens(), rules_on(), appeals()], "appealed"),
    ([opens(), rules_on(), appeals(), argues(says="no")], "appealed"),
    ([opens(), rules_on(), appeals(), rules_on(outcome="fix")], "ruled"),
    ([opens(), rules_on(), appeals(), rules_on(), appeals(), rules_on(outcome="fix"), closes(outcome="fix")], "closed"),
    ([opens(), rules_on(), closes()], "closed"),
    ([opens(), rules_on(outcome="back-up", to=1), closes(outcome="back-up")], "closed"),
]


@pytest.mark.parametrize("acts, stage", LIVES)
def test_lives(acts, stage):
    """Each list of acts ends in the right stage; also before the first turn and after the game's end."""
    for before in ([], [turn(1), ended("Ana")], [restarted()]):
        game = Game([started(), *before, *acts])
        assert [stage] == [found for _id, found, _outcome in Docket.of(game.events).rows]
        assert [stage] == [one.stage.value for one in game.disputes()]


def test_the_machine():
    """For every stage, act and outcome, the rows `ARCS` give the same next stage as `CHART`, asked once and again."""
    everything = [Circumstances(*both) for both in product((None, *get_args(Outcome)), repeat=2)]
    for stage, trigger, now in product(Stage, dict.fromkeys(arc.trigger for arc in ARCS), everything):
        leads = [arc.dest for arc in ARCS if (arc.trigger, arc.source) == (trigger, stage) and arc.guard(now)]
        assert len(leads) <= 1
        assert (leads[0] if leads else None) is CHART.fire(stage, trigger, now) is CHART.fire(stage, trigger, now)
    assert [Stage.CLOSED] == [arc.dest for arc in ARCS if arc.trigger == "close"]
    assert Stage.CLOSED not in {arc.source for arc in ARCS}


def happened(luck: random.Random, number: int) -> dict[str, Any]:
    """Any event: one of the game, or an act of a dispute."""
    if luck.random() < 0.2:
        return luck.choice([back_up(luck.randrange(1, number)), restarted(), turn(1000 + number), cast()])
    return some_act(luck, number)


def refusal(act: Callable[[], object]) -> tuple[int | None, str, str] | None:
    """Call `act`; return line, path and sentence of its refusal, or None if nothing was refused."""
    try:
        act()
    except RecordError as error:
        return error.line, error.path, error.sentence
    return None


@pytest.mark.wide(but=2)
@pytest.mark.parametrize("seed", sampled(range(60), 15))
def test_random_acts(seed, tmp_path):
    """Game, replay and store accept the same acts, and refuse the others with the same words."""
    luck, naive = random.Random(seed), Naive()
    game, lines = Game([started()]), [started()]
    with Store.open("memory:") as store:
        store.append("g1", lines)
        for _time in range(40):
            event = happened(luck, len(game) + 1)
            before, rows = game.events, Docket.of(game.events).rows
            refused = refusal(lambda event=event: game.record(event))
            if event["type"].startswith("dispute-"):
                assert naive.may(event) is (refused is None)
            assert refused == refusal(lambda event=event: store.append("g1", [event]))
            file = kept(tmp_path / "more.jsonl", [*lines, event])
            assert refused == refusal(lambda file=file: replay(Record(file)))
            if refused is None:
                lines.append(event)
            else:
                assert (before, rows) == (game.events, Docket.of(game.events).rows)
        assert game == store.load("g1") == Game.load(kept(tmp_path / "taken.jsonl", lines))
        assert game.disputes() == store.load("g1").disputes()
    assert {id: bool(told) for id, told in naive.told.items()} == {
        one.dispute: len(one.trail) > 1 for one in game.disputes()
    }


def test_apart():
    """Acts in a copy do not appear in the original, nor the reverse; a what-if has the disputes up to its beginning."""
    docket = Docket.of(Game([started(), opens(), rules_on()]).events)
    other, again = docket.copy(), Docket.restored(docket.rows)
    for one in (other, again):
        assert docket.rows == one.rows == (("d1", "ruled", "leave"),)
        one.take(Game([started(), opens("d2")]).events[1], 9, lambda to, now: True)
        assert (1, 2) == (len(docket), len(one))
    game = Game([started(), opens(), rules_on(), closes()])
    assert "ruled" == game.what_if(3, []).disputes()[0].stage.value
    assert "closed" == game.what_if(3, [closes()]).disputes()[0].stage.value
    with pytest.raises(ImpossibleError, match=r"4: .*there is a dispute 'd1' already"):
        game.what_if(3, [opens()])
    with pytest.raises(ImpossibleError, match=r"2: .*no dispute 'd1'; there: none"):
        game.what_if(1, [closes()])


def test_others_are_let_alone():
    """The docket has handlers of its own only for notes and the five acts of disputes."""
    assert {*ACTS, NoteAdded} == {*Listing().before}
    assert set(ACTS) == set(get_args(DisputeAct))


def test_the_bound():
    """A thousand disputes are accepted, one more is refused, and the existing ones continue."""
    game = Game([started(), *[opens(f"d{number}") for number in range(DISPUTES)]])
    with pytest.raises(ImpossibleError, match="a record may have 1000 disputes"):
        game.record(opens("one more"))
    game.record(rules_on("d0"))
    game.record(closes("d0"))
    with pytest.raises(ImpossibleError, match="a record may have 1000 disputes"):
        game.record(opens("one more"))
