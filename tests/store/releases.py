"""Five mechanics, each in two releases, to test that new code reads records that older code wrote.

The second release gives one event a new tag and a new field with a default, and its `check` refuses one more event. Two
variants of it: `strict` refuses that event in `step`; `wrong` has a different default under the same tag. Day and night
differ: see `day_and_night`.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, TypeAlias

import msgspec

from daynight.events import Event, SpellCast
from daynight.framework import (
    Derived,
    Happening,
    ImpossibleError,
    Language,
    Lift,
    Mechanic,
    Name,
    Number,
    Part,
)
from daynight.framework.language.happening import Unmarked
from daynight.game import played
from examples import approval, monarch
from tests.rules.words import cast, started, turn
from tests.store import desk, rollout

AnyMechanic: TypeAlias = Mechanic[Any, Any, Any]
Json: TypeAlias = dict[str, Any]
Refuses: TypeAlias = Callable[[Any, Any], bool]


class Releases(NamedTuple):
    """A mechanic in two releases, and a record of the first; `strict` and `wrong` are variants of the second.

    In `events`, number `old` has an old tag, and the second release refuses the last event. `lifted` are the same
    events with the new tag and field. `good` is a legal next event in both releases, `bad` only in the first.
    """

    first: AnyMechanic
    second: AnyMechanic
    strict: AnyMechanic
    wrong: AnyMechanic | None
    events: list[Json]
    lifted: list[Json]
    old: int
    good: Json
    bad: Json

    @property
    def marks(self) -> bool:
        """Return whether records of this mechanic name the version of its rules; those of day and night do not."""
        return self.first.language.marked


# ----------------------------------------------------------------------------- a lending desk: holds, renewals, fines


class Held(Happening, frozen=True, tag="held"):
    book: Name
    by: Name


class Renewed(Happening, frozen=True, tag="renewed"):
    book: Name


class Fined(Happening, frozen=True, tag="fined"):
    to: Name
    cents: Number


class Settled(Happening, frozen=True, tag="settled"):
    by: Name


class Counter(desk.Desk):
    """The state of the desk, with who waits for a book, how often a loan was renewed, and what people owe."""

    holds: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    renewals: dict[str, int] = msgspec.field(default_factory=dict)
    owed: dict[str, int] = msgspec.field(default_factory=dict)


def at_counter(counter: Counter, event: Any, number: int) -> Sequence[Any]:
    desk.check_1(counter, event, number)
    if isinstance(event, desk.Lent):
        first = counter.holds.get(event.book, ())[:1]
        if first not in ((), (event.to,)):
            raise ImpossibleError(f"{first[0]} waits for {event.book}", path="$.to")
        counter.holds[event.book] = counter.holds.get(event.book, ())[1:]
        counter.renewals[event.book] = 0
    elif isinstance(event, Held):
        counter.holds[event.book] = (*counter.holds.get(event.book, ()), event.by)
    elif isinstance(event, Renewed):
        if event.book not in counter.lent:
            raise ImpossibleError(f"{event.book} is not lent", path="$.book")
        counter.renewals[event.book] += 1
    elif isinstance(event, Fined):
        counter.owed[event.to] = counter.owed.get(event.to, 0) + event.cents
    elif isinstance(event, Settled):
        counter.owed.pop(event.by, None)
    return desk.step(counter, event, number)


FIRST: AnyMechanic = desk.FIRST
DESK = replace(
    FIRST,
    language=Language(desk.FIRST.language.events | Held | Renewed | Fined | Settled),
    start=Counter,
    step=at_counter,
    check=None,
    parts={
        **desk.FIRST.parts,
        "owed": Part(lambda counter, name: Derived((counter.owed.get(name, 0),)), lambda counter: counter.owed),
        "waits": Part(lambda counter, book: Derived((counter.holds.get(book, ()),)), lambda counter: counter.holds),
    },
    thaw=msgspec.json.Decoder(Counter).decode,
)


class FinedFor(Happening, frozen=True, tag="fined.2"):
    to: Name
    cents: Number
    reason: Name = "it came late"


class FinedForLoss(Happening, frozen=True, tag="fined.2"):
    to: Name
    cents: Number
    reason: Name = "it was lost"


def twice(counter: Counter, event: Any) -> bool:
    """Return whether the second release refuses the event: it renews a loan that was renewed before."""
    return isinstance(event, Renewed) and counter.renewals.get(event.book, 0) >= 1


# ------------------------------------------------------------ a rollout: a chart for each pod


class FailedBy(rollout.Act, frozen=True, tag="failed.2"):
    cause: Name = "unknown"


class FailedByMemory(rollout.Act, frozen=True, tag="failed.2"):
    cause: Name = "out of memory"


def two_at_once(pods: rollout.Rollout, event: Any) -> bool:
    """Return whether the second release refuses the event: it starts a pod while another is starting."""
    return isinstance(event, rollout.Started) and rollout.Stage.STARTING in pods.pods.values()


# ---------------------------------------------------------------------------------------------- what the examples have


class MadeBy(monarch.Act, frozen=True, tag="made-monarch.2"):
    card: Name = "a card"


class MadeByCourt(monarch.Act, frozen=True, tag="made-monarch.2"):
    card: Name = "Palace Jailer"


class SubmittedFor(approval.Act, frozen=True, tag="submitted.2"):
    until: Name = "soon"


class SubmittedLater(approval.Act, frozen=True, tag="submitted.2"):
    until: Name = "later"


def own_monarch(reign: monarch.Reign, event: Any) -> bool:
    """Return whether the second release refuses the event: it makes the monarch the monarch again."""
    return isinstance(event, monarch.Made | MadeBy) and event.player == reign.monarch


def approves_again(paper: approval.Paper, event: Any) -> bool:
    return isinstance(event, approval.Approved) and event.by in paper.approvals


# -------------------------------------------------------------------------------------------------------- the releases


def released(
    first: AnyMechanic, old: type[Any], new: type[Any], wrong: type[Any], value: str, refuses: Refuses
) -> tuple[AnyMechanic, AnyMechanic, AnyMechanic, AnyMechanic]:
    """Return first, second, strict and wrong: the third refuses in `step`, the fourth has a different default.

    The second release replaces the event `old` by `new` and refuses events for which `refuses` returns True; an
    upcaster gives `value` to the new field. `wrong` replaces `new` in the fourth.
    """
    (field,) = set(new.__struct_fields__) - set(old.__struct_fields__)
    tag, newer = old.__struct_config__.tag, new.__struct_config__.tag

    def check(state: Any, event: Any, number: int) -> None:
        if refuses(state, event):
            raise ImpossibleError("that is refused since the second release", path="$.type")

    def step(state: Any, event: Any, number: int) -> Sequence[Any]:
        if field in event.__struct_fields__:
            event = old(**{name: getattr(event, name) for name in old.__struct_fields__})
        found: Sequence[Any] = first.step(state, event, number)
        return found

    def strictly(state: Any, event: Any, number: int) -> Sequence[Any]:
        check(state, event, number)
        return step(state, event, number)

    def language(kind: Any) -> Language[Any]:
        kinds = kind
        for one in first.language.kinds:
            kinds = kinds if one is old else kinds | one
        return Language(kinds, upcasters={tag: Lift(newer, lambda fields: {field: value} | fields)})

    second = replace(first, language=language(new), step=step, check=check, version=2)
    strict = replace(second, step=strictly, check=None)
    return first, second, strict, replace(second, language=language(wrong))


def in_new_shape(events: Sequence[Json], tag: str, field: str, value: str) -> list[Json]:
    return [one | {"type": f"{tag}.2", field: value} if one["type"] == tag else one for one in events]


def desk_releases() -> Releases:
    lent, opened = desk.lent, desk.opened
    renewed, fined = {"type": "renewed", "book": "Emma"}, {"type": "fined", "to": "Bo", "cents": 50}
    events: list[Json] = [
        opened(), lent("Emma"), fined, {"type": "held", "book": "Emma", "by": "Bo"}, lent("Dune", "Cy"),
        {"type": "returned", "book": "Dune"}, renewed, renewed,
    ]  # fmt: skip
    lifted = in_new_shape(events, "fined", "reason", "nobody said")
    return Releases(
        *released(DESK, Fined, FinedFor, FinedForLoss, "nobody said", twice), events, lifted, 3, lent("Faust"), renewed
    )


def rollout_releases() -> Releases:
    def pod(tag: str, name: str) -> Json:
        return {"type": tag, "pod": name}

    events: list[Json] = [
        {"type": "planned", "rollout": "web", "pods": ["a", "b", "c", "d"]}, pod("started", "a"), pod("failed", "a"),
        pod("started", "a"), pod("ready", "a"), pod("started", "b"), pod("started", "c"),
    ]  # fmt: skip
    lifted = in_new_shape(events, "failed", "cause", "nobody said")
    releases = released(rollout.ROLLOUT, rollout.Failed, FailedBy, FailedByMemory, "nobody said", two_at_once)
    return Releases(*releases, events, lifted, 3, pod("ready", "b"), pod("started", "d"))


def monarch_releases() -> Releases:
    made, turn_of = {"type": "made-monarch", "player": "Ana"}, {"type": "turn-began", "player": "Ana"}
    events: list[Json] = [
        {"type": "game-started", "game": "friday", "players": ["Ana", "Bo"]}, turn_of, made,
        {"type": "end-step-began"}, turn_of | {"player": "Bo"}, turn_of, made,
    ]  # fmt: skip
    lifted = in_new_shape(events, "made-monarch", "card", "nobody said")
    releases = released(monarch.MECHANIC, monarch.Made, MadeBy, MadeByCourt, "nobody said", own_monarch)
    again = {"type": "made-monarch.2", "player": "Ana", "card": "x"}
    return Releases(*releases, events, lifted, 3, turn_of | {"player": "Bo"}, again)


def approval_releases() -> Releases:
    approved = {"type": "approved", "by": "Ana"}
    events: list[Json] = [
        {"type": "document-opened", "document": "plan", "author": "Bo", "reviewers": ["Ana", "Cy"]},
        {"type": "submitted", "by": "Bo"}, {"type": "stage-claimed", "by": "Cy", "stage": "in-review"}, approved,
        approved,
    ]  # fmt: skip
    lifted = in_new_shape(events, "submitted", "until", "nobody said")
    releases = released(
        approval.MECHANIC, approval.Submitted, SubmittedFor, SubmittedLater, "nobody said", approves_again
    )
    return Releases(*releases, events, lifted, 2, {"type": "withdrawn", "by": "Bo"}, approved)


class Cast(Unmarked, frozen=True, tag="spell-cast.0"):
    """A spell was cast: an old shape that is invented for the tests."""

    by: Name


def day_and_night() -> Releases:
    """Day and night, whose first release writes casts as `Cast`; only `strict` refuses casts of Bo, `wrong` is None.

    Editions version the rules of day and night, so there is no `check`.
    """
    today = played()

    def before(state: Any, event: Any, number: int) -> Any:
        return today.step(state, SpellCast(player=event.by) if isinstance(event, Cast) else event, number)

    def strictly(state: Any, event: Any, number: int) -> Any:
        if isinstance(event, SpellCast) and event.player == "Bo":
            raise ImpossibleError("that is refused since the second release", path="$.type")
        return today.step(state, event, number)

    upcasters = {"spell-cast.0": Lift("spell-cast", lambda old: {"player": old["by"]})}
    language = Language[Any](Event, upcasters=upcasters)
    second = replace(today, language=language)
    first = replace(today, language=Language[Any](Event | Cast), step=before, run=None, handlers=None, version=3)
    old = [started(), turn(1), {"type": "spell-cast.0", "by": "Ana"}, turn(2, "Bo"), cast("Bo")]
    new = [*old[:2], cast("Ana"), *old[3:]]
    return Releases(
        first, second, replace(second, step=strictly, run=None, handlers=None), None, old, new, 3, turn(3), cast("Bo")
    )


RELEASES: dict[str, Callable[[], Releases]] = {
    "day and night": day_and_night, "monarch": monarch_releases, "approval": approval_releases, "desk": desk_releases,
    "rollout": rollout_releases,
}  # fmt: skip
