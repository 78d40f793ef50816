"""Games kept for ever: the only room that knows the eventsourcing library.

>>> from daynight.store import Store
>>> with Store.open("memory:") as store:
...     appended = store.new("friday", ["Ana", "Bo"])
...     store.games()
[('friday', 1)]
"""

from __future__ import annotations

from daynight.store.database.application import Games, GamesFactory
from daynight.store.database.mapper import Numbered
from daynight.store.database.rows import Head
from daynight.store.errors import ConflictError, DamagedError, SettingsError, StoreError, UnavailableError
from daynight.store.feed import Feed
from daynight.store.library import Library
from daynight.store.proving.archive import read_archive, write_archive
from daynight.store.proving.keys import Key
from daynight.store.proving.proof import prove, read_proof, verify_record
from daynight.store.proving.verify import verify_store
from daynight.store.store import Store
from daynight.store.views import View
from daynight.store.writing import Appended

__all__ = [
    "Appended",
    "ConflictError",
    "DamagedError",
    "Feed",
    "Games",
    "GamesFactory",
    "Head",
    "Key",
    "Library",
    "Numbered",
    "SettingsError",
    "Store",
    "StoreError",
    "UnavailableError",
    "View",
    "prove",
    "read_archive",
    "read_proof",
    "verify_record",
    "verify_store",
    "write_archive",
]
