"""The account of disputes: statements of each side, the derived state, rulings, outcome.

| promise | test |
| --- | --- |
| caller, subject, both sides' claims, and who is right by the derived state | test_sides |
| a state that holds only by a ruling is marked "as ruled" | test_as_ruled |
| a statement that is only possible is neither right nor wrong; the tournament's answer is labelled | test_uncertain |
| rulings, the acts that carried them out, appeals, outcome, authors and times, all events | test_example |
| a ruling is carried out by the game event right before or after it, if that does what it says | test_carried_out |
| one act may carry out several rulings that come right before it | test_carried_out_together |
| a ruled designation is compared with the rules where it is carried out, else where it was made | test_rulings |
| the verdict on a ruling agrees with the audit of the act that carried it out | test_as_the_audit |
| the time is linear in the number of acts | test_many |
| a back-up, a restart or the end of the game does not undo a dispute | test_survives |
| a dispute has no effect on the game or the audit's verdict | test_nothing_follows |
| an undone stretch is shown and marked, except for acts of disputes | test_transcript |
| on a branch `about` and `to` name the same events | test_branches |
"""

from __future__ import annotations

import json
import random
from time import process_time

import pytest

from daynight.events.terms import Designation
from daynight.framework.edits import drop, insert
from daynight.framework.language.codec import encode_lines
from daynight.game import Game
from daynight.projections.transcript import told
from tests.behaviour.disputing import disputed, fixing
from tests.behaviour.games import ROOT
from tests.oracle.walks import random_walk
from tests.rules.judges import appeals, argues, back_up, claim, closes, opens, ruled, rules_on
from tests.rules.placing import enter
from tests.rules.words import cast, effect, ended, joined, restarted, started, turn
from tests.sampling import sampled

NOTE = {"type": "note-added", "by": "Al", "says": "the clock was stopped"}

EXAMPLE = ROOT / "examples" / "games" / "head-judge.jsonl"


def test_sides():
    """Statements are compared with the state at the event that they are about, not with later ones."""
    game = Game(
        [started(), enter("w1"), effect("night"), opens(about=2), *[argues(designation=d) for d in Designation]]
    )
    (dispute,) = game.disputes()
    assert ("d1", 4, "Ana", 2) == (dispute.dispute, dispute.event, dispute.by, dispute.about)
    assert (Designation.DAY, "daybound-starts-day", "702.145d", (2,)) == (
        dispute.derived, dispute.why.rule, dispute.why.cr, dispute.why.because,
    )  # fmt: skip
    assert dispute.why.sentence.startswith("It has been day since event 2: ")
    assert [(5, "neither", False), (6, "day", True), (7, "night", False)] == [
        (side.event, side.designation, side.right) for side in dispute.claims
    ]
    (silent,) = Game([started(), opens(), argues(says="no idea")]).disputes()
    assert (1, Designation.NEITHER, "no-designation") == (silent.about, silent.derived, silent.why.rule)
    assert (None, "no idea") == (silent.claims[0].right, silent.claims[0].says)
    newer = Game([started(), effect("day"), opens()])
    assert ["728.1", "731.1"] == [newer.disputes(edition=edition)[0].why.cr for edition in (None, "2026-08-07")]


def test_as_ruled():
    """`as_ruled` is True if the derived state holds only by a ruling; the audit says the same about both sides."""
    sides = opens(), argues("d1", "day"), argues("d1", "night")
    cases = ((ruled("night"),), True), ((effect("night"),), False), ((ruled("night"), back_up(2)), False)
    for acts, as_ruled in cases:
        game = Game([started(), effect("day"), *acts, *sides])
        (dispute,) = game.disputes()
        (heard,) = game.audit().heard
        assert (as_ruled, as_ruled) == (dispute.as_ruled, heard.as_ruled)
        assert [claim.right for claim in dispute.claims] == [claim.right for claim in heard.claims]


def test_uncertain():
    """It may be day or night: a statement of day or of night is neither right nor wrong, one of neither is wrong."""
    (dispute,) = Game(
        [started(), joined("day", "night"), opens(), *[argues(designation=d) for d in Designation]]
    ).disputes()
    assert (None, [False, None, None]) == (dispute.derived, [side.right for side in dispute.claims])
    derived = dispute.document()["derived"]
    assert (["day", "night"], {"rule": "MTR 4.9", "designation": "night"}) == (derived["possible"], derived["policy"])
    assert "policy, not derived" in derived["sentence"]


