"""Questions about an application of `eventsourcing`: neither its code nor its database changes.

| what holds | test |
| --- | --- |
| an aggregate is a record, its attributes are the parts; an event has its fields and its time | test_record |
| a change names the command and the first line of its docstring | test_rule |
| what if: an event that the aggregate refuses is listed as impossible, with the reason | test_what_if |
| a replaced or inserted event needs its fields, read by their types; id, version and time are filled in | test_put_in |
| a time names the last event at or before it | test_at_a_time |
| a snapshot is a claim about the whole state; a stale snapshot is disputed | test_snapshots |
| a snapshot of a missing class, or after an event of a missing class, is not compared | test_snapshots_gone |
| an attribute has no subject: a question with a subject raises NotFoundError | test_no_subject |
| an event may claim an attribute's value, which is right or wrong | test_says |
| if the aggregate's code refuses an event, the record ends before it and says why; others can be read | test_stops |
| if the class of an event is missing, all events are shown, and no state from that event on | test_gone |
| encrypted and compressed events are read | test_stored_otherwise, test_compressed |
| upcast events and custom values are read | test_upcast, test_values |
| without the key or the compressor, AdoptedError says what is missing | test_no_key |
| `project` names a function that makes the state from events; without it events have no state | test_functional |
| the list has a search and pages; the first page does not read all rows | test_list, test_pages |
| where a replay reads a clock or a random number, event and attribute are named | test_check |
| another release is compared on the same events | test_against |
"""

import json
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest

from daynight.adapters.application import looks_like_json
from daynight.adapters.checking import Asked, compared
from daynight.adapters.errors import AdoptedError, NoAggregateError
from daynight.adapters.eventsourcing import adopt
from daynight.framework import drop, insert, replace
from daynight.framework.language.errors import NotFoundError, RecordError


def adopted(bank, **asked):
    return adopt("bank:BankAccounts", str(bank.path), **asked)


def test_record(bank):
    id = bank.account()
    record = adopted(bank).record(str(id))
    assert record.id == str(id)
    assert record.stops is None
    assert [event.type for event in record.events] == [
        f"BankAccount.{name}" for name in ("Opened", "Deposited", "Withdrawn", "Tagged", "Withdrawn")
    ]
    assert record.events[1].fields == {"amount": "200.00"}
    assert record.events[3].fields == {"type": "vip", "note": "good"}
    assert datetime.fromisoformat(record.events[0].at) <= datetime.now(UTC)
    assert record.part("balance").value == Decimal("50.00")
    assert record.part("balance", at=2).value == Decimal("200.00")
    assert record.part("tags").value == [["vip", "good"]]
    assert {one.part for one in record.parts()} == {"owner", "balance", "limit", "level", "tags", "address"}
    with pytest.raises(NotFoundError, match="no part 'id'"):
        record.part("id")


def test_rule(bank):
    record = adopted(bank).record(str(bank.account()))
    way = record.part("balance").way
    assert (way.event, way.because) == (5, (5,))
    assert record.mechanic.rules[way.rule] == "withdraw(): Take money out."
    assert record.mechanic.rules[record.part("balance", at=2).way.rule] == "deposit(): Put money in."
    assert record.mechanic.rules[record.part("owner").way.rule] == "BankAccount.Opened: Open the account."


def test_what_if(bank):
    record = adopted(bank).record(str(bank.account()))
    branch = record.branch(drop(2))
    assert branch.stopped.number == 3
    assert branch.stopped.reason == "the aggregate refuses it: InsufficientFundsError: Ana has 0.00"
    assert record.branch(drop(3)).game.part("balance").value == Decimal("100.00")
    assert record.part("balance").value == Decimal("50.00")


def test_put_in(bank):
    record = adopted(bank).record(str(bank.account()))
    more = record.branch(insert(2, {"type": "BankAccount.Deposited", "fields": {"amount": "7.50"}})).game
    assert more.part("balance").value == Decimal("57.50")
    assert [event.own is None for event in more.events].index(True) == 2
    less = record.branch(replace(2, {"type": "BankAccount.Deposited", "fields": {"amount": "150.00"}})).game
    assert less.part("balance").value == Decimal("0.00")
    gold = record.branch(insert(5, {"type": "BankAccount.Raised", "fields": {"level": "gold"}})).game
    assert gold.mechanic.words.value("level", None, gold.part("level").value) == "gold"
    for fields, sentence in (
        ({"amont": "1"}, "no field 'amont'"), ({}, "needs amount"), ({"amount": "much"}, "amount"),
    ):  # fmt: skip
        with pytest.raises(RecordError, match=sentence):
            record.branch(insert(2, {"type": "BankAccount.Deposited", "fields": fields}))


