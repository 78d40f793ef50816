"""Sessions: a random cookie of the page stands for a list of keys.

The cookie is no key. Only hashes are stored, of the cookie and of the keys.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from msgspec import Struct

from daynight.framework.language.wording import _
from daynight.keeping.private import PrivateList
from daynight.store import SettingsError

ENDING = ".sessions"
"""The ending of the file of the sessions."""

KEYS, SESSIONS = 32, 10_000
"""The most keys of a session, and the most sessions; the oldest keys and the longest unused sessions are dropped."""

_SIZE = 2**25


class Session(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A session as it is stored: the SHA-256 of its cookie and of each of its keys, the newest last."""

    hash: str
    keys: tuple[str, ...]


class Sessions:
    """The sessions of a server, the last used one at the end.

    `file` stores them; without it they end with this process. `brief` is the hash of a key that ends with this process:
    it is never written to the file. `lives` returns whether the key of a hash is valid.

    Raises:
        SettingsError: where `file` holds something else than sessions.
        OSError: where it cannot be read.
    """

    def __init__(self, file: Path | None, brief: str, lives: Callable[[str], bool]) -> None:
        self._kept = PrivateList(file, Session, _SIZE, _wrong)
        self._brief = brief
        self._lives = lives
        self._sessions: dict[str, Session] = {}
        self._lock = threading.Lock()
        with self._lock:
            self._look()

    def keys(self, cookie: str) -> tuple[str, ...]:
        """Return the hashes of the keys of a session; empty if there is no such session."""
        with self._lock:
            with suppress(SettingsError, OSError):
                self._look()
            session = self._sessions.pop(hash_of(cookie), None)
            if session is None:
                return ()
            # The one that was used last stands last.
            self._sessions[session.hash] = session
            return session.keys

    def join(self, cookie: str, key: str) -> str:
        """Add `key`, the hash of a valid key, to the session of a cookie, or to a new one, and return its new cookie.

        Raises:
            SettingsError, OSError: where the file cannot be read.
            NotKeptError: where the file cannot be written; the session does not change then.
        """
        made = secrets.token_urlsafe(16)
        with self._lock:
            self._look()
            before = self._sessions.get(hash_of(cookie))
            kept = () if before is None else [one for one in before.keys if one != key and self._lives(one)]
            session = Session(hash=hash_of(made), keys=(*kept, key)[-KEYS:])
            others = [one for one in self._sessions.values() if one is not before]
            self._write([*others[-(SESSIONS - 1) :], session])
        return made

    def end(self, cookie: str) -> None:
        """End the session of a cookie.

        Raises:
            SettingsError, OSError: where the file cannot be read.
            NotKeptError: where the file cannot be written; the session does not change then.
        """
        with self._lock:
            self._look()
            found = hash_of(cookie)
            if found in self._sessions:
                self._write([one for one in self._sessions.values() if one.hash != found])

    def _write(self, sessions: list[Session]) -> None:
        """Save these sessions; write to the file those with valid keys other than `brief`, and only these keys."""
        lasting = [
            Session(hash=one.hash, keys=keys)
            for one in sessions
            if (keys := tuple(key for key in one.keys if key != self._brief and self._lives(key)))
        ]
        if lasting or (self._kept.file is not None and self._kept.file.exists()):
            self._kept.write(lasting)
        self._sessions = {one.hash: one for one in sessions}

    def _look(self) -> None:
        """Read the file again if it changed: another server of the same store may have written it."""
        found = self._kept.changed()
        if found is not None:
            ours = [one for one in self._sessions.values() if self._brief in one.keys]
            self._sessions = {one.hash: one for one in [*found, *ours]}


def hash_of(secret: str) -> str:
    """Return the SHA-256 of a key or a cookie, in hexadecimal digits, as it is stored."""
    return sha256(secret.encode("utf-8", "surrogateescape")).hexdigest()


def _wrong(file: str) -> str:
    return _("{file} holds no sessions of daynight; move it away").format(file=file)
