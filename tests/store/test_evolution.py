"""Records of older code, read by newer code.

| promise | tests |
| --- | --- |
| an old tag is read everywhere: load, at, append, views, feed, archives, repository | test_old_tags, test_forged |
| retrying a command that older code stored returns the old answer | test_repeated, test_repeated_in_words |
| importing an exported old record finds it already stored; its proof fits the old bytes | test_exported |
| a tag without an upcaster can't be decoded, but is not damage; its bytes are still delivered | test_missing_upcaster |
| code of the first release finds no damage in records of the second, but cannot load them | test_older_code |
| for a store with newer tables, the error names the daynight version that wrote it | test_format |
| a default changed under the same tag is refused; its bytes are still delivered | test_default, test_allowed |
"""

from dataclasses import replace
from io import BytesIO

import msgspec
import pytest

from daynight.events import Event
from daynight.framework import Happening, Language, Lift, Name, Number
from daynight.framework.language.source import Source
from daynight.game import played
from daynight.store import ConflictError, DamagedError, Feed, Key, Store, read_archive, verify_store, write_archive
from daynight.store.database.rows import Append
from daynight.store.errors import LanguageError, NotReadableError, Stop
from daynight.store.proving.proof import prove, read_proof, verify_record
from tests.rules.words import started, turn
from tests.store.desk import (
    FIRST,
    SECOND,
    Claimed,
    Corrected,
    Given,
    LentAt,
    Opened,
    Returned,
    claimed,
    counting,
    faults,
    lent,
    opened,
    rechained,
    write,
)


def test_old_tags(kept, tmp_path):
    key = Key.read(tmp_path / "key.pem")
    with Store(kept, mechanic=FIRST, key=key) as store:
        store.append("main", [opened(), lent("Emma"), claimed("Emma"), lent("Ulysses")], command="first")
        store.append("main", [{"type": "returned", "book": "Emma"}])
    with Store(kept, mechanic=SECOND, key=key) as store:
        game = store.load("main")
        assert game.events[1] == LentAt(book="Emma", to="Ana")
        assert store.at("main", 2).lent == game.at(2).lent == {"Emma": ("Ana", 2)}
        assert game.audited().verdict == "exact"
        assert counting(store).rows() == [{"game": "main", "events": 5, "value": 1}]
        with Feed(store, after=0) as feed, feed.subscribe("main", after=0) as subscription:
            assert [one.tag for one in subscription.take(10)] == ["opened", "lent", "claimed", "lent", "returned"]
        assert store.application.repository.get("main").whole.lent == {"Ulysses": ("Ana", 4)}
        assert [one.event for one in store.application.events.get("main")] == [*game.events]
        assert store.append("main", [{"type": "lent.2", "book": "Emma", "to": "Bo"}]).last == 6
        assert store.at("main").lent == {"Ulysses": ("Ana", 4), "Emma": ("Bo", 6)}
        assert faults(store) == [None]
        stream = BytesIO()
        write_archive(store, stream)
        stream.seek(0)
        with Store.open("memory:", mechanic=SECOND) as other:
            assert read_archive(other, stream) == (1, 6)
            again = BytesIO()
            write_archive(other, again)
            assert again.getvalue() == stream.getvalue()
            assert faults(other) == [None]


@pytest.mark.parametrize("tag, line", [
    ("lent", b'{"type":"lent.2","book":"Emma","to":"Ana"}'),
    ("lent.2", b'{"type":"lent","book":"Emma","to":"Ana"}'),
    ("lent.3", b'{"type":"lent.3","book":"Emma","to":"Ana"}'),
])  # fmt: skip
def test_forged(kept, tag, line):
    """In a store with old tags, a row whose tag differs from its line, or is unknown, is damage."""
    write(kept, FIRST, [opened(), lent("Emma"), lent("Ulysses")])
    with Store(kept, mechanic=SECOND) as store:
        rechained(store, "main", 2, tag, line)
        (fault,) = faults(store)
        assert fault.event == 2
        with pytest.raises(DamagedError):
            [*store.application.events.get("main")]


