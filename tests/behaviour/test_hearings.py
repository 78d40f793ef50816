"""Disputes in an audit: the last ruling of each is compared with the rules, and statements are listed beside it."""

import random

import pytest

from daynight.disputes.docket import Stage
from daynight.framework import audit
from daynight.framework.folding.fold import Fold, Watched
from daynight.projections.audit.audit import Auditor
from daynight.records import Record
from daynight.referee.mechanic import DAYNIGHT
from tests.behaviour.disputing import fixing
from tests.behaviour.games import told
from tests.oracle.walks import random_walk
from tests.rules.judges import appeals, argues, back_up, claim, closes, opens, ruled, rules_on
from tests.rules.placing import enter, phase_out, regain
from tests.rules.words import cast, effect, ended, joined, turn
from tests.sampling import few_or_all

FIX = rules_on(outcome="fix", designation="night")
NOTE = {"type": "note-added", "by": "Al", "says": "the clock was stopped"}


def audited(*events):
    """The document of the audit of a game of Ana and Bo."""
    return told(*events).audit().document()


def test_a_finding():
    """A finding of a dispute has the fields of every finding; its subject is the dispute."""
    found = audited(effect("day"), opens(), FIX)
    (finding,) = found["findings"]
    assert "disputed" == found["verdict"]
    assert {
        "event": 4, "about": "ruling", "subject": "d1", "claimed": "night", "derived": "day", "by": "Jo",
        "rule": "becomes", "cr": "728.1", "because": [2],
        "sentence": "event 4: Jo rules in dispute d1 that it is night; by the rules it is day. It has been day since"
        " event 2: an effect made it so (CR 728.1).",
        "short": "Event 4: Jo rules that it is night; derived: it is day. Since event 2 (CR 728.1).",
    } == finding  # fmt: skip


@pytest.mark.parametrize(
    "events, verdict, findings",
    [
        # Agrees: settled like any other ruling.
        ((effect("night"), opens(), FIX), "exact", []),
        ((effect("night"), opens(), FIX, closes(outcome="fix")), "exact", []),
        # Contradicts, whether closed or not.
        ((effect("day"), opens(), FIX, closes(outcome="fix")), "disputed", [4]),
        # Under appeal there is no ruling; the next ruling is the last.
        ((effect("day"), opens(), FIX, appeals()), "unverified", []),
        ((effect("day"), opens(), FIX, appeals(), rules_on(outcome="fix", designation="day")), "exact", []),
        ((effect("night"), opens(), FIX, appeals(), rules_on(outcome="fix", designation="day")), "disputed", [6]),
        ((effect("day"), opens(), FIX, rules_on()), "unverified", []),
        # If it is carried out, the act is audited, and the ruling is not counted twice.
        ((effect("day"), opens(), FIX, ruled("night")), "disputed", [5]),
        ((effect("day"), opens(), ruled("night"), FIX), "disputed", [4]),
        ((effect("night"), opens(), FIX, NOTE, ruled("night")), "exact", []),
        ((effect("day"), opens(), FIX, effect("day"), ruled("night")), "disputed", [4, 6]),
        ((effect("day"), opens(), FIX, ruled("day")), "disputed", [4]),
        # Compared with the rules alone, not with an earlier ruling.
        ((effect("day"), ruled("night"), effect("night"), opens(), FIX), "disputed", [3]),
        ((effect("day"), ruled("night"), turn(1), opens(), FIX), "disputed", [3, 6]),
        # Without a designation there is nothing to compare.
        ((effect("day"), opens(), rules_on(outcome="fix")), "unverified", []),
        ((effect("day"), opens(), rules_on(outcome="back-up", to=1)), "unverified", []),
        # Neither, in a state that is neither or not.
        ((opens(), rules_on(outcome="fix", designation="neither")), "exact", []),
        ((effect("day"), opens(), rules_on(outcome="fix", designation="neither")), "disputed", [4]),
        # A pending untap step is over when a judge rules.
        ((effect("day"), turn(1), turn(2, "Bo"), opens(), FIX), "exact", []),
        # Anywhere: no back-up undoes it, and the game may be over.
        ((effect("day"), opens(), FIX, claim("day"), back_up(1)), "disputed", [4]),
        ((effect("day"), effect("night"), opens(), FIX, claim("night"), back_up(2)), "exact", []),
        ((effect("day"), ended("Ana"), opens(), FIX), "disputed", [5]),
    ],
)
def test_verdict(events, verdict, findings):
    """A last ruling that names a designation counts, unless appealed; if an act carries it out, the act counts."""
    found = audited(*events)
    assert (verdict, findings) == (found["verdict"], [one["event"] for one in found["findings"]])
    assert not any("undone" in one for one in found["findings"] if one["subject"] == "d1")


