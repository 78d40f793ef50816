"""Versions of rules: a record names the version of the rules that accepted its events, and those rules check it.

| promise | tests |
| --- | --- |
| an event accepted by older rules is read; verify says that today's rules refuse it | test_rules, test_forged_rules |
| only the store writes the version; day and night has none | test_marks, test_of_day_and_night |
| two processes with different versions each mark their events rightly | test_two_codes |
| an imported file is checked by the rules that it names | test_outside |
| a step that refuses what older rules accepted ends the record; it is not damage | test_stops, test_same_rules |
| a snapshot stores the version, and one of other rules is not used | test_snapshot |
| a branch gets new marks, by where its events come from, and is stored with them | test_branch, test_kept_branch |
| where the rules are unknown, today's check an inserted event, with a notice | test_branch, test_said_by_what_if |
| undone events keep their rules; events after a back-up have those in force at their line | test_back_up |
| two combined mechanics write both versions | test_beside |
"""

import json
from dataclasses import replace

import pytest
from msgspec.structs import replace as changed

from daynight.cli.commands import run
from daynight.cli.mechanics import commands
from daynight.events import decode
from daynight.framework import (
    Happening,
    ImpossibleError,
    Language,
    Mechanic,
    Number,
    Recorded,
    RecordError,
    drop,
    insert,
)
from daynight.framework.language.errors import UnreadableError
from daynight.game import played
from daynight.store import DamagedError, Store, verify_store
from daynight.store.branches import keep
from daynight.store.errors import StoppedError
from tests.store.desk import (
    FIRST,
    FOUR,
    SECOND,
    WITHOUT,
    WITHOUT_2,
    Given,
    check_1,
    claimed,
    counting,
    faults,
    lent,
    lines,
    opened,
    rechained,
    write,
)


def test_rules(kept):
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


def test_forged_rules(kept):
    """If the rules that a record names refuse its event, that is damage, whatever today's rules say."""
    write(kept, FIRST, [opened(), lent("Emma"), lent("Ulysses")])
    for mechanic in (FIRST, SECOND):
        with Store(kept, mechanic=mechanic) as store:
            rechained(store, "main", 3, "lent", b'{"type":"lent","book":"Emma","to":"Bo"}')
            (fault,) = faults(store)
            assert (fault.event, "rules 1, which accepted it, refuse it" in fault.sentence) == (3, True)


@pytest.mark.parametrize("mechanic", [FIRST, WITHOUT])
def test_marks(kept, mechanic):
    with Store(kept, mechanic=mechanic) as store:
        with pytest.raises(UnreadableError, match=r"\$.rules: rules is written by daynight"):
            store.append("main", [opened() | {"rules": 1}])
        store.append("main", [opened(), lent("Emma")])
        game = store.load("main")
        with pytest.raises(UnreadableError, match="rules is written by daynight"):
            game.record(lent("Ulysses") | {"rules": 1})
        assert [event.rules for event in game.events] == ([1, None] if mechanic is FIRST else [None, None])


def test_two_codes(kept):
    """Two processes with different versions: an event is marked if its version differs from that of the one before."""
    second = replace(FIRST, check=SECOND.check, checks={1: FIRST.check}, version=2)
    with Store(kept, mechanic=FIRST) as older, Store(kept, mechanic=second) as newer:
        older.append("main", [opened()])
        newer.append("main", [lent("Emma")])
        newer.append("main", [lent("Faust", "Bo")])
        older.append("main", [{"type": "returned", "book": "Emma"}])
        older.append("main", [{"type": "returned", "book": "Faust"}])
        newer.append("main", [claimed("Emma"), claimed("Faust")])
        assert [1, 2, None, 1, None, 2, None] == [event.rules for event in newer.load("main").events]
        assert [(None, 0)] == [(found.fault, found.unchecked) for found in verify_store(newer)]


def test_of_day_and_night():
    """Editions version the rules of day and night: no event has the field."""
    with pytest.raises(UnreadableError, match="unknown field 'rules'"):
        decode(b'{"type":"spell-cast","player":"Ana","rules":1}')
    assert None is played().check


def test_outside():
    """A file of unknown rules raises RecordError unless trusted; one that names none is checked by today's or older."""
    heard = []
    with Store.open("memory:", mechanic=SECOND) as store:
        with pytest.raises(RecordError, match="rules 7 are not known here; there are: 2, 1"):
            store.import_record(Given(opened() | {"rules": 7}), "a")
        store.import_record(Given(opened() | {"rules": 7}), "a", trust_rules=True, tell=heard.append)
        assert heard.pop() == "1 event is not checked: rules 7 are not known here"
        store.import_record(Given(*FOUR), "b", tell=heard.append)
        assert heard.pop() == "accepted by rules 1; those of today, 2, refuse it"
        assert store.load("b").events[0].rules == 1
        store.import_record(Given(*FOUR[:3]), "c", tell=heard.append)
        assert store.load("c").events[0].rules == 2
        assert not [one for one in heard if "rules" in one]
        # It differs from the stored record only by its marks.
        store.import_record(Given(*FOUR), "b")
        for refused in ([*FOUR, lent("Emma")], [FOUR[0] | {"rules": 2}, *FOUR[1:]]):
            with pytest.raises(ImpossibleError):
                store.import_record(Given(*refused), "d")
    with pytest.raises(ImpossibleError):
        Recorded.load(SECOND, lines(FOUR[0] | {"rules": 2}, *FOUR[1:]))
    assert len(Recorded.load(SECOND, lines(*FOUR))) == 4
    with pytest.raises(RecordError, match="rules 7 are not known"):
        Recorded.load(SECOND, lines(opened() | {"rules": 7}))


