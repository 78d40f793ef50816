"""Power losses, simulated: a writer is recorded, and its files are put together as a loss may have left them.

    outcome = simulate([sys.executable, "writer.py", str(database)], database, points=1500, seed=1, check=held)

The writer is any command that prints, as a line on standard output, how many events are acknowledged by now, after each
commit. The check opens a database that is left, as the program under test would, and answers how many events it holds,
after having seen that they are the first ones written; whatever it raises is a corruption.

| module | what it does |
| --- | --- |
| `shim.c` | preloaded into the writer: logs each write, size, sync, creation, removal and acknowledgement, in order |
| `recording` | compiles the shim, runs the writer under it, reads the log and makes sure that it is complete |
| `disk` | what a disk may hold after a power loss: synced for certain, the rest whole, torn by sectors, or not at all |
| `losing` | takes a recording, loses the power at many points, and has each result opened and checked |
| `writer` | the writer that stands alone, to try the simulation itself on: `synchronous` is FULL, NORMAL or OFF |
"""

from .losing import Check, Loss, Outcome, lose_power, losses, simulate
from .recording import Entry, Recording, RecordingError, record, scratch, unavailable

__all__ = [
    "Check", "Entry", "Loss", "Outcome", "Recording", "RecordingError",
    "lose_power", "losses", "record", "scratch", "simulate", "unavailable",
]  # fmt: skip
