"""A visit: one request, to which the server adds its route, caller and game step by step, until it is answered."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from starlette.responses import Response

from daynight.web.computing.rounds import Rounds
from daynight.web.computing.threads import Threads
from daynight.web.computing.turns import Turns
from daynight.web.door.grants import HOURS, Caller, Grant, Keys
from daynight.web.door.rates import Counted
from daynight.web.game_list import GameList
from daynight.web.limits import Limits
from daynight.web.live.hub import Hub
from daynight.web.live.telling import told
from daynight.web.queries import Query
from daynight.web.shelf import Listing, Shelf, Shelved, id_of
from daynight.web.writing.pen import Pen

if TYPE_CHECKING:
    from daynight.web.computing.computing import Computing

Answered = Response | Awaitable[Response]


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A route's example in the OpenAPI description: the request's `body`; the response's `answer`, `status`, `media`.

    `media` is the media type of the response.
    """

    answer: Any = None
    body: Any = None
    status: int = 200
    media: str = "application/json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """A route: its method and path, the function that answers, and the act that the caller's role must allow.

    `may` is `open` if no key is needed; `greet` too, but a wrong, revoked or expired key is refused; `list` if only a
    caller who may read every game is allowed; else an act of `door.roles`. `takes` is the media type of the body.
    `of_games`: only a server of games of day and night has this route. `answer` runs in a thread or, if `awaited`, in
    the event loop. If `computed`, or the function `computed` returns True for the visit, a worker process answers,
    because a long record takes long. `before` runs before `answer`, in a thread of the server. `after` runs there too;
    it gets the response and returns the one to send, but is not called if `awaited`. `draft` runs in a worker process
    and makes the events that `answer` stores. If `is_page`, parameters in the address are ignored: mail programs and
    social networks add some of their own to a link, which opens the page all the same.
    """

    method: str
    path: str
    answer: Callable[[Visit], Response] | Callable[[Visit], Awaitable[Response]]
    summary: str
    may: str = "read"
    query: type[Query] = Query
    takes: str | None = None
    of_games: bool = False
    awaited: bool = False
    is_page: bool = False
    computed: bool | Callable[[Visit], bool] = False
    before: Callable[[Visit], None] | None = None
    after: Callable[[Visit, Response], Response] | None = None
    draft: Callable[[Visit], Response] | None = None
    example: Example = Example()


@dataclass(slots=True, kw_only=True)
class House:
    """The parts of the server that all routes share.

    `hosts` are the host names that requests may use; None: any. `local`: the server is bound to loopback alone.
    `private`: reading needs a key on this machine too. A new link is valid for `hours`, if the request for it names no
    other time. `keys` finds the caller of a key, `counted` limits how often a caller sends requests, `turns` limits how
    many requests of one caller run at once, and `rounds` gives callers the event loop in turn. `threads` run short
    work. `hub` has the live streams; `pen` writes to the store, and is None without a store; `uploads` counts the
    running uploads. `openapi` returns the description of all routes, and `draft` runs the `draft` of a visit's route,
    in a worker process if there are any.
    """

    shelf: Shelf
    limits: Limits = field(default_factory=Limits)
    hosts: frozenset[str] | None = None
    scheme: str = "http"
    local: bool = True
    private: bool = False
    hours: float = HOURS
    keys: Keys = field(default_factory=Keys)
    computing: Computing | None = None
    catalogue: Listing = field(init=False)
    counted: Counted = field(init=False)
    hub: Hub = field(init=False)
    pen: Pen | None = field(init=False)
    turns: Turns = field(default_factory=Turns)
    rounds: Rounds = field(default_factory=Rounds)
    threads: Threads = field(default_factory=Threads)
    uploads: int = 0
    openapi: Callable[[], dict[str, Any]] = dict
    draft: Callable[[Visit], Awaitable[Response]] = field(init=False)

    def __post_init__(self) -> None:
        """Make the parts that depend on the shelf or the limits: the game list, the rates, the live streams, the pen.

        If only one request at a time may use the shelf, make its `threads` too.
        """
        shelf, store = self.shelf, self.shelf.store
        self.catalogue = shelf.listing or GameList(shelf)
        if shelf.alone is not None:
            self.threads = Threads(alone=shelf.alone)
        self.counted = Counted(self.limits)
        self.hub = Hub(shelf.feed, self.keys, self.limits, partial(told, shelf), serves=shelf.serves, id_of=id_of)
        self.pen = None if store is None else Pen(store)

    def serves(self, route: Route) -> bool:
        """Return whether this server has the route; routes `of_games` need a shelf of games of day and night."""
        return self.shelf.is_of_games or not route.of_games


@dataclass(slots=True, kw_only=True)
class Visit:
    """One request: its route, its caller, and its game.

    `chosen`: the `language` is named in the address, and not only in a header. `shown` are the caller's credentials
    before they are checked, and `who` is the name under which its requests are counted. `grant` is the caller's grant
    that allows the request. `other` is the second game of a comparison. `request` is Starlette's request object; it is
    None until the route is called.
    """

    house: House
    scope: Mapping[str, Any]
    method: str
    path: str
    headers: Mapping[str, tuple[str, ...]]
    language: str = "en"
    chosen: bool = False
    route: Route | None = None
    params: Mapping[str, str] = field(default_factory=dict)
    shown: str = ""
    caller: Caller | None = None
    who: str = ""
    grant: Grant | None = None
    game: Shelved | None = None
    other: Shelved | None = None
    query: Any = None
    body: bytes = b""
    request: Any = None

    def header(self, name: str) -> str | None:
        """Return the value of a header, the last one if there are several; None if there is none."""
        values = self.headers.get(name)
        return None if not values else values[-1]

    @property
    def shelf(self) -> Shelf:
        """The games that are served."""
        return self.house.shelf

    @property
    def shelved(self) -> Shelved:
        """The game that the address names; read it only in routes of a game."""
        assert self.game is not None
        return self.game

    @property
    def granted(self) -> Grant:
        """The caller's grant that allows the request; read it only after the caller's role was checked."""
        assert self.grant is not None
        return self.grant
