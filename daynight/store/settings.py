"""Where a store is, spelled out: a SQLite file, a PostgreSQL address, or memory; never what the environment says."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal
from urllib.parse import parse_qsl, unquote, urlsplit

from daynight.events.wording import _
from daynight.store.errors import SettingsError

__all__ = ["DEFAULT", "MEMORY", "Settings"]

DEFAULT = "daynight.db"
"""The store where nobody says another."""

MEMORY = "memory:"
"""A store that is gone when it is closed."""

_SCHEMES = ("postgresql", "postgres")


@dataclass(frozen=True)
class Settings:
    """The place of a store and how to work there.

    `timeout`: seconds to wait for a lock or a connection. `snapshots`: how many events lie between two snapshots of a
    game. `pool`: connections at a time, for PostgreSQL. `schema`: the PostgreSQL schema of the tables.
    """

    kind: Literal["sqlite", "postgresql", "memory"]
    path: str = ""
    host: str = ""
    port: int = 5432
    user: str = ""
    password: str = field(default="", repr=False)
    database: str = ""
    schema: str = "public"
    timeout: int = 30
    snapshots: int = 250
    pool: int = 8

    @classmethod
    def parse(cls, where: Path | str) -> Settings:
        """The settings of a place: `daynight.db`, `memory:`, `postgresql://user:password@host:port/database`.

        An address may end in `?schema=...&timeout=...&snapshots=...&pool=...&host=...`.

        Raises:
            SettingsError: where it is not one, or has a setting there is not.
        """
        if isinstance(where, Path):
            return cls(kind="sqlite", path=str(where))
        if where == MEMORY:
            return cls(kind="memory")
        if "://" not in where:
            if where.startswith(tuple(f"{scheme}:" for scheme in _SCHEMES)):
                raise _no_address()
            if not where or where == ":memory:" or where.startswith("file:") or "\0" in where:
                raise SettingsError(
                    _("{where} is no file; expected a path, memory: or postgresql://...").format(where=repr(where))
                )
            return cls(kind="sqlite", path=where)
        return cls._address(where)

    @classmethod
    def _address(cls, where: str) -> Settings:
        try:
            parts = urlsplit(where)
            port = parts.port or 5432
            query = dict(parse_qsl(parts.query, keep_blank_values=True, strict_parsing=bool(parts.query)))
        except ValueError:
            raise _no_address() from None
        if parts.scheme not in _SCHEMES:
            raise SettingsError(
                _("unknown kind of store {kind}; expected a path, memory: or postgresql://...").format(
                    kind=repr(parts.scheme)
                )
            )
        timeout, snapshots, pool = (
            _number(name, query.pop(name, str(default)))
            for name, default in (("timeout", cls.timeout), ("snapshots", cls.snapshots), ("pool", cls.pool))
        )
        host = query.pop("host", "") or unquote(parts.hostname or "") or "localhost"
        schema = query.pop("schema", "public")
        if query:
            raise SettingsError(
                _("unknown setting {name}; there are host, schema, timeout, snapshots and pool").format(
                    name=repr(min(query))
                )
            )
        if not schema.isidentifier() or not schema.isascii() or not schema.islower():
            raise SettingsError(_("{schema} is no name of a schema").format(schema=repr(schema)))
        return cls(
            kind="postgresql",
            host=host,
            port=port,
            user=unquote(parts.username or "postgres"),
            password=unquote(parts.password or ""),
            database=unquote(parts.path.removeprefix("/")) or "postgres",
            schema=schema,
            timeout=timeout,
            snapshots=snapshots,
            pool=pool,
        )

    @property
    def shown(self) -> str:
        """The place as it may be printed: never with the password."""
        if self.kind == "postgresql":
            return f"postgresql://{self.user}@{self.host}:{self.port}/{self.database}"
        return MEMORY if self.kind == "memory" else self.path


def _no_address() -> SettingsError:
    # What was wrong with it is not said: it may be a part of the password.
    return SettingsError(
        _("no address of a store; expected postgresql://user:password@host:port/database, with / as %2F and so on")
    )


def _number(name: str, text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= 1_000_000):
        raise SettingsError(_("{name}={text}: expected a whole number from 1 on").format(name=name, text=text))
    return int(text)
