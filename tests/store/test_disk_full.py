"""The disk fills up during appends: a clear error, no acknowledged event lost, and appends work once there is room.

| promise | test |
| --- | --- |
| if no file can grow, appends fail and reading works; with room, writing works too | test_file_cannot_grow |
| the same on a real small disk, if this machine can mount one | test_disk_is_full |
| a store on a disk without any room cannot be opened, and is not called damaged | test_no_room_to_open |
| on the command line: one line, exit code 5, nothing stored | test_command_line |
"""

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from subprocess import PIPE

import pytest

from daynight.games import Store
from daynight.store.errors import UnavailableError
from tests import processes
from tests.commands.conftest import complaints
from tests.sampling import sampled

from .acknowledged import Told, began, found, intact
from .read_only import NO_MOUNT

pytestmark = pytest.mark.skipif(find_spec("resource") is None, reason="Windows can't limit the size of a file")

GAME = "friday"
ROOT = Path(__file__).resolve().parents[2]
MORE = 40
"""Commands sent after there is room again."""


def filled(database, limit, make_room):
    """Run a writer into a full disk, make room, check its acknowledgements; return its reports: error, heads."""
    arguments = [sys.executable, "-m", "tests.store.filling", str(database), str(limit), str(MORE)]
    with processes.Popen(arguments, cwd=ROOT, text=True, stdin=PIPE, stdout=PIPE, bufsize=1) as writer:
        assert writer.stdin is not None
        assert writer.stdout is not None
        told = []
        while len([each for each in told if "head" in each]) < 2:
            told.append(json.loads(writer.stdout.readline()))
        make_room()
        writer.stdin.write("\n")
        writer.stdin.flush()
        told += map(json.loads, writer.stdout)
    assert writer.returncode == 0
    acknowledged = [Told(GAME, each["command"], each["first"], each["last"]) for each in told if "command" in each]
    seen = found(database, acknowledged)
    assert seen.faults == (0, 0, 0)
    assert seen.commands == len(acknowledged) + 2
    with Store.open(database) as store:
        assert intact(store)
    assert [each.command for each in acknowledged] == [f"c-{number + 1}" for number in range(len(acknowledged))]
    assert len(acknowledged) > MORE
    return [each for each in told if "command" not in each]


def refused_clearly(error, *stood):
    assert error["error"] == "UnavailableError"
    assert "send it again as command c-" in error["sentence"]
    assert "\n" not in error["sentence"]
    for each in stood:
        assert each["head"] == each["read"] > 2


def test_file_cannot_grow(tmp_path):
    refused_clearly(*filled(tmp_path / "full.db", 150_000, lambda: None))


def mount(*arguments):
    subprocess.run(["mount", "-t", "tmpfs", *arguments], check=True, capture_output=True)


@pytest.fixture
def disk(tmp_path):
    """A mounted disk of two mebibytes."""
    place = tmp_path / "disk"
    place.mkdir()
    try:
        mount("-o", "size=2M", "daynight", str(place))
    except (OSError, subprocess.CalledProcessError):
        pytest.skip(NO_MOUNT)
    yield place
    subprocess.run(["umount", str(place)], check=True)


def test_disk_is_full(disk):
    ballast = disk / "ballast"
    ballast.write_bytes(bytes(3 * 2**19))
    error, *stood = filled(disk / "full.db", 0, ballast.unlink)
    refused_clearly(error, *stood)
    assert "full" in error["sentence"]


def test_no_room_to_open(disk):
    database = disk / "full.db"
    with Store.open(database) as store:
        began(store, GAME)
    ballast = disk / "ballast"
    with pytest.raises(OSError, match="No space left"):
        ballast.write_bytes(bytes(2**22))
    with pytest.raises(UnavailableError):
        Store.open(database)
    ballast.unlink()
    with Store.open(database) as store:
        assert store.head(GAME).number == 2


LIMITED = """
import resource, sys
from daynight.cli import main
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), resource.RLIM_INFINITY))
sys.argv[1:] = sys.argv[2:]
sys.exit(main())
"""


@pytest.mark.parametrize("limit", sampled([40_000, 10_000], 2), ids=["nothing can be written", "nothing can be opened"])
def test_command_line(tmp_path, limit):
    database = tmp_path / "full.db"
    with Store.open(database) as store:
        began(store, GAME)
    event = json.dumps({"type": "spell-cast", "player": "Ana", "note": "x" * 60_000})
    done = processes.run(
        [sys.executable, "-c", LIMITED, str(limit), "record", GAME, "--db", str(database), event],
        env=os.environ
        | {"HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path), "PYTHONPATH": str(ROOT)}
        | {"PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (5, "") == (done.returncode, done.stdout)
    assert complaints(done.stderr).count("\n") == 1
    assert "does not answer" in done.stderr
    assert found(database, []).events == 2
