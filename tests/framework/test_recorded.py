"""A record of any mechanic in Python: unchanged by a refusal, indexed, asked for its parts.

| promise | for it | against it |
| --- | --- | --- |
| a refusal leaves a record unchanged, however the event was given | test_as_it_was | - |
| a refusal names the number that the event would have had, and the file | test_where, test_file | test_where |
| `game[...]` takes a number, a mark, a position, a slice, and counts from the end | test_places | test_no_places |
| the error for an unknown part or subject names those that exist | test_no_part | test_subjects |
| if a part stores no causing events, the event of its last change is found | test_since | test_since_after_backing_up |
| a table has a row for each event or consequence, with its type | test_table | test_no_table |
| a position on a branch is refused: only a store finds branches | test_on_a_branch | - |
"""

from __future__ import annotations

import json
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from daynight.framework import Derived, Part, Recorded, Way, derived, nth
from daynight.framework.language.errors import AskedError, ImpossibleError, NotFoundError, RecordError, UnreadableError
from daynight.framework.mechanic import Mechanic
from daynight.framework.positions import Position
from tests.store.lamp import HUNG, LAMP, PRESSED, Clicked, Counted, Dimmed, Hung, Lamp, Pressed, dimmed

EVENTS = [Hung("hall"), Pressed("Ana"), Counted(1, "Bo"), Pressed("Bo"), Pressed("Cy")]


def half_done(lamp: Lamp, event: Any, number: int) -> tuple[Clicked, ...]:
    """A step that counts the press before it refuses Eve's event: the record must undo the count."""
    lamp.presses += isinstance(event, Pressed)
    if isinstance(event, Pressed) and event.by == "Eve":
        raise ImpossibleError("Eve may not", path="$.by")
    return (Clicked(lamp.on),) if isinstance(event, Pressed) else ()


HALF: Mechanic[Lamp, Any, Clicked] = replace(LAMP, step=half_done)
GAME = Recorded(replace(LAMP, place=nth(press=Pressed)), EVENTS)


@pytest.mark.parametrize("how", ["record", "take"])
def test_as_it_was(how: str):
    game = Recorded(HALF, EVENTS)
    for refused in (Pressed("Eve"), Dimmed(6), Dimmed(0)):
        with pytest.raises(ImpossibleError) as caught:
            getattr(game, how)(refused)
        assert caught.value.line == 6
        assert (len(game), game.state.presses, game.events) == (5, 3, tuple(EVENTS))
    assert getattr(game, how)(Pressed("Di")).number == 6
    assert (game.state.presses, game.at(6).presses, game.at(5).presses) == (4, 4, 3)


@pytest.mark.parametrize("event, kind, told", [
    ({"type": "pressed", "bye": "Ana"}, UnreadableError, "6: $.bye: unknown field 'bye'; did you mean by?"),
    (b'{"type":"pressed"}', UnreadableError, "6: $.by: missing field by"),
    (HUNG, ImpossibleError, "6: $.type: it hangs already"),
    (dimmed(6), ImpossibleError, "6: $.to: event 6 is not an earlier one"),
    (dimmed(0), ImpossibleError, "6: $.to: event 0 is not an earlier one"),
    (dimmed(-3), ImpossibleError, "6: $.to: event -3 is not an earlier one"),
])  # fmt: skip
def test_where(event: Any, kind: type[RecordError], told: str):
    game = Recorded(LAMP, EVENTS)
    for refuse in (game.record, lambda event: Recorded(LAMP, [*EVENTS, event]), lambda e: game.what_if(5, [e])):
        with pytest.raises(kind) as caught:
            refuse(event)
        assert str(caught.value) == told
    assert game == Recorded(LAMP, EVENTS)


def test_undone():
    game = Recorded(LAMP, [*EVENTS, Dimmed(1)])
    assert game.what_if(6, [Dimmed(1)]).state == Lamp()
    for to in (2, 5):
        with pytest.raises(ImpossibleError) as caught:
            game.record(Dimmed(to))
        sentence = f"7: $.to: the state after event {to} was undone by backing up; back up to one that stands"
        assert str(caught.value) == sentence


