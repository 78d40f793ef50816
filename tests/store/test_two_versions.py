"""Two processes with two versions of a view on one store: the table never goes back to the older version.

| promise | test |
| --- | --- |
| 100 restarts of both, each with an append: the newer version has all rows, the older is refused | test_restarts |
| an older process that is already running still appends, and leaves the table alone | test_restarts |
"""

import json
import subprocess
import sys
from dataclasses import asdict

import pytest

from daynight.store import Store, verify_store
from tests.processes import Popen
from tests.store.desk import FIRST, opened, write
from tests.store.versions import TIMES, counted

RESTARTS = 100


class Keeper:
    """A process that runs one version of the view."""

    def __init__(self, place, version):
        arguments = [sys.executable, "-m", "tests.store.versions", json.dumps(asdict(place)), str(version)]
        self._process = Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.began = self._answer()

    def append(self):
        self._process.stdin.write("append\n")
        self._process.stdin.flush()
        return self._answer()

    def _answer(self):
        return json.loads(self._process.stdout.readline())

    def end(self):
        self._process.communicate(timeout=30)
        assert self._process.returncode == 0


def rows(last, version):
    return [{"game": "main", "events": last, "value": last * TIMES[version]}]


@pytest.mark.slow
def test_restarts(kept):
    write(kept, FIRST, [opened()])
    lasting = Keeper(kept, 1)
    assert (rows(1, 1), rows(2, 1)) == (lasting.began["rows"], lasting.append()["rows"])
    last = 2
    for restart in range(RESTARTS):
        version = 2 - restart % 2
        keeper = Keeper(kept, version)
        told = [keeper.began, keeper.append()]
        keeper.end()
        last += 1
        assert [last - 1, last] == [one["last"] for one in told]
        if version == 2:
            assert [(None, rows(last - 1, 2)), (None, rows(last, 2))] == [(one["error"], one["rows"]) for one in told]
        else:
            assert "newer code keeps the view counted, in version 2; this is 1" in told[0]["error"]
            assert (None, []) == (told[1]["error"], told[1]["rows"])
        if restart % 10 == 9:
            last += 1
            old = lasting.append()
            assert (last, []) == (old["last"], old["rows"])
            assert "the view counted has been made anew in another version" in old["error"]
    lasting.end()
    with Store(kept, mechanic=FIRST) as store:
        view = counted(store, 2)
        assert (None, rows(last, 2)) == (view.replaced, view.rows())
        assert [None] == [found.fault for found in verify_store(store)]
