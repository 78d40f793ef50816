"""What the command line promises for any mechanic; each promise is a function of a case and a folder.

| promise | function |
| --- | --- |
| an audit prints its verdict and its findings; exit code 1 if a claim differs | audits |
| show, replay, why and blame print the same moments and parts as Python | looks |
| log is the old name of show, and no help mentions it | shows |
| diff ends with exit code 0 or 1 | compares |
| bisect finds the first wrong claim, a value, or the first event for which a custom test fails | bisects |
| what-if prints impossible events and differences, exit code 1 if there are any; it can write the branch | branches |
| what-if says before which event the replay ends, or which events it left out | branches |
| what-if stores a branch beside its record; positions and commands find it there | keeps |
| schema and chart print those of the mechanic, chart as JSON too; help lists every command | describes |
| the help of every command shows examples; all but those of follow, serve, migrate and key are run | examples |
| a refused line: exit code 3, one line on stderr and nothing on stdout | refuses |
| exit code 4 for a missing file, event or part; 2 for wrong usage | mistakes |
"""

from __future__ import annotations

import json
import re
import shlex
import sys
from contextlib import chdir, redirect_stderr, redirect_stdout
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path
from typing import Any
from unittest.mock import patch

import msgspec

from daynight.cli.commands import run
from daynight.cli.terminal.interpreter import AS_WRITTEN
from daynight.framework import Chart, Derived, Recorded, drop, insert
from daynight.framework.language.codec import VERSION, encode
from daynight.games import Store
from daynight.speaker import Speaker
from tests.commands.conftest import complaints

from .cases import Case


def ran(case: Case, *arguments: object) -> tuple[int, str, str]:
    """Run a command of the case's mechanic; return the exit code and both output streams."""
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
    """Run a command with `--json`; return the documents that it prints, without their version.

    It may print nothing else but the notice of a new file. The lines of `show` have no version.
    """
    ended, out, err = ran(case, *arguments, "--json")
    assert (code, "") == (ended, complaints(err))
    found = [json.loads(line) for line in out.splitlines()]
    if arguments[0] not in ("show", "log"):
        assert {VERSION} == {document.pop("version") for document in found}
    return found


def kept(case: Case, folder: Path, *more: bytes) -> Path:
    """Write the record of a case, with `more` lines after it, into a file; return its path."""
    file = folder / "record.jsonl"
    file.write_bytes(b"".join(line + b"\n" for line in (*case.lines, *more)))
    return file


def plain(value: Any) -> Any:
    """The value after it was written as JSON and read again."""
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
    # Null may be a value or mean that there is none, so an open part is marked.
    told = {one["event"]: one for key in ("findings", "unsettled") for one in document[key]}
    for one in found.findings:
        values = [] if one.derived is None else plain(list(one.derived.values))
        assert (values if len(values) > 1 else None) == told[one.event].get("possible")
    ended, out, _err = ran(case, "audit", file)
    assert (code, 1 + len(found.findings)) == (ended, len(out.splitlines()))


def looks(case: Case, folder: Path) -> None:
    file, record = kept(case, folder), case.record()
    assert plain(record.table()) == documents(case, "show", file)
    assert len(case.events) <= len(ran(case, "show", file)[1].splitlines())
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


def shows(case: Case, folder: Path) -> None:
    file, before = kept(case, folder), case.backs - 1
    assert ran(case, "show", file) == ran(case, "log", file)
    until = folder / "until.jsonl"
    case.record(before).save(until)
    assert ran(case, "show", until) == ran(case, "show", file, "--at", before)
    assert case.commands.commands["log"].hidden
    assert "\n  log " not in ran(case, "--help")[1]


def side(found: Derived | None) -> Any:
    """One side of a difference as JSON: the value, a list of possible values, or null if the part is missing."""
    possible = [] if found is None else plain(list(found.values))
    return possible if len(possible) > 1 else possible[0] if possible else None


