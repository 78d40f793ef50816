"""Places where nothing may be written: for somebody who is not allowed to, and on a medium that is read-only."""

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
"""Closes a folder, and answers where it is then."""

NOBODY = 65534
"""The number of the user that root becomes, to whom nothing belongs."""

NO_MOUNT = "no disk can be mounted here: that takes root, and a system that lets root do it"
"""Why a test that mounts a disk is skipped."""


@contextmanager
def open_folder() -> Iterator[Path]:
    """A folder that everybody may enter, which those of pytest are not. What was closed in it is removed as well."""
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
    """As a user who may do nothing, if root runs the tests; import what is needed before.

    Another user stays who they are: the permissions that they take away from their own files bind them too.
    """
    return _as_user(NOBODY)


def given_to_nobody(*paths: Path) -> None:
    """Let these belong to whom `nobody` becomes: only root can give away files, and only root becomes somebody else."""
    for path in paths if os.getuid() == 0 else ():
        os.chown(path, NOBODY, -1)


def ourselves() -> AbstractContextManager[None]:
    """As who runs the tests, inside `nobody`."""
    return _as_user(0)


@contextmanager
def to_a_user(folder: Path) -> Iterator[Path]:
    """Neither the folder nor what is in it may be written by who we are."""
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
    """The folder as a disk that nobody may write to, not even root."""
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
"""The ways to close a folder. Where the fast tests keep one, it is the last: for root the medium, which takes root."""
