"""The memory of the server.

| promise | test |
| --- | --- |
| large blocks return to the system when they are freed, also those below a block that stays | test_returned |
"""

import os
import platform
import subprocess
import sys

import pytest

PROGRAM = """
from pathlib import Path
from daynight.machine.memory import return_large_blocks
{called}
def megabytes():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / 2**20
# glibc raises its limit when it frees the first of these blocks.
del bytearray(8 * 2**20)[:]
before = megabytes()
held = []
for _round in range(8):
    large = [bytearray(6 * 2**20) for _block in range(4)]
    held.append(bytearray(100_000))
    del large
print(megabytes() - before)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="another C library is left as it is")
def test_returned():
    def grown(called):
        command = [sys.executable, "-c", PROGRAM.format(called=called)]
        # A Dask worker that was started in this process leaves settings of `malloc` in the environment.
        environment = {name: value for name, value in os.environ.items() if not name.startswith("MALLOC_")}
        run = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        return float(run.stdout)

    assert grown("return_large_blocks()") < 6
    # By its default the same program keeps the freed blocks.
    assert grown("") > 12