def test_at_a_time(bank):
    from daynight.framework.positions import Position

    record = adopted(bank).record(str(bank.account()))
    times = [datetime.fromisoformat(event.at) for event in record.events]
    between = times[2] + (times[3] - times[2]) / 2
    assert record.number(Position(mark=between.isoformat())) == 3
    assert record.number(Position(mark=times[2].isoformat())) == 3
    assert record.number(Position(mark="2999-01-01")) == 5
    with pytest.raises(NotFoundError):
        record.number(Position(mark="1999-01-01T00:00"))


def test_snapshots(bank):
    id = bank.account()
    bank.app.take_snapshot(id, version=3)
    there = adopted(bank)
    assert [number for number, _state in there.snapshots(str(id))] == [3]
    assert there.record(str(id)).audited().verdict == "exact"
    bank.app.take_snapshot(id)
    with closing(sqlite3.connect(bank.path)) as connection, connection:
        (state,) = connection.execute("SELECT state FROM stored_snapshots WHERE originator_version = 5").fetchone()
        stale = json.loads(state)
        stale["state"]["balance"]["_data_"] = "60.00"
        connection.execute(
            "UPDATE stored_snapshots SET state = ? WHERE originator_version = 5", (json.dumps(stale).encode(),)
        )
    (found,) = there.record(str(id)).audited().disputes
    assert (found.event, found.said.part, found.said.value, found.derived.value) == (
        5, "balance", Decimal("60.00"), Decimal("50.00"),
    )  # fmt: skip
    assert adopted(bank).record(str(id)).branch(drop(4)).game.audited().verdict == "exact"


@pytest.mark.parametrize("what", ["event", "aggregate", "snapshot"])
def test_snapshots_gone(bank, what):
    id = bank.account()
    bank.app.take_snapshot(id)
    with closing(sqlite3.connect(bank.path)) as connection, connection:
        if what == "event":
            connection.execute(
                "UPDATE stored_events SET topic = 'bank:BankAccount.Marked' WHERE originator_version = 4"
            )
        elif what == "snapshot":
            connection.execute("UPDATE stored_snapshots SET topic = 'bank:BankAccount.Still'")
        else:
            (state,) = connection.execute("SELECT state FROM stored_snapshots").fetchone()
            named = json.dumps(json.loads(state) | {"topic": "bank:Account"}).encode()
            connection.execute("UPDATE stored_snapshots SET state = ?", (named,))
    there = adopted(bank)
    record = there.record(str(id))
    assert (record.audited().verdict, record.audited().disputes) == ("unverified", [])
    ((number, reason),) = there.uncompared(record)
    assert number == 5
    assert ("the class of event 4 is gone" if what == "event" else "there is no such class any more") in reason


def test_no_subject(bank):
    record = adopted(bank).record(str(bank.account()))
    with pytest.raises(NotFoundError, match="balance: nothing is there of 'Ana'"):
        record.part("balance", "Ana")


def test_says(bank):
    id = bank.account()
    says = {"Withdrawn": ("balance", "balance_after")}
    assert adopted(bank, says=says).record(str(id)).audited().verdict == "exact"
    bank.app.do(id, "withdraw", amount=Decimal("10.00"), balance_after=Decimal("41.00"))
    audit = adopted(bank, says=says).record(str(id)).audited()
    assert [(one.event, one.said.value, one.derived.value) for one in audit.disputes] == [
        (6, Decimal("41.00"), Decimal("40.00"))
    ]


