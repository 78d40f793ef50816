"""Hypothesis strategies for every event of the language, generated from the structs."""

from typing import Any

from hypothesis import strategies as st
from msgspec import inspect

from daynight.events.language import TAGS
from daynight.events.vocabulary import Event

from .lines import BIDI

__all__ = ["documents", "event_lists", "events", "events_of", "names"]

names = st.text(
    st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"], exclude_characters=BIDI), min_size=1, max_size=12
) | st.sampled_from(["Ana", "Bo", "b" * 200, "🌙" * 200, "{0}", "a - at `$.b`", '"', "\\", "}{", "[[["])
notes = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
times = st.datetimes().map(lambda time: f"{time.isoformat()}+02:00") | st.sampled_from(
    ["2024-06-07T19:30:00Z", "2024-06-07T19:30:00.123456789-11:30"]
)
scalars = (
    st.none()
    | st.booleans()
    | st.integers(-(10**30), 10**30)
    | st.floats(allow_nan=False, allow_infinity=False)
    | notes
)
documents = st.dictionaries(
    notes,
    st.recursive(
        scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(notes, inner, max_size=3), max_leaves=6
    ),
    max_size=3,
)


def events() -> st.SearchStrategy[Event]:
    """Return a strategy for any event, every type equally often."""
    return st.sampled_from(list(TAGS.values())).flatmap(events_of)


def event_lists(most: int = 8) -> st.SearchStrategy[list[Event]]:
    """Return a strategy for lists of 1 to `most` events, which need not form a legal game."""
    return st.lists(events(), min_size=1, max_size=most)


def events_of(kind: Any) -> st.SearchStrategy[Any]:
    """Return a strategy for a struct, an event or a nested one; optional fields are sometimes left out."""
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)
    required = {field.name: _of(field.name, field.type) for field in info.fields if field.required}
    optional = {field.name: _of(field.name, field.type) for field in info.fields if not field.required}
    return st.fixed_dictionaries(required, optional=optional).map(lambda fields: kind(**fields))


FREE = {"at": times, "note": notes, "meta": documents}


def _of(name: str, kind: inspect.Type) -> st.SearchStrategy[Any]:
    """Return a strategy for the values of a field with this name and type."""
    if name in FREE:
        return FREE[name]
    found: st.SearchStrategy[Any] = st.none()
    match kind:
        case inspect.StrType(min_length=1, max_length=200):
            found = names
        case inspect.StrType(min_length=1, max_length=2000):
            found = names
        case inspect.IntType():
            found = st.integers(kind.ge, kind.le) | st.integers(0, 12)
        case inspect.BoolType():
            found = st.booleans()
        case inspect.LiteralType():
            found = st.sampled_from(kind.values)
        case inspect.EnumType():
            found = st.sampled_from(list(kind.cls))
        case inspect.VarTupleType():
            found = st.lists(_of("", kind.item_type), max_size=3).map(tuple)
        case inspect.StructType():
            found = events_of(kind.cls)
        case inspect.UnionType():
            found = st.one_of(*(_of("", one) for one in kind.types))
        case _:
            assert isinstance(kind, inspect.NoneType), kind
    return found
