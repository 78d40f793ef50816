"""Blame: the event and the rule that set each part of the state.

| promise | test |
| --- | --- |
| the designation, by the event and rule of its last change | test_designation |
| each permanent's face, with its cause | test_faces |
| controller, abilities, phasing, copies, if they changed since it entered | test_befallen |
| tallies, by the turn's beginning and the casts | test_tallies |
| holds: what forbids transforming, or prevents night | test_holds |
| undone events are not blamed | test_undone |
| if the cause is uncertain, all candidates are named | test_uncertain |
| a hold is blamed on the event by which it began, not on the arrival | test_holds_that_began_later |
| a tally is blamed on the last cast of that player, not of the team | test_tallies_of_a_team |
| every named event exists and is not undone | test_random |
| every part is blamed on the event that changed it last | test_against_the_naive_answer |
| the blamed event is the last one at which the diff shows that part | test_the_last_difference_of_neighbours |
| blame agrees with `why` on the event, the rule and the reasons | test_why_says_the_same |
| the story of a real game | test_the_story |
"""

from __future__ import annotations

import pytest

from daynight.compare.differences import differences
from daynight.events.consequences import Changed, EnteredTransformed, Transformed
from daynight.game import Game
from daynight.questions.blame import blamed
from daynight.questions.facing import facing
from daynight.referee.state import State
from tests.behaviour.games import CONTRACT, EVERY_TYPE, told
from tests.behaviour.naively import random_game, since
from tests.rules.judges import back_up, ruled
from tests.rules.placing import control, enter, leave, lose, phase_in, phase_out, regain
from tests.rules.turning import copy, face_down, face_up, forbid, transform
from tests.rules.wolves import ANGEL, IMMERWOLF
from tests.rules.words import cast, doubt, effect, joined, started, turn, untap
from tests.sampling import few_or_all, quick_or_wide

BEAR = {"card": "Bear"}
OLD = {"card": "Grizzled Outcasts"}
WOLF = {"name": "Immerwolf", "holds": "non-human-werewolves-you-control"}


def part(game, name, subject=None):
    """The only line of blame about this part."""
    (line,) = [line for line in blamed(game) if (line.part, line.subject) == (name, subject)]
    return line


@pytest.mark.parametrize("events, value, event, rule, because", [
    ((), "neither", 1, "no-designation", (1,)),
    ((joined("day"),), "day", 2, None, (2,)),
    ((effect("night"),), "night", 2, "becomes", (2,)),
    ((enter("w1"),), "day", 2, "daybound-starts-day", (2,)),
    ((effect("day"), turn(1), turn(2, "Bo"), untap()), "night", 5, "check-day", (3,)),
    ((effect("day"), ruled("night")), "night", 3, "judge", (3,)),
])  # fmt: skip
def test_designation(events, value, event, rule, because):
    """The designation is blamed on its last change, or on the beginning of the game."""
    line = part(told(*events), "designation")
    assert (value, event, rule, because) == (line.value, line.event, line.rule, line.because)


@pytest.mark.parametrize("events, value, event, rule", [
    ((enter("w1"),), "front", 2, None),
    ((effect("night"), enter("w1")), "back", 3, "daybound-enters"),
    ((enter("w1"), effect("night")), "back", 3, "daybound-as-night"),
    ((enter("w1"), effect("night"), effect("day")), "front", 4, "nightbound-as-day"),
    ((enter("w1", OLD), transform("w1")), "back", 3, "transforms"),
    ((enter("w1", OLD, face="back"),), "back", 2, "told-to-enter"),
    ((enter("w1", BEAR), face_down("w1")), "face-down", 3, None),
    ((enter("w1", BEAR), face_down("w1"), face_up("w1")), "front", 4, None),
])  # fmt: skip
def test_faces(events, value, event, rule):
    """Each face is blamed on the event that caused it."""
    line = part(told(*events), "face", "w1")
    assert (value, event, rule) == (line.value, line.event, line.rule)


