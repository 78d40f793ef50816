"""Finds Arena's log on this machine."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from daynight.importers.arena.database import STEAM, drives_of

LOG, BEFORE = "Player.log", "Player-prev.log"
"""The log of Arena's latest session, and that of the session before, in the same folder."""

_OURS = "Wizards Of The Coast/MTGA"
_APP = f"AppData/LocalLow/{_OURS}"
_ARENA_ON_STEAM = "2141910"
_PREFIXES = ("Games/*", ".local/share/lutris/*", ".var/app/com.usebottles.bottles/data/bottles/bottles/*",
             ".local/share/bottles/bottles/*")  # fmt: skip


class FoundLogs(NamedTuple):
    """`logs`: the logs that were found, the oldest first; `tried`: every path that was looked at for a log."""

    logs: tuple[Path, ...]
    tried: tuple[Path, ...]


def find_logs(
    *, home: Path | None = None, system: str = sys.platform, environment: Mapping[str, str] | None = None
) -> FoundLogs:
    """Find the newest log of Arena on this machine, and the log of the session before it.

    The search covers Arena's folders on Windows and macOS, and the prefixes of Steam and Wine on other systems.
    """
    environment = os.environ if environment is None else environment
    if home is None:
        try:
            home = Path.home()
        except RuntimeError:
            # A user without a home folder has no log here.
            return FoundLogs((), ())
    tried, found = [], []
    for folder in dict.fromkeys(_folders(home, system, environment)):
        log = folder / LOG
        tried.append(log)
        try:
            if log.is_file():
                found.append((log.stat().st_mtime_ns, log))
        except OSError:
            continue
    if not found:
        return FoundLogs((), tuple(tried))
    newest = max(found)[1]
    before = newest.with_name(BEFORE)
    return FoundLogs((before, newest) if before.is_file() else (newest,), tuple(tried))


def _folders(home: Path, system: str, environment: Mapping[str, str]) -> Iterator[Path]:
    if system == "win32":
        yield Path(environment.get("USERPROFILE") or home) / _APP
        return
    if system == "darwin":
        yield home / "Library/Logs" / _OURS
        return
    for steam in STEAM:
        user = home / steam / "steamapps/compatdata" / _ARENA_ON_STEAM / "pfx/drive_c/users/steamuser"
        yield user / _APP
    drives = [Path(environment["WINEPREFIX"]) / "drive_c"] if environment.get("WINEPREFIX") else []
    drives += drives_of(home / "nowhere", home)
    drives += [drive for place in _PREFIXES for drive in sorted(home.glob(f"{place}/drive_c"))]
    for drive in dict.fromkeys(drives):
        # Wine calls its user as the system does, Steam calls it steamuser.
        users = [user for user in sorted(drive.glob("users/*")) if user.name != "Public"]
        yield from (user / _APP for user in users or [drive / "users" / home.name])
