"""Arena's states out of order: they are read in the order of the chain, and a state that never comes is a gap.

| promise | test |
| --- | --- |
| a state that comes too early waits for its predecessor; the record is the same as in order | test_late, test_moved |
| real sessions with moved messages give the same records | test_sessions_moved |
| a missing state is a gap after 64 states and two seconds | test_too_late, test_within_two_seconds |
| waiting ends with the log or game | test_at_the_end, test_before_another_game |
| it also ends with a whole state or an undo | test_before_a_whole_state, test_before_an_undo |
| a state that comes too late is left out, and the game continues | test_too_late |
| late states of an earlier game are left out too | test_earlier_game |
| an undo, or the states that it undoes, may come too early or too late | test_undo_moved |
| the queue of waiting states is limited | test_bounded, test_bounds |
| at the end of a followed log, waiting states are read after two seconds | test_followed |
"""

import gzip
import io
import random
import time

import pytest
from msgspec.structs import replace

from daynight.framework.language.codec import encode
from daynight.importers.arena.log import IMPORTER
from daynight.importers.arena.messages import MARK, GameState, decode_line
from daynight.importers.arena.states import waiting as arena_waiting
from daynight.importers.following import follow
from daynight.importers.importing import Import
from daynight.importers.sources import Source
from tests.importers.arena_logs import OPT, Game, Log
from tests.importers.arena_reading import begun, casts, played, states
from tests.sampling import few_or_all, sampled

from .conftest import SESSIONS, needs_sessions


def moved(log, place, by):
    """Return the log with the state at index `place`, from 0, moved later by this many states, or earlier if `by` is
    negative."""
    where = states(log)
    lines = list(log.lines)
    lines.insert(where[place + by], lines.pop(where[place]))
    return ("\r\n".join(lines) + "\r\n").encode()


def test_late(read, game):
    """Two states come after the eight that should follow them: events and report are as in order."""
    for _spell in range(12):
        game.cast(1, OPT)
    game.next_turn()
    whole = read(game.log.bytes())
    where = states(game.log)
    lines = list(game.log.lines)
    two = [lines[at] for at in where[6:8]]
    for at in reversed(where[6:8]):
        del lines[at]
    lines[where[16] - 2 : where[16] - 2] = two
    found = read(("\n".join(lines)).encode())
    assert whole.events() == found.events()
    assert whole.kinds == found.kinds == {"truncated": 1}


@pytest.mark.wide(but=1)
@pytest.mark.parametrize("by", sampled([1, 2, 8, -1, -2, -8], 3))
def test_moved(read, by):
    """Each state but the first is moved by some distance: events and report are as in order."""
    log = played()
    whole = read(log.bytes())
    number = len(states(log))
    for place in range(1, number):
        if not 1 <= place + by < number:
            continue
        found = read(moved(log, place, by))
        assert whole.events() == found.events(), place
        assert {} == found.kinds, place


def test_too_late(read, game):
    """A cast comes 66 states and more than two seconds late: it is left out, a gap. 62 states late, it is read."""
    for _spell in range(80):
        game.cast(1, OPT)
    game.next_turn()
    game.cast(2, OPT)
    whole = casts(read(game.log.bytes()).events())
    for by, lost in ((66, True), (62, False)):
        found = read(moved(game.log, 4, by))
        events = found.events()
        assert [spell for spell in whole if spell != "300" or not lost] == casts(events)
        assert ({"gap": 1, "late": 1, "truncated": 1} if lost else {"truncated": 1}) == found.kinds
        assert (2 if lost else 0) == sum(event["type"] == "spells-uncertain" for event in events)
        assert [1, 2] == [event["turn"] for event in events if event["type"] == "turn-began"]


@pytest.mark.wide(but=1)
@pytest.mark.parametrize("by, lost", [(150, False), (250, True)])
def test_within_two_seconds(read, by, lost):
    """With ten milliseconds for each message, a state is read 150 messages late, and left out 250 late."""
    game = begun(pace=5)
    for _spell in range(300):
        game.cast(1, OPT)
    whole = read(game.log.bytes())
    found = read(moved(game.log, 4, by))
    assert lost is (whole.events() != found.events())
    assert ({"gap": 1, "late": 1, "truncated": 1} if lost else {"truncated": 1}) == found.kinds


