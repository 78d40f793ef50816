"""A process that keeps a view in some version: `python -m tests.store.versions SETTINGS VERSION`.

SETTINGS are those of a store, as JSON. The process prints one line of JSON about the view; then, for each line on
standard input, it appends an event and prints the number of the last event, the view's value, and the error if there is
one.
"""

import json
import sys
from itertools import chain
from typing import Any

from daynight.store import ConflictError, Store
from daynight.store.database.settings import Settings
from tests.store.desk import FIRST, claimed

TIMES = {1: 1, 2: 10}
"""What a view adds to its value for each event, by the view's version."""


def counted(store: Store[Any, Any, Any], version: int) -> Any:
    times = TIMES[version]
    return store.view("counted", int, lambda value, moment, state: value + times, version=version)


def main(place: Settings, version: int) -> None:
    with Store(place, mechanic=FIRST) as store:
        view = None
        for line in chain([""], sys.stdin):
            try:
                if line:
                    store.append("main", [claimed("Emma")])
                else:
                    view = counted(store, version)
                error, rows = None, [] if view is None else view.rows()
            except ConflictError as refused:
                error, rows = str(refused), []
            print(json.dumps({"last": store.last("main"), "rows": rows, "error": error}), flush=True)


if __name__ == "__main__":
    main(Settings(**json.loads(sys.argv[1])), int(sys.argv[2]))
