"""`daynight key`: prints one's own public key.

| promise | test |
| --- | --- |
| it prints the whole public key and its file's path; verify --signer accepts it | test_own_key |
| with --key FILE it prints the public key of that file | test_another_file |
| without a key: exit code 4 and how to make one; none is made | test_none_yet |
| --new makes one, readable by its owner alone; it never overwrites | test_new, test_nothing_overwritten |
| an invalid key, or one that others can read, is refused in one sentence | test_no_key |
| the private half is never printed | test_private |
"""

import json
import os
import stat
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, load_pem_private_key

from tests.rules.words import turn


def own(folder):
    """Return the path of the one key in the home folder."""
    (found,) = (folder / "home").rglob("key.pem")
    return found


def test_own_key(daynight, games):
    """verify --signer accepts the printed key and its beginning, and gives exit code 5 for another one."""
    ran = daynight("key")
    assert (0, "") == ran[::2]
    key, told = ran.out.splitlines()[0], " ".join(ran.out.split())
    # The key may be broken into several lines.
    assert str(own(games)).replace(" ", "") in told.replace(" ", "")
    assert "verify --signer KEY" in told
    assert [{"key": key, "file": str(own(games)), "new": False}] == daynight("key", "--json").documents
    assert [key] == daynight("verify", "g1", "--json").documents[0]["signers"]
    for asked, code in ((key, 0), (key[:16], 0), ("0" * 16, 5)):
        assert code == daynight("verify", "--signer", asked).code


def test_another_file(daynight, games):
    """`key --key club.pem` prints the public key that signed the events recorded with --key club.pem."""
    assert 0 == daynight("record", "other", *map(json.dumps, (turn(2, "Di"), turn(3, "Cy"))), "--key", "club.pem").code
    (document,) = daynight("key", "--key", "club.pem", "--json").documents
    assert "club.pem" == document["file"]
    assert [document["key"]] == daynight("verify", "other", "--json").documents[0]["signers"]
    assert document["key"] != daynight("key").out.split()[0]


@pytest.mark.parametrize("json", [(), ("--json",)])
@pytest.mark.parametrize("file", [(), ("--key", "club.pem")])
def test_none_yet(daynight, folder, json, file):
    """Without a key the exit code is 4, the error names `key --new`, and no key is made."""
    ran = daynight("key", *file, *json)
    assert (4, []) == (ran.code, ran.documents)
    assert ran.error.endswith(".pem: no key yet; daynight key --new makes one, and so does whatever stores a game")
    assert [] == list(folder.iterdir())


@pytest.mark.parametrize("file", [(), ("--key", "club.pem")])
def test_new(daynight, folder, file):
    """--new makes a key with mode 0600, and reports it as new; later it is not new."""
    (made,) = daynight("key", "--new", *file, "--json").documents
    assert made["new"] is True
    assert 0o600 == stat.S_IMODE(Path(made["file"]).stat().st_mode)
    assert [made | {"new": False}] == daynight("key", *file, "--json").documents


def test_nothing_overwritten(daynight, folder):
    """--new gives exit code 2 and changes nothing if a key, another file, a folder or a broken link is there."""
    assert 0 == daynight("key", "--new", "--key", "club.pem").code
    (folder / "notes").write_text("mine")
    (folder / "folder").mkdir()
    (folder / "link").symlink_to(folder / "nowhere")
    before = (folder / "club.pem").read_bytes()
    for name in ("club.pem", "notes", "folder", "link"):
        ran = daynight("key", "--new", "--key", name)
        assert (2, "") == ran[:2], name
        assert ran.error.startswith(f"{name}: ") or ran.error.startswith("daynight key: invalid value for '--key'")
    assert (before, "mine") == ((folder / "club.pem").read_bytes(), (folder / "notes").read_text())
    assert not (folder / "nowhere").exists()


def test_no_key(daynight, folder):
    """A file that is no key, and a key that others may read, give exit code 2 and one sentence."""
    (folder / "notes").write_text("mine")
    assert 0 == daynight("key", "--new", "--key", "club.pem").code
    (folder / "club.pem").chmod(0o644)
    for name, says in (("notes", "notes: no key: "), ("club.pem", "club.pem: others may read this key: ")):
        ran = daynight("key", "--key", name)
        assert (2, "", True) == (*ran[:2], ran.error.startswith(says)), ran


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
def test_endless(daynight, folder):
    """A pipe without a writer and an endless device give exit code 2 at once."""
    os.mkfifo(folder / "pipe")
    for name in ("pipe", "/dev/zero"):
        ran = daynight("key", "--key", name)
        assert (2, "", f"{name}: no key: no file\n") == ran


def test_private(daynight, folder):
    """No output contains the private key, as hex digits or as in its file."""
    said = "".join(
        daynight("key", *more).out for more in (["--new"], [], ["--json"], ["--new", "--key", "a", "--json"])
    )
    for file in (own(folder), folder / "a"):
        private = load_pem_private_key(file.read_bytes(), None)
        raw = private.private_bytes(Encoding.Raw, PrivateFormat.Raw, NoEncryption())
        assert private.public_key().public_bytes_raw().hex() in said
        assert raw.hex() not in said
        assert file.read_text().splitlines()[1] not in said
