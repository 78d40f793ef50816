"""Explains findings of the audit in detail: a case is one finding with its explanation, evidence and consequences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from daynight.events import Changed, Consequence, Event
from daynight.framework.folding.moment import Moment
from daynight.framework.language.codec import document_of
from daynight.game import Game
from daynight.projections.audit.findings import Finding
from daynight.projections.transcript import Line
from daynight.questions.blame import Blamed, blamed
from daynight.questions.explain import Explanation, RuleSource, explained, sources_for
from daynight.referee.due import shown

MOST = 20
"""The most findings that are explained in detail; further ones are listed with their sentence only."""

WORK = 400_000
"""The most events of all cases together, each case counting the whole game: a long game has fewer cases."""

AFTER = 12
"""The most events that a case lists in `then`."""


@dataclass(frozen=True, slots=True)
class Case:
    """A finding, and the place in the game where it was made.

    `why` explains the designation or face at event `at`: a claim's own event, or the event before a ruling; None if the
    finding is about a number of spells. `card` is the card of the permanent in question. `evidence` are the claim and
    the events on which finding and explanation rest. `then` are the events with consequences, from the change that
    `why` explains up to the next change of the designation; `more` counts those that are left out. `blame` names the
    event and the rule that set the part in question.
    """

    finding: Finding
    turn: int
    step: str | None
    at: int
    card: str | None
    why: Explanation | None
    sources: tuple[RuleSource, ...]
    evidence: tuple[Line, ...]
    then: tuple[Line, ...]
    more: int
    blame: tuple[Blamed, ...]

    def document(self, edition: str) -> dict[str, Any]:
        """Return the case as JSON."""
        return self.finding.document(edition) | document_of(
            self,
            "turn step at why sources evidence then more blame",
            evidence=[{"event": line.number, "sentence": line.sentence} for line in self.evidence],
            then=[{"event": line.number, "sentences": list(line.consequences)} for line in self.then],
            blame=[one.document(edition) for one in self.blame],
        )


def many(events: int) -> int:
    """Return how many findings are explained in detail in a game of `events` events."""
    return max(1, min(MOST, WORK // max(events, 1)))


def cases(
    game: Game,
    findings: Sequence[Finding],
    lines: Sequence[Line],
    moments: Iterable[Moment[Event, Consequence]],
    edition: str,
) -> tuple[Case, ...]:
    """Return a case for each finding. `moments` are all of the game's; `lines` describes event n at index n - 1."""
    changes = [moment.number for moment in moments if any(isinstance(one, Changed) for one in moment.consequences)]
    return tuple(_case(game, finding, lines, changes, edition) for finding in findings)


def _case(game: Game, finding: Finding, lines: Sequence[Line], changes: Sequence[int], edition: str) -> Case:
    number = finding.event
    # A ruling itself changes the designation, so explain the moment before it.
    at = max(number - 1, 1) if finding.about == "ruling" else number
    state = game.at(at)
    why: Explanation | None = None
    if finding.about == "ruling" and state.due:
        why = explained(shown(state), at, edition)
    elif finding.about != "tally":
        why = game.why(at, edition=edition)
    looked_at = {*finding.because, *(() if why is None else why.because), number}
    then, more = _then(game, lines, changes, None if why is None else why.since, at)
    status = state.battlefield.get(finding.subject) if finding.about == "face" and finding.subject else None
    return Case(
        finding=finding,
        turn=state.turn,
        step=state.step,
        at=at,
        card=None if status is None else status.permanent.card,
        why=why,
        sources=sources_for(finding.rule, edition, state) if why is None or finding.rule != why.rule else (),
        evidence=tuple(lines[event - 1] for event in sorted(looked_at)),
        then=then,
        more=more,
        blame=tuple(line for line in blamed(game, at) if _is_about(line, finding)),
    )


def _is_about(line: Blamed, finding: Finding) -> bool:
    if finding.about == "tally":
        # Only if it is about the same turn: blame has just the present turn and the one before.
        return line.part == "tally" and line.subject == finding.subject and line.because == finding.because
    if finding.about == "ruling":
        return line.part == "designation"
    return line.part == finding.about and line.subject == finding.subject


def _then(
    game: Game, lines: Sequence[Line], changes: Sequence[int], since: int | None, at: int
) -> tuple[tuple[Line, ...], int]:
    """Return the first AFTER events that have consequences, and how many more there are.

    They lie between `since` (None: no events) and the next change after `at` that was not undone. Undone ones are left
    out, unless event `at` is undone itself.
    """
    if since is None:
        return (), 0
    end = next((number for number in changes if number > at and game.stands(number)), len(lines))
    found = [
        line for line in lines[since - 1 : end] if line.followed and (game.stands(line.number) or not game.stands(at))
    ]
    return tuple(found[:AFTER]), max(len(found) - AFTER, 0)
