"""The oracle itself: unwritten untap steps, and players who left.

| sentence of the contract | test |
| --- | --- |
| 2.5 unwritten untap steps | test_the_untap_step_nobody_wrote_down, test_a_further_untap_step_checks_again |
| 502.1 phasing | test_phasing_by_itself |
| player-left | test_a_player_left |
| a ruling of neither | test_neither_is_ruled_only_where_it_is_possible |
"""

import pytest

from .naive import Refused
from .saying import CLONE, LONE, RUFFIAN, becomes, cast, enter, face, on, played, rules, step, turn


def test_the_untap_step_nobody_wrote_down() -> None:
    """An untap step is pending from turn-began on, until it is recorded or another event shows that it is over.

    In the second case its change is marked as `implied`. Lost abilities and notes leave it pending; `untap` in the
    `skips` of the turn cancels it.
    """
    naive = played(becomes("day"), enter(w=RUFFIAN), turn(1, "Ana"), turn(2, "Bo"), on("abilities-lost", "w"))
    assert (naive.possible(), naive.state["due"]) == (["day"], True)
    naive.apply({"type": "note-added", "by": "Bo", "says": "x"})
    assert naive.possible() == ["day"]
    spent = naive.copy()
    spent.apply(turn(3, "Ana"))
    implied = {"was": "day", "became": "night", "rule": "check-day", "cr": "728.2a", "implied": True}
    assert spent.document()["changes"][1:] == [{"event": 8, "turn": 2, "because": [4], **implied}]
    assert (spent.document()["step"], spent.document()["turn"]) == (None, 3)
    naive.apply(step("untap"))
    assert "implied" not in naive.document()["changes"][-1]
    skipping = played(becomes("day"), turn(1, "Ana"), turn(2, "Bo") | {"skips": ["untap"]}, cast("Bo"))
    assert skipping.possible() == ["day"]


def test_a_further_untap_step_checks_again() -> None:
    """An untap step that is recorded after the implied one is another one: it checks again."""
    naive = played(turn(1, "Ana"), turn(2, "Bo"), enter(w=CLONE), step("untap"))
    assert rules(naive) == [("neither", "day", "daybound-starts-day"), ("day", "night", "check-day")]


def test_phasing_by_itself() -> None:
    """In the untap step a permanent that phased out under an active player phases in, unless it is in `stays_out`."""
    out = (enter(a=RUFFIAN, b={"card": "Bear", "controller": "Bo"}), on("phased-out", "a", "b"), turn(1, "Ana"))
    assert [one["phased_in"] for one in played(*out, cast("Ana")).document()["battlefield"]] == [True, False]
    stays = played(*out, step("untap", stays_out=["a"], phased_in=["b"]))
    assert [one["phased_in"] for one in stays.document()["battlefield"]] == [False, True]
    for wrong in ({"stays_out": ["a"], "phased_in": ["a"]}, {"stays_out": ["c"]}, {"phased_out": ["a"]}):
        with pytest.raises(Refused):
            played(*out, step("untap", **wrong))


def test_a_player_left() -> None:
    """The permanents in player-left leave; the player's others lose controller and keywords, and do not transform."""
    naive = played(enter(a=RUFFIAN, b=RUFFIAN), becomes("night"), enter(c=LONE | {"controller": "Bo"}))
    naive.apply({"type": "player-left", "player": "Ana", "permanents": ["a"]})
    listed = [(one["permanent"], one["controller"], one["keywords"]) for one in naive.document()["battlefield"]]
    assert listed == [("b", None, []), ("c", "Bo", ["nightbound"])]
    naive.apply(becomes("day"))
    assert face(naive, "b") == "back"
    naive.apply(on("control-changed", "b", controller="Bo"))
    assert face(naive, "b") == "front"


def test_neither_is_ruled_only_where_it_is_possible() -> None:
    """A ruling of neither removes other possibilities with their changes; if neither is impossible, it is refused."""
    neither = {"type": "judge-ruled", "by": "judge", "designation": "neither"}
    joined = {"type": "game-joined", "possible": ["neither", "day"]}
    naive = played(joined, enter(v={"card": "Brimstone Vandal", "without_abilities": True}), turn(1, "Ana"), neither)
    assert (naive.possible(), naive.document()["changes"]) == (["neither"], [])
    with pytest.raises(Refused):
        played(becomes("day"), neither)
