"""Addresses: fsspec opens them and they are read like files; any failure is a sentence that names the address."""

import os
from typing import ClassVar

import fsspec
import pytest
from fsspec.implementations.memory import MemoryFileSystem

from daynight.cli.commands import run
from daynight.corpus.building.build import build
from daynight.corpus.sources import addresses
from daynight.corpus.verifying import verify
from daynight.framework.language.errors import NotFoundError, UnreadableError

from .test_building import GAMES, made


class EndpointConnectionError(Exception):
    """An error as a cloud's client raises it: not an OSError, and from a module of its own."""


class Cloud(MemoryFileSystem):
    """A file system in memory, under `cloud://`; each operation that is named in `failing` raises the error there."""

    protocol = "cloud"
    failing: ClassVar[dict[str, Exception]] = {}
    store: ClassVar[dict] = {}
    pseudo_dirs: ClassVar[list[str]] = [""]

    @classmethod
    def _strip_protocol(cls, path):
        return super()._strip_protocol(path.replace("cloud://", "memory://"))

    def _do(self, name):
        if name in self.failing:
            raise self.failing[name]

    def info(self, path, **more):
        self._do("info")
        return super().info(path, **more)

    def find(self, path, *args, **more):
        self._do("find")
        return super().find(path, *args, **more)

    def open(self, path, *args, **more):
        self._do("open")
        stream = super().open(path, *args, **more)
        failing = self.failing.get("read")

        class Stream:
            """An opened file; `read` may fail."""

            def __getattr__(self, name):
                if name == "read" and failing is not None:
                    raise failing
                return getattr(stream, name)

        return Stream()


@pytest.fixture
def cloud(tmp_path, monkeypatch):
    """A `Cloud` with records in the folder `games` and their corpus in `c`."""
    fsspec.register_implementation("cloud", Cloud, clobber=True)
    monkeypatch.setattr(Cloud, "store", {})
    monkeypatch.setattr(Cloud, "failing", {})
    # No other process knows this cloud.
    monkeypatch.setattr(addresses, "is_own", lambda address: True)
    system = fsspec.filesystem("cloud", skip_instance_cache=True)
    build([str(made(tmp_path / "games", *GAMES[:3]))], tmp_path / "c")
    for folder in ("games", "c"):
        for path in (path for path in (tmp_path / folder).rglob("*") if path.is_file()):
            system.pipe(f"/{path.relative_to(tmp_path)}", path.read_bytes())
    return system


def test_what_is_there(tmp_path, cloud):
    """`build` reads records, and `audit` and `verify` a corpus, at an address that fsspec opens."""
    assert run(["corpus", "build", "cloud://games", "-o", str(tmp_path / "d"), "--workers", "1"]) == 0
    assert run(["corpus", "audit", "cloud://c", "-o", str(tmp_path / "r"), "--workers", "1"]) == 0
    assert run(["corpus", "verify", "cloud://c", "--workers", "1"]) == 0
    with addresses.opened("cloud://games/g00.jsonl") as stream:
        assert stream.readline() == GAMES[0].splitlines(keepends=True)[0]
        stream.seek(3)
        assert stream.tell() == 3
        assert stream.read() == GAMES[0][3:]


@pytest.mark.parametrize("operation", ["info", "open", "read", "find"])
@pytest.mark.parametrize("error", [
    EndpointConnectionError('Could not connect to the endpoint URL: "http://cloud"'), EndpointConnectionError(),
    PermissionError("Access Denied"), RuntimeError("no credentials\nwere found"),
], ids=["client", "wordless", "denied", "several lines"])  # fmt: skip
def test_what_a_cloud_says(tmp_path, cloud, capsys, operation, error):
    """Whichever operation fails, the command ends with exit code 3 and one sentence that begins with the address."""
    if isinstance(error, OSError) and operation == "info":
        return  # fsspec itself calls that a missing file
    Cloud.failing[operation] = error
    for command, address in (("build", "cloud://games"), ("audit", "cloud://c")):
        if command == "build" or operation in ("open", "read"):
            assert run(["corpus", command, address, "-o", str(tmp_path / "d"), "--workers", "1"]) == 3
            told = capsys.readouterr().err
            assert told.count("\n") == 1
            assert told.startswith(address)
            assert (" ".join(str(error).split()) or type(error).__name__) in told


def test_a_cloud_that_fails_meanwhile(tmp_path, cloud, monkeypatch):
    """A part that can't be read is listed as damage, exit code 5; once it can be read, the same command succeeds."""
    again = ["corpus", "audit", "cloud://c", "-o", str(tmp_path / "r"), "--workers", "1"]
    read = addresses.read
    with monkeypatch.context() as patched:
        patched.setattr(
            addresses, "read", lambda address: Cloud.failing.update(read=ConnectionError("slow down")) or read(address)
        )
        assert run(again) == 5
    assert b"slow down" in (tmp_path / "r" / "damage.jsonl").read_bytes()
    Cloud.failing.clear()
    assert run(again) == 0


def test_no_server_answers():
    """`size` raises UnreadableError for an unreachable server or unknown protocol, NotFoundError for a missing file."""
    with pytest.raises(UnreadableError, match="Cannot connect to host"):
        addresses.size("http://127.0.0.1:9/x")
    with pytest.raises(UnreadableError, match="nonsense"):
        addresses.size("nonsense://x")
    with pytest.raises(NotFoundError):
        addresses.size("memory://nothing")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes in folders")
def test_pipes_are_refused(tmp_path, capsys):
    """A named pipe as a source is an error in one sentence; in place of a corpus file it is damage; neither blocks."""
    os.mkfifo(tmp_path / "g.jsonl")
    assert run(["corpus", "build", str(tmp_path / "g.jsonl"), "-o", str(tmp_path / "c")]) == 3
    assert (
        capsys.readouterr().err
        == f"{tmp_path}/g.jsonl: $: a pipe or a device; only a file can be read more than once\n"
    )
    assert not (tmp_path / "c").exists()
    build([str(made(tmp_path / "games", *GAMES[:2]))], tmp_path / "c")
    table = tmp_path / "c" / "events" / "part-00000.parquet"
    table.unlink()
    os.mkfifo(table)
    assert [damage.problem.partition(";")[0] for damage in verify(str(tmp_path / "c"))] == ["a pipe or a device"]


@pytest.mark.parametrize("command", ["build", "audit", "stats", "find", "export"])
@pytest.mark.parametrize("address", ["s3://bucket/x", "memory://x", "file:///tmp/x"])
def test_results_are_folders_of_this_machine(tmp_path, monkeypatch, capsys, cloud, command, address):
    """`-o` refuses an address with exit code 2, and makes no folder of that name."""
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    assert run(["corpus", command, str(tmp_path / "c"), "-o", address]) == 2
    assert f"{address} is an address; name a folder of this machine" in capsys.readouterr().err
    assert not list((tmp_path / "here").iterdir())


def test_nothing_is_written_into_a_corpus(tmp_path, cloud, capsys):
    """`-o` refuses a corpus and a folder inside it, exit code 2; only `build` may be repeated on its own corpus."""
    for command, place in (
        ("audit", "c/r"),
        ("stats", "c"),
        ("export", "c"),
        ("export", "c/lines/x"),
        ("build", "c/d"),
    ):
        assert run(["corpus", command, str(tmp_path / "c"), "-o", str(tmp_path / place)]) == 2
        assert f"{tmp_path / 'c'} is a corpus; name a folder outside of it" in capsys.readouterr().err
    assert run(["corpus", "build", str(tmp_path / "games"), "-o", str(tmp_path / "c"), "--json"]) == 0
