"""Spell tallies: how many spells each player cast in a turn, as far as the record knows.

A doubt is a number of further casts that the record leaves uncertain.

| promise | test |
| --- | --- |
| a turn's counts, with bounds where there was doubt | test_range_of_a_sure_count, test_range_of_a_doubt |
| the class (none, one, two or more) of the active player with the most casts | test_casts, test_casts_of_a_team |
| the events on which a check is based | test_looked_at |
| the turn before a record joined midway is unknown | test_an_unknown_turn |
| the current and the previous turn are found | test_beginning_turns |
| every earlier turn in `keep` is found, with few comparisons | test_finding_any_turn |
| a copy is equal and independent | test_a_copied_tally_is_apart, test_copied_tallies_are_apart |
"""

import pytest

from daynight.game import Game
from daynight.projections.tallies import EVERY_TURN, Tallies, Tally
from daynight.referee.worlds.chains import unchained
from daynight.referee.worlds.possibilities import ANY, NONE_CAST, ONE_CAST, TWO_CAST


def tally(spells=None, doubts=None, active=("Ana",)):
    """Return the tally of turn 3 (event 2): the number of casts, then the doubts (at least, at most) by player."""
    players = ["Ana", "Bo", "Cy"]
    teams = {"teams": [["Ana", "Cy"], ["Bo"]]} if len(active) > 1 else {}
    opening = {"type": "game-started", "format": 1, "game": "g1", "players": players, **teams}
    told = [opening, {"type": "turn-began", "turn": 3, "active": list(active)}]
    for player, count in (spells or {}).items():
        told += [{"type": "spell-cast", "player": player}] * count
    for player, (least, most) in (doubts or {}).items():
        bounds = {"at_least": least} if most is None else {"at_least": least, "at_most": most}
        told.append({"type": "spells-uncertain", "player": player, **bounds})
    return Game(told).state.tallies.current


def begun(*turns, keep=EVERY_TURN):
    """Return tallies with these turns, where turn n began at event 10 n."""
    tallies = Tallies(keep)
    for turn in turns:
        tallies.begin(turn, ("Ana",), turn * 10)
    return tallies


def test_unchained():
    """`unchained` returns the items of a chain (last, (earlier, None)), oldest first."""
    assert ((), (3,), (3, 5, 9)) == (unchained(None), unchained((3, None)), unchained((9, (5, (3, None)))))


def test_every_turn():
    """EVERY_TURN contains every number."""
    assert 0 in EVERY_TURN
    assert 10**9 in EVERY_TURN


def test_a_new_turn():
    """A new tally has its turn, active players and event, and neither casts nor doubts."""
    made = Tally(3, ("Ana", "Cy"), 7)
    assert (3, ("Ana", "Cy"), 7, False, {}, None, None) == (
        made.turn, made.active, made.began, made.unknown, made.spells, made.doubts, made.evidence,
    )  # fmt: skip


def test_range_of_a_sure_count():
    """Without a doubt, both ends of the range are the number of casts, 0 for a player without any."""
    made = tally({"Ana": 2})
    assert ((2, 2), (0, 0)) == (made.range("Ana"), made.range("Bo"))


@pytest.mark.parametrize(
    "doubt, expected", [((0, 0), (2, 2)), ((0, 1), (2, 3)), ((1, 3), (3, 5)), ((1, None), (3, None))]
)
def test_range_of_a_doubt(doubt, expected):
    """The range is the certain casts plus the player's doubt; None means no upper bound."""
    made = tally({"Ana": 2, "Bo": 1}, {"Ana": doubt})
    assert (expected, (1, 1)) == (made.range("Ana"), made.range("Bo"))


@pytest.mark.parametrize("spells, expected", [(0, 1), (1, 2), (2, 4), (3, 4), (50, 4)])
def test_casts(spells, expected):
    """`casts` is the bit for none, one, or two and more spells of the active player; other players do not count."""
    assert expected == tally({"Ana": spells, "Bo": 9}).casts()
    assert expected == tally({"Ana": spells, "Bo": 9}, {"Bo": (0, None)}).casts()


@pytest.mark.parametrize("sure, doubt, expected", [
    (0, (0, 0), NONE_CAST),
    (0, (0, 1), NONE_CAST | ONE_CAST),
    (0, (0, 2), ANY),
    (0, (0, None), ANY),
    (0, (1, 1), ONE_CAST),
    (0, (1, 2), ONE_CAST | TWO_CAST),
    (1, (0, 1), ONE_CAST | TWO_CAST),
    (1, (0, None), ONE_CAST | TWO_CAST),
    (1, (1, 5), TWO_CAST),
    (2, (0, None), TWO_CAST),
    (5, (0, 5), TWO_CAST),
    (0, (3, None), TWO_CAST),
])  # fmt: skip
def test_casts_in_doubt(sure, doubt, expected):
    """`casts` has the bit of each class (none, one, two or more) that certain and doubtful casts allow."""
    assert expected == tally({"Ana": sure}, {"Ana": doubt}).casts()


