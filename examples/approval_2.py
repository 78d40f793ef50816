"""The second release of `approval.py`, which opens the store of the first.

Two things have changed. A rejection has a field, `final`: the default of new rejections is False, and every rejection
of the first release is read as a final one. A reviewer approves once; the first release accepted a second approval, and
a stored one stays accepted.

Run it as `python examples/approval_2.py list --db examples/approval-1.db`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from daynight.cli.mechanics import commands
from daynight.framework import Change, ImpossibleError, Language, Lift, Mechanic, Saying

try:
    from examples import approval as first
except ImportError:  # it is run as a script
    import approval as first  # type: ignore[import-not-found, no-redef]


class Rejected(first.Act, frozen=True, tag="rejected.2"):
    """A reviewer rejects, and says why. If the rejection is not `final`, it is only a remark, and changes nothing."""

    reason: Saying
    final: bool = False


Event: TypeAlias = (
    first.Opened | first.Submitted | first.Approved | Rejected | first.Withdrawn | first.Revised | first.StageClaimed
    | first.Corrected
)  # fmt: skip


def was_final(old: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a rejection of the first release with `final` as True: every rejection was final then."""
    return old | {"final": True}


def check(paper: first.Paper, event: Event, number: int) -> None:
    """Raise ImpossibleError for a second approval by a reviewer. Events that are stored already are not checked."""
    if isinstance(event, first.Approved) and event.by in paper.approvals:
        raise ImpossibleError(f"{event.by} has approved already", path="$.by")


def step(paper: first.Paper, event: Event, number: int) -> Sequence[Change]:
    """Apply an event to the state, as the first release does, and return the changes; a remark changes nothing."""
    if isinstance(event, Rejected):
        return first.step(paper, first.Rejected(by=event.by, reason=event.reason), number) if event.final else ()
    return first.step(paper, event, number)


FIRST: Mechanic[Any, Any, Any] = first.MECHANIC
MECHANIC = replace(
    FIRST,
    language=Language[Any](Event, upcasters={"rejected": Lift("rejected.2", was_final)}),
    step=step,
    check=check,
    version=2,
    seals={first.Approved: "after", Rejected: "after"},
)

if __name__ == "__main__":
    commands(MECHANIC)()
