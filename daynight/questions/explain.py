"""Explains the designation: since when, by which rule, because of which events, and the smallest change of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from typing import Any, Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace as replaced

from daynight.events import Changed, Designation
from daynight.framework.language.codec import document_of
from daynight.framework.language.grammar import capital, full_stop, paragraph, uncapital
from daynight.framework.language.wording import _, counted, translated
from daynight.framework.mechanic import Derived, Way
from daynight.projections.audit.doubts import Doubts, doubts
from daynight.questions.almost import Almost, almost
from daynight.referee.documents import offered, policy
from daynight.referee.due import due_sentence
from daynight.referee.parts import designation_ways, grounds
from daynight.referee.state import Line, PlayedRecord, State
from daynight.rules.citations import cited, enters_if, transforms_if, with_number
from daynight.rules.holding import barring
from daynight.speech.auditing.grounds import remarks, since_words, ways_words
from daynight.speech.sentences import designation_word, either, either_word, names, state_clause

RANKS = ("Comprehensive Rules", "release notes", "card ruling", "judge article", "source document")
"""The kinds of source, most authoritative first. If they disagree, the rules win."""

_CELESTUS = "The Celestus"


class RuleSource(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A statement of a source about a rule, in our words, and whether it agrees with the rules.

    `fits` limits it to games with `teams`, with The `celestus` on the battlefield, or with a permanent that has `lost`
    its abilities.
    """

    rules: tuple[str, ...]
    kind: str
    source: str
    says: str
    agrees: bool
    date: str | None = None
    fits: Literal["teams", "celestus", "lost"] | None = None

    def is_about(self, state: State) -> bool:
        """Return whether the statement fits a game with this state."""
        if self.fits == "teams":
            return state.teams is not None
        if self.fits == "celestus":
            return any(status.permanent.card == _CELESTUS for status in state.battlefield)
        return self.fits is None or any(
            status.losses or status.lost or status.entered_without for status in state.battlefield
        )

    @property
    def named(self) -> str:
        """The name of the source, in the reader's language."""
        return translated(self.source).replace(RANKS[0], _("Comprehensive Rules"))

    def document(self) -> dict[str, Any]:
        """The source as `daynight why --json` prints it; rank 1 is the most authoritative."""
        return document_of(self, "rank kind source date says agrees", rank=RANKS.index(self.kind) + 1)


@dataclass(frozen=True, slots=True)
class Answer:
    """Why a part of `state` has its value after `event`; `derived` has the value and how it came about."""

    event: int
    derived: Derived
    edition: str
    state: State = field(repr=False, compare=False)

    @property
    def _way(self) -> Way | None:
        return self.derived.way if len(self.derived.values) == 1 else None

    @property
    def since(self) -> int | None:
        """The event that set the value, or the one since which it has been so; None if several are possible."""
        return None if self._way is None else self._way.event

    @property
    def rule(self) -> str | None:
        """The key of the rule that set the value; None if no rule did, or there may be several."""
        return None if self._way is None else self._way.rule

    @property
    def cr(self) -> str | None:
        """The number of `rule` in `edition`; None if there is no `rule`, or if it has no number there."""
        return cited(self.rule, self.edition)

    @property
    def because(self) -> tuple[int, ...]:
        """The numbers of the events from which the value was derived, in all possibilities."""
        return self.derived.because

    @property
    def sources(self) -> tuple[RuleSource, ...]:
        """The statements of sources about `rule` that fit this game."""
        return sources_for(self.rule, self.edition, self.state)


