"""A writer on a full disk: `python -m tests.store.filling DATABASE LIMIT COMMANDS` reports each step as it happens.

It appends until an append fails, reports the error, and waits for a line on standard input. Then there is room again:
it sends COMMANDS commands, the refused one first. LIMIT imitates a full disk: until the line arrives, no file of this
process may be longer than LIMIT bytes, and the same system call fails as on a full disk. LIMIT 0 sets no limit.
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
    """Print the keywords as a line of JSON, for the parent process."""
    print(json.dumps(what), flush=True)


def events(number: int) -> list[Json]:
    """Return the events of the command with this number; a second copy of the command would be refused."""
    permanent = {"id": f"w{number}", "card": "Tavern Ruffian", "controller": "Ana"}
    left = {"type": "permanents-left", "permanents": [f"w{number}"], "to": "graveyard"}
    entered: list[Json] = [{"type": "permanents-entered", "permanents": [permanent]}, left]
    return noted(f"c-{number}", [*entered, *[{"type": "spell-cast", "player": "Ana"}] * 10])


def append(store: Store, number: int) -> None:
    """Append the command with this number, and print its id and its first and last event."""
    stored = store.append(GAME, events(number), command=f"c-{number}")
    tell(command=stored.command, first=stored.first, last=stored.last)


def main(database: Path, limit: int, commands: int) -> None:
    """Append until an append fails, print what can still be read, wait for a line, and continue without the limit."""
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
    # Everything stored can still be read, by this process and by a new one.
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