def compares(case: Case, folder: Path) -> None:
    file, record = kept(case, folder), case.record()
    assert [{"differences": []}] == documents(case, "diff", file, file)
    (document,) = documents(case, "diff", file, file, "--at", case.to, "--and", case.backs - 1, code=1)
    say = Speaker(record.mechanic)
    assert [
        {
            "part": one.part,
            "subject": one.subject,
            "left": side(one.left),
            "right": side(one.right),
            "sentence": f"{say.part(one.part, one.subject, one.left)} / {say.value(one.part, one.subject, one.right)}",
        }
        for one in record.differences(record, case.to, case.backs - 1)
    ] == document["differences"]


def bisects(case: Case, folder: Path) -> None:
    file, record = kept(case, folder), case.record()
    for part, subject, found in record.parts(case.backs)[:3]:
        of = [] if subject is None else ["--subject", subject]
        value = case.mechanic.words.value(part, subject, found.value)
        (document,) = documents(case, "bisect", file, part, value, *of, code=1)
        assert document["bad"] <= case.backs
        # As in why, the subject comes after the part.
        assert [document] == documents(case, "bisect", file, part, *of[1:], value, code=1)
        assert of == [] or 2 == ran(case, "bisect", file, part, *of[1:], value, *of)[0]
        assert 2 == ran(case, "bisect", file, part, *of)[0]
        assert [{"bad": None}] == documents(case, "bisect", file, part, "no such value", *of)
        said = f"{' '.join([part, *of[1:]])} is never no such value in this record; it is: "
        assert said in ran(case, "bisect", file, part, "no such value", *of)[1]
    audit = record.audited()
    wrong = sorted({finding.event for finding in audit.disputes})
    (document,) = documents(case, "bisect", file, code=1 if wrong else 0)
    assert (next(iter(wrong), None), document["right_again"] is None) == (document["bad"], document["monotone"])
    assert wrong[1:] == [*document["wrong"], *document["differ_again"]]
    assert (document["bad"] is None) is (document["finding"] is None)
    if (right := document["right_again"]) is not None:
        assert case.mechanic.says(case.events[right - 1]) or case.mechanic.concludes is not None
        assert right not in wrong
        assert all(number < right for number in document["wrong"])
        assert all(number > right for number in document["differ_again"])
    assert {one["event"] for one in document["undone"]} == {
        one.event for one in audit.findings if one.undone and one.event < min(wrong, default=len(record))
    }
    out = ran(case, "bisect", file)[1]
    assert out.startswith(f"{wrong[0]:>5}  " if wrong else "no event\n")
    if wrong:
        assert f"\n{document['finding']['sentence']}\n" in out
    _bisects_by_test(case, folder, file)


def _bisects_by_test(case: Case, folder: Path, file: Path) -> None:
    # The record is the last argument, or comes on standard input.
    test = folder / "agrees.py"
    test.write_text(f"import sys\nsys.exit(len(open(sys.argv[1]).readlines()) >= {case.backs})\n", "utf-8")
    command = shlex.join([sys.executable, str(test)])
    (document,) = documents(case, "bisect", file, "--run", command, code=1)
    assert (case.backs, case.backs - 1, None) == tuple(document[key] for key in ("bad", "good", "monotone"))
    first, event, *_more = ran(case, "bisect", file, "--run", command)[1].splitlines()
    assert f"e{case.backs} is the first bad event; {document['runs']} beginnings tested" == first
    assert event.startswith(f"{case.backs:>5}  ")
    test.write_text("", "utf-8")
    assert 0 == ran(case, "bisect", file, "--run", command)[0]
    code, out, err = ran(case, "bisect", file, next(iter(case.mechanic.parts)), "1", "--run", command)
    assert (2, "", True) == (code, out, "a test or a part, not both" in err)


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
    told = ran(case, "what-if", file, "--insert", f"{case.backs - 1}: {undoing}")[1]
    assert told.startswith(f"the replay ends before event {case.backs}, impossible on the branch: ")
    assert "\n--leave-out goes on without it\n" in told
    told = ran(case, "what-if", file, "--insert", f"{case.backs - 1}: {undoing}", "--leave-out")[1]
    assert told.startswith(f"left out: event {case.backs}, impossible on the branch: ")
    assert "ends before" not in told
    end = record.branch(drop("e3", len(record)))
    differs = bool([*end.game.differences(record)])
    code, told = ran(case, "what-if", file, "--drop", f"e3..{len(record)}")[:2]
    assert (code, told == "nothing differs\n") == (int(differs), not differs)


