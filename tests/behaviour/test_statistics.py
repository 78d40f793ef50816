"""Assumptions and statistics: turns of day and night in recorded games.

| promise | test |
| --- | --- |
| a turn counts with its final designation; only changes between day and night are flips | test_counted |
| casts are those of the active player, and uncertain ones are not guessed | test_casts |
| a shared turn counts the casts of the active player who cast most | test_teams |
| undone turns do not count, and a restart ends a turn | test_undone, test_restarted |
| an assumption has the effect of an event at the beginning that sets the designation | test_as_by_an_effect |
| nothing is assumed if the record states the first designation | test_only_neither |
| an audit with an assumption keeps the event numbers, and names the assumption | test_audit |
| neither cannot be assumed | test_nothing_to_assume |
| several games are added up | test_together |
| the naive count of every example agrees | test_naive |
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from daynight.events.terms import Designation
from daynight.framework.edits import insert
from daynight.game import Game
from daynight.projections.audit.audit import Auditor
from daynight.projections.statistics import Counting, Statistics, together
from daynight.records import Record
from daynight.referee.assumption import assuming
from tests.behaviour.games import kept
from tests.rules.judges import back_up, claim
from tests.rules.placing import enter
from tests.rules.words import cast, doubt, effect, joined, restarted, started, turn, untap

NEITHER, DAY, NIGHT = Designation.NEITHER, Designation.DAY, Designation.NIGHT
EXAMPLES = sorted((Path(__file__).resolve().parents[2] / "examples" / "games").glob("*.jsonl"))


def counted(
    tmp_path: Path, *events: Any, assume: Designation | None = None, players: tuple[str, ...] = (), **begun: Any
) -> Statistics:
    """Return the statistics of a record of game-started, with `players` and `begun`, and `events`, under `assume`."""
    path = kept(tmp_path / "g.jsonl", [started(*players, **begun), *events])
    return Counting(assume=assume).record(Record(path))


def test_counted(tmp_path):
    found = counted(
        tmp_path, turn(1), cast(), turn(2, "Bo"), untap(), enter("w1"), turn(3), untap(), turn(4, "Bo"), untap(),
        cast("Bo"), cast("Bo"), turn(5), untap(),
    )  # fmt: skip
    assert (5, 2, 3) == (found.turns, found.flips, found.spells)
    assert {NEITHER: 1, DAY: 2, NIGHT: 2} == found.shares
    assert (0.4, 0.0) == (found.share(NIGHT), found.share(None))
    assert 0.0 == counted(tmp_path).share(DAY)


def test_casts(tmp_path):
    found = counted(
        tmp_path, turn(1), cast(), cast("Bo"), turn(2, "Bo"), cast("Bo"), cast("Bo"), cast("Bo"), turn(3),
        doubt("Ana", 0, 1), turn(4, "Bo"), cast("Bo"), cast("Bo"), doubt("Bo", 0, 3), turn(5), doubt("Bo", 0, None),
    )  # fmt: skip
    assert {0: 1, 1: 1, 2: 2, None: 1} == found.casts
    assert 7 == found.spells


def test_doubts(tmp_path):
    """`spells` counts only spell-cast events, as the list of games does; `casts` also what spells-uncertain settles."""
    found = counted(tmp_path, turn(1), cast(), doubt("Ana", 2), doubt("Bo", 1, 1), turn(2, "Bo"), doubt("Bo", 1, 1))
    assert (2, {2: 1, 1: 1}, 1) == (found.turns, found.casts, found.spells)


def test_teams(tmp_path):
    found = counted(
        tmp_path, turn(1, "Ana", "Bo"), cast("Ana"), cast("Bo"), turn(2, "Cy", "Di"), cast("Di"), cast("Di"),
        players=("Ana", "Bo", "Cy", "Di"), teams=[["Ana", "Bo"], ["Cy", "Di"]],
    )  # fmt: skip
    assert {1: 1, 2: 1} == found.casts


def test_undone(tmp_path):
    """A back-up from turn 3 to turn 1 undoes turns 2 and 3: only turn 1, which goes on, and turn 4 count."""
    found = counted(tmp_path, turn(1), effect("day"), turn(2, "Bo"), untap(), turn(3), back_up(3), cast(), turn(4))
    assert (2, {DAY: 2}, {0: 1, 1: 1}) == (found.turns, found.shares, found.casts)
    assert (0, 1) == (found.flips, found.spells)


def test_restarted(tmp_path):
    found = counted(tmp_path, turn(1), effect("night"), restarted(), turn(1), assume=DAY)
    assert ({NIGHT: 1, DAY: 1}, 1) == (found.shares, found.flips)


def without_numbers(path: Path) -> bool:
    """Return whether a record has no restart and does not begin midway: both would override the inserted effect."""
    data = path.read_bytes()
    return b"game-restarted" not in data and b"game-joined" not in data


@pytest.mark.parametrize("assumed", [DAY, NIGHT])
@pytest.mark.parametrize("path", [path for path in EXAMPLES if without_numbers(path)], ids=lambda path: path.stem)
def test_as_by_an_effect(tmp_path, path, assumed):
    """An assumption gives the same counts as an effect that sets the designation, inserted after the first line."""
    branch = Game.load(path).branch(insert(1, {"type": "effect-resolved", "becomes": assumed.value}))
    other = tmp_path / "other.jsonl"
    branch.game.save(other)
    mine, theirs = Counting(assume=assumed).record(Record(path)), Counting().record(Record(other))
    assert (theirs.turns, theirs.flips, theirs.spells) == (mine.turns, mine.flips, mine.spells)
    assert (theirs.shares, theirs.casts) == (mine.shares, mine.casts)
    assert 0 == mine.shares[NEITHER]


def test_only_neither(tmp_path):
    found = counted(tmp_path, joined("night"), turn(7), assume=DAY)
    assert {NIGHT: 1} == found.shares
    found = counted(tmp_path, joined("neither", "night"), turn(7), assume=DAY)
    assert {None: 1} == found.shares
    found = counted(tmp_path, turn(1), effect("night"), turn(2, "Bo"), assume=DAY)
    assert {NIGHT: 2} == found.shares


def test_audit(tmp_path):
    """Assumed day, and no cast: it becomes night in turn 2; the claim at event 6 is right, that at event 3 wrong."""
    path = kept(tmp_path / "g.jsonl", [started(), turn(1), claim("night"), turn(2, "Bo"), untap(), claim("night")])
    found = Auditor(assume=DAY).record(Record(path))
    assert ([3], 6, DAY) == ([finding.event for finding in found.findings], found.settled, found.assumed)
    assert found.findings[0].sentence.endswith(
        "It has been day since event 1: it is assumed to have been so; the record does not say it."
    )
    assert ("assumed", [1]) == (found.findings[0].rule, list(found.findings[0].because))
    assert "day" == found.document()["assumed"]
    plain = Auditor().record(Record(path))
    assert [3, 6] == [finding.event for finding in plain.findings]
    assert "assumed" not in plain.document()


def test_nothing_to_assume():
    with pytest.raises(ValueError, match="nothing to assume"):
        assuming(NEITHER)


def test_together():
    one, other = (Counting().record(Record(path)) for path in EXAMPLES[:2])
    sums = together([one, other])
    assert (2, one.turns + other.turns, one.flips + other.flips) == (sums.games, sums.turns, sums.flips)
    assert one.shares + other.shares == sums.shares
    assert (0, 0, None) == (together([]).games, together([]).turns, together([]).assumed)
    assert json.dumps(sums.document())


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_naive(path):
    """The numbers of turns and of nights equal a naive count over the last moment of each turn that was not undone."""
    game = Game.load(path)
    ended: dict[int, Designation | None] = {}
    began = 0
    for moment, state in game.walk():
        if not game.stands(moment.number) and moment.restores is None:
            continue
        if type(moment.event).__name__ == "TurnBegan":
            began = moment.number
        if moment.restores is not None:
            ended = {number: value for number, value in ended.items() if number <= moment.restores}
            began = max(ended, default=0)
        if began:
            ended[began] = state.designation
    found = Counting().record(Record(path))
    assert [*ended.values()].count(NIGHT) == found.shares[NIGHT]
    assert (len(ended), len(ended)) == (found.turns, sum(found.shares.values()))
