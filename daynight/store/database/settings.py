"""The place of a store: a SQLite file, a PostgreSQL address, or memory. This module does not read the environment."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Literal
from urllib.parse import parse_qsl, unquote, urlsplit

from daynight.framework.language.errors import tame
from daynight.framework.language.grammar import also, commas
from daynight.framework.language.wording import _
from daynight.machine.addresses import is_address, may_hold_password
from daynight.store.errors import SettingsError

DEFAULT = "daynight.db"
"""The place of a store if none is given: a file in the current folder."""

MEMORY = "memory:"
"""The place of a store in memory, which exists only until it is closed."""

_SCHEMES = ("postgresql", "postgres")
_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)

_MODES = ("disable", "prefer", "require", "verify-ca", "verify-full")
_CHECKED = _MODES[3:]
"""The modes in which a server must show a trusted certificate."""

_KEYS = {
    "sqlite": {"path": "SQLITE_DBNAME", "timeout": "SQLITE_LOCK_TIMEOUT", "snapshots": "SNAPSHOTS"},
    "postgresql": {
        "database": "POSTGRES_DBNAME",
        "host": "POSTGRES_HOST",
        "port": "POSTGRES_PORT",
        "user": "POSTGRES_USER",
        "password": "POSTGRES_PASSWORD",
        "schema": "POSTGRES_SCHEMA",
        "timeout": "POSTGRES_LOCK_TIMEOUT",
        "pool": "POSTGRES_MAX_OVERFLOW",
        "sslmode": "POSTGRES_SSLMODE",
        "sslrootcert": "POSTGRES_SSLROOTCERT",
        "passfile": "POSTGRES_PASSFILE",
        "snapshots": "SNAPSHOTS",
    },
}
"""The eventsourcing library's keys for each setting; daynight's own keys where the library has none."""

_MODULES = {"eventsourcing.sqlite": "sqlite", "eventsourcing.postgres": "postgresql"}
_OURS = "daynight.store"
_OTHERS = {"ORIGINATOR_ID_TYPE": "text", "SINGLE_ROW_TRACKING": "y", "POSTGRES_ENABLE_DB_FUNCTIONS": "n"}
"""Keys of the library that allow only one value for a store."""

_LEAST = {"timeout": 0, "snapshots": 1, "port": 1, "pool": 1}
_SYSTEM = "system"
"""The value of `sslrootcert` that makes libpq trust the certificates that the operating system trusts."""


@dataclass(frozen=True)
class Settings:
    """The place of a store, and the settings for its use.

    `timeout`: seconds to wait for a lock or a connection. `snapshots`: the number of events between two snapshots of a
    game. `pool`: connections at a time, for PostgreSQL. `schema`: the PostgreSQL schema of the tables.

    `sslmode` and `sslrootcert` have their meaning from libpq: how the connection is secured, and the file of trusted
    certificates. The default mode is `verify-full`; for a server on this machine, without a file, `prefer`. `passfile`
    is from libpq too: the file with the password, in a line `host:port:database:user:password`.

    Raises:
        SettingsError: where there is no such mode or file, a certificate file is missing for the mode or unused by it,
            there are a password and a password file, or other users may read that file.
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
    sslmode: str = ""
    sslrootcert: str = ""
    passfile: str = ""

    def __post_init__(self) -> None:
        if self.kind == "sqlite" and is_address(str(self.path)):
            raise _no_address()
        if self.kind == "postgresql":
            _check_line(self.secured, self.sslrootcert, self.host)
            if self.passfile:
                _check_passfile(self.passfile, self.password)

    @property
    def secured(self) -> str:
        """The `sslmode` of the connection: the given one, or the default."""
        return self.sslmode or ("prefer" if not self.sslrootcert and _is_here(self.host) else "verify-full")

    @classmethod
    def of(cls, env: Mapping[str, str]) -> Settings:
        """Return the settings given by the eventsourcing library's keys in `env`, not in the process's environment.

        `PERSISTENCE_MODULE` is `daynight.store`, or names the database as the library does, `eventsourcing.sqlite` or
        `eventsourcing.postgres`.

        Raises:
            SettingsError: where they name no valid place, or a value is not allowed.
        """
        module = env.get("PERSISTENCE_MODULE")
        kind = (
            ("sqlite" if env.get("SQLITE_DBNAME") else "postgresql") if module == _OURS else _MODULES.get(module or "")
        )
        if kind is None:
            modules = commas((_OURS, *_MODULES))
            sentence = _("PERSISTENCE_MODULE={module}: expected one of {modules}")
            raise SettingsError(sentence.format(module=module, modules=modules))
        if module == _OURS and env.get("SQLITE_DBNAME") and env.get("POSTGRES_DBNAME"):
            raise SettingsError(_("SQLITE_DBNAME and POSTGRES_DBNAME: give one of them"))
        for other, only in _OTHERS.items():
            if (value := env.get(other, only)) != only:
                sentence = _("{key}={value}: a store has only {only}")
                raise SettingsError(sentence.format(key=other, value=value, only=only))
        given = {name: found for name, key in _KEYS[kind].items() if (found := env.get(key))}
        first, key = next(iter(_KEYS[kind].items()))
        if first not in given:
            raise SettingsError(_("{key} is missing: the name of a database").format(key=key))
        numbers = {
            name: _number(_KEYS[kind][name], given.pop(name), least) for name, least in _LEAST.items() if name in given
        }
        if given.get("path") == ":memory:":
            kind, given["path"] = "memory", ""
        return cls(kind=kind, **given, **numbers)  # type: ignore[arg-type]

    @property
    def env(self) -> dict[str, str]:
        """Return the same settings under the eventsourcing library's keys."""
        kind = "postgresql" if self.kind == "postgresql" else "sqlite"
        found = {key: str(getattr(self, name)) for name, key in _KEYS[kind].items()}
        place = {"SQLITE_DBNAME": ":memory:"} if self.kind == "memory" else {}
        return {"PERSISTENCE_MODULE": _OURS} | found | place

    @classmethod
    def parse(cls, where: Path | str) -> Settings:
        """Return the settings of a place: `daynight.db`, `memory:`, `postgresql://user:password@host:port/database`.

        An address may end in `?schema=...` and, each behind a `&`, `timeout`, `snapshots`, `pool`, `host`, `sslmode`,
        `sslrootcert` and `passfile`.

        Raises:
            SettingsError: where the text is no place, or has an unknown setting.
        """
        if isinstance(where, Path):
            return cls(kind="sqlite", path=str(where))
        if where == MEMORY:
            return cls(kind="memory")
        if not _ADDRESS.match(where):
            if may_hold_password(where):
                raise _no_address()
            if not where or where == ":memory:" or where.startswith("file:") or "\0" in where:
                sentence = _("{where} is no file; expected a path, memory: or postgresql://...")
                raise SettingsError(sentence.format(where=repr(where)))
            return cls(kind="sqlite", path=where)
        return cls._address(where)

    @classmethod
    def _address(cls, where: str) -> Settings:
        try:
            parts = urlsplit(where)
            port = parts.port or 5432
            given = parse_qsl(parts.query, keep_blank_values=True, strict_parsing=bool(parts.query))
            query = dict(given)
            # Parted within a password that has / ? or # in it, of which nothing is to be shown.
            late = "@" not in parts.netloc and ":" in parts.netloc and "@" in parts.query
            late = late or "@" in parts.path or ":" in unquote(parts.username or "")
            if len(query) < len(given) or parts.port == 0 or parts.fragment or late:
                raise ValueError("no address, or a setting twice")
        except ValueError:
            raise _no_address() from None
        if parts.scheme not in _SCHEMES:
            sentence = _("unknown kind of store {kind}; expected a path, memory: or postgresql://...")
            raise SettingsError(sentence.format(kind=repr(parts.scheme)))
        own: dict[str, Any] = {
            name: _number(name, query.pop(name)) for name in ("timeout", "snapshots", "pool") if name in query
        }
        host = query.pop("host", "") or unquote(parts.hostname or "") or "localhost"
        schema = query.pop("schema", "public")
        own |= {name: query.pop(name) for name in ("sslmode", "sslrootcert", "passfile") if name in query}
        if query:
            sentence = _(
                "unknown setting {name}; there are host, schema, timeout, snapshots, pool, sslmode, sslrootcert,"
                " passfile"
            )
            raise SettingsError(sentence.format(name=repr(min(query))))
        for name, value in own.items():
            if value == "":
                raise SettingsError(_("{name}= is empty; leave it out, or say what it is").format(name=name))
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
            **own,
        )

    @property
    def address(self) -> str:
        """The place as a key remembers it: the real path of the file, or host, database and schema; "" for memory."""
        if self.kind == "postgresql":
            return f"postgresql://{self.host}:{self.port}/{self.database}/{self.schema}"
        return "" if self.kind == "memory" else os.path.realpath(self.path)

    @property
    def shown(self) -> str:
        """Return the place without its password, for printing."""
        if self.kind == "postgresql":
            return f"postgresql://{self.user}@{self.host}:{self.port}/{self.database}"
        return MEMORY if self.kind == "memory" else self.path


