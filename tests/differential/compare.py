"""The referee beside the naive oracle, which was written from the contract and shares no code with it."""

from __future__ import annotations

from typing import Any

from daynight.documents import state_document
from daynight.game import Game
from daynight.rules.citations import DEFAULT_EDITION
from daynight.state import State
from tests.oracle.naive import Naive

TRIGGER = ("event", "permanent", "was", "became", "stacked", "certain")


def comparable(document: dict[str, Any]) -> dict[str, Any]:
    """The document without what only we print, and with what has no order of its own in one."""
    changes = sorted(document["changes"], key=lambda c: (c["event"], "neither day night".index(c["was"]), str(c)))
    triggers = sorted(
        ({key: trigger[key] for key in TRIGGER if key in trigger} for trigger in document["triggers"]), key=str
    )
    battlefield = [
        permanent | {"keywords": permanent["keywords"] and sorted(permanent["keywords"])}
        for permanent in document["battlefield"]
    ]
    return document | {"changes": changes, "triggers": triggers, "battlefield": battlefield}


def ours(state: State) -> dict[str, Any]:
    """Our document of a state, comparable."""
    return comparable(state_document(state, state.edition or DEFAULT_EDITION))


def findings(audit: dict[str, Any]) -> dict[str, Any]:
    """Verdict, findings and unsettled claims, without the words."""
    keys = ("event", "about", "subject", "claimed", "derived", "undone")
    return {
        "verdict": audit["verdict"],
        "findings": [{k: f[k] for k in keys if k in f} for f in audit["findings"]],
        "unsettled": [{k: f[k] for k in keys if k in f} for f in audit["unsettled"]],
    }


def agree(record: list[dict[str, Any]]) -> None:
    """After every event, and in the audit of the whole, both say the same."""
    naive, game = Naive(), Game()
    for number, event in enumerate(record, 1):
        naive.apply(event)
        game.record(event)
        assert comparable(naive.document()) == ours(game.state), f"after event {number}: {event}"
    assert findings(naive.findings()) == findings(game.audit().document())
