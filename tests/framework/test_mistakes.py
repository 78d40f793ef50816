"""The error about a mistake in a mechanic is one sentence: the place, what is wrong, and what to write instead.

| promise | for it | against it |
| --- | --- | --- |
| a mechanic that cannot work is refused on creation | test_made | the mechanics in examples/ |
| invalid event types are refused on creation of the language | test_language | test_steady_events |
| a mutable event type, or a reserved field, is refused | test_changing_events, test_own_rules | test_steady_events |
| a type whose values the writer writes as null, and the reader refuses, is refused | test_null | test_steady_events |
| a part that is not callable is refused | test_parts | test_right |
| the error names an upcaster that returns no newer shape, or is for a present tag | test_upcasters | test_renamed |
| a `Lift` must lead to a present tag, without a cycle | test_lifts | test_renamed |
| a wrong return value of `step`, `says`, `restores` or a part is refused with its place | test_answered | test_right |
| an exception in a part is reported with part, event and place in the code | test_failing_part | test_right |
| an exception in another function is reported with name and event | test_failing, test_failing_fill | test_right |
| a part with subjects, asked without one, names them | test_subjects | test_right |
| a misspelt word in a record: the error names a similar one, or all | test_misspelt_in_a_record | test_right |
| the test kit finds what `thaw` loses, and what a copy shares with its original | test_kept, test_shared | test_right |
| the test kit names a `freeze` or a `thaw` that fails | test_not_frozen | test_right |
| the test kit names a misspelt part, and a subject that no part lists | test_kit | test_right |
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from enum import Enum
from typing import Annotated, Any, Literal, TypeAlias

import msgspec
import pytest

from daynight.framework import (
    Chart,
    Derived,
    Facts,
    Happening,
    Language,
    Lift,
    Mechanic,
    Name,
    Part,
    Said,
    Way,
    given,
    nth,
)
from daynight.framework.language.errors import MechanicError, NotFoundError, RecordError, UpcastError
from daynight.framework.recorded import Recorded
from daynight.store import Store


class Lent(Happening, frozen=True, tag="lent"):
    book: Name


class Noted(Happening, frozen=True, tag="noted"):
    book: Name


class Undone(Happening, frozen=True, tag="undone"):
    to: int


class Lended(Happening, frozen=True, tag="lended"):
    """An event class that the language does not contain: the errors about it propose `Lent`."""

    book: Name
    to: int = 0


class Twin(Happening, frozen=True, tag="lent"):
    book: Name


class Shelf(Facts):
    lent: tuple[str, ...] = ()
    pages: dict[str, list[int]] = msgspec.field(default_factory=dict)


def step(shelf, event, number):
    if isinstance(event, Lent):
        shelf.lent = (*shelf.lent, event.book)
        shelf.pages[event.book] = [number]
    return ()


def is_lent(shelf, book):
    return Derived((True,)) if book in shelf.lent else None


def lent(shelf):
    return shelf.lent


class Home(Enum):
    SHELF = "shelf"


HOMES: Chart[Home, int] = Chart(Home, Home.SHELF, [])

BOOKS = Mechanic(
    name="books", language=Language(Lent | Noted | Undone), start=Shelf, step=step, parts={"lent": Part(is_lent, lent)},
    says=lambda event: [Said("lent", event.book, True)] if isinstance(event, Noted) else (),
    restores=lambda event: event.to if isinstance(event, Undone) else None, names={Undone: ("to",)},
    freeze=msgspec.json.encode, thaw=msgspec.json.Decoder(Shelf).decode,
)  # fmt: skip
SAID = Said("lent", None, "home")
EVENTS = (Lent(book="Emma"), Noted(book="Emma"))


@pytest.mark.parametrize("line, path, sentence", [
    ({"type": "lend", "book": "Emma"}, "$.type", "unknown tag 'lend': it looks foreign; did you mean lent?"),
    ({"type": "eaten"}, "$.type",
     "unknown tag 'eaten': it looks foreign; the tags are lent, noted, undone; an older tag needs an upcaster"),
    ({"type": "lent", "boook": "Emma"}, "$.boook", "unknown field 'boook'; did you mean book?"),
    ({"type": "lent", "reader": "Ana"}, "$.reader", "unknown field 'reader'; lent has type, book, at, note, meta"),
])  # fmt: skip
def test_misspelt_in_a_record(line, path, sentence) -> None:
    with pytest.raises(RecordError) as refusal:
        Recorded(BOOKS, [line])
    assert (path, sentence) == (refusal.value.path, refusal.value.sentence)


def test_right() -> None:
    scenario = given(BOOKS, *EVENTS).when(Lent(book="Dune")).part("lent", "Dune", True).audited("exact")
    assert scenario.record.part("lent", "Emma").value is True
    assert scenario.when(Undone(to=2)).part("lent", "Dune", None).record.stands(3) is False


@pytest.mark.parametrize("changes, sentence", [
    ({"name": ""}, "name: '' is no word; a store remembers it"),
    ({"language": Lent}, "language: <class 'tests.framework.test_mistakes.Lent'> is no Language; write Language("),
    ({"start": Shelf()}, "start: a state can't be called; give the class of the state"),
    ({"parts": {"lent": is_lent}}, "parts, 'lent': <function is_lent at"),
    ({"names": {Undone: ("too",)}}, "names: Undone has no field 'too'; did you mean 'to'?"),
    ({"names": {Undone: "to"}}, "names, Undone: 'to' is a text; write a tuple, ('to',)"),
    ({"before": {Undone: "when"}}, "before: Undone has no field 'when'; there are: to, at, note, meta"),
    ({"names": {Lended: ("to",)}}, "names: no event of this language is 'Lended'; did you mean 'Lent'?"),
    ({"before": {Shelf: "to"}}, "before: no event of this language is 'Shelf'; there are: Lent, Noted, Undone"),
    ({"seals": {Lent: "after", Lended: "after"}}, "seals: no event of this language is 'Lended'; did you mean 'Lent'?"),
    ({"seals": {"lent": "after"}}, "seals: 'lent' is no class; write the class of an event"),
    ({"place": nth(loan=Lended)}, "place: no event of this language is 'Lended'; did you mean 'Lent'?"),
    ({"seals": {Lent: True}}, "seals, Lent: True is none of 'before', 'after', 'end'"),
    ({"thaw": None}, "freeze and thaw: one of them is missing; give both, or neither"),
    ({"name": "the books"}, "name: 'the books' has blanks; write one word, such as 'the-books'"),
    ({"name": "books "}, "name: 'books ' has blanks; write one word, such as 'books'"),
    ({"name": None}, "name: None is no text; write one word"),
    ({"rules": ["lent once"]}, "rules: ['lent once'] is no mapping; write {name: ...}"),
    ({"parts": [Part(is_lent)]}, "parts: [Part("),
    ({"chart": "lend"}, "chart: 'lend' is no Chart; write Chart(states, initial, arcs), or {name: Chart(...)}"),
    ({"chart": {"one": Shelf}}, "chart: <class"),
    ({"chart": [HOMES, HOMES]}, "chart: two charts are named Home; write {name: Chart(...), name: Chart(...)}"),
])  # fmt: skip
def test_made(changes, sentence) -> None:
    with pytest.raises((TypeError, ValueError), match=f"^{re.escape(sentence)}"):
        replace(BOOKS, **changes)


@pytest.mark.parametrize("events, sentence", [
    (Lent | Twin, "Lent and Twin have the same tag, 'lent'; rename one"),
    ([Lent], "[<class 'tests.framework.test_mistakes.Lent'>] is no class of events; derive it from Happening"),
    (Shelf, "<class 'tests.framework.test_mistakes.Shelf'> is no class of events; derive it from Happening"),
])  # fmt: skip
def test_language(events, sentence) -> None:
    with pytest.raises((TypeError, ValueError), match=f"^{re.escape(sentence)}"):
        Language(events)


class Shelved(msgspec.Struct, frozen=True):
    books: list[str]


class Row(msgspec.Struct, frozen=True):
    shelves: tuple[Shelved | None, ...] = ()
    next: Row | None = None


Pages: TypeAlias = dict[str, int]


@pytest.mark.parametrize(
    "name, given, sentence",
    [
        ("books", list[Name], "Odd.books: a list can change, and an event can't; write a tuple"),
        ("books", list, "Odd.books: a list can change"),
        ("books", tuple[set[str], ...], "Odd.books: a set can change, and an event can't; write a frozenset"),
        ("pages", Pages | None, "Odd.pages: a dict can change, and an event can't; write a tuple of pairs"),
        ("pages", "Pages", "Odd.pages: a dict can change"),
        ("cover", Annotated[bytearray, msgspec.Meta(max_length=9)], "Odd.cover: a bytearray can change, and an event"),
        ("row", Row, "Shelved.books: a list can change"),
        ("note", str, "Odd.note: every event has note, which no rule reads; give this field another name"),
        ("at", int, "Odd.at: every event has at"),
        ("meta", tuple[str, ...], "Odd.meta: every event has meta"),
    ],
)
def test_changing_events(name, given, sentence) -> None:
    there = {"__annotations__": {name: given}, "__module__": __name__}
    odd: Any = type(Happening)("Odd", (Happening,), there, frozen=True, tag="odd")
    for events in (odd, Lent | odd, type(odd)("Heir", (odd,), {"__module__": __name__}, frozen=True, tag="heir")):
        with pytest.raises(TypeError, match=f"^{re.escape(sentence)}"):
            Language(events)


class Steady(Happening, frozen=True, tag="steady"):
    books: tuple[Name, ...]
    place: Literal["home", "lent"]
    pages: frozenset[int] | None = None
    anything: Any = None


def test_steady_events() -> None:
    line = '{"type":"steady","books":["Emma"],"pages":[1],"place":"home","meta":{"list":[1]}}'
    assert {"list": [1]} == Language(Steady | Lent).decode(line).meta


class Written(msgspec.Struct, frozen=True):
    by: Name | None = None


@pytest.mark.parametrize(
    "given, default, sentence",
    [
        (Name | None, (), "Odd.by: an optional field has the default None, for a record has no null"),
        (Name | None, ("Ana",), "Odd.by: an optional field has the default None"),
        (Annotated[Name | None, msgspec.Meta(description="who")], (), "Odd.by: an optional field has the default None"),
        ("Name | None", (), "Odd.by: an optional field has the default None"),
        (tuple[Name | None, ...], (), "Odd.by: a record has no null; leave None out of what this field holds"),
        (tuple[Name | None, ...] | None, (None,), "Odd.by: a record has no null; leave None out of"),
        (Written, (), "Written.by: a record has no null; make Written with omit_defaults=True"),
    ],
)
def test_null(given, default, sentence) -> None:
    there = {"__annotations__": {"by": given}, "__module__": __name__} | dict(zip(["by"], default, strict=False))
    odd: Any = type(Happening)("Odd", (Happening,), there, frozen=True, tag="odd")
    with pytest.raises(TypeError, match=f"^{re.escape(sentence)}"):
        Language(Lent | odd)


@pytest.mark.parametrize("field", ["derive", "subjects", "values", "rests"])
def test_parts(field) -> None:
    with pytest.raises(TypeError, match=f"^{field}: 'reader' can't be called; write a function of the state"):
        Part(**{"derive": is_lent, field: "reader"})


@pytest.mark.parametrize("answer", [{"type": "lent.0"}, {"type": "lent.1"}, {"book": "Emma"}, None, [{"type": "lent"}]])
def test_upcasters(answer) -> None:
    language: Language[Happening] = Language(
        Lent, upcasters={"lent.0": lambda old: {"type": "lent.1"}, "lent.1": lambda old: answer}
    )
    sentence = r"the upcaster of 'lent.1' answered .*; let it answer the fields with a newer type$"
    with pytest.raises(UpcastError, match=sentence):
        language.decode('{"type":"lent.0","book":"Emma"}')
    with pytest.raises(ValueError, match=r"^upcasters: 'lent' is a tag of today, so it is no old one$"):
        Language(Lent, upcasters={"lent": dict})


@pytest.mark.parametrize("upcasters, sentence", [
    ({"lend": Lift("lents")}, "upcasters, 'lend': no tag 'lents' to lift it to; there are: lent, lend"),
    ({"a": Lift("b"), "b": Lift("c")}, "upcasters, 'b': no tag 'c' to lift it to; there are: lent, a, b"),
    ({"a": Lift("b"), "b": Lift("c"), "c": Lift("a")}, "upcasters: a -> b -> c -> a goes round in a circle"),
    ({"a": Lift("a")}, "upcasters: a -> a goes round in a circle"),
])  # fmt: skip
def test_lifts(upcasters, sentence) -> None:
    """`Language` raises ValueError for a `Lift` to an unknown tag, and for lifts that go round in a circle."""
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        Language(Lent, upcasters=upcasters)


def test_renamed() -> None:
    """A `Lift` to a new tag needs no function if the fields are the same; several lifts can follow each other."""
    language: Language[Happening] = Language(
        Lent,
        upcasters={"lend": Lift("lent"), "loan": Lift("lend"), "gave": Lift("loan", lambda old: old | {"book": "It"})},
    )
    for tag in ("lend", "loan"):
        assert Lent(book="Emma") == language.decode(f'{{"type":"{tag}","book":"Emma"}}')
    assert Lent(book="It") == language.decode('{"type":"gave"}')
    with pytest.raises(RecordError, match=r"^\$\.book: missing"):
        language.decode('{"type":"lend"}')


def test_own_rules() -> None:
    """An event type with a field `rules` is refused: the framework stores its rules' version there."""
    there = {"__annotations__": {"rules": int}, "__module__": __name__}
    odd: Any = type(Happening)("Odd", (Happening,), there, frozen=True, tag="odd")
    with pytest.raises(TypeError, match=r"^Odd: rules is the framework's own field; give yours another name$"):
        Language(odd)


