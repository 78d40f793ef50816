"""The built packages, and their installation.

| promise | test |
| --- | --- |
| the wheel holds what daynight, `events` and `projections` need to run, and nothing else | test_wheel |
| the source archive holds the whole source, with tests and examples | test_sdist |
| the wheel built from the source archive equals the one built from the source | test_wheel_from_sdist |
| the wheel contains the licences of the libraries in the page's bundle | test_notices |
| the README has no broken links on an index page; the files that it names exist | test_readme |
| the installed package works without the source, and does not install plain `events` | test_installed |
| the installed package proposes to install an extra from its own wheel | test_extra |
"""

import importlib.util
import json
import os
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAPERS = {
    "CHANGELOG.md", "CITATION.cff", "LICENSE", "Makefile", "PKG-INFO", "README.md", "pyproject.toml", ".gitignore",
    ".pre-commit-config.yaml",
}  # fmt: skip
NEEDED = ("build", "hatchling", "hatch_fancy_pypi_readme")


class Built(NamedTuple):
    """The paths of a source archive, and of the wheel that is built from it."""

    sdist: Path
    wheel: Path


def run(*command):
    """Run this Python with the arguments `command`, and assert exit code 0; without the build tools, skip the test."""
    for needed in NEEDED:
        if importlib.util.find_spec(needed) is None:
            pytest.skip(f"{needed} is not installed here: pip install -e '.[test]' brings it")
    command = (sys.executable, *command)
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    assert ran.returncode == 0, ran.stdout + ran.stderr


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The path of the wheel that hatchling builds directly from this source."""
    into = tmp_path_factory.mktemp("straight")
    run("-c", "import sys; from hatchling.build import build_wheel; build_wheel(sys.argv[1])", str(into))
    return next(into.glob("*.whl"))


@pytest.fixture(scope="module")
def through(tmp_path_factory):
    """The source archive, and a wheel that `python -m build` makes from it."""
    into = tmp_path_factory.mktemp("through")
    run("-m", "build", "--no-isolation", "--outdir", str(into), str(ROOT))
    return Built(next(into.glob("*.tar.gz")), next(into.glob("*.whl")))


def source_files(*folders):
    """The paths of the files below these folders, relative to the source."""
    return {
        path.relative_to(ROOT).as_posix()
        for folder in folders
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and not {"__pycache__", "node_modules"} & set(path.parts)
    }


def contents(wheel):
    """The bytes of each file in a wheel, by name; no name is in it twice."""
    with zipfile.ZipFile(wheel) as archive:
        assert len(archive.namelist()) == len(set(archive.namelist()))
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.mark.wide
def test_wheel(wheel):
    """The wheel has the three packages below `daynight/`, and metadata; no .po, .pyi, README.md, page source, guide."""
    names = set(contents(wheel))
    papers = {name for name in names if name.partition("/")[0].endswith(".dist-info")}
    unbuilt = ("daynight/web/page/", "daynight/guides/")
    source = source_files("daynight", "events", "projections")
    for_source = (".po", ".pyi", "README.md")
    packed = {name for name in source if not name.endswith(for_source) and not name.startswith(unbuilt)}
    assert names - papers == {f"daynight/{name.removeprefix('daynight/')}" for name in packed}
    expected = {"METADATA", "RECORD", "WHEEL", "LICENSE", "THIRD-PARTY.md", "entry_points.txt"}
    assert expected == {Path(name).name for name in papers}
    assert {f"daynight/languages/locale/{language}/LC_MESSAGES/daynight.mo" for language in ("fr", "ja")} <= names
    assert "daynight/web/static/index.html" in names
    assert {"daynight/py.typed", "daynight/cards/cards.json", "daynight/events/__init__.py"} <= names
    assert any(name.startswith("daynight/demo/") and name.endswith(".jsonl") for name in names)


def test_notices(wheel):
    """The page's script contains Svelte, so THIRD-PARTY.md with its licence is in the wheel's `licenses` folder."""
    (name,) = (name for name in contents(wheel) if ".dist-info/licenses/" in name and "THIRD-PARTY" in name)
    notices = contents(wheel)[name].decode()
    assert (ROOT / "daynight/web/static/THIRD-PARTY.md").read_text("utf-8") == notices
    for said in ("## svelte - ", "Copyright (c) 2016-", "Permission is hereby granted, free of charge"):
        assert said in notices


def test_readme(wheel):
    """In the wheel's README each relative link of README.md is only the name of an existing file, and no link."""
    (metadata,) = (data.decode() for name, data in contents(wheel).items() if name.endswith(".dist-info/METADATA"))
    shown = metadata.partition("\n\n")[2]
    links = re.findall(r"\]\(([^)]*)\)", shown)
    assert [] == [link for link in links if not link.startswith("https://")]
    readme = (ROOT / "README.md").read_text("utf-8")
    files = {link.partition("#")[0] for link in re.findall(r"\]\(([^)#][^)]*)\)", readme)}
    assert files
    for file in files:
        assert f"`{file}`" in shown, file
        assert (ROOT / file).is_file(), file


