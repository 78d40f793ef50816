"""The routes of live streams."""

from __future__ import annotations

import re
from functools import partial

from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from daynight.framework.language.wording import _
from daynight.web.errors import Problem
from daynight.web.live.hub import Hub
from daynight.web.live.stream import Stream
from daynight.web.live.telling import told
from daynight.web.queries import Query, Text
from daynight.web.shelf import Shelved
from daynight.web.telling.heads import head_of, identity_of
from daynight.web.visit import Example, Route, Visit

BEHIND = 500
"""The most missed events that a stream sends at its beginning; a client that missed more must start again."""

_NUMBER = re.compile("0|[1-9][0-9]{0,14}")


class LiveQuery(Query, frozen=True, kw_only=True):
    """The parameters of a stream: `after` is the last event that the client knows.

    `identity` is the identity of the game that the client knows, and `head` the digest at event `after`.
    """

    after: Text | None = None
    identity: Text | None = None
    head: Text | None = None


async def get_live(visit: Visit) -> Response:
    """Stream the events of a game: first those that the client missed, then each new one as it is stored."""
    hub, shelved = _hub(visit), visit.shelved
    after = _after(visit)
    if visit.scope["method"] == "HEAD":
        return _head()
    listener = hub.enter(shelved.name, visit.language, visit.granted, 0)
    try:
        last, other = await run_in_threadpool(lambda: (shelved.last, _other(shelved, visit.query)))
    except BaseException:
        hub.leave(listener)
        raise
    listener.at = last if after is None else after
    far = listener.at > last or last - listener.at > BEHIND
    missed = partial(told, visit.shelf, shelved.name, language=visit.language)
    turn = partial(visit.house.turns.of, visit.who)
    return Stream(hub, listener, last, missed, turn, reset=far or other is not None, identity=other)


async def get_all(visit: Visit) -> Response:
    """Stream the names of games that get new events, as they get them."""
    hub = _hub(visit)
    if visit.scope["method"] == "HEAD":
        return _head()
    return Stream(hub, hub.enter(None, visit.language, visit.granted, 0), 0, lambda first, last: [])


def _other(shelved: Shelved, query: LiveQuery) -> str | None:
    """Return the identity of the game if the client knows another game, or another digest at `after`; else None."""
    found = identity_of(shelved)
    if query.identity is not None and query.identity != found:
        return found
    # A browser that connects again sends its first address: what is compared is the event that stands there.
    if query.head is not None and query.after is not None and query.head != head_of(shelved, int(query.after)):
        return found
    return None


def _head() -> Response:
    """Answer HEAD with the headers of a stream, but without the stream, which would not end."""
    return Response(None, 200, media_type=_STREAM)


def _hub(visit: Visit) -> Hub:
    hub = visit.house.hub
    assert isinstance(hub, Hub)
    return hub


def _after(visit: Visit) -> int | None:
    """Return the event in the header `Last-Event-ID`, or else in `after`; refuse a text that is no number (400).

    None if neither is given: the client then gets only new events.
    """
    query: LiveQuery = visit.query
    asked = {"after": query.after, "Last-Event-ID": visit.header("last-event-id") or None}
    for name, given in asked.items():
        if given is not None and not _NUMBER.fullmatch(given):
            raise Problem(400, "bad-parameter", _("{name}: expected the number of an event").format(name=name))
    after = asked["Last-Event-ID"] or asked["after"]
    return None if after is None else int(after)


_STREAM = "text/event-stream"

ROUTES = (
    Route(
        method="GET", path="/v1/games/{id}/live", answer=get_live, summary="The events of a game as they come",
        query=LiveQuery, awaited=True, example=Example(media=_STREAM),
    ),
    Route(
        method="GET", path="/v1/live", answer=get_all, summary="The games that grow, as they do", may="list",
        awaited=True, example=Example(media=_STREAM),
    ),
)  # fmt: skip
