"""`daynight what-if db:GAME --apply`: corrects a mistake in the stored game itself.

| promise | test |
| --- | --- |
| it stores exactly the shown correction, once, with exit code 0 | test_applied |
| a retry with the same command id stores nothing new; the id with another edit is refused | test_once |
| nothing is stored if later events become impossible, for a file, or with --keep, --leave-out or -o | test_refused |
| a repair proposed by `repair` is applied with --apply, and then the claim is right | test_mend |
| `undo` at the prompt refuses the last event of a correction, because it is only a part of it | test_undo |
"""

import shlex

import pytest

from daynight.framework.language.errors import ImpossibleError
from daynight.games import Store
from daynight.keeping.undoing import undoing


@pytest.fixture
def g1(daynight, g1):
    """The path of g1.jsonl with the events of `CONTRACT`; the game is in daynight.db too."""
    assert 0 == daynight("import", g1, "--into", "daynight.db").code
    return g1


BEGINS = '{"type":"game-started","format":1,"game":"g1","players":["Ana","Bo"]}'
FORGOTTEN = ("--at", "turn:2", "--insert", "Bo casts Opt")


def last(daynight):
    """Return the number of the last event of db:g1."""
    return daynight("replay", "db:g1", "--json").documents[0]["event"]


def test_applied(daynight, g1):
    before = last(daynight)
    tried = daynight("what-if", "db:g1", *FORGOTTEN, "--json").documents[0]
    (found,) = daynight("what-if", "db:g1", *FORGOTTEN, "--apply", "--by", "Jo", "--json").documents
    applied = found.pop("applied")
    assert found == tried
    assert (applied["first"], applied["repeated"]) == (before + 1, False)
    (state,) = daynight("replay", "db:g1", "--json").documents
    assert (state["designation"], state["event"]) == ("day", applied["last"])
    assert 0 == daynight("verify").code


def test_once(daynight, g1):
    first = daynight("what-if", "db:g1", *FORGOTTEN, "--apply", "--command", "m1")
    again = daynight("what-if", "db:g1", *FORGOTTEN, "--apply", "--command", "m1")
    assert (first.code, again.code) == (0, 0)
    assert "put right: events" in first.out
    assert "stored already: events" in again.out
    assert 5 == daynight("what-if", "db:g1", "--drop", "3", "--apply", "--command", "m1").code
    assert 2 == daynight("what-if", "db:g1", *FORGOTTEN, "--command", "m2").code


def test_refused(daynight, g1):
    before = last(daynight)
    ran = daynight("what-if", "db:g1", "--drop", "2", "--apply")
    assert (ran.code, "does not follow any more" in ran.err) == (3, True)
    for more in (["--keep"], ["--leave-out"], ["-o", "x.jsonl"]):
        assert 2 == daynight("what-if", "db:g1", *FORGOTTEN, "--apply", *more).code
    assert 2 == daynight("what-if", g1, *FORGOTTEN, "--apply").code
    assert 3 == daynight("what-if", "db:g1", "--at", "1", "--replace", BEGINS, "--apply").code
    assert last(daynight) == before


def test_mend(daynight, g1):
    daynight("record", "db:g1", "day claimed by Ana")
    ran = daynight("repair", "db:g1")
    assert ran.code == 1
    assert "with --apply such a command puts it right in the game itself" in ran.out
    line = next(line.strip() for line in ran.out.splitlines() if line.strip().startswith("daynight what-if"))
    assert 0 == daynight(*shlex.split(line)[1:], "--apply").code
    assert "exact" in daynight("audit", "db:g1").out


def test_undo(daynight, g1):
    assert 0 == daynight("what-if", "db:g1", *FORGOTTEN, "--apply").code
    with Store.open("daynight.db") as store, pytest.raises(ImpossibleError, match="part of a correction"):
        undoing(store, "g1", store.last("g1"))
