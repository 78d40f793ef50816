"""The audit: claims are compared with the state as ruled, rulings with the state by the rules alone."""

import pytest

from daynight.game import Game
from daynight.projections.audit.audit import Auditor
from daynight.records import Record
from tests.behaviour.games import ROOT, kept, told
from tests.oracle.walks import random_walk
from tests.rules.judges import back_up, claim, claim_face, claim_tally, ruled
from tests.rules.placing import enter, lose, regain
from tests.rules.turning import transform
from tests.rules.wolves import OLD_WEREWOLF
from tests.rules.words import cast, doubt, effect, joined, restarted, started, turn, untap, upkeep
from tests.sampling import quick_or_wide

NIGHT = (enter("w1"), turn(1), turn(2, "Bo"), untap())
"""Ana's Ruffian enters and makes it day (2); in turn 1 (3) nobody casts, so at event 5 it becomes night."""


def audited(*events):
    """The document of the audit of a game of Ana and Bo."""
    return told(*events).audit().document()


def the_finding(*events):
    """The only finding in the audit of a game of Ana and Bo that is not marked as undone."""
    (finding,) = (found for found in audited(*events)["findings"] if "undone" not in found)
    return finding


@pytest.mark.parametrize("verdict, events", [
    ("unverified", ()),
    ("unverified", (claim("neither"), back_up(1))),
    ("unverified", (effect("day"), turn(1), doubt("Ana", 0, 1), turn(2, "Bo"), untap(), claim("day"))),
    ("exact", (claim("neither"),)),
    ("exact", (*NIGHT, claim("night"), claim_face("w1", "back"), claim_tally("Ana", 0, 1))),
    ("exact", (effect("night"), ruled("night"))),
    ("exact", (effect("day"), claim("night"), back_up(2), claim("day"))),
    ("exact", (turn(1), doubt("Ana", 0, 1), claim_tally("Bo", 0), claim_tally("Ana", 1))),
    ("disputed", (claim("neither"), claim("day"))),
    ("disputed", (ruled("night"),)),
])  # fmt: skip
def test_verdict(verdict, events):
    """Disputed: a claim or ruling not undone is wrong; exact: none is wrong, one or more are right; else unverified."""
    assert verdict == audited(*events)["verdict"]


def test_the_document():
    """The document's fields in their order; a record in memory has the name of its game."""
    document = audited(claim("neither"))
    assert {
        "record": "g1", "game": "g1", "events": 2, "verdict": "exact", "findings": [], "unsettled": [],
        "disputes": [],
    } == document  # fmt: skip
    assert ["record", "game", "events", "verdict", "findings", "unsettled", "disputes"] == [*document]


def test_a_designation():
    """A finding about the designation has the rule of the derived one, and the events that it rests on."""
    expected = {
        "event": 6,
        "about": "designation",
        "subject": None,
        "claimed": "day",
        "derived": "night",
        "by": "Ana",
        "rule": "check-day",
        "cr": "728.2a",
        "because": [3],
        "sentence": "event 6 (turn 2, untap step): Ana says that it is day; by the rules it is night. It has been "
        "night since event 5, turn 2: Ana, active in turn 1, cast no spell in it (CR 728.2a).",
        "short": "Event 6: Ana says that it is day; derived: it is night. Since event 5 (CR 728.2a).",
    }
    finding = the_finding(*NIGHT, claim("day"))
    assert expected == finding
    assert [*expected] == [*finding]


@pytest.mark.parametrize("events, rule, cr, because, ending", [
    ((claim("day"),), "no-designation", "728.1", [1], "Nothing has made it day or night yet (CR 728.1)."),
    ((joined("day"), claim("night")), None, None, [2], "So it was when the record took the game up."),
    ((joined("neither"), claim("night")), None, None, [2], "So it was when the record took the game up."),
    ((effect("day"), restarted(), claim("day")), "no-designation", "728.1", [3], "(CR 728.1)."),
    ((effect("day"), claim("night")), "becomes", "728.1", [2], "an effect made it so (CR 728.1)."),
    ((ruled("night"), back_up(1), claim("day")), "no-designation", "728.1", [1], "(CR 728.1)."),
])  # fmt: skip
def test_where_a_designation_comes_from(events, rule, cr, because, ending):
    """The cause of a designation: a change, the game's beginning, or a time before the record."""
    finding = the_finding(*events)
    assert (rule, cr, because) == (finding["rule"], finding["cr"], finding["because"])
    assert finding["sentence"].endswith(ending)


