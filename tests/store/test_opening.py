"""Several processes may create a store on first use at the same time: all of them can open it."""

import sys

import pytest

from tests import processes
from tests.behaviour.games import ROOT

SEVERAL = """
import os, sys
from daynight.games import Store

failed = 0
for number in range(int(sys.argv[2])):
    children = []
    for child in range(6):
        if not (process := os.fork()):
            try:
                with Store.open(f"{sys.argv[1]}/{number}.db") as store:
                    store.games()
            except BaseException as error:
                print(type(error).__name__, error, file=sys.stderr, flush=True)
                os._exit(1)
            os._exit(0)
        children.append(process)
    failed += sum(os.waitpid(process, 0)[1] != 0 for process in children)
sys.exit(failed != 0)
"""


def at_once(folder, times):
    command = [sys.executable, "-c", SEVERAL, str(folder), str(times)]
    ran = processes.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")


def test_made_by_several(tmp_path):
    at_once(tmp_path, 2)


@pytest.mark.slow
def test_made_by_several_often(tmp_path):
    at_once(tmp_path, 300)
