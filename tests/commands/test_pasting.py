"""The commands that `repair` prints, and `why` below its line "almost": the tests run them as printed.

| promise | test |
| --- | --- |
| the command makes the branch that the hint describes, even if names have spaces or quotes | test_lines_to_paste |
| it is printed on one line, however narrow the screen is | test_on_one_line |
| it contains the given store, catalogue and branch | test_lines_to_paste_from_elsewhere |
| it does not contain the password | test_no_password |
"""

from __future__ import annotations

import shlex

import pytest
from click import Command, Context

from daynight.cli.terminal import stored
from daynight.cli.terminal.pasting import what_if_line
from daynight.framework.edits import drop
from tests.behaviour.games import kept
from tests.rules.judges import claim
from tests.rules.words import effect, started, turn, untap


def pasted(out: str) -> list[list[str]]:
    """Return the words of each printed `daynight what-if` command, as a shell reads them, without `daynight`."""
    lines = [shlex.split(line) for line in out.splitlines() if line.startswith("    daynight what-if ")]
    return [words[1:] for words in lines]


def test_lines_to_paste(daynight, tmp_path, monkeypatch):
    """The command that `repair` prints makes a branch whose verdict is exact; in that of `why` it is day, not night."""
    monkeypatch.chdir(tmp_path)
    hostile = started('O\'Neil "$HOME"', "Bo; true") | {"game": "a b"}
    # If a hint replaces an event, the fields that an importer added stay.
    second = turn(2, "Bo; true") | {"meta": {"source": {"line": 4}}}
    record = [hostile, effect("day"), turn(1, 'O\'Neil "$HOME"'), second, untap(), claim("day")]
    for path in (kept(tmp_path / "it's a record.jsonl", record), kept(tmp_path / "-x.jsonl", record)):
        ran = daynight("repair", "--", path.name)
        lines = pasted(ran.out)
        assert (1, 3) == (ran.code, len(lines))
        for words in lines:
            assert "audit, record / branch: disputed (1) / exact (0)" in daynight(*words).out
        (words,) = pasted(daynight("why", "--", path.name).out)
        ran = daynight(*words)
        assert (1, True) == (ran.code, "    night / day\n" in ran.out)


def test_lines_to_paste_from_elsewhere(daynight, tmp_path, monkeypatch):
    """The given store, catalogue and branch are in the command."""
    monkeypatch.chdir(tmp_path)
    record = [started(), effect("day"), turn(1), turn(2, "Bo"), untap(), claim("day")]
    assert 0 == daynight("import", kept(tmp_path / "g1.jsonl", record), "--db", "a store.db").code
    where = ["--db", "a store.db"]
    ran = daynight("what-if", "db:g1", *where, "--at", "5", "--insert", "bo copies Opt", "--name", "b", "--keep")
    assert 0 == ran.code, ran
    cards = tmp_path / "cards of mine.json"
    cards.write_text("[]")
    for game, at in (("db:g1", "6"), ("db:g1", "branch:b"), ("db:g1/b", "7")):
        (words,) = pasted(daynight("why", game, *where, "--at", at, "--catalogue", str(cards)).out)
        assert ["--db", "a store.db", "--catalogue", str(cards)] == words[2:6]
        assert ("db:g1" if at == "6" else "db:g1/b") == words[1]
        assert "    night / day\n" in daynight(*words).out


def test_on_one_line(daynight, tmp_path, monkeypatch):
    """With COLUMNS=40, a printed command stays on one line."""
    record = [started(), effect("day"), turn(1), turn(2, "Bo"), untap(), claim("day")]
    path = kept(tmp_path / "g.jsonl", record)
    monkeypatch.setenv("COLUMNS", "40")
    assert ["--insert", 'e3: {"type":"spell-cast","player":"Ana"}'] == pasted(daynight("repair", path).out)[0][2:]


@pytest.mark.parametrize("place, shown", [
    ("daynight.db", []),
    ("postgresql://ana@localhost/games?schema=one", ["--db", "postgresql://ana@localhost/games?schema=one"]),
    ("postgresql://ana:sec%20ret@localhost/games?schema=one", ["--db", "postgresql://ana@localhost/games?schema=one"]),
])  # fmt: skip
def test_no_password(place, shown):
    """The address in the command has no password; the rest is unchanged."""
    with Context(Command("why")):
        words = shlex.split(what_if_line(stored.StoredRecord("g1", place), [drop(4)]))
    assert ["daynight", "what-if", "db:g1", *shown, "--drop", "e4"] == words