@pytest.mark.parametrize("events, name, event", [
    ((enter("w1", BEAR), control("Bo", "w1")), "controller", 3),
    ((enter("w1", BEAR), lose("w1", source="Humility"), lose("w1")), "abilities", 3),
    ((enter("w1", BEAR, without_abilities=True),), "abilities", 2),
    ((enter("w1", BEAR), phase_out("w1")), "phasing", 3),
    ((enter("w1", BEAR), turn(1), untap(phased_out=["w1"])), "phasing", 4),
    ((enter("w1", BEAR), copy({"name": "Wolf"}, "w1")), "copy", 3),
])  # fmt: skip
def test_befallen(events, name, event):
    """A property is blamed on the event that changed it; an event without effect is not blamed."""
    assert event == part(told(*events), name, "w1").event


def test_as_it_entered():
    """A permanent that is as it entered has a line for its face, and none for its other properties."""
    parts = {line.part for line in blamed(told(enter("w1", BEAR), lose("w1", source="X"), regain("w1", source="X")))}
    assert {"designation", "face"} == parts


def test_tallies():
    """The tallies of the current turn and of the previous one are blamed on the turn's beginning and the casts."""
    lines = list(blamed(told(turn(1), cast(), cast("Bo"), turn(2, "Bo"), doubt("Bo", 0, 2))))
    tallies = [(line.subject, line.value, line.because) for line in lines if line.part == "tally"]
    assert [
        ("Ana", 0, (5,)), ("Bo", {"at_least": 0, "at_most": 2}, (5, 6)), ("Ana", 1, (2, 3)), ("Bo", 1, (2, 4)),
    ] == tallies  # fmt: skip


def test_holds():
    """What forbids transforming or night has a line: an effect, and a permanent as long as it has its abilities."""
    game = told(enter("w1"), forbid("Spell", "w1"), enter("i1", IMMERWOLF), enter("a1", ANGEL))
    assert [("Spell", "w1", 3), ("i1", "non-human-werewolves-you-control", 4), ("a1", "night", 5)] == [
        (line.subject, line.value, line.event) for line in blamed(game) if line.part == "hold"
    ]
    game.record(lose("i1", "a1"))
    assert ["Spell"] == [line.subject for line in blamed(game) if line.part == "hold"]


@pytest.mark.parametrize("events, event", [
    ((enter("i1", BEAR), copy(WOLF, "i1")), 3),
    ((enter("i1", IMMERWOLF), lose("i1"), regain("i1")), 4),
    ((enter("i1", IMMERWOLF), lose("i1", source="A"), lose("i1", source="B"), regain("i1")), 5),
    ((enter("i1", IMMERWOLF), phase_out("i1"), phase_in("i1")), 4),
    ((enter("i1", IMMERWOLF), turn(1), untap(phased_out=["i1"]), turn(2, "Bo"), untap(phased_in=["i1"])), 6),
    ((enter("i1", IMMERWOLF), face_down("i1"), face_up("i1")), 4),
    ((enter("i1", IMMERWOLF), control("Bo", "i1")), 2),
    ((enter("i1", IMMERWOLF), copy(WOLF, "i1")), 2),
    ((enter("i1", IMMERWOLF), leave("i1"), enter("i1", IMMERWOLF)), 4),
    ((enter("i1", IMMERWOLF), lose("i1"), back_up(2)), 2),
])  # fmt: skip
def test_holds_that_began_later(events, event):
    """What keeps Werewolves from transforming is blamed on its beginning: a copy, regained abilities, phasing in,
    turning face up, an arrival."""
    line = part(told(*events), "hold", "i1")
    assert ("non-human-werewolves-you-control", event, (event,)) == (line.value, line.event, line.because)


def test_effects_that_hold():
    """Each held permanent is blamed on the event that first held it; a repeated effect, only for those it adds."""
    game = told(
        enter("w1"), enter("w2"), enter("w3"), forbid("Spell", "w1"), forbid("Spell", "w1", "w2"), leave("w3"),
        forbid("Spell", "w2", "w1"),
    )  # fmt: skip
    assert [("w1", 5), ("w2", 6)] == [(line.value, line.event) for line in blamed(game) if line.part == "hold"]


def test_tallies_of_a_team():
    """A tally is blamed on that player's last cast, not on a teammate's, nor on an event that says "0 more spells"."""
    teams = started("Ana", "Bo", "Cy", "Di") | {"teams": [["Ana", "Cy"], ["Bo", "Di"]]}
    game = Game([teams, turn(1, "Ana", "Cy"), cast("Cy"), cast("Ana"), doubt("Cy", 0, 0)])
    tallies = {line.subject: (line.event, line.because) for line in blamed(game) if line.part == "tally"}
    assert {"Ana": (4, (2, 4)), "Bo": (2, (2,)), "Cy": (3, (2, 3, 5)), "Di": (2, (2,))} == tallies


