"""Records that the present code cannot read, in a store with other records.

| promise | tests |
| --- | --- |
| an unreadable record stops no other record and no view; repaired code adds it later | test_unreadable |
| a feed delivers unreadable events as bytes; `follow` names such a game once | test_feed_goes_on, test_follow |
| verify lists the acts after the event at which this code stops | test_acts_beyond |
| an exception in a step or a view's fold stops that record alone | test_a_fault_in_a_step |
| a `freeze` that fails is named with its event, and nothing is stored | test_a_fault_in_freeze |
| a `thaw` that fails is named and is no damage; a `thaw` that refuses a forged snapshot is | test_a_fault_in_thaw |
"""

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from daynight.framework import Language, Lift
from daynight.framework.language.errors import MechanicError
from daynight.store import DamagedError, Feed, Key, Store, verify_store
from daynight.store.errors import NotReadableError
from tests import processes
from tests.store.desk import (
    FIRST,
    FOUR,
    SECOND,
    Claimed,
    Corrected,
    LentAt,
    Opened,
    Returned,
    claimed,
    counting,
    lent,
    opened,
    write,
)


def broken(old):
    return {"type": "lent.2", "book": old["book"], "to": old["to"], "desk": old["note"]}


UNREADABLE = replace(
    SECOND,
    language=Language(Opened | LentAt | Returned | Claimed | Corrected, upcasters={"lent": Lift("lent.2", broken)}),
)


def test_unreadable(kept):
    where = f"(test_unreadable.py, {broken.__code__.co_firstlineno + 1})"
    sentence = f"unreadable by this code from event 3: $: the upcaster of 'lent' failed: KeyError: 'note' {where}"
    write(kept, FIRST, [opened(), lent("Emma") | {"note": "a"}, lent("Ulysses")], "bad")
    write(kept, FIRST, [opened(), lent("Emma") | {"note": "a"}], "good")
    with Store(kept, mechanic=UNREADABLE) as store:
        asking = [
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


def test_feed_goes_on(kept):
    """The feed delivers events that this code cannot read; a tag that no code described raises DamagedError."""
    write(kept, FIRST, [opened(), lent("Emma")], "bad")
    newer = {"type": "lent.2", "book": "Ulysses", "to": "Ana"}
    with Store(kept, mechanic=SECOND) as store:
        store.append("bad", [newer])
        store.append("good", [opened()])
    for mechanic in (FIRST, UNREADABLE):
        with Store(kept, mechanic=mechanic) as store, Feed(store, after=0) as feed, feed.subscribe() as subscription:
            found = [subscription.wait(10) for _event in range(4)]
            assert [("bad", "opened"), ("bad", "lent"), ("bad", "lent.2"), ("good", "opened")] == [
                (one.game, one.tag) for one in found if one is not None
            ]
    with Store(kept, mechanic=FIRST) as store:
        with store.recorder.transaction(write=True) as cursor:
            row = ("bad", 4, "eaten", b'{"type":"eaten"}', bytes(32))
            names = "originator_id, originator_version, topic, state, digest"
            statement = f"INSERT INTO stored_events ({names}) VALUES (?, ?, ?, ?, ?)"
            cursor.execute(store.recorder.sql(statement), row)
        damaged = pytest.raises(DamagedError, match="unknown tag 'eaten'")
        with Feed(store, after=0) as feed, feed.subscribe() as subscription, damaged:
            subscription.wait(10)


def test_follow(tmp_path):
    """`follow` names an unreadable game once and goes on with the others; for that game alone it exits with 3."""
    place = tmp_path / "desk.db"
    with Store.open(place, mechanic=FIRST) as store:
        store.append("bad", [opened(), lent("Emma"), lent("Ulysses")])
        store.append("good", [opened()])
    program = tmp_path / "mine.py"
    program.write_text(
        "from daynight.cli.mechanics import commands\nfrom tests.store.test_unreadable import UNREADABLE\n"
        "commands(UNREADABLE)()\n", "utf-8",
    )  # fmt: skip
    command = [sys.executable, str(program), "follow", "--after", "0", "--db", str(place)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2])}
    with processes.Popen(command, env=environment, **pipes) as following:
        assert following.stdout is not None
        assert following.stderr is not None
        told = [json.loads(following.stdout.readline()) for _line in range(2)]
        assert [("bad", 1), ("good", 1)] == [(one["game"], one["event"]) for one in told]
        following.terminate()
        assert 1 == following.stderr.read().count("bad:2: unreadable by this code from event 2: $: the upcaster of")
    alone = processes.run([*command[:3], "bad", *command[3:]], env=environment, capture_output=True, text=True)
    assert (3, 1) == (alone.returncode, alone.stdout.count("\n"))
    assert "bad:2: unreadable by this code" in alone.stderr


