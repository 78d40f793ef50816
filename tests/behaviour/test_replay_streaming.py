"""A record streamed from its source: the same results as in memory, with constant memory."""

import gc
import gzip
import io
import os
import sys
import tracemalloc
from pathlib import Path

import pytest

from daynight import records
from daynight import replay as replaying
from daynight.cards import Catalogue
from daynight.events import ImpossibleError, NotFoundError, RecordError, UnreadableError
from daynight.game import Game
from daynight.projections.audit.audit import Auditor
from daynight.records import Record
from daynight.referee.documents import state_document
from daynight.replay import look_back, replay
from tests.behaviour.games import CONTRACT, EVERY_TYPE, kept, lines
from tests.bench import records as long_records
from tests.oracle.walks import random_walk
from tests.rules.judges import back_up, claim_tally
from tests.rules.placing import enter
from tests.rules.words import cast, doubt, joined, restarted, started, turn, untap
from tests.sampling import few_or_all


def documented(state):
    """Return the document of `state`, as `replay --json` prints it."""
    return state_document(state, state.edition or "2024-06-07")


def fails(path):
    """Replay the record at `path`, which must fail, and return the RecordError."""
    with pytest.raises(RecordError) as error:
        replay(Record(path))
    return error.value


@pytest.mark.parametrize("name", ["game.jsonl", "game.jsonl.gz"])
def test_every_type(tmp_path, name):
    """A record with every type of event gives the same state streamed as loaded, compressed or not."""
    path = kept(tmp_path / name, EVERY_TYPE)
    assert Game.load(path).document() == documented(replay(Record(path)))


@pytest.mark.parametrize("many", few_or_all(7, 20))
def test_walks(tmp_path, many):
    """Random games, some with back-ups, have the same state streamed and loaded, at the end and at three events."""
    backed_up = 0
    for seed in range(many):
        record = random_walk(seed, 60)
        path = kept(tmp_path / "walk.jsonl", record)
        game = Game(record)
        backed_up += any(event["type"] == "game-backed-up" for event in record)
        assert game.document() == documented(replay(Record(path))), f"walk {seed}"
        for until in (1, 23 + seed % 7, 59):
            expected = game.document(until)
            assert expected == documented(replay(Record(path), until=until)), f"walk {seed} until {until}"
    assert backed_up > many / 4


def test_until_every_event(tmp_path):
    """A replay until an event gives the state after it, also in a long record, which is read block by block."""
    path = kept(tmp_path / "game.jsonl", EVERY_TYPE)
    game = Game(EVERY_TYPE)
    for until in range(1, len(game) + 1):
        assert game.document(until) == documented(replay(Record(path), until=until))
    long = tmp_path / "long.jsonl"
    long.write_bytes(long_records.lines(6000))
    game = Game.load(long)
    for until in (1, 1499, 1500, 1501, 3000, 5999, 6000):
        assert game.document(until) == documented(replay(Record(long), until=until))


def test_until_beyond_the_end(tmp_path):
    """An `until` beyond the end raises NotFoundError, which names the last event."""
    path = kept(tmp_path / "game.jsonl", CONTRACT)
    with pytest.raises(NotFoundError) as error:
        replay(Record(path), until=9)
    assert f"{path}: no event 9; the last one is 8" == str(error.value)


def test_until_nothing(tmp_path):
    """An `until` of 0 raises NotFoundError too."""
    path = kept(tmp_path / "game.jsonl", CONTRACT)
    with pytest.raises(NotFoundError, match="no event 0"):
        replay(Record(path), until=0)


def test_progress(tmp_path):
    """`progress` is called with event numbers that rise to the last event."""
    path = tmp_path / "long.jsonl"
    path.write_bytes(long_records.lines(6000))
    heard = []
    replay(Record(path), progress=heard.append)
    assert sorted(set(heard)) == heard
    assert 6000 == heard[-1]


