"""Simulated power losses: record a writer, then rebuild its files as a power loss may have left them.

outcome = simulate([sys.executable, "writer.py", str(database)], database, points=1500, seed=1, check=held)

The writer is any command that prints, after each commit, a line with the number of events acknowledged so far. The
check opens a rebuilt database as the program under test would, asserts that the first events written are in it, without
a gap, and returns the number of events; any error that it raises counts as a corruption.

| module | what it does |
| --- | --- |
| `shim.c` | preloaded into the writer: logs each write, size, sync, creation, removal and acknowledgement, in order |
| `recording` | compiles the shim, runs the writer under it, reads the log and makes sure that it is complete |
| `disk` | what a disk may hold after a power loss: synced writes whole; others whole, torn by sectors, or missing |
| `losing` | simulates a power loss at many points of a recording, and checks each result |
| `writer` | a simple writer to test the simulation itself: `synchronous` is FULL, NORMAL or OFF |
"""

from .losing import Check, Loss, Outcome, lose_power, losses, simulate
from .recording import Entry, Recording, RecordingError, record, scratch, unavailable

__all__ = [
    "Check", "Entry", "Loss", "Outcome", "Recording", "RecordingError",
    "lose_power", "losses", "record", "scratch", "simulate", "unavailable",
]  # fmt: skip
