"""Runs the README's two commands, `make demo` and `make test`, as newcomers of several kinds do: `make matrix`.

A cell is one kind, with four parts: an interpreter, a user, the versions of the dependencies (lowest or newest), and
the form of the source (clone, archive or sdist). At most nine cells are run, which cover as many pairs of parts as
possible; the other pairs are listed. Interpreters come from the PATH and from pyenv; missing Pythons are listed.

    python -m tests.packaging.matrix              nine cells
    python -m tests.packaging.matrix --ci         two: a plain user with the lowest versions on the oldest Python, and
                                                  the newest versions on the newest Python from an archive
    python -m tests.packaging.matrix --list       what would be run
    python -m tests.packaging.matrix --twice      the tests of each cell twice in a row
    python -m tests.packaging.matrix 3.12 plain   only the cells that have each of these parts

The last commit is tried. It is copied elsewhere, and nothing is written into this folder.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile
from collections.abc import Iterator, Sequence
from itertools import combinations, product
from pathlib import Path
from typing import NamedTuple

from .lowest import declared, lowest

__all__ = ["Cell", "chosen", "main", "pairs"]

ROOT = Path(__file__).resolve().parents[2]
OLDEST = (3, 11)
NEWEST = (3, 14)
"""The last Python version that daynight's classifiers name; `OLDEST` is the first."""

MOST = 9
"""The number of cells that are run at most."""

PLAIN = 1
"""The id of the user `daemon`, who runs the plain cells; not `nobody`, who owns files that some tests of root make."""

SUMMED = re.compile(r"^=+ (\d+ (?:passed|failed).*) in [\d.]+s.* =+$", re.MULTILINE)
"""Matches the last line of pytest's output; group 1 has the counts."""


class Cell(NamedTuple):
    """One kind of newcomer: a Python version, `root` or `plain`, `lowest` or `newest`, and the form of the source."""

    python: str
    user: str
    versions: str
    way: str

    def __str__(self) -> str:
        return f"Python {self.python}, {self.user}, {self.versions} versions, {self.way}"


def pairs(cell: Cell) -> set[tuple[str, ...]]:
    """Return every pair of two of the four parts of a cell."""
    return set(combinations(cell, 2))


def chosen(pythons: Sequence[str], users: Sequence[str], most: int = MOST) -> list[Cell]:
    """Return up to `most` cells, which together try as many pairs as possible.

    `pythons` are versions, the oldest first; `users` are `root` and `plain`, or `plain`. CI runs the first two cells.
    """
    cells = _all(pythons, users)
    found = [Cell(pythons[0], users[-1], "lowest", "clone"), Cell(pythons[-1], users[0], "newest", "archive")]
    while len(found) < most:
        tried = set().union(*map(pairs, found))
        best = max(cells, key=lambda cell: len(pairs(cell) - tried))
        if pairs(best) <= tried:
            break
        found.append(best)
    return found


def _all(pythons: Sequence[str], users: Sequence[str]) -> list[Cell]:
    return [Cell(*parts) for parts in product(pythons, users, ("lowest", "newest"), ("clone", "archive", "sdist"))]


def interpreters() -> dict[str, list[Path]]:
    """Return the paths of the Pythons that can create virtual environments, by version (`3.11`), the oldest first."""
    found: dict[tuple[int, int], dict[Path, None]] = {}
    places: list[Path | str | None] = [*Path.home().glob(".pyenv/versions/*/bin/python3")]
    for minor in range(OLDEST[1], NEWEST[1] + 1):
        places += [shutil.which(f"python3.{minor}"), shutil.which(f"python3.{minor}", path=os.defpath)]
    for place in (sys.executable, shutil.which("python3"), *places):
        asked = "import ensurepip, json, sys, venv; print(json.dumps([*sys.version_info[:2], sys.base_prefix]))"
        ran = subprocess.run([place, "-c", asked], capture_output=True, check=False) if place else None
        if ran is not None and ran.returncode == 0:
            major, minor, prefix = json.loads(ran.stdout)
            if OLDEST <= (major, minor):
                found.setdefault((major, minor), {})[Path(prefix) / f"bin/python{major}.{minor}"] = None
    return {f"{major}.{minor}": [*found[major, minor]] for major, minor in sorted(found)}


