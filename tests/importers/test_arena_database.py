"""Arena's own card database, found in its installation.

| promise | test |
| --- | --- |
| the database is found at the path in the log, with any slashes, or in each system's default folder | test_found |
| the newest database is used; never a special file or one of another name | test_newest, test_no_database |
| a log can't redirect the search to a network, a parent or another folder | test_led_astray |
| import uses the database's names and says so; --cards has priority | test_import, test_import_with_cards |
| an unreadable database is noted, and the import continues | test_unreadable |
"""

import os
import sqlite3
import sys

import pytest

from daynight.importers.arena.database import find_database
from tests import processes
from tests.importers.arena_logs import HAWK, Game, Log, csv_table

COMMON = "steamapps/common/MTGA/MTGA_Data/Downloads/Raw"
OWN = "Program Files/Wizards of the Coast/MTGA/MTGA_Data/Downloads/Raw"
LINE = (
    "[UnityCrossThreadLogger]Loading SqlLocalizationManager from file: {}Raw_ClientLocalization_61375f85.mtga {{}}\r\n"
)


def database(folder, name="Raw_CardDatabase_0123abcd.mtga", cards=((HAWK, "Healer's Hawk"),)):
    """Write a database like Arena's with these cards, and return its path."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    with sqlite3.connect(path) as made:
        made.execute("CREATE TABLE Cards (GrpId INTEGER PRIMARY KEY, TitleId INTEGER, IsToken INTEGER)")
        made.execute("CREATE TABLE Localizations_enUS (LocId INTEGER, Formatted INTEGER, Loc TEXT)")
        for title, (number, card) in enumerate(cards):
            made.execute("INSERT INTO Cards VALUES (?, ?, 0)", (number, title))
            made.execute("INSERT INTO Localizations_enUS VALUES (?, 1, ?)", (title, card))
    made.close()
    return path


def said(folder):
    return LINE.format(folder).encode()


@pytest.mark.parametrize("system, head, log, where", [
    ("linux", "{tmp}/own/Downloads/Raw/", "x/Player.log", "own/Downloads/Raw"),
    ("linux", "{tmp}/own/MTGA_Data\\Downloads\\Raw\\", "x/Player.log", "own/MTGA_Data/Downloads/Raw"),
    ("linux", "C:/" + OWN.replace("/D", "\\D") + "\\", "p/drive_c/users/me/Player.log", f"p/drive_c/{OWN}"),
    ("linux", "C:/" + OWN + "/", "x/Player.log", f"home/.wine/drive_c/{OWN}"),
    ("linux", "", "s/steamapps/compatdata/2141910/pfx/drive_c/users/Player.log", f"s/{COMMON}"),
    ("linux", "", "x/Player.log", f"home/.steam/steam/{COMMON}"),
    ("linux", "", "x/Player.log", f"home/.local/share/Steam/{COMMON}"),
    ("linux", "", "x/Player.log", f"home/.local/share/Steam/steamapps/compatdata/7/pfx/drive_c/{OWN}"),
    ("darwin", "", "x/Player.log", "home/Library/Application Support/com.wizards.mtga/Downloads/Raw"),
    ("darwin", "", "x/Player.log", f"home/Library/Application Support/Steam/{COMMON}"),
    (
        "darwin", "<user-path>/com.wizards.mtga/Downloads/Raw/", "x",
        f"home/Library/Application Support/Steam/{COMMON}",
    ),
])  # fmt: skip
def test_found(tmp_path, system, head, log, where):
    """The database is found by the path in the log, or in the system's default folders below the home folder."""
    made = database(tmp_path / where)
    head = said(head.format(tmp=tmp_path)) if head else b"DETAILED LOGS: ENABLED\r\n"
    found = find_database(head, tmp_path / log, home=tmp_path / "home", system=system)
    assert found is not None
    assert made.samefile(found)
    assert find_database(head, tmp_path / log, home=tmp_path / "other", system=system) is None or "home" not in where


def test_newest(tmp_path):
    """The newest database is chosen by modification time."""
    raw = tmp_path / "Downloads/Raw"
    old, new = database(raw, "Raw_CardDatabase_ff.mtga"), database(raw, "Raw_CardDatabase_00.mtga")
    os.utime(old, (1_000, 1_000))
    assert new == find_database(said(f"{raw}/"), tmp_path / "Player.log", home=tmp_path, system="linux")
    os.utime(new, (500, 500))
    assert old == find_database(said(f"{raw}/"), tmp_path / "Player.log", home=tmp_path, system="linux")


@pytest.mark.parametrize(
    "name", ["Raw_CardDatabase_.mtga", "Raw_CardDatabase_0.mtga.tmp", "Raw_cards_00.mtga", "a.mtga"]
)
def test_no_database(tmp_path, name):
    """A pipe, a folder or a file of another name is not taken: reading a pipe would block for ever."""
    raw = tmp_path / "Downloads/Raw"
    database(raw, name)
    os.mkfifo(raw / "Raw_CardDatabase_11.mtga")
    (raw / "Raw_CardDatabase_22.mtga").mkdir()
    assert find_database(said(f"{raw}/"), tmp_path / "Player.log", home=tmp_path, system="linux") is None


@pytest.mark.parametrize("folder", [
    "//server{tmp}/Downloads/Raw/", "\\\\server\\share\\Downloads\\Raw\\", "{tmp}/x/../Downloads/Raw/",
    "{tmp}/Downloads/", "Downloads/Raw/", "{tmp}/Downloads/Raw/\r\n", "{tmp}/\0/Downloads/Raw/",
])  # fmt: skip
def test_led_astray(tmp_path, folder, monkeypatch):
    """A folder in the log that leads elsewhere is not searched: `find_database` returns None."""
    monkeypatch.chdir(tmp_path)
    database(tmp_path / "Downloads/Raw")
    (tmp_path / "x").mkdir()
    head = said(folder.format(tmp=tmp_path))
    assert find_database(head, tmp_path / "Player.log", home=tmp_path / "home", system="linux") is None


def imported(tmp_path, *arguments):
    """Run `daynight import` on a log in which a hawk is cast, with `tmp_path` as home folder; return the process."""
    log = Log()
    raw = tmp_path / "Arena/Downloads/Raw"
    log.lines.insert(1, said(f"{raw}/").decode().strip())
    game = Game(log)
    game.begin()
    game.resolve(game.cast(1, HAWK))
    game.over()
    (tmp_path / "Player.log").write_bytes(log.bytes())
    command = [sys.executable, "-m", "daynight", "import", "Player.log", *arguments]
    environment = {**os.environ, "HOME": str(tmp_path), "LANGUAGE": "en"}
    return processes.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)


def test_import(tmp_path):
    """The record has the names of the database, and standard error says where it was found."""
    path = database(tmp_path / "Arena/Downloads/Raw")
    ran = imported(tmp_path)
    assert 0 == ran.returncode
    assert "Healer's Hawk" in ran.stdout
    assert f"cards: named by {path}, which was found on this machine\n" in ran.stderr


@pytest.mark.slow
def test_import_with_cards(tmp_path):
    """The report as JSON names the database; a table given with --cards replaces it."""
    path = database(tmp_path / "Arena/Downloads/Raw")
    assert f'"table":"{path}"' in imported(tmp_path, "--json").stdout.replace('": "', '":"')
    (tmp_path / "cards.csv").write_bytes(csv_table().replace(b"Healer's Hawk", b"My own hawk"))
    ran = imported(tmp_path, "--cards", "cards.csv")
    assert "My own hawk" in ran.stdout
    assert "found on this machine" not in ran.stderr


def test_unreadable(tmp_path):
    """An unreadable database is only noted, even in a strict import, because cards of day and night are known without
    it."""
    path = database(tmp_path / "Arena/Downloads/Raw")
    path.write_bytes(path.read_bytes()[:5_000] + b"x" * 5_000)
    ran = imported(tmp_path, "--strict", "-o", "games")
    assert f"note: {path}:1: a card table was found on this machine, and can't be read" in ran.stdout
    assert (0, True) == (ran.returncode, (tmp_path / "games/a1b2-G1.jsonl").exists())
