"""Hostile rows: whatever a store contains, nothing is accepted silently, and all errors are daynight's."""

import gzip
import json
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from daynight.framework.folding.standing import Standing
from daynight.framework.language.errors import NotFoundError, RecordError
from daynight.projections.library import Library
from daynight.referee.state import State
from daynight.store import DamagedError, StoreError
from daynight.store.proving.archive import write_archive
from daynight.store.proving.chain import sealed, unsealed
from daynight.store.proving.proof import prove
from daynight.store.proving.verify import verify_store
from tests.sampling import sampled
from tests.store import victim
from tests.store.told import freeze
from tests.store.victim import GAME, OTHER

Raw = sqlite3.Connection
Json = dict[str, Any]


@pytest.fixture
def path(tmp_path):
    return victim.copied(tmp_path)


FAMILY = (StoreError, NotFoundError, RecordError)


def faults(store):
    """The faults that `verify` reports about a store."""
    try:
        return [each.fault.sentence for each in verify_store(store) if each.fault is not None]
    except DamagedError as error:
        return [str(error)]


USES = (
    lambda store: store.games(), lambda store: store.head(GAME), lambda store: store.code(GAME),
    lambda store: store.at(GAME), lambda store: store.at(GAME, 45), lambda store: store.at(GAME, 150),
    lambda store: store.at(GAME, "turn:4"), lambda store: store.load(GAME), lambda store: store.lines(GAME, BytesIO()),
    lambda store: list(store.events(GAME)), lambda store: store.application.repository.get(GAME),
    lambda store: list(store.application.recorder.select_notifications(1, 1000)), lambda store: Library(store).rows(),
    lambda store: Library(store).totals(), lambda store: Library(store).behind(),
    lambda store: Library(store).catch_up(), lambda store: write_archive(store, BytesIO()),
    lambda store: [store.head(name) for name, _number in store.games()],
)  # fmt: skip
WRITES = (
    lambda store: store.append(GAME, [{"type": "spell-cast", "player": "Ana"}]),
    lambda store: store.append(GAME, victim.told()[:1], command=f"{GAME}-0"),
    lambda store: store.append(OTHER, [{"type": "turn-began", "turn": 99, "active": ["Ana"]}]),
    lambda store: store.new("sunday", ["Ana", "Bo"]),
    lambda store: store.take_snapshots(GAME),
    lambda store: prove(store, GAME),
)


Change = Callable[[Raw], None]


def execute(statement, *params):
    return lambda raw: _all_told(raw.execute(statement, params))


def _all_told(cursor):
    assert cursor.rowcount != 0, "it changed nothing"


def event(column, value, number=150, *, cast="?"):
    """A function that sets `column` of event `number` to `value`; `cast` is the SQL around the value."""
    where = f"WHERE originator_id = '{GAME}' AND originator_version = {number}"
    return execute(f"UPDATE stored_events SET {column} = {cast} {where}", value)


def line(data, tag="spell-cast", number=150):
    """A function that replaces tag and line of event `number`, and recomputes the digests."""

    def change(raw):
        event("topic", tag, number)(raw)
        event("state", data, number)(raw)
        victim.forged(raw)

    return change


def named(name, cast="?"):
    """A function that renames the second game; it recomputes the digests if the new name is text."""

    def change(raw):
        raw.execute(f"UPDATE stored_events SET originator_id = {cast} WHERE originator_id = '{OTHER}'", (name,))
        for table in ("snapshots", "heads", "commands", "library"):
            raw.execute(f"UPDATE {table} SET game = {cast} WHERE game = '{OTHER}'", (name,))
        if isinstance(name, str) and cast == "?":
            victim.forged(raw, name)

    return change


def snapshot(number, change, *, seal=True):
    """A function that changes the first snapshot and stores it at event `number`, with a right seal or none."""

    def changed(raw):
        (state,) = raw.execute("SELECT state FROM snapshots WHERE game = ? ORDER BY event", (GAME,)).fetchone()
        document = json.loads(unsealed(state))
        change(document)
        written = json.dumps(document, separators=(",", ":"), ensure_ascii=False).encode()
        found = raw.execute(f"SELECT digest FROM stored_events {victim.AT}", (GAME, number)).fetchone()
        written = sealed(GAME, number, written, found[0] if found else bytes(32)) if seal else written
        raw.execute("INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?)", (GAME, number, written))

    return changed


