"""Moments: applying the deltas gives the states, page by page, and no moment contains the effects of later events."""

import copy

import msgspec
import pytest

from daynight.games import Store
from daynight.records import Held
from daynight.store.database.settings import Settings
from daynight.web.shelf import Shelf, id_of
from daynight.web.telling.moments import MOST
from tests.oracle.walks import random_walk
from tests.sampling import few_or_all
from tests.web.asking import asking
from tests.web.conftest import GAMES

CLAIMS = ("designation-claimed", "face-claimed", "tally-claimed", "judge-ruled")


def applied(before, moment):
    """The state after a moment, from the state before it, as the page computes it."""
    if "state" in moment:
        assert "delta" not in moment
        return moment["state"]
    state, delta = copy.deepcopy(before), dict(moment["delta"])
    left, permanents = delta.pop("left", []), delta.pop("battlefield", [])
    if left or permanents:
        board = [one for one in state["battlefield"] if one["permanent"] not in left]
        places = {one["permanent"]: place for place, one in enumerate(board)}
        for one in permanents:
            if one["permanent"] in places:
                board[places[one["permanent"]]] = one
            else:
                board.append(one)
        state["battlefield"] = board
    state |= delta
    if delta.get("policy", 0) is None:
        del state["policy"]
    return state


def plain(state):
    """A state without `version`, `changes` and `triggers`, which moments do not have."""
    return {name: value for name, value in state.items() if name not in ("version", "changes", "triggers")}


def unrecorded(ask, page):
    """Return a page without the lines and digests of its moments: a store adds data of cards to its lines."""
    found = ask.document(page)
    for moment in found["moments"]:
        del moment["record"], moment["head"]
    return found


def followed(ask, game, last, limit):
    """Assert that every state of a game, computed by deltas, equals the state that the server answers."""
    number = 1
    while number <= last:
        page = ask.document(f"/v1/games/{game}/moments?from={number}&limit={limit}")
        assert (page["from"], page["to"]) == (number, min(number + limit - 1, last))
        state = page["before"]
        if number == 1:
            assert state is None
        else:
            assert state == plain(ask.document(f"/v1/games/{game}/state?at={number - 1}"))
        for moment in page["moments"]:
            assert moment["event"] == number
            state = applied(state, moment)
            assert state == plain(ask.document(f"/v1/games/{game}/state?at={number}")), (game, number)
            number += 1


REAL = [pytest.param(path, marks=pytest.mark.slow) if "wagic" in path.stem else path for path in GAMES]
"""The example games; the long ones run only in the slow tests."""


@pytest.mark.wide(but=2)
@pytest.mark.parametrize("path", REAL, ids=lambda path: path.stem)
def test_deltas(ask, shelf, path):
    """In pages of 23 moments, the deltas of every example game give the states that the server answers."""
    name = next(shelf.mechanic.language.read(path)).game
    followed(ask, id_of(name), shelf.find(name).last, 23)


@pytest.mark.wide
@pytest.mark.parametrize("seed", few_or_all(range(1), range(1, 300)))
def test_deltas_of_random_games(tmp_path, seed):
    """The deltas of random games give the states that the server answers."""
    for one in seed:
        events = random_walk(one, 60)
        shelf = Shelf(None, [Held("g", b"".join(msgspec.json.encode(event) + b"\n" for event in events))])
        followed(asking(shelf), id_of(*shelf.files), len(events), 17)


@pytest.mark.parametrize("seed", few_or_all(range(10, 11), range(11, 300)))
def test_snapshots_make_no_difference(tmp_path, seed):
    """A page of a stored game equals that of its lines, whichever snapshot it is read from."""
    for one in seed:
        lines = b"".join(msgspec.json.encode(event) + b"\n" for event in random_walk(one, 60))
        with Store(Settings("sqlite", path=str(tmp_path / f"{one}.db"), snapshots=5)) as store:
            name = store.import_record(Held("g", lines)).number and store.games()[0][0]
            stored = asking(Shelf(store))
            of_a_file = asking(Shelf(None, [Held("g", lines)]))
            for first in range(1, 61, 7):
                page = f"/v1/games/{id_of(name)}/moments?from={first}&limit=9"
                assert unrecorded(stored, page) == unrecorded(of_a_file, page), (one, first)


