"""Serving: the socket, the server that listens on it, and how both end."""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import signal
import socket
import sys
import threading
from asyncio.sslproto import SSLProtocol
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from ipaddress import ip_address
from pathlib import Path
from time import monotonic
from typing import Any

import uvicorn
from msgspec.structs import replace
from starlette.concurrency import run_in_threadpool

from daynight.framework.language.errors import AskedError
from daynight.framework.language.wording import _
from daynight.keeping.private import NotKeptError
from daynight.machine.memory import return_large_blocks
from daynight.machine.reasons import reason_of
from daynight.notation.lines.parsing import parser
from daynight.store.proving.keys import HOME
from daynight.web.asgi import application
from daynight.web.computing.computing import Computing, found_at
from daynight.web.computing.threads import Threads
from daynight.web.door.grants import HOURS, Keys
from daynight.web.door.hosts import hosts_of
from daynight.web.door.seats import Seat, seats_of
from daynight.web.limits import Limits
from daynight.web.listening import EXTRA, OTHERS, Crowd, Listening, room_for
from daynight.web.protocol import connections
from daynight.web.shelf import Shelf
from daynight.web.visit import House

HEAD = 2**16
"""The most bytes of a head that uvicorn reads; it answers a longer one with 400, before the door sees it."""

ENCRYPTED = 2**15
"""The size in bytes of the read buffer of an encrypted connection; a TLS record takes at most half of it."""

SWITCH = 0.0005
"""The thread switch interval in seconds: a tenth of Python's default."""

LEFT = 0.5
"""Seconds to wait, after the server has stopped, for threads that still work."""

GRACE = 1
"""Seconds that running requests may still take when the server stops."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Serving:
    """How to serve a shelf.

    The server listens on `host` and `port`; `allowed` are further host names that requests may use. `private`: reading
    needs a key on this machine too. `links` is the file of the links, each of which is valid for `hours`.

    With the folder `certificates`, where the certificate is stored, the connections are encrypted, unless the address
    is loopback or `plain` is set. `table`: links are shown, for the phones of the players. `seats` are the games to
    make links for; `friends`: the players may rule that it is day or night.
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
    friends: bool = False
    limits: Limits = field(default_factory=Limits)


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """The data to show when the server listens: the address with the owner's key and, for a table, the links.

    For encrypted connections, `certificate` is the file of the certificate, and `fingerprint` its SHA-256. `made` are
    the files that were created: for the links, and for the certificate. `connections` is the possible number of
    connections if the system's limit on open files is too low for the configured number; else None.
    """

    address: str
    owner: str
    table: bool = False
    local: bool = True
    fingerprint: str | None = None
    certificate: Path | None = None
    seats: tuple[Seat, ...] = ()
    made: tuple[Path, ...] = ()
    connections: int | None = None

    @property
    def files_wanted(self) -> int:
        """The number of open files that would be enough for the default number of connections."""
        return Limits().connections + EXTRA + OTHERS

    @property
    def url(self) -> str:
        """The address with the owner's key in its fragment, which browsers do not send."""
        return f"{self.address}/#k={self.owner}"

    def document(self) -> dict[str, Any]:
        """Return the addresses, the key, the certificate and the links that there are, as a dictionary for JSON."""
        found: dict[str, Any] = {"address": self.address, "owner": self.owner, "url": self.url}
        if self.table or self.certificate is not None:
            found["fingerprint"] = self.fingerprint
        if self.certificate is not None:
            found["certificate"] = str(self.certificate.absolute())
        if self.table:
            found["links"] = [{"role": seat.role, "name": seat.name, "url": seat.url} for seat in self.seats]
        return found


class Server(uvicorn.Server):
    """The server for a `House`: it calls `listening` when it listens, and a signal stops it without an error.

    The house's worker processes stop with it.
    """

    def __init__(
        self, house: House, listening: Callable[[], None] = lambda: None, certificate: Path | None = None
    ) -> None:
        if certificate is not None:
            # asyncio keeps a buffer of this size for each connection: 256 KiB, unless this is set for the process.
            SSLProtocol.max_size = ENCRYPTED
        self._crowd = Crowd(house.limits)
        super().__init__(configured(house, certificate, self._crowd))
        self._house = house
        self._listening = listening

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, then call `listening`."""
        if self._house.pen is not None and self._house.shelf.is_of_games:
            # Build the grammar now, so that the first command in words does not wait for it.
            threading.Thread(target=parser, name="daynight-grammar", daemon=True).start()
        sys.setswitchinterval(SWITCH)
        return_large_blocks()
        for listening in sockets or ():
            if isinstance(listening, Listening):
                listening.crowd = self._crowd
        await super().startup(sockets)
        if self.started:
            self._listening()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop all live streams, then the workers, then the server."""
        # uvicorn waits for requests that are being answered, and a stream ends only when it is told to.
        await self._house.hub.close()
        if self._house.computing is not None:
            # Callers of long computations get an error at once, and all others still get their answers.
            await run_in_threadpool(self._house.computing.close)
        # Cut what takes longer before uvicorn cancels it: that would be logged as an error.
        cutting = asyncio.get_running_loop().call_later(GRACE, self._cut)
        await super().shutdown(sockets)
        cutting.cancel()

    def _cut(self) -> None:
        # What is cut now has no answer, which is no error.
        logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
        for connection in list(self.server_state.connections):
            connection.transport.abort()
        for task in list(self.server_state.tasks):
            task.cancel()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop at SIGINT and SIGTERM; outside of the main thread, where signals cannot be handled, do nothing."""
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
    """Return whether an address can be reached from this machine alone.

    >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    with suppress(ValueError):
        return ip_address(host).is_loopback
    return host == "localhost"


