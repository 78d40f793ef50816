"""Servers over a network: certificates, a port that decrypts TLS before the server, and a server with its own TLS."""

import os
import select
import shutil
import socket
import ssl
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import Self

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

__all__ = ["Line", "certified", "installed"]

_ASKS_TLS = bytes.fromhex("0000000804d2162f")
_PATIENCE = 30


def certified(folder: Path, name: str, host: str = "localhost") -> tuple[Path, Path]:
    """Make a self-signed certificate for `host`, `name`.pem, and its private key, `name`.key; return both paths."""
    private = Ed25519PrivateKey.generate()
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.now().astimezone()
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(private.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(host)]), critical=False)
        .sign(private, None)
    )
    shown, key = folder / f"{name}.pem", folder / f"{name}.key"
    shown.write_bytes(certificate.public_bytes(Encoding.PEM))
    key.write_bytes(private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    key.chmod(0o600)
    return shown, key


class Line:
    """Forwards a local port to a server's Unix socket; if it has a certificate, clients may use TLS, which it decrypts.

    `encrypted` has a bool for each connection that sent the server data: whether it used TLS.
    """

    def __init__(self, socket_file: Path, certificate: tuple[Path, Path] | None) -> None:
        self._target = str(socket_file)
        self._context = None
        if certificate is not None:
            self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self._context.load_cert_chain(*certificate)
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        self.encrypted: list[bool] = []
        self._threads = [threading.Thread(target=self._accept)]
        self._threads[0].start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self._listening.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join()
        self._listening.close()

    def _accept(self) -> None:
        while True:
            try:
                client, _address = self._listening.accept()
            except OSError:
                return
            thread = threading.Thread(target=self._serve, args=(client,))
            self._threads.append(thread)
            thread.start()

    def _serve(self, client: socket.socket) -> None:
        # A client that rejects the certificate may hang up at any moment.
        with suppress(OSError), closing(client), socket.socket(socket.AF_UNIX) as server:
            server.connect(self._target)
            first = client.recv(8, socket.MSG_WAITALL)
            if self._context is not None and first == _ASKS_TLS:
                client.sendall(b"S")
                with self._context.wrap_socket(client, server_side=True) as inside:
                    self._relay(inside, server, inside.recv(8))
            else:
                self._relay(client, server, first)

    def _relay(self, client: socket.socket, server: socket.socket, data: bytes) -> None:
        one, other = client, server
        told = False
        while data:
            if one is client and not told and data != _ASKS_TLS:
                # If the server itself is asked for TLS and has none, the client may continue or not.
                told = True
                self.encrypted.append(isinstance(client, ssl.SSLSocket))
            other.sendall(data)
            pending = isinstance(client, ssl.SSLSocket) and client.pending()
            one = client if pending else select.select([client, server], [], [])[0][0]
            other = server if one is client else client
            data = one.recv(2**16)


@contextmanager
def installed(certificate: tuple[Path, Path]) -> Iterator[int]:
    """Start an installed PostgreSQL server with this certificate and give its port; stop the server after the block.

    Raises:
        OSError: if no server is installed, or it has no TLS.
    """
    programs = {name: shutil.which(name) for name in ("initdb", "postgres")}
    if not all(programs.values()) or os.name != "posix":
        raise FileNotFoundError("no PostgreSQL is installed here")
    user = "nobody" if os.geteuid() == 0 else None
    folder = Path(tempfile.mkdtemp(prefix="daynight-"))
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    try:
        for each in certificate:
            shutil.copy(each, folder)
        if user is not None:
            for each in (folder, *folder.iterdir()):
                shutil.chown(each, user)
        _run(user, programs["initdb"], "-D", f"{folder}/data", "-A", "trust", "-U", "postgres", "-E", "UTF8",
             "--locale=C", "--no-sync").wait()  # fmt: skip
        shown, key = (folder / each.name for each in certificate)
        server = _run(user, programs["postgres"], "-D", f"{folder}/data", "-h", "127.0.0.1", "-p", str(port), "-k", "",
                      "-c", "ssl=on", "-c", f"ssl_cert_file={shown}", "-c", f"ssl_key_file={key}")  # fmt: skip
        try:
            _wait(server, port)
            yield port
        finally:
            server.terminate()
            server.wait()
    finally:
        shutil.rmtree(folder)


def _run(user: str | None, *command: str | None) -> subprocess.Popen[bytes]:
    quiet = subprocess.DEVNULL
    return subprocess.Popen([str(one) for one in command], user=user, cwd="/", stdin=quiet, stdout=quiet, stderr=quiet)


def _wait(server: subprocess.Popen[bytes], port: int) -> None:
    """Wait until the server accepts a connection over TLS; raise OSError if it ends, or takes too long."""
    import psycopg

    reason = ""
    until = time.monotonic() + _PATIENCE
    while server.poll() is None and time.monotonic() < until:
        try:
            where = {"host": "127.0.0.1", "port": port, "user": "postgres", "dbname": "postgres"}
            psycopg.connect(**where, sslmode="require").close()  # type: ignore[arg-type]
        except psycopg.OperationalError as error:
            reason = str(error)
            time.sleep(0.05)
        else:
            return
    raise OSError(f"the PostgreSQL that is installed here does not start with TLS: {reason}")
