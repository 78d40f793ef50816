"""A report: its content about a game, and sections that are left out if they would be empty.

| promise | test |
| --- | --- |
| the verdict in one sentence | test_verdict |
| uncertain stretches, facts that would settle them, and the policy | test_uncertain, test_certain |
| acts of judges, and undone events | test_judges, test_no_judges |
| disputes with both sides, rulings, appeals, outcome | test_disputes, test_no_disputes |
| a branch has the event after which it parts, and the differences | test_branches, test_a_branch_of_another_game |
| the moment asked for | test_moment |
| all three formats have the same facts | test_three_forms |
| every format ends with the same sentence | test_foot |
| the keys of the JSON document are those of the guide | test_keys |
| the report of the real game has its story | test_the_story |
| a game is audited once, and its pictures use that audit | test_once |
"""

from __future__ import annotations

import re

import pytest

from daynight.framework.edits import insert
from daynight.game import Game
from daynight.projections.audit.audit import Auditor
from daynight.reports import BranchError, report
from daynight.rules.citations import EDITIONS, KEYS, cited
from tests.behaviour.games import CONTRACT, EVERY_TYPE
from tests.documents import GUIDES
from tests.reports.looking import NIGHT, document, game_of, markdown_text, page, sections, seen
from tests.rules.judges import appeals, argues, back_up, claim, closes, opens, ruled, rules_on
from tests.rules.words import cast, doubt, effect, joined, restarted, turn, untap
from tests.sampling import sampled

FOOT = "Derived from the log as recorded; the Head Judge decides."


@pytest.mark.parametrize("events, verdict, sentence", [
    ((), "unverified", "Unverified: no claim or ruling could be compared with the rules."),
    ((claim("neither"),), "exact", "Exact: every claim and ruling that can be settled agrees with the rules."),
    ((claim("day"),), "disputed", "Disputed: 1 claim or ruling contradicts the rules."),
    ((claim("day"), claim("night")), "disputed", "Disputed: 2 claims or rulings contradict the rules."),
    ((joined("day", "night"), claim("night")), "unverified",
     "Unverified: the record leaves open whether what was claimed is right."),
])  # fmt: skip
def test_verdict(events, verdict, sentence):
    """Each verdict (exact, disputed, unverified) is in the JSON, and its sentence in HTML and, in bold, in Markdown."""
    game = game_of(*events)
    assert verdict == document(game)["verdict"]
    assert sentence in seen(page(game)).text
    assert f"**{sentence}**" in page(game, "markdown")


def test_uncertain():
    """An uncertain stretch has its possibilities, the facts that would settle it, and the policy's answer."""
    game = game_of(*NIGHT[:2], doubt("Ana", 0, 1), *NIGHT[2:], claim("night"), cast("Bo"), effect("day"))
    found = document(game)
    (stretch,) = found["uncertain"]
    assert (6, 8, ["day", "night"]) == (stretch["first"], stretch["last"], stretch["possible"])
    assert {"rule": "MTR 4.9", "designation": "night"} == stretch["policy"]
    facts = stretch["unknowns"]["unknown"][0]["facts"]
    assert [(["night"], True), (["day"], True)] == [(fact["possible"], fact["settles"]) for fact in facts]
    assert [7] == [one["event"] for one in found["unsettled"]]
    text = seen(page(game)).text
    for words in (
        "From e6 to e8 it may be day or night.",
        "e4: Ana perhaps cast 1 more spell Ana cast exactly 0 more spells night",
        "Ana cast exactly 1 more spell day",
        "day; w1: front face",
        "night; w1: back face",
        "Policy, not derived: where nobody can tell, the judge assumes night (MTR 4.9).",
        "What was claimed here may be right, and may be wrong:",
    ):
        assert words in text


@pytest.mark.wide
def test_many_uncertain_stretches():
    """Of 14 uncertain stretches ten are printed, and the other 4 are counted."""
    doubts = []
    for number in range(1, 15):
        doubts += [
            turn(2 * number, skips=["untap"]), doubt("Ana", 0, 1), turn(2 * number + 1, "Bo"), untap(), effect("day"),
        ]  # fmt: skip
    game = game_of(effect("day"), *doubts)
    assert 10 == len(document(game)["uncertain"])
    assert "4 more stretches of the game are uncertain." in seen(page(game)).text


def test_certain():
    """A game without uncertainty has no section "What the record leaves open", and no policy."""
    game = game_of(*NIGHT)
    assert "What the record leaves open" not in sections(game)
    assert "Policy" not in seen(page(game)).text


def test_judges():
    """Each ruling has its agreement with the rules, and a back-up the events that it undid."""
    game = game_of(*NIGHT, ruled("night"), ruled("day"), claim("day"), back_up(6))
    found = document(game)
    assert [(6, "agrees", False), (7, "differs", True), (9, "backs-up", False)] == [
        (act["event"], act["agreement"], act["undone"]) for act in found["judges"]
    ]
    assert [{"first": 7, "last": 8, "by": 9}] == found["undone"]
    text = seen(page(game)).text
    assert "e9 took back what came from e7 to e8. [undone]" in text
    assert "they agree" in text
    assert "they give another answer; the ruling stands" in text
    unsure = game_of(joined("day", "night"), ruled("night"))
    assert ["open"] == [act["agreement"] for act in document(unsure)["judges"]]
    one = game_of(turn(1), cast(), back_up(2))
    assert "e4 took back e3. [undone]" in seen(page(one)).text


