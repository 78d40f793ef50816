"""Query parameters, read strictly: a parameter that is unknown or given twice is refused."""

from __future__ import annotations

import re
from typing import Annotated, Any, TypeVar, get_args
from urllib.parse import parse_qsl

import msgspec
from msgspec import Meta, Struct

from daynight.framework.language.errors import tame
from daynight.framework.language.grammar import commas
from daynight.framework.language.wording import _
from daynight.framework.positions import Position
from daynight.languages.speaking import LANGUAGES
from daynight.rules.citations import EDITIONS, LATEST_EDITION
from daynight.web.errors import Problem

Q = TypeVar("Q", bound="Query")

Text = Annotated[str, Meta(max_length=1000)]
Limit = Annotated[int, Meta(ge=1, le=500)]

LATEST = "latest"
_DIGITS = re.compile("0|[1-9][0-9]{0,8}")


class Query(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The parameter that every route takes: `lang` is the language of the sentences in the answer."""

    lang: Text | None = None


class Cited(Query, frozen=True, kw_only=True):
    """The parameters of a route that cites the rules: `edition` is a date, or `latest`."""

    edition: Text | None = None

    @property
    def cited(self) -> str | None:
        """The edition to cite; None if the parameter is not given, which means the record's own edition.

        Raises:
            Problem: where there is no such edition.
        """
        if self.edition is None:
            return None
        return edition_of(self.edition, "edition")


class At(Query, frozen=True, kw_only=True):
    """The parameters of a route about a moment: `at` is its position, such as `18` or `turn:4`."""

    at: Text | None = None


class CitedAt(Cited, frozen=True, kw_only=True):
    """The parameters of a route that is about a moment and cites the rules: `at` and `edition`."""

    at: Text | None = None


class Paged(Query, frozen=True, kw_only=True):
    """The parameters of a list: `after` is the `next` of the page before, `limit` the most entries of a page."""

    after: Text | None = None
    limit: Limit = 100


def read_query(kind: type[Q], text: bytes) -> Q:
    """Read the parameters of an address as a `kind`.

    Raises:
        Problem: where one of them is unknown, given twice, missing, or has a wrong value, or `text` is not UTF-8.
    """
    try:
        pairs = parse_qsl(text.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=100)
    except (UnicodeDecodeError, ValueError):
        raise Problem(400, "bad-parameter", _("the query is no text in UTF-8")) from None
    known = {field.encode_name: field.type for field in msgspec.structs.fields(kind)}
    given: dict[str, Any] = {}
    for name, value in pairs:
        if name not in known:
            sentence = _("no parameter {name} here; there are {known}")
            raise Problem(400, "bad-parameter", sentence.format(name=repr(name), known=commas(sorted(known))))
        if name in given:
            raise Problem(400, "bad-parameter", _("{name} is given twice").format(name=name))
        given[name] = int(value) if _is_number(known[name]) and _DIGITS.fullmatch(value) else value
    try:
        query = msgspec.convert(given, kind)
    except msgspec.ValidationError as error:
        raise Problem(400, "bad-parameter", _refused(str(error), given)) from None
    if query.lang is not None and query.lang not in LANGUAGES:
        sentence = _("no language {language}; there are {languages}")
        languages = commas(LANGUAGES)
        raise Problem(400, "bad-parameter", sentence.format(language=repr(query.lang), languages=languages))
    return query


def position(text: str | None) -> Position | None:
    """Return the position that a parameter gives, such as `18` or `turn:4`, or a time; None if it is not given.

    Raises:
        PositionError: where `text` is no position.
    """
    return None if text is None else Position.timed(text) or Position.parse(text)


def edition_of(text: str, name: str) -> str:
    """Return the edition `text`, which the parameter `name` gives; `latest` is the newest.

    Raises:
        Problem: where there is no such edition.
    """
    if text == LATEST:
        return LATEST_EDITION
    if text not in EDITIONS:
        sentence = _("{name}: no edition {edition}; there are {known}")
        known = commas([*EDITIONS, LATEST])
        raise Problem(400, "bad-parameter", sentence.format(name=name, edition=repr(text), known=known))
    return text


def parameters(kind: type[Query]) -> list[dict[str, Any]]:
    """Return the OpenAPI descriptions of the parameters of `kind`, `lang` last."""
    described = []
    for field in msgspec.structs.fields(kind):
        schema = msgspec.json.schema(field.type)
        shown = next((one for one in schema.get("anyOf", ()) if one.get("type") != "null"), schema)
        if field.required is False and field.default not in (None, msgspec.NODEFAULT):
            shown = {**shown, "default": field.default}
        described.append({"name": field.encode_name, "in": "query", "required": field.required, "schema": shown})
    return sorted(described, key=lambda one: str(one["name"]) == "lang")


def _is_number(kind: Any) -> bool:
    """Return whether a parameter of this type is a number, which must be written in digits alone."""
    return kind is int or any(_is_number(one) for one in get_args(kind))


def _refused(said: str, given: dict[str, Any]) -> str:
    name = said.rpartition("`$.")[2].partition("`")[0] if "`$." in said else ""
    missing = re.search(r"missing required field `(\w+)`", said)
    if missing is not None:
        return _("{name} is not given").format(name=missing[1])
    sentence = _("{name}: {value} is none of the values that it may have")
    return sentence.format(name=name, value=repr(tame(str(given.get(name, "")))[:100]))
