"""A writer that may be killed at any moment, and a check of what must be stored afterwards."""

import io
import os
import time
from pathlib import Path
from typing import Any

from daynight.events.language import strictly
from daynight.framework.language.codec import encode
from daynight.games import Store
from daynight.store import UnavailableError
from daynight.store.database.settings import Settings
from daynight.store.proving.verify import verify_store

__all__ = ["GAME", "Acknowledged", "begin", "check", "write"]

GAME = "killed"
_TURN = 20


class Acknowledged:
    """The acknowledged commands of a writer, in a file that is synced before the next command is sent.

    `repeated`: how many were retries that had been stored before; `waited`: how often there was no answer.
    """

    def __init__(self, path: Path) -> None:
        lines = path.read_bytes().split(b"\n")[:-1]
        numbers = [int(line.split()[0]) for line in lines]
        assert numbers == list(range(1, len(numbers) + 1))
        self.last = len(numbers)
        self.repeated = sum(line.split()[1] == b"True" for line in lines)
        self.waited = sum(int(line.split()[2]) for line in lines)


def begin(settings: Settings, path: Path) -> None:
    """Store the game and its first turn without a command, and create the empty file of acknowledged commands."""
    with Store(settings) as store:
        store.new(GAME, ["Ana", "Bo"])
        store.append(GAME, [{"type": "turn-began", "turn": 1, "active": ["Ana"]}])
    path.touch()


def write(settings: Settings, path: Path) -> None:
    """Send the first unacknowledged command and then the next ones, for ever."""
    number = Acknowledged(path).last
    with Store(settings) as store, open(path, "ab", buffering=0) as stream:
        while True:
            number += 1
            repeated, waited = _append(store, number)
            stream.write(f"{number} {repeated} {waited}\n".encode())
            os.fsync(stream.fileno())


def _append(store: Store, number: int) -> tuple[bool, int]:
    """Retry a command until it is answered; return whether it was already stored, and how many tries got no answer."""
    waited = 0
    while True:
        try:
            return store.append(GAME, _events(number), command=f"c-{number}").repeated, waited
        except UnavailableError:
            waited += 1
            time.sleep(0.01)


def _events(number: int) -> list[dict[str, Any]]:
    if number % _TURN == 0:
        return [{"type": "turn-began", "turn": number // _TURN + 1, "active": ["Bo"], "note": f"c-{number}"}]
    cast = {"type": "spell-cast", "player": "Ana"}
    return [cast | {"note": f"c-{number} {part}"} for part in range(1 + number % 3)]


def check(settings: Settings, path: Path) -> Acknowledged:
    """Assert that acknowledged commands are stored once and in order, then at most the next; return `Acknowledged`."""
    acknowledged = Acknowledged(path)
    with Store(settings) as store:
        stream = io.BytesIO()
        store.lines(GAME, stream)
        stored = stream.getvalue().splitlines()[2:]
        expected = [encode(strictly(event)) for n in range(1, acknowledged.last + 1) for event in _events(n)]
        assert stored[: len(expected)] == expected
        more = [encode(strictly(event)) for event in _events(acknowledged.last + 1)]
        assert stored[len(expected) :] in ([], more)
        assert [found.fault for found in verify_store(store)] == [None]
        found = store.recorder.select_notifications(None, 10**6)
        assert [one.originator_version for one in found] == list(range(1, len(stored) + 3))
    return acknowledged
