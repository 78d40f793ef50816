"""`daynight list`: pages, and the games of a player or a verdict."""

import pytest

from daynight.games import Store

NAMES = ["a", "b", "c d", "e", "ä"]


@pytest.fixture
def listed(folder):
    """Five games: Ana plays in each, Bo in every other one, and one is disputed."""
    with Store.open("daynight.db") as store:
        for number, name in enumerate(NAMES):
            store.new(name, ["Ana", ("Bo", "Cy")[number % 2]])
        store.append("b", [{"type": "designation-claimed", "designation": "night", "by": "Ana"}])
    return folder


def names(document):
    return [game["game"] for game in document["games"]]


@pytest.mark.parametrize("limit", [1, 2, 4, 5, 9])
def test_pages(daynight, listed, limit):
    """All pages together are the list; `totals` counts one page, and `next` is the game to give to --after."""
    (whole,) = daynight("list", "--json").documents
    assert (names(whole), whole["next"], whole["totals"]["games"]) == (NAMES, None, 5)
    found, after = [], ()
    while True:
        ran = daynight("list", "--limit", limit, *after, "--json")
        (page,) = ran.documents
        assert (ran.code, page["totals"]["games"]) == (0, len(page["games"]))
        found += page["games"]
        if page["next"] is None:
            break
        assert page["next"] == found[-1]["game"]
        after = ("--after", page["next"])
    assert found == whole["games"]


@pytest.mark.parametrize("options, there", [
    (["--player", "Bo"], ["a", "c d", "ä"]), (["--verdict", "disputed"], ["b"]), (["--player", "bo"], []),
    (["--player", "Cy", "--verdict", "disputed"], ["b"]), (["--player", "Bo", "--verdict", "disputed"], []),
    (["--player", "Bo", "--limit", "2"], ["a", "c d"]), (["--player", "Ana", "--after", "c d"], ["e", "ä"]),
    (["--verdict", "unverified", "--after", "a", "--limit", "1"], ["c d"]), (["--after", "ä"], []),
])  # fmt: skip
def test_some(daynight, listed, options, there):
    for _again in range(2):
        (document,) = daynight("list", *options, "--json").documents
        assert names(document) == there
    told = daynight("list", *options)
    assert (told.code, told.err) == (0, "")
    assert all(name in told.out for name in there)
    assert ("no such games" in told.out) is (not there)


def test_more(daynight, listed):
    assert daynight("list", "--limit", "3").out.splitlines()[-1] == "there are more: --after 'c d'"
    assert "more" not in daynight("list", "--limit", "5").out


@pytest.mark.parametrize("options", [["--limit", "0"], ["--limit", "x"], ["--verdict", "wrong"]])
def test_refused(daynight, listed, options):
    ran = daynight("list", *options)
    assert (ran.code, ran.out) == (2, "")
    assert options[0] in ran.err


def test_no_games(daynight, folder):
    with Store.open("daynight.db"):
        pass
    assert "daynight new" in daynight("list", "--limit", "3").out


def test_of_a_log(daynight, folder):
    """`list` with an existing file gives exit code 2 and a hint to `audit`, with a missing one no hint."""
    (folder / "my log.txt").write_text("x")
    ran = daynight("list", "my log.txt")
    assert 2 == ran.code
    assert "list is of stored games; daynight audit 'my log.txt' lists the games of a log" in ran.err
    ran = daynight("list", "nothing.log")
    assert (2, True) == (ran.code, "unexpected extra argument (nothing.log)" in ran.err)
    assert "did you mean list, audit?" in daynight("games", "my log.txt").err
