"""Writes cases for engines: as data, or in the shape of an engine's own tests."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from daynight.conformance import xmage
from daynight.conformance.cases import SUITE, Case
from daynight.framework.language.wording import _

TARGETS = ("cases", "xmage")
"""The targets of an export."""

_README = """daynight conformance suite, {suite}. CC0: take it, change it, ask nobody.

cases.jsonl has a case a line; dn-0001.json and so on have one each. `setup`, `actions` and `expect` are for an engine
that plays cards; `events` and `checks` are the same game as a record. `at` is a turn and the step that begins there;
a check is an event's number, the designation after it, faces, and what triggered and what transformed since the check
before; null and what is left out are not asked for.
`needs` names what an engine may lack, and `fails_like` the mistake that the case catches.
"""


def exported(cases: Sequence[Case], target: str) -> tuple[dict[str, bytes], dict[str, str]]:
    """Return two dicts for a target: the content of each file by its name, and why a case is left out by its id."""
    if target == "xmage":
        out = {case.id: reason for case in cases if (reason := xmage.left_out(case)) is not None}
        return {xmage.FILE: xmage.written([case for case in cases if case.id not in out]).encode()}, out
    lines = {case.id: json.dumps(case.document, ensure_ascii=False) + "\n" for case in cases}
    found = {f"{id}.json": line.encode() for id, line in lines.items()}
    found["cases.jsonl"] = "".join(lines.values()).encode()
    found["README.txt"] = _README.format(suite=SUITE).encode()
    return found, {}


def write(folder: Path, found: dict[str, bytes]) -> None:
    """Write the files into a folder, which is made if it is not there.

    Raises:
        OSError: where a file can't be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in found.items():
        (folder / name).write_bytes(data)


def said(out: dict[str, str]) -> list[str]:
    """Return a sentence for each case in `out`: it is left out, and why."""
    return [_("{id} is left out: {reason}").format(id=id, reason=reason) for id, reason in out.items()]
