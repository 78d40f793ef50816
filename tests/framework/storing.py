"""What a store promises for any mechanic; each promise is a function of a case and a new place.

| promise | function |
| --- | --- |
| appended events are read back with the same bytes, at every moment, also after reopening | kept |
| a repeated `command` stores nothing again; `expected` must be the number of the last event | commands |
| a refused append stores none of its events | refused |
| another mechanic is refused | another_mechanic |
| the chain is intact; a changed, lost or replaced event is found and named | tampered |
| heads are signed before and after events, as `seals` says; a proof finds a change in an exported record | sealed |
| a state from a snapshot equals the state from the beginning | snapshots |
| a branch is stored beside its parent; records and whole stores can be moved | moved |
| the feed delivers every event in order | fed |
| a view's row is right after appends, back-ups, a writer without its code, and a new version | viewed |
| the command line records, imports, lists, verifies, exports, and reads `db:NAME` | commanded |
| after a kill nothing acknowledged is lost, nothing is stored twice, and appends continue | killed |
"""

from __future__ import annotations

import json
import os
import random
import signal
from contextlib import suppress
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import msgspec
import pytest

from daynight.framework import Moment, Recorded, RecordError, insert
from daynight.framework.language.codec import encode
from daynight.framework.language.errors import NotFoundError
from daynight.records import Record
from daynight.store import (
    ConflictError,
    Feed,
    Key,
    Store,
    StoreError,
    prove,
    read_archive,
    read_proof,
    verify_record,
    verify_store,
    write_archive,
)
from daynight.store.branches import keep
from daynight.store.database.settings import Settings
from daynight.store.moments.past import Past

from .cases import Case
from .commanding import documents, ran
from .spoiling import spoiled

NAME = "friday"


def opened(case: Case, place: Settings, key: Key | None = None) -> Store[Any, Any, Any]:
    """Open a store of the case's mechanic at `place`, which signs with `key`."""
    return Store(place, mechanic=case.mechanic, key=key)


def filled(case: Case, store: Store[Any, Any, Any]) -> None:
    """Store the whole record as the game `NAME`, in three appends."""
    for number, piece in enumerate((case.events[:2], case.events[2:4], case.events[4:])):
        store.append(NAME, piece, command=f"c{number}")


def lines(store: Store[Any, Any, Any], name: str = NAME) -> bytes:
    """The lines of a stored record."""
    stream = BytesIO()
    store.lines(name, stream)
    return stream.getvalue()


def whole(store: Store[Any, Any, Any]) -> None:
    """Assert that `verify_store` finds no fault in any game."""
    assert [None] * len(store.games()) == [found.fault for found in verify_store(store)]


def kept(case: Case, place: Settings) -> None:
    record = case.record()
    with opened(case, place) as store:
        appended = [moment for event in case.events for moment in store.append(NAME, [event]).moments]
        assert list(record) == appended
        _is_there(case, store)
    if place.kind != "memory":
        with opened(case, place) as store:
            _is_there(case, store)
            store.append(NAME, [case.claim])
            assert len(record) + 1 == store.head(NAME).number


def _is_there(case: Case, store: Store[Any, Any, Any]) -> None:
    record = case.record()
    assert [(NAME, len(record))] == store.games()
    assert record == store.load(NAME)
    assert record.events == tuple(store.events(NAME))
    assert b"".join(line + b"\n" for line in case.lines) == lines(store)
    for number in (1, case.to, case.backs - 1, case.backs, len(record)):
        assert parts(case, record.whole(number)) == parts(case, store.load(NAME).whole(number))
        assert repr(record.at(number)) == repr(store.load(NAME).at(number))
    whole(store)


def parts(case: Case, state: Any) -> list[Any]:
    """List name, subject and `Derived` of each part that has a value in `state`, which `Recorded.whole` returns."""
    return [*case.mechanic.derived(state)]


