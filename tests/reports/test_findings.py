"""The findings of a report (claims and rulings that contradict the rules), and what is printed about each.

| promise | test |
| --- | --- |
| a finding has its rule, sources, evidence and reason, and what followed | test_a_finding_taken_apart |
| what followed is told up to the next change of the designation | test_what_follows_ends_with_the_next_change |
| if too many events follow a finding, their number is given | test_much_that_follows |
| every kind of finding is printed; a ruling with the state before it | test_each_kind_of_finding, test_a_ruling |
| a claimed number of spells is mentioned | test_what_was_counted |
| undone findings come last, and are marked | test_findings_undone |
| a report without findings says so | test_nothing_disputed |
| of many findings, the number of those left out is given | test_many_findings |
| the log marks claims that contradict the rules, and claims that may be right | test_marks_in_the_log |
| the sources of a rule are printed at its first finding only | test_sources_once |
| a finding has repair hints, or the report says that there are none | test_repairs |
"""

from __future__ import annotations

import pytest

from tests.reports.looking import NIGHT, document, game_of, page, sections, seen
from tests.rules.judges import back_up, claim, claim_face, claim_tally, ruled
from tests.rules.placing import enter
from tests.rules.wolves import RUFFIAN
from tests.rules.words import doubt, effect, turn, untap


def test_a_finding_taken_apart():
    """A finding has the claimed and derived face, rule, sources, evidence, and a reason.

    `why` explains the state, with an edit that would change it (`almost`); `blame` has the event and rule that set the
    derived value; `then` has the events with consequences from the change that `why` explains.
    """
    (finding,) = document(game_of(*NIGHT, claim_face("w1", "front")))["findings"]
    assert (6, "front", "back", "daybound-as-night", "702.145b") == tuple(
        finding[key] for key in ("event", "claimed", "derived", "rule", "cr")
    )
    assert (2, "untap", 6) == (finding["turn"], finding["step"], finding["at"])
    assert (5, "check-day") == (finding["why"]["since"], finding["why"]["rule"])
    assert "With one more spell by Ana in turn 1 it would be day." == finding["why"]["almost"]
    assert [3, 5, 6] == [line["event"] for line in finding["evidence"]]
    assert [("daybound-as-night", 5)] == [(line["rule"], line["event"]) for line in finding["blame"]]
    assert [1, 3] == [source["rank"] for source in finding["sources"]]
    ((then,), more) = finding["then"], finding["more"]
    assert (5, 0) == (then["event"], more)
    assert ["it becomes night: Ana, active in turn 1, cast no spell in it (CR 728.2a)",
            "Tavern Ruffian (w1) transforms into Tavern Smasher (CR 702.145b)"] == then["sentences"]  # fmt: skip


def test_what_follows_ends_with_the_next_change():
    """`then` has the change before the wrong claim 6, event 5, and the next one, event 7, but not that at event 8."""
    game = game_of(*NIGHT, claim("day"), effect("day"), effect("night"))
    assert [5, 7] == [one["event"] for one in document(game)["findings"][0]["then"]]


def test_much_that_follows():
    """Of 21 events that followed, `then` has the first twelve; `more` and the page give the number of the others."""
    enough = [enter(f"w{number}", RUFFIAN) for number in range(2, 22)]
    game = game_of(*NIGHT, *enough, claim("day"))
    finding = document(game)["findings"][0]
    assert (12, 9) == (len(finding["then"]), finding["more"])
    assert "9 more events are in the log." in seen(page(game)).text


@pytest.mark.parametrize("event, about, heading, part", [
    (claim("day"), "designation", "X says that it is day", "designation"),
    (claim_face("w1", "front"), "face", "X shows the front face of Tavern Ruffian (w1)", "face"),
    (claim_tally("Bo", 3), "tally", "X counts 3 spells of Bo", "tally"),
    (ruled("day"), "ruling", "judge rules that it is day", "designation"),
])  # fmt: skip
def test_each_kind_of_finding(event, about, heading, part):
    """The heading of each kind of finding names who claimed or ruled what; `blame` names the part that differs."""
    game = game_of(*NIGHT, event)
    (finding,) = document(game)["findings"]
    assert about == finding["about"]
    assert [part] == [line["part"] for line in finding["blame"]]
    found = [words for level, words in seen(page(game)).headings if level == 3]
    assert any(words.endswith(heading.replace("X", event["by"]).replace("judge", event["by"])) for words in found), (
        found
    )


