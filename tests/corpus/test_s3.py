"""S3: records and corpora are read from a bucket by their address; results are never written into one.

The bucket is in moto, a local server that answers like S3. The extra `dev` installs it; without it
these tests are skipped.
"""

from pathlib import Path

import pytest

from daynight.cli.commands import run
from daynight.corpus.building.build import build
from daynight.corpus.sources import addresses

from .test_building import GAMES, files_of, made

WITHOUT = "S3 needs s3fs, and moto with flask and flask-cors, which the extra dev brings"
s3fs = pytest.importorskip("s3fs", reason=WITHOUT)
pytest.importorskip("flask_cors", reason=WITHOUT)
server = pytest.importorskip("moto.server", reason=WITHOUT)

BUCKET = "leagues"


@pytest.fixture(scope="module")
def there():
    """The file system of fsspec for the bucket, while the server runs."""
    serving = server.ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    serving.start()
    # What every client of S3 reads from its environment; the processes of workers inherit it.
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("AWS_ENDPOINT_URL", "http://{}:{}".format(*serving.get_host_and_port()))
        patched.setenv("AWS_ACCESS_KEY_ID", "none")
        patched.setenv("AWS_SECRET_ACCESS_KEY", "none")
        patched.setenv("AWS_DEFAULT_REGION", "us-east-1")
        patched.setenv("AWS_EC2_METADATA_DISABLED", "true")
        patched.setenv("NO_PROXY", "127.0.0.1")
        system = s3fs.S3FileSystem()
        system.mkdir(BUCKET)
        yield system
    serving.stop()


@pytest.fixture(scope="module")
def here(tmp_path_factory, there):
    """A local folder with records and a corpus of them; the bucket contains the same files."""
    place = tmp_path_factory.mktemp("here")
    build([str(made(place / "games", *GAMES[:3]))], place / "c")
    for path in (path for path in place.rglob("*") if path.is_file()):
        there.pipe(f"{BUCKET}/{path.relative_to(place)}", path.read_bytes())
    return place


def test_records_of_a_bucket(tmp_path, here):
    """A corpus built from a bucket has the same tables as one from local files, except for the origins."""
    assert run(["corpus", "build", f"s3://{BUCKET}/games", "-o", str(tmp_path / "d")]) == 0
    for table in ("events", "turns", "lines"):
        assert files_of(tmp_path / "d" / table) == files_of(here / "c" / table)


@pytest.mark.parametrize("workers", [0, pytest.param(2, marks=pytest.mark.slow)])
@pytest.mark.parametrize("command", ["audit", "stats", "find", "verify", "export"])
def test_a_corpus_of_a_bucket(tmp_path, monkeypatch, capsys, here, command, workers):
    """Every command gives the same results for a corpus in a bucket as for a local one, with worker processes too."""
    monkeypatch.chdir(here)
    if not workers:
        monkeypatch.setattr(addresses, "is_own", lambda address: True)
    told = []
    for number, address in enumerate(("c", f"s3://{BUCKET}/c")):
        result = [] if command == "verify" else ["-o", str(tmp_path / str(number))]
        assert run(["corpus", command, address, *result, *(["--disputed"] if command == "find" else [])]) in (0, 1)
        told.append(capsys.readouterr().out.replace(address, "c").replace(str(tmp_path / str(number)), "r"))
    assert told[0] == told[1]
    if command == "export":
        assert files_of(tmp_path / "0") == files_of(tmp_path / "1")


def test_a_game_of_a_bucket(here, capsys):
    """`audit` takes `corpus:s3://BUCKET/FOLDER#GAME` for FILE."""
    assert run(["audit", f"corpus:s3://{BUCKET}/c#1"]) in (0, 1)
    assert capsys.readouterr().out.startswith(f"corpus:s3://{BUCKET}/c#1")


def test_what_is_not_in_a_bucket(tmp_path, here, capsys):
    """The error about a missing object is one sentence that names the address."""
    assert run(["corpus", "build", f"s3://{BUCKET}/nothing", "-o", str(tmp_path / "d")]) != 0
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert f"s3://{BUCKET}/nothing" in told


@pytest.mark.parametrize("command", ["build", "audit", "stats", "find", "export"])
def test_no_result_is_written_into_a_bucket(tmp_path, monkeypatch, there, here, capsys, command):
    """A bucket after `-o` ends with exit code 2, though it is writable; no local folder of that name is made."""
    monkeypatch.chdir(tmp_path)
    before = there.find(BUCKET)
    assert run(["corpus", command, str(here / "c"), "-o", f"s3://{BUCKET}/r"]) == 2
    assert f"s3://{BUCKET}/r is an address; name a folder of this machine" in capsys.readouterr().err
    there.invalidate_cache()
    assert there.find(BUCKET) == before
    assert not list(Path().iterdir())
