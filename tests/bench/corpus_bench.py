"""The corpus: building, auditing and queries for each event, as ratios to decoding the same lines 50,000 at a time.

`python -m tests.bench.corpus_bench [GAMES]`; CPU seconds of one process without startup, the minimum of several rounds.
"""

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from daynight.corpus.building.part import PartTask, make
from daynight.corpus.judging.part import Judging, judge
from daynight.corpus.manifest import WholePart
from daynight.corpus.sources.listing import listed
from daynight.corpus.sources.planning import planned
from daynight.corpus.sources.splitting import split
from daynight.events import Event
from daynight.projections.audit.audit import Auditor
from daynight.projections.statistics import Counting
from daynight.records import Held, Record
from examples.league import league, written

__all__ = ["main"]

GAMES, BLOCK, ROUNDS = 8_000, 50_000, 4
MIXES = ((0, 0), (5, 1), (25, 1), (100, 0))
"""Of a hundred games, how many are not plain, and how many are plain with a dispute."""

DECODER: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Event)


def main(games: int = GAMES) -> None:
    """Measure and print it."""
    print(f"corpora of {games:,} games; x a, an event; `limit` is what judging may cost")
    names = ("a, us", "audit", "stats", "build", "judge", "limit")
    print(f"  {'not plain, with a dispute':<32}" + "".join(f"{name:>9}" for name in names))
    for odd, wrong in MIXES:
        with tempfile.TemporaryDirectory() as place:
            measured(f"{odd} %, {wrong} %", Path(place), games, odd, wrong)
    small()


def measured(title: str, place: Path, games: int, odd: int, wrong: int) -> None:
    """A row of the table: decoding, ordinary audit and statistics of the games in memory, building, judging."""
    path = place / "league.jsonl"
    written(path, games, odd=odd, wrong=wrong)
    with path.open("rb") as stream:
        several = [raw.take() for raw in split(stream)]
    (plan,) = planned(listed([str(path)], ""))
    parts: list[WholePart] = []

    def build() -> None:
        parts[:] = [make(PartTask(str(place), str(place), plan))]

    def judged() -> None:
        judge(Judging(str(place), str(place), parts[0], "key", str(place), None, None, "en"))

    auditor, counting = Auditor(), Counting()
    build()
    a, audit, stats, built, said = best(
        lambda: decoded(path.read_bytes()),
        lambda: [auditor.record(Held("", one)).document() for one in several],
        lambda: [counting.record(Held("", one)) for one in several],
        build,
        judged,
    )
    limit = 0.6 if odd == wrong == 0 else 0.7 + 0.08 * audit / a
    events = parts[0].events
    cells = (f"{a / events * 1e6:.3f}", *(f"{cost / a:.2f}" for cost in (audit, stats, built, said)), f"{limit:.2f}")
    print(f"  {title:<32}" + "".join(f"{cell:>9}" for cell in cells))


def small() -> None:
    """Audit and statistics of many small files compared with one long record of the same events, for each event."""
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
    """Games joined to one long game: turns go on, and all permanents leave when the next game begins."""
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
    """Decode all lines, this many at a time, and drop them."""
    whole = data.split(b"\n")[:-1]
    blocks = [b"\n".join(whole[at : at + BLOCK]) for at in range(0, len(whole), BLOCK)]
    began = time.process_time()
    for block in blocks:
        DECODER.decode_lines(block)
    spent[0] = time.process_time() - began


spent = [0.0]
"""The time of decoding without splitting the lines."""


def best(*works: Callable[[], object]) -> list[float]:
    """The least CPU time of each; every round runs all of them in turn."""
    least = [float("inf")] * len(works)
    for _round in range(ROUNDS):
        for place, work in enumerate(works):
            spent[0] = 0.0
            began = time.process_time()
            work()
            least[place] = min(least[place], spent[0] or time.process_time() - began)
    return least


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