def test_what_was_counted():
    """The sentence of a wrong count names the claimed number, in singular or plural, and the number by the rules."""
    sentence = "Ana counts 2 spells of Bo, at event 6. The rules give another answer: 0."
    assert sentence in page(game_of(*NIGHT, claim_tally("Bo", 2)), "markdown")
    assert "Ana counts 1 spell of Bo, at event 6." in page(game_of(*NIGHT, claim_tally("Bo", 1)), "markdown")


def test_a_ruling():
    """For a ruling, `at` and `why` are of the event before; for a claimed count, `why` is None and `then` is empty."""
    (finding,) = document(game_of(*NIGHT, ruled("day")))["findings"]
    assert (5, "check-day") == (finding["at"], finding["why"]["rule"])
    (finding,) = document(game_of(*NIGHT, claim_tally("Bo", 3)))["findings"]
    assert finding["why"] is None
    assert [] == finding["then"]


def test_findings_undone():
    """A finding at an undone event is after the others, with `undone` in JSON and [undone] on the page."""
    game = game_of(*NIGHT, claim("day"), back_up(5), claim("neither"))
    found = document(game)["findings"]
    assert [(8, False), (6, True)] == [(one["event"], one.get("undone", False)) for one in found]
    assert "it is day; by the rules it is night" in seen(page(game)).text
    assert "(CR 728.2a). [undone]" in seen(page(game)).text


def test_nothing_disputed():
    """With a right claim the report says that nothing contradicts the rules; with a wrong one, at which event first."""
    found = page(game_of(claim("neither")), "markdown")
    assert "No claim and no ruling that stands contradicts the rules." in found
    assert "is the first event where" not in found
    assert "e2 is the first event where the record and the rules disagree." in page(game_of(claim("day")), "markdown")


def test_many_findings():
    """Of 230 findings 20 are explained, 200 have a sentence each, 10 are counted; of 20 findings none is left out."""
    game = game_of(*[claim("day")] * 230)
    found = document(game)
    assert (20, 200, 10) == (len(found["findings"]), len(found["further"]), found["beyond"])
    text = seen(page(game)).text
    assert "200 further findings, in short:" in text
    assert "10 more are not shown here; daynight audit shows them." in text
    few = seen(page(game_of(*[claim("day")] * 20))).text
    assert "further finding" not in few
    assert "not shown here" not in few


def test_marks_in_the_log():
    """In the log a wrong claim has "contradicts the rules", and one that may be right "possible, not certain"."""
    game = game_of(
        enter("w1", RUFFIAN), turn(1), claim("night"), doubt("Ana", 0, 1), turn(2, "Bo"), untap(), claim("day")
    )
    lines = page(game, "markdown").splitlines()
    assert [
        "- e4 Ana says: it is night **contradicts the rules**",
        "- e8 Ana says: it is day **possible, not certain**",
    ] == [line for line in lines if line.startswith(("- e4 ", "- e8 "))]


def test_sources_once():
    """If two findings have the same rule, only the first has its sources; the second says that they are above."""
    text = seen(page(game_of(*NIGHT, claim("day"), claim("day")))).text
    assert 1 == text.count("only what the previous turn's active player cast counts")
    assert 2 == text.count("The sources of this rule are listed above.")
    assert "listed above" not in seen(page(game_of(effect("day"), claim("night")))).text.partition("How it stands")[0]


def test_repairs():
    """For a disputed game the report has edits that would make every claim right, or says that none would."""
    disputed = game_of(effect("day"), turn(1), turn(2, "Bo"), untap(), claim("day"))
    assert "With one more spell by Ana in turn 1 every claim would be right." in seen(page(disputed)).text
    hints = document(disputed)["repairs"]["hints"]
    assert "cast" in [hint["kind"] for hint in hints]
    hopeless = game_of(claim("day"), claim("night"))
    assert "No single edit of the record would make every claim right." in seen(page(hopeless)).text
    exact = game_of(claim("neither"))
    assert document(exact)["repairs"] is None
    assert "What would make every claim right" not in sections(exact)
