"""The command line: every command calls the Python API, and none contains rules of its own."""

from __future__ import annotations

import sys

from daynight import __version__

__all__ = ["main"]


def main() -> None:
    """Run the command line; the process ends with one of the documented exit codes."""
    if sys.argv[1:] in (["--version"], ["-V"], ["version"]):
        # Answer before anything is loaded, to be fast.
        print(f"daynight {__version__}")
        return
    from daynight.cli.commands import run

    sys.exit(run())
