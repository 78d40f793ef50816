"""Records with a dispute, whose last line is impossible."""

from typing import Any

from .lines import Malformed, bad, event, played, turn

__all__ = ["DISPUTES"]

MOST = 1_000


def opened(id: str = "d1", **fields: Any) -> dict[str, Any]:
    """Return the fields of a dispute-opened event, by Ana."""
    return event("dispute-opened", dispute=id, by="Ana", **fields)


def said(id: str = "d1", **fields: Any) -> dict[str, Any]:
    """Return the fields of a dispute-claimed event, by Bo."""
    return event("dispute-claimed", dispute=id, by="Bo", **fields)


def ruled(id: str = "d1", outcome: str = "leave", **fields: Any) -> dict[str, Any]:
    """Return the fields of a dispute-ruled event, by Judge, with this outcome."""
    return event("dispute-ruled", dispute=id, by="Judge", outcome=outcome, **fields)


def appealed(id: str = "d1") -> dict[str, Any]:
    """Return the fields of a dispute-appealed event, by Bo."""
    return event("dispute-appealed", dispute=id, by="Bo")


def closed(id: str = "d1", outcome: str = "leave") -> dict[str, Any]:
    """Return the fields of a dispute-closed event, by Judge, with this outcome."""
    return event("dispute-closed", dispute=id, by="Judge", outcome=outcome)


BACK = event("game-backed-up", to=2, by="Judge")
OVER = [opened(), ruled(), closed()]
UNKNOWN = "no dispute 'd2'; there: d1"
NOT_RULED = "nothing was ruled in dispute 'd1'; record dispute-ruled first"
CLOSED = "dispute 'd1' is closed; open another one"
UNDER_APPEAL = "the ruling in dispute 'd1' is under appeal; record another dispute-ruled first"

DISPUTES: dict[str, Malformed] = {
    "a dispute before game-started": bad("$.type", "game-started is missing", opened()),
    "an id used before": played("$.dispute", "there is a dispute 'd1' already", opened(), opened()),
    "an id of a closed dispute": played("$.dispute", "there is a dispute 'd1' already", *OVER, opened()),
    "an id of an undone stretch": played("$.dispute", "a dispute 'd1' already", turn(2), opened(), BACK, opened()),
    "about event 0": played("$.about", "event 0 is not an earlier one", opened(about=0)),
    "about itself": played("$.about", "event 3 is not an earlier one", opened(about=3)),
    "about what is to come": played("$.about", "event 9 is not an earlier one", opened(about=9)),
    "too many disputes": played(
        "$.dispute", "a record may have 1000 disputes", *[opened(f"d{n}") for n in range(MOST + 1)]
    ),
    "nobody's dispute": played("$.dispute", "no dispute 'd1'; there: none", said(says="x")),
    **{
        f"{one['type']} of another dispute": played("$.dispute", UNKNOWN, opened(), one)
        for one in (said("d2", says="x"), ruled("d2"), appealed("d2"), closed("d2"))
    },
    "a claim of nothing": played("$", "give designation, says, or both", opened(), said()),
    "a claim of no words": played("$.says", "expected 1 to 2000 characters", opened(), said(says="")),
    "an appeal of nothing": played("$.dispute", NOT_RULED, opened(), appealed()),
    "an end without a ruling": played("$.dispute", NOT_RULED, opened(), said(designation="day"), closed()),
    "an appeal of an appeal": played("$.dispute", UNDER_APPEAL, opened(), ruled(), appealed(), appealed()),
    "an end under appeal": played("$.dispute", UNDER_APPEAL, opened(), ruled(), appealed(), closed()),
    "an end otherwise than ruled": played(
        "$.outcome", "is: leave the game as it is; close it with that", opened(), ruled(), closed(outcome="fix")
    ),
    "an end as ruled before the appeal": played(
        "$.outcome", "is: fix the game", opened(), ruled(), appealed(), ruled(outcome="fix"), closed()
    ),
    **{
        f"{one['type']} after the end": played("$.dispute", CLOSED, *OVER, one)
        for one in (said(says="x"), ruled(), appealed(), closed())
    },
    "a back-up to nowhere": played("$.to", "names the event to go to", opened(), ruled(outcome="back-up")),
    "a back-up to event 0": played("$.to", "event 0 is not an earlier", opened(), ruled(outcome="back-up", to=0)),
    "a back-up to itself": played("$.to", "event 4 is not an earlier", opened(), ruled(outcome="back-up", to=4)),
    "a back-up to what was undone": played(
        "$.to", "event 3 was undone", turn(2), BACK, opened(), ruled(outcome="back-up", to=3)
    ),
    "leaving it, and going back": played("$.to", "only a ruling to back up", opened(), ruled(to=2)),
    "fixing it, and going back": played("$.to", "only a ruling to back up", opened(), ruled(outcome="fix", to=2)),
    "leaving it, at night": played("$.designation", "only a ruling to fix", opened(), ruled(designation="night")),
    "backing up, at night": played(
        "$.designation", "only a ruling to fix", opened(), ruled(outcome="back-up", to=2, designation="night")
    ),
    "too many words": played("$.says", "what somebody says may have 2000 characters", opened(), said(says="x" * 2001)),
    "words that steer": played("$.says", "U+001B may not stand", opened(), said(says="\x1b[2J")),
    "dusk as a ruling": played("$.designation", "'dusk'", opened(), ruled(outcome="fix", designation="dusk")),
    "another outcome": played("$.outcome", "no such value: 'replay'", opened(), ruled(outcome="replay")),
    "nearly an outcome": played("$.outcome", "'leav'; did you mean leave?", opened(), ruled(outcome="leav")),
}
