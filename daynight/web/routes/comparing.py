"""The routes that search one or two whole games: differences, the first wrong event, words, marks."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator
from itertools import chain
from typing import Annotated, Any

from msgspec import Meta
from starlette.responses import Response

from daynight.compare.differences import differences, editions_apart
from daynight.compare.partings import Parting, SharedPlace, games_apart
from daynight.events import Designation, Face
from daynight.framework.language.wording import _
from daynight.projections.audit.parted import parted
from daynight.speaker import Speaker
from daynight.web import answers
from daynight.web.door.callers import readable
from daynight.web.errors import Problem
from daynight.web.queries import Cited, Limit, Paged, Query, Text, edition_of, position
from daynight.web.routes.places import located, refuse_given
from daynight.web.shelf import Shelved, name_of
from daynight.web.telling.marks import KINDS, found_words, marks_of
from daynight.web.visit import Route, Visit

_PAIR = 2
_NUMBER = re.compile("0|[1-9][0-9]{0,14}")


class DiffQuery(Query, frozen=True, kw_only=True, rename={"other": "with"}):
    """The parameters of a comparison: two moments `a` and `b`; with another game `with`, `b` is a moment of that game.

    Or `editions`: two editions of the rules, such as `x,y`.
    """

    a: Text | None = None
    b: Text | None = None
    other: Text | None = None
    editions: Text | None = None


class BisectQuery(Cited, frozen=True, kw_only=True):
    """The parameters of the search for the first wrong event; `until` is a test, such as `designation:night`."""

    until: Text | None = None


class SearchQuery(Query, frozen=True, kw_only=True):
    """The parameters of a search: the words `q`; a page has at most `limit` events, those after event `after`."""

    q: Annotated[str, Meta(min_length=1, max_length=1000)]
    after: Text | None = None
    limit: Limit = 100


class MarksQuery(Paged, frozen=True, kw_only=True, rename={"start": "from"}):
    """The parameters of the marks: `kind` lists kinds, separated by commas; `from` is the first event's position."""

    kind: Text | None = None
    start: Text | None = None


def beside(visit: Visit) -> None:
    """Set `visit.other` to the game, or to the branch of this game, that the parameter `with` names.

    Raises:
        Problem: where there is no such game, or the caller may not read it.
    """
    if visit.query.other is not None:
        asked = dict.fromkeys((name_of(visit.query.other), visit.query.other.removeprefix("~")))
        names = [name for name in asked if name is not None]
        games = (_readable(visit, name) for name in names)
        branches = (_branch(visit, name) for name in names)
        visit.other = next((found for found in chain(games, branches) if found is not None), None)
        if visit.other is None:
            raise visit.shelf.missing(next(iter(asked)))


def _readable(visit: Visit, name: str) -> Shelved | None:
    """Return the game of a name; None if there is none, or the caller may not read it."""
    try:
        found = visit.shelf.find(name)
    except Problem:
        return None
    return None if readable(visit, found.name) is None else found


def _branch(visit: Visit, name: str) -> Shelved | None:
    """Return the branch of this game stored under a name; None if there is none, or the caller may not read it."""
    game = visit.shelved.name
    found = _readable(visit, f"{game}/{name}") if visit.shelved.kind == "stored" else None
    return found if found is not None and game in visit.shelf.descent(found.name) else None


def diff(visit: Visit) -> Response:
    """Answer with the differences between two moments, two games, or two editions of the rules."""
    query, mine = visit.query, visit.shelved
    other = visit.other or mine
    if query.editions is not None:
        return _editions_apart(visit)
    here, there = located(mine, query.a), located(other, query.b)
    left: Any = mine.game()
    right: Any = other.game()
    if not visit.shelf.is_of_games:
        found = left.differences(right, here, there)
        return answers.document({"differences": Speaker(visit.shelved.mechanic).differences_document(found)})
    if visit.other is not None and query.a is None and query.b is None:
        compared, partings = "steps", [*games_apart(left, right)]
    else:
        compared = "moments"
        states = left.at(here), right.at(there)
        place = SharedPlace(states[0].turn, states[0].step, here, there)
        apart = Parting(place, place, differences(*states))
        partings = [apart] if apart.differences else []
    return answers.document(
        {
            "left": _label(mine, query.a),
            "right": _label(other, query.b),
            "compared": compared,
            "differences": [one.document() for one in partings],
        }
    )


def _editions_apart(visit: Visit) -> Response:
    query = visit.query
    if not visit.shelf.is_of_games:
        refuse_given(visit, "editions")
    names = query.editions.split(",")
    if len(names) != _PAIR or query.a is not None or query.b is not None or query.other is not None:
        raise Problem(400, "bad-parameter", _("editions compares one game with itself, in two editions: x,y"))
    left, right = [edition_of(name, "editions") for name in names]
    game: Any = visit.shelved.game()
    return answers.document({"left": left, "right": right, "citations": editions_apart(game, left, right)})


def _label(shelved: Shelved, text: str | None) -> str:
    return shelved.label if text is None else f"{shelved.label} {position(text)}"


