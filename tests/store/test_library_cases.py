"""The eventsourcing library's own test cases for recorders and factories, run on daynight's.

They run unchanged except for the lines in `CHANGED`; the cases in `LEFT_OUT` are skipped. Recorders and trackers are
bare ones from the factory, which chain anything, even `topic1`. The cases for applications run on `Games` itself, which
checks every event; games stand in for the library's aggregates.

| promise | tests |
| --- | --- |
| the library's cases pass on both databases | test_case |
| daynight refuses the calls that were changed | test_streams_begin_at_1, test_streams_are_named_by_text |
| every changed line and skipped case still exists in the library | test_changes_are_of_this_library |
"""

import inspect
import sys
import textwrap
from importlib import import_module
from typing import NamedTuple
from unittest import TestCase
from uuid import uuid4

import pytest
from eventsourcing.application import AggregateNotFoundError
from eventsourcing.persistence import DataError, IntegrityError, StoredEvent
from eventsourcing.utils import Environment, get_topic

from daynight.events import GameRestarted, GameStarted, TurnBegan
from daynight.games import Games
from daynight.store import GamesFactory, Numbered, SettingsError
from daynight.store.database.sqlite import SQLiteGames
from daynight.store.moments.live import Live
from tests.store.conftest import KEPT

# Two packages of the library define the same cipher class; its cases use the one that daynight does not need.
sys.modules.setdefault("eventsourcing.cipher", import_module("eventsourcing.cryptography"))
CASES = {
    name: found
    for module in ("persistence", "application")
    for name, found in vars(import_module(f"eventsourcing.tests.{module}")).items()
    if isinstance(found, type) and issubclass(found, TestCase) and found is not TestCase
}

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning", "default::DeprecationWarning")
kept = pytest.mark.parametrize("place", KEPT, indirect=True)


class Change(NamedTuple):
    """A changed line of the library's case: the original text, how often it occurs, and the new text."""

    line: str
    times: int
    now: str


FROM_1 = "a stream begins at 1: the chain has no event 0"
ORDERED = "our recorder keeps the order of all events, so it answers places, where one of single streams answers None"
GAMES = "our application keeps games, named by text, whose state is `state`"
OWN_TABLES = "a recorder with tables of its own would have them among the store's"
SNAPSHOTS = "the store keeps snapshots itself: a topic in their table could name any class"

CHANGED = {
    "AggregateRecorderTestCase.test_insert_and_select": (
        f"{ORDERED}; {FROM_1}",
        (
            Change(
                "self.assertEqual(notification_ids, None)", 3,
                "self.assertIn(notification_ids, ([], [1], [2, 3]))",
            ),
            Change("originator_version=0,", 1, "originator_version=1,"),
        ),
    ),
    "ApplicationRecorderTestCase.test_concurrent_no_conflicts": (
        FROM_1, (Change("originator_version=i,", 1, "originator_version=i + 1,"),)
    ),
    "ApplicationRecorderTestCase.test_concurrent_throughput": (
        FROM_1, (Change("originator_version=i,", 1, "originator_version=i + 1,"),)
    ),
    "ProcessRecorderTestCase.test_performance": (
        FROM_1, (Change("originator_version=0,", 1, "originator_version=1,"),)
    ),
    "NonInterleavingNotificationIDsBaseCase.create_stack": (
        FROM_1, (Change("originator_version=i,", 1, "originator_version=i + 1,"),)
    ),
    "InfrastructureFactoryTestCase.test_create_tracking_recorder": (
        OWN_TABLES,
        (
            Change(
                "recorder = self.factory.tracking_recorder(subclass)\n    self.assertEqual(type(recorder), subclass)",
                1,
                "self.assertRaises(SettingsError, self.factory.tracking_recorder, subclass)",
            ),
            Change(
                "recorder = self.factory.tracking_recorder()\n    self.assertEqual(type(recorder), subclass)", 1,
                "self.assertRaises(SettingsError, self.factory.tracking_recorder)",
            ),
        ),
    ),
    "ExampleApplicationTestCase.test_example_application": (
        f"{GAMES}; {SNAPSHOTS}",
        (
            Change("assert app.snapshots is not None  # for mypy", 2, "assert app.snapshots is None"),
            Change("list(app.snapshots.get(account_id))", 2, "app.recorder.snapshot_numbers(account_id)"),
            Change("snapshots[0].originator_version", 2, "snapshots[0]"),
            Change("snapshots[1].originator_version", 1, "snapshots[1]"),
            Change("from_snapshot1.balance", 1, "from_snapshot1.state.turn"),
            Change("from_snapshot2.balance", 1, "from_snapshot2.state.turn"),
        ),
    ),
    "ApplicationTestCase.test_name": (
        GAMES,
        (
            Change('self.assertEqual(Application.name, "Application")', 1, 'self.assertEqual(Games.name, "daynight")'),
            Change("Application[UUID]", 2, "Application"),
        ),
    ),
    **{
        f"ApplicationTestCase.{name}": (GAMES, (Change("Application[UUID]", 1, "Application"),))
        for name in (
            "test_as_context_manager", "test_save_returns_recording_event",
            "test_application_with_cached_aggregates_and_fastforward",
            "test_application_with_cached_aggregates_not_fastforward", "test_application_log",
        )
    },
    "ApplicationTestCase._check_aggregate_fastforwarding_during_contention": (
        GAMES,
        (
            Change("Application[UUID]", 1, "Application"),
            Change("aggregate.trigger_event(Aggregate.Event)", 1, "aggregate = Aggregate.of(aggregate)"),
        ),
    ),
    **{
        f"ApplicationTestCase.test_application_with_deepcopy_from_cache_{name}": (
            GAMES,
            (Change("Application[UUID]", 1, "Application"), Change(".version = 101", 2, ".number = 101")),
        )
        for name in ("arg", "attribute")
    },
}  # fmt: skip

