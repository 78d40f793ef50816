"""Nine real sessions: each turn's casts and each problem, compared with the counts of an independent reader.

The sessions lie beside this project, in ../shared/arena-logs; without them these tests are skipped.

| promise | test |
| --- | --- |
| each turn's casts by the active and the other player are right; no game is missing | test_tallies |
| the right numbers of undos, gaps and truncations are reported | test_troubles, test_undone |
| reader and referee accept every event; each names its line and how it is known | test_taken |
| a log without detailed messages says which setting to switch on | test_detailed_logs_off |
| no other games are found | test_no_other_games |
| each session is recognised by its first bytes | test_detected |
| each of several games of a file or match has its winner, also in Brawl | test_winners |
| a log that has grown gives the same events as before, and more | test_grown |
"""

import gzip
import io
import json
from functools import cache

import pytest

from daynight.events import GameEnded, SpellCast, SpellsUncertain, TurnBegan
from daynight.events.language import decode
from daynight.framework.language.codec import encode, encode_lines
from daynight.framework.language.errors import UnreadableError
from daynight.game import Game
from daynight.importers.arena.log import IMPORTER
from daynight.importers.importing import Import
from daynight.importers.registry import detected
from daynight.importers.sources import Source

from .conftest import SESSIONS, Read, needs_sessions

pytestmark = needs_sessions


def expected():
    """Return the independent reader's counts, one dictionary for each game; an empty list without the sessions."""
    path = SESSIONS / "expected-tallies.json"
    return json.loads(path.read_bytes()) if path.exists() else []


EACH = pytest.mark.parametrize(
    "game",
    [pytest.param(game, id=f"{game['file'][8:40]}-{game['match'][:8]}-{game['game']}") for game in expected()]
    or [None],
)


@cache
def imported(file):
    """Return the games of a session, and the import's report."""
    running = Import(IMPORTER)
    with (SESSIONS / file).open("rb") as stream:
        games = list(running.games([Source(file, stream)]))
    return Read(games, running.report)


@cache
def lines_of(file):
    return gzip.decompress((SESSIONS / file).read_bytes()).count(b"\n") + 1


def found(game):
    return {one.name: one for one in imported(game["file"]).games}[f"{game['match']}-G{game['game']}"]


def tallies(events):
    """Return, by turn number, a list of the active player, the number of their casts, and that of the others' casts."""
    turns, turn = {}, 0
    for event in events:
        if isinstance(event, TurnBegan):
            turn = event.turn
            turns[turn] = [event.active[0], 0, 0]
        elif isinstance(event, SpellCast):
            turns[turn][1 if event.player == turns[turn][0] else 2] += 1
    return turns


@pytest.mark.wide(but=3)
@EACH
def test_tallies(game):
    """Each turn's casts equal the independent count; the count's turn 0, before Arena numbers turn 1, is added to turn
    1."""
    counted = {}
    for turn, (seat, active, others) in game["turns"].items():
        entry = counted.setdefault(max(int(turn), 1), [f"Seat {seat}", 0, 0])
        assert f"Seat {seat}" == entry[0]
        entry[1] += active
        entry[2] += others
    assert counted == tallies(found(game).events)


def test_no_other_games():
    """No game is found that the independent reader did not count."""
    files = {game["file"] for game in expected()}
    games = sorted((game["file"], f"{game['match']}-G{game['game']}") for game in expected())
    assert games == sorted((file, game.name) for file in files for game in imported(file).games)


@EACH
def test_troubles(game):
    """Gaps and truncation are as counted; each gap makes the spells of both players uncertain."""
    one = found(game)
    assert game["complete"] is one.report.ended
    assert game["gaps"] == one.report.warnings.get("gap", 0)
    assert ({"truncated": 1} if not game["complete"] else {}).items() <= one.report.warnings.items()
    assert 2 * game["gaps"] == sum(isinstance(event, SpellsUncertain) for event in one.events)
    assert {"gap", "truncated"} >= set(one.report.warnings)


def test_undone():
    """The number of reported undos is right in each file."""
    for file in {game["file"] for game in expected()}:
        undos = sum(game["undos"] for game in expected() if game["file"] == file)
        assert undos == imported(file).kinds.get("undone", 0)


@pytest.mark.wide(but=3)
@EACH
def test_taken(game):
    """Strict reader and referee accept every event, and each has its line and how certain it is."""
    events = found(game).events
    assert events == [decode(encode(event)) for event in events]
    assert len(events) == len(Game(events))
    assert all(0 < event.meta["source"]["line"] <= lines_of(game["file"]) for event in events)
    assert {"stated", "inferred", "doubtful"} >= {event.meta["source"]["confidence"] for event in events}


def test_winners():
    """Each game of a match has its own winner, and a game of Brawl has one; players are named by Arena's seats."""
    games = imported("session_2026-06-17_1858_pioneer-ranked-bo3.log.gz").games
    assert [("Seat 1",), ("Seat 1",)] == [game.events[-1].winner for game in games]
    (brawl,) = imported("session_2026-06-17_1708_brawl.log.gz").games
    assert GameEnded(winner=("Seat 2",), meta=brawl.events[-1].meta) == brawl.events[-1]
    assert "GameVariant_Brawl" == brawl.events[0].meta["arena"]["variant"]


def test_detailed_logs_off():
    """UnreadableError names the line that says that detailed logs are off, and the way to the setting."""
    with pytest.raises(UnreadableError, match=r":24: .*switch them on in Arena: Options, Account, Detailed Logs"):
        imported("session_2026-03-15_1157_detailed_logs_disabled.log.gz")


def test_detected():
    """Each session is recognised as Arena's, and as no other format."""
    for path in SESSIONS.glob("*.gz"):
        with path.open("rb") as stream:
            found = detected(Source(path.name, stream).head)
        assert found is IMPORTER


def test_grown():
    """A session is cut at many places, also within lines: the events are the first ones of the whole session."""
    file = "session_2026-05-06_0859_phantom-bootstrap-drift.log.gz"
    whole = {game.name: encode_lines(game.events) for game in imported(file).games}
    data = gzip.decompress((SESSIONS / file).read_bytes())
    lines = 0
    for part in range(1, 12):
        cut = data[: len(data) * part // 12]
        running = Import(IMPORTER)
        try:
            games = list(running.games([Source(file, io.BytesIO(cut))]))
        except UnreadableError:
            assert b'greToClientEvent"' not in cut
            continue
        for game in games:
            assert whole[game.name].startswith(encode_lines(game.events))
            lines += len(game.events)
    assert lines > 500