def test_stops(bank):
    id, other = bank.account(), bank.account("Bo")
    with closing(sqlite3.connect(bank.path)) as connection, connection:
        connection.execute(
            "UPDATE stored_events SET state = CAST(replace(state, '\"200.00\"', '\"20.00\"') AS BLOB)"
            " WHERE originator_id = ? AND originator_version = 2", (id.hex,),
        )  # fmt: skip
    there = adopted(bank)
    record = there.record(str(id))
    assert len(record) == 2
    assert record.stops.event == 3
    assert "InsufficientFundsError: Ana has 20.00" in record.stops.sentence
    assert len(there.record(str(other))) == 5
    assert len([*there.listed()]) == 2 == len([*there.records])


def test_gone(bank):
    id = bank.account()
    with closing(sqlite3.connect(bank.path)) as connection, connection:
        connection.execute("UPDATE stored_events SET topic = 'bank:BankAccount.Marked' WHERE originator_version = 4")
    record = adopted(bank).record(str(id))
    assert len(record) == 5
    assert record.events[3].fields == {"type": "vip", "note": "good"}
    assert record.part("balance", at=3).value == Decimal("150.00")
    with pytest.raises(NotFoundError):
        record.part("balance", at=4)
    assert record.whole(5).lost == "the class of event 4 is gone"


KEY = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="


def test_stored_otherwise(banks):
    env = {"CIPHER_KEY": KEY, "CIPHER_TOPIC": "eventsourcing.cryptography:AESCipher", "COMPRESSOR_TOPIC": "zlib"}
    bank = banks(**env)
    id = str(bank.account())
    assert adopted(bank, env=env).record(id).part("balance").value == Decimal("50.00")
    with pytest.raises(AdoptedError, match="give CIPHER_KEY in the environment"):
        adopted(bank).record(id)


@pytest.mark.parametrize("data, is_json", [
    (b'{"a": 1}', True), ("[1]", True), (b"{\x8f\xd1\x02", False), (b'"\xff', False), (b"\x80\x04.", False),
])  # fmt: skip
def test_encrypted_whatever_it_begins_with(data, is_json):
    """A ciphertext is not taken for JSON, even if it begins with a bracket, as one in a hundred does."""
    assert is_json is looks_like_json(data)


def test_compressed(banks):
    bank = banks(COMPRESSOR_TOPIC="zlib")
    id = str(bank.account())
    assert adopted(bank, env={"COMPRESSOR_TOPIC": "zlib"}).record(id).part("balance").value == Decimal("50.00")
    with pytest.raises(AdoptedError, match="can't be read"):
        adopted(bank).record(id)


def test_no_key(banks):
    bank = banks(COMPRESSOR_TOPIC="zlib")
    id = str(bank.account())
    with pytest.raises(AdoptedError, match="if it is encrypted, give CIPHER_KEY in the environment"):
        adopted(bank).record(id)
    with pytest.raises(AdoptedError, match="can't say how its events are stored"):
        adopted(bank, env={"CIPHER_TOPIC": "eventsourcing.cryptography:AESCipher"})


def test_upcast(bank):
    from bank import Old

    old = Old()
    bank.app.save(old)
    state = {"name": "old", "timestamp": {"_type_": "datetime_iso", "_data_": "2020-01-01T00:00:00+00:00"}}
    with closing(sqlite3.connect(bank.path)) as connection, connection:
        connection.execute(
            "INSERT INTO stored_events VALUES (?, 2, 'bank:Old.Renamed', ?)", (old.id.hex, json.dumps(state).encode())
        )
        connection.execute(
            "UPDATE stored_events SET topic = 'bank:Gone.Created' WHERE originator_version = 1 AND originator_id = ?",
            (old.id.hex,),
        )
    record = adopted(bank).record(str(old.id))
    assert record.part("text").value == "old"
    assert record.events[1].fields == {"text": "old"}
    # An alias that the application registered is one of its names.
    assert record.events[0].type == "Old.Created"


def test_values(bank):
    from bank import Address, Level

    id = bank.account()
    bank.app.do(id, "raise_level", level=Level.GOLD)
    bank.app.do(id, "move", address=Address("Main Street", "Salem"))
    record = adopted(bank).record(str(id))
    assert record.part("level").value == Level.GOLD
    assert record.part("address").value == {"street": "Main Street", "town": "Salem"}
    assert record.mechanic.words.value("level", None, Level.GOLD) == "gold"
    assert record.branch(drop(6)).game.part("level").value == Level.PLAIN