def test_at_the_end(read):
    """States that wait at the end of the log, or of the first of two logs, are read there."""
    log = Log()
    game = Game(log)
    game.begin()
    game.state += 1
    game.cast(1, OPT)
    log_end = read(log.bytes())
    assert (["300"], {"gap": 1, "truncated": 1}) == (casts(log_end.events()), log_end.kinds)
    second = Log()
    game.log = second
    game.cast(1, OPT)
    found = read(log.bytes(), second.bytes())
    assert ["300", "301"] == casts(found.events())
    cast = [event for event in found.games[0].events if type(event).__name__ == "SpellCast"]
    assert [1, 2] == [event.meta["source"].get("file", 1) for event in cast]


def test_before_a_whole_state(read, game):
    """A cast waits for a lost state when a whole state comes: the cast is read before the whole state."""
    game.state += 1
    game.cast(1, OPT)
    game.full()
    game.cast(1, OPT)
    found = read(game.log.bytes())
    assert (["300", "301"], {"gap": 1, "truncated": 1}) == (casts(found.events()), found.kinds)


def test_before_an_undo(read, game):
    """Arena undoes a cast that waits for a lost state: the record has no cast, and the gap still gets a warning."""
    game.cast(1, OPT)
    stood = game.state
    game.state += 1
    game.cast(1, OPT)
    game.undo(stood)
    game.cast(1, OPT)
    found = read(game.log.bytes())
    assert ["300", "302"] == casts(found.events())
    assert {"gap": 1, "undone": 1, "truncated": 1} == found.kinds
    assert "spells-uncertain" not in found.tags()


def test_before_another_game(read, game):
    """When the next game begins, the waiting states are recorded in the earlier game."""
    game.state += 1
    game.cast(1, OPT)
    Game(game.log, number=2).begin()
    found = read(game.log.bytes())
    assert (["300"], []) == (casts(found.events(0)), casts(found.events(1)))
    assert {"gap": 1, "truncated": 2} == found.kinds


def test_earlier_game(read, game):
    """The last changes of a game come after the beginning of the next game: they are left out, with warnings."""
    for _spell in range(200):
        game.cast(1, OPT)
    before = len(game.log.lines)
    game.cast(1, OPT)
    game.over()
    tail = game.log.lines[before:]
    del game.log.lines[before:]
    second = Game(game.log, number=2, first=2)
    game.log.lines += tail
    second.begin()
    for _turn in range(40):
        second.cast(1 + _turn % 2, OPT)
        second.next_turn()
    found = read(game.log.bytes())
    assert 41 == sum(event["type"] == "turn-began" for event in found.events(1))
    assert (40, {"truncated": 2, "stray": 2}) == (len(casts(found.events(1))), found.kinds)


@pytest.mark.parametrize("by", [1, 2, 3, -1, -2, -3])
def test_undo_moved(read, game, by):
    """The undo, or a state near it, is moved: the events are as in order."""
    for _spell in range(4):
        game.cast(1, OPT)
    stood = game.state
    game.cast(1, OPT)
    game.cast(1, OPT)
    undo = len(states(game.log))
    game.undo(stood)
    for _spell in range(6):
        game.cast(1, OPT)
    whole = read(game.log.bytes())
    assert ["300", "301", "302", "303", "306", "307"] == casts(whole.events())[:6]
    for place in range(undo - 3, undo + 4):
        if place < undo <= place + by:
            # Waiting states are read before an undo, so a state for which that was too late is left out.
            continue
        found = read(moved(game.log, place, by))
        assert whole.events() == found.events(), place
        assert {"undone", "truncated"} <= set(found.kinds) <= {"undone", "truncated", "late"}


@pytest.mark.wide
def test_bounded(read):
    """Many states lack a predecessor at the same moment of the log's clock: all are read, each after a gap."""
    game = begun(pace=0)
    number = 3 * arena_waiting.MOST
    for _state in range(number):
        game.state += 1
        game.send()
    assert number == read(game.log.bytes()).kinds["gap"]


