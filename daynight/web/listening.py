"""Listening: a socket with a limit on connections, and the system's limit on open files."""

from __future__ import annotations

import errno
import os
import socket
from collections import Counter
from contextlib import suppress
from functools import lru_cache
from ipaddress import ip_address
from typing import Any

from daynight.web.limits import Limits

EXTRA = 32
"""Connections beyond the limit that are accepted briefly: if one sends a request at once, it gets an answer."""

OTHERS = 256
"""File descriptors that are kept free for other files: the store, workers, uploads."""

_AT_ONCE = 100
"""The most connections that are closed in a row before other connections are served again."""

_NO_FILES = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})


def room_for(connections: int) -> int:
    """Raise the system's limit on open files, if needed; return the possible number of connections.

    >>> room_for(100)
    100
    """
    try:
        import resource
    except ImportError:
        # Windows has no such limit.
        return connections
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = connections + EXTRA + OTHERS
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return connections if soft == resource.RLIM_INFINITY else max(1, min(connections, soft - EXTRA - OTHERS))


class Crowd:
    """Counts the connections: all of them, and those of each address that is not this machine's own."""

    def __init__(self, limits: Limits) -> None:
        self._most = limits.connections
        self._most_of_one = limits.connections_address
        self._addresses: Counter[str] = Counter()
        self._extra: set[int] = set()
        self._all = 0

    def admits(self, connection: Admitted, host: str) -> bool:
        """Count a new connection and return True; return False if there are too many, in all or from `host`."""
        here = _is_here(host)
        if self._all >= self._most + EXTRA or (not here and self._addresses[host] >= self._most_of_one):
            return False
        if self._all >= self._most:
            self._extra.add(connection.fileno())
        self._all += 1
        if not here:
            self._addresses[host] += 1
        connection.counted = self, connection.fileno(), "" if here else host
        return True

    def is_extra(self, number: int) -> bool:
        """Return whether the connection with file descriptor `number` is beyond the limit."""
        return number in self._extra

    def left(self, number: int, host: str) -> None:
        """Count the connection with file descriptor `number` no longer; `host` is empty for this machine."""
        self._all -= 1
        self._extra.discard(number)
        if host:
            self._addresses[host] -= 1
            if not self._addresses[host]:
                del self._addresses[host]


class Admitted(socket.socket):
    """A connection that is counted until it is closed."""

    counted: tuple[Crowd, int, str] | None = None

    def close(self) -> None:
        """Close the connection; its `Crowd` counts it no longer."""
        counted, self.counted = self.counted, None
        if counted is not None:
            counted[0].left(*counted[1:])
        super().close()


class Listening(socket.socket):
    """A listening socket that immediately closes the connections which its `crowd` does not admit."""

    crowd: Crowd | None = None
    _spare: int = -1

    def accept(self) -> tuple[socket.socket, Any]:
        """Return the next connection that `crowd` admits, and its address; without a `crowd`, the next connection.

        Raises:
            BlockingIOError: where there is none at the moment, or `_AT_ONCE` were refused in a row.
        """
        if self.crowd is None:
            return super().accept()
        if self._spare < 0:
            self._spare = os.open(os.devnull, os.O_RDONLY)
        for _connection in range(_AT_ONCE):
            try:
                number, address = self._accept()  # type: ignore[attr-defined]
            except OSError as error:
                if error.errno not in _NO_FILES:
                    raise
                self._turn_away()
                continue
            connection = Admitted(self.family, self.type, self.proto, fileno=number)
            if self.crowd.admits(connection, str(address[0])):
                return connection, address
            connection.close()
        raise BlockingIOError

    def close(self) -> None:
        """Close the socket, and its spare file descriptor."""
        if self._spare >= 0:
            os.close(self._spare)
            self._spare = -1
        super().close()

    def _turn_away(self) -> None:
        """Accept and close a waiting connection, if no file descriptor is left for it.

        The spare one is used for that; else the event loop would report the connection again and again.
        """
        os.close(self._spare)
        try:
            with suppress(OSError):
                number, _address = self._accept()  # type: ignore[attr-defined]
                os.close(number)
        finally:
            self._spare = os.open(os.devnull, os.O_RDONLY)


@lru_cache(_AT_ONCE)
def _is_here(host: str) -> bool:
    with suppress(ValueError):
        return ip_address(host).is_loopback
    return False