def test_unsettled():
    """A ruling that is possible but not certain is no finding, and does not make a record exact."""
    found = audited(joined("day", "night"), opens(), FIX)
    assert ("unverified", []) == (found["verdict"], found["findings"])
    (one,) = found["unsettled"]
    assert (4, "ruling", "d1", "night", None, None, [2]) == tuple(
        one[key] for key in ("event", "about", "subject", "claimed", "derived", "rule", "because")
    )
    assert "by the rules the record leaves it open: it may be day or night." in one["sentence"]


def test_two_disputes():
    """Findings are sorted by event, together with those of claims."""
    events = (effect("day"), opens(), opens("d2"), claim("night"), FIX, FIX | {"dispute": "d2"}, claim("night"))
    found = audited(*events)["findings"]
    assert [(5, None), (6, "d1"), (7, "d2"), (8, None)] == [(one["event"], one["subject"]) for one in found]


def test_what_the_sides_say():
    """Statements are compared with the state at the disputed event, and are never findings."""
    events = (
        effect("day"), turn(1), turn(2, "Bo"), opens(about=4), argues(designation="night", says="nobody cast"),
        argues(designation="day"), argues(says="no idea"), opens("d2", 3), argues("d2", "night"), argues("d2", "day"),
    )  # fmt: skip
    found = audited(*events)
    assert ("unverified", [], []) == (found["verdict"], found["findings"], found["unsettled"])
    assert {
        "dispute": "d1", "opened": 5, "about": 4, "status": "open", "outcome": None,
        "claims": [
            {"event": 6, "by": "Bo", "designation": "night", "says": "nobody cast", "derived": "night",
             "agrees": True},
            {"event": 7, "by": "Bo", "designation": "day", "says": None, "derived": "night", "agrees": False},
            {"event": 8, "by": "Bo", "designation": None, "says": "no idea", "derived": "night", "agrees": None},
        ],
    } == found["disputes"][0]  # fmt: skip
    assert [False, True] == [claim["agrees"] for claim in found["disputes"][1]["claims"]]


def test_what_may_be():
    """In an uncertain state, only a statement that is impossible is wrong."""
    (dispute,) = audited(joined("day", "night"), opens(), argues(designation="day"), argues(designation="neither"))[
        "disputes"
    ]
    assert [(None, None), (None, False)] == [(claim["derived"], claim["agrees"]) for claim in dispute["claims"]]
    assert ("open", 2) == (dispute["status"], dispute["about"])


@pytest.mark.parametrize("acts, status, outcome", [
    ((), "open", None),
    ((argues(says="x"),), "open", None),
    ((rules_on(),), "ruled", "leave"),
    ((FIX, appeals()), "appealed", "fix"),
    ((FIX, appeals(), rules_on()), "ruled", "leave"),
    ((FIX, closes(outcome="fix")), "closed", "fix"),
])  # fmt: skip
def test_status(acts, status, outcome):
    """The audit's document has the stage of the dispute as `status`, and the outcome of its last ruling."""
    (dispute,) = audited(opens(), *acts)["disputes"]
    assert (status, outcome) == (dispute["status"], dispute["outcome"])


def test_an_event_that_was_undone():
    """A statement about an undone event is compared with the state after it; about a back-up, with the restored one."""
    events = (effect("day"), effect("night"), back_up(2), opens(about=3), argues(designation="night"),
              opens("d2", 4), argues("d2", "day"), opens("d3", 1), argues("d3", "neither"))  # fmt: skip
    assert [True, True, True] == [dispute["claims"][0]["agrees"] for dispute in audited(*events)["disputes"]]