def test_functional(apps, tmp_path):
    from dogs import DogSchool

    path = str(tmp_path / "dogs.db")
    with DogSchool(env={"PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": path}) as school:
        id = str(school.register("Rex", "sit", "roll"))
    record = adopt("dogs:DogSchool", path, project="dogs:project").record(id)
    assert record.part("tricks").value == ["sit", "roll"]
    assert record.part("tricks", at=2).value == ["sit"]
    assert record.branch(drop(2)).game.part("tricks").value == ["roll"]
    unprojected = adopt("dogs:DogSchool", path).record(id)
    assert unprojected.lost.startswith("Registered has no method mutate")
    assert (len(unprojected), unprojected.stops, unprojected.parts()) == (3, None, [])


def test_list(bank):
    ids = sorted(str(bank.account(name)) for name in ("Ana", "Bo", "Cy"))
    there = adopted(bank)
    assert [one.id for one in there.listed()] == ids
    one = next(there.listed())
    assert (one.kind, one.events) == ("BankAccount", 5)
    assert datetime.now(UTC) - datetime.fromisoformat(one.last) < timedelta(minutes=10)
    assert [one.id for one in there.listed(after=ids[0], limit=1)] == [ids[1]]
    assert [one.id for one in there.listed(search="bankacc")] == ids
    assert not [*there.listed(search="parcel")]
    assert there.record(ids[0][:13]).id == ids[0]
    assert [*there.clocks()] == [(one.id, one.last) for one in there.listed()]
    for text in ("zz", "00000000-0000-0000-0000-000000000000", ""):
        with pytest.raises(NoAggregateError):
            there.record(text)
    with closing(sqlite3.connect(bank.path)) as connection, connection:
        connection.execute("UPDATE stored_events SET topic = 'bank:Überweisung.Opened' WHERE originator_version = 1")
    assert [one.id for one in there.listed(search="ÜBERWEIS")] == ids


def test_pages(bank):
    """The first page of the list reads one page of rows from the database, not all of them."""
    with closing(sqlite3.connect(bank.path)) as connection, connection:
        id = bank.account()
        rows = connection.execute("SELECT * FROM stored_events WHERE originator_id = ?", (id.hex,)).fetchall()
        connection.executemany(
            "INSERT INTO stored_events VALUES (?, ?, ?, ?)",
            [(f"{number:032x}", *row[1:]) for number in range(2_000) for row in rows],
        )
    there = adopted(bank)
    steps = []
    real = sqlite3.connect

    def counting(*args, **named):
        connection = real(*args, **named)
        connection.set_progress_handler(lambda: steps.append(1), 10)
        return connection

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sqlite3, "connect", counting)
        assert len([*there.listed(limit=10)]) == 10
    assert len(steps) < 1_000


@pytest.mark.wide
def test_check(bank):
    from bank import Parcel

    bank.account()
    parcel = Parcel(to="Salem")
    parcel.route(3)
    parcel.weigh()
    bank.app.save(parcel)
    there = adopted(bank)
    every = compared(there, Asked("bank:BankAccounts", str(bank.path)))
    found = [one for several in every for one in several]
    # Each attribute that differs is named, with the first event after which it does.
    assert [(one.id, one.event, one.part) for one in found] == [
        (str(parcel.id), 2, "expected"), (str(parcel.id), 3, "grams"),
    ]  # fmt: skip
    assert found[0].right - found[0].left == 400


@pytest.mark.wide
def test_against(bank, tmp_path, apps):
    """A release that takes 1 more at each withdrawal differs first at event 3; the same release does not differ."""
    id = bank.account()
    text = (apps / "bank.py").read_text(encoding="utf-8")
    other = tmp_path / "next"
    other.mkdir()
    (other / "bank.py").write_text(
        text.replace("self.balance -= amount", "self.balance -= amount + 1"), encoding="utf-8"
    )
    asked = Asked("bank:BankAccounts", str(bank.path), folder=str(other), shifted=False)
    ((found,),) = compared(adopted(bank), asked)
    assert (found.id, found.event, found.part, found.left, found.right) == (str(id), 3, "balance", "150.00", "149.00")
    assert [*compared(adopted(bank), Asked("bank:BankAccounts", str(bank.path), shifted=False))] == [[]]
