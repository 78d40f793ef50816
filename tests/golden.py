"""Golden files: each expected output is in one file beside the tests; `make golden` rewrites it.

A test asserts facts. The words of a sentence, a table or a report are in a golden file: after changing them, run `make
golden` and read the diff.
"""

import os
from collections.abc import Iterable
from pathlib import Path

__all__ = ["RENEW", "golden"]

ROOT = Path(__file__).resolve().parents[1]
RENEW = "DAYNIGHT_GOLDEN"
"""The environment variable that makes the tests write the golden files, if its value is `write`."""


def golden(path: Path, told: str | Iterable[str]) -> None:
    """Assert that the golden file at `path` holds `told`, a text or lines; with RENEW set, write the file first.

    Most golden files lie in a folder `golden` beside the test: `golden(GOLDEN / "refusals.txt", lines)`.
    """
    found = told if isinstance(told, str) else "".join(f"{line}\n" for line in told)
    if os.environ.get(RENEW) == "write":
        path.parent.mkdir(exist_ok=True)
        path.write_text(found, encoding="utf-8")
    expected = path.read_text(encoding="utf-8") if path.exists() else ""
    assert expected == found, f"{path.relative_to(ROOT)} is no longer what is said; if it should be: make golden"