class Ran(NamedTuple):
    """The result of a cell: `ended` has each `make test`'s counts or the error; `good` is False if a command failed."""

    cell: Cell
    ended: tuple[str, ...]
    good: bool
    seconds: float

    @property
    def row(self) -> str:
        """Return the result as a row of a Markdown table."""
        return f"| {' | '.join(self.cell)} | {'; '.join(self.ended)} | {self.seconds:.0f} s |"


class Desk:
    """Runs cells in a temporary folder, into which it copies the source for each; the caller removes the folder."""

    def __init__(self, folder: Path, pythons: dict[str, list[Path]]) -> None:
        self._folder, self._pythons = folder, pythons
        folder.chmod(0o755)

    def run(self, cell: Cell, times: int) -> Ran:
        """Run `make demo` once and then `make test` `times` times in a new copy of the source; return the result.

        If `make test` fails, the end of its output is printed. If `make demo` fails, `make test` is not run. If the
        user cannot start the Python, nothing is run, and the result is good.
        """
        began = time.monotonic()
        python = self._python(cell)
        if python is None:
            return Ran(cell, ("not tried: this user cannot start this Python",), True, 0)
        place = self._folder / "-".join(cell)
        home, source = place / "home", place / "daynight source"
        home.mkdir(parents=True)
        {"clone": self._clone, "archive": self._archive, "sdist": self._sdist}[cell.way](source)
        environment = self.environment(cell, home)
        if cell.user == "plain":
            self._give(place)
        make = ["make", f"PYTHON={python}"]
        code, said = self._as(cell, [*make, "demo"], source, environment)
        ended = [] if code in (0, 1) else [f"make demo ended with {code}: {_last(said)}"]
        good = not ended
        for _time in range(times if good else 0):
            code, said = self._as(cell, [*make, "JOBS=2", "test"], source, environment)
            ended.append(SUMMED.findall(said)[-1] if SUMMED.search(said) else f"ended with {code}: {_last(said)}")
            good = good and code == 0
            if code:
                print(said[-6000:], flush=True)
        shutil.rmtree(place)
        return Ran(cell, tuple(ended), good, time.monotonic() - began)

    def _python(self, cell: Cell) -> Path | None:
        """Return an installed Python that the cell's user can start, else a copy; None if the copy does not start."""
        for python in self._pythons[cell.python]:
            if self._starts(cell, python):
                return python
        python, copy = self._pythons[cell.python][0], self._folder / f"python{cell.python}"
        if not copy.exists():
            leave = shutil.ignore_patterns("site-packages", "test", "__pycache__")
            shutil.copytree(python.parents[1], copy, symlinks=True, ignore=leave)
            (copy / f"lib/python{cell.python}/site-packages").mkdir()
        copied = copy / "bin" / python.name
        # An interpreter built with a shared library searches it in its original place.
        return copied if self._starts(cell, copied) else None

    def _starts(self, cell: Cell, python: Path) -> bool:
        try:
            return self._as(cell, [str(python), "-c", "import ensurepip, ssl, venv"], Path("/"), {})[0] == 0
        except PermissionError:
            return False

    def environment(self, cell: Cell, home: Path) -> dict[str, str]:
        """Return a cell's environment variables: those of this process that are not `_ours`, its HOME and pip cache.

        If the cell has the lowest versions, PIP_CONSTRAINT names a file with them.
        """
        kept = {name: value for name, value in os.environ.items() if not _ours(name)}
        cache = self._folder / f"cache-{cell.user}"
        cache.mkdir(exist_ok=True)
        if cell.user == "plain":
            self._give(cache)
        kept |= {"HOME": str(home), "PIP_CACHE_DIR": str(cache), "GIT_CONFIG_COUNT": "1"}
        kept |= {"GIT_CONFIG_KEY_0": "safe.directory", "GIT_CONFIG_VALUE_0": "*"}
        if cell.versions == "lowest":
            constraints = home / "lowest.txt"
            constraints.write_text("\n".join(lowest(declared())) + "\n", encoding="utf-8")
            kept["PIP_CONSTRAINT"] = str(constraints)
        return kept

    def _as(self, cell: Cell, command: Sequence[str], cwd: Path, environment: dict[str, str]) -> tuple[int, str]:
        plain = cell.user == "plain" and os.geteuid() == 0
        ran = subprocess.run(
            command, cwd=cwd, env=environment, check=False, text=True, errors="replace",
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            user=PLAIN if plain else None, group=PLAIN if plain else None, extra_groups=[] if plain else None,
        )  # fmt: skip
        return ran.returncode, ran.stdout

    def _give(self, place: Path) -> None:
        """Make the plain user the owner of a folder and of all files below, if root runs this."""
        if os.geteuid() == 0:
            for path in (place, *place.rglob("*")):
                os.chown(path, PLAIN, PLAIN, follow_symlinks=False)

    def _clone(self, into: Path) -> None:
        _git("clone", "--quiet", "-c", "core.symlinks=false", str(ROOT), str(into))

    def _archive(self, into: Path) -> None:
        zipped = self._folder / "daynight-main.zip"
        if not zipped.exists():
            _git("archive", "--format=zip", "--prefix=daynight-main/", "-o", str(zipped), "HEAD")
        with zipfile.ZipFile(zipped) as archive:
            archive.extractall(into.parent)
        (into.parent / "daynight-main").rename(into)

    def _sdist(self, into: Path) -> None:
        packed = self._folder / "sdist"
        if not packed.exists():
            source, tools = self._folder / "to be packed", self._folder / "tools"
            self._clone(source)
            subprocess.run([sys.executable, "-m", "venv", tools], check=True)
            python = tools / "bin/python"
            for command in (["pip", "install", "--quiet", "build"], ["build", "--sdist", "--outdir", packed, source]):
                subprocess.run([python, "-m", *map(str, command)], check=True, stdout=subprocess.DEVNULL)
        with tarfile.open(next(packed.glob("*.tar.gz"))) as archive:
            archive.extractall(into.parent, filter="data")
        next(into.parent.glob("daynight-*")).rename(into)


