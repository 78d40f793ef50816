"""Keys, which sign the heads of games. Ed25519, from the `cryptography` library.

A signature says: the owner of this key saw this game, up to this event, with this digest. The private key is a file
that only its owner can read, and is never in the store.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from tempfile import NamedTemporaryFile

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, load_pem_private_key

from daynight.framework.language.errors import NotFoundError, tame
from daynight.framework.language.wording import _
from daynight.machine.addresses import may_hold_password
from daynight.machine.program import program
from daynight.machine.reasons import reason_of
from daynight.machine.reserved import DATABASE, HEADS, LOOKED_AT, ending_of, why_reserved
from daynight.store.database.rows import Head
from daynight.store.errors import SettingsError
from daynight.store.proving.memory import Memory
from daynight.store.proving.remembered import Place, Remembered

HOME = {"win32": "APPDATA", "darwin": "HOME"}.get(sys.platform, "XDG_CONFIG_HOME")
"""The environment variable with the folder of a user's configuration files, such as the key."""


class Key:
    """A key that signs heads; `key` is its public half, 32 bytes.

    A key in a file, `path`, remembers the last head that it has signed of each game, in a file beside it. `is_new`: the
    file was created for this object.
    """

    def __init__(self, private: Ed25519PrivateKey, path: Path | None = None) -> None:
        self._private = private
        self.key = private.public_key().public_bytes_raw()
        self.path = path
        self.is_new = False
        # The target of a link: a key is the same key under all its names.
        real = None if path is None else path.resolve()
        self._memory = None if real is None else Memory(real.with_name(f"{real.name}{HEADS}"), self.key)

    @classmethod
    def generate(cls) -> Key:
        """Return a new key that is not in a file, and remembers nothing."""
        return cls(Ed25519PrivateKey.generate())

    @classmethod
    def read(cls, path: Path) -> Key:
        """Return the key in a file; if there is none, create it, readable by its owner alone.

        Raises:
            SettingsError: where the file holds no Ed25519 key, cannot be read or created, or other users may read it.
        """
        try:
            return cls.kept(path)
        except NotFoundError:
            return cls._made(path)

    @classmethod
    def make(cls, path: Path) -> Key:
        """Create a new key in a new file, and return it.

        Raises:
            SettingsError: where a file of that name exists already (it is not changed), or none can be created.
        """
        if os.path.lexists(path):
            sentence = _("{path}: there is one already, and it stays; name another file")
            raise SettingsError(tame(sentence.format(path=path)))
        return cls._made(path)

    @classmethod
    def check_place(cls, path: Path) -> None:
        """Check that a key can be created in a new file; create nothing.

        Raises:
            SettingsError: where it cannot be created.
        """
        try:
            folder = next(each for each in path.absolute().parents if each.exists())
            NamedTemporaryFile(dir=folder, prefix=f"{path.name}.").close()
        except OSError as error:
            raise _no_key(path, error) from None

    @classmethod
    def kept(cls, path: Path) -> Key:
        """Return the key of an existing file.

        Raises:
            NotFoundError: where there is no such file; the error says how to create a key.
            SettingsError: where the file holds no Ed25519 key, or cannot be read, or other users may read it.
        """
        try:
            if path.exists() and not path.is_file():
                # A pipe would block for ever, a device never ends.
                raise ValueError(_("no file"))
            with path.open("rb") as stream:
                data = stream.read(LOOKED_AT)
            private = _read(data)
        except FileNotFoundError:
            if why := _taken(path):
                raise _no_key(path, ValueError(why)) from None
            sentence = _("{path}: no key yet; {program} key --new makes one, and so does whatever stores a game")
            raise NotFoundError(tame(sentence.format(path=path, program=program())), file=str(path)) from None
        except (OSError, ValueError) as error:
            raise _no_key(path, error) from None
        if not isinstance(private, Ed25519PrivateKey):
            raise SettingsError(_("{path}: a key, but not an Ed25519 one").format(path=path))
        if os.name == "posix" and path.stat().st_mode & 0o077:
            raise SettingsError(_("{path}: others may read this key: chmod 600 it, or make another").format(path=path))
        return cls(private, path)

    @classmethod
    def _made(cls, path: Path) -> Key:
        if why := _taken(path):
            raise _no_key(path, ValueError(why))
        made = cls.generate()
        pem = made._private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            # A name of its own, for its owner alone: several threads or processes may come here at once.
            with NamedTemporaryFile(dir=path.parent, prefix=f"{path.name}.") as stream:
                stream.write(pem)
                stream.flush()
                os.fsync(stream.fileno())
                os.link(stream.name, path)
        except FileExistsError as error:
            # Somebody else made one at the same time: there is one key, the first.
            if not path.exists():
                raise _no_key(path, error) from None
            return cls.read(path)
        except (OSError, ValueError) as error:
            raise _no_key(path, error) from None
        found = cls(made._private, path)
        found.is_new = True
        return found

    @property
    def memory(self) -> Path | None:
        """The file in which the key remembers its signed heads; None for a key without a file."""
        return None if self._memory is None else self._memory.path

    def sign(self, game: str, number: int, digest: bytes) -> bytes:
        """Return the signature of a head: 64 bytes."""
        return self._private.sign(signed(game, number, digest))

    def remembered(self, game: str, identity: bytes | None = None) -> Head | None:
        """Return the last head of a game that this key has signed; None if it remembers none.

        Without an `identity`, the digest of the first event, any game of this name counts.

        Raises:
            SettingsError: where the memory file cannot be read or written: then the key must not sign.
        """
        return None if self._memory is None else self._memory.last(game, identity)

    def recalled(self, game: str) -> Remembered:
        """Return everything that this key remembers about the games of a name.

        Raises:
            SettingsError: as `remembered`.
        """
        return Remembered() if self._memory is None else self._memory.all(game)

    def remember(self, game: str, head: Head, place: Place | None = None) -> None:
        """Remember a signed head that the store has committed; `place` names its game and its store (None: unknown)."""
        if self._memory is not None:
            self._memory.note(game, head, place)

    def trust(self, game: str, key: bytes) -> None:
        """Let the signatures of another key count like this key's own in the games of a name.

        Raises:
            SettingsError: where anybody can forge signatures by `key`, or the memory file cannot be read or written.
        """
        check_signer(key)
        if self._memory is not None:
            self._memory.trust(game, key)

    def settle(self) -> None:
        """Write to the file now; `remember` may delay its writing for a quarter of a second."""
        if self._memory is not None:
            self._memory.settle()

    def forget(self, game: str) -> Head | None:
        """Forget all games of a name, so that the key signs any head of them; return the last head or None.

        Raises:
            SettingsError: where the memory file cannot be read or written.
        """
        return None if self._memory is None else self._memory.forget(game)