@pytest.mark.parametrize("spells, doubts, expected", [
    ({}, None, NONE_CAST),
    ({"Cy": 1}, None, ONE_CAST),
    ({"Ana": 1, "Cy": 1}, None, ONE_CAST),
    ({"Ana": 1, "Cy": 2}, None, TWO_CAST),
    ({"Ana": 1}, {"Cy": (0, 1)}, ONE_CAST),
    ({"Ana": 1}, {"Cy": (0, 2)}, ONE_CAST | TWO_CAST),
    ({"Ana": 2}, {"Cy": (0, None)}, TWO_CAST),
    ({}, {"Ana": (0, 1), "Cy": (0, 0)}, NONE_CAST | ONE_CAST),
    ({}, {"Ana": (0, 2), "Cy": (1, 1)}, ONE_CAST | TWO_CAST),
    ({"Bo": 2}, {"Bo": (0, None)}, NONE_CAST),
])  # fmt: skip
def test_casts_of_a_team(spells, doubts, expected):
    """A team's class is that of its player with the most casts, not of the sum; other players do not count."""
    assert expected == tally(spells, doubts, active=("Ana", "Cy")).casts()


def test_an_unknown_turn():
    """In an unknown turn `casts` has every class, and every range is from 0 without an upper bound."""
    unknown = Tally(0, (), 2, unknown=True)
    assert (ANY, (0, None), (2,), True) == (unknown.casts(), unknown.range("Ana"), unknown.looked_at(), unknown.unknown)


def test_looked_at():
    """`looked_at` returns the events of the turn's beginning and of active players' casts and doubts, in order."""
    assert (2,) == tally().looked_at()
    assert (2, 3, 4) == tally({"Ana": 2, "Bo": 1}).looked_at()
    assert (2, 4, 5) == tally({"Bo": 1, "Ana": 1}, {"Ana": (0, 0), "Bo": (1, 1)}).looked_at()
    assert (2, 3, 5, 6) == tally({"Ana": 1, "Bo": 1, "Cy": 1}, {"Ana": (0, 1)}, active=("Ana", "Cy")).looked_at()


def test_a_copied_tally_is_apart():
    """A copied tally has the same turn, casts and doubts; later casts of the original do not appear in the copy."""
    made = tally({"Ana": 1}, {"Ana": (0, 1)}, active=("Ana", "Cy"))
    other = made.copy()
    assert (3, ("Ana", "Cy"), 2, False, (2, 3, 4), 6) == (
        other.turn, other.active, other.began, other.unknown, other.looked_at(), other.casts(),
    )  # fmt: skip
    made.spells["Ana"] = 5
    made.doubts["Ana"] = (4, 4)
    assert ({"Ana": 1}, {"Ana": (0, 1)}) == (other.spells, other.doubts)
    assert (True, None) == (Tally(0, (), 2, unknown=True).copy().unknown, tally().copy().doubts)


def test_turns_do_not_share_their_casts():
    """A cast in one `Tally` is not in another one that was made from equal arguments."""
    first, second = Tally(1, ("Ana",), 2), Tally(1, ("Ana",), 2)
    first.spells["Ana"] = 1
    assert {} == second.spells


def test_no_turn_yet():
    """Before the first turn `current` and `previous` are None, and `find` returns None."""
    none = Tallies()
    assert (None, None, None) == (none.current, none.previous, none.find(0))
    assert none.keep is EVERY_TURN


def test_beginning_turns():
    """After `begin`, the new turn is `current`, and the one before it `previous`."""
    tallies = begun(1)
    assert (1, None) == (tallies.current.turn, tallies.previous)
    tallies.begin(4, ("Bo", "Di"), 50)
    assert (4, ("Bo", "Di"), 50, {}) == (
        tallies.current.turn, tallies.current.active, tallies.current.began, tallies.current.spells,
    )  # fmt: skip
    assert (1, 10) == (tallies.previous.turn, tallies.previous.began)
    tallies.begin(5, ("Ana",), 60)
    assert (5, 4) == (tallies.current.turn, tallies.previous.turn)


def test_doubts_add_up():
    """Doubts about one player in a turn are added; if one has no upper bound (None), the sum has none."""
    tallies = begun(1)
    tallies.doubt("Ana", 0, 1, 11)
    assert {"Ana": (0, 1)} == tallies.current.doubts
    tallies.doubt("Ana", 2, 3, 12)
    tallies.doubt("Bo", 1, None, 13)
    assert {"Ana": (2, 4), "Bo": (1, None)} == tallies.current.doubts
    tallies.doubt("Bo", 1, 1, 14)
    tallies.doubt("Ana", 1, None, 15)
    assert {"Ana": (3, None), "Bo": (2, None)} == tallies.current.doubts
    assert (10, 11, 12, 15) == tallies.current.looked_at()