def null(table, column):
    """A function that sets `column` to NULL in all rows, although the table forbids it."""

    def change(raw):
        (sql,) = raw.execute("SELECT sql FROM sqlite_schema WHERE name = ?", (table,)).fetchone()
        (version,) = raw.execute("PRAGMA schema_version").fetchone()
        declared = next(part for part in sql.split("(", 1)[1].split(", ") if part.startswith(column))
        for step, now in enumerate((sql.replace(declared, declared.replace(" NOT NULL", "")), sql), 1):
            raw.execute("PRAGMA writable_schema = ON")
            raw.execute("UPDATE sqlite_schema SET sql = ? WHERE name = ?", (now, table))
            raw.execute(f"PRAGMA schema_version = {version + step}")
            raw.execute("PRAGMA writable_schema = OFF")
            if step == 1:
                with victim.laid_open(Path(raw.execute("PRAGMA database_list").fetchone()[2])) as other:
                    other.execute(f"UPDATE {table} SET {column} = NULL")

    return change


def whole_game(*lines):
    """A function that adds a game `zoo` of exactly these lines, with right digests."""

    def change(raw):
        for number, each in enumerate(lines, 1):
            data = json.dumps(each, separators=(",", ":")).encode()
            raw.execute("INSERT INTO stored_events VALUES ('zoo', ?, ?, ?, zeroblob(32))", (number, each["type"], data))
        victim.forged(raw, "zoo")

    return change


BEGAN = {"type": "game-started", "format": 1, "game": "zoo", "players": ["Ana"]}
CAST = b'{"type":"spell-cast","player":"Ana"}'

