"""The language of any mechanic: its definition, its schema, its errors; and lists in sentences.

| promise | for it | against it |
| --- | --- | --- |
| opening and example default to the first tag | test_named | test_named |
| the schema describes a line; it has no null, not even as a default | test_schema, test_published | test_schema |
| the schema allows old tags with any fields | test_schema_of_old_tags | test_schema_of_old_tags |
| descriptions in the schema are docstrings without indentation, on every Python | test_cleaned | test_cleaned |
| an event, its JSON object and its line are read alike | test_strictly | test_no_event |
| `encode` writes the line that `decode` reads | test_encoded | test_encoded |
| a cut list says how many more there are; clauses are joined | test_listed | test_listed |
| a name has 1 to 200 characters, none of which steers a terminal | test_names | test_names |
"""

from __future__ import annotations

from typing import Any

import pytest

from daynight.framework import Happening, Language, Lift
from daynight.framework.language.errors import UnreadableError
from daynight.framework.language.grammar import first_of, semicolons
from daynight.framework.language.language import DIALECT, cleaned, published
from daynight.framework.language.names import is_name


class Lent(Happening, frozen=True, tag="lent"):
    """A book is lent."""

    book: str
    to: str | None = None
    shelf: int | str | None = None
    days: int = 14


class Lost(Happening, frozen=True, tag="lost"):
    """A book is lost."""

    books: tuple[str, ...]


LANGUAGE: Language[Any] = Language(Lent | Lost)


def test_named():
    plain: Language[Any] = Language(Lent | Lost)
    assert (plain.opening, plain.example, plain.kinds) == ("lent", "lent", (Lent, Lost))
    other = Language(Lent | Lost, opening="lost", example="lost")
    assert (other.opening, other.example) == ("lost", "lost")
    with pytest.raises(UnreadableError, match=r"expected a tag such as lost, found number$"):
        other.decode('{"type":7}')


def test_schema():
    schema = Language(Lent | Lost).schema()
    assert (schema["$schema"], schema["title"], schema["description"]) == (
        DIALECT, "one line of a record", "One event; event n is line n.",
    )  # fmt: skip
    titled = Language(Lent, title="a loan", description="What happens to books.").schema()
    assert (titled["title"], titled["description"]) == ("a loan", "What happens to books.")
    fields = schema["$defs"]["Lent"]["properties"]
    assert (fields["to"], fields["book"]) == ({"type": "string"}, {"type": "string"})
    assert fields["shelf"] == {"anyOf": [{"type": "integer"}, {"type": "string"}]}
    assert fields["days"] == {"type": "integer", "default": 14}
    assert fields["meta"] == {"type": "object"}
    assert schema["$defs"]["Lost"]["properties"]["books"] == {"type": "array", "items": {"type": "string"}}
    assert {"null"}.isdisjoint(str(schema).split("'"))


def test_schema_of_old_tags():
    """The schema allows a line with an old tag, and does not describe its other fields."""
    language: Language[Happening] = Language(Lost, upcasters={"lose": Lift("lost", dict), "gone": Lift("lose")})
    for tag in ("lose", "gone"):
        old = {"type": "object", "properties": {"type": {"const": tag}}, "required": ["type"]}
        assert old in language.schema()["anyOf"]
        assert old not in Language[Happening](Lost).schema().get("anyOf", [])


def test_cleaned():
    """Only descriptions are cleaned: a field called `description` and other texts stay as they are."""

    class Described(Happening, frozen=True, tag="described"):
        """A book is described.

        `description`: in the words of who read it,
            or of who did not.
        """

        description: str = "long\n    and short"

    told = Language(Described).schema()["$defs"]["Described"]
    expected = "A book is described.\n\n`description`: in the words of who read it,\n    or of who did not."
    assert expected == told["description"]
    assert {"type": "string", "default": "long\n    and short"} == told["properties"]["description"]
    assert [{"description": "a\nb"}, "c\n    d"] == cleaned([{"description": "a\n    b\n"}, "c\n    d"])


def test_published():
    assert published({"a": ["é"]}) == '{\n "a": [\n  "\\u00e9"\n ]\n}\n'


def test_strictly():
    lent = Lent("Emma", "Ana", shelf=3)
    lines = (
        {"type": "lent", "book": "Emma", "to": "Ana", "shelf": 3},
        b'{"type":"lent","book":"Emma","to":"Ana","shelf":3}',
    )
    assert [LANGUAGE.strictly(one) for one in (lent, *lines, lines[1].decode())] == [lent] * 4
    assert LANGUAGE.decode('{"type":"lent","book":"Déjà vu"}') == Lent("Déjà vu")


def test_encoded():
    language: Language[Any] = Language(Lent | Lost)
    for event, line in (
        (Lent(book="Emma", note="é"), '{"type":"lent","book":"Emma","note":"é"}'),
        (Lost(books=("Emma", "Dune")), '{"type":"lost","books":["Emma","Dune"]}'),
    ):
        assert line.encode() == language.encode(event)
        assert event == language.decode(language.encode(event))
    with pytest.raises(TypeError):
        language.encode(object())


@pytest.mark.parametrize("event, reason", [
    ({"type": "lent", "book": float("nan")}, "not an event: Out of range float values are not JSON compliant"),
    ({"type": "lent", "book": float("inf")}, "not an event: Out of range float values are not JSON compliant"),
    (object(), "not an event: Encoding objects of type object is unsupported"),
    ({"type": "lent", "book": {1: {2: object}}}, "not an event: Encoding objects of type type is unsupported"),
    ('{"type":"lent","book":"\ud800"}', "not UTF-8 at byte 24; save the file as UTF-8"),
    (Lent("a" * 3, at="soon"), "no RFC 3339 time; expected one like 2024-06-07T19:30:00Z"),
])  # fmt: skip
def test_no_event(event: Any, reason: str):
    with pytest.raises(UnreadableError) as refused:
        LANGUAGE.strictly(event)
    assert refused.value.sentence.startswith(reason)
    assert refused.value.sentence == reason or reason.startswith("not an event: Out of range")


def test_listed():
    assert [first_of("ABCDE"[:n], 3) for n in range(6)] == ["", "A", "A, B", "A, B, C", "A, B, C and 1 more",
                                                            "A, B, C and 2 more"]  # fmt: skip
    assert [semicolons(["it was day", "it is night", "so be it"][:n]) for n in range(4)] == [
        "", "it was day", "it was day; it is night", "it was day; it is night; so be it",
    ]  # fmt: skip


@pytest.mark.parametrize("text", ["A", "a" * 200, "第1面", "\u200b"])
def test_names(text: str):
    assert is_name(text)


@pytest.mark.parametrize("text", ["", "a" * 201, "a\nb", "\u202e", "\x00", None, 7, b"Ana", ["Ana"]])
def test_no_names(text: object):
    assert not is_name(text)
