"""A build and an audit in a process of their own: `python -m tests.corpus.killable SOURCE FOLDER RESULT WORKERS`."""

import sys
from functools import partial
from pathlib import Path

from daynight.corpus.building.build import build
from daynight.corpus.engines.local import spread
from daynight.corpus.judging.audit import AuditTask, audit
from daynight.corpus.sources import planning


def main() -> None:
    """Build a corpus with at most 3000 lines in a part, and audit it, with the given number of workers."""
    source, folder, result, workers = sys.argv[1:]
    vars(planning)["LINES"] = 3_000
    build([source], Path(folder), workers=int(workers))
    audit(AuditTask([folder]), Path(result), partial(spread, workers=int(workers)))


if __name__ == "__main__":
    main()
