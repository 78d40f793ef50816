"""What is refused is refused at its line and path, in one line, however the record is read."""

import gzip
from pathlib import Path

import pytest

from daynight.events.errors import RecordError
from daynight.events.reader import read
from daynight.game import Game
from daynight.records import Record
from daynight.replay import replay

from .lines import RESTART, Malformed
from .malformed import MALFORMED, RUDE

LONGEST = 2_000
"""How many characters a refusal may have, the file's name not counted."""

PLAIN = [name for name, malformed in MALFORMED.items() if not malformed.data.startswith(b"\x1f\x8b")]
"""The bad records that are not packed."""


def refusals(file: Path) -> list[RecordError]:
    """How a file is refused as a game and as a replay, both with an error of the record."""
    with pytest.raises(RecordError) as loaded:
        Game.load(file)
    with pytest.raises(RecordError) as replayed:
        replay(Record(file))
    return [loaded.value, replayed.value]


def is_refused(malformed: Malformed, file: Path, packed: bytes) -> None:
    """The file, with these bytes, is refused as promised."""
    file.write_bytes(packed)
    for error in refusals(file):
        assert (malformed.line, malformed.path) == (error.line, error.path), str(error)
        assert malformed.fragment in error.sentence
        assert str(error) == f"{file}:{malformed.line}: {malformed.path}: {error.sentence}"
        assert str(error).isprintable()


@pytest.mark.parametrize("name", MALFORMED)
def test_refused(name: str, tmp_path: Path) -> None:
    """A bad record is refused at its line and path, with a printable sentence of one line."""
    is_refused(MALFORMED[name], tmp_path / "bad.jsonl", MALFORMED[name].data)


@pytest.mark.parametrize("name", PLAIN)
def test_refused_packed(name: str, tmp_path: Path) -> None:
    """A bad record is refused in the same way where it is packed."""
    is_refused(MALFORMED[name], tmp_path / "bad.jsonl.gz", gzip.compress(MALFORMED[name].data, 1))


@pytest.mark.parametrize("name", [name for name in PLAIN if MALFORMED[name].data.endswith(b"\n")])
def test_refused_with_other_line_ends(name: str, tmp_path: Path) -> None:
    """Carriage returns before the line feeds, or no line feed at the end, change nothing of a refusal."""
    malformed = MALFORMED[name]
    returned = malformed.data.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
    is_refused(malformed, tmp_path / "returned.jsonl", returned)
    if not malformed.data.endswith(b"\n\n") and malformed.data.strip():
        is_refused(malformed, tmp_path / "open.jsonl", malformed.data[:-1])


@pytest.mark.parametrize("name", [name for name in PLAIN if MALFORMED[name].data.endswith(b"\n")])
def test_what_comes_after_does_not_matter(name: str, tmp_path: Path) -> None:
    """A bad record is refused at the same place whatever follows it."""
    malformed = MALFORMED[name]
    more = malformed.data + RESTART + b"\n\xff\n"
    is_refused(malformed, tmp_path / "more.jsonl", more)


def test_no_two_are_the_same() -> None:
    """Every bad record of the table is another one."""
    assert len({malformed.data for malformed in MALFORMED.values()}) == len(MALFORMED)


@pytest.mark.parametrize("name", RUDE)
def test_nothing_of_the_record_runs_wild_in_a_refusal(name: str, tmp_path: Path) -> None:
    """Whatever stands in a line, its refusal is one short printable line, and never an error of another kind."""
    file = tmp_path / "rude.jsonl"
    file.write_bytes(RUDE[name])
    try:
        Game.load(file)
    except RecordError as error:
        said = str(error.located(file="rude.jsonl")).removeprefix(str(file))
        assert said.isprintable()
        assert len(said) <= LONGEST
        assert error.line == 2 or "edition" in name or "format" in name
    with file.open("rb") as stream:
        try:
            for _event in read(stream):
                pass
        except RecordError as error:
            assert str(error).isprintable()
