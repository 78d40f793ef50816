"""Two mechanics joined in one record: a lamp, and tickets that people open about it.

| promise | for it | against it |
| --- | --- | --- |
| each handles its own events, and returns its own consequences | test_steps | test_steps |
| a back-up restores the first mechanic's state and leaves the second's alone | test_backing_up | test_backing_up |
| a back-up to an undone event is refused | test_backing_up_to_what_was_undone | test_backing_up |
| `passed` gets the first state at each event of the second; `tell` lets the second read it | test_told | test_told |
| the pair has the parts of both; a back-up does not change the second mechanic's | test_parts | test_parts |
| the audit compares the claims of both, and the conclusions | test_audit | test_audit |
| names, seals, rules, fill and begins of each apply to its own events | test_fields | test_fields |
| bulk processing gives the same as event by event, refusals with their line | test_bulk | test_bulk_refuses |
| a pair can be frozen and thawed if both mechanics can | test_frozen | test_not_frozen, test_thawed_nonsense |
| only the first mechanic may have history that a frozen state leaves out | test_remembered | test_not_remembered |
| `forgets` asks the first mechanic about its events, and is False for the second's | test_forgets | test_forgets |
| `framework.beside` is the function, whichever modules were imported before | test_named | test_named |
| a given field replaces the joined one | test_changes | test_changes |
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from daynight.framework import Facts, Happening, Language, Mechanic, Part, Recorded, Said
from daynight.framework.chart import Chart
from daynight.framework.joining import Pair, beside
from daynight.framework.language.errors import ImpossibleError
from daynight.framework.mechanic import Derived, derived
from tests.framework.lamps import ROWS, Light
from tests.store.lamp import LAMP, Clicked, Counted, Dimmed, Hung, Lamp, Pressed


class Opened(Happening, frozen=True, tag="ticket-opened"):
    """A complaint about the event with the number `about`; without it, about the previous event."""

    ticket: str
    about: int | None = None


class Settled(Happening, frozen=True, tag="ticket-settled"):
    """A conclusion: how often the lamp was pressed, and how many tickets are open."""

    ticket: str
    presses: int
    left: int


class Tickets(Facts):
    """The open tickets, and the state of the lamp when the last one was opened."""

    open: list[str]
    lit: bool | None = None


class Noted(msgspec.Struct, frozen=True, tag="noted"):
    ticket: str


def step(tickets: Tickets, event: Opened | Settled, number: int) -> tuple[Noted, ...]:
    if isinstance(event, Settled):
        if event.ticket not in tickets.open:
            raise ImpossibleError("no such ticket", path="$.ticket")
        tickets.open.remove(event.ticket)
        return ()
    tickets.open.append(event.ticket)
    return (Noted(event.ticket),)


def told(event: Opened | Settled) -> Sequence[Said]:
    return (Said("open", None, event.left, "Jo"),) if isinstance(event, Settled) else ()


def concludes(events: Sequence[Any]) -> Sequence[tuple[int, Said]]:
    """Return a list of one pair, the number and the claim of the last `Settled`; without one, an empty list."""
    found = [(n, Said("presses", None, e.presses)) for n, e in enumerate(events, 1) if isinstance(e, Settled)]
    return found[-1:]


TICKETS: Mechanic[Tickets, Opened | Settled, Noted] = Mechanic(
    name="tickets", language=Language(Opened | Settled), start=lambda: Tickets([]), step=step,
    parts={
        "open": Part(lambda state, _: Derived((len(state.open),)), values=lambda state, _: (len(state.open),)),
        "lit": Part(lambda state, _: None if state.lit is None else Derived((state.lit,))),
        "ticket": Part(
            lambda state, name: Derived((True,)) if name in state.open else None, lambda state: state.open,
            rests=lambda state, name: tuple(state.open),
        ),
    },
    says=told, concludes=concludes, rules={"one": "one ticket at a time"}, names={Opened: ("about",)},
    before={Opened: "about"}, seals={Settled: "after"}, freeze=msgspec.json.encode,
    thaw=msgspec.json.Decoder(Tickets).decode,
)  # fmt: skip

CHART = Chart(Light, Light.OFF, ROWS)
BOTH: Language[Any] = Language(Hung | Pressed | Counted | Dimmed | Opened | Settled)
BEGUN = [Hung("hall"), Pressed("Ana"), Opened("dark"), Pressed("Bo"), Opened("flickers", 2)]


def tell(tickets: Tickets, pair: Pair[Lamp, Tickets]) -> None:
    tickets.lit = pair.first.on


def joined(**changes: Any) -> Mechanic[Pair[Lamp, Tickets], Any, Any]:
    first = replace(LAMP, rules={"on": "odd"})
    return beside(first, TICKETS, language=BOTH, tell=tell, **changes)


def record(*events: Any, **changes: Any) -> Recorded[Any, Any, Any]:
    return Recorded(joined(**changes), events)


def test_steps():
    game = record(*BEGUN)
    assert [moment.consequences for moment in game] == [(), (Clicked(True),), (Noted("dark"),), (Clicked(False),),
                                                        (Noted("flickers"),)]  # fmt: skip
    assert (game.whole(5).first.presses, game.whole(5).second.open) == (2, ["dark", "flickers"])
    assert (game.whole(3).first.presses, game.whole(3).second.open) == (1, ["dark"])
    assert game.state == Lamp(2, 4)
    with pytest.raises(ImpossibleError, match="no such ticket") as caught:
        game.record(Settled("loud", 2, 1))
    assert (caught.value.line, caught.value.path, len(game)) == (6, "$.ticket", 5)
    with pytest.raises(ImpossibleError, match="hangs already"):
        game.record(Hung("hall"))


def test_backing_up():
    game = record(*BEGUN, Dimmed(2))
    assert (game.whole(6).first.presses, game.whole(6).second.open) == (1, ["dark", "flickers"])
    game.record(Pressed("Cy"))
    game.record(Settled("dark", 2, 1))
    assert (game.whole(8).first.presses, game.whole(8).second.open) == (2, ["flickers"])
    assert [game.stands(number) for number in range(1, 8)] == [True, True, False, False, False, True, True]
    assert (game.whole(6).first.presses, game.whole(6).second.open) == (1, ["dark", "flickers"])


def test_backing_up_to_what_was_undone():
    with pytest.raises(ImpossibleError, match="was undone by backing up"):
        record(*BEGUN, Dimmed(2), Dimmed(4))


def test_told():
    passed = []
    game = record(*BEGUN, passed=lambda lamp, number: passed.append((lamp.presses, number)))
    assert passed == [(1, 3), (2, 5)]
    assert [game.whole(number).second.lit for number in (2, 3, 5)] == [None, True, False]


def test_parts():
    game = record(*BEGUN, Dimmed(2))
    assert {(name, subject): found.values for name, subject, found in game.parts()} == {
        ("on", None): (True,), ("presses", None): (1,), ("open", None): (2,), ("lit", None): (False,),
        ("ticket", "dark"): (True,), ("ticket", "flickers"): (True,),
    }  # fmt: skip
    mechanic, pair = joined(), game.whole(5)
    assert mechanic.parts["open"].may_be(pair, None) == (2,)
    assert mechanic.parts["presses"].may_be(pair, None) == (2,)
    assert mechanic.parts["ticket"].rests is not None
    assert mechanic.parts["ticket"].rests(pair, "dark") == ("dark", "flickers")
    assert (mechanic.parts["on"].rests, mechanic.parts["on"].values) == (None, None)
    assert mechanic.parts["open"].values is not None
    assert mechanic.parts["open"].values(pair, None) == (2,)
    assert [part.lasts for part in mechanic.parts.values()] == [False, False, True, True, True]
    # Earlier tickets are not undone: they keep the event at which they were opened.
    assert [game.part("ticket", name).way.event for name in ("dark", "flickers")] == [3, 5]  # type: ignore[union-attr]
    shared = Part(lambda state, _: derived(state.presses, 1), lambda state: (None,))
    twice = beside(replace(LAMP, parts={"a": shared, "b": shared}), TICKETS, language=BOTH)
    assert (twice.parts["a"].derive, twice.parts["a"].subjects) == (twice.parts["b"].derive, twice.parts["b"].subjects)
    assert twice.parts["a"].derive is not twice.parts["a"].subjects


def test_audit():
    game = record(*BEGUN, Counted(2, "Bo"), Counted(3, "Cy"), Settled("dark", 2, 2), Settled("flickers", 9, 0))
    found = game.audited()
    assert [(one.event, one.said.part, one.said.value, one.right) for one in found.findings] == [
        (7, "presses", 3, False), (9, "open", 0, False), (9, "presses", 9, False),
    ]  # fmt: skip
    assert (found.verdict, found.settled) == ("disputed", 6)
    assert record(*BEGUN, Settled("dark", 2, 2)).audited().verdict == "exact"
    first = replace(LAMP, concludes=lambda events: [(2, Said("on", None, len(events) == 6))])
    also = Recorded(beside(first, TICKETS, language=BOTH), [*BEGUN, Settled("dark", 1, 2)]).audited()
    assert [(one.event, one.said.part) for one in also.findings] == [(2, "on"), (6, "presses")]


def test_fields():
    mechanic = joined()
    assert (mechanic.name, mechanic.language, mechanic.title(Hung("hall"))) == ("lamp", BOTH, "hall")
    assert mechanic.rules == {"on": "odd", "one": "one ticket at a time"}
    assert (mechanic.names, mechanic.before) == ({Dimmed: ("to",), Opened: ("about",)}, {Opened: "about"})
    assert mechanic.seals == {Counted: "after", Dimmed: "before", Settled: "after"}
    assert (mechanic.restores(Dimmed(2)), mechanic.restores(Opened("a"))) == (2, None)
    with pytest.raises(ImpossibleError, match="hung first"):
        mechanic.begins(Opened("dark"))
    filling = beside(
        replace(LAMP, fill=lambda event: Pressed("lamp")),
        replace(TICKETS, fill=lambda event: Opened("t")),
        language=BOTH,
    )
    assert (filling.fill(Pressed("Ana")), filling.fill(Opened("x"))) == (Pressed("lamp"), Opened("t"))
    special = replace(
        LAMP, place=(place := lambda events, position: 1), phrase=(phrase := lambda text, state: ()), version=7,
        shown=lambda lamp: lamp.presses, seen=lambda lamp, number: Lamp(number, 1),
        restored=lambda now, then: Lamp(then.presses, now.presses),
    )  # fmt: skip
    other = beside(special, TICKETS, language=BOTH)
    assert (other.place, other.phrase, other.version) == (place, phrase, 7)
    drawn = beside(replace(LAMP, chart=CHART), TICKETS, language=BOTH)
    assert (other.words, other.chart, drawn.chart) == (special.words, None, CHART)
    game = Recorded(other, [*BEGUN, Dimmed(2)])
    assert (game.state, game.whole(6).first) == (1, Lamp(1, 2))
    seen = other.seen(pair := game.whole(5), 9)
    assert (seen.first, seen.second, seen.standing) == (Lamp(9, 1), pair.second, pair.standing)


def bulk(mechanic: Mechanic[Any, Any, Any], events: Sequence[Any], number: int = 0) -> tuple[Any, list[Any]]:
    pair, found = mechanic.start(), []
    for at, event in enumerate(BEGUN[:number], 1):
        mechanic.step(pair, event, at)
    mechanic.over(pair, events, number, found)
    return pair, found


@pytest.mark.parametrize("number", [0, 1, 2, 3, 4])
def test_bulk(number: int):
    events = BEGUN[number:]
    pair, found = bulk(joined(), events, number)
    game = record(*BEGUN)
    assert (pair.first, pair.second) == (game.whole(5).first, game.whole(5).second)
    assert found == [one for moment in game.moments(number) for one in moment.consequences]
    silent = joined().start()
    joined().over(silent, BEGUN, 0, None)
    assert (silent.first, silent.second) == (pair.first, pair.second)


def test_bulk_of_one():
    """The first mechanic's `run` gets its consecutive events in one call, with the number of the event before them."""
    taken = []

    def run(lamp: Lamp, events: Sequence[Any], number: int, found: list[Any] | None) -> None:
        taken.append((len(events), number))

    mechanic = beside(replace(LAMP, run=run), TICKETS, language=BOTH)
    pair = mechanic.start()
    mechanic.over(pair, [Pressed("Ana")] * 3, 4, None)
    mechanic.over(pair, [Pressed("Ana"), Opened("a"), Pressed("Ana"), Pressed("Bo")], 7, None)
    mechanic.over(pair, [Opened("b"), Opened("c")], 11, None)
    assert [one for one in taken if one[0]] == [(3, 4), (1, 7), (2, 9)]


