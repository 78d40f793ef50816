"""Browsing a what-if: the reading routes answer for the branch that the edits make.

| promise | test |
| --- | --- |
| each route answers as if the branch were stored as a game | test_as_kept |
| numbers are those of the branch; each moment names its event in the record, or none | test_of |
| impossible events are all listed; the branch ends there, or leaves them out | test_impossible |
| two who ask in two languages are each told why in their own | test_languages |
| undone events are left out | test_undone |
| each moment has the digest of the what-if's lines up to there, as in a file | test_heads |
| nothing is stored | test_nothing_stored |
| what-ifs of an earlier end of the record leave the memory | test_earlier_ends |
| invalid edits and unknown parameters are refused with a sentence | test_refused |
"""

from hashlib import sha256

import pytest
from msgspec.json import encode

from daynight.games import Store
from daynight.web.shelf import Shelf
from daynight.web.writing import walking
from daynight.web.writing.tries import AskedEdit
from daynight.web.writing.walking import Walked, walked
from tests.web.sending import post, refused, send

EDITS = [{"at": 6, "insert": ["Bo casts Opt", "it becomes night"]}, {"at": 4, "drop": True}]


@pytest.fixture
def begun(house, game):
    """A game of two turns with a permanent and a claim."""
    words = ["Tavern Ruffian enters under Ana as w1", "Ana casts Opt", "Ana says it is day"]
    send(house, game, {"command": "w", "seen": 4, "words": words})
    send(house, game, {"command": "t2", "seen": 7, "do": "pass-turn"})
    return game


def walk(house, game, route, **more):
    """Return a route's answer for the what-if with `EDITS`; its status must be 200."""
    answer = post(house, f"games/{game}/what-if/{route}", {"edits": EDITS} | more)
    assert answer.status_code == 200, answer.text
    return answer.json()


ROUTES = [
    ("moments", {"from": 2, "limit": 5}), ("state", {}), ("state", {"at": 7}), ("why", {"at": "e8"}),
    ("why", {"at": 8, "permanent": "w1"}), ("audit", {}), ("marks", {"kind": "turn,change"}),
]  # fmt: skip
MORE = ("events", "parted", "impossible", "stopped")


@pytest.mark.parametrize("route, asked", ROUTES)
def test_as_kept(house, begun, route, asked):
    found = walk(house, begun, route, **asked)
    told = [found.pop(name) for name in MORE if name != "events" or route != "audit"]
    assert [[], None] == told[-2:]
    assert post(house, f"games/{begun}/what-if", {"edits": EDITS, "keep": "b2"}).status_code == 200
    with house.client() as client:
        kept = client.get(f"/v1/games/{begun}%2Fb2/{route}", params=asked).json()
    for moment in found.get("moments", ()):
        del moment["of"]
    # The first line of a stored branch names its origin, and inserted events name their author. So its digests differ
    # from those of the what-if, which are of its lines, like a file's.
    for one in (found, kept):
        for name in ("record", "game"):
            one.pop(name, None)
        for moment in one.get("moments", ()):
            moment["record"].pop("meta", None)
            assert len(moment.pop("head")) == 64
    assert kept == found


def test_heads(house, begun):
    """Equal edits give equal digests; different edits give equal digests up to where the what-ifs part."""
    moments = walk(house, begun, "moments")["moments"]
    heads = [moment["head"] for moment in moments]
    assert len(heads) == len(set(heads))
    lines = [encode(moment["record"]) for moment in moments]
    assert heads == [sha256(b"".join(line + b"\n" for line in lines[: number + 1])).hexdigest() for number in range(11)]
    part = walk(house, begun, "moments", **{"from": 4, "limit": 3})["moments"]
    assert heads[3:6] == [moment["head"] for moment in part]
    other = walk(house, begun, "moments", edits=EDITS[:1])["moments"]
    same = [one == two["head"] for one, two in zip(heads, other, strict=False)]
    assert same == [True] * 3 + [False] * (len(same) - 3)


def test_of(house, begun):
    found = walk(house, begun, "moments")
    assert [1, 2, 3, 5, 6, None, None, 7, 8, 9, 10] == [moment["of"] for moment in found["moments"]]
    assert (11, 3) == (found["events"], found["parted"])


