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
"""Seconds to wait for the reading thread to end."""


class Watching:
    """Reads a log as it grows, also if another file replaces it.

    `tell` is called with the name of each new game, and at first only with the last of the games already in the log;
    `failed` is called with the error that ended the reading. Both are called in the thread.
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
        """Start reading."""
        self._thread.start()

    def end(self) -> None:
        """Stop reading."""
        self._ended.set()
        self._thread.join(PATIENCE)

    def _follow(self) -> None:
        try:
            self._keeper.all(follow(self._log, self._is_wanted), str(self._log))
        except (DaynightError, OSError) as error:
            if not self._ended.is_set():
                self._failed(error)

    def _is_wanted(self) -> bool:
        """Store the games read so far, at the current end of the file; return whether to continue."""
        self._keeper.idle()
        names = [str(one.found.get("stored_as", one.report.game)) for one in self._keeper.kept.values()]
        if names and names[-1] != self._last:
            self._last = names[-1]
            self._tell(self._last)
        return not self._ended.is_set()
