"""A JSON key means the same in every command, and the answers of different commands agree.

| promise | test |
| --- | --- |
| `show`, the turns of a report and the flips of `stats` have the same changes as `replay` | test_agreed |
| `show`, `stats`, `report`, `list` and the picture count the same turns | test_agreed |
| `disputes` are cases before a judge; claims and rulings that differ are `differing` | test_agreed |
| the `outcome` of a dispute is its last ruling, closed or not | test_agreed, test_outcome |
| `what-if` lists the events of the parent whose claims and rulings differ | test_a_branch |
| a back-up does not undo a dispute | test_not_undone |
"""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.behaviour.games import ROOT, kept
from tests.rules.judges import back_up, opens, ruled, rules_on
from tests.rules.words import cast, doubt, effect, joined, restarted, started, turn, untap

HEAD_JUDGE = ROOT / "examples" / "games" / "head-judge.jsonl"

RECORDS = {
    "a ruling takes changes back": [
        started(), joined("neither", "day"), turn(4, skips=["untap"]), doubt("Ana", 0, 1), turn(5, "Bo"), untap(),
        ruled("neither"),
    ],
    "turns undone": [started(), turn(1), effect("day"), turn(2, "Bo"), turn(3), back_up(3), cast(), turn(2, "Bo")],
    "restarted": [started(), turn(1), effect("night"), restarted(), effect("day"), turn(1), turn(2, "Bo")],
}  # fmt: skip


def changes_agree(said: dict[str, Any]) -> None:
    changes = said["replay"]["changes"]
    assert changes == said["show"]["changes"]
    assert changes == [change for row in said["report"]["timeline"] for change in row["changes"]]
    assert sum(change["was"] != "neither" for change in changes) == said["stats"]["together"]["flips"]


def turns_agree(said: dict[str, Any]) -> None:
    turns = said["show"]["turns"]
    (drawn,) = re.findall(r"(\d+) turns? ·", said["picture"]["svg"])
    counted = [said["report"]["turns"], said["stats"]["together"]["turns"], int(drawn), said["list"]["totals"]["turns"]]
    assert [len(turns)] * 4 == counted
    told = {row["first"]: row for row in said["report"]["timeline"] if row["turn"]}
    assert [turn["event"] for turn in turns] == [*told]
    for each in turns:
        row = told[each["event"]]
        assert each["designation"] == (row["possible"][0] if len(row["possible"]) == 1 else None)
        assert each["changed"] == bool(row["changes"])
        assert each["spells"] == {player: row["spells"][player] for player in each["active"]}


def disputes_agree(said: dict[str, Any]) -> None:
    heard, carried = said["audit"]["disputes"], said["dispute show"]["disputes"]
    assert carried == said["report"]["disputes"]
    assert [(one["dispute"], one["outcome"]) for one in heard] == [(one["dispute"], one["outcome"]) for one in carried]
    differing = sum(not finding.get("undone") for finding in said["audit"]["findings"])
    (listed,) = said["list"]["games"]
    assert [differing] * 3 == [said["report"]["differing"], listed["differing"], said["list"]["totals"]["differing"]]
    assert not {"disputes"} & {*listed, *said["list"]["totals"]}


@pytest.mark.wide(but=2)
@pytest.mark.parametrize("name", [*RECORDS, "demo", "head-judge"])
def test_agreed(name, daynight, tmp_path):
    path: Any = {"demo": "demo", "head-judge": HEAD_JUDGE}.get(name)
    if path is None:
        path = kept(tmp_path / "g.jsonl", RECORDS[name])
    commands = ("replay", "show", "stats", "report", "audit", "dispute show", "picture")
    found = {command: daynight(*command.split(), path, "--json").documents[0] for command in commands}
    assert 0 == daynight("import", path, "--as", "g", "--db", tmp_path / "g.db").code
    found["list"] = daynight("list", "--json", "--db", tmp_path / "g.db").documents[0]
    changes_agree(found)
    turns_agree(found)
    disputes_agree(found)


def test_outcome(daynight, tmp_path):
    """An open dispute has the outcome of its ruling already; the outcome of a dispute without a ruling is null."""
    path = kept(tmp_path / "g.jsonl", [started(), opens("d1"), opens("d2"), rules_on("d1")])
    for command in ("audit", "dispute show"):
        (found,) = daynight(*command.split(), path, "--json").documents
        assert ["leave", None] == [one["outcome"] for one in found["disputes"]]


def test_not_undone(daynight):
    """The back-up to event 9 undoes events 10 to 14, but not the dispute in events 15 to 20: `report`, `picture` and
    `replay` each count 5 undone events."""
    (picture,) = daynight("picture", HEAD_JUDGE, "--json").documents
    (report,) = daynight("report", HEAD_JUDGE, "--json").documents
    assert [*range(10, 15)] == [event["event"] for event in report["log"]["events"] if event["undone"]]
    assert "5 events were undone by backing up." in picture["svg"]
    assert 5 == daynight("replay", HEAD_JUDGE).out.count("[undone]")


def test_a_branch(daynight):
    """`audits.record` of `what-if` has the parent's verdict and the number of the differing event."""
    (found,) = daynight("what-if", "demo", "--at", "turn:20", "--insert", "B casts 2", "--json").documents
    assert {"verdict": "disputed", "differs_at": [122]} == found["audits"]["record"]
