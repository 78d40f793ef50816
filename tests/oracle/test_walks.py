"""Random records, and all short ones: they are legal and reproducible, and the oracle keeps its invariants."""

import pytest
from hypothesis import HealthCheck, given, settings

from tests.sampling import case, few_or_all

from .alphabet import sequences, steps, traverse
from .naive import Naive, Refused
from .rules import copy_world, rest
from .vocabulary import Event
from .walks import random_tries, random_walk, tries, walked_anew, walks
from .worlds import alike


def replayed(events: list[Event]) -> Naive:
    """The oracle after a record."""
    naive = Naive()
    for event in events:
        naive.apply(event)
    return naive


def keeps_invariants(naive: Naive) -> None:
    """Assert what holds after any event: worlds differ and are at rest, and the document fits them."""
    document, worlds = naive.document(), naive.state["ruled"]
    assert worlds
    assert not any(alike(world, other) for number, world in enumerate(worlds) for other in worlds[:number])
    assert document["possible"]
    several = len(document["possible"]) > 1
    assert (document["designation"] is None) == several
    assert ("policy" in document) == (several and "night" in document["possible"])
    assert [one["event"] for one in document["changes"]] == sorted(one["event"] for one in document["changes"])
    assert not {one["event"] for one in document["changes"]} & naive.undone
    assert all(one["became"] != "neither" and one["was"] != one["became"] for one in document["changes"])
    for shown, kept in zip(document["battlefield"], naive.state["battlefield"], strict=True):
        assert shown["face"] != "back" or kept["double_faced"]
    for world in [*worlds, *naive.state["own"]]:
        assert sorted(world["faces"]) == sorted(one["id"] for one in naive.state["battlefield"])
        again = copy_world(world) | {"did": []}
        rest(naive.state, again)
        assert (again["did"], alike(again, world)) == ([], True)


@pytest.mark.parametrize("seeds", few_or_all(5, 400))
def test_random_records(seeds: int) -> None:
    """Random records are legal, repeatable, and keep the invariants."""
    for seed in range(seeds):
        with case(seed):
            events = random_walk(seed, 50)
            assert len(events) == 50
            assert events == walked_anew(seed, 50)
            naive = Naive()
            for event in events:
                naive.apply(event)
                keeps_invariants(naive)
            assert naive.findings()["verdict"] in ("exact", "disputed", "unverified")
            if all(event["type"] != "judge-ruled" for event in events):
                assert len(naive.state["own"]) == len(naive.state["ruled"])
                assert all(map(alike, naive.state["own"], naive.state["ruled"]))


@pytest.mark.wide
@given(walks(40))
@settings(deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_drawn_records(events: list[Event]) -> None:
    """Records drawn by Hypothesis are legal and keep the invariants; events on a copy do not change the oracle."""
    naive = replayed(events)
    keeps_invariants(naive)
    before = naive.document()
    naive.copy().apply({"type": "judge-ruled", "by": "judge", "designation": "night"})
    naive.copy().apply({"type": "note-added", "by": "judge", "says": "so it was"})
    assert naive.document() == before


def refuses_again(events: list[Event], refused: list[tuple[int, Event]]) -> None:
    """Assert that after the first `number` events each event that is paired with it is refused, without a change."""
    for number, event in refused:
        naive = replayed(events[:number])
        before = naive.document(), naive.findings()
        with pytest.raises(Refused):
            naive.apply(event)
        assert before == (naive.document(), naive.findings())


@pytest.mark.wide
@pytest.mark.parametrize("many, least", [(15, 15), pytest.param(40, 20, marks=pytest.mark.slow)])
def test_random_refusals(many: int, least: int) -> None:
    """In `many` random walks more than `least` types of events are refused, and each is refused again."""
    kinds = set()
    for seed in range(many):
        events, refused = random_tries(seed, 50)
        refuses_again(events, refused)
        kinds |= {event["type"] for _, event in refused}
    assert len(kinds) > least


@given(tries(20))
@settings(deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_drawn_refusals(tried: tuple[list[Event], list[tuple[int, Event]]]) -> None:
    """Events that are refused in walks drawn by Hypothesis are refused again."""
    refuses_again(*tried)


@pytest.mark.parametrize("seeds", few_or_all(2, 60))
def test_every_moment_can_be_seen_again(seeds: int) -> None:
    """`document(number)` equals the document of an oracle that has only seen the first `number` events."""
    for seed in range(seeds):
        with case(seed):
            events = random_walk(seed, 40)
            naive = replayed(events)
            for number in range(1, len(events) + 1):
                assert naive.document(number) == replayed(events[:number]).document()


def test_every_short_record() -> None:
    """`sequences`, `steps` and `traverse` give the same 110 records of up to two events, as a fresh replay confirms."""
    records = list(sequences(2))
    visited: list[list[Event]] = []
    assert traverse(2, lambda _, events: visited.append(events)) == len(records) == 110
    assert visited == records
    for (_, _, naive), record in zip(steps(2), records, strict=True):
        assert naive.document() == replayed(record).document()
        keeps_invariants(naive)
