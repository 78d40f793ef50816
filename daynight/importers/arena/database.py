"""Finds Arena's own card database on this machine: at the path in its log, or in Arena's installation."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

_SAID = re.compile(
    rb"Loading SqlLocalizationManager from file: ([^\r\n\0]{1,1000}?)[/\\]Raw_ClientLocalization_\w{1,64}\.mtga"
)
_DATABASE = re.compile(r"Raw_CardDatabase_\w{1,64}\.mtga", re.ASCII)
_DRIVE = re.compile(r"[A-Za-z]:/")
_RAW = "Downloads/Raw"
_DATA = f"MTGA/MTGA_Data/{_RAW}"
_COMMON = f"steamapps/common/{_DATA}"
_WINDOWS = (f"Program Files/Wizards of the Coast/{_DATA}", f"Program Files (x86)/Steam/{_COMMON}")
STEAM = (
    ".steam/steam",
    ".local/share/Steam",
    ".var/app/com.valvesoftware.Steam/.local/share/Steam",
    "snap/steam/common/.local/share/Steam",
)
"""The folders in which Steam may be, inside a home folder."""


def find_database(head: bytes, log: Path, *, home: Path | None = None, system: str = sys.platform) -> Path | None:
    """Return the path of the newest card database in the first folder that has one; None if no folder has one.

    `head` is the beginning of the log, which names Arena's folder; `log` is the path of the log. This function does not
    check that the file is a database; `read_cards` does.
    """
    if home is None:
        try:
            home = Path.home()
        except RuntimeError:
            # A user without a home folder has installed nothing there.
            home = log.absolute().parent
    for folder in _folders(head, log.absolute(), home, system):
        try:
            found = [path for path in folder.iterdir() if _DATABASE.fullmatch(path.name) and path.is_file()]
            if found:
                return max(found, key=lambda path: (path.stat().st_mtime_ns, path.name))
        except OSError:
            continue
    return None


def _folders(head: bytes, log: Path, home: Path, system: str) -> Iterator[Path]:
    drives = [Path("C:/")] if system == "win32" else list(drives_of(log, home))
    said = _said(head)
    if said is not None and _DRIVE.match(said):
        if system == "win32":
            yield Path(said)
        elif said[0] in "cC":
            yield from (drive / said[3:] for drive in drives)
    elif said is not None and system != "win32":
        yield Path(said)
    if system == "darwin":
        support = home / "Library/Application Support"
        yield support / "com.wizards.mtga" / _RAW
        yield support / "Steam" / _COMMON
        yield Path("/Users/Shared/Epic Games/MagicTheGathering/MTGA.app/Contents/Resources/Data") / _RAW
    elif system != "win32":
        for parent in log.parents:
            if parent.name == "steamapps":
                yield parent.parent / _COMMON
        yield from (home / steam / _COMMON for steam in STEAM)
    for drive in drives:
        yield from (drive / folder for folder in _WINDOWS)


def _said(head: bytes) -> str | None:
    """Return the folder that a log names, or None. The log may be hostile: a network share or `..` gives None."""
    found = _SAID.search(head)
    if found is None:
        return None
    folder = found[1].decode("utf-8", "replace").replace("\\", "/")
    rooted = _DRIVE.match(folder) or (folder.startswith("/") and not folder.startswith("//"))
    return folder if rooted and folder.endswith(f"/{_RAW}") and ".." not in folder.split("/") else None


def drives_of(log: Path, home: Path) -> Iterator[Path]:
    """Yield the folders that may be drive C of Wine: those around the log, Wine's own, then those of Steam's games."""
    yield from (parent for parent in log.parents if parent.name == "drive_c")
    yield home / ".wine/drive_c"
    for steam in STEAM:
        yield from sorted((home / steam / "steamapps/compatdata").glob("*/pfx/drive_c"))