@pytest.mark.parametrize("act", [{"type": "corrected", "to": 2}, {"type": "returned", "book": "Emma"}])
def test_acts_beyond(kept, tmp_path, act):
    """Acts stored without the key, after the event that this code cannot read, are listed as unsigned."""
    key = Key.read(tmp_path / "key.pem")
    with Store(kept, mechanic=FIRST, key=key) as store:
        store.append("main", FOUR)
    with Store(kept, mechanic=FIRST) as store:
        store.append("main", [act, claimed("Ulysses")])
    with Store(kept, mechanic=UNREADABLE) as store:
        (found,) = verify_store(store)
    assert (found.fault, found.stop and found.stop.event) == (None, 2)
    assert [(5, act["type"])] == [(one.event, one.type) for one in found.signatures.by(key.key.hex()).unsigned_acts]


def test_a_fault_in_a_step(kept):
    """An exception in a step at a stored event, and one in a view's fold, stop that record alone."""

    def failing(desk, event, number):
        return SECOND.step(desk, event, number) if number < 3 else {}["x"]

    write(kept, FIRST, FOUR)
    write(kept, FIRST, FOUR[:2], "good")
    with Store(kept, mechanic=replace(SECOND, step=failing)) as store:
        with pytest.raises(NotReadableError, match=r"unreadable by this code from event 3: step, event 3 .* KeyError"):
            store.load("main")
        assert len(store.load("good")) == 2
        verified = {found.game: (found.fault, found.stop and found.stop.event) for found in verify_store(store)}
        assert verified == {"main": (None, 3), "good": (None, None)}
    with Store(kept, mechanic=SECOND) as store:
        view = store.view("bad", int, lambda value, moment, state: 1 // (3 - moment.number))
        rows = {row["game"]: (row["events"], row["value"]) for row in view.rows()}
        assert (rows, {*view.unreadable}) == ({"main": (2, 1), "good": (2, 1)}, {"main"})
        assert "fold of view bad, event 3" in str(view.unreadable["main"])


def fails(*given):
    return {}["x"]


def test_a_fault_in_freeze(kept):
    with Store(replace(kept, snapshots=2), mechanic=replace(FIRST, freeze=fails)) as store:
        store.append("main", FOUR[:1])
        with pytest.raises(MechanicError, match=r"^2: freeze failed: KeyError: 'x' \(test_unreadable.py, \d+\)$"):
            store.append("main", FOUR[1:2])
        assert 1 == store.last("main")
        assert [None] == [found.fault for found in verify_store(store)]


def test_a_fault_in_thaw(kept):
    short = replace(kept, snapshots=2)
    write(short, FIRST, FOUR[:2])
    write(short, FIRST, FOUR[2:])
    with Store(short, mechanic=replace(FIRST, thaw=fails)) as store:
        with pytest.raises(MechanicError, match=r"thaw failed: KeyError: 'x' \(test_unreadable.py, \d+\)$"):
            store.at("main", 4)
        (found,) = verify_store(store)
        assert (None, 4) == (found.fault, found.events)
        assert found.stop is not None
        assert (2, True) == (
            found.stop.event,
            "unreadable by this code from event 2: thaw failed" in found.stop.sentence,
        )
        with store.recorder.transaction(write=True) as cursor:
            cursor.execute(
                store.recorder.sql("UPDATE snapshots SET state = ? WHERE event = 2"), (b'{"rules":1,"event":',)
            )
    with Store(short, mechanic=FIRST) as store:
        (found,) = verify_store(store)
        assert found.fault is not None
        assert (2, True) == (found.fault.event, "a damaged snapshot" in found.fault.sentence)