def test_what_was_undone_is_not_in_the_course():
    """The last turn of the timeline has neither the ruling nor the cast that a back-up undid; the log has both."""
    game = game_of(*NIGHT, ruled("day"), cast("Bo"), back_up(5))
    found = document(game)
    last = found["timeline"][-1]
    assert ([5], ["night"], {"Ana": 0, "Bo": 0}) == (
        [change["event"] for change in last["changes"]], last["possible"], last["spells"]
    )  # fmt: skip
    assert {6: "Jo rules: it is day", 7: "Bo casts a spell"} == {
        line["event"]: line["sentence"] for line in found["log"]["events"] if line["undone"]
    }


def test_no_judges():
    """Without acts of judges there is no section for them; a back-up that undid nothing is in it, without events."""
    assert "What the judges did" not in sections(game_of(*NIGHT))
    game = game_of(turn(1), back_up(2))
    assert "What the judges did" in sections(game)
    assert [] == document(game)["undone"]
    assert "took back" not in page(game)


def test_disputes():
    """A dispute has each side's statement and if it agrees, the derived state, ruling, appeal and outcome."""
    game = game_of(
        *NIGHT, opens(about=5), argues(designation="day", says="we played by day"), argues(designation="night"),
        rules_on(outcome="fix", designation="day"), appeals(), rules_on(outcome="back-up", to=4), back_up(4),
        closes(outcome="back-up"),
    )  # fmt: skip
    (dispute,) = document(game)["disputes"]
    assert [False, True] == [claim["agrees"] for claim in dispute["claims"]]
    assert ("back-up", 13) == (dispute["outcome"], dispute["closed"])
    text = seen(page(game)).text
    for words in (
        "Dispute d1", "day: we played by day contradicts the rules", "night agrees with the rules",
        "appeals the ruling",
        "ruling: fix the game where it stands; day the rules do not agree: by them it is night",
        "back to e4; carried out by e12",
        "It has been night since event 5",
    ):  # fmt: skip
        assert words in text


def test_no_disputes():
    """Without disputes there is no section about them; a dispute that is not closed is "still open"."""
    assert "Disputes: cases called to a judge" not in sections(game_of(*NIGHT))
    assert "called to a judge" not in page(game_of(*NIGHT))
    assert "still open" in page(game_of(*NIGHT, opens()))


def test_branches():
    """A branch has the event after which it parts, both verdicts, and the designations that differ."""
    game = game_of(*NIGHT, claim("day"))
    branch = Game(game.branch(insert(3, "ana casts"), name="one more").record())
    (found,) = document(game, branches=[("b.jsonl", branch)])["branches"]
    assert ("one more", "b.jsonl", 3, True, "exact") == tuple(
        found[key] for key in ("name", "file", "parted", "fits", "verdict")
    )
    text = seen(page(game, branches=[("b.jsonl", branch)])).text
    assert "disputed (1) / exact (0)" in text
    assert "e6 / e7 night / day" in text
    assert "Parts after e3" in text
    assert "it was made from another" not in text
    assert "What if" not in " ".join(sections(game))
    same = Game(game.branch(insert(3, "ana copies Opt")).record())
    assert "Nothing differs at the end of any turn." in seen(page(game, branches=[("b.jsonl", same)])).text


def test_a_branch_of_another_game():
    """A game that is no branch, or a branch of another game, or that parts after the end, raises BranchError.

    If the record has changed since, `fits` is False and the report says so.
    """
    game = game_of(*NIGHT, claim("day"))
    elsewhere = Game([CONTRACT[0] | {"game": "other"}, *CONTRACT[1:]])
    for wrong, sentence in (
        (game_of(*NIGHT), "b: its first line does not say what it was branched from"),
        (Game(elsewhere.branch(insert(3, "ana casts")).record()), "b: it was branched from 'other', not from 'g1'"),
        (Game(game_of(*NIGHT, *NIGHT[1:2] * 0, *[cast()] * 9).branch(insert(None, "ana casts")).record()),
         "b: it parts after event 14; 'g1' has events 1 to 6"),
    ):  # fmt: skip
        with pytest.raises(BranchError, match=re.escape(sentence)):
            report(game, branches=[("b", wrong)])
    changed = game_of(*NIGHT[:2], cast(), *NIGHT[2:])
    branch = Game(game.branch(insert(5, "ana casts")).record())
    assert [False] == [one["fits"] for one in document(changed, branches=[("b", branch)])["branches"]]
    assert "it was made from another" in seen(page(changed, branches=[("b", branch)])).text


