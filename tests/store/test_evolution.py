"""Records of yesterday, code of today.

| promise | tests |
| --- | --- |
| an old tag is read everywhere: load, at, append, views, feed, archives, repository | test_old_tags, test_forged |
| a command that was stored by older code, sent again, is repeated | test_repeated |
| an exported old record is stored already; its proof fits the old bytes | test_exported |
| a record that this code cannot read stops neither the others nor the views; mended code takes it in | test_unreadable, test_forged |
| an older version of the rules accepted it: it is read, and verify says that today's refuse it | test_rules, test_forged_rules |
| only the store writes the version | test_marks |
| a file from outside is checked by the rules that it names | test_outside |
| a step that refuses what older rules accepted stops there, and that is no damage | test_stops, test_same_rules |
| a default that changed under its tag is refused, with the mend; bytes go on | test_default, test_allowed |
| a snapshot keeps the version, and one of other rules is not used | test_snapshot |
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace as changed

from daynight.framework import (
    Happening,
    ImpossibleError,
    Language,
    Lift,
    Mechanic,
    Name,
    Number,
    Recorded,
    RecordError,
    drop,
    insert,
)
from daynight.framework.language.errors import UnreadableError
from daynight.framework.language.source import Source
from daynight.store import DamagedError, Feed, Key, Store, read_archive, verify_store, write_archive
from daynight.store.database.settings import Settings
from daynight.store.errors import LanguageError, NotReadableError, StoppedError
from daynight.store.proving.chain import digest
from daynight.store.proving.proof import prove, read_proof, verify_record
from tests.store.desk import (
    FIRST,
    FOUR,
    SECOND,
    WITHOUT,
    WITHOUT_2,
    Claimed,
    Corrected,
    LentAt,
    Opened,
    Returned,
    check_1,
    claimed,
    lent,
    opened,
)

AnyMechanic = Mechanic[Any, Any, Any]


def write(place: Settings, mechanic: AnyMechanic, events: list[Any], game: str = "main", **more: Any) -> None:
    with Store(place, mechanic=mechanic) as store:
        store.append(game, events, **more)


def faults(store: Store) -> list[Any]:
    return [found.fault for found in verify_store(store)]


def counting(store: Store, **more: Any) -> Any:
    return store.view("loans", int, lambda value, moment, state: len(state.lent), **more)


def test_old_tags(kept: Settings, tmp_path: Path) -> None:
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


def rechained(store: Store, game: str, number: int, tag: str, line: bytes) -> None:
    """Put another line in the place of an event, and compute the chain anew from there on."""
    recorder = store.recorder
    rows = [row for some in recorder.rows(game) for row in some]
    before = rows[number - 2].digest
    with recorder.transaction(write=True) as cursor:
        for row in rows[number - 1 :]:
            told = (tag, line) if row.number == number else (row.tag, row.line)
            before = digest(before, game, row.number, *told)
            cursor.execute(
                recorder.sql(
                    "UPDATE stored_events SET topic = ?, state = ?, digest = ?"
                    " WHERE originator_id = ? AND originator_version = ?"
                ),
                (*told, before, game, row.number),
            )
        for table in ("commands", "heads", "snapshots"):
            cursor.execute(f"DELETE FROM {table}")


@pytest.mark.parametrize(
    "tag, line",
    [
        ("lent", b'{"type":"lent.2","book":"Emma","to":"Ana"}'),
        ("lent.2", b'{"type":"lent","book":"Emma","to":"Ana"}'),
        ("lent.3", b'{"type":"lent.3","book":"Emma","to":"Ana"}'),
    ],
)
def test_forged(kept: Settings, tag: str, line: bytes) -> None:
    """Rows among old tags whose tag is not that of the line, or nobody's."""
    write(kept, FIRST, [opened(), lent("Emma"), lent("Ulysses")])
    with Store(kept, mechanic=SECOND) as store:
        rechained(store, "main", 2, tag, line)
        (fault,) = faults(store)
        assert fault.event == 2
        with pytest.raises(DamagedError):
            [*store.application.events.get("main")]


