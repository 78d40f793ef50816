"""The last part of a stored game: questions about a moment are answered from the snapshot before it.

| promise | test |
| --- | --- |
| after each event `why` and `forecast` answer as for the whole game | test_every_position, test_random_games |
| a claim about the tally of an earlier turn is not ignored | test_looks_back |
| a changed line after the snapshot is refused | test_changed_line |
| a snapshot that was changed or moved, or has no seal, is not used | test_changed_snapshot, test_no_seal |
| `verify` finds a forged snapshot with a recomputed seal | test_forged_seal |
| snapshots are only sealed after their lines were checked against the chain | test_nothing_is_laundered |
| a partially loaded game can only be read | test_only_looked_at |
"""

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from daynight.game import Game
from daynight.games import Store
from daynight.questions.forecast import forecast
from daynight.store import DamagedError
from daynight.store.database.settings import Settings
from daynight.store.moments.past import Past
from daynight.store.moments.recent import LooksBackError, recent
from daynight.store.proving.chain import sealed, unsealed
from daynight.store.proving.verify import verify_game
from tests.oracle.walks import random_walk
from tests.sampling import sampled
from tests.store import told

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = sorted((ROOT / "examples" / "games").glob("*.jsonl"))
GAME = "g"
EVENTS = 600
DAY = 150
"""The turn in which it becomes day."""


def part(store, number, game=GAME):
    return recent(Past(store.recorder, game, checked=True), number, Game())


def answers(game, number):
    return game.why(number).document(), forecast(game, number).document(game.edition)


def agrees_everywhere(store, game):
    """Assert that parts answer as the whole game; return how many did, and how many raised LooksBackError."""
    whole = store.load(game)
    agreed = looked_back = 0
    for number in range(1, len(whole) + 1):
        try:
            found = answers(part(store, number, game), number)
        except LooksBackError:
            looked_back += 1
            continue
        assert found == answers(whole.what_if(number, ()), number), (game, number)
        agreed += 1
    return agreed, looked_back


@pytest.mark.wide(but=1)
@pytest.mark.parametrize(
    "path", sampled((path for path in EXAMPLES if path.stat().st_size < 5_000), 3), ids=lambda path: path.stem
)
def test_every_position(tmp_path, path):
    """After each event of an example game, `why` and `forecast` answer from a part as from the whole game."""
    with Store(Settings(kind="sqlite", path=str(tmp_path / "games.db"), snapshots=7)) as store:
        store.import_record(path, GAME)
        agreed, looked_back = agrees_everywhere(store, GAME)
        assert agreed > looked_back


def test_every_database(place):
    """In each kind of store, `why` and `forecast` answer for a game with a back-up as from the whole game."""
    with Store(replace(place, snapshots=7)) as store:
        store.import_record(ROOT / "daynight" / "demo" / "wagic-G1.jsonl", "demo")
        store.append("demo", [{"type": "game-backed-up", "to": 150, "by": "judge"}])
        for at in (1, 7, 8, 121, 122, 150, store.last("demo")):
            assert answers(part(store, at, "demo"), at) == answers(store.load("demo").what_if(at, ()), at)


@pytest.mark.wide
@pytest.mark.parametrize("many", [1, pytest.param(100, marks=pytest.mark.slow)])
def test_random_games(many):
    """After each event of random games, `why` and `forecast` answer from a part as from the whole game."""
    agreed = 0
    with Store(Settings(kind="memory", snapshots=3)) as store:
        for seed in range(many):
            game = f"walk-{seed}"
            first, *others = random_walk(seed, 32)
            first.pop("edition", None)
            store.append(game, [first | {"game": game}])
            for event in others:
                store.append(game, [event])
            agreed += agrees_everywhere(store, game)[0]
    assert agreed > 10 * many


# ----------------------------------------------------------------------------------------------------- what is believed