def commands(case: Case, place: Settings) -> None:
    with opened(case, place) as store:
        filled(case, store)
        last = len(case.events)
        again = store.append(NAME, case.events[:2], command="c0")
        assert (True, 1, 2, ()) == (again.repeated, again.first, again.last, again.moments)
        for command, expected, events in (("c0", None, [case.claim]), (None, last - 1, [case.claim])):
            with pytest.raises(ConflictError):
                store.append(NAME, events, command=command, expected=expected)
        assert last == store.head(NAME).number
        assert last + 1 == store.append(NAME, [case.claim], command="c4", expected=last).last
        whole(store)


def refused(case: Case, place: Settings) -> None:
    event, path = case.impossible
    with opened(case, place) as store:
        filled(case, store)
        code = store.code(NAME)
        with pytest.raises(RecordError) as refusal:
            store.append(NAME, [case.claim, event])
        assert (len(case.events) + 2, path) == (refusal.value.line, refusal.value.path)
        number, name = case.named
        for what, bad, wrong in spoiled(case.lines[number - 1], name):
            with pytest.raises(RecordError) as refusal:
                store.append(NAME, [case.claim, bad])
            assert wrong == refusal.value.path, what
        with pytest.raises((RecordError, NotFoundError)):
            store.append("saturday", [case.claim])
        assert (code, [(NAME, len(case.events))]) == (store.code(NAME), store.games())
        _is_there(case, store)


def another_mechanic(case: Case, place: Settings) -> None:
    if place.kind == "memory":
        return
    with opened(case, place) as store:
        filled(case, store)
    with pytest.raises(StoreError, match="another"):
        Store(place, mechanic=replace(case.mechanic, name="another"))
    with opened(case, place) as store:
        _is_there(case, store)


def tampered(case: Case, place: Settings) -> None:
    with opened(case, place) as store:
        filled(case, store)
        code = store.code(NAME)
        assert [None] == [found.fault for found in verify_store(store, [NAME], code=code)]
        last = len(case.events)
        for number in {2, case.to, last}:
            line = case.lines[number - 1]
            noted = encode(msgspec.structs.replace(case.events[number - 1], note="it was otherwise"))
            for forged in (noted, case.lines[0], b"{}"):
                set_line(store, number, forged)
                (found,) = verify_store(store, [NAME], code=code)
                assert found.fault is not None
                assert number == found.fault.event, found
            set_line(store, number, line)
            whole(store)
        with store.recorder.transaction(write=True) as cursor:
            cursor.execute(store.recorder.sql("DELETE FROM stored_events WHERE originator_version = ?"), (case.to,))
        (found,) = verify_store(store, [NAME], code=code)
        assert found.fault is not None
        assert case.to == found.fault.event


def set_line(store: Store[Any, Any, Any], number: int, line: bytes) -> None:
    """Write another line of an event directly into the database."""
    statement = "UPDATE stored_events SET state = ? WHERE originator_id = ? AND originator_version = ?"
    with store.recorder.transaction(write=True) as cursor:
        cursor.execute(store.recorder.sql(statement), (line, NAME, number))


def sealed(case: Case, place: Settings) -> None:
    with opened(case, place, Key.generate()) as store:
        filled(case, store)
        when = [(number, case.mechanic.seals.get(type(event))) for number, event in enumerate(case.events, 1)]
        after = {number for number, seal in when if seal in ("after", "end")}
        before = {number - 1 for number, seal in when if seal in ("before", "end") and number > 1}
        signed = {event for event, _key, _signature in store.recorder.signatures(NAME)}
        # A back-up or another undoing event is signed at once.
        acts = {number for number, event in enumerate(case.events, 1) if case.mechanic.restores(event) is not None}
        # So is the first event, by which the key recognises the record.
        assert {1} | after | before | acts == signed
        proof = read_proof(BytesIO(prove(store, NAME)))
        with TemporaryDirectory() as folder:
            file = Path(folder) / "record.jsonl"
            for data, fault in ((lines(store), False), (lines(store).replace(b'"', b' "', 1), True)):
                file.write_bytes(data)
                found = verify_record(Record(file), proof=proof, mechanic=case.mechanic)
                assert fault is (found.fault is not None)
        whole(store)


