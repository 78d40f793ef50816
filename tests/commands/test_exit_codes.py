"""Every exit code, produced by a real case; an error is one line on standard error."""

import os
import re
import signal
import subprocess
import sys
from functools import partial

import pytest

from daynight.cli import commands
from daynight.cli.terminal import output
from daynight.game import Game
from daynight.projections.audit.audit import Auditor
from tests import processes
from tests.behaviour.games import CONTRACT, kept, lines
from tests.bench import records
from tests.commands.conftest import environ
from tests.rules.judges import claim
from tests.rules.words import cast, started
from tests.sampling import sampled

GOOD = [started(), claim("neither")]
DISPUTED = [started(), claim("night")]
REFUSED = [*CONTRACT, cast("Anna")]


@pytest.fixture
def files(tmp_path, monkeypatch):
    """A working folder with a good, a disputed and an impossible record, the record of `CONTRACT`, and a folder."""
    monkeypatch.chdir(tmp_path)
    for name, record in (("good", GOOD), ("disputed", DISPUTED), ("refused", REFUSED), ("g1", CONTRACT)):
        kept(tmp_path / f"{name}.jsonl", record)
    (tmp_path / "folder").mkdir()
    return tmp_path


@pytest.mark.parametrize("command", ["replay", "why", "audit", "show"])
def test_0_done(daynight, files, command):
    """0: a record whose only claim is right, with each of four commands."""
    assert (0, "") == daynight(command, "good.jsonl")[::2]


def test_1_found(daynight, files):
    """1: the audit found a contradiction."""
    assert (1, "") == daynight("audit", "disputed.jsonl")[::2]


@pytest.mark.parametrize("arguments", [
    ["nonsense"], ["replay"], ["why"], ["why", "good.jsonl", "w1", "good.jsonl"],
    ["replay", "good.jsonl", "--nonsense"],
    ["audit", "good.jsonl", "--edition", "1993-08-05"], ["chart", "--format", "png"], ["completion", "tcsh"],
    ["completion"], ["cards", "a", "b"], ["replay", "good.jsonl", "--at"],
], ids=" ".join)  # fmt: skip
def test_2_usage(daynight, files, arguments):
    """2: the error says which command, what was wrong, and what to try (the sentences are in test_usage)."""
    ran = daynight(*arguments)
    assert (2, "") == ran[:2]
    assert re.fullmatch(r"daynight( \w+)?: [^A-Z].*; try daynight( \w+)? --help", ran.error)


@pytest.mark.parametrize("command", ["replay", "why", "show"])
@pytest.mark.parametrize("json", [(), ("--json",)])
def test_2_no_position(daynight, files, command, json):
    """2: a text that is not a position is wrong usage, in every output format."""
    ran = daynight(command, "good.jsonl", "--at", "nonsense", *json)
    assert (2, []) == (ran.code, ran.documents if json else ran.out.splitlines())
    assert "'nonsense' is no position; write 18, e18, turn:4, turn:4/untap or branch:NAME/e18" == ran.error


@pytest.mark.parametrize("command", ["replay", "why", "audit", "show"])
@pytest.mark.parametrize("json", [(), ("--json",)])
def test_3_impossible(daynight, files, command, json):
    """3: the error names file, line and path, and says what to try."""
    ran = daynight(command, "refused.jsonl", *json)
    assert 3 == ran.code
    assert "refused.jsonl:9: $.player: no player 'Anna'; players are Ana, Bo" == ran.error
    assert not json or [] == ran.documents


@pytest.mark.wide(but=4)
@pytest.mark.parametrize("data, says", [
    (b"", "bad.jsonl:1: $: an empty record"),
    (b"\xff\n", "bad.jsonl:1: $: not UTF-8"),
    (b"\xef\xbb\xbf" + lines(GOOD), "bad.jsonl:1: $: a byte order mark"),
    (b"{\n", "bad.jsonl:1: $: not JSON"),
    (b"[" * 100_000, "bad.jsonl:1: $: nested more than 64 deep"),
    (lines(GOOD) + b'{"type": "spell-cast", "player": "Ana", "meta": ' + b'{"a":' * 5000, "bad.jsonl:3: $: nested"),
    (lines(GOOD) + b"\n", "bad.jsonl:3: $: an empty line"),
    (lines(GOOD).replace(b"neither", b"dusk"), "bad.jsonl:2: $.designation: "),
    (b"\x1f\x8b\x08" + bytes(50), "bad.jsonl:1: $: damaged gzip data"),
])  # fmt: skip
@pytest.mark.parametrize("command", sampled(["audit", "why"], 2))
def test_3_unreadable(daynight, files, command, data, says):
    """3: for any invalid bytes, one line says where they are."""
    (files / "bad.jsonl").write_bytes(data)
    ran = daynight(command, "bad.jsonl")
    assert 3 == ran.code
    assert ran.error.startswith(says)