def bisect(visit: Visit) -> Response:
    """Answer with the first event whose claim contradicts the rules; `until`: the first after which that test holds."""
    query = visit.query
    game: Any = visit.shelved.game()
    games = visit.shelf.is_of_games
    if not games:
        refuse_given(visit, "edition")
    if query.until is None:
        if games:
            edition = query.cited or game.edition
            return answers.document(parted(game, edition=edition).document(lambda finding: finding.document(edition)))
        return answers.document({"bad": min((finding.event for finding in game.audited().disputes), default=None)})
    test = _test(query.until) if games else _test_of_parts(visit, query.until)
    first = next((moment.number for moment, state in game.walk() if test(moment.number, state)), None)
    return answers.document({"bad": first})


def _test(until: str) -> Callable[[int, Any], bool]:
    """Return a test: called with an event's number and the state after it, it returns whether `until` certainly holds.

    `until` is for example `designation:night` or `face:w1:back`; refuse any other text (400).
    """
    part, _colon, rest = until.partition(":")
    subject, _colon, value = rest.rpartition(":")
    if part == "designation" and rest in [one.value for one in Designation]:
        wanted = (Designation(rest),)
        return lambda number, state: state.possible == wanted
    if part == "face" and subject and value in [one.value for one in Face]:
        face = Face(value)
        return lambda number, state: subject in state.battlefield and state.face(subject) is face
    raise Problem(400, "bad-parameter", _("until: write designation:night or face:PERMANENT:back"))


def _test_of_parts(visit: Visit, until: str) -> Callable[[int, Any], bool]:
    """Return the test that `_test` returns, for any mechanic: `until` is `part:value` or `part:subject:value`."""
    speaker, game = Speaker(visit.shelved.mechanic), visit.shelved.game()
    name, _colon, rest = until.partition(":")
    subject, _colon, value = rest.rpartition(":")
    if name not in visit.shelved.mechanic.parts or not rest:
        raise Problem(400, "bad-parameter", _("until: write PART:VALUE or PART:SUBJECT:VALUE"))
    part = visit.shelved.mechanic.parts[name]

    def test(number: int, state: Any) -> bool:
        whole = game.whole(number)
        found = part.of(whole, part.meant(whole, subject or None))
        return found is not None and speaker.value(name, subject or None, found) == value

    return test


def search(visit: Visit) -> Response:
    """Answer with the events whose sentence, cards and note together have all of the words."""
    after = _number(visit.query.after)
    every = [*found_words(visit.shelf, visit.shelved, visit.query.q)]
    found = iter([row for row in every if row["event"] > after])
    page = _page("events", found, visit.query.limit, lambda row: str(row["event"]))
    return answers.json(page | {"total": len(every)})


def marks(visit: Visit) -> Response:
    """Answer with a page of the marks that a timeline draws and jumps to."""
    query = visit.query
    kinds = KINDS if query.kind is None else tuple(query.kind.split(","))
    if strange := [kind for kind in kinds if kind not in KINDS]:
        sentence = _("{name}: {value} is none of the values that it may have")
        raise Problem(400, "bad-parameter", sentence.format(name="kind", value=repr(strange[0])))
    every = marks_of(visit.shelf, visit.shelved, kinds)
    first = 1 if query.start is None else located(visit.shelved, query.start)
    start = max(_number(query.after), bisect_left(every, first, key=lambda mark: mark["event"]))
    rows = every[start : start + query.limit]
    more = start + len(rows)
    return answers.json({"marks": rows, "next": str(more) if more < len(every) else None})


def _number(after: str | None) -> int:
    """Return the number in `after`; 0 if it is not given; refuse any other text (400)."""
    if after is None:
        return 0
    if not _NUMBER.fullmatch(after):
        sentence = _("{name}: {value} is none of the values that it may have")
        raise Problem(400, "bad-parameter", sentence.format(name="after", value=repr(after)))
    return int(after)


def _page(
    name: str, found: Iterator[dict[str, Any]], limit: int, key: Callable[[dict[str, Any]], str]
) -> dict[str, Any]:
    rows: list[dict[str, Any]] = []
    for row in found:
        if len(rows) == limit:
            return {name: rows, "next": key(rows[-1])}
        rows.append(row)
    return {name: rows, "next": None}


ROUTES = (
    Route(method="GET", path="/v1/games/{id}/marks", answer=marks, query=MarksQuery, computed=True,
          summary="What a timeline draws and jumps to"),
    Route(method="GET", path="/v1/games/{id}/diff", answer=diff, query=DiffQuery, computed=True, before=beside,
          summary="What differs between two moments, two games or two editions"),
    Route(method="GET", path="/v1/games/{id}/bisect", answer=bisect, query=BisectQuery, computed=True,
          summary="The first event that is wrong"),
    Route(method="GET", path="/v1/games/{id}/search", answer=search, query=SearchQuery, computed=True,
          summary="The events that have words"),
)  # fmt: skip
