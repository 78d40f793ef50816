"""Forged rows of `commands`: no client is told that a command is stored when it is not.

| promise | tests |
| --- | --- |
| a retry is only confirmed after its events were compared with the stored lines | test_planted_..., test_renamed |
| an event belongs to one command only, and the events that a row names exist | test_planted_of_no_events |
| `verify` finds such rows | each test |
| an honest retry is confirmed, even if its events were filled in, signed or marked | test_repeated_... |
| another request under a used id is refused | test_more_or_less_than_was_asked_for |
"""

import random
from hashlib import sha256

import pytest

from daynight.framework.language.codec import encode
from daynight.games import Store
from daynight.store import ConflictError, DamagedError, store
from daynight.store.database.settings import Settings
from daynight.store.proving.chain import seal
from daynight.store.proving.verify import verify_store
from examples.approval import MECHANIC as FIRST
from examples.approval_2 import MECHANIC as SECOND
from tests.documents import ROOT
from tests.store.playing import CAST, TURN, WEREWOLF, begun, everything

OPT = CAST | {"card": "Opt"}
GAME = [{"type": "game-started", "format": 1, "game": "g", "players": ["Ana", "Bo"]}, TURN, OPT, WEREWOLF, CAST]


def faults(store):
    return [found.fault for found in verify_store(store)]


def request_of(store, events):
    """The digest of the lines of these events, as `commands` stores it for a request."""
    language = store.mechanic.language
    return sha256(b"\n".join(encode(language.strictly(event)) for event in events)).digest()


def plant(store, first, last, events, *, command="c", seals=True, changed=""):
    """Insert a row which says that `command`, which asked for `events`, stored events `first` to `last`.

    Without `seals` the row's seal is wrong; the row of the command `changed` is deleted.
    """
    recorder = store.recorder
    request = request_of(store, events)
    digest = recorder.digest("g", last) or bytes(32)
    mark = seal("g", command, first, last, request, digest) if seals else bytes(32)
    with recorder.transaction(write=True) as cursor:
        if changed:
            cursor.execute(recorder.sql("DELETE FROM commands WHERE game = 'g' AND command = ?"), (changed,))
        row = ("g", command, first, last, request, mark)
        cursor.execute(recorder.sql("INSERT INTO commands VALUES (?, ?, ?, ?, ?, ?)"), row)


@pytest.fixture
def imported(kept, tmp_path):
    """A store with an imported game, whose events no command has stored."""
    path = tmp_path / "g.jsonl"
    with Store.open("memory:") as store:
        store.append("g", GAME)
        with path.open("wb") as stream:
            store.lines("g", stream)
    with Store(kept) as store:
        store.import_record(path)
        yield store


@pytest.mark.parametrize("first, events", [
    (3, [CAST | {"player": "Bo"}]), (3, [OPT | {"card": "Shock"}]), (3, [CAST]), (2, [OPT]), (2, [CAST, CAST]),
], ids=["another player", "another card", "no card", "a turn", "two"])  # fmt: skip
def test_planted_for_the_next_command(imported, first, events):
    """If a forged row with right digest and seal answers the next command, that command raises ConflictError."""
    plant(imported, first, first + len(events) - 1, events)
    before = everything(imported.recorder)
    with pytest.raises(ConflictError, match="'c' was used for other events"):
        imported.append("g", events, command="c")
    assert everything(imported.recorder) == before
    (fault,) = faults(imported)
    assert (fault.event, "these are not the events that it asked for" in fault.sentence) == (first, True)
    # Under another id the command is stored.
    assert not imported.append("g", events, command="d").repeated


@pytest.mark.parametrize("first, last, seals", [(6, 6, True), (3, 6, True), (3, 3, False), (0, 3, True), (4, 3, True)])
def test_planted_of_no_events(imported, first, last, seals):
    """A row that names missing events, or has a wrong seal, is damage; the error names the row's events."""
    plant(imported, first, last, [OPT], seals=seals)
    with pytest.raises(DamagedError, match=f"'c' is said to have stored events {first} to {last}") as caught:
        imported.append("g", [OPT], command="c")
    assert "daynight verify" in str(caught.value)
    assert imported.last("g") == 5
    (fault,) = faults(imported)
    assert f"events {first} to {last}" in fault.sentence


@pytest.fixture
def stored(kept):
    """A store with a game whose event 3 was stored by command b."""
    with Store(kept) as store:
        begun(store)
        store.append("g", [CAST], command="b")
        yield store