def test_a_catalogue_of_ones_own(tmp_path):
    """With an empty catalogue no card is known: streamed or in memory, it stays neither; an audit is unverified."""
    path = kept(tmp_path / "game.jsonl", CONTRACT)
    none = Catalogue(())
    assert "neither" == documented(replay(Record(path), catalogue=none))["designation"]
    assert Game.load(path, catalogue=none).document() == documented(replay(Record(path), catalogue=none))
    assert "unverified" == Auditor(catalogue=none).record(Record(path)).verdict


def test_what_is_looked_back_at(tmp_path):
    """`look_back`, the first pass, finds targets of back-ups and turns of claimed tallies, also in escaped JSON."""
    path = tmp_path / "game.jsonl"
    claims = claim_tally("Ana", 1, 1), claim_tally("Bo", 0)
    data = lines([started(), turn(1), cast(), turn(2, "Bo"), *claims, back_up(2)])
    path.write_bytes(data)
    found = look_back(Record(path))
    assert ({2}, {1}) == (found.events, found.turns)
    path.write_bytes(data.replace(b"game-backed-up", b"game\\u002dbacked-up").replace(b"tally", b"\\u0074ally"))
    found = look_back(Record(path))
    assert ({2}, {1}) == (found.events, found.turns)
    assert 7 == replay(Record(path)).event


@pytest.mark.parametrize("events, line, path, says", [
    ((cast("Anna"),), 9, "$.player", "no player 'Anna'; players are Ana, Bo"),
    ((back_up(9),), 9, "$.to", "event 9 is not an earlier one"),
    ((back_up(10),), 9, "$.to", "event 10 is not an earlier one"),
    ((back_up(4), back_up(6)), 10, "$.to",
     "the state after event 6 was undone by backing up; back up to one that stands"),
    ((back_up(4), cast("Anna")), 10, "$.player", "no player 'Anna'; players are Ana, Bo"),
])  # fmt: skip
def test_refusals_are_those_of_the_game_in_memory(tmp_path, events, line, path, says):
    """The error has the same file, line, path and sentence, whether the record is streamed or read into memory."""
    file = kept(tmp_path / "bad.jsonl", [*CONTRACT, *events])
    expected = f"{file}:{line}: {path}: {says}"
    assert expected == str(fails(file))
    with pytest.raises(ImpossibleError) as error:
        Game.load(file)
    assert expected == str(error.value)


def test_what_cannot_be_read(tmp_path):
    """The first pass ignores lines that cannot be read; the second raises the error with their line."""
    file = tmp_path / "bad.jsonl"
    file.write_bytes(lines([*CONTRACT, back_up(4)]) + b'{"type": "game-backed-up"}\n')
    assert str(fails(file)).startswith(f"{file}:10: $.to: missing field")
    file.write_bytes(lines([back_up(4)]))
    assert str(fails(file)).startswith(f"{file}:1: $.type: game-started is missing")
    file.write_bytes(b"")
    assert f"{file}:1: $: an empty record; expected game-started on line 1" == str(fails(file))


def test_what_is_kept_for_backing_up_is_bounded(tmp_path, monkeypatch):
    """If the states kept for back-ups have more than `KEPT` permanents together, a RecordError names the line."""
    monkeypatch.setattr(replaying, "KEPT", 3)
    permanents = [enter(f"w{number}") for number in range(4)]
    assert 6 == replay(Record(kept(tmp_path / "few.jsonl", [started(), *permanents, back_up(4)]))).event
    file = kept(tmp_path / "many.jsonl", [started(), *permanents, back_up(5)])
    assert f"{file}:5: $: too many back-ups for so many permanents" == str(fails(file))