def test_branch():
    """The line at which an event is inserted decides which rules check it and how the branch is marked."""
    game = Recorded.load(SECOND, lines(opened() | {"rules": 1}, *FOUR[1:], lent("Faust", "Bo") | {"rules": 2}))
    branch = game.branch(insert(4, lent("Carmen")))
    assert [event.rules for event in branch.events] == [1, None, None, None, None, 2]
    with pytest.raises(ImpossibleError, match="Ana has two books"):
        game.branch(insert(5, lent("Carmen")))
    without = game.branch(drop(5))
    assert [event.rules for event in without.events] == [1, None, None, None]
    unmarked = Recorded(SECOND).extended([changed(event, rules=None) for event in game.events])
    assert unmarked.branch(insert(1, lent("Carmen"))).by_today == (2,)
    with pytest.raises(ImpossibleError, match="put in at event 5, checked by the rules of today, for those"):
        unmarked.branch(insert(5, lent("Carmen")))


def test_said_by_what_if(tmp_path, capsys):
    """An event inserted where the rules are unknown is checked by today's, and a notice says so."""
    file = tmp_path / "main.jsonl"
    for first, said in ((opened(), True), (opened() | {"rules": 1}, False)):
        file.write_bytes(lines(first, *FOUR[1:3]).getvalue())
        command = ["what-if", str(file), "--insert", f"e1: {json.dumps(lent('Carmen', 'Bo'))}"]
        assert 1 == run(command, commands(SECOND), "desk")
        told = "checked by the rules of today, for those of their place are not known: e2\n"
        assert said == (told in capsys.readouterr().out)
        assert 1 == run([*command, "--json"], commands(SECOND), "desk")
        assert ([2] if said else None) == json.loads(capsys.readouterr().out).get("by_today")


def test_kept_branch(kept):
    """A branch of older rules is stored as made: with its marks, and with events that only today's rules refuse."""
    write(kept, FIRST, FOUR)
    with Store(kept, mechanic=SECOND) as store:
        store.append("main", [lent("Faust", "Bo")])
        branch = store.load("main").branch(insert(4, lent("Carmen")), name="x")
        keep(store, branch, "main")
        again = keep(store, branch, "main")
        game = store.load("main/x")
        assert ([event.rules for event in game.events], again.number) == ([1, None, None, None, None, 2], 6)
        assert len(game.state.lent) == 5
        assert faults(store) == [None, None]
        # Later events are checked by today's rules.
        with pytest.raises(ImpossibleError, match="Ana has two books"):
            store.append("main/x", [lent("Medea")])
        assert store.append("main/x", [lent("Medea", "Cy")]).moments[0].event.rules is None


def test_back_up(kept):
    """The line of an event decides its rules, whatever is undone: on import, on reading, and in verify."""
    back = {"type": "corrected", "to": 3}
    marks = [*FOUR[:1], *FOUR[1:], back, lent("Dracula", "Bo") | {"rules": 2}, back, lent("Faust", "Bo")]
    marks[0] = marks[0] | {"rules": 1}
    with Store(kept, mechanic=SECOND) as store:
        store.import_record(Given(*marks), "main")
        assert [event.rules for event in store.load("main").events] == [1, None, None, None, None, 2, None, None]
        (found,) = verify_store(store)
        assert (found.fault, found.refused, found.unchecked) == (None, (4,), 0)
        refused = [*marks, lent("Carmen", "Ana")]
        with pytest.raises(ImpossibleError, match="Ana has two books"):
            store.import_record(Given(*refused), "other")
        # The same event before the first mark of rules 2 is accepted by rules 1.
        store.import_record(Given(*marks[:5], lent("Carmen", "Ana"), *marks[5:]), "other")


def test_stops(kept):
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
def test_same_rules(kept, told):
    """An event refused by `step` is damage for the same version, also if none is stored; newer code stops there."""
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


def test_snapshot(kept):
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


@pytest.mark.parametrize("check", [None, check_1])
def test_beside(check):
    """If one of two combined mechanics has a `check`, the first event names both versions."""
    from daynight.framework.joining import beside
    from tests.store.lamp import LAMP

    class Wound(Happening, frozen=True, tag="wound"):
        turns: Number

    clock = Mechanic(name="clock", language=Language(Wound), start=LAMP.start, step=lambda *of: (), version=3)
    first = replace(FIRST, check=check)
    both = beside(first, clock, language=Language(FIRST.language.events | Wound))
    assert both.version == ((1, 3) if check else 1)
    game = Recorded(both, [opened(), {"type": "wound", "turns": 1}, lent("Emma")])
    assert [event.rules for event in game.events] == [(1, 3) if check else None, None, None]
    if check:
        with pytest.raises(ImpossibleError, match="Emma is lent already"):
            game.record(lent("Emma"))