def test_bulk_numbers():
    """In bulk the second mechanic's `step` gets the number of its event; consequences are in the order of events."""
    heard: list[int] = []

    def numbered(tickets: Tickets, event: Opened | Settled, number: int) -> tuple[Noted, ...]:
        heard.append(number)
        return step(tickets, event, number)

    mechanic = beside(LAMP, replace(TICKETS, step=numbered), language=BOTH)
    _pair, found = bulk(mechanic, [Opened("a"), Pressed("Ana"), Opened("b"), Pressed("Bo")], 2)
    assert heard == [3, 5]
    assert found == [Noted("a"), Clicked(False), Noted("b"), Clicked(True)]
    Recorded(mechanic, BEGUN)
    assert heard == [3, 5, 3, 5]


def test_bulk_refuses():
    with pytest.raises(ImpossibleError, match="no such ticket") as caught:
        bulk(joined(), [Pressed("Ana"), Settled("loud", 1, 1), Pressed("Bo")], 2)
    assert caught.value.line == 4
    with pytest.raises(ImpossibleError, match="hangs already") as caught:
        bulk(joined(), [Opened("a"), Pressed("Ana"), Hung("hall")], 3)
    assert caught.value.line == 6


def test_frozen():
    mechanic = joined()
    game = record(*BEGUN, Dimmed(2))
    assert mechanic.freeze is not None
    assert mechanic.thaw is not None
    pair = mechanic.thaw(mechanic.freeze(game.whole(6)))
    assert (pair.first, pair.second) == (game.whole(6).first, game.whole(6).second)
    assert [pair.standing.stands(number, 7) for number in (2, 3, 5)] == [True, False, False]
    assert pair.standing.bounds == game.whole(6).standing.bounds != ()
    pair.first.presses += 1
    assert game.whole(6).first.presses == 1


