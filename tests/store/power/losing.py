"""Simulates a power loss at many points of a recording, and checks each result."""

import contextlib
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import NamedTuple

from .disk import Disk
from .recording import Recording, record, scratch

Check = Callable[[Path], int]
"""Opens a database and returns the number of its events; a missing file is a database without events.

If the events are not the first ones written, whole, in order and without a gap, the check raises any error.
"""

SHOWN = 10
"""How many faults of an outcome are described in words, and kept as files."""


class Loss(NamedTuple):
    """A power loss after `step` recorded steps and `acknowledged` events, and the files that are left.

    `unsynced`: some data were not synced, so the files depend on chance.
    """

    step: int
    acknowledged: int
    unsynced: bool
    left: Mapping[str, bytes]

    def put(self, folder: Path) -> None:
        """Write the files that are left to a new folder."""
        folder.mkdir(parents=True)
        for name, content in self.left.items():
            (folder / name).write_bytes(content)


@dataclass
class Outcome:
    """The figures of all power losses of one recording, and the first `faults` in words."""

    points: int
    acknowledged: int
    """Events acknowledged by the writer at the end."""
    entries: int
    """Recorded steps; the power may be lost between any two."""
    syncs: int
    checkpoints: int
    """How often the database file itself was synced, as in each checkpoint."""
    lost: int = 0
    """Losses after which acknowledged events were missing."""
    lost_events: int = 0
    """How many acknowledged events were missing, over all losses."""
    corrupt: int = 0
    """Losses after which the database was damaged, or the check refused it."""
    unsynced: int = 0
    """Losses with unsynced data, whose result depends on chance."""
    ahead: int = 0
    """Losses after which more events were there than acknowledged: allowed, and a sign that the simulation works."""
    seconds: float = 0.0
    faults: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        figures = (
            f"{self.points} points, {self.unsynced} of them with something unsynced: "
            f"lost at {self.lost} ({self.lost_events} events), corrupt at {self.corrupt}, ahead at {self.ahead}; "
            f"{self.acknowledged} events in {self.entries} steps, {self.syncs} syncs, {self.checkpoints} checkpoints; "
            f"{self.seconds:.1f} s"
        )
        return "\n".join([figures, *self.faults])


def simulate(
    argv: Sequence[str], database: Path, points: int, seed: int, *, check: Check, keep: Path | None = None
) -> Outcome:
    """Run a writer once, and then simulate power losses at this many points of its work.

    The writer must write to `database`, the only file in its folder, and print after each commit a line with the number
    of events acknowledged so far. The files of the first faults are kept in the folder `keep`. If the writer fails, or
    is not recorded completely, RecordingError is raised.
    """
    return lose_power(record(argv, database), points, seed, check=check, keep=keep)


def lose_power(recording: Recording, points: int, seed: int, *, check: Check, keep: Path | None = None) -> Outcome:
    """Simulate `points` power losses, spread evenly over a recording; return their outcome."""
    began = time.perf_counter()
    outcome = Outcome(
        points=points,
        acknowledged=recording.acknowledged,
        entries=len(recording.entries),
        syncs=recording.count("S"),
        checkpoints=recording.count("S", recording.database),
    )
    with scratch() as folder:
        for number, loss in enumerate(losses(recording, points, seed)):
            outcome.unsynced += loss.unsynced
            fault = _judge(loss, recording.database, folder / str(number), check, outcome)
            if fault and len(outcome.faults) < SHOWN:
                where = f"seed {seed}, number {number}, after step {loss.step}, {loss.acknowledged} acknowledged"
                outcome.faults.append(f"{where}: {fault}")
                if keep is not None:
                    loss.put(keep / str(number))
    outcome.seconds = time.perf_counter() - began
    return outcome


def losses(recording: Recording, points: int, seed: int) -> Iterator[Loss]:
    """Yield the power losses in order; each depends only on the recording, `points`, `seed` and its own number."""
    disk, at, acknowledged = Disk(recording.before), 0, recording.acknowledged_before
    for number in range(points):
        random = Random(f"{seed}/{number}")
        step = int((number + random.random()) * (len(recording.entries) + 1) / points)
        for kind, name, offset, data in recording.entries[at:step]:
            if kind == "A":
                acknowledged = offset
            else:
                disk.do(kind, name, offset, data)
        at = step
        yield Loss(step, acknowledged, disk.unsynced, disk.after(random) | _shared_memory(recording.database, random))


def _judge(loss: Loss, database: str, folder: Path, check: Check, outcome: Outcome) -> str:
    """Check the files of one loss and count the result in `outcome`; return what is wrong, or an empty text."""
    loss.put(folder)
    try:
        held = check(folder / database)
        _sound(folder / database)
    except Exception as problem:  # whatever a check raises says that what is left is no good
        outcome.corrupt += 1
        return f"{type(problem).__name__}: {problem}"
    finally:
        shutil.rmtree(folder)
    outcome.ahead += held > loss.acknowledged
    if held >= loss.acknowledged:
        return ""
    outcome.lost += 1
    outcome.lost_events += loss.acknowledged - held
    return f"only {held} are there"


def _sound(database: Path) -> None:
    with contextlib.closing(sqlite3.connect(database)) as connection:
        if (found := connection.execute("PRAGMA integrity_check").fetchall()) != [("ok",)]:
            raise sqlite3.DatabaseError(f"integrity_check: {found[0][0]}")


def _shared_memory(database: str, random: Random) -> dict[str, bytes]:
    """Return no shared-memory file, one of zeros, or a random one: it is not recorded, and must not matter."""
    size = 32768
    return random.choice(({}, {f"{database}-shm": bytes(size)}, {f"{database}-shm": random.randbytes(size)}))
