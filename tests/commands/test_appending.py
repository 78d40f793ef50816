"""Appending to a file: after any failure, the file is the complete old one or the complete new one.

| promise | test |
| --- | --- |
| the old bytes and the mode stay; a missing line end is added | test_the_old_bytes |
| the file keeps its owner | test_owner |
| other files in the folder are not changed | test_somebody_elses_part |
| a new line has the line end of the others | test_the_old_bytes |
| a compressed file, standard input, the demo and a folder are refused, unchanged | test_refused |
| a named pipe without a writer is not opened | test_a_pipe |
| a read-only file, or one with hard links, is refused and stays unchanged | test_let_alone |
| an unreadable or impossible record is refused and keeps its bytes | test_no_record |
| on a full disk the file stays unchanged, and no temporary file is left | test_full_disk |
| after a kill at any moment the file is the old one or the new one | test_killed |
| a symbolic link stays a link, and its target grows | test_links |
| a file in words gets lines in words, and is read as the same game | test_words, test_words_of_any_kind |
| a refusal names the line of such a file | test_refused_in_words |
| lines that would be read differently are not written | test_read_otherwise |
"""

from __future__ import annotations

import gzip
import os
import signal
import sys
from importlib.util import find_spec

import pytest

from daynight.game import Game
from daynight.keeping import appending
from tests import processes
from tests.behaviour.games import CONTRACT, kept, lines
from tests.commands.conftest import environ
from tests.rules.words import cast

OPEN = ("--by", "Ana", "--when", "2024-06-07T19:30:00Z")
ADDED = b'{"type":"dispute-opened","at":"2024-06-07T19:30:00Z","dispute":"d1","by":"Ana"}\n'
ADDED_CRLF = ADDED.replace(b"\n", b"\r\n")
CRLF = lines(CONTRACT).replace(b"\n", b"\r\n")


def names(folder):
    """Return the sorted names of the files in `folder`."""
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("data, added", [
    (lines(CONTRACT), ADDED),
    (lines(CONTRACT)[:-1], b"\n" + ADDED),
    (lines(CONTRACT)[:-1] + b"\r", b"\n" + ADDED),
    (CRLF, ADDED_CRLF),
    (CRLF[:-2], b"\r\n" + ADDED_CRLF),
    (CRLF[:-1], b"\n" + ADDED_CRLF),
    (lines(CONTRACT[:-1]) + lines(CONTRACT[-1:]).replace(b"\n", b"\r\n"), ADDED_CRLF),
    (lines(CONTRACT[:-1]).replace(b"\n", b"\r\n") + lines(CONTRACT[-1:]), ADDED),
])  # fmt: skip
def test_the_old_bytes(daynight, folder, data, added):
    """The old bytes stay and the new line follows them; the mode stays, and no temporary file is left."""
    file = folder / "g1.jsonl"
    file.write_bytes(data)
    file.chmod(0o640)
    assert 0 == daynight("dispute", "open", file, *OPEN).code
    found = file.read_bytes()
    assert found.startswith(data)
    assert added == found[len(data) :]
    assert (9, 0o640, ["g1.jsonl"]) == (len(Game.load(file)), file.stat().st_mode & 0o777, names(folder))


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give a file to another user")
def test_owner(daynight, folder):
    """If root appends, the file keeps its owner."""
    file = folder / "g1.jsonl"
    file.write_bytes(lines(CONTRACT))
    os.chown(file, 65534, 65534)
    assert 0 == daynight("dispute", "open", file, *OPEN).code
    assert (65534, 65534) == (file.stat().st_uid, file.stat().st_gid)


def test_somebody_elses_part(daynight, folder):
    """If a file has the name of the temporary file by chance, both files stay unchanged: exit code 3."""
    file, other = folder / "g1.jsonl", folder / f"g1.jsonl.{os.getpid()}"
    file.write_bytes(lines(CONTRACT))
    other.write_text("mine")
    ran = daynight("dispute", "open", file, *OPEN)
    assert (ran.code, "mine", lines(CONTRACT)) == (3, other.read_text(), file.read_bytes()), ran


