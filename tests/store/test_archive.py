"""Archives: whole stores as files, with equal bytes from any database; a damaged archive is refused whole."""

import hashlib
import json
import random
import tracemalloc
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO, cast

import pytest

from daynight.framework.language.errors import RecordError
from daynight.games import Library, Store
from daynight.store import ConflictError, DamagedError, StoreError
from daynight.store.proving.archive import is_archive, read_archive, write_archive
from daynight.store.proving.verify import verify_store
from tests.sampling import sampled
from tests.store import victim
from tests.store.victim import EVENTS, GAME, OTHER

Json = dict[str, Any]

TRIED = 15
LARGE, BOUND = 20_000_000, 12_000_000
"""The size of a large archive in bytes, and how many bytes of memory may be used while it is read."""

NAMES = ('with "quotes" and \\', "it's", "🐺 ☾", "Größe", "a/b?c=d", "' OR 1=1 --", " ", "x" * 200, "-", "%s {0}")


@pytest.fixture
def store(tmp_path):
    with victim.opened(victim.copied(tmp_path)) as store:
        for number, name in enumerate(NAMES):
            store.new(name, ["Ana", "Bo 🐺", 'C "x" \\'], command=f"{name[:50]}-{number}")
            store.append(name, [{"type": "turn-began", "turn": 1, "active": ["Ana"], "note": name}])
        yield store


@pytest.fixture
def empty(tmp_path):
    (tmp_path / "empty").mkdir()
    with victim.opened(tmp_path / "empty" / "games.db", key=None) as store:
        yield store


def archived(store):
    stream = BytesIO()
    write_archive(store, stream)
    return stream.getvalue()


def is_empty(store):
    tables = ("stored_events", "snapshots", "heads", "commands", "library", "tracking")
    return not any(store.recorder.select(f"SELECT count(*) FROM {table}")[0][0] for table in tables)


def test_there_and_back(store, empty):
    """A store imported from an archive is complete, can be appended to, and exports the same archive byte for byte."""
    data, heard = archived(store), list[int]()
    assert is_archive(data)
    many = EVENTS + 60 + 2 * len(NAMES)
    assert write_archive(store, BytesIO(), progress=heard.append) == many
    assert heard[-1] == many
    heard.clear()
    assert read_archive(empty, BytesIO(data), progress=heard.append) == (2 + len(NAMES), many)
    assert heard[-1] == many
    assert archived(empty) == data
    assert not any(each.fault for each in verify_store(empty))
    assert victim.verified(empty, victim.code()).fault is None
    assert (empty.games(), empty.code(GAME)) == (store.games(), store.code(GAME))
    # Its commands are known there too, and games can be continued.
    assert empty.append(GAME, victim.told()[:1], command=f"{GAME}-0").repeated
    assert empty.append(OTHER, [{"type": "turn-began", "turn": 99, "active": ["Ana"]}]).last == 61
    assert Library(empty).catch_up() == many + 1


def test_nothing(empty):
    """An empty store makes an archive of two lines, which can be imported; an exported game is no archive."""
    data = archived(empty)
    assert data.count(b"\n") == 2
    assert read_archive(empty, BytesIO(data)) == (0, 0)
    assert is_empty(empty)
    assert not is_archive(victim.exported())
    assert not is_archive(b"")


def test_between_databases(store, schema, tmp_path):
    """An archive goes from SQLite to PostgreSQL and back: its bytes and the codes of the games stay the same."""
    data = archived(store)
    with Store(schema) as server:
        read_archive(server, BytesIO(data))
        assert archived(server) == data
        assert not any(each.fault for each in verify_store(server))
        assert (server.games(), server.code(GAME)) == (store.games(), victim.code())
        there = archived(server)
    with victim.opened(tmp_path / "back.db") as back:
        read_archive(back, BytesIO(there))
        assert archived(back) == data
        lines = BytesIO()
        back.lines(GAME, lines)
        assert lines.getvalue() == victim.exported()


