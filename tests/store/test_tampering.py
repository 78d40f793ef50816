"""Tampering: every change of a stored game is found with a noted code, and the first bad event is named."""

import random
import sqlite3
from collections import Counter
from contextlib import contextmanager
from hashlib import sha256
from io import BytesIO
from pathlib import Path

import pytest

from daynight.store import DamagedError, StoreError
from daynight.store.database.rows import Head
from daynight.store.proving.chain import code_of, seal
from daynight.store.proving.verify import verify_store
from tests.store import victim
from tests.store.edits import EDITS
from tests.store.victim import EVENTS, GAME, KEY, STRANGER

Raw = sqlite3.Connection

FAST, STRUCTURAL, ALL_STRUCTURAL, BYTES = 50, 30, 500, 2000
"""How many changes a test tries: of bytes, of structure (fast, slow), and of bytes of the file."""

COLUMNS = ("originator_id", "originator_version", "topic", "state", "digest")


@pytest.fixture
def path(tmp_path):
    return victim.copied(tmp_path)


@pytest.fixture
def raw(path):
    with victim.laid_open(path) as raw:
        yield raw


@pytest.fixture
def store(path):
    with victim.opened(path) as store:
        yield store


@contextmanager
def taken_back(raw):
    """Undo every change that the block makes to the file."""
    tables = ("stored_events", "snapshots", "heads", "commands", "library", "tracking")
    kept = {table: raw.execute(f"SELECT * FROM {table}").fetchall() for table in tables}
    places = raw.execute("SELECT rowid FROM stored_events").fetchall()
    try:
        yield
    finally:
        raw.execute("BEGIN")
        for table, rows in kept.items():
            raw.execute(f"DELETE FROM {table}")
            if table == "stored_events":
                raw.executemany(
                    "INSERT INTO stored_events (rowid, originator_id, originator_version, topic, state, digest)"
                    " VALUES (?, ?, ?, ?, ?, ?)",
                    [(*place, *row) for place, row in zip(places, rows, strict=True)],
                )
            elif rows:
                raw.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(rows[0]))})", rows)
        raw.execute("COMMIT")


def fault(store, noted=""):
    """The fault that `verify` finds with the code `noted`: '' is the game's code before the change, None is no code."""
    found = victim.verified(store, victim.code() if noted == "" else noted).fault
    assert found is not None
    assert found.sentence
    return found


def test_untouched(store):
    """An untouched game is intact: verified alone, with its code, and with the whole store."""
    found = victim.verified(store, victim.code())
    assert found.fault is None
    assert (found.events, found.code, found.signatures.signers) == (EVENTS, victim.code(), (KEY.key.hex(),))
    assert found.signatures.last > EVENTS - 9
    assert [each.fault for each in verify_store(store)] == [None, None]


# ------------------------------------------------------------------------------------------------------- single bytes


def places(raw):
    """A list of (event, column, offset), one for each byte of each value of each row."""
    values = ((row[1], *one) for row in victim.rows(raw) for one in zip(COLUMNS, row, strict=True))
    return [(event, column, place) for event, column, value in values for place in range(len(as_bytes(value)))]


def as_bytes(value):
    if isinstance(value, int):
        return value.to_bytes(8, "big", signed=True)
    return value.encode() if isinstance(value, str) else bytes(value)


def change_byte(raw, event, column, place, to):
    """Change one byte; return whether the database accepted it: it refuses a number that is already used."""
    where = f"WHERE originator_id = '{GAME}' AND originator_version = {event}"
    (value,) = raw.execute(f"SELECT {column} FROM stored_events {where}").fetchone()
    data = bytearray(as_bytes(value))
    assert data[place] != to
    data[place] = to
    new = bytes(data)
    marks = "?"
    if isinstance(value, int):
        new = int.from_bytes(data, "big", signed=True)
    elif isinstance(value, str):
        marks = "CAST(? AS TEXT)"  # which need not be text at all
    try:
        raw.execute(f"UPDATE stored_events SET {column} = {marks} {where}", (new,))
    except sqlite3.IntegrityError:
        return False
    return True


def try_bytes(store, raw, tried):
    originals = {row[1]: row for row in victim.rows(raw)}
    refused = Counter[str]()
    for event, column, place, to in tried:
        rowid = victim.of_event(raw, "rowid", event)
        if not change_byte(raw, event, column, place, to):
            refused[column] += 1
            continue
        try:
            found = victim.verified(store, victim.code()).fault
            assert found is not None, (event, column, place, to)
            assert found.event == event, (found, column, place, to)
        finally:
            sets = ", ".join(f"{name} = ?" for name in COLUMNS)
            raw.execute(f"UPDATE stored_events SET {sets} WHERE rowid = ?", (*originals[event], rowid))
    assert victim.verified(store, victim.code()).fault is None
    assert sum(refused.values()) == refused["originator_version"] < len(tried) / 20


