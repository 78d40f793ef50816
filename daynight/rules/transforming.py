"""Transforming by the instruction of a spell or ability."""

from __future__ import annotations

from collections.abc import Iterator

from daynight.events import Face, Refused, Transformed, TransformInstructed
from daynight.projections.battlefield import Battlefield, Status
from daynight.referee.worlds.possibilities import Possibility
from daynight.rules.holding import holders, obstacle


def instructed(
    possibility: Possibility, battlefield: Battlefield, told: TransformInstructed, *, event: int
) -> Iterator[Transformed | Refused]:
    """Yield a `Transformed` for each face that permanents turn to, and a `Refused` for each reason not to transform.

    A permanent does not transform if it has daybound or nightbound, if it can't, or if the instruction comes from its
    own ability and it has transformed since that went on the stack (`own_since`).
    """
    outcomes: dict[tuple[str, Face | None], list[str]] = {}
    held = holders(battlefield, possibility.backs)
    for id in told.permanents:
        refusal = _refusal(battlefield[id], possibility, battlefield, held, told.own_since)
        if refusal is None:
            over = Face.FRONT if id in possibility.backs else Face.BACK
            outcomes.setdefault(("transforms", over), []).append(id)
        else:
            outcomes.setdefault((refusal, None), []).append(id)
    because = (event,) if told.own_since is None else (told.own_since, event)
    for (rule, face), ids in outcomes.items():
        if face is None:
            yield Refused(event=event, rule=rule, because=because, permanents=tuple(ids))
        else:
            yield Transformed(event=event, rule=rule, because=because, permanents=tuple(ids), face=face)


def _refusal(
    status: Status, possibility: Possibility, battlefield: Battlefield, held: frozenset[str], since: int | None
) -> str | None:
    backs = possibility.backs
    if status.has("daybound", backs):
        return "daybound-refuses"
    if status.has("nightbound", backs):
        return "nightbound-refuses"
    if obstacle(status, battlefield, backs, held) is not None:
        return "cannot-transform"
    turned = possibility.turned.get(status.id)
    if since is not None and isinstance(turned, Transformed) and turned.event > since:
        return "transformed-since"
    return None