def _read(data: bytes) -> object:
    """Return the private key in a file's bytes; it may be of another kind than Ed25519.

    Raises:
        ValueError: where they hold no private key in PEM that the library can read without a password.
    """
    if data.startswith(DATABASE):
        raise ValueError(_("a database; a key is a file of its own"))
    if b"-----BEGIN" not in data:
        sentence = _("expected a private key in PEM, as {program} key --new --key FILE makes it")
        raise ValueError(sentence.format(program=program()))
    try:
        return load_pem_private_key(data, password=None)
    except TypeError:
        raise ValueError(_("it is locked with a password, and daynight asks for none")) from None
    except (ValueError, UnsupportedAlgorithm):
        raise ValueError(_("a private key in PEM is damaged there, or of another kind, or missing")) from None


def _taken(path: Path) -> str:
    """Return why no key may have this path: SQLite or another key writes to it, or it is an address; "" if it may."""
    if ending := ending_of(path.name):
        return why_reserved(ending)
    if may_hold_password(str(path)):
        return _("the address of a server is no file; name another file")
    return ""


def _no_key(path: Path, error: Exception) -> SettingsError:
    if may_hold_password(str(path)):
        return SettingsError(str(error))
    if not isinstance(error, OSError):
        return SettingsError(tame(_("{path}: no key: {reason}").format(path=path, reason=error)))
    sentence = _(
        "{path}: no key can be made or read there: {reason}; it signs what is recorded: --key FILE names another one,"
        " and {variable} in the environment another folder for your own"
    )
    return SettingsError(tame(sentence.format(path=path, reason=reason_of(error), variable=HOME)))


def signed(game: str, number: int, digest: bytes) -> bytes:
    """Return the bytes that a signature covers: the head's game, event and digest."""
    return b"\n".join((b"daynight head 1", str(number).encode(), digest.hex().encode(), game.encode()))


_PRIME = 2**255 - 19
_EIGHTH = 0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD84D3D706A17C7
"""The y of a point of order 8 on the curve of Ed25519; the other one is its negative."""

_SMALL = frozenset({0, 1, _PRIME - 1, _EIGHTH, _PRIME - _EIGHTH})


def is_weak(key: bytes) -> bool:
    """Return whether a public key is a point of small order: anybody can forge its signatures for one text in eight."""
    return int.from_bytes(key, "little") % 2**255 % _PRIME in _SMALL


def check_signer(key: bytes) -> None:
    """Check that signatures by this public key prove anything.

    Raises:
        SettingsError: where anybody can forge them.
    """
    if is_weak(key):
        raise SettingsError(_("nobody has this key: anybody can forge what it signs; ask for another one"))


def attested(key: bytes, signature: bytes, game: str, number: int, digest: bytes) -> bool:
    """Return whether the owner of that public key signed this head."""
    if is_weak(key):
        return False
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, signed(game, number, digest))
    except (InvalidSignature, ValueError):
        return False
    return True
