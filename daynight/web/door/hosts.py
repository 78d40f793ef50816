"""Checks of a request's host, lengths and origin; they come before all other checks."""

from __future__ import annotations

import re

from daynight.framework.language.wording import _
from daynight.web.errors import Problem
from daynight.web.visit import Visit

PORTS = {"http": "80", "https": "443"}
"""The default port of each scheme, which an address may leave out."""

_PAGE = re.compile(r"/|/[gt]/[^/]+")
ABSOLUTE = re.compile(rb"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*)://(?P<host>[^/]*)")
"""Matches the scheme and host of a request's target that is a whole address instead of a path."""

_OURS = ("same-origin", "none")


def hosts_of(host: str, port: int, scheme: str, allowed: tuple[str, ...] = (), *, local: bool) -> frozenset[str]:
    """Return the hosts that a request may name: the address with its port, `localhost` if `local`, and those `allowed`.

    The default port of `scheme` may be left out.

    >>> sorted(hosts_of("127.0.0.1", 8000, "http", ("day.example",), local=True))
    ['127.0.0.1:8000', 'day.example', 'day.example:8000', 'localhost:8000']
    """
    address = f"[{host}]" if ":" in host else host
    names = [address, *(["localhost"] if local else [])]
    found = {f"{name}:{port}".lower() for name in names}
    for name in allowed:
        found |= {name.lower()} | (set() if _has_port(name) else {f"{name}:{port}".lower()})
    return frozenset(found | {_short(name, scheme) for name in found})


def check_host(visit: Visit) -> None:
    """Refuse a host that this server was not started for (421): another site may point its name to this server."""
    hosts, allowed = [host.lower() for host in visit.headers.get("host", ())], visit.house.hosts
    # A whole address names a host too. It has to be known like that of the header.
    found = ABSOLUTE.match(visit.scope["raw_path"])
    named = [] if found is None else [found["host"].decode("latin-1").lower()]
    foreign = found is not None and found["scheme"].decode().lower() != visit.scope["scheme"]
    if len(hosts) != 1 or foreign or (allowed is not None and not allowed.issuperset(hosts + named)):
        raise Problem(421, "foreign-host", _("this server was not started for the name that it was asked under"))


def check_lengths(visit: Visit) -> None:
    """Refuse a request whose address (414) or head (431) is too long."""
    limits, scope = visit.house.limits, visit.scope
    query = scope["query_string"]
    if len(scope["raw_path"]) + len(query) + bool(query) > limits.address:
        raise Problem(414, "too-long", _("an address may have {most} bytes").format(most=limits.address))
    if sum(len(name) + len(value) + 4 for name, value in scope["headers"]) > limits.head:
        raise Problem(431, "too-long", _("the head of a request may have {most} bytes").format(most=limits.head))


def check_origin(visit: Visit) -> None:
    """Refuse a request (403) that comes from a page of another site, as `Origin` or `Sec-Fetch-Site` shows.

    Another site may link to our page: a GET of the page itself is never refused here.
    """
    if visit.method == "GET" and _PAGE.fullmatch(visit.path):
        return
    ours = f"{visit.scope['scheme']}://{_short((visit.header('host') or '').lower(), visit.scope['scheme'])}"
    origins, sites = visit.headers.get("origin", ()), visit.headers.get("sec-fetch-site", ())
    if any(origin != ours for origin in origins) or any(site not in _OURS for site in sites):
        raise Problem(403, "foreign-origin", _("a page of another site may not ask this server"))


def _has_port(name: str) -> bool:
    return re.search(r":[0-9]+$", name) is not None and not name.endswith("]")


def _short(name: str, scheme: str) -> str:
    """Return a name without its port, if that is the default port of the scheme."""
    return name.removesuffix(f":{PORTS[scheme]}")
