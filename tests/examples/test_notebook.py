"""The notebooks of examples/ are run, cell by cell, by the kernel that people run them with.

| promise | test |
| --- | --- |
| every cell runs, and its stored output is what it gives now | test_the_notebook, test_its_cells |
| in one notebook a game draws itself, and the demo's finding is printed | test_what_it_shows |
| the other notebook asks a corpus five questions, each with a picture | test_five_questions |
| the stored outputs contain no trace of the machine | test_nothing_of_the_machine |

The outputs are stored, so that a notebook can be read without running it. After an intended change, rewrite them:
`DAYNIGHT_GOLDEN=write python -m pytest tests/examples`.
"""

import ast
import json
import os
import subprocess
import sys
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from types import ModuleType, SimpleNamespace
from xml.dom.minidom import parseString

import pytest

from tests.documents import ROOT

GAME, CORPUS = (ROOT / "examples" / name for name in ("daynight.ipynb", "corpus.ipynb"))

each = pytest.mark.parametrize("notebook", [GAME, CORPUS], ids=["game", "corpus"])

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


def executed(notebook: Path) -> str:
    """Run the notebook in a kernel; return its JSON text with the new outputs."""
    environment = {key: value for key, value in os.environ.items() if key not in ("LANGUAGE", "DAYNIGHT_LANG")}
    ran = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", RUNNER, str(notebook)],
        cwd=notebook.parent, env=environment | {"PYTHONPATH": str(ROOT), "PYTHONUTF8": "1", "LC_ALL": "C.UTF-8"},
        capture_output=True, encoding="utf-8", check=False, timeout=120,
    )  # fmt: skip
    assert 0 == ran.returncode, ran.stderr
    return ran.stdout


def outputs(text: str) -> list[object]:
    """The outputs of each code cell, from the JSON text of a notebook."""
    return [cell["outputs"] for cell in json.loads(text)["cells"] if cell["cell_type"] == "code"]


def needs(*libraries: str) -> None:
    """Skip a test if one of these libraries is not installed."""
    for needed in libraries:
        pytest.importorskip(needed, reason=f"{needed} is not installed here: pip install -e '.[test]' brings it")


@pytest.mark.slow
@each
def test_the_notebook(notebook):
    """The kernel runs the notebook from the first cell to the last, and gives the stored outputs."""
    needs("nbclient", "ipykernel", "pandas")
    found = executed(notebook)
    if os.environ.get("DAYNIGHT_GOLDEN") == "write":
        notebook.write_text(found, encoding="utf-8")
    again = "DAYNIGHT_GOLDEN=write python -m pytest tests/examples"
    assert outputs(notebook.read_text("utf-8")) == outputs(found), (
        f"its outputs are stale; if they should change: {again}"
    )


@each
def test_its_cells(notebook, monkeypatch):
    """Each cell, run without a kernel, prints and returns what is stored below it."""
    if notebook == CORPUS:
        needs("pandas")
    monkeypatch.chdir(notebook.parent)
    monkeypatch.syspath_prepend(notebook.parent)
    shown = ModuleType("IPython.display")
    shown.SVG = lambda drawn: SimpleNamespace(_repr_svg_=parseString(drawn).documentElement.toxml)
    monkeypatch.setitem(sys.modules, "IPython.display", shown)
    names = {}
    for cell in json.loads(notebook.read_text("utf-8"))["cells"]:
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
    """The notebook about a game shows three pictures and the sentence of the demo's finding, and no error."""
    given = outputs(GAME.read_text("utf-8"))
    data = [output.get("data", {}) for cell in given for output in cell]
    drawn = ["".join(one["image/svg+xml"]) for one in data if "image/svg+xml" in one]
    assert 3 == len(drawn)
    assert all(one.startswith("<svg ") for one in drawn)
    assert "wagic shows the front face of Brutal Cathar" in json.dumps(given)
    assert not [output for cell in given for output in cell if output["output_type"] in ("error", "stderr")]


def test_five_questions():
    """Each question has a heading and then a picture; no cell has an error."""
    cells = json.loads(CORPUS.read_text("utf-8"))["cells"]
    asked = [at for at, cell in enumerate(cells) if cell["source"][0].startswith("## ")]
    assert 5 == len(asked)
    for first, last in zip(asked, [*asked[1:], len(cells)], strict=True):
        assert "image/svg+xml" in json.dumps(cells[first:last])
    given = outputs(CORPUS.read_text("utf-8"))
    assert not [output for cell in given for output in cell if output["output_type"] == "error"]
    assert not [output for cell in given for output in cell if output.get("name") == "stderr"]


@each
def test_nothing_of_the_machine(notebook):
    """The stored outputs name no folder, no time and no version of Python."""
    text = notebook.read_text("utf-8")
    assert not [word for word in ("/home", "/work", "/tmp", "/usr", "iopub", "codemirror") if word in text]
    assert {"kernelspec", "language_info"} == set(json.loads(text)["metadata"])