@pytest.mark.wide
def test_deltas_of_a_file(ask):
    """The deltas of a game in a file give the states that the server answers."""
    followed(ask, "wagic-G1%20(2)", 160, 50)


def test_records(ask, shelf):
    """A moment has the stored line as `record`, a sentence, the changes that the event caused, and the `delta`."""
    page = ask("/v1/games/wagic-G1/moments?from=106&limit=2")
    lines = shelf.find("wagic-G1").lines(105, 107)
    assert all(b'"record":' + line in page.body for line in lines)
    change = page.document["moments"][0]
    assert change["sentence"] == "untap step"
    assert change["consequences"][0] == {
        "type": "changed", "event": 106, "turn": 19, "was": "day", "became": "night", "rule": "check-day",
        "cr": change["consequences"][0]["cr"], "because": [96],
    }  # fmt: skip
    assert change["delta"]["designation"] == "night"
    assert "claim" not in change


def test_claims(ask, shelf):
    """Only moments of claims and rulings have `claim`; its verdict is that of the audit: agrees, differs or open."""
    seen = set()
    for path in GAMES:
        name = next(shelf.mechanic.language.read(path)).game
        audit = ask.document(f"/v1/games/{id_of(name)}/audit")
        differ = {one["event"]: one for one in audit["findings"]}
        opened = {one["event"] for one in audit["unsettled"]}
        for moment in ask.document(f"/v1/games/{id_of(name)}/moments?limit=500")["moments"]:
            number, type = moment["event"], moment["record"]["type"]
            assert ("claim" in moment) is (type in CLAIMS)
            if "claim" in moment:
                claim = moment["claim"]
                seen.add((claim["about"], claim["verdict"]))
                expected = "differs" if number in differ else "open" if number in opened else "agrees"
                assert claim["verdict"] == expected, (name, number)
                if expected == "differs":
                    told = {key: differ[number][key] for key in ("about", "subject", "claimed", "derived")}
                    assert {**claim, "verdict": 0} == {**told, "verdict": 0}
    assert {("designation", "agrees"), ("designation", "differs"), ("face", "differs"), ("ruling", "differs")} <= seen


def test_the_end(ask):
    """A page that begins just after the last event has no moments; beginning later gets `no-such-moment`."""
    page = ask.document("/v1/games/wagic-G1/moments?from=161")
    assert (page["from"], page["to"], page["moments"]) == (161, 160, [])
    assert page["before"] == plain(ask.document("/v1/games/wagic-G1/state"))
    assert ask("/v1/games/wagic-G1/moments?from=162").code == "no-such-moment"
    assert ask.document("/v1/games/wagic-G1/moments?from=turn:2&limit=1")["from"] == 5


def test_a_large_page(tmp_path):
    """A page ends before it exceeds one mebibyte, but has at least one moment."""
    with Store.open(tmp_path / "games.db") as store:
        store.new("g", ["Ana", "Bo"])
        note = {"type": "note-added", "by": "Ana", "about": 1, "says": "x", "meta": {"x": "y" * 300_000}}
        store.append("g", [note] * 6)
        store.append("g", [{**note, "meta": {"x": "y" * 1_040_000}}])
        ask = asking(Shelf(store))
        first = ask("/v1/games/g/moments")
        assert len(first.body) <= MOST
        assert (first.document["from"], first.document["to"]) == (1, 4)
        second = ask("/v1/games/g/moments?from=5")
        assert (second.document["to"], len(second.document["moments"])) == (7, 3)
        alone = ask("/v1/games/g/moments?from=8")
        assert (alone.document["to"], len(alone.document["moments"])) == (8, 1)


@pytest.mark.wide
def test_long_games_are_read_from_their_end(tmp_path, monkeypatch):
    """A page at the end of a long stored game is read from the last snapshot on."""
    with Store.open(tmp_path / "games.db") as store:
        store.new("g", ["Ana", "Bo"])
        turns = [{"type": "turn-began", "turn": n, "active": [("Ana", "Bo")[n % 2]]} for n in range(1, 2001)]
        store.append("g", turns)
        shelf = Shelf(store)
        ask = asking(shelf)
        monkeypatch.setattr(type(shelf.find("g")), "game", None)
        assert ask.document("/v1/games/g/moments?from=1990&limit=12")["moments"][-1]["delta"]["turn"] == 2000
        assert ask.document("/v1/games/g/why")["event"] == 2001
