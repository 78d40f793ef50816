"""A writer whose disk is full: `python -m tests.store.filling DATABASE LIMIT COMMANDS` tells what happens as it does.

It appends until it is refused, tells the error, and waits for a line of standard input: then there is room again, it
sends the refused command once more, and goes on for so many commands. With a LIMIT it makes its own disk: no file of
this process may be longer than so many bytes, until the line comes. That fails in the same call as a full disk does.
"""

import json
import resource
import sys
from itertools import count
from pathlib import Path

from daynight.games import Store
from daynight.store.database.settings import Settings
from daynight.store.errors import StoreError

from .acknowledged import Json, began, noted

GAME = "friday"


def tell(**what: object) -> None:
    """A line for whoever started this."""
    print(json.dumps(what), flush=True)


def events(number: int) -> list[Json]:
    """What a command stores; each of them only once, or it is refused."""
    permanent = {"id": f"w{number}", "card": "Tavern Ruffian", "controller": "Ana"}
    left = {"type": "permanents-left", "permanents": [f"w{number}"], "to": "graveyard"}
    entered: list[Json] = [{"type": "permanents-entered", "permanents": [permanent]}, left]
    return noted(f"c-{number}", [*entered, *[{"type": "spell-cast", "player": "Ana"}] * 10])


def append(store: Store, number: int) -> None:
    """Append a command and tell that it is stored."""
    stored = store.append(GAME, events(number), command=f"c-{number}")
    tell(command=stored.command, first=stored.first, last=stored.last)


def main(database: Path, limit: int, commands: int) -> None:
    """Fill the disk, wait, go on."""
    settings = Settings.parse(database)
    store = Store(settings)
    began(store, GAME)
    hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
    if limit:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))
    refused = 0
    for number in count(1):
        try:
            append(store, number)
        except StoreError as error:
            refused = number
            tell(error=type(error).__name__, sentence=str(error))
            break
    # What is stored can still be read, by this process and by one that comes now.
    tell(head=store.head(GAME).number, read=len(list(store.events(GAME))))
    with Store(settings) as other:
        tell(head=other.head(GAME).number, read=len(list(other.events(GAME))))
    sys.stdin.readline()
    resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
    for number in range(refused, refused + commands):
        append(store, number)
    store.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
