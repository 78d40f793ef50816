"""What is built, and what somebody who installs it gets.

| promise | test |
| --- | --- |
| the wheel holds every file of daynight and of the two folders it links to, and nothing else | test_wheel |
| so does the source archive, with its papers, and no tests | test_sdist |
| the wheel built from the source archive holds the same, byte for byte | test_wheel_from_sdist |
| what is installed works away from the source, and leaves plain `events` to others | test_installed |
"""

import importlib.util
import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAPERS = {"CHANGELOG.md", "LICENSE", "PKG-INFO", "README.md", "pyproject.toml", ".gitignore"}
NEEDED = ("build", "hatchling")


class Built(NamedTuple):
    """The source archive, and the wheel that is built from it."""

    sdist: Path
    wheel: Path


def run(*command: str) -> None:
    """Runs something that builds, without the network; it has to succeed."""
    for needed in NEEDED:
        if importlib.util.find_spec(needed) is None:
            pytest.skip(f"{needed} is not installed here: pip install -e '.[test]' brings it")
    command = (sys.executable, *command)
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    assert ran.returncode == 0, ran.stdout + ran.stderr


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this source, as pip has it built."""
    into = tmp_path_factory.mktemp("straight")
    run("-c", "import sys; from hatchling.build import build_wheel; build_wheel(sys.argv[1])", str(into))
    return next(into.glob("*.whl"))


@pytest.fixture(scope="module")
def through(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """The source archive, and a wheel by way of it."""
    into = tmp_path_factory.mktemp("through")
    run("-m", "build", "--no-isolation", "--outdir", str(into), str(ROOT))
    return Built(next(into.glob("*.tar.gz")), next(into.glob("*.whl")))


def source_files() -> set[str]:
    """The files of the package as they lie here, under the names they are installed by."""
    return {
        f"{prefix}/{path.relative_to(ROOT / folder).as_posix()}"
        for folder, prefix in (
            ("daynight", "daynight"),
            ("events", "daynight/events"),
            ("projections", "daynight/projections"),
        )
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and not {"__pycache__", "node_modules"} & set(path.parts) and path.name != "README.md"
    }


def contents(wheel: Path) -> dict[str, bytes]:
    """What is in a wheel, by name."""
    with zipfile.ZipFile(wheel) as archive:
        assert len(archive.namelist()) == len(set(archive.namelist()))
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.mark.wide
def test_wheel(wheel: Path) -> None:
    """The package, its data, its papers; no tests, no plain `events`; catalogues as compiled, the page as built."""
    names = set(contents(wheel))
    papers = {name for name in names if name.partition("/")[0].endswith(".dist-info")}
    unbuilt = "daynight/web/page/"
    assert names - papers == {
        name for name in source_files() if not name.endswith(".po") and not name.startswith(unbuilt)
    }
    expected = {"METADATA", "RECORD", "WHEEL", "LICENSE", "entry_points.txt"}
    assert expected == {Path(name).name for name in papers}
    assert {f"daynight/languages/locale/{language}/LC_MESSAGES/daynight.mo" for language in ("fr", "ja")} <= names
    assert "daynight/web/static/index.html" in names
    assert {"daynight/py.typed", "daynight/cards/cards.json", "daynight/events/__init__.py"} <= names
    assert any(name.startswith("daynight/demo/") and name.endswith(".jsonl") for name in names)


@pytest.mark.slow
def test_sdist(through: Built) -> None:
    """The same files in one folder, real files where there were links."""
    with tarfile.open(through.sdist) as archive:
        assert all(member.isfile() for member in archive.getmembers())
        names = [member.name.partition("/")[2] for member in archive.getmembers()]
    assert len(names) == len(set(names))
    inside = {name for name in names if Path(name).name != "README.md"} - PAPERS
    assert inside == source_files()
    assert set(names) >= PAPERS - {".gitignore"}


@pytest.mark.slow
def test_wheel_from_sdist(wheel: Path, through: Built) -> None:
    """Whoever builds from the source archive gets the same wheel."""
    assert contents(wheel) == contents(through.wheel)


def test_installed(wheel: Path, tmp_path: Path) -> None:
    """The wheel works on its own, and plain `events` is not there."""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")
    program = (
        "import importlib.util, sys\n"
        f"sys.path[:] = [{str(tmp_path / 'site')!r}] + [one for one in sys.path if one != {str(ROOT)!r}]\n"
        "import daynight, daynight.cli, daynight.cards, daynight.events, daynight.projections\n"
        f"assert daynight.events.__file__.startswith({str(tmp_path)!r}), daynight.events.__file__\n"
        "assert len(daynight.cards.bundled())\n"
        "assert importlib.util.find_spec('projections') is None\n"
        "from daynight.events.terms import Designation\n"
        "from daynight.languages.speaking import speaking\n"
        "from daynight.projections.sentences import designation_word\n"
        "with speaking('fr'):\n"
        "    assert 'nuit' == designation_word(Designation.NIGHT)\n"
        "print(daynight.__version__)\n"
    )
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    command = [sys.executable, "-c", program]
    ran = subprocess.run(command, cwd=tmp_path, env=clean, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert f"daynight-{ran.stdout.strip()}" in wheel.name
