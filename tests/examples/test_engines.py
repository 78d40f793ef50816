"""The guide for engines that write records: its examples work, in Python and in awk."""

import json
import os
import re
import shutil
import sys
from pathlib import Path

import pytest

from daynight.events import Designation
from daynight.game import Game
from tests.documents import GUIDES, ROOT, RUNNER, commands
from tests.processes import run

PAGE = (GUIDES / "tutorials" / "engine.md").read_text("utf-8")
BLOCKS = re.findall(r"^```console\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("number", range(len(BLOCKS)))
def test_blocks(tmp_path, number):
    """Each command of a console block prints what the block shows; `...` matches anything."""
    lines = list(commands(BLOCKS[number]))
    if any(command.startswith("awk") for command, _shown in lines) and shutil.which("awk") is None:
        pytest.skip("there is no awk here")
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    (tmp_path / "python").symlink_to(sys.executable)
    environment = {
        "DAYNIGHT_PYTHON": sys.executable, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1", "NO_COLOR": "1",
        "XDG_CONFIG_HOME": str(tmp_path), "PATH": f"{tmp_path}:{os.environ['PATH']}", "DAYNIGHT_LANG": "en",
    }  # fmt: skip
    for command, shown in lines:
        ran = run(
            ["sh", "-c", RUNNER + command],
            cwd=tmp_path, env=os.environ | environment, capture_output=True, encoding="utf-8", check=False,
        )  # fmt: skip
        pattern = re.escape(shown).replace(re.escape("..."), r"(?s:.*)")
        assert re.match(pattern, ran.stdout), (command, ran.stdout, ran.stderr)
    disputed = "|| true" in BLOCKS[number]
    assert disputed or ran.returncode == 0


def test_six_lines():
    """The guide's CI job has six lines, four of them steps: check out, install, run the games, audit."""
    block = re.search(r"^```yaml\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)[1]
    assert len(block.splitlines()[1:]) == 6
    assert len(block.partition("steps:\n")[2].splitlines()) == 4
    assert "OWNER" not in block
    assert "daynight audit" in block


def test_own_card(tmp_path):
    """A card in no catalogue, written as the guide shows it, makes it day."""
    line = json.dumps(json.loads(re.search(r"^```json\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)[1]))
    started = '{"type":"game-started","format":1,"game":"g","players":["Ana","Bo"]}'
    record = "\n".join([started, '{"type":"turn-began","turn":1,"active":["Ana"]}', line, ""])
    (tmp_path / "g.jsonl").write_text(record, "utf-8")
    assert Game.load(tmp_path / "g.jsonl").designation is Designation.DAY


def test_both_need_nothing():
    """The guide's Python program imports only the standard library."""
    text = Path(ROOT / "examples/engines/recording.py").read_text("utf-8")
    assert set(re.findall(r"^(?:import|from) (\w+)", text, re.MULTILINE)) <= {"json", "sys", "typing"}