LEFT_OUT = {
    "ApplicationTestCase.test_resolve_persistence_topics": (
        "it chooses databases that a store has not; test_environment in test_at_home.py says what is refused"
    ),
    "ApplicationTestCase.test_take_snapshot_raises_assertion_error_if_snapshotting_not_enabled": (
        "snapshots need not be enabled here"
    ),
    "TranscoderTestCase": "a line is no transcoded object: msgspec reads and writes it",
}
"""The skipped cases, and why."""

RUN = (
    "AggregateRecorderTestCase", "ApplicationRecorderTestCase", "TrackingRecorderTestCase", "ProcessRecorderTestCase",
    "NonInterleavingNotificationIDsBaseCase", "InfrastructureFactoryTestCase", "ExampleApplicationTestCase",
    "ApplicationTestCase",
)  # fmt: skip
SLOW = (
    "test_performance", "test_concurrent", "NonInterleaving", "test_wait", "subscribe", "test_mapper", "test_check",
    "test_application_with", "test_raises",
)  # fmt: skip
"""Parts of the names of cases that are slow, or that repeat what other cases test."""


class Aggregate:
    """A game that grows as the library's aggregates do."""

    INITIAL_VERSION = 1
    Event = GameRestarted()

    def __init__(self):
        self._id, self.version = str(uuid4()), 1
        self._fresh = [Numbered(self._id, 1, GameStarted(format=1, game=self._id, players=("Ana",)))]

    @classmethod
    def of(cls, live):
        """The stored game `live` as an aggregate, with one more event that is not yet stored."""
        found = cls()
        found._id, found.version, found._fresh = live.id, live.version, []
        found.trigger_event(cls.Event)
        return found

    @property
    def id(self):
        return self._id

    def trigger_event(self, event):
        """Add `event` as the next one, to be collected and stored."""
        self.version += 1
        self._fresh.append(Numbered(self._id, self.version, event))

    def collect_events(self):
        found, self._fresh = self._fresh, []
        return found

    def __eq__(self, other):
        return isinstance(other, (Aggregate, Live)) and (self.id, self.version) == (other.id, other.version)

    __hash__ = None  # type: ignore[assignment]


class BankAccounts(Games):
    """The library's bank accounts: an account is a game, and its balance is the number of the current turn."""

    class AccountNotFoundError(Exception):
        """There is no such account."""

    def get_account(self, account_id):
        try:
            live = self.repository.get(str(account_id))
        except AggregateNotFoundError:
            raise self.AccountNotFoundError(account_id) from None
        return live

    def open_account(self, full_name, email_address):
        name = str(uuid4())
        self.save(Numbered(name, 1, GameStarted(format=1, game=name, players=(full_name,))))
        return name

    def credit_account(self, account_id, amount):
        live = self.get_account(account_id)
        turn = TurnBegan(turn=(live.state.turn or 0) + int(amount), active=("Alice",))
        self.save(Numbered(account_id, live.version + 1, turn))

    def get_balance(self, account_id):
        return self.get_account(account_id).state.turn or 0


