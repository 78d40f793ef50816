"""The command line where the contract's mechanics have no example: several charts, archives, uncertain parts.

| promise | test |
| --- | --- |
| with several charts, `chart` prints all under their names, or a chosen one | test_charts, test_charts_in_a_row |
| an unknown chart is reported as not found | test_no_such_chart |
| an archive is imported into an empty store, completely or not at all | test_archive, test_spoilt_archive |
| `import` recognises archives and records by their content | test_archive |
| text that several values share is printed once | test_said_once, test_said_apart |
| bisect takes the subject as an argument, like why, or as an option | test_subject_before_the_value |
| the help of migrate shows how to give the schema in the address | test_schema_of_migrate |
"""

from __future__ import annotations

from dataclasses import replace
from enum import Enum
from pathlib import Path
from typing import Any

import pytest

from daynight import Store
from daynight.framework import Arc, Chart, Derived, Part, Way
from examples.approval import CHART, by_author
from examples.approval import MECHANIC as APPROVAL

from .cases import CASES, Case
from .commanding import documents, kept, ran

CASE = CASES["an approval"]
FILE_NAME = "record.jsonl"


class Door(Enum):
    """The states of a door."""

    OPEN = "open"
    SHUT = "shut"


DOOR: Chart[Door, Any] = Chart(Door, Door.OPEN, [Arc("shut", Door.OPEN, Door.SHUT, by_author)])


def changed(**changes: Any) -> Case:
    """The case of the approval, with a changed mechanic."""
    return replace(CASE, mechanic=replace(APPROVAL, **changes))


def test_charts() -> None:
    case = changed(chart={"stage": CHART, "the door": DOOR})
    code, out, _err = ran(case, "chart")
    assert (0, f"%% stage\n{CHART.mermaid()}\n%% the door\n{DOOR.mermaid()}") == (code, out)
    assert (0, DOOR.mermaid()) == ran(case, "chart", "the door")[:2]
    assert "    open --> shut : shut [the author does it]\n" in out


@pytest.mark.parametrize("made", [tuple, list])
def test_charts_in_a_row(made: Any) -> None:
    case = changed(chart=made([CHART, DOOR]))
    assert ran(case, "chart")[1].startswith("%% Stage\nstateDiagram-v2\n")
    assert (0, DOOR.mermaid()) == ran(case, "chart", "Door")[:2]
    assert ran(changed(chart=[DOOR]), "chart") == ran(changed(chart=DOOR), "chart") == (0, DOOR.mermaid(), "")


def test_no_such_chart() -> None:
    for chart, known in (({"stage": CHART, "door": DOOR}, "stage, door"), (CHART, "Stage")):
        code, out, err = ran(changed(chart=chart), "chart", "dor")
        assert (4, "") == (code, out)
        assert f"no chart 'dor'; there are: {known}" in err
    for chart in (None, {}, ()):
        assert (2, "") == ran(changed(chart=chart), "chart")[:2]


