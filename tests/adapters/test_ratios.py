"""What it costs, beside what the libraries themselves need.

| what holds | test |
| --- | --- |
| opening an aggregate takes at most twice as long as the library's own rebuild | test_opening |
| a recorded trigger takes at most twice as long as a bare one, nested too | test_trigger |
"""

import time
from decimal import Decimal

import pytest
from transitions import Machine
from transitions.extensions import HierarchicalMachine

from daynight.adapters.eventsourcing import adopt
from daynight.adapters.transitions import recorded
from examples.adopt.bank import BankAccount, BankAccounts

pytestmark = [pytest.mark.slow, pytest.mark.alone]


def best(function):
    """Return the least time of five runs."""
    times = []
    for _time in range(5):
        begun = time.perf_counter()
        function()
        times.append(time.perf_counter() - begun)
    return min(times)


def test_opening(tmp_path):
    place = str(tmp_path / "bank.db")
    bank = BankAccounts(env={"PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": place})
    account = BankAccount(owner="Ana")
    for number in range(2500):
        account.deposit(amount=Decimal(2))
        account.withdraw(amount=Decimal(1), balance_after=Decimal(number + 1))
    bank.save(account)
    there = adopt("examples.adopt.bank:BankAccounts", place)
    own = best(lambda: bank.repository.get(account.id))
    assert best(lambda: there.record(str(account.id))) < 2 * own
    bank.close()


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
    assert best(record) < 2 * best(lambda: drive(model))
