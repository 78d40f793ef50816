"""Marks defined by a mechanic, and positions as text.

| promise | for it | against it |
| --- | --- | --- |
| with `nth`, a mark such as `press:2` finds the second event of its type | test_nth | test_no_nth, test_no_mark |
| a position written as text is read as the same position | test_spelled, test_read | - |
| `Edit.document` has the edit's position and what it inserts, drops or replaces | test_edits | - |
"""

from __future__ import annotations

import re

import pytest

from daynight.framework import Recorded, nth
from daynight.framework.edits import Edit, drop, insert, replace
from daynight.framework.language.errors import NotFoundError
from daynight.framework.positions import Position, PositionError
from tests.store.lamp import LAMP, Counted, Dimmed, Hung, Pressed

EVENTS = [Hung("hall"), Pressed("Ana"), Counted(1, "Bo"), Pressed("Bo"), Pressed("Cy")]


def place(mark: str) -> int:
    return nth(press=Pressed, count=Counted)(EVENTS, Position.parse(mark))


@pytest.mark.parametrize("mark, number", [("press:1", 2), ("press:2", 4), ("press:3", 5), ("count:1", 3)])
def test_nth(mark: str, number: int):
    assert place(mark) == number


@pytest.mark.parametrize("mark", ["press:0", "press:4", "count:2"])
def test_no_nth(mark: str):
    with pytest.raises(NotFoundError) as caught:
        place(mark)
    assert str(caught.value) == f"this record has no {mark}"


@pytest.mark.parametrize("mark", ["turn:1", "press:x", "press:1/untap", "press", "press:"])
def test_no_mark(mark: str):
    sentence = f"{mark!r} is no position; write 18, e18, press:4, count:4 or branch:NAME/e18"
    with pytest.raises(PositionError, match=f"^{re.escape(sentence)}$"):
        nth(press=Pressed, count=Counted)(EVENTS, Position(mark=mark))


def test_marks():
    found = nth(press=Pressed, count=Counted)
    assert found.marks == ("press:4", "count:4")
    assert sorted(found.rows) == ["count", "press"]
    rows = [*found.rows["press"](Recorded(LAMP, EVENTS))]
    assert rows[0] == rows[0] | {"event": 2, "stands": True, "by": "Ana", "press": 1, "last": 3}
    assert [(row["event"], row["press"], row["last"]) for row in rows] == [(2, 1, 3), (4, 2, 4), (5, 3, 5)]
    for mark in ("x:press:2", "press:2:1"):
        with pytest.raises(PositionError, match=f"^'{mark}'"):
            found(EVENTS, Position(mark=mark))
    with pytest.raises(PositionError, match=r"^'' is no position"):
        found(EVENTS, Position())


@pytest.mark.parametrize("position, text", [
    (Position(event=18), "e18"),
    (Position(mark="turn:4/untap"), "turn:4/untap"),
    (Position(event=3, branch="b2"), "branch:b2/e3"),
    (Position(mark="turn:4", branch="b2"), "branch:b2/turn:4"),
    (Position(branch="b2"), "branch:b2"),
])  # fmt: skip
def test_spelled(position: Position, text: str):
    assert str(position) == text


@pytest.mark.parametrize("text", ["e18", "turn:4/untap", "branch:b2/e3", "branch:b2/turn:4", "branch:b2"])
def test_read(text: str):
    """`Position.parse` ignores blanks around `text`, and `str` of the position is `text`; `branch` is the name after
    `branch:`, or None, and `on_branch` the rest."""
    position = Position.parse(f" {text} ")
    assert str(position) == text
    assert (position.branch, str(position.on_branch or "")) == (
        ("b2", text.partition("/")[2]) if text.startswith("branch") else (None, text)
    )


def test_numbers_are_read():
    assert Position.parse(18) == Position.parse("18") == Position(event=18)


@pytest.mark.parametrize("edit, document", [
    (insert(None, '{"a":1}'), {"at": None, "insert": ['{"a":1}']}),
    (insert(3, Pressed("Ana")), {"at": 3, "insert": [{"type": "pressed", "by": "Ana"}]}),
    (insert("e3", {"a": 1}, b'{"b":2}'), {"at": "e3", "insert": [{"a": 1}, {"b": 2}]}),
    (insert(Position(mark="turn:4"), "Ana casts Opt"), {"at": "turn:4", "insert": ["Ana casts Opt"]}),
    (drop(4), {"at": 4, "drop": True}),
    (drop(4, 6), {"at": 4, "last": 6, "drop": True}),
    (drop("e4", Position(event=6)), {"at": "e4", "last": "e6", "drop": True}),
    (replace(Position(event=5), Pressed("Bo")), {"at": "e5", "replace": [{"type": "pressed", "by": "Bo"}]}),
])  # fmt: skip
def test_edits(edit: Edit, document: dict[str, object]):
    assert edit.document() == document


def test_branch_of_a_branch():
    """A branch of a branch applies the edits of both. A branch ends before an impossible event, which is `stopped`;
    with `leave_out=True` it skips the event, and `stopped` is None."""
    record = Recorded(LAMP, [*EVENTS, Dimmed(4)])
    first = record.branch(insert(5, Pressed("Di")), name="first")
    second = first.branch(drop(4))
    assert (second.name, second.parent_name) == ("branch", "first")
    assert second.game.events[1:] == (*EVENTS[1:3], EVENTS[4], Pressed("Di"), Dimmed(3))
    stopping, leaving = (first.branch(insert(5, Dimmed(1)), leave_out=one) for one in (False, True))
    assert (stopping.stopped is None, leaving.stopped is None) == (False, True)