def test_a_claim_is_held_against_the_state_as_ruled():
    """A claim that repeats the judge's ruling is right; one that follows the rules against the ruling is wrong."""
    events = (effect("day"), turn(1), cast(), ruled("night"))
    assert [5] == [finding["event"] for finding in audited(*events, claim("night"))["findings"]]
    last = audited(*events, claim("day"))["findings"][-1]
    expected = (6, "designation", "day", "night", "judge", None, [5])
    assert expected == tuple(last[key] for key in ("event", "about", "claimed", "derived", "rule", "cr", "because"))


def test_a_ruling_is_held_against_the_rules_alone():
    """A ruling is compared with the state as if there had been no ruling since the last back-up."""
    finding = the_finding(*NIGHT, ruled("day"))
    expected = ("ruling", None, "day", "night", "Jo", "check-day", "728.2a", [3])
    keys = ("about", "subject", "claimed", "derived", "by", "rule", "cr", "because")
    assert expected == tuple(finding[key] for key in keys)
    assert "Jo rules that it is day; by the rules it is night." in finding["sentence"]


def test_rulings_do_not_vouch_for_one_another():
    """A ruling does not justify the next: two wrong rulings are two findings; a return to the rules is right."""
    wrong_twice = audited(*NIGHT, ruled("day"), ruled("day"))
    assert [6, 7] == [finding["event"] for finding in wrong_twice["findings"]]
    righted = audited(*NIGHT, ruled("day"), ruled("night"))
    assert [6] == [finding["event"] for finding in righted["findings"]]


def test_after_a_back_up_the_state_is_the_line():
    """After a back-up to a moment at which a ruling made it day, another ruling of day is right."""
    events = (*NIGHT, ruled("day"), upkeep(), back_up(7))
    assert [6] == [finding["event"] for finding in audited(*events, ruled("day"))["findings"]]


@pytest.mark.parametrize("events, claimed, derived, rule, cr, because, sentence", [
    ((*NIGHT,), "front", "back", "daybound-as-night", "702.145b", [5],
     "It transformed as it became night, at event 5 (CR 702.145b)."),
    ((effect("night"), enter("w1")), "front", "back", "daybound-enters", "702.145b", [3],
     "It entered at event 3 while it was night, and what has daybound and is represented by a"),
    ((effect("night"), enter("w1", without_abilities="Humility"), regain("w1", source="Humility")),
     "front", "back", "daybound-at-night", "702.145c", [4],
     "It had daybound by night and so transformed at once, at event 4 (CR 702.145c)."),
    ((effect("night"), enter("w1"), effect("day")), "back", "front", "nightbound-as-day", "702.145e", [4],
     "It transformed as it became day, at event 4 (CR 702.145e)."),
    ((effect("night"), enter("w1"), lose("w1", source="Humility"), effect("day"),
      regain("w1", source="Humility")), "back", "front", "nightbound-at-day", "702.145f", [6],
     "It had nightbound by day and so transformed at once, at event 6 (CR 702.145f)."),
    ((enter("w1", OLD_WEREWOLF, face="back"),), "front", "back", "told-to-enter", None, [2],
     "It entered at event 2 with its back face up."),
    ((enter("w1", OLD_WEREWOLF), transform("w1")), "front", "back", "transforms", "701.28", [3],
     "It was told to transform at event 3 (CR 701.28)."),
    ((enter("w1", OLD_WEREWOLF),), "back", "front", None, None, [2],
     "its front face, Grizzled Outcasts, is up."),
])  # fmt: skip
def test_a_face(events, claimed, derived, rule, cr, because, sentence):
    """The finding names the cause of the face: entering, day or night, an instruction, or none since it entered."""
    finding = the_finding(*events, claim_face("w1", claimed))
    assert ("face", "w1", claimed, derived) == tuple(finding[key] for key in ("about", "subject", "claimed", "derived"))
    assert (rule, cr, because) == (finding["rule"], finding["cr"], finding["because"])
    assert sentence in finding["sentence"]


@pytest.mark.parametrize(
    "said, turn_number, derived, because",
    [(("Ana", 2), 1, 1, [2, 3]), (("Bo", 0), 1, 1, [2, 4]), (("Ana", 1), None, 0, [5]), (("Bo", 1), 2, 0, [5])],
)
def test_a_tally(said, turn_number, derived, because):
    """A claimed tally is compared with the number of casts of that player, active or not."""
    finding = the_finding(turn(1), cast(), cast("Bo"), turn(2, "Bo"), claim_tally(*said, turn_number))
    assert ("tally", said[0], said[1], derived, None, None, because) == tuple(
        finding[key] for key in ("about", "subject", "claimed", "derived", "rule", "cr", "because")
    )
    assert f"in turn {turn_number or 2}; the record has {derived}." in finding["sentence"]


