"""The examples in the help of every command are executed.

| promise | test |
| --- | --- |
| each example of each command works, with the files and games that it names | test_example |
| the completion script works, and `follow`, which waits for events | test_completion, test_follow |
"""

import json
import os
import shlex
import shutil
import subprocess
import sys

import pytest

from daynight.cli.commands import run
from daynight.cli.terminal.interpreter import AS_WRITTEN
from tests.commands.conftest import ROOT, at_home, complaints, environ
from tests.commands.test_help import VERBS, verb

ELSEWHERE = {
    "completion": "test_completion", "follow": "test_follow", "migrate": "test_servers.test_migrate",
    "serve": "tests.web.test_serve", "live": "tests.web.test_live_log", "table": "tests.web.test_table",
    "adopt": "tests.adapters.test_commands",
}  # fmt: skip
"""The commands whose examples other tests execute, with the name of the test or its module."""

FINDING = {
    "audit", "bisect", "diff", "repair", "report", "unknowns", "what-if", "corpus audit", "conformance run",
    "conformance check",
}  # fmt: skip
"""The commands whose examples exit with 1, because the games in `desk` have findings."""

BEGINNING = {"new", "record", "key", "corpus", "corpus build"}
"""The commands whose examples start without a store, key or corpus."""

LONG = {"corpus", "corpus audit", "corpus find", "corpus stats", "corpus verify", "export"}
"""The commands whose examples are slow, so the quick runs leave them out; other tests execute these commands too."""

OPENED = "dispute open db:friday --by Ana"
BEFORE = {
    "record": ["new friday Ana Bo"], "restore": ["backup copy.db"], "dispute claim": [OPENED], "dispute rule": [OPENED],
    "dispute appeal": [OPENED, "dispute rule db:friday d1 --by Jo --outcome leave"],
    "dispute close": [OPENED, "dispute rule db:friday d1 --by Jo --outcome leave"], "dispute show": [OPENED],
}  # fmt: skip
"""The command lines that run before the examples of a command."""


def examples(path):
    """Return the examples in the help of the command `path`, each a command line."""
    return verb(path).epilog.removeprefix(AS_WRITTEN).splitlines()


@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    """A folder with the files and games that the examples name."""
    folder = tmp_path_factory.mktemp("desk")
    for name, source in {
        "game.jsonl": "games/uncertain.jsonl", "mine.jsonl": "games/wagic-G2.jsonl",
        "theirs.jsonl": "games/wagic-G3.jsonl", "game.dn": "games/dispute.dn", "Player.log": "arena/Player.log",
    }.items():  # fmt: skip
        shutil.copy(ROOT / "examples" / source, folder / name)
    (folder / "games").mkdir()
    shutil.copy(ROOT / "examples/games/kitchen-table.dn", folder / "games")
    agrees = folder / "engine-agrees"
    agrees.write_text('#!/bin/sh\n! grep -q spells-uncertain "$1"\n')
    agrees.chmod(0o755)
    blind = folder / "my_engine"
    blind.write_text('#!/usr/bin/env python3\nimport sys\nfor line in sys.stdin:\n    print("{}", flush=True)\n')
    blind.chmod(0o755)
    shutil.copy(blind, folder / "my_engine.py")
    (folder / "results.jsonl").write_text('{"id": "dn-0001", "seen": []}\n')
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.delenv("DAYNIGHT_DB", raising=False)
        at_home(patch, folder)
        for line in (
            "new friday Ana Bo",
            "record friday 'turn 1 Ana' 'Ana: Tavern Ruffian (w1) enters'",
            "export friday -o friday.jsonl",
            "new other Cy Di --db games.db",
            "corpus build games -o league",
        ):
            assert 0 == run(shlex.split(line)), line
        assert 1 == run(shlex.split("what-if demo --drop 121 --leave-out -o branch.jsonl"))
    return folder


@pytest.fixture
def there(desk, tmp_path, monkeypatch):
    """A working folder that is a copy of `desk`."""
    shutil.copytree(desk, tmp_path / "desk")
    monkeypatch.chdir(tmp_path / "desk")
    monkeypatch.delenv("DAYNIGHT_DB", raising=False)
    at_home(monkeypatch, tmp_path / "desk")
    return tmp_path / "desk"


@pytest.mark.parametrize(
    "path", [pytest.param(path, marks=[pytest.mark.wide] * (path in LONG)) for path in VERBS if path not in ELSEWHERE]
)
def test_example(daynight, there, monkeypatch, path):
    """Each example of a command, in order, exits with 0 (1 in `FINDING`), reports no error, prints something, and
    writes the file of its -o."""
    at_home(monkeypatch, there)
    if path in BEGINNING:
        shutil.rmtree(there / "home")
        shutil.rmtree(there / "league")
        (there / "daynight.db").unlink()
    for line in BEFORE.get(path, ()):
        assert 0 == daynight(*shlex.split(line)).code, line
    for example in examples(path):
        name, *arguments = shlex.split(example)
        with open(os.devnull, encoding="utf-8") as nothing:
            monkeypatch.setattr(sys, "stdin", nothing)
            ran = daynight(*arguments)
        assert ("daynight", int(path in FINDING)) == (name, ran.code), ran
        assert "" == complaints(ran.err) or "Player.log" in arguments, ran
        assert ran.out or path in ("fmt", "record"), example
        if "-o" in arguments:
            assert (there / arguments[arguments.index("-o") + 1]).exists()


@pytest.mark.slow
def test_completion(there):
    """After the example in bash, the shell has a completion for daynight, and nothing is on standard error."""
    if shutil.which("bash") is None:
        pytest.skip("there is no bash here")
    example, _in_powershell = examples("completion")
    script = f'daynight() {{ "$PYTHON" -m daynight "$@"; }}; {example}; complete -p daynight'
    ran = subprocess.run(
        ["bash", "-c", script], env=environ(PYTHON=sys.executable), capture_output=True, text=True, check=False
    )
    assert (0, "") == (ran.returncode, ran.stderr)
    assert ran.stdout.startswith("complete ")


@pytest.mark.slow
def test_follow(there):
    """`follow` prints the three stored events, and is still running."""
    (example,) = examples("follow")
    command = [sys.executable, "-m", "daynight", *shlex.split(example)[1:]]
    with subprocess.Popen(command, env=environ(), stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        try:
            shown = [json.loads(child.stdout.readline())["event"] for _event in range(3)]
            assert child.poll() is None
        finally:
            child.kill()
    assert [1, 2, 3] == shown


def test_every_command_has_some():
    """Every command has examples, also those that are executed elsewhere."""
    assert all(examples(path) for path in VERBS)
    assert set(VERBS) >= set(ELSEWHERE)
