"""Custom views: rows that a store updates in the same transaction as the events.

| promise | test |
| --- | --- |
| there is a row for each record, visible in the database together with the append | test_with_the_append |
| columns are attributes or keys of the value; without columns the value is stored as JSON | test_columns |
| an error in a view names the view and the event | test_failing, test_missing_column, test_columns, test_no_json |
| after a back-up, the row is that of the target event with the back-up folded | test_backed_up |
| after a restart the view continues, and counts nothing twice | test_restart |
| a store accepts events without the view's code; the view catches up before it is read | test_without_the_code |
| a newer version rebuilds the view; the older one changes nothing unless explicitly asked | test_versions |
| any failed append leaves the row unchanged | test_failing |
| after a kill at any moment, the row matches the stored events | test_killed |
| imported records and archives are included | test_imported |
| with several writers each event is counted once | test_writers |
| games have views as other records do | test_of_games |
| an invalid view is refused when it is created | test_no_view |
"""

import os
import signal
import time
from dataclasses import replace
from functools import partial
from io import BytesIO
from random import Random
from threading import Thread

import pytest

from daynight.events import Changed
from daynight.framework.language.errors import MechanicError
from daynight.framework.recorded import Recorded
from daynight.games import Store
from daynight.store import ConflictError, read_archive, verify_store, write_archive
from daynight.store.database.settings import Settings
from tests.rules.judges import back_up
from tests.rules.words import effect, started, turn
from tests.store.killing import forked
from tests.store.lamp import HUNG, LAMP, PRESSED, counted, dimmed
from tests.store.viewing import TABLE, Presses, fold, lamps, opened, raw, wanted


def test_with_the_append(place):
    with lamps(place) as store:
        view = opened(store)
        assert (view.rows(), raw(store)) == ([], [])
        store.append("hall", [HUNG, PRESSED])
        assert raw(store) == [("hall", 2, 1, 0, "Ana")]
        store.append("yard", [HUNG])
        store.append("hall", [PRESSED | {"by": "Bo"}, counted(2)])
        assert raw(store) == [("hall", 4, 2, 0, "Bo"), ("yard", 1, 0, 0, None)]
        assert (view.behind(), view.catch_up()) == (0, 0)
        assert view.rows()[0] == {"game": "hall", "events": 4, "presses": 2, "dims": 0, "last": "Bo"}
        assert [found.fault for found in verify_store(store)] == [None, None]


def test_columns(place):
    with lamps(place) as store:
        store.append("hall", [HUNG, PRESSED])
        by_key = store.view("keys", dict, lambda value, moment, state: value | {"on": state.on}, columns={"on": int})
        as_json = store.view("tags", list, lambda value, moment, state: [*value, moment.number])
        assert by_key.rows() == [{"game": "hall", "events": 2, "on": 1}]
        assert as_json.rows() == [{"game": "hall", "events": 2, "value": [1, 2]}]
        wrong = partial(store.view, "wrong", dict, lambda value, moment, state: {"on": "yes"})
        with pytest.raises(TypeError, match=r"^view wrong, event 2: column on is int, and the value has 'yes'$"):
            wrong(columns={"on": int})


@pytest.mark.parametrize(
    "value, has",
    [({"on": 1, "presses": 2}, "on, presses"), ({}, "nothing"), (Presses(), "presses, dims, last"), (3, "nothing")],
)
def test_missing_column(place, value, has) -> None:
    """The error names the column, the view, and the columns that the value has."""
    with lamps(place) as store:
        store.append("hall", [HUNG])
        sentence = f"^view lit, event 1, column off: the value has no 'off'; it has {has}$"
        with pytest.raises(ValueError, match=sentence):
            store.view("lit", dict, lambda before, moment, state: value, columns={"off": int})


@pytest.mark.wide(but=2)
@pytest.mark.parametrize("seed", range(2))
def test_backed_up(place, seed):
    luck = Random(seed)
    with lamps(replace(place, snapshots=3)) as store:
        view, record = opened(store), Recorded(LAMP, [HUNG])
        store.append("hall", [HUNG])
        for _round in range(12):
            events = []
            for _event in range(luck.randint(1, 5)):
                standing = [number for number in range(1, len(record) + 1) if record.stands(number)]
                events.append(luck.choice([PRESSED, PRESSED, dimmed(luck.choice(standing))]))
                record.record(events[-1])
            store.append("hall", events)
            if luck.random() < 0.3:
                view.forget()
            assert raw(store) == [wanted(store, "hall")]
        view.rebuild()
        assert raw(store) == [wanted(store, "hall")]


