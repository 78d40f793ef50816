"""Stores the games of a growing log, in its own thread."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

from daynight.framework.language.errors import DaynightError
from daynight.importers.following import follow
from daynight.importers.frame import Importer
from daynight.importers.importing import Import
from daynight.keeping.imported import ImportRun, Keeper

PATIENCE = 5.0
"""The most seconds that `end` waits for the reading thread."""


class Watching:
    """Reads a log as it grows, also if another file replaces it.

    `tell` is called with the name of the newest game whenever a new one begins; `failed` is called with the error
    that ended the reading, unless `end` was called before. Both are called in the reading thread.
    """

    def __init__(
        self,
        log: Path,
        importer: Importer,
        run: ImportRun,
        *,
        tell: Callable[[str], None],
        failed: Callable[[Exception], None],
    ) -> None:
        self._log = log
        self._running = Import(importer, run.options)
        self._keeper = Keeper(run, self._running)
        self._tell, self._failed = tell, failed
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._follow, name="daynight-log", daemon=True)
        self._last = ""

    def start(self) -> None:
        """Start the reading thread."""
        self._thread.start()

    def end(self) -> None:
        """Tell the reading thread to stop, and wait for it, at most `PATIENCE` seconds."""
        self._ended.set()
        self._thread.join(PATIENCE)

    def _follow(self) -> None:
        try:
            self._keeper.all(follow(self._log, self._is_wanted), str(self._log))
        except (DaynightError, OSError) as error:
            if not self._ended.is_set():
                self._failed(error)

    def _is_wanted(self) -> bool:
        """Store the games read so far, at the current end of the file; return False if `end` was called, else True."""
        self._keeper.idle()
        names = [str(one.found.get("stored_as", one.report.game)) for one in self._keeper.kept.values()]
        if names and names[-1] != self._last:
            self._last = names[-1]
            self._tell(self._last)
        return not self._ended.is_set()
