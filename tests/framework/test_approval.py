"""The approval of a document in examples/: for each rule a positive and a negative test.

| clause | for it | against it |
| --- | --- | --- |
| a document is opened once, on line 1, and is then a draft | test_draft | test_refused |
| the author submits it | test_submitted | test_refused |
| it is approved when every reviewer has approved | test_approved | test_one_approval |
| one rejection rejects it | test_rejected | test_refused |
| the author withdraws and revises it; earlier reviews do not count then | test_revised | test_refused |
| an event that the stage does not allow is refused | test_refused | the others |
| a claim is compared to the stage | test_wrong_claim | test_right_claim |
| a correction restores the state after an earlier event | test_corrected | test_corrected_to_what_is_to_come |
"""

from pathlib import Path

import pytest

from daynight.framework import Recorded, drop, given
from examples.approval import (
    MECHANIC,
    Approved,
    Corrected,
    Opened,
    Rejected,
    Revised,
    Stage,
    StageClaimed,
    Submitted,
    Withdrawn,
)

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"

DRAFT = (Opened(document="budget", author="Ana", reviewers=("Bo", "Cy")),)
REVIEW = (*DRAFT, Submitted(by="Ana"))
APPROVED = (*REVIEW, Approved(by="Cy"), Approved(by="Bo"))


def test_draft() -> None:
    given(MECHANIC, *DRAFT).part("stage", None, Stage.DRAFT, rule="opened")


def test_submitted() -> None:
    scenario = given(MECHANIC, *DRAFT).when(Submitted(by="Ana")).then({"was": Stage.DRAFT, "became": Stage.REVIEW})
    scenario.part("stage", None, Stage.REVIEW, rule="submitted")


def test_approved() -> None:
    scenario = given(MECHANIC, *APPROVED).part("stage", None, Stage.APPROVED, rule="approved")
    assert (3, 4) == scenario.record.part("stage").because


def test_one_approval() -> None:
    scenario = given(MECHANIC, *REVIEW).when(Approved(by="Bo")).then().part("stage", None, Stage.REVIEW)
    scenario.when(Approved(by="Bo")).then().part("approval", "Bo", True).part("approval", "Cy", None)


def test_rejected() -> None:
    given(MECHANIC, *REVIEW, Approved(by="Bo")).when(Rejected(by="Cy", reason="no")).then({"became": Stage.REJECTED})


@pytest.mark.parametrize("stopped", [Rejected(by="Cy", reason="no"), Withdrawn(by="Ana")])
def test_revised(stopped) -> None:
    scenario = given(MECHANIC, *REVIEW, Approved(by="Bo"), stopped).when(Revised(by="Ana"))
    scenario.then({"became": Stage.DRAFT}).part("approval", "Bo", None)
    scenario.when(Submitted(by="Ana"), Approved(by="Cy")).then().part("stage", None, Stage.REVIEW)


@pytest.mark.parametrize("before, event, path, sentence", [
    ((), Submitted(by="Ana"), "$.type", "document-opened is line 1"),
    (DRAFT, *DRAFT, "$.type", "line 1"),
    ((), Opened(document="d", author="Ana", reviewers=("Bo", "Ana")), "$.reviewers", "different"),
    (DRAFT, Submitted(by="Bo"), "$.by", "submitted in draft needs this: the author does it"),
    (DRAFT, Approved(by="Bo"), "$.type", "approved is not possible in draft; possible: submitted"),
    (DRAFT, Rejected(by="Bo", reason=""), "$.reason", "empty"),
    (REVIEW, Approved(by="Ana"), "$.by", "a reviewer does it, and all others have approved; or a reviewer does it"),
    (REVIEW, Withdrawn(by="Cy"), "$.by", "the author"),
    (APPROVED, Revised(by="Ana"), "$.type", "possible: nothing"),
])  # fmt: skip
def test_refused(before, event, path, sentence) -> None:
    given(MECHANIC, *before).when(event).refused(path=path, sentence=sentence)


def test_wrong_claim() -> None:
    given(MECHANIC, *REVIEW).when(StageClaimed(stage=Stage.APPROVED, by="Bo")).audited("disputed")


def test_right_claim() -> None:
    given(MECHANIC, *APPROVED).audited("unverified").when(StageClaimed(stage=Stage.APPROVED, by="Bo")).audited("exact")


def test_corrected() -> None:
    given(MECHANIC, *APPROVED).when(Corrected(to=3, by="Cy")).then().part("stage", None, Stage.REVIEW)


def test_corrected_to_what_is_to_come() -> None:
    given(MECHANIC, *APPROVED).when(Corrected(to=5, by="Cy")).refused(path="$.to", sentence="not an earlier one")


def test_record() -> None:
    """The example's record has one wrong claim, in event 8; a branch without the rejection stops at event 5."""
    record = Recorded.load(MECHANIC, EXAMPLES / "approval.jsonl")
    (finding,) = record.audited().findings
    assert (8, Stage.APPROVED, Stage.REVIEW) == (finding.event, finding.said.value, finding.derived.value)
    stopped = record.branch(drop(4)).stopped
    assert (5, "revised is not possible in in-review; possible: approved, rejected, withdrawn") == (
        stopped.number,
        stopped.reason,
    )
