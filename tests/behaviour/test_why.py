"""The answer of `why`: since when, by which rule, because of which events, its sources, and what would change it."""

import json

import pytest

from daynight.game import Game
from daynight.questions.explain import RANKS, sources_for
from daynight.rules.citations import EDITIONS, cited
from daynight.rules.designation import ARCS
from tests.behaviour.games import CONTRACT, told
from tests.oracle.walks import random_walk
from tests.rules.judges import back_up, ruled
from tests.rules.placing import enter, leave, lose, phase_out
from tests.rules.wolves import ANGEL, CLONE_OF_NIGHTBOUND, VANDAL
from tests.rules.words import cast, doubt, effect, joined, restarted, started, turn, untap
from tests.sampling import few_or_all

CHECKED = (turn(1), cast(), cast(), turn(2, "Bo"), untap())
"""Ana casts twice in turn 1; Bo's untap step checks it. If turn 1 is event 3, the casts are 4 and 5, the check 7."""


def test_the_document():
    """The document of the answer for the record CONTRACT has the expected fields, in their order."""
    found = Game(CONTRACT).why().document()
    sources, almost, sentence, edit = [found[key] for key in ("sources", "almost", "sentence", "almost_edit")]
    assert {
        "event": 8, "designation": "night", "since": 8, "rule": "check-day", "cr": "728.2a", "because": [5],
        "sources": sources, "almost": almost, "almost_edit": edit, "sentence": sentence,
        "short": "It is night. Since event 8 (CR 728.2a).",
    } == found  # fmt: skip
    order = ["event", "designation", "since", "rule", "cr", "because", "sources", "almost", "almost_edit", "sentence"]
    assert [*order, "short"] == [*found]
    assert (
        "It has been night since event 8, turn 3: Bo, active in turn 2, cast no spell in it (CR 728.2a)."
        " Ana's Opt (e6) was cast in Bo's turn and does not count."
    ) == sentence
    assert "With one more spell by Bo in turn 2 it would be day." == almost
    json.dumps(found)


def test_in_words():
    """`str` of the answer is its sentence."""
    why = Game(CONTRACT).why()
    assert why.sentence == str(why)


@pytest.mark.parametrize("events, rule, cr, since, because, says", [
    ((), "no-designation", "728.1", 1, (1,), "nothing has made it day or night since the game began, at event 1"),
    ((effect("day"), restarted()), "no-designation", "728.1", 3, (3,), "since the game began, at event 3"),
    ((joined("day"),), None, None, 2, (2,), "so it was when the record took the game up, at event 2"),
    ((joined("neither"),), None, None, 2, (2,), "so it was when the record took the game up, at event 2"),
    ((effect("night"),), "becomes", "728.1", 2, (2,), "an effect made it so"),
    ((enter("v1", VANDAL),), "day-if-neither", "728.1", 2, (2,), "as a permanent entered that makes it day then"),
    ((enter("w1"),), "daybound-starts-day", "702.145d", 2, (2,), "and a permanent had daybound"),
    ((enter("c1", CLONE_OF_NIGHTBOUND),), "nightbound-starts-night", "702.145g", 2, (2,), "and none had daybound"),
    ((effect("day"), turn(1), turn(2, "Bo"), untap()), "check-day", "728.2a", 5, (3,), "cast no spell in it"),
    ((effect("night"), *CHECKED), "check-night", "728.2b", 7, (3, 4, 5), "cast two or more spells in it"),
    ((effect("day"), ruled("night")), "judge", None, 3, (3,), "a judge ruled so"),
])  # fmt: skip
def test_every_rule(events, rule, cr, since, because, says):
    """The answer has the rule, its number, the event since when, and the causes; a turn later they are the same."""
    later = (turn(7) | {"skips": ["untap"]}, cast())
    for game in (told(*events), told(*events, *later)):
        why = game.why()
        assert (rule, cr, since, because) == (why.rule, why.cr, why.since, why.because)
        assert says in why.sentence
        assert (cr is None) is ("CR" not in why.sentence)
        assert len(game) == why.event


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_edition(edition):
    """The number is that of the requested edition, in the sentence and in the first source."""
    why = Game(CONTRACT).why(edition=edition)
    number = cited("check-day", edition)
    assert number == why.cr
    assert f"cast no spell in it (CR {number})." in why.sentence
    assert f"Comprehensive Rules {edition}, {number}" == why.sources[0].source