def _ours(name: str) -> bool:
    """Return whether an environment variable belongs to this run and must not reach the cells.

    `make matrix ARGS=--ci` exports ARGS, which would become an argument of pytest in each cell.
    """
    read = re.findall(r"\$\((\w+)\)", (ROOT / "Makefile").read_text(encoding="utf-8"))
    beginnings = ("DAYNIGHT_", "XDG_", "PYTHON", "PYENV_", "VIRTUAL_ENV", "MAKE", "MFLAGS")
    return name in (*read, "CI", "TMPDIR", "USER", "LOGNAME") or name.startswith(beginnings)


def _git(*command: str) -> None:
    subprocess.run(["git", "-C", str(ROOT), *command], check=True)


def _last(said: str) -> str:
    return next((line for line in reversed(said.splitlines()) if line.strip()), "nothing was printed").strip("= ")


def _told(cells: Sequence[Cell], pythons: Sequence[str], users: Sequence[str]) -> Iterator[str]:
    """Yield the lines of the list: the cells, the missing Pythons and users, and the pairs that no cell has."""
    yield from (f"  {cell}" for cell in cells)
    known = [f"3.{minor}" for minor in range(OLDEST[1], NEWEST[1] + 1)]
    absent = [version for version in known if version not in pythons]
    yield from (f"not tried: Python {version}, which this machine does not have" for version in absent)
    if "root" not in users:
        yield "not tried: root, as a plain user runs this"
    everything = _all(pythons, users)
    left = set().union(*map(pairs, everything)) - set().union(*map(pairs, cells))
    yield from (f"not tried together: {' and '.join(pair)}" for pair in sorted(left))
    yield f"{len(everything) - len(cells)} of all {len(everything)} cells are not run"


def main(*given: str) -> int:
    """Run the requested cells; return 0 if all pass, 1 if one fails, 2 if no cell has the requested parts."""
    pythons = interpreters()
    users = ("root", "plain") if os.geteuid() == 0 else ("plain",)
    cells = chosen([*pythons], users)[: 2 if "--ci" in given else MOST]
    parts = {each for each in given if not each.startswith("--")}
    cells = [cell for cell in cells if parts <= {*cell}]
    if not cells:
        print(f"no cell has all of {', '.join(sorted(parts))}; --list shows the cells that are run", file=sys.stderr)
        return 2
    print(*_told(cells, [*pythons], users), sep="\n", flush=True)
    if "--list" in given:
        return 0
    with tempfile.TemporaryDirectory(prefix="daynight-matrix-") as folder:
        desk = Desk(Path(folder), pythons)
        ran = [_said(desk.run(cell, 2 if "--twice" in given else 1)) for cell in cells]
    print("\n| Python | user | versions | way | tests | time |\n| --- | --- | --- | --- | --- | --- |")
    print(*(each.row for each in ran), sep="\n")
    return 0 if all(each.good for each in ran) else 1


def _said(ran: Ran) -> Ran:
    print(ran.row, flush=True)
    return ran


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
