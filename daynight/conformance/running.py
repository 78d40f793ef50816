"""Runs an engine: one case per line on its standard input, one answer per line back."""

from __future__ import annotations

import json
import os
import queue
import shutil
import signal
import subprocess
import threading
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO

from daynight.conformance.cases import Case, Form
from daynight.conformance.judging import LONGEST, Verdict, failed, judged_line
from daynight.framework.language.errors import AskedError, NotFoundError, tame
from daynight.framework.language.wording import _, counted
from daynight.machine.shells import split

PATIENCE = 30.0
"""How many seconds an engine has for a case."""

SILENT = 3
"""After this many cases in a row without an answer in time, no more cases are sent."""

FAREWELL = 5.0
"""How many seconds an engine has to end when there are no more cases."""

UNASKED = 64
"""The most unrequested lines that an engine may write before it is stopped."""


def words_of(command: str) -> list[str]:
    """Return the words of a command, split as a shell splits them. No shell runs it.

    Raises:
        AskedError: where the command has no words, or a quote is not closed.
    """
    try:
        words = split(command, posix=os.name != "nt")
    except ValueError as error:
        raise AskedError(_("--engine: {reason}").format(reason=error)) from None
    if not words:
        raise AskedError(_("--engine: a command, such as 'python3 my_engine.py'"))
    return words


def run(words: Sequence[str], cases: Sequence[Case], form: Form, patience: float = PATIENCE) -> Iterator[Verdict]:
    """Ask an engine for each case; yield the verdicts. An engine that ends, or is too slow, is started again.

    After `SILENT` cases in a row without an answer in time the remaining cases are not sent; their status is `not run`.

    Raises:
        NotFoundError: where there is no such program.
        OSError: where the program can't be started.
    """
    engine: _Engine | None = None
    silent = 0
    try:
        for case in cases:
            if silent == SILENT:
                yield Verdict(case, "not run", _("not asked: the cases before had no answer in time"))
                continue
            engine = engine or _Engine(words)
            answer = engine.ask(json.dumps(case.sent(form)), patience)
            silent = silent + 1 if answer is None else 0
            if isinstance(answer, str):
                yield judged_line(case, answer, form)
                continue
            flooded = engine.flooded
            code = engine.stop(0)
            if flooded:
                sentence = _("it writes lines without an end, whatever it is asked")
            elif answer is None:
                sentence = counted("no answer in {n} second", "no answer in {n} seconds", round(patience))
            elif code is None:
                sentence = _("it closed its output")
            else:
                sentence = _("it ended, with exit code {code}").format(code=code)
            engine = None
            yield failed(case, sentence)
    finally:
        if engine is not None:
            engine.stop(FAREWELL)


class _Engine:
    """A running engine.

    A thread reads its output, and another one writes to its input: an engine that does not read, or writes endlessly,
    blocks nothing. `flooded`: it wrote more than `UNASKED` unrequested lines.
    """

    def __init__(self, words: Sequence[str]) -> None:
        try:
            # In its own process group, so that its child processes end with it.
            self._process = subprocess.Popen(  # noqa: S603
                words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=os.name != "nt"
            )
        except (FileNotFoundError, PermissionError):
            # A folder of PATH without permission raises the same error, so the program is searched again.
            here = Path(words[0])
            if shutil.which(words[0]) is not None or (here.exists() and len(here.parts) > 1):
                raise
            sentence = (
                _("no program {name}; a file of this folder is ./{file}") if here.exists() else _("no program {name}")
            )
            raise NotFoundError(sentence.format(name=repr(words[0]), file=tame(words[0]))) from None
        self.flooded = False
        self._lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._questions: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._reader = threading.Thread(target=self._read, args=(self._process.stdout,), daemon=True)
        self._writer = threading.Thread(target=self._write, args=(self._process.stdin,), daemon=True)
        self._reader.start()
        self._writer.start()

    def _read(self, output: IO[bytes]) -> None:
        with suppress(ValueError, OSError):
            while line := output.readline(LONGEST + 2):
                self._lines.put(line)
                if self._lines.qsize() > UNASKED:
                    self.flooded = True
                    break
        self._lines.put(b"")

    def _write(self, questions: IO[bytes]) -> None:
        """Write each queued question to the engine's input, `questions`, up to the None that ends the queue.

        If the engine has ended, nothing is raised here: `ask` finds its output closed.
        """
        with suppress(ValueError, OSError):
            while (line := self._questions.get()) is not None:
                questions.write(line)
                questions.flush()
        with suppress(ValueError, OSError):
            questions.close()

    def ask(self, line: str, patience: float) -> str | bool | None:
        """Send `line`; return the answer, None if none came in `patience` seconds, False if it ended or floods."""
        while not self._lines.empty():
            # Output before the question is not an answer to this case.
            if self._lines.get_nowait() == b"":
                return False
        self._questions.put(line.encode() + b"\n")
        try:
            answer = self._lines.get(timeout=patience)
        except queue.Empty:
            return None
        return answer.decode("utf-8", "replace") if answer else False

    def stop(self, patience: float) -> int | None:
        """Wait `patience` seconds (0: half a second) for the engine to end, then kill it and its child processes.

        Return its exit code if it ended by itself, else None. A `flooded` engine is killed almost at once.
        """
        self._questions.put(None)
        try:
            code = self._process.wait(0.01 if self.flooded else patience or 0.5)
        except subprocess.TimeoutExpired:
            code = None
        with suppress(OSError):
            if os.name != "nt":
                os.killpg(self._process.pid, signal.SIGKILL)
            elif code is None:
                self._process.kill()
        self._process.wait()
        self._writer.join(FAREWELL)
        self._reader.join(FAREWELL)
        if self._process.stdout is not None and not self._reader.is_alive():
            self._process.stdout.close()
        return code
