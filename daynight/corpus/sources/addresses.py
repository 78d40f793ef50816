"""Opens addresses: paths, and all other addresses that fsspec can open."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import SEEK_SET, BufferedReader, RawIOBase
from pathlib import Path
from typing import Any, BinaryIO, cast

from daynight.framework.language.errors import DaynightError, NotFoundError, UnreadableError
from daynight.framework.language.wording import _

MEMORY = "memory:"
"""The prefix of addresses that only this process can open."""

_WEB = ("http:", "https:")
_REMOTE = re.compile(r"[a-z][a-z0-9+.-]+(?:://|::)")


def is_remote(address: str) -> bool:
    """Return whether an address is not a path, so that fsspec has to open it."""
    return address.startswith(MEMORY) or _REMOTE.match(address) is not None


def is_own(address: str) -> bool:
    """Return whether only this process can open an address."""
    return address.startswith(MEMORY)


def shown(address: str) -> str:
    """Return an address as text that can be encoded; a path may hold undecodable bytes."""
    return address.encode("utf-8", "backslashreplace").decode()


@contextmanager
def opened(address: str) -> Iterator[BinaryIO]:
    """Open the bytes at an address.

    Raises:
        NotFoundError: where fsspec finds nothing at the address.
        UnreadableError: where fsspec, or the client of a cloud, fails in another way, or a path is a pipe or a device.
        OSError: where it cannot be read, or a path has no file.
    """
    if is_remote(address):
        system, path = _system(address)
        with _said(address):
            there = system.open(path, "rb")
        # The streams of fsspec do not all read lines as files do.
        with BufferedReader(_Stream(there, address)) as stream:
            yield stream
    else:
        with open(address, "rb", opener=_at_once) as stream:
            yield stream


def _at_once(path: str, flags: int) -> int:
    """Open a file as `os.open` does; return its descriptor.

    Pipes, which may never be written, and devices, which may never end, raise `UnreadableError`.
    """
    descriptor = os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
    kind = os.fstat(descriptor).st_mode
    if not stat.S_ISREG(kind) and not stat.S_ISDIR(kind):
        os.close(descriptor)
        sentence = _("a pipe or a device; only a file can be read more than once")
        raise UnreadableError(sentence, file=path)
    return descriptor


def read(address: str) -> bytes:
    """Return all bytes at an address.

    Raises:
        NotFoundError, UnreadableError, OSError: as `opened`.
    """
    with opened(address) as stream:
        return stream.read()


def joined(folder: str, name: str) -> str:
    """Return the address of a file in a folder."""
    return f"{folder.rstrip('/')}/{name}" if is_remote(folder) else os.path.join(folder, name)  # noqa: PTH118


def absolute(address: str) -> str:
    """Return an address that every process of this machine understands in the same way."""
    return address if is_remote(address) else os.path.abspath(address)  # noqa: PTH100  # a link stays one


def is_folder(address: str) -> bool:
    """Return whether there is a folder at an address.

    Raises:
        NotFoundError: where there is nothing.
    """
    if is_remote(address):
        system, path = _system(address)
        with _said(address):
            # On the web a folder is also a page, that is, a file: a slash at the end means the folder.
            if system.isdir(path) if address.endswith("/") else not system.isfile(path) and system.isdir(path):
                return True
            if not system.exists(path):
                raise NotFoundError(_("{file}: no such file or folder").format(file=address), file=address)
        return False
    if not Path(address).exists():
        raise NotFoundError(_("{file}: no such file or folder").format(file=address), file=address)
    return Path(address).is_dir()


def exists(address: str) -> bool:
    """Return whether there is a file at an address."""
    if is_remote(address):
        system, path = _system(address)
        with _said(address):
            return bool(system.isfile(path))
    return Path(address).is_file()


def size(address: str) -> int:
    """Return the size of a file in bytes; -1 if fsspec does not know it."""
    if is_remote(address):
        system, path = _system(address)
        with _said(address):
            found = system.info(path).get("size")
        return -1 if found is None else int(found)
    return Path(address).stat().st_size


def identity(folder: str) -> object:
    """Return a key that is equal for two addresses of one folder, also through links."""
    if is_remote(folder):
        system, path = _system(folder)
        folder = system._strip_protocol(path).rstrip("/")
        if "file" not in system.protocol:
            return type(system).__name__, folder
    facts = os.stat(folder)  # noqa: PTH116
    return (facts.st_dev, facts.st_ino) if facts.st_ino else os.path.realpath(folder)


def names(folder: str) -> list[str]:
    """Return the names of files and folders in a folder; none where there is no folder, or a web server lists none."""
    if is_remote(folder):
        system, path = _system(folder)
        try:
            with _said(folder):
                found = system.ls(path, detail=False)
        except NotFoundError:
            return []
        except UnreadableError:
            if folder.startswith(_WEB):
                return []
            raise
        return sorted(name.rstrip("/").rpartition("/")[2] for name in found)
    try:
        return sorted(os.listdir(folder))  # noqa: PTH208  # its names may not be text
    except (FileNotFoundError, NotADirectoryError):
        return []


def is_broken_link(address: str) -> bool:
    """Return whether a path is a symbolic link to nothing; an address of fsspec is none."""
    return not is_remote(address) and Path(address).is_symlink() and not Path(address).exists()


def below(folder: str) -> list[str]:
    """Return the names of all files below a folder, relative to it, with slashes, sorted by their bytes."""
    if is_remote(folder):
        system, path = _system(folder)
        with _said(folder):
            root = system._strip_protocol(path).rstrip("/")
            found = [system._strip_protocol(name)[len(root) :].lstrip("/") for name in system.find(path)]
    else:
        found = [
            os.path.relpath(os.path.join(where, name), folder).replace(os.sep, "/")  # noqa: PTH118
            for where, _folders, names in os.walk(folder)
            for name in names
        ]
    return sorted(found, key=os.fsencode)


class _Stream(RawIOBase):
    """A stream of fsspec, whose errors name the address."""

    def __init__(self, stream: Any, address: str) -> None:
        self._stream = stream
        self._address = address

    def readable(self) -> bool:
        """Return True: the stream can be read."""
        return True

    def seekable(self) -> bool:
        """Return whether the stream can be read from another position."""
        with _said(self._address):
            return bool(self._stream.seekable())

    def seek(self, offset: int, whence: int = SEEK_SET) -> int:
        """Go to another position; return the new position."""
        with _said(self._address):
            return int(self._stream.seek(offset, whence))

    def tell(self) -> int:
        """Return the position."""
        with _said(self._address):
            return int(self._stream.tell())

    def readinto(self, buffer: Any) -> int:
        """Read into a buffer; return the number of bytes read."""
        with _said(self._address):
            data = self._stream.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        """Close the stream."""
        if not self.closed:
            with suppress(Exception):  # it was only read
                self._stream.close()
        super().close()


def _system(address: str) -> tuple[Any, str]:
    from fsspec.core import url_to_fs

    with _said(address):
        system, path = url_to_fs(address)
    return system, cast(str, path)


@contextmanager
def _said(address: str) -> Iterator[None]:
    """Translate errors of fsspec and cloud clients to `NotFoundError`, `UnreadableError` or `OSError` with the address.

    The block must contain only calls of fsspec, so that our own bugs are not translated.
    """
    try:
        yield
    except FileNotFoundError as error:
        cause = error.__cause__
        while cause is not None and (isinstance(cause, FileNotFoundError) or not isinstance(cause, OSError)):
            cause = cause.__cause__
        if cause is not None:
            # fsspec also says so where no server answers.
            raise UnreadableError(str(cause), file=address) from None
        raise NotFoundError(_("{file}: no such file or folder").format(file=address), file=address) from None
    except DaynightError:
        raise
    except Exception as error:
        if isinstance(error, OSError) and error.errno is not None:
            error.filename = address
            raise
        sentence = " ".join(str(error).split()) or type(error).__name__
        raise UnreadableError(sentence, file=address) from None