def test_restart(tmp_path):
    place = Settings(kind="sqlite", path=str(tmp_path / "lamps.db"))
    for presses in (1, 2, 3):
        with lamps(place) as store:
            opened(store)
            store.append("hall", [HUNG, PRESSED] if presses == 1 else [PRESSED])
            assert raw(store) == [("hall", presses + 1, presses, 0, "Ana")]


def test_without_the_code(place):
    if place.kind == "memory":
        pytest.skip("a store in memory is gone when it is closed")
    with lamps(place) as store:
        opened(store)
        store.append("hall", [HUNG])
    with lamps(place) as store:
        store.append("hall", [PRESSED])
        store.append("yard", [HUNG, PRESSED])
        assert raw(store) == [("hall", 1, 0, 0, None)]
        assert [found.fault for found in verify_store(store)] == [None, None]
    with lamps(place) as store, lamps(place) as without:
        view = opened(store)
        assert raw(store) == [("hall", 2, 1, 0, "Ana"), ("yard", 2, 1, 0, "Ana")]
        without.append("hall", [PRESSED])
        assert view.behind() == 1
        assert [row["presses"] for row in view.rows()] == [2, 1]
        without.append("hall", [PRESSED])
        store.append("yard", [PRESSED])
        assert raw(store) == [wanted(store, "hall"), wanted(store, "yard")]


def test_versions(place):
    with lamps(place) as store:
        old = opened(store)
        store.append("hall", [HUNG, PRESSED])
        with store.recorder.transaction(write=True) as cursor:
            cursor.execute(f"UPDATE {TABLE} SET presses = 7")
        assert opened(store).rows()[0]["presses"] == 7
        new = opened(store, version=2)
        assert new.rows()[0]["presses"] == 1
        for ask in (old.rows, old.catch_up, old.behind, old.rebuild):
            with pytest.raises(ConflictError, match="the view presses has been made anew in another version"):
                ask()
        with pytest.raises(ConflictError, match="newer code keeps the view presses, in version 2; this is 1; rebuild"):
            opened(store)
        with pytest.raises(ConflictError, match="the view presses has other columns in version 2; raise its version"):
            store.view("presses", Presses, fold, columns={"presses": int}, version=2)
        store.application.writer.followers = [old]
        store.append("hall", [PRESSED])
        assert raw(store) == [("hall", 2, 1, 0, "Ana")]
        assert new.rows()[0]["presses"] == 2
        other = store.view("presses", Presses, fold, columns={"presses": int}, rebuild=True)
        assert other.rows() == [{"game": "hall", "events": 3, "presses": 2}]


