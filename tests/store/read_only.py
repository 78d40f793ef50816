"""Places that cannot be written to: by a user without permission, and on a read-only medium."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

__all__ = [
    "CLOSINGS", "NOBODY", "NO_MOUNT", "Closing", "given_to_nobody", "nobody", "on_a_medium", "open_folder", "ourselves",
    "to_a_user",
]  # fmt: skip

Closing = Callable[[Path], AbstractContextManager[Path]]
"""Takes a folder; returns a context manager that makes it read-only in its block, and gives the path to use."""

NOBODY = 65534
"""The id of the unprivileged user that root becomes."""

NO_MOUNT = "no disk can be mounted here: that takes root, and a system that lets root do it"
"""Why tests that mount a disk are skipped."""


@contextmanager
def open_folder() -> Iterator[Path]:
    """Give a temporary folder that every user may enter, unlike pytest's; it is removed even with read-only content."""
    folder = Path(tempfile.mkdtemp(prefix="daynight-"))
    folder.chmod(0o755)
    try:
        yield folder
    finally:
        for each, _folders, _files in os.walk(folder):
            for inner in (Path(each), *Path(each).iterdir()):
                if inner.is_dir() and not inner.is_symlink():
                    inner.chmod(0o755)
        shutil.rmtree(folder)


@contextmanager
def _as_user(number: int) -> Iterator[None]:
    before = os.geteuid()
    if os.getuid() == 0:
        os.seteuid(number)
    try:
        yield
    finally:
        os.seteuid(before)


def nobody() -> AbstractContextManager[None]:
    """If root runs the tests, run a block as the unprivileged user NOBODY; import before it what the block needs.

    If another user runs the tests, the user stays the same: files without write permission are enough.
    """
    return _as_user(NOBODY)


def given_to_nobody(*paths: Path) -> None:
    """If root runs the tests, make NOBODY the owner of these files; otherwise do nothing."""
    for path in paths if os.getuid() == 0 else ():
        os.chown(path, NOBODY, -1)


def ourselves() -> AbstractContextManager[None]:
    """Inside `nobody`, run a block as the user who runs the tests."""
    return _as_user(0)


@contextmanager
def to_a_user(folder: Path) -> Iterator[Path]:
    """Remove the write permissions of a folder and its files, and run the block inside `nobody`."""
    for each in (folder, *folder.iterdir()):
        each.chmod(0o555 if each.is_dir() else 0o444)
    try:
        with nobody():
            yield folder
    finally:
        for each in (folder, *folder.iterdir()):
            each.chmod(0o755 if each.is_dir() else 0o644)


@contextmanager
def on_a_medium(folder: Path) -> Iterator[Path]:
    """Mount the folder read-only at another path, where even root cannot write; skip the test if that fails."""
    place = folder.parent / f"{folder.name}-medium"
    place.mkdir()
    try:
        _mount("--bind", str(folder), str(place))
    except (OSError, subprocess.CalledProcessError):
        place.rmdir()
        pytest.skip(NO_MOUNT)
    try:
        _mount("-o", "remount,ro,bind", str(place))
        yield place
    finally:
        subprocess.run(["umount", str(place)], check=True)
        place.rmdir()


def _mount(*arguments: str) -> None:
    subprocess.run(["mount", *arguments], check=True, capture_output=True)


_WAYS: dict[str, Closing] = {"to a user": to_a_user, "on a medium": on_a_medium}

CLOSINGS = _WAYS if hasattr(os, "geteuid") and os.geteuid() == 0 else dict(reversed(_WAYS.items()))
"""The ways to make a folder read-only. Fast tests use the last: a medium if root runs them, otherwise permissions."""
