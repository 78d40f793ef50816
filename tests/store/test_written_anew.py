"""Games that were rewritten, or come from another store: the key signs none of them, whatever the disguise.

| promise | test |
| --- | --- |
| a rewritten game without signatures is refused, in any store, also with a new first line | test_written_anew |
| in its own store it is refused on any database | test_written_anew_here |
| it is refused for another mechanic too | test_written_anew_for_another_mechanic |
| an intact game is refused only in a store where another game of its name was signed | test_moved_here, test_put_here |
| a game exported, changed and imported elsewhere is refused, or stored unsigned and can't grow | test_elsewhere |
| a signed game with added acts (ruling, back-up, end) is refused; with added turns there is a notice | test_added |
| a rewritten game under another name counts as another game; its identity reveals it | test_under_another_name |
| a game that is missing in the memory is known only by its signature of event 1 | test_signature_of_event_1 |
| a branch of a rewritten game is refused with the key, and stored without it | test_branch |
| a branch made from different events is refused | test_branch_of_another |
| a record shorter than the signed game is stored unsigned with a notice, until it is as long | test_unsigned |
"""

import json
import shutil
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest

from daynight.framework.edits import drop
from daynight.games import Store
from daynight.records import Held
from daynight.store import DamagedError, Key, read_archive, write_archive
from daynight.store import Store as AnyStore
from daynight.store.branches import keep
from daynight.store.database.settings import Settings
from daynight.store.errors import NotAcceptedError, NotSignedError
from daynight.store.proving.proof import prove
from daynight.store.proving.signing import accept
from daynight.store.proving.verify import verify_game
from tests.rules.judges import back_up, ruled
from tests.rules.words import cast, ended, started, turn
from tests.store.evenings import GAME, both, forged, identity, play, refused
from tests.store.rewriting import deleted, rewritten, unsigned_after


def in_its_place(place, tmp_path):
    return place


def elsewhere(place, tmp_path):
    """Copy the store to another name in another folder; return the new place."""
    (tmp_path / "b").mkdir()
    return replace(place, path=shutil.copy(place.path, tmp_path / "b" / "any.db"))


def over_last_week(place, tmp_path):
    """Copy the store over the one where last week's game of that name was signed; return that place."""
    return replace(place, path=shutil.copy(place.path, tmp_path / "last.db"))


def another_beginning(place, tmp_path):
    """Give the game other random bits in line 1 and no signatures, copy it elsewhere, and return that place."""

    def first(lines):
        found = json.loads(lines[0])
        lines[0] = json.dumps(found | {"meta": {"random": "f" * 32}}, separators=(",", ":")).encode()

    rewritten(place, GAME, first)
    unsigned_after(place, GAME, 0)
    return elsewhere(place, tmp_path)


def without_bits(place, tmp_path):
    """Take the random bits out of line 1, as an older daynight wrote it, and all signatures; return `place`."""

    def first(lines):
        found = json.loads(lines[0])
        del found["meta"]
        lines[0] = json.dumps(found, separators=(",", ":")).encode()

    rewritten(place, GAME, first)
    unsigned_after(place, GAME, 0)
    return place


@pytest.mark.parametrize("moved", [in_its_place, elsewhere, over_last_week, another_beginning, without_bits])
def test_written_anew(file, tmp_path, moved):
    """A game that was rewritten after it was signed is refused, in its place and wherever it is moved."""
    last, place = (Settings.parse(tmp_path / name) for name in ("last.db", "games.db"))
    for one in (last, place):
        play(one, file, 1, 2, 3, begin=True)
    key, name = Key.read(file).key.hex(), identity(place).hex()
    forged(place)
    there = moved(place, tmp_path)
    refused(there, file, "written anew|another game of that name")
    # Its signatures or its identity reveal the change to anybody.
    with Store(there) as store:
        found = verify_game(store.recorder, GAME)
    assert found.fault is None
    assert found.signatures.by(key).last < found.signatures.ended or found.identity != name


@both
@pytest.mark.parametrize("moved", [in_its_place, without_bits])
def test_written_anew_here(place, file, tmp_path, moved):
    play(place, file, 1, 2, 3, begin=True)
    forged(place)
    refused(moved(place, tmp_path), file, "written anew|another game of that name")


