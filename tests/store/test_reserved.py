"""No store and no back-up is written over files of SQLite or of a key, or over private keys.

| promise | test |
| --- | --- |
| no store or back-up is made under a name that SQLite or a key uses, in any case, or by a link | test_no_store |
| an existing store under such a name is opened, unless another store would write to the same file | test_there |
| neither a private key nor what it remembers is replaced by a back-up | test_keys_stay |
| a key does not write its memory into a database | test_no_memory |
"""

import shutil
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from daynight.games import Store
from daynight.store import Key, SettingsError
from daynight.store.files.copies import backed_up, restored
from tests.rules.words import turn


@pytest.fixture
def path(tmp_path):
    """The path of a store with a back-up beside it, `copy.db`."""
    with Store.open(tmp_path / "games.db") as store:
        store.new("friday", ["Ana", "Bo"])
        backed_up(store.recorder, tmp_path / "copy.db")
    return tmp_path / "games.db"


def told(name):
    return f"no store: {'a key notes' if name.endswith('.heads') else 'SQLite keeps a part'}"


@pytest.mark.parametrize("name", ["games.db-wal", "other.db-journal", "GAMES.DB-SHM", "key.pem.heads", "link.db"])
def test_no_store(path, name):
    """A name of SQLite's or a key's files raises SettingsError: SQLite would take `x.db-wal` for the log of `x.db`."""
    where = path.with_name(name)
    if name == "link.db":
        where.symlink_to("games.db-wal")
    with pytest.raises(SettingsError, match=told(name)):
        Store.open(where)
    with pytest.raises(SettingsError, match=told(name)):
        restored(path.with_name("copy.db"), where)
    with Store.open(path) as store, pytest.raises(SettingsError, match=told(name)):
        backed_up(store.recorder, where)
    assert ["copy.db", "games.db"] == sorted(each.name for each in path.parent.iterdir() if not each.is_symlink())


def test_there(path):
    for name in ("diary-journal", "diary.heads"):
        where = Path(shutil.copy(path.with_name("copy.db"), path.with_name(name)))
        for _twice in range(2):
            with Store.open(where) as store:
                assert [("friday", 1)] == store.games()
    path.with_name("diary").touch()
    for name in ("diary-journal", "diary.heads"):
        with pytest.raises(SettingsError, match=told(name)):
            Store.open(path.with_name(name))


@pytest.mark.parametrize("form", ["PEM", "DER"])
def test_keys_stay(path, form):
    file = path.with_name("key.pem")
    key = Key.read(file)
    with Store.open(path, key=key) as store:
        store.append("friday", [turn(1)])
    if form == "DER":
        private = Ed25519PrivateKey.generate()
        file.write_bytes(private.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption()))
    for place in (file, key.memory):
        before = place.read_bytes()
        with pytest.raises(SettingsError, match=r"a private key, and it stays|a key notes"):
            restored(path.with_name("copy.db"), place)
        assert before == place.read_bytes()


def test_no_memory(path):
    memory = Path(shutil.copy(path, path.with_name("key.pem.heads")))
    before = memory.read_bytes()
    with (
        Store.open(path, key=Key.read(path.with_name("key.pem"))) as store,
        pytest.raises(SettingsError, match=r"key\.pem\.heads: a database"),
    ):
        store.append("friday", [turn(1)])
    assert before == memory.read_bytes()