def test_failing_part() -> None:
    """The error names part, subject, event, and the line in the mechanic's own code, even if a library call failed."""
    parts = {"lent": Part(lambda shelf, book: json.loads(""), lambda shelf: ["Emma"])}
    here = test_failing_part.__code__.co_firstlineno + 2
    record = Recorded(replace(BOOKS, parts=parts), EVENTS)
    sentence = rf"part lent, subject 'Emma' failed: JSONDecodeError: .* \(test_mistakes.py, {here}\)$"
    for ask, event in ((record.parts, 2), (lambda: record.part("lent", "Emma", at=1), 1), (record.audited, 2)):
        with pytest.raises(MechanicError, match=f"^{event}: {sentence}") as caught:
            ask()
        assert event == caught.value.line
    unnamed = Part(lambda shelf, book: {}[book])
    with pytest.raises(MechanicError, match=r"^part, subject 'Emma' failed: KeyError: 'Emma' \(test_mistakes.py, "):
        unnamed.of(Shelf(), "Emma")
    whole = replace(BOOKS, parts={"lent": Part(lambda shelf, subject: 1 // 0)})
    with pytest.raises(MechanicError, match=r"^1: part lent failed: ZeroDivisionError: "):
        Recorded(whole, EVENTS[:1]).part("lent")


def fails(*given: object) -> Any:
    return json.loads("")


@pytest.mark.parametrize("changes, sentence, line", [
    ({"start": fails}, "start failed: ", None),
    ({"begins": fails}, r"1: begins \(Lent\) failed: ", 1),
    ({"restores": lambda event: fails() if isinstance(event, Noted) else None}, r"2: restores \(Noted\) failed: ", 2),
    ({"parts": {"lent": Part(is_lent, fails)}}, "2: subjects of part lent failed: ", 2),
    ({"parts": {"lent": Part(is_lent, lambda shelf: map(fails, "a"))}}, "2: subjects of part lent failed: ", 2),
])  # fmt: skip
def test_failing(changes, sentence, line) -> None:
    """If a function of the mechanic raises, MechanicError names the function, and the event that it got, if any."""
    with pytest.raises(MechanicError, match=rf"^{sentence}JSONDecodeError: .* \(test_mistakes.py, \d+\)$") as caught:
        Recorded(replace(BOOKS, **changes), EVENTS).parts()
    assert line == caught.value.line


def test_failing_fill(tmp_path) -> None:
    """If `fill` of the mechanic raises, `append` raises MechanicError, and the store holds no game."""
    with Store.open(tmp_path / "books.db", mechanic=replace(BOOKS, fill=fails)) as store:
        with pytest.raises(MechanicError, match=r"^fill \(Lent\) failed: JSONDecodeError: "):
            store.append("shelf", EVENTS)
        assert () == tuple(store.games())


class Place(Enum):
    HOME = "home"


@pytest.mark.parametrize("changes, sentence", [
    ({"parts": {"lent": Part(lambda shelf, book: Derived((Place.HOME,)))}, "says": lambda event: [SAID]},
     "says, event 1: lent is Place.HOME, and never 'home'; say the member, not its text"),
    ({"step": lambda shelf, event, number: None}, "step, event 1 (Lent): it answered None; answer a list, or ()"),
    ({"says": lambda event: None}, "says, event 1 (Lent): it answered None; answer a list, or () for nothing"),
    ({"says": lambda event: [Said("lend", None, 1)]}, "says, event 1: there is no part 'lend'; did you mean"),
    ({"restores": lambda event: "2"}, "restores, event 1: it answered '2'; answer an event's number, or None"),
    ({"start": object}, "start: object has no method copy; derive the class of the state from Facts"),
    ({"parts": {"lent": Part(lambda shelf, book: True)}}, "part lent (test_mistakes.py, line "),
    ({"parts": {"lent": Part(lambda shelf, book: Derived("yes"))}}, "part lent (test_mistakes.py, line "),
    ({"parts": {"lent": Part(lambda shelf, book: Derived((1, 2, 3), (Way(1), Way(2))))}},
     "part lent, subject 'Emma': it answered 3 values and 2 ways; give one way for all, one for each value, or none"),
])  # fmt: skip
def test_answered(changes, sentence) -> None:
    with pytest.raises((TypeError, ValueError), match=rf"^(?:\d: )?{re.escape(sentence)}") as refused:
        Recorded(replace(BOOKS, **changes), EVENTS).audited()
    assert "line" not in sentence or re.search(r"; answer Derived\(\((True|'yes'),\)\), or None", str(refused.value))


def test_subjects() -> None:
    with pytest.raises(NotFoundError, match=r"^lent has a subject; name one of: Emma$"):
        Recorded(BOOKS, EVENTS).part("lent")


def test_kept() -> None:
    forgetful = replace(BOOKS, thaw=lambda data: Shelf(pages=msgspec.json.decode(data, type=Shelf).pages))
    sentence = r"^thaw\(freeze\(state\)\) changes lent: it was \('Emma',\)\nand is \(\)$"
    with pytest.raises(AssertionError, match=sentence):
        given(forgetful).when(EVENTS[0])


def test_not_frozen() -> None:
    sentence = r"^thaw\(freeze\(state\)\) failed: JSONDecodeError: .* \(test_mistakes.py, \d+\)$"
    for changes in ({"freeze": fails}, {"thaw": fails}):
        with pytest.raises(AssertionError, match=sentence):
            given(replace(BOOKS, **changes)).when(EVENTS[0])


def test_shared() -> None:
    def sharing(shelf, event, number):
        shelf.pages.setdefault(event.book, []).append(number)
        return ()

    with pytest.raises(AssertionError, match=r"^step changes what a state shares with its copies"):
        given(replace(BOOKS, step=sharing), *EVENTS).when(EVENTS[0])


def test_kit() -> None:
    with pytest.raises(AssertionError, match=r"^there is no part 'lend'; did you mean 'lent'"):
        given(BOOKS, *EVENTS).part("lend", "Emma", True)
    unlisted = replace(BOOKS, parts={"lent": Part(is_lent)})
    with pytest.raises(AssertionError, match=r"^lent: 'Emma' is none of its subjects, \[None\]"):
        given(unlisted, *EVENTS).part("lent", "Emma", True)
