"""What-ifs: the edits as a client sends them, and the branch that they make."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import UNSET, Meta, Struct, UnsetType

from daynight.framework.branches import Branch
from daynight.framework.edits import Edit, drop, insert, replace
from daynight.framework.language.kinds import NAME_LENGTH
from daynight.framework.language.wording import _
from daynight.framework.positions import Position
from daynight.web.errors import Problem
from daynight.web.file_game import Played

NAME = "branch"
"""The name of a branch that is not stored."""

Said = list[dict[str, Any] | str]
"""Events, each as an object or in words."""


class AskedEdit(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One edit: `insert` puts events after event `at`, `replace` puts events in its place, `drop` leaves `at` out."""

    at: Annotated[int, Meta(ge=1, le=2**53)] | str
    insert: Said | UnsetType = UNSET
    replace: Said | UnsetType = UNSET
    drop: bool = False


class Tried(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Edits to try, and the name under which to store the branch, if it is stored."""

    edits: list[AskedEdit]
    keep: Annotated[str, Meta(min_length=1, max_length=NAME_LENGTH)] | UnsetType = UNSET


def check(asked: Tried, most: int) -> None:
    """Check the edits of a what-if, as `check_edits`.

    Raises:
        Problem: as `check_edits`.
    """
    check_edits(asked.edits, most)


def check_edits(edits: list[AskedEdit], most: int) -> None:
    """Check that there are 1 to `most` edits, each with one of `insert`, `replace`, `drop`, and at most `most` events.

    Raises:
        Problem: where this is not so, or `insert` or `replace` has no events.
    """
    if len(edits) > most:
        raise Problem(413, "too-large", _("a what-if may have {most} edits").format(most=most))
    if any(len(one.insert or one.replace or ()) > most for one in edits):
        raise Problem(413, "too-large", _("an edit may have {most} events").format(most=most))
    if not edits:
        raise Problem(400, "bad-request", _("there is nothing to try; give edits"), path="$.edits")
    for number, one in enumerate(edits):
        if [one.insert is not UNSET, one.replace is not UNSET, one.drop].count(True) != 1 or [] in (
            one.insert,
            one.replace,
        ):
            sentence = _("an edit has exactly one of insert, replace and drop, and events for the first two")
            raise Problem(400, "bad-request", sentence, path=f"$.edits[{number}]")


def branch_of(game: Played, asked: Tried) -> Branch[Any]:
    """Return the branch of a game that these edits make.

    Raises:
        Problem, AskedError, RecordError, NotFoundError: where an edit cannot be made.
    """
    return game.branch(*edits_of(asked.edits), name=asked.keep or NAME)


def edits_of(edits: list[AskedEdit]) -> list[Edit]:
    """Return edits in the form that `Game.branch` takes.

    Raises:
        PositionError, Problem: as `edit_of`.
    """
    return [*map(edit_of, edits)]


def edit_of(change: AskedEdit) -> Edit:
    """Return an edit in the form that `Game.branch` takes.

    Raises:
        Problem: where its position is on a branch.
        PositionError: where its position is not valid.
    """
    at = Position.parse(change.at)
    if at.branch is not None:
        raise Problem(400, "bad-parameter", _("{position} is on a branch; a branch is a record of its own").format(
            position=at
        ))  # fmt: skip
    if change.insert is not UNSET:
        return insert(at, *change.insert)
    return drop(at) if change.replace is UNSET else replace(at, *change.replace)