HOSTILE = {
    "an unknown tag": event("topic", "moon-eaten"),
    "a tag to come": event("topic", "spell-cast.2"),
    "a tag of another line": event("topic", "turn-began"),
    "two tags": event("topic", "spell-cast,turn-began"),
    "a class for a tag": event("topic", "os:system"),
    "a snapshot's class for a tag": event("topic", "eventsourcing.domain:Snapshot"),
    "no tag": event("topic", ""),
    "a tag of bytes": event("topic", b"spell-cast"),
    "a tag that is no text": event("topic", b"\xff\xfe", cast="CAST(? AS TEXT)"),
    "a very long tag": event("topic", "x" * 100_000),
    "a line of text": event("state", CAST.decode()),
    "a line of a number": event("state", 5),
    "no line": event("state", b""),
    "a line that is no text": line(b"\xff\xfe"),
    "a line with a zero byte": line(CAST + b"\0"),
    "a digest of text": event("digest", "x" * 32),
    "a digest of a number": event("digest", 1.5),
    "a short digest": event("digest", b"x", 200),
    "a long digest": event("digest", bytes(33), 200),
    "a gap": execute("DELETE FROM stored_events WHERE originator_id = 'friday' AND originator_version = 77"),
    "no beginning": execute("DELETE FROM stored_events WHERE originator_id = 'friday' AND originator_version = 1"),
    "a negative number": event("originator_version", -5),
    "number 0": event("originator_version", 0, 1),
    "the least number": event("originator_version", -(2**63)),
    "one more event before all": execute(
        "INSERT INTO stored_events VALUES ('friday', -9223372036854775808, 'spell-cast', x'7b7d', zeroblob(32))"
    ),
    "one more event 0": execute("INSERT INTO stored_events VALUES ('friday', 0, 'spell-cast', x'7b7d', zeroblob(32))"),
    "the greatest number": event("originator_version", 2**63 - 1, 200),
    "half a number": event("originator_version", 149.5),
    "a number of text": event("originator_version", "moon", 200),
    "a number of bytes": event("originator_version", b"150", 200),
    "an endless number": event("originator_version", float("inf"), 200),
    "a name of bytes": named(b"zoo"),
    "a name that is no text": named(b"zo\xff", "CAST(? AS TEXT)"),
    "half a surrogate pair in a name": named(b"zo\xed\xa0\x80", "CAST(? AS TEXT)"),
    "a name with a zero byte": named("zo\0o"),
    "a name with a line feed": named("zo\no"),
    "a name that steers a terminal": named("zoo\x1b[2J"),
    "a name backwards": named("zoo\u202e"),
    "no name": named(""),
    "a very long name": named("z" * 300),
    "a place before all": execute("UPDATE stored_events SET rowid = -3 WHERE rowid = 3"),
    "the last place there is": execute("UPDATE stored_events SET rowid = 9223372036854775807 WHERE rowid = 200"),
    "a line of two mebibytes": line(CAST[:-1] + b',"note":"' + b"x" * 2**21 + b'"}'),
    "two events on a line": line(CAST + CAST),
    "two lines in a line": line(CAST + b"\n" + CAST),
    "a line feed in a line": line(CAST.replace(b",", b",\n")),
    "packed lines": line(gzip.compress(CAST, mtime=0)),
    "a nested bomb": line(CAST[:-1] + b',"meta":{"x":' + b"[" * 10_000 + b"]" * 10_000 + b"}}"),
    "a key twice": line(b'{"type":"spell-cast","player":"Ana","player":"Bo"}'),
    "a control character": line(b'{"type":"spell-cast","player":"Ana","card":"\\u001b[2J"}'),
    "half a pair": line(b'{"type":"spell-cast","player":"Ana","card":"\\ud800"}'),
    "a number without end": line(b'{"type":"turn-began","turn":' + b"9" * 5000 + b',"active":["Ana"]}', "turn-began"),
    "record format 2": line(b'{"type":"game-started","format":2,"game":"g","players":["Ana","Bo"]}', "game-started", 1),
    "an unknown player": line(b'{"type":"spell-cast","player":"Zoe"}'),
    "a second beginning": whole_game(BEGAN, BEGAN),
    "no beginning at all": whole_game({"type": "turn-began", "turn": 1, "active": ["Ana"]}),
    "backed up to itself": whole_game(BEGAN, {"type": "game-backed-up", "to": 2, "by": "judge"}),
    "backed up to what will be": whole_game(BEGAN, {"type": "game-backed-up", "to": 2**53 - 1, "by": "judge"}),
    "a snapshot that is none": execute("UPDATE snapshots SET state = x'80049500'"),
    "a snapshot of text": execute("UPDATE snapshots SET state = '{}'"),
    "a nested snapshot": execute("UPDATE snapshots SET state = CAST(? AS BLOB)", '{"x":' + "[" * 200_000),
    "an oversized snapshot": execute("UPDATE snapshots SET state = zeroblob(9000000) WHERE event = 200"),
    "a forged snapshot": snapshot(40, lambda document: document.update(over=True)),
    "a forged snapshot without a seal": snapshot(40, lambda document: document.update(over=True), seal=False),
    "a snapshot of another event": snapshot(199, lambda document: None),
    "a snapshot of event 0": snapshot(0, lambda document: document.update(event=0)),
    "a snapshot of another game": execute(
        "UPDATE snapshots SET state = (SELECT state FROM snapshots WHERE game = 'saturday') WHERE game = 'friday'"
    ),
    "a snapshot to come": execute("UPDATE snapshots SET event = 4000 WHERE game = 'friday' AND event = 200"),
    "a snapshot of nobody's": execute("INSERT INTO snapshots VALUES ('zoo', 1, x'00')"),
    "a snapshot at a text": execute("INSERT INTO snapshots VALUES ('friday', 'moon', x'00')"),
    "followed further than there is": execute("UPDATE tracking SET notification_id = 999999"),
    "followed to before all": execute("UPDATE tracking SET notification_id = -7"),
    "followed to a text": execute("UPDATE tracking SET notification_id = 'moon'"),
    "followed by bytes": execute("INSERT INTO tracking VALUES (x'ff', 1)"),
    "a stranger in the library": execute("INSERT INTO library VALUES ('zoo', 1, 1, 1, 1, 'day', 'exact', 0, 0)"),
    "nonsense in the library": execute("UPDATE library SET possible = 'dusk', events = 'many'"),
    "infinity in the library": execute("UPDATE library SET turns = 9e999"),
    "bytes in the library": execute("UPDATE library SET verdict = x'ff'"),
    "a command of two": execute("UPDATE commands SET first_event = first_event - 1 WHERE last_event = 200"),
    "a command beyond the end": execute("UPDATE commands SET last_event = 201 WHERE last_event = 200"),
    "a command backwards": execute("UPDATE commands SET last_event = -1 WHERE command = 'friday-0'"),
    "a command of bytes": execute("UPDATE commands SET command = x'ff' WHERE command = 'friday-0'"),
    "a command of another": execute("UPDATE commands SET game = 'friday', command = 'x' WHERE command = 'saturday-0'"),
    "a request of text": execute("UPDATE commands SET request = 'moon'"),
    "a command of nobody's": execute("UPDATE commands SET game = 'zoo' WHERE game = 'saturday'"),
    "a short key": execute("UPDATE heads SET signer = x'00' WHERE event = 8"),
    "no key": execute("UPDATE heads SET signer = x'' WHERE event = 8"),
    "a long signature": execute("UPDATE heads SET signature = zeroblob(10000) WHERE event = 8"),
    "a signature of text": execute("UPDATE heads SET signature = 'x'"),
    "a head of event 0": execute("UPDATE heads SET event = 0 WHERE event = 8"),
    "a head to come": execute("UPDATE heads SET event = 2000 WHERE event = 8"),
    "a head at a text": execute("UPDATE heads SET event = 'moon' WHERE event = 8"),
    "a head of nobody's": execute("UPDATE heads SET game = 'zoo' WHERE game = 'saturday'"),
    "no number": null("stored_events", "originator_version"),
    "no digest": null("stored_events", "digest"),
    "no request": null("commands", "request"),
}  # fmt: skip


