"""Measurements of the store as ratios within one run: to the unchanged `eventsourcing` (stock), to decoding alone.

`make bench` prints them with the others, `python tests/bench/store_bench.py` alone. Measured in CPU time, except
durable work, which waits for the disk (TMPDIR chooses it), and the rebuild, which reads ahead in a second thread.
"""

import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import msgspec

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event

from daynight.cards import bundled
from daynight.events import Event
from daynight.events.language import read
from daynight.framework.folding.fold import Watched
from daynight.framework.language.codec import encode_lines
from daynight.game import Game
from daynight.games import Store
from daynight.projections.library import NAME, Library
from daynight.records import Record
from daynight.replay import replay
from daynight.store import Feed
from daynight.store.database.declared import forget_tracked
from daynight.store.database.mapper import Numbered
from daynight.store.database.rows import BULK
from daynight.store.moments.live import Live
from daynight.store.moments.past import Past
from daynight.store.proving.keys import Key
from daynight.store.proving.verify import verify_game
from tests.bench.records import lines

DECODER: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Event)
AT_ONCE = 12
"""Events in a transaction."""

APPENDS = 10
"""Transactions in a round; every round runs each variant in turn."""

ROUNDS = 200
GAME = "long"


class StockGame(Aggregate):
    """A game like the library's first example: one event class, the default JSON transcoder, no rules."""

    @event("Happened")
    def happen(self, what: dict[str, Any]) -> None:
        """Store this event."""


class StockGames(Application[Any]):
    """The library's application, unchanged."""


def stock(path: Path, synchronous: str) -> StockGames:
    """Return the stock application on an SQLite file, with this `synchronous` setting for every connection."""
    application = StockGames(env={"PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": str(path)})
    recorder: Any = application.recorder
    for connection in recorder.datastore.pool._pool:
        connection._sqlite_conn.execute(f"PRAGMA synchronous = {synchronous}")
    return application


@contextmanager
def scratch() -> Iterator[Path]:
    """Yield a temporary folder on the disk, and delete it afterwards."""
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        yield Path(folder)


def record(events: int) -> tuple[list[Event], bytes]:
    """Return a long record: its events, with card data filled in, and their lines."""
    found = [bundled().fill(event) for event in DECODER.decode_lines(lines(events))]
    return found, encode_lines(found)


def seconds(work: Callable[[], object], clock: Callable[[], float] = time.perf_counter) -> float:
    """Call `work` once; return the seconds that it takes by `clock`."""
    began = clock()
    work()
    return clock() - began


def fastest(work: Callable[[], object], rounds: int = 3, clock: Callable[[], float] = time.process_time) -> float:
    """Call `work` `rounds` times; return the least time in seconds."""
    return min(seconds(work, clock) for _round in range(rounds))


def row(title: str, *cells: str) -> None:
    """Print a line of the table."""
    print(f"  {title:<66}" + "".join(f"{cell:>12}" for cell in cells))


