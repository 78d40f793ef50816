"""An invalid baseline file is refused with its line number, whatever it contains, and never with another error.

| promise | test |
| --- | --- |
| a wrong first line, another format or another mechanic is refused | test_the_first_line |
| a missing, doubled, misplaced or extended line is refused with its number | test_every_line |
| a file that ends too early or continues after its end is refused | test_the_end |
| values that no part can have are refused | test_values |
| a changed line of a record is a difference, or is refused as a line of that record | test_lines_of_records |
| any other bytes are refused | test_any_bytes |
| a baseline may be compressed with gzip | test_packed |
"""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from io import BytesIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from daynight.framework.baselines.lines import BaselineError
from daynight.framework.baselines.replaying import Deviation, Replay
from daynight.framework.testing import Sample, write_baseline

from .cases import CASES

CASE = CASES["the monarch"]


def taken() -> list[bytes]:
    """The lines of a baseline that holds the same record twice."""
    stream = BytesIO()
    sample = Sample("friday", CASE.lines)
    write_baseline(CASE.mechanic, stream, [sample, sample], every=6)
    return stream.getvalue().splitlines()


LINES = taken()
EVENTS = len(CASE.lines)
SECOND = 1 + LINES[1:].index(LINES[1], 1)
"""The index in `LINES` of the line that begins the second record."""


def replayed(lines: Sequence[bytes]) -> list[Deviation]:
    return [*Replay(CASE.mechanic, BytesIO(b"".join(line + b"\n" for line in lines)), ways=True)]


def refused(lines: Sequence[bytes]) -> BaselineError:
    with pytest.raises(BaselineError) as refusal:
        replayed(lines)
    return refusal.value


@pytest.mark.parametrize(
    "line, sentence",
    [
        (b"", "no baseline"),
        (b"{}", "no baseline"),
        (b"[" * 100_000, "no baseline"),
        (LINES[1], "no baseline"),
        (b'{"type":"baseline",', "not JSON"),
        (LINES[0].replace(b'"format":1', b'"format":2'), "another format"),
        (LINES[0].replace(b'"format":1', b'"format":"1"'), "another format"),
        (LINES[0].replace(b'"monarch"', b'"approval"', 1), "a baseline of approval, not of monarch"),
        (LINES[0].replace(b'"every":6', b'"every":0'), "expected at least 1"),
        (LINES[0].replace(b'"every":6,', b""), "missing field every"),
        (LINES[0].replace(b'"every":6', b'"every":6,"more":1'), "unknown field more"),
        (LINES[0].replace(b'"every":6', b'"every":6,"every":6'), "stands twice"),
    ],
)
def test_the_first_line(line: bytes, sentence: str) -> None:
    error = refused([line, *LINES[1:]])
    assert sentence in str(error)
    assert 1 == error.line


def of_records() -> set[int]:
    """The indexes in `LINES` of the records' own lines."""
    return {*range(2, 2 + EVENTS), *range(SECOND + 1, SECOND + 1 + EVENTS)}


@pytest.mark.parametrize("place", [place for place in range(1, len(LINES)) if place not in of_records()])
@pytest.mark.wide(but=15)
def test_every_line(place: int) -> None:
    line = LINES[place]
    for other in (b"", b"{}", b"null", b"\xff", b'{"type":"other"}', line[:-1], line[:-1] + b',"more":1}', LINES[0]):
        error = refused([*LINES[:place], other, *LINES[place + 1 :]])
        assert place + 1 <= (error.line or 0) <= place + 2, other
    part = line.startswith(b'{"type":"part"')
    for lines in ([*LINES[:place], *LINES[place + 1 :]], [*LINES[:place], line, *LINES[place:]]):
        # A missing or extra part is also seen as a difference before the last line counts the parts.
        assert part or refused(lines)
        if part:
            with pytest.raises(BaselineError, match="the last line does not count"):
                replayed(lines)


def test_the_end() -> None:
    for end in range(1, len(LINES)):
        refused(LINES[:end])
    for more in (LINES[-1], b"{}", b"", LINES[1]):
        assert len(LINES) + 1 == refused([*LINES, more]).line


@pytest.mark.parametrize("values", [b"1e999", b"[NaN]", b"[" + b"9" * 5000 + b"]", b"[" * 70, b'"x"', b'{"least":1}'])
def test_values(values: bytes) -> None:
    place = next(place for place, line in enumerate(LINES) if line.startswith(b'{"type":"part"'))
    line = b'{"type":"part","part":"monarch","values":' + values + b"}"
    assert place + 1 == refused([*LINES[:place], line, *LINES[place + 1 :]]).line


def test_lines_of_records() -> None:
    for place in of_records():
        told = replayed([*LINES[:place], b"{}", *LINES[place + 1 :]])
        event = place - (SECOND if place > SECOND else 1)
        assert [("refused", event)] == [(one.what, one.event) for one in told]
    changed = LINES[2 + 6].replace(b'"by":"Bo"', b'"by":"Cy"')
    told = replayed([*LINES[: 2 + 6], changed, *LINES[3 + 6 :]])
    assert {"values", "ways"} >= {one.what for one in told}
    assert told


@settings(max_examples=200, deadline=None)
@given(st.data())
@pytest.mark.wide
def test_any_bytes(data: st.DataObject) -> None:
    whole = b"".join(line + b"\n" for line in LINES)
    place = data.draw(st.integers(0, len(whole)))
    put = data.draw(st.binary(max_size=8) | st.sampled_from([b"\n", b"0", b'"', b"}", b"{", b"[", b"-", b"e"]))
    spoiled = whole[:place] + put + whole[place + data.draw(st.integers(0, 8)) :]
    line, told = 1, [""]
    try:
        told = [str(one) for one in Replay(CASE.mechanic, BytesIO(spoiled))]
    except BaselineError as error:
        line = error.line or 0
    assert 1 <= line <= spoiled.count(b"\n") + 1
    assert not any("fails" in one for one in told)


def test_packed() -> None:
    packed = gzip.compress(b"\n".join(LINES))
    assert [] == [*Replay(CASE.mechanic, BytesIO(packed))]
    with pytest.raises(BaselineError, match="damaged gzip data"):
        list(Replay(CASE.mechanic, BytesIO(packed[:-20])))
