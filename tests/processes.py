"""Processes for commands and programs under test, at a tenth of the cost of a new interpreter.

`Popen` and `run` are those of `subprocess`: real processes with real pipes, signals and exit codes. If the command is
this Python with `-m`, `-c` or a file, the process is a fork of a server process that has imported daynight; the server
starts at the first request, and the fork becomes a child of the caller. Any other command, and any command on a system
other than Linux, starts a new interpreter through `subprocess`. Use `subprocess` itself in tests about startup,
imports, and settings that only a new interpreter reads.
"""

from __future__ import annotations

import atexit
import ctypes
import gc
import json
import os
import runpy
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from importlib import import_module
from io import BufferedReader, BufferedWriter, FileIO, TextIOWrapper
from pathlib import Path
from types import ModuleType
from typing import Any

from tests.house.reading import modules

__all__ = ["Popen", "run"]

ROOT = Path(__file__).resolve().parents[1]
LONGEST = 2**17
"""The longest request in bytes; a longer one starts a new interpreter."""

ADOPTING = 36
"""PR_SET_CHILD_SUBREAPER of Linux's `prctl`: while set, this process becomes the parent of orphaned descendants."""

ASKING = threading.Lock()
"""Held during a request, so that answers do not go to another thread."""


class Popen(subprocess.Popen[Any]):
    """`subprocess.Popen`, whose process is a fork of the server process where possible."""

    # subprocess calls this one private method to start a process; without it every process is a new interpreter.
    def _execute_child(
        self, args: Any, executable: Any, preexec_fn: Any, close_fds: bool, pass_fds: Sequence[int], *rest: Any
    ) -> None:
        cwd, env, _info, _flags, shell, *pipes = rest[:11]
        plain = list(map(str, args)) if isinstance(args, list | tuple) else []
        asked = json.dumps([plain[1:], os.fspath(cwd or Path.cwd()), dict(env or os.environ)]).encode()
        ours = plain[:1] == [sys.executable] and (plain[1] in ("-m", "-c") or plain[1].endswith(".py"))
        if not ours or sys.platform != "linux" or executable or preexec_fn or pass_fds or shell or len(asked) > LONGEST:
            super()._execute_child(args, executable, preexec_fn, close_fds, pass_fds, *rest)  # type: ignore[misc]
            return
        read, _, _, written, _, complained = pipes
        sys.stdout.flush()
        streams = [theirs if theirs >= 0 else own for own, theirs in enumerate((read, written, complained))]
        self.pid = _forked(asked, streams)
        self._child_created = True
        self._close_pipe_fds(*pipes)  # type: ignore[attr-defined]


def run(
    command: Sequence[str], *, input: Any = None, timeout: float | None = None, **options: Any
) -> subprocess.CompletedProcess[Any]:
    """Run a command as `subprocess.run` does, by this module's `Popen`."""
    if options.pop("capture_output", False):
        options |= {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    if input is not None:
        options["stdin"] = subprocess.PIPE
    check = options.pop("check", False)
    with Popen(command, **options) as process:
        try:
            out, err = process.communicate(input, timeout)
        except BaseException:
            process.kill()
            raise
    done = subprocess.CompletedProcess(command, process.returncode, out, err)
    if check:
        done.check_returncode()
    return done


@cache
def _forker() -> socket.socket:
    """Start the server process at the first call; return the socket to it. The server ends with this process."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    environment = os.environ | {"PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"}
    command = [sys.executable, "-m", __name__, str(theirs.fileno())]
    process = subprocess.Popen(command, cwd=ROOT, env=environment, pass_fds=[theirs.fileno()])
    theirs.close()

    def end() -> None:
        ours.close()
        process.wait()

    atexit.register(end)
    return ours


def _forked(asked: bytes, streams: list[int]) -> int:
    """Send a request with three file descriptors; return the process id of the fork, a child of this process."""
    adopt = ctypes.CDLL(None).prctl
    with ASKING:
        forker = _forker()
        adopt(ADOPTING, 1)
        try:
            socket.send_fds(forker, [asked], streams)
            return int(forker.recv(32))
        finally:
            adopt(ADOPTING, 0)


def _serve(asking: socket.socket) -> list[str] | None:
    """Fork for each request that the socket `asking` receives.

    Return the arguments after the interpreter in each fork; return None in the server when the caller has closed it.
    """
    while True:
        asked, given, _, _ = socket.recv_fds(asking, LONGEST, 3)
        if not asked:
            return None
        reading, writing = os.pipe()
        between = os.fork()
        if between:
            os.close(writing)
            os.waitpid(between, 0)
            # The caller has become the parent of the fork by now.
            asking.send(os.read(reading, 32))
            for each in (reading, *given):
                os.close(each)
            continue
        child = os.fork()
        if child:
            os.write(writing, b"%d" % child)
            os._exit(0)
        asking.close()
        command, folder, environment = json.loads(asked)
        for number, each in enumerate(given):
            os.dup2(each, number)
        for each in (reading, writing, *given):
            os.close(each)
        os.environ.clear()
        os.environ.update(environment)
        os.chdir(folder)
        _open_streams()
        answer: list[str] = command
        return answer


def _open_streams() -> None:
    """Set `sys.stdin`, `stdout` and `stderr` to new streams over file descriptors 0 to 2, as a new interpreter does."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        raw = FileIO(number, "w" if number else "r", closefd=False)
        stream = TextIOWrapper(
            BufferedWriter(raw) if number else BufferedReader(raw),
            encoding="utf-8",
            errors="backslashreplace" if number == 2 else "surrogateescape",
            line_buffering=number == 2 or os.isatty(number),
        )
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)


def _warm() -> None:
    """Import all modules of daynight, so that forks have them."""
    for module in modules():
        if not module.name.endswith("__main__"):
            import_module(module.name)
    gc.collect()
    gc.freeze()


def main() -> None:
    """Serve requests until the caller closes the socket; each fork runs its program and exits with its code."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _warm()
    with socket.socket(fileno=int(sys.argv[1])) as asking:
        command = _serve(asking)
    if command is None:
        return
    signal.signal(signal.SIGINT, signal.default_int_handler)
    code: object = None
    try:
        _become(*command)
    except SystemExit as end:
        code = end.code
    if threading.active_count() == 1 and (code is None or isinstance(code, int)):
        atexit._run_exitfuncs()
        with suppress(OSError):
            sys.stdout.flush()
            sys.stderr.flush()
            # Exit without Python's cleanup of all imported modules, which takes longer than most commands.
            os._exit((code or 0) & 255)
    sys.exit(code)  # type: ignore[arg-type]


def _become(how: str, *arguments: str) -> None:
    """Run the module (`how` is "-m") or program text ("-c") in `arguments[0]`, or else the file with the path `how`."""
    sys.argv = [how, *arguments]
    if how == "-m":
        sys.argv = sys.argv[1:]
        runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
    elif how == "-c":
        del sys.argv[1]
        sys.modules["__main__"] = program = ModuleType("__main__")
        exec(compile(arguments[0], "<string>", "exec"), vars(program))
    else:
        sys.path[0] = str(Path(how).parent)
        runpy.run_path(how, run_name="__main__")


if __name__ == "__main__":
    main()
