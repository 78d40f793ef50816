"""A visit: one request on its way to an answer, with what is known of it so far."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from starlette.responses import Response

from daynight.web.catalogue import Catalogue
from daynight.web.door.keys import HOURS, Caller, Grant, Keys
from daynight.web.door.rates import Counted
from daynight.web.limits import Limits
from daynight.web.live.hub import Hub
from daynight.web.live.telling import told
from daynight.web.queries import Query
from daynight.web.shelf import Shelf, Shelved, id_of
from daynight.web.writing.pen import Pen

if TYPE_CHECKING:
    from daynight.web.computing import Computing

Answered = Response | Awaitable[Response]


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """What OpenAPI shows of a route: its answer, and the body that it takes."""

    answer: Any = None
    body: Any = None
    status: int = 200
    media: str = "application/json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """A route: its method and path, the function that answers, and the act that the caller must be allowed.

    `may` is `open` where no key is asked for, else an act of the table of roles: `read` a game, `list` all games, and
    so on. `takes` is the media type of the body. `of_games`: only day and night can answer it. `answer` is called in a
    thread of its own, unless it is `awaited`; what is `computed` may take long, and is answered in another process.
    `before` is called first, here, and `after` with what was answered.
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
    computed: bool = False
    before: Callable[[Visit], None] | None = None
    after: Callable[[Visit, Response], Response] | None = None
    example: Example = Example()


@dataclass(slots=True, kw_only=True)
class House:
    """The server's shared parts, for every route.

    `hosts` are the names that the server was started for; None: any. `local`: the server is bound to loopback alone.
    `private`: reading needs a key there too. A link lives `hours` unless it says otherwise. `keys` know the callers and
    `counted` how often each asks; `hub` has the live streams; `pen` writes, where there is a store; `uploads` of them
    are under way. `openapi` describes all routes.
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
    catalogue: Catalogue = field(init=False)
    counted: Counted = field(init=False)
    hub: Hub = field(init=False)
    pen: Pen | None = field(init=False)
    uploads: int = 0
    openapi: Callable[[], dict[str, Any]] = dict

    def __post_init__(self) -> None:
        """List what is served, and see that it can be listened to and written to."""
        shelf, store = self.shelf, self.shelf.store
        self.catalogue = Catalogue(shelf)
        self.counted = Counted(self.limits)
        self.hub = Hub(store, self.keys, self.limits, partial(told, shelf), serves=shelf.serves, id_of=id_of)
        self.pen = None if store is None else Pen(store)


@dataclass(slots=True, kw_only=True)
class Visit:
    """One request: what it asks for, its caller, and the game that it is about.

    `grant` is the key that lets the `caller` in here. `other` is a second game, where two are compared.
    `request` is Starlette's, once it has come to the route.
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
    caller: Caller | None = None
    grant: Grant | None = None
    game: Shelved | None = None
    other: Shelved | None = None
    query: Any = None
    body: bytes = b""
    request: Any = None

    def header(self, name: str) -> str | None:
        """The value of a header; where it stands several times, the last one's."""
        values = self.headers.get(name)
        return None if not values else values[-1]

    @property
    def shelf(self) -> Shelf:
        """The games that are served."""
        return self.house.shelf

    @property
    def shelved(self) -> Shelved:
        """The game that the address names."""
        assert self.game is not None
        return self.game

    @property
    def granted(self) -> Grant:
        """The key that lets the caller in here."""
        assert self.grant is not None
        return self.grant