def test_file(tmp_path: Path):
    path = tmp_path / "lamp.jsonl"
    path.write_bytes(b'{"type":"lamp-hung","lamp":"hall"}\n{"type":"pressed"}\n')
    with pytest.raises(UnreadableError) as caught:
        Recorded.load(LAMP, path)
    assert str(caught.value) == f"{path}:2: $.by: missing field by"
    with pytest.raises(UnreadableError) as caught:
        Recorded.load(LAMP, BytesIO(path.read_bytes()))
    assert str(caught.value) == "2: $.by: missing field by"
    path.write_bytes(b"")
    with pytest.raises(UnreadableError) as caught:
        Recorded.load(LAMP, str(path))
    assert str(caught.value) == f"{path}:1: $: an empty record; expected lamp-hung on line 1"
    Recorded(LAMP, EVENTS).save(path)
    assert Recorded.load(LAMP, path) == Recorded(LAMP, EVENTS)


def test_places():
    numbers = {1: 1, 5: 5, -1: 5, -5: 1, "e3": 3, "press:2": 4, " 4 ": 4}
    assert {place: GAME[place].number for place in numbers} == numbers
    assert GAME.number(Position(event=3)) == 3
    assert GAME.number(Position(mark="press:3")) == 5
    assert (GAME.number(None), GAME.number("5")) == (5, 5)
    slices = {(1, 3): [1, 2], (2, None): [2, 3, 4, 5], (None, 3): [1, 2], (None, None): [1, 2, 3, 4, 5],
              (0, 2): [1], (-2, None): [4, 5], (3, -1): [3, 4], (4, 99): [4, 5], (3, 3): []}  # fmt: skip
    assert {cut: [moment.number for moment in GAME[slice(*cut)]] for cut in slices} == slices
    assert [moment.number for moment in GAME[1:6:2]] == [1, 3, 5]
    assert [moment.number for moment in GAME[::2]] == [1, 3, 5]
    assert [moment.number for moment in GAME[::-1]] == [5, 4, 3, 2, 1]
    assert [moment.number for moment in GAME[4:1:-2]] == [4, 2]
    assert GAME[-99::-1] == []


@pytest.mark.parametrize("place, told", [(0, 0), (6, 6), (-6, 0), (-99, 0), ("e6", 6), (Position(event=7), 7)])
def test_no_places(place: Any, told: int):
    with pytest.raises(NotFoundError) as caught:
        GAME[place]
    assert str(caught.value) == f"no event {told}; the last one is 5"


def test_no_part():
    with pytest.raises(NotFoundError) as caught:
        GAME.part("off")
    assert str(caught.value) == "no part 'off'; there are: on, presses"
    with pytest.raises(NotFoundError) as caught:
        Recorded(replace(LAMP, parts={"on": Part(lambda lamp, subject: None)}), EVENTS).part("on")
    assert str(caught.value) == "on: nothing is there of None"


@pytest.mark.parametrize("there, known", [((), "nothing"), (("left",), "left"), (("left", "right"), "left, right")])
def test_subjects(there: tuple[str, ...], known: str):
    sides = Part[Any](lambda lamp, side: derived(1, 1) if side in there else None, lambda lamp: there)
    game = Recorded(replace(LAMP, parts={"side": sides}), EVENTS)
    with pytest.raises(NotFoundError) as caught:
        game.part("side")
    assert str(caught.value) == f"side has a subject; name one of: {known}"
    with pytest.raises(NotFoundError) as caught:
        game.part("side", "up")
    assert str(caught.value) == "side: nothing is there of 'up'"


def forgetful(**fields: Any) -> Mechanic[Lamp, Any, Clicked]:
    """A lamp mechanic whose parts return values without the events that caused them; `fields` are for the part `on`."""
    on = Part[Lamp](lambda lamp, subject: Derived((lamp.on,)), **fields)
    return replace(LAMP, parts={"on": on, "presses": Part(lambda lamp, subject: Derived((lamp.presses,)))})


