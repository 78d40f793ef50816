"""Rows of `heads` that an attacker without the key wrote under its name: they have no effect.

| promise | test |
| --- | --- |
| turns stored without the key are reported, although a forged row says that the key signed them | test_hides_no_turn |
| a row forged for a future event does not prevent the key's own signature | test_written_before |
| an act (an event to be signed at once) with a forged row is refused until it is accepted | test_accepted |
| a game that the memory has lost is recognised by its signed event 1, whatever rows are forged | test_lost |
"""

import pytest

from daynight.games import Store
from daynight.store import Key
from daynight.store.errors import NotAcceptedError
from daynight.store.proving.signing import accept
from daynight.store.proving.verify import verify_game
from tests.rules.judges import back_up, ruled
from tests.rules.words import cast, turn
from tests.store.evenings import GAME, both, play
from tests.store.rewriting import deleted, unsigned_after


def plant(place, file, *events):
    """Write rows for these events under the key's name, with an invalid signature."""
    with Store(place) as store, store.recorder.transaction(write=True) as cursor:
        rows = [(GAME, event, Key.read(file).key, bytes(64)) for event in events]
        cursor.executemany(store.recorder.sql("INSERT INTO heads VALUES (?, ?, ?, ?)"), rows)


@both
def test_hides_no_turn(place, file):
    play(place, file, 1, 2, 3, begin=True)
    with Store(place) as store:
        store.append(GAME, [turn(4), cast(), turn(5), cast()])
    plant(place, file, 7, 9)
    with Store(place, key=Key.read(file)) as store:
        assert store.append(GAME, [turn(6)]).others == (6, 11)


@both
def test_written_before(place, file):
    play(place, file, 1, 2, begin=True)
    plant(place, file, 6)
    with Store(place, key=Key.read(file)) as store:
        store.append(GAME, [ruled("night")])
        store.append(GAME, [turn(3)])
        found = verify_game(store.recorder, GAME)
    assert found.fault is None
    assert [1, 3, 6] == [head.event for head in found.signatures.heads]
    assert found.signatures.by(Key.read(file).key.hex()).unsigned_acts == ()


@both
def test_accepted(place, file):
    play(place, file, 1, 2, begin=True)
    with Store(place) as store:
        store.append(GAME, [ruled("night")])
    plant(place, file, 6)
    with Store(place, key=Key.read(file)) as store:
        with pytest.raises(NotAcceptedError):
            store.append(GAME, [cast()])
        accept(store.recorder, Key.read(file), GAME, store.code(GAME))
        assert store.append(GAME, [cast()]).last == 7
        assert verify_game(store.recorder, GAME).fault is None


@both
def test_lost(place, file):
    """If only the signature of event 1 is left, the key knows its game by it, and an act without the key is found."""
    play(place, file, 1, begin=True)
    memory = file.with_name(f"{file.name}.heads")
    before = memory.read_bytes()
    deleted(place, GAME)
    play(place, file, 1, 2, begin=True)
    memory.write_bytes(before)
    unsigned_after(place, GAME, 1)
    with Store(place) as store:
        store.append(GAME, [back_up(2), cast()])
    plant(place, file, *range(2, 80))
    with Store(place, key=Key.read(file)) as store, pytest.raises(NotAcceptedError) as refused:
        store.append(GAME, [cast()])
    assert [6] == [act.event for act in refused.value.acts]