def test_the_records_own_edition():
    """The record's own edition is used by default."""
    assert "731.1" == Game([started(edition="2026-08-07")]).why().cr


def test_at():
    """The moment may be a number, `e4`, or a position in a turn; later events do not matter."""
    game = Game(CONTRACT)
    assert ["no-designation", "daybound-starts-day", "daybound-starts-day", "check-day"] == [
        game.why(position).rule for position in (3, "e4", "turn:3", "turn:3/untap")
    ]


def test_sources_are_ranked():
    """Sources are in the order of their ranks, the rules first; each says whether it agrees with the answer."""
    documents = [source.document() for source in Game(CONTRACT).why().sources]
    ranks = [document["rank"] for document in documents]
    assert sorted(ranks) == ranks
    assert (1, "Comprehensive Rules", True) == tuple(documents[0][key] for key in ("rank", "kind", "agrees"))
    assert ["rank", "kind", "source", "date", "says", "agrees"] == [*documents[0]]
    assert {False, True} == {document["agrees"] for document in documents}


def test_the_conflicting_ruling_is_shown():
    """A card ruling for Werewhat says day; the rules win, and both are shown."""
    why = told(enter("c1", CLONE_OF_NIGHTBOUND)).why()
    assert "night" == why.designation
    rules, ruling = why.sources
    assert ("Comprehensive Rules", True) == (rules.kind, rules.agrees)
    assert ("card ruling", "Werewhat", "2024-11-08", False) == (
        ruling.kind, ruling.source, ruling.date, ruling.agrees,
    )  # fmt: skip
    assert "day" in ruling.says


def test_sources_for_every_rule():
    """Every source of a rule names that rule, and its kind has a rank; no rule, or a judge, has no sources."""
    assert () == sources_for(None, EDITIONS[0])
    assert () == sources_for("judge", EDITIONS[0])
    for rule in {arc.trigger for arc in ARCS} | {"no-designation"}:
        for source in sources_for(rule, EDITIONS[0]):
            assert source.kind in RANKS
            assert rule in source.rules


def almost(*events):
    """Return `almost` of a game of Ana and Bo: the smallest edit that would change the answer, as a sentence."""
    return told(*events).why().almost


@pytest.mark.parametrize("expected, events", [
    pytest.param("With one more spell by Ana in turn 1 it would be day.",
                 (effect("day"), turn(1), cast("Bo"), turn(2, "Bo"), untap()), id="day became night"),
    pytest.param("Without event 5 it would be night.", (effect("night"), *CHECKED), id="night became day"),
    pytest.param("Without event 4 it would be night.",
                 (effect("day"), turn(1), cast(), turn(2, "Bo"), untap()), id="kept day"),
    pytest.param("Without events 4 and 5 it would be night.", (joined("day"), *CHECKED), id="kept day, by two"),
    pytest.param("With one more spell by Ana in turn 1 it would be day.",
                 (effect("night"), turn(1), cast(), turn(2, "Bo"), untap()), id="kept night"),
    pytest.param("With 2 more spells by Bo in turn 2 it would be day.",
                 (joined("night"), turn(1), turn(2, "Bo"), untap(), turn(3), untap()), id="kept night, by nobody"),
    pytest.param("Without event 2 it would be neither day nor night.", (enter("w1"),), id="arrival"),
    pytest.param("Without event 3 it would be day.", (enter("w1"), effect("night")), id="effect"),
    pytest.param("Without event 3 it would be day.", (enter("w1"), ruled("night")), id="ruling"),
    pytest.param("Without events 2 and 4 it would be neither day nor night.",
                 (enter("w1"), turn(1), leave("w1")), id="an arrival that left"),
    pytest.param("Without event 2 it would be night.",
                 (enter("a1", {"card": "Angel of Eternal Dawn"}), effect("switch")), id="an angel barred it"),
    pytest.param("Without event 5 it would be night.",
                 (ruled("night"), turn(1), doubt("Ana", 1, 1), cast(), turn(2, "Bo"), untap()), id="a doubt"),
    pytest.param("With a permanent that has daybound on the battlefield it would be day.", (), id="neither"),
    pytest.param("With a permanent that has daybound on the battlefield it would be day.",
                 (joined("neither"), turn(1), untap()), id="neither before the record"),
    pytest.param(None, (joined("night"),), id="joined"),
    pytest.param(None, (joined("day"), turn(1), untap()), id="an unknown turn"),
])  # fmt: skip
def test_almost(expected, events):
    """`almost` names the smallest edit that would give another answer; it is None if the cause is before the record."""
    assert expected == almost(*events)