@pytest.mark.parametrize("which", [0, 1])
@pytest.mark.parametrize("missing", ["freeze", "thaw"])
def test_not_frozen(which: int, missing: str):
    two = [LAMP, TICKETS]
    # A mechanic has both `freeze` and `thaw` or neither; each of the four cases is tested.
    object.__setattr__(spoilt := replace(two[which]), missing, None)
    two[which] = spoilt
    mechanic = beside(two[0], two[1], language=BOTH)
    assert (mechanic.freeze, mechanic.thaw) == (None, None)


@pytest.mark.parametrize("data", [b"{}", b'{"first":{},"second":{},"standing":[],"more":1}', b"[]", b"nonsense"])
def test_thawed_nonsense(data: bytes):
    mechanic = joined()
    assert mechanic.thaw is not None
    with pytest.raises(msgspec.MsgspecError):
        mechanic.thaw(data)


def test_remembered():
    recalled = []
    leaving_out = replace(
        LAMP, remember=lambda lamp: b"%d" % lamp.presses, recall=lambda lamp, data: recalled.append((lamp, data))
    )
    mechanic = beside(leaving_out, TICKETS, language=BOTH)
    pair = record(*BEGUN).whole(5)
    assert mechanic.remember is not None
    assert mechanic.recall is not None
    assert mechanic.remember(pair) == b"2"
    mechanic.recall(pair, b"some")
    assert recalled == [(pair.first, b"some")]


