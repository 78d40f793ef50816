"""The turns of a corpus, and the verdicts on its games, as the table of turns and the audit give them.

| promise | test |
| --- | --- |
| the rows of every game, plain or not, are those of `game.table("turn")` | test_the_table_says_the_same |
| undone turns have rows too, which are marked | test_what_was_undone |
| verdict, findings and unsettled claims are counted as by the audit, without undone ones | test_verdicts |
| a wrong claim that rests on an unknown card, named in `meta`, is unsettled | test_doubts |
"""

import json
from collections import Counter

import pytest

from daynight.corpus.judging.ordinary import Ordinary
from daynight.corpus.reading import microseconds
from daynight.events.terms import Designation
from daynight.game import Game
from daynight.projections.turns import stretches
from daynight.records import Held
from examples.league import game as league_game
from tests.behaviour.games import EVERY_TYPE, lines
from tests.oracle.walks import random_walk
from tests.rules import judges, placing, words
from tests.sampling import few_or_all

from .both import gathered
from .edges import edge


def word(possible):
    """The one possible designation, or `uncertain` if there are several."""
    return possible[0].value if len(possible) == 1 else "uncertain"


def told(game):
    """The rows of `game.table("turn")` in the form of the table `turns` of a corpus."""
    found, players = [], game.state.players
    changes = {change.event: [] for change in game.state.timeline.changes}
    for change in game.state.timeline.changes:
        changes[change.event].append(change.was is not Designation.NEITHER)
    for row in game.table("turn"):
        found.append({
            "turn": row["turn"], "event": row["event"], "last": row["last"],
            "active": [players.index(name) for name in row["active"]],
            "began": word(game.at(row["event"]).possible), "ended": word(row["possible"]),
            "flips": sum(changes[event].count(True) for event in {*row["changes"]}),
            "casts": sum(least for least, _most in row["spells"].values()), "active_casts": row["casts"],
            "undone": False,
        })  # fmt: skip
    return found


def rows(several):
    """For each game its rows of the table `turns`, without the game's number."""
    found = [[] for _game in several]
    for row in gathered(several)[1]["turns"].to_pylist():
        found[row.pop("game")].append(row)
    return found


@pytest.mark.parametrize("count", few_or_all(16, 3_000))
def test_the_table_says_the_same(count):
    """The rows of `turns` that are not undone are those of `game.table("turn")`; all are in the order of events."""
    several = [edge(seed) for seed in range(count)] + [random_walk(seed, 40) for seed in range(count)] + [EVERY_TYPE]
    kinds = Counter(found.plain for found in gathered(several)[0])
    assert min(kinds.values()) > count / 4
    for events, found in zip(several, rows(several), strict=True):
        assert [row for row in found if not row["undone"]] == told(Game(events)), events
        assert [row["event"] for row in found] == sorted(row["event"] for row in found)


def test_what_was_undone():
    """An undone turn has a row with `undone`; so has the undone end of a turn that is otherwise not undone."""
    events = [
        words.started(), words.turn(1), placing.enter("w"), words.cast("Ana"), words.turn(2), words.turn(3),
        judges.back_up(3), words.turn(2),
    ]  # fmt: skip
    (found,) = rows([events])
    undone = [(row["turn"], row["event"], row["last"]) for row in found if row["undone"]]
    assert undone == [(1, 4, 4), (2, 5, 5), (3, 6, 6)]
    assert undone == [(part.number, part.first, part.last) for part in stretches(Game(events)) if part.undone]
    assert [(row["turn"], row["event"], row["casts"]) for row in found if not row["undone"]] == [
        (0, 1, 0), (1, 2, 0), (2, 8, 0),
    ]  # fmt: skip


@pytest.mark.parametrize("count", few_or_all(30, 3_000))
def test_verdicts(count):
    """Verdict, findings and unsettled of `games` are those of the ordinary audit."""
    several = [edge(seed, 6 * (seed % 10)) if seed % 3 else random_walk(seed, 40) for seed in range(count)]
    seen = Counter()
    for events, row in zip(several, gathered(several)[1]["games"].to_pylist(), strict=True):
        audit, _counts = Ordinary().judged(Held("", lines(events)))
        open_ = [one for one in audit.unsettled if not one.undone]
        assert (row["verdict"], row["findings"], row["unsettled"]) == (
            audit.verdict, len(audit.disputes), len(open_),
        ), events  # fmt: skip
        seen[row["verdict"]] += 1
    assert len(seen) == 3


def test_doubts():
    """A claim in a plain game that contradicts the rules is unsettled if it depends on an unknown card."""
    arrives = placing.enter("w", {"card": "Glum Wolf"}) | {"meta": {"typed": {"unknown": ["Glum Wolf"]}}}
    events = [words.started(), words.turn(1), arrives, judges.claim("day")]
    games = gathered([events, [events[0], events[1], events[3]]])[1]["games"].to_pylist()
    assert [(row["plain"], row["verdict"], row["findings"], row["unsettled"]) for row in games] == [
        (True, "unverified", 0, 1), (True, "disputed", 1, 0),
    ]  # fmt: skip


@pytest.mark.parametrize("at,expected", [
    ("2024-06-07T19:30:00Z", 1717788600_000_000), ("2024-06-07 19:30:00z", 1717788600_000_000),
    ("2024-06-07t21:30:00.5+02:00", 1717788600_500_000), ("2024-06-07T19:30:00.123456789-00:30", 1717790400_123_456),
    ("2016-12-31T23:59:60Z", 1483228800_000_000), ("1969-12-31T23:59:59.999999Z", -1),
    ("0000-02-29T00:00:00Z", None), ("0001-01-01T00:00:00+00:01", None), ("9999-12-31T23:59:59-00:01", None),
])  # fmt: skip
def test_when_a_game_started(at, expected):
    """`started` is line 1's time in UTC, in microseconds; null for a year that `datetime` does not support."""
    assert microseconds(at) == expected
    (row,) = gathered([[words.started() | {"at": at}]])[1]["games"].select(["at", "started"]).to_pylist()
    assert row["at"] == at
    assert (None if row["started"] is None else round(row["started"].timestamp() * 1_000_000)) == expected


def test_a_league():
    """For games that the program examples/league.py writes, `turns` has the rows of `game.table("turn")`."""
    from random import Random

    for seed in range(5):
        data = league_game(seed, Random(seed), odd=bool(seed % 2), wrong=True)
        events = [json.loads(line) for line in data.splitlines()]
        assert rows([events]) == [told(Game(events))]
