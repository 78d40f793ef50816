"""Importing Arena's logs, compared with decoding the same messages; `bench` calls it in the same run.

`a` is what msgspec needs to decode the messages of the logs, line by line, as any JSON, and nothing else. Real sessions
are used if they are beside this project, otherwise made-up ones.
"""

import gzip
import io
from collections.abc import Callable
from pathlib import Path

import msgspec

from daynight.framework.language.codec import encode_lines
from daynight.importers.arena.log import IMPORTER
from daynight.importers.arena.messages import MARK, decode_line
from daynight.importers.importing import Import
from daynight.importers.sources import Source
from tests.bench.timing import best
from tests.importers.arena_logs import Game, Log, day_and_night

__all__ = ["main"]

_ABOVE = [folder / "shared" / "arena-logs" for folder in Path(__file__).resolve().parents[3:]]
SESSIONS = next((folder for folder in _ABOVE if folder.is_dir()), _ABOVE[0])


def logs() -> list[bytes]:
    """Return the logs in `SESSIONS` that have a game, uncompressed; without such a folder, one made-up log."""
    found = [gzip.decompress(path.read_bytes()) for path in sorted(SESSIONS.glob("*.gz"))]
    if not found:
        log = Log()
        for number in range(300):
            day_and_night(Game(log, match=f"m{number}"))
        found = [log.bytes()]
    return [each for each in found if MARK in each]


def imported(log: bytes) -> int:
    """Import a log and encode its games as lines; return the number of events."""
    running = Import(IMPORTER)
    for game in running.games([Source("log", io.BytesIO(log))]):
        encode_lines(game.events)
    return running.report.events


def each(work: Callable[[bytes], object], all: list[bytes]) -> None:
    """Call `work` with each of `all`, and discard the results."""
    for one in all:
        work(one)


def main() -> None:
    """Measure and print."""
    all = logs()
    messages = [line for log in all for line in log.split(b"\n") if MARK in line]
    alone = [b"\n".join(line for line in log.split(b"\n") if MARK in line) for log in all]
    decoder = msgspec.json.Decoder()
    a, fields, bare, whole = best(
        lambda: each(decoder.decode, messages),
        lambda: each(decode_line, messages),
        lambda: each(imported, alone),
        lambda: each(imported, all),
    )
    size, of_messages = (sum(map(len, each)) / 2**20 for each in (all, messages))
    print(f"importing Arena's logs, {size:.0f} MiB of which {of_messages:.0f} MiB are messages of games; x a")
    print(f"  decoding the fields that are read            {fields / a:8.2f}")
    print(f"  importing the messages alone                 {bare / a:8.2f}")
    print(f"  importing the logs, all other lines included {whole / a:8.2f}")
