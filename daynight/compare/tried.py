"""Compares a branch with its record, as JSON."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias, TypeVar

from daynight.compare.partings import Parting, events_apart, games_apart
from daynight.framework.audit import Audit
from daynight.framework.branches import Branch, LeftOut
from daynight.framework.language.codec import document_of
from daynight.framework.language.happening import tag_of
from daynight.referee.state import PlayedRecord

R = TypeVar("R", bound=PlayedRecord)

Compared: TypeAlias = Literal["turns", "events"]
"""The places of comparison: the end of each turn, or the state after each event."""


def compared(tried: Branch[R], *, by_event: bool = False) -> tuple[Compared, list[Parting]]:
    """Return what was compared, and the partings: `turns` if a branch and its record differ at the end of a turn.

    If they do not, or with `by_event`, `events` are compared. The record is cut off where the branch's replay stopped.
    """
    game, other = tried.of, tried.game
    upto = game if tried.stopped is None else game.what_if(tried.stopped.number - 1, ())
    if not by_event and (partings := [*games_apart(upto, other, by_step=False)]):
        return "turns", partings
    return "events", [*events_apart(upto, other, tried.origins)]


def tried_document(
    tried: Branch[R], where: Compared, partings: list[Parting], audits: tuple[Audit, Audit]
) -> dict[str, Any]:
    """Return the branch as JSON: its edits, where it differs from its record, and the `audits`, its record's first."""
    told = {
        which: {"verdict": audit.verdict, "differs_at": [one.event for one in audit.disputes]}
        for which, audit in zip(("record", "branch"), audits, strict=True)
    }
    return document_of(
        tried,
        "branch game parted events put_in left_out dropped stopped compared differences audits",
        branch=tried.name,
        game=tried.game.state.game,
        events=len(tried),
        put_in=[number for number, origin in enumerate(tried.origins, 1) if origin is None],
        left_out=[_lost(lost) for lost in tried.left_out],
        stopped=None if tried.stopped is None else _lost(tried.stopped),
        compared=where,
        differences=partings,
        audits=told,
    )


def _lost(lost: LeftOut) -> dict[str, Any]:
    return {"event": lost.number, "type": tag_of(type(lost.event)), "reason": lost.reason}
