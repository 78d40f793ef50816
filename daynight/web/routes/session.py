"""The routes of keys: the page sends its key once and gets a cookie; the owner makes and ends links."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct
from starlette.responses import Response

from daynight.framework.language.errors import ImpossibleError, UnreadableError
from daynight.framework.language.grammar import commas
from daynight.framework.language.kinds import NAME_LENGTH
from daynight.framework.language.names import forbidden_character
from daynight.framework.language.wording import _
from daynight.web import answers
from daynight.web.door.callers import cookie, cookie_name, ended, keys_of
from daynight.web.door.grants import EndedError, Link
from daynight.web.door.seats import picture_of
from daynight.web.errors import Problem
from daynight.web.queries import Paged
from daynight.web.shelf import id_of
from daynight.web.visit import Example, Route, Visit
from daynight.web.writing.bodies import shaped

_DAYS = 400
_YEAR = 24 * 366


class Shown(Struct, frozen=True, forbid_unknown_fields=True):
    """A key that a page was opened with."""

    key: Annotated[str, Meta(max_length=200)]


class Wanted(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A link that the owner requests. `rules`: a link for a player who may rule that it is day or night."""

    game: str
    role: Literal["spectator", "player", "judge"]
    name: str | None = None
    hours: Annotated[float, Meta(gt=0, le=_YEAR)] | None = None
    rules: bool = False


def post_session(visit: Visit) -> Response:
    """Add a key to the session of the page, which gets a new cookie; refuse a key that is not valid (401)."""
    asked = shaped(visit.body, Shown)
    try:
        held = keys_of(visit).joined(cookie(visit), asked.key)
    except EndedError as error:
        raise ended(visit, error) from None
    return _with_cookie(visit, held, _DAYS * 24 * 3600)


def delete_session(visit: Visit) -> Response:
    """End the session of the page, and delete its cookie; the keys of the session stay valid."""
    keys_of(visit).sessions.end(cookie(visit))
    return _with_cookie(visit, "", 0)


def _with_cookie(visit: Visit, value: str, age: int) -> Response:
    secure = "; Secure" if visit.house.scheme == "https" else ""
    made = f"{cookie_name(visit)}={value}; HttpOnly; SameSite=Strict; Path=/; Max-Age={age}{secure}"
    return Response(None, 204, {"Set-Cookie": made})


def post_link(visit: Visit) -> Response:
    """Make a link, and answer with its address, QR code and key, which cannot be shown again."""
    asked = shaped(visit.body, Wanted)
    game = visit.shelf.find(asked.game)
    if asked.name is not None:
        _check_name(asked.name)
    if asked.role == "player" and visit.shelf.is_of_games:
        state: Any = game.asked(game.last, lambda found: found.state)
        if asked.name not in state.players:
            players = commas(state.players)
            sentence = _("a player's link has the name of a player; they are {players}").format(players=players)
            raise ImpossibleError(sentence, path="$.name")
    elif asked.role == "player" and asked.name is None:
        raise ImpossibleError(_("a player's link has a name"), path="$.name")
    if asked.rules and asked.role != "player":
        raise ImpossibleError(_("rules is for the link of a player; a judge rules without it"), path="$.rules")
    hours = asked.hours or visit.house.hours
    link, key = keys_of(visit).add(asked.game, asked.role, asked.name, hours, rules=asked.rules)
    page = "t" if visit.shelf.is_of_games and asked.role != "spectator" else "g"
    url = f"{visit.house.scheme}://{visit.header('host')}/{page}/{id_of(asked.game)}#k={key}"
    return answers.json({"link": link.link, "url": url, "key": key, "picture": picture_of(url)}, 201)


def _check_name(name: str) -> None:
    if not 0 < len(name) <= NAME_LENGTH or forbidden_character(name) is not None:
        sentence = _("a name has 1 to {most} characters, none of them a control character")
        raise UnreadableError(sentence.format(most=NAME_LENGTH), path="$.name")


def get_links(visit: Visit) -> Response:
    """Answer with a page of the links that have not ended."""
    query: Paged = visit.query
    found = keys_of(visit).links(query.after or "", query.limit + 1)
    more = len(found) > query.limit
    shown = found[: query.limit]
    return answers.json({"links": [_told(link) for link in shown], "next": shown[-1].link if more else None})


def _told(link: Link) -> dict[str, Any]:
    ends = datetime.fromtimestamp(int(link.ends), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    told = {"link": link.link, "game": link.game, "role": link.role, "name": link.name, "ends": ends}
    return told | {"rules": True} if link.rules else told


def delete_link(visit: Visit) -> Response:
    """End a link now, and every stream opened with it; refuse an id that no valid link has (404)."""
    if not keys_of(visit).revoke(visit.params["l"]):
        raise Problem(404, "no-such-link", _("no such link; it may have ended"))
    return Response(None, 204)


_LINK = {"link": "8f1d6a2b9c3e4f50", "url": "http://127.0.0.1:8000/t/friday#k=7yQ0cJ2b5rXw1uT9sVd3Ag"}

ROUTES = (
    Route(
        method="POST", path="/v1/session", answer=post_session, summary="Keep a key in the page's session",
        may="open", takes=answers.JSON, example=Example(status=204, body={"key": "7yQ0cJ2b5rXw1uT9sVd3Ag"}),
    ),
    Route(
        method="DELETE", path="/v1/session", answer=delete_session, summary="Forget the keys of the page",
        may="open", example=Example(status=204),
    ),
    Route(
        method="POST", path="/v1/links", answer=post_link, summary="Make a link", may="own", takes=answers.JSON,
        example=Example(
            status=201, answer=_LINK | {"key": "7yQ0cJ2b5rXw1uT9sVd3Ag", "picture": "data:image/svg+xml,..."},
            body={"game": "friday", "role": "player", "name": "Ana"},
        ),
    ),
    Route(
        method="GET", path="/v1/links", answer=get_links, summary="The links", may="own", query=Paged,
        example=Example(answer={"links": [], "next": None}),
    ),
    Route(
        method="DELETE", path="/v1/links/{l}", answer=delete_link, summary="End a link", may="own",
        example=Example(status=204),
    ),
)  # fmt: skip