def test_refused(daynight, folder, stdin):
    """Compressed files of any name, `-`, `demo` and a folder are refused with exit code 2, and stay unchanged."""
    packed = gzip.compress(lines(CONTRACT))
    for name in ("g1.jsonl.gz", "g1.jsonl", "g1.dn", "g1.dn.gz"):
        (folder / name).write_bytes(packed)
    (folder / "plain.gz").write_bytes(lines(CONTRACT))
    stdin(lines(CONTRACT))
    for name, says in (
        ("g1.jsonl.gz", "is packed; unpack it first"),
        ("g1.jsonl", "is packed; unpack it first"),
        ("g1.dn", "is packed; unpack it first"),
        ("g1.dn.gz", "is packed; unpack it first"),
        ("plain.gz", "is packed; unpack it first"),
        ("-", "can't be appended to"),
        ("demo", "can't be appended to"),
        (".", "is no plain file"),
    ):
        ran = daynight("dispute", "open", name, *OPEN)
        assert (2, "") == ran[:2]
        assert says in " ".join(ran.err.split())
    assert packed == (folder / "g1.jsonl").read_bytes() == (folder / "g1.jsonl.gz").read_bytes()
    assert {"g1.dn", "g1.dn.gz", "g1.jsonl", "g1.jsonl.gz", "plain.gz"} == set(names(folder))


@pytest.mark.wide
def test_a_pipe(folder):
    """A named pipe is refused with exit code 2; the test starts a process, which would hang if it opened the pipe."""
    os.mkfifo(folder / "pipe")
    command = [sys.executable, "-m", "daynight", "dispute", "open", "pipe", *OPEN]
    ran = processes.run(command, cwd=folder, env=environ(), capture_output=True, text=True, check=False, timeout=60)
    assert (2, "") == (ran.returncode, ran.stdout)
    assert "pipe is no plain file; give a .jsonl or .dn file, or db:GAME" in ran.stderr


def test_let_alone(daynight, folder):
    """A read-only file, and one with a hard link, give exit code 2 with advice; without either, appending works."""
    file = kept(folder / "g1.jsonl", CONTRACT)
    before = file.read_bytes()
    file.chmod(0o440)
    ran = daynight("dispute", "open", "g1.jsonl", *OPEN)
    assert (2, "") == ran[:2]
    assert "g1.jsonl may not be written to; allow that first (chmod u+w), or append to a copy" in " ".join(
        ran.err.split()
    )
    assert (before, 0o440) == (file.read_bytes(), file.stat().st_mode & 0o777)
    file.chmod(0o640)
    other = folder / "other.jsonl"
    other.hardlink_to(file)
    ran = daynight("dispute", "open", "g1.jsonl", *OPEN)
    assert (2, "") == ran[:2]
    assert "g1.jsonl has other names (hard links), where it would stay as it is" in " ".join(ran.err.split())
    assert (before, True) == (file.read_bytes(), file.samefile(other))
    other.unlink()
    assert 0 == daynight("dispute", "open", "g1.jsonl", *OPEN).code
    assert before + ADDED == file.read_bytes()


@pytest.mark.parametrize("data", [b"", b"{\n", lines(CONTRACT) + b"{", lines([*CONTRACT, cast("Anna")]), b"\xff\n"])
def test_no_record(daynight, folder, data):
    """An empty, cut off or impossible record gives exit code 3 with its file and line, and keeps its bytes."""
    (folder / "g1.jsonl").write_bytes(data)
    ran = daynight("dispute", "open", "g1.jsonl", *OPEN)
    assert (3, "") == ran[:2]
    assert ran.error.startswith("g1.jsonl:")
    assert (data, ["g1.jsonl"]) == ((folder / "g1.jsonl").read_bytes(), names(folder))


