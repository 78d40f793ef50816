"""Repair hints: the smallest edits that would make a disputed record right.

| promise | test |
| --- | --- |
| a missing or superfluous cast, a forgotten arrival or effect | test_each_kind |
| a wrongly skipped, not skipped, additional or superfluous untap step | test_each_kind |
| an untap step that is only not written is not an error, and gets no hint | test_nothing_is_missing |
| every hint has its edits, as JSON and as options of what-if | test_the_edits |
| a forgotten departure | test_departure |
| every hint, applied, makes the audit exact | test_planted, test_each_kind |
| a hint with which a claim would be only possible, not certain, says so and comes last | test_possible |
| the naive oracle finds the repaired record exact | test_as_the_oracle_says |
| hints with the fewest edited events and the smallest assumptions come first | test_ranked |
| there is no hint if no single edit suffices, or if nothing is disputed | test_none |
| the search is limited, and says if it ended early | test_bounded |
| the first three hints name an event that was left out, in 95 % of games | test_planted, test_a_thousand_planted |
| no hint says "you should" | test_manners |
| the wrong claim of the demo, a real game, has one hint: a missing effect | test_the_story |
"""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from daynight.framework.language.codec import encode, encode_lines
from daynight.game import Game
from daynight.questions import repairs as module
from daynight.questions.repairs import KINDS, repairs
from tests.behaviour.games import told
from tests.oracle.naive import Naive
from tests.oracle.walks import random_walk
from tests.rules.judges import claim, claim_face, claim_tally
from tests.rules.placing import enter, leave
from tests.rules.words import cast, effect, started, turn, untap, upkeep

Json = dict[str, Any]
OLD = {"card": "Grizzled Outcasts"}
SKIPS = {"skips": ["untap"]}


def first_kinds(game: Game) -> list[str]:
    """Assert that every hint is certain and makes the audit exact, and that hints are sorted; return their kinds."""
    found = repairs(game)
    before = encode_lines(game.events)
    for hint in found.hints:
        assert "exact" == game.branch(*hint.edits).game.audit().verdict
        assert hint.certain
    assert before == encode_lines(game.events)
    assert [*found.hints] == sorted(found.hints, key=lambda hint: hint.rank)
    return [hint.kind for hint in found.hints]


@pytest.mark.parametrize("events, kind, sentence", [
    ((effect("day"), turn(1), turn(2, "Bo"), untap(), claim("day")), "cast",
     "With one more spell by Ana in turn 1 every claim would be right."),
    ((effect("night"), turn(1), turn(2, "Bo"), untap(), claim("day")), "cast",
     "With 2 more spells by Ana in turn 1 every claim would be right."),
    ((effect("day"), turn(1), cast(), turn(2, "Bo"), untap(), claim("night")), "no-cast",
     "Without event 4, a spell by Ana in turn 1, every claim would be right."),
    ((effect("day"), turn(1), turn(2, "Bo") | SKIPS, claim("night")), "untap-step",
     "Had the untap step of turn 2 not been skipped, every claim would be right."),
    ((effect("day"), turn(1), turn(2, "Bo"), untap(), claim("day")), "no-untap-step",
     "Had the untap step of turn 2 been skipped, every claim would be right."),
    ((effect("day"), turn(1), turn(2, "Bo"), claim("day")), "no-untap-step",
     "Had the untap step of turn 2 been skipped, every claim would be right."),
    ((effect("day"), turn(1), turn(2, "Bo"), untap(), effect("day"), untap(), claim("day")), "no-untap-step",
     "Without the further untap step of turn 2 (event 7) every claim would be right."),
    ((effect("day"), turn(1), turn(2, "Bo") | SKIPS, untap(), claim("day")), "no-untap-step",
     "Without the further untap step of turn 2 (event 5) every claim would be right."),
    ((effect("day"), turn(1), turn(2, "Bo"), untap(), effect("day"), claim("night")), "further-untap-step",
     "With a further untap step in turn 2, after event 6, every claim would be right."),
    ((turn(1), claim("day")), "arrival", ("Had a permanent with daybound entered in turn 1, every claim would be"
     " right.")),
    ((turn(1), claim("day")), "effect",
     "Had an effect made it day in turn 1, after event 2, every claim would be right."),
    ((claim("night"),), "effect", "Had an effect made it night after event 1, every claim would be right."),
    ((turn(1), enter("w1", OLD), claim_face("w1", "back")), "effect",
     "Had an effect told w1 to transform in turn 1, every claim would be right."),
    ((turn(1), claim_tally("Bo", 1)), "cast", "With one more spell by Bo in turn 1 every claim would be right."),
    ((turn(1), cast("Bo"), claim_tally("Bo", 0)), "no-cast",
     "Without event 3, a spell by Bo in turn 1, every claim would be right."),
])  # fmt: skip
def test_each_kind(events, kind, sentence):
    """The right hint is among the hints, and every hint makes the record right."""
    game = told(*events)
    assert kind in first_kinds(game)
    assert sentence in [hint.sentence for hint in repairs(game).hints if hint.kind == kind]


