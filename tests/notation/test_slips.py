"""The errors of mistyped lines: their place, what was expected, and what may have been meant.

| promise | test |
| --- | --- |
| more than fifty typing errors are reported with line, column and a proposal | test_slips, test_there_are_fifty |
| an invalid header or file is reported | test_headers, test_files |
| an impossible event is reported with line and column too | test_impossible |
| the message is one printable line, and the events before it are returned | test_told_on_one_line |
"""

import io
import re

import pytest

from daynight.framework.language.errors import RecordError, UnreadableError
from daynight.notation import read, read_text
from daynight.records import Record
from daynight.replay import replay
from tests.reading.lines import is_tame

from .slips import BEFORE, LINE, SLIPS
from .test_mutations import outcome


@pytest.mark.parametrize("line, column, proposal", SLIPS, ids=[line for line, _column, _proposal in SLIPS])
def test_slips(line, column, proposal):
    """The error names line and column, and its message says what to write instead; column 0 means no error."""
    if not column:
        assert read_text(BEFORE + line)
        return
    with pytest.raises(UnreadableError) as error:
        read_text(f"{BEFORE}  {line}\n  Ana casts Opt")
    assert (LINE, column + 2) == (error.value.line, error.value.column), error.value
    assert proposal in error.value.sentence
    # It shows an example of the line, not its form with {names}.
    assert not re.search(r"\{\w+\}", error.value.sentence)
    assert str(error.value) == f"{LINE}:{column + 2}: {error.value.sentence}"


def test_there_are_fifty():
    """`SLIPS` has more than fifty typing errors, and more than forty lines with a "did you mean"."""
    assert 50 < len([column for _line, column, _proposal in SLIPS if column])
    assert 40 < len([proposal for _line, _column, proposal in SLIPS if "did you mean" in proposal])


@pytest.mark.parametrize("text, place, says", [
    ("game g1\n\nturn 1 Ana", (1, 1), "expected a second line like: players Ana, Bo"),
    ("game g1", (1, 1), "expected a second line like: players Ana, Bo"),
    ("players Ana, Bo\ngame g1", (1, 1), "this stands below the line game"),
    ("game g1\nplayers Ana\nplayers Bo", (3, 1), "this stands twice"),
    ("game g1\nplayers Ana {}", (2, 1), "behind the line game"),
    ("turn 1 Ana", (1, 8), "the record begins with the lines game and players"),
    ("gane g1", (1, 1), "did you mean game?"),
    ("", (1, 1), "an empty record"),
    ("# nothing\n\n", (2, 1), "an empty record"),
    ("game g1\nplayers A\u202eB", (1, 1), "U+202E may not stand in a name"),
])  # fmt: skip
def test_headers(text, place, says):
    """An incomplete, repeated or misplaced header is refused with line, column and what is wrong."""
    with pytest.raises(UnreadableError) as error:
        read_text(text)
    assert place == (error.value.line, error.value.column)
    assert says in error.value.sentence


@pytest.mark.parametrize("data, place, says", [
    (b"game g1\nplayers Ana\n  turn 1 A\xffna", (3, 11), "not UTF-8"),
    (b"game g1\nplayers Ana\n# " + b"x" * 2**21, None, "a line may have 1048576 bytes"),
    (b"\xff", (1, 1), "not UTF-8"),
])  # fmt: skip
def test_files(data, place, says):
    """Bytes that are not UTF-8, and a line that is too long, are refused."""
    with pytest.raises(UnreadableError) as error:
        list(read(io.BytesIO(data)))
    assert place is None or place == (error.value.line, error.value.column)
    assert says in error.value.sentence


@pytest.mark.parametrize("line, column, says", [
    ('"Anna" casts Opt', 1, "no player 'Anna'"),
    ("turn 3 Bo", 6, "3"),
    ('"w9" leaves', 1, "w9"),
    ("Ana: Immerwolf (w1) enters", 17, "'w1' is on the battlefield already, since event 3; event 3 is line 4"),
    ("turn 9 Ana, Bo, Ana", 17, "'Ana' stands twice in one list, first at column 10"),
    ("Ana: Immerwolf (i1), Clone (i1) enter", 29, "'i1' stands twice in one list, first at column 19"),
    ("w1, w1 leave", 5, "'w1' stands twice in one list, first at column 3"),
    ("Jo backs up to e9", 16, "9"),
    ('Bo says "Cy" cast 2', 9, "no player 'Cy'"),
])  # fmt: skip
def test_impossible(tmp_path, line, column, says):
    """An impossible event is refused with its line in the file, which is not its event number, and its column."""
    path = tmp_path / "game.dn"
    path.write_text(f"{BEFORE}\n# a comment\n  {line}\n", encoding="utf-8")
    with pytest.raises(RecordError) as error:
        replay(Record(path))
    assert f"{path}:7:{column + 2}: {error.value.sentence}" == str(error.value)
    assert says in error.value.sentence


@pytest.mark.parametrize("header, place, says", [
    ("players Anabel, Ana, Bo, Ana", (4, 26), "'Ana' stands twice in one list, first at column 17"),
    ("players Ana, Bo\nteams Ana / Bo, Ana", (5, 17), "'Ana' stands twice in one list, first at column 7"),
    ("players Ana, Bo\nedition 1999-01-01", (5, 9), "no edition '1999-01-01'"),
])  # fmt: skip
def test_impossible_headers(tmp_path, header, place, says):
    """The header is one event on several lines: the error names the line that is wrong."""
    path = tmp_path / "game.dn"
    path.write_text(f"game g1\n# a comment\n\n{header}\n", encoding="utf-8")
    with pytest.raises(RecordError) as error:
        replay(Record(path))
    assert place == (error.value.line, error.value.column)
    assert says in error.value.sentence


def test_told_on_one_line():
    """For control characters and very long lines the message is one printable line; the events before are returned."""
    for line in ("\x1b[2J", "a" * 5000, "\u202e" * 50, "Ana casts \x00", "Ana casts " + "(" * 300, "\x85 casts"):
        events, refused = outcome(f"{BEFORE}{line}".encode())
        assert refused is not None
        assert is_tame(str(refused))
        assert 3 == len(events)