class Views(SQLiteGames):
    """A recorder class of its own, as an application makes one for a custom view."""


def recorder_class(place):
    if place.kind == "sqlite":
        return SQLiteGames
    return import_module("daynight.store.database.postgres").PostgresGames  # type: ignore[no-any-return]


def source(case, name):
    """The source of a function of the library's case, with the lines in `CHANGED` replaced."""
    text = textwrap.dedent(inspect.getsource(getattr(case, name)))
    for line, times, now in CHANGED.get(f"{case.__name__}.{name}", ("", ()))[1]:
        assert text.count(line) == times, f"{case.__name__}.{name}: {line} is not there {times} times"
        text = text.replace(line, now)
    return f"from __future__ import annotations\n{text}"


def on(case, place):
    """A subclass of the library's `case` that runs on a store at `place`, with the changed lines."""

    class Case(case):  # type: ignore[misc]
        expected_factory_topic = get_topic(GamesFactory)

        def __init__(self, name):
            super().__init__(name)
            self.env = Environment("", place.env)

        def new_originator_id(self):
            return str(uuid4())

        def create_recorder(self):
            factory = GamesFactory(place.env)
            self.addCleanup(factory.close)
            return factory.tracking_recorder() if "Tracking" in case.__name__ else factory.process_recorder()

        def expected_factory_class(self):
            return GamesFactory

        def expected_recorder_class(self):
            return recorder_class(place)

        expected_aggregate_recorder_class = expected_application_recorder_class = expected_recorder_class
        expected_tracking_recorder_class = expected_process_recorder_class = expected_recorder_class

        def tracking_recorder_subclass(self):
            return Views

    class OnPlace(BankAccounts):
        env = place.env

    names = vars(sys.modules[case.__module__]) | {"SettingsError": SettingsError, "Games": Games}
    names |= {"Aggregate": Aggregate, "Application": OnPlace, "BankAccount": Live, "BankAccounts": OnPlace}
    for name, function in inspect.getmembers(case, inspect.isfunction):
        if function.__module__ == case.__module__ and not getattr(function, "__isabstractmethod__", False):
            if name in vars(Case):
                continue
            exec(source(case, name), names, found := {})
            setattr(Case, name, found[name])
    Case.__abstractmethods__ = frozenset()
    return Case


def cases():
    for case in RUN:
        for name in dir(CASES[case]):
            if name.startswith(("test", "optional_test")) and f"{case}.{name}" not in LEFT_OUT:
                slow = any(word in f"{case}.{name}" for word in SLOW)
                yield pytest.param(case, name, id=f"{case}.{name}", marks=[pytest.mark.slow] if slow else [])


@pytest.mark.wide(but=7)
@kept
@pytest.mark.parametrize("case, name", [*cases()])
def test_case(place, case, name):
    on(CASES[case], place)(name).debug()


@kept
def test_streams_begin_at_1(place):
    recorder = GamesFactory(place.env).application_recorder()
    for version in (0, 2):
        with pytest.raises(IntegrityError):
            recorder.insert_events([StoredEvent("s", version, "topic1", b"state1")])
    assert recorder.insert_events([StoredEvent("s", 1, "topic1", b"state1")]) == [1]
    recorder.close()


@kept
def test_streams_are_named_by_text(place):
    recorder = GamesFactory(place.env).application_recorder()
    with pytest.raises(DataError):
        recorder.insert_events([StoredEvent(uuid4(), 1, "topic1", b"state1")])
    recorder.close()


def test_changes_are_of_this_library():
    for name in (*CHANGED, *LEFT_OUT):
        case, _dot, function = name.partition(".")
        assert hasattr(CASES[case], function) if function else case in CASES
    ours = {*RUN, *(name for name in LEFT_OUT if "." not in name)}
    assert {name for name in CASES if name != "RecorderTestCase"} == ours
