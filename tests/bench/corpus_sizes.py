"""Corpora of several sizes: the processor time of each command for an event, its memory, and the size of its files.

`python -m tests.bench.corpus_sizes FOLDER WORKERS GAMES...`, run by hand: a million games take a quarter of an hour and
about five gigabytes. The files are deleted afterwards.
"""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

from examples.league import league

__all__ = ["main"]

FEW = 100
EACH = 100_000
"""How many games a file has at most."""

COMMANDS = (
    ("build", ["build", "games", "-o", "league"]),
    ("audit", ["audit", "league", "-o", "result"]),
    ("stats", ["stats", "league", "-o", "result", "--by", "month", "--json"]),
    ("find", ["find", "league", "-o", "result", "--disputed", "--turn", "4", "--claimed-by", "Jo", "--json"]),
)


def main(folder: Path, workers: int, *sizes: int) -> None:
    """Print a row for each size and command; the processor time for a hundred games is subtracted as startup time."""
    print(f"{workers} workers; us an event: of the processor, without starting; peak: of the largest process")
    heads = {"wall s": 9, "cpu s": 9, "us/event": 10, "peak MiB": 10, "disk MB": 9, "load": 6}
    print(f"{'games':>10} {'command':<8}" + "".join(f"{head:>{width}}" for head, width in heads.items()))
    starting: dict[str, float] = {}
    for games in (FEW, *sizes):
        place = folder / str(games)
        (place / "games").mkdir(parents=True)
        events = made(place / "games", games)
        print(f"{games:>10} {'records':<8}{'':38}{disk(place / 'games'):9.0f}{os.getloadavg()[0]:6.1f}", flush=True)
        for name, command in COMMANDS:
            wall, cpu, peak = ran(place, [*command, "--workers", str(workers)])
            each = (cpu - starting.setdefault(name, cpu)) / events * 1e6
            size = disk(place / ("league" if name == "build" else "result"))
            row = f"{wall:9.1f}{cpu:9.1f}{each:10.3f}{peak:10.0f}{size:9.0f}{os.getloadavg()[0]:6.1f}"
            print(f"{games:>10} {name:<8}{row}", flush=True)
        shutil.rmtree(place)


def made(folder: Path, games: int) -> int:
    """Write `games` games of examples/league.py into files, at most `EACH` in one; return the number of events."""
    events = 0
    coming = league(games)
    for number in range(-(-games // EACH)):
        with (folder / f"{number:03d}.jsonl").open("wb") as stream:
            for _game, data in zip(range(min(EACH, games - number * EACH)), coming, strict=False):
                stream.write(data)
                events += data.count(b"\n")
    return events


def ran(place: Path, command: list[str]) -> tuple[float, float, float]:
    """Run `daynight corpus`; return wall and CPU seconds, workers included, and the largest process's peak in MiB."""
    began = time.monotonic()
    started = subprocess.Popen(
        [sys.executable, "-m", "daynight", "corpus", *command], cwd=place, stdout=subprocess.DEVNULL
    )
    # The operating system's figures for the command include the workers that it waits for.
    _pid, status, spent = os.wait4(started.pid, 0)
    started.returncode = os.waitstatus_to_exitcode(status)
    assert started.returncode in (0, 1), command
    return time.monotonic() - began, spent.ru_utime + spent.ru_stime, spent.ru_maxrss / 1024


def disk(folder: Path) -> float:
    """The size of the files below a folder in megabytes."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6


if __name__ == "__main__":
    main(Path(sys.argv[1]), *map(int, sys.argv[2:]))
