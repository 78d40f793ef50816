"""Callers: by which key somebody asks, whether their role may do what they ask for, and how often."""

from __future__ import annotations

import math
from http.cookies import CookieError, SimpleCookie

from daynight.framework.language.wording import _
from daynight.web.door.keys import READER, Caller, EndedError, Grant, Keys, held_in
from daynight.web.door.roles import may
from daynight.web.errors import Problem
from daynight.web.visit import Visit

OPEN = "open"
"""Acts for anybody, with any cookie or none."""

GREET = "greet"
"""Acts that need no key, but refuse a key that has ended."""

LIST = "list"
"""Acts about all games: only a caller who may read every game may do them."""

_BEARER = "bearer "
_PAST = frozenset({"read", "try"})
"""Acts that a link allows on the branches of its game too."""


def check_key(visit: Visit) -> None:
    """Find the keys of the caller.

    Raises:
        Problem: where a key is needed and there is none, or where it is wrong or has ended.
    """
    assert visit.route is not None
    act = visit.route.may
    if act == OPEN and ("authorization" not in visit.headers or not visit.path.startswith("/v1")):
        # Also with a cookie whose keys have ended: the page says so, and begins a new session.
        return
    try:
        caller = keys_of(visit).caller(held(visit))
    except EndedError as error:
        raise ended(visit, error) from None
    if act == OPEN:
        return
    visit.caller = caller
    if caller.grants or act == GREET:
        return
    if not visit.house.local or visit.house.private or not (act == LIST or may("reader", act)):
        raise no_key()
    visit.caller = Caller((READER,))


def check_role(visit: Visit) -> None:
    """See that the role may do it: a game that no key of theirs is for is not there for them.

    Raises:
        Problem: where it may not.
    """
    assert visit.route is not None
    caller, act = visit.caller, visit.route.may
    if caller is None or act == GREET:
        return
    if visit.game is not None:
        name = visit.game.name
        reading = readable(visit, name)
        if reading is None:
            raise visit.shelf.missing(name)
        grant = reading if act in _PAST else caller.over(name) or READER
    else:
        grant = caller.most or READER
    allowed = grant.role in ("reader", "owner") if act == LIST else may(grant.role, act)
    if not allowed:
        raise Problem(403, "not-yours", _("this link does not allow that; ask whoever gave it to you"))
    visit.grant = grant


def check_rate(visit: Visit) -> None:
    """See that they do not ask too often.

    Raises:
        Problem: where they do.
    """
    assert visit.route is not None
    if visit.caller is None:
        return
    grant: Grant | None = visit.grant or visit.caller.most
    who = "" if grant is None else grant.key
    if not who and not visit.house.local:
        who = address(visit)
    counted = visit.house.counted
    wait = (counted.requests if visit.method == "GET" else counted.writes).take(who)
    if wait:
        raise too_many(wait)


def readable(visit: Visit, name: str) -> Grant | None:
    """The key that lets the caller read a game: one for it, or for a game that it was branched from."""
    caller: Caller | None = visit.caller
    if caller is None:
        return None
    return caller.over(name) or caller.over(*visit.shelf.descent(name))


def keys_of(visit: Visit) -> Keys:
    """The keys of this server."""
    keys = visit.house.keys
    assert isinstance(keys, Keys)
    return keys


def held(visit: Visit) -> list[str]:
    """The keys that somebody asks with: that of the header, or else those of the cookie."""
    given = visit.headers.get("authorization", ())
    if given:
        key = given[0].strip()
        return [key[len(_BEARER) :].strip() if len(given) == 1 and key.lower().startswith(_BEARER) else ""]
    return held_in(cookie(visit))


def cookie(visit: Visit) -> str:
    """What the cookie of this server holds; where something is to be changed it counts only if a page of ours asks."""
    if visit.method != "GET" and "origin" not in visit.headers:
        return ""
    found = ""
    for header in visit.headers.get("cookie", ()):
        try:
            morsel = SimpleCookie(header).get(cookie_name(visit))
        except CookieError:
            continue
        found = found if morsel is None else morsel.value
    return found


def cookie_name(visit: Visit) -> str:
    """The name of the cookie: cookies of one machine are sent to all its ports."""
    server = visit.scope.get("server") or ("", 0)
    return f"daynight-{server[1]}"


def address(visit: Visit) -> str:
    """Where somebody asks from."""
    client = visit.scope.get("client") or ("", 0)
    return f"address {client[0]}"


def ended(visit: Visit, error: EndedError) -> Problem:
    """The refusal of a wrong key; an address that tries many keys waits longer and longer."""
    wait = visit.house.counted.failed.take(address(visit))
    if wait:
        return too_many(wait)
    return Problem(401, "key-ended", str(error), headers={"WWW-Authenticate": "Bearer"})


def no_key() -> Problem:
    """The refusal of a caller without a key."""
    sentence = _("a key is needed for this; open the link that you were given")
    return Problem(401, "no-key", sentence, headers={"WWW-Authenticate": "Bearer"})


def too_many(wait: float) -> Problem:
    """The refusal of a caller that asks too often."""
    sentence = _("too many requests; wait a moment")
    return Problem(429, "too-many", sentence, headers={"Retry-After": str(math.ceil(wait))})