@pytest.fixture
def archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The path of an archive of two records; the store that it was exported from is beside it."""
    for name in ("HOME", "XDG_CONFIG_HOME", "APPDATA"):
        monkeypatch.setenv(name, str(tmp_path / "home"))
    kept(CASE, tmp_path)
    (tmp_path / "other.jsonl").write_bytes(CASE.lines[0].replace(b'"document":"', b'"document":"other ') + b"\n")
    for file in (FILE_NAME, "other.jsonl"):
        assert 0 == ran(CASE, "import", tmp_path / file, "--db", tmp_path / "old.db")[0]
    assert 0 == ran(CASE, "export", "--all", "-o", tmp_path / "archive.jsonl", "--db", tmp_path / "old.db")[0]
    return tmp_path / "archive.jsonl"


def test_archive(archive: Path) -> None:
    old, new, more = (archive.with_name(f"{name}.db") for name in ("old", "new", "more"))
    events = len(CASE.events) + 1
    code, out, _err = ran(CASE, "import", archive, "--db", new)
    assert (0, f"{archive}: 2 games with {events} events stored\n") == (code, out)
    assert ran(CASE, "list", "--db", old) == ran(CASE, "list", "--db", new)
    assert 0 == ran(CASE, "verify", "--db", new)[0]
    assert [{"archive": str(archive), "games": 2, "events": events}] == documents(CASE, "import", archive, "--db", more)
    ran(CASE, "export", "--all", "-o", archive.with_name("again.jsonl"), "--db", new)
    assert archive.read_bytes() == archive.with_name("again.jsonl").read_bytes()
    # A record beside an archive is a record; an archive is only imported into an empty store.
    code, _out, err = ran(CASE, "import", archive.with_name(FILE_NAME), archive, "--db", new)
    assert (5, True) == (code, "an archive goes into an empty store" in err)


def test_spoilt_archive(archive: Path) -> None:
    lines = archive.read_bytes().splitlines(keepends=True)
    for spoilt, code in ((lines[:-1], 3), ([lines[0], lines[2], *lines[2:]], 5)):
        archive.write_bytes(b"".join(spoilt))
        new = archive.with_name("new.db")
        ended, out, err = ran(CASE, "import", archive, "--db", new)
        assert (code, "") == (ended, out), err
        # A failed import leaves no new store, and an existing one unchanged.
        assert not [*archive.parent.glob("new.db*")]
        assert f"removed the store {new}: nothing was stored in it" in err
        Store.open(new, mechanic=CASE.mechanic).close()
        assert (code, "") == ran(CASE, "import", archive, "--db", new)[:2]
        assert (0, "") == ran(CASE, "list", "--db", new)[:2]
        new.unlink()


def open_part(ways: tuple[Way, ...]) -> Case:
    """The case of the approval, with a part `place` that has four possible values, and `ways` for them."""
    values = ("a", "b", "c", "d")
    return changed(parts={**APPROVAL.parts, "place": Part(lambda paper, subject: Derived(values, ways))})


def test_said_once(tmp_path: Path) -> None:
    case = open_part((Way(2, "submitted", (2,)),) * 4)
    file = kept(case, tmp_path)
    out = ran(case, "why", file, "place")[1]
    assert ["place: a or b or c or d", "  since event 2: the author asks for reviews"] == out.splitlines()[:2]
    assert 1 == ran(case, "blame", file)[1].count("the author asks for reviews")


def test_said_apart(tmp_path: Path) -> None:
    case = open_part((Way(2, "submitted"), Way(2, "submitted"), Way(3, "submitted"), Way(2, "opened")))
    told = "since event 2: the author asks for reviews / since event 3: the author asks for reviews / since event 2: a"
    assert told in ran(case, "why", kept(case, tmp_path), "place")[1]


def test_subject_before_the_value(tmp_path: Path) -> None:
    file = kept(CASE, tmp_path)
    record = CASE.record()
    subject = next(subject for part, subject, _found in record.parts(CASE.backs - 1) if part == "approval")
    forms = (["approval", subject, "given"], ["approval", "given", "--subject", subject])
    first, second = (ran(CASE, "bisect", file, *form) for form in forms)
    assert first == second
    assert 1 == first[0]
    assert f"approval {subject} is never False" in ran(CASE, "bisect", file, "approval", subject, "False")[1]
    code, _out, err = ran(CASE, "bisect", file, "approval", subject, "given", "--subject", subject)
    assert (2, True) == (code, f"--subject: {subject!r} is given before the value, too" in err)
    code, _out, err = ran(CASE, "bisect", file, "approval", "given")
    assert (4, True) == (code, "approval has a subject; name one of: " in err)
    assert (2, True) == (ran(CASE, "bisect", file, "stage")[0], "which value?" in ran(CASE, "bisect", file, "stage")[2])


def test_schema_of_migrate() -> None:
    told = " ".join(ran(CASE, "migrate", "--help")[1].split())
    assert "?schema=NAME" in told
    assert "approval migrate --db 'postgresql://localhost/games?schema=league'" in told
