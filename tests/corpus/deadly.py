"""Work for the engines: some of it ends its worker."""

import os
import signal
from pathlib import Path


def double(number: int) -> int:
    """Twice as much."""
    return 2 * number


def once(place: str) -> str:
    """Ends its worker the first time."""
    path = Path(place)
    if not path.exists():
        path.write_text("", "utf-8")
        os.kill(os.getpid(), signal.SIGKILL)
    return path.name


def always(number: int) -> int:
    """Ends its worker where the number is 3."""
    if number == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def wrong(number: int) -> int:
    """Raises."""
    raise OSError(28, "No space left on device", f"file {number}")
