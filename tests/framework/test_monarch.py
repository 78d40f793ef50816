"""The monarch in examples/: for each rule a positive and a negative test.

| clause | for it | against it |
| --- | --- | --- |
| no monarch until an effect makes one | test_nobody | test_an_effect_makes_a_monarch |
| an effect makes a player the monarch, in place of another | test_an_effect_makes_a_monarch | test_monarch_again |
| after combat damage to the monarch, the creature's controller is the monarch | test_damage | test_damage_to_others |
| the monarch draws a card in their end step | test_draws | test_end_step_of_others |
| if the monarch leaves, the active player becomes the monarch | test_monarch_leaves | test_others_leave |
| if the active player left, the next player in turn order becomes it | test_next_in_turn_order | test_last_player |
| an impossible event is refused, with the wrong field's path | test_refused, test_begins | - |
| a claim is compared to the monarch | test_wrong_claim | test_right_claim |
| backing up restores the state, except of an undone event | test_backing_up | test_backing_up_to_what_is_undone |
"""

from pathlib import Path

import pytest

from daynight.framework import Recorded, given, insert
from examples.monarch import MECHANIC, BackedUp, Claimed, Damaged, EndStepBegan, Left, Made, Started, TurnBegan

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"

GAME = (Started(game="g", players=("Ana", "Bo", "Cy")), TurnBegan(player="Ana"))
ANA = (*GAME, Made(player="Ana"))


def test_nobody() -> None:
    given(MECHANIC, *GAME, EndStepBegan()).part("monarch", None, {None}, rule="no-monarch")


def test_an_effect_makes_a_monarch() -> None:
    scenario = given(MECHANIC, *ANA).part("monarch", None, "Ana", rule="made-monarch")
    scenario.when(Made(player="Cy")).then({"was": "Ana", "became": "Cy", "event": 4}).part("monarch", None, "Cy")


def test_monarch_again() -> None:
    given(MECHANIC, *ANA).when(Made(player="Ana")).then().part("monarch", None, "Ana")


def test_damage() -> None:
    damage = Damaged(player="Ana", by="Bo")
    scenario = given(MECHANIC, *ANA).when(damage).then({"became": "Bo", "rule": "combat-damage-dealt"})
    assert (3, 4) == scenario.record.part("monarch").because


@pytest.mark.parametrize("before", [GAME, ANA])
def test_damage_to_others(before) -> None:
    given(MECHANIC, *before).when(Damaged(player="Cy", by="Bo")).then()


def test_draws() -> None:
    given(MECHANIC, *ANA).when(EndStepBegan()).then({"part": "draws"}).part("draws", "Ana", 1).part("draws", "Bo", 0)


def test_end_step_of_others() -> None:
    given(MECHANIC, *ANA, TurnBegan(player="Bo")).when(EndStepBegan()).then().part("draws", "Bo", 0)


def test_monarch_leaves() -> None:
    scenario = given(MECHANIC, *ANA, TurnBegan(player="Cy")).when(Left(player="Ana")).then({"became": "Cy"})
    scenario.part("draws", "Ana", None)


def test_others_leave() -> None:
    given(MECHANIC, *ANA).when(Left(player="Bo")).then().part("monarch", None, "Ana")


@pytest.mark.parametrize("monarch, heir", [("Ana", "Bo"), ("Bo", "Cy"), ("Cy", "Ana")])
def test_next_in_turn_order(monarch, heir) -> None:
    begun = (GAME[0], Made(player=monarch))
    given(MECHANIC, *begun).when(Left(player=monarch)).then({"became": heir})
    given(MECHANIC, *begun, TurnBegan(player=monarch)).when(Left(player=monarch)).then({"became": heir})


def test_last_player() -> None:
    alone = (Started(game="g", players=("Ana",)), Made(player="Ana"))
    given(MECHANIC, *alone).when(Left(player="Ana")).then()


@pytest.mark.parametrize("event, path, sentence", [
    (Made(player="Dan"), "$.player", "no player 'Dan'; there: Ana, Bo, Cy"),
    (Damaged(player="Ana", by="Dan"), "$.by", "no player 'Dan'"),
    (TurnBegan(player="Dan"), "$.player", "no player"),
    (Left(player="Dan"), "$.player", "no player"),
    (GAME[0], "$.type", "line 1"),
    ({"type": "made-monarch"}, "$.player", "missing"),
])  # fmt: skip
def test_refused(event, path, sentence) -> None:
    given(MECHANIC, *GAME).when(event).refused(path=path, sentence=sentence).part("monarch", None, {None})


def test_begins() -> None:
    given(MECHANIC).when(Made(player="Ana")).refused(path="$.type", sentence="game-started is line 1")
    given(MECHANIC).when(Started(game="g", players=("Ana", "Ana"))).refused(path="$.players", sentence="twice")


def test_wrong_claim() -> None:
    given(MECHANIC, *ANA).when(Claimed(monarch="Bo", by="Bo")).audited("disputed")


def test_right_claim() -> None:
    given(MECHANIC, *ANA).audited("unverified").when(Claimed(monarch="Ana", by="Bo")).audited("exact")


def test_backing_up() -> None:
    given(MECHANIC, *ANA, EndStepBegan()).when(BackedUp(to=2)).then().part("monarch", None, {None}).part(
        "draws", "Ana", 0
    )


def test_backing_up_to_what_is_undone() -> None:
    given(MECHANIC, *ANA, BackedUp(to=2)).when(BackedUp(to=3)).refused(path="$.to", sentence="undone")


def test_record() -> None:
    """The example's record has one wrong claim. In a branch in which an effect makes Cy the monarch after event 6, Cy
    is the monarch at the end, and the later back-up to event 10 goes to event 11."""
    record = Recorded.load(MECHANIC, EXAMPLES / "monarch.jsonl")
    (finding,) = record.audited().findings
    assert (14, "Ana", "Cy") == (finding.event, finding.said.value, finding.derived.value)
    assert "turn-began" == record["turn:2"].event.__struct_config__.tag == record[5].event.__struct_config__.tag
    branch = record.branch(insert(6, Made(player="Cy")))
    assert (11, "Cy") == (branch.game.find(BackedUp)[0].event.to, branch.game.part("monarch").value)
