"""Rehearses a release, all steps except uploading: `make release-check`, or `python -m tests.packaging.release`.

    --whole    `make test` in the unpacked source archive too, which takes some minutes
    --tag TAG  refuses to go on unless this is the tag of the version, and the changelog and the program know that it is
               released

The folder build/release gets the wheel and the source archive (dist/), and a CycloneDX list of what an environment with
the wheel has installed (sbom.json). Earlier content of the folder is removed. The last commit is built.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

__all__ = ["Refused", "main", "refusals"]

ROOT = Path(__file__).resolve().parents[2]
INTO = ROOT / "build" / "release"
SUMMED = re.compile(r"\d+ passed.*")


class Refused(Exception):  # noqa: N818
    """Raised when a release can't continue; its text is the reason."""


def refusals(tag: str, *, root: Path = ROOT) -> list[str]:
    """Return the reasons, as sentences, not to release this tag; an empty list if there is none.

    The version in daynight/__init__.py, in the changelog and in CITATION.cff must agree, and `PUBLISHED` must be True
    exactly if the changelog calls it released. A `tag`, if not empty, must be `v` and the version, and the changelog
    must call that version released.
    """

    def text(name: str) -> str:
        return (root / name).read_text("utf-8")

    def found(pattern: str, name: str) -> str:
        match = re.search(pattern, text(name), re.MULTILINE)
        return match[1] if match else ""

    version = found(r'^__version__ = "(.*)"', "daynight/__init__.py")
    heading = found(r"^## (\d.*)", "CHANGELOG.md")
    wrong = []
    if version != heading.partition(",")[0]:
        wrong.append(f"the changelog begins with {heading!r}, and the version is {version}")
    if version != found(r"^version: (.*)", "CITATION.cff"):
        wrong.append("CITATION.cff names another version")
    released = not heading.endswith("not yet released")
    published = found(r"^PUBLISHED = (\w+)", "daynight/machine/installing.py") == "True"
    if released is not published:
        wrong.append("daynight/machine/installing.py and the changelog disagree about whether it is released")
    if tag and tag != f"v{version}":
        wrong.append(f"the tag is {tag}, and the version {version}")
    if tag and not released:
        wrong.append("the changelog says: not yet released")
    return wrong


