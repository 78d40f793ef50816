"""The shapes of lists of games, of one game, of marks and links, and of facts about the server."""

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
    """The caller; `rules` is present for a player at a table among friends, who may rule that it is day or night."""

    role: Literal["reader", "spectator", "player", "judge", "owner"]
    name: str | None
    rules: Literal[True] | UnsetType = UNSET


class About(Shape, frozen=True, kw_only=True):
    """Facts about the server; `mechanic` is null for day and night; `source` is what recorded adopted records."""

    daynight: str
    mechanic: str | None
    rules: int
    editions: list[str]
    languages: list[str]
    limits: Limits
    you: You | None
    source: str | UnsetType = UNSET


class GameRow(Shape, frozen=True, kw_only=True):
    """A game in the list; for another mechanic its name, its number of events, and a `verdict`.

    A stored record of another mechanic has a `verdict` only if one is requested.
    `title` is there for a game from a log that has no name of its own: when it was played, and against whom.
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
    """A page of the list; `behind` events are not in it yet."""

    games: list[GameRow]
    behind: Count
    next: str | None


class BranchName(Shape, frozen=True, kw_only=True):
    """A stored branch, which is also a game, and the event after which it branches off."""

    id: str
    name: str
    parted: Count


class Undoable(Shape, frozen=True, kw_only=True):
    """The last command that can be undone: its id, its sender, its first and last event, and a sentence about them."""

    command: str
    by: str
    first: Number
    last: Number
    sentence: str


class Stops(Shape, frozen=True, kw_only=True):
    """The first event of another program's record that cannot be read, and why: the record ends before it."""

    event: Number
    sentence: str


class Game(Shape, frozen=True, kw_only=True):
    """A game; `code` is the code that players note down, `identity` distinguishes it from other games of its name.

    `left` are the players who have left the game; it is missing if nobody has.
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
    """A new game, and the command that began it; `repeated`: it was stored before."""

    command: str
    repeated: bool


class Mark(Shape, frozen=True, kw_only=True):
    """A marked event of the timeline: a new turn, a change, a disagreement, a dispute or a note."""

    event: Number
    kind: Literal["turn", "change", "disagreement", "dispute", "note"]
    turn: Count | None
    text: str


class Marks(Shape, frozen=True, kw_only=True):
    """A page of the marks."""

    marks: list[Mark]
    next: str | None


class Found(Shape, frozen=True, kw_only=True):
    """An event that contains the words searched for."""

    event: Number
    turn: Count | None
    sentence: str


class FoundEvents(Shape, frozen=True, kw_only=True):
    """A page of the events that contain the words searched for; `total` counts those of all pages."""

    events: list[Found]
    total: Count
    next: str | None


class LinkRow(Shape, frozen=True, kw_only=True):
    """A valid link; `rules` is present if it allows a player to rule that it is day or night."""

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
    """A new link; its key is shown now, and never again. `picture`: `url` as a QR code, a `data:` address."""

    link: str
    url: str
    key: str
    picture: str
