"""Bank accounts, as an application of `eventsourcing`. Nothing in it knows daynight."""

from __future__ import annotations

from decimal import Decimal
from uuid import NAMESPACE_URL, UUID, uuid5

from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event


class InsufficientFundsError(Exception):
    """The account has less money than is to be taken out."""


class BankAccount(Aggregate):
    """The account of one owner."""

    @event("Opened")
    def __init__(self, owner: str):
        self.owner = owner
        self.balance = Decimal("0.00")

    @staticmethod
    def create_id(owner: str) -> UUID:
        """Return the id of an owner's account: always the same, so each owner has one account."""
        return uuid5(NAMESPACE_URL, f"/accounts/{owner}")

    @event("Deposited")
    def deposit(self, amount: Decimal) -> None:
        """Put money in."""
        self.balance += amount

    @event("Withdrawn")
    def withdraw(self, amount: Decimal, balance_after: Decimal) -> None:
        """Take money out, if there is as much."""
        if amount > self.balance:
            raise InsufficientFundsError(f"{self.owner} has {self.balance}")
        self.balance -= amount


class BankAccounts(Application[UUID]):
    """The bank."""

    def open(self, owner: str) -> UUID:
        """Open an account, and return its id."""
        account = BankAccount(owner=owner)
        self.save(account)
        return account.id

    def deposit(self, id: UUID, amount: str) -> None:
        """Put money into an account."""
        account: BankAccount = self.repository.get(id)
        account.deposit(amount=Decimal(amount))
        self.save(account)

    def withdraw(self, id: UUID, amount: str, balance_after: str) -> None:
        """Take money out of an account; `balance_after` is what the teller writes down as left, even if it is wrong.

        Raises:
            InsufficientFundsError: where the account has less than `amount`.
        """
        account: BankAccount = self.repository.get(id)
        account.withdraw(amount=Decimal(amount), balance_after=Decimal(balance_after))
        self.save(account)
