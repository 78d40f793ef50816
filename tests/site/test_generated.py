"""The generated tables are complete.

| promise | test |
| --- | --- |
| every command and subcommand is listed, with its help and its options | test_commands |
| every rule is listed, with its text and its number in every edition | test_rules |
| every route of the server is listed | test_routes |
| every column of a corpus, and of an audit's result, is listed | test_columns, test_columns_of_a_result |
| every room is on its floor, in the table and in the picture | test_rooms, test_floors |
| every format has its version | test_versions |
| every mark in a guide is known, and every generated text is on a page | test_marks |
"""

import re

import click
import pytest

from daynight import __version__
from daynight.cli.commands import COMMANDS
from daynight.cli.commands import daynight as group
from daynight.corpus.judging.part import VERDICT
from daynight.corpus.judging.results import FINDING
from daynight.corpus.schema import TABLES
from daynight.rules.citations import EDITIONS, KEYS, cited
from daynight.web.routes.table import ROUTES
from tests.documents import GUIDES
from tests.house.table import FLOORS

from .tables import MADE, MARK, columns, commands, floors, rooms, routes, rules, said, versions


def test_commands():
    text = commands()
    with click.Context(group) as context:
        for name in COMMANDS:
            command = group.get_command(context, name)
            part = re.search(rf"^### daynight {name}\n(.*?)(?=^### |^## |\Z)", text, re.MULTILINE | re.DOTALL)[1]
            assert f"[`daynight {name}`](#daynight-{name})" in text
            assert f"Usage: daynight {name} [OPTIONS]" in part
            assert "--json" in part
            for verb in getattr(command, "commands", ()):
                assert f"#### daynight {name} {verb}\n" in part


def test_rules():
    text = rules()
    for key in KEYS:
        assert re.search(rf"^\| `{key}` \| {re.escape(said(key))} \|", text, re.MULTILINE), key
        numbers = {cited(key, edition) for edition in EDITIONS} - {None}
        line = re.search(rf"^`{key}`: (.*)$", text, re.MULTILINE)
        assert bool(numbers) is bool(line), key
        assert numbers == set(re.findall(r"(\d+\.\d+\w?) since", line[1])) if line else not numbers


def test_routes():
    text = routes()
    for route in ROUTES:
        assert f"## {route.method.upper()} {route.path}\n" in text


def test_columns():
    text = columns()
    for name, schema in TABLES.items():
        part = text.split(f"## {name}\n")[1].split("\n## ")[0]
        assert [field.name for field in schema] == re.findall(r"^\| `(\w+)` \|", part, re.MULTILINE)


@pytest.mark.parametrize("table,schema", [("verdicts", VERDICT), ("findings", FINDING)])
def test_columns_of_a_result(table, schema):
    text = (GUIDES / "reference" / "corpus.md").read_text("utf-8")
    rows = text.split(f"| column of `{table}.parquet` |")[1].split("\n\n")[0].splitlines()[2:]
    assert [name for row in rows for name in re.findall(r"`(\w+)`", row.split(" | ")[0])] == schema.names


@pytest.mark.wide
def test_rooms():
    rows = re.findall(r"^\| (\d+) \| `([\w.]+)`", rooms(), re.MULTILINE)
    assert [(str(n), name) for n, floor in enumerate(FLOORS, 1) for name in floor] == rows


def test_floors():
    text = floors()
    assert [name for floor in FLOORS for name in floor] == re.findall(r">([a-z_.]+)</text>", text)
    tops = [int(top) for top in re.findall(r'<text x="4" y="(\d+)">', text)]
    assert sorted(tops, reverse=True) == tops
    assert (
        max(float(left) + float(width) for left, width in re.findall(r'x="([\d.]+)" y="\d+" width="([\d.]+)"', text))
        < 1000
    )


def test_versions():
    text = versions()
    assert f"| {__version__} |" in text
    for what in ("a record", "documents of commands", "the report", "the HTTP interface"):
        assert re.search(rf"^\| \[{what}\]\([\w./#-]+\) \| 1 \|", text, re.MULTILINE), what
    assert re.search(r"^\| \[a corpus\]\([\w./#-]+\) \| 2 \|", text, re.MULTILINE)


def test_marks():
    found = [name for path in GUIDES.rglob("*.md") for name in MARK.findall(path.read_text("utf-8"))]
    assert set(MADE) == {name for name in found if not name.startswith("python ")}
    assert len(found) == len(set(found))