def test_example():
    """The example game's dispute, field by field."""
    (dispute,) = Game.load(EXAMPLE).disputes()
    document = json.loads(json.dumps(dispute.document()))
    assert {
        "dispute": "d1", "opened": 15, "by": "Ana", "at": "2024-06-07T19:30:00Z", "about": 9,
        "derived": {
            "designation": "night", "possible": ["night"], "rule": "check-day", "cr": "728.2a", "because": [5],
            "sentence": "It has been night since event 9, turn 3: Bo, active in turn 2, "
            "cast no spell in it (CR 728.2a).",
            "short": "It is night. Since event 9 (CR 728.2a).",
        },
        "claims": [
            {"event": 16, "by": "Ana", "at": "2024-06-07T19:31:00Z", "designation": "night",
             "says": "nobody cast a spell in turn 2", "agrees": True},
            {"event": 17, "by": "Bo", "at": "2024-06-07T19:31:30Z", "designation": "day",
             "says": "we played on by day", "agrees": False},
        ],
        "rulings": [
            {"event": 18, "by": "floor judge", "at": "2024-06-07T19:33:00Z", "outcome": "fix", "designation": "day",
             "to": None, "says": None, "stands": "day", "possible": ["night"], "agrees": False, "carried_out": None},
            {"event": 20, "by": "head judge", "at": "2024-06-07T19:40:00Z", "outcome": "back-up", "designation": None,
             "to": 9, "says": "the ruffian turned over in the untap step", "stands": "night", "possible": ["night"],
             "agrees": True, "carried_out": 21},
        ],
        "appeals": [{"event": 19, "by": "Ana", "at": "2024-06-07T19:33:30Z"}],
        "status": "closed", "outcome": "back-up", "closed": 22, "closed_by": "head judge",
        "closed_at": "2024-06-07T19:42:00Z", "trail": [15, 16, 17, 18, 19, 20, 21, 22], "stands": [],
    } == document  # fmt: skip


@pytest.mark.parametrize("events, expected", [
    ([rules_on(outcome="fix", designation="day"), ruled("day")], [4]),
    ([rules_on(outcome="fix", designation="day"), ruled("night"), ruled("day"), ruled("day")], [None]),
    ([rules_on(outcome="fix", designation="day"), closes(outcome="fix"), ruled("day")], [5]),
    ([rules_on(outcome="fix", designation="day"), appeals(), ruled("day")], [5]),
    ([rules_on(outcome="fix", designation="day"), ruled("day"), closes(outcome="fix"), ruled("day")], [4]),
    ([rules_on(outcome="fix", designation="day"), ruled("day") | {"by": "Al"}, ruled("day")], [4]),
    ([rules_on(outcome="fix", designation="day"), effect("day"), ruled("day")], [None]),
    ([rules_on(outcome="fix", designation="day"), NOTE, argues(says="so"), ruled("day")], [6]),
    ([rules_on(outcome="back-up", to=2), back_up(2) | {"by": "Al"}], [4]),
    ([rules_on(outcome="back-up", to=2), closes(outcome="back-up"), back_up(2)], [5]),
    ([rules_on(outcome="fix"), ruled("day")], [None]),
    ([rules_on(), ruled("day"), back_up(1)], [None]),
    ([rules_on(outcome="back-up", to=2), back_up(1)], [None]),
    ([rules_on(outcome="back-up", to=2), back_up(2)], [4]),
    ([rules_on(outcome="back-up", to=2), rules_on(outcome="fix", designation="day"), back_up(2)], [5, None]),
    ([rules_on(outcome="back-up", to=2), appeals(), back_up(2)], [5]),
    ([ruled("day"), rules_on(outcome="fix", designation="day")], [3]),
    ([ruled("day"), NOTE, argues(says="so"), rules_on(outcome="fix", designation="day"), effect("night")], [3]),
    ([ruled("night"), rules_on(outcome="fix", designation="day")], [None]),
    ([ruled("day"), effect("night"), rules_on(outcome="fix", designation="day")], [None]),
    ([effect("day"), back_up(1), rules_on(outcome="back-up", to=1)], [4]),
    ([ruled("day"), rules_on(outcome="fix", designation="day"), ruled("day")], [3]),
    ([ruled("day"), rules_on(outcome="fix", designation="neither")], [None]),
    ([rules_on(outcome="back-up", to=2), back_up(2), rules_on(outcome="back-up", to=2), back_up(2)], [4, 6]),
    ([rules_on(outcome="back-up", to=2), back_up(2), rules_on(outcome="back-up", to=2)], [4, 4]),
    ([rules_on(outcome="back-up", to=2), rules_on(outcome="back-up", to=2), back_up(2)], [5, 5]),
    ([ruled("day"), *[rules_on(outcome="fix", designation="day")] * 2, ruled("day")], [3, 6]),
])  # fmt: skip
def test_carried_out(events, expected):
    """A ruling is carried out by the nearest game event before or after it, by any author, if that does the same."""
    (dispute,) = Game([started(), opens(), *events]).disputes()
    assert expected == [ruling.carried_out for ruling in dispute.rulings]
    carried = {event for event in expected if event is not None}
    acts = {number for number, event in enumerate(events, 3) if event["type"].startswith("dispute-")}
    assert sorted({2} | acts | carried) == [*dispute.trail]


