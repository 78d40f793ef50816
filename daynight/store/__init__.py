"""Games kept for ever: the only room that knows the eventsourcing library.

>>> from daynight.store import Store
>>> with Store.open("memory:") as store:
...     appended = store.new("friday", ["Ana", "Bo"])
...     store.games()
[('friday', 1)]
"""

from __future__ import annotations

from daynight.store.errors import ConflictError, DamagedError, SettingsError, StoreError, UnavailableError
from daynight.store.keys import Key
from daynight.store.rows import Head
from daynight.store.store import Appended, Store

__all__ = [
    "Appended",
    "ConflictError",
    "DamagedError",
    "Head",
    "Key",
    "SettingsError",
    "Store",
    "StoreError",
    "UnavailableError",
]