@pytest.mark.skipif(find_spec("resource") is None, reason="Windows can't limit the size of a file")
@pytest.mark.wide
def test_full_disk(folder):
    """If no file can grow, the exit code is 3 without a traceback, and the file stays unchanged."""
    file = kept(folder / "g1.jsonl", CONTRACT)
    before = file.read_bytes()
    script = (
        f"import resource, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
        f"resource.setrlimit(resource.RLIMIT_FSIZE, ({len(before)}, {len(before)}));"
        f"from daynight.cli.commands import run; sys.exit(run(sys.argv[1:]))"
    )
    command = [sys.executable, "-c", script, "dispute", "open", "g1.jsonl", *OPEN]
    ran = processes.run(command, cwd=folder, env=environ(), capture_output=True, text=True, check=False)
    assert (3, "") == (ran.returncode, ran.stdout)
    assert "Traceback" not in ran.stderr
    assert ran.stderr.endswith("File too large\n")
    assert (before, ["g1.jsonl"]) == (file.read_bytes(), names(folder))


def test_stopped_anywhere(daynight, folder, monkeypatch):
    """If any step of the writing fails, the exit code is 3, and the file stays unchanged."""
    file = kept(folder / "g1.jsonl", CONTRACT)
    before = file.read_bytes()
    for where, name in ((os, "fsync"), (os, "fchmod"), (appending, "encode_lines")):
        with monkeypatch.context() as patch:
            patch.setattr(where, name, broken)
            assert 3 == daynight("dispute", "open", file, *OPEN).code
        assert (before, ["g1.jsonl"]) == (file.read_bytes(), names(folder))


def broken(*arguments):
    """Raise OSError (input/output error) in place of a step of the writing."""
    raise OSError(5, "Input/output error")


KILLER = """
import os, pathlib, signal, sys
where, name, when = {"os": os, "path": pathlib.Path}[sys.argv[1]], sys.argv[2], sys.argv[3]
plain = getattr(where, name)
def killed(*arguments):
    if when == "after":
        plain(*arguments)
    os.kill(os.getpid(), signal.SIGKILL)
setattr(where, name, killed)
from daynight.cli.commands import run
run(sys.argv[4:])
"""
"""A program that runs a command line, and kills itself before or after its first call of a named function."""


@pytest.mark.parametrize("moment, new", [
    pytest.param(("os", "fchmod", "before"), False, marks=pytest.mark.slow),
    pytest.param(("os", "fsync", "before"), False, marks=pytest.mark.slow),
    pytest.param(("os", "fsync", "after"), False, marks=pytest.mark.slow),
    (("path", "replace", "before"), False),
    (("path", "replace", "after"), True),
], ids=str)  # fmt: skip
def test_killed(daynight, folder, moment, new):
    """A kill before `replace` leaves the old file, one after it the new file; both can be appended to."""
    file = kept(folder / "g1.jsonl", CONTRACT)
    before = file.read_bytes()
    command = [sys.executable, "-c", KILLER, *moment, "dispute", "open", "g1.jsonl", *OPEN]
    ran = processes.run(command, cwd=folder, env=environ(), capture_output=True, check=False)
    assert (-signal.SIGKILL, b"", b"") == (ran.returncode, ran.stdout, ran.stderr)
    assert file.read_bytes() == (before + ADDED if new else before)
    assert 0 == daynight("dispute", "open", "g1.jsonl", *OPEN, "--id", "d2").code
    assert (10 if new else 9) == len(Game.load(file))


def test_links(daynight, folder):
    """Appending through a symbolic link changes the link's target, and keeps the link."""
    (folder / "there").mkdir()
    file = kept(folder / "there" / "g1.jsonl", CONTRACT)
    (folder / "link.jsonl").symlink_to(file)
    assert 0 == daynight("dispute", "open", "link.jsonl", *OPEN).code
    assert (True, 9) == ((folder / "link.jsonl").is_symlink(), len(Game.load(file)))


WORDS = """# table 7
game g1
players Ana, Bo

turn 1 an
      ANA casts  opt   # hers
  Ana: tav (w1) enters
turn 2 bo
  untap, upkeep"""
