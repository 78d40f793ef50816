"""The memory of a key is a file beside it; after any loss or failure it contains no head that was not stored.

| promise | test |
| --- | --- |
| FILE.heads has the last signed head (event, digest) of each game, readable by its owner alone | test_remembered |
| heads of rolled-back transactions are not remembered | test_taken_back |
| lost, torn or garbled last lines: an older head counts, and appends work | test_lost |
| other processes may add lines, replace the file or remove it meanwhile | test_meanwhile |
| a long file is compacted; forgetting a game keeps the lines of others | test_short, test_forgotten |
| if nothing can be remembered, nothing is signed or stored: one sentence | test_read_only, test_no_file |
| a link, a file that others can write to, or one far too long is refused, and left unchanged | test_not_its_own |
| a new key at the same path remembers nothing | test_another_key |
| a key has one memory under all its links | test_linked |
"""

import os
import stat
from contextlib import suppress

import pytest

from daynight.games import Store
from daynight.store import Head, Key, SettingsError
from daynight.store.proving.memory import LARGEST, MOST
from daynight.store.proving.proof import prove
from tests.sampling import sampled
from tests.store.read_only import CLOSINGS, given_to_nobody, open_folder

GAME = "friday"


@pytest.fixture
def file(tmp_path):
    """The path of a key."""
    path = tmp_path / "keys" / "key.pem"
    Key.read(path)
    return path


@pytest.fixture
def memory(file):
    """The path of the key's memory."""
    return file.with_name("key.pem.heads")


def head(number):
    return Head(number, bytes([number % 256] * 32))


def test_remembered(file, memory):
    """The key remembers the highest head of each game, in whatever order they come; so does the next process."""
    key = Key.read(file)
    assert key.remembered(GAME) is None
    for number in (3, 9, 7):
        key.remember(GAME, head(number))
    key.remember("größe ☾\n", head(1))
    key.settle()
    for each in (key, Key.read(file)):
        assert (each.remembered(GAME), each.remembered("größe ☾\n")) == (head(9), head(1))
        assert each.remembered("saturday") is None
    assert stat.S_IMODE(memory.stat().st_mode) == 0o600
    assert Key.generate().remembered(GAME) is None


def test_taken_back(file, tmp_path):
    """A head is remembered only after the commit: not inside the transaction, and not if it fails."""
    turns = [{"type": "turn-began", "turn": number, "active": ["Ana"]} for number in (1, 2)]
    key = Key.read(file)
    with Store.open(tmp_path / "games.db", key=key) as store:
        store.new(GAME, ["Ana", "Bo"])
        begun = store.head(GAME)
        with suppress(ZeroDivisionError), store.recorder.transaction(write=True):
            store.append(GAME, turns)
            assert store.recorder.signatures(GAME)
            assert Key.read(file).remembered(GAME) == begun
            raise ZeroDivisionError
        assert store.head(GAME) == begun
        assert Key.read(file).remembered(GAME) == begun
        store.append(GAME, turns)
        key.settle()
        assert Key.read(file).remembered(GAME) == Head(2, store.recorder.digest(GAME, 2) or b"")
        prove(store, GAME)
        head = store.head(GAME)
    # It is written at the latest when the store is closed.
    assert Key.read(file).remembered(GAME) == head


@pytest.mark.wide(but=5)
@pytest.mark.parametrize("left", sampled([0, 100, 1, 250, 400], 2))
@pytest.mark.parametrize("noise", [b"", b"\0" * 300, b'{"type":"signed"', b"\xff\n\n[]\n", b"\n"])
def test_lost(file, memory, tmp_path, left, noise):
    """After a crash the memory has only `left` bytes, followed by `noise`: appends still work."""
    with Store.open(tmp_path / "games.db", key=Key.read(file)) as store:
        store.new(GAME, ["Ana", "Bo"])
        for turn in range(1, 6):
            store.append(GAME, [{"type": "turn-began", "turn": turn, "active": ["Ana"]}])
    memory.write_bytes(memory.read_bytes()[:left] + noise)
    for turn in range(6, 9):
        with Store.open(tmp_path / "games.db", key=Key.read(file)) as store:
            store.append(GAME, [{"type": "turn-began", "turn": turn, "active": ["Ana"]}])
            found = Key.read(file).remembered(GAME)
            assert found is not None
            assert found.number == store.head(GAME).number - 1
            # Two writes are at least a quarter of a second apart: this one was the first.


def test_meanwhile(file, memory):
    """Each process uses the heads that the other one has added to the memory."""
    one, other = Key.read(file), Key.read(file)
    for number in range(1, 9):
        (one, other)[number % 2].remember(GAME, head(number))
        (one, other)[number % 2].settle()
        assert one.remembered(GAME) == other.remembered(GAME) == head(number)
    assert other.forget(GAME) == head(8)
    assert one.remembered(GAME) is None
    one.remember(GAME, head(4))
    one.settle()
    assert other.remembered(GAME) == head(4)
    memory.unlink()
    assert one.remembered(GAME) is None
    other.remember(GAME, head(5))
    other.settle()
    assert one.remembered(GAME) == head(5)


