"""A bad record is refused at its line and path, in one printable line, as a game and as a replay."""

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest

from daynight.events.language import read
from daynight.framework.language.errors import RecordError
from daynight.game import Game
from daynight.records import Record
from daynight.replay import replay
from tests.sampling import case, few_or_all

from .lines import RESTART, Malformed, is_tame
from .malformed import MALFORMED, RUDE

LONGEST = 2_000
"""The longest refusal in characters, without the file's name."""

PLAIN = [name for name, malformed in MALFORMED.items() if not malformed.data.startswith(b"\x1f\x8b")]
"""The bad records that are not compressed."""


def refusals(file: Path) -> list[RecordError]:
    """Return the RecordErrors of `Game.load` and `replay` for a file; the test fails if one accepts it."""
    with pytest.raises(RecordError) as loaded:
        Game.load(file)
    with pytest.raises(RecordError) as replayed:
        replay(Record(file))
    return [loaded.value, replayed.value]


def is_refused(malformed: Malformed, file: Path, packed: bytes) -> None:
    """Assert that a file with the bytes `packed` is refused with the line, path and fragment of `malformed`."""
    file.write_bytes(packed)
    for error in refusals(file):
        assert (malformed.line, malformed.path) == (error.line, error.path), str(error)
        assert malformed.fragment in error.sentence
        assert str(error) == f"{file}:{malformed.line}: {malformed.path}: {error.sentence}"
        assert is_tame(str(error))


def test_refused(tmp_path: Path) -> None:
    """A bad record is refused at its line and path, with a printable sentence of one line."""
    for name, malformed in MALFORMED.items():
        with case(name):
            is_refused(malformed, tmp_path / "bad.jsonl", malformed.data)


@pytest.mark.parametrize("every", few_or_all(20, 1))
def test_refused_in_other_files(every: int, tmp_path: Path) -> None:
    """The refusal is the same if the record is compressed, has CRLF, no last line feed, or more lines after it."""
    for name in PLAIN[::every]:
        malformed = MALFORMED[name]
        with case(name):
            is_refused(malformed, tmp_path / "packed.jsonl.gz", gzip.compress(malformed.data, 1))
            if malformed.data.endswith(b"\n"):
                is_refused(malformed, tmp_path / "more.jsonl", malformed.data + RESTART + b"\n\xff\n")
                returned = malformed.data.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
                is_refused(malformed, tmp_path / "returned.jsonl", returned)
            if malformed.data.endswith(b"}\n"):
                is_refused(malformed, tmp_path / "open.jsonl", malformed.data[:-1])


def test_no_two_are_the_same() -> None:
    """No two bad records of the table are equal."""
    assert len({malformed.data for malformed in MALFORMED.values()}) == len(MALFORMED)


def refusal(file: Path, read: Callable[[Path], object]) -> RecordError | None:
    """Return the RecordError of `read` for a file, or None if it is accepted."""
    try:
        read(file)
    except RecordError as error:
        return error
    return None


@pytest.mark.wide(but=5)
@pytest.mark.parametrize("place", RUDE)
def test_nothing_of_the_record_runs_wild_in_a_refusal(place: str, tmp_path: Path) -> None:
    """Each reader accepts a RUDE record, or its RecordError is one printable line of at most LONGEST characters."""
    file = tmp_path / "rude.jsonl"
    for record in RUDE[place]:
        file.write_bytes(record)
        for read_file in (Game.load, lambda file: replay(Record(file)), lambda file: list(read(file))):
            error = refusal(file, read_file)
            if error is not None:
                said = str(error).removeprefix(str(file))
                assert is_tame(said), record[:300]
                assert len(said) <= LONGEST, record[:300]
                assert error.line in (1, 2)
