"""An act (back-up, ruling, end of dispute or game) stored without the key: the key signs nothing until it is accepted.

| promise | test |
| --- | --- |
| after a back-up and a ruling without the key, the key refuses to sign anything, and lists both | test_attack |
| the key also refuses after a ruling in a dispute, its closing, or the end of the game | test_each |
| claims, casts and turns without the key do not stop the key's appends | test_no_act |
| accepting the code that was shown signs each act up to it; then appends work again | test_accepted, test_in_part |
| an act that was replaced after it was shown is not signed, nor one in a rewritten game | test_exchanged |
| acts signed by a key that is trusted for this game need no acceptance | test_trusted |
| two keys may append in turn; each reports once, and signs, events stored without it | test_turns |
| a process that had loaded the game before refuses too | test_while_it_is_open |
| a key that signs a game for the first time needs no acceptance of its acts | test_first_time |
| `verify` with a key lists the acts that the key has not signed | test_verified |
"""

import pytest

from daynight.framework.edits import drop
from daynight.games import Store
from daynight.store import ConflictError, Key
from daynight.store.branches import keep
from daynight.store.errors import NotAcceptedError, NotSignedError
from daynight.store.proving.signing import accept
from daynight.store.proving.verify import verify_game
from tests.rules.judges import argues, back_up, claim, closes, opens, ruled, rules_on
from tests.rules.words import cast, ended, turn
from tests.store.evenings import GAME, both, refused
from tests.store.rewriting import rewritten, unsigned_after


@pytest.fixture
def played(place, file):
    """A game of eleven events, stored with the key: turn 4 is not over, and its dispute has a ruling."""
    with Store(place, key=Key.read(file)) as store:
        store.new(GAME, ["Ana", "Bo"])
        for number in range(1, 5):
            store.append(GAME, [turn(number), cast()])
        store.append(GAME, [opens(), rules_on()])
    return place


def attacked(place):
    """An attacker backs the game up to event 2, adds casts and a ruling, and deletes all signatures after event 11."""
    with Store(place, key=Key.generate()) as store:
        store.append(GAME, [back_up(2), cast(), cast(), cast(), ruled("night")])
    with Store(place) as store, store.recorder.transaction(write=True) as cursor:
        cursor.execute(store.recorder.sql("DELETE FROM heads WHERE event > ?"), (11,))


def branch(store):
    """Store a branch of the game, without event 5, as a new game: refused if the key does not sign the parent."""
    keep(store, store.load(GAME).branch(drop(5), name="b2", leave_out=True), GAME)


def stopped(place, file):
    """Assert that append, export and keeping a branch raise NotAcceptedError and store nothing; return the error's
    acts."""
    errors = refused(place, file, "signs nothing more here", NotAcceptedError, branch)
    ((acts, sentence),) = {(error.acts, str(error)) for error in errors}
    assert all(act.code in sentence for act in acts)
    return acts


def signed(place, file):
    """Return the numbers of the events of the game that the key has signed."""
    key = Key.read(file).key
    with Store(place) as store:
        return [event for event, signer, _signature in store.recorder.signatures(GAME) if signer == key]


@both
def test_attack(played, file):
    """After a back-up and a ruling by an attacker, every way to sign is refused; the error lists both acts."""
    attacked(played)
    acts = stopped(played, file)
    assert [(12, "game-backed-up"), (16, "judge-ruled")] == [(act.event, act.type) for act in acts]
    with Store(played) as store:
        assert store.code(GAME) == acts[-1].code


@both
@pytest.mark.parametrize(
    "event", [back_up(3), ruled("night"), rules_on(), closes(), ended("Ana")], ids=lambda event: str(event["type"])
)
def test_each(played, file, event):
    """After each of these events without the key, every way to sign is refused; the error lists the event."""
    with Store(played) as store:
        store.append(GAME, [event])
    (act,) = stopped(played, file)
    assert (act.event, act.type) == (12, event["type"])


@both
def test_no_act(played, file):
    """Claims, casts, statements and turns without the key are no acts: the next append with the key works."""
    with Store(played) as store:
        store.append(GAME, [claim("night"), cast(), argues(designation="night"), turn(5), cast()])
    with Store(played, key=Key.read(file)) as store:
        assert store.append(GAME, [turn(6)]).last == 17


@both
def test_accepted(played, file):
    """Accepting the code of the last act signs both acts and no other event; then append works again."""
    attacked(played)
    before = signed(played, file)
    last = stopped(played, file)[-1]
    with Store(played) as store:
        assert [12, 16] == [act.event for act in accept(store_of(store, file), Key.read(file), GAME, last.code)]
    assert signed(played, file) == [*before, 12, 16]
    with Store(played, key=Key.read(file)) as store:
        assert store.append(GAME, [turn(9)]).last == 17
        with pytest.raises(ConflictError, match="what waits: nothing"):
            accept(store.recorder, Key.read(file), GAME, last.code)


def store_of(store, file):
    """Give the key to the recorder of a store, and return the recorder."""
    store.recorder.signer = Key.read(file)
    return store.recorder


