"""Compares the referee with the naive oracle, which was written from the contract and shares no code with it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from daynight.framework.language.errors import RecordError
from daynight.game import Game
from daynight.referee.documents import state_document
from daynight.referee.state import State
from daynight.rules.citations import DEFAULT_EDITION
from tests.oracle.naive import Naive

Json = dict[str, Any]
Refusals = Sequence[tuple[int, Json]]
TRIGGER = ("event", "permanent", "was", "became", "stacked", "certain")


def comparable(document: dict[str, Any]) -> dict[str, Any]:
    """The document without fields that only the referee prints, and with unordered lists sorted."""
    places = [place(change) for change in document["changes"]]
    assert places == sorted(places)
    changes = sorted(document["changes"], key=lambda c: (place(c), "neither day night".index(c["was"]), str(c)))
    triggers = sorted(
        ({key: trigger[key] for key in TRIGGER if key in trigger} for trigger in document["triggers"]),
        key=lambda trigger: (trigger["event"], trigger["permanent"]),
    )
    battlefield = [
        permanent | {"keywords": permanent["keywords"] and sorted(permanent["keywords"])}
        for permanent in document["battlefield"]
    ]
    return document | {"changes": changes, "triggers": triggers, "battlefield": battlefield}


def place(change: Json) -> tuple[int, bool]:
    """The sort key of a change: its event; changes in an untap step that no line mentions come first."""
    return change["event"], not change.get("implied", False)


def ours(state: State) -> dict[str, Any]:
    """The JSON document that the referee makes of a state, reduced by `comparable`."""
    return comparable(state_document(state, state.edition or DEFAULT_EDITION))


def findings(audit: dict[str, Any]) -> dict[str, Any]:
    """Verdict, findings, unsettled claims and disputes, without sentences."""
    keys = ("event", "about", "subject", "claimed", "derived", "undone")
    return {
        "verdict": audit["verdict"],
        "findings": [{k: f[k] for k in keys if k in f} for f in audit["findings"]],
        "unsettled": [{k: f[k] for k in keys if k in f} for f in audit["unsettled"]],
        "disputes": audit["disputes"],
    }


def agree(record: list[Json], refused: Refusals = ()) -> None:
    """Assert that referee and oracle give the same state after every event of `record`, and the same audit.

    `refused` lists events that the oracle refused, each after an event's number; the referee must refuse them too.
    """
    naive, game = Naive(), Game()
    for number, event in enumerate(record, 1):
        for before, impossible in refused:
            if before == number - 1:
                refuses(game, impossible)
        naive.apply(event)
        game.record(event)
        assert comparable(naive.document()) == ours(game.state), f"after event {number}: {event}"
    assert findings(naive.findings()) == findings(game.audit().document())


def refuses(game: Game, impossible: Json) -> None:
    """Assert that the referee refuses what the oracle refused, and does not change."""
    before = ours(game.state)
    try:
        game.record(impossible)
    except RecordError:
        assert before == ours(game.state)
    else:
        raise AssertionError(f"after event {game.state.event - 1}, not refused: {impossible}")