@pytest.mark.parametrize("described", [True, False])
def test_missing_upcaster(kept, tmp_path, described):
    """A tag without an upcaster is no damage: verify and export work, reading raises NotReadableError."""
    with Store(kept, mechanic=FIRST) as store:
        store.append("main", [opened(), lent("Emma"), lent("Ulysses")])
        if not described:
            # As stores of an older daynight, which kept no description.
            with store.recorder.transaction(write=True) as cursor:
                cursor.execute("DROP TABLE daynight_language")
    forgotten = replace(SECOND, language=Language(Opened | LentAt | Returned | Claimed | Corrected))
    with Store(kept, mechanic=forgotten) as store:
        (found,) = verify_store(store)
        assert found.fault is None
        assert found.stop == Stop(1 if described else 2, found.stop.sentence)
        assert (found.events, "upcaster" in found.stop.sentence) == (3, True)
        stream, archive = BytesIO(), BytesIO()
        store.lines("main", stream)
        assert stream.getvalue().count(b'"lent"') == 2
        assert prove(store, "main")
        assert write_archive(store, archive) == 3
        for reading in (
            lambda: store.load("main"),
            lambda: store.at("main"),
            lambda: [*store.events("main")],
            lambda: store.application.repository.get("main"),
            lambda: store.append("main", [{"type": "returned", "book": "Emma"}]),
        ):
            with pytest.raises(NotReadableError, match="upcaster"):
                reading()
        archive.seek(0)
        with Store.open("memory:", mechanic=forgotten) as other, pytest.raises(NotReadableError, match="upcaster"):
            read_archive(other, archive)
    with Store(kept, mechanic=SECOND) as store:
        assert faults(store) == [None]


def test_older_code(kept):
    """To the first release, a record with the second one's tags has no fault; loading it raises NotReadableError."""
    write(kept, SECOND, [opened(), {"type": "lent.2", "book": "Emma", "to": "Ana"}])
    with Store(kept, mechanic=FIRST) as store:
        (found,) = verify_store(store)
        assert (found.fault, found.events) == (None, 2)
        with pytest.raises(NotReadableError):
            store.load("main")


def test_repeated(kept):
    write(kept, FIRST, [opened(), lent("Emma")], command="a")
    with Store(kept, mechanic=SECOND) as store:
        assert store.append("main", [opened(), lent("Emma")], command="a").repeated
        newer = {"type": "lent.2", "book": "Emma", "to": "Ana"}
        assert store.append("main", [opened(), newer], command="a").repeated
        for events in ([opened(), newer | {"to": "Bo"}], [opened()], [opened(), newer, newer], [opened("x"), newer]):
            with pytest.raises(Exception, match="the command id 'a' was used for other events"):
                store.append("main", events, command="a")


def test_repeated_in_words(kept):
    """A retry that names the value that the upcaster fills in is confirmed; another value raises ConflictError."""
    north = Language(
        Opened | LentAt | Returned | Claimed | Corrected,
        upcasters={"lent": Lift("lent.2", lambda old: {"desk": "north"} | old)},
    )
    write(kept, FIRST, [opened(), lent("Emma")], command="a")
    newer = {"type": "lent.2", "book": "Emma", "to": "Ana"}
    with Store(kept, mechanic=replace(SECOND, language=north)) as store:
        for event in (lent("Emma"), newer, newer | {"desk": "north"}, LentAt(book="Emma", to="Ana")):
            assert store.append("main", [opened(), event], command="a").repeated
        main = newer | {"desk": "main"}
        for event in (main, msgspec.json.encode(main), lent("Emma") | {"desk": "main"}):
            with pytest.raises(ConflictError, match="the command id 'a' was used for other events"):
                store.append("main", [opened(), event], command="a")


