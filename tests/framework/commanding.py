"""What the command line promises of any mechanic; each promise is a function of a case and a folder.

| promise | function |
| --- | --- |
| an audit prints its verdict and its findings; 1 where a claim that stands differs | audits |
| log, replay, why and blame print the moments and the parts that there are | looks |
| diff ends with 0 or 1; bisect with 1 and the first wrong claim | compares |
| what-if prints what became impossible and what differs, and writes the branch; 1 where there is any | branches |
| schema and chart print the mechanic's own; help lists every command | describes |
| the help of every command shows examples, and each of them can be run | examples |
| exit code 3, one line and nothing on standard output, where a line is refused | refuses |
| exit code 4 where a file, an event or a part is not there; 2 where the command line makes no sense | mistakes |
"""

from __future__ import annotations

import json
import re
import shlex
from contextlib import chdir, redirect_stderr, redirect_stdout
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path
from typing import Any
from unittest.mock import patch

import msgspec

from daynight.cli.commands import run
from daynight.cli.terminal.interpreter import AS_WRITTEN
from daynight.framework import Derived, Recorded, drop, insert
from daynight.framework.language.codec import VERSION, encode
from daynight.games import Store
from tests.commands.conftest import complaints

from .cases import Case


def ran(case: Case, *arguments: object) -> tuple[int, str, str]:
    """The exit code of a command line of the case's mechanic, and what it prints on both streams."""
    with (
        TextIOWrapper(BytesIO(), "utf-8") as out,
        TextIOWrapper(BytesIO(), "utf-8") as err,
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        code = run([str(argument) for argument in arguments], case.commands, case.mechanic.name)
        return code, _written(out), _written(err)


def _written(stream: TextIOWrapper) -> str:
    stream.flush()
    stream.seek(0)
    return stream.read()


def documents(case: Case, *arguments: object, code: int = 0) -> list[Any]:
    """The JSON documents that a command prints, without their version; nothing else is printed, but for what was made.

    What `log` prints are lines, which have none.
    """
    ended, out, err = ran(case, *arguments, "--json")
    assert (code, "") == (ended, complaints(err))
    found = [json.loads(line) for line in out.splitlines()]
    if arguments[0] != "log":
        assert {VERSION} == {document.pop("version") for document in found}
    return found


def kept(case: Case, folder: Path, *more: bytes) -> Path:
    """The record of a case as a file, with more lines."""
    file = folder / "record.jsonl"
    file.write_bytes(b"".join(line + b"\n" for line in (*case.lines, *more)))
    return file


def plain(value: Any) -> Any:
    """A value as JSON has it."""
    return json.loads(msgspec.json.encode(value))


def audits(case: Case, folder: Path) -> None:
    file, found = kept(case, folder), case.record().audited()
    code = 1 if found.verdict == "disputed" else 0
    (document,) = documents(case, "audit", file, code=code)
    assert (str(file), len(case.events), found.verdict) == tuple(
        document[key] for key in ("record", "events", "verdict")
    )
    assert [
        (one.event, one.said.part, one.said.subject, plain(one.said.value), one.said.by, one.undone)
        for one in found.findings
        if one.right is False
    ] == [
        (one["event"], one["about"], one["subject"], one["claimed"], one["by"], one.get("undone", False))
        for one in document["findings"]
    ]
    # Null may be a value, and that there is none: what is open says so.
    told = {one["event"]: one for key in ("findings", "unsettled") for one in document[key]}
    for one in found.findings:
        values = [] if one.derived is None else plain(list(one.derived.values))
        assert (values if len(values) > 1 else None) == told[one.event].get("possible")
    ended, out, _err = ran(case, "audit", file)
    assert (code, 1 + len(found.findings)) == (ended, len(out.splitlines()))


def looks(case: Case, folder: Path) -> None:
    file, record = kept(case, folder), case.record()
    assert plain(record.table()) == documents(case, "log", file)
    assert len(case.events) <= len(ran(case, "log", file)[1].splitlines())
    for number in (case.backs, len(record)):
        (document,) = documents(case, "replay", file, "--at", f"e{number}")
        assert [document] == documents(case, "blame", file, "--at", number)
        assert number == document["event"]
        told = document["parts"]
        for (part, subject, found), one in zip(record.parts(number), told, strict=True):
            there = tuple(one[key] for key in ("part", "subject", "value", "because"))
            assert (part, subject, plain(found.value), list(found.because)) == there
        for one in (told[0], told[-1]):
            asked = [name for name in (one["part"], one["subject"]) if name is not None]
            assert [one | {"event": number}] == documents(case, "why", file, *asked, "--at", number)
            assert ran(case, "why", file, *asked, "--at", number)[1].startswith(one["part"])


def side(found: Derived | None) -> Any:
    """One side of a difference as JSON: the value, a list of what it may be, or null where nothing is there."""
    possible = [] if found is None else plain(list(found.values))
    return possible if len(possible) > 1 else possible[0] if possible else None


def compares(case: Case, folder: Path) -> None:
    file, record = kept(case, folder), case.record()
    assert [{"differences": []}] == documents(case, "diff", file, file)
    (document,) = documents(case, "diff", file, file, "--at", case.to, "--and", case.backs - 1, code=1)
    assert [
        {"part": one.part, "subject": one.subject, "left": side(one.left), "right": side(one.right)}
        for one in record.differences(record, case.to, case.backs - 1)
    ] == document["differences"]
    for part, subject, found in record.parts(case.backs)[:3]:
        of = [] if subject is None else ["--subject", subject]
        value = case.mechanic.words.value(part, subject, found.value)
        (document,) = documents(case, "bisect", file, part, value, *of, code=1)
        assert document["bad"] <= case.backs
        assert [{"bad": None}] == documents(case, "bisect", file, part, "no such value", *of)
        said = f"{' '.join([part, *of[1:]])} is never no such value in this record; it is: "
        assert said in ran(case, "bisect", file, part, "no such value", *of)[1]
    first = min((finding.event for finding in record.audited().disputes), default=None)
    assert [{"bad": first}] == documents(case, "bisect", file, code=0 if first is None else 1)


def branches(case: Case, folder: Path) -> None:
    file, record, out = kept(case, folder), case.record(), folder / "branch.jsonl"
    claim = json.dumps(case.claim)
    (document,) = documents(case, "what-if", file, "--insert", f"e2: {claim}", "--output", out)
    branch = record.branch(insert(2, case.claim))
    assert {"parted": 2, "events": len(branch), "impossible": [], "differences": []} == document
    assert branch.events == Recorded.load(case.mechanic, out).events
    undoing = json.dumps(json.loads(encode(record.events[case.backs - 1])) | {"to": 1})
    (document,) = documents(case, "what-if", file, "--insert", f"{case.backs - 1}: {undoing}", code=1)
    assert [case.backs] == [one["event"] for one in document["impossible"]]
    end = record.branch(drop("e3", len(record)))
    code, told = (1 if end.game.differences(record) else 0), ran(case, "what-if", file, "--drop", f"e3..{len(record)}")
    assert (code, code) == (told[0], 1 if told[1] else 0)


def describes(case: Case, folder: Path) -> None:
    code, out, _err = ran(case, "schema")
    assert (0, plain(case.mechanic.language.schema())) == (code, json.loads(out))
    code, out, _err = ran(case, "chart")
    assert case.mechanic.chart is not None
    assert (0, case.mechanic.chart.mermaid()) == (code, out)
    code, out, _err = ran(case, "--help")
    assert code == 0
    for name, command in case.commands.commands.items():
        assert f"  {name} " in out
        assert command.help


def examples(case: Case, folder: Path) -> None:
    for name, game in (("friday", case.record()), ("saturday", case.record(case.backs - 1))):
        game.save(folder / f"{name}.jsonl")
    (folder / "events.jsonl").write_text(json.dumps(case.claim), "utf-8")
    with chdir(folder), Store.open("daynight.db", mechanic=case.mechanic) as store:
        store.import_record("friday.jsonl", "friday")
    for name, command in case.commands.commands.items():
        assert (command.epilog or "").startswith(AS_WRITTEN), name
        for example in re.split("\nExamples?:\n", ran(case, name, "--help")[1])[1].splitlines():
            program, verb, *arguments = shlex.split(example.partition(" < ")[0])
            assert (case.mechanic.name, name) == (program, verb)
            assert "demo" not in arguments
            if name in ("follow", "serve", "migrate", "key"):
                continue  # Two wait for more, one needs a server, one needs that there is no key yet.
            home = patch.dict("os.environ", HOME=str(folder), XDG_CONFIG_HOME=str(folder), APPDATA=str(folder))
            with chdir(folder), home, patch("sys.stdin", StringIO((folder / "events.jsonl").read_text("utf-8"))):
                code, out, err = ran(case, verb, *arguments)
            assert (code in (0, 1), "") == (True, complaints(err)), (example, code, out)
            assert out or verb == "what-if", example


def refuses(case: Case, folder: Path) -> None:
    event, path = case.impossible
    last = len(case.events) + 1
    for line, sentence in ((json.dumps(event).encode(), path), (b"{}", "$"), (b"", "$")):
        file = kept(case, folder, line)
        for command in (["audit", file], ["log", file], ["replay", file, "--json"], ["diff", file, file]):
            code, out, err = ran(case, *command)
            told = [json.loads(one) for one in out.splitlines()]
            place = [(one["version"], one["error"], one["file"], one["line"]) for one in told]
            assert [(VERSION, err.rstrip("\n"), str(file), last)] * ("--json" in command) == place
            assert 3 == code
            assert f"{file}:{last}: {sentence}: " in err
            assert 1 == err.count("\n")


def mistakes(case: Case, folder: Path) -> None:
    file = kept(case, folder)
    part = next(iter(case.mechanic.parts))
    subjects = {name: one.subjects(case.record().whole(len(case.events))) for name, one in case.mechanic.parts.items()}
    of_somebody = next((name for name, those in subjects.items() if None not in those), "no-such-part")
    for code, arguments in (
        (4, ["audit", folder / "nothing.jsonl"]),
        (4, ["replay", file, "--at", len(case.events) + 1]),
        (4, ["why", file, "no-such-part"]),
        (4, ["bisect", file, "no-such-part", "1"]),
        (4, ["bisect", file, of_somebody, "1"]),
        (2, ["bisect", file, part]),
        (4, ["audit", "db:nothing", "--db", folder / "nothing.db"]),
        (2, ["replay", file, "--at", "nonsense"]),
        (2, ["why", file, part, "--colour"]),
        (2, ["no-such-command", file]),
        (2, ["audit"]),
        (2, ["what-if", file, "--insert", "nothing"]),
        (2, ["what-if", file, "--drop", "1"]),
    ):
        ended, out, err = ran(case, *arguments)
        assert (code, "") == (ended, out), arguments
        assert 1 == err.count("\n"), arguments
    assert f"; {case.mechanic.name} import makes one, " in ran(case, "list", "--db", folder / "nothing.db")[2]


PROMISES = (audits, looks, compares, branches, describes, refuses, mistakes)