def test_written_anew_for_another_mechanic(file, tmp_path):
    """A store of another mechanic, which can read the same lines, refuses the rewritten game too."""
    play(Settings.parse(tmp_path / "games.db"), file, 1, 2, begin=True)
    with Store.open(tmp_path / "games.db") as store:
        mechanic = replace(store.mechanic, name="evil")
        archive = BytesIO()
        write_archive(store, archive)
    with AnyStore.open(tmp_path / "evil.db", mechanic=mechanic) as other:
        read_archive(other, BytesIO(archive.getvalue()))
    says = "as one of the mechanic 'daynight'"
    with AnyStore.open(tmp_path / "evil.db", mechanic=mechanic, key=Key.read(file)) as other:
        for ask in (lambda: other.append(GAME, [turn(3)]), lambda: prove(other, GAME)):
            with pytest.raises(NotSignedError, match=says):
                ask()


def test_moved_here(file, tmp_path):
    """The file of last week's game `friday`, intact, is copied over the store of this week's game of the same name:
    the key refuses to sign there; in its own place last week's game can grow."""
    last, place = (Settings.parse(tmp_path / name) for name in ("last.db", "games.db"))
    for one in (last, place):
        play(one, file, 1, 2, 3, begin=True)
    shutil.copy(place.path, tmp_path / "kept.db")
    shutil.copy(last.path, place.path)
    refused(place, file, "of another game of that name in this place")
    for one in (last, Settings.parse(tmp_path / "kept.db")):
        assert play(one, file, 4) == []


@both
def test_put_here(place, file, tmp_path):
    """Last week's intact game in this week's database is refused; in its own store it can be appended to."""
    last, archive = Settings.parse(tmp_path / "last.db"), BytesIO()
    for one in (last, place):
        play(one, file, 1, 2, begin=True)
    with Store(last) as store:
        write_archive(store, archive)
    deleted(place, GAME)
    with Store(place) as store:
        read_archive(store, BytesIO(archive.getvalue()))
    assert identity(place) == identity(last)
    refused(place, file, "of another game of that name in this place")
    assert play(last, file, 3) == []


def test_elsewhere(file, tmp_path):
    """A changed record is refused; a changed archive is stored unsigned, and appending to it is refused."""
    place = Settings.parse(tmp_path / "games.db")
    play(place, file, 1, 2, 3, begin=True)
    forged(place)
    lines, archive = BytesIO(), BytesIO()
    with Store(place) as store:
        store.lines(GAME, lines)
        write_archive(store, archive)
    told: list[str] = []
    with Store.open("memory:", key=Key.read(file)) as store:
        store.recorder.tell = told.append
        with pytest.raises(NotSignedError, match="written anew"):
            store.import_record(Held("friday.jsonl", lines.getvalue()))
        assert store.games() == []
        # The same with another first line that was given, not generated here.
        changed = lines.getvalue().replace(b'"random":"', b'"random":"00', 1)
        with pytest.raises(NotSignedError, match="another game of that name"):
            store.import_record(Held("friday.jsonl", changed))
        assert store.games() == []
        assert told == []
        read_archive(store, BytesIO(archive.getvalue()))
        assert len(told) == 1
        assert told[0].startswith("friday: stored, and not signed: this key has signed event 5 as e5 ")
        with pytest.raises(NotSignedError, match="written anew"):
            store.append(GAME, [turn(4)])


@both
@pytest.mark.parametrize("more, acts", [
    ([back_up(2), cast(), ruled("night")], [8, 10]), ([cast(), ended("Ana")], [9]), ([turn(4), cast(), turn(5)], []),
], ids=["back-up and ruling", "end", "turns"])  # fmt: skip
def test_added(place, file, more, acts):
    """Importing added acts raises NotAcceptedError; stored without the key, they stop appends until accepted.

    Added turns are imported, with a notice.
    """
    play(place, file, 1, 2, 3, begin=True)
    lines = BytesIO()
    with Store(place) as store:
        store.append(GAME, more)
        store.lines(GAME, lines)
    deleted(place, GAME)
    record = Held("friday.jsonl", lines.getvalue())
    for where in (place, Settings("memory")):
        said: list[str] = []
        with Store(where, key=Key.read(file)) as store:
            store.recorder.tell = said.append
            if acts:
                with pytest.raises(NotAcceptedError, match="this key has signed this game up to event 5") as refused:
                    store.import_record(record)
                assert acts == [act.event for act in refused.value.acts]
                assert (store.games(), said) == ([], [])
            else:
                assert store.import_record(record).number == 7 + len(more)
                assert said == [f"{GAME}: events 6 to 10 came without this key, or some of them; it signs them now"]
                return
    with Store(place) as store:
        store.import_record(record)
    with Store(place, key=Key.read(file)) as store:
        with pytest.raises(NotAcceptedError, match="signs nothing more here"):
            store.append(GAME, [cast()])
        accept(store.recorder, Key.read(file), GAME, store.code(GAME))
        store.append(GAME, [{"type": "note-added", "by": "Ana", "says": "more"}])


