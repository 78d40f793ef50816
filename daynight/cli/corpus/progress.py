"""Prints the progress of a command about many games on stderr: at once on a terminal, else every half minute."""

from __future__ import annotations

import sys
import time
from contextvars import copy_context
from threading import Event, Thread
from types import TracebackType

from daynight.framework.language.wording import _

EVERY = 30.0
"""Seconds between two lines where standard error is no terminal."""

_ON_A_TERMINAL = 1.0


class Progress:
    """A context that prints progress; a thread of its own prints it even while a long task reports nothing."""

    def __init__(self) -> None:
        self._terminal = sys.stderr.isatty()
        self._sentence = _("working")
        self._shown = 0
        self._ended = Event()
        # A new thread would speak English.
        self._thread = Thread(target=copy_context().run, args=(self._say_again,), daemon=True)

    def __enter__(self) -> Progress:
        """Start the thread that prints the progress."""
        self._began = time.monotonic()
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop the thread, and end the line on a terminal."""
        self._ended.set()
        self._thread.join()
        if self._shown:
            print(file=sys.stderr, flush=True)

    def parts(self, done: int, all: int) -> None:
        """Set the progress to: `done` of `all` parts are done."""
        self.told(_("{done} of {all} parts").format(done=done, all=all))

    def told(self, sentence: str) -> None:
        """Set the progress to `sentence`: a terminal shows it at once, anything else at the next half minute."""
        self._sentence = sentence
        if self._terminal:
            self._say()

    def _say_again(self) -> None:
        while not self._ended.wait(_ON_A_TERMINAL if self._terminal else EVERY):
            self._say()

    def _say(self) -> None:
        seconds = int(time.monotonic() - self._began)
        line = _("{progress}, {seconds} s").format(progress=self._sentence, seconds=seconds)
        if self._terminal:
            # Spaces cover what is left of a longer line.
            print(f"\r{line:{self._shown}}", end="", file=sys.stderr, flush=True)
            self._shown = max(self._shown, len(line))
        else:
            print(line, file=sys.stderr, flush=True)
