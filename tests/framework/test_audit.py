"""The audit of any mechanic: the state that a claim is compared with, the verdict, and mistakes of the mechanic.

| promise | for it | against it |
| --- | --- | --- |
| a finding keeps the state that `seen` returns, with which the claim was compared | test_compared_with | test_right |
| without wrong claims, an audit is exact if at least one right claim is not undone | test_settled | test_undone |
| an audit of a file equals one in memory, also for mistakes of the mechanic | test_streamed | test_says |
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from daynight.framework import Recorded
from daynight.framework.audit import Audit, streamed
from tests.store.lamp import LAMP, Counted, Dimmed, Hung, Lamp, Pressed

BEGUN = [Hung("hall"), Pressed("Ana"), Pressed("Bo")]


def audited(*events: Any, **changes: Any) -> Audit:
    """The audit of `events` in memory; it must equal their audit as a stream. `changes` are fields of the mechanic."""
    record = Recorded(replace(LAMP, **changes), events)
    found = record.audited()
    many, again = streamed(record.mechanic, lambda: events)
    assert (many, again) == (len(events), found)
    return found


def test_compared_with():
    (finding,) = audited(*BEGUN, Counted(3, "Bo"), Pressed("Cy")).findings
    assert (finding.event, finding.right, finding.state) == (4, False, Lamp(2, 3))
    (finding,) = audited(*BEGUN, Counted(2, "Bo"), seen=lambda lamp, number: Lamp(10 * number, 1)).findings
    assert (finding.derived.values, finding.state) == ((40,), Lamp(40, 1))  # type: ignore[union-attr]


def test_right():
    found = audited(*BEGUN, Counted(2, "Bo"))
    assert (found.findings, found.verdict) == ([], "exact")


def test_settled():
    found = audited(*BEGUN, Counted(2, "Bo"), Counted(2, "Cy"), Dimmed(4))
    assert (found.settled, found.verdict) == (4, "exact")


def test_undone():
    found = audited(*BEGUN, Counted(2, "Bo"), Counted(2, "Cy"), Dimmed(3))
    assert (found.settled, found.verdict) == (None, "unverified")
    found = audited(*BEGUN, Counted(2, "Bo"), Dimmed(3), Pressed("Ana"), Counted(3, "Cy"))
    assert (found.settled, found.verdict) == (7, "exact")


def test_streamed():
    found = audited(*BEGUN, Counted(2, "Bo"), Dimmed(2), Counted(1, "Bo"), Counted(2, "Cy"))
    assert [(one.event, one.undone) for one in found.findings] == [(7, False)]
    found = audited(*BEGUN, Counted(3, "Bo"), Dimmed(2))
    assert [(one.event, one.undone) for one in found.findings] == [(4, True)]


def test_says():
    mechanic = replace(LAMP, says=lambda event: None if isinstance(event, Pressed) else ())
    sentence = r"^says, event 2 \(Pressed\): it answered None; answer a list, or \(\) for nothing$"
    with pytest.raises(TypeError, match=sentence):
        streamed(mechanic, lambda: BEGUN)
    with pytest.raises(TypeError, match=sentence):
        Recorded(mechanic, BEGUN).audited()
