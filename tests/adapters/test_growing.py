"""Attributes that hold much, and grow by a little at each event.

| what holds | test |
| --- | --- |
| each moment shows what the attribute was then, and names it as changed | test_as_it_was |
| an element of a list is converted when it changes, and not at each event | test_looked_into_once |
| an element that is changed, removed, or moved within the list changes the value | test_within |
| a value of another type is a change, even if its JSON is the same | test_kinds |
"""

from collections import deque
from contextlib import closing
from dataclasses import dataclass
from decimal import Decimal

import pytest
from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event

from daynight.adapters import values
from daynight.adapters.eventsourcing import adopt
from daynight.adapters.values import Deep, Flat, looked_at, shown


@dataclass
class Item:
    what: str
    price: Decimal


class Own:
    def __init__(self, what: str) -> None:
        self.what = what


class Cart(Aggregate):
    @event("Begun")
    def __init__(self, kind: str):
        self.kind = kind
        self.log = {} if kind == "dict" else deque() if kind == "deque" else []

    @event("Added")
    def add(self, number: int):
        what = f"item {number}"
        if self.kind == "dict":
            self.log[what] = number
        elif self.kind == "new":
            self.log = [*self.log, what]
        else:
            makes = {"flat": str, "tuple": lambda one: (one, number), "item": lambda one: Item(one, Decimal(number)),
                     "own": Own, "dicts": lambda one: {"what": one}, "deque": Own}  # fmt: skip
            self.log.append(makes[self.kind](what))


class Carts(Application):
    pass


@pytest.fixture
def carts(tmp_path):
    place = str(tmp_path / "carts.db")
    with closing(Carts(env={"PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": place})) as app:
        yield app, place


def filled(carts, kind, many):
    app, place = carts
    cart = Cart(kind=kind)
    for number in range(many):
        cart.add(number=number)
    app.save(cart)
    return adopt(Carts, place).record(str(cart.id)), cart


@pytest.mark.parametrize("kind", ["flat", "new", "tuple", "item", "own", "dicts", "dict", "deque"])
def test_as_it_was(carts, kind):
    record, cart = filled(carts, kind, 6)
    for moment, life in record.walk(whole=True):
        assert life.marks["log"].shown == shown(life.aggregate.log)
        assert [one.part for one in moment.consequences] == (["kind", "log"] if moment.number == 1 else ["log"])
    assert len(record.part("log", at=3).value) == 2
    assert record.part("log").value == shown(cart.log)


@pytest.mark.parametrize("kind", ["item", "own", "dicts"])
def test_looked_into_once(carts, kind, monkeypatch):
    looked = []
    monkeypatch.setattr(
        values, "_made", lambda value, known, own=values._made: looked.append(value) or own(value, known)
    )
    record, _cart = filled(carts, kind, 60)
    assert len([*record]) == 61
    assert len(looked) < 3 * 60


def test_within():
    value = [Item("tea", Decimal(1)), Item("rum", Decimal(2)), Item("ham", Decimal(3))]
    seen, kept = looked_at(value, None)
    assert looked_at(value, kept) is None
    for change in (
        lambda: setattr(value[1], "price", Decimal("2.00")), value.reverse, value.pop,
        lambda: value.insert(0, Own("x")), lambda: value.append(value[0]), value.clear,
    ):  # fmt: skip
        change()
        seen, kept = looked_at(value, kept)
        assert seen == shown(value)
        assert looked_at(value, kept) is None
    loop = [Own("x")]
    loop.append(loop)
    seen, kept = looked_at(loop, kept)
    assert seen == shown(loop)
    loop[0].what = "y"
    assert looked_at(loop, kept)[0] == shown(loop)


def test_kinds():
    assert looked_at([["1"]], looked_at([[Decimal(1)]], None)[1])[0] == [["1"]]
    assert isinstance(looked_at([], None)[1], Flat)
    assert isinstance(looked_at([Own("x")], None)[1], Deep)
    assert looked_at([1, 2], looked_at((1, 2), None)[1])[0] == [1, 2]