def test_carried_out_together():
    """An act carries out each ruling that it agrees with, if no other game event lies between the two."""
    both = [opens("d2"), rules_on("d1", "fix", designation="day"), rules_on("d2", "fix", designation="day")]
    game = Game([started(), opens(), *both, ruled("day")])
    assert [6, 6] == [one.rulings[0].carried_out for one in game.disputes()]
    both[2] = rules_on("d2", "back-up", to=1)
    game = Game([started(), opens(), *both, back_up(1), ruled("day"), ruled("day")])
    assert [None, 6] == [one.rulings[0].carried_out for one in game.disputes()]


FIX = rules_on(outcome="fix", designation="night")


@pytest.mark.parametrize(
    "events, right",
    [
        # The state at the disputed event is no longer the present one.
        ([effect("day"), opens(about=2), effect("night"), FIX], True),
        ([effect("night"), opens(about=2), effect("day"), FIX], False),
        ([effect("night"), opens(), FIX, effect("day")], True),
        ([effect("night"), opens(), FIX, effect("day"), ruled("night")], True),
        ([effect("day"), opens(), FIX, effect("night"), ruled("night")], False),
        ([effect("night"), opens(), FIX, ruled("night")], True),
        ([effect("day"), opens(), ruled("night"), NOTE, FIX], False),
        ([effect("night"), opens(), FIX, effect("day"), ruled("night") | {"by": "Al"}], True),
        # Another ruling is in force: by the rules alone it is day.
        ([effect("day"), opens(), ruled("night"), FIX], False),
        ([effect("day"), opens(), ruled("night"), back_up(2), FIX], False),
        ([effect("night"), effect("day"), opens(), back_up(2), FIX, ruled("night")], True),
        ([joined("day", "night"), opens(), FIX], None),
        ([joined("day", "night"), opens(), FIX, effect("night"), ruled("night")], None),
        ([joined("day", "neither"), opens(), rules_on(outcome="fix", designation="neither")], None),
        ([opens(), rules_on(outcome="fix", designation="neither")], True),
        # A pending untap step is over when the judge rules.
        ([effect("day"), turn(1), turn(2, "Bo"), opens(), FIX], True),
        ([joined("day", "neither"), opens(), FIX], False),
        ([opens(), FIX], False),
        ([effect("night"), opens(), rules_on(outcome="fix")], None),
    ],
)
def test_rulings(events, right):
    """A ruling is compared with the rules alone, in the state before it or its act, not at the disputed event."""
    (dispute,) = Game([started(), *events]).disputes()
    assert right is dispute.rulings[0].right


LEAVE, BACK = rules_on(), rules_on(outcome="back-up", to=2)


