"""The library's own example applications, adopted unchanged; skipped if they are not installed.

They come with the library's source, in some releases with the installed package: in `eventsourcing/examples`, or where
DAYNIGHT_EVENTSOURCING_EXAMPLES says. Each application's own tests fill its database, and then it is adopted.

| what holds | test |
| --- | --- |
| every reading verb answers about every aggregate of each application; nothing is written | test_every_verb |
| cargo shipping reads the clock while it is replayed: check names that, and nothing in the others | test_check |
"""

import io
import json
import os
import re
import sqlite3
import subprocess
import sys
from contextlib import closing
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

import pytest

from daynight.cli.adopting.adopt import adopt
from daynight.cli.commands import run

APPLICATIONS = {
    "bankaccounts": "BankAccounts", "cargoshipping": "BookingApplication",
    "contentmanagement": "ContentManagementApplication", "aggregate1": "DogSchool", "aggregate2": "DogSchool",
    "aggregate3": "DogSchool", "aggregate6a": "DogSchool",
}  # fmt: skip
"""Each example's package, and its application; aggregate6a is functional: no aggregate class contains its events."""

READING = {"show", "log", "replay", "blame", "audit", "why", "diff", "what-if", "bisect"}


def source():
    """The folder of the examples; None where the library is installed without them."""
    named = os.environ.get("DAYNIGHT_EVENTSOURCING_EXAMPLES")
    spec = find_spec("eventsourcing")
    assert spec is not None
    found = Path(named) if named else Path(str(spec.origin)).parent / "examples"
    return found if found.is_dir() else None


pytestmark = [
    pytest.mark.wide,
    pytest.mark.skipif(
        source() is None,
        reason="eventsourcing is installed without its examples; DAYNIGHT_EVENTSOURCING_EXAMPLES names their folder",
    ),
]


@pytest.fixture(scope="module")
def examples(tmp_path_factory):
    """A folder with a copy of the examples as the package `library_examples`; they import each other by that name."""
    folder = tmp_path_factory.mktemp("library")
    found = source()
    assert found is not None
    for path in found.rglob("*.py"):
        there = folder / "library_examples" / path.relative_to(found)
        there.parent.mkdir(parents=True, exist_ok=True)
        text = re.sub(r"\b(?:eventsourcing\.)?examples\.(?=\w)", "library_examples.", path.read_text("utf-8"))
        there.write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(params=APPLICATIONS)
def asked(request, examples, tmp_path, monkeypatch):
    """The example's name, its database, filled by its own tests, and a function that returns exit code and output."""
    name = request.param
    place = tmp_path / "example.db"
    filled = {
        **os.environ, "PYTHONPATH": str(examples), "PERSISTENCE_MODULE": "eventsourcing.sqlite",
        "SQLITE_DBNAME": str(place), "IS_SNAPSHOTTING_ENABLED": "n",
    }  # fmt: skip
    tests = [path.stem for path in sorted((examples / "library_examples" / name).glob("test*.py"))]
    tests = [one for one in tests if one in ("test", "test_application", "test_bankaccounts")]
    command = [sys.executable, "-m", "unittest", *(f"library_examples.{name}.{one}" for one in tests)]
    subprocess.run(command, env=filled, cwd=tmp_path, capture_output=True, check=False)
    if not place.exists() or not events(place):
        pytest.skip(f"{name} of this release fills no database of this one")
    monkeypatch.syspath_prepend(str(examples))
    monkeypatch.setenv("PYTHONPATH", str(examples))
    said = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    line = ["adopt", f"library_examples.{name}.application:{APPLICATIONS[name]}", "--db", str(place)]

    def ask(*arguments):
        said.buffer.seek(0)
        said.buffer.truncate()
        monkeypatch.setattr(sys, "stdout", said)
        code = run([*line, *arguments])
        said.flush()
        return code, said.buffer.getvalue().decode()

    return name, place, ask


def events(place):
    with closing(sqlite3.connect(place)) as connection:
        return connection.execute("SELECT count(*) FROM stored_events").fetchone()[0]


def digest(place):
    return sha256(place.read_bytes()).hexdigest(), place.stat().st_mtime_ns, sorted(place.parent.glob("example*"))


def test_every_verb(asked):
    assert set(adopt.commands) == READING | {"list", "check", "follow", "serve"}
    _name, place, ask = asked
    before = digest(place)
    code, out = ask("list", "--json")
    rows = json.loads(out)["aggregates"]
    assert (code, sum(row["events"] for row in rows)) == (0, events(place))
    for row in rows:
        assert row["last"], row
        _code, shown = ask("replay", row["id"], "--json")
        # A log makes no aggregate: it has events, and no attributes.
        part = next(iter(json.loads(shown)["parts"]), None)
        arguments = {"diff": [row["id"], "--at", "1"], "what-if": ["--drop", str(row["events"])]}
        if part is not None:
            arguments |= {"why": [part["part"]], "bisect": [part["part"], str(part["value"])]}
        for verb in READING - (set() if part is not None else {"why", "replay", "blame"}):
            code, out = ask(verb, row["id"], *arguments.get(verb, ()))
            single = row["events"] == 1 and verb == "what-if"
            assert code in (0, 1, 2 if single else 0), (verb, row, out)
            assert out or verb == "diff" or single
    assert digest(place) == before


def test_check(asked):
    name, _place, ask = asked
    code, out = ask("check", "--json")
    found = json.loads(out)["found"]
    differing = {one["part"] for one in found if one["kind"] == "differs"}
    assert differing == ({"_estimated_time_of_arrival"} if name == "cargoshipping" else set())
    assert code == (1 if differing else 0), out