@pytest.mark.slow
def test_sdist(through):
    """The source archive has each source file once, with tests and examples, and the metadata, and nothing else."""
    with tarfile.open(through.sdist) as archive:
        assert all(member.isfile() for member in archive.getmembers())
        names = [member.name.partition("/")[2] for member in archive.getmembers()]
    assert len(names) == len(set(names))
    assert set(names) - PAPERS == source_files("daynight", "events", "projections", "tests", "examples", ".github")
    assert set(names) >= PAPERS - {".gitignore"}


@pytest.mark.slow
def test_wheel_from_sdist(wheel, through):
    """The wheel from the source archive has the same files, byte for byte, as the one from the source."""
    assert contents(wheel) == contents(through.wheel)


def test_installed(wheel, tmp_path):
    """Without the source the wheel imports and speaks French; `events` and `projections` are no top-level packages."""
    ran = in_a_site(
        wheel,
        tmp_path,
        "import importlib.util\n"
        "import daynight, daynight.cli, daynight.cards, daynight.events, daynight.projections\n"
        f"assert daynight.events.__file__.startswith({str(tmp_path)!r}), daynight.events.__file__\n"
        "assert len(daynight.cards.bundled())\n"
        "assert importlib.util.find_spec('projections') is None\n"
        "assert importlib.util.find_spec('events') is None\n"
        "from daynight.events.terms import Designation\n"
        "from daynight.languages.speaking import speaking\n"
        "from daynight.speech.sentences import designation_word\n"
        "with speaking('fr'):\n"
        "    assert 'nuit' == designation_word(Designation.NIGHT)\n"
        "print(daynight.__version__)\n",
    )
    assert f"daynight-{ran.strip()}" in wheel.name


def test_extra(wheel, tmp_path):
    """The command for `web` installs the wheel that direct_url.json names; without that file there is no command."""
    program = "from daynight.machine.installing import how_to_install\nprint(how_to_install('web'))\n"
    told = in_a_site(wheel, tmp_path, program)
    assert "install daynight again, with its extra web, from the clone or wheel that it came from\n" == told
    (papers,) = (tmp_path / "site").glob("*.dist-info")
    (papers / "direct_url.json").write_text(json.dumps({"url": wheel.as_uri(), "archive_info": {}}))
    told = in_a_site(wheel, tmp_path, program)
    assert told.endswith(f" -m pip install '{wheel}[web]'\n")


def in_a_site(wheel, folder, program):
    """Unpack the wheel below `folder`, run a program there that imports daynight from it, and return its output."""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    path = f"sys.path[:] = [{str(folder / 'site')!r}] + [one for one in sys.path if one != {str(ROOT)!r}]\n"
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    command = [sys.executable, "-c", f"import sys\n{path}{program}"]
    ran = subprocess.run(command, cwd=folder, env=clean, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout
