"""Files that are never overwritten, and secrets that need not be on the command line.

| promise | test |
| --- | --- |
| -o never overwrites a database or SQLite's files beside one, existing or not | test_beside |
| -o never overwrites a private key, or the `.heads` file in which it notes what it signed | test_private_key |
| an export's proof, a backup and an import report never overwrite them either | test_elsewhere |
| public keys, and files that only have similar names, may be overwritten | test_others |
| DAYNIGHT_DB is the default of --db; empty it counts as unset | test_environment |
| a password need not be on the command line, and is never shown | test_password |
| the help names DAYNIGHT_DB and the password file | test_help |
"""

import shutil

import pytest

from daynight.games import Store
from tests.sampling import sampled

COMMANDS = [
    ["export", "g1"], ["export", "--all"], ["report", "g1.jsonl"], ["picture", "g1.jsonl"], ["stats", "g1.jsonl"],
    ["what-if", "g1.jsonl", "--drop", "4"], ["write", "g1.jsonl"], ["read", "g1.jsonl"],
]  # fmt: skip


def files(folder):
    """Return the content of each file in a folder and below, by path."""
    return {each: each.read_bytes() for each in folder.rglob("*") if each.is_file()}


@pytest.mark.wide(but=4)
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("ending", sampled(["-wal", "-shm", "-journal"], 3))
def test_beside(daynight, games, command, ending):
    """-o refuses SQLite's files beside a database with exit code 2: by a link too, and if they do not exist now."""
    (games / "link").symlink_to(f"daynight.db{ending}")
    with Store.open("daynight.db") as store:
        store.new("open", ["Ana"])
        before = files(games)
        assert (games / f"daynight.db{ending}").exists() is (ending != "-journal")
        for name in (f"daynight.db{ending}", "link"):
            ran = daynight(*command, "-o", name, "--db", "other.db")
            assert (2, "") == ran[:2], name
            assert f"{name} is a part of the database daynight.db, and is left to it" in ran.error
        assert before == files(games)
        # Somebody may have copied the log without the database: it may hold the last events.
        if ending == "-wal":
            shutil.copy("daynight.db-wal", "kept.jsonl")
            assert 2 == daynight(*command, "-o", "kept.jsonl", "--db", "other.db").code
    assert 2 == daynight(*command, "-o", f"daynight.db{ending}").code
    assert not (games / f"daynight.db{ending}").exists()


@pytest.mark.wide(but=4)
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_private_key(daynight, games, command):
    """-o refuses a private key of any kind, whatever its name, and a key's `.heads` file: exit code 2."""
    assert 0 == daynight("key", "--new", "--key", "club.jsonl").code
    (games / "ssh").write_text("-----BEGIN OPENSSH PRIVATE KEY-----\n")
    (games / "club.jsonl.heads").write_bytes(b"{}\n")
    (games / "link").symlink_to("home/daynight/key.pem")
    before = files(games)
    for name in (
        "club.jsonl",
        "club.jsonl.heads",
        "ssh",
        "link",
        "home/daynight/key.pem",
        "home/daynight/key.pem.heads",
    ):
        ran = daynight(*command, "-o", name)
        assert (2, "") == ran[:2], name
        assert f"{name} is a private key, or what one remembers, and stays as it is" in ran.error
    assert before == files(games)


def test_elsewhere(daynight, games):
    """The proof of `export`, a `backup` and the report of `import` do not overwrite a store or key: exit code 2."""
    assert 0 == daynight("key", "--new", "--key", "g1.out.proof").code
    before = files(games)
    assert 2 == daynight("export", "g1", "-o", "g1.out").code
    assert 2 == daynight("backup", "daynight.db-journal").code
    for name in ("daynight.db", "daynight.db-wal", "g1.out.proof"):
        assert 2 == daynight("import", "log.txt", "--from", "forge", "-o", "folder", "--report", name).code
    assert before == files(games)


def test_others(daynight, games):
    """A public key, or a file with only a similar name, may be overwritten."""
    (games / "public.pem").write_text("-----BEGIN PUBLIC KEY-----\n")
    for name in ("public.pem", "notes-wal", "g1.jsonl-journal", "notes.heads"):
        assert 0 == daynight("export", "g1", "-o", name).code, name


def test_environment(daynight, games, monkeypatch):
    """DAYNIGHT_DB is the default of --db, and --db overrides it; empty it counts as unset."""
    monkeypatch.setenv("DAYNIGHT_DB", "second.db")
    assert 0 == daynight("new", "g2", "Ana").code
    assert (games / "second.db").exists()
    assert ["g2"] == [game["game"] for game in daynight("list", "--json").documents[0]["games"]]
    assert 0 == daynight("replay", "db:g2").code
    assert 0 == daynight("replay", "db:g1", "--db", "daynight.db").code
    assert 4 == daynight("replay", "db:g1").code
    assert 2 == daynight("list", "--db", "").code
    monkeypatch.setenv("DAYNIGHT_DB", "")
    assert 0 == daynight("replay", "db:g1").code
    monkeypatch.setenv("DAYNIGHT_DB", "nothing://x")
    ran = daynight("list")
    assert (2, True) == (ran.code, "unknown kind of store 'nothing'" in ran.error)


def test_password(daynight, folder, monkeypatch):
    """No error shows a password that is in DAYNIGHT_DB or in a file; a file that others may read is refused."""
    monkeypatch.setenv("DAYNIGHT_DB", f"postgresql://ana:s3cr3t@/games?host={folder}&timeout=1")
    ran = daynight("list")
    assert (5, "") == ran[:2]
    assert "s3cr3t" not in ran.err
    (folder / "passwords").write_text("*:*:*:ana:s3cr3t\n")
    (folder / "passwords").chmod(0o644)
    ran = daynight("list", "--db", f"postgresql://ana@/games?host={folder}&passfile=passwords&timeout=1")
    assert (2, True) == (ran.code, "passfile=passwords: others may read it: chmod 600 it" in ran.error)
    (folder / "passwords").chmod(0o600)
    ran = daynight("list", "--db", f"postgresql://ana@/games?host={folder}&passfile=passwords&timeout=1")
    assert (5, "") == ran[:2]
    assert "s3cr3t" not in ran.err


@pytest.mark.parametrize("command", ["new", "record", "list", "export", "verify", "backup", "migrate"])
def test_help(daynight, command):
    """The help of each command that takes a store mentions DAYNIGHT_DB and the password file."""
    said = " ".join(daynight(command, "--help").out.split())
    assert "DAYNIGHT_DB in the environment" in said
    assert "password" in said
    assert "passfile=FILE" in said