def bound(host: str, port: int) -> Listening:
    """Return a socket that is bound to an address.

    Raises:
        AskedError: where it cannot be bound, or `host` means every address: requests could not name such a host.
    """
    if _is_anywhere(host):
        sentence = _("{host} is every address there is; give one that this machine has: --host {address}")
        raise AskedError(sentence.format(host=host, address=own_address() or "192.168.1.5"))
    try:
        family, kind, protocol, _name, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        found = Listening(family, kind, protocol)
        try:
            found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            found.bind(address)
        except BaseException:
            found.close()
            raise
    except OSError as error:
        if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
            sentence = _("{host} is no address of this machine; its address in the network: {address}")
            raise AskedError(sentence.format(host=host, address=own_address() or _("none"))) from None
        sentence = _("cannot listen at port {port} of {host}: {reason}; --port 0 finds a free port")
        raise AskedError(sentence.format(host=host, port=port, reason=reason_of(error))) from None
    return found


def own_address() -> str | None:
    """Return the address of this machine in its network; None without a network. Finding it sends nothing."""
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        # To connect a datagram socket only looks up which way a packet would go. No machine has this address.
        asking.connect(("192.0.2.1", 9))
        found = str(asking.getsockname()[0])
        return None if is_loopback(found) else found
    return None


def serve(
    shelf: Shelf, how: Serving, told: Callable[[Served], Any], *,
    began: Callable[[Server], Any] = lambda server: None, leave: bool = True,
) -> None:  # fmt: skip
    """Serve a shelf until a signal ends the server; call `told` as soon as it listens.

    `began` gets the server before that, so that another thread can stop it. `leave`: afterwards, end the process if a
    database still blocks a thread.

    Raises:
        AskedError: where the address cannot be bound, a table has other records than games, or its certificate or its
            links cannot be written.
        SettingsError: where the file of the links does not hold links.
    """
    if how.table and not shelf.is_of_games:
        sentence = _("--table is for games of day and night; without it {mechanic} is served to browsers and programs")
        raise AskedError(sentence.format(mechanic=shelf.called))
    listening = bound(how.host, how.port)
    # `how.host` may be a name: what counts is the address that the socket is bound to.
    host, port = listening.getsockname()[:2]
    local = is_loopback(host)
    limits = replace(how.limits, connections=room_for(how.limits.connections))
    certificate = None
    if not how.plain and not local and how.certificates is not None:
        from daynight.web.door.certificate import certificate_of

        certificate = certificate_of(how.certificates, [host, *how.allowed])
    scheme = "http" if certificate is None else "https"
    house = House(
        shelf=shelf,
        keys=Keys(how.links),
        limits=limits,
        hosts=hosts_of(host, port, scheme, how.allowed, local=local),
        scheme=scheme,
        local=local,
        private=how.private,
        hours=how.hours,
    )
    if shelf.store is not None and shelf.store.settings.kind == "postgresql":
        # For a file SQLite itself has a timeout; an unanswering server is waited for here.
        house.threads = Threads(shelf.store.settings.timeout)
    if shelf.is_of_games or (shelf.alone is None and found_at(shelf.mechanic)):
        house.computing = Computing(shelf, limits)
    address = f"{scheme}://{f'[{host}]' if ':' in host else host}:{port}"
    new = [how.links] if how.links is not None and not how.links.exists() else []
    try:
        seats = tuple(
            seat
            for game in how.seats
            for seat in seats_of(shelf, game, house.keys, address, how.hours, friends=how.friends)
        )
    except NotKeptError as error:
        listening.close()
        raise _no_links(how, error) from None
    new += [] if certificate is None or not certificate.is_new else [certificate.file]
    served = Served(
        address=address, owner=house.keys.owner, table=how.table, local=local,
        fingerprint=None if certificate is None else certificate.fingerprint,
        certificate=None if certificate is None else certificate.file, seats=seats,
        made=tuple(file for file in new if file.exists()),
        connections=limits.connections if limits.connections < how.limits.connections else None,
    )  # fmt: skip
    with listening:
        made = Server(house, lambda: told(served), None if certificate is None else certificate.file)
        began(made)
        made.run(sockets=[listening])
    if leave:
        _leave()


def _leave() -> None:
    """Exit the process if a database still blocks one of the server's threads, for which Python would wait."""
    until = monotonic() + LEFT
    for thread in threading.enumerate():
        if thread.name.startswith("AnyIO") and threading.current_thread() is threading.main_thread():
            thread.join(max(0.0, until - monotonic()))
            if thread.is_alive():
                sys.stdout.flush()
                sys.stderr.flush()
                os._exit(0)


def _no_links(how: Serving, error: NotKeptError) -> AskedError:
    sentence = _("{file}: the links of the table cannot be kept there: {reason}; --db PLACE names another store")
    if how.links is not None and how.links.parent == how.certificates:
        sentence = _(
            "{file}: the links of the table cannot be kept there: {reason}; {variable} in the environment names another"
            " folder"
        )
    return AskedError(sentence.format(file=how.links, reason=reason_of(error), variable=HOME))


def _is_anywhere(host: str) -> bool:
    with suppress(ValueError):
        return ip_address(host).is_unspecified
    return host == ""


def configured(house: House, certificate: Path | None = None, crowd: Crowd | None = None) -> uvicorn.Config:
    """Return uvicorn's settings for a house; connections are encrypted if there is a `certificate`, with its key."""
    return uvicorn.Config(
        application(house),
        loop="asyncio",
        http=connections(house.limits, crowd),
        log_level="error",
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        h11_max_incomplete_event_size=HEAD,
        timeout_graceful_shutdown=GRACE + 1,
        ssl_certfile=certificate,
    )
