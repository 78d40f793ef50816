"""Arena's logs without their beginning: each game is read from the next turn on, without false findings.

| promise | test |
| --- | --- |
| wherever a log begins, its game is read from the next turn on | test_every_cut, test_next_turn |
| a log that begins in the last turn is read from there, and the turn's spells are uncertain | test_last_turn |
| permanents that the first states show are in `game-joined`; later ones arrive | test_found, test_arriving |
| a game that no state has named when its record begins is named after its content | test_named |
| an undo, a late state or a whole state continues the same game | test_goes_on |
| a game without its beginning may follow another game in a log | test_in_the_middle |
| two games with continuing state ids are told apart by their times | test_run_on, test_run_on_for_real |
| a game continues after a long pause, or in another file | test_one_game |
| real sessions, cut at many places, have no finding | test_sessions |
"""

import gzip
import io
import json
import re

import pytest

from daynight.cards import bundled
from daynight.events import GameJoined, TurnBegan
from daynight.framework.language.codec import encode
from daynight.game import Game as Referee
from daynight.importers.arena.log import IMPORTER
from daynight.importers.importing import Import
from daynight.importers.sources import Source
from daynight.logs import known_of
from tests.importers.arena_logs import HAWK, OPT, RUFFIAN, Game, Log, day_and_night, note
from tests.importers.arena_reading import casts, of_type, played, states, uncertain
from tests.importers.conftest import SESSIONS, needs_sessions

MARK = b'greToClientEvent"'


def from_state(log, number):
    """Return the bytes of the log from its state with the index `number` on."""
    return "\r\n".join(log.lines[states(log)[number] :]).encode() + b"\r\n"


def to_state(log, number):
    """Return the bytes of the log before its state with the index `number`."""
    return "\r\n".join(log.lines[: states(log)[number]]).encode() + b"\r\n"


def turns(events):
    return [event["turn"] for event in of_type(events, "turn-began")]


@pytest.mark.wide
def test_every_cut(read):
    """From every state on, also if Arena is wrong, the record claims no designation, and its verdict is
    `unverified`."""
    for wrong in (False, True):
        log = Log()
        day_and_night(Game(log), wrong=wrong)
        for number in range(1, len(states(log))):
            found = read(from_state(log, number))
            assert 1 == len(found.games), number
            assert {"headless": 1, "joined": 1} == {kind: found.kinds[kind] for kind in ("headless", "joined")}
            assert "unverified" == found.game().audit().verdict
            assert ["game-started", "game-joined"] == found.tags()[:2]
            assert ["neither", "day", "night"] == found.events()[1]["possible"]
            assert "designation-claimed" not in found.tags()


def test_next_turn(read, game):
    """A log that begins within turn 2 is read from turn 3 on, with its untap step; earlier casts are left out."""
    game.cast(1, OPT)
    game.next_turn()
    game.cast(2, OPT)
    number = len(states(game.log)) - 1
    game.next_turn()
    game.cast(1, OPT)
    found = read(from_state(game.log, number))
    assert [3] == turns(found.events())
    assert ["turn-began", "step-began"] == found.tags()[2:4]
    assert (["302"], []) == (casts(found.events()), uncertain(found.events()))
    assert "taken up in turn 3" in found.report.warnings["joined"].sentence


def test_last_turn(read, game):
    """A log that begins in the last turn is read from that turn on: its spells are uncertain, its untap step is
    skipped, and the end of the game gives name and winner."""
    game.next_turn()
    game.cast(2, OPT)
    number = len(states(game.log)) - 1
    game.send(turnInfo={"turnNumber": 2, "activePlayer": 2})
    found = read(from_state(game.log, number))
    assert ([2], 2, 1) == (turns(found.events()), len(uncertain(found.events())), found.kinds["truncated"])
    assert ["untap"] == found.events()[2]["skips"]
    game.over(winner=2)
    found = read(from_state(game.log, number))
    assert ("a1b2-G1", ["Seat 2"]) == (found.games[0].name, found.events()[-1]["winner"])
    assert "truncated" not in found.kinds


