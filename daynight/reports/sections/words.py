"""Words that several parts of a report share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from daynight.events.terms import Designation, Face
from daynight.framework.branches import Origin
from daynight.framework.language.wording import _, counted
from daynight.projections.audit.findings import Audit, Finding
from daynight.questions.explain import RuleSource
from daynight.reports.pages import Block, Items, Ref, Text, Tone, aside, filled
from daynight.rules.citations import cited
from daynight.speech.sentences import count_word, designation_word, face_word, step_word


def at_event(event: int, sentence: str) -> Text:
    """Return a reference to an event, followed by a sentence."""
    return filled(_("{event}: {sentence}"), event=Ref(event), sentence=sentence)


def branched_words(origin: Origin) -> str:
    """Return the sentence that names the record and event that a branch comes from."""
    if not origin.event:
        sentence = _(
            "This is a what-if: {name}, a branch of {game} from before its first event, not what was recorded."
        )
    else:
        sentence = _("This is a what-if: {name}, a branch of {game} after event {event}, not what was recorded.")
    return sentence.format(name=origin.name, game=origin.game, event=origin.event)


def foot_words(origin: Origin | None) -> tuple[str, ...]:
    """Return the sentences at the foot of every report; the first one of a branch's report says that it is a branch."""
    foot = _("Derived from the log as recorded; the Head Judge decides.")
    return (foot,) if origin is None else (branched_words(origin), foot)


def verdict_words(audit: Audit, called: int) -> tuple[str, Tone]:
    """Return the verdict in one sentence, and its tone.

    `called` is the number of disputes; if there are any, the sentence may add that statements in them do not count.
    """
    many = len(audit.disputes)
    if audit.verdict == "disputed":
        sentence = counted(
            "Disputed: {n} claim or ruling contradicts the rules.",
            "Disputed: {n} claims or rulings contradict the rules.",
            many,
        )
        return sentence, "bad"
    if audit.verdict == "exact" and called:
        sentence = _(
            "Exact: every claim and ruling that can be settled agrees with the rules; what was said in disputes"
            " is shown below, and not counted."
        )
        return sentence, "good"
    if audit.verdict == "exact":
        return _("Exact: every claim and ruling that can be settled agrees with the rules."), "good"
    if called and not audit.unsettled:
        sentence = _(
            "Unverified: no claim or ruling could be compared with the rules; what was said in disputes is shown"
            " below, and not counted."
        )
        return sentence, "open"
    if audit.unsettled:
        return _("Unverified: the record leaves open whether what was claimed is right."), "open"
    return _("Unverified: no claim or ruling could be compared with the rules."), "open"


def place_words(turn: int, step: str | None) -> str:
    """Return a place in the game: `turn 21, precombat main phase`."""
    if turn == 0:
        return _("before turn 1")
    return _("turn {turn}, {step}").format(turn=turn, step=step_word(step))


def claimed_words(finding: Finding) -> str:
    """Return the value that was claimed, in the reader's language."""
    return _value(finding.about, finding.claimed)


def derived_words(finding: Finding) -> str:
    """Return the value that follows by the rules, in the reader's language."""
    return _value(finding.about, finding.derived)


def _value(about: str, value: Any) -> str:
    if about == "tally":
        bounds = value if isinstance(value, dict) else {"at_least": value, "at_most": value}
        return count_word(bounds["at_least"], bounds["at_most"])
    if value is None:
        return _("uncertain")
    return face_word(Face(value)) if about == "face" else designation_word(Designation(value))


def rule_words(rule: str, edition: str) -> str:
    """Return the key of a rule, with its number in the edition, or with words that say that it has none."""
    number = cited(rule, edition)
    if number is None:
        return _("{rule}, which has no number of its own").format(rule=rule)
    return _("{rule}, CR {number} in the edition of {edition}").format(rule=rule, number=number, edition=edition)


def sources_list(sources: Sequence[RuleSource], told: set[RuleSource]) -> tuple[Block, ...]:
    """Return blocks with what the sources say, in the given order; words mark a source that contradicts the rules.

    A page lists the sources of a rule only once: `told` collects the sources already listed.
    """
    if sources and told.issuperset(sources):
        return (aside(_("The sources of this rule are listed above.")),)
    told.update(sources)
    rows: list[Text] = []
    for source in sources:
        sentence = _("{source}: {says} [agrees]") if source.agrees else _("{source}: {says} [CONFLICTS: the rules win]")
        dated = source.date is not None and source.date not in source.source
        name = _("{source} ({date})").format(source=source.named, date=source.date) if dated else source.named
        rows.append((sentence.format(source=name, says=source.says),))
    return (Items(tuple(rows), numbered=True),) if rows else ()