@both
def test_under_another_name(place, file):
    play(place, file, 1, 2, 3, begin=True)
    name = identity(place).hex()
    lines = BytesIO()
    with Store(place) as store:
        store.lines(GAME, lines)
    changed = lines.getvalue().replace(b'"spell-cast"', b'"spell-copied"', 1)
    assert changed != lines.getvalue()
    with Store(place, key=Key.read(file)) as store:
        store.import_record(Held("friday.jsonl", changed), "sunday")
        found = verify_game(store.recorder, "sunday")
        assert (found.fault, found.signatures.last) == (None, 7)
        assert found.identity != name == verify_game(store.recorder, GAME).identity


@both
def test_branch(place, file):
    play(place, file, 1, 2, 3, begin=True)
    forged(place)
    with Store(place, key=Key.read(file)) as store:
        with pytest.raises(NotSignedError, match="written anew"):
            keep(store, store.load(GAME).branch(drop(5), name="b2"), GAME)
        assert [name for name, _last in store.games()] == [GAME]
    # Without a key, any game can be stored.
    with Store(place) as store:
        assert keep(store, store.load(GAME).branch(drop(5), name="b2"), GAME).number == 6


def test_branch_of_another(file, tmp_path):
    """A branch made of a rewritten game raises DamagedError when it is stored beside the intact game."""
    place = Settings.parse(tmp_path / "games.db")
    play(place, file, 1, 2, 3, begin=True)
    shutil.copy(place.path, tmp_path / "whole.db")
    forged(place)
    with Store(place) as store:
        branch = store.load(GAME).branch(drop(7), name="b2")
    with Store.open(tmp_path / "whole.db", key=Key.read(file)) as store:
        with pytest.raises(DamagedError, match="not the game any more"):
            keep(store, branch, GAME)
        assert [name for name, _last in store.games()] == [GAME]


def test_unsigned(file, tmp_path):
    """This key has signed more of the game in another store: a shorter copy here takes events only with `unsigned`.

    Once the copy is as long as what was signed, its next event is signed.
    """
    place = Settings.parse(tmp_path / "games.db")
    events = [started() | {"game": GAME}, turn(1), cast(), turn(2), cast(), turn(3)]
    with Store(place, key=Key.read(file)) as store:
        store.append(GAME, events)
    said: list[str] = []
    with Store.open(tmp_path / "copy.db", key=Key.read(file)) as store:
        store.recorder.tell = said.append
        data = b"".join(json.dumps(event).encode() + b"\n" for event in events[:3])
        assert store.import_record(Held(GAME, data), unsigned=True).number == 3
        assert store.append(GAME, events[3:4], unsigned=True).last == 4
        with pytest.raises(NotSignedError):
            store.append(GAME, events[4:5])
        assert store.recorder.signatures(GAME) == []
        store.append(GAME, events[4:], unsigned=True)
        assert store.append(GAME, [turn(4)]).last == 7
        assert [event for event, *_more in store.recorder.signatures(GAME)] == [6]
    assert len(said) == 1
    assert said[0].startswith("friday: stored, and not signed: this key has signed event 5")


def test_signature_of_event_1(file, tmp_path):
    """The key recognises a game that its memory has lost by its signature of event 1, but not by an invalid one."""
    last, place = (Settings.parse(tmp_path / name) for name in ("last.db", "games.db"))
    memory = Path(f"{file}.heads")
    play(last, file, 1, begin=True)
    before = memory.read_bytes()
    play(place, file, 1, 2, begin=True)
    memory.write_bytes(before)
    shutil.copy(place.path, tmp_path / "kept.db")
    for value in ("x", b"x", bytes(64), 7):
        shutil.copy(tmp_path / "kept.db", place.path)
        with Store(place) as store, store.recorder.transaction(write=True) as cursor:
            cursor.execute("UPDATE heads SET signature = ?", (value,))
        with (
            Store(place, key=Key.read(file)) as store,
            pytest.raises(NotSignedError, match="another game of that name"),
        ):
            store.append(GAME, [turn(3)])
    shutil.copy(tmp_path / "kept.db", place.path)
    play(place, file, 3)