def snapshots(case: Case, place: Settings) -> None:
    record = case.record()
    with opened(case, replace(place, snapshots=2)) as store:
        for event in case.events:
            store.append(NAME, [event])
        there = store.recorder.snapshot_numbers(NAME)
        assert bool(there) is (case.mechanic.freeze is not None)
        for number in range(1, len(record) + 1):
            assert [*record.mechanic.derived(record.whole(number))] == parts_at(case, store, number)
        whole(store)


def parts_at(case: Case, store: Store[Any, Any, Any], number: int) -> list[Any]:
    """The parts of the state after event `number`, computed from the nearest snapshot before it."""
    return parts(case, Past(store.recorder, NAME).at(number))


def moved(case: Case, place: Settings) -> None:
    with opened(case, place) as store:
        filled(case, store)
        branch = store.load(NAME).branch(insert(2, case.claim), name="b2")
        keep(store, branch, NAME)
        first, *others = store.events(f"{NAME}/b2")
        assert branch.events[1:] == tuple(others)
        assert {"game": NAME, "event": 2} == {key: first.meta["branched_from"][key] for key in ("game", "event")}
        whole(store)
        stream = BytesIO()
        write_archive(store, stream)
        with Store.open("memory:", mechanic=case.mechanic) as other:
            read_archive(other, BytesIO(stream.getvalue()))
            assert store.games() == other.games()
            assert store.code(NAME) == other.code(NAME)
            whole(other)


def fed(case: Case, place: Settings) -> None:
    with opened(case, place) as store:
        filled(case, store)
        with Feed(store, after=0) as feed, feed.subscribe(after=0) as subscription:
            found: list[Any] = []
            while len(found) < len(case.events) and (more := subscription.take(10)):
                found += more
        assert [(NAME, number) for number in range(1, len(case.events) + 1)] == [
            (one.game, one.number) for one in found
        ]


def _numbers(value: list[int], moment: Moment[Any, Any], state: Any) -> list[int]:
    """A view's fold: `value`, then the event's number and how many consequences it had."""
    assert state is not None
    return [*value, moment.number, len(moment.consequences)]


def viewed(case: Case, place: Settings) -> None:
    values: list[list[int]] = [[]]
    for moment in case.record():
        before = values[-1 if moment.restores is None else moment.restores]
        values.append(_numbers(before, moment, case))
    last = len(case.events)
    with opened(case, place) as store:
        view = store.view("numbers", list, _numbers)
        for number, event in enumerate(case.events[:-1], 1):
            store.append(NAME, [event])
            assert [{"game": NAME, "events": number, "value": values[number]}] == view.rows()
        if place.kind == "memory":
            return
    with opened(case, place) as store:
        store.append(NAME, case.events[-1:])
        whole(store)
    with opened(case, place) as store:
        assert [{"game": NAME, "events": last, "value": values[-1]}] == store.view("numbers", list, _numbers).rows()
        again = store.view("numbers", list, lambda value, moment, state: [moment.number], version=2)
        assert [{"game": NAME, "events": last, "value": [last]}] == again.rows()
        whole(store)


def commanded(case: Case, folder: Path) -> None:
    # A key is created in the home folder, and remembers what it has signed.
    with patch.dict(os.environ, {name: str(folder / "home") for name in ("HOME", "XDG_CONFIG_HOME", "APPDATA")}):
        _commanded(case, folder)