def test_only_into_an_empty_store(store, empty):
    """A store with any row, even in a table without events, refuses an archive with ConflictError."""
    data = archived(store)
    with pytest.raises(ConflictError, match="empty store"):
        read_archive(store, BytesIO(data))
    for statement in (
        "INSERT INTO snapshots VALUES ('friday', 40, x'00')",
        "INSERT INTO commands VALUES ('friday', 'c', 1, 1, x'00', x'00')",
        "INSERT INTO heads VALUES ('friday', 1, x'00', x'00')",
        "INSERT INTO library VALUES ('friday', 1, 1, 1, 1, 'day', 'exact', 0, 0)",
        "INSERT INTO tracking VALUES ('library', 99)",
    ):
        with victim.laid_open(Path(empty.settings.path)) as raw:
            raw.execute(statement)
            with pytest.raises(ConflictError):
                read_archive(empty, BytesIO(data))
            raw.execute(f"DELETE FROM {statement.split()[2]}")
    read_archive(empty, BytesIO(data))


# ------------------------------------------------------------------------------------------------------------ damaged


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    with victim.opened(victim.copied(tmp_path_factory.mktemp("archive"))) as store:
        return archived(store)


def refused(empty, data):
    with pytest.raises((StoreError, RecordError)) as caught:
        read_archive(empty, BytesIO(data))
    assert "\n" not in str(caught.value)
    assert is_empty(empty)


def test_bytes_changed(empty, data):
    """An archive with any changed byte is refused, and nothing of it is stored."""
    luck = random.Random(3)
    # Only the checksum can detect this: the request of a command was changed.
    place = data.index(b'"request":"') + len(b'"request":"')
    refused(empty, data[:place] + (b"1" if data[place : place + 1] == b"0" else b"0") + data[place + 1 :])
    for _attempt in range(TRIED):
        altered = bytearray(data)
        altered[luck.randrange(len(data))] ^= luck.randrange(1, 256)
        refused(empty, bytes(altered))


def test_cut_off(empty, data):
    """An archive cut off anywhere, also between lines, is refused."""
    luck = random.Random(4)
    ends = [place + 1 for place, byte in enumerate(data) if byte == 10][:-1]
    for length in (0, 1, *luck.sample(ends, 8), *luck.sample(range(len(data)), 8), len(data) - 1):
        refused(empty, data[:length])


Change = Callable[[list[Json]], object]


def summed(data, change):
    """Return the archive after `change` has edited its parsed lines, with a recomputed checksum at its end."""
    lines = [json.loads(line) for line in data.splitlines()[:-1]]
    change(lines)
    plain = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False).encode
    body = b"".join(plain(line).encode() + b"\n" if isinstance(line, dict) else line for line in lines)
    return body + end(body)


def end(body):
    return b'{"type":"end","lines":%d,"sha256":"%s"}\n' % (body.count(b"\n"), hashlib.sha256(body).hexdigest().encode())


def one(lines, kind, place=0):
    return [line for line in lines if line["type"] == kind][place]


def put(kind, place=0, **fields):
    return lambda lines: one(lines, kind, place).update(fields)


def swap(one, another):
    def change(lines):
        lines[one], lines[another] = lines[another], lines[one]

    return change


def another_game():
    """Return the archive line, parsed, of a valid game with a single event."""
    line = '{"type":"game-started","format":1,"game":"zoo","players":["Ana"]}'
    found = victim.digest(victim.ORIGIN, "zoo", 1, "game-started", line.encode())
    return {"type": "event", "game": "zoo", "number": 1, "tag": "game-started", "line": line, "digest": found.hex()}


