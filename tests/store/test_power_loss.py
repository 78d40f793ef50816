"""Simulated power losses: no acknowledged event is lost, and controls show that the simulation would notice.

| promise | test |
| --- | --- |
| with `synchronous=FULL`, 1,500 power losses lose and damage nothing | test_full |
| the control: with NORMAL acknowledged events are lost, and nothing is damaged | test_normal |
| the control: with OFF databases are damaged, too | test_off |
| the control: leaving out any of the three kinds of sync is detected | test_each_sync_matters |
| the store itself: 1,500 losses lose and damage nothing, and it goes on; with NORMAL events are lost | test_store_... |
| a second power loss during recovery loses nothing either | test_again |
| the same with fewer losses | test_full_in_small, test_normal_in_small |
| the simulated disk keeps synced data, and of the rest some sectors | test_disk_... |
| every call is recorded, and calls that cannot be recorded are refused | test_recorded, test_refused |
"""

import dataclasses
import sqlite3
import sys
from random import Random

import pytest

from .power import RecordingError, lose_power, losses, record, scratch, simulate, store_writer, unavailable, writer
from .power.disk import SECTOR, Disk

POINTS = 1500
SEED = 20261121

needs_recorder = pytest.mark.skipif(bool(unavailable()), reason=unavailable() or "it can be recorded here")


@pytest.fixture
def database():
    with scratch() as folder:
        (folder / "writer").mkdir()
        yield folder / "writer" / "events.db"


MAPPING = """
print(1)
import mmap
with open(database, "wb+") as file:
    file.write(b"1"), file.flush()
    mmap.mmap(file.fileno(), 1)[0] = 3
"""
COPYING = """
print(1)
with open(database, "wb+") as file:
    file.write(b"1"), file.flush()
    os.copy_file_range(file.fileno(), file.fileno(), 1, 0, 1)
"""
"""A program with a system call that is not recorded; the recorder notices that the file differs."""


def argv(database, synchronous, appends):
    return [sys.executable, writer.__file__, str(database), synchronous, str(appends)]


def script(database, text):
    text = f"import os, sys\ndatabase = sys.argv[1]\n{text}"
    return record([sys.executable, "-c", text, str(database)], database)


@needs_recorder
@pytest.mark.slow
def test_full(database):
    outcome = simulate(argv(database, "FULL", 300), database, POINTS, SEED, check=writer.held)
    print(outcome)
    assert (0, 0) == (outcome.lost, outcome.corrupt), outcome
    assert outcome.checkpoints > 50
    assert outcome.unsynced > POINTS / 2
    assert outcome.ahead > 0


@needs_recorder
@pytest.mark.slow
def test_normal(database):
    outcome = simulate(argv(database, "NORMAL", 300), database, POINTS, SEED, check=writer.held)
    print(str(outcome).partition("\n")[0])
    assert outcome.lost > POINTS / 10
    assert outcome.corrupt == 0, outcome


@needs_recorder
@pytest.mark.slow
def test_off(database):
    outcome = simulate(argv(database, "OFF", 300), database, POINTS, SEED, check=writer.held)
    print(str(outcome).partition("\n")[0])
    assert outcome.lost > POINTS / 10
    assert outcome.corrupt > POINTS / 10


@needs_recorder
@pytest.mark.slow
@pytest.mark.parametrize(
    "kind, suffix, damage",
    [("S", "-wal", "lost"), ("S", "", "corrupt"), ("D", None, "lost")],
    ids=["wal", "database", "folder"],
)
def test_each_sync_matters(database, kind, suffix, damage):
    """Remove one kind of sync from a recording of the safe writer: the check must find losses or damage."""
    recording = record(argv(database, "FULL", 100), database)
    assert lose_power(recording, 500, SEED, check=writer.held).faults == []
    without = tuple(
        entry
        for entry in recording.entries
        if not (entry.kind == kind and (suffix is None or entry.name == database.name + suffix))
    )
    assert len(without) < len(recording.entries)
    outcome = lose_power(dataclasses.replace(recording, entries=without), 500, SEED, check=writer.held)
    assert getattr(outcome, damage) > 0, outcome


def of_store(database, synchronous, appends):
    return [sys.executable, "-m", store_writer.__name__, str(database), str(appends), synchronous]


@pytest.mark.slow
@needs_recorder
def test_store_full(database):
    outcome = simulate(of_store(database, "FULL", 300), database, points=POINTS, seed=SEED, check=store_writer.held)
    assert (POINTS, 0, 0) == (outcome.points, outcome.lost, outcome.corrupt), outcome


@pytest.mark.slow
@needs_recorder
def test_store_normal_is_the_control(database):
    outcome = simulate(of_store(database, "NORMAL", 300), database, points=POINTS, seed=SEED, check=store_writer.held)
    assert outcome.lost > POINTS // 10, outcome
    assert outcome.corrupt == 0, outcome


@needs_recorder
@pytest.mark.wide
def test_store_in_small(database):
    outcome = simulate(of_store(database, "FULL", 20), database, points=6, seed=SEED, check=store_writer.held)
    assert (0, 0) == (outcome.lost, outcome.corrupt), outcome


@needs_recorder
@pytest.mark.slow
def test_again(database):
    """A writer goes on after a power loss, and power is lost again: nothing is lost, nothing is damaged."""
    for number, loss in enumerate(losses(record(argv(database, "FULL", 100), database), 8, SEED)):
        left = database.parent.parent / f"left-{number}" / database.name
        loss.put(left.parent)
        second = record(argv(left, "FULL", 6), left, acknowledged=loss.acknowledged)
        outcome = lose_power(second, 200, SEED + number, check=writer.held)
        assert outcome.faults == [], outcome


