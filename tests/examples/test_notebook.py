"""The notebook of examples/ is executed cell by cell with the usual kernel.

| promise | test |
| --- | --- |
| every cell runs, and its stored output is up to date | test_the_notebook, test_its_cells |
| it shows a game's picture, and the finding of the demo | test_what_it_shows |
| it contains nothing about the machine that ran it | test_nothing_of_the_machine |

Its outputs are stored so that it can be read without running it. After an intended change, rewrite them:
`DAYNIGHT_GOLDEN=write python -m pytest tests/examples`.
"""

import ast
import json
import os
import subprocess
import sys
from contextlib import redirect_stdout
from io import StringIO
from types import ModuleType, SimpleNamespace
from xml.dom.minidom import parseString

import pytest

from tests.documents import ROOT

NOTEBOOK = ROOT / "examples" / "daynight.ipynb"

# In a new process, because Jupyter's warnings are not daynight's.
RUNNER = """
import sys
import nbformat
from nbclient import NotebookClient

notebook = nbformat.read(sys.argv[1], as_version=4)
NotebookClient(notebook, timeout=60, kernel_name="python3", record_timing=False).execute()
notebook.metadata["language_info"] = {"name": "python"}
sys.stdout.buffer.write(nbformat.writes(notebook).encode() + b"\\n")
"""


def executed() -> str:
    """The notebook with the outputs of a new run."""
    environment = {key: value for key, value in os.environ.items() if key not in ("LANGUAGE", "DAYNIGHT_LANG")}
    ran = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", RUNNER, str(NOTEBOOK)],
        cwd=NOTEBOOK.parent, env=environment | {"PYTHONPATH": str(ROOT), "PYTHONUTF8": "1", "LC_ALL": "C.UTF-8"},
        capture_output=True, encoding="utf-8", check=False, timeout=120,
    )  # fmt: skip
    assert 0 == ran.returncode, ran.stderr
    return ran.stdout


def outputs(text: str) -> list[object]:
    """The outputs of the cells."""
    return [cell["outputs"] for cell in json.loads(text)["cells"] if cell["cell_type"] == "code"]


@pytest.mark.slow
def test_the_notebook():
    """Executed with a kernel, as a reader does."""
    for needed in ("nbclient", "ipykernel"):
        pytest.importorskip(needed, reason=f"{needed} is not installed here: pip install -e '.[test]' brings it")
    found = executed()
    if os.environ.get("DAYNIGHT_GOLDEN") == "write":
        NOTEBOOK.write_text(found, encoding="utf-8")
    again = "DAYNIGHT_GOLDEN=write python -m pytest tests/examples"
    assert outputs(NOTEBOOK.read_text("utf-8")) == outputs(found), (
        f"its outputs are stale; if they should change: {again}"
    )


def test_its_cells(monkeypatch):
    """Without a kernel: the stored output of each cell is what it prints and returns."""
    shown = ModuleType("IPython.display")
    shown.SVG = lambda drawn: SimpleNamespace(_repr_svg_=parseString(drawn).documentElement.toxml)
    monkeypatch.setitem(sys.modules, "IPython.display", shown)
    names = {}
    for cell in json.loads(NOTEBOOK.read_text("utf-8"))["cells"]:
        if cell["cell_type"] != "code":
            continue
        *before, last = ast.parse("".join(cell["source"])).body
        printed = StringIO()
        with redirect_stdout(printed):
            given = ast.Expression(last.value) if isinstance(last, ast.Expr) else None
            exec(compile(ast.Module([*before, *([] if given else [last])], []), "cell", "exec"), names)
            answer = eval(compile(given, "cell", "eval"), names) if given else None
        stored = [output.get("data", output) for output in cell["outputs"]]
        expected = "".join("".join(one.get("image/svg+xml", one.get("text", one.get("text/plain")))) for one in stored)
        drawn = getattr(answer, "_repr_svg_", lambda answer=answer: "" if answer is None else repr(answer))
        assert expected.strip() == (printed.getvalue() + drawn()).strip()


def test_what_it_shows():
    """Three pictures, and the finding."""
    given = outputs(NOTEBOOK.read_text("utf-8"))
    data = [output.get("data", {}) for cell in given for output in cell]
    drawn = ["".join(one["image/svg+xml"]) for one in data if "image/svg+xml" in one]
    assert 3 == len(drawn)
    assert all(one.startswith("<svg ") for one in drawn)
    assert "wagic shows the front face of Brutal Cathar" in json.dumps(given)
    assert not [output for cell in given for output in cell if output["output_type"] in ("error", "stderr")]


def test_nothing_of_the_machine():
    """No paths, no times, no Python version."""
    text = NOTEBOOK.read_text("utf-8")
    assert not [word for word in ("/home", "/work", "/tmp", "/usr", "iopub", "codemirror") if word in text]
    assert {"kernelspec", "language_info"} == set(json.loads(text)["metadata"])
