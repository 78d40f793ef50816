"""The time that adopting takes, as a ratio to the libraries' own time.

| what holds | test |
| --- | --- |
| opening an aggregate takes at most twice as long as the library's own rebuild | test_opening |
| the same if each event adds to a list and to a dict | test_opening_what_grows |
| a recorded trigger takes at most twice as long as a bare one, nested too | test_trigger |
"""

import time
from decimal import Decimal

import pytest
from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event
from transitions import Machine
from transitions.extensions import HierarchicalMachine

from daynight.adapters.eventsourcing import adopt
from daynight.adapters.transitions import recorded
from examples.adopt.bank import BankAccount, BankAccounts

pytestmark = [pytest.mark.slow, pytest.mark.alone]


def ratio(own, ours):
    """Return the time of `ours` divided by that of `own`; they run in turn, so that other processes slow both."""
    least = []
    for _time in range(7):
        took = []
        for function in (own, ours):
            begun = time.process_time()
            function()
            took.append(time.process_time() - begun)
        least.append(took)
    return min(ours for _own, ours in least) / min(own for own, _ours in least)


def test_opening(tmp_path):
    place = str(tmp_path / "bank.db")
    bank = BankAccounts(env={"PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": place})
    account = BankAccount(owner="Ana")
    for number in range(2500):
        account.deposit(amount=Decimal(2))
        account.withdraw(amount=Decimal(1), balance_after=Decimal(number + 1))
    bank.save(account)
    there = adopt("examples.adopt.bank:BankAccounts", place)
    assert ratio(lambda: bank.repository.get(account.id), lambda: there.record(str(account.id))) < 2
    bank.close()


class Cart(Aggregate):
    @event("Begun")
    def __init__(self):
        self.items = {}
        self.log = []

    @event("Added")
    def add(self, what: str, many: int):
        self.items[what] = many
        self.log.append((what, [many]))


class Carts(Application):
    pass


def test_opening_what_grows(tmp_path):
    place = str(tmp_path / "carts.db")
    carts = Carts(env={"PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": place})
    cart = Cart()
    for number in range(400):
        cart.add(what=f"item {number}", many=number)
    carts.save(cart)
    there = adopt(Carts, place)
    assert ratio(lambda: carts.repository.get(cart.id), lambda: there.record(str(cart.id))) < 2
    assert len(there.record(str(cart.id)).part("log").value) == 400
    carts.close()


class Model:
    def is_ready(self):
        return True


@pytest.mark.parametrize("kind", [Machine, HierarchicalMachine])
def test_trigger(kind):
    def made():
        model = Model()
        ways = [{"trigger": "go", "source": "a", "dest": "b", "conditions": "is_ready"}, ["back", "b", "a"]]
        return model, kind(model, states=["a", "b"], initial="a", transitions=ways)

    def drive(model):
        for _time in range(2000):
            model.go()
            model.back()

    def record():
        model, machine = made()
        with recorded(machine):
            drive(model)

    model, _machine = made()
    assert ratio(lambda: drive(model), record) < 2