def no_driver(error: ImportError) -> SettingsError:
    """Return the error for a store on a server if the driver of PostgreSQL is not installed."""
    from daynight.machine.installing import how_to_install

    sentence = _("PostgreSQL needs its driver ({reason})").format(reason=error)
    return SettingsError(also(sentence, how_to_install("postgres")))


def _is_here(host: str) -> bool:
    """Return whether each host in a list with commas is this machine: a socket, `localhost` or a loopback address."""
    for one in host.split(","):
        try:
            here = ip_address(one).is_loopback
        except ValueError:
            here = one == "localhost" or one.startswith(("/", "@"))
        if not here:
            return False
    return True


def _check_line(mode: str, file: str, host: str) -> None:
    if mode not in _MODES:
        raise SettingsError(_("sslmode={mode}: expected one of {modes}").format(mode=tame(mode), modes=commas(_MODES)))
    if mode in _CHECKED and not file:
        sentence = _(
            "{host} has to show a certificate: say in the address whose is believed, sslrootcert=FILE, or settle"
            " for less, sslmode=require (encrypted, to whomever) or sslmode=disable"
        )
        raise SettingsError(sentence.format(host=tame(host)))
    if file and mode not in _CHECKED:
        # libpq would read the file, and in some modes continue without it if it does not match.
        sentence = _("sslmode={mode} checks no certificate; leave out sslrootcert, or write sslmode=verify-full")
        raise SettingsError(sentence.format(mode=mode))
    if file == _SYSTEM and mode == "verify-ca":
        raise SettingsError(_("sslrootcert=system is for sslmode=verify-full alone: anybody has such a certificate"))
    if file and file != _SYSTEM and not Path(file).is_file():
        sentence = _("sslrootcert={file}: no such file; give the certificates to believe, as PEM")
        raise SettingsError(sentence.format(file=tame(file)))


def _check_passfile(file: str, password: str) -> None:
    if password:
        raise SettingsError(_("a password and a passfile; leave one of them out"))
    if not Path(file).is_file():
        sentence = _("passfile={file}: no such file; expected one with a line host:port:database:user:password")
        raise SettingsError(sentence.format(file=tame(file)))
    # libpq would print its own warning, and continue without it.
    if os.name == "posix" and Path(file).stat().st_mode & 0o077:
        raise SettingsError(_("passfile={file}: others may read it: chmod 600 it").format(file=tame(file)))


def _no_address() -> SettingsError:
    # The error does not quote the text: it may be a part of the password.
    return SettingsError(
        _("no address of a store; expected postgresql://user:password@host:port/database, with / as %2F and so on")
    )


def _number(name: str, text: str, least: int = 1) -> int:
    if not (text.isascii() and text.isdigit() and least <= int(text) <= 1_000_000):
        sentence = _("{name}={text}: expected a whole number from {least} on")
        raise SettingsError(sentence.format(name=name, text=text, least=least))
    return int(text)
