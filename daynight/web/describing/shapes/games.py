"""The shapes of lists of games, of what a game is, of marks and links, and of what the server says of itself."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from daynight.events import Designation
from daynight.web.describing.shapes.shape import Count, Digest, Number, Shape
from daynight.web.limits import Limits

Verdict = Literal["disputed", "exact", "unverified"]
Stretch = Annotated[list[Number], Meta(min_length=2, max_length=2)]
"""The first and the last event of a stretch."""


class You(Shape, frozen=True, kw_only=True):
    """The caller; `rules` stands there for a player at a table among friends, who may rule what it is."""

    role: Literal["reader", "spectator", "player", "judge", "owner"]
    name: str | None
    rules: Literal[True] | UnsetType = UNSET


class About(Shape, frozen=True, kw_only=True):
    """What serves here; `mechanic` is the name of another mechanic than day and night, `source` of another program."""

    daynight: str
    mechanic: str | None
    rules: int
    editions: list[str]
    languages: list[str]
    limits: Limits
    you: You | None
    source: str | UnsetType = UNSET


class GameRow(Shape, frozen=True, kw_only=True):
    """A game of the list; of another mechanic its name, how many events it has, and a `verdict` if one is asked for.

    `title` says of a game from a log, whose name a program made up, when it was played and against whom.
    """

    id: str
    game: str
    title: str | UnsetType = UNSET
    events: Count
    turns: Count | UnsetType = UNSET
    spells: Count | UnsetType = UNSET
    changes: Count | UnsetType = UNSET
    designation: Designation | UnsetType | None = UNSET
    possible: list[Designation] | UnsetType = UNSET
    verdict: Verdict | UnsetType = UNSET
    differing: Count | UnsetType = UNSET
    over: bool | UnsetType = UNSET
    kind: str | UnsetType = UNSET
    last: str | UnsetType | None = UNSET
    now: str | UnsetType | None = UNSET


class Games(Shape, frozen=True, kw_only=True):
    """A page of the list; so many events are not in it yet."""

    games: list[GameRow]
    behind: Count
    next: str | None


class BranchName(Shape, frozen=True, kw_only=True):
    """A branch that is kept, a game of its own, and after which event it parts."""

    id: str
    name: str
    parted: Count


class Undoable(Shape, frozen=True, kw_only=True):
    """The last command that can be taken back: its id, whose it is, the events that it stored, and what they say."""

    command: str
    by: str
    first: Number
    last: Number
    sentence: str


class Stops(Shape, frozen=True, kw_only=True):
    """Where the record of another program ends early, and why."""

    event: Number
    sentence: str


class Game(Shape, frozen=True, kw_only=True):
    """A game; `code` is what players note down of a stored one, `identity` what tells it from others of its name.

    `left` are the players who have left it; it is missing if nobody has.
    """

    id: str
    game: str
    identity: Digest
    head: Digest
    undoable: Undoable | None
    players: list[str]
    edition: str | None
    events: Number
    turns: Count | None
    code: str | None
    branches: list[BranchName]
    undone: list[Stretch]
    kind: Literal["stored", "file", "adopted"]
    left: list[str] | UnsetType = UNSET
    title: str | UnsetType = UNSET
    pictured: bool | UnsetType = UNSET
    lost: str | UnsetType | None = UNSET
    stops: Stops | UnsetType | None = UNSET


class NewGame(Game, frozen=True, kw_only=True):
    """A game that was begun."""

    command: str
    repeated: bool


class Mark(Shape, frozen=True, kw_only=True):
    """A mark of the timeline."""

    event: Number
    kind: Literal["turn", "change", "disagreement", "dispute", "note"]
    turn: Count | None
    text: str


class Marks(Shape, frozen=True, kw_only=True):
    """A page of the marks."""

    marks: list[Mark]
    next: str | None


class Found(Shape, frozen=True, kw_only=True):
    """An event that has the words."""

    event: Number
    turn: Count | None
    sentence: str


class FoundEvents(Shape, frozen=True, kw_only=True):
    """A page of the events that have the words; `total` is how many there are in all."""

    events: list[Found]
    total: Count
    next: str | None


class LinkRow(Shape, frozen=True, kw_only=True):
    """A link that is good; `rules` stands there for one that allows a player to rule what it is."""

    link: str
    game: str
    role: Literal["spectator", "player", "judge"]
    name: str | None
    ends: str
    rules: Literal[True] | UnsetType = UNSET


class Links(Shape, frozen=True, kw_only=True):
    """A page of the links."""

    links: list[LinkRow]
    next: str | None


class NewLink(Shape, frozen=True, kw_only=True):
    """A link that was made; its key is shown now, and never again. `picture`: `url` as a QR code, a `data:` address."""

    link: str
    url: str
    key: str
    picture: str
