"""The framework's speed for a mechanic other than day and night: the monarch of the examples.

`a` is what msgspec needs to decode the lines of the record into the same structs, and nothing else. The monarch has no
bulk step (`run`) and no catalogue, so these figures are typical of custom mechanics. `make bench` prints this with the
others, `python tests/bench/monarch_bench.py` alone.
"""

import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random

import msgspec

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from daynight.framework.language.codec import encode_lines
from daynight.games import Store
from daynight.store import Key
from daynight.store.moments.past import Past
from examples.monarch import MECHANIC, Damaged, EndStepBegan, Event, Made, Started, TurnBegan
from tests.bench.store_bench import AT_ONCE, Appending, StockGame, row, scratch, seconds, stock

GAME = "long"
EVENTS = 100_000
APPENDS = 10
ROUNDS = 60
PLAYERS = ("Ana", "Bo", "Cy", "Dee")


def happenings() -> Iterator[Event]:
    """Yield a game without end: turns of five events, in every 16th an effect makes a monarch.

    From the first monarch on, every end step draws a card, and the damage after it makes another monarch.
    """
    yield Started(game=GAME, players=PLAYERS)
    turn = 0
    while True:
        turn += 1
        active, other, third = (PLAYERS[(turn + ahead) % 4] for ahead in range(3))
        yield TurnBegan(player=active)
        yield Damaged(player=other, by=active)
        yield Damaged(player=third, by=active)
        if turn % 16 == 0:
            # Mostly a player who stops being the monarch before their own end step.
            yield Made(player=active if turn % 64 == 0 else other)
        yield EndStepBegan()
        yield Damaged(player=active, by=other)


def record(events: int) -> list[Event]:
    """Return the first `events` events of that game."""
    made = happenings()
    return [next(made) for _event in range(events)]


def reading() -> None:
    """Measure strict reading, the fold, and both; also the rebuild from a store, and seeking any of its moments."""
    events = record(EVENTS)
    data = encode_lines(events)
    decoder: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Event)
    with scratch() as folder, Store.open(folder / "monarch.db", mechanic=MECHANIC) as store:
        path = folder / "long.jsonl"
        path.write_bytes(data)

        def replayed() -> None:
            state, number = MECHANIC.start(), 0
            for some in MECHANIC.language.read_blocks(path):
                MECHANIC.over(state, some, number)
                number += len(some)

        works: dict[str, Callable[[], object]] = {
            "a": lambda: decoder.decode_lines(data),
            "strict reading": lambda: sum(map(len, MECHANIC.language.read_blocks(path))),
            "the fold alone": lambda: MECHANIC.over(MECHANIC.start(), events, 0),
            "strict replay of the file": replayed,
            "rebuild from a store, the processor's time": lambda: past.live(EVENTS),
        }
        store.import_record(path, GAME)
        past = Past(store.recorder, GAME, snapshots=False)
        least = dict.fromkeys(works, float("inf"))
        for _round in range(7):
            for title, work in works.items():
                least[title] = min(least[title], seconds(work, time.process_time))
        random = Random(1)
        took = sorted(seconds(lambda: store.at(GAME, random.randint(1, EVENTS)), time.process_time) for _ in range(400))
        p95 = took[int(len(took) * 0.95)]
    a, *_others, rebuild = least.values()
    print(f"the monarch, {EVENTS} events; a is what decoding its lines takes, {a * 1000:.1f} ms here")
    for title in [*works][1:]:
        row(f"{title}, x a", f"{least[title] / a:.2f}")
    row("seek p95, a part of the rebuild", f"1/{rebuild / p95:.0f}", f"{p95 * 1000:.2f} ms")


def appending() -> None:
    """Measure durable appends, compared with those of the unchanged `eventsourcing`, without and with a signing key."""
    events = record(AT_ONCE * APPENDS * ROUNDS + 1)
    with scratch() as folder:
        application = stock(folder / "stock.db", "FULL")
        game = StockGame()
        application.save(game)

        def keep(batch: list[object]) -> None:
            for what in batch:
                game.happen(msgspec.to_builtins(what))
            application.save(game)

        ways = {"stock": Appending(keep, list(events[1:]))}
        keys = {"daynight": None, "daynight with a key": Key.generate()}
        stores = {kind: Store.open(folder / f"{kind}.db", mechanic=MECHANIC, key=key) for kind, key in keys.items()}
        for kind, store in stores.items():
            store.append(GAME, events[:1])
            ways[kind] = Appending(partial(store.append, GAME), list(events[1:]))
        for turn in range(ROUNDS):
            for name in ways if turn % 2 else reversed(ways):
                ways[name].go(APPENDS)
        for store in stores.values():
            store.close()
        application.close()
    print(f"durable append of the monarch, {AT_ONCE} events a transaction: events a second, times the stock library's")
    for name, way in ways.items():
        row(name, f"{way.rate:.0f}", f"{way.rate / ways['stock'].rate:.2f}")


def main() -> None:
    """Measure everything and print it."""
    reading()
    appending()


if __name__ == "__main__":
    main()
