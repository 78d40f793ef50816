"""Messages about missing extras: they install from the source of this daynight, never by a name on an index.

| promise | test |
| --- | --- |
| the source is the clone that runs, or else what direct_url.json (PEP 610) says | test_clone, test_noted |
| a missing or unknown direct_url.json gives no source | test_nobody_noted_it |
| the command installs from there: a clone, editable or not, a wheel, an address | test_command |
| the command calls Python by its name if that works, and can be pasted for any path | test_short, test_pasted |
| an unknown or removed source is never in the command; `daynight[web]` only after publication | test_unknown |
| without pip in this Python, the message names the requirement and the Python | test_without_pip |
| before a release, no text says to install daynight from an index | test_no_name |
| commands without their extra say how to install it: serve, corpus, PostgreSQL | test_told |
"""

import json
import os
import re
import shlex
import sys
from importlib.metadata import PathDistribution
from pathlib import Path

import pytest

from daynight.cli.corpus.extra import extra
from daynight.framework.language.errors import AskedError
from daynight.machine.installing import PUBLISHED, InstalledFrom, how_to_install, place_of, told
from daynight.machine.shells import pasting
from daynight.store.database.settings import no_driver
from tests.commands.windows import typed_into_cmd

ROOT = Path(__file__).resolve().parents[2]
SETTINGS = '[project]\nname = "daynight"\n'


def noted(folder, document):
    """Return a distribution installed in `folder` with this document as its direct_url.json; None: without it."""
    found = folder / "daynight-0.1.0.dist-info"
    found.mkdir()
    (found / "METADATA").write_text("Name: daynight\nVersion: 0.1.0\n")
    if document is not None:
        (found / "direct_url.json").write_text(document if isinstance(document, str) else json.dumps(document))
    return PathDistribution(found)


def command(sentence):
    """Return the arguments of the command after "install it with: " in a sentence."""
    return shlex.split(sentence.partition("install it with: ")[2])


def test_clone(tmp_path):
    """A folder with daynight's pyproject.toml is the source; it is editable if direct_url.json names that folder."""
    clone, site = tmp_path / "clone", tmp_path / "site"
    for folder in (clone, site):
        folder.mkdir()
    (clone / "pyproject.toml").write_text(SETTINGS)
    elsewhere = {"url": "file:///elsewhere", "dir_info": {"editable": True}}
    assert InstalledFrom(clone) == place_of(clone, None) == place_of(clone, noted(site, elsewhere))
    (site / "more").mkdir()
    editable = noted(site / "more", {"url": clone.as_uri(), "dir_info": {"editable": True}})
    assert InstalledFrom(clone, editable=True) == place_of(clone, editable)
    (clone / "pyproject.toml").write_text('[project]\nname = "other"\n')
    assert place_of(clone, None) is None


@pytest.mark.parametrize("document, expected", [
    ({"url": "file:///home/ana/my%20clone", "dir_info": {}}, InstalledFrom(Path("/home/ana/my clone"))),
    ({"url": "file:///c", "dir_info": {"editable": True}}, InstalledFrom(Path("/c"), editable=True)),
    ({"url": "file://localhost/a/x.whl", "archive_info": {}}, InstalledFrom(Path("/a/x.whl"))),
    ({"url": "https://host/x.whl", "archive_info": {}}, InstalledFrom(url="https://host/x.whl")),
    (
        {"url": "https://host/x.git", "vcs_info": {"vcs": "git", "commit_id": "abc", "requested_revision": "main"}},
        InstalledFrom(url="git+https://host/x.git@abc"),
    ),
    (
        {"url": "https://host/x.zip", "archive_info": {}, "subdirectory": "python"},
        InstalledFrom(url="https://host/x.zip#subdirectory=python"),
    ),
])  # fmt: skip
def test_noted(tmp_path, document, expected):
    """Each form of direct_url.json gives the source: a folder, a wheel, an archive, a repository at its commit."""
    assert expected == place_of(tmp_path, noted(tmp_path, document))


@pytest.mark.parametrize("document", [None, "", "{", "[]", "{}", "3", '{"url": "https://x", "vcs_info": {}}'])
def test_nobody_noted_it(tmp_path, document):
    """A missing, empty or incomplete direct_url.json gives None."""
    assert place_of(tmp_path, noted(tmp_path, document)) is None
    assert place_of(tmp_path, None) is None


