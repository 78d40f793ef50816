"""The corpus: the cost of building and auditing for each event, as ratios to decoding the same lines 50,000 at a time.

`python -m tests.bench.corpus_bench [GAMES]`. `build` and `judge` are the commands `corpus build` and `corpus audit` as
a person runs them: in a new process, with one worker and no earlier result. Measured is the least processor time of
several rounds, minus that for few games, which is the startup time. An audit takes most of its time to start, and that
time varies, so it has `AUDITS` rounds. The few include each kind of game, because an audit loads the ordinary referee
for the first game that is not plain. `part` is what an audit costs more for each further corpus, in milliseconds: of
sixteen corpora of the same games, compared with one.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from daynight.corpus.sources.splitting import split
from daynight.events import Event
from daynight.projections.audit.audit import Auditor
from daynight.projections.statistics import Counting
from daynight.records import Held, Record
from examples.league import league, written

__all__ = ["main"]

GAMES, BLOCK, ROUNDS, AUDITS, FEW, PARTS = 16_000, 50_000, 4, 16, 200, 16
MIXES = ((0, 0), (5, 1), (25, 1), (100, 0))
"""Of a hundred games: how many need the full referee (are not plain), and how many others have a wrong claim."""

DECODER: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Event)


def main(games: int = GAMES) -> None:
    """Measure and print it."""
    print(f"corpora of {games:,} games; x a, an event; `limit` is what judging may cost")
    names = ("a, us", "audit", "stats", "build", "judge", "limit", "part, ms")
    print(f"  {'not plain, with a dispute':<28}" + "".join(f"{name:>10}" for name in names))
    for odd, wrong in MIXES:
        with tempfile.TemporaryDirectory() as place:
            measured(f"{odd} %, {wrong} %", Path(place), games, odd, wrong)
    small()


def measured(title: str, place: Path, games: int, odd: int, wrong: int) -> None:
    """Print a row: decoding, audit and statistics of the games in memory, and the commands for their corpus."""
    path, few = place / "all.jsonl", place / "few.jsonl"
    written(path, games, odd=odd, wrong=wrong)
    written(few, FEW, odd=odd, wrong=wrong)
    pieces = [place / f"{number:02d}.jsonl" for number in range(PARTS)]
    coming = league(games, odd=odd, wrong=wrong)
    for piece in pieces:
        piece.write_bytes(b"".join(islice(coming, -(-games // PARTS))))
    with path.open("rb") as stream:
        several = [raw.take() for raw in split(stream)]
    auditor, counting = Auditor(), Counting()
    a, audit, stats = best(
        lambda: decoded(path.read_bytes()),
        lambda: [auditor.record(Held("", one)).document() for one in several],
        lambda: [counting.record(Held("", one)) for one in several],
    )
    start, build = ran("build", [few], [path])
    began, judge, apart = ran("audit", [few], [path], pieces)
    limit = 0.6 if odd == wrong == 0 else 0.7 + 0.08 * audit / a
    events = sum(one.count(b"\n") for one in several)
    part = (apart - judge) / (PARTS - 1) * 1e3
    costs = (audit, stats, build - start, judge - began)
    cells = (f"{a / events * 1e6:.3f}", *(f"{cost / a:.2f}" for cost in costs), f"{limit:.2f}", f"{part:.1f}")
    print(f"  {title:<28}" + "".join(f"{cell:>10}" for cell in cells), flush=True)


def ran(command: str, *cases: list[Path]) -> list[float]:
    """Run a command on each list of files, or for `audit` on their corpora; return the least processor seconds."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        if command == "audit":
            for file in {file for case in cases for file in case}:
                spent("build", str(file), "-o", str(place / file.stem))
        given = [[str(place / file.stem if command == "audit" else file) for file in case] for case in cases]
        least = [float("inf")] * len(cases)
        for round in range(AUDITS if command == "audit" else ROUNDS):
            for number, names in enumerate(given):
                target = str(place / f"{command}-{round}-{number}")
                least[number] = min(least[number], spent(command, *names, "-o", target))
    return least


def spent(*command: str) -> float:
    """Run `daynight corpus` with `command` and one worker; return the processor seconds, the worker's included."""
    program = [sys.executable, "-m", "daynight", "corpus", *command, "--workers", "1"]
    running = subprocess.Popen(program, stdout=subprocess.DEVNULL)
    _pid, status, usage = os.wait4(running.pid, 0)
    running.returncode = os.waitstatus_to_exitcode(status)
    assert running.returncode in (0, 1), command
    return usage.ru_utime + usage.ru_stime


def small() -> None:
    """Print the time of audit and statistics for many small files, compared with one long record of the same events."""
    with tempfile.TemporaryDirectory() as place:
        games = list(league(1_000, odd=0, wrong=0))
        files = [Path(place) / f"{number}.jsonl" for number in range(len(games))]
        for path, data in zip(files, games, strict=True):
            path.write_bytes(data)
        long = Path(place) / "long.jsonl"
        long.write_bytes(one_after_another(games))
        auditor, counting = Auditor(), Counting()
        audits, audit, counts, count = best(
            lambda: [auditor.record(Record(path)).document() for path in files],
            lambda: auditor.record(Record(long)).document(),
            lambda: [counting.record(Record(path)) for path in files],
            lambda: counting.record(Record(long)),
        )
    told = f"audit {audits / audit:.2f}, stats {counts / count:.2f}"
    print(f"an event in {len(files)} games of 115, against one in a long game of these: {told}")


def one_after_another(games: list[bytes]) -> bytes:
    """Join games to one long record: its turns are numbered on, and all permanents leave when the next game begins."""
    events: list[dict[str, Any]] = []
    turns = 0
    for number, data in enumerate(games):
        began, *rest = map(msgspec.json.decode, data.splitlines())
        events += [began] * (not events)
        there: list[str] = []
        for event in rest:
            if event["type"] == "turn-began":
                turns += 1
                event["turn"] = turns
            for permanent in event.get("permanents", ()):
                permanent["id"] = f"g{number} {permanent['id']}"
                there.append(permanent["id"])
            events.append(event)
        events += [{"type": "permanents-left", "permanents": there}] * bool(there)
    return b"".join([msgspec.json.encode(event) + b"\n" for event in events])


def decoded(data: bytes) -> None:
    """Decode all lines, `BLOCK` at a time, drop the results, and note the time in `DECODING`."""
    whole = data.split(b"\n")[:-1]
    blocks = [b"\n".join(whole[at : at + BLOCK]) for at in range(0, len(whole), BLOCK)]
    began = time.process_time()
    for block in blocks:
        DECODER.decode_lines(block)
    DECODING[0] = time.process_time() - began


DECODING = [0.0]
"""The seconds that `decoded` took without splitting its data; `best` sets 0 before it calls each function."""


def best(*works: Callable[[], object]) -> list[float]:
    """Return the least CPU seconds of each function, from `DECODING` if set; every round runs all of them in turn."""
    least = [float("inf")] * len(works)
    for _round in range(ROUNDS):
        for place, work in enumerate(works):
            DECODING[0] = 0.0
            began = time.process_time()
            work()
            least[place] = min(least[place], DECODING[0] or time.process_time() - began)
    return least


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