def test_almost_where_it_is_uncertain():
    """If uncertain casts leave day or night open, `almost` drops them; if the beginning does, `almost` is None."""
    events = (effect("day"), turn(1), doubt("Ana", 0, 1), turn(2, "Bo"), untap())
    assert "Without event 4 it would be night." == almost(*events)
    assert almost(joined("day", "night")) is None


def test_almost_between_teams():
    """For a team, `almost` adds a cast of the player who was nearest to two, or leaves out the casts of all."""
    teams = started("Ana", "Al", "Bo", "Bea", teams=[["Ana", "Al"], ["Bo", "Bea"]])
    game = Game([teams, effect("night"), turn(1, "Ana", "Al"), cast("Al"), turn(2, "Bo", "Bea"), untap()])
    assert "With one more spell by Al in turn 1 it would be day." == game.why().almost
    game = Game([
        teams, joined("day"), turn(1, "Ana", "Al") | {"skips": ["untap"]}, cast("Ana"), cast("Al"),
        turn(2, "Bo", "Bea"), untap(),
    ])  # fmt: skip
    assert "Without events 4 and 5 it would be night." == game.why().almost


def test_almost_says_the_least():
    """`almost` prefers one event to two, and of several single events the latest."""
    events = (joined("day"), *CHECKED, cast("Bo"), turn(3), untap())
    assert "Without event 8 it would be night." == almost(*events)


def test_almost_looks_at_what_followed():
    """Without the cast of turn 1 it would be day again in turn 3: `almost` drops the effect of event 2 instead."""
    events = (effect("day"), turn(1), cast(), turn(2, "Bo"), untap(), cast("Bo"), cast("Bo"), turn(3), untap())
    assert "Without event 2 it would be neither day nor night." == almost(*events)


def test_almost_leaves_out_what_became_impossible():
    """Without the arrival, its departure and claims about its face are impossible: they are left out too."""
    events = (
        enter("w1"), {"type": "face-claimed", "permanent": "w1", "face": "front", "by": "Bo"}, leave("w1"),
    )  # fmt: skip
    assert "Without events 2, 3 and 4 it would be neither day nor night." == almost(*events)


@pytest.mark.parametrize("back", [
    pytest.param((back_up(7),), id="after the change"),
    pytest.param((cast(), back_up(5), untap()), id="before the change, checked again"),
    pytest.param((turn(3), untap(), back_up(8), cast("Bo"), back_up(7)), id="twice"),
])  # fmt: skip
def test_almost_with_back_ups_between(back):
    """With a back-up after the untap step, `almost` is the same as without: one more cast in turn 1."""
    events = (effect("day"), turn(1), cast("Bo"), turn(2, "Bo"), untap(), cast("Bo"), *back)
    game = told(*events)
    assert "night" == game.designation
    assert "With one more spell by Ana in turn 1 it would be day." == game.why().almost


def test_uncertain():
    """If it may be day or night, the answer has each possibility, the tournament's policy, and one sentence for all."""
    game = told(enter("w1"), turn(1), doubt("Ana", 0, 1), turn(2, "Bo"), untap())
    found = game.why().document()
    assert [None] * 4 == [found[key] for key in ("designation", "since", "rule", "cr")]
    assert ([2, 3, 4], []) == (found["because"], found["sources"])
    assert ["day", "night"] == found["possible"]
    assert {"rule": "MTR 4.9", "designation": "night"} == found["policy"]
    assert [("day", "daybound-starts-day", 2), ("night", "check-day", 6)] == [
        (one["designation"], one["rule"], one["since"]) for one in found["possibilities"]
    ]
    assert found["sentence"].startswith(
        "The record leaves open whether it is day or night after event 6. Either it has been day since event 2: it was"
    )
    assert "(CR 702.145d), or it has been night since event 6, turn 2: Ana, active" in found["sentence"]
    assert found["sentence"].endswith("the judge assumes night (MTR 4.9: policy, not derived).")