@pytest.fixture
def path(tmp_path):
    """The file of a store with a long game and snapshots."""
    path = tmp_path / "games.db"
    with Store(Settings(kind="sqlite", path=str(path))) as store:
        store.new(GAME, ["Ana", "Bo"])
        for first in range(1, EVENTS // 3, 10):
            store.append(GAME, [event for turn in range(first, first + 10) for event in turn_of(turn)])
        assert len(store.recorder.snapshot_numbers(GAME)) == 2
    return path


def turn_of(turn):
    yield {"type": "turn-began", "turn": turn, "active": [("Ana", "Bo")[turn % 2]]}
    yield {"type": "step-began", "step": "untap"}
    yield {"type": "spell-cast", "player": ("Ana", "Bo")[turn % 2], "card": "Opt"}
    if turn == DAY:
        yield {"type": "effect-resolved", "becomes": "day"}


def changed(path, statement, *params):
    with closing(sqlite3.connect(path)) as raw, raw:
        assert raw.execute(statement, params).rowcount > 0


def snapshot(path):
    """A tuple: the event number of the latest snapshot, its bytes, and the digest of that event."""
    with closing(sqlite3.connect(path)) as raw:
        return raw.execute(
            "SELECT event, s.state, digest FROM snapshots AS s JOIN stored_events ON originator_version = event"
            " ORDER BY event DESC"
        ).fetchone()


def put(path, state):
    changed(path, "UPDATE snapshots SET state = ? WHERE event = ?", state, snapshot(path)[0])


def asked(path):
    """The sentence of `why` at the end of the game, answered from its last part."""
    with Store.open(path) as store:
        number = store.last(GAME)
        return part(store, number).why(number).sentence


def over(state):
    return told.changed(unsealed(state), told.put("game", value="f"))


def another_card(path, event):
    other = "CAST(replace(CAST(state AS TEXT), 'Opt', 'Duo') AS BLOB)"
    changed(path, f"UPDATE stored_events SET state = {other} WHERE originator_version = ?", event)


def test_changed_line(path, monkeypatch):
    """`why` reads from the last snapshot on: an event changed after it is refused by number; one changed before it is
    not noticed, as earlier events are only searched for unknown card names."""
    # As in a game of many thousands of events, of which only the latest are searched.
    monkeypatch.setattr("daynight.projections.audit.doubts.LATEST", 64)
    right, number = asked(path), snapshot(path)[0]
    assert 250 < number < EVENTS - 10
    another_card(path, 4)
    assert asked(path) == right
    another_card(path, next(event for event in range(number + 1, EVENTS) if event % 3 == 2))
    with pytest.raises(DamagedError, match="is not what was stored"):
        asked(path)


@pytest.mark.wide(but=2)
@pytest.mark.parametrize("change", [
    pytest.param(lambda state: over(state) + state[-64:], id="says something else"),
    pytest.param(lambda state: state[:-1] + bytes([state[-1] ^ 1]), id="another seal"),
    pytest.param(lambda state: state[:-1], id="a part of a seal"),
    pytest.param(lambda state: state + b"0", id="more than a seal"),
    pytest.param(lambda state: sealed("h", 500, unsealed(state), bytes(32)), id="the seal of another game"),
])  # fmt: skip
def test_changed_snapshot(path, change):
    """A changed snapshot is refused by questions, and found by verify."""
    number, state, _digest = snapshot(path)
    put(path, change(state))
    with pytest.raises(DamagedError) as refused:
        asked(path)
    assert refused.value.event == number
    with Store.open(path) as store:
        fault = verify_game(store.recorder, GAME).fault
    assert fault is not None
    assert fault.event == number


def test_no_seal(path):
    """A snapshot from before there were seals is valid, but the game is read from its beginning."""
    right = asked(path)
    number, state, _digest = snapshot(path)
    changed(path, "DELETE FROM snapshots WHERE event < ?", number)
    put(path, unsealed(state))
    with Store.open(path) as store:
        assert verify_game(store.recorder, GAME).fault is None
        assert store.at(GAME).event == store.last(GAME)
    assert asked(path) == right
    another_card(path, 4)
    with pytest.raises(DamagedError, match="event 4 is not what was stored"):
        asked(path)


def test_sealed_later(path):
    """`take_snapshots` adds missing seals; it raises DamagedError if a stored snapshot differs from today's."""
    changed(path, "DELETE FROM snapshots")
    with Store.open(path) as store:
        store.take_snapshots(GAME)
    number, state, digest = snapshot(path)
    assert number % 250 == 0
    put(path, unsealed(state))
    with Store.open(path) as store:
        store.take_snapshots(GAME)
    assert snapshot(path) == (number, sealed(GAME, number, unsealed(state), digest), digest)
    put(path, over(state))
    with Store.open(path) as store, pytest.raises(DamagedError, match="snapshot"):
        store.take_snapshots(GAME)


def test_forged_seal(path):
    """A forged seal, which needs no secret, is only found by verify, which replays the game."""
    number, state, digest = snapshot(path)
    put(path, sealed(GAME, number, over(state), digest))
    with Store.open(path) as store:
        fault = verify_game(store.recorder, GAME).fault
    assert fault is not None
    assert (fault.event, fault.sentence) == (number, f"the snapshot of event {number} is not that of the game")


def test_nothing_is_laundered(path):
    """After a line was changed, neither an append nor taking snapshots seals anything that follows from it."""
    another_card(path, 4)
    changed(path, "DELETE FROM snapshots")
    with Store.open(path) as store:
        with pytest.raises(DamagedError, match="event 4 is not what was stored"):
            store.append(GAME, [{"type": "spell-cast", "player": "Ana"}])
        with pytest.raises(DamagedError, match="event 4 is not what was stored"):
            store.take_snapshots(GAME)
        assert store.recorder.snapshot_numbers(GAME) == []


def test_looks_back(path):
    """If a part of a game has a claim about a turn before it, loading the part raises LooksBackError."""
    with Store.open(path) as store:
        claim = {"type": "tally-claimed", "turn": 2, "player": "Ana", "spells": 1, "by": "table"}
        last = store.append(GAME, [claim]).last
        with pytest.raises(LooksBackError):
            part(store, last)


def test_only_looked_at(path):
    """To record into a partially loaded game, or to branch it, raises TypeError."""
    with Store.open(path) as store:
        game = part(store, 400)
        assert len(game) == 400
        assert (game.events[0], game.events[398:]) == (store.load(GAME).events[0], [*store.load(GAME).events[398:400]])
        assert game.events[-1] == game.events[399]
        for use in (lambda: game.record({"type": "spell-cast", "player": "Ana"}), lambda: game.what_if(300, ())):
            with pytest.raises(TypeError):
                use()
        with pytest.raises(IndexError):
            game.events[400]
