"""The types that checkers infer for a mechanic, its records and its stores, without annotations.

| promise | test |
| --- | --- |
| a mechanic has the types of its state, its events and its consequences | test_inferred |
| its records and stores have these types too; a store of games loads games | test_inferred |
| `find` for an event type returns that type | test_inferred |
| in the guide's mechanic and the examples, only `Language[...]` names a type argument | test_inferred |
"""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from .test_guide import FILE, ROOT

EVENTS = "Installed | Paid | Pushed | CountClaimed | Corrected"
"""The event types of the guide as a union: with it instead of `Happening`, checkers know each event's own type."""

PROBES = {
    "TURNSTILE": "Mechanic[Turnstile, Happening, Change]",
    "Recorded(TURNSTILE)": "Recorded[Turnstile, Happening, Change]",
    "Recorded(TURNSTILE).state.passed": "tuple[int, ...]",
    "Recorded(TURNSTILE).at(1)": "Turnstile",
    "Recorded(TURNSTILE)[1]": "Moment[Happening, Change]",
    "Recorded(TURNSTILE).find(Paid)": "list[Moment[Paid, Change]]",
    "Recorded(TURNSTILE).find(Paid, where=lambda event: event.by == 'Ana')[0].event.cents": "int",
    "Recorded(TURNSTILE).find(Change, where=lambda change: change.part == 'gate')": "list[Moment[Happening, Change]]",
    "Recorded(TURNSTILE).find(Paid, Pushed)": "list[Moment[Happening, Change]]",
    "Recorded.load(TURNSTILE, 'gate.jsonl').state": "Turnstile",
    "store.Store.open('memory:', mechanic=TURNSTILE)": "Store[Turnstile, Happening, Change]",
    "store.Store.open('memory:', mechanic=TURNSTILE).load('gate')": "Recorded[Turnstile, Happening, Change]",
    "store.Store.open('memory:', mechanic=TURNSTILE).at('gate').gate": "Gate",
    "Store.open('memory:', mechanic=TURNSTILE).load('gate').state": "Turnstile",
    "Store.open('memory:').load('friday')": "Game",
    "Store.open('memory:').at('friday')": "State",
    "Mechanic(name='x', language=NAMED, start=Turnstile, step=step, says=lambda event: said(event))":
        f"Mechanic[Turnstile, {EVENTS}, Change]",
    "Recorded(monarch.MECHANIC).state": "Reign",
    "Recorded(monarch.MECHANIC).find(monarch.Made)[0].event.player": "str",
    "Recorded(approval.MECHANIC).state": "Paper",
}  # fmt: skip
"""The expressions given to the checkers, each with the type that they should reveal for it."""

MORE = f"""
from collections.abc import Iterable
from daynight import Store, store
from daynight.framework import Moment, Recorded
from examples import approval, monarch
NAMED = Language[{EVENTS}]({EVENTS})
def said(event: {EVENTS}) -> Iterable[Said]:
    return ()
"""


def mypy(file: Path) -> list[str]:
    settings = ["--config-file", str(ROOT / "pyproject.toml"), "--cache-dir", str(ROOT / ".mypy_cache")]
    return answers([sys.executable, "-m", "mypy", "--strict", *settings, str(file)], r'Revealed type is "(.*)"$')


def pyright(file: Path) -> list[str]:
    if importlib.util.find_spec("pyright") is None:
        pytest.skip("there is no pyright")
    return answers([sys.executable, "-m", "pyright", "-p", str(ROOT), str(file)], r'Type of ".*" is "(.*)"$')


def answers(command: list[str], pattern: str) -> list[str]:
    """Run a checker, and return the types that `pattern` finds in its output, without module names; an error fails the
    test."""
    environment = os.environ | {"PYRIGHT_PYTHON_IGNORE_WARNINGS": "1"}
    ran = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=False, text=True)
    assert "error:" not in ran.stdout + ran.stderr, ran.stdout + ran.stderr
    return [re.sub(r"[\w.]+\.(?=\w)", "", found) for found in re.findall(pattern, ran.stdout, re.MULTILINE)]


@pytest.mark.slow
@pytest.mark.parametrize("checker", [mypy, pyright])
def test_inferred(checker, tmp_path):
    file = tmp_path / "turnstile.py"
    file.write_text(FILE + MORE + "".join(f"reveal_type({asked})\n" for asked in PROBES), "utf-8")
    assert dict(zip(PROBES, checker(file), strict=True)) == PROBES
