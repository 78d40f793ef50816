"""Written events can be read again, in any style of JSON, in blocks or line by line, with limited memory."""

import gzip
import io
import json
import random
import tracemalloc
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from daynight.events.actions import GameRestarted, SpellCast
from daynight.events.language import TAGS, decode, read, read_line
from daynight.events.vocabulary import Event
from daynight.framework.language import reader
from daynight.framework.language.codec import encode, encode_lines, write
from daynight.framework.language.errors import UnreadableError
from daynight.game import Game

from .both_ways import by_blocks, line_by_line
from .lines import BEARS, MIB, OPENING, RESTART, TURN, at, cast, data, entered, event, meta, stretched
from .mutations import EVERY_EVENT
from .strategies import event_lists, events_of

promised = settings(deadline=None, derandomize=True)


def written(some: Sequence[Event]) -> bytes:
    """Return the record that `write` makes of these events."""
    stream = io.BytesIO()
    assert write(some, stream) == len(some)
    return stream.getvalue()


def read_again(record: bytes) -> list[Event]:
    """Return the events that `read` yields for these bytes."""
    return list(read(io.BytesIO(record)))


# Written events can be read again ------------------------------------------------------------------------------


@promised
@given(event_lists())
def test_what_is_written_is_read_again(some: list[Event]) -> None:
    """Reading gives the written events, and writing them again gives the same bytes."""
    record = written(some)
    assert some == read_again(record)
    assert record == written(read_again(record)) == encode_lines(some)
    assert some == [decode(line) for line in record.splitlines()]


@promised
@given(event_lists(), st.booleans(), st.booleans(), st.sampled_from([None, (",", ":"), (" , ", " : ")]), st.data())
def test_style_does_not_matter(
    some: list[Event], ascii_only: bool, sort: bool, separators: tuple[str, str] | None, draw: st.DataObject
) -> None:
    """Other spaces, escapes, order of keys or line ends give the same events, in blocks and line by line."""
    lines = [
        json.dumps(json.loads(encode(one)), ensure_ascii=ascii_only, sort_keys=sort, separators=separators)
        for one in some
    ]
    end = draw.draw(st.sampled_from(["\n", "\r\n", " \n", "\t\r\n"]))
    record = (end.join(lines) + draw.draw(st.sampled_from(["", end]))).encode()
    assert some == read_again(record)
    assert by_blocks(record) == line_by_line(record)


@promised
@given(event_lists(), st.integers(2, 200))
def test_blocks_do_not_matter(some: list[Event], size: int) -> None:
    """Blocks of any size, which may end inside a character, give the same events, also without a last line feed."""
    record = written(some)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reader, "BLOCK", size)
        assert some == read_again(record) == read_again(record[:-1])


@promised
@given(event_lists(), st.data())
def test_both_ways_refuse_the_same(some: list[Event], draw: st.DataObject) -> None:
    """A record with one changed byte has the same events and the same refusal in blocks and line by line."""
    record = bytearray(written(some))
    record[draw.draw(st.integers(0, len(record) - 1))] = draw.draw(
        st.sampled_from(b'"{}[]:,\\ \n\r\t\x7f\xe2\xff019.-e')
    )
    assert by_blocks(bytes(record)) == line_by_line(bytes(record))


@pytest.mark.parametrize("tag", TAGS)
def test_every_event_is_read_again(tag: str) -> None:
    """Each type of event is written with its tag and read again as an equal event."""

    @settings(promised, max_examples=2)
    @given(events_of(TAGS[tag]))
    def reads(one: Event) -> None:
        assert type(one) is TAGS[tag]
        assert json.loads(encode(one))["type"] == tag
        assert [one] == read_again(written([one]))

    reads()


def test_canonical_lines_are_vouched_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """ASCII lines without backslashes, with or without spaces, are checked in blocks: `read_line` is never called."""
    some = read_again(EVERY_EVENT)
    plain = [one for one in some if encode(one).isascii() and b"\\" not in encode(one)]
    assert {type(one) for one in some} == set(TAGS.values())
    monkeypatch.setattr(reader, "read_line", pytest.fail)
    assert plain == read_again(written(plain))
    assert plain == read_again(b"".join(json.dumps(json.loads(encode(one))).encode() + b"\n" for one in plain))