def _commanded(case: Case, folder: Path) -> None:
    file, where = folder / "record.jsonl", ["--db", folder / "kept.db"]
    file.write_bytes(b"".join(line + b"\n" for line in case.lines))
    name = case.mechanic.title(case.events[0])
    assert [{"game": name, "events": len(case.events)}] == documents(case, "import", file, *where)
    assert 0 == ran(case, "import", file, *where)[0]
    (listed,) = documents(case, "list", *where)
    assert [{"game": name, "events": len(case.events)}] == listed["games"]
    claim = json.dumps(case.claim)
    for repeated in (False, True):
        (document,) = documents(case, "record", name, claim, "--command", "c1", *where)
        assert (len(case.events) + 1, repeated) == (document["last"], document["repeated"])
    code, out, err = ran(case, "record", name, json.dumps(case.impossible[0]), *where)
    assert (3, "") == (code, out)
    assert f"{len(case.events) + 2}: {case.impossible[1]}: " in err
    code, out, err = ran(case, "export", name, *where)
    claimed = encode(case.mechanic.language.strictly(case.claim))
    assert (0, [*case.lines, claimed]) == (code, out.encode().splitlines())
    assert 0 == ran(case, "verify", *where)[0]
    archive, copy = folder / "archive.jsonl", folder / "copy.db"
    assert 0 == ran(case, "export", "--all", "-o", archive, *where)[0]
    assert 0 == ran(case, "verify", archive)[0]
    for options in ([], ["--json"]):
        there = folder / f"moved{len(options)}.db"
        code, out, _err = ran(case, "import", archive, "--db", there, *options)
        assert (0, True) == (code, "1" in out and str(len(case.events) + 1) in out)
        assert ran(case, "list", *where)[1] == ran(case, "list", "--db", there)[1]
        assert ran(case, "export", name, *where) == ran(case, "export", name, "--db", there)
        assert (0, 5) == (ran(case, "verify", "--db", there)[0], ran(case, "import", archive, "--db", there)[0])
    spoilt = folder / "spoilt.jsonl"
    spoilt.write_bytes(b"".join(archive.read_bytes().splitlines(keepends=True)[:-1]))
    code, out, err = ran(case, "import", spoilt, "--db", folder / "spoilt.db")
    assert (3, "", True) == (code, out, str(spoilt) in err)
    (document,) = documents(case, "backup", copy, *where)
    assert (1, len(case.events) + 1) == (document["games"], document["events"])
    assert 0 == ran(case, "verify", "--db", copy)[0]
    verdict = Recorded(case.mechanic, [*case.events, case.claim]).audited().verdict
    (document,) = documents(case, "audit", f"db:{name}", *where, code=1 if verdict == "disputed" else 0)
    assert verdict == document["verdict"]
    for code, arguments in ((4, ["export", "nothing"]), (4, ["audit", "db:nothing"]), (2, ["record", name])):
        assert code == ran(case, *arguments, *where)[0], arguments
    other = replace(case, mechanic=replace(case.mechanic, name="another"))
    assert 5 == ran(other, "list", *where)[0]


def killed(case: Case, place: Settings, kills: int = 2) -> None:
    if place.kind == "memory" or not hasattr(os, "fork"):
        return
    luck = random.Random(kills)
    acknowledged = there = 0
    for _kill in range(kills):
        acknowledged = max(acknowledged, _killed_after(case, place, luck.randrange(1, len(case.events))))
        with opened(case, place) as store:
            there = store.head(NAME).number if store.games() else 0
            assert acknowledged <= there
            assert case.events[:there] == (tuple(store.events(NAME)) if there else ())
            whole(store)
    with opened(case, place) as store:
        for number, event in enumerate(case.events, 1):
            assert store.append(NAME, [event], command=f"c{number}").repeated is (number <= there)
        _is_there(case, store)


def _killed_after(case: Case, place: Settings, acknowledgements: int) -> int:
    """Let another process append events one by one, and kill it after `acknowledgements` of them.

    Return the number of events whose append had returned by then.
    """
    ends = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            with opened(case, place) as store:
                for number, event in enumerate(case.events, 1):
                    store.append(NAME, [event], command=f"c{number}")
                    os.write(ends[1], b".")
        finally:
            os._exit(0)
    os.close(ends[1])
    acknowledged = 0
    while acknowledged < acknowledgements and os.read(ends[0], 1):
        acknowledged += 1
    with suppress(ProcessLookupError):
        os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    while os.read(ends[0], 1):
        acknowledged += 1
    os.close(ends[0])
    return acknowledged


PROMISES = (kept, commands, refused, another_mechanic, tampered, sealed, snapshots, moved, fed, viewed, killed)
