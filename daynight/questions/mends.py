"""Repairs of one claim: the smallest edits of a record that would make it right.

They are the hints of `repairs`, tried for one claim alone: each makes that claim right, and fewer claims than before
contradict the rules. The repair that leaves the fewest contradictions comes first.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from daynight.framework.folding.history import states
from daynight.framework.language.codec import document_of
from daynight.framework.language.errors import RecordError
from daynight.framework.language.grammar import commas
from daynight.framework.language.wording import _, card_word, counted
from daynight.projections.audit.audit import Auditor
from daynight.projections.audit.findings import Audit, Finding
from daynight.projections.turns import stretches
from daynight.questions.repairs import EVENTS, LEAST, Hint, candidates, holds, latest_turns
from daynight.referee.state import PlayedRecord
from daynight.speech.sentences import designation_word

ENOUGH = 5
"""How many repairs are listed: those that leave the fewest contradictions."""


@dataclass(frozen=True, slots=True)
class Mend:
    """An edit with which the claim would be right; `differing` claims would still contradict the rules."""

    hint: Hint
    differing: int

    @property
    def sentence(self) -> str:
        """What would make the claim right, in the reader's language."""
        return _sentence(self.hint) if self.differing else self.hint.sentence

    def document(self) -> dict[str, Any]:
        """The repair as JSON: the hint, and how many claims would still differ."""
        return self.hint.document() | {"sentence": self.sentence, "differing": self.differing}


@dataclass(frozen=True, slots=True)
class Mends:
    """The repairs of a claim, the fewest remaining contradictions first; empty if no single edit makes it right.

    `finding` says how the claim contradicts the rules, None if it does not. Where `all_tried` is False the record was
    too long to try all edits.
    """

    finding: Finding | None
    mends: tuple[Mend, ...]
    tried: int
    all_tried: bool

    def document(self, edition: str) -> dict[str, Any]:
        """The answer as JSON, with the fields of `Repairs.document`; `hints` are the repairs."""
        finding = None if self.finding is None else self.finding.document(edition)
        hints = [mend.document() for mend in self.mends]
        return document_of(self, "finding hints tried all_tried", finding=finding, hints=hints)


def mends(game: PlayedRecord, event: int, audit: Audit | None = None) -> Mends:
    """Return the single edits that would make the claim or ruling at `event` right.

    >>> from daynight import Game
    >>> [(mend.hint.kind, mend.differing) for mend in mends(Game.load("demo"), 122).mends][:1]
    [('effect', 0)]
    """
    disputes = (Auditor().game(game) if audit is None else audit).disputes
    finding = next((one for one in disputes if one.event == event), None)
    if finding is None:
        return Mends(None, (), 0, True)
    latest = latest_turns(game, event, stretches(game))
    before = states(game, [event - 1, *(place for turn in latest for place in turn.starts)])
    found: list[Mend] = []
    seen: set[tuple[object, ...]] = set()
    tried = whole = 0
    most = max(EVENTS // len(game), LEAST)
    all_tried = True
    for hint in sorted(candidates(finding, latest, before), key=lambda hint: hint.rank):
        key = (hint.kind, hint.turn, hint.subject)
        if key in seen:
            continue
        tried += 1
        if not holds(game, hint, before, event):
            continue
        if whole == most:
            all_tried = False
            break
        whole += 1
        differing = _differing(game, hint, event)
        if differing is not None and differing < len(disputes):
            seen.add(key)
            found.append(Mend(hint, differing))
    found.sort(key=lambda mend: (mend.differing, mend.hint.rank))
    return Mends(finding, tuple(found[:ENOUGH]), tried, all_tried)


def _differing(game: PlayedRecord, hint: Hint, event: int) -> int | None:
    """Return how many claims contradict the rules after `hint`'s edit; None if that at `event` still may be wrong."""
    try:
        branch = game.branch(*hint.edits)
    except RecordError:
        return None
    if branch.stopped is not None or event not in branch.origins:
        return None
    number = branch.origins.index(event) + 1
    audit = Auditor().game(branch.game)
    wrong = {one.event for one in (*audit.disputes, *audit.unsettled)}
    return None if number in wrong else len(audit.disputes)


def _sentence(hint: Hint) -> str:
    """Return the sentence for a hint that makes this claim right, although others stay wrong."""
    edit = hint.edits[0]
    player, events, card = hint.subject, commas([str(each.at) for each in hint.edits]), card_word(hint.card or "")
    if hint.kind == "cast":
        return counted(
            "With one more spell by {player} in turn {turn} this claim would be right.",
            "With {n} more spells by {player} in turn {turn} this claim would be right.",
            hint.size,
        ).format(player=player, turn=hint.turn)
    if hint.kind == "no-cast":
        return counted(
            "Without event {events}, a spell by {player} in turn {turn}, this claim would be right.",
            "Without events {events}, spells by {player} in turn {turn}, this claim would be right.",
            hint.size,
        ).format(events=events, player=player, turn=hint.turn)
    if hint.kind == "departure":
        sentence = _("Had {card} ({id}) left the battlefield in turn {turn}, this claim would be right.")
        return sentence.format(card=card, id=hint.subject, turn=hint.turn)
    if hint.kind == "effect" and hint.subject in ("day", "night"):
        sentence = (
            _("Had an effect made it {designation} in turn {turn}, after event {event}, this claim would be right.")
            if hint.turn
            else _("Had an effect made it {designation} after event {event}, this claim would be right.")
        )
        return sentence.format(designation=designation_word(hint.designation), turn=hint.turn, event=edit.at)
    sentence = {
        "effect": _("Had an effect told {id} to transform in turn {turn}, this claim would be right."),
        "arrival": _("Had a permanent with daybound entered in turn {turn}, this claim would be right."),
        "untap-step": _("Had the untap step of turn {turn} not been skipped, this claim would be right."),
        "further-untap-step": _(
            "With a further untap step in turn {turn}, after event {event}, this claim would be right."
        ),
        "no-untap-step": (
            _("Without the further untap step of turn {turn} (event {event}) this claim would be right.")
            if edit.kind == "drop"
            else _("Had the untap step of turn {turn} been skipped, this claim would be right.")
        ),
    }[hint.kind]
    return sentence.format(id=hint.subject, turn=hint.turn, event=edit.at)
