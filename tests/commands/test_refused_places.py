"""Paths that may not be written to, from Python and on the command line.

| promise | test |
| --- | --- |
| Python code gets an AskedError that says nothing about a command | test_from_python |
| on the command line it is wrong usage: command, reason, help, exit code 2 | test_at_the_prompt |
"""

import sqlite3
from contextlib import closing

import pytest

from daynight.framework.language.errors import AskedError
from daynight.keeping.appending import append_to_file
from daynight.keeping.files import check_target
from daynight.records import Record

DATABASE = "kept.db is a database, and stays as it is; name another file"
STDIN = "- can't be appended to; give a .jsonl or .dn file, or db:GAME"


@pytest.fixture
def database(folder):
    with closing(sqlite3.connect(folder / "kept.db")) as made:
        made.execute("CREATE TABLE kept (something)")
    return folder / "kept.db"


def test_from_python(database, monkeypatch):
    """`check_target` and `append_to_file` raise AskedError with only the sentence; another file is accepted."""
    monkeypatch.chdir(database.parent)
    with pytest.raises(AskedError) as refused:
        check_target(database.relative_to(database.parent))
    assert str(refused.value) == DATABASE
    with pytest.raises(AskedError) as refused:
        append_to_file(Record("-"), lambda game, stored: [])
    assert str(refused.value) == STDIN
    check_target(database.with_name("other.jsonl"))


def test_at_the_prompt(daynight, database):
    """On the command line the message has the command, the reason and the help; exit code 2."""
    for arguments, command, reason in (
        (["report", "demo", "-o", "kept.db"], "report", DATABASE),
        (["dispute", "open", "-", "--by", "Ana"], "dispute open", STDIN),
    ):
        ran = daynight(*arguments)
        assert (2, "", f"daynight {command}: {reason}; try daynight {command} --help") == (*ran[:2], ran.error)
