"""Partings: the turns, steps or events ("places") in which two games differ, each with exactly its differences.

| promise | test |
| --- | --- |
| every turn whose end differs is listed with all differences, and no other turn | test_by_turn |
| by event: the same for every common event, and for events of one game alone | test_by_event |
| by step: the listed steps differ, and no turn's end is missing | test_by_step |
| a place without differences, or with other differences, ends a parting | test_a_gap, test_maximal |
| a restarted game is not compared with the one before | test_restarted |
| records are aligned by turn and step, whatever their numbers | test_aligned |
| a game does not differ from itself | test_nothing |
| a turn's end includes its untap step, written or not | test_turns_end |
| a turn that only one game has is marked | test_turns |
| undone stretches are not compared | test_undone |
| events inserted or left out at the end are compared too | test_events, test_events_alone |
| consecutive places with the same differences are merged | test_merged |
| a real game tells its story | test_the_story |

The reference is naive: it replays every prefix of both games, and compares everything.
"""

from __future__ import annotations

from itertools import pairwise

import pytest

from daynight.compare.partings import Parting, SharedPlace, events_apart, games_apart, parting_words
from daynight.framework.edits import drop, insert
from daynight.game import Game
from tests.behaviour.games import CONTRACT, EVERY_TYPE, told
from tests.behaviour.naively import Prefixes, apart, edited, random_game
from tests.rules.judges import back_up, claim
from tests.rules.words import cast, effect, restarted, started, step, turn, untap, upkeep

FEW, FEWER = range(14), range(12)
MANY = range(1000, 2000)
LENGTH = 40

many = pytest.param(MANY, marks=pytest.mark.slow)
both = pytest.mark.parametrize("seeds", [FEW, many], ids=["few", "many"])
fewer = pytest.mark.parametrize("seeds", [FEWER, many], ids=["few", "many"])


def branches(seeds):
    """Yield the seed, a random game up to where its branch was stopped, and the branch by random edits."""
    for seed in seeds:
        game = random_game(seed, LENGTH)
        branch = edited(game, seed)
        upto = game if branch.stopped is None else Game().extended(game.events[: branch.stopped.number - 1])
        yield seed, upto, branch


def said(parting: Parting) -> list:
    """The differences of a parting, in the naive form."""
    return sorted([(one.about, one.subject, one.left, one.right) for one in parting.differences], key=repr)


def covered(partings: list[Parting], places: list[tuple[int | None, int | None]]) -> list:
    """The partings' differences at each of these places, sorted."""
    found: list = [[] for _place in places]
    for parting in partings:
        first, last = [places.index((place.left, place.right)) for place in (parting.first, parting.last)]
        assert first <= last
        for place in range(first, last + 1):
            assert [] == found[place]
            found[place] = said(parting)
    return found


def ends(left: Prefixes, right: Prefixes) -> list[tuple[int | None, int | None, list]]:
    """The last event of every turn in both games, and their differences there."""
    mine, other = left.turns(), right.turns()
    found = []
    for key in sorted({*mine, *other}):
        (here, state), (there, beside) = mine.get(key, (None, {})), other.get(key, (None, {}))
        if here is None or there is None:
            differs = [("turn", str(key[1]), here is not None, there is not None)]
        else:
            differs = apart(state, beside)
        found.append((here, there, differs))
    return found


@both
def test_by_turn(seeds):
    """Compared by turns, partings are exactly the turns whose ends differ."""
    differing = 0
    for seed, game, branch in branches(seeds):
        other = branch.game
        expected = ends(Prefixes(game), Prefixes(other))
        partings = [*games_apart(game, other, by_step=False)]
        assert [differs for *_place, differs in expected] == covered(
            partings, [(here, there) for here, there, _differs in expected]
        ), seed
        differing += bool(partings)
    assert differing > len(seeds) / 2


@fewer
def test_by_event(seeds):
    """Compared by events, partings are exactly the events where the games differ."""
    differing = 0
    for seed, game, branch in branches(seeds):
        other = branch.game
        left, right = Prefixes(game), Prefixes(other)
        places = []
        aligned = [(origin, number) for number, origin in enumerate(branch.origins, 1) if origin is not None]
        for (here, there), (next_here, next_there) in pairwise([*aligned, (len(game) + 1, len(other) + 1)]):
            places.append((here, there))
            if (next_here, next_there) != (here + 1, there + 1):
                places.append((next_here - 1, next_there - 1))
        partings = [*events_apart(game, other, branch.origins)]
        expected = [apart(left.parts(here), right.parts(there)) for here, there in places]
        assert expected == covered(partings, places), seed
        differing += bool(partings)
    assert differing > len(seeds) / 2