def ran(command: Sequence[str | Path], cwd: Path, codes: Sequence[int] = (0,)) -> str:
    """Run a command and return what it prints, without our Python and make variables in its environment.

    Raises:
        Refused: if its exit code is not in `codes`.
    """
    clean = {
        name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV", "MAKE"))
    }
    clean.pop("ARGS", None)
    found = subprocess.run(
        [*map(str, command)], cwd=cwd, env=clean, text=True, errors="replace", check=False,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    if found.returncode not in codes:
        raise Refused(f"{' '.join(map(str, command))}\nended with {found.returncode}:\n{found.stdout[-4000:]}")
    return found.stdout


class Rehearsal:
    """The steps of a release; each prints a line with its time. All work is in the folder `desk`, not in the source."""

    def __init__(self, desk: Path) -> None:
        self.desk = desk
        self.dist = INTO / "dist"
        self._began = time.monotonic()

    def say(self, sentence: str) -> None:
        """Print the seconds since the last step, and this sentence."""
        now = time.monotonic()
        print(f"{now - self._began:6.1f} s  {sentence}", flush=True)
        self._began = now

    def build(self) -> None:
        """Build the source archive of the last commit, and the wheel from the archive, into `dist`."""
        source = self.desk / "source"
        ran(["git", "clone", "--quiet", ROOT, source], self.desk)
        shutil.rmtree(INTO, ignore_errors=True)
        ran([sys.executable, "-m", "build", "--outdir", self.dist, source], self.desk)
        sizes = ", ".join(f"{one.name} {one.stat().st_size / 1e6:.1f} MB" for one in sorted(self.dist.iterdir()))
        self.say(f"built: {sizes}")

    def check(self) -> None:
        """Run `twine check --strict` on the files in `dist`."""
        ran([sys.executable, "-m", "twine", "check", "--strict", *self.dist.iterdir()], self.desk)
        self.say("twine check --strict: passed")

    def bare(self, file: Path) -> Path:
        """Install this file with its dependencies into a new virtual environment, and return its `bin` folder."""
        place = self.desk / f"bare-{file.suffix.removeprefix('.')}"
        ran([sys.executable, "-m", "venv", place], self.desk)
        bin = place / ("Scripts" if os.name == "nt" else "bin")
        ran([bin / "python", "-m", "pip", "--disable-pip-version-check", "install", "--quiet", file], self.desk)
        ran([bin / "python", "-m", "pip", "check"], self.desk)
        return bin

    def install(self, file: Path) -> Path:
        """Install `file` into a new environment, run daynight's demo and its audit there, and return its `bin` folder.

        Raises:
            Refused: if a command fails, or the audit does not print the demo's finding.
        """
        bin = self.bare(file)
        told = ran([bin / "daynight", "--version"], self.desk)
        said = ran([bin / "daynight", "audit", "demo"], self.desk, codes=(1,))
        if "DISPUTED, 160 events" not in said or "Brutal Cathar" not in said:
            raise Refused(f"daynight audit demo printed\n{said}")
        ran([bin / "daynight", "demo"], self.desk, codes=(0, 1))
        self.say(f"installed {file.name} into a bare environment: {told.strip()}; demo and audit answer")
        return bin

    def bill(self, bin: Path) -> None:
        """Write the installed distributions of the environment of `bin` to sbom.json, and compare them with `pip list`.

        Raises:
            Refused: if sbom.json lacks a distribution that `pip list` prints.
        """
        tools = self.desk / "tools"
        ran([sys.executable, "-m", "venv", tools], self.desk)
        ran([tools / bin.name / "python", "-m", "pip", "install", "--quiet", "cyclonedx-bom>=6,<8"], self.desk)
        ran([tools / bin.name / "cyclonedx-py", "environment", "-o", INTO / "sbom.json", bin / "python"], self.desk)
        named = {one["name"].lower() for one in json.loads((INTO / "sbom.json").read_text("utf-8"))["components"]}
        listed = json.loads(ran([bin / "python", "-m", "pip", "list", "--format=json"], self.desk).splitlines()[0])
        lacking = {one["name"].lower() for one in listed} - named
        if lacking:
            raise Refused(f"sbom.json does not name {', '.join(sorted(lacking))}")
        self.say(f"sbom.json: {len(named)} components")

    def newcomer(self, *, whole: bool) -> None:
        """Unpack the source archive, and run `make demo` there, and with `whole` also `make test`."""
        place = self.desk / "unpacked"
        with tarfile.open(next(self.dist.glob("*.tar.gz"))) as archive:
            archive.extractall(place, filter="data")
        (source,) = place.iterdir()
        ran(["make", f"PYTHON={sys.executable}", "demo"], source, codes=(0, 1))
        self.say("make demo in the source archive: answers")
        if whole:
            said = ran(["make", f"PYTHON={sys.executable}", "JOBS=2", "test"], source)
            self.say(f"make test in the source archive: {SUMMED.findall(said)[-1].strip('= ')}")


def main(*given: str) -> int:
    """Rehearse a release; return 0, or print the reason why it can't continue and return 1."""
    parser = argparse.ArgumentParser(prog="python -m tests.packaging.release", description="Rehearse a release.")
    parser.add_argument("--whole", action="store_true")
    parser.add_argument("--tag", default="")
    asked = parser.parse_args(given)
    wrong = refusals(asked.tag)
    if wrong:
        print(*wrong, sep="\n")
        return 1
    with tempfile.TemporaryDirectory(prefix="daynight-release-") as folder:
        steps = Rehearsal(Path(folder))
        try:
            steps.build()
            steps.check()
            bin = steps.install(next(steps.dist.glob("*.whl")))
            steps.bill(bin)
            steps.install(next(steps.dist.glob("*.tar.gz")))
            steps.newcomer(whole=asked.whole)
        except Refused as refused:
            print(refused)
            return 1
    print(f"ready: {INTO.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