def test_tallies_of_long_ago(tmp_path):
    """A claim may be about any earlier turn, across back-ups and a restart; the answers are as in memory."""
    events = [started()]
    for number in range(1, 200):
        events += [turn(number, "Ana" if number % 2 else "Bo"), untap(), *[cast()] * (number % 4)]
    events += [back_up(len(events) - 50), claim_tally("Ana", 3, 99), claim_tally("Ana", 3, 100)]
    events += [restarted(), turn(1), cast(), turn(2, "Bo"), claim_tally("Ana", 1, 1), claim_tally("Ana", 2, 1)]
    file = kept(tmp_path / "game.jsonl", events)
    found = Auditor().record(Record(file))
    assert Game(events).audit().document() | {"record": str(file)} == found.document()
    assert [("tally", 0), ("tally", 1)] == [(one.about, one.derived) for one in found.findings]


class Stdin:
    """A standard input with `data`, which can be read only once."""

    def __init__(self, data):
        self.buffer = io.BytesIO(data)


@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "packed"])
def test_standard_input_is_read_twice(monkeypatch, pack):
    """A record from standard input is kept in memory: it is replayed twice and loaded, but read once."""
    monkeypatch.setattr(sys, "stdin", Stdin(pack(lines([*CONTRACT, back_up(4)]))))
    record = Record("-")
    expected = Game([*CONTRACT, back_up(4)]).document()
    assert expected == documented(replay(record)) == documented(replay(record))
    assert expected == Game.load(record).document()


@pytest.mark.skipif(not Path("/dev/fd").is_dir(), reason="there is no /dev/fd here, which gives a pipe a name")
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_a_pipe_is_read_twice(pack):
    """A named pipe, as a shell's `<(...)` makes it, can be read once; its record is replayed twice all the same."""
    reading, writing = os.pipe()
    os.write(writing, pack(lines([*CONTRACT, back_up(4)])))
    os.close(writing)
    record = Record(f"/dev/fd/{reading}")
    expected = Game([*CONTRACT, back_up(4)]).document()
    assert [expected] * 2 == [documented(replay(record)) for _again in range(2)]
    os.close(reading)


def test_standard_input_is_bounded(monkeypatch):
    """Standard input that is larger than the limit raises UnreadableError, which names the limit."""
    monkeypatch.setattr(records, "SIZE", 100)
    monkeypatch.setattr(sys, "stdin", Stdin(lines(CONTRACT)))
    with pytest.raises(UnreadableError, match=r"-:1: .*: a record may have 100 bytes"):
        replay(Record("-"))


def test_demo(tmp_path, monkeypatch):
    """The name `demo` means the bundled game, unless there is a file called demo."""
    assert "wagic-G1" == replay(Record("demo")).game
    monkeypatch.chdir(tmp_path)
    kept(tmp_path / "demo", CONTRACT)
    assert "g1" == replay(Record("demo")).game


def test_possibilities(tmp_path):
    """An uncertain record has the same state streamed as in memory, with both possible designations."""
    events = [started(), joined("neither", "day", "night"), enter("w1"), turn(1), doubt("Ana", 0)]
    events += [turn(2, "Bo"), untap()]
    file = kept(tmp_path / "game.jsonl", events)
    assert Game(events).document() == documented(replay(Record(file)))
    assert ("day", "night") == replay(Record(file)).possible


def peak(path):
    """Return the peak memory of a streamed audit, in bytes."""
    gc.collect()
    tracemalloc.start()
    try:
        Auditor().record(Record(path))
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.wide
@pytest.mark.parametrize("events", [8_000, pytest.param(20_000, marks=pytest.mark.slow)])
def test_memory_is_independent_of_length(tmp_path, events):
    """An audit of five times as many events needs at most ten percent more memory."""
    short, long = tmp_path / "short.jsonl", tmp_path / "long.jsonl"
    short.write_bytes(long_records.lines(events))
    long.write_bytes(long_records.lines(5 * events))
    peak(short)
    expected, found = peak(short), peak(long)
    assert found < 1.1 * expected, f"{expected} bytes for {events} events, {found} for five times as many"