@pytest.mark.parametrize("json", [(), ("--json",)])
@pytest.mark.parametrize("command", ["replay", "why", "show"])
def test_3_where_a_turn_is_looked_for(daynight, files, command, json):
    """3: an unreadable record is an error also when it is searched for a turn."""
    (files / "bad.jsonl").write_bytes(lines(GOOD) + b"{\n")
    ran = daynight(command, "bad.jsonl", "--at", "turn:1", *json)
    assert 3 == ran.code
    assert ran.error.startswith("bad.jsonl:3: $: not JSON")


def test_3_no_file(daynight, files):
    """3: a folder is not a record; one line names it."""
    ran = daynight("audit", "folder")
    assert 3 == ran.code
    assert ran.error.startswith("folder: ")


@pytest.mark.parametrize("arguments, says", [
    (["audit", "nowhere.jsonl"], "nowhere.jsonl: no such file; give a record, a log, - for standard input, demo, or"),
    (["replay", "nowhere.jsonl", "--json"], "nowhere.jsonl: no such file"),
    (["why", "nowhere.jsonl", "--at", "turn:1"], "nowhere.jsonl: no such file"),
    (["why", "g1.jsonl", "--at", "9"], "no event 9; the last one is 8"),
    (["show", "g1.jsonl", "--at", "e99"], "no event 99; the last one is 8"),
    (["show", "g1.jsonl", "--at", "turn:7"], "this record has no turn 7 (it has 1 to 3)"),
    (["why", "g1.jsonl", "--at", "turn:1/untap"],
     "the untap step of turn 1 is not written down; the turn begins at event 2"),
    (["cards", "Tavern Rufian"], "no card 'Tavern Rufian'; did you mean Tavern Ruffian"),
])  # fmt: skip
def test_4_not_found(daynight, files, arguments, says):
    """4: the error names the missing file, event, turn, step or card, and what there is instead."""
    ran = daynight(*arguments)
    assert 4 == ran.code
    assert says in ran.error


@pytest.mark.parametrize("json", [(), ("--json",)])
@pytest.mark.parametrize("position", ["0", "9", "e0"])
def test_4_no_such_event(daynight, files, position, json):
    """4: event 0, and an event after the last one, do not exist, in every output format."""
    ran = daynight("replay", "g1.jsonl", "--at", position, *json)
    assert (4, []) == (ran.code, ran.documents if json else ran.out.splitlines())
    assert f"no event {position.lstrip('e')}; the last one is 8" in ran.error


def test_70_a_bug_of_ours(daynight, files, monkeypatch):
    """70: an internal bug prints one line; with DAYNIGHT_DEBUG it prints the traceback."""

    def broken(*arguments, **more):
        raise RuntimeError("first line\nsecond line")

    monkeypatch.setattr(Game, "load", broken)
    ran = daynight("why", "good.jsonl")
    assert (70, "") == ran[:2]
    assert ran.error.startswith("a bug of ours: RuntimeError: first line")
    monkeypatch.setenv("DAYNIGHT_DEBUG", "1")
    ran = daynight("why", "good.jsonl")
    assert 70 == ran.code
    assert ran.err.startswith("Traceback (most recent call last):")


@pytest.mark.parametrize("interruption", [KeyboardInterrupt, EOFError])
def test_130_interrupted(daynight, files, monkeypatch, interruption):
    """130: an interruption prints nothing."""

    def interrupted(*arguments, **more):
        raise interruption

    monkeypatch.setattr(Game, "load", interrupted)
    ran = daynight("why", "good.jsonl")
    assert (130, "", "") == (ran.code, ran.out, ran.err.strip())


def test_130_a_real_interruption(files):
    """130: SIGINT ends a process that waits for a record in a pipe; it prints nothing."""
    os.mkfifo(files / "pipe")
    command = [sys.executable, "-m", "daynight", "audit", "pipe"]
    # A shell's background jobs ignore interruptions, and so would the child of such a test run.
    heeded = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    child = subprocess.Popen(
        command, env=environ(), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        preexec_fn=heeded,  # noqa: PLW1509  # it only asks the kernel
    )  # fmt: skip
    # Opening a pipe blocks until the other side opens it, so the process is reading now.
    with child, (files / "pipe").open("wb"):
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=30)
    assert (130, b"", b"") == (child.returncode, out, err.strip())