def test_found(read, game):
    """Permanents listed before the first turn, or shown as it begins, are in `game-joined`; they do not arrive."""
    wolf = game.resolve(game.cast(1, RUFFIAN))
    hawk = game.resolve(game.cast(1, HAWK))
    game.next_turn()
    number = len(states(game.log))
    game.send(gameObjects=[game._shown[wolf]], zones=[{"zoneId": 28, "type": "ZoneType_Battlefield"}])
    assert [] == read(from_state(game.log, number)).events()[1].get("permanents", [])
    game.log.lines.pop(), game.log.lines.pop()
    game.state -= 1
    there = {"zoneId": 28, "type": "ZoneType_Battlefield", "objectInstanceIds": [wolf, hawk]}
    game.send(gameObjects=[game._shown[wolf]], zones=[there])
    game.next_turn(gameObjects=[game._shown[hawk]])
    found = read(from_state(game.log, number))
    assert [str(wolf), str(hawk)] == [each["id"] for each in found.events()[1]["permanents"]]
    assert "permanents-entered" not in found.tags()


def test_arriving(read, game):
    """A permanent that a message moves onto the battlefield in the state of the turn's beginning is an arrival."""
    game.next_turn()
    zones = [{"zoneId": 27, "type": "ZoneType_Stack"}, {"zoneId": 28, "type": "ZoneType_Battlefield",
                                                        "objectInstanceIds": [700]}]  # fmt: skip
    number = len(states(game.log))
    game.turn, game.active = 3, 1
    game.send(
        turnInfo={"turnNumber": 3, "activePlayer": 1}, zones=zones, gameObjects=[game.shown(700, HAWK, 28, 1)],
        annotations=[note("NewTurnStarted", [1], 1), game.step("untap"), game.step("upkeep"),
                     note("ZoneTransfer", [700], 1, zone_src=27, zone_dest=28, category="Resolve")],
    )  # fmt: skip
    found = read(from_state(game.log, number))
    assert ["game-joined", "turn-began", "step-began", "step-began", "permanents-entered"] == found.tags()[1:]
    assert not found.events()[1].get("permanents")


def test_named(read):
    """The record keeps the name that was made from its content, although the last state names the game."""
    log = played()
    (game,) = read(from_state(log, 5)).games
    assert game.name.startswith("arena-")
    assert game.report.ended


def test_goes_on(read, game):
    """An undo, a late state or a whole state does not begin another game."""
    game.next_turn()
    number = len(states(game.log))
    game.next_turn()
    stood = game.state
    game.cast(1, OPT)
    game.undo(stood)
    game.full()
    game.cast(1, OPT)
    game.over()
    found = read(from_state(game.log, number))
    assert (1, ["301"], True) == (len(found.games), casts(found.events()), found.games[0].report.ended)
    lines = from_state(game.log, number).splitlines(keepends=True)
    lines[2:2] = to_state(game.log, number).splitlines(keepends=True)[-2:]
    found = read(b"".join(lines))
    assert (1, 1) == (len(found.games), found.kinds["late"])


def test_in_the_middle(read):
    """The second game of a log lacks its first six states: it is a game of its own, read from the next turn on, and the
    events of the first game are unchanged."""
    log = Log()
    for number in (1, 2):
        game = Game(log, number=number, first=number)
        game.begin()
        for _turn in range(4):
            game.next_turn()
            game.cast(game.active, OPT)
        game.over()
        if number == 1:
            alone, first = read(log.bytes()).events(), len(states(log))
    lines = to_state(log, first) + from_state(log, first + 6)
    found = read(lines)
    assert (2, alone) == (len(found.games), found.events(0))
    assert [3, 4, 5] == turns(found.events(1))[-3:]
    assert (1, 1) == (found.kinds["headless"], found.kinds["joined"])


@pytest.mark.parametrize("two", [False, True])
def test_run_on(read, two):
    """The second game's state ids continue those of the first: with much later times they are read as two games; with
    near times they may be read as one, but without a finding."""
    first, later = Game(Log()), Game(Log(), match="c3d4", first=2)
    first.begin()
    later.begin()
    first.resolve(first.cast(1, RUFFIAN))
    later.resolve(later.cast(2, OPT))
    for _turn in range(6):
        later.next_turn()
        later.cast(later.active, OPT)
    for states_of_first in range(3, len(states(first.log)) + 1):
        lines = [*first.log.lines]
        one = "\r\n".join(lines[: [*states(first.log), len(lines)][states_of_first]]).encode() + b"\r\n"
        other = from_state(later.log, states_of_first)
        moved = other.replace(b'"timestamp": "17717', b'"timestamp": "17817')
        for second in (moved, other):
            found = read(one, second) if two else read(one + second)
            if second is moved:
                assert 2 == len(found.games), states_of_first
            assert "disputed" not in {found.game(at).audit().verdict for at in range(len(found.games))}


