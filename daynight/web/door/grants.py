"""Keys, and the callers that have them. For a link's key, only its hash is stored, in the file of the links."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Literal, TypeAlias

from msgspec import Struct

from daynight.framework.language.errors import DaynightError
from daynight.framework.language.wording import _
from daynight.games import Store
from daynight.keeping.private import PrivateList
from daynight.store import SettingsError
from daynight.web.door.sessions import ENDING as SESSIONS
from daynight.web.door.sessions import Sessions, hash_of

Role: TypeAlias = Literal["reader", "spectator", "player", "judge", "owner"]
"""The roles of callers; a caller without a key is a reader."""

ROLES: tuple[Role, ...] = ("reader", "spectator", "player", "judge", "owner")
"""The roles, from the one with the fewest rights to a game to the one with the most."""

HOURS = 24.0
"""The default lifetime of a link, in hours."""

ENDING = ".links"
"""The ending of the file of the links."""

_SIZE = 2**24


class EndedError(DaynightError):
    """The error for a key that is wrong, revoked or ended."""


class Grant(Struct, frozen=True):
    """The rights of one key: a `role`, under `name` if it has one, in `game`, or in all games if that is None.

    `link` is the id of its link. `ends` is a time in seconds since 1970, None if the key lasts as long as the server.
    `key` is the hash by which requests are counted; it gives no access. `rules`: a player at a table among friends, who
    may rule that it is day or night.
    """

    role: Role
    name: str | None = None
    game: str | None = None
    link: str | None = None
    ends: float | None = None
    key: str = ""
    rules: bool = False

    @property
    def called(self) -> str:
        """The name, or the role if there is none: the `by` of this caller's events."""
        return self.name or self.role


READER = Grant("reader")
"""The grant of a caller who reads on this machine without a key."""


class Caller(Struct, frozen=True):
    """A caller: the grants of its keys, in the order in which the keys were given."""

    grants: tuple[Grant, ...] = ()

    def over(self, *games: str) -> Grant | None:
        """Return the grant of the highest role in any of these games, the last among equals; None if there is none."""
        return _most(grant for grant in self.grants if grant.game is None or grant.game in games)

    @property
    def most(self) -> Grant | None:
        """The grant of the highest role in any game, the last among equals; None if the caller has no grants."""
        return _most(self.grants)


def _most(grants: Iterable[Grant]) -> Grant | None:
    found: Grant | None = None
    for grant in grants:
        if found is None or ROLES.index(grant.role) >= ROLES.index(found.role):
            found = grant
    return found


