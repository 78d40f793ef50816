"""Opens a file that has no name until it is complete: if the process is killed, nothing is left behind.

Only Linux has such files, and not on every file system.
"""

from __future__ import annotations

import os
from pathlib import Path

_FLAG: int = getattr(os, "O_TMPFILE", 0)
_OPEN = "/proc/self/fd"


def unnamed(folder: Path, mode: int = 0o666) -> int | None:
    """Open a file without a name, for writing and reading, and return its descriptor; None if that is impossible."""
    if not _FLAG or not Path(_OPEN).is_dir():
        return None
    try:
        return os.open(folder, _FLAG | os.O_RDWR, mode)
    except OSError:
        # Whatever it is: a file with a name works, or says why.
        return None


def give_name(file: int, path: Path) -> None:
    """Give the open file with descriptor `file`, which has no name, the name `path`.

    Raises:
        FileExistsError: where there is a file of that name.
        OSError: where the system refuses.
    """
    # With a folder to begin at, Python follows the link to the file; without one it would link the link.
    folder = os.open(_OPEN, os.O_RDONLY)
    try:
        os.link(str(file), path, src_dir_fd=folder, follow_symlinks=True)
    finally:
        os.close(folder)