@pytest.mark.parametrize("arguments", sampled([("replay", "long.jsonl"), ("cards", "--json"), ("schema",)], 3))
def test_nobody_listens_any_more(files, arguments):
    """If the reader closes the pipe, `replay`, `cards` and `schema` print no error message and exit with 0."""
    (files / "long.jsonl").write_bytes(records.lines(1500))
    command = [sys.executable, "-m", "daynight", *arguments]
    reading, writing = os.pipe()
    os.close(reading)
    ran = subprocess.run(command, env=environ(), stdout=writing, stderr=subprocess.PIPE, check=False)
    os.close(writing)
    assert (0, b"") == (ran.returncode, ran.stderr)


@pytest.mark.wide(but=2)
@pytest.mark.parametrize("line, code", [
    ("good.jsonl", 0), ("disputed.jsonl --json", 1), ("good.jsonl disputed.jsonl", 1),
    ("good.jsonl disputed.jsonl --json", 1), ("disputed.jsonl", 1), ("good.jsonl --json", 0),
])  # fmt: skip
def test_nobody_listens_to_an_answer(files, line, code):
    """If the reader closes the pipe, an audit still exits with the code of its verdicts."""
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "daynight", "audit", *line.split()]
    ran = processes.run(command, env=environ(), stdout=writing, stderr=subprocess.PIPE, check=False)
    assert (code, b"") == (ran.returncode, ran.stderr)
    os.close(writing)


ANSWERS = [
    ("diff g1.jsonl good.jsonl", 1),
    ("bisect disputed.jsonl", 1),
    ("repair disputed.jsonl", 1),
    ("report disputed.jsonl", 1),
    ("what-if g1.jsonl --drop 5", 1),
    ("branches good.jsonl disputed.jsonl", 1),
    ("conformance run --engine true --rule check-neither", 1),
    ("why good.jsonl", 0),
    ("show good.jsonl nowhere.jsonl", 4),
    ("stats good.jsonl nowhere.jsonl", 4),
]


@pytest.mark.parametrize("json", [(), ("--json",)], ids=["words", "json"])
@pytest.mark.parametrize("line, code", ANSWERS)
@pytest.mark.wide(but=3)
def test_nobody_listens_to_any_answer(daynight, files, line, code, json):
    """If the reader closes the pipe, each command has the same exit code and standard error as with a reader."""
    reading, writing = os.pipe()
    os.close(reading)
    plain = daynight(*line.split(), *json)
    command = [sys.executable, "-m", "daynight", *line.split(), *json]
    ran = processes.run(command, env=environ(), stdout=writing, stderr=subprocess.PIPE, text=True, check=False)
    assert (plain.code, plain.err) == (ran.returncode, ran.stderr)
    assert plain.code == code
    os.close(writing)


@pytest.mark.parametrize("command", ["why", "audit"])
def test_nobody_listens_in_this_process(files, monkeypatch, command):
    """If a command meets a closed pipe, `run` returns 0 and redirects standard output to the null device."""

    def unheard(*arguments, **more):
        raise BrokenPipeError

    led = []
    monkeypatch.setattr(Game, "load", unheard)
    monkeypatch.setattr(output.os, "dup2", lambda source, target: led.append(source))
    monkeypatch.setattr(Auditor, "record", unheard)
    assert 0 == commands.run([command, "good.jsonl"])
    (source,) = led
    os.close(source)
    with pytest.raises(BrokenPipeError):
        output.console().on_broken_pipe()


def test_several_records_one_of_them_bad(daynight, files):
    """The records beside a bad one are answered in order, and the exit code is that of the bad one, 3 or 4."""
    for bad, code in (("refused.jsonl", 3), ("nowhere.jsonl", 4), ("folder", 3)):
        ran = daynight("audit", "good.jsonl", bad, "disputed.jsonl", "--json")
        assert ["good.jsonl", "disputed.jsonl"] == [document["record"] for document in ran.documents]
        assert code == ran.code
        assert ran.error.startswith(bad)


@pytest.mark.parametrize("command", ["replay", "show", "audit"])
def test_several_records_in_words(daynight, files, command):
    """In text, both bad records get a line on standard error, the good ones are answered, and the exit code is 3."""
    ran = daynight(command, "g1.jsonl", "nowhere.jsonl", "refused.jsonl", "g1.jsonl")
    assert 3 == ran.code
    assert ["nowhere.jsonl", "refused.jsonl"] == [line.split(":")[0] for line in ran.err.splitlines()]
    assert 2 <= ran.out.count("g1")


def test_replaying_several_up_to_a_position(daynight, files):
    """If a position is missing in one record, the others are answered, and the exit code is 4."""
    ran = daynight("replay", "good.jsonl", "g1.jsonl", "--at", "5", "--json")
    assert (4, [5]) == (ran.code, [document["event"] for document in ran.documents])
    ran = daynight("replay", "good.jsonl", "g1.jsonl", "--at", "turn:2", "--json")
    assert (4, [5]) == (ran.code, [document["event"] for document in ran.documents])
