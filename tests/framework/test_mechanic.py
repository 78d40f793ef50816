"""Tools for authors of a mechanic: the public names, facts, changes, marks.

| promise | for it | against it |
| --- | --- | --- |
| every public name can be imported | test_face | test_face |
| a copy of facts is independent | test_facts | - |
| a change prints itself and its cause | test_change | test_change |
| without `words`, an event is printed as its JSON fields | test_words | - |
| a record prints its mechanic and its length | test_record_in_words | - |
| an open part is printed with "or" between the values | test_words_of_doubt | test_words_of_doubt |
| JSON distinguishes an open value from a missing one | test_left_open_as_json | test_left_open_as_json |
| `nth` finds the n-th event of a type | test_nth | test_nth_of_nothing, test_nth_nonsense |
| a table has one row for each mark | test_a_row_a_turn | test_no_turns |
| a refused position names the marks of this mechanic | test_what_is_a_position | test_what_is_a_position |
"""

from dataclasses import replace
from enum import Enum
from functools import partial

import pytest

import daynight.framework as framework
from daynight.framework import (
    Change,
    Derived,
    Facts,
    Happening,
    Language,
    Part,
    Recorded,
    Said,
    Way,
    Words,
    derived,
    nth,
)
from daynight.framework.audit import Finding
from daynight.framework.language.errors import AskedError, NotFoundError
from daynight.framework.language.kinds import Name
from daynight.framework.mechanic import Mechanic
from daynight.framework.positions import Position, PositionError
from daynight.framework.testing import given
from daynight.speaker import Speaker
from examples.monarch import MECHANIC, BackedUp, Started, TurnBegan


def test_face():
    assert all(getattr(framework, name) for name in framework.__all__)
    assert (Mechanic, Name, given) == (framework.Mechanic, framework.Name, framework.given)
    assert sorted(framework.__all__) == framework.__all__ == dir(framework)
    with pytest.raises(AttributeError, match="Nothing"):
        framework.Nothing  # noqa: B018
    with pytest.raises(AttributeError):
        framework.Any  # noqa: B018


class Shelf(Facts):
    """Facts with a text, a dict, a list and a set."""

    name: str
    books: dict[str, int]
    lent: list[int]
    readers: set[str]


def test_facts():
    shelf = Shelf("s", {"a": 1}, [1], {"Ana"})
    other = shelf.copy()
    assert shelf == other
    other.name = "t"
    other.books["b"] = 2
    other.lent.append(2)
    other.readers.clear()
    assert Shelf("s", {"a": 1}, [1], {"Ana"}) == shelf


class Colour(Enum):
    """An enum whose values are not strings."""

    RED = "red"
    BLUE = "blue"


def test_change():
    change = Change(7, "lamp", None, Colour.RED, Colour.BLUE, "press", (3, 7))
    assert ("lamp: red -> blue", Way(7, "press", (3, 7))) == (str(change), change.way)
    change = Change(7, "coins", "Ana", 1, 2)
    assert ("coins of Ana: 1 -> 2", Way(7, None, (7,))) == (str(change), change.way)


def test_derived():
    """`derived` makes a `Derived` with one value and one way, whose cause is by default its own event."""
    assert Derived((Colour.RED,), (Way(7, "press", (3, 7)),)) == derived(Colour.RED, 7, "press", [3, 7])
    assert Derived((2,), (Way(7, None, (7,)),)) == derived(2, 7)


def test_since():
    """`since` gives a way that has no event this event, and changes no other way."""
    assert (Way(4, None, (4,)),) == Derived((1,)).since(4).ways
    assert (Way(4, "press", (2,)), Way(3, None, (3,))) == (
        Derived((1,), (Way(0, "press", (2,)), Way(3, None, (3,)))).since(4).ways
    )
    assert Derived((1,), (Way(4, None, (4,)),), 2) == Derived((1,), (), 2).since(4)


def test_typed():
    """A part and a mechanic can be created with explicit type arguments."""
    part = Part[Shelf](lambda shelf, subject: derived(shelf.name, 1))
    assert "s" == part.of(Shelf("s", {}, [], set()), None).value  # type: ignore[union-attr]
    made = Mechanic[Shelf, Painted, Change](
        name="shelf", language=Language(Painted), start=lambda: Shelf("s", {}, [], set()), step=lambda shelf, event,
        number: (), parts={"name": part},
    )  # fmt: skip
    assert "s" == Recorded(made, [Painted(Colour.RED, ())]).part("name").value


def test_a_part_that_answers_nonsense():
    """If a part answers no `Derived`, a TypeError names file and line of its function, if Python knows them."""
    for derive, place in ((partial(max, 1), ""), (lambda state, subject: 3, r" \(test_mechanic\.py, line \d+\)")):
        with pytest.raises(
            TypeError, match=rf"^part{place}: it answered 3; answer Derived\(\(3,\)\), or None for nothing$"
        ):
            Part(derive).of(2, 3)


