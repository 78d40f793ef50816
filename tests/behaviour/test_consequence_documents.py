"""Consequences as JSON: one object for each, field by field."""

from __future__ import annotations

import json
from typing import Any

import pytest

from daynight.events import (
    Changed,
    Consequence,
    Designation,
    EnteredTransformed,
    Face,
    PhasedBack,
    Refused,
    Transformed,
    Triggered,
)
from daynight.referee.documents import consequence_document, now_document
from daynight.referee.state import State

WHY: dict[str, Any] = {"event": 9, "because": (4, 9)}
TOLD = {"event": 9, "because": [4, 9]}
EDITION = "2024-06-07"


@pytest.mark.parametrize("consequence, document", [
    (
        Changed(turn=3, was=Designation.DAY, became=Designation.NIGHT, rule="check-day", implied=True, **WHY),
        {"type": "changed", "turn": 3, "was": "day", "became": "night", "rule": "check-day", "cr": "728.2a",
         "implied": True},
    ),
    (
        Transformed(permanents=("w1",), face=Face.BACK, rule="daybound-at-night", certain=False, **WHY),
        {"type": "transformed", "permanents": ["w1"], "face": "back", "rule": "daybound-at-night",
         "cr": "702.145c", "certain": False},
    ),
    (
        EnteredTransformed(permanents=("w1", "w2"), rule="daybound-enters", **WHY),
        {"type": "entered-transformed", "permanents": ["w1", "w2"], "rule": "daybound-enters", "cr": "702.145b"},
    ),
    (
        Refused(permanents=("w1",), rule="daybound-refuses", **WHY),
        {"type": "refused", "permanents": ["w1"], "rule": "daybound-refuses", "cr": "702.145b"},
    ),
    (
        PhasedBack(permanents=("w1",), rule="phasing", implied=True, **WHY),
        {"type": "phased-back", "permanents": ["w1"], "rule": "phasing", "cr": "502.1", "implied": True},
    ),
])  # fmt: skip
def test_documents(consequence: Consequence, document: dict[str, Any]):
    """Each consequence has its rule's number; `certain` is there only if False, and `implied` only if True."""
    found = json.loads(json.dumps(consequence_document(consequence, EDITION)))
    assert document | TOLD == found
    assert document["cr"].replace("728", "724") == consequence_document(consequence, "2021-11-19")["cr"]


def test_triggers():
    """The controller of a trigger is not in the document."""
    trigger = Triggered(
        turn=3, permanent="w1", was=Designation.DAY, became=None, stacked=9, rule="r", controller="A", **WHY
    )
    found = consequence_document(trigger, EDITION)
    assert {"type": "triggered", "turn": 3, "permanent": "w1", "was": "day", "became": None, "stacked": 9} | TOLD == {
        key: found[key] for key in found if key not in ("rule", "cr")
    }


def test_before_the_first_turn():
    """Before any event the current tally is empty, and the previous one is None."""
    assert {"previous": None, "current": {"active": [], "spells": {}}} == now_document(State())["tallies"]
