"""The speed of the server: lists, long games, and many listeners of one game; ratios within one run.

`make bench` prints this with the others, `python tests/bench/web_bench.py` alone. The first two parts are measured in
CPU time; those of listeners in real time, which is only meaningful on an idle machine.
"""

import http.client
import json
import os
import selectors
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from daynight.games import Library, Store
from daynight.records import Record
from daynight.web.shelf import GamesInMemory, Shelf
from tests.bench.records import lines
from tests.bench.timing import best
from tests.web.asking import Asking, asking
from tests.web.running import Server, serving

GAMES = (10, 10_000)
EVENTS = 100_000
LISTENERS = (1, 500)
APPENDS = 40
PAUSE = 0.5
KEY = 32
"""How many streams one key may open."""

_LISTEN = "listen"


def lists(folder: Path) -> None:
    """The list of many games compared with that of a few: its first page, ten games, a search and a verdict."""
    asked: list[Asking] = []
    for games in GAMES:
        store = Store.open(folder / f"{games}.db")
        for number in range(games):
            store.new(f"game {number:05}", ["Ana", "Bo"])
        Library(store).catch_up()
        asked.append(asking(Shelf(store)))
    for query in ("", "?limit=10", "?limit=10&q=game%2000009", "?limit=10&verdict=unverified"):
        few, many = best(*[lambda ask=ask: ask.document(f"/v1/games{query}") for ask in asked])  # noqa: B023
        print(f"  GET /v1/games{query:<32} {many / few:6.2f}  ({many * 1000:.1f} ms)")


def long_game(folder: Path) -> None:
    """The requests of a page that shows the last state of a long stored game, compared with a replay of it."""
    path = folder / "long.jsonl"
    path.write_bytes(lines(EVENTS, permanents=6))
    with Store.open(folder / "long.db") as store:
        store.import_record(Record(path), "long")
        Library(store).catch_up()
        asked = ("", f"/moments?from={EVENTS - 99}", "/state", "/why", "/forecast")

        shelf = Shelf(store)
        ask = asking(shelf)

        def cold(*targets: str) -> None:
            shelf._kept = GamesInMemory()
            for target in targets:
                ask.document(f"/v1/games/long{target}")

        replay, whole, *each = best(
            lambda: GamesInMemory().game(store, "long"),
            lambda: cold(*asked[:2]),
            *[lambda target=target: cold(target) for target in asked],
            rounds=3,
        )
        print(f"  a replay takes {replay * 1000:.0f} ms")
        for target, took in zip(asked, each, strict=True):
            print(f"  GET /v1/games/long{target:<24} 1/{replay / took:.0f}")
        print(f"  the first two, which show its last state  1/{replay / whole:.0f}")


def listening(folder: Path) -> None:
    """The time until an append is acknowledged with many listeners, compared with one; and until all have the event."""
    figures = [_heard(folder, many) for many in LISTENERS]
    for many, (acknowledged, delivered) in zip(LISTENERS, figures, strict=True):
        told = f"acknowledged p95 {acknowledged * 1000:.0f} ms, all have it after {delivered * 1000:.0f} ms"
        print(f"  {many:>4} listen: {told}")
    print(f"  acknowledged p95, 500 against 1: {figures[1][0] / figures[0][0]:.2f}; load {os.getloadavg()[0]:.1f}")


def _heard(folder: Path, many: int) -> tuple[float, float]:
    place = folder / f"{many} listen.db"
    with Store.open(place) as store:
        store.new("friday", ["Ana", "Bo"])
        store.append("friday", [{"type": "turn-began", "turn": 1, "active": ["Ana"]}])
    with serving(folder, "--db", place) as server:
        link = {"game": "friday", "role": "spectator"}
        keys = [_post(server, "/v1/links", link)["key"] for _ in range(many // KEY + 1)]
        command = [sys.executable, __file__, _LISTEN, str(server.port), str(many), str(APPENDS), *keys]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as listeners:
            assert listeners.stdout is not None
            assert listeners.stdout.readline() == "all listen\n"
            sent, took = {}, []
            for number in range(APPENDS):
                began = time.monotonic()
                cast = {"type": "spell-cast", "player": "Ana"}
                body = {"command": f"c{number}", "seen": 2 + number, "events": [cast]}
                last = _post(server, "/v1/games/friday/commands", body)["last"]
                took.append(time.monotonic() - began)
                sent[last] = began
                time.sleep(PAUSE)
            arrived = {int(event): at for event, at in json.loads(listeners.stdout.readline()).items()}
    return sorted(took)[int(0.95 * len(took))], max(arrived[event] - began for event, began in sent.items())


def _post(server: Server, target: str, body: Any) -> Any:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    headers = {"Authorization": f"Bearer {server.printed['owner']}", "Content-Type": "application/json"}
    connection.request("POST", target, json.dumps(body), headers)
    answer = connection.getresponse()
    found = json.loads(answer.read())
    connection.close()
    assert answer.status == 201, found
    return found


def listen(port: int, many: int, events: int, keys: list[str]) -> None:
    """Open `many` streams, and print, as JSON by event, when the last one had it; `_heard` runs this in a process."""
    selector = selectors.DefaultSelector()
    found: dict[socket.socket, list[Any]] = {}
    for number in range(many):
        connection = socket.create_connection(("127.0.0.1", port))
        head = f"GET /v1/games/friday/live?after=2 HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
        connection.sendall(f"{head}Authorization: Bearer {keys[number // KEY]}\r\n\r\n".encode())
        first = b""
        while b"retry: 1000" not in first:
            first += connection.recv(4096)
        connection.setblocking(False)
        found[connection] = [first, 0]
        selector.register(connection, selectors.EVENT_READ)
    print("all listen", flush=True)
    arrived: dict[int, float] = {}
    while min(count for _data, count in found.values()) < events:
        for key, _events in selector.select():
            connection = key.fileobj  # type: ignore[assignment]
            state = found[connection]
            state[0] += connection.recv(2**16)
            while (at := state[0].find(b"event: moment\nid: ")) >= 0 and (end := state[0].find(b"\n\n", at)) >= 0:
                number = int(state[0][at + 18 : state[0].index(b"\n", at + 18)])
                arrived[number] = max(arrived.get(number, 0.0), time.monotonic())
                state[0], state[1] = state[0][end:], state[1] + 1
    print(json.dumps(arrived), flush=True)


def main() -> None:
    """Measure everything and print it."""
    with tempfile.TemporaryDirectory() as folder:
        print("the list of 10,000 games against that of 10, times")
        lists(Path(folder))
        print(f"a stored game of {EVENTS:,} events that nobody asked for yet")
        long_game(Path(folder))
        print(f"an append {1 / PAUSE:g} times a second to a game that many listen to")
        listening(Path(folder))


if __name__ == "__main__":
    if sys.argv[1:2] == [_LISTEN]:
        port, many, events = map(int, sys.argv[2:5])
        listen(port, many, events, sys.argv[5:])
    else:
        main()