@pytest.mark.parametrize("many", few_or_all(12, 40))
def test_streamed_or_in_memory(tmp_path, many):
    """The audit of a file equals that of the game in memory, with disputes too."""
    disputes = looked_back = 0
    for seed in range(many):
        luck = random.Random(seed)
        game = fixing(luck, random_walk(seed, 40))
        if len(game) < 2:
            continue
        for number in range(4):
            about = luck.randrange(1, len(game))
            game.record(opens(f"x{number}", about))
            game.record(argues(f"x{number}", luck.choice(["neither", "day", "night"])))
            game.record(rules_on(f"x{number}", "fix", designation=luck.choice(["neither", "day", "night"])))
            looked_back += about < len(game) - 4
        path = tmp_path / "game.jsonl"
        game.save(path)
        found = game.audit().document()
        assert found | {"record": str(path)} == Auditor().record(Record(path)).document(), seed
        said = [claim for one in found["disputes"] for claim in one["claims"] if claim["designation"] is not None]
        assert not [claim for claim in said if claim["agrees"] is None and claim["derived"] is not None]
        disputes += sum(one["subject"] is not None and one["about"] == "ruling" for one in found["findings"])
    assert disputes > many
    assert looked_back > 2.5 * many


@pytest.mark.parametrize(
    "events, rule, because",
    [
        (
            (effect("day"), turn(1), turn(2, "Bo"), opens(), rules_on(outcome="fix", designation="day")),
            "check-day",
            [3],
        ),
        # A permanent that phases in makes it day, because the ruling shows that the step is over.
        (
            (turn(1), cast(), enter("w", without_abilities=True), phase_out("w"), regain("w"), turn(2), opens(), FIX),
            "daybound-starts-day",
            [9],
        ),
    ],
)
def test_streamed_while_the_untap_step_is_due(tmp_path, events, rule, because):
    """A ruling ends an unwritten untap step: its changes have the ruling's number, also in the audit of a file."""
    path, game = tmp_path / "game.jsonl", told(*events)
    game.save(path)
    found = Auditor().record(Record(path)).document()
    assert game.audit().document() | {"record": str(path)} == found
    (finding,) = found["findings"]
    assert (rule, because) == (finding["rule"], finding["because"])
    assert f"since event {len(game)}, turn 2:" in finding["sentence"]


def test_in_parts():
    """An audit that gets its events one by one has the same findings."""
    auditor, game = Auditor(), told(effect("day"), opens(), FIX, NOTE, claim("day"), claim("night"))
    fold = Fold(Watched(DAYNIGHT, (auditor,)))
    for event in game.events:
        fold.over((event,))
    found = auditor.concluded(fold.whole)
    assert [4, 7] == [finding.event for finding in found.findings]
    assert game.audit().findings == found.findings


def the_frameworks(seeds):
    """Check in random games that both audits agree; return how many findings there were, and how many on disputes."""
    findings = ruled = 0
    for seed in seeds:
        game = fixing(random.Random(seed), random_walk(seed, 40))
        ours, theirs = game.audit(), audit.audited(game)
        assert [_facts(one.found) for one in (*ours.findings, *ours.unsettled)] == [
            _facts(one) for right in (False, None) for one in theirs.findings if one.right is right
        ], seed
        assert (ours.verdict, ours.settled) == (theirs.verdict, theirs.settled), seed
        findings += len(theirs.findings)
        ruled += len([one for one in theirs.findings if one.said.part == "ruled" and one.said.subject is not None])
    return findings, ruled


def _facts(finding):
    return finding.event, finding.said, finding.derived, finding.right, finding.undone


def test_the_audit_is_the_frameworks():
    """The framework's audit agrees with the game's in a few random games with disputes."""
    findings, ruled = the_frameworks(range(12))
    assert findings > 20
    assert ruled > 2


@pytest.mark.slow
def test_a_thousand_audits_are_the_frameworks():
    """The framework's audit agrees with the game's in a thousand random games with disputes."""
    findings, ruled = the_frameworks(range(1000, 2000))
    assert findings > 1000
    assert ruled > 100


@pytest.mark.parametrize("back", [(), (back_up(1),)])
def test_parts(back):
    """The parts `stage` and `outcome` of a dispute name the last act that set them; a back-up does not change them."""
    game = told(effect("day"), opens(), *[claim("day")] * 2, rules_on(outcome="leave"), appeals(), FIX, *back)
    found = {(one.part, one.subject): one.derived for one in game.parts(None, "stage", "outcome")}
    assert (Stage.RULED, 8) == (found["stage", "d1"].value, found["stage", "d1"].way.event)
    assert ("fix", 8) == (found["outcome", "d1"].value, found["outcome", "d1"].way.event)
    assert 7 == game.part("stage", "d1", 7).way.event
    assert [] == game.parts(2, "stage", "outcome")
    assert [] == game.parts(3, "outcome")
