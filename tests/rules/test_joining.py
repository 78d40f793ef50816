"""Joining: a record that begins in the middle of a game, when the designation was one of several.

| clause | the contract in our words | test |
| --- | --- | --- |
| game-joined | the turn before the first one is unknown: by day perhaps nobody cast | test_joined_by_day |
| | ... at night perhaps somebody cast two | test_joined_at_night |
| 728.2c | ... while it was neither there is no check | test_joined_while_neither |
| - | several are possible, in the order neither, day, night | test_joined_with_all_possible |
| -, not | a known designation stays known | test_joined_with_one_possible |
| -, not | only the turn before the first one is unknown | test_only_the_turn_before_the_first_one_is_unknown |
| -, not | a restarted game was not joined | test_a_restarted_game_was_not_joined |
| each | each possibility has its own faces and its own consequences | test_entering_while_uncertain |
| | | test_neither_among_the_possible |
| | | test_lone_nightbound_in_doubt |
| | | test_a_switch_keeps_both |
| | | test_a_condition_holds_in_only_one |
| certain | a change in only one possibility stays uncertain | test_changes_of_merged_possibilities_stay_uncertain |
"""

from .placing import enter
from .scenario import given
from .wolves import CLONE_OF_NIGHTBOUND
from .words import cast, effect, joined, restarted, turn, untap


def test_joined_by_day():
    """By day: perhaps nobody cast a spell in the unknown previous turn, so after the check it is day or night."""
    game = given(joined("day"), turn(5), untap())
    assert ["day", "night"] == game.possible
    assert ("perhaps 4: day becomes night in turn 5 (check-day because 2)",) == game.followed
    assert game.tallies["previous"] is None
    assert 0 == game.game.state.tallies.previous.turn


def test_joined_at_night():
    """At night: perhaps a player cast two spells in the unknown previous turn; after the check it is day or night."""
    game = given(joined("night"), turn(5), untap())
    assert ["day", "night"] == game.possible
    assert ("perhaps 4: night becomes day in turn 5 (check-night because 2)",) == game.followed
    (change,) = game.game.state.timeline.changes
    assert (None, ()) == (change.checked_turn, change.players)


def test_joined_while_neither():
    """While it is neither there is no check: it stays neither."""
    game = given(joined("neither"), turn(5), untap())
    assert (["neither"], ()) == (game.possible, game.followed)


def test_joined_with_all_possible():
    """All three are possible, listed as neither, day, night whatever the record's order."""
    game = given(joined("night", "neither", "day"))
    assert (None, ["neither", "day", "night"]) == (game.designation, game.possible)
    assert game.game.state.joined


def test_joined_with_one_possible():
    """A record that joins with night alone has night as its certain designation."""
    game = given(joined("night"))
    assert ("night", []) == (game.designation, game.changes)


def test_only_the_turn_before_the_first_one_is_unknown():
    """The second turn's check is certain, as all casts of the turn before it are recorded: night."""
    game = given(joined("day"), turn(5), turn(6, "Bo"), untap())
    assert (["night"], [3]) == (game.possible, game.changes[-1]["because"])


def test_a_restarted_game_was_not_joined():
    """The first turn after a restart has no previous turn, not an unknown one: it certainly stays day."""
    game = given(joined("day"), restarted(), effect("day"), turn(1), untap())
    assert (["day"], False) == (game.possible, game.game.state.joined)


def test_entering_while_uncertain():
    """A Ruffian enters back face up only in the possibility of night, so its face is unknown (None)."""
    game = given(joined("day", "night"), enter("w1"))
    assert ("perhaps 3: w1 enter back face up (daybound-enters because 3)",) == game.followed
    assert {"w1": None} == game.each("face")


def test_neither_among_the_possible():
    """Neither or day, and a Ruffian enters: it is day, but the change from neither is uncertain."""
    game = given(joined("neither", "day"), enter("w1"))
    assert ("day", {"w1": "front"}) == (game.designation, game.each("face"))
    assert ("perhaps 3: neither becomes day in turn 0 (daybound-starts-day because 3)",) == game.followed
    assert [False] == [change["certain"] for change in game.changes]
    assert 1 == len(game.game.state.possibilities)


def test_changes_of_merged_possibilities_stay_uncertain():
    """From neither or day it became day by an uncertain change; this stays uncertain after a later, certain change."""
    game = given(joined("neither", "day"), enter("w1"), turn(1, skips=["untap"]), cast(), effect("night"))
    assert [False, None] == [change.get("certain") for change in game.changes]


def test_a_switch_keeps_both():
    """Day or night, and the switch: each becomes the other, so both stay possible."""
    game = given(joined("day", "night"), effect("switch"))
    assert ["day", "night"] == game.possible
    assert [("day", "night"), ("night", "day")] == [(change["was"], change["became"]) for change in game.changes]


def test_a_condition_holds_in_only_one():
    """Day or night, and an effect that makes it night only if it is day: it is certainly night."""
    assert ["night"] == given(joined("day", "night"), effect("night", only_if="day")).possible


def test_lone_nightbound_in_doubt():
    """Neither or day, and a lone nightbound permanent enters: neither becomes night, day stays; both are possible."""
    game = given(joined("neither", "day"), enter("c1", CLONE_OF_NIGHTBOUND))
    assert ["day", "night"] == game.possible