def test_an_untap_step_to_come():
    """If the turn's untap step is not written, and will change the designation, a sentence says so; otherwise none."""
    events = (effect("day"), turn(1), turn(2, "Bo"))
    why = told(*events).why()
    assert "day" == why.designation
    assert why.sentence.endswith("Turn 2's untap step is not written down yet: once it is over, it is night.")
    perhaps = told(effect("day"), turn(1), doubt("Ana", 0, 1), turn(2, "Bo")).why().sentence
    assert perhaps.endswith("once it is over, it may be day or night.")
    for more in ((untap(),), (cast("Bo"),)):
        assert "yet" not in told(*events, *more).why().sentence
    assert "yet" not in told(effect("day"), turn(1), cast(), turn(2, "Bo")).why().sentence


def test_uncertain_in_several_ways():
    """If possibilities have different causes, each has its own sentence."""
    events = (effect("day"), turn(1), doubt("Ana", 0, 1), turn(2, "Bo"), untap(), doubt("Bo", 0, 2), turn(3), untap())
    sentence = told(*events).why().sentence
    assert "If it is day, it has been so either since event 2: an effect made it so" in sentence
    assert ". If it is night, it has been so either since event 6, turn 2: Ana, active in turn 1, cast" in sentence
    assert "or it is" not in sentence


def test_several_ways_to_the_same_answer():
    """It is night in both possibilities, since different events: `since` is None, and both causes are named."""
    events = (effect("day"), turn(1), doubt("Ana", 0, 1), turn(2, "Bo"), untap(), turn(3), untap())
    why = told(*events).why()
    assert ("night", None, None, (3, 4, 5)) == (why.designation, why.since, why.rule, why.because)
    assert why.sentence == (
        "It is night; the record leaves open since when: either since event 6, turn 2: Ana, active in turn 1, cast no"
        " spell in it (CR 728.2a), or since event 8, turn 3: Bo, active in turn 2, cast no spell in it (CR 728.2a)."
    )


@pytest.mark.parametrize("events", [
    pytest.param((effect("day"),), id="now the same in all"),
    pytest.param((enter("w1"), lose("w1"), effect("day")), id="with another face"),
])  # fmt: skip
def test_it_may_have_been_so_before(events):
    """If it was day from the beginning or since the effect, `since` is None, and the sentence tells both."""
    why = told(joined("day", "night"), *events).why()
    assert "day" == why.designation
    assert why.sentence.startswith(
        "It is day; the record leaves open since when: either from the beginning of the record, or since event "
    )
    assert why.since is None


@pytest.mark.parametrize("walks", few_or_all(range(4), range(4, 60)), ids=str)
def test_what_came_later_does_not_matter(walks):
    """The answer at a moment equals that of a record that ends there, whatever was undone later."""
    for seed in walks:
        record = random_walk(seed, 60)
        game = Game(record)
        for number in (9, 17, 26, 38, 51):
            assert Game(record[:number]).why() == game.why(number), f"walk {seed}, event {number}"


def test_an_unknown_turn():
    """The check of the turn before the record is described without a turn number."""
    game = told(joined("day"), turn(1), untap())
    assert game.why().document()["possible"] == ["day", "night"]
    assert "no spell was cast by the active player of the turn before the record" in game.why().sentence
    game = told(joined("night"), turn(1), untap())
    assert "two or more spells were cast by the active player of the turn before the record" in game.why().sentence


BARS = "While Angel of Eternal Dawn (a1) is there with its abilities, it can't become night."


@pytest.mark.parametrize("events, there", [
    ((effect("day"), enter("a1", ANGEL)), True),
    ((enter("a1", ANGEL),), True),
    ((effect("day"), enter("a1", ANGEL), phase_out("a1")), False),
    ((effect("day"), enter("a1", ANGEL), lose("a1")), False),
    ((effect("day"), enter("a1", ANGEL), leave("a1")), False),
    ((effect("night"), enter("a1", ANGEL)), False),
    ((effect("day"), enter("v1", VANDAL)), False),
])  # fmt: skip
def test_what_keeps_the_night_away(events, there):
    """While it is not night, the answer names a permanent that prevents the night, if there is one."""
    assert told(turn(1), *events).why().sentence.endswith(BARS) is there


def test_what_keeps_the_night_away_together():
    """If two permanents prevent the night, both are named."""
    found = told(turn(1), effect("day"), enter("a1", ANGEL), enter("a2", ANGEL)).why()
    assert "While Angel of Eternal Dawn (a1) and Angel of Eternal Dawn (a2) are there" in found.sentence
