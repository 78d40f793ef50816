"""Private things stay private: stores, keys, and the passwords in server addresses.

| promise | test |
| --- | --- |
| a new store, the files beside it, and copies are readable by their owner alone | test_new |
| a store that others can read or write gets a warning when written or verified | test_wider |
| a misspelt server address is never a file name, and its password is not shown | test_address, test_address_as_file |
| no key is made at a path that SQLite, another key or the store uses; no error quotes OpenSSL | test_no_key |
| no private key is overwritten, in any file format | test_der |
| verify does not accept a public key of small order | test_small_order |
"""

import os
import stat
import sys

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    pkcs12,
)

from daynight.games import Store
from tests.sampling import sampled

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="Windows has other rights")


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


@POSIX
def test_new(daynight, folder):
    """New files are readable by their owner alone, whatever the umask is."""
    before = os.umask(0)
    try:
        assert 0 == daynight("new", "friday", "Ana", "Bo").code
        with Store.open("daynight.db") as store:
            store.append("friday", [{"type": "turn-began", "turn": 1, "active": ["Ana"]}])
            assert [0o600] * 3 == [mode(path) for path in sorted(folder.glob("daynight.db*"))]
        assert 0 == daynight("backup", "copy.db").code
        assert 0 == daynight("restore", "copy.db", "--db", "again.db").code
        (folder / "link.db").symlink_to("real.db")
        assert 0 == daynight("new", "friday", "Ana", "--db", "link.db").code
    finally:
        os.umask(before)
    assert [0o600] * 4 == [mode(folder / name) for name in ("daynight.db", "copy.db", "again.db", "real.db")]


@POSIX
def test_wider(daynight, games):
    """If others may read or write the store, `record` and `verify` warn, `list` does not; the mode is not changed."""
    store = games / "daynight.db"
    for rights, may in ((0o644, "read"), (0o664, "write to"), (0o602, "write to")):
        store.chmod(rights)
        said = f"daynight.db: others may {may} this store; if they should not, chmod 600 daynight.db"
        for command in (["record", "g1", "turn 4 Ana", "--command", "c4"], ["verify"], ["verify", "g1"]):
            ran = daynight(*command)
            assert (0, True) == (ran.code, said in ran.err), (command, ran)
        assert "others may" not in daynight("list").err
        assert rights == mode(store)
    store.chmod(0o600)
    assert "others may" not in daynight("verify").err


ADDRESSES = [
    "postgresql:ana:S3CRET@h/db", "Postgresql:ana:S3CRET@h/db", "pgsql:ana:S3CRET@h/db", "ana:S3CRET@h/db",
    "postgresql:/ana:S3CRET@h/db", "postgresql:///ana:S3CRET@h/db", "postgresql://h/ana:S3CRET@x",
    "postgresql:ana:S3CRET@h/db?x=://", "//ana:S3CRET@h/db", " postgresql:ana:S3CRET@h/db", "postgresql;//a:S3CRET@h",
    "url:postgresql:ana:S3CRET@h", "ostgresql:ana:S3CRET@h/db", "postgresql.ana:S3CRET@h/db", "PASSWORD=S3CRET host=h",
    "postgresql://ana%3AS3CRET@localhost:1/db?timeout=1", "postgresql:\\\\ana:S3CRET@h/db",
    "host=localhost port=1 user=ana password=S3CRET", "user=ana password = 'S3CRET'", "PGPASSWORD=S3CRET psql -h h",
    "pgpassword = S3CRET", "hostaddr=127.0.0.1 sslpassword=S3CRET", "postgresql://localhost:1/db?password=S3CRET",
    "postgresql://localhost:1/db?user=ana&password=S3CRET&timeout=1", "postgresql://localhost:1/db?pass%77ord=S3CRET",
    "jdbc:postgresql://h/db?user=ana&password=S3CRET", "postgresql+psycopg://ana:S3CRET@localhost:1/db",
    "postgresql+asyncpg:ana:S3CRET@h", "postgresql://ana:S3CRET@h1:1,h2:2/db", "postgres://:S3CRET@localhost:1/db",
    "postgresql://ana:S3CRET\n@localhost:1/db", "postgresql://ana:%zzS3CRET@localhost:1/db",
    "postgresql：//ana:S3CRET@h/db", "pg://ana:S3CRET@h/db", "mysql://ana:S3CRET@h/db",
    "dbname=postgresql://ana:S3CRET@h/db", "h:5432:db:ana:S3CRET", "*:*:*:*:S3CRET",
]  # fmt: skip


@pytest.mark.wide(but=5)
@pytest.mark.parametrize("address", ADDRESSES, ids=[f"address {at}" for at in range(len(ADDRESSES))])
def test_address(daynight, games, address):
    """A misspelt address is refused as a store, file, key or game; no file changes, and the password is not shown."""
    before = {path: path.read_bytes() for path in games.rglob("*") if path.is_file()}
    for command in (
        ["new", "sunday", "Ana", "--db", address], ["list", "--db", address], ["restore", "copy.db", "--db", address],
        ["backup", address], ["export", "g1", "-o", address], ["key", "--new", "--key", address],
        ["restore", address, "--db", "x.db"], ["audit", address], ["import", address], ["why", address, "--json"],
        ["verify", address], ["show", f"db:{address}"], ["fmt", address],
    ):  # fmt: skip
        ran = daynight(*command)
        assert ran.code in (2, 3, 4, 5), command
        assert "S3CRET" not in ran.out + ran.err, command
    assert before == {path: path.read_bytes() for path in games.rglob("*") if path.is_file()}