def test_finding_any_turn():
    """`find` returns each of hundreds of turns, and None for every number between or after them."""
    turns = [*range(1, 300), *range(300, 900, 3), 10**6]
    tallies = begun(*turns)
    assert [turn * 10 for turn in turns] == [tallies.find(turn).began for turn in turns]
    assert [None] * 202 == [tallies.find(turn) for turn in (0, 10**6 - 1, *range(301, 900, 3))]
    assert tallies.find(10**6 + 1) is None


class Asked(int):
    """A turn number that counts in `times` how often it is compared."""

    times = 0

    def __lt__(self, other):
        """Compare, and count it."""
        self.times += 1
        return int(self) < other

    def __le__(self, other):
        """Compare, and count it."""
        self.times += 1
        return int(self) <= other


@pytest.mark.parametrize("turn", [1, 2, 3, 1250, 2500, 3333, 4096, 4998])
def test_finding_takes_few_hops(turn):
    """To find one of 5000 turns, `find` compares it at most 100 times."""
    asked = Asked(turn)
    assert turn == begun(*range(1, 5001)).find(asked).turn
    assert 0 < asked.times <= 100


def test_the_current_turn_is_found():
    """`find` returns the current and the previous turn too, as the same objects."""
    tallies = begun(1, 2)
    assert tallies.find(2) is tallies.current
    assert tallies.find(1) is tallies.previous


def test_only_what_is_kept_is_found():
    """`find` returns only turns in `keep`, and None for others, even for the previous one."""
    tallies = begun(*range(1, 100), keep={3, 50, 99})
    assert {3: 30, 50: 500, 99: 990} == {
        turn: found.began for turn in range(1, 101) if (found := tallies.find(turn)) is not None
    }
    assert (98, None) == (tallies.previous.turn, tallies.find(98))


def test_copied_tallies_are_apart():
    """After `copy`, later casts, doubts and turns of one are not in the other; finished turns are the same objects."""
    tallies = begun(1, 2, keep={1, 2, 3, 4})
    other = tallies.copy()
    tallies.current.spells["Ana"] = 2
    tallies.doubt("Ana", 0, 1, 21)
    assert ({}, None, {1, 2, 3, 4}) == (other.current.spells, other.current.doubts, other.keep)
    assert other.previous is tallies.previous
    tallies.begin(3, ("Bo",), 30)
    other.begin(4, ("Bo",), 40)
    assert (2, 1, None) == (tallies.find(2).spells["Ana"], other.find(1).turn, other.find(3))
    assert ({}, {}) == (other.find(2).spells, other.previous.spells)
    assert (None, 3) == (tallies.find(4), tallies.current.turn)


def test_copying_before_the_first_turn():
    """A copy made before the first turn has `current` None, and keeps `previous`, a turn that is unknown."""
    tallies = Tallies()
    tallies.previous = Tally(0, (), 2, unknown=True)
    other = tallies.copy()
    assert (None, tallies.previous) == (other.current, other.previous)


def test_what_is_told_of_a_player():
    """`told_of` returns the events of the turn's beginning and of the player's casts and doubts, active or not."""
    opening = {"type": "game-started", "format": 1, "game": "g1", "players": ["Ana", "Bo", "Cy", "Di"]}
    told = [opening, {"type": "turn-began", "turn": 1, "active": ["Ana"]}]
    for player in ("Bo", "Cy", "Ana"):
        told.append({"type": "spells-uncertain", "player": player, "at_least": 0, "at_most": 1})
    told += [{"type": "spell-cast", "player": player} for player in ("Bo", "Ana", "Bo", "Cy")]
    tally = Game(told).state.tallies.current
    assert ((2, 3, 6, 8), (2, 4, 9), (2, 5, 7), (2,)) == tuple(map(tally.told_of, ("Bo", "Cy", "Ana", "Di")))
    assert (2, 3, 6, 8) == tally.copy().told_of("Bo")


def test_restored_tallies():
    """`restored` has the given turns as `current` and `previous`, and finds no other; turns can begin after them."""
    before, now = Tally(3, ("Ana",), 10), Tally(4, ("Bo",), 20)
    tallies = Tallies.restored(now, before)
    assert (now, before) == (tallies.current, tallies.previous)
    assert (now, before, None) == (tallies.find(4), tallies.find(3), tallies.find(2))
    tallies.begin(5, ("Ana",), 30)
    assert (now, now, before) == (tallies.previous, tallies.find(4), tallies.find(3))
    unknown = Tally(0, (), 2, unknown=True)
    assert Tallies.restored(None, unknown).find(0) is None
    assert unknown is Tallies.restored(None, unknown).previous
    assert Tallies.restored(None, None).previous is None
