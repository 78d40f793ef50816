"""Places where nothing may be written: for somebody who is not allowed to, and on a medium that is read-only."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

__all__ = ["CLOSINGS", "Closing", "nobody", "on_a_medium", "open_folder", "to_a_user"]

Closing = Callable[[Path], AbstractContextManager[Path]]
"""Closes a folder, and answers where it is then."""


@contextmanager
def open_folder() -> Iterator[Path]:
    """A folder that everybody may enter, which those of pytest are not."""
    folder = Path(tempfile.mkdtemp(prefix="daynight-"))
    folder.chmod(0o755)
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


@contextmanager
def nobody() -> Iterator[None]:
    """As a user who may nothing, where we are root; what is needed has to be imported before."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


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
        pytest.skip("no disk may be mounted here")
    try:
        _mount("-o", "remount,ro,bind", str(place))
        yield place
    finally:
        subprocess.run(["umount", str(place)], check=True)
        place.rmdir()


def _mount(*arguments: str) -> None:
    subprocess.run(["mount", *arguments], check=True, capture_output=True)


CLOSINGS: dict[str, Closing] = {"to a user": to_a_user, "on a medium": on_a_medium}
