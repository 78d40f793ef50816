"""Runs a writer with the shim preloaded, and reads what it did to the files in the database's folder."""

import contextlib
import os
import shutil
import struct
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

from .disk import Disk, UnknownFileError

SHIM = Path(__file__).with_name("shim.c")
HEAD = struct.Struct("=c3xIQQ")


class RecordingError(Exception):
    """This machine cannot record, the writer failed, or the log does not contain all that it did."""


class Entry(NamedTuple):
    """One line of the log: action (see shim.c), file, offset, and bytes.

    The offset of an acknowledgement (A) is the number of events acknowledged from here on.
    """

    kind: str
    name: str
    offset: int
    data: bytes


@dataclass(frozen=True)
class Recording:
    """The changes that a writer made to the files in the database's folder, in order, and their content before."""

    database: str
    before: Mapping[str, bytes]
    entries: tuple[Entry, ...]
    acknowledged_before: int = 0

    @property
    def acknowledged(self) -> int:
        """The number of events that are acknowledged at the end."""
        return max((entry.offset for entry in self.entries if entry.kind == "A"), default=self.acknowledged_before)

    def count(self, kind: str, name: str | None = None) -> int:
        """The number of entries of a kind, for one file or for all."""
        return sum(entry.kind == kind and name in (None, entry.name) for entry in self.entries)


def unavailable() -> str:
    """Return the reason why this machine cannot record; empty if it can."""
    if not sys.platform.startswith("linux"):
        return "power losses are simulated with LD_PRELOAD and /proc: Linux only"
    if compiler() is None:
        return "power losses are simulated with a small C library: no gcc or cc was found to compile it"
    return ""


def compiler() -> str | None:
    """Return the path of the C compiler; None if there is none."""
    return shutil.which("gcc") or shutil.which("cc")


@contextlib.contextmanager
def scratch() -> Iterator[Path]:
    """A temporary folder, in memory where possible."""
    memory = Path("/dev/shm")
    there = str(memory) if memory.is_dir() and os.access(memory, os.W_OK | os.X_OK) else None
    with tempfile.TemporaryDirectory(prefix="daynight-power-", dir=there) as folder:
        yield Path(folder).resolve()


def record(argv: Sequence[str], database: Path, *, acknowledged: int = 0, timeout: float = 120) -> Recording:
    """Run a writer and return its recording; the database may already exist, with this many acknowledged events.

    Existing content counts as synced. All files in the database's folder are recorded, but none in its subfolders.

    Raises:
        RecordingError: if this machine cannot record, the writer fails, or the log is not complete.
    """
    if reason := unavailable():
        raise RecordingError(reason)
    database = database.resolve()
    before = _files(database.parent)
    # The shim does not go into the in-memory folder: some machines forbid executing files there.
    with scratch() as workplace, tempfile.TemporaryDirectory(prefix="daynight-shim-") as programs:
        log, acks, shim = workplace / "log", workplace / "acks", Path(programs).resolve() / "shim.so"
        shim.write_bytes(_shim())
        environment = os.environ | {
            "PYTHONUNBUFFERED": "1", "LD_PRELOAD": " ".join(filter(None, [str(shim), os.environ.get("LD_PRELOAD")])),
            "DAYNIGHT_POWER_ROOT": str(database.parent), "DAYNIGHT_POWER_ACKS": str(acks),
            "DAYNIGHT_POWER_LOG": str(log),
        }  # fmt: skip
        with acks.open("ab") as out:
            ran = subprocess.run(
                argv, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.PIPE,
                env=environment, timeout=timeout, check=False,
            )  # fmt: skip
        told = ran.stderr.decode(errors="replace")
        if ran.returncode:
            raise RecordingError(f"the writer ended with {ran.returncode}:\n{told}")
        if not log.exists():
            raise RecordingError(f"the writer's program did not load the shim: is it linked statically?\n{told}")
        recording = Recording(database.name, before, tuple(_read(log.read_bytes())), acknowledged)
    _complete(recording, _files(database.parent))
    return recording


@cache
def _shim() -> bytes:
    with tempfile.TemporaryDirectory(prefix="daynight-shim-") as folder:
        made = Path(folder) / "shim.so"
        command = [compiler() or "cc", "-shared", "-fPIC", "-O1", "-o", str(made), str(SHIM), "-ldl", "-lpthread"]
        ran = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
        if ran.returncode:
            raise RecordingError(f"{' '.join(command)}:\n{ran.stderr}")
        return made.read_bytes()


def _files(folder: Path) -> dict[str, bytes]:
    """The files of a folder, except the shared memory, which recovery does not read."""
    kept = (path for path in sorted(folder.iterdir()) if path.is_file() and not path.name.endswith("-shm"))
    return {path.name: path.read_bytes() for path in kept}


def _read(log: bytes) -> Iterator[Entry]:
    """Yield the entries of a log, with the acknowledgements as numbers.

    Raises:
        RecordingError: if the writer made a call that is not recorded, or printed anything but numbers, one a line.
    """
    at, printed = 0, b""
    while at < len(log):
        letter, name_length, offset, length = HEAD.unpack_from(log, at)
        at += HEAD.size
        name = log[at : at + name_length].decode(errors="surrogateescape")
        at += name_length
        data = log[at : at + length]
        at += length
        kind = letter.decode()
        if kind == "X":
            raise RecordingError(f"the writer called {data.decode()} on {name!r}, which the recorder does not follow")
        elif kind == "A":
            line, newline, printed = (printed + data).partition(b"\n")
            if not newline:
                printed = line
            elif printed:
                raise RecordingError("several acknowledgements printed at once: flush each")
            elif not line.isdigit():
                raise RecordingError(f"the writer printed {line!r}: only the number of events acknowledged is expected")
            else:
                yield Entry(kind, "", int(line), b"")
        elif kind != "H":
            yield Entry(kind, name, offset, data)
    if printed:
        raise RecordingError(f"the writer's last line has no end: {printed!r}")


def _complete(recording: Recording, found: Mapping[str, bytes]) -> None:
    """Raise RecordingError if the replayed log gives other files than `found`, if nothing was acknowledged,
    or if the acknowledged numbers fall."""
    disk = Disk(recording.before)
    try:
        for entry in recording.entries:
            if entry.kind != "A":
                disk.do(entry.kind, entry.name, entry.offset, entry.data)
    except UnknownFileError as problem:
        raise RecordingError(f"something was not recorded: {problem}") from problem
    told = disk.now()
    if wrong := sorted(name for name in told.keys() | found.keys() if told.get(name) != found.get(name)):
        raise RecordingError(f"something was not recorded: {', '.join(wrong)} differ from what the log tells")
    known = [entry.offset for entry in recording.entries if entry.kind == "A"]
    if not known or [recording.acknowledged_before, *known] != sorted([recording.acknowledged_before, *known]):
        raise RecordingError("the numbers of events acknowledged have to be there and to grow")
