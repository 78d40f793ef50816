"""The store of records of any mechanic.

Only this package and `daynight.adapters` import the eventsourcing library. This one contains nothing about Magic; the
store of games of day and night is `daynight.Store`.
"""

from __future__ import annotations

from daynight.store.database.application import Games as Games
from daynight.store.database.application import GamesFactory as GamesFactory
from daynight.store.database.mapper import Numbered as Numbered
from daynight.store.database.rows import Head as Head
from daynight.store.errors import ConflictError as ConflictError
from daynight.store.errors import DamagedError as DamagedError
from daynight.store.errors import SettingsError as SettingsError
from daynight.store.errors import StoreError as StoreError
from daynight.store.errors import UnavailableError as UnavailableError
from daynight.store.feed import Feed as Feed
from daynight.store.proving.archive import read_archive as read_archive
from daynight.store.proving.archive import write_archive as write_archive
from daynight.store.proving.keys import Key as Key
from daynight.store.proving.proof import prove as prove
from daynight.store.proving.proof import read_proof as read_proof
from daynight.store.proving.proof import verify_record as verify_record
from daynight.store.proving.verify import verify_store as verify_store
from daynight.store.store import Store as Store
from daynight.store.views import View as View
from daynight.store.writing import Appended as Appended
