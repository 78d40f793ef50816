"""Audit every record of a folder, and print where the record and the rules disagree.

Run it as `python examples/audit.py [FOLDER]`.
"""

from __future__ import annotations

import sys
from pathlib import Path

from daynight.projections.audit.audit import Auditor
from daynight.records import Record

HERE = Path(__file__).resolve().parent


def main(folder: str = str(HERE / "games")) -> None:
    """Print a line for each record, with its verdict, and below it the claims and rulings that contradict the rules."""
    auditor = Auditor()
    for path in sorted(Path(folder).glob("*.jsonl")):
        found = auditor.record(Record(path))
        print(f"{path.name}: {found.verdict}")
        for finding in found.disputes:
            print(f"  {finding.sentence}")


if __name__ == "__main__":
    main(*sys.argv[1:])
