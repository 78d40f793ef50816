"""Caching: an answer that never changes is revalidated without computing it; other answers are not cached."""

import pytest

from daynight.games import Store
from daynight.web.shelf import Shelf
from tests.web.asking import asking

KEPT = ("moments?from=5&limit=5", "state?at=7", "state?at=e7", "why?at=7", "blame?at=7&edition=latest")
UNKEPT = ("moments?from=150", "moments?limit=161", "state", "why", "blame", "state?at=turn:3", "audit", "marks")


@pytest.mark.wide(but=4)
@pytest.mark.parametrize("game", ["wagic-G1", "wagic-G1%20(2)"])
@pytest.mark.parametrize("route", KEPT)
def test_kept(ask, shelf, monkeypatch, game, route):
    """A request with the ETag of an earlier answer gets 304, and the game is not replayed."""
    first = ask(f"/v1/games/{game}/{route}")
    assert first.headers["cache-control"] == "private, no-cache"
    tag = first.headers["etag"]
    for kind in {type(shelf.find("wagic-G1")), type(shelf.find("wagic-G1 (2)"))}:
        monkeypatch.setattr(kind, "game", None)
        monkeypatch.setattr(kind, "asked", None)
    for given in (tag, f"W/{tag}", f'"x", {tag}'):
        again = ask(f"/v1/games/{game}/{route}", if_none_match=given)
        assert (again.status, again.body) == (304, b"")
        assert again.headers["etag"] == tag
        assert again.headers["cache-control"] == "private, no-cache"
        assert again.headers["vary"] == "Accept-Language"


def test_whatever_there_is(ask):
    """`If-None-Match: *` gets 304 too, but only if there is an answer: an error comes first."""
    for route in KEPT:
        again = ask(f"/v1/games/wagic-G1/{route}", if_none_match="*")
        assert (again.status, again.body) == (304, b"")
    for route, status in (("why?at=7&edition=x", 400), ("why?at=7&permanent=x", 404), ("state?at=7&x=1", 400)):
        assert ask(f"/v1/games/wagic-G1/{route}", if_none_match="*").status == status


@pytest.mark.parametrize("route", UNKEPT)
def test_not_kept(ask, route):
    """Answers that may change have no ETag, and `Cache-Control: no-store`."""
    answer = ask(f"/v1/games/wagic-G1/{route}", if_none_match="*")
    assert (answer.status, answer.headers["cache-control"]) == (200, "no-store")
    assert "etag" not in answer.headers


def test_tags(ask):
    """Another language, edition, question or game has another ETag."""
    targets = ["why?at=7", "why?at=8", "why?at=7&lang=fr", "why?at=7&edition=latest", "state?at=7", "blame?at=7"]
    targets.append("state?at=7&edition=latest")
    tags = [ask(f"/v1/games/wagic-G1/{target}").headers["etag"] for target in targets]
    tags.append(ask("/v1/games/wagic-G2/why?at=7").headers["etag"])
    tags.append(ask("/v1/games/wagic-G1/why?at=7", accept_language="ja").headers["etag"])
    assert len(set(tags)) == len(tags)


@pytest.mark.wide
def test_a_game_that_was_written_anew(tmp_path):
    """A different game of the same name has another ETag, because it is made from the digests."""
    tags = []
    for player in ("Ana", "Cy"):
        with Store.open(tmp_path / f"{player}.db") as store:
            store.new("g", [player, "Bo"])
            tags.append(asking(Shelf(store))("/v1/games/g/state?at=1").headers["etag"])
    assert tags[0] != tags[1]


def test_a_game_that_grows(tmp_path):
    """After a new event of a cached game, its state and description are new, and its earlier state is unchanged."""
    with Store.open(tmp_path / "g.db") as store:
        store.new("g", ["Ana", "Bo"])
        ask = asking(Shelf(store))
        assert ask.document("/v1/games/g/state")["turn"] == 0
        store.append("g", [{"type": "turn-began", "turn": 1, "active": ["Ana"]}])
        assert ask.document("/v1/games/g/state")["turn"] == 1
        assert ask.document("/v1/games/g")["events"] == 2
        assert ask.document("/v1/games/g/state?at=1")["turn"] == 0


def test_the_shell(ask):
    """`/docs` and `/openapi.json` may be stored, but must be revalidated each time: unchanged ones get 304."""
    for path in ("/docs", "/openapi.json"):
        answer = ask(path)
        assert answer.headers["cache-control"] == "no-cache"
        assert ask(path, if_none_match=answer.headers["etag"]).status == 304
