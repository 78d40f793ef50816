"""`daynight key`: which key is one's own.

| promise | test |
| --- | --- |
| it is the key that signs, in full, and where its file is; verify --signer takes it | test_own_key |
| with --key FILE that of a file | test_another_file |
| where there is none yet: exit code 4, how one is made, and none is made | test_none_yet |
| --new makes one, for its owner alone; never over anything that is there | test_new, test_nothing_overwritten |
| what is no key, or may be read by others, is refused in one sentence | test_no_key |
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
    """The file of this user's own key."""
    (found,) = (folder / "home").rglob("key.pem")
    return found


def test_own_key(daynight, games):
    """What was signed was signed with it, and is not taken for another's."""
    ran = daynight("key")
    assert (0, "") == ran[::2]
    key, told = ran.out.splitlines()[0], " ".join(ran.out.split())
    # It is broken into lines, wherever they end.
    assert str(own(games)).replace(" ", "") in told.replace(" ", "")
    assert "verify --signer KEY" in told
    assert [{"key": key, "file": str(own(games)), "new": False}] == daynight("key", "--json").documents
    assert [key] == daynight("verify", "g1", "--json").documents[0]["signers"]
    for asked, code in ((key, 0), (key[:16], 0), ("0" * 16, 5)):
        assert code == daynight("verify", "--signer", asked).code


def test_another_file(daynight, games):
    """The one that an event was stored with."""
    assert 0 == daynight("record", "other", *map(json.dumps, (turn(2, "Di"), turn(3, "Cy"))), "--key", "club.pem").code
    (document,) = daynight("key", "--key", "club.pem", "--json").documents
    assert "club.pem" == document["file"]
    assert [document["key"]] == daynight("verify", "other", "--json").documents[0]["signers"]
    assert document["key"] != daynight("key").out.split()[0]


@pytest.mark.parametrize("json", [(), ("--json",)])
@pytest.mark.parametrize("file", [(), ("--key", "club.pem")])
def test_none_yet(daynight, folder, json, file):
    """Looking makes nothing."""
    ran = daynight("key", *file, *json)
    assert (4, []) == (ran.code, ran.documents)
    assert ran.error.endswith(".pem: no key yet; daynight key --new makes one, and so does whatever stores a game")
    assert [] == list(folder.iterdir())


@pytest.mark.parametrize("file", [(), ("--key", "club.pem")])
def test_new(daynight, folder, file):
    """From then on it is there."""
    (made,) = daynight("key", "--new", *file, "--json").documents
    assert made["new"] is True
    assert 0o600 == stat.S_IMODE(Path(made["file"]).stat().st_mode)
    assert [made | {"new": False}] == daynight("key", *file, "--json").documents


def test_nothing_overwritten(daynight, folder):
    """A key, something else, a folder, a link that leads nowhere."""
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
    """Exit code 2, as wherever a key is named."""
    (folder / "notes").write_text("mine")
    assert 0 == daynight("key", "--new", "--key", "club.pem").code
    (folder / "club.pem").chmod(0o644)
    for name, says in (("notes", "notes: no key: "), ("club.pem", "club.pem: others may read this key: ")):
        ran = daynight("key", "--key", name)
        assert (2, "", True) == (*ran[:2], ran.error.startswith(says)), ran


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
def test_endless(daynight, folder):
    """A pipe nobody writes into is not waited for, and a device that never ends is not read."""
    os.mkfifo(folder / "pipe")
    for name in ("pipe", "/dev/zero"):
        ran = daynight("key", "--key", name)
        assert (2, "", f"{name}: no key: no file\n") == ran


def test_private(daynight, folder):
    """In none of its spellings."""
    said = "".join(
        daynight("key", *more).out for more in (["--new"], [], ["--json"], ["--new", "--key", "a", "--json"])
    )
    for file in (own(folder), folder / "a"):
        private = load_pem_private_key(file.read_bytes(), None)
        raw = private.private_bytes(Encoding.Raw, PrivateFormat.Raw, NoEncryption())
        assert private.public_key().public_bytes_raw().hex() in said
        assert raw.hex() not in said
        assert file.read_text().splitlines()[1] not in said