def test_not_remembered():
    assert (joined().remember, joined().recall) == (None, None)


def test_forgets():
    asked = []

    def forgets(event: Any, lamp: Lamp) -> bool:
        asked.append((event, lamp))
        return True

    mechanic = beside(replace(LAMP, forgets=forgets), TICKETS, language=BOTH)
    pair = mechanic.start()
    assert mechanic.forgets(Counted(1, "Ana"), pair)
    assert not mechanic.forgets(Opened("a"), pair)
    assert asked == [(Counted(1, "Ana"), pair.first)]
    assert not joined().forgets(Counted(1, "Ana"), pair)


def test_changes():
    mechanic = joined(name="lamps-and-tickets", title=lambda event: "hall")
    assert (mechanic.name, mechanic.title(Pressed("Ana"))) == ("lamps-and-tickets", "hall")
    with pytest.raises(TypeError):
        joined(nonsense=1)


@pytest.mark.wide
def test_named():
    told = "import daynight.framework as f; from daynight.framework import __all__, beside; assert callable(beside)"
    told += "; assert all(getattr(f, name) is not None for name in __all__)"
    for before in ("", "import daynight; ", "import daynight.disputes.mechanic; "):
        subprocess.run([sys.executable, "-c", before + told], check=True)


def test_copied():
    pair = record(*BEGUN).whole(5)
    other = pair.copy()
    other.first.presses, other.second.lit = 9, None
    other.second.open.append("new")
    other.standing.back_up(6, 2)
    assert (pair.first.presses, pair.second.lit, pair.second.open) == (2, False, ["dark", "flickers"])
    assert (pair.standing.stands(4, 7), other.standing.stands(4, 7)) == (True, False)