def test_undone():
    """Undone events are not blamed."""
    game = told(enter("w1", BEAR), control("Bo", "w1"), back_up(2))
    assert "controller" not in {line.part for line in blamed(game)}
    assert 3 == next(line.event for line in blamed(game, 3) if line.part == "controller")


def test_uncertain():
    """If several events may be the cause, `event` and `rule` are None, and the sentence and `because` name all."""
    game = told(effect("day"), turn(1), doubt("Ana", 0, 1), turn(2, "Bo"), untap())
    line = part(game, "designation")
    assert (["day", "night"], None, None, (2, 3, 4)) == (line.value, line.event, line.rule, line.because)
    assert "day or night; the record leaves open since when: either since e2, or since e6" == line.sentence
    assert line.because == game.why().because
    face = part(told(joined("day", "night"), enter("w1")), "face", "w1")
    assert (None, None) == (face.value, face.event)
    assert "Tavern Ruffian (w1): uncertain; since e3" == face.sentence


def test_perhaps_from_the_beginning():
    """If the value may be older than the last event, the sentence names both times; `because` has each event once."""
    events = (joined("day", "night"), turn(1), untap())
    line = part(told(*events), "designation")
    ways = "either from the beginning of the record, or since e4"
    assert ((2,), f"day or night; the record leaves open since when: {ways}") == (line.because, line.sentence)