CALLED = "  dispute d1: Ana calls the judge @2024-06-07T19:30:00Z\n"


@pytest.mark.wide(but=3)
@pytest.mark.parametrize("text, added", [
    (WORDS + "\n", CALLED),
    (WORDS, "\n" + CALLED),
    (WORDS + "\n\n  # at the end", "\n" + CALLED),
    (WORDS.replace("\n", "\r\n"), "\r\n" + CALLED.replace("\n", "\r\n")),
    ("\ufeff" + WORDS + "\n", CALLED),
    ("game g1\nplayers Ana, Bo", "\n" + CALLED.strip(" ")),
    ("game g1\nplayers Ana, Bo\n" + '{"type": "turn-began", "turn": 1, "active": ["Ana"]}\n', CALLED),
])  # fmt: skip
def test_words(daynight, folder, text, added):
    """The new line is in words, and has the line end of the others; the old bytes and the mode stay, and no temporary
    file is left."""
    file = folder / "g1.dn"
    file.write_bytes(text.encode())
    file.chmod(0o640)
    before = Game.load(file).events
    assert 0 == daynight("dispute", "open", file, *OPEN).code
    assert text + added == file.read_bytes().decode()
    assert (before, "d1") == (Game.load(file).events[:-1], Game.load(file).events[-1].dispute)
    assert (0o640, ["g1.dn"]) == (file.stat().st_mode & 0o777, names(folder))


def test_words_of_any_kind(daynight, folder):
    """Names and statements that need quotation marks are appended in words, also two events together."""
    file = folder / "g1.dn"
    file.write_text(WORDS + "\n")
    assert 0 == daynight("dispute", "open", file, *OPEN).code
    when = OPEN[2:]
    assert 0 == daynight(
        "dispute", "claim", file, "d1", "--by", "turn", "--says", 'it is "late" # so', "--designation", "night", *when
    ).code  # fmt: skip
    ran = daynight(
        "dispute", "rule", file, "d1", "--by", "Jo", "--outcome", "back-up", "--to", "3", "--carry-out", *when
    )
    assert (0, ["e10", "e11"]) == (ran.code, [line.split()[0] for line in ran.out.splitlines() if line[0] == "e"])
    assert [
        "  dispute d1: Ana calls the judge @2024-06-07T19:30:00Z",
        '  dispute d1: "turn" says night ("it is \\"late\\" # so") @2024-06-07T19:30:00Z',
        "  dispute d1: Jo rules back up to e3 @2024-06-07T19:30:00Z",
        "  Jo backs up to e3 @2024-06-07T19:30:00Z",
    ] == file.read_text().splitlines()[-4:]
    assert 0 == daynight("audit", file).code


def test_refused_in_words(daynight, folder):
    """The refusal names the line of the file, or the number of the new line; the file stays unchanged."""
    file = folder / "g1.dn"
    for text, place in ((WORDS + "\n  Bo castes Opt\n", "g1.dn:10:6: 'castes'"), (WORDS, "g1.dn:10: $.dispute: ")):
        file.write_text(text)
        ran = daynight("dispute", "appeal", "g1.dn", "d9", *OPEN)
        assert (3, "") == ran[:2]
        assert ran.error.startswith(place), ran.error
        assert (text, ["g1.dn"]) == (file.read_text(), names(folder))


def test_read_otherwise(daynight, folder, monkeypatch):
    """If the new lines would be read as other events, the exit code is 2, and nothing is written."""
    file = folder / "g1.dn"
    file.write_text(WORDS)
    monkeypatch.setattr(appending, "_in_words", lambda game, first: b"  dispute d2: Ana calls the judge\n")
    ran = daynight("dispute", "open", "g1.dn", *OPEN)
    assert (2, "") == ran[:2]
    assert "g1.dn would be read otherwise with these lines below it" in ran.err
    assert (WORDS, ["g1.dn"]) == (file.read_text(), names(folder))