def test_single_bytes(store, raw):
    """Any byte of any value, changed to any other: it is found, and the first bad event is named."""
    luck = random.Random(702)
    every = places(raw)
    assert len(every) > 20_000
    # Numbers and names are short, so each column gets its share of the tries.
    tried = [luck.choice([each for each in every if each[1] == column]) for column in COLUMNS for _ in range(FAST // 5)]
    try_bytes(store, raw, [(*each, another(raw, each, luck)) for each in tried])


@pytest.mark.slow
def test_every_single_byte(store, raw):
    """Every byte, changed to one of several others, is found, and the first bad event is named."""
    luck = random.Random(728)
    try_bytes(store, raw, [(*each, another(raw, each, luck)) for each in places(raw)])


def another(raw, place, luck):
    event, column, at = place
    value = victim.of_event(raw, column, event)
    now = as_bytes(value)[at]
    others = {now ^ 1, now ^ 0x20, now ^ 0x80, 0, 0x0A, 0x20, 0x22, 0xFF, luck.randrange(256)} - {now}
    return luck.choice(sorted(others))


# --------------------------------------------------------------------------------------------------- structural edits


def try_edits(store, raw, path, many):
    folder = path.parent / "branch"
    folder.mkdir()
    tried = Counter()
    for seed in range(many):
        name = list(EDITS)[seed % len(EDITS)]
        with taken_back(raw):
            least, most = EDITS[name](raw, random.Random(seed), folder)
            found = fault(store)
            assert found.event is not None, (name, seed, found)
            assert least <= found.event <= most, (name, seed, found)
        tried[name] += 1
    assert len(tried) == len(EDITS)
    assert victim.verified(store, victim.code()).fault is None


def test_structural_edits(store, raw, path):
    """Rows that were swapped, moved, dropped, doubled or transplanted are found with the noted code."""
    try_edits(store, raw, path, STRUCTURAL)


@pytest.mark.slow
def test_all_structural_edits(store, raw, path):
    try_edits(store, raw, path, ALL_STRUCTURAL)


# -------------------------------------------------------------------------------------------------- complete forgeries


def forge(raw, event, *, spell="Ponder"):
    """Change an event, and recompute everything that needs no key: the most that an attacker without the key can do."""
    line = next(row[3] for row in victim.rows(raw) if row[1] == event)
    altered = line.replace(b"Opt", spell.encode())
    assert altered != line
    raw.execute(f"UPDATE stored_events SET state = ? {victim.AT}", (altered, GAME, event))
    victim.forged(raw)
    raw.execute("DELETE FROM snapshots WHERE game = ? AND event >= ?", (GAME, event))
    stored = {row[1]: row for row in victim.rows(raw)}
    for command, first, last, asked in raw.execute(
        "SELECT command, first_event, last_event, request FROM commands WHERE game = ?", (GAME,)
    ).fetchall():
        altered = sha256(b"\n".join(stored[number][3] for number in range(first, last + 1))).digest()
        request = altered if first <= event <= last else asked
        sealed = seal(GAME, command, first, last, request, stored[last][4])
        renewed = (request, sealed, GAME, command)
        raw.execute("UPDATE commands SET request = ?, seal = ? WHERE game = ? AND command = ?", renewed)


FORGED = 150
"""The number of an event that casts a spell; the heads of events 143 and 152 are signed."""


def test_forged_with_the_old_signatures(store, raw):
    """With everything recomputed, the remaining signatures show between which events the change is."""
    forge(raw, FORGED)
    found = fault(store, None)
    assert found.event == 144
    assert "events 144 to 152" in found.sentence


def test_forged_without_signatures(store, raw):
    """A forgery without signatures is consistent: only the noted code, or the missing signatures, reveal it."""
    forge(raw, FORGED)
    raw.execute("DELETE FROM heads WHERE game = ?", (GAME,))
    alone = victim.verified(store)
    assert (alone.fault, alone.signatures.last, alone.signatures.signers) == (None, 0, ())
    found = fault(store)
    assert found.event is None
    assert "events up to 200 were written anew" in found.sentence
    # A code of an event before the change cannot show it.
    with victim.laid_open(victim.copied(Path(store.settings.path).parent / "..")) as untouched:
        earlier = next(row for row in victim.rows(untouched) if row[1] == FORGED - 1)
    assert victim.verified(store, code_of(FORGED - 1, earlier[4])).fault is None


def test_forged_and_signed_by_another(store, raw):
    """A forgery signed with another key is consistent: verify names that key, and the noted code reveals the change."""
    signed = [event for (event,) in raw.execute("SELECT event FROM heads WHERE game = ?", (GAME,))]
    forge(raw, FORGED)
    raw.execute("DELETE FROM heads WHERE game = ?", (GAME,))
    for row in victim.rows(raw):
        if row[1] in signed:
            signature = STRANGER.sign(GAME, row[1], row[4])
            raw.execute("INSERT INTO heads VALUES (?, ?, ?, ?)", (GAME, row[1], STRANGER.key, signature))
    alone = victim.verified(store)
    assert (alone.fault, alone.signatures.signers) == (None, (STRANGER.key.hex(),))
    assert fault(store).event is None


def test_signatures_taken_out(store, raw):
    """With its signatures deleted, a game still has its noted code; verify reports that nobody has signed it."""
    raw.execute("DELETE FROM heads WHERE game = ?", (GAME,))
    found = victim.verified(store, victim.code())
    assert (found.fault, found.signatures.last, found.signatures.signers) == (None, 0, ())


def test_two_signers(store, raw):
    """If one of two signatures of an event is bad, verify names the events from after the previous signature to it."""
    ((event, before),) = raw.execute(
        "SELECT max(event), (SELECT event FROM heads WHERE game = ? ORDER BY event DESC LIMIT 1 OFFSET 1) FROM heads"
        " WHERE game = ?",
        (GAME, GAME),
    )
    raw.execute("INSERT INTO heads VALUES (?, ?, ?, ?)", (GAME, event, STRANGER.key, bytes(64)))
    found = fault(store, None)
    assert found.event == before + 1
    assert f"events {before + 1} to {event}" in found.sentence
    head = Head(*next((row[1], row[4]) for row in victim.rows(raw) if row[1] == event))
    signature = STRANGER.sign(GAME, head.number, head.digest)
    raw.execute("UPDATE heads SET signature = ? WHERE signer = ?", (signature, STRANGER.key))
    assert set(victim.verified(store).signatures.signers) == {KEY.key.hex(), STRANGER.key.hex()}


def test_a_line_that_is_not_one(store, raw):
    """A line feed or space in a line, two lines in one, and a wrong tag are found, even with right digests."""
    for tag, line in (
        ("spell-cast", b'{"type":"spell-cast",\n"player":"Ana"}'),
        ("spell-cast", b'{"type":"spell-cast","player":"Ana"}\n{"type":"spell-cast","player":"Ana"}'),
        ("spell-cast", b' {"type":"spell-cast","player":"Ana"}'),
        ("turn-began", b'{"type":"spell-cast","player":"Ana"}'),
        ("spell-cast", b'{"type":"spell-cast","player":"Zoe"}'),
    ):
        with taken_back(raw):
            raw.execute(f"UPDATE stored_events SET topic = ?, state = ? {victim.AT}", (tag, line, GAME, FORGED))
            victim.forged(raw)
            assert fault(store, None).event == FORGED, line


def test_the_library(store, raw):
    """A library row that does not follow from its game's events is found when the store is verified."""
    for column, value in (("verdict", "disputed"), ("possible", "night"), ("turns", 1), ("events", 999), ("over", "x")):
        with taken_back(raw):
            (now,) = raw.execute(f"SELECT {column} FROM library WHERE game = ?", (GAME,)).fetchone()
            assert now != value
            raw.execute(f"UPDATE library SET {column} = ? WHERE game = ?", (value, GAME))
            faults = [each.fault for each in verify_store(store)]
            assert faults[0] is not None, column
            assert "library" in faults[0].sentence


# ------------------------------------------------------------------------------------------------------ bytes of a file


@pytest.mark.slow
def test_bytes_of_the_file(path):
    """One changed byte of the file itself is found, or has no effect."""
    luck = random.Random(2000)
    data = path.read_bytes()
    seen = Counter()
    for _attempt in range(BYTES):
        place = luck.randrange(len(data)) if luck.random() < 0.9 else luck.randrange(200)
        altered = bytearray(data)
        altered[place] ^= luck.randrange(1, 256)
        for beside in path.parent.glob("games.db*"):
            beside.unlink()
        path.write_bytes(altered)
        try:
            with victim.opened(path) as store:
                if any([each.fault for each in verify_store(store)]):
                    seen["a fault"] += 1
                    continue
                lines = BytesIO()
                store.lines(GAME, lines)
                assert lines.getvalue() == victim.exported(), place
                assert victim.verified(store, victim.code()).fault is None
                seen["harmless"] += 1
        except DamagedError:
            seen["damaged"] += 1
        except StoreError as error:
            seen[str(error)] += 1
    assert seen["a fault"] > BYTES / 10
    assert seen["harmless"] + seen["a fault"] + seen["damaged"] > BYTES * 0.98, seen
    print(seen)