@needs_recorder
def test_full_in_small(database):
    outcome = simulate(argv(database, "FULL", 25), database, 30, SEED, check=writer.held)
    assert (0, 0) == (outcome.lost, outcome.corrupt), outcome
    assert outcome.checkpoints > 2


@needs_recorder
def test_normal_in_small(database):
    outcome = simulate(argv(database, "NORMAL", 25), database, 30, SEED, check=writer.held)
    assert outcome.lost > 0
    assert outcome.corrupt == 0, outcome


@needs_recorder
def test_what_a_check_raises_is_a_corruption_and_can_be_kept(database, tmp_path):
    def check(database):
        raise sqlite3.DatabaseError("no")

    outcome = simulate(argv(database, "FULL", 2), database, 3, SEED, check=check, keep=tmp_path)
    assert (outcome.corrupt, len(outcome.faults)) == (3, 3)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["0", "1", "2"]


@needs_recorder
def test_recorded(database):
    recording = script(
        database,
        """
one = os.open(database, os.O_RDWR | os.O_CREAT)
os.write(one, b"hello"), os.write(one, b"there"), os.pwrite(one, b"J", 0), os.fsync(one)
os.ftruncate(one, 7), os.fdatasync(one), os.posix_fallocate(one, 0, 9)
os.chdir(os.path.dirname(database))
with open("side", "wb") as side:
    side.write(b"1")
with open("side", "ab") as side:
    side.write(b"2")
print(1, flush=True)
os.rename("side", "aside"), os.truncate("aside", 1), open("aside", "wb").close()
folder = os.open(".", os.O_RDONLY)
os.fsync(folder), os.unlink("aside", dir_fd=folder)
with open("events.db-shm", "wb") as ignored:
    ignored.write(b"3")
print(2, flush=True)
""",
    )
    name = database.name
    assert recording.entries == (
        ("C", name, 0, b""), ("W", name, 0, b"hello"), ("W", name, 5, b"there"), ("W", name, 0, b"J"),
        ("S", name, 0, b""), ("T", name, 7, b""), ("S", name, 0, b""), ("T", name, 9, b""), ("C", "side", 0, b""),
        ("W", "side", 0, b"1"), ("W", "side", 1, b"2"), ("A", "", 1, b""), ("R", "side", 0, b"aside"),
        ("T", "aside", 1, b""), ("T", "aside", 0, b""), ("D", "", 0, b""), ("U", "aside", 0, b""), ("A", "", 2, b""),
    )  # fmt: skip


@pytest.mark.wide(but=3)
@needs_recorder
@pytest.mark.parametrize("text, problem", [
    ("print('1\\n2')", "several acknowledgements"), ("print('one')", "only the number"),
    ("print('1', end='')", "no end"), ("print(2); print(1)", "grow"), ("pass", "have to be there"),
    ("sys.exit('out of ink')", "out of ink"),
    ("print(1); os.writev(os.open(database, os.O_RDWR | os.O_CREAT), [b'1', b'2'])", "writev"),
    ("print(1); open(database, 'wb').close(); os.link(database, database + '2')", "link"), (MAPPING, "mmap"),
    (COPYING, "was not recorded"),
])  # fmt: skip
def test_refused(database, text, problem):
    with pytest.raises(RecordingError, match=problem):
        script(database, text)


def after(disk):
    return [disk.after(Random(number)) for number in range(400)]


def test_disk_keeps_what_was_synced():
    disk = Disk({"a": b"old"})
    disk.do("W", "a", 1, b"xyz")
    disk.do("S", "a", 0, b"")
    assert all(left == {"a": b"oxyz"} for left in after(disk))
    assert not disk.unsynced


def test_disk_loses_any_of_the_rest():
    disk = Disk({"a": b"abc"})
    disk.do("W", "a", 0, b"1")
    disk.do("W", "a", 2, b"3")
    assert {left["a"] for left in after(disk)} == {b"abc", b"1bc", b"ab3", b"1b3"}
    assert disk.unsynced


def test_disk_tears_by_sectors():
    """A write across a sector boundary may be torn there; the rest of both sectors stays unchanged."""
    disk = Disk({"a": b"-" * 2 * SECTOR})
    disk.do("W", "a", SECTOR - 2, b"left")
    ends = {left["a"][SECTOR - 3 : SECTOR + 3] for left in after(disk)}
    assert ends == {b"------", b"-left-", b"-le---", b"---ft-"}


def test_disk_may_have_any_size():
    disk = Disk({"a": b""})
    disk.do("W", "a", 0, b"x" * 3 * SECTOR)
    assert {len(left["a"]) for left in after(disk)} == {0, SECTOR, 2 * SECTOR, 3 * SECTOR}
    assert any(left["a"] == bytes(3 * SECTOR) for left in after(disk))
    disk.do("S", "a", 0, b"")
    disk.do("T", "a", 5, b"")
    assert {len(left["a"]) for left in after(disk)} == {5, 3 * SECTOR}


def test_disk_loses_names():
    disk = Disk({"old": b"1"})
    disk.do("C", "new", 0, b"")
    disk.do("W", "new", 0, b"2")
    disk.do("S", "new", 0, b"")
    disk.do("U", "old", 0, b"")
    everything = [{}, {"new": b"2"}, {"old": b"1"}, {"old": b"1", "new": b"2"}]
    assert all(left in everything for left in after(disk))
    assert all(left in after(disk) for left in everything)
    disk.do("R", "new", 0, b"newer")
    disk.do("D", "", 0, b"")
    assert all(left == {"newer": b"2"} for left in after(disk))
