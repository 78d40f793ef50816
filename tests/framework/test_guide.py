"""The tutorial of a mechanic: its blocks are one file, which runs as it says and passes the type checker.

The blocks' own outputs are checked with all guides' examples.

| promise | test |
| --- | --- |
| the blocks together are a mechanic of about a hundred lines | test_a_hundred_lines |
| its command line prints what the guide shows | test_command_line |
| the table in the reference has every field of a mechanic, and once | test_every_field |
| its sections on the command line and the store name every command | test_every_command |
| examples/turnstile.py is that file, with its imports at the top | test_example |
| the file passes mypy in its strict mode | test_types |
"""

import ast
import dataclasses
import importlib
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from daynight.cli.commands import run
from daynight.cli.mechanics import commands
from daynight.framework.language.codec import encode_lines
from daynight.framework.mechanic import Mechanic
from examples.turnstile import TURNSTILE
from tests.documents import GUIDES, ROOT

GUIDE = (GUIDES / "tutorials" / "mechanic.md").read_text("utf-8")
FIELDS = (GUIDES / "reference" / "mechanic.md").read_text("utf-8")
BLOCKS = [block for block in re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL) if not block.startswith(">>>")]
FILE = "\n".join(BLOCKS)


def test_every_command():
    text = GUIDE[GUIDE.index("## 10. ") : GUIDE.index("## 12. ")]
    there = [name for name, command in commands(TURNSTILE).commands.items() if not command.hidden]
    assert [] == [name for name in there if not re.search(rf"(?:`|turnstile.py ){name}\b", text)]


def test_a_hundred_lines():
    code = [line for line in FILE.splitlines() if line.strip() and not line.strip().startswith('"""')]
    assert 80 < len(code) <= 120


def test_command_line(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    Path("turnstile.py").write_text(FILE, "utf-8")
    there = vars(importlib.import_module("turnstile"))
    monkeypatch.delitem(sys.modules, "turnstile")
    events = (
        there["Installed"](turnstile="north gate", price=200), there["Paid"](by="Ana", cents=150),
        there["Paid"](by="Ana", cents=50), there["Pushed"](by="Ana"), there["CountClaimed"](passed=1, by="guard"),
        there["Paid"](by="Bo", cents=200), there["Pushed"](by="Bo"), there["CountClaimed"](passed=3, by="guard"),
        there["Corrected"](to=6), there["Pushed"](by="Cy"),
    )  # fmt: skip
    Path("gate.jsonl").write_bytes(encode_lines(events))
    (shown,) = re.findall(r"```sh\n(.*?)```", GUIDE, re.DOTALL)
    for command, expected in re.findall(r"^\$ python turnstile\.py (.*)\n((?:[^$].*\n)*)", shown, re.MULTILINE):
        assert 0 == run(shlex.split(command), there["commands"](there["TURNSTILE"]), "turnstile")
        assert expected == capsys.readouterr().out
    assert 1 == run(["bisect", "gate.jsonl", "gate", "open"], there["commands"](there["TURNSTILE"]), "turnstile")
    assert "    3  paid: by Ana, cents 50\n" == capsys.readouterr().out  # The table writes a value as Python shows it.


def test_every_field():
    rows = re.findall(
        r"^\| (`\w+`(?:, `\w+`)*) \|", FIELDS.split("## Every field")[1].split("## Words")[0], re.MULTILINE
    )
    names = [name for row in rows for name in re.findall(r"\w+", row)]
    assert sorted(field.name for field in dataclasses.fields(Mechanic)) == sorted(names)


def statements(text):
    """The dumped syntax trees of a text's statements, without expressions (such as docstrings) and `from` imports."""
    body = [node for node in ast.parse(text).body if not isinstance(node, ast.ImportFrom)]
    return [ast.dump(node) for node in body if not isinstance(node, ast.Expr)]


def test_example():
    assert statements(FILE) == statements((ROOT / "examples/turnstile.py").read_text("utf-8"))


@pytest.mark.slow
def test_types(tmp_path):
    file = tmp_path / "turnstile.py"
    file.write_text(FILE, "utf-8")
    settings = ["--config-file", str(ROOT / "pyproject.toml"), "--cache-dir", str(ROOT / ".mypy_cache")]
    command = [sys.executable, "-m", "mypy", "--strict", *settings, str(file)]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
    assert b"Success" in ran.stdout, ran.stdout.decode()
