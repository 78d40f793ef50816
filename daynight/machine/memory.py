"""Settings of memory: freed large blocks return to the system, and garbage collection skips what stays."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

__all__ = ["LARGE", "return_large_blocks", "settled"]

LARGE = 2**19
"""A block of so many bytes or more returns to the system when it is freed."""

_M_MMAP_THRESHOLD = -3
"""The number of this parameter in glibc's `malloc.h`."""


def return_large_blocks() -> None:
    """Tell glibc's `malloc` to return blocks of `LARGE` bytes or more to the system when they are freed.

    By default glibc raises its own limit to the largest block that was ever freed, up to 32 MiB. Then freed blocks stay
    in the heap of each thread, and a server that answers with megabytes grows with every answer. Another C library is
    left as it is.
    """
    if sys.platform != "linux":
        return
    # A Python may be built without ctypes; musl has no `mallopt`.
    with suppress(ImportError, AttributeError, OSError):
        import ctypes

        ctypes.CDLL(None).mallopt(_M_MMAP_THRESHOLD, LARGE)


@contextmanager
def settled() -> Iterator[None]:
    """In the block, the garbage collector skips all objects that exist already (all modules), which saves time."""
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
