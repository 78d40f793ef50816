"""Checks of the caller: its keys, whether its role allows the request, and how often it sends requests."""

from __future__ import annotations

import math
from http.cookies import CookieError, SimpleCookie

from daynight.framework.language.wording import _
from daynight.web.door.grants import READER, Caller, EndedError, Grant, Keys, ended_sentence
from daynight.web.door.roles import may
from daynight.web.errors import Problem
from daynight.web.visit import Visit

OPEN = "open"
"""The `may` of routes that need no key and ignore cookies; under `/v1`, a wrong key in a header is still refused."""

GREET = "greet"
"""The `may` of routes that need no key, but refuse an ended key."""

LIST = "list"
"""The `may` of routes about all games: only a caller who may read every game may use them."""

_BEARER = "bearer "
_PAST = frozenset({"read", "try"})
"""The acts of `door.roles` that a link to a game allows on the game's branches too."""


def check_key(visit: Visit) -> None:
    """Find the caller by the keys of the request, and set `visit.caller`; it stays None on `OPEN` routes.

    Raises:
        Problem: where a key is needed and none is given, or the key is wrong or has ended.
    """
    assert visit.route is not None
    act = visit.route.may
    if act == OPEN and ("authorization" not in visit.headers or not visit.path.startswith("/v1")):
        # Even if the keys of the cookie have ended: the page says so, and begins a new session.
        return
    try:
        caller = shown(visit)
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
    """Check that the caller's role allows the act; set `visit.grant`. A game without read access counts as missing.

    Raises:
        Problem: where the game is missing, or the role does not allow the act.
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
    """Set `visit.who`, the name under which requests are counted, and check that there are not too many.

    Raises:
        Problem: where the caller sends too many.
    """
    assert visit.route is not None
    if visit.caller is None:
        visit.who = address(visit)
        return
    grant: Grant | None = visit.grant or visit.caller.most
    visit.who = "" if grant is None else grant.key
    if not visit.who and not visit.house.local:
        visit.who = address(visit)
    counted = visit.house.counted
    wait = (counted.requests if visit.method == "GET" else counted.writes).take(visit.who)
    if wait:
        raise too_many(wait)


def check_still(visit: Visit) -> None:
    """Check that the key is still valid: the body or the answer of the request may have taken long.

    Raises:
        Problem: where the key has ended.
    """
    grant = visit.grant or (None if visit.caller is None else visit.caller.most)
    if grant is not None and not keys_of(visit).lives(grant):
        raise Problem(401, "key-ended", ended_sentence(), headers={"WWW-Authenticate": "Bearer"})


def readable(visit: Visit, name: str) -> Grant | None:
    """Return the grant to read a game: one for it, or for a game that it was branched from; None if there is none."""
    caller: Caller | None = visit.caller
    if caller is None:
        return None
    return caller.over(name) or caller.over(*visit.shelf.descent(name))


def keys_of(visit: Visit) -> Keys:
    """Return the keys of this server."""
    keys = visit.house.keys
    assert isinstance(keys, Keys)
    return keys


def shown(visit: Visit) -> Caller:
    """Return the caller, found by the key in the `Authorization` header, or else by the cookie's session.

    Raises:
        EndedError: where the key is wrong or has ended, or there is no such session.
    """
    given = visit.headers.get("authorization", ())
    if given:
        key = given[0].strip()
        wrong = len(given) != 1 or not key.lower().startswith(_BEARER)
        return keys_of(visit).caller(["" if wrong else key[len(_BEARER) :].strip()])
    return keys_of(visit).visitor(cookie(visit))


def cookie(visit: Visit) -> str:
    """Return the value of this server's cookie; empty for a write without `Origin`: our page always sends `Origin`."""
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
    """Return the cookie's name; it contains the port, because browsers send a machine's cookies to all its ports."""
    server = visit.scope.get("server") or ("", 0)
    return f"daynight-{server[1]}"


def address(visit: Visit) -> str:
    """Return the name under which requests from the client's address are counted."""
    client = visit.scope.get("client") or ("", 0)
    return f"address {client[0]}"


def shown_as(visit: Visit) -> str:
    """Return the caller's unchecked credentials: the key or the cookies, or else its address."""
    shown = visit.headers.get("authorization", ()) or visit.headers.get("cookie", ())
    return "\n".join(shown) or address(visit)


def ended(visit: Visit, error: EndedError) -> Problem:
    """Return the problem for a wrong key; after too many from this address, the problem that asks it to wait."""
    wait = visit.house.counted.failed.take(address(visit))
    if wait:
        return too_many(wait)
    return Problem(401, "key-ended", str(error), headers={"WWW-Authenticate": "Bearer"})


def no_key() -> Problem:
    """Return the problem for a caller without a key."""
    sentence = _("a key is needed for this; open the link that you were given")
    return Problem(401, "no-key", sentence, headers={"WWW-Authenticate": "Bearer"})


def too_many(wait: float) -> Problem:
    """Return the problem for a caller that sends too many requests and must wait `wait` seconds."""
    sentence = _("too many requests; wait a moment")
    return Problem(429, "too-many", sentence, headers={"Retry-After": str(math.ceil(wait))})