@pytest.mark.wide(but=3)
@pytest.mark.parametrize("name", sampled(HOSTILE, 6))
def test_hostile_rows(path, name):
    """`verify` reports each hostile row; every other use works, or is refused with one of daynight's errors."""
    with victim.laid_open(path) as raw:
        HOSTILE[name](raw)
    with victim.opened(path) as store:
        wrong = faults(store)
        assert wrong
        assert all(wrong)
        for use in (*USES, *WRITES):
            with suppress(*FAMILY):
                use(store)
        # Using the store repairs nothing except the library, which is derived from the events.
        assert faults(store) or "library" in wrong[0] or "tracking" in wrong[0]
        with suppress(*FAMILY):
            Library(store).rebuild()


def test_the_uses_are_used(path):
    """The control: the same uses of an untouched store raise no error."""
    with victim.opened(path) as store:
        for use in (*USES, *WRITES):
            use(store)
        assert not any(each.fault for each in verify_store(store))


def test_an_event_is_one_line(path):
    """A row with two lines as its event, with right digests: every way to read it raises DamagedError."""
    with victim.laid_open(path) as raw:
        HOSTILE["two lines in a line"](raw)
    with victim.opened(path) as store:
        for use in (
            lambda: store.at(GAME, 155),
            lambda: store.load(GAME),
            lambda: store.lines(GAME, BytesIO()),
            lambda: list(store.events(GAME)),
            lambda: store.application.repository.get(GAME, version=155),
            lambda: Library(store).rebuild(),
            lambda: write_archive(store, BytesIO()),
            lambda: prove(store, GAME),
        ):
            with pytest.raises(DamagedError, match=r"line|not stored as events are|not what was stored"):
                use()


def test_a_snapshot_before_the_beginning(path):
    """A forged snapshot of event 0 would replace the beginning of the game: reading raises DamagedError."""
    with victim.laid_open(path) as raw:
        raw.execute("INSERT INTO snapshots VALUES (?, 0, ?)", (GAME, freeze(State(), Standing())))
    with victim.opened(path) as store, pytest.raises(DamagedError, match="another moment"):
        store.at(GAME, 20)