def test_one_game(read):
    """In two files, or after a pause, the events are those of the whole log: no sign shows another game."""
    log = played()
    whole = read(log.bytes()).events()
    for number in range(2, len(states(log)), 3):
        before = to_state(log, number)
        assert whole == read(before, from_state(log, number)).events(), number
        paused = from_state(log, number).replace(b'"timestamp": "17717904', b'"timestamp": "17717910')
        assert whole == read(before + paused).events(), number


# ------------------------------------------------------------------------------------------------------------ real ones


def session(path):
    """Return the lines of a session, and the indices of the lines with messages of the server."""
    lines = gzip.decompress(path.read_bytes()).splitlines(keepends=True)
    return lines, [at for at, line in enumerate(lines) if MARK in line]


def source(name, lines):
    """Return a log of these lines, as a source to import."""
    return Source(name, io.BytesIO(b"".join(lines)))


def without_lines(events):
    """Return the events as JSON, without the numbers of the log's lines."""
    return [re.sub(rb'"line":[0-9]+', b'"line":0', encode(event)) for event in events]


PLACES = 20


@needs_sessions
@pytest.mark.parametrize("path", sorted(SESSIONS.glob("*.gz"), key=lambda path: path.stat().st_size) or [SESSIONS],
                         ids=lambda path: path.name[8:30])  # fmt: skip
@pytest.mark.wide
def test_sessions(path):
    """A session is cut at 20 places: each cut game is reported as joined, and no game has a finding.

    Each game that begins after the cut has the events of that game in the whole session, but for the numbers of lines.
    """
    if "disabled" in path.name:
        pytest.skip("this session has no game in it")
    options = known_of(bundled(), None)
    lines, marked = session(path)
    whole = [without_lines(game.events) for game in Import(IMPORTER, options).games([source(path.name, lines)])]
    for place in range(PLACES):
        at = marked[len(marked) * (2 * place + 1) // (2 * PLACES)]
        rest, running = b"".join(lines[at:]), Import(IMPORTER, options)
        if b'"gameStateMessage"' not in rest:
            continue
        games = list(running.games([Source(path.name, io.BytesIO(rest))]))
        assert games, at
        cut = [game for game in games if isinstance(game.events[1], GameJoined)]
        assert len(cut) == running.report.warnings["joined"].count if cut else not running.report.skipped, at
        later = [without_lines(game.events) for game in games if game not in cut]
        assert later == whole[len(whole) - len(later) :], at
        for game in games:
            assert "disputed" != Referee(game.events).audit().verdict, at
            assert not cut or game in cut or TurnBegan in map(type, game.events) or not game.report.ended


@pytest.mark.wide
@needs_sessions
def test_run_on_for_real():
    """Parts of two real games are put together so that the state ids continue: they are read as two games."""
    options, games = known_of(bundled(), None), []
    for path in sorted(SESSIONS.glob("*.gz"), key=lambda path: path.stat().st_size)[1:7]:
        lines, marked = session(path)
        found = []
        for at in marked:
            messages = json.loads(lines[at][lines[at].find(b"{") :])["greToClientEvent"]["greToClientMessages"]
            ids = [one["gameStateMessage"]["gameStateId"] for one in messages if "gameStateMessage" in one]
            if 1 in ids:
                found = []
            if ids:
                found.append((ids, lines[at]))
        games.append(found)
    tried = 0
    for first in games:
        for second in games:
            for cut in range(6, len(first) - 3, 7):
                last = max(first[cut - 1][0])
                start = next((at for at, (ids, _line) in enumerate(second) if min(ids) == last + 1), len(second))
                if first is second or start > len(second) - 30:
                    continue
                parts = [b"".join(line for _ids, line in part) for part in (first[:cut], second[start:])]
                for logs in ([b"".join(parts)], parts):
                    sources = [Source(f"log-{at}", io.BytesIO(log), number=at) for at, log in enumerate(logs, 1)]
                    assert 2 == len([*Import(IMPORTER, options).games(sources)]), (cut, start)
                tried += 1
    assert tried > 20