def test_command(tmp_path):
    """The command is this Python's `-m pip install`, and the source with the extra `[web]`."""
    wheel = tmp_path / "daynight-0.1.0-py3-none-any.whl"
    wheel.touch()
    pip = [sys.executable, "-m", "pip", "install"]
    for published in (False, True):
        for place, expected in (
            (InstalledFrom(tmp_path), [f"{tmp_path}[web]"]),
            (InstalledFrom(tmp_path, editable=True), ["--editable", f"{tmp_path}[web]"]),
            (InstalledFrom(wheel), [f"{wheel}[web]"]),
            (InstalledFrom(url="git+https://host/x.git@abc"), ["daynight[web] @ git+https://host/x.git@abc"]),
        ):
            assert [*pip, *expected] == command(told("web", place, published=published))


def test_short(tmp_path, monkeypatch):
    """If the PATH finds this Python first, the command has its name; otherwise its whole path."""
    name = Path(sys.executable).name
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent))
    assert [name, "-m", "pip"] == command(told("web", InstalledFrom(tmp_path), published=False))[:3]
    (tmp_path / name).symlink_to(sys.executable)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert sys.executable == command(told("web", InstalledFrom(tmp_path), published=False))[0]


def test_pasted(tmp_path):
    """A path with a space, quote, bracket, `%` or `$` is quoted so that a POSIX shell and cmd read it unchanged."""
    place = tmp_path / "ana's 100% [new] $HOME"
    place.mkdir()
    assert f"{place}[web]" == command(told("web", InstalledFrom(place), published=False))[-1]
    with pasting("cmd"):
        line = told("web", InstalledFrom(place), published=False).partition("install it with: ")[2]
    assert f"{place}[web]" == typed_into_cmd(line)[-1]


def test_unknown(tmp_path):
    """If the source is gone, or unknown before publication, the message asks for a clone or wheel, without a command.

    If it is unknown after publication, the command installs `daynight[web]`.
    """
    sentence = told("web", None, published=False)
    assert "install daynight again, with its extra web, from the clone or wheel that it came from" == sentence
    assert [sys.executable, "-m", "pip", "install", "daynight[web]"] == command(told("web", None, published=True))
    for published in (False, True):
        sentence = told("corpus", InstalledFrom(tmp_path / "gone.whl"), published=published)
        assert f"daynight came from {tmp_path}/gone.whl, which is gone; " in sentence
        assert sentence.endswith("from a clone or wheel, with its extra corpus")


def test_without_pip(tmp_path, monkeypatch):
    """If this Python has no pip, the message names the requirement and the Python instead of a command."""
    real = sys.path
    monkeypatch.setattr(sys, "path", [one for one in real if "site-packages" not in one])
    monkeypatch.delitem(sys.modules, "pip", raising=False)
    assert f"install '{tmp_path}[web]' into {sys.executable}" == told("web", InstalledFrom(tmp_path), published=False)


NAMED = re.compile(r"""pip3?\s+install\s+(?:-{1,2}[\w-]+\s+)*["'\\]*daynight\b""")
"""Matches `pip install daynight`, with options, quotes or an extra: an installation from an index."""

NOT_OURS = {".git", ".venv", "node_modules", "__pycache__", "mutants", "build", "dist", "htmlcov"}
ENDINGS = {".py", ".md", ".toml", ".po", ".ts", ".svelte", ".html", ".js", ".json", ".ipynb", ".txt", ".jinja", ""}


def test_no_name():
    """No text of the project has `pip install daynight`; `PUBLISHED` is True exactly if the changelog says released."""
    for wrong in (
        "pip install daynight",
        "pip install 'daynight[web]'",
        'pip3 install -U \\"daynight',
        "pip\ninstall daynight",
    ):
        assert NAMED.search(wrong), wrong
    for right in ("pip install '.[web]'", "pip install '/a/daynight[web]'", "pip install {requirement}"):
        assert not NAMED.search(right), right
    files = []
    for folder, inside, names in os.walk(ROOT):
        inside[:] = [name for name in inside if name not in NOT_OURS]
        files += [Path(folder, name) for name in names if Path(name).suffix in ENDINGS]
    assert len(files) > 500
    wrong = [str(path) for path in files if path != Path(__file__) and NAMED.search(path.read_text("utf-8", "replace"))]
    assert [] == wrong
    newest = next(line for line in (ROOT / "CHANGELOG.md").read_text("utf-8").splitlines() if line.startswith("## "))
    assert PUBLISHED == (not newest.endswith("not yet released"))


def test_told():
    """The command for `web` names this clone; messages about pyarrow and psycopg end with their extra's command."""
    how = how_to_install("web")
    assert str(ROOT) in how
    with pytest.raises(AskedError) as asked, extra():
        raise ModuleNotFoundError(name="pyarrow.parquet")
    assert f"pyarrow is not installed; {how_to_install('corpus')}" == str(asked.value)
    expected = f"PostgreSQL needs its driver (No module named 'psycopg'); {how_to_install('postgres')}"
    assert expected == str(no_driver(ModuleNotFoundError("No module named 'psycopg'")))
