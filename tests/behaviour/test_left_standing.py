"""A judge carried out a ruling, and the last ruling leaves the game as it is: the earlier act stays in force.

| promise | test |
| --- | --- |
| the text says that the earlier act stays in force, and from where the game continued | test_stands |
| no such text if the last ruling is another or under appeal, or the act is missing or undone | test_does_not |
| the text is in the dispute's account, in reports and in the backup plan | test_said |
"""

from __future__ import annotations

import pytest

from daynight.cli.commands import run
from daynight.questions.backup_plan import backup_plan
from tests.behaviour.games import told
from tests.reports.looking import page, seen
from tests.rules.judges import appeals, back_up, closes, opens, ruled, rules_on
from tests.rules.words import effect

DAY = effect("day")
BACK = [DAY, opens(), rules_on(outcome="back-up", to=2), back_up(2)]
FIX = [DAY, opens(), rules_on(outcome="fix", designation="night"), ruled("night")]
LEFT = [appeals(), rules_on(outcome="leave")]
STANDS = "the back-up at event 5 stands: the game went on from after event 2"


@pytest.mark.parametrize("end", [[], [closes(outcome="leave")], [effect("night")]])
def test_stands(end):
    """The earlier act stays in force whether the dispute is closed or not, and whatever comes later."""
    (dispute,) = told(*BACK, *LEFT, *end).disputes()
    assert [(5, STANDS)] == [(one.event, one.sentence) for one in dispute.stands]
    assert [{"event": 5, "sentence": STANDS}] == dispute.document()["stands"]
    (dispute,) = told(*FIX, *LEFT, *end).disputes()
    assert ["the ruling at event 5 stands: it was night from then on"] == [one.sentence for one in dispute.stands]


@pytest.mark.parametrize("events", [
    BACK, [*BACK, closes(outcome="back-up")], [*BACK, *LEFT, appeals()],
    [*BACK, *LEFT, appeals(), rules_on(outcome="back-up", to=2)],
    [DAY, opens(), rules_on(outcome="back-up", to=2), *LEFT], [DAY, opens(), rules_on(outcome="leave")],
    [*BACK, *LEFT, back_up(2)],
])  # fmt: skip
def test_does_not(events):
    """`stands` is empty if the last ruling is not `leave` or is appealed, or if the back-up is missing or undone."""
    (dispute,) = told(*events).disputes()
    assert () == dispute.stands


def test_said(tmp_path, capsys):
    """The dispute's account, reports and the backup plan all have the text, or none has."""
    for events, there in (([*BACK, *LEFT], True), ([*BACK, closes(outcome="back-up")], False)):
        game = told(*events)
        path = tmp_path / "g.jsonl"
        game.save(path)
        assert 0 == run(["dispute", "show", str(path)])
        assert there is (f"  {STANDS}\n" in capsys.readouterr().out)
        assert there is (f"Still in force e5: {STANDS}" in seen(page(game)).text)
        reasons = {reversal.event: reversal.reason for reversal in backup_plan(game, 2).reversals}
        assert there is (reasons.get(7) == f"of the record, not of the game: it stays; {STANDS}")
        assert "of the record, not of the game: it stays" == reasons[6]
