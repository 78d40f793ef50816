"""Doubts in a record: cards that the importer of its log did not know.

| promise | test |
| --- | --- |
| the audit, `why` and the report name doubts in a sentence, and as JSON | test_told |
| a record without doubts says nothing | test_no_doubt |
| an undone event leaves no doubt; `why` considers earlier events only | test_undone, test_before |
| any content of `meta` is accepted; only card numbers in it are doubts | test_odd_meta |
| of many cards the sentence gives the count and five names | test_many |
| `why` for a stored game equals that for a file, also many turns later | test_long_ago |
"""

from __future__ import annotations

import pytest

from daynight import Game
from daynight.framework.language.codec import encode_lines
from daynight.games import Store
from daynight.projections.audit.audit import Auditor
from daynight.projections.audit.doubts import MOST, doubts
from daynight.records import Record
from daynight.reports.markdown import markdown
from daynight.reports.report import report
from daynight.reports.telling import page

SAID = (
    "The importer did not know 1 card, Arena's number 999001, first seen in event 3; if it has to do with day and"
    " night, what is derived here may be wrong."
)


def game(*metas, importer="arena"):
    """Return a game with a cast for each of `metas`, from event 3 on, and then a claim that it is day; line 1 names
    `importer`."""
    players = ["Ana", "Bo"]
    made = Game([{"type": "game-started", "format": 1, "game": "g1", "players": players, "meta": {importer: {}}}])
    made.record({"type": "turn-began", "turn": 1, "active": ["Ana"]})
    for meta in metas:
        made.record({"type": "spell-cast", "player": "Ana", "card": "grpId 1", **({"meta": meta} if meta else {})})
    made.record({"type": "designation-claimed", "designation": "day", "by": "arena"})
    return made


def unknown(*cards):
    return {"arena": {"unknown": list(cards)}, "source": {"line": 3}}


def test_told(daynight, tmp_path):
    """`audit`, `why` and the report have the sentence, for a game in memory and a file; JSON has the numbers too."""
    made = game(unknown(999_001))
    path = tmp_path / "g1.jsonl"
    path.write_bytes(encode_lines(made.events))
    assert SAID == made.audit().doubts.sentence == Auditor().record(Record(path)).doubts.sentence
    assert {"names": [], "unknown": [999_001], "because": [3], "sentence": SAID} == made.audit().document()["doubts"]
    assert made.why().sentence.endswith(SAID)
    assert SAID in daynight("audit", str(path)).out.replace("\n", " ")
    assert SAID in daynight("why", str(path), "--at", "4").out.replace("\n", " ")
    assert SAID == report(made).document()["doubts"]["sentence"]
    assert "Unknown cards" in markdown(page(report(made)))


def test_long_ago(daynight, tmp_path):
    """300 turns later `why` still names an unknown card, for a file and a store; it names no card that was known."""
    for card, in_doubt in (("Glum Wolf", True), ("Storm Crow", False)):
        meta = {"meta": {"typed": {"unknown": [card]}}} if in_doubt else {}
        made = Game.start("g1", ["Ana", "Bo"])
        made.record({"type": "turn-began", "turn": 1, "active": ["Ana"]})
        arrived = {"id": "w1", "card": card, "controller": "Ana", "double_faced": False, "front": {}}
        made.record({"type": "permanents-entered", "permanents": [arrived], **meta})
        for number in range(2, 302):
            made.record({"type": "turn-began", "turn": number, "active": ["Bo" if number % 2 == 0 else "Ana"]})
        path, place = tmp_path / f"{in_doubt}.jsonl", tmp_path / f"{in_doubt}.db"
        path.write_bytes(encode_lines(made.events))
        with Store.open(place) as store:
            store.import_record(Record(path))
        of_file, stored = daynight("why", str(path)).out, daynight("why", "db:g1", "--db", str(place)).out
        assert [in_doubt, in_doubt] == ["Glum Wolf" in told for told in (of_file, stored)]


def test_no_doubt():
    made = game({"source": {"line": 3}})
    assert not made.audit().doubts
    assert "doubts" not in made.audit().document()
    assert "importer" not in made.why().sentence
    assert report(made).document()["doubts"] is None


def test_undone(tmp_path):
    """A back-up to event 3 undoes the cast of card 8, so only card 7 of event 3 is a doubt."""
    made = game(unknown(7), unknown(8), None)
    made.record({"type": "game-backed-up", "to": 3, "by": "arena"})
    path = tmp_path / "g1.jsonl"
    path.write_bytes(encode_lines(made.events))
    for found in (made.audit().doubts, Auditor().record(Record(path)).doubts, doubts(made)):
        assert {7: 3} == found.cards


def test_before():
    """`why` names no doubt at event 3, but one at event 4, where the unknown card is seen."""
    made = game(None, unknown(7))
    assert "importer" not in made.why(3).sentence
    assert "importer" in made.why(4).sentence


@pytest.mark.parametrize("meta", [
    {"arena": 7}, {"arena": []}, {"arena": {"unknown": 7}}, {"arena": {"unknown": {"7": 7}}},
    {"arena": {"unknown": ["7", True, None, -1, 0, 1.5, 2**31, [7]]}},
])  # fmt: skip
def test_odd_meta(meta):
    assert not game(meta).audit().doubts
    assert not doubts(game(meta))


def test_of_another_importer():
    """A record has such doubts only if its line 1 says that it comes from Arena."""
    made = game(unknown(7), importer="forge")
    assert not made.audit().doubts
    assert not doubts(made)


def test_many():
    made = game(unknown(*range(1, 8)))
    assert "did not know 7 cards, Arena's numbers 1, 2, 3, 4, 5 and others, first" in made.audit().doubts.sentence
    assert "Arena's numbers 1, 2, first" in game(unknown(1, 2)).audit().doubts.sentence
    assert MOST == len(game(unknown(*range(1, 3 * MOST))).audit().doubts.cards)