def test_a_tally_outside_its_bounds():
    """An uncertain tally is printed as a range, also one without an upper end."""
    bounded = the_finding(turn(1), cast(), doubt("Ana", 1, 2), claim_tally("Ana", 4))
    assert ({"at_least": 2, "at_most": 3}, "the record has 2 to 3.") == (
        bounded["derived"],
        bounded["sentence"][-len("the record has 2 to 3.") :],
    )
    unbounded = the_finding(turn(1), doubt("Ana", 2), claim_tally("Ana", 1))
    assert {"at_least": 2, "at_most": None} == unbounded["derived"]
    assert unbounded["sentence"].endswith("the record has at least 2.")


def test_unsettled():
    """A claim that is possible but not certain is not a finding; it is listed separately, with the same fields."""
    events = (enter("w1"), turn(1), doubt("Ana", 0, 1), turn(2, "Bo"), untap())
    found = audited(*events, claim("night"), claim_face("w1", "front"), claim_tally("Ana", 1, 1), ruled("day"))
    assert ("unverified", []) == (found["verdict"], found["findings"])
    keys = ("event", "about", "subject", "claimed", "derived", "rule", "cr", "because")
    assert [
        (7, "designation", None, "night", None, None, None, [2, 3, 4]),
        (8, "face", "w1", "front", None, None, None, [2, 6]),
        (9, "tally", "Ana", 1, {"at_least": 0, "at_most": 1}, None, None, [3, 4]),
        (10, "ruling", None, "day", None, None, None, [2, 3, 4]),
    ] == [tuple(one[key] for key in keys) for one in found["unsettled"]]
    opened = "by the rules the record leaves it open: it may be day or night."
    assert opened in found["unsettled"][0]["sentence"]
    assert opened in found["unsettled"][3]["sentence"]
    assert found["unsettled"][1]["sentence"].endswith("by the rules either face may be up.")


def test_neither_possible():
    """A claim is a finding if no possibility allows it, even when the derived value is uncertain."""
    finding = the_finding(joined("day", "night"), claim("neither"))
    assert (None, None, [2]) == (finding["derived"], finding["rule"], finding["because"])


def test_one_cause_of_what_is_open():
    """If one event switches an unknown day or night, the finding names its rule; if each possibility has another cause,
    the finding names no rule, but the events of all."""
    finding = the_finding(joined("day", "night"), effect("switch"), claim("neither"))
    assert (None, "becomes", "728.1", [3]) == tuple(finding[key] for key in ("derived", "rule", "cr", "because"))
    finding = the_finding(joined("day", "night"), effect("switch", only_if="day"), claim("neither"))
    assert ("night", None, None, [2, 3]) == tuple(finding[key] for key in ("derived", "rule", "cr", "because"))


def test_a_face_that_is_certain_though_the_designation_is_not():
    """If the designation is uncertain and the face certain, the finding names the face alone."""
    finding = the_finding(joined("day", "night"), enter("o1", OLD_WEREWOLF), claim_face("o1", "back"))
    assert "front" == finding["derived"]
    assert finding["sentence"].endswith("by the rules its front face, Grizzled Outcasts, is up.")


def test_undone():
    """Undone claims and rulings are listed, marked as undone, and do not count."""
    found = audited(
        effect("day"), claim("night"), ruled("night"), turn(1), doubt("Ana", 0, 1), claim_tally("Ana", 1), back_up(2)
    )
    assert "unverified" == found["verdict"]
    assert [(3, True), (4, True)] == [(one["event"], one["undone"]) for one in found["findings"]]
    assert [(7, True)] == [(one["event"], one["undone"]) for one in found["unsettled"]]
    assert "undone" == [*found["findings"][0]][-1]


def test_what_stands_is_not_marked():
    """A claim before the target of a back-up still counts, and is not marked."""
    found = audited(effect("day"), claim("night"), claim("night"), back_up(3))
    assert [False, True] == ["undone" in one for one in found["findings"]]
    assert "disputed" == found["verdict"]


def test_a_tally_after_a_back_up_is_that_of_the_latest_standing_turn():
    """If turn 1 was recorded twice, a tally of turn 1 is compared with the one that is not undone."""
    events = (turn(1), cast(), cast(), turn(2, "Bo"), back_up(1), turn(1), cast(), turn(2, "Bo"))
    finding = the_finding(*events, claim_tally("Ana", 2, 1))
    assert (1, [7, 8]) == (finding["derived"], finding["because"])
    assert [] == audited(*events, claim_tally("Ana", 1, 1))["findings"]