def test_no_json(place):
    """A value that JSON cannot express raises TypeError, a failing `start` MechanicError; both name the view."""
    with lamps(place) as store:
        store.append("hall", [HUNG])
        with pytest.raises(TypeError, match=r"^view odd, event 1: the value is no JSON: "):
            store.view("odd", int, lambda value, moment, state: object())
        with pytest.raises(MechanicError, match="start of view odder failed: ZeroDivisionError"):
            store.view("odder", lambda: 1 // 0, lambda value, moment, state: value)


def test_failing(place, monkeypatch):
    """If a later view's fold or the append itself fails, no event is stored and the row is unchanged."""

    def fails(*given):
        raise ZeroDivisionError

    with lamps(place) as store:
        view = opened(store)
        store.append("hall", [HUNG, PRESSED])
        before = raw(store)
        store.view("bad", int, lambda value, moment, state: 1 // (3 - moment.number))
        with pytest.raises(MechanicError, match=r"^fold of view bad, event 3 \(Pressed\) failed: ZeroDiv"):
            store.append("hall", [PRESSED])
        assert (store.last("hall"), raw(store)) == (2, before)
        store.application.writer.followers = [view]
        with monkeypatch.context() as patch:
            patch.setattr(store.application.writer, "_places", fails)
            with pytest.raises(ZeroDivisionError):
                store.application.events.put([row(store, 3, PRESSED | {"by": "Eve"})])
        assert (store.last("hall"), raw(store)) == (2, before)
        with Store(place, mechanic=LAMP) if place.kind != "memory" else store as other:
            other.append("hall", [PRESSED | {"by": "Bo"}])
            if other is not store:
                store.append("hall", [PRESSED])
                assert raw(store) == [wanted(store, "hall")]


def row(store, number, event):
    from daynight.store.database.mapper import Numbered

    return Numbered("hall", number, store.mechanic.language.strictly(event))


def life(place, seed, told):
    luck = Random(seed)
    with lamps(place) as store:
        opened(store)
        while True:
            name = luck.choice("abc")
            new = not store.last(name)
            store.append(name, [HUNG] if new else [PRESSED] * luck.randint(1, 3) + [dimmed(1)] * luck.randint(0, 1))
            os.write(told, b".")


def killed(place, kills):
    luck = Random(1)
    for kill in range(kills):
        hears, told = os.pipe()
        child = forked(partial(life, place, kill, told))
        # Kill it somewhere after the first few appends, however slow the machine is.
        for _append in range(luck.randint(1, 6)):
            os.read(hears, 1)
        time.sleep(luck.uniform(0, 0.02))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(hears)
        os.close(told)
        with lamps(place) as store:
            if store.recorder.has_table(TABLE):
                assert raw(store) == [wanted(store, name) for name, _last in store.games()]
    with lamps(place) as store:
        return sum(last for _name, last in store.games())


def test_killed(tmp_path):
    assert killed(Settings(kind="sqlite", path=str(tmp_path / "lamps.db")), 3) > 3


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_killed_often(kind, tmp_path, request):
    place = Settings(kind="sqlite", path=str(tmp_path / "lamps.db"))
    if kind == "postgresql":
        place = request.getfixturevalue("schema")
        with lamps(place):
            pass
    assert killed(place, 60) > 100


def test_imported(tmp_path):
    path = tmp_path / "hall.jsonl"
    Recorded(LAMP, [HUNG, PRESSED, PRESSED, dimmed(2), PRESSED]).save(path)
    with Store.open("memory:", mechanic=LAMP) as store:
        view = opened(store)
        store.import_record(path)
        assert [tuple(each.values()) for each in view.rows()] == [wanted(store, "hall")]
        stream = BytesIO()
        write_archive(store, stream)
        with Store.open("memory:", mechanic=LAMP) as other:
            view = opened(other)
            read_archive(other, BytesIO(stream.getvalue()))
            assert [tuple(each.values()) for each in view.rows()] == [wanted(store, "hall")]


def test_writers(place):
    with lamps(place) as store:
        second = store if place.kind == "memory" else lamps(place)
        for each in {store, second}:
            opened(each)
        for name in "ab":
            store.append(name, [HUNG])
        errors = []

        def write(into):
            try:
                for number in range(15):
                    into.append("ab"[number % 2], [PRESSED])
            except BaseException as error:
                errors.append(error)
                raise

        threads = [Thread(target=write, args=(into,)) for into in (store, second)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        opened(store).catch_up()
        assert errors == []
        assert [(row[1], row[2]) for row in raw(store)] == [(17, 16), (15, 14)]
        if second is not store:
            second.close()


def test_of_games(place):
    def changes(value, moment, state):
        assert state.event == moment.number
        return value + sum(isinstance(each, Changed) for each in moment.consequences)

    with Store(place) as store:
        view = store.view("changes", int, changes)
        store.append("g", [started(), turn(1), effect("day"), effect("night")])
        store.append("g", [back_up(3)])
        assert [each["value"] for each in view.rows()] == [1]
        assert [found.fault for found in verify_store(store)] == [None]


@pytest.mark.parametrize("name, columns", [
    ("Presses", {"presses": int}), ("a b", None), ("x", {"presses": float}), ("x", {"game": int}), ("x", {"a;b": int}),
    ("x", {"events": str}),
])  # fmt: skip
def test_no_view(name, columns):
    start = Presses
    with Store.open("memory:", mechanic=LAMP) as store:
        with pytest.raises(ValueError, match="no view"):
            store.view(name, start, fold, columns=columns)
        assert not store.recorder.has_table("daynight_views")
