"""A store describes its language. A change under the same tag is allowed only if old lines are still valid.

| promise | test |
| --- | --- |
| allowed: another optional field, another member, a wider limit | test_allowed |
| refused, with advice: another default or type, a narrower limit, a removed or newly required field | test_refused |
| structs inside an event are described with their fields, defaults and tags | test_allowed, test_refused |
| a newly required field and a removed field are named | test_needed |
| a description by an earlier daynight, without tags of inner structs, is still compared | test_before_tags |
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
import pytest

from daynight.framework import Happening, Language, Name
from daynight.framework.language.shapes.describing import changes, description


class Point(msgspec.Struct, frozen=True):
    x: int
    floor: int = 0


class PointHigh(msgspec.Struct, frozen=True):
    x: int
    floor: int = 1


class PointMore(msgspec.Struct, frozen=True, omit_defaults=True):
    x: int
    floor: int = 0
    room: Name | None = None


class Shelf(msgspec.Struct, frozen=True, tag="shelf"):
    place: int


class Box(msgspec.Struct, frozen=True, tag="box"):
    place: int


class ShelfNow(msgspec.Struct, frozen=True, tag="box"):
    place: int


class BoxNow(msgspec.Struct, frozen=True, tag="shelf"):
    place: int


LEAST = Annotated[int, msgspec.Meta(ge=3)]
LESS = Annotated[int, msgspec.Meta(ge=2)]
NONE: Any = object()


def language(kind: Any, default: Any = NONE, **more: Any) -> Language[Any]:
    """A language of one event: field `a` has the type `kind`; `more` has other fields, (type,) or (type, default)."""
    names = {"__annotations__": {"a": kind} | {name: one[0] for name, one in more.items()}, "__module__": __name__}
    names |= {"a": default} if default is not NONE else {}
    names |= {name: one[1] for name, one in more.items() if len(one) > 1}
    return Language(type(Happening)("Odd", (Happening,), names, frozen=True, tag="odd", kw_only=True))


def found(before: Language[Any], after: Language[Any]) -> list[str]:
    """A sentence for each change that is not allowed, found by the JSON description of `before` as a store keeps it."""
    return changes(msgspec.json.decode(msgspec.json.encode(description(before))), after)


@pytest.mark.parametrize("before, after", [
    (language(int), language(int, b=(Name | None, None))),
    (language(Literal["home"]), language(Literal["home", "lent"])),
    (language(LEAST), language(LESS)),
    (language(LEAST), language(int)),
    (language(int), language(int, 14)),
    (language(int), language(int | str)),
    (language(int), language(int | None, None)),
    (language(tuple[LEAST, ...]), language(tuple[LESS, ...])),
    (language(Point), language(PointMore)),
    (language(Shelf), language(Shelf | Box)),
    (language(tuple[int, ...], ()), language(tuple[int, ...], ())),
])  # fmt: skip
def test_allowed(before: Language[Any], after: Language[Any]) -> None:
    assert [] == found(before, after)
    assert [] == found(after, after)


@pytest.mark.parametrize("before, after, change", [
    (language(int, 14), language(int, 30), "stored lines left out 14, now it is 30; make odd.2 and an upcaster"),
    (language(Any, None), language(Any, "x"), 'stored lines left out nothing, now it is "x"'),
    (language(int, 14), language(int), "stored lines may leave it out, and now it is needed"),
    (language(int), language(str), "what stored lines may have there is refused now"),
    (language(int | str), language(int), "what stored lines may have there is refused now"),
    (language(LESS), language(LEAST), "what stored lines may have there is refused now"),
    (language(int), language(LEAST), "what stored lines may have there is refused now"),
    (language(Literal["home", "lent"]), language(Literal["home"]), "what stored lines may have there is refused now"),
    (language(Point), language(PointHigh), "what stored lines may have there is refused now"),
    (language(PointMore), language(Point), "what stored lines may have there is refused now"),
    (language(tuple[Point, ...]), language(tuple[PointHigh, ...]), "what stored lines may have there is refused now"),
    (language(Shelf), language(ShelfNow), "what stored lines may have there is refused now"),
    (language(Shelf), language(Point), "what stored lines may have there is refused now"),
])  # fmt: skip
def test_refused(before: Language[Any], after: Language[Any], change: str) -> None:
    (told,) = found(before, after)
    assert told.startswith(f"odd.a: {change}")
    assert "; make odd.2 and an upcaster" in told


def test_needed() -> None:
    (told,) = found(language(int), language(int, b=(int,)))
    assert told == "odd.b: it is needed now, and stored lines do not have it; make odd.2 and an upcaster"
    (told,) = found(language(int, b=(int,)), language(int))
    assert told.startswith("odd.b: stored lines may have it, and it is gone; make odd.2 and an upcaster")


def test_before_tags() -> None:
    before = description(language(Shelf))
    assert "shelf" == before["odd"]["a"]["type"].pop("tag")
    assert [] == changes(before, language(Shelf))
    assert [] == changes(before, language(ShelfNow))
    before["odd"]["a"]["type"]["fields"]["depth"] = {"type": {"is": "int"}}
    assert 1 == len(changes(before, language(Shelf)))
