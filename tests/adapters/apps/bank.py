"""A bank, as an application of `eventsourcing`: nothing in it knows daynight."""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from enum import Enum
from random import random

from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event
from eventsourcing.persistence import JSONTranscoder, Transcoding
from eventsourcing.utils import register_topic, resolve_topic

__all__ = ["os"]


class InsufficientFundsError(Exception):
    """A withdrawal would take the balance below minus `limit`."""


class Level(Enum):
    PLAIN = "plain"
    GOLD = "gold"


@dataclass(frozen=True)
class Address:
    street: str
    town: str


class LevelAsText(Transcoding):
    type = Level
    name = "level"

    def encode(self, obj):
        return obj.value

    def decode(self, data):
        return Level(data)


class AddressAsList(Transcoding):
    type = Address
    name = "address"

    def encode(self, obj):
        return [obj.street, obj.town]

    def decode(self, data):
        return Address(*data)


class NamedThing(Transcoding):
    """A transcoding that imports and returns whatever a stored row names, as careless applications do."""

    type = type
    name = "topic"

    def encode(self, obj):
        return f"{obj.__module__}:{obj.__qualname__}"

    def decode(self, data):
        return resolve_topic(data)


class BankAccount(Aggregate):
    @event("Opened")
    def __init__(self, owner: str, limit: Decimal):
        """Open the account."""
        self.owner = owner
        self.balance = Decimal("0.00")
        self.limit = limit
        self.level = Level.PLAIN
        self.tags = []
        self.address = None

    @event("Deposited")
    def deposit(self, amount: Decimal):
        """Put money in.

        A negative amount is not refused.
        """
        self.balance += amount

    @event("Withdrawn")
    def withdraw(self, amount: Decimal, balance_after: Decimal | None = None):
        """Take money out.

        `balance_after` changes nothing: tests read it as a claim about the balance.
        """
        if self.balance - amount < -self.limit:
            raise InsufficientFundsError(f"{self.owner} has {self.balance}")
        self.balance -= amount

    @event("Tagged")
    def tag(self, type: str, note: str):
        """Add a pair of `type` and `note` to the tags."""
        self.tags.append((type, note))

    @event("Raised")
    def raise_level(self, level: Level):
        self.level = level

    @event("Moved")
    def move(self, address: Address):
        self.address = address


class Parcel(Aggregate):
    """An aggregate whose commands read the clock and a random number at each replay too, which is a mistake."""

    @event("Sent")
    def __init__(self, to: str):
        self.to = to

    @event("Routed")
    def route(self, days: int):
        self.expected = datetime.now(UTC).date().toordinal() + days

    @event("Weighed")
    def weigh(self):
        self.grams = random()


class Old(Aggregate):
    class Renamed(Aggregate.Event):
        text: str
        class_version = 2

        @staticmethod
        def upcast_v1_v2(state):
            state["text"] = state.pop("name")

        def apply(self, aggregate):
            aggregate.text = self.text


register_topic("bank:Gone.Created", Old.Created)


class BankAccounts(Application):
    is_snapshotting_enabled = True

    def register_transcodings(self, transcoder: JSONTranscoder):
        super().register_transcodings(transcoder)
        for one in (LevelAsText(), AddressAsList(), NamedThing()):
            transcoder.register(one)

    def open(self, owner, limit="0.00"):
        account = BankAccount(owner=owner, limit=Decimal(limit))
        self.save(account)
        return account.id

    def do(self, id, command, **given):
        account = self.repository.get(id)
        getattr(account, command)(**given)
        self.save(account)