def test_short(file, memory, tmp_path):
    """Compaction leaves fewer than 20 lines; the last head of each game and another key's lines stay."""
    stranger = Key.read(tmp_path / "stranger.pem")
    key = Key.read(file)
    key.remember("other", head(3))
    stranger.remember(GAME, head(77))
    memory.write_bytes(memory.read_bytes() + (tmp_path / "stranger.pem.heads").read_bytes())
    for number in range(1, MOST + 10):
        key.remember(GAME, head(number))
        key.settle()
    assert memory.read_bytes().count(b"\n") < 20
    assert b'"event":77' in memory.read_bytes()
    again = Key.read(file)
    assert (again.remembered(GAME), again.remembered("other")) == (head(MOST + 9), head(3))
    assert stat.S_IMODE(memory.stat().st_mode) == 0o600
    assert sorted(each.name for each in memory.parent.iterdir()) == ["key.pem", "key.pem.heads"]


def test_forgotten(file, memory):
    """Forgetting one game keeps all others."""
    key = Key.read(file)
    key.remember(GAME, head(9))
    key.remember("saturday", head(5))
    key.settle()
    assert key.forget(GAME) == head(9)
    assert key.forget(GAME) is None
    for each in (key, Key.read(file)):
        assert (each.remembered(GAME), each.remembered("saturday")) == (None, head(5))
    key.remember(GAME, head(2))
    key.settle()
    assert Key.read(file).remembered(GAME) == head(2)


@pytest.mark.parametrize("closed", CLOSINGS.values(), ids=CLOSINGS)
@pytest.mark.parametrize("there", [True, False])
def test_read_only(closed, there):
    """If the key's folder is read-only, storing with the key raises SettingsError, and nothing is stored."""
    with open_folder() as folder, Store.open("memory:") as store:
        key = Key.read(folder / "key.pem")
        if there:
            key.remember("saturday", head(1))
        given_to_nobody(*folder.iterdir())
        with closed(folder) as place:
            # The memory belongs to one user, as a key does.
            key = Key(key._private, place / "key.pem")
            store.recorder.signer = key
            with pytest.raises(SettingsError) as caught:
                store.new(GAME, ["Ana", "Bo"])
            assert str(caught.value).startswith(f"{place / 'key.pem.heads'}: ")
            assert "a key remembers there what it has signed, and signs nothing without" in str(caught.value)
            assert "\n" not in str(caught.value)
            assert store.games() == []


def test_no_file(file, memory):
    """If a folder or a pipe is in the place of the memory, reading what the key remembers raises a SettingsError."""
    memory.mkdir()
    with pytest.raises(SettingsError, match=r"key\.pem\.heads: .*signs nothing without"):
        Key.read(file).remembered(GAME)
    if hasattr(os, "mkfifo"):
        memory.rmdir()
        os.mkfifo(memory)
        with pytest.raises(SettingsError, match=r"key\.pem\.heads: no file"):
            Key.read(file).remembered(GAME)


def test_not_its_own(file, memory):
    """The memory is refused while it is a link, writable by others or too long; repaired, it is used again."""
    key = Key.read(file)
    key.remember(GAME, head(9))
    key.settle()
    elsewhere = memory.with_name("elsewhere")
    memory.rename(elsewhere)
    kept = elsewhere.read_bytes()
    memory.symlink_to(elsewhere)
    with pytest.raises(SettingsError, match=r"key\.pem\.heads: no file; .*signs nothing without"):
        Key.read(file).remembered(GAME)
    assert elsewhere.read_bytes() == kept
    elsewhere.rename(memory)
    for mode in (0o620, 0o602):
        memory.chmod(mode)
        with pytest.raises(SettingsError, match=r"key\.pem\.heads: others may write to it"):
            Key.read(file).remembered(GAME)
    memory.chmod(0o644)
    assert Key.read(file).remembered(GAME) == head(9)
    os.truncate(memory, LARGEST + len(kept) + 1)
    with pytest.raises(SettingsError, match=r"key\.pem\.heads: more than \d+ bytes"):
        Key.read(file).remembered(GAME)


def test_another_key(file):
    """The memory of a deleted key does not count for a new one."""
    Key.read(file).remember(GAME, head(9))
    file.unlink()
    new = Key.read(file)
    assert new.remembered(GAME) is None
    new.remember(GAME, head(1))
    assert Key.read(file).remembered(GAME) == head(1)


def test_linked(file, tmp_path):
    """A key that is reached through a link uses the same memory."""
    link = tmp_path / "mine.pem"
    link.symlink_to(file)
    Key.read(link).remember(GAME, head(9))
    assert Key.read(file).remembered(GAME) == head(9)
    assert not (tmp_path / "mine.pem.heads").exists()