def test_possible():
    """A hint that leaves a claim uncertain says that it is only possible, and comes last."""
    maybe = {"type": "spells-uncertain", "player": "Bo", "at_least": 0, "at_most": 1}
    game = told(effect("day"), turn(1), maybe, turn(2, "Bo"), untap(), claim_tally("Bo", 1, 1), claim("day"))
    hints = repairs(game).hints
    assert [hint.certain for hint in hints] == sorted((hint.certain for hint in hints), reverse=True)
    assert not hints[-1].certain
    assert hints[-1].sentence.startswith("Possible, not sure: ")
    assert hints[-1].document()["certain"] is False


def test_as_the_oracle_says():
    """The naive oracle finds each repaired record exact; a hint is `certain` if and only if no claim is left open."""
    certain = []
    for seed in (*range(60), 62, 134, 233, 300):
        game = Game(random_walk(seed, 14))
        for hint in repairs(game).hints if game.audit().verdict == "disputed" else ():
            naive = Naive()
            for event in game.branch(*hint.edits).game.events:
                naive.apply(json.loads(encode(event)))
            found = naive.findings()
            assert "exact" == found["verdict"]
            assert hint.certain is all(one.get("undone", False) for one in found["unsettled"])
            certain.append(hint.certain)
    assert {True, False} == {*certain}


def test_departure():
    """A hint says that Angel of Eternal Dawn, which prevents the night, left before the check."""
    angel = {"card": "Angel of Eternal Dawn"}
    game = told(turn(1), enter("a1", angel), effect("day"), turn(2, "Bo"), untap(), turn(3), untap(), claim("night"))
    assert "departure" in first_kinds(game)


def test_ranked():
    """Hints are sorted by the number of edited events, then by the size of the assumption: a cast before an effect."""
    game = told(effect("day"), turn(1), turn(2, "Bo"), untap(), claim("day"))
    kinds = first_kinds(game)
    # A skipped untap step takes two edits: the turn's beginning lists it, and the step is removed.
    assert ["cast", "effect", "no-untap-step"] == kinds
    assert len(KINDS) == len(set(KINDS))


def test_nothing_is_missing():
    """An untap step that is not written happened too: the claim of night is right, and there is nothing to repair."""
    assert repairs(told(effect("day"), turn(1), turn(2, "Bo"), claim("night"))).finding is None


def test_the_edits():
    """The document of each hint has the edits as JSON, and the same edits as options of what-if."""
    game = told(effect("day"), turn(1), turn(2, "Bo"), untap(), claim("day"))
    documents = [hint.document() for hint in repairs(game).hints]
    assert [
        [{"at": 3, "insert": [{"type": "spell-cast", "player": "Ana"}]}],
        [{"at": 5, "insert": [{"type": "effect-resolved", "becomes": "day"}]}],
        [
            {"at": 4, "replace": [{"type": "turn-began", "turn": 2, "active": ["Bo"], "skips": ["untap"]}]},
            {"at": 5, "drop": True},
        ],
    ] == [document["edits"] for document in documents]
    assert [
        ["--insert", 'e3: {"type":"spell-cast","player":"Ana"}'],
        ["--insert", "e5: it becomes day"],
        ["--replace", 'e4: {"type":"turn-began","turn":2,"active":["Bo"],"skips":["untap"]}', "--drop", "e5"],
    ] == [document["options"] for document in documents]


def test_none():
    """Two errors that no single edit repairs have no hint; an exact record has neither finding nor hint."""
    wrong = told(turn(1), claim("day"), claim("night"), claim("neither"))
    assert 2 == len(wrong.audit().disputes)
    found = repairs(wrong)
    assert (3, (), True) == (found.finding.event, found.hints, found.all_tried)
    assert found.tried > 0
    right = repairs(told(claim("neither")))
    assert (None, (), 0) == (right.finding, right.hints, right.tried)