@pytest.mark.parametrize("fields", [{}, {"rests": lambda lamp, subject: lamp.presses}])
def test_since(fields: dict[str, Any]):
    game = Recorded(forgetful(**fields), EVENTS)
    assert [game.part("on", at=number).ways for number in range(1, 6)] == [
        (Way(since, None, (since,)),) for since in (1, 2, 2, 4, 5)
    ]
    assert [part.derived.way.event for part in game.parts(4)] == [4, 4]


def test_since_after_backing_up():
    game = Recorded(forgetful(), [*EVENTS, Dimmed(4), Counted(2, "Bo"), Dimmed(2)])
    assert [game.part("presses", at=number).because for number in (5, 6, 7, 8)] == [(5,), (4,), (4,), (2,)]
    lasting = Recorded(forgetful(lasts=True), [*EVENTS, Dimmed(4)])
    assert (lasting.part("on", at=5).because, lasting.part("on").because) == ((5,), (6,))


def test_no_further_back():
    """With `earliest` 3, the search for the cause goes back to event 3 at most: `because` is `(3,)`, although event 2
    made the change."""
    late = replace(LAMP, parts={"on": Part[Lamp](lambda lamp, subject: Derived((lamp.on,), (), 3))})
    assert Recorded(late, EVENTS).part("on", at=3).because == (3,)


def test_differences():
    game, other = Recorded(LAMP, EVENTS), Recorded(LAMP, EVENTS[:4])
    (on, presses) = game.differences(other)
    assert (on.part, on.left.value, on.right.value) == ("on", True, False)  # type: ignore[union-attr]
    assert (presses.left, presses.right) == (derived(3, 5), derived(2, 4))
    assert game.differences(other, 4) == game.differences(other, 4, 4) == []


def test_table():
    assert GAME.table() == GAME.table("event")
    plain = {"stands": True, "at": None, "note": None, "meta": None, "by": "Bo"}
    assert GAME.table()[2:4] == [
        plain | {"event": 3, "type": "counted", "presses": 1},
        plain | {"event": 4, "type": "pressed"},
    ]
    changes = Recorded(LAMP, [*EVENTS, Dimmed(4)]).table("change")
    assert [(row["event"], row["stands"], row["on"]) for row in changes] == [
        (2, True, True), (4, True, False), (5, False, True),
    ]  # fmt: skip
    assert {row["type"] for row in changes} == {"Clicked"}


def test_no_table():
    with pytest.raises(AskedError) as caught:
        GAME.table("lamp")
    assert str(caught.value) == "a table has no row per 'lamp'; there are: event, press, change"


def test_on_a_branch():
    with pytest.raises(NotFoundError) as caught:
        GAME.number("branch:b2/e3")
    sentence = "branch:b2/e3: branches are found in a store; name the stored record, or the branch's own file"
    assert str(caught.value) == sentence


def test_walked():
    """`walk` yields pairs of a moment and what `shown` makes of its state, or with `whole=True` the state itself;
    `walk(3)` and `moments(3)` begin after event 3."""
    game = Recorded(replace(LAMP, shown=lambda lamp: lamp.presses), EVENTS)
    assert [state for _moment, state in game.walk()] == [0, 1, 1, 2, 3]
    assert [state.presses for _moment, state in game.walk(3, whole=True)] == [2, 3]
    assert [moment.number for moment in game.moments(3)] == [4, 5]
    assert [moment.number for moment in game] == [1, 2, 3, 4, 5]


def test_named():
    branch = GAME.branch()
    assert (branch.name, branch.parent_name, branch.events) == ("branch", "hall", tuple(EVENTS))


def test_json_is_taken():
    game = Recorded(LAMP, [HUNG, json.dumps(PRESSED), json.dumps(PRESSED).encode()])
    assert game.events == (Hung("hall"), Pressed("Ana"), Pressed("Ana"))
    assert game.understood(json.dumps(PRESSED)) == (Pressed("Ana"),)