def test_a_tally_after_a_restart_is_that_of_the_new_game():
    """After a restart, a tally of turn 1 is compared with turn 1 of the new game."""
    events = (turn(1), cast(), cast(), restarted(), turn(1), cast(), turn(2, "Bo"))
    finding = the_finding(*events, claim_tally("Ana", 2, 1))
    assert (1, [6, 7]) == (finding["derived"], finding["because"])


def test_an_edition():
    """The audit cites the record's own edition, or the requested one."""
    game = Game([started(edition="2026-08-07"), *NIGHT, claim("day")])
    assert "731.2a" == game.audit().document()["findings"][0]["cr"]
    assert "CR 731.2a" in game.audit().findings[0].sentence
    other = game.audit(edition="2025-11-14")
    assert "730.2a" == other.document()["findings"][0]["cr"]
    assert "CR 730.2a" in other.findings[0].sentence


def test_an_auditor_takes_one_record_after_another():
    """The same auditor can audit one record after another; an audit does not affect the next one."""
    auditor = Auditor()
    first = auditor.game(told(claim("day")))
    second = auditor.game(told(claim("neither"), back_up(1)))
    assert (["disputed", "unverified"], [False]) == (
        [first.verdict, second.verdict],
        [one.undone for one in first.findings],
    )


@pytest.mark.parametrize("many", quick_or_wide(6, 20))
def test_streamed_or_in_memory(tmp_path, many):
    """The audit of a file equals that of the game in memory, in random games."""
    for seed in range(many):
        walk = random_walk(seed, 60)
        path = kept(tmp_path / "walk.jsonl", walk)
        expected = Game(walk).audit().document() | {"record": str(path)}
        assert expected == Auditor().record(Record(path)).document(), f"walk {seed}"


REAL = ROOT.parent / "shared" / "real-games"


@pytest.mark.parametrize("name, verdict", [("G1", "disputed"), ("G2", "exact"), ("G3", "exact")])
def test_real_games(name, verdict):
    """Only G1 has a finding: the recording program let a daybound permanent enter front face up at night."""
    path = REAL / f"wagic-{name}.jsonl"
    if not path.exists():
        pytest.skip("the records of real games are not here; they belong into ../shared/real-games")
    found = Auditor().record(Record(path)).document()
    assert verdict == found["verdict"]
    keys = ("event", "about", "subject", "claimed", "derived", "by", "rule", "cr", "because")
    expected = [(122, "face", "brutal-cathar-2", "front", "back", "wagic", "daybound-enters", "702.145b", [121])]
    assert (expected if name == "G1" else []) == [tuple(one[key] for key in keys) for one in found["findings"]]
    assert [] == found["unsettled"]
    changes = Game.load(path).state.timeline.changes
    assert (name == "G2") is (not changes)


def test_nobody_knows_by_which_rule():
    """It is night in every possibility, but by different changes: no rule is named, all their events are."""
    events = (effect("day"), turn(1), doubt("Ana", 0, 1), turn(2, "Bo"), untap(), turn(3), untap())
    finding = the_finding(*events, claim("day"))
    assert ("night", None, None) == (finding["derived"], finding["rule"], finding["cr"])
    assert [3, 4, 5] == finding["because"]
    assert finding["sentence"].endswith(
        "by the rules it is night. The record leaves open since when: either since event 6, turn 2: Ana, active in turn"
        " 1, cast no spell in it (CR 728.2a), or since event 8, turn 3: Bo, active in turn 2, cast no spell in it"
        " (CR 728.2a)."
    )


def test_a_face_of_what_is_face_down():
    """A finding about a face-down permanent says that it shows no face, and does not reveal the hidden one."""
    finding = the_finding(enter("w1", face_down=True), claim_face("w1", "back"))
    assert ("front", [2]) == (finding["derived"], finding["because"])
    assert finding["sentence"].endswith("by the rules it is face down, and shows neither.")


def test_a_token_at_night():
    """A token entered with its front face up and transformed at once; the text says that the rules leave this open."""
    finding = the_finding(effect("night"), enter("w1", token=True), claim_face("w1", "front"))
    assert ("back", "daybound-at-night") == (finding["derived"], finding["rule"])
    assert "the rules leave open whether a double-faced token enters with its back face up" in finding["sentence"]
