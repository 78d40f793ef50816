"""Serving: the sockets, the server on them, and how both end."""

from __future__ import annotations

import asyncio
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import uvicorn

from daynight.framework.language.errors import AskedError
from daynight.framework.language.wording import _
from daynight.web.application import application
from daynight.web.computing import Computing, found_at
from daynight.web.door.hosts import hosts_of
from daynight.web.door.keys import HOURS, Keys
from daynight.web.door.seats import Seat, seats_of
from daynight.web.limits import Limits
from daynight.web.protocol import connections
from daynight.web.shelf import Shelf
from daynight.web.visit import House

HEAD = 2**16
"""How many bytes of a head are read at all: one that is longer is no HTTP."""

GRACE = 1
"""How many seconds what is being answered may still take when the server ends."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Serving:
    """How a shelf is served: where, under which names besides, and to whom.

    `links` is the file of the links, each of which lives so many `hours`.

    `table`: to phones, at an address that is named; what is not of this machine alone is then encrypted unless it is
    `plain`, with a certificate kept in the folder `certificates`. `seats` are the games that links are made for.
    """

    host: str = "127.0.0.1"
    port: int = 8000
    allowed: tuple[str, ...] = ()
    private: bool = False
    links: Path | None = None
    table: bool = False
    plain: bool = False
    certificates: Path | None = None
    seats: tuple[str, ...] = ()
    hours: float = HOURS
    limits: Limits = field(default_factory=Limits)


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """What is told once it listens: its address, and the key of its owner; of a table the links and the fingerprint."""

    address: str
    owner: str
    table: bool = False
    fingerprint: str | None = None
    seats: tuple[Seat, ...] = ()

    @property
    def url(self) -> str:
        """The address with the key: it stands in the fragment, which no browser sends."""
        return f"{self.address}/#k={self.owner}"

    def document(self) -> dict[str, str | None]:
        """The same as JSON."""
        found: dict[str, str | None] = {"address": self.address, "owner": self.owner, "url": self.url}
        return found | {"fingerprint": self.fingerprint} if self.table else found


class Server(uvicorn.Server):
    """A server of a house, which tells when it listens, and whose end by a signal is no failure."""

    def __init__(
        self, house: House, listening: Callable[[], None] = lambda: None, certificate: Path | None = None
    ) -> None:
        super().__init__(configured(house, certificate))
        self._house = house
        self._listening = listening

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, and tell so."""
        await super().startup(sockets)
        if self.started:
            self._listening()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End, with all live streams."""
        # Streams end only when they are told to, and what is being answered is waited for.
        await self._house.hub.close()
        # What takes longer is cut before uvicorn cancels it, which would be told as a failure.
        cutting = asyncio.get_running_loop().call_later(GRACE, self._cut)
        await super().shutdown(sockets)
        cutting.cancel()

    def _cut(self) -> None:
        for connection in list(self.server_state.connections):
            connection.transport.abort()
        if self._house.computing is not None:
            self._house.computing.close()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """End at a signal, where signals are heard at all."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {number: signal.signal(number, self.handle_exit) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


def is_loopback(host: str) -> bool:
    """Whether an address is of this machine alone.

    >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    with suppress(ValueError):
        return ip_address(host).is_loopback
    return host == "localhost"


def bound(host: str, port: int) -> socket.socket:
    """A socket that is bound to an address.

    Raises:
        AskedError: where it cannot be.
    """
    try:
        family, kind, protocol, _name, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        found = socket.socket(family, kind, protocol)
        try:
            found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            found.bind(address)
        except BaseException:
            found.close()
            raise
    except OSError as error:
        sentence = _("{host}:{port}: nobody can listen there: {reason}; --port 0 finds a free port")
        raise AskedError(sentence.format(host=host, port=port, reason=error.strerror or error)) from None
    return found


def serve(shelf: Shelf, how: Serving, told: Callable[[Served], Any]) -> None:
    """Serve a shelf until a signal ends it; `told` hears where, as soon as it listens.

    Raises:
        AskedError: where nobody can listen there, a table names no address of its own, or its records are no games.
        OSError: where links or a certificate cannot be kept.
    """
    if how.table and not shelf.is_of_games:
        sentence = _("--table is for games of day and night; without it {mechanic} is served to browsers and programs")
        raise AskedError(sentence.format(mechanic=shelf.mechanic.name))
    if how.table and _is_anywhere(how.host):
        sentence = _("{host} is every address there is; a table is served at one that is named: --host 192.168.1.5")
        raise AskedError(sentence.format(host=how.host))
    listening = bound(how.host, how.port)
    # What counts is what the socket is bound to, whatever its name was.
    host, port = listening.getsockname()[:2]
    local = is_loopback(host)
    certificate = None
    if how.table and not how.plain and not local and how.certificates is not None:
        from daynight.web.door.certificate import certificate_of

        certificate = certificate_of(how.certificates, [host, *how.allowed])
    scheme = "http" if certificate is None else "https"
    house = House(
        shelf=shelf,
        keys=Keys(how.links),
        limits=how.limits,
        hosts=hosts_of(host, port, scheme, how.allowed, local=local),
        scheme=scheme,
        local=local,
        private=how.private,
        hours=how.hours,
    )
    house.computing = Computing(shelf, how.limits) if shelf.is_of_games or found_at(shelf.mechanic) else None
    address = f"{scheme}://{f'[{host}]' if ':' in host else host}:{port}"
    seats = tuple(seat for game in how.seats for seat in seats_of(shelf, game, house.keys, address, how.hours))
    served = Served(
        address=address, owner=house.keys.owner, table=how.table,
        fingerprint=None if certificate is None else certificate.fingerprint, seats=seats,
    )  # fmt: skip
    with listening:
        Server(house, lambda: told(served), None if certificate is None else certificate.file).run(sockets=[listening])


def _is_anywhere(host: str) -> bool:
    with suppress(ValueError):
        return ip_address(host).is_unspecified
    return host == ""


def configured(house: House, certificate: Path | None = None) -> uvicorn.Config:
    """How uvicorn is to serve a house; with the file of a `certificate` and its key, encrypted."""
    return uvicorn.Config(
        application(house),
        http=connections(house.limits),
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        h11_max_incomplete_event_size=HEAD,
        timeout_graceful_shutdown=GRACE + 1,
        ssl_certfile=certificate,
    )