def test_repeated(kept: Settings) -> None:
    write(kept, FIRST, [opened(), lent("Emma")], command="a")
    with Store(kept, mechanic=SECOND) as store:
        assert store.append("main", [opened(), lent("Emma")], command="a").repeated
        newer = {"type": "lent.2", "book": "Emma", "to": "Ana"}
        assert store.append("main", [opened(), newer], command="a").repeated
        for events in ([opened(), newer | {"to": "Bo"}], [opened()], [opened(), newer, newer], [opened("x"), newer]):
            with pytest.raises(Exception, match="the command id 'a' was used for other events"):
                store.append("main", events, command="a")


def test_exported(kept: Settings, tmp_path: Path) -> None:
    file = tmp_path / "main.jsonl"
    with Store(kept, mechanic=FIRST) as store, file.open("wb") as stream:
        store.append("main", [opened(), lent("Emma")])
        store.lines("main", stream)
        proof = prove(store, "main")
    with Store(kept, mechanic=SECOND) as store:
        assert verify_record(Source(file), proof=read_proof(BytesIO(proof)), mechanic=SECOND).fault is None
        assert store.import_record(Source(file)).number == 2
    with Store.open("memory:", mechanic=SECOND) as store:
        store.import_record(Source(file))
        new = tmp_path / "new.jsonl"
        with new.open("wb") as stream:
            store.lines("main", stream)
        assert b'"lent.2"' in new.read_bytes()
        assert verify_record(Source(new), proof=read_proof(BytesIO(proof)), mechanic=SECOND).fault is not None


def broken(old: dict[str, Any]) -> dict[str, Any]:
    return {"type": "lent.2", "book": old["book"], "to": old["to"], "desk": old["note"]}


UNREADABLE = replace(
    SECOND,
    language=Language(Opened | LentAt | Returned | Claimed | Corrected, upcasters={"lent": Lift("lent.2", broken)}),
)


def test_unreadable(kept: Settings) -> None:
    sentence = "unreadable by this code from event 3: $: the upcaster of 'lent' failed: KeyError: 'note'"
    write(kept, FIRST, [opened(), lent("Emma") | {"note": "a"}, lent("Ulysses")], "bad")
    write(kept, FIRST, [opened(), lent("Emma") | {"note": "a"}], "good")
    with Store(kept, mechanic=UNREADABLE) as store:
        asking: list[Callable[[], Any]] = [
            lambda: store.load("bad"), lambda: store.at("bad"), lambda: [*store.events("bad")],
            lambda: store.append("bad", [{"type": "returned", "book": "Emma"}]),
            lambda: store.application.repository.get("bad"), lambda: [*store.application.events.get("bad")],
        ]  # fmt: skip
        for ask in asking:
            with pytest.raises(NotReadableError) as raised:
                ask()
            assert sentence == raised.value.sentence
        assert store.at("bad", 2).lent == {"Emma": ("Ana", 2)}
        assert len(store.load("good")) == 2
        assert [row["events"] for row in counting(store).rows()] == [2, 2]
        store.append("good", [{"type": "returned", "book": "Emma"}])
        assert [(row["game"], row["events"]) for row in counting(store).rows()] == [("bad", 2), ("good", 3)]
        found = {one.game: one for one in verify_store(store)}
        assert (found["bad"].fault, found["good"].fault, found["good"].stop) == (None, None, None)
        assert found["bad"].stop is not None
        assert (found["bad"].events, found["bad"].stop.event, found["bad"].stop.rules) == (3, 3, None)
    with Store(kept, mechanic=SECOND) as store:
        assert [row["events"] for row in counting(store).rows()] == [3, 3]
        assert [one.stop for one in verify_store(store)] == [None, None]