@pytest.mark.parametrize("events, right, remark", [
    ([effect("night"), opens(), LEAVE], True, "what stood agrees with the rules: it is night"),
    # The last statement at the table stood, as long as nothing changed.
    ([effect("night"), claim("day"), opens(), LEAVE], False,
     "what stood (it is day) contradicts the rules: by them it is night"),
    ([effect("night"), claim("day"), claim("night"), opens(), LEAVE], True, "agrees with the rules: it is night"),
    ([claim("neither"), effect("night"), opens(), LEAVE], True, "agrees with the rules: it is night"),
    ([effect("night"), claim("day"), back_up(2), opens(), LEAVE], True, "agrees with the rules: it is night"),
    # So did the last ruling.
    ([effect("night"), ruled("day"), opens(), LEAVE], False, "(it is day) contradicts the rules"),
    ([joined("day", "night"), opens(), LEAVE], None,
     "the rules leave open whether what stood is right: it may be day or night"),
    ([joined("day", "neither"), claim("night"), opens(), LEAVE], False,
     "by them it may be day, or still neither day nor night"),
    ([effect("night"), opens(), effect("day"), BACK], True,
     "what stood after event 2 agrees with the rules: it is night"),
    ([ruled("night"), opens(), effect("day"), BACK], False,
     "what stood after event 2 (it is night) contradicts the rules: by them it is neither day nor night"),
    ([effect("night"), claim("day"), opens(), BACK | {"to": 3}], False, "what stood after event 3 (it is day)"),
    ([effect("night"), claim("day"), opens(), BACK], True, "what stood after event 2 agrees with the rules"),
    # A pending untap step is included if it changes the designation, and the text says so.
    ([effect("day"), turn(1), turn(2, "Bo"), opens(), cast("Bo"), BACK | {"to": 4}], True,
     "what stood after event 4 and the untap step that was due then agrees with the rules: it is night"),
    ([effect("day"), turn(1), cast(), turn(2, "Bo"), opens(), cast("Bo"), BACK | {"to": 5}], True,
     "what stood after event 5 agrees with the rules: it is day"),
    ([effect("night"), opens(), rules_on(outcome="fix")], None, "the ruling does not say what it is"),
    ([effect("night"), opens(), FIX], True, "the rules agree: it is night"),
    ([effect("day"), opens(), FIX], False, "the rules do not agree: by them it is day"),
    ([joined("day", "night"), opens(), FIX], None, "the rules leave it open: it may be day or night"),
])  # fmt: skip
def test_what_stood(events, right, remark):
    """`right` and `remark` say whether the state that a ruling leaves, restores or names agrees with the rules."""
    (dispute,) = Game([started(), *events]).disputes()
    (ruling,) = dispute.rulings
    assert right is ruling.right
    assert remark in ruling.remark


@pytest.mark.parametrize("many, least", [(25, 2), pytest.param(150, 10, marks=pytest.mark.slow)])
def test_as_the_audit(many, least):
    """In random games, the verdict on a ruling agrees with the audit; every answer occurs several times."""
    seen = []
    for seed in range(many):
        game = fixing(random.Random(seed), random_walk(seed, 40))
        audit = game.audit()
        wrong, open_ = ({one.event for one in of if one.about == "ruling"} for of in (audit.findings, audit.unsettled))
        for dispute in game.disputes():
            for ruling in [one for one in dispute.rulings if one.carried_out is not None]:
                number = ruling.carried_out
                assert (False if number in wrong else None if number in open_ else True) is ruling.right, (seed, number)
                seen.append(ruling.right)
    assert min(seen.count(True), seen.count(False), seen.count(None)) >= least


def argued(size):
    """A record with one dispute, which has 10 times `size` claims and as many rulings."""
    return [started(), opens(), *[argues(says="x"), rules_on(outcome="fix", designation="day")] * (10 * size)]


def waited(size):
    """`size` disputes, each ruled as day; then the judge makes it night 20 times `size` times, and carries out none."""
    ids = [f"d{number}" for number in range(size)]
    waiting = [rules_on(id, "fix", designation="day") for id in ids]
    return [started(), *map(opens, ids), *waiting, *[ruled("night")] * (20 * size)]


