"""Commands on a real PostgreSQL server, where `daynight migrate` makes the tables before the first game."""

import json
import shlex
import signal
import sys
from itertools import count

import pytest

from daynight.store.database.settings import Settings
from tests import processes
from tests.behaviour.games import CONTRACT, kept, lines
from tests.commands.conftest import complaints, environ
from tests.commands.test_examples import examples
from tests.rules.words import cast, turn

_numbers = count(1)


@pytest.fixture
def url(server):
    """The address of a new schema without tables."""
    return f"{server.url}&schema=prompt_{next(_numbers)}"


@pytest.mark.wide
def test_migrate(daynight, folder, url):
    """Before `migrate`, commands end with exit code 5 and advise it; after it, they work; it may be run twice."""
    for command in (["list"], ["new", "g1", "Ana", "Bo"], ["replay", "db:g1"]):
        ran = daynight(*command, "--db", url)
        assert (5, "", True) == (*ran[:2], "daynight migrate --db" in ran.error), ran
    example, of_a_schema = examples("migrate")
    assert shlex.split(of_a_schema) == shlex.split(f"{example}?schema=league")
    command = shlex.split(example.replace("postgresql://localhost/games", shlex.quote(url)))
    assert ["daynight", "migrate", "--db", url] == command
    for _ in range(2):
        ran = daynight(*command[1:])
        assert (0, "", True) == (ran.code, ran.err, ": ready, in the schema " in ran.out), ran
    ran = daynight("new", "g1", "Ana", "Bo", "--db", url)
    assert (0, "e1  g1 begins: Ana and Bo\n", "") == (*ran[:2], complaints(ran.err))
    (document,) = daynight("migrate", "--db", url, "--json").documents
    assert {"store", "schema"} == set(document)
    assert 1 == daynight("list", "--db", url, "--json").documents[0]["totals"]["events"]


@pytest.mark.wide
def test_everything(daynight, folder, stdin, url, monkeypatch):
    """Each command prints the same about a game on the server as about that game in a SQLite file."""
    # Both games get the same random bits.
    monkeypatch.setattr("secrets.token_hex", lambda size: "5a" * size)
    assert 0 == daynight("migrate", "--db", url).code
    kept(folder / "g1.jsonl", CONTRACT)
    for place in (url, "here.db"):
        # For the key it is another game of that name, so it must forget the first.
        assert daynight("key", "--forget", "g1").code == (4 if place == url else 0)
        assert 0 == daynight("new", "g1", "Ana", "Bo", "--command", "n", "--db", place).code
        stdin(lines(CONTRACT[1:]))
        assert 0 == daynight("record", "g1", "--command", "c", "--db", place).code
        again = daynight("record", "g1", json.dumps(CONTRACT[1]), "--command", "c-1", "--db", place, "--json")
        assert (0, True) == (again.code, again.documents[0]["repeated"])
    for command in (
        ["list"], ["list", "--rebuild", "--json"], ["replay", "db:g1"], ["why", "db:g1", "--json"], ["show", "db:g1"],
        ["audit", "db:g1", "g1.jsonl"], ["verify"], ["export", "g1"], ["export", "--all"], ["import", "demo"], ["list"],
        ["record", "g1", json.dumps(cast("Anna"))], ["record", "g1", json.dumps(cast()), "--expect", "1"],
    ):  # fmt: skip
        here, there = (daynight(*command, "--db", place) for place in ("here.db", url))
        # When a whole store is verified, its place is named.
        assert here == there._replace(out=there.out.replace(Settings.parse(url).shown, "here.db")), command


def test_both_ways(daynight, folder, url):
    """A store moves from a file to the server and to another file; all three export the same archive."""
    assert 0 == daynight("migrate", "--db", url).code
    assert 0 == daynight("import", "demo", "--into", "here.db").code
    assert 0 == daynight("export", "--all", "--db", "here.db", "-o", "one.jsonl").code
    assert 0 == daynight("import", "one.jsonl", "--into", url).code
    assert 0 == daynight("export", "--all", "--db", url, "-o", "two.jsonl").code
    assert 0 == daynight("import", "two.jsonl", "--into", "there.db").code
    assert 0 == daynight("export", "--all", "--db", "there.db", "-o", "three.jsonl").code
    one, two, three = ((folder / f"{name}.jsonl").read_bytes() for name in ("one", "two", "three"))
    assert one == two == three


def test_no_backup(daynight, folder, url):
    """`backup` of a server is wrong usage; the error proposes `export --all`."""
    assert 0 == daynight("migrate", "--db", url).code
    ran = daynight("backup", "copy.db", "--db", url)
    assert (2, "", True) == (*ran[:2], "daynight export --all -o FILE" in ran.error)
    assert not (folder / "copy.db").exists()


@pytest.mark.wide
def test_follow(daynight, folder, url):
    """`follow` prints the stored events, and those of other processes as they are stored."""
    assert 0 == daynight("migrate", "--db", url).code
    assert 0 == daynight("new", "g1", "Ana", "Bo", "--db", url).code
    command = [sys.executable, "-m", "daynight", "follow", "g1", "--after", "0", "--db", url]
    with processes.Popen(command, env=environ(), stdout=-1, stderr=-1) as child:
        assert 1 == json.loads(child.stdout.readline())["event"]
        assert 0 == daynight("record", "g1", json.dumps(turn(1)), "--db", url).code
        assert turn(1) == json.loads(child.stdout.readline())["line"]
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=30)
    assert (130, b"", b"") == (child.returncode, out, err.strip())