def test_moment():
    """`moment` is at `at` or else at the end, and its heading says which; the verdict is of the whole record."""
    game = game_of(*NIGHT, claim("day"))
    found = document(game, at="e3")
    assert (3, True, "day") == (
        found["moment"]["event"],
        found["moment"]["asked"],
        found["moment"]["why"]["designation"],
    )
    assert (1, []) == (found["differing"], found["disputes"])
    assert "The moment asked for" in sections(game, at="e3")
    assert "How it stands at the end" not in sections(game, at="e3")
    found = document(game)
    assert (6, False) == (found["moment"]["event"], found["moment"]["asked"])
    assert "How it stands at the end" in sections(game)


def test_no_permanents():
    """If there are no permanents, the report says so, and has no table of them."""
    heading = '<th scope="col">permanent'
    empty, full = page(game_of(turn(1))), page(game_of(*NIGHT))
    assert ("No permanents are recorded on the battlefield." in empty, heading in empty) == (True, False)
    assert ("No permanents" in full, heading in full) == (False, True)


@pytest.mark.wide(but=2)
@pytest.mark.parametrize("game", [game_of(*NIGHT, claim("day")), Game(EVERY_TYPE), Game.load("demo"), game_of()])
def test_three_forms(game):
    """HTML and Markdown have the sentence of every event, consequence and finding that the JSON has."""
    html, text, found = seen(page(game)).text, markdown_text(page(game, "markdown")), document(game)
    for line in found["log"]["events"]:
        for words in (line["sentence"], *line["consequences"]):
            assert words in html
            assert words in text
    assert len(game) == len(found["log"]["events"])
    for finding in found["findings"]:
        assert finding["sentence"][1:] in html
        assert finding["sentence"][1:] in text


def test_undone_in_the_log():
    """An undone event has "[undone]" in HTML and Markdown, and `undone` in JSON."""
    game = game_of(*NIGHT, cast("Bo"), back_up(5))
    assert "e6 Bo casts a spell [undone]" in seen(page(game)).text
    assert r"- e6 Bo casts a spell \[undone\]" in page(game, "markdown")
    assert [6] == [line["event"] for line in document(game)["log"]["events"] if line["undone"]]


def test_foot():
    """HTML, Markdown and JSON (`foot`) end with the sentence that the Head Judge decides."""
    game = game_of(restarted())
    assert FOOT == document(game)["foot"]
    assert FOOT in "".join(seen(page(game)).text[-200:])
    assert FOOT in page(game, "markdown").splitlines()[-4:]


def test_keys():
    """The top-level keys of the JSON are exactly those in the guide."""
    guide = (GUIDES / "reference" / "report.md").read_text(encoding="utf-8")
    first = [row.split("|")[1] for row in guide.splitlines() if row.startswith("| `")]
    documented = [key for cell in first for key in re.findall("`([a-z_]+)`", cell)]
    game = game_of(*NIGHT, opens(), claim("day"), ruled("day"), doubt("Ana", 0), back_up(3))
    assert sorted(documented) == sorted(document(game))


@pytest.mark.parametrize("edition", sampled(EDITIONS, 6))
def test_editions(edition):
    """A finding cites its rule by the given edition; a rule has sources exactly if it has a number in that edition."""
    from daynight.questions.explain import sources_for

    found = document(game_of(*NIGHT, claim("day")), edition=edition)
    assert edition == found["edition"]
    assert cited("check-day", edition) == found["findings"][0]["cr"]
    for key in KEYS:
        assert bool(cited(key, edition)) is bool(sources_for(key, edition)), key


def test_the_story():
    """The demo's report has, in this order, the sentences that explain the wrong face of Brutal Cathar at event 122."""
    text = seen(page(Game.load("demo"))).text
    told = [
        "Disputed: 1 claim or ruling contradicts the rules.",
        "wagic shows the front face of Brutal Cathar (brutal-cathar-2), at event 122.",
        "The rules give another answer: back face.", "e122 is the first event where the record and the rules disagree.",
        "It entered at event 121 while it was night", "daybound-enters, CR 702.145b in the edition of 2024-06-07",
        "e121: Brutal Cathar (brutal-cathar-2): back face, Moonrage Brute; it entered at night, and has daybound",
        "its front face's enters ability exiled Goblin Goon",
        "It has been night since event 106, turn 19: Seat B, active in turn 18, cast no spell in it (CR 728.2a).",
        "With 2 more spells by Seat B in turn 20 it would be day.",
        "e149: it becomes day: Seat A, active in turn 23, cast two or more spells in it (CR 728.2b); Moonrage Brute",
        "Had an effect made it day in turn 21, after event 121, every claim would be right.", "Made by daynight",
    ]  # fmt: skip
    at = 0
    for words in told:
        assert words in text[at:], words
        at = text.index(words, at)


def test_once(monkeypatch):
    """`report` audits the given game exactly once; for the repair hints it may audit edited games too."""
    audited = []
    audit = Auditor.game
    monkeypatch.setattr(Auditor, "game", lambda auditor, game: audited.append(game.events) or audit(auditor, game))
    game = Game.load("demo")
    report(game)
    assert [game.events] == [events for events in audited if events == game.events]