def test_exported(kept, tmp_path):
    file = tmp_path / "main.jsonl"
    with Store(kept, mechanic=FIRST) as store, file.open("wb") as stream:
        store.append("main", [opened(), lent("Emma")])
        store.lines("main", stream)
        proof = prove(store, "main")
    with Store(kept, mechanic=SECOND) as store:
        assert verify_record(Source(file), proof=read_proof(BytesIO(proof)), mechanic=SECOND).fault is None
        assert store.import_record(Source(file)).number == 2
    heard = []
    with Store.open("memory:", mechanic=SECOND) as store:
        store.import_record(Source(file), tell=heard.append)
        told = "1 line has an old tag: it is stored in the shape of today, and an older proof does not fit it"
        assert [told] == heard
        # It is already stored now, and there is no notice.
        store.import_record(Source(file), tell=heard.append)
        assert [told] == heard
        new = tmp_path / "new.jsonl"
        with new.open("wb") as stream:
            store.lines("main", stream)
        assert b'"lent.2"' in new.read_bytes()
        assert verify_record(Source(new), proof=read_proof(BytesIO(proof)), mechanic=SECOND).fault is not None


class OpenedLonger(Happening, frozen=True, tag="opened"):
    desk: Name
    days: Number = 30


class OpenedWider(Happening, frozen=True, tag="opened"):
    desk: Name
    days: int = 14
    floor: Name | None = None


class OpenedShort(Happening, frozen=True, tag="opened"):
    desk: Name


def released(kind):
    language = Language(kind | LentAt | Returned | Claimed | Corrected, upcasters=SECOND.language.upcasters)
    return replace(SECOND, language=language, step=lambda desk, event, number: ())


@pytest.mark.parametrize("kind, mend", [
    (OpenedLonger, "opened.days: stored lines left out 14, now it is 30; make opened.2 and an upcaster"),
    (OpenedShort, "opened.days: stored lines may have it, and it is gone; make opened.2 and an upcaster"),
])  # fmt: skip
def test_default(kept, kind, mend):
    write(kept, FIRST, [opened(), lent("Emma")])
    with Store(kept, mechanic=released(kind)) as store:
        asking = [
            lambda: store.load("main"), lambda: store.at("main"), lambda: counting(store),
            lambda: store.append("main", [lent("Ulysses")]), lambda: store.record("main"),
            lambda: store.application.repository.get("main"), lambda: store.import_record(Given(opened())),
        ]  # fmt: skip
        for ask in asking:
            with pytest.raises(LanguageError) as raised:
                ask()
            assert mend in raised.value.sentence
        stream = BytesIO()
        store.lines("main", stream)
        assert stream.getvalue().startswith(b'{"type":"opened","desk":"main","rules":1}\n')
        assert write_archive(store, stream) == 2
        assert [found.fault for found in verify_store(store)] == [None]


def test_allowed(kept):
    """A new optional field, a wider bound and an old tag can be read and extended; then narrower code is an error."""
    write(kept, FIRST, [opened(), lent("Emma")])
    with Store(kept, mechanic=released(OpenedWider)) as store:
        assert len(store.load("main")) == 2
        store.append("main", [{"type": "returned", "book": "Emma"}])
    with (
        Store(kept, mechanic=SECOND) as store,
        pytest.raises(LanguageError, match="what stored lines may have there is refused now"),
    ):
        store.load("main")


def test_guarded_from_now_on(kept):
    write(kept, FIRST, [opened()])
    with Store(kept, mechanic=FIRST) as store, store.recorder.transaction(write=True) as cursor:
        cursor.execute("DROP TABLE daynight_language")
    with Store(kept, mechanic=FIRST) as store:
        heard = []
        store.recorder.tell = heard.append
        assert (1, [None], []) == (len(store.load("main")), faults(store), heard)
        store.append("main", [lent("Emma")])
        store.append("main", [lent("Ulysses")])
        assert [f"{kept.shown}: guarded from now on: code that would read its events otherwise is refused"] == heard
    with Store(kept, mechanic=released(OpenedLonger)) as store, pytest.raises(LanguageError):
        store.load("main")


