"""The test suite of `transitions`, run while every machine is recorded; skipped if it is not installed.

The suite comes with the library's source: DAYNIGHT_TRANSITIONS_TESTS names the folder that has it as `tests`.

| what holds | test |
| --- | --- |
| the suite passes; over 97 % of the records replay alike; the machines of the others were changed | test_recorded |
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = os.environ.get("DAYNIGHT_TRANSITIONS_TESTS")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(FOLDER is None, reason="DAYNIGHT_TRANSITIONS_TESTS names no folder with its tests"),
]


def test_recorded(tmp_path):
    assert FOLDER is not None
    plugin = tmp_path / "recording_plugin.py"
    plugin.write_text(Path(__file__).with_name("recording.py").read_text(encoding="utf-8"), encoding="utf-8")
    # Its `tests` is a package, as ours is.
    root = Path(__file__).parents[2]
    (tmp_path / "daynight").symlink_to(root / "daynight")
    command = [
        sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-p", "recording_plugin",
        "--ignore", "tests/test_codestyle.py", "--ignore", "tests/test_async.py", "tests",
    ]  # fmt: skip
    env = {**os.environ, "PYTHONPATH": str(tmp_path), "RECORDED": str(tmp_path / "recorded.json")}
    done = subprocess.run(command, cwd=FOLDER, env=env, capture_output=True, text=True, timeout=580, check=False)
    assert done.returncode == 0, done.stdout[-2000:]
    found = json.loads((tmp_path / "recorded.json").read_text(encoding="utf-8"))
    changed, alike = found.pop("changed", 0), found.pop("alike")
    assert alike > 1000
    assert found == {}
    assert alike / (alike + changed) > 0.97