def keeps(case: Case, folder: Path) -> None:
    file, where = kept(case, folder), ["--db", folder / "kept.db"]
    home = patch.dict("os.environ", HOME=str(folder), XDG_CONFIG_HOME=str(folder), APPDATA=str(folder))
    edit = ["--insert", f"e2: {json.dumps(case.claim)}", "--name", "b2", "--keep"]
    with home, Store.open(folder / "kept.db", mechanic=case.mechanic) as store:
        store.import_record(file, "friday")
        (document,) = documents(case, "what-if", "db:friday", *edit, *where)
        assert (0, "nothing differs\nkept: db:friday/b2\n") == ran(case, "what-if", "db:friday", *edit, *where)[:2]
        branch = case.record().branch(insert(2, case.claim))
        assert document["events"] == len(branch) == store.last("friday/b2")
        assert [*branch.events[1:]] == [*store.events("friday/b2", 1)]
        for verb in ("replay", "blame"):
            ending = documents(case, verb, "db:friday/b2", *where)
            assert ending == documents(case, verb, "db:friday", "--at", "branch:b2", *where)
        assert 3 == documents(case, "replay", "db:friday", "--at", "branch:b2/e3", *where)[0]["event"]
        assert [{"differences": []}] == documents(case, "diff", "db:friday", "db:friday/b2", *where)
        for code, arguments in (
            (2, [file, *edit]),
            (2, ["db:friday", *edit, "--name", "e18"]),
            (4, ["db:saturday", *edit]),
            (5, ["db:friday", "--drop", len(case.events), "--name", "b2", "--keep"]),
        ):
            assert (code, "") == ran(case, "what-if", *arguments, *where)[:2], arguments
        assert ["friday", "friday/b2"] == [name for name, _number in store.games()]


def describes(case: Case, folder: Path) -> None:
    code, out, _err = ran(case, "schema")
    assert (0, plain(case.mechanic.language.schema())) == (code, json.loads(out))
    code, out, _err = ran(case, "chart")
    assert isinstance(chart := case.mechanic.chart, Chart)
    assert (0, chart.mermaid()) == (code, out) == ran(case, "chart", chart.name)[:2]
    assert (4, "") == ran(case, "chart", "nothing")[:2]
    [document] = documents(case, "chart")
    [told] = document["charts"]
    assert (chart.name, [str(state.value) for state in chart.states]) == (told["name"], told["states"])
    arcs = [(arc["from"], arc["to"], arc["trigger"], arc["when"]) for arc in told["arcs"]]
    assert ([*chart.table()], str(chart.initial.value)) == (arcs, told["initial"])
    assert chart.mermaid() == told["mermaid"]
    assert [document] == documents(case, "chart", chart.name)
    code, out, _err = ran(case, "--help")
    assert code == 0
    for name, command in case.commands.commands.items():
        assert (f"  {name} " in out) is not command.hidden
        assert command.help


def examples(case: Case, folder: Path) -> None:
    for name, game in (("friday", case.record()), ("saturday", case.record(case.backs - 1))):
        game.save(folder / f"{name}.jsonl")
    (folder / "events.jsonl").write_text(json.dumps(case.claim), "utf-8")
    (folder / "engine-agrees").write_text("#!/bin/sh\n", "utf-8")
    (folder / "engine-agrees").chmod(0o755)
    with chdir(folder), Store.open("daynight.db", mechanic=case.mechanic) as store:
        store.import_record("friday.jsonl", "friday")
    for name, command in case.commands.commands.items():
        assert (command.epilog or "").startswith(AS_WRITTEN), name
        for example in re.split("\nExamples?:\n", ran(case, name, "--help")[1])[1].splitlines():
            program, verb, *arguments = shlex.split(example.partition(" < ")[0])
            assert (case.mechanic.name, "show" if command.hidden else name) == (program, verb)
            assert "demo" not in arguments
            if name in ("follow", "serve", "migrate", "key"):
                continue  # Two wait for more events, one needs a server, and one needs that there is no key yet.
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
        for command in (["audit", file], ["show", file], ["replay", file, "--json"], ["diff", file, file]):
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


PROMISES = (audits, looks, shows, compares, bisects, branches, keeps, describes, refuses, mistakes)
