"""Keys: one for each user, readable by its owner alone; a signature proves no more than that its key was used."""

import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)

from daynight.games import Store
from daynight.store import Key, SettingsError, verify_store
from daynight.store.proving.keys import attested
from tests import processes
from tests.store.victim import KEY, STRANGER

ROOT = Path(__file__).resolve().parents[2]
DIGEST = bytes(range(32))


def test_made_once(tmp_path):
    """A key is created with its folder if there is none, readable by its owner alone; afterwards it is read."""
    path = tmp_path / "folder" / "key.pem"
    mask = os.umask(0)
    try:
        key = Key.read(path)
    finally:
        os.umask(mask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert Key.read(path).key == key.key
    assert [each.name for each in path.parent.iterdir()] == ["key.pem"]
    assert len(key.key) == 32
    assert Key.generate().key != key.key


def test_left_behind(tmp_path):
    """Leftover files of a killed process are not in the way."""
    path = tmp_path / "key.pem"
    path.with_name(f"key.pem.{os.getpid()}").write_text("half a")
    assert Key.read(path).key == Key.read(path).key


def test_threads_at_once(tmp_path):
    found = []
    threads = [threading.Thread(target=lambda: found.append(Key.read(tmp_path / "key.pem").key)) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(found), len(set(found))) == (16, 1)


def test_processes_at_once(tmp_path):
    """Two processes that create a key at the same time get the same one."""
    program = (
        "import sys, time; from pathlib import Path; from daynight.store.proving.keys import Key\n"
        "print('ready', flush=True); sys.stdin.readline(); print(Key.read(Path(sys.argv[1])).key.hex())"
    )
    command = [sys.executable, "-c", program, str(tmp_path / "key.pem")]
    how = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "env": {**os.environ, "PYTHONPATH": str(ROOT)}}
    running = [processes.Popen(command, text=True, **how) for _ in range(2)]
    for process in running:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in running:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    assert {process.communicate()[0] for process in running} == {Key.read(tmp_path / "key.pem").key.hex() + "\n"}


def pem(key, password=b""):
    encryption = BestAvailableEncryption(password) if password else NoEncryption()
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, encryption)


WRONG = {
    "empty": b"", "a text": b"not a key\n", "noise": bytes(range(256)), "cut": pem(Ed25519PrivateKey.generate())[:60],
    "of another kind": pem(ec.generate_private_key(ec.SECP256R1())),
    "with a password": pem(Ed25519PrivateKey.generate(), b"secret"),
    "a public key": Ed25519PrivateKey.generate()
    .public_key()
    .public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo),
    "raw": bytes(32),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_wrong_files(tmp_path, name):
    """A file that contains no key is refused in one sentence, and left unchanged."""
    path = tmp_path / "key.pem"
    path.write_bytes(WRONG[name])
    with pytest.raises(SettingsError) as caught:
        Key.read(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert "\n" not in str(caught.value)
    assert path.read_bytes() == WRONG[name]


def test_wrong_places(tmp_path):
    """A path where no file can be is refused."""
    (tmp_path / "file").touch()
    (tmp_path / "dangling").symlink_to(tmp_path / "nothing" / "there")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    for name in (".", "file/key.pem", "dangling", "loop", "x" * 300, "zero\0byte"):
        with pytest.raises(SettingsError):
            Key.read(tmp_path / name)


def test_signatures():
    """A signature is valid only for its key and for exactly what was signed."""
    signature = KEY.sign("friday", 8, DIGEST)
    assert attested(KEY.key, signature, "friday", 8, DIGEST)
    for key, sign, game, number, digest in (
        (STRANGER.key, signature, "friday", 8, DIGEST),
        (KEY.key, STRANGER.sign("friday", 8, DIGEST), "friday", 8, DIGEST),
        (KEY.key, signature, "saturday", 8, DIGEST),
        (KEY.key, signature, "friday", 9, DIGEST),
        (KEY.key, signature, "friday", 8, bytes(32)),
        (KEY.key, signature[:-1], "friday", 8, DIGEST),
        (KEY.key, signature + b"\0", "friday", 8, DIGEST),
        (KEY.key, b"", "friday", 8, DIGEST),
        (KEY.key, bytes(64), "friday", 8, DIGEST),
        (b"", signature, "friday", 8, DIGEST),
        (KEY.key[:-1], signature, "friday", 8, DIGEST),
        (bytes([255] * 32), signature, "friday", 8, DIGEST),
    ):
        assert not attested(key, sign, game, number, digest)


WEAK = bytes([1]) + bytes(31)
"""The curve point of order 1: with it as key, the signature (R the same point, S = 0) is valid for every text."""


def test_small_order(kept):
    """No signature by a key of small order is valid, though OpenSSL accepts it; verify reports it in a store."""
    forged = WEAK + bytes(32)
    assert not attested(WEAK, forged, "friday", 1, DIGEST)
    with Store(kept) as store:
        store.new("friday", ["Ana", "Bo"])
        with store.recorder.transaction(write=True) as cursor:
            store.recorder.add_signature(cursor, "friday", 1, WEAK, forged)
        (found,) = verify_store(store)
        assert found.fault is not None
        assert "signature" in found.fault.sentence