@dataclass(frozen=True, slots=True)
class Explanation(Answer):
    """Why the designation is what it is after an event.

    If several designations are possible, `possibilities` has an answer for each, in which `whole` is False.
    `almost_edit` is the smallest edit of the record that would give another answer; it need not change an event in
    `because`. `doubts` has the cards that the record's writer did not know, and unwritten turns.
    """

    possibilities: tuple[Explanation, ...] = ()
    almost_edit: Almost | None = None
    doubts: Doubts = field(default_factory=Doubts, repr=False, compare=False)
    whole: bool = True

    @property
    def designation(self) -> Designation | None:
        """The designation; None where more than one is possible."""
        value: Designation | None = self.derived.value
        return value

    @property
    def almost(self) -> str | None:
        """The smallest edit that would give another answer, in words; None if none is known."""
        return None if self.almost_edit is None else self.almost_edit.sentence

    @property
    def sentence(self) -> str:
        """The explanation in the reader's language."""
        if not self.whole and self.designation is not None:
            return full_stop(_clause(self.state, self.designation, self.edition))
        return paragraph(_sentence(self), self.doubts.sentence)

    @property
    def short(self) -> str:
        """The explanation in at most 140 characters."""
        told = full_stop(
            capital(
                state_clause(self.state.possible if self.whole or self.designation is None else (self.designation,))
            )
        )
        if self.since is not None:
            since = _("Since event {event}").format(event=self.since)
            told = paragraph(told, full_stop(with_number(since, self.rule, self.edition)))
        return paragraph(told, _("Something in the record is in doubt.")) if self.doubts else told

    def document(self) -> dict[str, Any]:
        """The explanation as `daynight why --json` prints it."""
        names = "event designation since rule cr because sources almost almost_edit sentence short"
        document = document_of(self, names)
        if self.designation is None:
            possible = [answer.designation for answer in self.possibilities if answer.designation is not None]
            document["possible"] = [designation.value for designation in possible]
            document |= {"policy": policy()} if offered(possible) else {}
            document["possibilities"] = [answer.document() for answer in self.possibilities]
        return document

    def __str__(self) -> str:
        return self.sentence


@cache
def _sources() -> tuple[RuleSource, ...]:
    data = files("daynight.rules").joinpath("sources.json").read_bytes()
    return msgspec.json.decode(data, type=tuple[RuleSource, ...])


def sources_for(rule: str | None, edition: str, state: State | None = None) -> tuple[RuleSource, ...]:
    """Return every source for a rule, most authoritative first; with a state only those that fit it.

    A source that conflicts with the rules has `agrees` False.
    """
    number = cited(rule, edition)
    if rule is None or number is None:
        return ()
    says, cites = _said(rule, edition), f"Comprehensive Rules {edition}, {number}"
    itself = RuleSource(rules=(rule,), kind=RANKS[0], source=cites, date=edition, says=says, agrees=True)
    others = sorted(
        (
            replaced(source, says=translated(source.says))
            for source in _sources()
            if rule in source.rules and (state is None or source.is_about(state))
        ),
        key=lambda source: (RANKS.index(source.kind), source.source),
    )
    return (itself, *others)


def _said(rule: str, edition: str) -> str:
    return {
        "no-designation": _("a game starts with neither designation"),
        "becomes": _("an effect makes it day or night"),
        "day-if-neither": _("if it is neither, it becomes day as that permanent enters"),
        "check-day": _("day, and no active player of the previous turn cast a spell in it: it becomes night"),
        "check-night": _("night, and an active player of the previous turn cast two or more in it: it becomes day"),
        "daybound-starts-day": _("neither, and somebody controls a permanent with daybound: it becomes day"),
        "nightbound-starts-night": _("neither, nightbound and no daybound on the battlefield: it becomes night"),
        "change-triggers": _(
            "only day becoming night and night becoming day trigger; neither becoming either does not"
        ),
        "check-neither": _("neither: nothing is checked"),
        "untap-check": _("the check is the second part of the untap step, after its phasing"),
        "phasing": _("in the untap step what phases does so first, all at once"),
        "daybound-enters": {
            "anything": _("by night what has daybound enters with its back face up"),
            "double-faced card": _(
                "by night what has daybound and is a double-faced card enters with its back face up"
            ),
            "transforming double-faced card": _(
                "by night what has daybound and is a transforming double-faced card enters with its back face up"
            ),
        }[enters_if(edition)],
        "daybound-as-night": _("as it becomes night, what has daybound transforms if its front face is up"),
        "daybound-at-night": _("by night what has daybound and shows its front face transforms at once"),
        "nightbound-as-day": _("as it becomes day, what has nightbound transforms if its back face is up"),
        "nightbound-at-day": _("by day what has nightbound and shows its back face transforms at once"),
        "daybound-refuses": _("what has daybound can't transform except by its daybound"),
        "nightbound-refuses": _("what has nightbound can't transform except by its nightbound"),
        "transforms": {
            "transforming card": _("only what is represented by a transforming double-faced card transforms"),
            "transforming card or token": _(
                "only what is represented by a transforming double-faced card or a double-faced token transforms"
            ),
            "card or token": _("only what is represented by a double-faced card or token transforms"),
        }[transforms_if(edition)],
        "transformed-since": _("a permanent's own ability transforms it only if it has not done so since"),
    }[rule]