def test_a_first_line_of_another_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    """A first line with another order of keys needs no `read_line`; both readers refuse a bad one at line 1."""
    first, rest = b'{"players":["Ana"],"game":"g","format":1,"type":"game-started"}', RESTART + b"\n" + RESTART
    with monkeypatch.context() as patched:
        patched.setattr(reader, "read_line", pytest.fail)
        assert len(read_again(first + b"\n" + rest + b"\n")) == 3
    bad = (
        b"", b" ", b"{}", b"[]", RESTART + RESTART, RESTART + b" " + RESTART, RESTART[:-1], b"\x1f" + RESTART,
        b'{"type":"game-restarted","type":"game-restarted"}', b'{"type":"game-restarted","note":"a","note":"a"}',
        b'{"type":"game-restarted","no":1}', b'{"type":"game-restarted",',
    )  # fmt: skip
    for wrong in bad:
        for record in (wrong + b"\n", wrong + b"\n" + rest, wrong + b"\n" + rest + b"\n"):
            assert by_blocks(record) == line_by_line(record)
            assert by_blocks(record).line == 1


# Limits, just within them -----------------------------------------------------------------------------------

ACCEPTED = {
    "a line of 1 MiB": stretched(MIB), "nesting 64, lists": meta(b"[" * 62 + b"]" * 62),
    "nesting 64, objects": meta(b'{"a":' * 62 + b"1" + b"}" * 62),
    "many brackets that are not deep": meta(b"[" + b"[],{}," * 1000 + b"0]"),
    "brackets in a string": meta(b'"' + b"[{" * 1000 + b'"'),
    "brackets in a string after an escaped quotation mark": meta(b'"\\"' + b"[{" * 1000 + b'"'),
    "brackets in a string after an escaped backslash": meta(b'"' + b"[" * 100 + b'\\\\"'),
    "a name of 200": cast(b"x" * 200), "a name of 200 letters of two bytes": cast("é".encode() * 200),
    "a name of 200 escaped letters": cast(b"\\ud83c\\udf1a" * 200), "400 digits": meta(b"9" * 400),
    "a fraction of many digits": meta(b"0." + b"1" * 5000), "a number too small to tell from 0": meta(b"1e-999"),
    "the largest number": meta(b"1.7976931348623157e308"),
    "the largest turn": b'{"type":"turn-began","turn":9007199254740991,"active":["Ana"]}',
    "minus 0 for a turn": b'{"type":"turn-began","turn":-0,"active":["Ana"]}',
    "DEL in a note": b'{"type":"game-restarted","note":"\x7f"}',
    "controls in a note, escaped": b'{"type":"game-restarted","note":"\\u0000\\n\\u001b"}',
    "a bidi override in a note": '{"type":"game-restarted","note":"\u202e"}'.encode(),
    "a bidi override in meta": '{"type":"game-restarted","meta":{"\u202e":"\u202e\x85"}}'.encode(),
    "null in meta": meta(b"null"), "the same key in two objects": meta(b'[{"a":1},{"a":1},{"b":{"b":1}}]'),
    "a key of meta that is a field of events": meta(b'{"type":1,"at":"now","meta":[],"player":"\\n"}'),
    "keys that look alike": meta(b'{"a":1,"A":1,"a ":1,"":1}'),
    "type last": b'{"active":["Ana"],"turn":1,"type":"turn-began"}',
    "type with an escape": b'{"\\u0074ype":"game-re\\u0073tarted"}', "an escaped slash": cast(b"Ana\\/Bo"),
    "a byte order mark in a name": cast("\ufeffAna".encode()), "joined letters": cast("👩\u200d🚀".encode()),
    "spaces around": b"  " + RESTART + b" \t\r",
    "fields that are as if not given": data(entered({**BEARS, "face_down": False, "without_abilities": False})),
    "an untap step's lists, empty": data(event("step-began", step="untap", phased_in=[], phased_out=[])),
    "a leap second": data(at("2016-12-31T23:59:60Z")), "29 February": data(at("2000-02-29t00:00:00.5z")),
    "a time to many places": data(at("2024-06-07T19:30:00." + "9" * 40 + "-23:59")),
    "the year 0": data(at("0000-01-01T00:00:00Z")), "a name that looks like a message": cast(b"{0} - at `$.x`"),
}  # fmt: skip


@pytest.mark.parametrize("name", ACCEPTED)
def test_accepted(name: str) -> None:
    """A line just within a limit, or that only looks invalid, is read in blocks and by `read_line`."""
    line = ACCEPTED[name].removesuffix(b"\n")
    alone = by_blocks(line)
    assert alone.refused is None
    assert [read_line(line)] == alone.events
    assert [GameRestarted(), *alone.events, GameRestarted()] == read_again(RESTART + b"\n" + line + b"\n" + RESTART)