def test_format(kept):
    """Tables of an unknown version raise DamagedError, which names the daynight version that wrote the store."""
    write(kept, FIRST, [opened()])
    with Store(kept, mechanic=FIRST) as store, store.recorder.transaction(write=True) as cursor:
        newer = "PRAGMA user_version = 2" if kept.kind == "sqlite" else "UPDATE daynight SET version = 2"
        cursor.execute("UPDATE daynight_format SET daynight = '7.8.9'")
        cursor.execute(newer)
    told = "written by daynight 7.8.9: a store of version 2, and this daynight knows 1; use that one"
    with pytest.raises(DamagedError, match=f": {told}$"):
        Store(kept, mechanic=FIRST)


def test_view_of_other_rules(kept):
    """Newer rules rebuild a view's rows of older rules; older code gets an error without `rebuild=True`."""
    write(kept, FIRST, [opened(), lent("Emma")])
    with Store(kept, mechanic=FIRST) as store:
        counting(store)
    with Store(kept, mechanic=SECOND) as store:
        view = counting(store)
        assert (view.replaced, view.rows()) == ("1", [{"game": "main", "events": 2, "value": 1}])
    with Store(kept, mechanic=replace(SECOND, version=1, checks={})) as store:
        with pytest.raises(Exception, match="newer code keeps the loans, by rules 2; these are 1; rebuild it to take"):
            counting(store)
        assert counting(store, rebuild=True).rows() == [{"game": "main", "events": 2, "value": 1}]


@pytest.mark.wide
def test_never_flips_back(kept):
    """Code with an older view or older rules gets ConflictError each time; the newest code finds its rows unchanged."""
    write(kept, FIRST, [opened(), lent("Emma")])
    older = replace(SECOND, version=1, checks={})
    with Store(kept, mechanic=SECOND) as store:
        counting(store, version=2)
    for _ in range(50):
        for mechanic, version in ((SECOND, 1), (older, 2), (SECOND, 2)):
            with Store(kept, mechanic=mechanic) as store:
                if (mechanic, version) == (SECOND, 2):
                    view = counting(store, version=2)
                    assert view.replaced is None
                    assert view.rows() == [{"game": "main", "events": 2, "value": 1}]
                    continue
                with pytest.raises(ConflictError, match="newer code keeps the"):
                    counting(store, version=version)


def test_day_and_night(kept):
    """Day and night with one tag made old for the test: its row stays as stored, and is read by the upcaster."""
    mechanic = replace(
        played(),
        language=Language(Event, upcasters={"cast.1": Lift("spell-cast", lambda old: {"player": old["by"]})}),
        name="daynight",
    )
    with Store(kept, mechanic=mechanic) as store:
        store.append("g", [started(), turn(1)])
        with store.recorder.transaction(write=True) as cursor:
            old = ("cast.1", b'{"type":"cast.1","by":"Ana"}')
            store.recorder.append(cursor, "g", [old], Append(after=store.head("g")))
    with Store(kept, mechanic=mechanic) as store:
        game = store.load("g")
        assert "Ana" == game.events[2].player
        assert game.at(3) == store.at("g")
        store.append("g", [turn(2, "Bo")])
        assert (faults(store), store.last("g")) == ([None], 4)
        assert ["game-started", "turn-began", "cast.1", "turn-began"] == [
            row.tag for rows in store.recorder.rows("g") for row in rows
        ]


def test_guarded_after_a_refusal(kept):
    """After a refused import, the next append still stores the description: code that contradicts it is refused."""
    with Store(kept, mechanic=FIRST) as store:
        with pytest.raises(Exception, match="Emma is lent already"):
            store.import_record(Given(opened(), lent("Emma"), lent("Emma")))
        store.append("main", [opened()])
    with Store(kept, mechanic=released(OpenedLonger)) as store, pytest.raises(LanguageError):
        store.load("main")
