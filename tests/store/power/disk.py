"""What a disk may hold after a power loss.

Synced data are there. Each write to a file since its last sync is there whole, missing, or torn: some of its sectors
are there. A file may have its new size without the content; it then holds zeros or old data. A file name that was made,
removed or changed since the folder's last sync is in the old or the new state, independently of the others. Writes may
reach the disk in any order: drives and file systems may reorder them.
"""

from collections.abc import Iterator, Mapping
from random import Random

SECTOR = 512
"""The unit that a drive writes whole or not at all."""


class UnknownFileError(Exception):
    """The log has an entry for a file that is not in the folder: it was never created, or has been removed."""


class File:
    """A file without its name: the synced content, and the changes since the last sync."""

    def __init__(self, synced: bytes = b"") -> None:
        self.synced = bytearray(synced)
        self.since: list[tuple[int, bytes | None]] = []
        """The changes since the last sync: each an offset and bytes, or a new size and None."""

    def sync(self) -> None:
        """Make the present content the synced one."""
        self.synced = self.now()
        self.since = []

    def now(self) -> bytearray:
        """Return the content that the running system reads."""
        content = bytearray(self.synced)
        for place, data in self.since:
            _do(content, place, data)
        return content

    def after(self, random: Random) -> bytes:
        """Return a content that may be read after a power loss: `random` keeps, loses or tears each change."""
        content = bytearray(self.synced)
        # Some losses lose everything, nothing, or all after some point; pure chance would nearly never produce these.
        manner = random.choice(("nothing", "everything", "in order", "anything", "anything"))
        last = random.randrange(len(self.since) + 1)
        likely = random.random()
        for number, (place, data) in enumerate(self.since):
            if manner == "anything":
                fate = "whole" if random.random() < likely else random.choice(("torn", "lost"))
            elif manner == "in order":
                fate = "whole" if number < last else "torn" if number == last else "lost"
            else:
                fate = "whole" if manner == "everything" else "lost"
            if fate == "whole" or (fate == "torn" and data is None and random.random() < 0.5):
                _do(content, place, data)
            elif fate == "torn" and data is not None:
                _tear(content, place, data, random)
        return bytes(content)


class Disk:
    """A folder on a disk: the files by their present names, and by the names of the folder's last sync."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self.names = {name: File(content) for name, content in files.items()}
        self.synced_names = dict(self.names)
        self.changes: list[dict[str, File | None]] = []
        """Changes of names since the folder was synced; a renaming is one step with two names. None: no such file."""

    def do(self, kind: str, name: str, offset: int, data: bytes) -> None:
        """Apply an entry of the log (shim.c explains the letters); raise UnknownFileError if the file is not there."""
        if kind == "D":
            self.synced_names = dict(self.names)
            self.changes = []
        elif kind == "C":
            self._change({name: File()})
        elif name not in self.names:
            raise UnknownFileError(f"{kind} of {name!r}")
        elif kind == "W":
            self.names[name].since.append((offset, data))
        elif kind == "T":
            self.names[name].since.append((offset, None))
        elif kind == "S":
            self.names[name].sync()
        elif kind == "U":
            self._change({name: None})
        elif kind == "R":
            self._change({name: None, data.decode(errors="surrogateescape"): self.names[name]})
        else:
            raise ValueError(kind)

    def _change(self, step: dict[str, File | None]) -> None:
        self.changes.append(step)
        _name(self.names, step)

    @property
    def unsynced(self) -> bool:
        """Return whether anything is unsynced; if so, a loss has several possible results."""
        return bool(self.changes) or any(file.since for file in self.names.values())

    def now(self) -> dict[str, bytes]:
        """Return the contents of the files that the running system sees, by name."""
        return {name: bytes(file.now()) for name, file in self.names.items()}

    def after(self, random: Random) -> dict[str, bytes]:
        """Return the contents of files that may be there after a power loss, by name."""
        names = dict(self.synced_names)
        likely = random.choice((0.0, 0.5, 1.0))
        for step in self.changes:
            if random.random() < likely:
                _name(names, step)
        return {name: file.after(random) for name, file in names.items()}


def _name(names: dict[str, File], step: Mapping[str, File | None]) -> None:
    for name, file in step.items():
        if file is None:
            names.pop(name, None)
        else:
            names[name] = file


def _grow(content: bytearray, size: int, random: Random | None = None) -> None:
    """Make a content at least `size` bytes long: fill it with zeros, or sometimes with random bytes, as old data."""
    if (missing := size - len(content)) > 0:
        content += random.randbytes(missing) if random is not None and random.random() < 0.3 else bytes(missing)


def _do(content: bytearray, place: int, data: bytes | None) -> None:
    _grow(content, place)
    if data is None:
        del content[place:]
    else:
        content[place : place + len(data)] = data


def _sectors(place: int, length: int) -> Iterator[tuple[int, int]]:
    """Yield start and end of each part of a write in the file; the parts are divided where sectors begin."""
    at = place
    while at < place + length:
        end = min(at - at % SECTOR + SECTOR, place + length)
        yield at, end
        at = end


def _tear(content: bytearray, place: int, data: bytes, random: Random) -> None:
    for start, end in _sectors(place, len(data)):
        if random.random() < 0.5:
            _grow(content, start, random)
            content[start:end] = data[start - place : end - place]
        elif random.random() < 0.3:  # the size is there, the content is not
            _grow(content, end, random)