def test_bounded(monkeypatch):
    """With both limits at 1 the search ends after one hint, and `all_tried` is False."""
    monkeypatch.setattr(module, "LEAST", 1)
    monkeypatch.setattr(module, "EVENTS", 1)
    found = repairs(told(effect("day"), turn(1), turn(2, "Bo"), untap(), claim("day")))
    assert (1, False) == (len(found.hints), found.all_tried)


def test_manners():
    """Hints are conditional, and tell nobody what to do."""
    for hint in repairs(told(effect("day"), turn(1), cast(), turn(2, "Bo"), untap(), claim("night"))).hints:
        assert "would be right" in hint.sentence
        assert "should" not in hint.sentence
        assert {"kind", "turn", "size", "subject", "sentence", "edits", "options"} == set(hint.document())


def table_game(seed: int) -> list[Json]:
    """A random game as people record one: the untap step and upkeep of each turn, and claims that are all right."""
    chance = random.Random(seed)
    record, ids = [started()], []
    record += [turn(1), enter("w0"), claim("day")]
    said = Game(record)
    for number in range(2, chance.randint(6, 14)):
        player = "Ana" if number % 2 else "Bo"
        for doing in (turn(number, player), untap(), "claim", upkeep(), *_doings(chance, number, player, ids)):
            event = doing
            if doing == "claim":
                event = claim(str(said.designation))
            elif doing == "face":
                event = claim_face("w0", str(said.state.face("w0")))
            said.record(event)
            record.append(event)
    return record


def _doings(chance: random.Random, number: int, player: str, ids: list[str]) -> list[Any]:
    gone = [leave(ids.pop())] if ids and chance.random() < 0.15 else []
    doings: list[Any] = [*gone, *[cast(player)] * chance.choice((0, 0, 1, 1, 2, 2, 3))]
    if chance.random() < 0.2:
        doings.append(cast("Bo" if player == "Ana" else "Ana"))
    if chance.random() < 0.25:
        doings += [enter(f"w{number}")]
        ids.append(f"w{number}")
    if chance.random() < 0.12:
        doings += [effect(chance.choice(("day", "night"))), "claim"]
    if "claim" not in doings:
        chance.shuffle(doings)
    return [*doings, "face"]


def planted(seeds: range) -> tuple[int, int]:
    """Leave an event out of one game per seed; return how many became disputed, and for how many a hint names it.

    Only the first three hints count. An untap step is left out by writing that it was skipped.
    """
    cases = found = 0
    for seed in seeds:
        record = table_game(seed)
        chance = random.Random(~seed)
        kinds = ("spell-cast", "turn-began", "effect-resolved")
        places = [place for place, event in enumerate(record) if event["type"] in kinds]
        chance.shuffle(places)
        for place in places:
            if record[place]["type"] == "turn-began":
                # The record wrongly says that the untap step was skipped.
                there = [one for one in range(place + 1, len(record)) if record[one] == untap()][:1]
                rest = [(at, event) for at, event in enumerate(record) if at not in there]
                game = Game([event | SKIPS if at == place else event for at, event in rest])
            else:
                game = Game([*record[:place], *record[place + 1 :]])
            if game.audit().verdict == "disputed":
                break
        else:
            continue
        omitted = record[place]
        turns = [event["turn"] for event in record[: place + 1] if event["type"] == "turn-began"]
        kind = {"spell-cast": "cast", "turn-began": "untap-step", "effect-resolved": "effect"}[omitted["type"]]
        subject = omitted.get("player") or omitted.get("becomes")
        hints = repairs(game).hints
        for hint in hints:
            assert "exact" == game.branch(*hint.edits).game.audit().verdict
        cases += 1
        found += (kind, turns[-1], subject) in [(hint.kind, hint.turn, hint.subject) for hint in hints[:3]]
    return cases, found


def test_planted():
    """The first three hints name at least 95 percent of the events that were left out."""
    cases, found = planted(range(10))
    assert cases > 5
    assert found >= 0.95 * cases


@pytest.mark.slow
def test_a_thousand_planted():
    """In more than a thousand games, the first three hints name at least 95 percent of the events left out."""
    cases, found = planted(range(1000, 2100))
    assert cases > 1000
    assert found >= 0.95 * cases, (cases, found)


def test_the_story():
    """The only hint for the wrong claim: between Brutal Cathar's arrival and the claim an effect made it day."""
    found = repairs(Game.load("demo"))
    assert (122, True) == (found.finding.event, found.all_tried)
    assert ["Had an effect made it day in turn 21, after event 121, every claim would be right."] == [
        hint.sentence for hint in found.hints
    ]
