"""The guide for engines that write records: its examples work, in Python and in awk."""

import json
import os
import re
import shutil
import sys

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
        assert re.fullmatch(rf"{pattern}\n?", ran.stdout), (command, ran.stdout, ran.stderr)
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


@pytest.mark.parametrize("program", ["recording.py", "recording.awk"])
def test_both_need_nothing(tmp_path, program):
    """Each program writes a right record alone: without installed packages, PATH, the project, or files of its own."""
    folder, target = ROOT / "examples/engines", tmp_path / "g.jsonl"
    if program.endswith(".py"):
        text = (folder / program).read_text("utf-8")
        assert set(re.findall(r"^\s*(?:import|from) (\w+)", text, re.MULTILINE)) <= {"json", "sys", "typing"}
        shutil.copy(folder / program, tmp_path / program)
        run([sys.executable, "-I", "-S", program, target.name], cwd=tmp_path, env={}, check=True)
    else:
        awk = shutil.which("awk")
        if awk is None:
            pytest.skip("there is no awk here")
        shutil.copy(folder / program, tmp_path / program)
        log = (folder / "engine.log").read_bytes()
        ran = run([awk, "-f", program], cwd=tmp_path, env={"PATH": ""}, input=log, capture_output=True, check=True)
        assert ran.stderr == b""
        target.write_bytes(ran.stdout)
    game = Game.load(target)
    assert (game.audit().verdict, game.designation) == ("exact", Designation.NIGHT)
