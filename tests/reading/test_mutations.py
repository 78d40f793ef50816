"""A corrupted record is read or refused, never anything else, with the same result by both readers."""

import random
import tracemalloc
from contextlib import suppress
from typing import Any, NamedTuple

import pytest

from daynight.events.language import TAGS
from daynight.framework.language.errors import RecordError
from daynight.game import Game
from daynight.referee.documents import state_document
from daynight.replay import replay
from daynight.rules.citations import DEFAULT_EDITION
from tests.sampling import sampled

from .both_ways import Held, by_blocks, line_by_line
from .lines import is_tame
from .mutations import EVERY_EVENT, REAL_GAMES, excerpt, mutated, real_games, records

EACH = 100
RECORDS = list(records().values())


class Refused(NamedTuple):
    """The message and the line of a refusal."""

    message: str
    line: int | None


def spoiled(seed: int) -> bytes:
    """Return a corrupted record; the same seed gives the same record."""
    rng = random.Random(seed)
    return mutated(excerpt(rng.choice(RECORDS), rng), rng)


def as_loaded(data: bytes) -> dict[str, Any] | Refused:
    """Return the document of the last state by `Game.load`, or the refusal."""
    try:
        game = Game.load(Held(data))
    except RecordError as error:
        return Refused(str(error), error.line)
    return game.document()


def as_replayed(data: bytes) -> dict[str, Any] | Refused:
    """Return the document of the last state by `replay`, or the refusal."""
    try:
        state = replay(Held(data))
    except RecordError as error:
        return Refused(str(error), error.line)
    return state_document(state, state.edition or DEFAULT_EDITION)


def holds(data: bytes) -> None:
    """Assert that both readers agree, that game and replay agree, and that a refusal is one printable line."""
    read = by_blocks(data)
    assert read == line_by_line(data)
    loaded, replayed = as_loaded(data), as_replayed(data)
    assert loaded == replayed
    if isinstance(loaded, Refused):
        assert loaded.message.startswith(f"held.jsonl:{loaded.line}: $")
        assert is_tame(loaded.message)
        assert loaded.line is not None
        assert loaded.line <= len(read.events) + 1
    else:
        assert read.refused is None


def hold(seeds: range) -> None:
    """Call `holds` for the corrupted record of each seed; the first failure names its seed and bytes."""
    for seed in seeds:
        data = spoiled(seed)
        try:
            holds(data)
        except Exception as error:
            raise AssertionError(f"seed {seed}: {error!r}: {data!r}") from error


def test_records_are_good() -> None:
    """Before corruption every record is accepted completely and passes `holds`; EVERY_EVENT has every event type."""
    for name, data in records().items():
        assert len(Game.load(Held(data))) == data.count(b"\n"), name
        holds(data)
    assert {type(event) for event in by_blocks(EVERY_EVENT).events} == set(TAGS.values())


@pytest.mark.skipif(
    not REAL_GAMES.is_dir(), reason="the records of real games are not here; they belong into ../shared/real-games"
)
def test_real_games_are_among_them() -> None:
    """The real games are among the records that are corrupted."""
    assert {path.name for path in REAL_GAMES.glob("*.jsonl")} <= set(real_games())
    assert set(real_games()) <= set(records())


def test_the_same_seed_spoils_alike() -> None:
    """The same seed gives the same bytes; 500 seeds give more than 400 different records."""
    assert [spoiled(seed) for seed in range(50)] == [spoiled(seed) for seed in range(50)]
    assert len({spoiled(seed) for seed in range(500)}) > 400


def test_spoiling_reaches_both_ends() -> None:
    """Of 300 corrupted records, 31 to 199 can still be read to the end; the others are refused by the reader."""
    outcomes = [by_blocks(spoiled(seed)) for seed in range(300)]
    assert 30 < sum(outcome.refused is None for outcome in outcomes) < 200


@pytest.mark.parametrize("part", sampled(range(8), 4))
def test_spoiled(part: int) -> None:
    """Corrupted records, 100 in each of up to 8 parts, pass `holds`."""
    hold(range(part * EACH, (part + 1) * EACH))


@pytest.mark.slow
@pytest.mark.parametrize("part", range(50))
def test_spoiled_more(part: int) -> None:
    """50,000 other corrupted records, 1000 in each part, pass `holds`."""
    hold(range(100_000 + part * 1_000, 100_000 + (part + 1) * 1_000))


@pytest.mark.slow
def test_memory_of_spoiled_records() -> None:
    """Reading a corrupted record takes less than 64 MiB, also with 20,000 events or a line of 900,000 bytes."""
    rng = random.Random(7)
    tracemalloc.start()
    try:
        for turn in range(1_500):
            data = mutated(rng.choice(RECORDS), rng)
            if turn % 50 == 0:
                data = mutated(data.replace(b'"players"', b'"note":"' + b"x" * 900_000 + b'","players"', 1), rng)
            if turn % 100 == 25:
                data = mutated(
                    EVERY_EVENT + b'{"type":"designation-claimed","designation":"day","by":"Bo"}\n' * 20_000, rng
                )
            tracemalloc.reset_peak()
            before = tracemalloc.get_traced_memory()[0]
            by_blocks(data)
            for load in (Game.load, replay):
                with suppress(RecordError):
                    load(Held(data))
            assert tracemalloc.get_traced_memory()[1] - before < 64 * 2**20
    finally:
        tracemalloc.stop()