class Painted(Happening, frozen=True, tag="painted"):
    """An event with an enum, a tuple and an optional text."""

    colour: Colour
    by: tuple[str, ...]
    where: str | None = None


def test_words():
    assert "painted: colour red, by Ana + Bo" == Words().event(Painted(Colour.RED, ("Ana", "Bo")))


def test_record_in_words():
    assert "<Recorded of monarch, 3 events>" == repr(GAME)


def test_words_of_doubt():
    speaker = Speaker(replace(MECHANIC, words=Words()))
    assert "lamp: red or blue" == speaker.part("lamp", None, Derived((Colour.RED, Colour.BLUE)))
    assert "lamp: nothing" == speaker.part("lamp", None, None)


def test_left_open_as_json():
    def told(found: Derived | None, right: bool | None) -> tuple[object, object]:
        document = Speaker(MECHANIC).finding_document(Finding(3, Said("monarch", None, "Ana", "Bo"), found, right))
        return document["derived"], document.get("possible", "settled")

    assert (None, ["Ana", None]) == told(Derived(("Ana", None)), None)
    assert (None, ["Cy", "Bo"]) == told(Derived(("Cy", "Bo")), False)
    assert (None, "settled") == told(Derived((None,)), False) == told(None, False)
    assert ("Bo", "settled") == told(Derived(("Bo",)), False)


GAME = Recorded(MECHANIC, [Started(game="g", players=("Ana",)), TurnBegan(player="Ana"), TurnBegan(player="Ana")])


def test_nth():
    assert [2, 3] == [GAME.number(f"turn:{n}") for n in (1, 2)]


def test_a_row_a_turn():
    """Each mark that `nth` finds has a row: its event, its fields, its last event, and `stands`, false if undone."""
    rows = GAME.table("turn")
    assert [(2, 2, 1, "Ana"), (3, 3, 2, "Ana")] == [
        tuple(row[name] for name in ("event", "last", "turn", "player")) for row in rows
    ]
    assert [True, False] == [row["stands"] for row in Recorded(MECHANIC, [*GAME.events, BackedUp(to=2)]).table("turn")]
    assert [4] == [row["last"] for row in Recorded(MECHANIC, [*GAME.events, BackedUp(to=2)]).table("turn")][1:]
    assert [] == Recorded(MECHANIC, GAME.events[:1]).table("turn")


def test_no_turns():
    """If a mechanic has no turns, `table("turn")` raises an AskedError, which lists the tables that exist."""
    with pytest.raises(AskedError, match="no row per 'turn'; there are: event, change"):
        Recorded(replace(MECHANIC, place=lambda events, position: 1), GAME.events).table("turn")


@pytest.mark.parametrize("place, known", [(nth(turn=TurnBegan), "18, e18, turn:4 or"), (nth(), "18, e18 or")])
def test_what_is_a_position(place, known):
    """The PositionError about an invalid position names the marks of this mechanic only."""
    with pytest.raises(PositionError, match=f"'soon' is no position; write {known} branch:NAME/e18"):
        Recorded(replace(MECHANIC, place=place), GAME.events).number("soon")


def test_what_is_left_out():
    """Without marks and words, the position `turn:1` raises NotFoundError; changes and events print their fields."""
    bare = Mechanic(name="bare", language=MECHANIC.language, start=MECHANIC.start, step=lambda state, event, number: ())
    with pytest.raises(NotFoundError, match="this record has no turn:1"):
        Recorded(bare, GAME.events).number("turn:1")
    change = Change(7, "lamp", None, Colour.RED, Colour.BLUE, "press")
    assert "lamp: red -> blue" == bare.words.consequence(change)
    assert "turn-began: player Ana" == bare.words.event(TurnBegan(player="Ana"))
    assert "Shelf: name s, readers Ana" == bare.words.event(Shelf("s", {}, [], {"Ana"}))


def test_title_of_nothing():
    """The title of an empty record raises NotFoundError."""
    with pytest.raises(NotFoundError):
        _ = Recorded(MECHANIC).title
    assert "g" == GAME.title


@pytest.mark.parametrize("n", [0, 3])
def test_nth_of_nothing(n):
    with pytest.raises(NotFoundError, match=f"turn:{n}"):
        GAME.number(f"turn:{n}")


@pytest.mark.parametrize("mark", ["game:1", "turn:1/untap", "turn"])
def test_nth_nonsense(mark):
    with pytest.raises(PositionError):
        nth(turn=TurnBegan)(GAME.events, Position(mark=mark))