@pytest.mark.parametrize("many", few_or_all(8, 100))
def test_random(many):
    """Every event that blame names exists and is not undone, at three moments of random games."""
    for seed in range(many):
        game = random_game(seed, 40)
        for number in (len(game) // 3, len(game) // 2, len(game)):
            upto = game.what_if(number, ())
            for line in blamed(game, number):
                named = [*line.because] + ([] if line.event is None else [line.event])
                assert all(1 <= event <= number for event in named)
                assert all(upto.stands(event) for event in named)
                assert line.document("2024-06-07")["sentence"]
    assert blamed(Game(EVERY_TYPE))
    assert [8] == [line.event for line in blamed(Game(CONTRACT)) if line.part == "designation"]


def compared(seeds):
    """Compare blame with the naive answer in random games; return how many parts named an event, and how many none."""
    named = unnamed = 0
    for seed in seeds:
        game = random_game(seed, 20 + seed % 25)
        values, changed, certain = since(game)
        assert changed.keys() >= values.keys()
        for line in blamed(game):
            key = _key(game, line)
            if line.event is None:
                assert not certain, (seed, line)
                assert line.part in ("designation", "face"), (seed, line)
                unnamed += 1
            elif certain or line.part not in ("designation", "face"):
                assert changed[key] == line.event, (seed, line)
                named += 1
        said = {_key(game, line) for line in blamed(game)}
        for key, value in values.items():
            told_of = {"abilities": value is False, "phasing": value is False}.get(key[0], value not in (None, False))
            if key[0] == "controller":
                told_of = value != game.state.battlefield[key[1]].permanent.controller
            assert key in said or not told_of, (seed, key, value)
    return named, unnamed


def _key(game, line):
    """The key of a line's part in the naive answer."""
    state = game.state
    if line.part == "designation":
        return "designation", None, state.began
    if line.part == "tally":
        turns = [state.tallies.current, state.tallies.previous]
        return "tally", line.subject, next(turn.began for turn in turns if turn and turn.began == line.because[0])
    if line.part == "hold" and line.subject in state.battlefield:
        return "holds", line.subject, state.battlefield[line.subject].arrived
    if line.part == "hold":
        return "hold", line.subject, line.value, state.battlefield[line.value].arrived
    return line.part, line.subject, state.battlefield[line.subject].arrived


@pytest.mark.parametrize("many", quick_or_wide(5, 12))
def test_against_the_naive_answer(many):
    """Blame agrees with the naive answer, which replays every prefix and finds the event that changed a part."""
    named, _unnamed = compared(range(many))
    assert named > 7 * many


@pytest.mark.slow
def test_a_thousand_against_the_naive_answer():
    """Blame agrees with the naive answer in a thousand games."""
    named, unnamed = compared(range(1000, 2000))
    assert (named > 10_000, unnamed > 100) == (True, True), (named, unnamed)


_BEFALLS = ("face", "controller", "abilities", "phasing", "copy")


def last_differences(game):
    """For each part the last event at which the diff of two neighbours shows it, and whether all was certain.

    Neighbours are consecutive events, not undone. A new permanent is new in all its parts, and so are the tallies of a
    new turn. A change that is reversed within one event still counts as a change there.
    """
    last, certain, before = {}, True, State()
    for moment in game:
        number = moment.number
        if not game.stands(number):
            continue
        after = game.at(number)
        certain = certain and len(after.possibilities) == 1
        shown = [(one.about, one.subject, one.left, one.right) for one in differences(before, after)]
        shown += [("designation", None, 0, 0)] * (after.began == number or number == 1)
        for consequence in moment.consequences:
            shown += [("designation", None, 0, 0)] * isinstance(consequence, Changed)
            if isinstance(consequence, (Transformed, EnteredTransformed)):
                shown += [("face", id, 0, 0) for id in consequence.permanents]
        began = {tally.turn for tally in (after.tallies.current,) if tally is not None and tally.began == number}
        last |= {("tally", player, turn): number for turn in began for player in after.players}
        for about, subject, left, right in shown:
            if about == "hold":
                last |= {(about, subject, id): number for id in {*left} ^ {*right}}
            elif about == "permanent":
                last |= {(part, subject): number for part in _BEFALLS}
            else:
                last[(about, subject, after.turn) if about == "tally" else (about, subject)] = number
        before = after
    return last, certain


def blamed_on_the_last_difference(seeds):
    """Check in random games that each certain part is blamed on its last difference; return how many parts."""
    count = 0
    for seed in seeds:
        game = random_game(seed, 20 + seed % 25)
        last, certain = last_differences(game)
        for line in blamed(game):
            if line.event is None or not (certain or line.part not in ("designation", "face")):
                continue
            key = (line.part, line.subject)
            if line.part == "tally":
                tallies = (game.state.tallies.current, game.state.tallies.previous)
                key = *key, next(one.turn for one in tallies if one is not None and one.began == line.because[0])
                if key[-1] == 0:
                    # The turn before the record began has no event.
                    continue
            elif line.part == "hold":
                if line.subject in game.state.battlefield:
                    # A diff does not show abilities that hold others.
                    continue
                key = *key, line.value
            # A diff does not show a copy of another object with the same name.
            assert last[key] == line.event or (line.part == "copy" and last[key] < line.event), (seed, line)
            count += 1
    return count


def test_the_last_difference_of_neighbours():
    """Blame names the last event at which the diff of neighbours shows the part."""
    assert blamed_on_the_last_difference(range(8)) > 50


@pytest.mark.slow
def test_a_thousand_last_differences_of_neighbours():
    """Blame agrees with the diff of neighbours in a thousand games."""
    assert blamed_on_the_last_difference(range(3000, 4000)) > 10_000


def test_why_says_the_same():
    """Event, rule and reasons agree for the designation and for each face, certain or not."""
    several = 0
    for seed in (4, 23, 34, 36):
        game = random_game(seed, 30)
        for line in blamed(game):
            if line.part in ("designation", "face"):
                why = game.why() if line.subject is None else facing(game, len(game), line.subject, game.edition)
                assert (why.because, why.cr) == (line.because, line.document(game.edition)["cr"]), (seed, line)
                assert why.since == line.event or (line.subject is None and why.designation is None), (seed, line)
                several += line.event is None
    assert several


def test_the_story():
    """Blame explains why Brutal Cathar shows its back, and why it is night."""
    lines = {(line.part, line.subject): line for line in blamed(Game.load("demo"), 122)}
    assert (106, "check-day") == (lines["designation", None].event, lines["designation", None].rule)
    face = lines["face", "brutal-cathar-2"]
    assert ("back", 121, "daybound-enters") == (face.value, face.event, face.rule)
    assert "back face, Moonrage Brute; it entered at night, and has daybound" in face.sentence