@fewer
def test_by_step(seeds):
    """Compared by steps, the listed steps differ, and no turn's end is missing."""
    for seed, game, branch in branches(seeds):
        other = branch.game
        left, right = Prefixes(game), Prefixes(other)
        partings = [*games_apart(game, other)]
        mine, beside = dict(left.turns().values()), dict(right.turns().values())
        for parting in partings:
            for place in (parting.first, parting.last):
                here, there = place.left, place.right
                if here is not None and there is not None:
                    states = mine.get(here, left.parts(here)), beside.get(there, right.parts(there))
                    assert apart(*states) == said(parting), seed
        for here, there, differs in ends(left, right):
            found = [parting for parting in partings if _holds(parting, here, there)]
            assert ([differs] if differs else []) == [said(parting) for parting in found], (seed, here, there)


def _holds(parting: Parting, here: int | None, there: int | None) -> bool:
    """Return whether a parting contains the place with these events."""
    first, last = parting.first, parting.last
    if None in (here, there, first.left, first.right):
        return (here, there) == (first.left, first.right)
    return first.left <= here <= last.left and first.right <= there <= last.right


@fewer
def test_maximal(seeds):
    """Between two partings with the same differences lies a turn without differences, or a restart."""
    for _seed, game, branch in branches(seeds[: len(seeds) // 4]):
        other = branch.game
        turns = [(here, there) for here, there, _differs in ends(Prefixes(game), Prefixes(other))]
        for one, next_one in pairwise(games_apart(game, other, by_step=False)):
            last = turns.index((one.last.left, one.last.right))
            first = turns.index((next_one.first.left, next_one.first.right))
            between = first > last + 1
            assert between or one.differences != next_one.differences or 0 == next_one.first.turn


def test_a_gap():
    """Night in turn 2, day as before in turn 3, night in turn 4: two partings."""
    game = told(effect("day"), *(event for number in range(1, 6) for event in (turn(number), cast())))
    edits = [insert(f"turn:{place}", effect(it)) for place, it in ((2, "night"), (3, "day"), (4, "night"))]
    branch = game.branch(*edits)
    found = [*games_apart(game, branch.game, by_step=False)]
    assert [(2, 2), (4, 5)] == [(one.first.turn, one.last.turn) for one in found]
    assert ["turn 2", "turn 4 to turn 5"] == [*map(parting_words, found)]
    last = {"turn": 5, "step": None, "left": 12, "right": 15}
    document = found[1].document()
    assert {"turn": 4, "step": None, "left": 10, "right": 13, "until": 5, "last": last} == {
        key: document[key] for key in document if key != "differences"
    }
    assert SharedPlace(4, None, 10, 13) == found[1].first


def test_restarted():
    """Two games that differ in the same way before and after their restart have two partings."""
    game = told(turn(1), restarted(), turn(1))
    other = told(effect("day"), turn(1), restarted(), effect("day"), turn(1))
    assert [(0, 1), (0, 1)] == [(one.first.turn, one.last.turn) for one in games_apart(game, other)]
    (one,) = games_apart(told(turn(1), cast(), restarted()), told(turn(1), cast()))
    assert ["a restarted game: there / not there"] == [each.sentence for each in one.differences]


def test_nothing():
    """A game differs from itself nowhere."""
    for game in (Game(CONTRACT), Game(EVERY_TYPE), *(random_game(seed, 40) for seed in range(6))):
        same = Game(game.events)
        assert [] == [*games_apart(game, same)]
        assert [] == [*events_apart(game, same, tuple(range(1, len(game) + 1)))]


def test_aligned():
    """Two records of one game have no partings, though one has every step and a claim and the other hardly any."""
    short = told(effect("day"), turn(1), turn(2, "Bo"), untap(), turn(3), cast())
    long = told(
        effect("day"), turn(1), untap(), upkeep(), claim("day"), turn(2, "Bo"), untap(), upkeep(), step("end"),
        turn(3), untap(), upkeep(), cast(),
    )  # fmt: skip
    assert [] == [*games_apart(short, long)]
    other = long.branch(insert(4, cast())).game
    # The same cast, recorded in another step.
    early = told(turn(1), untap(), cast(), step("draw"), turn(2, "Bo"))
    late = told(turn(1), untap(), upkeep(), cast(), step("draw"), turn(2, "Bo"))
    assert [] == [*games_apart(early, late)] == [*games_apart(late, early)]
    first = next(games_apart(long, other))
    assert SharedPlace(1, "untap", 4, 5) == first.first
    assert [("tally", 0, 1)] == [(one.about, one.left, one.right) for one in first.differences]
    (apart,) = [parting for parting in games_apart(long, other) if parting.first.turn == 2]
    assert (("untap", 3, None), ["night / day"]) == (
        (apart.first.step, apart.last.turn, apart.last.step), [one.sentence for one in apart.differences],
    )  # fmt: skip
    assert all(one.first.step == "end" for one in games_apart(long, other, by_step=False) if one.first.turn == 2)


def test_turns_end():
    """At a turn's end its untap step is over, written or not; at the end of a record an unwritten one is pending."""
    written = told(effect("day"), turn(1), turn(2, "Bo"), untap(), turn(3), untap())
    unwritten = told(effect("day"), turn(1), turn(2, "Bo"), turn(3), untap())
    assert [] == [*games_apart(written, unwritten)]
    late = told(effect("day"), turn(1), turn(2, "Bo"), cast("Bo"), turn(3), untap())
    assert [["spells of Bo in this turn: 0 / 1"]] == [
        [one.sentence for one in parting.differences] for parting in games_apart(unwritten, late)
    ]
    # At the end of a record the untap step is still pending, and in the other game it is over.
    due = effect("day"), turn(1), turn(2, "Bo")
    (one,) = games_apart(told(*due), told(*due, untap()))
    assert ["day / night"] == [each.sentence for each in one.differences]


def test_turns():
    """A turn or restarted game that only one game has is a parting, with the event of that game and None."""
    found = [*games_apart(told(turn(1), turn(2, "Bo")), told(turn(1), turn(3)))]
    assert [(2, 3, None, "turn 2: there / not there"), (3, None, 3, "turn 3: not there / there")] == [
        (one.first.turn, one.first.left, one.first.right, one.differences[0].sentence) for one in found
    ]
    assert ["turn 2", "turn 3"] == [*map(parting_words, found)]
    twice = [*games_apart(told(turn(1), cast(), restarted(), turn(1)), told(turn(1), cast()))]
    assert [(0, 4, None, "a restarted game: there / not there"), (1, 5, None, "turn 1: there / not there")] == [
        (one.first.turn, one.first.left, one.first.right, one.differences[0].sentence) for one in twice
    ]
    other_game = [*games_apart(told(turn(1), restarted(), turn(2)), told(turn(1), turn(2)))]
    assert [(2, None, 3), (0, 3, None), (2, 4, None)] == [
        (one.first.turn, one.first.left, one.first.right) for one in other_game
    ]
    restarts = [*games_apart(told(turn(1), restarted(), turn(1), cast()), told(turn(1), restarted(), turn(1)))]
    assert [(1, 5, 4)] == [(one.first.turn, one.first.left, one.first.right) for one in restarts]


def test_undone():
    """Undone events do not count."""
    game = told(turn(1), cast(), effect("night"), turn(2, "Bo"), back_up(3), turn(2, "Bo"))
    assert [] == [*games_apart(game, told(turn(1), cast(), turn(2, "Bo")))]


def test_events():
    """Games are compared after each common event, and after each event of one game alone."""
    game = Game(CONTRACT)
    branch = game.branch(insert(5, cast("Bo")), drop(6))
    found = [*events_apart(game, branch.game, branch.origins)]
    assert [
        (6, 6, ["spells of Ana in this turn: 1 / 0", "spells of Bo in this turn: 0 / 1"]),
        (8, 8, ["night / day", "Tavern Ruffian (w1): back face, Tavern Smasher / front face, Tavern Ruffian"]),
    ] == [(one.first.left, one.first.right, [each.sentence for each in one.differences]) for one in found]


@pytest.mark.parametrize("edit, places", [
    (insert(None, effect("day")), [(8, 9)]),
    (drop(8), [(8, 7)]),
    (insert(7, cast("Bo")), [(7, 8)]),
    (insert(6, cast("Ana"), cast("Ana")), [(6, 8)]),
    (insert(None, claim("night")), []),
])  # fmt: skip
def test_events_alone(edit, places):
    """An event inserted or left out at the end of a game or turn is found; one without effect is not."""
    game = Game(CONTRACT)
    branch = game.branch(edit)
    found = [*events_apart(game, branch.game, branch.origins)]
    assert places == [(one.first.left, one.first.right) for one in found][: len(places) or None]


def test_merged():
    """Consecutive turns with the same differences are one parting, from the first turn to the last."""
    turns = [event for number in range(1, 5) for event in (turn(number), cast())]
    game, other = told(effect("day"), *turns), told(effect("night"), *turns)
    (one,) = games_apart(game, other)
    assert (0, 4, "before turn 1 to turn 4") == (one.first.turn, one.last.turn, parting_words(one))
    assert {"turn", "step", "left", "right", "until", "last", "differences"} == set(one.document())


def test_the_story():
    """With two spells by Seat B in turn 20, it is day in turns 21 and 22, and Brutal Cathar shows its front face."""
    game = Game.load("demo")
    branch = game.branch(insert("turn:20", "B casts 2"))
    found = [*games_apart(game, branch.game, by_step=False)]
    assert [
        (20, 20, ["spells of Seat B in this turn: 0 / 2"]),
        (21, 22, ["night / day",
                  "Brutal Cathar (brutal-cathar-2): back face, Moonrage Brute / front face, Brutal Cathar"]),
    ] == [(one.first.turn, one.last.turn, [each.sentence for each in one.differences]) for one in found]  # fmt: skip


def test_what_is_started_otherwise():
    """Games with different players can be compared; before any turn they have no partings."""
    assert [] == [*games_apart(Game([started("Ana", "Bo")]), Game([started("Cy", "Di")]))]