class Appending:
    """One way to append `events`; `took` has the seconds of each transaction."""

    def __init__(self, append: Callable[[list[Any]], object], events: list[Any]) -> None:
        self._append = append
        self._events = iter(events)
        self.took: list[float] = []

    def go(self, appends: int) -> None:
        """Run this many transactions."""
        for _append in range(appends):
            self.took.append(seconds(partial(self._append, [next(self._events) for _event in range(AT_ONCE)])))

    @property
    def rate(self) -> float:
        """Events in a second in the median transaction, so that a temporarily slow disk does not matter."""
        return AT_ONCE / sorted(self.took)[len(self.took) // 2]


def unchained(before: bytes, game: str, first: int, events: Any) -> Iterator[bytes]:
    """Return `before` for each event instead of its digest, to measure an append without the hash chain."""
    return (before for _event in events)


def appending() -> None:
    """Measure durable appends, compared with those of the stock library, and the hash chain's share of their time."""
    total = AT_ONCE * APPENDS * ROUNDS
    events, _data = record(total + 1)
    builtins = [msgspec.to_builtins(each) for each in events]
    rows: Any = import_module("daynight.store.database.recorder")
    real = rows.digests, rows.seal

    with scratch() as folder:
        applications = {how: stock(folder / f"stock-{how}.db", how) for how in ("FULL", "NORMAL")}
        ways: dict[str, Appending] = {}
        for how, application in applications.items():
            game = StockGame()
            application.save(game)

            def keep(batch: list[Any], game: StockGame = game, application: StockGames = application) -> None:
                for what in batch:
                    game.happen(what)
                application.save(game)

            ways[how] = Appending(keep, builtins[1:])
        keys = {"chained": None, "plain": None, "signed": Key.generate()}
        stores = {kind: Store.open(folder / f"{kind}.db", key=key) for kind, key in keys.items()}
        for kind, store in stores.items():
            store.append(GAME, events[:1])
            ways[kind] = Appending(partial(store.append, GAME), events[1:])
        # Non-durable variants leave their data to the next sync, so they go last. The others change their order,
        # forwards and backwards, so that none always follows the same one.
        durable = [name for name in ways if name != "NORMAL"]
        for turn in range(ROUNDS):
            for at in range(len(durable)):
                name = durable[(turn + at) % len(durable)] if turn % 2 else durable[(turn - at) % len(durable)]
                if name == "plain":
                    rows.digests, rows.seal = unchained, lambda *_what: bytes(32)
                ways[name].go(APPENDS)
                rows.digests, rows.seal = real
        ways["NORMAL"].go(APPENDS * ROUNDS)
        for store in stores.values():
            store.close()
        for application in applications.values():
            application.close()
    rate = {name: way.rate for name, way in ways.items()}
    print(f"durable append, {AT_ONCE} events a transaction: events a second, and times the stock library's (bar 1.5)")
    row("stock, synchronous=FULL as ours is", f"{rate['FULL']:.0f}", "1.00")
    row("stock, synchronous=NORMAL: not durable", f"{rate['NORMAL']:.0f}", f"{rate['NORMAL'] / rate['FULL']:.2f}")
    row("daynight", f"{rate['chained']:.0f}", f"{rate['chained'] / rate['FULL']:.2f}")
    row("daynight with a key: each turn signed too", f"{rate['signed']:.0f}", f"{rate['signed'] / rate['FULL']:.2f}")
    row("the chain's part of an append (bar 25 %)", f"{(1 - rate['chained'] / rate['plain']) * 100:.1f} %")


def reading(many: int = 100_000) -> None:
    """Measure rebuild and seeks of a stored game of `many` events, filling the list of games, and verifying a part."""
    events, data = record(many)
    wall = time.perf_counter
    a, a_wall = [fastest(lambda: DECODER.decode_lines(data), 25, clock) for clock in (time.process_time, wall)]
    with scratch() as folder:
        path = folder / "long.jsonl"
        path.write_bytes(data)
        with Store.open(folder / "store.db") as store:
            store.import_record(Record(path), GAME)
            whole, whole_wall = [
                fastest(lambda: replay(store.record(GAME)), 25, clock) for clock in (time.process_time, wall)
            ]
            file = fastest(lambda: replay(Record(path)), 9)
            print(f"a stored game of {many} events; a is what decoding its lines takes, {a * 1000:.1f} ms here")
            row("rebuild by the bulk path, x a (bar 5)", f"{whole_wall / a_wall:.2f}")
            row("the processor's time for it, both threads, x a", f"{whole / a:.2f}")
            row("the same from a file, x a", f"{file / a:.2f}")
            random = Random(1)
            took = sorted(
                seconds(lambda: store.at(GAME, random.randint(1, many)), time.process_time) for _seek in range(400)
            )
            p95 = took[int(len(took) * 0.95)]
            row("seek p95, a part of the rebuild (bars 1/50, 1/100)", f"1/{whole / p95:.0f}", f"{p95 * 1000:.2f} ms")
            scrubbing(Game.load(path), fastest(lambda: replay(Record(path)), 9))
            catching_up(store)
    verifying(events[:20_000])


def scrubbing(game: Game, replayed: float) -> None:
    """Measure seeking moments of a game in memory, compared with replaying its file, which takes `replayed` seconds."""
    random = Random(2)
    took = sorted(seconds(lambda: game.at(random.randint(1, len(game))), time.process_time) for _seek in range(2000))
    p95 = took[int(len(took) * 0.95)]
    row("scrubbing p95, a part of a replay of the file (bar 1/100)", f"1/{replayed / p95:.0f}", f"{p95 * 1000:.2f} ms")


def catching_up(store: Store) -> None:
    """Measure filling the list of games in batches, compared with one transaction for each event."""
    library = Library(store)
    batches = seconds(library.rebuild)
    many = library.totals().events
    with store.recorder.transaction(write=True) as cursor:
        cursor.execute("DELETE FROM library")
        forget_tracked(store.recorder, cursor, NAME)
    singly: list[float] = []

    class EnoughError(Exception):
        pass

    def heard(taken: int) -> None:
        singly.append(time.perf_counter())
        if len(singly) > 1000:
            raise EnoughError

    with suppress(EnoughError):
        Library(store).catch_up(heard, batch=1)
    each = (singly[-1] - singly[0]) / (len(singly) - 1)
    times, rate = each / (batches / many), many / batches
    row("catching up, times a transaction an event (bar 50)", f"{times:.0f}", f"{rate:.0f}/s")


def verifying(events: list[Event]) -> None:
    """Measure verifying a stored game, compared with replaying the same events by the stock library."""
    with scratch() as folder:
        application = stock(folder / "stock.db", "FULL")
        game = StockGame()
        for each in events:
            game.happen(msgspec.to_builtins(each))
        application.save(game)
        replayed = fastest(lambda: application.repository.get(game.id))
        application.close()
        path = folder / "game.jsonl"
        path.write_bytes(encode_lines(events))
        with Store.open(folder / "store.db") as store:
            store.import_record(Record(path), GAME)
            verified = fastest(lambda: verify_game(store.recorder, GAME))
    row("verify, times as fast as replay by the stock library (bar 5)", f"{replayed / verified:.1f}")


def library_ways(many: int = 20_000) -> None:
    """Measure the methods of `eventsourcing` that read and write a store, compared with the store's own methods."""
    events, data = record(many)
    with scratch() as folder, Store.open("memory:") as store:
        path = folder / "long.jsonl"
        path.write_bytes(data)
        application, writer = store.application, store.application.writer

        def appended(how: Callable[[str, list[Any]], object]) -> None:
            game = f"{how.__name__}-{len(store.games())}"
            for at in range(0, many, AT_ONCE):
                how(game, events[at : at + AT_ONCE])

        def put(game: str, batch: list[Any]) -> None:
            asked = writer.asked(game, batch)
            rows = zip(asked.events, asked.lines, strict=True)
            numbered = [Numbered(game, 0, event, line, tag) for event, (tag, line) in rows]
            application.events.put(numbered, asked=asked)

        def insert(game: str, batch: list[Any]) -> None:
            writer._together([writer.asked(game, batch)], (), None)

        def imported() -> None:
            game = f"put-{len(store.games())}"
            application.events.put([Numbered(game, number, each) for number, each in enumerate(read(path), 1)])

        def projected(live: Live | None, numbered: Iterable[Numbered]) -> Live:
            live = live or Live(Watched(store.mechanic), Past(store.recorder, GAME))
            for one in numbered:
                live.pass_over([one.event], stored=True)
            return live

        def paged() -> None:
            with Feed(store, after=0) as feed, feed.subscribe(after=0) as subscription:
                while len(subscription.take(0, BULK)) == BULK:
                    pass

        def noticed() -> None:
            place = 0
            while found := store.recorder.select_notifications(place, BULK, inclusive_of_start=False):
                place = found[-1].id

        print("the library's way against ours: microseconds an event of each, and how many times ours (bar 1.2)")
        store.import_record(Record(path), GAME)
        for title, theirs, ours in (
            # First, before anything else is stored.
            ("catch up with notifications", noticed, paged),
            ("read events", lambda: list(application.events.get(GAME)), lambda: list(store.events(GAME))),
            (
                "rebuild a game",
                lambda: application.repository.get(GAME, projector_func=projected),
                lambda: Past(store.recorder, GAME, snapshots=False).live(many),
            ),
            ("append, 12 events at a time: the library's is taken", partial(appended, put), partial(appended, insert)),
            ("import a record", imported, lambda: store.import_record(Record(path), f"own-{len(store.games())}")),
        ):
            one, other = fastest(theirs, 5), fastest(ours, 5)
            row(title, f"{one / many * 1e6:.2f}", f"{other / many * 1e6:.2f}", f"{one / other:.2f}")


def main() -> None:
    """Measure everything about the store and print it."""
    appending()
    reading()
    library_ways()


if __name__ == "__main__":
    main()