def test_impossible(house, begun):
    left = {"type": "permanents-left", "permanents": ["w1"]}
    send(house, begun, {"command": "l", "seen": 10, "events": [left]})
    edits = {"edits": [{"at": 5, "drop": True}]}
    found = walk(house, begun, "marks", **edits)
    assert [(11, "permanents-left")] == [(one["event"], one["type"]) for one in found["impossible"]]
    assert "w1" in found["impossible"][0]["reason"]
    assert (11, 9) == (found["stopped"]["event"], found["events"])
    lenient = walk(house, begun, "marks", **edits, leave_out=True)
    assert (found["impossible"], None) == (lenient["impossible"], lenient["stopped"])


def test_languages(house, begun):
    left = {"type": "permanents-left", "permanents": ["w1"]}
    send(house, begun, {"command": "l", "seen": 10, "events": [left]})
    edits = {"edits": [{"at": 5, "drop": True}]}

    def reason(language):
        found = post(house, f"games/{begun}/what-if/marks?lang={language}", edits).json()
        return found["impossible"][0]["reason"]

    assert len({reason(language) for language in ("en", "fr", "ja")}) == 3


def test_undone(house, begun):
    send(house, begun, {"command": "c", "seen": 10, "words": ["Bo casts Opt", "Bo casts Opt"]})
    undone = post(house, f"games/{begun}/undo", {"command": "u", "seen": house.store.last(begun), "undoes": "c"})
    assert undone.status_code == 201, undone.text
    last = house.store.last(begun)
    found = walk(house, begun, "moments")
    of = [moment["of"] for moment in found["moments"]]
    assert [] == [number for number in (11, 12, last) if number in of]
    assert walk(house, begun, "state")["tallies"]["current"]["spells"]["Bo"] == 0


def test_nothing_stored(house, begun):
    before = house.store.last(begun)
    for route, asked in ROUTES:
        walk(house, begun, route, **asked)
    assert before == house.store.last(begun)
    assert [] == [name for name, _last in house.store.games(f"{begun}/")]
    with house.client() as client:
        assert [] == client.get(f"/v1/games/{begun}").json()["branches"]


@pytest.mark.parametrize("route, body, status, code", [
    ("marks", {"edits": []}, 400, "bad-request"),
    ("marks", {"edits": EDITS, "at": 3}, 400, "bad-parameter"),
    ("state", {"edits": EDITS, "limit": 3}, 400, "bad-parameter"),
    ("moments", {"edits": EDITS, "limit": 501}, 400, "bad-parameter"),
    ("moments", {"edits": EDITS, "keep": "b9"}, 400, "bad-request"),
    ("state", {"edits": EDITS, "at": 99}, 404, "no-such-moment"),
    ("state", {"edits": [{"at": 99, "drop": True}]}, 404, "no-such-moment"),
    ("state", {"edits": [{"at": 4, "insert": ["blah blah"]}]}, 422, "unreadable"),
    ("why", {"edits": [{"at": 4, "drop": True}] * 65}, 413, "too-large"),
    ("audit", {"edits": EDITS, "edition": "1999"}, 400, "bad-parameter"),
])  # fmt: skip
def test_refused(house, begun, route, body, status, code):
    refused(post(house, f"games/{begun}/what-if/{route}", body), status, code)


def test_earlier_ends(tmp_path):
    with Store.open("memory:") as store:
        for name in ("friday", "saturday"):
            store.new(name, ["Ana", "Bo"])
        shelf = Shelf(store)
        edits = [[AskedEdit(at=1, insert=[f"turn 1 {player}"])] for player in ("Ana", "Bo")]
        walking._HELD.clear()
        for name in ("friday", "saturday"):
            for one in edits:
                walked(shelf.find(name), Walked(edits=one))
        assert len(walking._HELD.items()) == 4
        store.append("friday", [{"type": "turn-began", "turn": 1, "active": ["Ana"]}])
        walked(shelf.find("friday"), Walked(edits=edits[0]))
        assert [key[0] for key, _tried in walking._HELD.items()] == ["saturday", "saturday", "friday"]
