"""Measurements as ratios within one run: machines differ, but a ratio to the time of decoding can be compared.

In the tables, `a` is the time that msgspec takes to decode the same lines into the same structs. Run `make bench`.
"""

import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from daynight.cards import bundled
from daynight.events import Event
from daynight.events.language import read_blocks
from daynight.framework.language.codec import encode_lines
from daynight.projections.audit.audit import Auditor
from daynight.records import Record
from daynight.referee.referee import run
from daynight.referee.state import State
from daynight.replay import replay
from tests.bench import (
    commands_bench,
    corpus_bench,
    evolution_bench,
    import_bench,
    lists_bench,
    monarch_bench,
    notation_bench,
    store_bench,
    walks,
    web_bench,
)
from tests.bench.records import lines
from tests.bench.timing import best

DECODER: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Event)


@contextmanager
def stored(
    events: int, *, permanents: int = 6, uncertain: bool = False, busy: bool = False, spaced: bool = False
) -> Iterator[Path]:
    """Yield the file of a long record, compact and with card data filled in; if `spaced`, as `json.dumps` writes it."""
    data = lines(events, permanents=permanents, uncertain=uncertain, busy=busy)
    if not spaced:
        data = encode_lines(bundled().fill(event) for event in DECODER.decode_lines(data))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "long.jsonl"
        path.write_bytes(data)
        yield path


def replaying(title: str, events: int = 100_000, **how: bool | int) -> None:
    """Measure a long record, made with the options `how`, and print its row; see `measured`."""
    with stored(events, **how) as path:  # type: ignore[arg-type]
        measured(title, path, events)


def real_games(events: int = 100_000) -> None:
    """Measure the three real games of this repository, repeated one after another, with a restart between them."""
    root = Path(__file__).resolve().parents[2]
    games = ("daynight/demo/wagic-G1.jsonl", "examples/games/wagic-G2.jsonl", "examples/games/wagic-G3.jsonl")
    played = [[bundled().fill(event) for event in DECODER.decode_lines((root / game).read_bytes())] for game in games]
    restart = DECODER.decode(b'{"type":"game-restarted"}')
    record = [played[0][0]]
    while len(record) < events:
        for game in played:
            record += [*game[1:], restart]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "real.jsonl"
        path.write_bytes(encode_lines(record[:events]))
        measured("the three real games, again and again", path, events)


def measured(title: str, path: Path, events: int) -> None:
    """Print a row of the table: the times of decoding, strict reading, the fold and the whole replay of a record."""
    data = path.read_bytes()
    decoded = [bundled().fill(event) for event in DECODER.decode_lines(data)]
    a, read, fold, whole = best(
        lambda: DECODER.decode_lines(data),
        lambda: sum(map(len, read_blocks(path))),
        lambda: run(State(()), decoded, 0),
        lambda: replay(Record(path)),
    )
    row(title, f"{a / events * 1e6:.3f}", f"{read / a:.2f}", f"{fold / a:.2f}", f"{whole / a:.2f}")


def scaling(title: str, **how: bool | int) -> None:
    """Print the time to replay 100,000 events as a multiple of that for 10,000."""
    with stored(10_000, **how) as short, stored(100_000, **how) as long:  # type: ignore[arg-type]
        few, many = best(lambda: replay(Record(short)), lambda: replay(Record(long)), rounds=5)
        print(f"  {title:<44} {many / few:6.2f}")


def memory() -> None:
    """Print the peak memory of a streaming audit for records of three lengths."""
    peaks = []
    for events in (10_000, 100_000, 300_000):
        with stored(events) as path:
            Auditor().record(Record(path))
            tracemalloc.start()
            Auditor().record(Record(path))
            peaks.append(tracemalloc.get_traced_memory()[1])
            tracemalloc.stop()
    print("  " + ", ".join(f"{peak / 2**20:.2f} MiB" for peak in peaks))


def starting() -> None:
    """Print the time of `daynight --version`, compared with importing msgspec."""

    def process(*arguments: str) -> float:
        began = time.perf_counter()
        subprocess.run([sys.executable, *arguments], check=True, capture_output=True)
        return time.perf_counter() - began

    pairs = [(process("-m", "daynight", "--version"), process("-c", "import msgspec")) for _ in range(15)]
    print(f"  {min(ours for ours, _theirs in pairs) / min(theirs for _ours, theirs in pairs):.2f}")


def together() -> None:
    """Print the time of each of five audits by one Auditor, as a multiple of that of one audit by a new Auditor."""
    with stored(20_000) as path:
        records = [Record(path)] * 5

        def one_call() -> None:
            auditor = Auditor()
            for record in records:
                auditor.record(record)

        alone, all_five = best(lambda: Auditor().record(Record(path)), one_call, rounds=5)
        print(f"  {all_five / alone / 5:.2f}")


def row(*cells: str) -> None:
    """Print a line of the table."""
    first, *others = cells
    print(f"  {first:<44}" + "".join(f"{cell:>9}" for cell in others))


def main() -> None:
    """Measure everything and print it."""
    print("replay of 100,000 events; x a; a in microseconds an event")
    row("record", "a", "read", "fold", "whole")
    replaying("as stored")
    replaying("as json.dumps writes it", spaced=True)
    replaying("a change and an arrival every four turns", busy=True)
    replaying("60 permanents", permanents=60)
    replaying("a doubt in every third turn", uncertain=True)
    real_games()
    print("100,000 events against 10,000, times")
    scaling("as stored")
    scaling("60 permanents", permanents=60)
    scaling("a doubt in every third turn", uncertain=True)
    print("peak memory of a streaming audit of 10,000, 100,000 and 300,000 events")
    memory()
    print("five records audited in one call, against one after another")
    together()
    print("daynight --version against python -c 'import msgspec'")
    starting()
    notation_bench.main()
    import_bench.main()
    store_bench.main()
    commands_bench.main()
    lists_bench.main()
    monarch_bench.main()
    evolution_bench.main()
    corpus_bench.main()
    walks.main()
    web_bench.main()


if __name__ == "__main__":
    main()
