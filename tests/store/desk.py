"""A lending desk, to test that new code reads old records: releases 1 (FIRST) and 2 (SECOND) refuse in `check`.

WITHOUT and WITHOUT_2 are the same releases without a `check`: they refuse in `step`.
"""

import json
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import replace
from io import BytesIO
from typing import Any, TypeAlias

import msgspec

from daynight.framework import (
    Derived,
    Facts,
    Happening,
    ImpossibleError,
    Language,
    Lift,
    Mechanic,
    Name,
    Number,
    Part,
    Said,
    Way,
)
from daynight.framework.language.source import Source
from daynight.store import Store, verify_store
from daynight.store.database.settings import Settings
from daynight.store.proving.chain import digest
from daynight.store.store import AnyStore

AnyMechanic: TypeAlias = Mechanic[Any, Any, Any]


class Opened(Happening, frozen=True, tag="opened"):
    desk: Name
    days: Number = 14


class Lent(Happening, frozen=True, tag="lent"):
    book: Name
    to: Name


class LentAt(Happening, frozen=True, tag="lent.2"):
    """The shape of `Lent` in the second release: it has the field `desk`."""

    book: Name
    to: Name
    desk: Name = "main"


class Returned(Happening, frozen=True, tag="returned"):
    book: Name


class Claimed(Happening, frozen=True, tag="claimed"):
    book: Name
    to: Name
    by: Name


class Corrected(Happening, frozen=True, tag="corrected"):
    to: Number


class Desk(Facts):
    days: int = 0
    lent: dict[str, tuple[str, int]] = msgspec.field(default_factory=dict)


def check_1(desk: Desk, event: Any, number: int) -> None:
    if isinstance(event, Lent | LentAt) and event.book in desk.lent:
        raise ImpossibleError(f"{event.book} is lent already", path="$.book")


def check_2(desk: Desk, event: Any, number: int) -> None:
    check_1(desk, event, number)
    if isinstance(event, Lent | LentAt) and [to for to, _event in desk.lent.values()].count(event.to) >= 2:
        raise ImpossibleError(f"{event.to} has two books", path="$.to")


def step(desk: Desk, event: Any, number: int) -> Sequence[Any]:
    if isinstance(event, Opened):
        desk.days = event.days
    elif isinstance(event, Lent | LentAt):
        desk.lent[event.book] = event.to, number
    elif isinstance(event, Returned):
        desk.lent.pop(event.book, None)
    return ()


def strict(check: Callable[[Desk, Any, int], None]) -> Callable[[Desk, Any, int], Sequence[Any]]:
    """Return a `step` that calls `check` first and so refuses events itself, as in a mechanic without a `check`."""

    def stepping(desk: Desk, event: Any, number: int) -> Sequence[Any]:
        check(desk, event, number)
        return step(desk, event, number)

    return stepping


def holder(desk: Desk, book: str) -> Derived | None:
    to, event = desk.lent.get(book, ("", 0))
    return Derived((to,), (Way(event, None, (event,)),)) if event else None


def at_desk(old: dict[str, Any]) -> dict[str, Any]:
    return old | {"desk": "main"}


FIRST: Mechanic[Desk, Any, Any] = Mechanic(
    name="desk",
    language=Language(Opened | Lent | Returned | Claimed | Corrected),
    start=Desk,
    step=step,
    check=check_1,
    parts={"holder": Part(holder, lambda desk: desk.lent), "days": Part(lambda desk, subject: Derived((desk.days,)))},
    says=lambda event: [Said("holder", event.book, event.to, event.by)] if isinstance(event, Claimed) else (),
    restores=lambda event: event.to if isinstance(event, Corrected) else None,
    names={Corrected: ("to",)},
    seals={Returned: "after"},
    freeze=msgspec.json.encode,
    thaw=msgspec.json.Decoder(Desk).decode,
    title=lambda event: event.desk if isinstance(event, Opened) else "",
)
SECOND = replace(
    FIRST,
    language=Language(Opened | LentAt | Returned | Claimed | Corrected, upcasters={"lent": Lift("lent.2", at_desk)}),
    check=check_2,
    checks={1: check_1},
    version=2,
)
WITHOUT = replace(FIRST, check=None, step=strict(check_1))
WITHOUT_2 = replace(SECOND, check=None, checks={}, step=strict(check_2))


def opened(desk: str = "main") -> dict[str, Any]:
    return {"type": "opened", "desk": desk}


def lent(book: str, to: str = "Ana") -> dict[str, Any]:
    return {"type": "lent", "book": book, "to": to}


def claimed(book: str, to: str = "Ana") -> dict[str, Any]:
    return {"type": "claimed", "book": book, "to": to, "by": "Bo"}


FOUR = [opened(), lent("Emma"), lent("Ulysses"), lent("Dracula")]
"""A record whose last event the second release refuses: Ana has two books already."""


def write(place: Settings, mechanic: AnyMechanic, events: list[Any], game: str = "main", **more: Any) -> None:
    with Store(place, mechanic=mechanic) as store:
        store.append(game, events, **more)


def faults(store: AnyStore) -> list[Any]:
    return [found.fault for found in verify_store(store)]


def counting(store: AnyStore, **more: Any) -> Any:
    return store.view("loans", int, lambda value, moment, state: len(state.lent), **more)


def rechained(store: AnyStore, game: str, number: int, tag: str, line: bytes) -> None:
    """Replace tag and line of an event, recompute the digests from it on, and delete commands, heads and snapshots."""
    recorder = store.recorder
    rows = [row for some in recorder.rows(game) for row in some]
    before = rows[number - 2].digest
    with recorder.transaction(write=True) as cursor:
        for row in rows[number - 1 :]:
            told = (tag, line) if row.number == number else (row.tag, row.line)
            before = digest(before, game, row.number, *told)
            cursor.execute(
                recorder.sql(
                    "UPDATE stored_events SET topic = ?, state = ?, digest = ?"
                    " WHERE originator_id = ? AND originator_version = ?"
                ),
                (*told, before, game, row.number),
            )
        for table in ("commands", "heads", "snapshots"):
            cursor.execute(f"DELETE FROM {table}")


def lines(*events: dict[str, Any]) -> BytesIO:
    return BytesIO(b"".join(json.dumps(event).encode() + b"\n" for event in events))


class Given(Source):
    """A source for an import: a record of these events in memory."""

    def __init__(self, *events: dict[str, Any]) -> None:
        super().__init__("given")
        self._data = lines(*events).getvalue()

    def open(self) -> Any:
        return nullcontext(BytesIO(self._data))
