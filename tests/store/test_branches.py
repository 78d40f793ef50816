"""Branches in a store: streams of their own with a parent, in memory, in a file, and on a server.

| promise | test |
| --- | --- |
| a branch is stored beside its parent, which does not change | test_kept |
| a branch may have branches, and the list names the parent of each | test_of_branches |
| storing the same branch twice stores it once; a different one of its name is refused | test_twice |
| a branch is a game: it can be appended to, verified, exported and imported under its own name | test_is_a_game |
| `branches` marks a branch as not intact if its parent is not the game it was made from | test_not_intact, test_fits |
| a parent fits if its events are equal, however the file writes them | test_spelled_otherwise |
| an exported branch is imported under its own name | test_imported_again |
| a branch name like a position (`e3`), an empty or too long one is refused | test_names, test_no_names, test_too_long |
| a position on a branch is read on the branch | test_positions, test_spelling, test_not_spelled |
| a `meta` that is not of the exact form names no parent | test_strange_origins |
| `digest_of` is the SHA-256 of the first lines of the parent's file | test_digest |
"""

import hashlib
import io
import json

import pytest

from daynight import Game
from daynight.events.language import strictly
from daynight.framework.branches import EditError, Origin, digest_of, fits, origin_of
from daynight.framework.edits import drop, insert
from daynight.framework.language.codec import write
from daynight.framework.language.errors import NotFoundError
from daynight.framework.language.kinds import NAME_LENGTH
from daynight.framework.positions import Position, PositionError
from daynight.games import Store
from daynight.records import Record
from daynight.store import ConflictError
from daynight.store.branches import BranchNameError, branches, check_name, keep
from daynight.store.proving.verify import verify_store
from daynight.titles import own_name
from tests.behaviour.games import CONTRACT
from tests.store.playing import lines
from tests.store.told import document


def with_branch(store, name="b2"):
    """Store `CONTRACT` as game g1, and its branch `name`, in which Bo also casts Opt; return the branch."""
    store.append("g1", CONTRACT)
    branch = store.load("g1").branch(insert(6, "Bo casts Opt"), name=name)
    keep(store, branch, "g1")
    return branch


def test_kept(place):
    with Store(place) as store:
        store.append("g1", CONTRACT)
        before = lines(store, "g1")
        branch = store.load("g1").branch(insert(6, "Bo casts Opt"), name="b2")
        assert len(branch) == keep(store, branch, "g1").number
        assert [("g1", len(CONTRACT)), ("g1/b2", len(branch))] == store.games()
        assert before == lines(store, "g1")
        (kept,) = branches(store, "g1")
        assert ("g1/b2", len(branch), True) == (kept.game, kept.events, kept.intact)
        assert ("b2", "g1", 6) == (kept.origin.name, kept.origin.game, kept.origin.event)
        assert store.load("g1/b2").events[1:] == branch.events[1:]
        assert "night" == store.at("g1").designation
        assert "day" == store.at("g1/b2").designation
        assert [] == [*branches(store, "g1/b2")]
        with pytest.raises(NotFoundError, match="no game 'g2'"):
            next(branches(store, "g2"))
        with pytest.raises(NotFoundError, match="no game 'g2'"):
            keep(store, branch, "g2")
        assert 2 == len(store.games())


def test_of_branches(place):
    with Store(place) as store:
        with_branch(store)
        keep(store, store.load("g1/b2").branch(drop(7), name="c1"), "g1/b2")
        keep(store, store.load("g1").branch(drop(4), name="b10"), "g1")
        store.append("g10", CONTRACT[:1])
        found = [*branches(store, "g1")]
        assert [("g1/b10", "g1"), ("g1/b2", "g1"), ("g1/b2/c1", "g1/b2")] == [(at.game, at.origin.game) for at in found]
        assert all(one.intact for one in found)
        assert ["g1/b2/c1"] == [one.game for one in branches(store, "g1/b2")]
        # In the branch of the branch Bo casts nothing again, so it equals the game.
        assert store.load("g1").events[1:] == store.load("g1/b2/c1").events[1:]