def test_a_fault_in_a_step(kept: Settings) -> None:
    """A step that fails at a stored event, and a view that does."""

    def failing(desk: Any, event: Any, number: int) -> Any:
        return SECOND.step(desk, event, number) if number < 3 else {}["x"]

    write(kept, FIRST, FOUR)
    with Store(kept, mechanic=replace(SECOND, step=failing)) as store:
        with pytest.raises(NotReadableError, match=r"unreadable by this code from event 3: step, event 3 .* KeyError"):
            store.load("main")
        (found,) = verify_store(store)
        assert (found.fault, found.stop and found.stop.event) == (None, 3)
    with Store(kept, mechanic=SECOND) as store:
        view = store.view("bad", int, lambda value, moment, state: 1 // (3 - moment.number))
        assert view.rows() == [{"game": "main", "events": 2, "value": 1}]
        assert "fold of a projection, event 3" in str(view.unreadable["main"])


def test_rules(kept: Settings) -> None:
    write(kept, FIRST, FOUR)
    with Store(kept, mechanic=SECOND) as store:
        game = store.load("main")
        assert len(game.state.lent) == len(store.at("main").lent) == 3
        assert [(one.event, one.rules, one.path) for one in game.refusals()] == [(4, 2, "$.to")]
        assert game.refusals(1) == []
        (found,) = verify_store(store)
        assert (found.fault, found.stop, found.refused, found.unchecked) == (None, None, (4,), 0)
        with pytest.raises(ImpossibleError, match="Ana has two books"):
            store.append("main", [lent("Faust")])
        moment = store.append("main", [lent("Faust", "Bo")]).moments[0]
        assert moment.event.rules == 2
        assert store.append("main", [lent("Carmen", "Cy")]).moments[0].event.rules is None
        assert [event.rules for event in store.load("main").events] == [1, None, None, None, 2, None]
        assert faults(store) == [None]
    with Store(kept, mechanic=replace(SECOND, version=3, checks={2: SECOND.check})) as store:
        (found,) = verify_store(store)
        assert (found.fault, found.refused, found.unchecked) == (None, (4,), 4)


def test_forged_rules(kept: Settings) -> None:
    """A row that the rules refuse which its record names is damage, whatever those of today say."""
    write(kept, FIRST, [opened(), lent("Emma"), lent("Ulysses")])
    for mechanic in (FIRST, SECOND):
        with Store(kept, mechanic=mechanic) as store:
            rechained(store, "main", 3, "lent", b'{"type":"lent","book":"Emma","to":"Bo"}')
            (fault,) = faults(store)
            assert (fault.event, "rules 1, which accepted it, refuse it" in fault.sentence) == (3, True)


@pytest.mark.parametrize("mechanic", [FIRST, WITHOUT])
def test_marks(kept: Settings, mechanic: AnyMechanic) -> None:
    with Store(kept, mechanic=mechanic) as store:
        with pytest.raises(UnreadableError, match=r"\$.rules: rules is written by daynight"):
            store.append("main", [opened() | {"rules": 1}])
        store.append("main", [opened(), lent("Emma")])
        game = store.load("main")
        with pytest.raises(UnreadableError, match="rules is written by daynight"):
            game.record(lent("Ulysses") | {"rules": 1})
        assert [event.rules for event in game.events] == ([1, None] if mechanic is FIRST else [None, None])


def lines(*events: dict[str, Any]) -> BytesIO:
    import json

    return BytesIO(b"".join(json.dumps(event).encode() + b"\n" for event in events))


class Given(Source):
    """Lines as a record."""

    def __init__(self, *events: dict[str, Any]) -> None:
        super().__init__("given")
        self._data = lines(*events).getvalue()

    def open(self) -> Any:
        from contextlib import nullcontext

        return nullcontext(BytesIO(self._data))


def test_outside() -> None:
    """Unknown rules, trusted ones, none (today's, or earlier ones), and those that are named."""
    heard: list[str] = []
    with Store.open("memory:", mechanic=SECOND) as store:
        with pytest.raises(RecordError, match="rules 7 are not known here; there are: 2, 1"):
            store.import_record(Given(opened() | {"rules": 7}), "a")
        store.import_record(Given(opened() | {"rules": 7}), "a", trust_rules=True, tell=heard.append)
        assert heard.pop() == "1 event is not checked: rules 7 are not known here"
        store.import_record(Given(*FOUR), "b", tell=heard.append)
        assert heard.pop() == "accepted by rules 1; those of today, 2, refuse it"
        assert store.load("b").events[0].rules == 1
        store.import_record(Given(*FOUR[:3]), "c", tell=heard.append)
        assert (store.load("c").events[0].rules, heard) == (2, [])
        # It differs from what is stored by its marks alone.
        store.import_record(Given(*FOUR), "b")
        for refused in ([*FOUR, lent("Emma")], [FOUR[0] | {"rules": 2}, *FOUR[1:]]):
            with pytest.raises(ImpossibleError):
                store.import_record(Given(*refused), "d")
    with pytest.raises(ImpossibleError):
        Recorded.load(SECOND, lines(FOUR[0] | {"rules": 2}, *FOUR[1:]))
    assert len(Recorded.load(SECOND, lines(*FOUR))) == 4
    with pytest.raises(RecordError, match="rules 7 are not known"):
        Recorded.load(SECOND, lines(opened() | {"rules": 7}))


def test_branch() -> None:
    """The rules in force belong to the place in the file."""
    game = Recorded.load(SECOND, lines(opened() | {"rules": 1}, *FOUR[1:], lent("Faust", "Bo") | {"rules": 2}))
    branch = game.branch(insert(4, lent("Carmen")))
    assert [event.rules for event in branch.events] == [1, None, None, None, None, 2]
    with pytest.raises(ImpossibleError, match="Ana has two books"):
        game.branch(insert(5, lent("Carmen")))
    without = game.branch(drop(5))
    assert [event.rules for event in without.events] == [1, None, None, None]
    unmarked = Recorded(SECOND).extended([changed(event, rules=None) for event in game.events])
    assert unmarked.branch(insert(1, lent("Carmen"))).by_today == (2,)


def test_stops(kept: Settings) -> None:
    write(kept, WITHOUT, FOUR)
    with Store(kept, mechanic=WITHOUT_2) as store:
        game = store.load("main")
        assert (len(game), game.stops.event, game.stops.rules) == (3, 4, "1")
        assert "stops at event 4 under rules 1: $.to: Ana has two books" == game.stops.sentence
        assert store.at("main").lent == game.state.lent
        with pytest.raises(StoppedError):
            store.at("main", 4)
        with pytest.raises(StoppedError):
            store.append("main", [lent("Faust", "Bo")])
        assert [row["events"] for row in counting(store).rows()] == [3]
        (found,) = verify_store(store)
        assert (found.fault, found.events, found.stop and found.stop.rules) == (None, 4, "1")


@pytest.mark.parametrize("told", [True, False])
def test_same_rules(kept: Settings, told: bool) -> None:
    """Refused under the same version: damage. A store that does not say: damage, unless the version is above 1."""
    write(kept, WITHOUT, [opened(), lent("Emma"), lent("Ulysses")])
    with Store(kept, mechanic=WITHOUT) as store:
        if not told:
            with store.recorder.transaction(write=True) as cursor:
                cursor.execute("DELETE FROM daynight_rules")
        rechained(store, "main", 3, "lent", b'{"type":"lent","book":"Emma","to":"Bo"}')
        (fault,) = faults(store)
        assert fault.event == 3
        with pytest.raises(DamagedError):
            store.load("main")
    if not told:
        with Store(kept, mechanic=WITHOUT_2) as store:
            (found,) = verify_store(store)
            assert (found.fault, found.stop and found.stop.rules) == (None, "")
            assert found.stop is not None
            assert "let step follow it, and refuse it in check" in found.stop.sentence


class OpenedLonger(Happening, frozen=True, tag="opened"):
    desk: Name
    days: Number = 30


class OpenedWider(Happening, frozen=True, tag="opened"):
    desk: Name
    days: int = 14
    floor: Name | None = None


class OpenedShort(Happening, frozen=True, tag="opened"):
    desk: Name


def released(kind: Any) -> AnyMechanic:
    language = Language(kind | LentAt | Returned | Claimed | Corrected, upcasters=SECOND.language.upcasters)
    return replace(SECOND, language=language, step=lambda desk, event, number: ())


@pytest.mark.parametrize(
    "kind, mend",
    [
        (OpenedLonger, "opened.days: stored lines left out 14, now it is 30; make opened.2 and an upcaster"),
        (OpenedShort, "opened.days: stored lines may have it, and it is gone; make opened.2 and an upcaster"),
    ],
)
def test_default(kept: Settings, kind: Any, mend: str) -> None:
    write(kept, FIRST, [opened(), lent("Emma")])
    with Store(kept, mechanic=released(kind)) as store:
        asking: list[Callable[[], Any]] = [
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


def test_allowed(kept: Settings) -> None:
    """A further optional field, a wider bound, and an old tag under a Lift; then the wider shape is what is kept."""
    write(kept, FIRST, [opened(), lent("Emma")])
    with Store(kept, mechanic=released(OpenedWider)) as store:
        assert len(store.load("main")) == 2
        store.append("main", [{"type": "returned", "book": "Emma"}])
    with (
        Store(kept, mechanic=SECOND) as store,
        pytest.raises(LanguageError, match="opened.days: what stored lines may have"),
    ):
        store.load("main")


def test_guarded_from_now_on(kept: Settings) -> None:
    write(kept, FIRST, [opened()])
    with Store(kept, mechanic=FIRST) as store:
        assert not store.application.guarding.is_new
        with store.recorder.transaction(write=True) as cursor:
            cursor.execute("DROP TABLE daynight_language")
    with Store(kept, mechanic=FIRST) as store:
        assert store.application.guarding.is_new
        store.append("main", [lent("Emma")])
    with Store(kept, mechanic=released(OpenedLonger)) as store, pytest.raises(LanguageError):
        store.load("main")


def test_snapshot(kept: Settings) -> None:
    short = replace(kept, snapshots=2)
    write(short, FIRST, FOUR)
    with Store(short, mechanic=FIRST) as store:
        (number, data) = next(store.recorder.snapshot("main", 4))
        assert (number, b'"accepted":1' in data) == (4, True)
        assert store.append("main", [lent("Faust", "Bo")]).moments[0].event.rules is None
    with Store(short, mechanic=SECOND) as store:
        assert store.append("main", [lent("Carmen", "Cy")]).moments[0].event.rules == 2
        assert [number for number, data in store.recorder.snapshot("main", 9) if b'{"rules":2,' in data] == [6]
        assert faults(store) == [None]


def test_view_of_other_rules(kept: Settings) -> None:
    """Rows that other rules made are made anew; older code does not take them back."""
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


@pytest.mark.parametrize("check", [None, check_1])
def test_beside(check: Any) -> None:
    """Both versions are written, and both are asked."""
    from daynight.framework.beside import beside
    from tests.store.lamp import LAMP

    class Wound(Happening, frozen=True, tag="wound"):
        turns: Number

    clock = replace(LAMP, name="clock", language=Language(Wound), begins=lambda event: None, step=lambda *of: (),
                    says=lambda event: (), restores=lambda event: None, names={}, seals={}, parts={}, version=3)  # fmt: skip
    first = replace(FIRST, check=check)
    both = beside(first, clock, language=Language(FIRST.language.events | Wound))
    assert both.version == ((1, 3) if check else 1)
    game = Recorded(both, [opened(), {"type": "wound", "turns": 1}, lent("Emma")])
    assert [event.rules for event in game.events] == [(1, 3) if check else None, None, None]
    if check:
        with pytest.raises(ImpossibleError, match="Emma is lent already"):
            game.record(lent("Emma"))