def test_numbers_of_meta_are_kept() -> None:
    """Integers of any size and fractions in meta are read and written again with their exact values."""
    kept = {"a": [2**64, -(2**70), 10**399, 0.1, 1e300, -0.0, 5e-324, True, None]}
    [one] = read_again(data(event("game-restarted", meta=kept)))
    assert kept == one.meta
    assert repr(kept) == repr(one.meta)
    assert [one] == read_again(written([one]))


def test_last_line_needs_no_line_feed() -> None:
    """A last line without a line feed is read."""
    assert [GameRestarted()] * 2 == read_again(RESTART + b"\n" + RESTART)


@pytest.mark.parametrize("size", [*range(2, 48), 1000])
def test_letters_over_two_blocks(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A multi-byte character across two blocks is read; an incomplete one is refused at line 3, by both readers."""
    monkeypatch.setattr(reader, "BLOCK", size)
    lines = [cast("Zoë 🌙 日".encode()), cast("夜夜夜".encode())]
    good = data(*lines)
    assert [SpellCast(player="Zoë 🌙 日"), SpellCast(player="夜夜夜")] == read_again(good)
    broken = by_blocks(good + cast("🌙".encode()[:-1]) + b"\n" + data(*lines))
    assert (2, 3) == (len(broken.events), broken.line)
    assert broken == line_by_line(good + cast("🌙".encode()[:-1]) + b"\n" + data(*lines))


# Streaming --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [2, 100, 2**17])
@pytest.mark.parametrize("before", [0, 1, 7, 2000])
def test_events_before_the_bad_line_come_first(before: int, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """`read` yields the events before the bad line, then raises UnreadableError with that line's number."""
    monkeypatch.setattr(reader, "BLOCK", size)
    given_events: list[Event] = []
    stream = read(io.BytesIO((RESTART + b"\n") * before + b"{}\n" + (RESTART + b"\n") * 9))
    with pytest.raises(UnreadableError) as refused:
        given_events.extend(stream)
    assert before == len(given_events)
    assert (before + 1, "$", None) == (refused.value.line, refused.value.path, refused.value.file)


def test_events_before_the_damage_come_first() -> None:
    """From damaged gzip data the readable events are returned; the refusal names the line after them."""
    some = [SpellCast(player=f"{random.Random(n).random()}") for n in range(20_000)]
    packed = gzip.compress(written(some))
    for damaged in (packed[: len(packed) // 2], packed[:-4], packed[:-8] + b"\0" * 8, packed + b"more"):
        outcome = by_blocks(damaged)
        assert some[: len(outcome.events)] == outcome.events
        assert len(outcome.events) > 2_000
        assert len(outcome.events) + 1 == outcome.line
        assert outcome.refused is not None
        assert outcome.refused.startswith("$: damaged gzip data")


def test_named_file_is_named(tmp_path: Path) -> None:
    """A refusal while reading a path, as Path or str, has the file's name in `file` and before its sentence."""
    file = tmp_path / "bad.jsonl"
    file.write_bytes(data(OPENING, TURN, b"[]"))
    for source in (file, str(file)):
        with pytest.raises(UnreadableError, match="expected an object") as refused:
            list(read(source))
        assert (3, str(file)) == (refused.value.line, refused.value.file)
        assert str(refused.value).startswith(f"{file}:3: $: ")


class Watched(io.BytesIO):
    """A stream that counts in `taken` the bytes that were read."""

    taken = 0

    def read(self, size: int | None = -1, /) -> bytes:
        piece = super().read(size)
        self.taken += len(piece)
        return piece


@pytest.mark.parametrize("packed", [False, True])
def test_reading_is_not_ahead(packed: bool) -> None:
    """To yield the first event, `read` takes at most two blocks from the stream, compressed or not."""
    record = (RESTART + b"\n") * 2_000_000
    stream = Watched(gzip.compress(record[: len(record) // 20], 0) if packed else record)
    assert GameRestarted() == next(read(stream))
    assert stream.taken <= 2 * reader.BLOCK


def _lines(line: bytes, times: int) -> Iterator[bytes]:
    for number in range(times):
        yield line % number


def _peak(line: bytes, times: int, file: Path, *, packed: bool) -> int:
    with gzip.open(file, "wb", 1) if packed else file.open("wb") as stream:
        stream.writelines(_lines(line, times))
    tracemalloc.start()
    try:
        assert times == sum(1 for _event in read(file))
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


PLAIN = b'{"type":"turn-began","turn":%d,"active":["Ana"]}\n'
ESCAPED = b'{"type":"turn-began","turn":%d,"active":["An\\u0061"],"note":"' + b"x" * 4_000 + b'"}\n'


@pytest.mark.wide(but=1)
@pytest.mark.parametrize("packed", [False, True])
def test_memory_does_not_grow_with_the_record(packed: bool, tmp_path: Path) -> None:
    """Reading 20,000 events takes at most 2 MiB more memory than 2,000, and less than 8 MiB."""
    small = _peak(PLAIN, 2_000, tmp_path / "small", packed=packed)
    large = _peak(PLAIN, 20_000, tmp_path / "large", packed=packed)
    assert large < small + 2 * MIB
    assert large < 8 * MIB


@pytest.mark.wide
def test_memory_does_not_grow_with_what_is_read_line_by_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If every line needs `read_line`, reading 1,000 events takes at most 1 MiB more memory than 200."""
    monkeypatch.setattr(reader, "BLOCK", 2**13)
    small = _peak(ESCAPED, 200, tmp_path / "small", packed=False)
    large = _peak(ESCAPED, 1_000, tmp_path / "large", packed=False)
    assert large < small + MIB


def test_a_packed_line_without_end_is_not_unpacked(tmp_path: Path) -> None:
    """A small file that decompresses to one line of 64 MiB is refused at line 1 with less than 6 MiB in use."""
    file = tmp_path / "bomb.jsonl.gz"
    with gzip.open(file, "wb", 1) as stream:
        for _ in range(64):
            stream.write(b"x" * MIB)
    tracemalloc.start()
    try:
        with pytest.raises(UnreadableError, match="1048576 bytes") as refused:
            list(read(file))
        assert tracemalloc.get_traced_memory()[1] < 6 * MIB
    finally:
        tracemalloc.stop()
    assert refused.value.line == 1


# Limits of a whole record ----------------------------------------------------------------------------------


@pytest.mark.parametrize("line", [RESTART, RESTART + b" "], ids=["vouched for", "by line"])
def test_too_many_events(line: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a limit of 10 events, 10 are read and line 11 is refused, whether or not lines need the slow check."""
    monkeypatch.setattr(reader, "EVENTS", 10)
    assert len(read_again((line + b"\n") * 10)) == 10
    outcome = by_blocks((line + b"\n") * 13)
    assert (10, 11) == (len(outcome.events), outcome.line)
    assert "$: a record may have 10 events" == outcome.refused


def test_too_many_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    """A record one byte above the size limit, counted uncompressed, is refused, compressed or not."""
    monkeypatch.setattr(reader, "SIZE", 100_000)
    monkeypatch.setattr(reader, "BLOCK", 1_000)
    lines, rest = divmod(100_000, len(RESTART) + 1)
    good = (RESTART + b"\n") * (lines - 1) + RESTART + b" " * rest + b"\n"
    bad = good + b" "
    assert len(read_again(good)) == len(read_again(gzip.compress(good))) == good.count(b"\n")
    for packed in (bad, gzip.compress(bad)):
        outcome = by_blocks(packed)
        assert outcome.refused is not None
        assert outcome.refused == "$: a record may have 100000 bytes, unpacked"
        assert outcome.line == len(outcome.events) + 1


# Compressed ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["game.jsonl", "game.jsonl.gz", "game"])
def test_packed_or_not_by_content(name: str, tmp_path: Path) -> None:
    """Compression is recognised by content, not by the file's name."""
    file = tmp_path / name
    expected = read_again(EVERY_EVENT)
    half = EVERY_EVENT.index(b"\n") + 1
    for content in (
        EVERY_EVENT,
        gzip.compress(EVERY_EVENT),
        gzip.compress(EVERY_EVENT, 0),
        gzip.compress(EVERY_EVENT) + b"\0" * 512,
        gzip.compress(EVERY_EVENT[:half]) + gzip.compress(EVERY_EVENT[half:]),
        gzip.compress(EVERY_EVENT[: half + 5]) + gzip.compress(b"") + gzip.compress(EVERY_EVENT[half + 5 :]),
    ):
        file.write_bytes(content)
        assert expected == list(read(file))
        assert len(expected) == len(Game.load(file))