FORGED = {
    "another format": put("archive", format=2),
    "no first line": lambda lines: lines.pop(0),
    "two first lines": lambda lines: lines.insert(1, lines[0]),
    "an unknown kind of line": lambda lines: lines.insert(3, {"type": "moon"}),
    "a field more": put("event", more=1),
    "a blank line": lambda lines: lines.insert(3, cast(Json, b"\n")),
    "spaces in a line": lambda lines: lines.insert(3, cast(Json, json.dumps(lines.pop(3)).encode() + b"\n")),
    "a changed line": put("event", 50, line='{"type":"spell-cast","player":"Ana"}'),
    "a changed tag": put("event", 50, tag="moon-eaten"),
    "a class for a tag": put("event", 50, tag="os:system"),
    "a very long tag": put("event", 50, tag="x" * 100_000),
    "a line that is two": put("event", 50, line='{"type":"spell-cast",\n"player":"Ana"}'),
    "a very long line": put("event", 50, line="x" * 3_000_000),
    "a digest of another": lambda lines: one(lines, "event", 50).update(digest=one(lines, "event", 51)["digest"]),
    "a digest with a line feed": lambda lines: one(lines, "event", 50).update(
        digest=one(lines, "event", 50)["digest"] + "\n"
    ),
    "an event dropped": lambda lines: lines.pop(50),
    "an event twice": lambda lines: lines.insert(50, lines[50]),
    "the last event dropped": lambda lines: lines.remove(one(lines, "event", -1)),
    "two events swapped": swap(50, 51),
    "a number of 0": put("event", 0, number=0),
    "a number too large": put("event", 0, number=2**60),
    "another name": put("event", 50, game="sunday"),
    "no name": put("event", 50, game=""),
    "a name that steers a terminal": put("event", 0, game="x\x1b[2J"),
    "an event after the commands": lambda lines: lines.append(lines.pop(260)),
    "a game after the commands": lambda lines: lines.append(another_game()),
    "a command of events to come": put("command", 0, last=9999),
    "a command backwards": put("command", 5, first=9),
    "commands that overlap": put("command", 1, first=1),
    "a command of nobody's": put("command", 0, game="sunday"),
    "a command twice": lambda lines: lines.insert(300, lines[300]),
    "a command's id with a line feed": put("command", 0, command="a\nb"),
    "commands out of their order": swap(265, 266),
    "a request too short": put("command", 0, request="00"),
    "a signature of another": lambda lines: one(lines, "head").update(signature=one(lines, "head", 1)["signature"]),
    "a signature of another event": put("head", 0, number=9),
    "a signature of an event to come": put("head", -1, number=9999),
    "a stranger's key": put("head", 0, signer=victim.STRANGER.key.hex()),
    "no key at all": put("head", 0, signer=""),
    "a signature of nobody's": put("head", -1, game="sunday"),
    "a signature twice": lambda lines: lines.append(lines[-1]),
}


@pytest.mark.parametrize("name", sampled(FORGED, 7))
def test_forged(empty, data, name):
    """A changed archive is refused even if its checksum was recomputed, and nothing of it is stored."""
    altered = summed(data, FORGED[name])
    assert altered != data
    refused(empty, altered)


def test_forged_completely(empty, data):
    """With all digests recomputed, an impossible event is refused; a possible one is accepted, but the code differs
    from the noted one."""
    for line, fits in (('{"type":"spell-cast","player":"Zoe"}', False), ('{"type":"spell-cast","player":"Bo"}', True)):
        lines = [json.loads(each) for each in data.splitlines()[:-1]]
        kept = [each for each in lines if each["type"] in ("archive", "event") and each.get("game") != OTHER]
        kept[150]["line"] = line
        before = victim.ORIGIN
        for each in kept[1:]:
            before = victim.digest(before, GAME, each["number"], each["tag"], each["line"].encode())
            each["digest"] = before.hex()
        altered = summed(data, lambda lines, kept=kept: lines.__setitem__(slice(None), kept))
        if not fits:
            refused(empty, altered)
        else:
            read_archive(empty, BytesIO(altered))
            assert victim.verified(empty).fault is None
            assert victim.verified(empty, victim.code()).fault is not None


def test_the_unchanged_is_taken(empty, data):
    """The control: recomputing the checksum alone changes nothing; with one more valid game, it is accepted."""
    assert summed(data, lambda lines: None) == data
    read_archive(empty, BytesIO(summed(data, lambda lines: lines.insert(261, another_game()))))


@pytest.mark.parametrize("more", [b"x", b"\n", b'{"type":"archive","format":1}\n', b"\0" * 100])
def test_more_after_the_end(empty, data, more):
    refused(empty, data + more)


def test_no_archives(empty):
    for wrong in (b"", b"\n", b"{}", victim.exported(), b"[" * 100_000, b"\x1f\x8b" * 50, b"SQLite format 3\0" * 9):
        refused(empty, wrong)
    refused(empty, b'{"type":"archive","format":1}\n' + b"x" * 5_000_000)