def test_twice(place):
    with Store(place) as store:
        branch = with_branch(store)
        head = store.head("g1/b2")
        assert head == keep(store, branch, "g1")
        other = store.load("g1").branch(drop(4), name="b2")
        with pytest.raises(ConflictError, match="another branch 'b2' already"):
            keep(store, other, "g1")
        assert head == store.head("g1/b2")


def test_is_a_game(place):
    with Store(place) as store:
        branch = with_branch(store)
        store.append("g1/b2", [{"type": "turn-began", "turn": 4, "active": ["Bo"]}])
        assert [None, None] == [found.fault for found in verify_store(store)]
        stream = io.BytesIO()
        store.lines("g1/b2", stream)
        game = Game(stream.getvalue().splitlines())
        assert len(branch) + 1 == len(game)
        assert "g1/b2" == own_name(game.events[0])


def test_imported_again(place, tmp_path):
    path = tmp_path / "any-name.jsonl"
    with Store.open("memory:") as other:
        with_branch(other)
        with path.open("wb") as stream:
            other.lines("g1/b2", stream)
    with Store(place) as store:
        store.append("g1", CONTRACT)
        store.import_record(path)
        assert ["g1", "g1/b2"] == [name for name, _last in store.games()]
        assert [True] == [one.intact for one in branches(store, "g1")]
        store.import_record(path, "elsewhere")
        assert ["g1/b2"] == [one.game for one in branches(store, "g1")]


def test_not_intact(place, tmp_path):
    """A branch is not intact if its parent is another game of that name, or ends before the branch parts."""
    path = tmp_path / "b.jsonl"
    with Store.open("memory:") as other:
        with_branch(other)
        with path.open("wb") as stream:
            other.lines("g1/b2", stream)
    with Store(place) as store:
        store.append("g1", [*CONTRACT[:4], {"type": "spell-cast", "player": "Bo"}])
        store.import_record(path)
        assert [False] == [one.intact for one in branches(store, "g1")]
        store.append("g1", CONTRACT[5:])
        assert [False] == [one.intact for one in branches(store, "g1")]


def test_spelled_otherwise(place, tmp_path):
    """Keys in another order, or faces that are not filled in, make no difference to whether a parent fits."""
    game, file = tmp_path / "g1.jsonl", tmp_path / "b.jsonl"
    game.write_text("".join(json.dumps(dict(reversed(event.items()))) + "\n" for event in CONTRACT))
    branch = Game.load(game).branch(drop(6), name="b2")
    with file.open("wb") as stream:
        write(branch.record(digest_of(Record(game), branch.parted)), stream)
    with Store(place) as store:
        store.import_record(game)
        store.import_record(file)
        assert [True] == [one.intact for one in branches(store, "g1")]


def test_fits():
    """A branch does not fit if its own beginning was changed, or if it parts after the end of the game."""
    game = Game(CONTRACT)
    branch = game.branch(drop(6), name="b2").record()
    origin = origin_of(branch[0])
    assert origin is not None
    assert fits(origin, branch, game.events)
    assert not fits(origin, (branch[0], *branch[2:]), game.events)
    assert not fits(origin, branch, game.events[: origin.event - 1])
    assert not fits(origin, branch[: origin.event - 1], game.events)


@pytest.mark.parametrize("name", ["e3", "18", "turn:4", "turn:4/untap", "branch:b2", "a/b"])
def test_names(name):
    with Store.open("memory:") as store:
        store.append("g1", CONTRACT)
        with pytest.raises(BranchNameError):
            check_name(name, "g1")
        with pytest.raises(BranchNameError):
            keep(store, store.load("g1").branch(drop(4), name=name), "g1")
        assert ["g1"] == [game for game, _last in store.games()]


@pytest.mark.parametrize("name", ["", "b" * (NAME_LENGTH + 1), "b\n2", "b\u202e2"])
def test_no_names(name):
    """A name that is empty, too long or unprintable is refused when the branch is made, with EditError."""
    with pytest.raises(EditError, match="a branch's name has 1 to"):
        Game(CONTRACT).branch(drop(4), name=name)