def explain(game: PlayedRecord, number: int, edition: str) -> Explanation:
    """Explain the designation after event `number` of a game, ignoring later events."""
    if number < len(game):
        game = game.what_if(number, ())
    return replace(explained(game.state, number, edition), almost_edit=almost(game, number), doubts=doubts(game))


def explained(state: State, number: int, edition: str) -> Explanation:
    """Explain the designation of a state, the one after event `number`, without computing the smallest change."""
    answers = [
        Explanation(number, grounds(_line(state, designation), state), edition, state, whole=False)
        for designation in state.possible
    ]
    if len(answers) == 1:
        return replace(answers[0], whole=True)
    return Explanation(number, grounds(state.possibilities, state), edition, state, tuple(answers))


def _sentence(answer: Explanation) -> str:
    """Return the sentence of the answer, without its `doubts`."""
    state, edition, lines = answer.state, answer.edition, answer.state.possibilities
    clauses = [_clause(state, designation, edition) for designation in state.possible]
    more = paragraph(remarks(designation_ways(lines), lines, state), due_sentence(state))
    if len(clauses) == 1:
        barred = "" if answer.designation is Designation.NIGHT else _barred(state)
        return paragraph(full_stop(clauses[0]), more, barred)
    words = _("The record leaves open whether it is {either} after event {event}.")
    sentence = words.format(either=either_word(state.possible), event=answer.event)
    ways = [_ways(state, designation) for designation in state.possible]
    if all(len(of_one) == 1 for of_one in ways):
        told = [full_stop(capital(either([*map(uncapital, clauses)])))]
    else:
        # With several answers of several ways each answer gets a sentence, so that its ways stay together.
        told = [_if_so(designation, of_one, edition) for designation, of_one in zip(state.possible, ways, strict=True)]
    return paragraph(sentence, *told, more, policy_sentence(state.possible))


def policy_sentence(possible: Sequence[Designation]) -> str:
    """Return the sentence that a judge assumes night if nobody can tell; `""` unless night is one of several values."""
    if not offered(possible):
        return ""
    told = _("Where nobody can tell, the judge assumes night ({rule}: policy, not derived).")
    return told.format(rule=policy()["rule"])


def _barred(state: State) -> str:
    """Return the sentence about what prevents night in every possibility; empty if nothing does."""
    there = [barring(state.battlefield, possibility.backs) for possibility in state.possibilities]
    ids = [id for id in there[0] if all(id in others for others in there)]
    if not ids:
        return ""
    return counted(
        "While {names} is there with its abilities, it can't become night.",
        "While {names} are there with their abilities, it can't become night.",
        len(ids),
    ).format(names=names(ids, {id: state.battlefield[id].permanent for id in ids}))


def _clause(state: State, designation: Designation, edition: str) -> str:
    """Return a clause: that it is this designation, since when and why, without a full stop."""
    ways = _ways(state, designation)
    if ways == (None,):
        return with_number(_beginning(state, designation), None if state.joined else "no-designation", edition)
    if len(ways) == 1:
        return since_words(ways, edition)
    # Only day or night has a way; neither never changed.
    sentence = _("It is {designation}; the record leaves open since when: {ways}")
    return sentence.format(designation=designation_word(designation), ways=ways_words(ways, edition))


def _if_so(designation: Designation, ways: Sequence[Changed | None], edition: str) -> str:
    """Return `If it is night, it has been so ...` with each of the `ways`; None in them is the record's beginning."""
    sentence = (
        _("If it is neither day nor night, it has been so {ways}.")
        if designation is Designation.NEITHER
        else _("If it is {designation}, it has been so {ways}.")
    )
    return sentence.format(designation=designation_word(designation), ways=ways_words(ways, edition))


def _ways(state: State, designation: Designation) -> tuple[Changed | None, ...]:
    return designation_ways(_line(state, designation))


def _line(state: State, designation: Designation) -> Line:
    return tuple([one for one in state.possibilities if one.designation is designation])


def _beginning(state: State, designation: Designation) -> str:
    if not state.joined:
        sentence = _(
            "It is neither day nor night: nothing has made it day or night since the game began, at event {event}"
        )
    elif designation is Designation.NEITHER:
        sentence = _("It is neither day nor night: so it was when the record took the game up, at event {event}")
    else:
        sentence = _("It is {designation}: so it was when the record took the game up, at event {event}")
    return sentence.format(designation=designation_word(designation), event=state.began)