class Link(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A link as it is stored: `hash` is the SHA-256 of its key, in hexadecimal digits.

    Default values are left out, so an older daynight without `rules` can read a file in which no link has it.
    """

    link: str
    game: str
    role: Literal["spectator", "player", "judge"]
    name: str | None = None
    ends: float
    hash: str
    rules: bool = False


class Keys:
    """The owner's key, which is new for each process and ends with it, and the links.

    `file` stores the links, and a file beside it the sessions; without `file` they end with this process too. `now`
    returns the time in seconds.

    Raises:
        SettingsError: where `file` does not hold links, or the other file does not hold sessions.
        OSError: where one of the files cannot be read.
    """

    def __init__(self, file: Path | None = None, *, now: Callable[[], float] = time.time) -> None:
        self.owner = _made()
        self._kept = PrivateList(file, Link, _SIZE, _wrong)
        self._now = now
        self._owner = Grant("owner", key=hash_of(self.owner))
        self._links: dict[str, Link] = {}
        self._lock = threading.Lock()
        with self._lock:
            self._look()
        self.sessions = Sessions(None if file is None else file.with_suffix(SESSIONS), self._owner.key, self._lives)

    # ------------------------------------------------------------------------------------------------------- asking

    def grant(self, key: str) -> Grant:
        """Return the rights of a key.

        Raises:
            EndedError: where the key is wrong, revoked or ended.
        """
        found = self._granted(hash_of(key))
        if found is None:
            raise EndedError(ended_sentence())
        return found

    def _granted(self, hashed: str) -> Grant | None:
        """Return the grant for a key's hash; None if the key is wrong, revoked or ended."""
        if hashed == self._owner.key:
            return self._owner
        with self._lock:
            self._try_to_look()
            link = self._links.get(hashed)
        if link is None or link.ends <= self._now():
            return None
        return Grant(link.role, link.name, link.game, link.link, link.ends, hashed, link.rules)

    def caller(self, keys: Iterable[str]) -> Caller:
        """Return the caller with the grants of these keys; wrong, revoked and ended keys are left out.

        Without keys, the caller has no grants.

        Raises:
            EndedError: where there are keys, and none of them is valid.
        """
        grants: list[Grant] = []
        ended: EndedError | None = None
        for key in keys:
            try:
                grants.append(self.grant(key))
            except EndedError as error:
                ended = error
        if ended is not None and not grants:
            raise ended
        return Caller(tuple(grants))

    def lives(self, grant: Grant) -> bool:
        """Return whether a grant is still valid: its link was not revoked, and has not ended."""
        if grant.link is None:
            return True
        with self._lock:
            self._try_to_look()
            link = self._links.get(grant.key)
        return link is not None and link.ends > self._now()

    # ------------------------------------------------------------------------------------------------------ sessions

    def joined(self, cookie: str, key: str) -> str:
        """Add a key to the session of a cookie, or to a new one, and return the new cookie.

        Raises:
            EndedError: where the key is wrong, revoked or ended.
            SettingsError, OSError: where the file of the sessions cannot be read or written.
        """
        return self.sessions.join(cookie, self.grant(key).key)

    def visitor(self, cookie: str) -> Caller:
        """Return the caller of a cookie; a caller without grants if the cookie is empty.

        Raises:
            EndedError: where there is no such session, or all its keys have ended.
        """
        if not cookie:
            return Caller()
        grants = [grant for hashed in self.sessions.keys(cookie) if (grant := self._granted(hashed)) is not None]
        if not grants:
            raise EndedError(ended_sentence())
        return Caller(tuple(grants))

    def _lives(self, hashed: str) -> bool:
        return self._granted(hashed) is not None

    # --------------------------------------------------------------------------------------------------------- links

    def links(self, after: str = "", limit: int = 100) -> list[Link]:
        """Return at most `limit` links that have not ended, ordered by id: those with an id greater than `after`.

        Raises:
            SettingsError, OSError: where the file cannot be read.
        """
        with self._lock:
            self._look()
            living = sorted(self._living(), key=lambda link: link.link)
        return [link for link in living if link.link > after][:limit]

    def add(
        self, game: str, role: Literal["spectator", "player", "judge"], name: str | None = None, hours: float = HOURS,
        *, rules: bool = False,
    ) -> tuple[Link, str]:  # fmt: skip
        """Make a link, and return it with its key, of which only the hash is stored. `rules`: a player who may rule.

        Raises:
            SettingsError, OSError: where the file cannot be read.
            NotKeptError: where the file cannot be written; there is no new link then.
        """
        key = _made()
        ends = self._now() + hours * 3600
        id = secrets.token_hex(8)
        link = Link(link=id, game=game, role=role, name=name, ends=ends, hash=hash_of(key), rules=rules)
        with self._lock:
            self._look()
            self._write([*self._living(), link])
        return link, key

    def revoke(self, id: str) -> bool:
        """End the link with this `id` now; return whether there was a valid one.

        Raises:
            SettingsError, OSError: where the file cannot be read.
            NotKeptError: where the file cannot be written; the link stays valid then.
        """
        with self._lock:
            self._look()
            living = self._living()
            left = [link for link in living if link.link != id]
            if len(left) == len(living):
                return False
            self._write(left)
        return True

    def _living(self) -> list[Link]:
        return [link for link in self._links.values() if link.ends > self._now()]

    def _write(self, links: list[Link]) -> None:
        # The hashes reveal no key, but names and roles are private too.
        self._kept.write(links)
        self._links = {link.hash: link for link in links}

    def _try_to_look(self) -> None:
        """Read the file again if it changed. If it cannot be read any more, no link is valid."""
        try:
            self._look()
        except (SettingsError, OSError):
            self._links = {}
            self._kept.forget()

    def _look(self) -> None:
        """Read the file again if it changed: another server of the same store may have written it."""
        links = self._kept.changed()
        if links is not None:
            self._links = {link.hash: link for link in links}


def links_of(store: Store, folder: Path) -> Path | None:
    """Return the file of a store's links: beside a SQLite file, in `folder` for PostgreSQL, None for one in memory."""
    settings = store.settings
    if settings.kind == "sqlite":
        return Path(f"{settings.path}{ENDING}")
    return folder / f"{hash_of(settings.shown)[:16]}{ENDING}" if settings.kind == "postgresql" else None


def ended_sentence() -> str:
    """Return the sentence for a key that is wrong, revoked or ended."""
    return _("this key is not valid, or not any more; ask for a new link")


def _made() -> str:
    return secrets.token_urlsafe(16)


def _wrong(file: str) -> str:
    return _("{file} holds no links of daynight; move it away").format(file=file)