def test_too_long():
    with Store.open("memory:") as store:
        store.append("g1", CONTRACT)
        with pytest.raises(BranchNameError, match="more than"):
            keep(store, store.load("g1").branch(drop(4), name="b" * NAME_LENGTH), "g1")
        check_name("e3 or so", "g1")
        assert 1 == len(store.games())


def test_positions(place):
    with Store(place) as store:
        with_branch(store)
        assert document(store.at("g1/b2", 8)) == document(store.at("g1", "branch:b2/e8"))
        assert document(store.at("g1/b2")) == document(store.at("g1", Position.parse("branch:b2")))
        assert document(store.at("g1/b2", "turn:3/untap")) == document(store.at("g1", "branch:b2/turn:3/untap"))
        with pytest.raises(NotFoundError, match="no game 'g1/b3'"):
            store.at("g1", "branch:b3/e8")
        with pytest.raises(NotFoundError, match="g1/b2: no event 99"):
            store.at("g1", "branch:b2/e99")
        with pytest.raises(NotFoundError, match="branches are found in a store"):
            store.load("g1").at("branch:b2/e3")
        with pytest.raises(NotFoundError, match="branches are found in a store"):
            store.load("g1").at("branch:b2")


@pytest.mark.parametrize("text, branch, there", [
    ("branch:b2", "b2", None), ("branch:b2/e3", "b2", Position(3)), ("branch:b2/3", "b2", Position(3)),
    ("branch:b2/turn:4", "b2", Position(mark="turn:4")),
    ("branch:b2/turn:4/untap", "b2", Position(mark="turn:4/untap")), ("branch:b2/c1/e3", "b2/c1", Position(3)),
    ("branch:what if/e3", "what if", Position(3)), ("branch:b2/c1", "b2/c1", None),
])  # fmt: skip
def test_spelling(text, branch, there):
    """`parse` splits `text` into `branch` and the position on it, `there` (None if absent); `str` undoes it."""
    position = Position.parse(text)
    assert (branch, there) == (position.branch, position.on_branch)
    assert position == Position.parse(str(position))


@pytest.mark.parametrize("text", ["branch:", "branch:/e3", "branch:b2/", "branch"])
def test_not_spelled(text):
    with pytest.raises(PositionError, match="is no position"):
        Position.parse(text)


def begun(meta):
    """The first event of a game, with this `meta`."""
    return strictly({"type": "game-started", "format": 1, "game": "g1", "players": ["Ana", "Bo"], "meta": meta})


ORIGIN = {"game": "g1", "event": 3, "digest": "0" * 64}


@pytest.mark.parametrize("meta", [
    {}, {"branch": "b2"}, {"branched_from": ORIGIN}, {"branch": "b2", "branched_from": "g1"},
    {"branch": 2, "branched_from": ORIGIN}, {"branch": "", "branched_from": ORIGIN},
    {"branch": "b\u202e2", "branched_from": ORIGIN}, {"branch": "b2", "branched_from": ORIGIN | {"event": -1}},
    {"branch": "b2", "branched_from": ORIGIN | {"event": True}},
    {"branch": "b2", "branched_from": ORIGIN | {"event": "3"}},
    {"branch": "b2", "branched_from": ORIGIN | {"digest": "0" * 63}},
    {"branch": "b2", "branched_from": ORIGIN | {"digest": None}},
    {"branch": "b2", "branched_from": ORIGIN | {"game": None}}, {"branch": "b2", "branched_from": {"game": "g1"}},
])  # fmt: skip
def test_strange_origins(meta):
    assert None is origin_of(begun(meta))
    assert "g1" == own_name(begun(meta))
    assert Origin("b2", "g1", 3, "0" * 64) == origin_of(begun({"branch": "b2", "branched_from": ORIGIN}))


def test_digest(tmp_path):
    path = tmp_path / "g1.jsonl"
    Game(CONTRACT).save(path)
    data = path.read_bytes().splitlines(keepends=True)
    for many in (0, 1, 5, len(data), len(data) + 3):
        assert hashlib.sha256(b"".join(data[:many])).hexdigest() == digest_of(Record(path), many)