def test_of_a_damaged_store(tmp_path):
    """A store with a row that daynight cannot have written raises DamagedError when it is archived."""
    for column, value in (
        ("originator_id", b"zoo"), ("originator_id", "a\nb"), ("originator_version", 1.5), ("topic", b"spell-cast"),
        ("topic", "moon"), ("state", "text"), ("state", b"\xff"), ("state", b"{}\n{}"), ("digest", "x"), ("digest", 1.5)
    ):  # fmt: skip
        path = victim.copied(tmp_path)
        with victim.laid_open(path) as raw:
            raw.execute(f"UPDATE stored_events SET {column} = ? WHERE rowid = 150", (value,))
        with victim.opened(path) as store, pytest.raises(DamagedError):
            archived(store)


# -------------------------------------------------------------------------------------------------------------- large


def lines_of(many):
    """Yield the lines of an archive with this many events, as daynight writes them."""
    first = {"type": "game-started", "format": 1, "game": "g", "players": ["Ana"]}
    before, sum_ = victim.ORIGIN, hashlib.sha256()
    data = b'{"type":"archive","format":1}\n'
    for number in range(1, many + 2):
        sum_.update(data)
        yield data
        event = first
        if number > 1:
            event = {"type": "spell-cast", "player": "Ana", "note": "x" * 300}
        if number == 2:
            event = {"type": "turn-began", "turn": 1, "active": ["Ana"]}
        line = json.dumps(event, separators=(",", ":"))
        before = victim.digest(before, "g", number, event["type"], line.encode())
        row = {
            "type": "event", "game": "g", "number": number, "tag": event["type"], "line": line, "digest": before.hex(),
        }  # fmt: skip
        data = json.dumps(row, separators=(",", ":")).encode() + b"\n"
    yield b'{"type":"end","lines":%d,"sha256":"%s"}\n' % (many + 1, sum_.hexdigest().encode())


class Streamed:
    """A generated archive that is never in memory as a whole; `size` counts the bytes that were read."""

    def __init__(self, many):
        self._lines = lines_of(many)
        self.size = 0

    def readline(self, most):
        line = next(self._lines, b"")
        self.size += len(line)
        return line


class Counted:
    def __init__(self):
        self.size = 0

    def write(self, data):
        self.size += len(data)
        return len(data)


@pytest.mark.slow
def test_large(tmp_path):
    """A 20 MB archive is imported and exported in pieces: less than BOUND bytes of memory are in use."""
    stream, sink, heard = Streamed(LARGE // 490), Counted(), list[int]()
    with victim.opened(tmp_path / "large.db") as store:
        tracemalloc.start()
        try:
            read_archive(store, cast(BinaryIO, stream), progress=heard.append)
            write_archive(store, cast(BinaryIO, sink))
            _now, most = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    assert stream.size == sink.size > LARGE
    assert most < BOUND, most
    assert heard == sorted(heard)
    assert 5 < len(heard) < 100


@pytest.mark.slow
def test_memory_of_long_lines(tmp_path):
    """An archive of 16 lines of a megabyte is imported in small batches: less than BOUND bytes of memory are in use."""
    began = {"type": "game-started", "format": 1, "game": "g", "players": ["Ana"], "note": "x" * 1_000_000}
    body, before = b'{"type":"archive","format":1}\n', victim.ORIGIN
    for number in range(1, 17):
        line = json.dumps(began | {"game": f"g{number}"}, separators=(",", ":"))
        before = victim.digest(victim.ORIGIN, f"g{number}", 1, "game-started", line.encode())
        row = {"type": "event", "game": f"g{number}", "number": 1, "tag": "game-started", "line": line}
        body += json.dumps(row | {"digest": before.hex()}, separators=(",", ":")).encode() + b"\n"
    stream = BytesIO(body + end(body))
    with victim.opened(tmp_path / "long.db") as store:
        tracemalloc.start()
        try:
            assert read_archive(store, stream) == (16, 16)
            _now, most = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    assert most < BOUND, most
