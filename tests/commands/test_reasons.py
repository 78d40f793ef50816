"""The operating system's error messages are translated.

| promise | test |
| --- | --- |
| each command prints the system's messages in French and in Japanese | test_translated |
| errors about a certificate, a corpus file and a key's memory (its `.heads` file) are translated too | test_kept |
| in English, or without a translation, the system's own message is printed | test_words |
"""

import errno
import os
import re

import pytest

from daynight.corpus.manifest import WholePart
from daynight.corpus.schema import TABLES
from daynight.corpus.trust import Damage, opened_table
from daynight.framework.language.errors import AskedError
from daynight.languages.speaking import speaking
from daynight.machine.reasons import reason_of
from daynight.store.errors import SettingsError
from daynight.store.proving.memory import Memory
from daynight.web.door.certificate import certificate_of


def foreign(number):
    """Return a dictionary with the message of the error `number` for each language."""
    said = {}
    for language in ("en", "fr", "ja"):
        with speaking(language):
            said[language] = reason_of(OSError(number, os.strerror(number)))
    return said


@pytest.mark.parametrize("number, arguments", [
    (errno.ENOENT, ["bisect", "g1.jsonl", "--run", "./nosuch"]),
    (errno.EACCES, ["bisect", "g1.jsonl", "--run", "./g1.jsonl"]),
    (errno.ENOENT, ["new", "friday", "Ana", "Bo", "--db", "nowhere/games.db"]),
    (errno.ENOTDIR, ["new", "friday", "Ana", "Bo", "--db", "g1.jsonl/games.db"]),
    (errno.ENOTDIR, ["new", "friday", "Ana", "Bo", "--key", "g1.jsonl/key.pem"]),
    (errno.ENOTDIR, ["import", "g1.jsonl", "--key", "g1.jsonl/key.pem"]),
    (errno.EISDIR, ["show", "."]),
])  # fmt: skip
def test_translated(daynight, g1, number, arguments):
    """In each language the error contains the system's message in that language."""
    g1.chmod(0o644)
    said = foreign(number)
    assert 3 == len({*said.values()})
    for language, reason in said.items():
        assert reason in daynight("--lang", language, *arguments).error


def test_kept(tmp_path):
    """Errors about a certificate, a corpus file and a key's memory contain the system's message in each language."""
    file, table = tmp_path / "file", tmp_path / "games" / "part-00000.parquet"
    file.touch()
    table.mkdir(parents=True)
    digests = dict.fromkeys(TABLES, "")
    part = WholePart(part=0, first=1, records=0, refused=0, games=0, events=0, lines=0, sha256=digests)
    for number, kind, refused in (
        (errno.ENOTDIR, AskedError, lambda: certificate_of(file, ["192.168.1.5"])),
        (errno.EISDIR, Damage, lambda: opened_table(str(tmp_path), part, "games")),
        (errno.ENOTDIR, SettingsError, lambda: Memory(file / "m", b"").last("g")),
    ):
        for language, reason in foreign(number).items():
            with speaking(language), pytest.raises(kind, match=re.escape(reason)):
                refused()


def test_words():
    """A message is translated if a translation exists; otherwise, and in English, it is the system's own."""
    with speaking("fr"):
        assert "Protocol error" == reason_of(OSError(errno.EPROTO, "Protocol error"))
        assert "accès refusé" == reason_of(PermissionError(errno.EACCES, "Permission denied", "x"))
        assert ("nothing", "no") == (reason_of(OSError("nothing")), reason_of(ValueError("no")))
    assert "Permission denied" == reason_of(PermissionError(errno.EACCES, "Permission denied", "x"))