@both
def test_in_part(played, file):
    """After accepting the code of the back-up alone, the key still refuses, because of the ruling after it."""
    attacked(played)
    first, last = stopped(played, file)
    with Store(played) as store:
        accept(store_of(store, file), Key.read(file), GAME, first.code)
    assert stopped(played, file) == (last,)


@both
def test_exchanged(played, file):
    """If the ruling is replaced after its code was shown, the code raises ConflictError; in a rewritten game every code
    raises NotSignedError."""
    attacked(played)
    before = signed(played, file)
    last = stopped(played, file)[-1]

    def day(lines):
        assert b"night" in lines[15]
        lines[15] = lines[15].replace(b"night", b"day")

    rewritten(played, GAME, day, keep=lambda number: number < 16)
    with Store(played) as store, pytest.raises(ConflictError, match="no event that waits to be accepted has the code"):
        accept(store_of(store, file), Key.read(file), GAME, last.code)
    assert signed(played, file) == before
    # Nothing is accepted in a game that differs from the one that was signed.
    rewritten(played, GAME, lambda lines: lines.__setitem__(2, lines[2].replace(b"}", b',"card":"Opt"}')))
    unsigned_after(played, GAME, 0)
    with Store(played) as store, pytest.raises(NotSignedError, match="written anew"):
        accept(store_of(store, file), Key.read(file), GAME, store.code(GAME))
    assert signed(played, file) == []


@both
def test_trusted(played, file, tmp_path):
    """Acts signed by a judge's key need no acceptance if that key is trusted for this game; unsigned acts still do."""
    judge = Key.read(tmp_path / "judge.pem")
    with Store(played, key=judge) as store:
        store.append(GAME, [ruled("night")])
        store.append(GAME, [back_up(3)])
    assert len(stopped(played, file)) == 2
    Key.read(file).trust("saturday", judge.key)
    assert len(stopped(played, file)) == 2
    Key.read(file).trust(GAME, judge.key)
    with Store(played, key=Key.read(file)) as store:
        assert store.append(GAME, [turn(9)]).others is None
        # An unsigned act is nobody's, whoever is trusted.
    with Store(played) as store:
        store.append(GAME, [ruled("day")])
    assert [15] == [act.event for act in stopped(played, file)]
    # Forgetting the game also forgets whom to trust in it.
    Key.read(file).forget(GAME)
    assert not Key.read(file).recalled(GAME).trusted


@both
def test_turns(played, file, tmp_path):
    """Two keys take turns: a key's first append in its turn reports all events since its own last signature.

    Its other appends report nothing, nor does a key that signs the game for the first time.
    """
    files = [tmp_path / "other.pem", file]
    for number in range(5, 11):
        said: list[str] = []
        with Store(played, key=Key.read(files[number % 2])) as store:
            store.recorder.tell = said.append
            found = [store.append(GAME, [event]).others for event in (turn(number), cast(), cast())]
        # The other key sees the game for the first time, so it cannot know which events are new.
        last = 11 + 3 * (number - 5)
        first = {7: 11 + 1, 8: 14 + 1}.get(number, last - 5)
        assert found == [None if number < 7 else (first, last), None, None]
        assert len(said) == (number >= 7)
    with Store(played) as store:
        verified = verify_game(store.recorder, GAME)
    assert verified.fault is None
    assert [verified.signatures.by(Key.read(one).key.hex()).last for one in files] == [26, 23]


@both
def test_while_it_is_open(played, file):
    """A store that was open before the ruling without the key refuses to append, until the ruling is accepted."""
    with Store(played, key=Key.read(file)) as store:
        store.append(GAME, [cast()])
        with Store(played) as other:
            other.append(GAME, [ruled("night")])
        for _again in range(2):
            with pytest.raises(NotAcceptedError):
                store.append(GAME, [cast()])
        accept(store.recorder, Key.read(file), GAME, store.code(GAME))
        assert store.append(GAME, [cast()]).last == 14


@both
def test_first_time(played, tmp_path):
    """A key that has never signed the game can append after the attack without accepting the two acts; it signs later
    events, not the acts themselves."""
    attacked(played)
    other = tmp_path / "other.pem"
    with Store(played, key=Key.read(other)) as store:
        store.append(GAME, [cast(), turn(9), turn(10)])
    assert not {12, 16} & set(signed(played, other))
    with Store(played, key=Key.read(other)) as store:
        assert store.append(GAME, [turn(11)]).last == 20


@both
def test_verified(played, file):
    """`verify_game` lists the acts that the key did not sign, also if another key signed them."""
    key = Key.read(file).key.hex()
    with Store(played, key=Key.read(file)) as store:
        store.append(GAME, [ruled("day")])
    attacked_acts = [13, 17]
    with Store(played, key=Key.generate()) as store:
        store.append(GAME, [back_up(2), cast(), cast(), cast(), ruled("night")])
    with Store(played) as store:
        found = verify_game(store.recorder, GAME)
    assert found.fault is None
    assert [11, 12, *attacked_acts] == [act.event for act in found.signatures.acts]
    assert attacked_acts == [act.event for act in found.signatures.by(key).unsigned_acts]
    assert not found.signatures.unsigned_acts
