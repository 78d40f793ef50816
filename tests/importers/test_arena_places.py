"""The places where Arena's log is searched.

| promise | test |
| --- | --- |
| a log is found where Arena writes it: Windows, macOS, Steam, Wine, other prefixes | test_found |
| the newest log is used, preceded by that of the previous session | test_newest |
| without a log, the result lists the searched places | test_nothing |
"""

import os
from pathlib import Path

import pytest

from daynight.importers.arena import places
from daynight.importers.arena.places import find_logs

OURS = "Wizards Of The Coast/MTGA/Player.log"
APP = f"AppData/LocalLow/{OURS}"
STEAM = f"steamapps/compatdata/2141910/pfx/drive_c/users/steamuser/{APP}"


def put(path):
    path.parent.mkdir(parents=True)
    path.write_bytes(b"x")
    return path


@pytest.mark.parametrize("system, place, environment", [
    ("win32", APP, {}),
    ("win32", f"ana/{APP}", {"USERPROFILE": "ana"}),
    ("darwin", f"Library/Logs/{OURS}", {}),
    ("linux", f".steam/steam/{STEAM}", {}),
    ("linux", f".local/share/Steam/{STEAM}", {}),
    ("linux", f".var/app/com.valvesoftware.Steam/.local/share/Steam/{STEAM}", {}),
    ("linux", f".wine/drive_c/users/ana/{APP}", {}),
    ("linux", f"prefix/drive_c/users/ana/{APP}", {"WINEPREFIX": "prefix"}),
    ("linux", f"Games/arena/drive_c/users/ana/{APP}", {}),
    ("linux", f".local/share/Steam/steamapps/compatdata/99/pfx/drive_c/users/steamuser/{APP}", {}),
])  # fmt: skip
def test_found(tmp_path, system, place, environment):
    """A log is found in each usual place of its system; a folder with the name of a log is not taken."""
    there = {name: str(tmp_path / value) for name, value in environment.items()}
    assert () == find_logs(home=tmp_path, system=system, environment=there).logs
    path = put(tmp_path / place)
    found = find_logs(home=tmp_path, system=system, environment=there)
    assert (path,) == found.logs
    assert path in found.tried
    path.unlink()
    path.mkdir()
    assert () == find_logs(home=tmp_path, system=system, environment=there).logs


def test_newest(tmp_path):
    """The log with the newest modification time is found, after the log of the previous session, if there is one."""
    old, new = put(tmp_path / f".wine/drive_c/users/ana/{APP}"), put(tmp_path / f".local/share/Steam/{STEAM}")
    for older, newer in ((old, new), (new, old)):
        os.utime(older, (1_000, 1_000))
        os.utime(newer, (2_000, 2_000))
        assert (newer,) == find_logs(home=tmp_path, system="linux", environment={}).logs
    before = old.with_name("Player-prev.log")
    before.write_bytes(b"x")
    assert (before, old) == find_logs(home=tmp_path, system="linux", environment={}).logs


def test_nothing(tmp_path, monkeypatch):
    """Without a log, `tried` lists the searched paths; without a home folder, nothing is searched."""
    assert all(path.name == "Player.log" for path in find_logs(home=tmp_path, system="linux", environment={}).tried)
    assert 1 == len(find_logs(home=tmp_path, system="darwin", environment={}).tried)

    def nowhere():
        raise RuntimeError

    monkeypatch.setattr(places.Path, "home", nowhere)
    assert ((), ()) == find_logs(system="linux", environment={})
    assert isinstance(tmp_path, Path)