def test_address_as_file(daynight, folder):
    """Given as FILE, an address is a missing file: exit code 4, shown without the password, in JSON too."""
    for address in ("postgresql://ana:S3CRET@h/db", "postgresql:ana:S3@CRET@h/db", "Postgres://ana:S3CRET@h"):
        for command in ("audit", "show", "import", "why"):
            for options in ([], ["--json"]):
                ran = daynight(command, address, *options)
                assert (4, True) == (ran.code, "ana:***@h" in ran.err), ran
                assert "CRET" not in ran.out + ran.err


def test_no_key(daynight, games):
    """`--key` refuses a store, what is no key, and names of SQLite's files or a key's `.heads` file: exit code 2."""
    (games / "notes.txt").write_text("no key at all\n")
    (games / "half.pem").write_text("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n")
    for file in ("half.pem", "notes.txt"):
        (games / file).chmod(0o600)
    before = {path: path.read_bytes() for path in games.rglob("*") if path.is_file()}
    told = {
        "daynight.db-wal": "SQLite keeps a part of a database in files that end in -wal",
        "g.db-wal": "SQLite keeps a part of a database in files that end in -wal",
        "g.db-journal": "files that end in -journal",
        "own.pem.heads": "a key notes what it has signed in files that end in .heads",
        "notes.txt": "expected a private key in PEM, as daynight key --new --key FILE makes it",
        "half.pem": "a private key in PEM is damaged there, or of another kind, or missing",
        "daynight.db": "a key is a file of its own",
    }
    for file, sentence in told.items():
        for command in (
            ["key", "--key", file],
            ["record", "g1", "turn 4 Ana", "--key", file],
            ["key", "--new", "--key", file],
        ):
            ran = daynight(*command)
            there = "--new" in command and (games / file).exists()
            assert (2, True) == (ran.code, (sentence in ran.err) or there), (command, ran)
            assert "OpenSSL" not in ran.err
            assert "deserialize" not in ran.err
    ran = daynight("new", "sunday", "Ana", "--db", "both", "--key", "both")
    assert (2, True) == (ran.code, "both: a key is a file of its own, and not the store" in ran.err)
    assert before == {path: path.read_bytes() for path in games.rglob("*") if path.is_file()}


def der(key, how=PrivateFormat.PKCS8, password=b""):
    return key.private_bytes(Encoding.DER, how, BestAvailableEncryption(password) if password else NoEncryption())


def in_der():
    own, curve = Ed25519PrivateKey.generate(), ec.generate_private_key(ec.SECP256R1())
    large = rsa.generate_private_key(65537, 2048)
    return {
        "Ed25519": der(own), "locked": der(own, password=b"secret"),
        "SEC 1": der(curve, PrivateFormat.TraditionalOpenSSL),
        "PKCS 1": der(large, PrivateFormat.TraditionalOpenSSL), "RSA": der(large), "EC": der(curve),
        "PKCS 12": pkcs12.serialize_key_and_certificates(b"own", large, None, None, BestAvailableEncryption(b"secret")),
        "PuTTY": b"PuTTY-User-Key-File-3: ssh-ed25519\n",
    }  # fmt: skip


def test_der(daynight, games):
    """A private key in any binary format is not overwritten by -o, nor by the proof beside the exported file."""
    for name, data in in_der().items():
        for file, given in (("own.key", "own.key"), ("g1.out.proof", "g1.out")):
            (games / file).write_bytes(data)
            ran = daynight("export", "g1", "-o", given)
            assert (2, "") == ran[:2], name
            assert f"{file} is a private key, or what one remembers" in ran.error
            assert data == (games / file).read_bytes()
            (games / file).unlink()
    # A file that only looks similar may be replaced.
    (games / "text").write_bytes(b"0 apples, \x02\x01\x00")
    assert 0 == daynight("export", "g1", "-o", "text").code


WEAK = [
    "01" + "00" * 31, "00" * 32, "00" * 31 + "80", "ec" + "ff" * 30 + "7f", "ed" + "ff" * 30 + "7f",
    "ee" + "ff" * 30 + "ff", "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
]  # fmt: skip


@pytest.mark.parametrize("key", sampled(WEAK, 8))
def test_small_order(daynight, games, key):
    """`--signer` refuses each public key of small order with exit code 2, because anybody can forge its signatures.

    With an ordinary public key `verify` answers, here that this key signed nothing, with exit code 5.
    """
    ran = daynight("verify", "--signer", key)
    assert (2, True) == (ran.code, "anybody can forge what it signs" in ran.err)
    ordinary = Ed25519PrivateKey.generate().public_key().public_bytes(Encoding.Raw, PublicFormat.Raw).hex()
    ran = daynight("verify", "--signer", ordinary)
    assert (5, True, False) == (ran.code, "NOT SIGNED BY THE KEY GIVEN" in ran.out, "anybody can forge" in ran.err)