@pytest.mark.parametrize("number, size", [(arena_waiting.MOST, 1), (8, arena_waiting.ROOM // 8)])
def test_bounds(number, size):
    """With one state more than `number`, of `size` bytes each, `overdue` is true until the lowest state is taken."""
    waiting = arena_waiting.WaitingStates()
    for each in range(number + 1):
        assert not waiting.overdue
        one = arena_waiting.Received(GameState(gameStateId=2 * each, prevGameStateId=2 * each - 1), each, size=size)
        waiting.hold(one, 0)
    assert waiting.overdue
    assert 0 == waiting.lowest().state.gameStateId
    assert not waiting.overdue


def test_followed(tmp_path, monkeypatch, game):
    """A followed log gets no more lines: the waiting state is read after PATIENCE, here 0.2 seconds, and not before."""
    monkeypatch.setattr(arena_waiting, "PATIENCE", 0.2)
    game.cast(1, OPT)
    game.state += 1
    game.cast(1, OPT)
    path = tmp_path / "Player.log"
    path.write_bytes(game.log.bytes())
    seen = []
    began = time.monotonic()

    def waiting():
        seen.append((time.monotonic() - began, sum(type(event).__name__ == "SpellCast" for event in game_of().events)))
        return seen[-1][1] < 2 and time.monotonic() - began < 20

    running = Import(IMPORTER)

    def game_of():
        (one,) = running.open.values()
        return one

    for _game in running.games(follow(path, waiting, look=0.01)):
        pass
    assert (1, 2) == (seen[0][1], seen[-1][1])
    assert 0.2 <= seen[-1][0] < 20


# --------------------------------------------------------------------------------------------------- the real sessions


def messages(data):
    """Return the lines before the first message, and a tuple for each line with states: the line, how many states it
    has, and whether one of them is a whole state."""
    head, found = [], []
    for line in data.split(b"\n"):
        if MARK not in line:
            if not found:
                head.append(line)
            continue
        told = [each.gameStateMessage for one in decode_line(line) for each in one.greToClientEvent.greToClientMessages]
        types = [state.type for state in told if state is not None]
        if types:
            found.append((line, len(types), "GameStateType_Full" in types))
    return head, found


def shuffled(found, seed):
    """Return the tuples `found` by `messages`, about one in twenty moved by up to eight states, but never across a
    whole state."""
    chance = random.Random(seed)
    lines = list(found)
    for one in found:
        if one[2] or chance.random() >= 1 / 20:
            continue
        at, most, step = lines.index(one), chance.randint(1, 8), chance.choice((-1, 1))
        to = at
        while 0 <= to + step < len(lines) and not lines[to + step][2] and most >= lines[to + step][1]:
            to += step
            most -= lines[to][1]
        del lines[at]
        lines.insert(to, one)
    return lines


def records(data):
    """Return two dictionaries: the events of each game by its name, without line numbers, and the number of warnings by
    kind."""
    running = Import(IMPORTER)
    games = {}
    for game in running.games([Source("log", io.BytesIO(data))]):
        games[game.name] = [
            (encode(replace(event, meta=None)), event.meta["source"]["confidence"], event.meta.get("arena"))
            for event in game.events
        ]
    return games, {kind: group.count for kind, group in running.report.warnings.items()}


@pytest.mark.wide
@needs_sessions
@pytest.mark.parametrize("times", few_or_all(1, 200))
def test_sessions_moved(times):
    """With moved messages, each real session gives the same records and warnings as in order."""
    changed = 0
    for path in sorted(SESSIONS.glob("*.gz")):
        head, found = messages(gzip.decompress(path.read_bytes()))
        if not found:
            continue
        whole = records(b"\n".join([*head, *(line for line, _number, _whole in found)]))
        for seed in range(times):
            lines = shuffled(found, seed)
            changed += lines != found
            assert whole == records(b"\n".join([*head, *(line for line, _number, _whole in lines)])), (path.name, seed)
    assert changed > 4 * times
