"""A corrupted text is read or refused with a RecordError, never with another exception, and in limited time.

| promise | test |
| --- | --- |
| a corrupted text is read, or refused with line, column and a printable sentence | test_spoiled, test_many_spoiled |
| events that were read can be written and read again | test_spoiled |
| the formatter refuses what the reader refuses, except comments alone; it is idempotent on the rest | test_spoiled |
| long lines and many brackets are read or refused within ten seconds | test_time |
"""

import io
import random
import time
from contextlib import suppress

import pytest

from daynight.events.language import read as read_json
from daynight.events.vocabulary import Event
from daynight.framework.language.codec import encode_lines
from daynight.framework.language.errors import RecordError
from daynight.notation import formatted, read
from tests.reading.lines import is_tame
from tests.reading.mutations import EVERY_EVENT, mutated, real_games
from tests.sampling import few_or_all, sampled

from .slips import BEFORE
from .test_formatter import TYPED
from .words import in_words

TEXTS = [
    TYPED.encode(),
    in_words(read_json(io.BytesIO(EVERY_EVENT))).encode(),
    *(in_words(read_json(io.BytesIO(data))).encode() for data in real_games().values()),
]
WORDS = (
    *b'casts enters leaves says shows rules backs up to e12 turn untap # @ { } ( ) [ ] " , : ; / and by if is'.split(),
    *b'it the game dispute d1: judge Ana Bo w1 night 0-1 more 99999999999999999999 \xc2\xb7 \xe2\x80\xae {} ""'.split(),
    *(b"@2024-06-07T19:30:00Z", b'{"a":1}', b"[w1]", b"(w1, token)", b"a spell", b"{" * 70, b"Tavern Ruf"),
)


def spoiled(seed: int) -> bytes:
    """A corrupted text; the same seed gives the same text."""
    chance = random.Random(seed)
    lines = chance.choice(TEXTS).split(b"\n")
    start = chance.randrange(max(1, len(lines) - 20))
    data = b"\n".join(lines[:4] + lines[start : start + 20])
    for _time in range(chance.choice((1, 1, 2, 3))):
        if chance.random() < 0.4:
            data = mutated(data, chance)
        else:
            words = data.split(b" ")
            place = chance.randrange(len(words))
            words[place : place + chance.choice((0, 0, 1))] = [chance.choice((*WORDS, *words[:40]))]
            data = b" ".join(words)
    return data


def outcome(data: bytes) -> tuple[list[Event], RecordError | None]:
    """The events that were read before the first error, and this error, or None."""
    events: list[Event] = []
    try:
        events.extend(placed.event for placed in read(io.BytesIO(data)))
    except RecordError as error:
        return events, error
    return events, None


def holds(data: bytes) -> bool:
    """Assert the promises of this module for one text; return True if it was read, False if it was refused."""
    events, refused = outcome(data)
    if refused is not None:
        assert is_tame(str(refused))
        assert 1 <= refused.line <= data.count(b"\n") + 1
        assert refused.column is None or 1 <= refused.column <= 2**20
        if refused.sentence.startswith("an empty record"):
            assert formatted(data) == formatted(formatted(data).encode()), "comments alone are no record, and laid out"
        else:
            with pytest.raises(RecordError):
                formatted(data)
        return False
    again = [placed.event for placed in read(io.BytesIO(in_words(events).encode()))]
    assert encode_lines(events) == encode_lines(again)
    once = formatted(data)
    assert once == formatted(once.encode())
    assert encode_lines(events) == encode_lines(placed.event for placed in read(io.BytesIO(once.encode())))
    return True


def hold(seeds: range) -> int:
    """Check the corrupted text of each seed with `holds`; return how many were read."""
    taken = 0
    for seed in seeds:
        data = spoiled(seed)
        try:
            taken += holds(data)
        except Exception as error:
            raise AssertionError(f"seed {seed}: {error!r}: {data!r}") from error
    return taken


@pytest.mark.parametrize("many", few_or_all(20, 200))
def test_spoiled(many):
    """The promises hold for many corrupted texts, of which between 2 and 95 percent are still valid."""
    assert 0.02 < hold(range(many)) / many < 0.95


@pytest.mark.slow
def test_many_spoiled():
    """The promises hold for twenty thousand corrupted texts."""
    hold(range(10_000, 30_000))


@pytest.mark.wide(but=3)
@pytest.mark.parametrize(
    "line",
    sampled([
        "Ana casts " + "(" * 200_000, "{" * 200_000, "Ana casts Opt {" + '"a":{' * 100_000, '"' * 200_001,
        "Ana " * 200_000, "Ana, " * 100_000 + "casts", "Ana: " * 100_000, "w1, " * 100_000 + "w1 leave",
        "untap · " * 50_000 + "untap", "judge " + "a " * 200_000, "dispute " + "a " * 200_000 + ":",
        "Ana casts " + "a " * 200_000 + "@", "#" * 900_000, "Ana: " + "X (x), " * 50_000 + "X (y) enter",
        "Ana: " + ", ".join(f"Arlinn, the Pack's Hope (a{n})" for n in range(5_000)) + " enter", " \t" * 400_000,
    ], 2),
    ids=lambda line: line[:20],
)  # fmt: skip
def test_time(line):
    """Reader and formatter together take less than ten seconds of CPU time for a line of up to a million characters."""
    began = time.process_time()
    data = f"{BEFORE}{line}\n".encode()
    _events, refused = outcome(data)
    assert refused is None or is_tame(str(refused))
    with suppress(RecordError):
        formatted(data)
    assert time.process_time() - began < 10