def test_planted_over_another_command(stored):
    """If two rows name the same event, retrying either command raises DamagedError."""
    plant(stored, 3, 3, [CAST])
    for command in ("b", "c"):
        with pytest.raises(DamagedError, match=f"{command!r} is said to have stored events 3 to 3"):
            stored.append("g", [CAST], command=command)
    assert stored.last("g") == 3
    assert "3 to 3" in faults(stored)[0].sentence


def test_renamed(stored):
    """If a stored command's row gets id and digest of the next command, the next one raises ConflictError."""
    plant(stored, 3, 3, [OPT], changed="b")
    with pytest.raises(ConflictError, match="other events"):
        stored.append("g", [OPT], command="c")
    assert stored.last("g") == 3
    assert "these are not the events" in faults(stored)[0].sentence


def test_renamed_to_ask_for_the_same(stored):
    """If a row gets the id of a new command for the same events, that is confirmed, and verify finds no fault."""
    plant(stored, 3, 3, [CAST], changed="b")
    assert stored.append("g", [CAST], command="c").repeated
    assert faults(stored) == [None]


def test_another_digest(imported):
    """If only the digest in a row is wrong, a retry is confirmed by the events; verify reports the row."""
    plant(imported, 3, 3, [TURN])
    assert imported.append("g", [OPT], command="c").repeated
    assert "these are not the events" in faults(imported)[0].sentence


@pytest.mark.parametrize("events", [
    [CAST, OPT], [WEREWOLF], [CAST | {"note": "a \"meta\": of two"}], [CAST | {"meta": {"by": "Ana", "at": [1, {}]}}],
    [{"type": "permanents-entered", "permanents": [
        {"id": "w1", "card": "Rôdeur de taverne", "controller": "Ana"},
        {"id": "w2", "card": "No Such Card", "controller": "Bo", "front": {"types": ["Creature"]}}]}],
    [CAST] * 40,
], ids=["casts", "filled in", "a note", "an author", "cards of several kinds", "many"])  # fmt: skip
def test_repeated_whatever_was_filled_in(kept, events):
    with Store(kept) as store:
        begun(store)
        stored = store.append("g", events, command="c")
        again = store.append("g", events, command="c")
        assert (again.repeated, again.first, again.last) == (True, 3, stored.last)
        # Events as read from the store, with everything filled in, are confirmed as well.
        assert store.append("g", [*store.events("g", 2)], command="c").repeated
        assert faults(store) == [None]


@pytest.mark.parametrize("other", [[CAST], [OPT, CAST], [OPT | {"note": "x"}], [OPT | {"meta": {"x": 1}}], [WEREWOLF]])
def test_more_or_less_than_was_asked_for(kept, other):
    with Store(kept) as store:
        begun(store)
        store.append("g", [OPT], command="c")
        with pytest.raises(ConflictError, match="other events"):
            store.append("g", other, command="c")
        assert store.last("g") == 3


def test_repeated_with_marks_and_old_tags(kept):
    """A retry is confirmed although its first event was marked with rules and one of its tags has become old since."""
    lines = (ROOT / "examples/approval.jsonl").read_bytes().splitlines()[:4]
    assert b'"rejected"' in lines[3]
    with store.Store(kept, mechanic=FIRST) as first:
        first.append("g", lines[:2], command="c")
        first.append("g", lines[2:], command="d")
        assert faults(first) == [None]
    with store.Store(kept, mechanic=SECOND) as second:
        assert second.append("g", lines[:2], command="c").repeated
        assert second.append("g", lines[2:], command="d").repeated
        marked = [{"type": "revised", "by": "Ana"}]
        assert not second.append("g", marked, command="e").repeated
        assert b'"rules":2' in second.recorder.all_rows().__next__()[-1].line
        assert second.append("g", marked, command="e").repeated
        assert faults(second) == [None]
        with pytest.raises(ConflictError, match="other events"):
            second.append("g", [{"type": "revised", "by": "Ana", "note": "x"}], command="e")


def test_many_rows(tmp_path):
    """Among commands of all lengths and events without one, verify finds no fault, and then the forged row."""
    luck = random.Random(5)
    with Store(Settings(kind="sqlite", path=str(tmp_path / "games.db"))) as store:
        begun(store)
        sizes = [1, 4100, *(luck.randrange(1, 9) for _ in range(20)), 4096]
        for number, size in enumerate(sizes):
            store.append("g", [CAST] * size, command=f"c{number}" if number % 3 else None)
        assert faults(store) == [None]
        with store.recorder.transaction(write=True) as cursor:
            cursor.execute("DELETE FROM commands WHERE command LIKE 'c%5' OR first_event = 3")
        assert faults(store) == [None]
        plant(store, 3, 3, [OPT])
        assert faults(store)[0].event == 3
