"""The shapes of the answers to a write, and of problems."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, UnsetType

from daynight.web.describing.shapes.questions import Forecast
from daynight.web.describing.shapes.shape import PLACE, Count, Digest, Number, Shape
from daynight.web.describing.shapes.states import Moment, PartsMoment


class Acknowledged(Shape, frozen=True, kw_only=True):
    """The result of a command; `repeated`: it was stored before. `moments` is null if there are more than 500."""

    command: str
    first: Number
    last: Number
    repeated: bool
    moments: list[Moment] | None
    forecast: Forecast | None
    code: str | None
    head: Digest


class PartsAcknowledged(Shape, frozen=True, kw_only=True):
    """The result of a command of another mechanic."""

    command: str
    first: Number
    last: Number
    repeated: bool
    moments: list[PartsMoment] | None
    forecast: None
    code: str | None
    head: Digest


class StoredGame(Shape, frozen=True, kw_only=True):
    """A stored game; `repeated`: it was stored before."""

    id: str
    game: str
    events: Count
    code: str | None
    repeated: bool


class ReportPlace(Shape, frozen=True, kw_only=True):
    """A line of the upload."""

    source: str
    line: Count


class ReportLine(ReportPlace, frozen=True, kw_only=True):
    """An unreadable line, and the reason."""

    sentence: str


class ReportGroup(Shape, frozen=True, kw_only=True):
    """Warnings or notes of one kind about an uploaded log."""

    kind: str
    count: Count
    sentence: str
    first: list[ReportPlace]


class ReportGame(Shape, frozen=True, kw_only=True):
    """A game of a log, and the result of storing it."""

    game: str
    source: str
    line: Count
    events: Count
    ended: bool
    warnings: dict[str, Count]
    stored: Count | UnsetType = UNSET
    appended: Count | UnsetType = UNSET
    taken_back: Count | UnsetType = UNSET
    stored_as: str | UnsetType = UNSET
    part: Literal[True] | UnsetType = UNSET


class ImportReport(Shape, frozen=True, kw_only=True):
    """What an importer read, could not read, and warned of."""

    importer: str
    table: str | None
    sources: list[str]
    games: list[ReportGame]
    events: Count
    skipped: Count
    skipped_lines: list[ReportLine]
    warnings: list[ReportGroup]
    notes: list[ReportGroup]


class Imported(Shape, frozen=True, kw_only=True):
    """The stored games and, for logs, the report of the import."""

    games: list[StoredGame]
    report: ImportReport | None


Since = Annotated[
    list[Any],
    Meta(
        extra_json_schema={
            "items": {"anyOf": [{"$ref": f"{PLACE}Moment"}, {"$ref": f"{PLACE}PartsMoment"}]},
        }
    ),
]
"""The moments that the sender had not seen."""


class NotFollowing(Shape, frozen=True, kw_only=True):
    """An event that a correction would make impossible, and the reason."""

    event: Number
    type: str
    reason: str


class Problem(Shape, frozen=True, kw_only=True):
    """A problem, as in RFC 9457; `detail` is a sentence, `exit` the exit code of a command for the same error."""

    type: Annotated[str, Meta(pattern="^urn:daynight:[a-z-]+$")]
    title: str
    status: int
    detail: str
    exit: int | None
    line: int | UnsetType = UNSET
    path: str | UnsetType = UNSET
    last: Count | UnsetType = UNSET
    turn: Count | UnsetType | None = UNSET
    since: Since | UnsetType | None = UNSET
    game: str | UnsetType | None = UNSET
    event: int | UnsetType | None = UNSET
    id: str | UnsetType = UNSET
    identity: Digest | UnsetType = UNSET
    impossible: list[NotFollowing] | UnsetType = UNSET