@pytest.mark.slow
@pytest.mark.parametrize("record", [argued, waited])
def test_many(record):
    """A record of four times the size takes less than eight times as long; in quadratic time it would take sixteen."""
    times = []
    for size in (250, 1000):
        game = Game(record(size))
        begun = process_time()
        assert game.disputes()
        times.append(process_time() - begun)
    assert times[1] < 8 * times[0] + 0.25


@pytest.mark.parametrize(
    "between", [[back_up(2)], [restarted()], [ended("Ana")], [back_up(2), turn(5), back_up(2), restarted(), ended()]]
)
def test_survives(between, tmp_path):
    """A dispute that was opened in an undone stretch can be ruled and closed afterwards; also in the saved file."""
    game = Game([started(), turn(1), turn(2, "Bo"), opens(), argues(designation="day"), *between])
    for act in (rules_on(), appeals(), rules_on(), closes()):
        game.record(act)
    game.save(tmp_path / "game.jsonl")
    for one in (game, Game.load(tmp_path / "game.jsonl")):
        (dispute,) = one.disputes()
        assert ("closed", 4, 3) == (dispute.stage.value, dispute.event, dispute.about)


@pytest.mark.wide(but=2)
@pytest.mark.parametrize("seed", sampled(range(60), 12))
def test_nothing_follows(seed):
    """With and without disputes a game is the same after each of its events, and so is its audit."""
    luck = random.Random(seed)
    plain = random_walk(seed, 32)
    events, moved = disputed(luck, [*plain, claim("neither")])
    plain = [*plain, claim("neither")]
    one, other = Game(plain), Game(events)
    assert len(other) > len(one)
    for number in range(1, len(one) + 1):
        assert renumbered(one.document(number), moved) == other.document(moved[number])
    findings = [finding.document("2024-06-07") for finding in one.audit().findings]
    again = [finding.document("2024-06-07") for finding in other.audit().findings]
    assert one.audit().verdict == other.audit().verdict
    assert [renumbered(found, moved) | {"sentence": "", "short": ""} for found in findings] == [
        found | {"sentence": "", "short": ""} for found in again
    ]
    assert not [moment for moment in other.moments() if moment.number not in moved.values() and moment.consequences]


def renumbered(document, moved):
    """`document` with each event number replaced by the number that `moved` has for it."""
    if isinstance(document, list):
        return [renumbered(one, moved) for one in document]
    if not isinstance(document, dict):
        return document
    return {
        key: moved[value] if key in ("event", "stacked") and value is not None
        else [moved[number] for number in value] if key == "because"
        else renumbered(value, moved)
        for key, value in document.items()
    }  # fmt: skip


def test_transcript():
    """In the example events 10 to 20 are undone; the transcript marks 10 to 14, as the others are of the dispute."""
    game = Game.load(EXAMPLE)
    undone = [number for number in range(1, len(game) + 1) if not game.stands(number)]
    assert [*range(10, 21)] == undone
    assert [*range(10, 15)] == [line.number for line in told(game.moments(), stands=game.stands) if line.undone]


def test_branches():
    """On a branch, `about` and `to` name the same events, whatever was inserted or left out before."""
    game = Game(
        [started(), turn(1), effect("day"), opens(), opens("d2", 3), rules_on(outcome="back-up", to=3), claim("day")]
    )
    before = encode_lines(game.events)
    more = game.branch(insert(2, cast(), cast())).game
    assert [5, 5, 5] == [*(one.about for one in more.disputes()), more.events[7].to]
    between = game.branch(insert(3, cast())).game
    assert [3, 3, 3] == [*(one.about for one in between.disputes()), between.events[6].to]
    less = game.branch(drop(3)).game
    assert [2, 2, 2] == [*(one.about for one in less.disputes()), less.events[4].to]
    assert [None, 3] == [event.about for event in game.branch(drop(7)).events[3:5]]
    lost = game.branch(drop(5), insert(4, argues("d1", "night")), leave_out=True)
    assert ["d1"] == [one.dispute for one in lost.game.disputes()]
    assert 1 == len(lost.game.disputes()[0].claims)
    without = game.branch(drop(4), leave_out=True)
    assert ([6], ["d2"]) == ([one.number for one in without.left_out], [one.dispute for one in without.game.disputes()])
    assert before == encode_lines(game.events)
