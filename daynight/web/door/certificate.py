"""The self-signed TLS certificate of a server for a table of players, who compare its fingerprint with the printed one.

It is made for the server's address and host names, and stored for the next start.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from daynight.framework.language.errors import AskedError
from daynight.framework.language.wording import _
from daynight.machine.reasons import reason_of
from daynight.store.proving.keys import HOME

DAYS = 180
"""The validity of a certificate, in days."""

SPARE = 14
"""The days before its end at which a certificate is replaced, so that it does not end during a game."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """A stored certificate: `file` contains it and its private key; people compare its `fingerprint`.

    `is_new` is True if the file was written just now.
    """

    file: Path
    fingerprint: str
    is_new: bool = False


def certificate_of(folder: Path, hosts: Sequence[str]) -> Certificate:
    """Return the certificate of these hosts, which is stored in `folder`, so that phones recognise it the next time.

    A new one is made if there is none, if it cannot be parsed, or if it ends in less than `SPARE` days.

    Raises:
        AskedError: where the file cannot be read or written.
    """
    names = sorted(set(hosts))
    file = folder / f"table-{sha256(chr(0).join(names).encode()).hexdigest()[:16]}.pem"
    try:
        with suppress(FileNotFoundError, ValueError):
            found = x509.load_pem_x509_certificate(file.read_bytes())
            if found.not_valid_after_utc > datetime.now(UTC) + timedelta(days=SPARE):
                return Certificate(file, fingerprint_of(found))
        made, key = _made(names)
        _keep(file, made, key)
    except OSError as error:
        sentence = _(
            "{file}: the certificate of the table cannot be kept there: {reason}; {variable} in the environment names"
            " another folder, and --plain needs none"
        )
        raise AskedError(sentence.format(file=file, reason=reason_of(error), variable=HOME)) from None
    return Certificate(file, fingerprint_of(made), is_new=True)


def _keep(file: Path, certificate: x509.Certificate, key: ec.EllipticCurvePrivateKey) -> None:
    """Write the certificate and its private key into `file`, which replaces an older one."""
    file.parent.mkdir(parents=True, exist_ok=True)
    beside = file.with_name(f"{file.name}.{os.getpid()}")
    # No other user may read the key, not even while it is written.
    with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as stream:
        stream.write(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
        stream.write(certificate.public_bytes(Encoding.PEM))
    beside.replace(file)


def fingerprint_of(certificate: x509.Certificate) -> str:
    """Return the SHA-256 of a certificate as browsers show it: `AB:CD:...`, pairs of hexadecimal digits."""
    return certificate.fingerprint(SHA256()).hex(":").upper()


def _made(names: Sequence[str]) -> tuple[x509.Certificate, ec.EllipticCurvePrivateKey]:
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "daynight table")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(days=DAYS))
        .add_extension(x509.SubjectAlternativeName([_called(name) for name in names]), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(key, SHA256())
    )
    return made, key


def _called(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ip_address(name))
    except ValueError:
        return x509.DNSName(name)
