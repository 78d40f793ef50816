"""The lowest versions that pyproject.toml allows, as constraints for pip.

python tests/packaging/lowest.py > lowest.txt
python3.11 -m venv lowest && lowest/bin/python -m pip install --editable '.[test]' --constraint lowest.txt

If the lowest version does not work on a newer Python, pyproject.toml names a higher one for that Python, with a marker
such as `; python_version >= '3.14'`.
"""

import re
import tomllib
from collections.abc import Iterable
from itertools import chain
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NEEDED = re.compile(r"(?P<name>[\w.-]+)(\[[^]]*])?>=(?P<version>[\w.]+)[^;]*(?P<marker>;.*)?")


def declared() -> set[str]:
    """Return the requirements in pyproject.toml: those of daynight and of all its extras, without `daynight[...]`."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    needed = {*chain(project["dependencies"], *project["optional-dependencies"].values())}
    return {each for each in needed if not each.startswith("daynight[")}


def lowest(needed: Iterable[str]) -> list[str]:
    """Return a pip constraint, `NAME==VERSION` with its marker, for each requirement `NAME>=VERSION`; sorted.

    Raises:
        ValueError: if a requirement does not begin with `NAME>=VERSION`.
    """
    return [_lowest(each) for each in sorted(needed)]


def _lowest(needed: str) -> str:
    found = NEEDED.fullmatch(needed)
    if found is None:
        raise ValueError(f"pyproject.toml: {needed} has no lowest version; write NAME>=VERSION")
    return f"{found['name']}=={found['version']}{found['marker'] or ''}"


if __name__ == "__main__":
    print(*lowest(declared()), sep="\n")
